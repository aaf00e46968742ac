//! Custom fields: the fields that an account's contacts have beside the built-in ones.
//!
//! A deleted field is gone at once, and its number is never used again. Its values are removed from contacts in steps
//! of bounded size, which continue after a restart. Until then nobody can read them, since no field has their number.

use super::{get, put};
use crate::clock::Timestamp;
use crate::model::list::check_name;
use crate::model::{
    Account, AccountId, AuditAction, Contact, CustomField, CustomFieldId, MemberFields, Permission,
};
use crate::ops::audit::{self, Note};
use crate::ops::{Caller, Change, OpError, Wrong};
use crate::schema::{CONTACT_BY_ACCOUNT, CONTACT_COUNT};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Longest name of a custom field, in characters.
const FIELD_NAME_CHARS_MAX: usize = 255;
/// Custom fields that an account may have.
const FIELDS_MAX: usize = 100;
/// Contacts that one step of removing values reads, so that it never holds up the writer for long.
const CONTACTS_PER_STEP: usize = 1000;
/// Names that no custom field can have: those of the fields that contacts have in API objects (seed, "Contact"), and of
/// the parameters that calls take beside them.
const CONTACT_KEYS: [&str; 15] = [
    "id",
    "ccid",
    "firstname",
    "surname",
    "created",
    "description",
    "notes",
    "emails",
    "email",
    "lists",
    "account_id",
    "fields",
    "page",
    "limit",
    "search",
];

/// Changes to a field; an unset one changes nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldChange {
    /// Its full name.
    pub name: Change<String>,
    /// The identifier by which API calls name it; `None` for its name.
    pub identifier: Change<Option<String>>,
    /// Whether members edit it on their own pages.
    pub members_edit: Change<bool>,
}

/// The account whose fields the caller may change.
fn own_account(tx: &impl Read, caller: &Caller) -> Result<Account, OpError> {
    caller.require(Permission::AccountAdmin)?;
    get(tx, caller.account)
}

fn note(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    action: AuditAction,
    field: &CustomField,
    now: Timestamp,
) -> Result<(), StoreError> {
    audit::note(tx, caller, Note::new(action, u64::from(field.id.0)).named(field.key()), now)?;
    Ok(())
}

/// Adds a custom field to the caller's account.
pub fn add(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    name: &str,
    identifier: Option<&str>,
    now: Timestamp,
) -> Result<CustomField, OpError> {
    let mut account = own_account(tx, caller)?;
    if FIELDS_MAX <= account.custom_fields.len() {
        return Err(OpError::invalid("name", Wrong::TooManyFields { max: FIELDS_MAX }));
    }
    account.fields_made += 1;
    let field = CustomField {
        id: CustomFieldId(account.fields_made),
        name: name.trim().to_owned(),
        identifier: identifier.map(str::to_owned),
    };
    check(&account, &field)?;
    account.custom_fields.push(field.clone());
    put(tx, &account)?;
    note(tx, caller, AuditAction::FieldCreated, &field, now)?;
    Ok(field)
}

/// Renames a field or its identifier; the values that contacts have of it stay.
pub fn change(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    name: &str,
    change: FieldChange,
    now: Timestamp,
) -> Result<CustomField, OpError> {
    let mut account = own_account(tx, caller)?;
    let mut field = find(&account, name)?.clone();
    if let Some(name) = change.name {
        name.trim().clone_into(&mut field.name);
    }
    field.identifier = change.identifier.unwrap_or(field.identifier);
    if let Some(may_edit) = change.members_edit {
        let_members_edit(tx, account.id, field.id, may_edit)?;
    }
    account.custom_fields.retain(|other| other.id != field.id);
    check(&account, &field)?;
    account.custom_fields.push(field.clone());
    account.custom_fields.sort_unstable_by_key(|field| field.id);
    put(tx, &account)?;
    note(tx, caller, AuditAction::FieldUpdated, &field, now)?;
    Ok(field)
}

/// The fields of an account that its members may edit.
pub fn members_edit(tx: &impl Read, account: AccountId) -> Result<Vec<CustomFieldId>, StoreError> {
    Ok(tx.get::<MemberFields>(account.0)?.map_or_else(Vec::new, |fields| fields.fields))
}

fn let_members_edit(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    field: CustomFieldId,
    may_edit: bool,
) -> Result<(), StoreError> {
    let mut fields = members_edit(tx, account)?;
    fields.retain(|other| *other != field);
    if may_edit {
        fields.push(field);
        fields.sort_unstable();
    }
    if fields.is_empty() {
        tx.delete::<MemberFields>(account.0)?;
        return Ok(());
    }
    tx.put(&MemberFields { account, fields })
}

/// The account's field with this identifier or name; the error lists those that exist.
pub fn find<'account>(account: &'account Account, name: &str) -> Result<&'account CustomField, OpError> {
    let fields = &account.custom_fields;
    let by_key = fields.iter().find(|field| field.key() == name);
    let found = by_key.or_else(|| fields.iter().find(|field| field.name.eq_ignore_ascii_case(name.trim())));
    found.ok_or_else(|| {
        let keys: Vec<&str> = fields.iter().map(CustomField::key).collect();
        let (name, known) = (name.to_owned(), keys.join(", "));
        let is_any = !keys.is_empty();
        let problem =
            if is_any { Wrong::NamesNoField { name, known } } else { Wrong::NamesNoFieldYet { name } };
        OpError::invalid("field", problem)
    })
}

