//! What the server knows of its own backups: when the newest was made, whether they fail, and who was told.
//!
//! It is kept in the data file, so that the next start knows when a backup is due, and commands how old the newest is.
//! `app` makes the backups and reports them here. Administrators are told once of an outage, after three failures.

use std::time::Duration;

use crate::clock::Timestamp;
use crate::locale::{Locale, text};
use crate::mail::Wording;
use crate::model::{Account, Admin, Notification, SystemMailKind};
use crate::ops::accounts::admins;
use crate::ops::context::MailContext;
use crate::ops::locales;
use crate::ops::notices::system_mails::{self, NewNotice};
use crate::store::{Read, StoreError, WriteTx};

/// The name in the data file under which it is kept.
const META: &str = "backups";
/// Failures in a row of which administrators are told.
pub const FAILURES_TOLD: u32 = 3;
/// How long after a failure the next try is made, unless backups are made more often.
const RETRY_AFTER: Duration = Duration::from_mins(10);
/// Most characters of a problem that are kept.
const PROBLEM_CHARS_MAX: usize = 500;

/// The backups of the server, as far as it has made them itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BackupStanding {
    /// Where they go, in words.
    pub place: String,
    /// The time of the newest; `None` before the first.
    pub newest: Option<Timestamp>,
    /// Failures since then.
    pub failures: u32,
    /// The time of the last try that failed, if it was the last try.
    pub failed: Option<Timestamp>,
    /// The reason of that failure.
    pub problem: String,
    /// Whether administrators were told of these failures.
    pub is_told: bool,
}

impl BackupStanding {
    /// When the next backup is due; at once before the first.
    #[must_use]
    pub fn next(&self, every: Duration, now: Timestamp) -> Timestamp {
        let next = match (self.failed, self.newest) {
            (Some(failed), _) => failed + every.min(RETRY_AFTER),
            (None, Some(newest)) => newest + every,
            (None, None) => now,
        };
        // The clock was set back.
        if now + every < next { now } else { next }
    }

    fn render(&self) -> String {
        let BackupStanding { place, newest, failures, failed, problem, is_told } = self;
        let time = |time: &Option<Timestamp>| time.map(|time| time.ms().to_string()).unwrap_or_default();
        let (newest, failed, is_told) = (time(newest), time(failed), u8::from(*is_told));
        format!("{place}\n{newest}\n{failures}\n{failed}\n{is_told}\n{problem}\n")
    }

    fn parse(text: &str) -> Option<BackupStanding> {
        let mut lines = text.lines();
        let place = lines.next()?.to_owned();
        let time = |line: &str| line.parse().ok().map(Timestamp::from_ms);
        Some(BackupStanding {
            place,
            newest: time(lines.next()?),
            failures: lines.next()?.parse().ok()?,
            failed: time(lines.next()?),
            is_told: lines.next()? == "1",
            problem: lines.next().unwrap_or_default().to_owned(),
        })
    }

    fn write(&self, tx: &mut WriteTx<'_>) -> Result<(), StoreError> {
        tx.set_meta(META, Some(self.render().as_bytes()))
    }
}

/// What is known of the backups; nothing if the server has never made one itself.
pub fn find(tx: &impl Read) -> Result<Option<BackupStanding>, StoreError> {
    let Some(bytes) = tx.meta(META)? else { return Ok(None) };
    let unreadable = || StoreError::corrupt("meta", format_args!("{META} cannot be read"));
    let standing = std::str::from_utf8(&bytes).ok().and_then(BackupStanding::parse);
    standing.map(Some).ok_or_else(unreadable)
}

/// What is known of the backups to a place; nothing is known of one to which none went last.
pub fn of_place(tx: &impl Read, place: &str) -> Result<BackupStanding, StoreError> {
    let known = find(tx)?.filter(|known| known.place == one_line(place));
    Ok(known.unwrap_or_else(|| BackupStanding { place: one_line(place), ..BackupStanding::default() }))
}

/// Notes that a backup was made, at that time of the clock.
pub fn note_made(tx: &mut WriteTx<'_>, place: &str, made: Timestamp) -> Result<(), StoreError> {
    BackupStanding { place: one_line(place), newest: Some(made), ..BackupStanding::default() }.write(tx)
}

