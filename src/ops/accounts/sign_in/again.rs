//! Proves again that the person in front of a session is still the administrator who signed in. Errors count as those
//! of signing in, for the address and for the client.

use crate::clock::Timestamp;
use crate::model::{AccountId, Admin, AdminId, EmailAddress, SessionId};
use crate::ops::OpContext;
use crate::ops::domains::sites::Site;
use crate::store::{Read, StoreError, WriteTx};

use super::{client_waits_until, fail, lockout, proven_again};

/// A question whose answer is to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    account: AccountId,
    admin: AdminId,
    address: EmailAddress,
    is_locked: bool,
    /// The hash to compare the password with.
    pub hash: Option<String>,
}

/// Begins to ask an administrator; an error says when a client that was wrong too often may go on.
///
/// # Errors
/// If the store fails, or the administrator is a program.
pub fn ask(
    tx: &impl Read,
    site: &Site,
    admin: &Admin,
    now: Timestamp,
) -> Result<Result<Asked, Timestamp>, StoreError> {
    if let Some(until) = client_waits_until(tx, site, now)? {
        return Ok(Err(until));
    }
    let address = admin.username.clone();
    let address = address.ok_or_else(|| StoreError::corrupt("admin", "a program is signed in"))?;
    let account = admin.account_or_server();
    let is_locked = lockout::is_locked(tx, account, &address, now)?;
    Ok(Ok(Asked { account, admin: admin.id, address, is_locked, hash: admin.password_hash.clone() }))
}

/// Settles a question: notes the proof in the session, or counts the error. Returns whether it was proven.
///
/// # Errors
/// If the store fails.
pub fn settle(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    asked: &Asked,
    session: SessionId,
    is_right: bool,
) -> Result<bool, StoreError> {
    if !is_right || asked.is_locked {
        fail(tx, by, &asked.address, &[(asked.account, Some(asked.admin))])?;
        return Ok(false);
    }
    lockout::clear(tx, asked.account, &asked.address)?;
    proven_again(tx, by, session)?;
    Ok(true)
}
