//! Imports contacts row by row: each row is taken whole or not at all.
//!
//! A row with an address or custom identifier that the account has already refers to that contact. The caller chooses
//! how such rows are treated. With any choice, importing the same rows again changes nothing, so an interrupted import
//! is completed by running it again.

use std::collections::BTreeSet;

use crate::clock::Timestamp;
use crate::model::{Account, AccountId, Contact, EmailAddress, Permission, words};
use crate::ops::people::contacts::{
    self, ContactInput, account_of, create_in, emails_of, members_of, update_record,
};
use crate::ops::people::emails::{self, EmailInput};
use crate::ops::people::memberships::{self, MemberInput, MemberSettings};
use crate::ops::{Caller, OpError};
use crate::schema::{CONTACT_BY_CCID, EMAIL_BY_ADDRESS, LIST_BY_NAME};
use crate::store::{Key, Read, StoreError, WriteTx};

words! {
    /// How a row for an existing contact is treated.
    Existing {
        /// The contact does not change.
        Skip = "skip",
        /// The contact takes over the values in the row; addresses and lists are added to those it has.
        Update = "update",
        /// The row is refused.
        Fail = "fail",
    }
}

/// The result of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// A contact was created.
    Created,
    /// An existing contact was changed.
    Updated,
    /// Nothing had to be changed.
    Skipped,
}

/// Imports one contact.
pub fn take(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    input: ContactInput,
    existing: Existing,
    now: Timestamp,
) -> Result<Outcome, OpError> {
    caller.require(Permission::ManageMembers)?;
    let account = account_of(tx, caller)?;
    let Some(contact) = known(tx, &account, &input)? else {
        create_in(tx, caller, &account, input, now)?;
        return Ok(Outcome::Created);
    };
    input.problems.clone().into_result()?;
    match existing {
        Existing::Skip => Ok(Outcome::Skipped),
        Existing::Fail => Err(OpError::Conflict {
            field: "emails",
            problem: format!("contact {} is there already", contact.id),
        }),
        Existing::Update => update(tx, caller, &account, contact, input, now),
    }
}

/// The outcome that importing a contact would have; nothing is written. The contact may still be refused later, if
/// somebody changes the address book in between.
pub fn rehearse(
    tx: &impl Read,
    caller: &Caller,
    account: &Account,
    input: &ContactInput,
    existing: Existing,
) -> Result<Outcome, OpError> {
    caller.require(Permission::ManageMembers)?;
    let contact = known(tx, account, input)?;
    let mut problems = input.problems.clone();
    let wanted = input.emails.clone().unwrap_or_default();
    if contact.is_none() && wanted.is_empty() {
        problems.add("emails", "at least one address is needed");
    }
    let lists = input.lists.clone().unwrap_or_default();
    let resolved = memberships::resolve(tx, caller, lists.clone(), &mut problems)?;
    if contact.is_none() && resolved.is_empty() && caller.limits.lists().is_some() {
        problems.add("lists", "one of the lists that you are limited to is needed");
    }
    let current = match &contact {
        Some(contact) => emails_of(tx, contact)?,
        None => Vec::new(),
    };
    emails::check(account, &current, &wanted, &mut problems)?;
    problems.into_result()?;
    let Some(contact) = contact else { return Ok(Outcome::Created) };
    match existing {
        Existing::Skip => return Ok(Outcome::Skipped),
        Existing::Fail => {
            let problem = format!("contact {} is there already", contact.id);
            return Err(OpError::Conflict { field: "emails", problem });
        }
        Existing::Update => {}
    }
    let members = members_of(tx, caller, &contact)?;
    let text = |new: &Option<String>, old: &String| new.as_ref().is_some_and(|new| new != old);
    let is_known = |wanted: &EmailInput| {
        let folded = wanted.address.as_ref().map(EmailAddress::folded);
        current.iter().any(|email| Some(email.address.folded()) == folded)
    };
    let is_on = |wanted: &MemberInput| {
        members.iter().any(|member| member.list.as_str().eq_ignore_ascii_case(&wanted.list))
    };
    let changes = text(&input.firstname, &contact.firstname)
        || text(&input.surname, &contact.surname)
        || text(&input.notes, &contact.notes)
        || input.ccid.as_ref().is_some_and(|ccid| *ccid != contact.ccid)
        || input
            .custom
            .iter()
            .any(|(field, value)| contact.custom.get(field).map_or("", String::as_str) != value)
        || !wanted.iter().all(is_known)
        || !lists.iter().all(is_on);
    Ok(if changes { Outcome::Updated } else { Outcome::Skipped })
}

/// The existing contact that a row refers to, if there is one.
fn known(tx: &impl Read, account: &Account, input: &ContactInput) -> Result<Option<Contact>, OpError> {
    let of_account = || Key::new().u64(account.id.0);
    let mut ids = BTreeSet::new();
    for address in input.emails.iter().flatten().filter_map(|email| email.address.as_ref()) {
        let email = tx.find(&EMAIL_BY_ADDRESS, &of_account().text(&address.folded()))?;
        ids.extend(email.map(|email| email.contact.0));
    }
    if let Some(Some(ccid)) = &input.ccid {
        ids.extend(tx.find_id(&CONTACT_BY_CCID, &of_account().text(ccid))?);
    }
    let mut ids = ids.into_iter();
    match (ids.next(), ids.next()) {
        (None, _) => Ok(None),
        (Some(id), None) => {
            let missing =
                || StoreError::corrupt("contact", format_args!("{id} is in an index and not there"));
            Ok(Some(tx.get::<Contact>(id)?.ok_or_else(missing)?))
        }
        (Some(one), Some(other)) => {
            let problem = format_args!("are those of different contacts, {one} and {other}");
            Err(OpError::invalid("emails", problem))
        }
    }
}

fn update(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    account: &Account,
    contact: Contact,
    mut input: ContactInput,
    now: Timestamp,
) -> Result<Outcome, OpError> {
    let (emails, members) = (emails_of(tx, &contact)?, members_of(tx, caller, &contact)?);
    if let Some(wanted) = &mut input.emails {
        let is_known = |wanted: &EmailInput| {
            let folded = wanted.address.as_ref().map(EmailAddress::folded);
            emails.iter().any(|email| Some(email.address.folded()) == folded)
        };
        wanted.retain(|wanted| !is_known(wanted));
        wanted.splice(
            0..0,
            emails.iter().map(|email| EmailInput { id: Some(email.id), ..EmailInput::default() }),
        );
    }
    if let Some(wanted) = &mut input.lists {
        let stay = members
            .iter()
            .map(|member| MemberInput { list: member.list.to_string(), settings: MemberSettings::default() });
        wanted.splice(0..0, stay);
    }
    let before = contacts::ContactDetail { contact: contact.clone(), emails, members };
    let after = update_record(tx, caller, account, contact, input, now)?;
    Ok(if after == before { Outcome::Skipped } else { Outcome::Updated })
}

/// Passes if an account has a list of this name.
pub fn check_list(tx: &impl Read, account: AccountId, name: &str) -> Result<(), OpError> {
    match tx.find_id(&LIST_BY_NAME, &Key::new().u64(account.0).text(&name.to_ascii_lowercase()))? {
        Some(_) => Ok(()),
        None => Err(OpError::invalid("list", format_args!("names no list of the account ({name:?})"))),
    }
}
