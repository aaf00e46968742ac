//! Table and indexes of the mailed links by which members sign in.

use super::life::{
    HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove, contact_key,
};
use super::of;
use crate::model::SignInLink;
use crate::store::{Entity, Index, Key};

impl Entity for SignInLink {
    const TABLE: &'static str = "sign_in_link";
    const INDEXES: &'static [&'static Index<SignInLink>] =
        &[&SIGN_IN_LINK_BY_TOKEN, &SIGN_IN_LINK_BY_CONTACT, &SIGN_IN_LINK_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for SignInLink {
    const LIFE: Life<SignInLink> = Life {
        with_account: WithAccount::InSteps(&[&SIGN_IN_LINK_BY_CONTACT]),
        with_contact: WithContact::Goes(&SIGN_IN_LINK_BY_CONTACT, contact_key),
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::Forgotten("links to sign in", &SIGN_IN_LINK_BY_DUE),
        in_download: InDownload::As("sign_in_links"),
    };
}

/// The record of a link's token. A request brings nothing but the token, so its hash is the whole key.
pub static SIGN_IN_LINK_BY_TOKEN: Index<SignInLink> =
    Index::unique("sign_in_link.by_token", |link| vec![Key::new().bytes(&link.token_hash)]);

/// The links of a contact, for deleting them with the contact.
pub static SIGN_IN_LINK_BY_CONTACT: Index<SignInLink> =
    Index::multi("sign_in_link.by_contact", |link| vec![of(link.account).u64(link.contact.0)]);

/// Links to delete, the earliest first; read by the server itself.
pub static SIGN_IN_LINK_BY_DUE: Index<SignInLink> =
    Index::multi("sign_in_link.by_due", |link| vec![Key::new().u64(link.due().key())]);
