//! The lists of a member: those it belongs to, with the evidence of that, and those it has just left.

use std::collections::HashSet;

use crate::clock::Timestamp;
use crate::model::account::Subscriptions;
use crate::model::pending::PendingKind;
use crate::model::{Contact, Departure, EmailAddress, List, ListId, Membership};
use crate::ops::people::memberships::{self, MemberSettings};
use crate::ops::people::own::Me;
use crate::ops::people::requests::{self, Outcome};
use crate::ops::people::subscribe::{self, Standing};
use crate::ops::people::{approval, contacts, own};
use crate::ops::{Caller, OpContext, OpError};
use crate::schema::{DEPARTURE_BY_CONTACT, LIST_BY_ACCOUNT, MEMBERSHIP_BY_CONTACT};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Lists that can be joined on one page.
const LISTS_PER_PAGE: usize = 50;
/// Lists that are looked at for one page.
const LOOKED_AT_MAX: usize = 500;

/// A list to which the member belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnList {
    /// The membership, with how it began.
    pub membership: Membership,
    /// The list.
    pub list: List,
    /// Whether the member can leave, or has asked to.
    pub leaving: OwnLeaving,
}

/// The ways out of a list for one of its members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnLeaving {
    /// At once.
    AtOnce,
    /// After an administrator has approved.
    AfterApproval,
    /// The member has asked, and an administrator decides.
    Waits,
    /// None but an administrator's.
    Closed,
}

/// A list that the member left, and can join again as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftList {
    /// The list.
    pub list: List,
    /// Until when leaving can be undone.
    pub until: Timestamp,
}

/// A list that the member can join.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenList {
    /// The list.
    pub list: List,
    /// Whether joining has to be approved.
    pub needs_approval: bool,
    /// Whether the member has asked already.
    pub is_waiting: bool,
}

/// Some of the lists that a member can join.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenLists {
    /// The lists, oldest first.
    pub lists: Vec<OpenList>,
    /// The position behind the last list that was looked at; `None` at the end.
    pub next: Option<ListId>,
}

fn of_contact(contact: &Contact) -> Key {
    Key::new().u64(contact.account.0).u64(contact.id.0)
}

/// The lists of a member, in the order in which it joined them.
///
/// # Errors
/// If the store fails.
pub fn list(tx: &impl Read, contact: &Contact, now: Timestamp) -> Result<Vec<OwnList>, StoreError> {
    let range = IndexRange::prefix(of_contact(contact));
    let mut memberships: Vec<Membership> = tx.page(&MEMBERSHIP_BY_CONTACT, &range, usize::MAX)?;
    memberships.sort_unstable_by_key(|membership| membership.id);
    let mut lists = Vec::with_capacity(memberships.len());
    for membership in memberships {
        let Some(place) = subscribe::place(tx, contact.id, membership.list, now)? else { continue };
        let leaving = match (place.standing, place.unsubscriptions) {
            (Standing::Waiting, _) => OwnLeaving::Waits,
            (_, Subscriptions::Open) => OwnLeaving::AtOnce,
            (_, Subscriptions::OpenConfirm) => OwnLeaving::AfterApproval,
            (_, Subscriptions::Closed) => OwnLeaving::Closed,
        };
        lists.push(OwnList { membership, list: place.list, leaving });
    }
    Ok(lists)
}

/// The lists that a member left and may still come back to by an undo.
///
/// # Errors
/// If the store fails.
pub fn left(tx: &impl Read, contact: &Contact, now: Timestamp) -> Result<Vec<LeftList>, StoreError> {
    let range = IndexRange::prefix(of_contact(contact));
    let departures: Vec<Departure> = tx.page(&DEPARTURE_BY_CONTACT, &range, usize::MAX)?;
    let mut lists = Vec::new();
    for departure in departures {
        let place = subscribe::place(tx, contact.id, departure.list, now)?;
        let undoable = place.filter(|place| place.standing == Standing::Left);
        lists.extend(undoable.map(|place| LeftList { list: place.list, until: departure.due() }));
    }
    Ok(lists)
}

