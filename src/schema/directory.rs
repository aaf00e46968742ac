//! The index of the lists that an account's directory may show.

use super::of;
use crate::model::account::Subscriptions;
use crate::model::list::List;
use crate::store::Index;

/// To whom the directory shows a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listed {
    /// To everybody.
    ToAll,
    /// To everybody if people can join the lists of the account that do not say otherwise, else to nobody.
    IfJoinable,
    /// To everybody if people can join the lists of the account that do not say otherwise, else to those who may read
    /// its archive.
    IfJoinableOrReadable,
    /// To those who may read its archive.
    IfReadable,
}

impl Listed {
    /// To whom the directory shows this list; `None` if to nobody.
    #[must_use]
    pub fn of(list: &List) -> Option<Listed> {
        if list.pending {
            return None;
        }
        let is_archive_listed = list.archive_enabled && !list.archive_index_noshow;
        let is_public = is_archive_listed && !list.archive_protected;
        match list.subscriptions {
            Some(Subscriptions::Open | Subscriptions::OpenConfirm) => Some(Listed::ToAll),
            _ if is_public => Some(Listed::ToAll),
            None if is_archive_listed => Some(Listed::IfJoinableOrReadable),
            None => Some(Listed::IfJoinable),
            Some(Subscriptions::Closed) if is_archive_listed => Some(Listed::IfReadable),
            Some(Subscriptions::Closed) => None,
        }
    }

    /// The number in keys.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Listed::ToAll => 0,
            Listed::IfJoinable => 1,
            Listed::IfJoinableOrReadable => 2,
            Listed::IfReadable => 3,
        }
    }
}

/// The lists of an account that its directory may show, by whom it shows them to, then by name: a page of the directory
/// is a few ranges, however many lists there are.
pub static LIST_IN_DIRECTORY: Index<List> = Index::unique("list.in_directory", |list| {
    let listed = Listed::of(list).into_iter();
    listed.map(|listed| of(list.account).u8(listed.number()).text(&list.name.folded())).collect()
});
