//! The audit log. Its numbers are in the order of time, and so is every index of it: a span of time is a range of
//! numbers, and what is too old stands first in the table itself.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::{AuditAction, AuditEntry, AuditObject, AuditValues};
use crate::store::{Count, Entity, Index};

impl Entity for AuditEntry {
    const TABLE: &'static str = "audit";
    const INDEXES: &'static [&'static Index<AuditEntry>] =
        &[&AUDIT_BY_ACTION, &AUDIT_BY_ADMIN, &AUDIT_BY_OBJECT];
    const COUNTS: &'static [&'static Count<AuditEntry>] = &[&AUDIT_COUNT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }
}

impl HasLife for AuditEntry {
    const LIFE: Life<AuditEntry> = Life {
        with_account: WithAccount::InSteps(&[&AUDIT_BY_ACTION]),
        with_contact: WithContact::Stays("an entry says what was done to a number, and names nobody"),
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::ByOperation("the operator says for how many days they are kept"),
        in_download: InDownload::As("log"),
    };
}

impl Entity for AuditValues {
    const TABLE: &'static str = "audit_values";
    const INDEXES: &'static [&'static Index<AuditValues>] = &[&AUDIT_VALUES_BY_ACCOUNT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }
}

impl HasLife for AuditValues {
    const LIFE: Life<AuditValues> = Life {
        with_account: WithAccount::InSteps(&[&AUDIT_VALUES_BY_ACCOUNT]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::ByOperation("they go with their entry of the log"),
        in_download: InDownload::Not("they are the settings of lists and accounts"),
    };
}

/// The values of an account, with which they are deleted.
pub static AUDIT_VALUES_BY_ACCOUNT: Index<AuditValues> =
    Index::multi("audit_values.by_account", |values| vec![of(values.account)]);

/// How an action stands in keys.
#[must_use]
pub fn audit_action(action: AuditAction) -> u64 {
    place(AuditAction::ALL, &action)
}

/// How a kind of object stands in keys.
#[must_use]
pub fn audit_object(object: AuditObject) -> u64 {
    place(AuditObject::ALL, &object)
}

fn place<T: PartialEq>(all: &[T], wanted: &T) -> u64 {
    all.iter().position(|value| value == wanted).map_or(u64::MAX, |place| place as u64)
}

/// The entries of an account, by action. A listing of all actions reads a handful of ranges side by side, which costs
/// less than a row more for each entry.
pub static AUDIT_BY_ACTION: Index<AuditEntry> =
    Index::multi("audit.by_action", |entry| vec![of(entry.account).u64(audit_action(entry.action))]);

/// The entries of an administrator in an account.
pub static AUDIT_BY_ADMIN: Index<AuditEntry> = Index::multi("audit.by_admin", |entry| {
    entry.actor.kind.admin().into_iter().map(|admin| of(entry.account).u64(admin.0)).collect()
});

/// The entries about an object, and about a contact with all that belongs to it.
pub static AUDIT_BY_OBJECT: Index<AuditEntry> = Index::multi("audit.by_object", |entry| {
    let object = Some((entry.action.object(), entry.object)).filter(|(_, id)| *id != 0);
    let contact = entry.contact.map(|contact| (AuditObject::Contact, contact.0));
    let keys = object.into_iter().chain(contact);
    keys.map(|(kind, id)| of(entry.account).u64(audit_object(kind)).u64(id)).collect()
});

/// The `count` of the log of an account.
pub static AUDIT_COUNT: Count<AuditEntry> = Count::new("audit.count", |entry| vec![of(entry.account)]);
