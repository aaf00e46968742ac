//! Table and indexes of the counters that limit how often something is done.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use crate::model::Allowance;
use crate::model::allowance::Purpose;
use crate::store::{Entity, Index, Key};

impl Entity for Allowance {
    const TABLE: &'static str = "allowance";
    const INDEXES: &'static [&'static Index<Allowance>] = &[&ALLOWANCE_BY_SUBJECT, &ALLOWANCE_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for Allowance {
    const LIFE: Life<Allowance> = Life {
        with_account: WithAccount::Stays("clients and addresses are limited over all accounts together"),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Stays("it counts what was done at this server"),
        in_time: InTime::Forgotten("rate limit counts", &ALLOWANCE_BY_DUE),
        in_download: InDownload::Not("it has a hash of what is counted"),
    };
}

/// Each subject has one counter for each purpose. Rows belong to no account: clients and addresses are limited over all
/// accounts together, and the counters of a deleted account expire within a day.
pub static ALLOWANCE_BY_SUBJECT: Index<Allowance> = Index::unique("allowance.by_subject", |allowance| {
    vec![allowance_subject(allowance.purpose, &allowance.subject)]
});

/// The key of a subject in [`ALLOWANCE_BY_SUBJECT`].
#[must_use]
pub fn allowance_subject(purpose: Purpose, subject: &[u8; 32]) -> Key {
    let purpose = match purpose {
        Purpose::NoticeToAddress => 0,
        Purpose::NoticeForClient => 1,
        Purpose::NoticeOfExpiry => 2,
        Purpose::RequestToModerators => 3,
        Purpose::RoleMail => 4,
        Purpose::SignInMailOfMinute => 5,
        Purpose::SignInMailOfDay => 6,
        Purpose::ConfirmationOfChange => 7,
        Purpose::ConfirmationToAddress => 8,
        Purpose::RequestOfClient => 9,
        Purpose::News => 10,
        Purpose::Advice => 11,
        Purpose::AnswerToAddress => 12,
        Purpose::ArchivePassword => 13,
        Purpose::SignInError => 14,
        Purpose::PasswordMail => 15,
        Purpose::LockMail => 16,
        Purpose::TextMessage => 17,
        Purpose::DiscardNote => 18,
    };
    Key::new().u8(purpose).bytes(subject)
}

/// Expired counters to delete, the earliest first; read by the server itself.
pub static ALLOWANCE_BY_DUE: Index<Allowance> =
    Index::multi("allowance.by_due", |allowance| vec![Key::new().u64(allowance.until.key())]);
