//! The table of events, and what changes of records tell of them.
//!
//! Each function here compares a record with what it was and notes drafts of events, which become events at the end of the
//! job (`ops::events`). The tables call them for every change ([`Entity::tell_of_change`]), so no operation can forget one.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::event::{EventDraft, EventType, Remains};
use crate::model::{
    Account, Admin, Batch, Contact, Email, Event, Held, HeldState, List, Membership, Message, Payload,
    RecipientState,
};
use crate::store::{Count, Entity, Index, WriteTx, is_stored_alike};

impl Entity for Event {
    const TABLE: &'static str = "event";
    const INDEXES: &'static [&'static Index<Event>] = &[&EVENT_BY_TYPE];
    const COUNTS: &'static [&'static Count<Event>] = &[&EVENT_COUNT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // Answers that show events are not kept.
        0
    }
}

impl HasLife for Event {
    const LIFE: Life<Event> = Life {
        with_account: WithAccount::InSteps(&[&EVENT_BY_TYPE]),
        with_contact: WithContact::Stays(
            "programs are to hear of the deletion, and for 30 days what it was of",
        ),
        with_list: WithList::Stays("programs are to hear of the deletion"),
        with_move: WithMove::Goes,
        in_time: InTime::ByUpkeep("events after 30 days"),
        in_download: InDownload::Not("events repeat what the log, the contact and its memberships say"),
    };
}

/// The events of an account, by type. A listing of all types reads their ranges side by side, which costs less than a
/// row more for each event.
pub static EVENT_BY_TYPE: Index<Event> =
    Index::multi("event.by_type", |event| vec![of(event.account).u8(event_type(event.kind))]);

/// The `count` of the events of an account of a type.
pub static EVENT_COUNT: Count<Event> =
    Count::new("event.count", |event| vec![of(event.account).u8(event_type(event.kind))]);

/// How a type stands in keys.
#[must_use]
pub fn event_type(kind: EventType) -> u8 {
    let place = EventType::ALL.iter().position(|other| *other == kind);
    place.and_then(|place| u8::try_from(place).ok()).unwrap_or(u8::MAX)
}

/// The type of a change: made, changed or deleted; `None` if both are stored alike.
fn change<E: Entity>(
    old: Option<&E>,
    new: Option<&E>,
    [created, updated, deleted]: [EventType; 3],
) -> Option<EventType> {
    match (old, new) {
        (None, Some(_)) => Some(created),
        (Some(_), None) => Some(deleted),
        (Some(old), Some(new)) if !is_stored_alike(old, new).unwrap_or(false) => Some(updated),
        (Some(_), Some(_)) | (None, None) => None,
    }
}

pub(super) fn of_contact(tx: &mut WriteTx<'_>, old: Option<&Contact>, new: Option<&Contact>) {
    let types = [EventType::ContactCreated, EventType::ContactUpdated, EventType::ContactDeleted];
    let (Some(kind), Some(contact)) = (change(old, new, types), new.or(old)) else { return };
    let mut draft = EventDraft::new(contact.account, kind, contact.id.0);
    draft.contact = Some(contact.id);
    if new.is_none() {
        let Contact { ccid, firstname, surname, .. } = contact.clone();
        draft.remains = Remains::Contact { ccid, firstname, surname, emails: Vec::new() };
    }
    tx.note(draft);
}

/// An address is part of its contact; that it is paused, resumed or confirmed is an event of its own. What the server
/// notes of bounces is none.
pub(super) fn of_email(tx: &mut WriteTx<'_>, old: Option<&Email>, new: Option<&Email>) {
    let Some(email) = new.or(old) else { return };
    let tell = |tx: &mut WriteTx<'_>, kind, object| {
        let draft = EventDraft::new(email.account, kind, object);
        tx.note(EventDraft { contact: Some(email.contact), ..draft });
    };
    let flags = |email: &Email| (email.paused, email.confirmed);
    let (was_paused, was_confirmed) = old.map_or((false, false), flags);
    if let (Some(old), Some(new)) = (old, new) {
        match (was_paused, new.paused) {
            (false, true) => tell(tx, EventType::EmailPaused, new.id.0),
            (true, false) => tell(tx, EventType::EmailResumed, new.id.0),
            (true, true) | (false, false) => {}
        }
        if !was_confirmed && new.confirmed {
            tell(tx, EventType::EmailConfirmed, new.id.0);
        }
        let Email { address, digest, ceid, contact, .. } = old;
        let is_same = (address.as_str(), *digest, ceid, *contact)
            == (new.address.as_str(), new.digest, &new.ceid, new.contact);
        if is_same && (new.confirmed || !was_confirmed) {
            return;
        }
    }
    let draft = EventDraft::new(email.account, EventType::ContactUpdated, email.contact.0);
    let remains = if new.is_none() { Remains::Name(email.address.to_string()) } else { Remains::None };
    tx.note(EventDraft { contact: Some(email.contact), remains, ..draft });
}

