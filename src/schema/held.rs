//! Messages that wait for a moderator, and those that were decided.

use super::of;
use crate::model::{AccountId, Authentication, Held, HeldState, ListId};
use crate::store::{BlobId, Count, Entity, Index, Key};

impl Entity for Held {
    const TABLE: &'static str = "held";
    const INDEXES: &'static [&'static Index<Held>] = &[
        &HELD_BY_STATE,
        &HELD_BY_LIST,
        &HELD_BY_MESSAGE_ID,
        &HELD_BY_APPROVED,
        &HELD_BY_QUARANTINED,
        &HELD_BY_DUE,
        &HELD_WAITING,
        &HELD_WAITING_BY_SENDER,
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
}

/// How a state stands in keys.
#[must_use]
pub fn held_state(state: HeldState) -> u64 {
    match state {
        HeldState::Held => 0,
        HeldState::Approved => 1,
        HeldState::Rejected => 2,
        HeldState::Discarded => 3,
    }
}

/// What waits in an account, and what was decided.
pub static HELD_BY_STATE: Index<Held> =
    Index::multi("held.by_state", |held| vec![of(held.account).u64(held_state(held.state))]);

/// What goes with a list when it is deleted.
pub static HELD_BY_LIST: Index<Held> =
    Index::multi("held.by_list", |held| vec![of(held.account).u64(held.list.0)]);

/// Duplicates of what was not published, by their author too: of others with the same Message-ID nothing is known.
pub static HELD_BY_MESSAGE_ID: Index<Held> = Index::multi("held.by_message_id", |held| {
    let is_published = held.state == HeldState::Approved || held.quarantined.is_some();
    let message_id = held.message_id.iter().filter(|_| !is_published);
    message_id.map(|id| held_duplicate(held.account, held.list, id, &held.from)).collect()
});

/// The place of a list's held messages with this Message-ID of this author.
#[must_use]
pub fn held_duplicate(account: AccountId, list: ListId, message_id: &str, from: &str) -> Key {
    of(account).u64(list.0).text(message_id).text(&from.to_lowercase())
}

/// What was published because a moderator approved it, found by its bytes: a list takes the same once.
pub static HELD_BY_APPROVED: Index<Held> =
    Index::multi("held.by_approved", |held| match (held.state, held.quarantined) {
        (HeldState::Approved, None) => vec![of(held.account).u64(held.list.0).u64(held.blob.0)],
        // What the server failed to send was published before that.
        _ => Vec::new(),
    });

/// The undecided record of a message whose copies are parked: there is one for all of them.
pub static HELD_BY_QUARANTINED: Index<Held> =
    Index::multi("held.by_quarantined", |held| match (held.state, held.quarantined) {
        (HeldState::Held, Some(message)) => vec![of(held.account).u64(message.0)],
        _ => Vec::new(),
    });

/// Whose time is up, the earliest first; read by the server itself.
pub static HELD_BY_DUE: Index<Held> =
    Index::multi("held.by_due", |held| vec![Key::new().u64(held.due().key())]);

/// What waits for a decision on a list, the oldest first.
pub static HELD_WAITING: Index<Held> = Index::multi("held.waiting", held_waiting);

/// How many messages wait for a decision on a list.
pub static HELD_WAITING_COUNT: Count<Held> = Count::new("held.waiting_count", held_waiting);

fn held_waiting(held: &Held) -> Vec<Key> {
    match held.state {
        HeldState::Held => vec![of(held.account).u64(held.list.0)],
        HeldState::Approved | HeldState::Rejected | HeldState::Discarded => Vec::new(),
    }
}

/// What waits for a decision of one author's messages, by the time they came; the key itself holds their size. What
/// was published before the server failed on it is none of them.
pub static HELD_WAITING_BY_SENDER: Index<Held> =
    Index::multi("held.waiting_by_sender", |held| match (held.state, held.quarantined) {
        (HeldState::Held, None) => {
            let sender = held_sender(held.account, &held.from, &held.authentication);
            vec![sender.u64(held.received.key()).u64(held.size_bytes)]
        }
        _ => Vec::new(),
    });

/// The place of an author in [`HELD_WAITING_BY_SENDER`]. Messages that prove their author have a place of their own, so
/// that what others send under the same address takes no room from them.
#[must_use]
pub fn held_sender(account: AccountId, from: &str, authentication: &Authentication) -> Key {
    of(account).u8(u8::from(authentication.has_proven_author())).text(&from.to_lowercase())
}

/// The `count` of the held messages' listing.
pub static HELD_COUNT: Count<Held> =
    Count::new("held.count", |held| vec![of(held.account).u64(held_state(held.state))]);
