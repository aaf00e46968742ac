//! Tables and indexes of what administrators' pages keep: messages that are sent later, reasons of moderators, and
//! accounts that are suspended.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::{DraftFile, KeptReasons, ScheduledMessage, Suspension};
use crate::store::{BlobId, Entity, Index, Key, Older, stored};

impl Entity for KeptReasons {
    const TABLE: &'static str = "kept_reasons";
    // They are read with their account alone.
    const INDEXES: &'static [&'static Index<KeptReasons>] = &[];

    fn id(&self) -> u64 {
        self.account.0
    }

    fn scope(&self) -> u64 {
        // No API response shows them.
        0
    }
}

impl HasLife for KeptReasons {
    const LIFE: Life<KeptReasons> = Life {
        with_account: WithAccount::AtOnceByNumber,
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::NotOfAPerson,
    };
}

impl Entity for ScheduledMessage {
    const TABLE: &'static str = "scheduled_message";
    const VERSION: u8 = 2;
    const OLDER: &'static [Older<ScheduledMessage>] = &[Older::without(|| {
        let (fields, files): (Vec<(String, String)>, Vec<DraftFile>) = (Vec::new(), Vec::new());
        stored(&(fields, files, 0_u64))
    })];
    const INDEXES: &'static [&'static Index<ScheduledMessage>] =
        &[&SCHEDULED_MESSAGE_BY_LIST, &SCHEDULED_MESSAGE_BY_ADMIN, &SCHEDULED_MESSAGE_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }

    fn blobs(&self) -> Vec<BlobId> {
        std::iter::once(self.blob)
            .chain(self.files.iter().map(|file| file.blob))
            .map(|blob| BlobId(blob.0))
            .collect()
    }

    fn renumber_blobs(&mut self, renumber: &mut dyn FnMut(u64) -> u64) {
        self.blob.0 = renumber(self.blob.0);
        for file in &mut self.files {
            file.blob.0 = renumber(file.blob.0);
        }
    }
}

impl HasLife for ScheduledMessage {
    const LIFE: Life<ScheduledMessage> = Life {
        with_account: WithAccount::InSteps(&[&SCHEDULED_MESSAGE_BY_LIST]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::Goes(&SCHEDULED_MESSAGE_BY_LIST),
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::ByUpkeep("messages that are sent at a time"),
        in_download: InDownload::Not("it is about people who administer, and the file is of members"),
    };
}

/// The messages of an account and its lists that are sent later.
pub static SCHEDULED_MESSAGE_BY_LIST: Index<ScheduledMessage> =
    Index::multi("scheduled_message.by_list", |message| vec![of(message.account).u64(message.list.0)]);

/// The messages that an administrator wrote, and that are sent later; one of the server writes in several accounts.
pub static SCHEDULED_MESSAGE_BY_ADMIN: Index<ScheduledMessage> =
    Index::multi("scheduled_message.by_admin", |message| vec![Key::new().u64(message.admin.0)]);

/// Messages to send, the earliest first; read by the server itself.
pub static SCHEDULED_MESSAGE_BY_DUE: Index<ScheduledMessage> =
    Index::multi("scheduled_message.by_due", |message| {
        if message.is_stopped { Vec::new() } else { vec![Key::new().u64(message.due.key())] }
    });

impl Entity for Suspension {
    const TABLE: &'static str = "suspension";
    const INDEXES: &'static [&'static Index<Suspension>] = &[&SUSPENSION_BY_DUE];

    fn id(&self) -> u64 {
        self.account.0
    }

    fn scope(&self) -> u64 {
        // Keys of the account are looked up again once it is suspended or resumed.
        self.account.0
    }
}

impl HasLife for Suspension {
    const LIFE: Life<Suspension> = Life {
        with_account: WithAccount::AtOnceByNumber,
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::ByUpkeep("deleted accounts and their records"),
        in_download: InDownload::NotOfAPerson,
    };
}

/// Accounts to delete, the earliest first; read by the server itself.
pub static SUSPENSION_BY_DUE: Index<Suspension> = Index::multi("suspension.by_due", |suspension| {
    suspension.due().map(|due| Key::new().u64(due.key())).into_iter().collect()
});
