//! The table of the names that lists had before.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::EarlierName;
use crate::store::{Entity, Index};

impl Entity for EarlierName {
    const TABLE: &'static str = "earlier_name";
    const INDEXES: &'static [&'static Index<EarlierName>] = &[&EARLIER_NAME_BY_NAME, &EARLIER_NAME_BY_LIST];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }
}

impl HasLife for EarlierName {
    const LIFE: Life<EarlierName> = Life {
        with_account: WithAccount::InSteps(&[&EARLIER_NAME_BY_LIST]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::Goes(&EARLIER_NAME_BY_LIST),
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::NotOfAPerson,
    };
}

/// An earlier name belongs to one list: the last one that had it.
pub static EARLIER_NAME_BY_NAME: Index<EarlierName> =
    Index::unique("earlier_name.by_name", |earlier| vec![of(earlier.account).text(&earlier.name)]);

/// The earlier names of a list, the oldest first.
pub static EARLIER_NAME_BY_LIST: Index<EarlierName> =
    Index::multi("earlier_name.by_list", |earlier| vec![of(earlier.account).u64(earlier.list.0)]);
