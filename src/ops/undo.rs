//! Undo for administrators: what they do to people, lists and aliases by a button is kept for a day as it was before, and
//! can be undone once.
//!
//! [`actions`] carries such actions out and keeps, in the same job, what each changed ([`settings`] does so for settings
//! of lists and of the account, and for senders who are banned or allowed); [`carry_out`] undoes one. Whoever
//! may do an action may undo it, whoever did it. Undoing overwrites nothing that somebody changed since, and puts nobody
//! back who opted out since: it says so instead ([`outcome::Left`]). An action of more than [`UNDO_ROWS_MAX`] records
//! is not kept.

pub mod actions;
pub mod carry_out;
pub mod outcome;
pub mod settings;

use crate::clock::Timestamp;
use crate::model::undo::{UNDO_ROWS_MAX, UndoChange};
use crate::model::{
    Account, AccountId, AuditAction, AuditEntry, Contact, ContactId, List, ListId, Membership, Permission,
    Undo, UndoId,
};
use crate::ops::people::contacts::emails_of;
use crate::ops::{Caller, OpError};
use crate::schema::{UNDO_BY_ACTION, UNDO_BY_OBJECT, undo_object};
use crate::store::{IndexRange, Key, Read, StoreError, record_from_bytes};

/// Changes of one object among which that of an entry is looked for, the newest first.
const LOOKED_AT_MAX: usize = 20;
/// People whom a page names.
const NAMED_MAX: usize = 3;

/// What an action did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UndoKind {
    /// People were taken off a list.
    Removed,
    /// People were put on a list.
    Added,
    /// How their mail of a list comes was set.
    Set,
    /// Mail goes to their addresses again.
    Resumed,
    /// People were deleted.
    Deleted,
    /// Aliases were deleted.
    AliasDeleted,
    /// People were imported.
    Imported,
    /// Settings of a list were changed.
    ListSet,
    /// Settings of the account were changed.
    AccountSet,
    /// Senders were banned from a list.
    Banned,
    /// Senders were allowed to write to a list.
    Allowed,
}

impl UndoKind {
    fn of(change: &UndoChange) -> UndoKind {
        match change {
            UndoChange::MemberRemoved { .. } => UndoKind::Removed,
            UndoChange::MemberAdded { .. } | UndoChange::PersonAdded { .. } => UndoKind::Added,
            UndoChange::MemberChanged { .. } => UndoKind::Set,
            UndoChange::EmailChanged { .. } => UndoKind::Resumed,
            UndoChange::ContactDeleted { .. } => UndoKind::Deleted,
            UndoChange::AliasDeleted { .. } => UndoKind::AliasDeleted,
            UndoChange::ContactAdded { .. } | UndoChange::ContactChanged { .. } => UndoKind::Imported,
            UndoChange::ListChanged { .. } => UndoKind::ListSet,
            UndoChange::AccountChanged { .. } => UndoKind::AccountSet,
            UndoChange::SenderSet { after, .. } if after.banned => UndoKind::Banned,
            UndoChange::SenderSet { .. } => UndoKind::Allowed,
        }
    }
}

/// An action that can be undone, as pages tell of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// Its number.
    pub id: UndoId,
    /// What it did.
    pub kind: UndoKind,
    /// The first of those to whom it was done, by name or address.
    pub names: Vec<String>,
    /// How many there are.
    pub count: usize,
    /// The name of the list.
    pub list: Option<String>,
    /// Until when it can be undone.
    pub until: Timestamp,
}

/// An action that the caller may undo; `None` if there is none of this number, or no longer.
///
/// # Errors
/// If the store fails.
pub fn action(
    tx: &impl Read,
    caller: &Caller,
    id: UndoId,
    now: Timestamp,
) -> Result<Option<Action>, StoreError> {
    let rows = rows_of(tx, caller, id, now)?;
    let Some(first) = rows.first() else { return Ok(None) };
    let mut names = Vec::new();
    for row in rows.iter().take(NAMED_MAX) {
        names.push(name_of(tx, row)?);
    }
    let list = match list_of(&first.change) {
        Some(list) => tx.get::<List>(list.0)?.map(|list| list.name.to_string()),
        None => None,
    };
    let (kind, until) = (UndoKind::of(&first.change), first.due());
    Ok(Some(Action { id, kind, names, count: rows.len(), list, until }))
}

