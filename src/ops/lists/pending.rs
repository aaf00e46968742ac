//! Requests that wait for approval: to join a list, to leave one, or to create one. The API, the command line, and
//! moderators' links and mails decide them here.
//!
//! A request is decided once: the first of two who decide wins, and the second is told. The decision is carried out in
//! the job that records it, and the person is told by mail, unless the request is discarded. What was decided is kept
//! for a while, so that it can be looked up.

mod decided;

use crate::clock::Timestamp;
use crate::model::pending::{PendingKind, PendingState};
use crate::model::{
    Account, AuditAction, Consent, Contact, Decision, HeldAction, Joined, Language, List, Pending, PendingId,
    Permission,
};
use crate::ops::audit::{self, Note, Step};
use crate::ops::context::MailContext;
use crate::ops::decisions::{self, DecisionFacts};
use crate::ops::lists::{self, Deletion};
use crate::ops::paging::window_of;
use crate::ops::patterns::AddressJudgement;
use crate::ops::people::requests::{self, Join, Outcome, Refusal};
use crate::ops::people::{announcements, subscribe};
use crate::ops::{Caller, OpError, Page, PageRequest, TooLate, Waiting, Wrong, records, window_ids};
use crate::schema::{EMAIL_BY_ADDRESS, PENDING_BY_STATE, PENDING_COUNT, pending_state};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

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

/// The requests that others than the rest decide about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestsOf {
    /// People who want to join or to leave.
    People,
    /// New lists.
    Lists,
}

/// Requests of one kind that a page has; the oldest ones.
const WAITING_MAX: usize = 1000;
/// Requests of all kinds that are read at a time, and in all, to find those of one.
const READ_AT_ONCE: usize = 1000;
const READ_MAX: usize = 50_000;

/// The requests of one kind that wait for a decision of the caller, the oldest first, at most 1,000: looked for among
/// the oldest 50,000 that wait.
pub fn waiting(tx: &impl Read, caller: &Caller, of: RequestsOf) -> Result<Vec<Pending>, OpError> {
    caller.require(Permission::ApproveMessages)?;
    let key = Key::new().u64(caller.account.0).u64(pending_state(PendingState::Pending));
    let is_its = |pending: &Pending| {
        (pending.kind == PendingKind::List) == (of == RequestsOf::Lists)
            && caller.limits.sees_list(pending.list)
    };
    let (mut found, mut last) = (Vec::new(), 0);
    for _ in 0..READ_MAX / READ_AT_ONCE {
        let range = IndexRange::prefix(key.clone()).after_id(last);
        let page: Vec<Pending> = tx.page(&PENDING_BY_STATE, &range, READ_AT_ONCE)?;
        let is_last = page.len() < READ_AT_ONCE;
        last = page.last().map_or(last, |pending| pending.id.0);
        found.extend(page.into_iter().filter(is_its));
        if is_last || WAITING_MAX <= found.len() {
            break;
        }
    }
    found.truncate(WAITING_MAX);
    Ok(found)
}

/// The list's present name, or its last one.
pub fn list_name(tx: &impl Read, pending: &Pending) -> Result<String, StoreError> {
    let list = tx.get::<List>(pending.list.0)?;
    Ok(list.map_or_else(|| pending.list_name.clone(), |list| list.name.as_str().to_owned()))
}

/// The evidence that the owner of an address asked to join; `None` for requests of other kinds, and of a list that is gone.
pub fn evidence(tx: &impl Read, pending: &Pending) -> Result<Option<Consent>, StoreError> {
    let (PendingKind::Subscription, Some(address)) = (pending.kind, &pending.email) else { return Ok(None) };
    match tx.get::<List>(pending.list.0)? {
        Some(list) => requests::consent(tx, &list, address),
        None => Ok(None),
    }
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
    })?;
    announcements::asked(tx, (list.account, list.id), id, now)
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

