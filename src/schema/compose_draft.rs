//! Table and indexes of the messages that administrators have not sent yet.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::ComposeDraft;
use crate::store::{BlobId, Entity, Index, Key};

impl Entity for ComposeDraft {
    const TABLE: &'static str = "compose_draft";
    const INDEXES: &'static [&'static Index<ComposeDraft>] =
        &[&COMPOSE_DRAFT_BY_ACCOUNT, &COMPOSE_DRAFT_BY_ADMIN, &COMPOSE_DRAFT_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }

    fn blobs(&self) -> Vec<BlobId> {
        self.files.iter().map(|file| BlobId(file.blob.0)).collect()
    }

    fn renumber_blobs(&mut self, renumber: &mut dyn FnMut(u64) -> u64) {
        for file in &mut self.files {
            file.blob.0 = renumber(file.blob.0);
        }
    }
}

impl HasLife for ComposeDraft {
    const LIFE: Life<ComposeDraft> = Life {
        with_account: WithAccount::InSteps(&[&COMPOSE_DRAFT_BY_ACCOUNT]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::ByUpkeep("drafts of administrators"),
        in_download: InDownload::Not("it is about people who administer, and the file is of members"),
    };
}

/// The drafts of an account.
pub static COMPOSE_DRAFT_BY_ACCOUNT: Index<ComposeDraft> =
    Index::multi("compose_draft.by_account", |draft| vec![of(draft.account)]);

/// The draft of an administrator by its form; one of the server writes in several accounts.
pub static COMPOSE_DRAFT_BY_ADMIN: Index<ComposeDraft> =
    Index::unique("compose_draft.by_admin", |draft| vec![Key::new().u64(draft.admin.0).u64(draft.form)]);

/// Drafts to delete, the earliest first; read by the server itself.
pub static COMPOSE_DRAFT_BY_DUE: Index<ComposeDraft> =
    Index::multi("compose_draft.by_due", |draft| vec![Key::new().u64(draft.due().key())]);
