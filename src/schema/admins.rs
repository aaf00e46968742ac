//! Tables, indexes and counts of administrators and of the keys of programs.

use super::events;
use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use crate::model::{Admin, ApiKey};
use crate::store::{Count, Entity, Index, Key, WriteTx};

impl Entity for Admin {
    const TABLE: &'static str = "admin";
    const INDEXES: &'static [&'static Index<Admin>] = &[&ADMIN_BY_ACCOUNT, &ADMIN_BY_USERNAME];
    const COUNTS: &'static [&'static Count<Admin>] = &[&ADMIN_COUNT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account_or_server().0
    }

    fn tell_of_change(tx: &mut WriteTx<'_>, old: Option<&Admin>, new: Option<&Admin>) {
        events::of_admin(tx, old, new);
    }
}

impl HasLife for Admin {
    const LIFE: Life<Admin> = Life {
        with_account: WithAccount::AtOnce(&ADMIN_BY_ACCOUNT),
        with_contact: WithContact::NamesNone,
        with_list: WithList::ByOperation("the list leaves the limits of administrators"),
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::Kept,
        in_download: InDownload::Not("it is about people who administer, and the file is of members"),
    };
}

/// The account part of an administrator's keys: 0 for a global one, since no account has that id.
fn admin_scope(admin: &Admin) -> Key {
    Key::new().u64(admin.scope())
}

/// The administrators of an account.
pub static ADMIN_BY_ACCOUNT: Index<Admin> =
    Index::multi("admin.by_account", |admin| vec![admin_scope(admin)]);

/// `GET /admins/{username}/`; a username is unique in its account.
pub static ADMIN_BY_USERNAME: Index<Admin> = Index::unique("admin.by_username", |admin| {
    admin.username.iter().map(|username| admin_scope(admin).text(&username.folded())).collect()
});

/// The `count` of the administrators' listing.
pub static ADMIN_COUNT: Count<Admin> = Count::new("admin.count", |admin| vec![admin_scope(admin)]);

impl Entity for ApiKey {
    const TABLE: &'static str = "api_key";
    const INDEXES: &'static [&'static Index<ApiKey>] = &[&API_KEY_BY_HASH, &API_KEY_BY_ADMIN];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.map_or(0, |account| account.0)
    }
}

impl HasLife for ApiKey {
    const LIFE: Life<ApiKey> = Life {
        with_account: WithAccount::AtOnce(&API_KEY_BY_ADMIN),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::Kept,
        in_download: InDownload::Not("it is about people who administer, and the file is of members"),
    };
}

/// The key of a hash, for authentication. A request brings nothing but the API key, so its hash is the whole key.
pub static API_KEY_BY_HASH: Index<ApiKey> =
    Index::unique("api_key.by_hash", |key| vec![Key::new().bytes(&key.hash)]);

/// The keys of an administrator, which `get_key` revokes.
pub static API_KEY_BY_ADMIN: Index<ApiKey> =
    Index::multi("api_key.by_admin", |key| vec![Key::new().u64(key.scope()).u64(key.admin.0)]);
