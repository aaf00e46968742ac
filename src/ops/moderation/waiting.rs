//! Messages and requests that wait for one caller: how many there are, for the menu of the pages, and those of one
//! sender.

use crate::model::pending::PendingKind;
use crate::model::{Held, HeldState, Permission};
use crate::ops::{Caller, OpError, records};
use crate::schema::{
    HELD_COUNT, HELD_WAITING_BY_SENDER, HELD_WAITING_COUNT, PENDING_WAITING_COUNT, held_senders, held_state,
    pending_waiting,
};
use crate::store::{Key, Read, StoreError};

/// Waiting messages of one sender that are looked at.
const OF_SENDER_MAX: usize = 500;

/// The number of messages and requests that wait for a decision of the caller. Only counts are read, however many wait.
///
/// # Errors
/// `Forbidden` if the caller decides about nothing.
pub fn count(tx: &impl Read, caller: &Caller) -> Result<u64, OpError> {
    caller.require(Permission::ApproveMessages)?;
    let mut count = of_people(tx, caller)?;
    if caller.holds(Permission::AccountAdmin) {
        count += requests(tx, caller, PendingKind::List)?;
    }
    Ok(count)
}

/// The held messages, and the requests of people.
fn of_people(tx: &impl Read, caller: &Caller) -> Result<u64, StoreError> {
    let of_account = Key::new().u64(caller.account.0);
    let held = match caller.limits.lists() {
        None => tx.count(&HELD_COUNT, &of_account.u64(held_state(HeldState::Held)))?,
        Some(lists) => {
            let mut held = 0;
            for list in lists {
                held += tx.count(&HELD_WAITING_COUNT, &of_account.clone().u64(list.0))?;
            }
            held
        }
    };
    Ok(held + requests(tx, caller, PendingKind::Subscription)?)
}

/// The requests of one kind in the lists that the caller sees.
fn requests(tx: &impl Read, caller: &Caller, kind: PendingKind) -> Result<u64, StoreError> {
    let of_kind = pending_waiting(caller.account, kind);
    let Some(lists) = caller.limits.lists() else { return tx.count(&PENDING_WAITING_COUNT, &of_kind) };
    let mut count = 0;
    for list in lists {
        count += tx.count(&PENDING_WAITING_COUNT, &of_kind.clone().u64(list.0))?;
    }
    Ok(count)
}

/// The messages of one sender that wait for a decision of the caller, the oldest first.
///
/// # Errors
/// `Forbidden` if the caller does not decide about messages.
pub fn of_sender(tx: &impl Read, caller: &Caller, sender: &str) -> Result<Vec<Held>, OpError> {
    caller.require(Permission::ApproveMessages)?;
    let mut ids = Vec::new();
    for key in held_senders(caller.account, sender) {
        ids.extend(tx.ids(&HELD_WAITING_BY_SENDER, &key.into(), OF_SENDER_MAX)?);
    }
    ids.sort_unstable();
    let mut waiting: Vec<Held> = records(tx, &ids)?;
    waiting.retain(|held| caller.limits.sees_list(held.list));
    Ok(waiting)
}
