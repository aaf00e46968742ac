//! Tables of the settings that members choose themselves, and of the fields that their account lets them edit.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::{Email, EmailPause, FirstEmail, MemberFields};
use crate::store::{Count, Entity, Index, Key};

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

impl HasLife for FirstEmail {
    const LIFE: Life<FirstEmail> = Life {
        with_account: WithAccount::InSteps(&[&FIRST_EMAIL_BY_ACCOUNT]),
        with_contact: WithContact::GoesByNumber,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::As("addresses"),
    };
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

impl HasLife for EmailPause {
    const LIFE: Life<EmailPause> = Life {
        with_account: WithAccount::InSteps(&[&EMAIL_PAUSE_BY_ACCOUNT]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::ByUpkeep("addresses paused until a day"),
        in_download: InDownload::As("addresses"),
    };
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

impl HasLife for MemberFields {
    const LIFE: Life<MemberFields> = Life {
        with_account: WithAccount::AtOnceByNumber,
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::NotOfAPerson,
    };
}

/// The number in keys of who paused an address: the server, or somebody.
#[must_use]
pub fn paused_by(server: bool) -> u8 {
    u8::from(server)
}

fn paused_of(email: &Email) -> Option<Key> {
    let by_server = email.evidence.as_ref().is_some_and(|evidence| evidence.pause.is_some());
    email.paused.then(|| of(email.account).u8(paused_by(by_server)))
}

/// The contacts that have a paused address, by who paused it; those whose addresses take mail have no rows.
pub static EMAIL_PAUSED: Index<Email> = Index::multi("email.paused", |email| {
    paused_of(email).map(|key| key.u64(email.contact.0)).into_iter().collect()
});

/// The number of an account's paused addresses, by who paused them.
pub static EMAIL_COUNT_PAUSED: Count<Email> =
    Count::new("email.count_paused", |email| paused_of(email).into_iter().collect());
