//! Leaving a list by a signed link, and undoing that. The pages and mailed unsubscribe requests call it.
//!
//! Leaving can be undone for a week, by the same link, as long as the list lets people join. A membership that an
//! administrator ended leaves no [`Departure`], so no link restores it.

use std::net::IpAddr;

use crate::clock::Timestamp;
use crate::model::account::Subscriptions;
use crate::model::{
    Account, ActorKind, AuditAction, Contact, ContactId, Departure, DepartureId, LeaveWay, List, ListId,
    Membership, MembershipId, Via,
};
use crate::ops::audit;
use crate::ops::people::memberships;
use crate::ops::{Caller, OpError};
use crate::schema::{DEPARTURE_BY_CONTACT, MEMBERSHIP_BY_CONTACT};
use crate::store::{Key, Read, StoreError, WriteTx};

/// The list of an unsubscribe link, and the state of its person there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The list of the link.
    pub list: List,
    /// Whether the person is a member now.
    pub standing: Standing,
}

/// The state of an unsubscribe link's person in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// A member.
    Member,
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
        Standing::Member
    } else if find_undoable(tx, &contact, &list, now)?.is_some() {
        Standing::Left
    } else {
        Standing::Gone
    };
    Ok(Some(Place { list, standing }))
}

fn key(contact: &Contact, list: ListId) -> Key {
    Key::new().u64(contact.account.0).u64(contact.id.0).u64(list.0)
}

fn find_member(tx: &impl Read, contact: &Contact, list: ListId) -> Result<Option<u64>, StoreError> {
    tx.find_id(&MEMBERSHIP_BY_CONTACT, &key(contact, list))
}

/// The departure that the person may undo now, if there is one.
fn find_undoable(
    tx: &impl Read,
    contact: &Contact,
    list: &List,
    now: Timestamp,
) -> Result<Option<Departure>, StoreError> {
    let departure: Option<Departure> = tx.find(&DEPARTURE_BY_CONTACT, &key(contact, list.id))?;
    let Some(departure) = departure.filter(|departure| now < departure.due()) else { return Ok(None) };
    Ok((!is_closed(tx, list)?).then_some(departure))
}

/// Whether nobody can join the list without an administrator.
fn is_closed(tx: &impl Read, list: &List) -> Result<bool, StoreError> {
    let subscriptions = match list.subscriptions {
        Some(own) => Some(own),
        None => tx.get::<Account>(list.account.0)?.map(|account| account.settings.subscriptions),
    };
    Ok(subscriptions.is_none_or(|subscriptions| subscriptions == Subscriptions::Closed))
}

/// The person of a link, as the caller of operations; `None` if the contact is gone.
pub fn person(
    tx: &impl Read,
    contact: ContactId,
    (via, client): (Via, Option<IpAddr>),
) -> Result<Option<Caller>, StoreError> {
    Ok(tx.get::<Contact>(contact.0)?.map(|contact| Caller::member(&contact, via, client)))
}

/// Ends the membership of the member `caller` in a list and stores what an undo needs. Calling it again changes
/// nothing, since a mail program may send the form twice.
pub fn leave(tx: &mut WriteTx, caller: &Caller, list: ListId, now: Timestamp) -> Result<(), OpError> {
    let contact = own_record(tx, caller)?;
    let Some(id) = find_member(tx, &contact, list)? else { return Ok(()) };
    let Some(membership) = tx.get::<Membership>(id)? else { return Ok(()) };
    memberships::end(tx, caller, &membership, now)?;
    forget_departure(tx, &contact, list)?;
    let Membership { id: _, account, contact, list, digest, joined } = membership;
    let way = if caller.actor().via == Via::Mail { LeaveWay::Mail } else { LeaveWay::Link };
    let id = DepartureId(tx.next_id::<Departure>()?);
    Ok(tx.put(&Departure { id, account, list, contact, way, time: now, reason: None, digest, joined })?)
}

/// The caller's own contact.
fn own_record(tx: &impl Read, caller: &Caller) -> Result<Contact, OpError> {
    let contact = match caller.actor().kind {
        ActorKind::Member(id) => tx.get::<Contact>(id.0)?,
        _ => None,
    };
    contact.ok_or(OpError::NotFound { what: "contact" })
}

/// Undoes [`leave`] for the member `caller`: the membership is restored as it was. Calling it again changes nothing.
pub fn undo_leave(
    tx: &mut WriteTx,
    caller: &Caller,
    list: ListId,
    now: Timestamp,
) -> Result<Standing, OpError> {
    let contact = own_record(tx, caller)?;
    let list: List = tx
        .get(list.0)?
        .filter(|list: &List| list.account == contact.account)
        .ok_or(OpError::NotFound { what: "list" })?;
    if find_member(tx, &contact, list.id)?.is_some() {
        return Ok(Standing::Member);
    }
    let Some(departure) = find_undoable(tx, &contact, &list, now)? else { return Ok(Standing::Gone) };
    let name = list.name;
    let Departure { id: departure, account, list, contact, way: _, time: _, reason: _, digest, joined } =
        departure;
    tx.delete::<Departure>(departure.0)?;
    let id = MembershipId(tx.next_id::<Membership>()?);
    let membership = Membership { id, account, contact, list, digest, joined };
    tx.put(&membership)?;
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
