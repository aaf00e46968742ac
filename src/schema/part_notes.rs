//! Table of the notes of where the files of large messages stand.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use crate::model::PartNotes;
use crate::store::{Entity, Index};

impl Entity for PartNotes {
    const TABLE: &'static str = "part_notes";
    // They are found by the number of their message, and deleted with its words.
    const INDEXES: &'static [&'static Index<PartNotes>] = &[];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for PartNotes {
    const LIFE: Life<PartNotes> = Life {
        with_account: WithAccount::ByOperation("they go with their message"),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::Not("what people wrote to a list is in its archive"),
    };
}