/// The number of records that an action of the caller's account changed: reads the keys of an index alone.
///
/// # Errors
/// If the store fails.
pub fn count(tx: &impl Read, caller: &Caller, id: UndoId) -> Result<usize, StoreError> {
    let of_action = IndexRange::prefix(Key::new().u64(caller.account.0).u64(id.0));
    Ok(tx.ids(&UNDO_BY_ACTION, &of_action, UNDO_ROWS_MAX)?.len())
}

/// The change of which an entry of the audit log tells, if the caller may undo it: its action, and to whom or what it was
/// done.
///
/// # Errors
/// If the store fails.
pub fn of_entry(
    tx: &impl Read,
    caller: &Caller,
    entry: &AuditEntry,
    now: Timestamp,
) -> Result<Option<(UndoId, String)>, StoreError> {
    let key = undo_object(entry.account, entry.action.object(), entry.object);
    // The entries that are shown are the newest, and so are their changes.
    let rows: Vec<Undo> = tx.page(&UNDO_BY_OBJECT, &IndexRange::prefix(key).backward(), LOOKED_AT_MAX)?;
    let is_its = |row: &&Undo| {
        let is_same_moment = row.made <= entry.time() && entry.time().since(row.made).as_secs() == 0;
        is_same_moment && noted_as(&row.change) == entry.action && now < row.due()
    };
    let Some(row) = rows.iter().find(is_its) else { return Ok(None) };
    if !may_undo(tx, caller, row)? {
        return Ok(None);
    }
    Ok(Some((row.action, name_of(tx, row)?)))
}

/// How the audit log tells of a change.
fn noted_as(change: &UndoChange) -> AuditAction {
    match change {
        UndoChange::MemberRemoved { .. } => AuditAction::MembershipDeleted,
        UndoChange::MemberAdded { .. } | UndoChange::PersonAdded { .. } => AuditAction::MembershipCreated,
        UndoChange::MemberChanged { .. } => AuditAction::MembershipUpdated,
        UndoChange::EmailChanged { .. } => AuditAction::EmailUpdated,
        UndoChange::ContactDeleted { .. } => AuditAction::ContactDeleted,
        UndoChange::AliasDeleted { .. } => AuditAction::AliasDeleted,
        UndoChange::ContactAdded { .. } | UndoChange::ContactChanged { .. } => AuditAction::ContactImported,
        UndoChange::ListChanged { .. } | UndoChange::SenderSet { .. } => AuditAction::ListUpdated,
        UndoChange::AccountChanged { .. } => AuditAction::AccountUpdated,
    }
}

/// The list that a change is about.
fn list_of(change: &UndoChange) -> Option<ListId> {
    match change {
        UndoChange::MemberRemoved { list, .. }
        | UndoChange::MemberAdded { list, .. }
        | UndoChange::MemberChanged { list, .. }
        | UndoChange::PersonAdded { list, .. }
        | UndoChange::ListChanged { list, .. }
        | UndoChange::SenderSet { list, .. } => Some(*list),
        UndoChange::EmailChanged { .. }
        | UndoChange::AccountChanged { .. }
        | UndoChange::ContactDeleted { .. }
        | UndoChange::AliasDeleted { .. }
        | UndoChange::ContactAdded { .. }
        | UndoChange::ContactChanged { .. } => None,
    }
}

/// The records of an action whose day is not over; none if the caller may not undo all of them.
fn rows_of(tx: &impl Read, caller: &Caller, id: UndoId, now: Timestamp) -> Result<Vec<Undo>, StoreError> {
    let of_action = IndexRange::prefix(Key::new().u64(caller.account.0).u64(id.0));
    let rows: Vec<Undo> = tx.page(&UNDO_BY_ACTION, &of_action, UNDO_ROWS_MAX)?;
    for row in &rows {
        if row.due() <= now || !may_undo(tx, caller, row)? {
            return Ok(Vec::new());
        }
    }
    Ok(rows)
}

