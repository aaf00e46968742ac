//! Table and indexes of messages that were taken out of the archive and are to be emptied.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::TakenOut;
use crate::store::{Entity, Index, Key};

impl Entity for TakenOut {
    const TABLE: &'static str = "taken_out";
    const INDEXES: &'static [&'static Index<TakenOut>] = &[&TAKEN_OUT_BY_ACCOUNT, &TAKEN_OUT_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for TakenOut {
    const LIFE: Life<TakenOut> = Life {
        with_account: WithAccount::InSteps(&[&TAKEN_OUT_BY_ACCOUNT]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::ByUpkeep("messages taken out of archives"),
        in_download: InDownload::Not("what people wrote to a list is in its archive"),
    };
}

/// The messages of an account, for deleting the records with the account.
pub static TAKEN_OUT_BY_ACCOUNT: Index<TakenOut> =
    Index::multi("taken_out.by_account", |taken_out| vec![of(taken_out.account)]);

/// The messages by when they are looked at, the earliest first; read by the server itself.
pub static TAKEN_OUT_BY_DUE: Index<TakenOut> =
    Index::multi("taken_out.by_due", |taken_out| vec![Key::new().u64(taken_out.due.key())]);
