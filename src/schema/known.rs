//! Mail that is known if it comes again.

use super::of;
use crate::model::{AccountId, Known, Taker};
use crate::store::{Entity, Index, Key};

impl Entity for Known {
    const TABLE: &'static str = "known";
    const INDEXES: &'static [&'static Index<Known>] = &[&KNOWN_BY_MAIL, &KNOWN_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // Nothing that an answer shows changes with it.
        0
    }
}

/// A mail is taken once by whatever takes it.
pub static KNOWN_BY_MAIL: Index<Known> =
    Index::unique("known.by_mail", |known| vec![known_mail(known.account, known.taker, &known.mail)]);

/// The place of a mail in [`KNOWN_BY_MAIL`].
#[must_use]
pub fn known_mail(account: AccountId, taker: Taker, mail: &[u8; 32]) -> Key {
    let (kind, id) = match taker {
        Taker::Alias(alias) => (0, alias.0),
        Taker::Owner(list) => (1, list.0),
        Taker::Postmaster => (2, 0),
        Taker::Rejection(list) => (3, list.0),
    };
    of(account).u8(kind).u64(id).bytes(mail)
}

/// What is to be forgotten, the earliest first; read by the server itself.
pub static KNOWN_BY_DUE: Index<Known> =
    Index::multi("known.by_due", |known| vec![Key::new().u64(known.due().key())]);
