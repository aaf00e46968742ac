//! Requests of people that an administrator has to approve: to join a list, or to leave one.
//!
//! Joining and leaving write a request here if the list asks for approval. `ops::lists::pending` decides it. A request
//! is known by the address of its person, and goes with that address.

use crate::clock::Timestamp;
use crate::model::pending::{PendingKind, PendingState};
use crate::model::{AccountId, AuditAction, EmailAddress, List, ListId, Pending, PendingId};
use crate::ops::Caller;
use crate::ops::audit::{self, Note};
use crate::ops::people::announcements;
use crate::schema::PENDING_BY_ADDRESS;
use crate::store::{Key, Read, StoreError, WriteTx};

/// A request that shall wait for approval.
#[derive(Debug, Clone, Copy)]
pub(in crate::ops) struct NewRequest<'a> {
    /// Whether the person joins or leaves.
    pub(in crate::ops) kind: PendingKind,
    /// The list.
    pub(in crate::ops) list: &'a List,
    /// The address of the person.
    pub(in crate::ops) address: &'a EmailAddress,
    /// The name of the person.
    pub(in crate::ops) name: &'a str,
}

/// Stores a request, unless the same one waits already; returns the one that waits.
pub(in crate::ops) fn ask(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    request: NewRequest<'_>,
    now: Timestamp,
) -> Result<PendingId, StoreError> {
    let NewRequest { kind, list, address, name } = request;
    if let Some(waiting) = find_waiting(tx, list, kind, address)? {
        return Ok(waiting.id);
    }
    let id = PendingId(tx.next_id::<Pending>()?);
    tx.put(&Pending {
        id,
        account: list.account,
        kind,
        list: list.id,
        list_name: list.name.as_str().to_owned(),
        email: Some(address.clone()),
        name: name.to_owned(),
        requested: now,
        state: PendingState::Pending,
        decision: None,
    })?;
    announcements::asked(tx, (list.account, list.id), id, now)?;
    audit::note(tx, caller, Note::new(AuditAction::PendingCreated, id.0).named(list.name.as_str()), now)?;
    Ok(id)
}

/// The request of this kind by the owner of an address that waits on a list.
pub(in crate::ops) fn find_waiting(
    tx: &impl Read,
    list: &List,
    kind: PendingKind,
    address: &EmailAddress,
) -> Result<Option<Pending>, StoreError> {
    let requests: Vec<Pending> =
        tx.page(&PENDING_BY_ADDRESS, &of(list.account, address).into(), usize::MAX)?;
    let is_it = |request: &Pending| {
        request.list == list.id && request.kind == kind && request.state == PendingState::Pending
    };
    Ok(requests.into_iter().find(is_it))
}

/// The lists on which the owner of an address has a request of this kind waiting.
pub(in crate::ops) fn waiting_lists(
    tx: &impl Read,
    account: AccountId,
    kind: PendingKind,
    address: &EmailAddress,
) -> Result<Vec<ListId>, StoreError> {
    let requests: Vec<Pending> = tx.page(&PENDING_BY_ADDRESS, &of(account, address).into(), usize::MAX)?;
    let waits = |request: &Pending| request.kind == kind && request.state == PendingState::Pending;
    Ok(requests.into_iter().filter(waits).map(|request| request.list).collect())
}

/// Deletes every request of an address that is deleted, waiting or decided.
pub(in crate::ops) fn forget(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    address: &EmailAddress,
) -> Result<(), StoreError> {
    tx.delete_range(&PENDING_BY_ADDRESS, &of(account, address).into(), usize::MAX).map(drop)
}

fn of(account: AccountId, address: &EmailAddress) -> Key {
    Key::new().u64(account.0).text(&address.folded())
}
