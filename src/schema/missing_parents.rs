//! Table and index of the replies whose parents are missing.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::threads::archive_of;
use crate::model::{AccountId, ListId, MissingParents};
use crate::store::{Entity, Index, Key};

impl Entity for MissingParents {
    const TABLE: &'static str = "missing_parents";
    const INDEXES: &'static [&'static Index<MissingParents>] =
        &[&MISSING_PARENTS_BY_LIST, &MISSING_PARENTS_BY_REFERENCE];

    fn id(&self) -> u64 {
        self.message.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for MissingParents {
    const LIFE: Life<MissingParents> = Life {
        with_account: WithAccount::InSteps(&[&MISSING_PARENTS_BY_LIST]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::Goes(&MISSING_PARENTS_BY_LIST),
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::Not("what people wrote to a list is in its archive"),
    };
}

/// The replies of a list whose parents are missing.
pub static MISSING_PARENTS_BY_LIST: Index<MissingParents> =
    Index::multi("missing_parents.by_list", |missing| vec![archive_of(missing.account, missing.list)]);

/// The replies of a list by each Message-ID that is missing, those with the lowest numbers first.
pub static MISSING_PARENTS_BY_REFERENCE: Index<MissingParents> =
    Index::multi("missing_parents.by_reference", |missing| {
        let keys = missing.references.iter();
        keys.map(|reference| missing_parent(missing.account, missing.list, reference)).collect()
    });

/// The key of a missing Message-ID of a list.
#[must_use]
pub fn missing_parent(account: AccountId, list: ListId, reference: &str) -> Key {
    archive_of(account, list).text(reference)
}
