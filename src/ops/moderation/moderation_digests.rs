//! Digests of the messages that wait for approval: daily ones, and those after an hour in which too many messages were
//! held to announce each.
//!
//! The first message held on a list since its last digest sets the time of the next one. The job that writes the digest
//! removes that record, so each is sent once, whatever stops the server or moves its clock.

use std::time::Duration;

use jiff::ToSpan as _;
use jiff::tz::TimeZone;

use crate::clock::Timestamp;
use crate::locale::text;
use crate::mail::reason::stored_reason;
use crate::model::account::NotifyApproval;
use crate::model::admin::Notification;
use crate::model::welcome::ModerationDigest;
use crate::model::{AccountId, Held, List, SystemMailKind};
use crate::ops::domains;
use crate::ops::envelope::ModerationToken;
use crate::ops::locales;
use crate::ops::moderation::notices::{asks, display, moderators_of};
use crate::ops::notices::system_mails::{MailContext, NewNotice, owner_local, write};
use crate::ops::overdue::{overdue_rows, rows_after};
use crate::schema::{HELD_WAITING, HELD_WAITING_COUNT, MODERATION_DIGEST_BY_DUE};
use crate::store::{Key, Read, ReadTx, StoreError, WriteTx};

/// The hour at which daily digests are written, in the account's time zone.
const HOUR: i8 = 6;
/// The longest wait for the next morning, even if a time zone skips a day.
const MORNING_MAX: Duration = Duration::from_hours(50);
/// Messages that one digest shows.
const SHOWN_MAX: usize = 100;

/// Schedules the daily digest of a list on which a message waits.
pub(in crate::ops) fn note(tx: &mut WriteTx<'_>, list: &List, now: Timestamp) -> Result<(), StoreError> {
    if tx.get::<ModerationDigest>(list.id.0)?.is_some() {
        return Ok(());
    }
    let due = next_morning(now, &zone(tx, list.account)?);
    tx.put(&ModerationDigest { list: list.id, account: list.account, due })
}

/// Schedules a digest at `due` for a list whose moderators got all single requests of this hour.
pub(in crate::ops) fn note_by(tx: &mut WriteTx<'_>, list: &List, due: Timestamp) -> Result<(), StoreError> {
    let earliest = tx.get::<ModerationDigest>(list.id.0)?.map_or(due, |noted| noted.due.min(due));
    tx.put(&ModerationDigest { list: list.id, account: list.account, due: earliest })
}

fn zone(tx: &impl Read, account: AccountId) -> Result<TimeZone, StoreError> {
    Ok(locales::locale(tx, account)?.zone)
}

/// The next time that it is [`HOUR`] o'clock in a time zone, or the first moment after it if clocks skip that hour.
fn next_morning(now: Timestamp, zone: &TimeZone) -> Timestamp {
    let local = now.in_zone(zone.clone());
    let morning = |date: jiff::civil::Date| {
        let instant = date.at(HOUR, 0, 0, 0).to_zoned(zone.clone()).map(|zoned| zoned.timestamp());
        instant.ok().map(|instant| Timestamp::from_ms(instant.as_millisecond()))
    };
    let today = morning(local.date()).filter(|morning| now < *morning);
    let tomorrow = || local.date().checked_add(1.day()).ok().and_then(morning);
    // Both are missing only at the end of the calendar.
    today.or_else(tomorrow).unwrap_or(now)
}

/// Whether a digest is due later than the next morning, which happens only after a clock was set back.
pub(in crate::ops) fn is_any_too_late(tx: &ReadTx, now: Timestamp) -> Result<bool, StoreError> {
    Ok(tx.first_row(&MODERATION_DIGEST_BY_DUE, &rows_after(now + MORNING_MAX))?.is_some())
}

/// Reschedules digests that are due too late to the next morning.
pub(in crate::ops) fn clamp_due(
    tx: &mut WriteTx<'_>,
    now: Timestamp,
    limit: usize,
) -> Result<(), StoreError> {
    for id in tx.ids(&MODERATION_DIGEST_BY_DUE, &rows_after(now + MORNING_MAX), limit)? {
        let Some(summary) = tx.get::<ModerationDigest>(id)? else { continue };
        let due = next_morning(now, &zone(tx, summary.account)?);
        tx.put(&ModerationDigest { due, ..summary })?;
    }
    Ok(())
}

/// Writes the digests that are due.
pub(in crate::ops) fn write_due(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    now: Timestamp,
    limit: usize,
) -> Result<(), StoreError> {
    for id in overdue_rows(tx, &MODERATION_DIGEST_BY_DUE, now, limit)? {
        if let Some(list) = tx.get::<List>(id)? {
            summarize(tx, mail_context, &list, now)?;
        }
        tx.delete::<ModerationDigest>(id)?;
    }
    Ok(())
}

fn summarize(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    list: &List,
    now: Timestamp,
) -> Result<(), StoreError> {
    if asks(tx, list)? == NotifyApproval::None {
        return Ok(());
    }
    let of_list = Key::new().u64(list.account.0).u64(list.id.0);
    let total = tx.count(&HELD_WAITING_COUNT, &of_list)?;
    let waiting: Vec<Held> = tx.page(&HELD_WAITING, &of_list.into(), SHOWN_MAX)?;
    if waiting.is_empty() {
        return Ok(());
    }
    let domain = domains::main_domain(tx, list.account)?;
    let locale = locales::locale(tx, list.account)?;
    let language = locale.language;
    let list_address = format!("{}@{}", list.name, domain.name);
    let links = mail_context.links.of(tx, list.account)?;
    for moderator in moderators_of(tx, list, Some(Notification::HeldMessage))? {
        let mut text = text!(language, "summary-begin", count = total, list_address = &list_address) + "\n";
        for held in &waiting {
            let token = ModerationToken::of(held.id, &moderator).token(&mail_context.signer);
            let message = text!(
                language,
                "summary-message",
                sender = display(&held.from_phrase, &held.from),
                subject = &held.subject,
                received = locale.moment(held.received),
                reason = stored_reason(&locale, &held.reason),
                link = links.moderate(&token),
            );
            text.push('\n');
            for line in message.lines() {
                text.extend(["    ", line, "\n"]);
            }
        }
        let more = total.saturating_sub(waiting.len() as u64);
        if 0 < more {
            text.extend(["\n", &text!(language, "summary-more", count = more), "\n"]);
        }
        text.extend(["\n", &text!(language, "summary-end"), "\n"]);
        let notice = NewNotice {
            kind: SystemMailKind::Moderation,
            from_phrase: list.title(),
            from_local: &owner_local(list),
            to: &moderator.address,
            reply_to: None,
            subject: &text!(language, "summary-subject", list = list.name.as_str(), count = total),
            text: &text,
            in_reply_to: None,
        };
        write(tx, mail_context, list.account, &notice, now)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(now: &str, zone: &str, expected: &str) {
        let now = Timestamp::parse_rfc3339(now).unwrap();
        assert_eq!(next_morning(now, &TimeZone::get(zone).unwrap()).rfc3339(), expected);
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
}
