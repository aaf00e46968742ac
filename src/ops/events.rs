//! Events: what happened in an account, for programs that follow it (`GET /api/2/events/`, webhooks).
//!
//! Changes of records note drafts by themselves (`schema::events`), and so does every note for the audit log; [`finish`]
//! makes events of them as the last part of the job. So a program hears of everything that the audit log has of the same
//! kind, and of what time, mail and the server bring about. Events are numbered in the order of commits: whoever has read
//! up to one misses nothing behind it.

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use crate::clock::Timestamp;
use crate::model::event::{
    Acting, EventActor, EventDraft, EventObject, EventType, Forgotten, Remains, Stage,
};
use crate::model::{Account, AccountDeletion, AccountId, Event, EventId, List, Permission, Via, WebhookLog};
use crate::ops::{Caller, OpError};
use crate::schema::{EVENT_BY_TYPE, EVENT_COUNT, event_type};
use crate::store::{IndexRange, Key, Read, ReadTx, StoreError, WriteTx};

/// How long events are kept.
pub const KEPT: Duration = Duration::from_hours(30 * 24);
/// Numbers that are read at a time of the events of one type.
const BLOCK_MAX: usize = 256;

/// Notes who acts in this job, for the events that it causes.
pub fn act(tx: &mut WriteTx<'_>, caller: &Caller) {
    let actor = caller.actor();
    tx.note(Acting { actor: EventActor::from(&actor.kind), via: actor.via });
}

/// Writes the events of the notes of a job, and returns the number of the last. It is the last part of every job that
/// leaves notes.
///
/// # Errors
/// If the store fails.
pub fn finish(tx: &mut WriteTx<'_>, now: Timestamp) -> Result<Option<EventId>, StoreError> {
    let mut last = None;
    let (drafts, acting, is_forgotten) = sorted(tx.take_notes());
    let Acting { actor, via } = acting;
    for draft in merged(drafts) {
        if !is_told(tx, &draft)? {
            continue;
        }
        let EventDraft { account, kind, object, contact, list, mut remains } = draft;
        if is_forgotten && matches!(remains, Remains::Contact { .. }) {
            remains = Remains::None;
        }
        let id = EventId(tx.next_id::<Event>()?);
        tx.put(&Event { id, account, kind, time: now, actor, via, object, contact, list, remains })?;
        last = Some(id);
    }
    Ok(last)
}

/// The drafts among the notes of a job, who acts, and whether nothing may be kept of people who are deleted.
fn sorted(notes: Vec<Box<dyn Any>>) -> (Vec<EventDraft>, Acting, bool) {
    let mut acting = Acting { actor: EventActor::System, via: Via::Server };
    let (mut drafts, mut is_forgotten) = (Vec::new(), false);
    for note in notes {
        is_forgotten |= note.is::<Forgotten>();
        match note.downcast::<EventDraft>() {
            Ok(draft) => drafts.push(*draft),
            Err(other) => {
                if let Ok(found) = other.downcast::<Acting>() {
                    acting = *found;
                }
            }
        }
    }
    (drafts, acting, is_forgotten)
}

/// One draft for each object whose existence or values changed, in the order of their first changes; others as they are,
/// each once.
fn merged(drafts: Vec<EventDraft>) -> Vec<EventDraft> {
    let mut places: HashMap<(EventObject, u64, Option<EventType>), usize> = HashMap::new();
    let mut merged: Vec<Option<EventDraft>> = Vec::new();
    for mut draft in drafts {
        let object = draft.kind.object();
        let kind = (draft.kind.stage() == Stage::Other).then_some(draft.kind);
        if object == EventObject::Delivery {
            // One for each copy.
            merged.push(Some(draft));
            continue;
        }
        if draft.kind == EventType::ContactUpdated
            && let Remains::Name(address) = &draft.remains
        {
            // An address that went: told as a change, unless its contact goes, too.
            draft.remains = Remains::Contact {
                ccid: None,
                firstname: String::new(),
                surname: String::new(),
                emails: vec![address.clone()],
            };
        }
        match places.get(&(object, draft.object, kind)) {
            None => {
                places.insert((object, draft.object, kind), merged.len());
                merged.push(Some(draft));
            }
            Some(place) => merged[*place] = merged[*place].take().and_then(|before| joined(before, draft)),
        }
    }
    let of_change = |mut draft: EventDraft| {
        if draft.kind.stage() == Stage::Updated {
            draft.remains = Remains::None;
        }
        draft
    };
    merged.into_iter().flatten().map(of_change).collect()
}

