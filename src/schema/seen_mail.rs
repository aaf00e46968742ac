//! Table and indexes of accepted mail, by which redeliveries are recognized.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::{AccountId, DedupScope, SeenMail};
use crate::store::{Entity, Index, Key};

impl Entity for SeenMail {
    const TABLE: &'static str = "seen_mail";
    const INDEXES: &'static [&'static Index<SeenMail>] = &[&SEEN_MAIL_BY_MAIL, &SEEN_MAIL_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for SeenMail {
    const LIFE: Life<SeenMail> = Life {
        with_account: WithAccount::InSteps(&[&SEEN_MAIL_BY_MAIL]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::Stays("mail that was sent again is known for as long as it may come"),
        with_move: WithMove::Goes,
        in_time: InTime::Forgotten("seen mail", &SEEN_MAIL_BY_DUE),
        in_download: InDownload::NotOfAPerson,
    };
}

/// Accepted mail by its receiver: each receiver accepts the same mail once.
pub static SEEN_MAIL_BY_MAIL: Index<SeenMail> =
    Index::unique("seen_mail.by_mail", |known| vec![seen_mail_key(known.account, known.taker, &known.mail)]);

/// The key of a mail in [`SEEN_MAIL_BY_MAIL`].
#[must_use]
pub fn seen_mail_key(account: AccountId, scope: DedupScope, mail: &[u8; 32]) -> Key {
    let (kind, id) = match scope {
        DedupScope::Alias(alias) => (0, alias.0),
        DedupScope::Owner(list) => (1, list.0),
        DedupScope::Postmaster => (2, 0),
        DedupScope::Rejection(list) => (3, list.0),
        DedupScope::Commands(list) => (4, list.0),
    };
    of(account).u8(kind).u64(id).bytes(mail)
}

/// Records to delete, the earliest first; read by the server itself.
pub static SEEN_MAIL_BY_DUE: Index<SeenMail> =
    Index::multi("seen_mail.by_due", |known| vec![Key::new().u64(known.due().key())]);
