//! Leaving a list, and undoing that. The pages of links, mail and confirmed requests call it.
//!
//! A list's `unsubscriptions`, else the account's, say whether a person who asks leaves at once, waits for approval, or
//! cannot leave; the one-click form of a mail program always leaves (`spec/mail.md` 7). Leaving can be undone for a
//! week, by the link of any copy, as long as the list lets people join. A membership that an administrator ended leaves
//! no [`Departure`], so no link restores it.

use std::net::IpAddr;

use crate::clock::Timestamp;
use crate::model::account::Subscriptions;
use crate::model::departure::REASON_CHARS_MAX;
use crate::model::pending::PendingKind;
use crate::model::undo::UNDO_ROWS_MAX;
use crate::model::{
    Account, ActorKind, AuditAction, Contact, ContactId, Departure, DepartureId, Email, EmailAddress,
    LeaveWay, List, ListId, Membership, MembershipId, OptOut, OptOutWay, Pending, Undo, UndoChange, Via,
};
use crate::ops::audit;
use crate::ops::people::announcements;
use crate::ops::people::approval::{self, NewRequest};
use crate::ops::people::{contacts, memberships, opt_outs, own, requests};
use crate::ops::{Caller, OpError};
use crate::schema::{DEPARTURE_BY_CONTACT, MEMBERSHIP_BY_CONTACT, UNDO_BY_CONTACT};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// The list of an unsubscribe link, and the state of its person there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The list of the link.
    pub list: List,
    /// Whether the person is a member now.
    pub standing: Standing,
    /// Whether the person left within the last days, so that a reason can be given.
    pub has_left: bool,
    /// How people leave the list.
    pub unsubscriptions: Subscriptions,
    /// Whether the page asks once more before a person leaves.
    pub asks_twice: bool,
}

/// The first address of a contact, with the first letter of its local part alone: it tells the person which of their
/// addresses a link is about, and a stranger to whom it was passed on no address.
pub fn masked_address(tx: &impl Read, contact: ContactId) -> Result<Option<String>, StoreError> {
    let Some(contact) = tx.get::<Contact>(contact.0)? else { return Ok(None) };
    let first = contacts::emails_of(tx, &contact)?.into_iter().next();
    Ok(first.map(|email| masked(&email.address)))
}

/// An address with the first letter of its local part alone.
pub(in crate::ops) fn masked(address: &EmailAddress) -> String {
    let first: String = address.as_str().chars().take(1).collect();
    format!("{first}…@{}", address.domain())
}

/// The outcome of a person's request to leave a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaving {
    /// The membership ended.
    Left,
    /// The request waits for approval.
    Waits,
    /// The person was no member.
    NoMember,
    /// The list does not let its members leave on their own.
    Closed,
}

/// The state of an unsubscribe link's person in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// A member.
    Member,
    /// A member whose request to leave waits for approval.
    Waiting,
    /// A person who left by the link and may still undo that.
    Left,
    /// A person who is no member, and has nothing to undo.
    Gone,
}

/// Finds the list and the person of an unsubscribe link; `None` if one of them is gone.
pub fn place(
    tx: &impl Read,
    contact: ContactId,
    list: ListId,
    now: Timestamp,
) -> Result<Option<Place>, StoreError> {
    let (Some(contact), Some(list)) = (tx.get::<Contact>(contact.0)?, tx.get::<List>(list.0)?) else {
        return Ok(None);
    };
    if contact.account != list.account {
        return Ok(None);
    }
    let standing = if find_member(tx, &contact, list.id)?.is_some() {
        let is_waiting = find_request(tx, &contact, &list)?.is_some();
        if is_waiting { Standing::Waiting } else { Standing::Member }
    } else if find_undoable(tx, &contact, &list, now)?.is_some() {
        Standing::Left
    } else {
        Standing::Gone
    };
    let has_left = !is_member(standing) && find_departure(tx, &contact, list.id, now)?.is_some();
    let account = tx.get::<Account>(list.account.0)?;
    let asks_twice = account.is_some_and(|account| account.settings.unsubscribe_confirm);
    let unsubscriptions = unsubscriptions(tx, &list)?;
    Ok(Some(Place { list, standing, has_left, unsubscriptions, asks_twice }))
}