/// Two changes of one object as one; `None` if it came and went.
fn joined(before: EventDraft, after: EventDraft) -> Option<EventDraft> {
    let stage = match (before.kind.stage(), after.kind.stage()) {
        (Stage::Created, Stage::Deleted) => return None,
        (Stage::Created, _) => Stage::Created,
        (Stage::Deleted, Stage::Created) => Stage::Updated,
        (Stage::Deleted, _) | (_, Stage::Deleted) => Stage::Deleted,
        (Stage::Updated | Stage::Other, stage) => stage,
    };
    Some(EventDraft {
        kind: before.kind.at(stage),
        contact: before.contact.or(after.contact),
        list: before.list.or(after.list),
        remains: both(before.remains, after.remains),
        ..before
    })
}

/// What two changes leave of an object.
fn both(before: Remains, after: Remains) -> Remains {
    match (before, after) {
        (Remains::None, remains) | (remains, Remains::None) => remains,
        (
            Remains::Contact { ccid, firstname, surname, emails },
            Remains::Contact { ccid: ccid_too, firstname: first_too, surname: sur_too, emails: more },
        ) => Remains::Contact {
            ccid: ccid.or(ccid_too),
            firstname: if firstname.is_empty() { first_too } else { firstname },
            surname: if surname.is_empty() { sur_too } else { surname },
            emails: emails.into_iter().chain(more).collect(),
        },
        (before, _) => before,
    }
}

/// Whether a draft becomes an event. That an account or a list is gone says enough of what went with it.
fn is_told(tx: &WriteTx<'_>, draft: &EventDraft) -> Result<bool, StoreError> {
    if draft.object == 0 || draft.account == AccountId::SERVER {
        return Ok(false);
    }
    if draft.kind.stage() != Stage::Deleted {
        return Ok(true);
    }
    if draft.kind == EventType::MembershipDeleted
        && let Some(list) = draft.list
        && tx.get::<List>(list.0)?.is_none()
    {
        return Ok(false);
    }
    let account = draft.account.0;
    Ok(tx.get::<AccountDeletion>(account)?.is_none() && tx.get::<Account>(account)?.is_some())
}

/// The number of the newest event of all accounts; 0 if there is none.
///
/// # Errors
/// If the store fails.
pub fn newest(tx: &impl Read) -> Result<EventId, StoreError> {
    Ok(EventId(tx.last_id::<Event>(u64::MAX)?.unwrap_or(0)))
}

/// The types that a caller may see at all: those of held messages need their own permission, and those of administrators
/// and of the account are for whoever sees all lists.
#[must_use]
pub fn visible_types(caller: &Caller, wanted: &[EventType]) -> Vec<EventType> {
    let may = |kind: &&EventType| kind.permission().is_none_or(|permission| caller.holds(permission));
    let wanted = if wanted.is_empty() { EventType::ALL } else { wanted };
    let mut types: Vec<EventType> = wanted.iter().filter(may).copied().collect();
    types.sort_unstable();
    types.dedup();
    types
}

/// Whether a caller sees every event of the account.
#[must_use]
pub fn sees_all(caller: &Caller) -> bool {
    caller.limits.lists().is_none() && caller.holds(Permission::AccountAdmin)
}

/// Whether a caller may see an event as far as the event itself says so; the object decides about the rest.
///
/// # Errors
/// If the store fails.
pub fn is_visible(tx: &impl Read, caller: &Caller, event: &Event) -> Result<bool, StoreError> {
    if event.account != caller.account {
        return Ok(false);
    }
    let is_of_admin = event.kind.object() == EventObject::Admin;
    if is_of_admin && !caller.holds(Permission::AccountAdmin) {
        return Ok(matches!(event.kind.stage(), Stage::Updated | Stage::Created)
            && caller.is_admin(crate::model::AdminId(event.object)));
    }
    let Some(lists) = caller.limits.lists() else { return Ok(true) };
    match event.kind.object() {
        EventObject::Admin | EventObject::Account => Ok(true),
        EventObject::Domain => Ok(false),
        EventObject::Contact | EventObject::Email => match event.contact {
            Some(contact) => caller.sees_contact(tx, contact),
            None => Ok(false),
        },
        EventObject::Membership
        | EventObject::List
        | EventObject::Message
        | EventObject::Held
        | EventObject::Delivery => Ok(event.list.is_some_and(|list| lists.contains(&list))),
    }
}

/// The number of events of these types in an account.
///
/// # Errors
/// If the store fails.
pub fn count(tx: &impl Read, account: AccountId, types: &[EventType]) -> Result<u64, StoreError> {
    let mut sum = 0;
    for kind in types {
        sum += tx.count(&EVENT_COUNT, &Key::new().u64(account.0).u8(event_type(*kind)))?;
    }
    Ok(sum)
}

/// Walks the events of an account of some types, the oldest first, from a position on. It reads a block of numbers of
/// each type at a time, so that a position at any depth costs a seek for each type.
#[derive(Debug)]
pub struct Walk {
    account: AccountId,
    streams: Vec<Stream>,
}

/// The numbers of the events of one type.
#[derive(Debug)]
struct Stream {
    kind: EventType,
    /// The last number that was read.
    after: u64,
    read: VecDeque<u64>,
    block: usize,
    is_at_end: bool,
}

