//! Addresses of contacts: each belongs to one contact of its account. Nothing here decides whether an address can
//! receive mail; bounces and probes do.

use crate::clock::Timestamp;
use crate::model::address::AddressError;
use crate::model::{
    Account, AuditAction, Contact, ContactId, Email, EmailAddress, EmailId, EmailPause, FirstEmail,
    Permission,
};
use crate::ops::audit::{self, Note, changed_fields};
use crate::ops::patterns::{AddressJudgement, Permit};
use crate::ops::people::contacts::{self, ContactName, account_of};
use crate::ops::people::{approval, first_email, requests};
use crate::ops::{Caller, Change, OpError, Problems, Wrong};
use crate::schema::{EMAIL_BY_ADDRESS, EMAIL_BY_CONTACT};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx, is_stored_alike};

/// The address in a call; fields that it leaves out do not change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EmailInput {
    /// The id of the address record, among those of a contact.
    pub id: Option<EmailId>,
    /// The address itself.
    pub address: Change<EmailAddress>,
    /// Whether it receives daily digests.
    pub digest: Change<bool>,
    /// Whether delivery to it is paused.
    pub paused: Change<bool>,
    /// Custom identifier.
    pub ceid: Change<Option<String>>,
    /// Whether `restrict_contact` permits the address, according to
    /// [`Core::judge_addresses`](crate::service::Core::judge_addresses).
    pub judgement: AddressJudgement,
}

/// An address and the name of its contact in calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailDetail {
    /// The record.
    pub email: Email,
    /// The contact it belongs to.
    pub contact: ContactName,
}

/// Notes a problem of `field` if the patterns of `restrict_contact` exclude an address. Write jobs match no patterns
/// themselves: if the patterns were changed since they were matched, that is a conflict.
fn check_address(
    account: &Account,
    field: &'static str,
    input: &EmailInput,
    problems: &mut Problems,
) -> Result<(), OpError> {
    let AddressJudgement { patterns, permit } = &input.judgement;
    let Some(address) = &input.address else { return Ok(()) };
    if account.settings.restrict_contact != **patterns {
        return Err(OpError::conflict(field, Wrong::PatternsChanged));
    }
    match permit {
        Permit::Granted => {}
        Permit::Refused => {
            problems.add(field, Wrong::AddressRefused { address: address.clone() });
        }
        Permit::Unjudged(unjudged) => {
            problems.add(field, Wrong::AddressUnjudged { address: address.clone(), unjudged: *unjudged });
        }
    }
    Ok(())
}

/// The position in `current` of the address that `wanted` refers to: by its id, or by the address itself.
fn place(current: &[Email], wanted: &EmailInput) -> Option<usize> {
    let by_id = wanted.id.and_then(|id| current.iter().position(|email| email.id == id));
    by_id.or_else(|| {
        let folded = wanted.address.as_ref()?.folded();
        current.iter().position(|email| email.address.folded() == folded)
    })
}

