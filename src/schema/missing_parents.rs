//! Table and index of the replies whose parents are missing.

use super::threads::archive_of;
use crate::model::MissingParents;
use crate::store::{Entity, Index};

impl Entity for MissingParents {
    const TABLE: &'static str = "missing_parents";
    const INDEXES: &'static [&'static Index<MissingParents>] = &[&MISSING_PARENTS_BY_LIST];

    fn id(&self) -> u64 {
        self.message.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

/// The replies of a list whose parents are missing.
pub static MISSING_PARENTS_BY_LIST: Index<MissingParents> =
    Index::multi("missing_parents.by_list", |missing| vec![archive_of(missing.account, missing.list)]);
