//! The audit log: every change that somebody makes is noted in the job that makes it.
//!
//! Edges have operations carried out by [`Core::perform`](crate::ops::Core::perform) and its kin, and write in no other
//! way (`tests/it/tidy.rs`). A job of somebody's that changes anything and notes nothing is taken back, so that an
//! operation that forgets its [`note`] does not work at all. Nothing here is ever changed later, but for the counts of a
//! call that is made of many jobs.

mod fields;
pub mod log;

use crate::clock::Timestamp;
use crate::model::{ActorKind, AuditAction, AuditEntry, AuditId, ContactId};
use crate::ops::Caller;
use crate::store::{Read, StoreError, WriteTx};

pub use fields::changed_fields;

/// Longest name and detail that an entry keeps, in characters: it is a line, not a copy.
const NAME_CHARS_MAX: usize = 120;
const DETAIL_CHARS_MAX: usize = 300;

/// What is noted of a change beside who made it.
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

    /// What people call the object. Contacts and what belongs to them are named by [`Note::about`].
    #[must_use]
    pub fn named(self, name: &str) -> Note {
        Note { name: name.chars().take(NAME_CHARS_MAX).collect(), ..self }
    }

    /// The contact that it is about, whose name is looked up when the log is read.
    #[must_use]
    pub fn about(self, contact: ContactId) -> Note {
        Note { contact: Some(contact), ..self }
    }

    /// The names of the fields that changed, or how many things did: never values.
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

/// Writes down what the caller does, in the job that does it.
pub fn note(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    note: Note,
    now: Timestamp,
) -> Result<AuditId, StoreError> {
    let Note { action, object, name: object_name, contact, detail } = note;
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

/// The first number that is free at `now`; where a millisecond has no more, one of the next.
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

/// Notes what became of a call whose jobs are many, in place of what was noted when it began.
pub fn settle(tx: &mut WriteTx<'_>, id: AuditId, detail: &str) -> Result<(), StoreError> {
    let Some(entry) = tx.get::<AuditEntry>(id.0)? else { return Ok(()) };
    tx.put(&AuditEntry { detail: detail.chars().take(DETAIL_CHARS_MAX).collect(), ..entry })
}

/// Forgets the oldest entries of all accounts, at most `limit`, that were made before `end`; says whether any may be
/// left.
pub fn expire(tx: &mut WriteTx<'_>, end: Timestamp, limit: usize) -> Result<bool, StoreError> {
    let old: Vec<AuditEntry> = tx.all(0, limit)?;
    let old: Vec<AuditId> = old.iter().map(|entry| entry.id).take_while(|id| id.time() < end).collect();
    for id in &old {
        tx.delete::<AuditEntry>(id.0)?;
    }
    Ok(old.len() == limit)
}

/// Whether any entry was made before `end`.
pub fn is_any_before(tx: &impl Read, end: Timestamp) -> Result<bool, StoreError> {
    Ok(tx.all::<AuditEntry>(0, 1)?.first().is_some_and(|entry| entry.time() < end))
}

/// Takes care that no operation forgets its note: called at the end of every job that is carried out for somebody.
///
/// # Panics
/// If the job changed something and noted nothing. The writer takes such a job back and goes on. What the server does for
/// itself, and the mail of strangers, needs no note.
pub(in crate::ops) fn require_note(tx: &WriteTx<'_>, caller: &Caller) {
    let is_somebody = match caller.actor().kind {
        ActorKind::Operator | ActorKind::Admin(_) | ActorKind::Member(_) | ActorKind::Moderator(_) => true,
        ActorKind::Anonymous | ActorKind::Server => false,
    };
    let is_noted = !tx.has_changes() || tx.has_changed::<AuditEntry>();
    assert!(is_noted || !is_somebody, "a change that the audit log does not have");
}

/// Which of the jobs of a change that may take several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The first, in which the change is noted.
    First,
    /// One that goes on with what was noted.
    Later,
}
