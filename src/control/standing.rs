//! Says how things stand with what a server does by itself: its backups, and its certificates.
//!
//! `status` names the faults, `doctor` shows the notes too.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::config::backup::BackupConfig;
use crate::ops::domains::certificates::{self, NameStanding};
use crate::ops::server::backups::{self, BackupStanding};
use crate::service::Core;
use crate::store::{Read, StoreError};

/// How late a backup may be beside the time between two: a large one takes long.
const LATE_MAX: Duration = Duration::from_mins(30);
/// Attempts in a row to renew a certificate that may fail before it is a fault.
const RENEWALS_FAILED_MAX: u32 = 2;
const MINUTE_S: u64 = 60;
const HOUR_S: u64 = 60 * MINUTE_S;
const DAY_S: u64 = 24 * HOUR_S;

/// The result for one subject.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The fault, and how to mend it.
    pub faults: Vec<String>,
    /// The finding if nothing is wrong.
    pub note: String,
}

impl Finding {
    fn note(note: impl Into<String>) -> Finding {
        Finding { faults: Vec::new(), note: note.into() }
    }

    fn fault(fault: String) -> Finding {
        Finding { faults: vec![fault], note: String::new() }
    }
}

/// How things stand with what the server does by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingReply {
    /// The backups that it makes.
    pub backup: Finding,
    /// The certificates that it orders.
    pub acme: Finding,
    /// When the newest backup was made (RFC 3339), if it makes any.
    pub newest_backup: Option<String>,
}

impl StandingReply {
    /// Reads how things stand.
    ///
    /// # Errors
    /// If the data file cannot be read.
    pub fn read(tx: &impl Read, core: &Core) -> Result<StandingReply, StoreError> {
        let (config, now) = (&core.config, core.now());
        let (backup, newest) = match &config.backup {
            None => (Finding::note("the server makes none itself: --backup-to names a place for them"), None),
            Some(settings) => {
                let standing = backups::of_place(tx, &settings.place.to_string())?;
                (backup(settings, &standing, now), standing.newest)
            }
        };
        let acme = match &config.tls.acme {
            None => Finding::note("the server orders no certificates (--acme)"),
            Some(_) => acme(&certificates::standing(tx, config)?, now),
        };
        Ok(StandingReply { backup, acme, newest_backup: newest.map(Timestamp::rfc3339) })
    }
}

fn backup(config: &BackupConfig, standing: &BackupStanding, now: Timestamp) -> Finding {
    let BackupStanding { place, newest, failures, problem, .. } = standing;
    let age = newest.map(|newest| now.since(newest));
    let newest = match age {
        Some(age) => format!("the newest backup in {place} is {} old", in_words(age)),
        None => format!("there is no backup in {place} yet"),
    };
    match (failures, age) {
        (0, Some(age)) if config.every * 2 + LATE_MAX < age => Finding::fault(format!(
            "{newest}, and one is made every {}: look at the server's log, and whether it runs",
            in_words(config.every)
        )),
        (0, _) => Finding::note(newest),
        (1, _) => Finding::fault(format!("{newest}, and the last try failed: {problem}")),
        (_, _) => Finding::fault(format!("{newest}, and the last {failures} tries failed: {problem}")),
    }
}

fn acme(names: &[NameStanding], now: Timestamp) -> Finding {
    let mut faults = Vec::new();
    let mut notes = Vec::new();
    for NameStanding { name, until, refused, .. } in names {
        let until = until.filter(|until| now <= *until);
        let waits = refused.as_ref().map(|refusal| {
            if refusal.reason == certificates::UNDER_WAY {
                return refusal.reason.clone();
            }
            format!("{}; the next attempt is made at {}", refusal.reason, refusal.next)
        });
        let attempts = refused.as_ref().map_or(0, |refusal| refusal.attempts);
        match (until, waits) {
            (Some(until), None) => notes.push(format!("{name} has one until {until}")),
            (Some(until), Some(waits)) => {
                let told = format!("{name} has a certificate until {until} and no newer one: {waits}");
                let kind = if RENEWALS_FAILED_MAX < attempts { &mut faults } else { &mut notes };
                kind.push(told);
            }
            (None, Some(waits)) if 1 < attempts || waits != certificates::UNDER_WAY => {
                faults.push(format!(
                    "there is no certificate for {name}: {waits}. The authority must reach this server by that name at \
                     port 80 or 443"
                ));
            }
            (None, waits) => {
                let waits = waits.unwrap_or_else(|| "its turn comes".to_owned());
                notes.push(format!("{name} has none yet: {waits}"));
            }
        }
    }
    let note = if names.is_empty() { "no name needs a certificate".to_owned() } else { notes.join("; ") };
    Finding { faults, note }
}

