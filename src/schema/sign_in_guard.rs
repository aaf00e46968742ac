//! Tables and indexes of what protects administrators' sign-in: locked addresses, and second factors.

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

/// The second factors of an account, for deleting them with the account.
pub static SECOND_FACTOR_BY_ACCOUNT: Index<SecondFactor> =
    Index::multi("second_factor.by_account", |factor| vec![of(factor.account)]);
