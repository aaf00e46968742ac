//! Keeps the posts that the next digest of a list holds, and schedules it for the next morning.
//!
//! The first page of a post's expansion with somebody who takes it in a digest notes the post, and the last page says
//! that the next digest may hold it; nothing is noted of a post that nobody takes so. The first post that waits sets the
//! time of the digest. The job that begins the digest takes the posts away, so each is in one digest, whatever stops the
//! server or moves its clock.

use std::time::Duration;

use jiff::ToSpan as _;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::clock::Timestamp;
use crate::model::digest::{AcceptedPost, Day};
use crate::model::{
    AccountId, DigestPost, DigestSchedule, Email, EmailId, FanOut, ListId, MembershipId, MessageId,
};
use crate::ops::locales;
use crate::ops::overdue::rows_after;
use crate::schema::{DIGEST_SCHEDULE_BY_ACCOUNT, DIGEST_SCHEDULE_BY_DUE};
use crate::store::{IndexRange, Key, Read, ReadTx, StoreError, WriteTx};

/// The hour of the day, in the account's time zone, at which daily mails are written.
const HOUR: i8 = 6;
/// The longest wait for the next morning, even if a time zone skips a day and a digest waits for one more.
pub(in crate::ops) const MORNING_MAX: Duration = Duration::from_hours(74);

/// Notes what a page of an expansion found: whether anybody takes the post in a digest, and whether it was the last page.
pub(super) fn note_page(
    tx: &mut WriteTx<'_>,
    fan_out: &FanOut,
    is_taken: bool,
    is_last: bool,
    now: Timestamp,
) -> Result<(), StoreError> {
    if !is_taken && !is_last {
        return Ok(());
    }
    let &FanOut { account, message, list, last, .. } = fan_out;
    let waiting = match tx.get::<DigestPost>(message.0)? {
        Some(_) if !is_last => return Ok(()),
        Some(waiting) => DigestPost { is_ready: true, ..waiting },
        None if is_taken => {
            // An address that was added since the post was accepted gets it as it takes mail, like one that was there:
            // singly by a page, or in the digest.
            let last_email = EmailId(tx.last_id::<Email>(u64::MAX)?.unwrap_or(0));
            let post = AcceptedPost { message, last_membership: MembershipId(last), last_email };
            DigestPost { post, account, list, is_taken, is_ready: is_last }
        }
        None => return Ok(()),
    };
    tx.put(&waiting)?;
    if is_last { schedule(tx, account, list, now) } else { Ok(()) }
}

/// Forgets a post that no digest is to hold.
pub(super) fn forget(tx: &mut WriteTx<'_>, message: MessageId) -> Result<(), StoreError> {
    tx.delete::<DigestPost>(message.0).map(drop)
}

/// Schedules the digest of a list on which a post waits.
pub(in crate::ops) fn schedule(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    list: ListId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let known = tx.get::<DigestSchedule>(list.0)?;
    if known.as_ref().is_some_and(|known| known.due.is_some()) {
        return Ok(());
    }
    let zone = locales::locale(tx, account)?.zone;
    let earlier = known.and_then(|known| known.last);
    let due = Some(next_digest(now, &zone, earlier));
    tx.put(&DigestSchedule { list, account, due, last: earlier })
}

/// Schedules the digests of an account anew, whose time zone has changed.
pub(in crate::ops) fn reschedule(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let zone = locales::locale(tx, account)?.zone;
    let of_account = IndexRange::prefix(Key::new().u64(account.0));
    for id in tx.ids(&DIGEST_SCHEDULE_BY_ACCOUNT, &of_account, usize::MAX)? {
        let Some(schedule) = tx.get::<DigestSchedule>(id)? else { continue };
        // One that is due already is made.
        if schedule.due.is_some_and(|due| now < due) {
            let due = Some(next_digest(now, &zone, schedule.last));
            tx.put(&DigestSchedule { due, ..schedule })?;
        }
    }
    Ok(())
}

/// Whether a digest is due later than it can be, which happens only after a clock was set back.
pub(in crate::ops) fn is_any_too_late(tx: &ReadTx, now: Timestamp) -> Result<bool, StoreError> {
    Ok(tx.first_row(&DIGEST_SCHEDULE_BY_DUE, &rows_after(now + MORNING_MAX))?.is_some())
}

/// Reschedules digests that are due too late to the next morning.
pub(in crate::ops) fn clamp_due(
    tx: &mut WriteTx<'_>,
    now: Timestamp,
    limit: usize,
) -> Result<(), StoreError> {
    for id in tx.ids(&DIGEST_SCHEDULE_BY_DUE, &rows_after(now + MORNING_MAX), limit)? {
        let Some(schedule) = tx.get::<DigestSchedule>(id)? else { continue };
        let zone = locales::locale(tx, schedule.account)?.zone;
        let due = Some(next_digest(now, &zone, schedule.last));
        tx.put(&DigestSchedule { due, ..schedule })?;
    }
    Ok(())
}

