//! Indexes by which members find the other members of a list, and by which members without mail are counted.

use super::of;
use crate::model::list::Memberview;
use crate::model::{List, Membership};
use crate::store::{Count, Index, Key};

/// The lists that show all members of their account to every member, by how; other lists have no rows.
pub static LIST_BY_MEMBERVIEW: Index<List> = Index::multi("list.by_memberview", |list| {
    let kind = list.memberview.and_then(memberview_kind);
    kind.map(|kind| of(list.account).u8(kind)).into_iter().collect()
});

/// The number in keys of a view of all members; `None` for one of a list's own.
#[must_use]
pub fn memberview_kind(view: Memberview) -> Option<u8> {
    match view {
        Memberview::NoEmail | Memberview::WithEmail => None,
        Memberview::AllNoEmail => Some(0),
        Memberview::AllWithEmail => Some(1),
    }
}

/// The paused memberships, of an account under list 0 and of each list: all others have no rows here.
pub static MEMBERSHIP_PAUSED: Index<Membership> = Index::multi("membership.paused", paused_keys);

/// The number of paused memberships of an account, under list 0, and of each list.
pub static MEMBERSHIP_COUNT_PAUSED: Count<Membership> = Count::new("membership.count_paused", paused_keys);

fn paused_keys(membership: &Membership) -> Vec<Key> {
    if !membership.paused {
        return Vec::new();
    }
    [0, membership.list.0].map(|list| of(membership.account).u64(list)).into()
}
