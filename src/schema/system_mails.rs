//! Tables and indexes of the mail that the server writes itself, and of the answers that it keeps for calls that are
//! repeated.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::{ModerationDigest, SavedAnswer, SystemMail, Welcome};
use crate::store::{BlobId, Count, Entity, Index, Key};

impl Entity for SavedAnswer {
    const TABLE: &'static str = "saved_answer";
    const INDEXES: &'static [&'static Index<SavedAnswer>] =
        &[&SAVED_ANSWER_BY_KEY, &SAVED_ANSWER_BY_ADMIN, &SAVED_ANSWER_BY_DUE];
    const COUNTS: &'static [&'static Count<SavedAnswer>] = &[&SAVED_ANSWER_COUNT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No response to a GET shows it.
        0
    }

    fn blobs(&self) -> Vec<BlobId> {
        vec![BlobId(self.answer.0)]
    }

    fn renumber_blobs(&mut self, renumber: &mut dyn FnMut(u64) -> u64) {
        self.answer.0 = renumber(self.answer.0);
    }
}

impl HasLife for SavedAnswer {
    const LIFE: Life<SavedAnswer> = Life {
        with_account: WithAccount::InSteps(&[&SAVED_ANSWER_BY_ADMIN]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::Forgotten("saved answers to repeated calls", &SAVED_ANSWER_BY_DUE),
        in_download: InDownload::Not("it repeats to a program what it was told, for a day"),
    };
}

/// The saved response of an administrator's `Idempotency-Key`: a key stands for one call.
pub static SAVED_ANSWER_BY_KEY: Index<SavedAnswer> = Index::unique("saved_answer.by_key", |replay| {
    vec![of(replay.account).u64(replay.admin.0).text(&replay.key)]
});

/// The saved responses of an administrator, the oldest first.
pub static SAVED_ANSWER_BY_ADMIN: Index<SavedAnswer> =
    Index::multi("saved_answer.by_admin", |replay| vec![of(replay.account).u64(replay.admin.0)]);

/// Saved responses to delete, the earliest first; read by the server itself.
pub static SAVED_ANSWER_BY_DUE: Index<SavedAnswer> =
    Index::multi("saved_answer.by_due", |replay| vec![Key::new().u64(replay.due().key())]);

/// The number of saved responses of an administrator.
pub static SAVED_ANSWER_COUNT: Count<SavedAnswer> =
    Count::new("saved_answer.count", |replay| vec![of(replay.account).u64(replay.admin.0)]);

impl Entity for SystemMail {
    const TABLE: &'static str = "system_mail";
    const INDEXES: &'static [&'static Index<SystemMail>] = &[&SYSTEM_MAIL_BY_ACCOUNT, &SYSTEM_MAIL_BY_DUE];

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

impl HasLife for SystemMail {
    const LIFE: Life<SystemMail> = Life {
        with_account: WithAccount::InSteps(&[&SYSTEM_MAIL_BY_ACCOUNT]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::ByUpkeep("system mail"),
        in_download: InDownload::Not("it was mailed to whom it is for"),
    };
}

/// The system mails of an account, for deleting them with the account.
pub static SYSTEM_MAIL_BY_ACCOUNT: Index<SystemMail> =
    Index::multi("system_mail.by_account", |system_mail| vec![of(system_mail.account)]);

/// System mails to delete, the earliest first; read by the server itself.
pub static SYSTEM_MAIL_BY_DUE: Index<SystemMail> =
    Index::multi("system_mail.by_due", |system_mail| vec![Key::new().u64(system_mail.kept_until.key())]);

impl Entity for Welcome {
    const TABLE: &'static str = "welcome";
    // The table itself is the queue: it is emptied as soon as there is time.
    const INDEXES: &'static [&'static Index<Welcome>] = &[&WELCOME_BY_ACCOUNT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for Welcome {
    const LIFE: Life<Welcome> = Life {
        with_account: WithAccount::InSteps(&[&WELCOME_BY_ACCOUNT]),
        with_contact: WithContact::Stays(
            "it is written within moments, and left out where the contact is gone",
        ),
        with_list: WithList::Stays("it is written within moments, and left out where the list is gone"),
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::ByUpkeep("welcome messages"),
        in_download: InDownload::NotOfAPerson,
    };
}

/// The welcome messages to be written for an account, for deleting them with the account.
pub static WELCOME_BY_ACCOUNT: Index<Welcome> =
    Index::multi("welcome.by_account", |welcome| vec![of(welcome.account)]);

impl Entity for ModerationDigest {
    const TABLE: &'static str = "moderation_digest";
    const INDEXES: &'static [&'static Index<ModerationDigest>] =
        &[&MODERATION_DIGEST_BY_ACCOUNT, &MODERATION_DIGEST_BY_DUE];

    fn id(&self) -> u64 {
        self.list.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for ModerationDigest {
    const LIFE: Life<ModerationDigest> = Life {
        with_account: WithAccount::InSteps(&[&MODERATION_DIGEST_BY_ACCOUNT]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::Stays("it finds nothing to tell when it is due"),
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::ByUpkeep("daily summaries"),
        in_download: InDownload::NotOfAPerson,
    };
}

/// The digests of an account, for deleting them with the account.
pub static MODERATION_DIGEST_BY_ACCOUNT: Index<ModerationDigest> =
    Index::multi("moderation_digest.by_account", |summary| vec![of(summary.account)]);

/// Digests to be written, the earliest first; read by the server itself.
pub static MODERATION_DIGEST_BY_DUE: Index<ModerationDigest> =
    Index::multi("moderation_digest.by_due", |summary| vec![Key::new().u64(summary.due.key())]);
