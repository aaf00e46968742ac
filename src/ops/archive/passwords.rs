//! Passwords of archives: how often a client may try one, and the pass that a browser gets for the right one.
//!
//! A pass opens one archive for a month. It is signed and stored nowhere; it names a fingerprint of the password's hash,
//! so it ends when the password is changed or taken away. Whether a password is right, `service::passwords`
//! computes, outside of every job.

use std::net::IpAddr;
use std::time::Duration;

use crate::clock::Timestamp;
use crate::model::{List, ListId};
use crate::ops::allowances::{self, ARCHIVE_PASSWORDS, Subject};
use crate::secret::{Purpose, Signer, sha256};
use crate::store::{Read, StoreError, WriteTx};

/// How long a pass opens the archive.
pub const PASS_LASTS: Duration = Duration::from_hours(30 * 24);
/// Longest password that is compared, in bytes.
pub const PASSWORD_BYTES_MAX: usize = 1024;
/// Bits of the fingerprint of a password within a number of a token; the hours of the expiry are above.
const FINGERPRINT_BITS: u32 = 40;
const HOUR_MS: u64 = 3_600_000;

/// A proof that a browser gave the right password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    /// The token that the browser sends with each request.
    pub token: String,
    /// When it ends.
    pub expiry: Timestamp,
}

/// Counts an attempt of a client at the password of an archive, before it is compared; when the next is allowed, if
/// there were too many.
pub fn count_attempt(
    tx: &mut WriteTx<'_>,
    list: ListId,
    client: IpAddr,
    now: Timestamp,
) -> Result<Result<(), Timestamp>, StoreError> {
    allowances::take(tx, ARCHIVE_PASSWORDS, &Subject::client_of_list(client, list), now)
}

/// Takes back the count of an attempt that was right.
pub fn forgive_attempt(
    tx: &mut WriteTx<'_>,
    list: ListId,
    client: IpAddr,
    now: Timestamp,
) -> Result<(), StoreError> {
    allowances::give_back(tx, ARCHIVE_PASSWORDS, &Subject::client_of_list(client, list), now)
}

/// The pass for the archive of a list, for a visitor who gave its present password; `None` if it has none.
#[must_use]
pub fn pass(signer: &Signer, list: &List, now: Timestamp) -> Option<Pass> {
    let hash = list.archive_password_hash.as_ref()?;
    let hours = (now + PASS_LASTS).key() / HOUR_MS;
    let second = (hours << FINGERPRINT_BITS) | fingerprint(hash);
    let expiry = Timestamp::from_ms(i64::try_from(hours * HOUR_MS).unwrap_or(i64::MAX));
    Some(Pass { token: signer.token(Purpose::Archive, [list.id.0, second]), expiry })
}

/// The list whose archive a pass opens; `None` if it opens none any more.
pub fn open(
    tx: &impl Read,
    signer: &Signer,
    token: &str,
    now: Timestamp,
) -> Result<Option<ListId>, StoreError> {
    let Some([list, second]) = signer.open(Purpose::Archive, token) else { return Ok(None) };
    let hours = second >> FINGERPRINT_BITS;
    if hours <= now.key() / HOUR_MS {
        return Ok(None);
    }
    let list = tx.get::<List>(list)?.filter(|list| {
        let hash = list.archive_password_hash.as_ref();
        hash.is_some_and(|hash| fingerprint(hash) == second & ((1 << FINGERPRINT_BITS) - 1))
    });
    Ok(list.map(|list| list.id))
}

/// A number that changes with the password. The hash has a salt, so the number tells nothing about the password.
fn fingerprint(hash: &str) -> u64 {
    let bytes = sha256(hash.as_bytes());
    bytes[..5].iter().fold(0, |number, byte| (number << 8) | u64::from(*byte))
}