/// Refuses a name or identifier that API objects use for something else.
fn check(account: &Account, field: &CustomField) -> Result<(), OpError> {
    check_key(account, "name", &field.name)?;
    let Some(identifier) = &field.identifier else { return Ok(()) };
    check_name(identifier).map_err(|problem| OpError::invalid("id", problem))?;
    check_key(account, "id", identifier)
}

fn check_key(account: &Account, what: &'static str, key: &str) -> Result<(), OpError> {
    let length = key.chars().count();
    if length == 0 || FIELD_NAME_CHARS_MAX < length || key.chars().any(char::is_control) {
        return Err(OpError::invalid(what, Wrong::NotPrintable { max: FIELD_NAME_CHARS_MAX }));
    }
    if CONTACT_KEYS.contains(&key.to_ascii_lowercase().as_str()) {
        return Err(OpError::invalid(what, Wrong::FieldOfAll { name: key.to_owned() }));
    }
    let is_key = |field: &CustomField| {
        field.name.eq_ignore_ascii_case(key)
            || field.identifier.as_deref().is_some_and(|identifier| identifier.eq_ignore_ascii_case(key))
    };
    if account.custom_fields.iter().any(is_key) {
        return Err(OpError::conflict(what, Wrong::FieldTaken { name: key.to_owned() }));
    }
    Ok(())
}

/// How many contacts have a value of a field. Reads every contact of the account.
pub fn count_values(tx: &impl Read, account: AccountId, field: CustomFieldId) -> Result<u64, StoreError> {
    let mut values = 0;
    let mut after = 0;
    while let Some(ids) = contacts_after(tx, account, after)? {
        after = ids.last().copied().unwrap_or(after);
        let contacts = tx.records::<Contact>(&ids)?.into_iter().flatten();
        values += contacts.map(|contact| u64::from(contact.custom.contains_key(&field))).sum::<u64>();
    }
    Ok(values)
}

/// The ids of the next contacts of an account; `None` at the end.
fn contacts_after(tx: &impl Read, account: AccountId, after: u64) -> Result<Option<Vec<u64>>, StoreError> {
    let of_account = IndexRange::prefix(Key::new().u64(account.0));
    let ids = tx.ids(&CONTACT_BY_ACCOUNT, &of_account.after_id(after), CONTACTS_PER_STEP)?;
    Ok(Some(ids).filter(|ids| !ids.is_empty()))
}

/// Deletes a field, and notes that its values have to be removed.
pub fn delete(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    name: &str,
    now: Timestamp,
) -> Result<CustomField, OpError> {
    let mut account = own_account(tx, caller)?;
    let field = find(&account, name)?.clone();
    account.custom_fields.retain(|other| other.id != field.id);
    account.leaving_fields.push(field.id);
    let_members_edit(tx, account.id, field.id, false)?;
    put(tx, &account)?;
    note(tx, caller, AuditAction::FieldDeleted, &field, now)?;
    Ok(field)
}

/// The removal of the values of an account's deleted fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldDeletion {
    account: AccountId,
    fields: Vec<CustomFieldId>,
    after: u64,
    /// Contacts that were looked at.
    pub seen: u64,
    /// Contacts that the account had when the removal began.
    pub contacts: u64,
}

impl FieldDeletion {
    /// The removal that an account needs; `None` if no values are left.
    pub fn of(tx: &impl Read, account: &Account) -> Result<Option<FieldDeletion>, StoreError> {
        let contacts = tx.count(&CONTACT_COUNT, &Key::new().u64(account.id.0))?;
        let fields = account.leaving_fields.clone();
        let leaving = FieldDeletion { account: account.id, fields, after: 0, seen: 0, contacts };
        Ok(Some(leaving).filter(|leaving| !leaving.fields.is_empty()))
    }

    /// Removes the values of some contacts. Returns the rest of the removal, or `None` if it is complete.
    pub fn step(mut self, tx: &mut WriteTx<'_>) -> Result<Option<FieldDeletion>, StoreError> {
        let Some(ids) = contacts_after(tx, self.account, self.after)? else {
            // Fields that were deleted later have a removal of their own.
            if let Some(mut account) = tx.get::<Account>(self.account.0)? {
                account.leaving_fields.retain(|field| !self.fields.contains(field));
                tx.put(&account)?;
            }
            return Ok(None);
        };
        for mut contact in tx.records::<Contact>(&ids)?.into_iter().flatten() {
            let had = contact.custom.len();
            contact.custom.retain(|field, _| !self.fields.contains(field));
            if contact.custom.len() < had {
                tx.put(&contact)?;
            }
        }
        self.seen += u64::try_from(ids.len()).unwrap_or(u64::MAX);
        self.after = ids.last().copied().unwrap_or(self.after);
        Ok(Some(self))
    }
}