pub(super) fn of_membership(tx: &mut WriteTx<'_>, old: Option<&Membership>, new: Option<&Membership>) {
    let types = [EventType::MembershipCreated, EventType::MembershipUpdated, EventType::MembershipDeleted];
    let (Some(kind), Some(membership)) = (change(old, new, types), new.or(old)) else { return };
    let draft = EventDraft::new(membership.account, kind, membership.id.0);
    let remains = match new {
        None => Remains::Membership { digest: membership.digest },
        Some(_) => Remains::None,
    };
    let (contact, list) = (Some(membership.contact), Some(membership.list));
    tx.note(EventDraft { contact, list, remains, ..draft });
}

pub(super) fn of_list(tx: &mut WriteTx<'_>, old: Option<&List>, new: Option<&List>) {
    let types = [EventType::ListCreated, EventType::ListUpdated, EventType::ListDeleted];
    let (Some(kind), Some(list)) = (change(old, new, types), new.or(old)) else { return };
    let draft = EventDraft::new(list.account, kind, list.id.0);
    let remains = if new.is_none() { Remains::Name(list.name.to_string()) } else { Remains::None };
    tx.note(EventDraft { list: Some(list.id), remains, ..draft });
}

pub(super) fn of_message(tx: &mut WriteTx<'_>, old: Option<&Message>, new: Option<&Message>) {
    let (Some(old), Some(new)) = (old, new) else { return };
    if !old.deleted && new.deleted {
        let draft = EventDraft::new(new.account, EventType::MessageDeleted, new.id.0);
        // Its subject may name somebody who asked to be forgotten.
        tx.note(EventDraft { list: Some(new.list), ..draft });
    }
}

pub(super) fn of_held(tx: &mut WriteTx<'_>, old: Option<&Held>, new: Option<&Held>) {
    let Some(held) = new else { return };
    let before = old.map(|old| old.state);
    if before == Some(held.state) {
        return;
    }
    let kind = match held.state {
        HeldState::Held => EventType::MessageHeld,
        HeldState::Approved => EventType::MessageApproved,
        HeldState::Rejected => EventType::MessageRejected,
        HeldState::Discarded => EventType::MessageDiscarded,
    };
    let draft = EventDraft::new(held.account, kind, held.id.0);
    tx.note(EventDraft { list: Some(held.list), ..draft });
}

pub(super) fn of_admin(tx: &mut WriteTx<'_>, old: Option<&Admin>, new: Option<&Admin>) {
    let types = [EventType::AdminCreated, EventType::AdminUpdated, EventType::AdminDeleted];
    let (Some(kind), Some(admin)) = (change(old, new, types), new.or(old)) else { return };
    // Administrators of the whole server are no matter of an account.
    let Some(account) = admin.account else { return };
    let name = admin.username.as_ref().map_or(admin.description.as_str(), |username| username.as_str());
    let remains = if new.is_none() { Remains::Name(shortened(name)) } else { Remains::None };
    tx.note(EventDraft { remains, ..EventDraft::new(account, kind, admin.id.0) });
}

pub(super) fn of_account(tx: &mut WriteTx<'_>, old: Option<&Account>, new: Option<&Account>) {
    let (Some(old), Some(new)) = (old, new) else { return };
    if !is_stored_alike(old, new).unwrap_or(false) {
        tx.note(EventDraft::new(new.id, EventType::AccountUpdated, new.id.0));
    }
}

/// Copies that were not given up before, and are now.
pub(super) fn of_batch(tx: &mut WriteTx<'_>, old: Option<&Batch>, new: Option<&Batch>) {
    let Some(new) = new else { return };
    let Payload::Post { message, list } = new.payload else { return };
    for (place, recipient) in new.recipients.iter().enumerate() {
        let before = old.and_then(|old| old.recipients.get(place)).map(|recipient| recipient.state);
        if recipient.state != RecipientState::Failed || before == Some(RecipientState::Failed) {
            continue;
        }
        let place = u32::try_from(place).unwrap_or(u32::MAX);
        let remains = Remains::Copy { batch: new.id, place };
        let draft = EventDraft::new(new.account, EventType::DeliveryFailed, message.0);
        tx.note(EventDraft { contact: Some(recipient.contact), list: Some(list), remains, ..draft });
    }
}

/// Characters of a name that an event keeps.
const NAME_CHARS_MAX: usize = 100;

fn shortened(name: &str) -> String {
    name.chars().take(NAME_CHARS_MAX).collect()
}
