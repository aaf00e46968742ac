//! Table, indexes and counts of requests that wait for approval, and of those that were decided.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::pending::{PendingKind, PendingState};
use crate::model::{AccountId, Pending};
use crate::store::{Count, Entity, Index, Key};

impl Entity for Pending {
    const TABLE: &'static str = "pending";
    const INDEXES: &'static [&'static Index<Pending>] =
        &[&PENDING_BY_STATE, &PENDING_BY_LIST, &PENDING_BY_ADDRESS, &PENDING_BY_DUE];
    const COUNTS: &'static [&'static Count<Pending>] = &[&PENDING_COUNT, &PENDING_WAITING_COUNT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }
}

impl HasLife for Pending {
    const LIFE: Life<Pending> = Life {
        with_account: WithAccount::InSteps(&[&PENDING_BY_STATE]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::Goes(&PENDING_BY_LIST),
        with_move: WithMove::Goes,
        in_time: InTime::Forgotten("pending requests", &PENDING_BY_DUE),
        in_download: InDownload::As("waiting_for_approval"),
    };
}

/// The number of a state in keys.
#[must_use]
pub fn pending_state(state: PendingState) -> u64 {
    match state {
        PendingState::Pending => 0,
        PendingState::Approved => 1,
        PendingState::Rejected => 2,
        PendingState::Discarded => 3,
    }
}

/// The requests of an account by state.
pub static PENDING_BY_STATE: Index<Pending> =
    Index::multi("pending.by_state", |pending| vec![of(pending.account).u64(pending_state(pending.state))]);

/// The waiting requests of a list, for deleting them with the list.
pub static PENDING_BY_LIST: Index<Pending> = Index::multi("pending.by_list", |pending| match pending.state {
    PendingState::Pending => vec![of(pending.account).u64(pending.list.0)],
    PendingState::Approved | PendingState::Rejected | PendingState::Discarded => Vec::new(),
});

/// The requests of a person, waiting or decided, by the folded address.
pub static PENDING_BY_ADDRESS: Index<Pending> = Index::multi("pending.by_address", |pending| {
    pending.email.iter().map(|email| of(pending.account).text(&email.folded())).collect()
});

/// Decided requests to delete, the earliest first; read by the server itself.
pub static PENDING_BY_DUE: Index<Pending> = Index::multi("pending.by_due", |pending| {
    pending.due().into_iter().map(|due| Key::new().u64(due.key())).collect()
});

/// The number of waiting requests of people, and of those for new lists: of an account, and of each list.
pub static PENDING_WAITING_COUNT: Count<Pending> =
    Count::new("pending.waiting_count", |pending| match pending.state {
        PendingState::Pending => {
            let of_kind = pending_waiting(pending.account, pending.kind);
            vec![of_kind.clone().u64(pending.list.0), of_kind]
        }
        PendingState::Approved | PendingState::Rejected | PendingState::Discarded => Vec::new(),
    });

/// The key of an account in [`PENDING_WAITING_COUNT`]. Requests for new lists are decided by others than those of
/// people, and have a key of their own.
#[must_use]
pub fn pending_waiting(account: AccountId, kind: PendingKind) -> Key {
    of(account).u8(u8::from(kind == PendingKind::List))
}

/// The `count` of the requests' listing.
pub static PENDING_COUNT: Count<Pending> =
    Count::new("pending.count", |pending| vec![of(pending.account).u64(pending_state(pending.state))]);
