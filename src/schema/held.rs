//! Table, indexes and counts of held messages, waiting and decided.

use super::events;
use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::{frozen, of};
use crate::model::{AccountId, Authentication, Held, HeldState, ListId};
use crate::store::{BlobId, Count, Entity, Index, Key, Older, WriteTx};

impl Entity for Held {
    const TABLE: &'static str = "held";
    const VERSION: u8 = 2;
    const OLDER: &'static [Older<Held>] = &[Older::of::<frozen::held_v1::Held>()];
    const INDEXES: &'static [&'static Index<Held>] = &[
        &HELD_BY_STATE,
        &HELD_BY_LIST,
        &HELD_BY_MESSAGE_ID,
        &HELD_BY_APPROVED,
        &HELD_BY_QUARANTINED,
        &HELD_BY_DUE,
        &HELD_WAITING,
        &HELD_WAITING_BY_SENDER,
        &HELD_REFUSED_BY_SENDER,
    ];
    const COUNTS: &'static [&'static Count<Held>] = &[&HELD_COUNT, &HELD_WAITING_COUNT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }

    fn blobs(&self) -> Vec<BlobId> {
        vec![BlobId(self.blob.0)]
    }

    fn renumber_blobs(&mut self, renumber: &mut dyn FnMut(u64) -> u64) {
        self.blob.0 = renumber(self.blob.0);
    }

    fn tell_of_change(tx: &mut WriteTx<'_>, old: Option<&Held>, new: Option<&Held>) {
        events::of_held(tx, old, new);
    }
}

impl HasLife for Held {
    const LIFE: Life<Held> = Life {
        with_account: WithAccount::InSteps(&[&HELD_BY_LIST]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::Goes(&HELD_BY_LIST),
        with_move: WithMove::Goes,
        in_time: InTime::ByUpkeep("held messages"),
        in_download: InDownload::As("waiting_messages"),
    };
}

/// The number of a state in keys.
#[must_use]
pub fn held_state(state: HeldState) -> u64 {
    match state {
        HeldState::Held => 0,
        HeldState::Approved => 1,
        HeldState::Rejected => 2,
        HeldState::Discarded => 3,
    }
}

/// The held messages of an account by state.
pub static HELD_BY_STATE: Index<Held> =
    Index::multi("held.by_state", |held| vec![of(held.account).u64(held_state(held.state))]);

/// The held messages of a list, for deleting them with the list.
pub static HELD_BY_LIST: Index<Held> =
    Index::multi("held.by_list", |held| vec![of(held.account).u64(held.list.0)]);

/// Duplicates of unpublished messages by the same author. Messages of other authors with the same Message-ID do not
/// count.
pub static HELD_BY_MESSAGE_ID: Index<Held> = Index::multi("held.by_message_id", |held| {
    let is_published = held.state == HeldState::Approved || held.quarantined.is_some();
    let message_id = held.message_id.iter().filter(|_| !is_published);
    message_id.map(|id| held_duplicate(held.account, held.list, id, &held.from)).collect()
});

/// The key of a list's held messages with this Message-ID by this author.
#[must_use]
pub fn held_duplicate(account: AccountId, list: ListId, message_id: &str, from: &str) -> Key {
    of(account).u64(list.0).text(message_id).text(&from.to_lowercase())
}

/// Messages published because a moderator approved them, found by their bytes: a list takes the same mail once.
pub static HELD_BY_APPROVED: Index<Held> =
    Index::multi("held.by_approved", |held| match (held.state, held.quarantined) {
        (HeldState::Approved, None) => vec![of(held.account).u64(held.list.0).u64(held.blob.0)],
        // A quarantined message was published before.
        _ => Vec::new(),
    });

/// The undecided record of a quarantined message: there is one for all of its copies.
pub static HELD_BY_QUARANTINED: Index<Held> =
    Index::multi("held.by_quarantined", |held| match (held.state, held.quarantined) {
        (HeldState::Held, Some(message)) => vec![of(held.account).u64(message.0)],
        _ => Vec::new(),
    });

/// Messages whose time ends, the earliest first; read by the server itself.
pub static HELD_BY_DUE: Index<Held> =
    Index::multi("held.by_due", |held| vec![Key::new().u64(held.due().key())]);

/// The messages of a list that wait for a decision, the oldest first.
pub static HELD_WAITING: Index<Held> = Index::multi("held.waiting", held_waiting);

/// The number of messages of a list that wait for a decision.
pub static HELD_WAITING_COUNT: Count<Held> = Count::new("held.waiting_count", held_waiting);

fn held_waiting(held: &Held) -> Vec<Key> {
    match held.state {
        HeldState::Held => vec![of(held.account).u64(held.list.0)],
        HeldState::Approved | HeldState::Rejected | HeldState::Discarded => Vec::new(),
    }
}

/// The messages of one author that wait for a decision, by the time they came; the key itself holds their size.
/// Quarantined messages, which were published before, are not among them.
pub static HELD_WAITING_BY_SENDER: Index<Held> =
    Index::multi("held.waiting_by_sender", |held| match (held.state, held.quarantined) {
        (HeldState::Held, None) => {
            let sender = held_sender(held.account, &held.from, &held.authentication);
            vec![sender.u64(held.received.key()).u64(held.size_bytes)]
        }
        _ => Vec::new(),
    });

/// The key of an author in [`HELD_WAITING_BY_SENDER`]. Messages with a proven author have a key of their own, so that
/// messages that others send under the same address take no room from them.
#[must_use]
pub fn held_sender(account: AccountId, from: &str, authentication: &Authentication) -> Key {
    of(account).u8(u8::from(authentication.has_proven_author())).text(&from.to_lowercase())
}

/// The keys of an author in [`HELD_WAITING_BY_SENDER`], proven or not.
#[must_use]
pub fn held_senders(account: AccountId, from: &str) -> [Key; 2] {
    [0, 1].map(|proven| of(account).u8(proven).text(&from.to_lowercase()))
}

/// The messages of an author that were rejected or discarded, as long as they are kept.
pub static HELD_REFUSED_BY_SENDER: Index<Held> =
    Index::multi("held.refused_by_sender", |held| match held.state {
        HeldState::Rejected | HeldState::Discarded => vec![held_refused(held.account, &held.from)],
        HeldState::Held | HeldState::Approved => Vec::new(),
    });

/// The key of an author in [`HELD_REFUSED_BY_SENDER`].
#[must_use]
pub fn held_refused(account: AccountId, from: &str) -> Key {
    of(account).text(&from.to_lowercase())
}

/// The `count` of the held messages' listing.
pub static HELD_COUNT: Count<Held> =
    Count::new("held.count", |held| vec![of(held.account).u64(held_state(held.state))]);
