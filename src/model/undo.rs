//! Changes that administrators made by a button and can undo for a day: for each record that an action changed, what it
//! was before.
//!
//! `ops::undo` writes these records in the job of the action, and deletes them when the action is undone or its day is
//! over. A record that was changed or deleted is kept in its stored form, so that it is read again whatever versions come
//! after it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{
    AccountId, AliasId, ContactId, EmailAddress, EmailId, ImportId, List, ListId, MembershipId, UndoId,
};
use crate::clock::Timestamp;

/// How long an action can be undone.
pub const UNDO_FOR: Duration = Duration::from_hours(24);

/// Records that an action may change and still be undone.
pub const UNDO_ROWS_MAX: usize = 1000;

/// One record that an action of an administrator changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undo {
    /// Service identifier.
    pub id: UndoId,
    /// The account.
    pub account: AccountId,
    /// The action, by the number of its first record.
    pub action: UndoId,
    /// The contact that the change is about.
    pub contact: Option<ContactId>,
    /// When the action was carried out.
    pub made: Timestamp,
    /// The change.
    pub change: UndoChange,
}

/// A change of one record, with what undoing it needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum UndoChange {
    /// Somebody was taken off a list.
    MemberRemoved {
        /// The membership that ended.
        membership: MembershipId,
        /// The list.
        list: ListId,
        /// The membership as it was stored.
        record: Vec<u8>,
    },
    /// Somebody was put on a list.
    MemberAdded {
        /// The membership that began.
        membership: MembershipId,
        /// The list.
        list: ListId,
        /// The membership as it was stored.
        record: Vec<u8>,
    },
    /// How mail of a list comes was set.
    MemberChanged {
        /// The membership.
        membership: MembershipId,
        /// The list.
        list: ListId,
        /// The membership as it was stored before.
        before: Vec<u8>,
        /// The membership as it was stored afterwards.
        after: Vec<u8>,
    },
    /// An address was changed.
    EmailChanged {
        /// The address.
        email: EmailId,
        /// The address as it was stored before.
        before: Vec<u8>,
        /// The address as it was stored afterwards.
        after: Vec<u8>,
        /// Until when its person had paused it.
        until: Option<Timestamp>,
    },
    /// A contact was deleted.
    ContactDeleted {
        /// The contact.
        id: u64,
        /// Its name, or its first address.
        name: String,
        /// What was deleted with it.
        records: DeletedContact,
    },
    /// An alias was deleted.
    AliasDeleted {
        /// The alias.
        alias: AliasId,
        /// The alias as it was stored.
        record: Vec<u8>,
    },
    /// An import added somebody to the address book.
    ContactAdded {
        /// A hash of what the contact had then: its values, addresses and lists.
        print: [u8; 32],
    },
    /// An import changed somebody who was in the address book.
    ContactChanged {
        /// The contact as it was stored before.
        before: Vec<u8>,
        /// The contact as it was stored afterwards, and a hash of the addresses and the memberships that it got; older
        /// records are without the hash.
        after: Vec<u8>,
        /// The addresses that it got.
        emails: Vec<EmailId>,
        /// The memberships that it got.
        memberships: Vec<MembershipId>,
    },
    /// Somebody whose address was typed was put on a list.
    PersonAdded {
        /// The membership that began.
        membership: MembershipId,
        /// The list.
        list: ListId,
        /// The membership as it was stored.
        record: Vec<u8>,
        /// A hash of what the contact had then, if the address book did not have it before.
        print: Option<[u8; 32]>,
    },
    /// Settings of a list were changed.
    ListChanged {
        /// The list.
        list: ListId,
        /// The list as it was stored before.
        before: Vec<u8>,
        /// The list as it was stored afterwards.
        after: Vec<u8>,
    },
    /// Settings of the account were changed.
    AccountChanged {
        /// The account as it was stored before.
        before: Vec<u8>,
        /// The account as it was stored afterwards.
        after: Vec<u8>,
    },
    /// The sender of a message was banned from a list, or allowed to write to it.
    SenderSet {
        /// The list.
        list: ListId,
        /// The address of the sender.
        address: EmailAddress,
        /// What held for it before.
        before: SenderRule,
        /// What held for it afterwards.
        after: SenderRule,
    },
}

/// What a list says of a sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SenderRule {
    /// Whether the address is among the banned ones.
    pub banned: bool,
    /// Whether the address is among the allowed ones.
    pub allowed: bool,
    /// Who may write to the list, as the sum of bits of its `moderate`.
    pub moderate: u8,
}

impl SenderRule {
    /// What a list says of an address.
    #[must_use]
    pub fn of(list: &List, address: &EmailAddress) -> SenderRule {
        let is_same = |other: &EmailAddress| other.folded() == address.folded();
        SenderRule {
            banned: list.restrict_post_banned_emails.iter().any(is_same),
            allowed: list.restrict_post_allowed_emails.iter().any(is_same),
            moderate: list.moderate.bits(),
        }
    }
}

/// What was deleted with a contact, each record as it was stored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeletedContact {
    /// The contact itself.
    pub contact: Vec<u8>,
    /// Its addresses.
    pub emails: Vec<Vec<u8>>,
    /// The address that it had put first.
    pub first: Option<EmailId>,
    /// Until when its addresses were paused.
    pub pauses: Vec<(EmailId, Timestamp)>,
    /// Its memberships.
    pub memberships: Vec<Vec<u8>>,
    /// The evidence that it had asked to join.
    pub consents: Vec<Vec<u8>>,
}

/// Above all numbers of records: an import is an action of its own number with this bit.
const OF_IMPORT: u64 = 1 << 62;
/// Likewise: a press of a button that takes several jobs is an action of a random number with this bit.
const OF_PRESS: u64 = 1 << 61;

impl UndoId {
    /// The action that an import is.
    #[must_use]
    pub fn of_import(import: ImportId) -> UndoId {
        UndoId(OF_IMPORT | import.0)
    }

    /// An action whose changes are made in several jobs, by a random number.
    #[must_use]
    pub fn of_press(random: [u8; 8]) -> UndoId {
        UndoId(OF_PRESS | (u64::from_be_bytes(random) & (OF_PRESS - 1)))
    }
}

impl Undo {
    /// When it can no longer be undone, and is deleted.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.made + UNDO_FOR
    }
}
