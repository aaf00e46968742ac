//! Messages and requests that wait for one caller: how many there are, for the menu of the pages, and the messages that
//! fit a filter.

use crate::clock::Timestamp;
use crate::mail::reason::ReasonKind;
use crate::model::pending::PendingKind;
use crate::model::{AccountId, EmailAddress, Held, HeldState, List, ListId, Permission};
use crate::ops::lists::pending::RequestsOf;
use crate::ops::{Caller, OpError, records};
use crate::schema::{
    HELD_BY_STATE, HELD_COUNT, HELD_WAITING, HELD_WAITING_BY_SENDER, HELD_WAITING_COUNT,
    PENDING_WAITING_COUNT, held_senders, held_state, pending_waiting,
};
use crate::store::{Key, Read, StoreError};

/// Waiting messages that a filter looks at; the oldest ones.
const LOOKED_AT_MAX: usize = 20_000;

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

/// How many requests of one kind wait for a decision of the caller.
///
/// # Errors
/// If the store fails.
pub fn requests_of(tx: &impl Read, caller: &Caller, of: RequestsOf) -> Result<u64, StoreError> {
    let kind = if of == RequestsOf::Lists { PendingKind::List } else { PendingKind::Subscription };
    requests(tx, caller, kind)
}

/// The messages and the requests of people of one list that wait for a decision.
///
/// # Errors
/// If the store fails.
pub fn of_list(tx: &impl Read, list: &List) -> Result<u64, StoreError> {
    let held = tx.count(&HELD_WAITING_COUNT, &Key::new().u64(list.account.0).u64(list.id.0))?;
    Ok(held + requests_of_list(tx, list.account, list.id)?)
}

/// The requests of people of one list that wait for a decision.
///
/// # Errors
/// If the store fails.
pub fn requests_of_list(tx: &impl Read, account: AccountId, list: ListId) -> Result<u64, StoreError> {
    let requests = pending_waiting(account, PendingKind::Subscription).u64(list.0);
    tx.count(&PENDING_WAITING_COUNT, &requests)
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

/// A choice among the messages that wait. What is blank does not narrow it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeldFilter {
    /// Those of this list.
    pub list: Option<ListId>,
    /// Those of a sender: a whole address, or a part of one, such as `@example.org`.
    pub from: String,
    /// Words that the subject, the name or the address of the sender must have, in any case.
    pub search: String,
    /// Those that wait for a reason of this kind.
    pub reason: Option<ReasonKind>,
    /// Those that came in before this time.
    pub before: Option<Timestamp>,
}

impl HeldFilter {
    /// Whether it narrows nothing.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        let HeldFilter { list, from, search, reason, before } = self;
        let has_no_text = from.trim().is_empty() && search.trim().is_empty();
        list.is_none() && has_no_text && reason.is_none() && before.is_none()
    }

    /// The sender, if the filter names a whole address.
    fn sender(&self) -> Option<&str> {
        let from = self.from.trim();
        EmailAddress::parse(from).is_ok().then_some(from)
    }

    fn fits(&self, held: &Held) -> bool {
        let HeldFilter { list, from, search, reason, before } = self;
        let address = held.from.to_lowercase();
        let text = || format!("{}\n{}\n{address}", held.subject, held.from_phrase).to_lowercase();
        list.is_none_or(|list| list == held.list)
            && before.is_none_or(|before| held.received < before)
            && reason.is_none_or(|reason| ReasonKind::of(&held.reason) == Some(reason))
            && address.contains(&from.trim().to_lowercase())
            && (search.trim().is_empty() || {
                let text = text();
                search.to_lowercase().split_whitespace().all(|word| text.contains(word))
            })
    }
}

/// The messages that wait for a decision of the caller and fit a filter, the oldest first. Those of a list or a sender
/// are found by an index; others are looked for among the oldest 20,000.
///
/// # Errors
/// `Forbidden` if the caller does not decide about messages.
pub fn found(tx: &impl Read, caller: &Caller, filter: &HeldFilter) -> Result<Vec<Held>, OpError> {
    caller.require(Permission::ApproveMessages)?;
    let of_account = Key::new().u64(caller.account.0);
    let mut ids = Vec::new();
    match (filter.sender(), filter.list) {
        (Some(sender), _) => {
            for key in held_senders(caller.account, sender) {
                ids.extend(tx.ids(&HELD_WAITING_BY_SENDER, &key.into(), LOOKED_AT_MAX)?);
            }
            ids.sort_unstable();
        }
        (None, Some(list)) => {
            ids = tx.ids(&HELD_WAITING, &of_account.u64(list.0).into(), LOOKED_AT_MAX)?;
        }
        (None, None) => {
            let waiting = of_account.u64(held_state(HeldState::Held));
            ids = tx.ids(&HELD_BY_STATE, &waiting.into(), LOOKED_AT_MAX)?;
        }
    }
    let mut waiting: Vec<Held> = records(tx, &ids)?;
    waiting.retain(|held| caller.limits.sees_list(held.list) && filter.fits(held));
    Ok(waiting)
}
