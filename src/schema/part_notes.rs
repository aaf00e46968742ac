//! Table of the notes of where the files of large messages stand.

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
