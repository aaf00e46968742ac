//! The certificates that the server orders itself (ACME): what is kept of each name, when its turn is, and what it waits
//! for.
//!
//! All of it stands in the data file, so that a restart neither orders anew what is there nor forgets that an authority
//! refused. `acme` speaks to the authority.

use std::collections::BTreeSet;
use std::fmt;
use std::fmt::Write as _;
use std::time::Duration;

use crate::clock::Timestamp;
use crate::config::Config;
use crate::store::{Read, StoreError, WriteTx};

/// Names for which certificates are ordered.
pub const NAMES_MAX: usize = 500;
/// Why a name waits while its order is under way.
pub const UNDER_WAY: &str = "the order is under way";
/// The name in the data file of the list of names.
const META_NAMES: &str = "acme.names";
/// What the names of rows begin with that hold what is kept of one name.
const META_NAME: &str = "acme.name ";
/// The name in the data file of the account at the authority.
const META_ACCOUNT: &str = "acme.account";
/// Most characters that are kept of a reason.
const REASON_CHARS_MAX: usize = 500;
/// Longest wait after a refusal.
const WAIT_MAX: Duration = Duration::from_hours(24);

/// The wait after this many refusals in a row: 1, 5, 10, 20, 40 min and so on up to a day. Let's Encrypt takes five
/// failures of a name an hour.
#[must_use]
pub fn wait_after(refusals: u32) -> Duration {
    match refusals {
        0 | 1 => Duration::from_mins(1),
        2 => Duration::from_mins(5),
        more => {
            let doubled = 10_u64.saturating_mul(1 << (more - 3).min(16));
            Duration::from_mins(doubled).min(WAIT_MAX)
        }
    }
}

/// A certificate that was issued, with its key.
#[derive(Clone, PartialEq, Eq)]
pub struct Issued {
    /// The chain, PEM.
    pub chain: String,
    /// The private key, PEM.
    pub key: String,
    /// Its first second.
    pub from: Timestamp,
    /// Its last second.
    pub until: Timestamp,
}

impl fmt::Debug for Issued {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The key is never logged.
        write!(out, "Issued({} to {})", self.from, self.until)
    }
}

impl Issued {
    /// When it is renewed: at two thirds of its life.
    #[must_use]
    pub fn renew_at(&self) -> Timestamp {
        self.from + self.until.since(self.from) / 3 * 2
    }

    /// The latest moment at which it is renewed, whatever the authority says: when an eighth of its life is left.
    #[must_use]
    pub fn renew_by(&self) -> Timestamp {
        self.from + self.until.since(self.from) / 8 * 7
    }
}

/// Why there is no certificate, or no new one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Attempts in a row that failed.
    pub attempts: u32,
    /// When the last one was made.
    pub at: Timestamp,
    /// When the next one is made.
    pub next: Timestamp,
    /// The authority's words, or what went wrong before it was asked.
    pub reason: String,
}

/// What is kept of one name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kept {
    /// The newest certificate.
    pub issued: Option<Issued>,
    /// The last attempt, if it failed or has not ended.
    pub refusal: Option<Refusal>,
}

impl Kept {
    /// Whether an order may be placed. After a clock was set back, a refusal of the future holds nothing off.
    #[must_use]
    pub fn may_order(&self, now: Timestamp) -> bool {
        self.refusal.as_ref().is_none_or(|last| now < last.at || last.next <= now)
    }

    /// The same with one more attempt, which is noted before it is made: a server that is killed in the middle of each
    /// does not ask the authority more often than one whose orders are refused.
    #[must_use]
    pub fn attempted(&self, reason: &str, now: Timestamp) -> Kept {
        let attempts = self.refusal.as_ref().map_or(0, |last| last.attempts).saturating_add(1);
        self.refused(attempts, reason, now)
    }

    /// The same after this many attempts that failed.
    #[must_use]
    pub fn refused(&self, attempts: u32, reason: &str, now: Timestamp) -> Kept {
        self.waiting(attempts, reason, (now, now + wait_after(attempts)))
    }

    /// The same while the authority takes no orders at all, for a reason that is not the name's: its attempts do not
    /// count, so that its turn comes soon after.
    #[must_use]
    pub fn put_off(&self, reason: &str, now: Timestamp, wait: Duration) -> Kept {
        let attempts = self.refusal.as_ref().map_or(0, |last| last.attempts);
        self.waiting(attempts, reason, (now, now + wait))
    }