fn is_member(standing: Standing) -> bool {
    matches!(standing, Standing::Member | Standing::Waiting)
}

/// How people leave a list: as it says itself, else as its account says.
pub fn unsubscriptions(tx: &impl Read, list: &List) -> Result<Subscriptions, StoreError> {
    let account = tx.get::<Account>(list.account.0)?;
    Ok(account.map_or(Subscriptions::Open, |account| requests::unsubscriptions(&account, list)))
}

fn key(contact: &Contact, list: ListId) -> Key {
    Key::new().u64(contact.account.0).u64(contact.id.0).u64(list.0)
}

/// The membership of a contact in a list.
pub(super) fn find_member(
    tx: &impl Read,
    contact: &Contact,
    list: ListId,
) -> Result<Option<u64>, StoreError> {
    tx.find_id(&MEMBERSHIP_BY_CONTACT, &key(contact, list))
}

/// The departure that the person may undo now, if there is one.
fn find_undoable(
    tx: &impl Read,
    contact: &Contact,
    list: &List,
    now: Timestamp,
) -> Result<Option<Departure>, StoreError> {
    let Some(departure) = find_departure(tx, contact, list.id, now)? else { return Ok(None) };
    Ok((!is_closed(tx, list)?).then_some(departure))
}

/// The record of the person's leave, if its time is not over.
fn find_departure(
    tx: &impl Read,
    contact: &Contact,
    list: ListId,
    now: Timestamp,
) -> Result<Option<Departure>, StoreError> {
    let departure: Option<Departure> = tx.find(&DEPARTURE_BY_CONTACT, &key(contact, list))?;
    Ok(departure.filter(|departure| now < departure.due()))
}

/// Whether nobody can join the list without an administrator.
fn is_closed(tx: &impl Read, list: &List) -> Result<bool, StoreError> {
    let account = tx.get::<Account>(list.account.0)?;
    Ok(account.is_none_or(|account| requests::subscriptions(&account, list) == Subscriptions::Closed))
}

/// The person of a link, as the caller of operations; `None` if the contact is gone.
pub fn person(
    tx: &impl Read,
    contact: ContactId,
    (via, client): (Via, Option<IpAddr>),
) -> Result<Option<Caller>, StoreError> {
    Ok(tx.get::<Contact>(contact.0)?.map(|contact| Caller::member(&contact, via, client)))
}

/// Carries out the request of the member `caller` to leave a list, as the list says: at once, after approval, or not at
/// all. Asking again while a request waits changes nothing.
pub fn ask_to_leave(
    tx: &mut WriteTx,
    caller: &Caller,
    list: ListId,
    now: Timestamp,
) -> Result<Leaving, OpError> {
    let contact = own::contact(tx, caller)?;
    let Some(list) = tx.get::<List>(list.0)?.filter(|list| list.account == contact.account) else {
        return Ok(Leaving::NoMember);
    };
    if find_member(tx, &contact, list.id)?.is_none() {
        if unsubscriptions(tx, &list)? != Subscriptions::Closed {
            stay_out(tx, caller, &contact, list.id, now)?;
        }
        return Ok(Leaving::NoMember);
    }
    match unsubscriptions(tx, &list)? {
        Subscriptions::Closed => Ok(Leaving::Closed),
        Subscriptions::Open => leave(tx, caller, list.id, now).map(|()| Leaving::Left),
        Subscriptions::OpenConfirm => {
            let emails = contacts::emails_of(tx, &contact)?;
            if find_request_of(tx, &emails, &list)?.is_none()
                && let Some(email) = emails.iter().find(|email| !email.paused).or(emails.first())
            {
                let (kind, name) = (PendingKind::Unsubscription, contact.name());
                let request = NewRequest { kind, list: &list, address: &email.address, name: &name };
                approval::ask(tx, caller, request, now)?;
            }
            Ok(Leaving::Waits)
        }
    }
}

