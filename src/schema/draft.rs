//! Table and indexes of what members wrote when their session had ended.

use super::life::{
    HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove, contact_key,
};
use super::of;
use crate::model::Draft;
use crate::store::{Entity, Index, Key};

impl Entity for Draft {
    const TABLE: &'static str = "draft";
    const INDEXES: &'static [&'static Index<Draft>] = &[&DRAFT_BY_CONTACT, &DRAFT_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for Draft {
    const LIFE: Life<Draft> = Life {
        with_account: WithAccount::InSteps(&[&DRAFT_BY_CONTACT]),
        with_contact: WithContact::Goes(&DRAFT_BY_CONTACT, contact_key),
        with_list: WithList::Stays("it is its author's, who can still copy it until it is over"),
        with_move: WithMove::Goes,
        in_time: InTime::Forgotten("drafts", &DRAFT_BY_DUE),
        in_download: InDownload::As("drafts"),
    };
}

/// The draft of a contact for a list.
pub static DRAFT_BY_CONTACT: Index<Draft> =
    Index::unique("draft.by_contact", |draft| vec![of(draft.account).u64(draft.contact.0).u64(draft.list.0)]);

/// Drafts to delete, the earliest first; read by the server itself.
pub static DRAFT_BY_DUE: Index<Draft> =
    Index::multi("draft.by_due", |draft| vec![Key::new().u64(draft.due().key())]);
