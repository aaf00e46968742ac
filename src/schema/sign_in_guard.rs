//! Tables and indexes of what protects administrators' sign-in: locked addresses, and second factors.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::{Lockout, SecondFactor};
use crate::store::{Entity, Index, Key};

impl Entity for Lockout {
    const TABLE: &'static str = "lockout";
    const INDEXES: &'static [&'static Index<Lockout>] = &[&LOCKOUT_BY_SUBJECT, &LOCKOUT_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for Lockout {
    const LIFE: Life<Lockout> = Life {
        with_account: WithAccount::Stays("it has a hash of account and address"),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Stays("it counts what was tried at this server"),
        in_time: InTime::Forgotten("errors of people who sign in", &LOCKOUT_BY_DUE),
        in_download: InDownload::Not("it is about people who administer, and the file is of members"),
    };
}

/// Each address has a record in each account, and one for each of its own browsers and sessions that were wrong. Their
/// keys begin alike, so that all are ended at once.
pub static LOCKOUT_BY_SUBJECT: Index<Lockout> =
    Index::unique("lockout.by_subject", |lockout| vec![Key::new().bytes(&lockout.subject)]);

/// Records to delete, the earliest first; read by the server itself.
pub static LOCKOUT_BY_DUE: Index<Lockout> =
    Index::multi("lockout.by_due", |lockout| vec![Key::new().u64(lockout.due().key())]);

impl Entity for SecondFactor {
    const TABLE: &'static str = "second_factor";
    const INDEXES: &'static [&'static Index<SecondFactor>] = &[&SECOND_FACTOR_BY_ACCOUNT];

    fn id(&self) -> u64 {
        self.admin.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }
}

impl HasLife for SecondFactor {
    const LIFE: Life<SecondFactor> = Life {
        with_account: WithAccount::AtOnce(&SECOND_FACTOR_BY_ACCOUNT),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::Not("it is about people who administer, and the file is of members"),
    };
}

/// The second factors of an account, for deleting them with the account.
pub static SECOND_FACTOR_BY_ACCOUNT: Index<SecondFactor> =
    Index::multi("second_factor.by_account", |factor| vec![of(factor.account)]);
