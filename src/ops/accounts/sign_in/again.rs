//! Proves again that the person in front of a session is still the administrator who signed in. Errors count as those
//! of signing in, for the address and for the client; but the session has a count of its own, so that no stranger's lock
//! holds its person off.

use crate::clock::Timestamp;
use crate::model::{AccountId, Admin, AdminId, EmailAddress, SessionId};
use crate::ops::OpContext;
use crate::ops::domains::sites::Site;
use crate::store::{Read, StoreError, WriteTx};

use super::lockout::{self, Counted};
use super::{client_waits_until, fail, proven_again};

/// A question whose answer is to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    account: AccountId,
    admin: AdminId,
    address: EmailAddress,
    session: SessionId,
    is_locked: bool,
    /// The hash to compare the password with.
    pub hash: Option<String>,
}

/// Begins to ask the administrator of a session; an error says when a client that was wrong too often may go on.
///
/// # Errors
/// If the store fails, or the administrator is a program.
pub fn ask(
    tx: &impl Read,
    site: &Site,
    (admin, session): (&Admin, SessionId),
    now: Timestamp,
) -> Result<Result<Asked, Timestamp>, StoreError> {
    if let Some(until) = client_waits_until(tx, site, now)? {
        return Ok(Err(until));
    }
    let address = admin.username.clone();
    let address = address.ok_or_else(|| StoreError::corrupt("admin", "a program is signed in"))?;
    let account = admin.account_or_server();
    let is_locked = lockout::is_locked(tx, account, &address, Counted::Session(session), now)?;
    let hash = admin.password_hash.clone();
    Ok(Ok(Asked { account, admin: admin.id, address, session, is_locked, hash }))
}

/// Settles a question: notes the proof in the session, or counts the error. Returns whether it was proven.
///
/// # Errors
/// If the store fails.
pub fn settle(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    asked: &Asked,
    is_right: bool,
) -> Result<bool, StoreError> {
    let Asked { account, admin, address, session, is_locked, hash: _ } = asked;
    let who = Counted::Session(*session);
    if !is_right || *is_locked {
        fail(tx, by, address, &[(*account, Some(*admin), who)])?;
        return Ok(false);
    }
    lockout::passed(tx, *account, address, who, by.now)?;
    proven_again(tx, by, *session)?;
    Ok(true)
}