impl Walk {
    /// A walk over the events behind the one of this number.
    #[must_use]
    pub fn new(account: AccountId, types: &[EventType], after: u64) -> Walk {
        let stream = |kind: &EventType| Stream {
            kind: *kind,
            after,
            read: VecDeque::new(),
            block: 4,
            is_at_end: false,
        };
        Walk { account, streams: types.iter().map(stream).collect() }
    }

    /// The next event; `None` at the end.
    ///
    /// # Errors
    /// If the store fails.
    pub fn next(&mut self, tx: &impl Read) -> Result<Option<Event>, StoreError> {
        let mut first: Option<(usize, u64)> = None;
        for place in 0..self.streams.len() {
            let id = self.streams[place].first(tx, self.account)?;
            if let Some(id) = id
                && first.is_none_or(|(_, lowest)| id < lowest)
            {
                first = Some((place, id));
            }
        }
        let Some((place, id)) = first else { return Ok(None) };
        self.streams[place].read.pop_front();
        tx.get(id)
    }
}

impl Stream {
    fn first(&mut self, tx: &impl Read, account: AccountId) -> Result<Option<u64>, StoreError> {
        if self.read.is_empty() && !self.is_at_end {
            let prefix = Key::new().u64(account.0).u8(event_type(self.kind));
            let Some(from) = self.after.checked_add(1) else { return Ok(None) };
            let range = IndexRange::prefix(prefix.clone()).from(prefix.u64(from));
            self.read = tx.ids(&EVENT_BY_TYPE, &range, self.block)?.into();
            self.is_at_end = self.read.len() < self.block;
            self.after = self.read.back().copied().unwrap_or(self.after);
            self.block = BLOCK_MAX.min(self.block * 4);
        }
        Ok(self.read.front().copied())
    }
}

/// An event of the caller's account by its number.
///
/// # Errors
/// `NotFound` if there is none, or the caller may not see it.
pub fn get(tx: &impl Read, caller: &Caller, id: EventId) -> Result<Event, OpError> {
    let event = tx.get::<Event>(id.0)?.ok_or(OpError::NotFound { what: "event" })?;
    let types = visible_types(caller, &[event.kind]);
    if types.is_empty() || !is_visible(tx, caller, &event)? {
        return Err(OpError::NotFound { what: "event" });
    }
    Ok(event)
}

/// Whether an event, or a record of what was sent to a webhook, is older than they are kept.
///
/// # Errors
/// If the store fails.
pub fn is_any_over(tx: &ReadTx, now: Timestamp) -> Result<bool, StoreError> {
    let end = now.before(KEPT);
    Ok(tx.all::<Event>(0, 1)?.first().is_some_and(|event| event.time < end)
        || tx.all::<WebhookLog>(0, 1)?.first().is_some_and(|log| log.time < end))
}

/// Deletes events, and records of what was sent to webhooks, that are older than they are kept: at most `limit` of each.
///
/// # Errors
/// If the store fails.
pub fn expire(tx: &mut WriteTx<'_>, now: Timestamp, limit: usize) -> Result<(), StoreError> {
    let end = now.before(KEPT);
    for event in tx.all::<Event>(0, limit)?.iter().take_while(|event| event.time < end) {
        tx.delete::<Event>(event.id.0)?;
    }
    for log in tx.all::<WebhookLog>(0, limit)?.iter().take_while(|log| log.time < end) {
        tx.delete::<WebhookLog>(log.id.0)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(kind: EventType, object: u64) -> EventDraft {
        EventDraft::new(AccountId(1), kind, object)
    }

    #[track_caller]
    fn check(drafts: &[(EventType, u64)], expected: &[(EventType, u64)]) {
        let drafts = drafts.iter().map(|(kind, object)| draft(*kind, *object)).collect();
        let found: Vec<_> = merged(drafts).into_iter().map(|draft| (draft.kind, draft.object)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn changes_of_one_object_in_a_job_are_one_event() {
        use EventType as T;
        check(&[(T::ContactCreated, 1), (T::ContactUpdated, 1)], &[(T::ContactCreated, 1)]);
        check(&[(T::ContactUpdated, 1), (T::ContactDeleted, 1)], &[(T::ContactDeleted, 1)]);
        check(&[(T::ContactDeleted, 1), (T::ContactCreated, 1)], &[(T::ContactUpdated, 1)]);
        check(&[(T::ContactCreated, 1), (T::ContactDeleted, 1)], &[]);
        check(&[(T::ListUpdated, 1), (T::ListUpdated, 2)], &[(T::ListUpdated, 1), (T::ListUpdated, 2)]);
        check(&[(T::EmailPaused, 1), (T::EmailPaused, 1)], &[(T::EmailPaused, 1)]);
        check(&[(T::BounceReceived, 1), (T::BounceReceived, 1)], &[(T::BounceReceived, 1); 2]);
    }
}
