//! Table and indexes of the sessions of people who are signed in.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::{AccountId, Person, Session};
use crate::store::{Entity, Index, Key};

impl Entity for Session {
    const TABLE: &'static str = "session";
    const INDEXES: &'static [&'static Index<Session>] =
        &[&SESSION_BY_TOKEN, &SESSION_BY_PERSON, &SESSION_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for Session {
    const LIFE: Life<Session> = Life {
        with_account: WithAccount::InSteps(&[&SESSION_BY_PERSON]),
        with_contact: WithContact::Goes(&SESSION_BY_PERSON, |account, contact| {
            session_person(account, Person::Member(contact))
        }),
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::Forgotten("sessions of people", &SESSION_BY_DUE),
        in_download: InDownload::As("sessions"),
    };
}

/// The session of a cookie's token. A request brings nothing but the token, so its hash is the whole key.
pub static SESSION_BY_TOKEN: Index<Session> =
    Index::unique("session.by_token", |session| vec![Key::new().bytes(&session.token_hash)]);

/// The sessions of a person, oldest first; the sessions of all people of an account are one range.
pub static SESSION_BY_PERSON: Index<Session> =
    Index::multi("session.by_person", |session| vec![session_person(session.account, session.person)]);

/// The key of a person in [`SESSION_BY_PERSON`].
#[must_use]
pub fn session_person(account: AccountId, person: Person) -> Key {
    match person {
        Person::Member(contact) => of(account).u8(0).u64(contact.0),
        Person::Admin(admin) => of(account).u8(1).u64(admin.0),
    }
}

/// Sessions that expire, the earliest first; read by the server itself.
pub static SESSION_BY_DUE: Index<Session> =
    Index::multi("session.by_due", |session| vec![Key::new().u64(session.due().key())]);
