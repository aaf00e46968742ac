//! Table and indexes of the changes that administrators can undo.

use super::life::{
    HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove, contact_key,
};
use super::{audit_object, of};
use crate::model::{AccountId, AuditObject, Email, Undo, UndoChange};
use crate::store::{Entity, Index, Key, record_from_bytes};

impl Entity for Undo {
    const TABLE: &'static str = "undo";
    const INDEXES: &'static [&'static Index<Undo>] =
        &[&UNDO_BY_ACTION, &UNDO_BY_OBJECT, &UNDO_BY_CONTACT, &UNDO_BY_DELETED_EMAIL, &UNDO_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for Undo {
    const LIFE: Life<Undo> = Life {
        with_account: WithAccount::InSteps(&[&UNDO_BY_ACTION]),
        with_contact: WithContact::Goes(&UNDO_BY_CONTACT, contact_key),
        with_list: WithList::Stays("it ends after a day, and undoes nothing without its list"),
        with_move: WithMove::Goes,
        in_time: InTime::Forgotten("changes that can be undone", &UNDO_BY_DUE),
        in_download: InDownload::Not("it is what an administrator changed within a day, as it was before"),
    };
}

/// The records of an action.
pub static UNDO_BY_ACTION: Index<Undo> =
    Index::multi("undo.by_action", |undo| vec![of(undo.account).u64(undo.action.0)]);

/// The changes of an object, by which entries of the audit log find them.
pub static UNDO_BY_OBJECT: Index<Undo> = Index::multi("undo.by_object", |undo| {
    let (kind, id) = match &undo.change {
        UndoChange::MemberRemoved { membership, .. }
        | UndoChange::MemberAdded { membership, .. }
        | UndoChange::PersonAdded { membership, .. }
        | UndoChange::MemberChanged { membership, .. } => (AuditObject::Membership, membership.0),
        UndoChange::EmailChanged { email, .. } => (AuditObject::Email, email.0),
        UndoChange::ContactDeleted { id, .. } => (AuditObject::Contact, *id),
        UndoChange::AliasDeleted { alias, .. } => (AuditObject::Alias, alias.0),
        UndoChange::ListChanged { list, .. } | UndoChange::SenderSet { list, .. } => {
            (AuditObject::List, list.0)
        }
        UndoChange::AccountChanged { .. } => (AuditObject::Account, undo.account.0),
        UndoChange::ContactAdded { .. } | UndoChange::ContactChanged { .. } => {
            (AuditObject::Contact, undo.contact.map_or(0, |contact| contact.0))
        }
    };
    vec![undo_object(undo.account, kind, id)]
});

/// The key of an object in [`UNDO_BY_OBJECT`].
#[must_use]
pub fn undo_object(account: AccountId, kind: AuditObject, id: u64) -> Key {
    undo_objects(account, kind).u64(id)
}

/// What the keys of all objects of a kind begin with in [`UNDO_BY_OBJECT`].
#[must_use]
pub fn undo_objects(account: AccountId, kind: AuditObject) -> Key {
    of(account).u64(audit_object(kind))
}

/// The changes that are about a contact, which go with it.
pub static UNDO_BY_CONTACT: Index<Undo> = Index::multi("undo.by_contact", |undo| {
    undo.contact.iter().map(|contact| contact_key(undo.account, *contact)).collect()
});

/// Deletions of contacts, by each address that went with them: by it the erasure of a person finds those of that person.
pub static UNDO_BY_DELETED_EMAIL: Index<Undo> = Index::multi("undo.by_deleted_email", |undo| {
    let UndoChange::ContactDeleted { records, .. } = &undo.change else { return Vec::new() };
    let emails = records.emails.iter().filter_map(|record| record_from_bytes::<Email>(record).ok());
    emails.map(|email| undo_deleted_email(undo.account, &email.address.folded())).collect()
});

/// The key of an address, folded, in [`UNDO_BY_DELETED_EMAIL`].
#[must_use]
pub fn undo_deleted_email(account: AccountId, folded: &str) -> Key {
    of(account).text(folded)
}

/// Changes that can no longer be undone, the earliest first; read by the server itself.
pub static UNDO_BY_DUE: Index<Undo> =
    Index::multi("undo.by_due", |undo| vec![Key::new().u64(undo.due().key())]);