/// Notes that no backup was made since another is under way: it is tried again soon, and nobody needs to know.
pub fn note_busy(
    tx: &mut WriteTx<'_>,
    (place, problem): (&str, &str),
    now: Timestamp,
) -> Result<(), StoreError> {
    let standing = of_place(tx, place)?;
    BackupStanding { failed: Some(now), problem: kept(problem), ..standing }.write(tx)
}

/// Notes that a backup failed, and tells administrators of the third failure in a row.
pub fn note_failed(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    (place, problem): (&str, &str),
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut standing = of_place(tx, place)?;
    standing.failures = standing.failures.saturating_add(1);
    standing.failed = Some(now);
    standing.problem = kept(problem);
    if FAILURES_TOLD <= standing.failures && !standing.is_told {
        tell(tx, mail_context, &standing, now)?;
        standing.is_told = true;
    }
    standing.write(tx)
}

/// As much of a problem as is kept.
fn kept(problem: &str) -> String {
    one_line(problem).chars().take(PROBLEM_CHARS_MAX).collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Writes to the administrators of the server; if it has none with an address, to those of its first account who want to
/// know of problems with deliveries.
fn tell(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    standing: &BackupStanding,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(account) = tx.all::<Account>(0, 1)?.pop() else { return Ok(()) };
    let mut readers = admins::of_account(tx, None)?;
    readers.retain(|admin| admin.username.is_some());
    if readers.is_empty() {
        readers = admins::of_account(tx, Some(account.id))?;
        readers.retain(|admin: &Admin| admin.notifications.contains(&Notification::DeliveryProblem));
    }
    let locale = locales::locale(tx, account.id)?;
    let (subject, text) = words(&locale, &mail_context.config.hostname, standing);
    for address in readers.iter().filter_map(|admin| admin.username.as_ref()) {
        let notice = NewNotice {
            kind: SystemMailKind::Problem,
            from_phrase: &account.name,
            from_local: "postmaster",
            to: address,
            reply_to: None,
            subject: &subject,
            text: &text,
            buttons: &[],
            wording: Wording::BuiltIn,
            in_reply_to: None,
        };
        system_mails::write(tx, mail_context, account.id, &notice, now)?;
    }
    Ok(())
}

fn words(locale: &Locale, host: &str, standing: &BackupStanding) -> (String, String) {
    let language = locale.language;
    let BackupStanding { place, newest, failures, problem, .. } = standing;
    let newest = match newest {
        Some(newest) => text!(language, "alert-backup-newest", time = locale.local_moment(*newest)),
        None => text!(language, "alert-backup-none"),
    };
    let subject = text!(language, "alert-backup-subject", host = host);
    let head = text!(language, "alert-backup-text", count = *failures, place = place.as_str());
    (subject, format!("{head}\n\n    {problem}\n\n{newest}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_of_backups_is_read_again() {
        let time = Timestamp::from_ms(7);
        let failing = BackupStanding {
            place: "s3://b/a c".to_owned(),
            newest: Some(time),
            failures: 4,
            failed: Some(time),
            problem: "no".to_owned(),
            is_told: true,
        };
        for standing in [failing, BackupStanding { place: "/srv".to_owned(), ..BackupStanding::default() }] {
            assert_eq!(BackupStanding::parse(&standing.render()), Some(standing));
        }
        assert_eq!(BackupStanding::parse("/srv\n"), None);
    }

    #[test]
    fn the_next_backup_is_due_after_its_time_sooner_after_a_failure_and_now_if_the_clock_was_set_back() {
        let (now, hour) = (Timestamp::from_ms(100 * 3_600_000), Duration::from_hours(1));
        let standing = BackupStanding::default();
        assert_eq!(standing.next(hour, now), now);
        let made = BackupStanding { newest: Some(now), ..standing.clone() };
        assert_eq!(made.next(hour, now), now + hour);
        let failed = BackupStanding { failed: Some(now), ..made.clone() };
        assert_eq!(failed.next(hour, now), now + RETRY_AFTER);
        assert_eq!(failed.next(Duration::from_secs(5), now), now + Duration::from_secs(5));
        let later = BackupStanding { newest: Some(now + 9 * hour), ..standing };
        assert_eq!(later.next(hour, now), now);
    }
}