/// The request of a contact to leave a list that waits for approval.
fn find_request(tx: &impl Read, contact: &Contact, list: &List) -> Result<Option<Pending>, StoreError> {
    find_request_of(tx, &contacts::emails_of(tx, contact)?, list)
}

fn find_request_of(tx: &impl Read, emails: &[Email], list: &List) -> Result<Option<Pending>, StoreError> {
    for email in emails {
        let found = approval::find_waiting(tx, list, PendingKind::Unsubscription, &email.address)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Ends the membership of the member `caller` in a list and stores what an undo needs, whatever the list says of
/// leaving. Calling it again changes nothing, since a mail program may send the form twice.
pub fn leave(tx: &mut WriteTx, caller: &Caller, list: ListId, now: Timestamp) -> Result<(), OpError> {
    let contact = own::contact(tx, caller)?;
    carry_out(tx, caller, &contact, list, now)
}

/// Ends the membership of a contact that asked for it, on behalf of `caller`, who may decide that; an undo stays
/// possible. Nobody is put back by an administrator who asked to leave after being removed.
pub(in crate::ops) fn carry_out(
    tx: &mut WriteTx,
    caller: &Caller,
    person: &Contact,
    list: ListId,
    now: Timestamp,
) -> Result<(), OpError> {
    let Some(id) = find_member(tx, person, list)? else { return stay_out(tx, caller, person, list, now) };
    let Some(membership) = tx.get::<Membership>(id)? else { return Ok(()) };
    memberships::remove(tx, caller, &membership, now)?;
    forget_departure(tx, person, list)?;
    // The request has its way, whoever decides about it later.
    if let Some(list) = tx.get::<List>(list.0)?
        && let Some(request) = find_request(tx, person, &list)?
    {
        tx.delete::<Pending>(request.id.0)?;
    }
    announcements::left(tx, caller, list, person.id, now)?;
    let Membership { id: _, account, contact, list, digest, paused, joined } = membership;
    let way = if caller.actor().via == Via::Mail { LeaveWay::Mail } else { LeaveWay::Link };
    opt_outs::note_contact(tx, person, Some(list), way_of(caller), now)?;
    let id = DepartureId(tx.next_id::<Departure>()?);
    Ok(tx.put(&Departure {
        id,
        account,
        list,
        contact,
        way,
        time: now,
        reason: None,
        digest,
        paused,
        joined,
    })?)
}

/// How `caller` has a person opt out.
fn way_of(caller: &Caller) -> OptOutWay {
    let actor = caller.actor();
    match (&actor.kind, actor.via) {
        (ActorKind::Member(_), Via::Mail) => OptOutWay::Mail,
        (ActorKind::Member(_), Via::Link) => OptOutWay::Link,
        (ActorKind::Member(_), _) => OptOutWay::Page,
        _ => OptOutWay::Request,
    }
}

/// Notes that somebody whom an administrator took off a list, which can still be undone, asked to leave it as well.
/// Nothing happens to others, nor when they ask again.
fn stay_out(
    tx: &mut WriteTx,
    caller: &Caller,
    person: &Contact,
    list: ListId,
    now: Timestamp,
) -> Result<(), OpError> {
    let of_contact = IndexRange::prefix(Key::new().u64(person.account.0).u64(person.id.0)).backward();
    let changes: Vec<Undo> = tx.page(&UNDO_BY_CONTACT, &of_contact, UNDO_ROWS_MAX)?;
    let removed = changes
        .iter()
        .find(|undo| matches!(undo.change, UndoChange::MemberRemoved { list: other, .. } if other == list));
    let Some(removed) = removed else { return Ok(()) };
    let is_its = |out: &OptOut| out.list == Some(list) && removed.made <= out.time;
    if opt_outs::of_contact(tx, person)?.iter().any(is_its) {
        return Ok(());
    }
    opt_outs::note_contact(tx, person, Some(list), way_of(caller), now)?;
    let name = tx.get::<List>(list.0)?.map(|list| list.name.to_string()).unwrap_or_default();
    let note = audit::Note::new(AuditAction::MembershipUpdated, 0).about(person.id);
    audit::note(tx, caller, note.detail(&format!("{name}: opted out")), now)?;
    Ok(())
}

/// Keeps the words in which the person `caller`, who left a list, says why; they are forgotten with the record of the
/// leave. Returns whether there is such a record.
pub fn give_reason(
    tx: &mut WriteTx,
    caller: &Caller,
    list: ListId,
    reason: &str,
    now: Timestamp,
) -> Result<bool, OpError> {
    let contact = own::contact(tx, caller)?;
    let Some(mut departure) = find_departure(tx, &contact, list, now)? else { return Ok(false) };
    if find_member(tx, &contact, list)?.is_some() {
        return Ok(false);
    }
    let is_text = |c: &char| !c.is_control() || *c == '\n';
    let reason: String = reason.trim().chars().filter(is_text).take(REASON_CHARS_MAX).collect();
    if reason.is_empty() || departure.reason.as_ref() == Some(&reason) {
        return Ok(true);
    }
    departure.reason = Some(reason);
    tx.put(&departure)?;
    announcements::said_why(tx, caller, list, contact.id, now)?;
    let name = tx.get::<List>(list.0)?.map(|list| list.name.to_string()).unwrap_or_default();
    let given = audit::Note::new(AuditAction::MembershipUpdated, 0).about(contact.id);
    audit::note(tx, caller, given.detail(&format!("{name}: reason")), now)?;
    Ok(true)
}

/// Undoes [`leave`] for the member `caller`: the membership is restored as it was. Calling it again changes nothing.
pub fn undo_leave(
    tx: &mut WriteTx,
    caller: &Caller,
    list: ListId,
    now: Timestamp,
) -> Result<Standing, OpError> {
    let contact = own::contact(tx, caller)?;
    let list: List = tx
        .get(list.0)?
        .filter(|list: &List| list.account == contact.account)
        .ok_or(OpError::NotFound { what: "list" })?;
    if find_member(tx, &contact, list.id)?.is_some() {
        return Ok(Standing::Member);
    }
    let Some(departure) = find_undoable(tx, &contact, &list, now)? else { return Ok(Standing::Gone) };
    opt_outs::end(tx, &contact, list.id)?;
    let name = list.name;
    let Departure {
        id: departure,
        account,
        list,
        contact,
        way: _,
        time: _,
        reason: _,
        digest,
        paused,
        joined,
    } = departure;
    tx.delete::<Departure>(departure.0)?;
    let id = MembershipId(tx.next_id::<Membership>()?);
    let membership = Membership { id, account, contact, list, digest, paused, joined };
    tx.put(&membership)?;
    announcements::joined(tx, caller, list, contact, now)?;
    let back = memberships::noted(AuditAction::MembershipCreated, &membership);
    audit::note(tx, caller, back.detail(name.as_str()), now)?;
    Ok(Standing::Member)
}

/// Deletes the record of a contact's departure from a list, so that it cannot be undone.
pub(in crate::ops) fn forget_departure(
    tx: &mut WriteTx,
    contact: &Contact,
    list: ListId,
) -> Result<(), StoreError> {
    if let Some(departure) = tx.find_id(&DEPARTURE_BY_CONTACT, &key(contact, list))? {
        tx.delete::<Departure>(departure)?;
    }
    Ok(())
}
