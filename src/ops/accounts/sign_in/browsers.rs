//! Browsers in which an administrator signed in before. Each keeps a signed cookie for a year, which names the
//! administrator and a number of the browser, and proves nothing else: errors in such a browser have a count of their
//! own ([`lockout`](super::lockout)), which the errors of strangers do not touch.
//!
//! Nothing is stored. A cookie ends with the administrator's address, and not with a session or the password.

use std::time::Duration;

use crate::clock::Timestamp;
use crate::model::{Admin, EmailAddress};
use crate::secret::{Purpose, Secrets, Signer, sha256};

/// How long a browser is known after the last sign-in.
pub const KNOWN_FOR: Duration = Duration::from_hours(365 * 24);
/// Bits of a browser's number, and of the fingerprint of the address; those above hold the expiry.
const PART_BITS: u32 = 24;
const PART: u64 = (1 << PART_BITS) - 1;
/// Seconds of a day, to which an expiry is exact.
const DAY_SECS: i64 = 24 * 60 * 60;

/// A new number for a browser.
#[must_use]
pub fn new_number(secrets: &Secrets) -> u64 {
    let mut bytes = [0; 8];
    secrets.fill(&mut bytes);
    u64::from_be_bytes(bytes) & PART
}

/// The value of the cookie by which a browser is known as one of an administrator's.
#[must_use]
pub fn token(signer: &Signer, admin: &Admin, number: u64, now: Timestamp) -> String {
    let end = (days(now + KNOWN_FOR) << PART_BITS | number & PART) << PART_BITS | fingerprint(admin);
    signer.token(Purpose::KnownBrowser, [admin.id.0, end])
}

/// The number of the browser that keeps these cookies, if it is one of the administrator's.
#[must_use]
pub fn number_of(signer: &Signer, tokens: &[String], admin: &Admin, now: Timestamp) -> Option<u64> {
    tokens.iter().find_map(|token| {
        let [id, sealed] = signer.open(Purpose::KnownBrowser, token)?;
        let is_its = id == admin.id.0 && sealed & PART == fingerprint(admin);
        let is_recent = days(now) < sealed >> (2 * PART_BITS);
        (is_its && is_recent).then_some(sealed >> PART_BITS & PART)
    })
}

/// Days since 1970: 16 bits of them are enough until 2149.
fn days(time: Timestamp) -> u64 {
    u64::try_from(time.secs() / DAY_SECS).unwrap_or(0) & (u64::MAX >> (2 * PART_BITS))
}

fn fingerprint(admin: &Admin) -> u64 {
    let address = admin.username.as_ref().map(EmailAddress::folded).unwrap_or_default();
    let hash = sha256(address.as_bytes());
    hash[..8].iter().fold(0, |number, byte| number << u8::BITS | u64::from(*byte)) & PART
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::AdminId;
    use crate::secret::LinkSecrets;

    #[test]
    fn a_browser_is_known_for_a_year_as_one_of_its_administrator_at_that_address() {
        let signer = Signer::new(LinkSecrets::new([7; 32]));
        let now = Timestamp::from_ms(1_800_000_000_000);
        let admin = |id: u64, address: &str| Admin {
            username: Some(EmailAddress::parse(address).unwrap()),
            ..Admin::new(AdminId(id), None, 0, now)
        };
        let ada = admin(3, "Ada@x.org");
        let tokens = ["other".to_owned(), token(&signer, &ada, 77, now)];
        let found = |admin: &Admin, now| number_of(&signer, &tokens, admin, now);
        assert_eq!(found(&ada, now), Some(77));
        assert_eq!(
            found(&admin(3, "ada@X.org"), now + KNOWN_FOR.saturating_sub(Duration::from_hours(24))),
            Some(77)
        );
        assert_eq!(found(&ada, now + KNOWN_FOR), None);
        assert_eq!(found(&admin(4, "ada@x.org"), now), None);
        assert_eq!(found(&admin(3, "bob@x.org"), now), None);
        let numbers: Vec<u64> = (0..9).map(|seed| new_number(&Secrets::seeded(seed))).collect();
        assert!(numbers.iter().all(|number| *number <= PART) && numbers[0] != numbers[1], "{numbers:?}");
    }
}