/// Whether the caller could do what was done.
fn may_undo(tx: &impl Read, caller: &Caller, row: &Undo) -> Result<bool, StoreError> {
    let is_whole = || caller.limits.lists().is_none();
    let may = match &row.change {
        UndoChange::MemberRemoved { list, .. }
        | UndoChange::MemberAdded { list, .. }
        | UndoChange::MemberChanged { list, .. }
        | UndoChange::PersonAdded { list, .. } => {
            caller.holds(Permission::ManageMembers) && caller.limits.sees_list(*list)
        }
        UndoChange::EmailChanged { .. }
        | UndoChange::ContactAdded { .. }
        | UndoChange::ContactChanged { .. } => {
            caller.holds(Permission::ManageMembers) && has_whole(tx, caller, row.contact)?
        }
        // Whoever sees some lists alone sees nobody who is on none.
        UndoChange::ContactDeleted { records, .. } => {
            caller.holds(Permission::ManageMembers)
                && (is_whole() || !records.memberships.is_empty())
                && records.memberships.iter().all(|record| {
                    record_from_bytes::<Membership>(record)
                        .is_ok_and(|membership| caller.limits.sees_list(membership.list))
                })
        }
        UndoChange::AliasDeleted { .. } => caller.holds(Permission::ManageSettings) && is_whole(),
        UndoChange::ListChanged { list, .. } => {
            caller.holds(Permission::ManageSettings) && caller.limits.sees_list(*list)
        }
        UndoChange::SenderSet { list, .. } => {
            caller.holds(Permission::ApproveMessages) && caller.limits.sees_list(*list)
        }
        UndoChange::AccountChanged { .. } => caller.holds(Permission::AccountAdmin) && is_whole(),
    };
    Ok(row.account == caller.account && may)
}

/// Whether a contact is the caller's to change: it sees every list of the contact, and the contact by one of them. Of
/// one that is gone there is nothing to see.
fn has_whole(tx: &impl Read, caller: &Caller, contact: Option<ContactId>) -> Result<bool, StoreError> {
    let Some(contact) = contact else { return Ok(true) };
    if caller.limits.lists().is_none() || tx.get::<Contact>(contact.0)?.is_none() {
        return Ok(true);
    }
    match caller.require_whole(tx, contact) {
        Err(OpError::Store(error)) => Err(error),
        Err(_) => Ok(false),
        Ok(()) => caller.sees_contact(tx, contact),
    }
}

/// To whom or what a change was done, for people.
fn name_of(tx: &impl Read, row: &Undo) -> Result<String, StoreError> {
    match (&row.change, row.contact) {
        (UndoChange::ContactDeleted { name, .. }, _) => Ok(name.clone()),
        (UndoChange::AliasDeleted { record, .. }, _) => {
            Ok(record_from_bytes::<crate::model::Alias>(record)?.source.to_string())
        }
        (UndoChange::ListChanged { list, .. }, _) => {
            Ok(tx.get::<List>(list.0)?.map(|list| list.name.to_string()).unwrap_or_default())
        }
        (UndoChange::SenderSet { address, .. }, _) => Ok(address.to_string()),
        (UndoChange::AccountChanged { .. }, _) => {
            let account = tx.get::<Account>(row.account.0)?;
            Ok(account.map(|account| account.title().to_owned()).unwrap_or_default())
        }
        (_, Some(contact)) => person(tx, row.account, contact),
        (_, None) => Ok(String::new()),
    }
}

/// The name of a contact, or its first address; blank if it is gone.
fn person(tx: &impl Read, account: AccountId, id: ContactId) -> Result<String, StoreError> {
    let contact = tx.get::<Contact>(id.0)?.filter(|contact| contact.account == account);
    contact.map_or(Ok(String::new()), |contact| title_of(tx, &contact))
}

fn title_of(tx: &impl Read, contact: &Contact) -> Result<String, StoreError> {
    let name = contact.name();
    if !name.is_empty() {
        return Ok(name);
    }
    let first = emails_of(tx, contact)?.into_iter().next();
    Ok(first.map(|email| email.address.to_string()).unwrap_or_default())
}

/// Passes if an action is still there for the caller.
fn require(rows: Vec<Undo>) -> Result<Vec<Undo>, OpError> {
    if rows.is_empty() { Err(OpError::NotFound { what: "change to undo" }) } else { Ok(rows) }
}
