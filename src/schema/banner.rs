//! The table of the banners of accounts.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use crate::model::Banner;
use crate::store::{BlobId, Entity, Index, Key};

impl Entity for Banner {
    const TABLE: &'static str = "banner";
    const INDEXES: &'static [&'static Index<Banner>] = &[&BANNER_BY_DUE];

    fn id(&self) -> u64 {
        self.account.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }

    fn blobs(&self) -> Vec<BlobId> {
        self.image.iter().map(|image| BlobId(image.blob.0)).collect()
    }

    fn renumber_blobs(&mut self, renumber: &mut dyn FnMut(u64) -> u64) {
        if let Some(image) = &mut self.image {
            image.blob.0 = renumber(image.blob.0);
        }
    }
}

impl HasLife for Banner {
    const LIFE: Life<Banner> = Life {
        with_account: WithAccount::AtOnceByNumber,
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::Kept,
        in_download: InDownload::NotOfAPerson,
    };
}

/// The banners that are to be fetched, the earliest first; read by the server itself.
pub static BANNER_BY_DUE: Index<Banner> = Index::multi("banner.by_due", |banner| {
    banner.due.into_iter().map(|due| Key::new().u64(due.key())).collect()
});
