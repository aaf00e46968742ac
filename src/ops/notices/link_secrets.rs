//! Rotates the secret that signs links and envelope senders, and ends old ones.

use std::time::Duration;

use crate::clock::Timestamp;
use crate::ops::{OpError, Wrong};
use crate::schema::{META_OLD_SECRETS, META_SECRET};
use crate::secret::{LINK_SECRET_BYTES, LinkSecrets, OLD_SECRETS_MAX, Signer};
use crate::store::{Read, StoreError, WriteTx};

/// How long links signed with an old secret work: longer than the queue's retries and the reports that follow.
pub const OLD_LINKS_WORK_FOR: Duration = Duration::from_hours(30 * 24);

/// The result of a rotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rotated {
    /// All secrets, for [`Signer::install`] once they are durable.
    pub secrets: LinkSecrets,
    /// The time until which links signed before the rotation work.
    pub old_until: Timestamp,
}

/// Adds a new secret, which signs all links from now on. The one before is accepted for [`OLD_LINKS_WORK_FOR`].
pub fn rotate(
    tx: &mut WriteTx<'_>,
    new: [u8; LINK_SECRET_BYTES],
    now: Timestamp,
) -> Result<Rotated, OpError> {
    let old_until = now + OLD_LINKS_WORK_FOR;
    let rotated = read(tx)?.without_ended(now.ms()).rotated(new, old_until.ms());
    let too_often = || OpError::conflict("links", Wrong::SecretRotated { max: OLD_SECRETS_MAX });
    let secrets = rotated.ok_or_else(too_often)?;
    write(tx, &secrets)?;
    Ok(Rotated { secrets, old_until })
}

/// Whether an old secret has expired.
pub(in crate::ops) fn is_any_ended(tx: &impl Read, now: Timestamp) -> Result<bool, StoreError> {
    let secrets = read(tx)?;
    Ok(secrets.without_ended(now.ms()) != secrets)
}

/// Deletes old secrets that have expired.
pub(in crate::ops) fn forget_ended(
    tx: &mut WriteTx<'_>,
    signer: &Signer,
    now: Timestamp,
) -> Result<(), StoreError> {
    write(tx, &read(tx)?.without_ended(now.ms()))?;
    // If the job fails, it is repeated; nobody needs an expired secret meanwhile.
    signer.forget_ended(now.ms());
    Ok(())
}

/// The secrets of this server, as they go along with an account that moves.
pub(in crate::ops) fn stored(tx: &impl Read) -> Result<(Vec<u8>, Vec<u8>), StoreError> {
    let secrets = read(tx)?;
    Ok((secrets.current_bytes().to_vec(), secrets.old_bytes()))
}

/// Accepts links that another server signed, from which an account moved here. `None` if the secrets are none, or too
/// many.
pub(in crate::ops) fn accept(
    tx: &mut WriteTx<'_>,
    current: &[u8],
    old: &[u8],
    now: Timestamp,
) -> Result<Option<LinkSecrets>, StoreError> {
    let theirs = LinkSecrets::from_bytes(current, old).map(|theirs| theirs.without_ended(now.ms()));
    let Some(theirs) = theirs else { return Ok(None) };
    let Some(secrets) = read(tx)?.without_ended(now.ms()).accepting(&theirs) else { return Ok(None) };
    write(tx, &secrets)?;
    Ok(Some(secrets))
}

fn read(tx: &impl Read) -> Result<LinkSecrets, StoreError> {
    let current = tx.meta(META_SECRET)?.unwrap_or_default();
    let old = tx.meta(META_OLD_SECRETS)?.unwrap_or_default();
    LinkSecrets::from_bytes(&current, &old)
        .ok_or_else(|| StoreError::corrupt("meta", "the secrets of links have a wrong length"))
}

fn write(tx: &mut WriteTx<'_>, secrets: &LinkSecrets) -> Result<(), StoreError> {
    let old = secrets.old_bytes();
    tx.set_meta(META_SECRET, Some(&secrets.current_bytes()))?;
    tx.set_meta(META_OLD_SECRETS, (!old.is_empty()).then_some(old.as_slice()))
}
