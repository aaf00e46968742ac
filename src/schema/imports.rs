//! Tables of imports of people, and of the rows that were refused.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::{frozen, of};
use crate::model::{Import, ImportOptOuts, ImportState, RefusedRow};
use crate::store::{BlobId, Entity, Index, Key, Older};

impl Entity for Import {
    const TABLE: &'static str = "import";
    const VERSION: u8 = 2;
    const OLDER: &'static [Older<Import>] = &[Older::of::<frozen::import_v1::Import>()];
    const INDEXES: &'static [&'static Index<Import>] = &[&IMPORT_BY_ACCOUNT, &IMPORT_RUNNING, &IMPORT_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }

    fn blobs(&self) -> Vec<BlobId> {
        self.sheet.text.iter().map(|text| BlobId(text.0)).collect()
    }

    fn renumber_blobs(&mut self, renumber: &mut dyn FnMut(u64) -> u64) {
        if let Some(text) = &mut self.sheet.text {
            text.0 = renumber(text.0);
        }
    }
}

impl HasLife for Import {
    const LIFE: Life<Import> = Life {
        with_account: WithAccount::InSteps(&[&IMPORT_BY_ACCOUNT]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::ByUpkeep("imports of people"),
        in_download: InDownload::Not("it is an administrator's file"),
    };
}

/// The imports of an account.
pub static IMPORT_BY_ACCOUNT: Index<Import> =
    Index::multi("import.by_account", |import| vec![of(import.account)]);

/// Imports whose rows are being taken in, which a start of the server continues.
pub static IMPORT_RUNNING: Index<Import> = Index::multi("import.running", |import| match import.state {
    ImportState::Running => vec![Key::new()],
    ImportState::Draft | ImportState::Stopped | ImportState::Done => Vec::new(),
});

/// Imports to forget, the earliest first; read by the server itself.
pub static IMPORT_BY_DUE: Index<Import> = Index::multi("import.by_due", |import| {
    import.due().into_iter().map(|due| Key::new().u64(due.key())).collect()
});

impl Entity for RefusedRow {
    const TABLE: &'static str = "refused_row";
    const VERSION: u8 = 2;
    const OLDER: &'static [Older<RefusedRow>] = &[Older::of::<frozen::refused_row_v1::RefusedRow>()];
    const INDEXES: &'static [&'static Index<RefusedRow>] = &[&REFUSED_ROW_BY_IMPORT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for RefusedRow {
    const LIFE: Life<RefusedRow> = Life {
        with_account: WithAccount::InSteps(&[&REFUSED_ROW_BY_IMPORT]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::ByUpkeep("imports of people"),
        in_download: InDownload::Not("it is a row of an administrator's file"),
    };
}

/// The refused rows of an import, in the order of the file.
pub static REFUSED_ROW_BY_IMPORT: Index<RefusedRow> =
    Index::multi("refused_row.by_import", |row| vec![of(row.account).u64(row.import.0)]);

impl Entity for ImportOptOuts {
    const TABLE: &'static str = "import_opt_outs";
    const INDEXES: &'static [&'static Index<ImportOptOuts>] = &[&IMPORT_OPT_OUTS_BY_ACCOUNT];

    fn id(&self) -> u64 {
        self.import.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for ImportOptOuts {
    const LIFE: Life<ImportOptOuts> = Life {
        with_account: WithAccount::InSteps(&[&IMPORT_OPT_OUTS_BY_ACCOUNT]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::ByUpkeep("imports of people"),
        in_download: InDownload::NotOfAPerson,
    };
}

/// The records of an account, which go with it.
pub static IMPORT_OPT_OUTS_BY_ACCOUNT: Index<ImportOptOuts> =
    Index::multi("import_opt_outs.by_account", |opt_outs| vec![of(opt_outs.account)]);
