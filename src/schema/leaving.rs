//! Table and indexes of the leaves that can be undone.

use super::life::{
    HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove, contact_key,
};
use super::of;
use crate::model::Departure;
use crate::store::{Entity, Index, Key};

impl Entity for Departure {
    const TABLE: &'static str = "departure";
    const INDEXES: &'static [&'static Index<Departure>] = &[&DEPARTURE_BY_CONTACT, &DEPARTURE_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for Departure {
    const LIFE: Life<Departure> = Life {
        with_account: WithAccount::InSteps(&[&DEPARTURE_BY_CONTACT]),
        with_contact: WithContact::Goes(&DEPARTURE_BY_CONTACT, contact_key),
        with_list: WithList::Stays("it ends after seven days, and undoes nothing without its list"),
        with_move: WithMove::Goes,
        in_time: InTime::Forgotten("leaves that can be undone", &DEPARTURE_BY_DUE),
        in_download: InDownload::As("left_lists"),
    };
}

/// The last leave of a contact from each list.
pub static DEPARTURE_BY_CONTACT: Index<Departure> = Index::unique("departure.by_contact", |departure| {
    vec![of(departure.account).u64(departure.contact.0).u64(departure.list.0)]
});

/// Leaves whose time to be undone ends, the earliest first; read by the server itself.
pub static DEPARTURE_BY_DUE: Index<Departure> =
    Index::multi("departure.by_due", |departure| vec![Key::new().u64(departure.due().key())]);