/// A duration in the largest unit of which there are at least two.
fn in_words(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let units = [(DAY_S, "days"), (HOUR_S, "hours"), (MINUTE_S, "minutes")];
    match units.iter().find(|(unit, _)| 2 * unit <= seconds) {
        Some((unit, word)) => format!("{} {word}", seconds / unit),
        None => format!("{seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::backup::{BackupPlace, Keep};
    use crate::ops::domains::certificates::Refusal;

    const HOUR: Duration = Duration::from_hours(1);

    fn now() -> Timestamp {
        Timestamp::parse_rfc3339("2026-11-24T12:00:00Z").unwrap()
    }

    #[test]
    fn late_and_failing_backups_are_faults() {
        let place = BackupPlace::Local("/srv/b/".to_owned());
        let config = BackupConfig { place, every: HOUR, keep: Keep::default(), key_file: None };
        let check = |age: Option<Duration>, failures, expected: Result<&str, &str>| {
            let newest = age.map(|age| now().before(age));
            let standing = BackupStanding {
                place: "/srv/b/".to_owned(),
                newest,
                failures,
                problem: "no room".to_owned(),
                ..BackupStanding::default()
            };
            let found = backup(&config, &standing, now());
            let found = found.faults.first().map_or(Ok(found.note.as_str()), |fault| Err(fault.as_str()));
            assert_eq!(found, expected);
        };
        check(None, 0, Ok("there is no backup in /srv/b/ yet"));
        check(Some(HOUR), 0, Ok("the newest backup in /srv/b/ is 60 minutes old"));
        check(Some(HOUR * 2 + LATE_MAX), 0, Ok("the newest backup in /srv/b/ is 2 hours old"));
        let late = "the newest backup in /srv/b/ is 3 hours old, and one is made every 60 minutes: look at the server's log, \
                    and whether it runs";
        check(Some(HOUR * 3), 0, Err(late));
        check(None, 1, Err("there is no backup in /srv/b/ yet, and the last try failed: no room"));
        let failing = "the newest backup in /srv/b/ is 90 s old, and the last 3 tries failed: no room";
        check(Some(Duration::from_secs(90)), 3, Err(failing));
    }

    #[test]
    fn names_without_a_certificate_say_what_they_wait_for() {
        let check = |until: Option<Timestamp>, refused: Option<(u32, &str)>, expected: Result<&str, &str>| {
            let refused = refused.map(|(attempts, reason)| Refusal {
                attempts,
                at: now(),
                next: now() + HOUR,
                reason: reason.to_owned(),
            });
            let name = NameStanding { name: "a.example.org".to_owned(), until, renew_at: None, refused };
            let found = acme(&[name], now());
            let found = found.faults.first().map_or(Ok(found.note.as_str()), |fault| Err(fault.as_str()));
            match (found, expected) {
                (Ok(found), Ok(words)) | (Err(found), Err(words)) => {
                    assert!(found.contains(words), "{words} in {found}");
                }
                (found, expected) => panic!("{found:?} for {expected:?}"),
            }
        };
        let (good, over) = (Some(now() + HOUR), Some(now().before(HOUR)));
        check(good, None, Ok("a.example.org has one until 2026-11-24T13:00:00Z"));
        check(None, None, Ok("a.example.org has none yet: its turn comes"));
        check(None, Some((1, certificates::UNDER_WAY)), Ok("none yet: the order is under way"));
        check(None, Some((2, certificates::UNDER_WAY)), Err("no certificate for a.example.org: the order"));
        check(over, Some((1, "refused")), Err("refused; the next attempt is made at 2026-11-24T13:00:00Z"));
        check(good, Some((2, "refused")), Ok("no newer one: refused; the next"));
        check(good, Some((3, "refused")), Err("no newer one: refused; the next"));
        assert_eq!(acme(&[], now()), Finding::note("no name needs a certificate"));
    }
}