    fn waiting(&self, attempts: u32, reason: &str, (at, next): (Timestamp, Timestamp)) -> Kept {
        let one_line = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        let reason = one_line.chars().take(REASON_CHARS_MAX).collect();
        Kept { issued: self.issued.clone(), refusal: Some(Refusal { attempts, at, next, reason }) }
    }

    /// The row: lines of facts, then the PEM texts.
    fn render(&self) -> String {
        let Kept { issued, refusal } = self;
        let mut text = String::new();
        if let Some(Refusal { attempts, at, next, reason }) = refusal {
            let _ = writeln!(text, "refused {attempts} {} {} {reason}", at.ms(), next.ms());
        }
        if let Some(Issued { chain, key, from, until }) = issued {
            let _ = writeln!(text, "issued {} {}\n{}\n{}", from.ms(), until.ms(), key.trim(), chain.trim());
        }
        text
    }

    /// Reads a row; what cannot be read is ordered anew.
    fn parse(text: &str) -> Kept {
        let mut kept = Kept::default();
        let mut rest = text;
        while let Some((line, after)) = rest.split_once('\n') {
            rest = after;
            let mut words = line.splitn(5, ' ');
            let kind = words.next();
            let mut number = || words.next()?.parse::<i64>().ok();
            if kind == Some("refused") {
                let (attempts, at, next) = (number(), number(), number());
                let reason = words.next().unwrap_or_default().to_owned();
                if let (Some(attempts), Some(at), Some(next)) = (attempts, at, next) {
                    kept.refusal = Some(Refusal {
                        attempts: u32::try_from(attempts).unwrap_or(u32::MAX),
                        at: Timestamp::from_ms(at),
                        next: Timestamp::from_ms(next),
                        reason,
                    });
                }
            } else if kind == Some("issued") {
                let (from, until) = (number(), number());
                let end = "-----END PRIVATE KEY-----\n";
                let split = rest.find(end).map(|at| rest.split_at(at + end.len()));
                if let (Some(from), Some(until), Some((key, chain))) = (from, until, split) {
                    kept.issued = Some(Issued {
                        chain: chain.to_owned(),
                        key: key.to_owned(),
                        from: Timestamp::from_ms(from),
                        until: Timestamp::from_ms(until),
                    });
                }
                break;
            }
        }
        kept
    }
}

/// What is kept of a name.
pub fn find(tx: &impl Read, name: &str) -> Result<Kept, StoreError> {
    let row = tx.meta(&format!("{META_NAME}{name}"))?;
    Ok(row.map(|row| Kept::parse(&String::from_utf8_lossy(&row))).unwrap_or_default())
}

/// Keeps this of a name.
pub fn keep(tx: &mut WriteTx<'_>, name: &str, kept: &Kept) -> Result<(), StoreError> {
    tx.set_meta(&format!("{META_NAME}{name}"), Some(kept.render().as_bytes()))
}

/// The names of which something is kept, and whether a certificate for each is wanted.
pub fn names(tx: &impl Read) -> Result<Vec<(String, bool)>, StoreError> {
    let text = tx.meta(META_NAMES)?.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let line = |line: &str| line.split_once(' ').map(|(kind, name)| (name.to_owned(), kind == "wanted"));
    Ok(text.lines().filter_map(line).collect())
}

