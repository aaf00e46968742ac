//! Tables of the settings that members choose themselves, and of the fields that their account lets them edit.

use super::of;
use crate::model::{EmailPause, FirstEmail, MemberFields};
use crate::store::{Entity, Index, Key};

impl Entity for FirstEmail {
    const TABLE: &'static str = "first_email";
    const INDEXES: &'static [&'static Index<FirstEmail>] = &[&FIRST_EMAIL_BY_ACCOUNT];

    fn id(&self) -> u64 {
        self.contact.0
    }

    fn scope(&self) -> u64 {
        // API responses list addresses in its order.
        self.account.0
    }
}

/// The first addresses of an account's contacts, for deleting them with the account.
pub static FIRST_EMAIL_BY_ACCOUNT: Index<FirstEmail> =
    Index::multi("first_email.by_account", |first| vec![of(first.account)]);

impl Entity for EmailPause {
    const TABLE: &'static str = "email_pause";
    const INDEXES: &'static [&'static Index<EmailPause>] = &[&EMAIL_PAUSE_BY_ACCOUNT, &EMAIL_PAUSE_BY_DUE];

    fn id(&self) -> u64 {
        self.email.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

/// The pauses of an account's addresses, for deleting them with the account.
pub static EMAIL_PAUSE_BY_ACCOUNT: Index<EmailPause> =
    Index::multi("email_pause.by_account", |pause| vec![of(pause.account)]);

/// Pauses that end, the earliest first; read by the server itself.
pub static EMAIL_PAUSE_BY_DUE: Index<EmailPause> =
    Index::multi("email_pause.by_due", |pause| vec![Key::new().u64(pause.until.key())]);

impl Entity for MemberFields {
    const TABLE: &'static str = "member_fields";
    // It is read with its account alone.
    const INDEXES: &'static [&'static Index<MemberFields>] = &[];

    fn id(&self) -> u64 {
        self.account.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}
