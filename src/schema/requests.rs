//! Tables and indexes of requests that must be confirmed, and of the evidence that a person wanted to join.

use super::life::{
    HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove, contact_key,
};
use super::of;
use crate::model::{Confirmation, Consent, Greeting, RequestedChange};
use crate::store::{Entity, Index, Key};

impl Entity for Confirmation {
    const TABLE: &'static str = "confirmation";
    const INDEXES: &'static [&'static Index<Confirmation>] =
        &[&CONFIRMATION_BY_ADDRESS, &CONFIRMATION_BY_CONTACT, &CONFIRMATION_BY_LIST, &CONFIRMATION_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for Confirmation {
    const LIFE: Life<Confirmation> = Life {
        with_account: WithAccount::InSteps(&[&CONFIRMATION_BY_ADDRESS]),
        with_contact: WithContact::Goes(&CONFIRMATION_BY_CONTACT, contact_key),
        with_list: WithList::ByOperation("changes of other lists that it asks for stay"),
        with_move: WithMove::Goes,
        in_time: InTime::Forgotten("requests to confirm", &CONFIRMATION_BY_DUE),
        in_download: InDownload::As("requests"),
    };
}

/// The requests of an address, which are deleted with it; those of an account are one range.
pub static CONFIRMATION_BY_ADDRESS: Index<Confirmation> =
    Index::multi("confirmation.by_address", |confirmation| {
        vec![of(confirmation.account).text(&confirmation.address.folded())]
    });

/// The requests to add an address to a contact, which are deleted with the contact.
pub static CONFIRMATION_BY_CONTACT: Index<Confirmation> =
    Index::multi("confirmation.by_contact", |confirmation| {
        let contact = confirmation.changes.iter().find_map(RequestedChange::contact);
        contact.map(|contact| of(confirmation.account).u64(contact.0)).into_iter().collect()
    });

/// The requests that are about a list, which its deletion takes out of them.
pub static CONFIRMATION_BY_LIST: Index<Confirmation> = Index::multi("confirmation.by_list", |confirmation| {
    let mut lists: Vec<u64> =
        confirmation.changes.iter().filter_map(RequestedChange::list).map(|list| list.0).collect();
    lists.sort_unstable();
    lists.dedup();
    lists.into_iter().map(|list| of(confirmation.account).u64(list)).collect()
});

/// Requests to delete, the earliest first; read by the server itself.
pub static CONFIRMATION_BY_DUE: Index<Confirmation> =
    Index::multi("confirmation.by_due", |confirmation| vec![Key::new().u64(confirmation.due().key())]);

impl Entity for Consent {
    const TABLE: &'static str = "consent";
    const INDEXES: &'static [&'static Index<Consent>] = &[&CONSENT_BY_ADDRESS, &CONSENT_BY_LIST];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for Consent {
    const LIFE: Life<Consent> = Life {
        with_account: WithAccount::InSteps(&[&CONSENT_BY_LIST]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::Goes(&CONSENT_BY_LIST),
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::As("consents"),
    };
}

/// The newest evidence of an address for each list.
pub static CONSENT_BY_ADDRESS: Index<Consent> = Index::unique("consent.by_address", |consent| {
    vec![of(consent.account).text(&consent.address.folded()).u64(consent.list.0)]
});

/// The evidence of a list, which is deleted with it.
pub static CONSENT_BY_LIST: Index<Consent> =
    Index::multi("consent.by_list", |consent| vec![of(consent.account).u64(consent.list.0)]);

impl Entity for Greeting {
    const TABLE: &'static str = "greeting";
    const INDEXES: &'static [&'static Index<Greeting>] = &[&GREETING_BY_ACCOUNT];

    fn id(&self) -> u64 {
        self.contact.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for Greeting {
    const LIFE: Life<Greeting> = Life {
        with_account: WithAccount::InSteps(&[&GREETING_BY_ACCOUNT]),
        with_contact: WithContact::GoesByNumber,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::Not("it only says that the welcome was mailed"),
    };
}

/// The contacts of an account to whom its welcome message was mailed.
pub static GREETING_BY_ACCOUNT: Index<Greeting> =
    Index::multi("greeting.by_account", |greeting| vec![of(greeting.account)]);
