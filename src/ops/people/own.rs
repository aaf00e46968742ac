//! The name, the addresses and the lists of the member who is signed in. Members' pages read and change them here.
//!
//! Every operation finds its contact by the caller, which a session proved; an id in a form only chooses among what
//! belongs to that contact, and anything else is not found. No step reads the other members of a list.

pub mod addresses;
pub mod lists;

use crate::model::{Account, ActorKind, AuditAction, Contact, CustomField, CustomFieldId, MemberFields};
use crate::ops::audit::{self, Note, changed_fields};
use crate::ops::{Caller, OpContext, OpError};
use crate::store::{Read, StoreError, WriteTx};

/// Most characters of a first name and of a surname, as in the API.
pub const NAME_CHARS_MAX: usize = 255;
/// Most characters of a value that a member gives a custom field.
pub const FIELD_CHARS_MAX: usize = 1000;

/// The member who is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Me {
    /// The contact.
    pub contact: Contact,
    /// Its account.
    pub account: Account,
    /// The custom fields that the account lets its members edit.
    pub fields: Vec<CustomField>,
}

/// The name and the fields that a member sends; what is left out does not change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NameInput {
    /// First name.
    pub firstname: Option<String>,
    /// Surname.
    pub surname: Option<String>,
    /// Values of custom fields.
    pub custom: Vec<(CustomFieldId, String)>,
}

/// A field of a member's name whose value cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameProblem {
    /// The field.
    pub field: NameField,
    /// Its problem.
    pub problem: TextProblem,
}

/// A field of a member's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameField {
    /// The first name.
    FirstName,
    /// The surname.
    Surname,
    /// A custom field.
    Custom(CustomFieldId),
}

/// The problem of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextProblem {
    /// It is too long.
    TooLong {
        /// Most characters.
        chars_max: usize,
    },
    /// It has characters that cannot be shown.
    Unprintable,
}

/// The contact of a member who acts.
pub(in crate::ops) fn contact(tx: &impl Read, caller: &Caller) -> Result<Contact, OpError> {
    let contact = match caller.actor().kind {
        ActorKind::Member(id) => tx.get::<Contact>(id.0)?,
        _ => None,
    };
    contact.filter(|contact| contact.account == caller.account).ok_or(OpError::NotFound { what: "contact" })
}

/// The member who acts.
///
/// # Errors
/// `NotFound` if the caller is no member, or is gone.
pub fn me(tx: &impl Read, caller: &Caller) -> Result<Me, OpError> {
    let contact = contact(tx, caller)?;
    let account: Account = tx.get(contact.account.0)?.ok_or(OpError::NotFound { what: "account" })?;
    let fields = editable(tx, &account)?;
    Ok(Me { contact, account, fields })
}

/// The custom fields that an account lets its members edit.
pub(in crate::ops) fn editable(tx: &impl Read, account: &Account) -> Result<Vec<CustomField>, StoreError> {
    let Some(MemberFields { fields, .. }) = tx.get(account.id.0)? else { return Ok(Vec::new()) };
    Ok(account.custom_fields.iter().filter(|field| fields.contains(&field.id)).cloned().collect())
}

/// Changes the name and the fields of the member who acts; nothing changes if one of them has a problem. A field that
/// members may not edit is left as it is.
///
/// # Errors
/// `NotFound` if the caller is no member.
pub fn set_name(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    input: NameInput,
) -> Result<Result<(), Vec<NameProblem>>, OpError> {
    let Me { contact: before, account: _, fields } = me(tx, &by.caller)?;
    let NameInput { firstname, surname, custom } = input;
    let mut contact = before.clone();
    let mut problems = Vec::new();
    let mut take = |field: NameField, text: String, chars_max: usize| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let problem = if chars_max < text.chars().count() {
            TextProblem::TooLong { chars_max }
        } else if text.chars().any(char::is_control) {
            TextProblem::Unprintable
        } else {
            return Some(text);
        };
        problems.push(NameProblem { field, problem });
        None
    };
    if let Some(text) = firstname.and_then(|text| take(NameField::FirstName, text, NAME_CHARS_MAX)) {
        contact.firstname = text;
    }
    if let Some(text) = surname.and_then(|text| take(NameField::Surname, text, NAME_CHARS_MAX)) {
        contact.surname = text;
    }
    for (id, text) in custom {
        if !fields.iter().any(|field| field.id == id) {
            continue;
        }
        match take(NameField::Custom(id), text, FIELD_CHARS_MAX) {
            Some(text) if text.is_empty() => contact.custom.remove(&id),
            Some(text) => contact.custom.insert(id, text),
            None => None,
        };
    }
    if !problems.is_empty() {
        return Ok(Err(problems));
    }
    if contact != before {
        tx.put(&contact)?;
        let changed =
            fields.iter().filter(|field| contact.custom.get(&field.id) != before.custom.get(&field.id));
        let mut names: Vec<&str> = changed_fields(&before, &contact);
        names.retain(|name| *name != "custom");
        names.extend(changed.map(CustomField::key));
        let note = Note::new(AuditAction::ContactUpdated, contact.id.0).about(contact.id).fields(&names);
        audit::note(tx, &by.caller, note, by.now)?;
    }
    Ok(Ok(()))
}