/// Notes the problems of the addresses that a contact shall have.
pub(in crate::ops) fn check(
    account: &Account,
    current: &[Email],
    wanted: &[EmailInput],
    problems: &mut Problems,
) -> Result<(), OpError> {
    for input in wanted {
        let old = place(current, input).and_then(|place| current.get(place));
        match (&input.address, old) {
            (None, None) => problems.add("emails", AddressError::Empty),
            (Some(address), old) if old.is_none_or(|old| old.address.folded() != address.folded()) => {
                check_address(account, "emails", input, problems)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Replaces the addresses `current` of a contact by `wanted`; those that stay keep their id and flags.
pub(in crate::ops) fn replace(
    tx: &mut WriteTx<'_>,
    contact: &Contact,
    mut current: Vec<Email>,
    wanted: Vec<EmailInput>,
) -> Result<Vec<Email>, OpError> {
    let mut emails: Vec<Email> = Vec::with_capacity(wanted.len());
    let mut added: Vec<EmailInput> = Vec::new();
    for input in wanted {
        if let Some(place) = place(&current, &input) {
            let old = current.swap_remove(place);
            let new = changed(old.clone(), input);
            if !is_stored_alike(&new, &old)? {
                change(tx, &old, &new, "emails")?;
            }
            emails.push(new);
        } else {
            added.push(input);
        }
    }
    // Removed addresses are deleted before new ones are stored, so that an address can move between records.
    for gone in current {
        remove(tx, &gone)?;
    }
    for input in added {
        let Some(address) = input.address.clone() else { continue };
        let is_repeated = emails.iter().any(|email| email.address.folded() == address.folded());
        if !is_repeated {
            emails.push(add(tx, contact, address, input, "emails")?);
        }
    }
    let first: Option<FirstEmail> = tx.get(contact.id.0)?;
    first_email::sort(&mut emails, first.as_ref());
    Ok(emails)
}

/// Deletes an address with the requests that its owner made, without a note in the audit log.
pub(in crate::ops) fn remove(tx: &mut WriteTx<'_>, email: &Email) -> Result<(), StoreError> {
    approval::forget(tx, email.account, &email.address)?;
    requests::forget_address(tx, email.account, &email.address)?;
    first_email::forget(tx, email)?;
    tx.delete::<EmailPause>(email.id.0)?;
    tx.delete::<Email>(email.id.0)?;
    Ok(())
}

/// Whether two states of a contact's addresses are stored alike, including upper and lower case.
pub(in crate::ops) fn are_stored_alike(one: &[Email], other: &[Email]) -> Result<bool, StoreError> {
    if one.len() != other.len() {
        return Ok(false);
    }
    for (one, other) in one.iter().zip(other) {
        if !is_stored_alike(one, other)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn changed(mut email: Email, input: EmailInput) -> Email {
    let EmailInput { id: _, address, digest, paused, ceid, judgement: _ } = input;
    if let Some(address) = address {
        if address.folded() != email.address.folded() {
            // A different address was not confirmed by anybody, and nothing is known of its deliveries. A change of
            // case alone keeps both.
            email.confirmed = false;
            email.forget_bounces();
        }
        email.address = address;
    }
    email.digest = digest.unwrap_or(email.digest);
    match paused {
        Some(false) if email.paused => email.restore(),
        Some(true) => email.pause_by_hand(),
        Some(false) | None => {}
    }
    email.ceid = ceid.unwrap_or(email.ceid);
    email
}

/// Puts another address, whose owner confirmed it, in the place of one: whatever is set for that one stays.
pub(in crate::ops) fn replace_address(
    tx: &mut WriteTx<'_>,
    old: &Email,
    address: EmailAddress,
) -> Result<(), OpError> {
    let new = changed(old.clone(), EmailInput { address: Some(address), ..EmailInput::default() });
    change(tx, old, &Email { confirmed: true, ..new }, "email")
}

/// Adds an address to a contact; nothing is checked but that the address is free.
pub(in crate::ops) fn add(
    tx: &mut WriteTx<'_>,
    contact: &Contact,
    address: EmailAddress,
    input: EmailInput,
    field: &'static str,
) -> Result<Email, OpError> {
    let EmailInput { id: _, address: _, digest, paused, ceid, judgement: _ } = input;
    let email = Email {
        id: EmailId(tx.next_id::<Email>()?),
        account: contact.account,
        contact: contact.id,
        address,
        digest: digest.unwrap_or(false),
        paused: paused.unwrap_or(false),
        confirmed: false,
        ceid: ceid.flatten(),
        evidence: None,
    };
    put(tx, &email, field)?;
    Ok(email)
}

/// Stores a changed address. Another address is as if the old one was deleted.
fn change(tx: &mut WriteTx<'_>, old: &Email, new: &Email, field: &'static str) -> Result<(), OpError> {
    if new.address.folded() != old.address.folded() {
        approval::forget(tx, old.account, &old.address)?;
        requests::forget_address(tx, old.account, &old.address)?;
    }
    if new.paused != old.paused {
        // Somebody has decided otherwise than until that day.
        tx.delete::<EmailPause>(new.id.0)?;
    }
    put(tx, new, field)
}

fn put(tx: &mut WriteTx<'_>, email: &Email, field: &'static str) -> Result<(), OpError> {
    tx.put(email).map_err(|error| match error {
        StoreError::Duplicate { index } if index == EMAIL_BY_ADDRESS.name() => {
            OpError::conflict(field, Wrong::Taken { name: email.address.to_string() })
        }
        other => other.into(),
    })
}

/// The address record in a call, by its id or the address itself, if it exists for the caller.
pub(in crate::ops) fn find(tx: &impl Read, caller: &Caller, name: &str) -> Result<Option<Email>, OpError> {
    let account = caller.account;
    if name.contains('@') {
        let Ok(address) = EmailAddress::parse(name) else { return Ok(None) };
        let email = tx.find(&EMAIL_BY_ADDRESS, &Key::new().u64(account.0).text(&address.folded()))?;
        return Ok(seen(tx, caller, email)?);
    }
    let Some(id) = contacts::parse_id(name) else { return Ok(None) };
    let email = tx.get::<Email>(id)?.filter(|email| email.account == account);
    Ok(seen(tx, caller, email)?)
}

/// The address, if its contact exists for the caller.
fn seen(tx: &impl Read, caller: &Caller, email: Option<Email>) -> Result<Option<Email>, StoreError> {
    let Some(email) = email else { return Ok(None) };
    Ok(caller.sees_contact(tx, email.contact)?.then_some(email))
}

fn get_record(tx: &impl Read, caller: &Caller, name: &str) -> Result<Email, OpError> {
    find(tx, caller, name)?.ok_or(OpError::NotFound { what: "email" })
}

fn detail(tx: &impl Read, account: &Account, email: Email) -> Result<EmailDetail, StoreError> {
    let contact = contacts::name_of_id(tx, account, email.contact)?;
    Ok(EmailDetail { email, contact })
}

/// One address, by its id or the address itself.
pub fn get(tx: &impl Read, caller: &Caller, name: &str) -> Result<EmailDetail, OpError> {
    caller.require_read()?;
    let account = account_of(tx, caller)?;
    let email = get_record(tx, caller, name)?;
    Ok(detail(tx, &account, email)?)
}

/// Adds an address to a contact.
pub fn create(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    contact: Option<&str>,
    input: EmailInput,
    mut problems: Problems,
    now: Timestamp,
) -> Result<EmailDetail, OpError> {
    caller.require(Permission::ManageMembers)?;
    let account = account_of(tx, caller)?;
    let contact = match contact {
        Some(name) => contacts::find(tx, caller, &account, name)?,
        None => None,
    };
    if contact.is_none() {
        problems.add("contact", Wrong::MustNameContact);
    }
    match &input.address {
        Some(_) => check_address(&account, "email", &input, &mut problems)?,
        None => problems.add("email", AddressError::Empty),
    }
    let (Some(contact), Some(address)) = (contact, input.address.clone()) else {
        return Err(problems.into_result().err().unwrap_or(OpError::NotFound { what: "contact" }));
    };
    caller.require_whole(tx, contact.id)?;
    let range = IndexRange::prefix(Key::new().u64(account.id.0).u64(contact.id.0));
    let room = contacts::EMAILS_PER_CONTACT_MAX;
    if tx.ids(&EMAIL_BY_CONTACT, &range, room)?.len() == room {
        problems.add("contact", Wrong::NoMoreAddresses { max: room });
    }
    problems.into_result()?;
    let email = add(tx, &contact, address, input, "email")?;
    let made = Note::new(AuditAction::EmailCreated, email.id.0).about(contact.id);
    audit::note(tx, caller, made, now)?;
    Ok(EmailDetail { email, contact: contacts::name_of(&account, &contact) })
}

/// Changes an address or its flags; `contact`, if given, must be its owner.
pub fn update(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    name: &str,
    contact: Option<&str>,
    input: EmailInput,
    mut problems: Problems,
    now: Timestamp,
) -> Result<EmailDetail, OpError> {
    caller.require(Permission::ManageMembers)?;
    let account = account_of(tx, caller)?;
    let old = get_record(tx, caller, name)?;
    if !is_contact(tx, caller, &account, contact, old.contact)? {
        problems.add("contact", Wrong::CannotChange);
    }
    if input.address.as_ref().is_some_and(|address| address.folded() != old.address.folded()) {
        check_address(&account, "email", &input, &mut problems)?;
    }
    problems.into_result()?;
    let new = changed(old.clone(), input);
    if !is_stored_alike(&new, &old)? {
        caller.require_whole(tx, new.contact)?;
        change(tx, &old, &new, "email")?;
        let changed = Note::new(AuditAction::EmailUpdated, new.id.0).about(new.contact);
        audit::note(tx, caller, changed.fields(&changed_fields(&old, &new)), now)?;
    }
    Ok(detail(tx, &account, new)?)
}

/// Whether `name` refers to the contact `id`; an unset name always does.
pub(in crate::ops) fn is_contact(
    tx: &impl Read,
    caller: &Caller,
    account: &Account,
    name: Option<&str>,
    id: ContactId,
) -> Result<bool, StoreError> {
    let Some(name) = name else { return Ok(true) };
    Ok(contacts::find(tx, caller, account, name)?.is_some_and(|contact| contact.id == id))
}

/// Deletes an address; the last one takes its contact with it.
pub fn delete(tx: &mut WriteTx<'_>, caller: &Caller, name: &str, now: Timestamp) -> Result<(), OpError> {
    caller.require(Permission::ManageMembers)?;
    let email = get_record(tx, caller, name)?;
    caller.require_whole(tx, email.contact)?;
    let range = IndexRange::prefix(Key::new().u64(email.account.0).u64(email.contact.0));
    let is_last = tx.ids(&EMAIL_BY_CONTACT, &range, 2)?.len() == 1;
    match tx.get::<Contact>(email.contact.0)? {
        Some(contact) if is_last => {
            contacts::remove(tx, &contact)?;
            let deleted = Note::new(AuditAction::ContactDeleted, contact.id.0).about(contact.id);
            audit::note(tx, caller, deleted, now)?;
        }
        _ => {
            remove(tx, &email)?;
            let deleted = Note::new(AuditAction::EmailDeleted, email.id.0).about(email.contact);
            audit::note(tx, caller, deleted, now)?;
        }
    }
    Ok(())
}