/// When the next digest is due of a list whose last one was that of the day `last`: there is one a day, also if the clock
/// is set back to before it. A last day that cannot have been yet is that of a clock that was wrong.
fn next_digest(now: Timestamp, zone: &TimeZone, last: Option<Day>) -> Timestamp {
    let morning = next_morning(now, zone);
    let is_day_of = |last: Day| day_of_digest(morning, zone) == last;
    if last.is_some_and(is_day_of) { next_morning(morning, zone) } else { morning }
}

/// The day of the digest that is made at an instant: that of the last morning.
pub(in crate::ops) fn day_of_digest(now: Timestamp, zone: &TimeZone) -> Day {
    let local = now.in_zone(zone.clone());
    let today = local.date();
    let is_before = morning(today, zone).is_some_and(|morning| now < morning);
    let date = if is_before { today.checked_sub(1.day()).unwrap_or(today) } else { today };
    Day { year: date.year(), month: date.month(), day: date.day() }
}

/// The next time that it is [`HOUR`] o'clock in a time zone, or the first moment after it if clocks skip that hour. If it
/// comes twice on a day, the first counts.
pub(in crate::ops) fn next_morning(now: Timestamp, zone: &TimeZone) -> Timestamp {
    let local = now.in_zone(zone.clone());
    let today = morning(local.date(), zone).filter(|morning| now < *morning);
    let tomorrow = || local.date().checked_add(1.day()).ok().and_then(|date| morning(date, zone));
    // Both are missing only at the end of the calendar.
    today.or_else(tomorrow).unwrap_or(now)
}

fn morning(date: Date, zone: &TimeZone) -> Option<Timestamp> {
    let instant = date.at(HOUR, 0, 0, 0).to_zoned(zone.clone()).ok()?;
    Some(Timestamp::from_ms(instant.timestamp().as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> TimeZone {
        TimeZone::get(name).unwrap()
    }

    fn at(time: &str) -> Timestamp {
        Timestamp::parse_rfc3339(time).unwrap()
    }

    #[track_caller]
    fn check(now: &str, name: &str, expected: &str) {
        assert_eq!(next_morning(at(now), &zone(name)).rfc3339(), expected);
    }

    #[test]
    fn the_next_morning_is_that_of_the_accounts_time_zone() {
        check("2026-11-20T12:00:00Z", "UTC", "2026-11-21T06:00:00Z");
        check("2026-11-20T05:59:59Z", "UTC", "2026-11-20T06:00:00Z");
        check("2026-11-20T06:00:00Z", "UTC", "2026-11-21T06:00:00Z");
        check("2026-11-20T12:00:00Z", "Europe/Berlin", "2026-11-21T05:00:00Z");
        check("2026-11-20T12:00:00Z", "Asia/Tokyo", "2026-11-20T21:00:00Z");
        check("2026-03-28T12:00:00Z", "Europe/Berlin", "2026-03-29T04:00:00Z");
    }

    #[test]
    fn a_morning_that_a_zone_skips_is_the_moment_after_it_and_of_two_the_first_counts() {
        // Samoa had no 30 December 2011: it went from one side of the date line to the other.
        check("2011-12-29T17:00:00Z", "Pacific/Apia", "2011-12-30T16:00:00Z");
        // A zone that leaves out the hour from 5:30 to 6:30, and one that has it twice.
        let skips = TimeZone::posix("AAA0BBB-1,M3.5.0/5:30,M10.5.0/6:30").unwrap();
        assert_eq!(next_morning(at("2026-03-28T12:00:00Z"), &skips).rfc3339(), "2026-03-29T06:00:00Z");
        let first = next_morning(at("2026-10-24T12:00:00Z"), &skips);
        assert_eq!(first.rfc3339(), "2026-10-25T05:00:00Z");
        assert_eq!(next_morning(first, &skips).rfc3339(), "2026-10-26T06:00:00Z");
    }

    #[test]
    fn a_digest_is_that_of_the_last_morning() {
        let day = |now| day_of_digest(at(now), &zone("Europe/Berlin"));
        let of = |day| Day { year: 2026, month: 11, day };
        assert_eq!(day("2026-11-22T05:00:00Z"), of(22));
        assert_eq!(day("2026-11-22T04:59:59Z"), of(21));
        assert_eq!(day("2026-11-22T22:59:59Z"), of(22));
    }

    #[test]
    fn there_is_one_digest_a_day_also_if_the_clock_is_set_back() {
        let due = |now, last| next_digest(at(now), &TimeZone::UTC, last).rfc3339();
        let today = Some(Day { year: 2026, month: 11, day: 22 });
        assert_eq!(due("2026-11-22T06:00:01Z", today), "2026-11-23T06:00:00Z");
        assert_eq!(due("2026-11-22T05:00:00Z", today), "2026-11-23T06:00:00Z");
        assert_eq!(due("2026-11-22T05:00:00Z", None), "2026-11-22T06:00:00Z");
        // The clock was a year ahead when the last one was made.
        let ahead = Some(Day { year: 2027, month: 11, day: 22 });
        assert_eq!(due("2026-11-22T07:00:00Z", ahead), "2026-11-23T06:00:00Z");
    }
}
