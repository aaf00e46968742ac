//! Table and index of the mailbox files of months that are kept.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::threads::archive_of;
use crate::model::KeptMonth;
use crate::store::{BlobId, Entity, Index};

impl Entity for KeptMonth {
    const TABLE: &'static str = "kept_month";
    const INDEXES: &'static [&'static Index<KeptMonth>] = &[&KEPT_MONTH_BY_LIST];

    fn id(&self) -> u64 {
        self.id
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }

    fn blobs(&self) -> Vec<BlobId> {
        self.file.iter().map(|file| BlobId(file.blob.0)).collect()
    }

    fn renumber_blobs(&mut self, renumber: &mut dyn FnMut(u64) -> u64) {
        if let Some(file) = &mut self.file {
            file.blob.0 = renumber(file.blob.0);
        }
    }
}

impl HasLife for KeptMonth {
    const LIFE: Life<KeptMonth> = Life {
        with_account: WithAccount::InSteps(&[&KEPT_MONTH_BY_LIST]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::Goes(&KEPT_MONTH_BY_LIST),
        with_move: WithMove::Stays("it is made anew of the messages"),
        in_time: InTime::Kept,
        in_download: InDownload::Not("what people wrote to a list is in its archive"),
    };
}

/// The file of each month of a list.
pub static KEPT_MONTH_BY_LIST: Index<KeptMonth> =
    Index::unique("kept_month.by_list", |kept| vec![archive_of(kept.account, kept.list).u64(kept.month)]);
