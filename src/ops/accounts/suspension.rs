//! Accounts that are suspended by an administrator of the server: they take no mail, and their pages and keys do not open.
//!
//! An account that is deleted on the server's pages is suspended, and deleted after 30 days; until then it is restored
//! with everything in it. Copies that are in the queue already are delivered.

use crate::clock::Timestamp;
use crate::model::{Account, AccountId, AuditAction, Permission, Suspension};
use crate::ops::accounts::account_deletion;
use crate::ops::accounts::manage::require_global;
use crate::ops::audit::{self, Note};
use crate::ops::overdue::overdue_rows;
use crate::ops::{Caller, OpError, Wrong};
use crate::schema::SUSPENSION_BY_DUE;
use crate::store::{Read, StoreError, WriteTx};

/// The suspension of an account; `None` if it works.
///
/// # Errors
/// If the store fails.
pub fn of(tx: &impl Read, account: AccountId) -> Result<Option<Suspension>, StoreError> {
    tx.get(account.0)
}

/// An order about an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// It takes no mail and opens no page until it is resumed.
    Suspend,
    /// It works again.
    Resume,
    /// It is suspended, and deleted after 30 days.
    Delete,
    /// It is not deleted, and works again.
    Restore,
}

/// Carries an order out.
///
/// # Errors
/// `NotGlobal` or `Forbidden` for whoever does not administer the server; `NotFound` if there is no such account;
/// `Conflict` if it is not in the state that the order is for.
pub fn order(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    account: AccountId,
    order: Order,
    now: Timestamp,
) -> Result<(), OpError> {
    require_global(caller)?;
    caller.require(Permission::AccountAdmin)?;
    let record = tx.get::<Account>(account.0)?.ok_or(OpError::NotFound { what: "account" })?;
    let present = of(tx, account)?;
    let is_deleted = present.as_ref().is_some_and(|present| present.deleted.is_some());
    let since = present.as_ref().map_or(now, |present| present.since);
    let conflict = |problem: Wrong| OpError::conflict("action", problem);
    let action = match order {
        Order::Suspend if present.is_some() => return Err(conflict(Wrong::SuspendedAlready)),
        Order::Suspend => {
            tx.put(&Suspension { account, since, deleted: None })?;
            AuditAction::AccountSuspended
        }
        Order::Delete if is_deleted => return Err(conflict(Wrong::DeletedAlready)),
        Order::Delete => {
            tx.put(&Suspension { account, since, deleted: Some(now) })?;
            AuditAction::AccountDeleted
        }
        Order::Resume if present.is_none() || is_deleted => {
            return Err(conflict(Wrong::NotSuspended));
        }
        Order::Restore if !is_deleted => return Err(conflict(Wrong::NotDeleted)),
        Order::Resume | Order::Restore => {
            tx.delete::<Suspension>(account.0)?;
            AuditAction::AccountRestored
        }
    };
    let noted = Note::new(action, account.0).named(&record.name);
    audit::note(tx, &caller.at(AccountId::SERVER), noted, now)?;
    Ok(())
}

/// Deletes accounts whose time to be restored is over, at most `limit`; their records go in steps.
///
/// # Errors
/// If the store fails.
pub fn delete_due(tx: &mut WriteTx<'_>, now: Timestamp, limit: usize) -> Result<(), StoreError> {
    for id in overdue_rows(tx, &SUSPENSION_BY_DUE, now, limit)? {
        tracing::info!(account.id = id, "The account {id} is deleted, since nobody restored it");
        account_deletion::begin(tx, AccountId(id), now)?;
    }
    Ok(())
}
