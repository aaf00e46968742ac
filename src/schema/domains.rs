//! Table and indexes of the domains of accounts.

use super::claims::DOMAIN_BY_ZONE;
use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::AccountDomain;
use crate::store::{Entity, Index, Key};

impl Entity for AccountDomain {
    const TABLE: &'static str = "domain";
    const INDEXES: &'static [&'static Index<AccountDomain>] =
        &[&DOMAIN_BY_NAME, &DOMAIN_BY_ACCOUNT, &DOMAIN_BY_ZONE, &DOMAIN_BY_NEXT_CHECK, &DOMAIN_BY_KEYS_END];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }
}

impl HasLife for AccountDomain {
    const LIFE: Life<AccountDomain> = Life {
        with_account: WithAccount::ByOperation("each goes with its proof"),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::Kept,
        in_download: InDownload::NotOfAPerson,
    };
}

/// The domain of a name, which tells the account that mail is for; a domain belongs to one account of the server.
pub static DOMAIN_BY_NAME: Index<AccountDomain> =
    Index::unique("domain.by_name", |domain| vec![Key::new().text(domain.name.as_str())]);

/// The domains of an account.
pub static DOMAIN_BY_ACCOUNT: Index<AccountDomain> =
    Index::multi("domain.by_account", |domain| vec![of(domain.account)]);

/// The domains with new keys, by the time when the DNS is next asked for their records.
pub static DOMAIN_BY_NEXT_CHECK: Index<AccountDomain> = Index::multi("domain.by_next_check", |domain| {
    domain.next_keys.iter().map(|next| Key::new().u64(next.look.key())).collect()
});

/// The domains with old keys, by the time when the next of these keys are deleted.
pub static DOMAIN_BY_KEYS_END: Index<AccountDomain> = Index::multi("domain.by_keys_end", |domain| {
    let first = domain.old_keys.iter().map(|old| old.until).min();
    first.map(|until| Key::new().u64(until.key())).into_iter().collect()
});