/// A decision on a request.
pub(crate) struct JudgedDecision {
    pub(crate) action: HeldAction,
    pub(crate) reason: Option<String>,
    /// Whether the account takes the address of the person.
    pub(crate) judgement: AddressJudgement,
}

/// Decides a request and carries it out; `None` if a refused list is too large to be removed in one job, so that the
/// caller must call again.
pub(crate) fn decide(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    id: PendingId,
    decision: JudgedDecision,
    step: Step,
    mail_context: &MailContext,
    now: Timestamp,
) -> Result<Option<Pending>, OpError> {
    let JudgedDecision { action, reason, judgement } = decision;
    let mut pending = get(tx, caller, id)?;
    require_decider(caller, &pending)?;
    if pending.state != PendingState::Pending {
        return Err(OpError::conflict("action", told_already(tx, &pending)?));
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
    if carry_out(tx, caller, &pending, action, &judgement, now)? == Deletion::Unfinished {
        // Deleting a list deletes its requests from the first step on; this one is still needed for the result.
        tx.put(&pending)?;
        return Ok(None);
    }
    pending.state = action.into();
    pending.decision = Some(Decision { time: now, by: caller.decider(), reason });
    tx.put(&pending)?;
    decided::tell_person(tx, mail_context, &pending, now)?;
    Ok(Some(pending))
}

/// The decision on a request, with its author and time, for the second who decides.
fn told_already(tx: &impl Read, pending: &Pending) -> Result<TooLate, StoreError> {
    decisions::told_already(tx, Waiting::Request, pending.state.word(), pending.decision.as_ref())
}

/// The decision on a request; `None` if it waits.
pub fn decision(
    tx: &impl Read,
    language: Language,
    pending: &Pending,
) -> Result<Option<DecisionFacts>, StoreError> {
    decisions::facts(tx, language, pending.decision.as_ref())
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

/// Makes the person of an approved request a member, with the evidence that the request left.
fn join(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    pending: &Pending,
    list: &List,
    judgement: &AddressJudgement,
    now: Timestamp,
) -> Result<(), OpError> {
    let Some(address) = &pending.email else { return Ok(()) };
    let consent = requests::consent(tx, list, address)?;
    let (digest, joined) = match consent {
        Some(Consent { digest, requested, confirmed, .. }) => {
            (digest, Joined { when: now, from: confirmed.from.or(requested.from), way: requested.way })
        }
        None => (None, caller.joins(now)),
    };
    let join = Join { list, address, name: &pending.name, digest, joined, judgement };
    match requests::carry_out_join(tx, caller, join, now)? {
        Outcome::Refused(Refusal::Address) => {
            Err(OpError::invalid("action", Wrong::NotApprovable { address: address.clone() }))
        }
        Outcome::Refused(Refusal::Full) => {
            let account = tx.get::<Account>(pending.account.0)?;
            Err(OpError::AddressBookFull { contacts_max: account.map_or(0, |account| account.contacts_max) })
        }
        Outcome::Refused(_) => Err(OpError::NotFound { what: "list" }),
        Outcome::Joined
        | Outcome::WaitsForApproval
        | Outcome::AlreadyMember
        | Outcome::Left
        | Outcome::WasNoMember
        | Outcome::Changed => Ok(()),
    }
}

/// Carries a decision out: opens a list that waits for approval, or removes it; has a person leave.
fn carry_out(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    pending: &Pending,
    action: HeldAction,
    judgement: &AddressJudgement,
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
        (PendingKind::Subscription, HeldAction::Approve) => {
            join(tx, caller, pending, &list, judgement, now)?;
            Ok(Deletion::Done)
        }
        (PendingKind::Subscription, HeldAction::Reject | HeldAction::Discard) => {
            if let Some(address) = &pending.email {
                requests::forget_consent(tx, pending.account, address, pending.list)?;
            }
            Ok(Deletion::Done)
        }
    }
}