/// The lists behind `after` that a member can join without an administrator's help, a page of them: neither its own
/// nor those that it can come back to by an undo.
///
/// # Errors
/// If the store fails.
pub fn open(tx: &impl Read, me: &Me, after: ListId, now: Timestamp) -> Result<OpenLists, StoreError> {
    let Me { contact, account, fields: _ } = me;
    let of_account = IndexRange::prefix(Key::new().u64(account.id.0));
    let looked_at = tx.ids(&LIST_BY_ACCOUNT, &of_account.after_id(after.0), LOOKED_AT_MAX)?;
    let mut waiting = Vec::new();
    for email in contacts::emails_of(tx, contact)? {
        waiting.extend(approval::waiting_lists(tx, account.id, PendingKind::Subscription, &email.address)?);
    }
    let of_contact = IndexRange::prefix(of_contact(contact));
    let memberships: Vec<Membership> = tx.page(&MEMBERSHIP_BY_CONTACT, &of_contact, usize::MAX)?;
    let mut departures: Vec<Departure> = tx.page(&DEPARTURE_BY_CONTACT, &of_contact, usize::MAX)?;
    departures.retain(|departure| now < departure.due());
    let left = departures.iter().map(|departure| departure.list);
    let taken: HashSet<ListId> = memberships.iter().map(|membership| membership.list).chain(left).collect();
    let mut lists = Vec::new();
    for id in &looked_at {
        if lists.len() == LISTS_PER_PAGE {
            return Ok(OpenLists { next: lists.last().map(|open: &OpenList| open.list.id), lists });
        }
        let Some(list) = tx.get::<List>(*id)? else { continue };
        let subscriptions = requests::subscriptions(account, &list);
        if list.pending || subscriptions == Subscriptions::Closed || taken.contains(&list.id) {
            continue;
        }
        let needs_approval = subscriptions == Subscriptions::OpenConfirm;
        lists.push(OpenList { needs_approval, is_waiting: waiting.contains(&list.id), list });
    }
    let is_more = looked_at.len() == LOOKED_AT_MAX;
    Ok(OpenLists { lists, next: looked_at.last().filter(|_| is_more).map(|id| ListId(*id)) })
}

/// The address with which a member joins lists: the first one that was confirmed and takes mail.
///
/// # Errors
/// `NotFound` if the caller is no member.
pub fn joining_address(tx: &impl Read, caller: &Caller) -> Result<EmailAddress, OpError> {
    let emails = contacts::emails_of(tx, &own::contact(tx, caller)?)?;
    let confirmed = emails.iter().filter(|email| email.confirmed);
    let usable = confirmed.clone().find(|email| !email.paused).or(confirmed.clone().next());
    let email = usable.or(emails.first()).ok_or(OpError::NotFound { what: "email" })?;
    Ok(email.address.clone())
}

/// Has the member who acts join a list with an address of its own, which `restrict_contact_subscription` permits.
///
/// # Errors
/// `NotFound` if there is no such list in its account, or the address is not its own.
pub fn join(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    list: ListId,
    address: &EmailAddress,
) -> Result<Outcome, OpError> {
    let contact = own::contact(tx, &by.caller)?;
    let emails = contacts::emails_of(tx, &contact)?;
    if !emails.iter().any(|email| email.address == *address) {
        return Err(OpError::NotFound { what: "email" });
    }
    let list = tx.get::<List>(list.0)?.filter(|list| list.account == contact.account);
    let list = list.ok_or(OpError::NotFound { what: "list" })?;
    requests::join_as_contact(tx, by, &contact, address, &list)
}

/// The membership of the member who acts in a list, with the list.
fn own_membership(tx: &impl Read, caller: &Caller, list: ListId) -> Result<(Membership, List), OpError> {
    let contact = own::contact(tx, caller)?;
    let membership: Option<Membership> =
        tx.find(&MEMBERSHIP_BY_CONTACT, &of_contact(&contact).u64(list.0))?;
    match (membership, tx.get::<List>(list.0)?) {
        (Some(membership), Some(list)) => Ok((membership, list)),
        _ => Err(OpError::NotFound { what: "membership" }),
    }
}

/// Sets how the member who acts gets a list's messages.
///
/// # Errors
/// `NotFound` if the caller is no member of the list.
pub fn set(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    list: ListId,
    settings: MemberSettings,
) -> Result<List, OpError> {
    let (mut membership, list) = own_membership(tx, &by.caller, list)?;
    memberships::set(tx, &by.caller, &mut membership, &list.name, settings, by.now)?;
    Ok(list)
}
