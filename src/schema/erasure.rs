//! Table and indexes of people who are being erased, and the index by which their posts are found.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::{AccountId, EmailAddress, Erasure, Message};
use crate::store::{Entity, Index, Key};

impl Entity for Erasure {
    const TABLE: &'static str = "erasure";
    const INDEXES: &'static [&'static Index<Erasure>] = &[&ERASURE_BY_ACCOUNT, &ERASURE_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for Erasure {
    const LIFE: Life<Erasure> = Life {
        with_account: WithAccount::InSteps(&[&ERASURE_BY_ACCOUNT]),
        with_contact: WithContact::Stays(
            "it takes the person out of all the rest, and is deleted at its end",
        ),
        with_list: WithList::NamesNone,
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::ByUpkeep("people who are erased"),
        in_download: InDownload::Not("there is nobody any more who could ask for the file"),
    };
}

/// The erasures of an account, for deleting them with the account.
pub static ERASURE_BY_ACCOUNT: Index<Erasure> =
    Index::multi("erasure.by_account", |erasure| vec![of(erasure.account)]);

/// Erasures by their next step, the earliest first; read by the server itself.
pub static ERASURE_BY_DUE: Index<Erasure> =
    Index::multi("erasure.by_due", |erasure| vec![Key::new().u64(erasure.next.key())]);

/// The messages of an author, also those that were taken out of the archive: the record and its bytes name the author.
pub static MESSAGE_BY_AUTHOR: Index<Message> = Index::multi("message.by_author", |message| {
    let author = EmailAddress::parse(&message.from_address).ok();
    author.map(|author| message_author(message.account, &author.folded())).into_iter().collect()
});

/// The key of an author, by the folded address, in [`MESSAGE_BY_AUTHOR`].
#[must_use]
pub fn message_author(account: AccountId, folded: &str) -> Key {
    of(account).text(folded)
}