/// Whether [`want`] has something to change: other names are wanted, or one is over of which a certificate was kept.
pub fn is_stale(tx: &impl Read, wanted: &BTreeSet<String>, now: Timestamp) -> Result<bool, StoreError> {
    let noted = names(tx)?;
    if noted.iter().filter(|(_, is_wanted)| *is_wanted).map(|(name, _)| name).ne(wanted.iter()) {
        return Ok(true);
    }
    for (name, _) in noted.iter().filter(|(_, is_wanted)| !is_wanted) {
        if !is_good(tx, name, now)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a certificate that is kept of a name still holds.
fn is_good(tx: &impl Read, name: &str, now: Timestamp) -> Result<bool, StoreError> {
    Ok(find(tx, name)?.issued.is_some_and(|issued| now <= issued.until))
}

/// Notes for which names certificates are wanted. What is kept of others goes once their certificate is over: a web
/// domain whose address is wrong for a day needs no new one.
pub fn want(tx: &mut WriteTx<'_>, wanted: &BTreeSet<String>, now: Timestamp) -> Result<(), StoreError> {
    let mut lines: Vec<String> = wanted.iter().map(|name| format!("wanted {name}\n")).collect();
    for (name, _) in names(tx)?.into_iter().filter(|(name, _)| !wanted.contains(name)) {
        if is_good(tx, &name, now)? {
            lines.push(format!("kept {name}\n"));
        } else {
            tx.set_meta(&format!("{META_NAME}{name}"), None)?;
        }
    }
    tx.set_meta(META_NAMES, Some(lines.concat().as_bytes()))
}

/// The account at an authority, as text; `None` if there is none yet at this directory for these contacts.
pub fn account(tx: &impl Read, directory: &str, contacts: &[String]) -> Result<Option<String>, StoreError> {
    let row = tx.meta(META_ACCOUNT)?.and_then(|row| String::from_utf8(row).ok());
    let head = account_head(directory, contacts);
    Ok(row.and_then(|row| row.strip_prefix(&head).map(str::to_owned)))
}

/// Keeps the account at an authority.
pub fn keep_account(
    tx: &mut WriteTx<'_>,
    directory: &str,
    contacts: &[String],
    account: &str,
) -> Result<(), StoreError> {
    tx.set_meta(META_ACCOUNT, Some((account_head(directory, contacts) + account).as_bytes()))
}

fn account_head(directory: &str, contacts: &[String]) -> String {
    format!("{directory}\n{}\n", contacts.join(","))
}

/// How things stand with the certificate of one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameStanding {
    /// The name.
    pub name: String,
    /// The last second of the certificate that is held, if there is one.
    pub until: Option<Timestamp>,
    /// When that is renewed.
    pub renew_at: Option<Timestamp>,
    /// Why there is no certificate, or no new one, and when the next attempt is made.
    pub refused: Option<Refusal>,
}

/// How things stand with the certificate of each name that the server wants one for; nothing without `--acme`.
pub fn standing(tx: &impl Read, config: &Config) -> Result<Vec<NameStanding>, StoreError> {
    if config.tls.acme.is_none() {
        return Ok(Vec::new());
    }
    let wanted = names(tx)?.into_iter().filter(|(_, is_wanted)| *is_wanted);
    let standing = wanted.map(|(name, _)| {
        let Kept { issued, refusal: refused } = find(tx, &name)?;
        let (until, renew_at) =
            (issued.as_ref().map(|held| held.until), issued.as_ref().map(Issued::renew_at));
        Ok(NameStanding { name, until, renew_at, refused })
    });
    standing.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse_rfc3339(text).unwrap()
    }

    fn issued() -> Issued {
        Issued {
            chain: "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n".to_owned(),
            key: "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n".to_owned(),
            from: at("2026-01-01T00:00:00Z"),
            until: at("2026-04-01T00:00:00Z"),
        }
    }

    #[test]
    fn what_is_kept_of_a_name_is_read_back() {
        let now = at("2026-03-02T00:00:00Z");
        let kept = Kept { issued: Some(issued()), refusal: None };
        let refused = kept.attempted("it says:\n no", now);
        assert_eq!(refused.refusal.as_ref().unwrap().reason, "it says: no");
        let no_reason = Kept::default().attempted("", now);
        for kept in [Kept::default(), kept, refused, no_reason] {
            assert_eq!(Kept::parse(&kept.render()), kept);
        }
        assert_eq!(Kept::parse("issued x y\nrefused\n???"), Kept::default());
    }

    #[test]
    fn a_certificate_is_renewed_at_two_thirds_of_its_life() {
        assert_eq!(issued().renew_at(), at("2026-03-02T00:00:00Z"));
    }

    #[test]
    fn a_refused_name_waits_longer_each_time_and_a_day_at_most() {
        let mut now = at("2026-03-02T00:00:00Z");
        let mut kept = Kept::default();
        for minutes in [1, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440] {
            kept = kept.attempted("no", now);
            let next = now + Duration::from_mins(minutes);
            assert!(!kept.may_order(next.before(Duration::from_secs(1))), "{minutes}");
            assert!(kept.may_order(next), "{minutes}");
            now = next;
        }
        assert!(kept.may_order(at("2026-03-01T00:00:00Z")), "the clock was set back");
        let off = Kept::default().attempted("no", now).put_off(
            "the authority is away",
            now,
            Duration::from_hours(1),
        );
        assert!(!off.may_order(now) && off.may_order(now + Duration::from_hours(1)));
        assert_eq!(off.refusal.unwrap().attempts, 1, "the name has no part in it");
    }
}
