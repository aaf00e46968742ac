//! The audit log: every change that somebody makes is noted in the job that makes it.
//!
//! Edges carry operations out with [`Core::perform`](crate::service::Core::perform) and its variants, and write in no other
//! way (`tests/it/tidy.rs`). A job that changes something for a caller and notes nothing is undone, so an operation
//! that forgets its [`note`] cannot work. Entries never change later, except for the counts of a call that consists of
//! many jobs.

mod fields;
pub mod log;

use crate::clock::Timestamp;
use crate::model::audit::{ToldValue, ValueChange};
use crate::model::event::{EventDraft, EventObject, EventType};
use crate::model::fields::Setting;
use crate::model::{ActorKind, AuditAction, AuditEntry, AuditId, AuditValues, ContactId, ListId};
use crate::ops::Caller;
use crate::store::{Read, StoreError, WriteTx};

pub use fields::changed_fields;

/// Longest name and detail that an entry keeps, in characters: enough for a line.
const NAME_CHARS_MAX: usize = 120;
const DETAIL_CHARS_MAX: usize = 300;

/// The description of a change, without the caller who made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    action: AuditAction,
    object: u64,
    name: String,
    contact: Option<ContactId>,
    detail: String,
}

impl Note {
    /// An action on the object of this number; 0 for many, or for none.
    #[must_use]
    pub fn new(action: AuditAction, object: u64) -> Note {
        Note { action, object, name: String::new(), contact: None, detail: String::new() }
    }

    /// The name of the object. Contacts, and what belongs to them, are named by [`Note::about`] instead.
    #[must_use]
    pub fn named(self, name: &str) -> Note {
        Note { name: name.chars().take(NAME_CHARS_MAX).collect(), ..self }
    }

    /// The contact of the change, whose name is looked up when the log is read.
    #[must_use]
    pub fn about(self, contact: ContactId) -> Note {
        Note { contact: Some(contact), ..self }
    }

    /// The names of the fields that changed, or the number of objects: never values.
    #[must_use]
    pub fn detail(self, text: &str) -> Note {
        Note { detail: text.chars().take(DETAIL_CHARS_MAX).collect(), ..self }
    }

    /// The names of the fields that changed.
    #[must_use]
    pub fn fields(self, names: &[impl AsRef<str>]) -> Note {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        self.detail(&names.join(", "))
    }
}

/// Notes a change by the caller, in the job that makes it.
pub fn note(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    note: Note,
    now: Timestamp,
) -> Result<AuditId, StoreError> {
    let Note { action, object, name: object_name, contact, detail } = note;
    // Programs that follow events hear of it, too.
    if let Some(kind) = EventType::of_action(action) {
        let object = if kind == EventType::AccountUpdated { caller.account.0 } else { object };
        let list = (kind.object() == EventObject::List).then_some(ListId(object));
        tx.note(EventDraft { contact, list, ..EventDraft::new(caller.account, kind, object) });
    }
    let id = free_id(tx, now)?;
    let actor = caller.actor().clone();
    let contact = contact.or(match actor.kind {
        ActorKind::Member(contact) => Some(contact),
        ActorKind::Operator
        | ActorKind::Admin(_)
        | ActorKind::Moderator(_)
        | ActorKind::Anonymous
        | ActorKind::Server => None,
    });
    let actor_name = caller.name().chars().take(NAME_CHARS_MAX).collect();
    let account = caller.account;
    tx.put(&AuditEntry { id, account, actor, actor_name, action, object, object_name, contact, detail })?;
    Ok(id)
}

/// The first free number at `now`, or a later millisecond's if this one has none left.
fn free_id(tx: &impl Read, now: Timestamp) -> Result<AuditId, StoreError> {
    let mut first = AuditId::first_at(now);
    loop {
        let last = first.last_of_its_millisecond();
        match tx.last_id::<AuditEntry>(last.0)?.filter(|taken| first.0 <= *taken) {
            None => return Ok(first),
            Some(taken) if taken < last.0 => return Ok(AuditId(taken + 1)),
            Some(_) => first = AuditId(last.0 + 1),
        }
    }
}

/// Keeps with an entry which settings differ between two records, and their values; `before` and `after` have the same
/// settings. Passwords are no settings, and of several texts their number is kept.
pub fn keep_values<T>(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    id: AuditId,
    (before, after): (&[Setting<'_, T>], &[Setting<'_, T>]),
) -> Result<(), StoreError> {
    let pairs = before.iter().zip(after).filter(|(before, after)| before.value != after.value);
    let changes: Vec<ValueChange> = pairs
        .map(|(before, after)| ValueChange {
            field: after.name.to_owned(),
            before: ToldValue::of(&before.value),
            after: ToldValue::of(&after.value),
        })
        .collect();
    if changes.is_empty() {
        return Ok(());
    }
    tx.put(&AuditValues { id, account: caller.account, changes })
}

/// Replaces the detail of an entry for a call of many jobs by its final counts.
pub fn settle(tx: &mut WriteTx<'_>, id: AuditId, detail: &str) -> Result<(), StoreError> {
    let Some(entry) = tx.get::<AuditEntry>(id.0)? else { return Ok(()) };
    tx.put(&AuditEntry { detail: detail.chars().take(DETAIL_CHARS_MAX).collect(), ..entry })
}

/// Deletes the oldest entries of all accounts that were made before `end`, at most `limit`; returns whether more may be
/// left.
pub fn expire(tx: &mut WriteTx<'_>, end: Timestamp, limit: usize) -> Result<bool, StoreError> {
    let old: Vec<AuditEntry> = tx.all(0, limit)?;
    let old: Vec<AuditId> = old.iter().map(|entry| entry.id).take_while(|id| id.time() < end).collect();
    for id in &old {
        tx.delete::<AuditEntry>(id.0)?;
        if tx.get::<AuditValues>(id.0)?.is_some() {
            tx.delete::<AuditValues>(id.0)?;
        }
    }
    Ok(old.len() == limit)
}

/// Whether any entry was made before `end`.
pub fn is_any_before(tx: &impl Read, end: Timestamp) -> Result<bool, StoreError> {
    Ok(tx.all::<AuditEntry>(0, 1)?.first().is_some_and(|entry| entry.time() < end))
}

/// Checks that an operation noted its changes; called at the end of every job that is carried out for a caller.
///
/// # Panics
/// If the job changed something and noted nothing. The writer undoes such a job and continues. Changes by the server
/// itself and by strangers' mail need no note.
pub(crate) fn require_note(tx: &WriteTx<'_>, caller: &Caller) {
    let is_somebody = match caller.actor().kind {
        ActorKind::Operator | ActorKind::Admin(_) | ActorKind::Member(_) | ActorKind::Moderator(_) => true,
        ActorKind::Anonymous | ActorKind::Server => false,
    };
    let is_noted = !tx.has_changes() || tx.has_changed::<AuditEntry>();
    assert!(is_noted || !is_somebody, "a change that the audit log does not have");
}

/// The place of a job in a change that may take several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The first, in which the change is noted.
    First,
    /// A later one, which belongs to the same note.
    Later,
}
