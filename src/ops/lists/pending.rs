//! Requests that wait for approval: lists created by administrators who may not create them alone.
//!
//! A request is decided once. What was decided is kept for a while, so that it can be looked up.

use crate::clock::Timestamp;
use crate::model::pending::{PendingKind, PendingState};
use crate::model::{AuditAction, Contact, Decision, HeldAction, List, Pending, PendingId, Permission};
use crate::ops::audit::{self, Note, Step};
use crate::ops::lists::{self, Deletion};
use crate::ops::paging::window_of;
use crate::ops::people::subscribe;
use crate::ops::{Caller, OpError, Page, PageRequest, records, window_ids};
use crate::schema::{EMAIL_BY_ADDRESS, PENDING_BY_STATE, PENDING_COUNT, pending_state};
use crate::store::{Key, Read, StoreError, WriteTx};

/// One request, decided or not.
pub fn get(tx: &impl Read, caller: &Caller, id: PendingId) -> Result<Pending, OpError> {
    caller.require(Permission::ApproveMessages)?;
    let pending = tx
        .get::<Pending>(id.0)?
        .filter(|pending| pending.account == caller.account && caller.limits.sees_list(pending.list));
    pending.ok_or(OpError::NotFound { what: "pending request" })
}

/// The requests in one state, oldest first.
pub fn list(
    tx: &impl Read,
    caller: &Caller,
    state: PendingState,
    window: PageRequest,
) -> Result<Page<Pending>, OpError> {
    caller.require(Permission::ApproveMessages)?;
    let key = Key::new().u64(caller.account.0).u64(pending_state(state));
    if caller.limits.lists().is_some() {
        let mut rows: Vec<Pending> = tx.page(&PENDING_BY_STATE, &key.into(), usize::MAX)?;
        rows.retain(|pending| caller.limits.sees_list(pending.list));
        let count = rows.len() as u64;
        return Ok(Page { rows: window_of(rows, window, |pending| pending.id.0), count });
    }
    let count = tx.count(&PENDING_COUNT, &key)?;
    let ids = window_ids(tx, &PENDING_BY_STATE, key.into(), window)?;
    Ok(Page { rows: records(tx, &ids)?, count })
}

/// The list's present name, or its last one.
pub fn list_name(tx: &impl Read, pending: &Pending) -> Result<String, StoreError> {
    let list = tx.get::<List>(pending.list.0)?;
    Ok(list.map_or_else(|| pending.list_name.clone(), |list| list.name.as_str().to_owned()))
}

/// Stores the request that a new list needs.
pub(in crate::ops) fn request_list(
    tx: &mut WriteTx<'_>,
    list: &List,
    now: Timestamp,
) -> Result<(), StoreError> {
    let id = PendingId(tx.next_id::<Pending>()?);
    tx.put(&Pending {
        id,
        account: list.account,
        kind: PendingKind::List,
        list: list.id,
        list_name: list.name.as_str().to_owned(),
        email: None,
        name: list.description.clone(),
        requested: now,
        state: PendingState::Pending,
        decision: None,
    })
}

/// Passes if the caller may decide a request. Callers whose lists need approval must not approve their own.
pub fn require_decider(caller: &Caller, pending: &Pending) -> Result<(), OpError> {
    match pending.kind {
        PendingKind::List => caller.require(Permission::AccountAdmin),
        PendingKind::Subscription | PendingKind::Unsubscription => {
            caller.require(Permission::ApproveMessages)
        }
    }
}

/// Decides a request and carries it out; `None` if a refused list is too large to be removed in one job, so that the
/// caller must call again.
pub fn decide(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    id: PendingId,
    action: HeldAction,
    reason: Option<String>,
    step: Step,
    now: Timestamp,
) -> Result<Option<Pending>, OpError> {
    let mut pending = get(tx, caller, id)?;
    require_decider(caller, &pending)?;
    if pending.state != PendingState::Pending {
        let problem = format!("the request was {} already", pending.state.word());
        return Err(OpError::Conflict { field: "action", problem });
    }
    pending.list_name = list_name(tx, &pending)?;
    if step == Step::First {
        let done = match action {
            HeldAction::Approve => AuditAction::PendingApproved,
            HeldAction::Reject => AuditAction::PendingRejected,
            HeldAction::Discard => AuditAction::PendingDiscarded,
        };
        audit::note(tx, caller, Note::new(done, id.0).named(&pending.list_name), now)?;
    }
    if settle_list(tx, caller, &pending, action, now)? == Deletion::Unfinished {
        // Deleting a list deletes its requests from the first step on; this one is still needed for the result.
        tx.put(&pending)?;
        return Ok(None);
    }
    pending.state = match action {
        HeldAction::Approve => PendingState::Approved,
        HeldAction::Reject => PendingState::Rejected,
        HeldAction::Discard => PendingState::Discarded,
    };
    pending.decision = Some(Decision { time: now, by: caller.decider(), reason });
    tx.put(&pending)?;
    Ok(Some(pending))
}

/// The contact that has the address of a request now.
fn contact_of(tx: &impl Read, pending: &Pending) -> Result<Option<Contact>, StoreError> {
    let Some(address) = &pending.email else { return Ok(None) };
    let email = tx.find(&EMAIL_BY_ADDRESS, &Key::new().u64(pending.account.0).text(&address.folded()))?;
    match email {
        Some(email) => tx.get::<Contact>(email.contact.0),
        None => Ok(None),
    }
}

/// Carries a decision out: opens a list that waits for approval, or removes it; has a person leave.
fn settle_list(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    pending: &Pending,
    action: HeldAction,
    now: Timestamp,
) -> Result<Deletion, OpError> {
    let Some(mut list) = tx.get::<List>(pending.list.0)? else {
        return Err(OpError::NotFound { what: "list" });
    };
    match (pending.kind, action) {
        (PendingKind::List, HeldAction::Approve) => {
            list.pending = false;
            tx.put(&list)?;
            Ok(Deletion::Done)
        }
        (PendingKind::List, HeldAction::Reject | HeldAction::Discard) => {
            lists::delete(tx, caller, list.name.as_str(), Step::Later, now)
        }
        (PendingKind::Unsubscription, HeldAction::Approve) => {
            if let Some(contact) = contact_of(tx, pending)? {
                subscribe::carry_out(tx, caller, &contact, list.id, now)?;
            }
            Ok(Deletion::Done)
        }
        (PendingKind::Unsubscription, HeldAction::Reject | HeldAction::Discard) => Ok(Deletion::Done),
        // Nothing creates requests of this kind yet.
        (PendingKind::Subscription, _) => Err(OpError::NotFound { what: "pending request" }),
    }
}
