//! Tables and indexes of the addresses that another server had before: its hosts, and its pages.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::{AccountId, Domain, ListId, OldAddress, OldLink, OldName};
use crate::store::{Entity, Index, Key};

impl Entity for OldName {
    const TABLE: &'static str = "old_name";
    const INDEXES: &'static [&'static Index<OldName>] = &[&OLD_NAME_BY_HOST, &OLD_NAME_BY_ACCOUNT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for OldName {
    const LIFE: Life<OldName> = Life {
        with_account: WithAccount::AtOnce(&OLD_NAME_BY_ACCOUNT),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::Kept,
        in_download: InDownload::NotOfAPerson,
    };
}

/// An old host leads to one account; read by the server itself, for each request at a host that is not its own.
pub static OLD_NAME_BY_HOST: Index<OldName> =
    Index::unique("old_name.by_host", |name| vec![old_host(&name.host)]);

/// The old hosts of an account.
pub static OLD_NAME_BY_ACCOUNT: Index<OldName> =
    Index::multi("old_name.by_account", |name| vec![of(name.account)]);

/// The key of an old host.
#[must_use]
pub fn old_host(host: &Domain) -> Key {
    Key::new().text(host.as_str())
}

impl Entity for OldLink {
    const TABLE: &'static str = "old_link";
    const INDEXES: &'static [&'static Index<OldLink>] = &[&OLD_LINK_BY_ADDRESS];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for OldLink {
    const LIFE: Life<OldLink> = Life {
        with_account: WithAccount::InSteps(&[&OLD_LINK_BY_ADDRESS]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::Goes(&OLD_LINK_BY_ADDRESS),
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::Not("what people wrote to a list is in its archive"),
    };
}

/// An old address leads to one place, so that a request costs a seek. A message of an archive has one row for each kind
/// of address that it had; those that were given by hand stand under list 0.
pub static OLD_LINK_BY_ADDRESS: Index<OldLink> =
    Index::unique("old_link.by_address", |link| vec![old_address(link.account, link.list, &link.address)]);

/// The key of an old address.
#[must_use]
pub fn old_address(account: AccountId, list: Option<ListId>, address: &OldAddress) -> Key {
    let key = of(account).u64(list.map_or(0, |list| list.0));
    match address {
        OldAddress::Page(page) => key.u8(1).text(page),
        OldAddress::MailHash(hash) => key.u8(2).bytes(hash),
        OldAddress::Pipermail { volume, number } => key.u8(3).text(volume).u64(u64::from(*number)),
        OldAddress::Sympa { month, number } => key.u8(4).text(month).u64(u64::from(*number)),
    }
}
