//! Makes the members of a list those of a file that another program writes: an address book, a directory, a database.
//!
//! `control` calls [`take`] for each row, and [`take_out`] for the members whom no row names. Each change has an entry
//! of its own in the audit log. Members who are taken out stay contacts, and have not opted out.

use std::collections::{BTreeSet, HashSet};

use crate::clock::Timestamp;
use crate::model::{AuditAction, Contact, ContactId, Email, List, Membership, Permission};
use crate::ops::audit::{self, Note};
use crate::ops::by_contact::of_contacts;
use crate::ops::people::contacts::{account_of, ids_of_list, members_of};
use crate::ops::people::imports::{self, Existing, Outcome, Row};
use crate::ops::people::{memberships, subscribe};
use crate::ops::{Caller, OpError};
use crate::schema::EMAIL_BY_CONTACT;
use crate::store::{Read, StoreError, WriteTx};

/// Members whose addresses are read at a time.
const MEMBERS_AT_A_TIME: usize = 1000;

/// The members of a list whom a file does not name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unnamed {
    /// Their contacts, in their order.
    pub contacts: Vec<ContactId>,
    /// All members of the list.
    pub members: usize,
}

/// Takes a row in: adds the contact or changes it, puts it on the lists of the row, and notes what changed.
///
/// # Errors
/// As [`imports::take`].
pub fn take(tx: &mut WriteTx<'_>, caller: &Caller, row: Row, now: Timestamp) -> Result<Outcome, OpError> {
    let account = account_of(tx, caller)?;
    let input = row.contact.clone();
    let before = match imports::known(tx, &account, &input)? {
        Some(contact) => members_of(tx, caller, &contact)?,
        None => Vec::new(),
    };
    let outcome = imports::take(tx, caller, row, Existing::Update, now)?;
    if !matches!(outcome, Outcome::Created | Outcome::Updated) {
        return Ok(outcome);
    }
    let Some(Contact { id, .. }) = imports::known(tx, &account, &input)? else { return Ok(outcome) };
    let contact: Contact = tx.get(id.0)?.ok_or(OpError::NotFound { what: "contact" })?;
    let lists: BTreeSet<u64> = before.iter().map(|member| member.membership.list.0).collect();
    let mut joined = members_of(tx, caller, &contact)?;
    joined.retain(|member| !lists.contains(&member.membership.list.0));
    let action = match outcome {
        Outcome::Created => Some(AuditAction::ContactCreated),
        _ if joined.is_empty() => Some(AuditAction::ContactUpdated),
        _ => None,
    };
    if let Some(action) = action {
        audit::note(tx, caller, Note::new(action, id.0).about(id), now)?;
    }
    for member in joined {
        let made = memberships::noted(AuditAction::MembershipCreated, &member.membership);
        audit::note(tx, caller, made.detail(member.list.as_str()), now)?;
    }
    Ok(outcome)
}

/// The members of a list of whom `named` has no address, in small letters as [`EmailAddress::folded`] writes it.
///
/// [`EmailAddress::folded`]: crate::model::EmailAddress::folded
///
/// # Errors
/// If the store fails.
pub fn unnamed(
    tx: &impl Read,
    list: &List,
    named: &HashSet<String, impl std::hash::BuildHasher>,
) -> Result<Unnamed, StoreError> {
    let members = ids_of_list(tx, list)?;
    let mut unnamed = Unnamed { contacts: Vec::new(), members: members.len() };
    for part in members.chunks(MEMBERS_AT_A_TIME) {
        let ids: Vec<u64> = part.iter().map(|id| id.0).collect();
        let emails = of_contacts(tx, &EMAIL_BY_CONTACT, list.account, &ids, |email: &Email| email.contact)?;
        for (id, emails) in part.iter().zip(emails) {
            if !emails.iter().any(|email| named.contains(&email.address.folded())) {
                unnamed.contacts.push(*id);
            }
        }
    }
    Ok(unnamed)
}

/// Ends the memberships of contacts in a list; returns how many there were.
///
/// # Errors
/// `Forbidden` without the permission `manage_members`, or if the store fails.
pub fn take_out(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    list: &List,
    contacts: &[ContactId],
    now: Timestamp,
) -> Result<u64, OpError> {
    caller.require(Permission::ManageMembers)?;
    let mut left = 0;
    for id in contacts {
        let Some(contact) = tx.get::<Contact>(id.0)? else { continue };
        let membership: Option<Membership> = match subscribe::find_member(tx, &contact, list.id)? {
            Some(membership) => tx.get(membership)?,
            None => None,
        };
        if let Some(membership) = membership {
            memberships::end(tx, caller, &membership, now)?;
            left += 1;
        }
    }
    Ok(left)
}
