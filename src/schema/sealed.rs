//! Table and indexes of the sealed originals of messages that were taken out or redacted.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::{AccountId, SealedOriginal};
use crate::store::{BlobId, Entity, Index, Key};

impl Entity for SealedOriginal {
    const TABLE: &'static str = "sealed_original";
    const INDEXES: &'static [&'static Index<SealedOriginal>] =
        &[&SEALED_ORIGINAL_BY_AUTHOR, &SEALED_ORIGINAL_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }

    fn blobs(&self) -> Vec<BlobId> {
        vec![BlobId(self.blob.0)]
    }

    fn renumber_blobs(&mut self, renumber: &mut dyn FnMut(u64) -> u64) {
        self.blob.0 = renumber(self.blob.0);
    }
}

impl HasLife for SealedOriginal {
    const LIFE: Life<SealedOriginal> = Life {
        with_account: WithAccount::InSteps(&[&SEALED_ORIGINAL_BY_AUTHOR]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::Stays("an administrator may restore it until it is over"),
        with_move: WithMove::Goes,
        in_time: InTime::ByUpkeep("originals of messages taken out or redacted"),
        in_download: InDownload::Not("what people wrote to a list is in its archive"),
    };
}

/// The key of an author in [`SEALED_ORIGINAL_BY_AUTHOR`].
#[must_use]
pub fn sealed_author(account: AccountId, author: u64) -> Key {
    of(account).u64(author)
}

/// The originals of an author's messages, for deleting them when that person is forgotten.
pub static SEALED_ORIGINAL_BY_AUTHOR: Index<SealedOriginal> =
    Index::multi("sealed_original.by_author", |sealed| vec![sealed_author(sealed.account, sealed.author)]);

/// Originals to delete, the earliest first; read by the server itself.
pub static SEALED_ORIGINAL_BY_DUE: Index<SealedOriginal> =
    Index::multi("sealed_original.by_due", |sealed| vec![Key::new().u64(sealed.due().key())]);
