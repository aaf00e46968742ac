//! Administrators and their keys: creates both, and finds the administrator of a key.
//!
//! A key is drawn outside the write job, and only its SHA-256 is known here. A caller never learns why a key is
//! refused: unknown, expired, revoked and used from a wrong network get the same answer. Administrators as objects that
//! others see and change are in [`manage`].

pub mod delegation;
pub mod invite;
pub mod manage;

use std::collections::BTreeSet;
use std::net::IpAddr;

pub use crate::ops::authority::all_grants;

use crate::clock::Timestamp;
use crate::model::admin::Notification;
use crate::model::{
    AccountId, Admin, AdminId, ApiKey, ApiKeyId, Cidr, CustomFieldId, EmailAddress, List, ListId, Permission,
    Suspension,
};
use crate::ops::{OpError, Wrong};
use crate::schema::{ADMIN_BY_ACCOUNT, ADMIN_BY_USERNAME, API_KEY_BY_ADMIN, API_KEY_BY_HASH};
use crate::secret;
use crate::store::{Key, Read, StoreError, WriteTx};

/// The notifications that a first administrator gets by mail (`spec/operations.md`).
pub const FIRST_NOTIFICATIONS: [Notification; 5] = [
    Notification::HeldMessage,
    Notification::PendingMember,
    Notification::PendingList,
    Notification::DeliveryProblem,
    Notification::Security,
];

/// The API version of a key's holder; a person's is 0.
pub const KEY_API: u8 = 2;

/// The months after which a key may expire (`spec/api.md` 3).
pub const EXPIRY_MONTHS: [u8; 4] = [1, 3, 6, 12];

/// The kind of a new administrator: a person, or the holder of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Signs in to the pages with an address and a password.
    Person {
        /// The address.
        username: EmailAddress,
    },
    /// A program that has a key.
    Program {
        /// The purpose of the key.
        description: String,
        /// Networks from which the key may be used; anywhere if empty.
        cidr: Vec<Cidr>,
    },
}

/// The values of a new administrator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAdmin {
    /// The account; `None` for a global administrator.
    pub account: Option<AccountId>,
    /// A person or a program.
    pub kind: Kind,
    /// First name.
    pub firstname: String,
    /// Surname.
    pub surname: String,
    /// The notifications it gets by mail.
    pub notifications: BTreeSet<Notification>,
    /// The permissions it has.
    pub permissions: BTreeSet<Permission>,
    /// Custom fields it is limited to.
    pub limit_metadata: Vec<CustomFieldId>,
    /// Lists it is limited to.
    pub limit_lists: Vec<ListId>,
}

impl NewAdmin {
    /// An administrator with these permissions, and without a name, notifications or limits.
    #[must_use]
    pub fn new(account: Option<AccountId>, kind: Kind, permissions: BTreeSet<Permission>) -> NewAdmin {
        NewAdmin {
            account,
            kind,
            firstname: String::new(),
            surname: String::new(),
            notifications: BTreeSet::new(),
            permissions,
            limit_metadata: Vec::new(),
            limit_lists: Vec::new(),
        }
    }
}

/// Creates an administrator of either kind.
pub fn create(tx: &mut WriteTx<'_>, input: NewAdmin, now: Timestamp) -> Result<Admin, OpError> {
    let NewAdmin {
        account,
        kind,
        firstname,
        surname,
        notifications,
        permissions,
        limit_metadata,
        limit_lists,
    } = input;
    let (username, description, cidr, api) = match kind {
        Kind::Person { username } => (Some(username), String::new(), Vec::new(), 0),
        Kind::Program { description, cidr } => (None, description, cidr, KEY_API),
    };
    let id = AdminId(tx.next_id::<Admin>()?);
    let admin = Admin {
        username,
        description,
        firstname,
        surname,
        cidr,
        notifications,
        permissions,
        limit_metadata,
        limit_lists,
        ..Admin::new(id, account, api, now)
    };
    put(tx, &admin)?;
    Ok(admin)
}

fn put(tx: &mut WriteTx<'_>, admin: &Admin) -> Result<(), OpError> {
    tx.put(admin).map_err(|error| match error {
        StoreError::Duplicate { index } if index == ADMIN_BY_USERNAME.name() => {
            OpError::conflict("username", Wrong::AdminTaken)
        }
        other => other.into(),
    })
}

/// The ids of an administrator's keys.
fn keys_of(tx: &impl Read, admin: &Admin) -> Result<Vec<u64>, StoreError> {
    let prefix = Key::new().u64(admin.account_or_server().0).u64(admin.id.0);
    tx.ids(&API_KEY_BY_ADMIN, &prefix.into(), usize::MAX)
}

/// The record of an administrator's key, if it has one.
pub fn key_of(tx: &impl Read, account: AccountId, admin: u64) -> Result<Option<ApiKey>, StoreError> {
    let prefix = Key::new().u64(account.0).u64(admin);
    Ok(tx.page(&API_KEY_BY_ADMIN, &prefix.into(), 1)?.pop())
}

/// Gives an administrator the key whose SHA-256 is `hash`, and revokes its earlier keys.
pub fn create_key(
    tx: &mut WriteTx<'_>,
    admin: &Admin,
    hash: [u8; 32],
    expiry: Option<Timestamp>,
    now: Timestamp,
) -> Result<ApiKey, OpError> {
    // An administrator has at most one key, since every new key is made here.
    for earlier in keys_of(tx, admin)? {
        tx.delete::<ApiKey>(earlier)?;
    }
    let id = ApiKeyId(tx.next_id::<ApiKey>()?);
    let key = ApiKey { id, admin: admin.id, account: admin.account, hash, expiry, created: now };
    tx.put(&key)?;
    Ok(key)
}

/// The expiry of a key that is made `now` for this many calendar months.
#[must_use]
pub fn expiry_after(now: Timestamp, months: u8) -> Timestamp {
    let start = now.in_zone(jiff::tz::TimeZone::UTC);
    let end = start.saturating_add(jiff::Span::new().months(i64::from(months)));
    Timestamp::from_ms(end.timestamp().as_millisecond())
}

/// The administrator who is authenticated by a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authenticated {
    /// The administrator, with its permissions and limits; a global one has no account.
    pub admin: Admin,
    /// The key that was used.
    pub key: ApiKeyId,
}

/// The administrator of `key`, used `now` by `client`; `None` if the key is unknown, revoked, expired, or used from
/// outside its networks, or its account is suspended.
pub fn authenticate(
    tx: &impl Read,
    key: &str,
    client: IpAddr,
    now: Timestamp,
) -> Result<Option<Authenticated>, StoreError> {
    if key.len() != secret::API_KEY_LEN {
        return Ok(None);
    }
    let hash = secret::sha256(key.as_bytes());
    let Some(key) = tx.find(&API_KEY_BY_HASH, &Key::new().bytes(&hash))? else {
        return Ok(None);
    };
    if key.expiry.is_some_and(|expiry| expiry <= now) {
        return Ok(None);
    }
    let Some(admin) = tx.get::<Admin>(key.admin.0)? else {
        return Ok(None);
    };
    if let Some(account) = admin.account
        && tx.get::<Suspension>(account.0)?.is_some()
    {
        return Ok(None);
    }
    let inside = admin.cidr.is_empty() || admin.cidr.iter().any(|cidr| cidr.contains(client));
    Ok(inside.then_some(Authenticated { admin, key: key.id }))
}

/// The administrators of an account, or the global ones for `None`, oldest first.
pub fn of_account(tx: &impl Read, account: Option<AccountId>) -> Result<Vec<Admin>, StoreError> {
    let prefix = Key::new().u64(account.map_or(0, |account| account.0));
    tx.page(&ADMIN_BY_ACCOUNT, &prefix.into(), usize::MAX)
}

/// Removes a deleted list from the limits of its account's administrators. They stay limited: an administrator who was
/// limited to this list alone sees none.
pub fn forget_list(tx: &mut WriteTx<'_>, list: &List) -> Result<(), OpError> {
    for mut admin in of_account(tx, Some(list.account))? {
        if admin.limit_lists.contains(&list.id) {
            admin.limit_lists.retain(|id| *id != list.id);
            put(tx, &admin)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Store, StoreOptions};

    const NOW: Timestamp = Timestamp::from_ms(1_800_000_000_000);
    const KEY: &str = "0123456789abcdefghijABCDEFGHIJkl";

    /// A store with one program that has `KEY`, and that program.
    fn store_with(cidr: &str, expiry: Option<Timestamp>) -> (tempfile::TempDir, Store, Admin) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("x.redb"), StoreOptions::default()).unwrap();
        let cidr = cidr.split_whitespace().map(|text| Cidr::parse(text).unwrap()).collect();
        let kind = Kind::Program { description: String::new(), cidr };
        let admin = store.write_blocking(move |tx| {
            let admin = create(tx, NewAdmin::new(Some(AccountId(1)), kind, all_grants()), NOW)?;
            create_key(tx, &admin, secret::sha256(KEY.as_bytes()), expiry, NOW)?;
            Ok::<Admin, OpError>(admin)
        });
        (folder, store, admin.unwrap())
    }

    fn passes(store: &Store, key: &str, client: &str, now: Timestamp) -> bool {
        authenticate(&store.read().unwrap(), key, client.parse().unwrap(), now).unwrap().is_some()
    }

    #[test]
    fn a_key_speaks_for_its_administrator() {
        let (_folder, store, admin) = store_with("", None);
        let found = authenticate(&store.read().unwrap(), KEY, "192.0.2.1".parse().unwrap(), NOW).unwrap();
        assert_eq!(found.map(|found| found.admin), Some(admin));
        for wrong in ["", "x", &KEY[1..], &KEY.to_lowercase(), &format!("{KEY} ")] {
            assert!(!passes(&store, wrong, "192.0.2.1", NOW), "{wrong}");
        }
    }

    #[test]
    fn a_key_works_until_it_expires_and_from_its_networks_alone() {
        let expiry = expiry_after(NOW, 1);
        let (_folder, store, _) = store_with("192.0.2.0/24 2001:db8::/32", Some(expiry));
        assert!(passes(&store, KEY, "192.0.2.200", NOW));
        assert!(passes(&store, KEY, "2001:db8::7", Timestamp::from_ms(expiry.ms() - 1)));
        assert!(!passes(&store, KEY, "192.0.3.1", NOW));
        assert!(!passes(&store, KEY, "192.0.2.200", expiry));
    }

    #[test]
    fn a_new_key_revokes_the_earlier_one() {
        let (_folder, store, admin) = store_with("", None);
        let other: String = KEY.chars().rev().collect();
        let hash = secret::sha256(other.as_bytes());
        store.write_blocking(move |tx| create_key(tx, &admin, hash, None, NOW)).unwrap();
        assert!(!passes(&store, KEY, "192.0.2.1", NOW));
        assert!(passes(&store, &other, "192.0.2.1", NOW));
    }

    #[test]
    fn an_address_is_one_administrators_in_an_account() {
        let (_folder, store, _) = store_with("", None);
        let person = |account: Option<u64>, address: &str| {
            let kind = Kind::Person { username: EmailAddress::parse(address).unwrap() };
            let input = NewAdmin::new(account.map(AccountId), kind, all_grants());
            store.write_blocking(move |tx| create(tx, input, NOW))
        };
        assert!(person(Some(1), "ada@example.org").is_ok());
        assert!(matches!(
            person(Some(1), "ADA@example.org"),
            Err(OpError::Conflict { field: "username", .. })
        ));
        assert!(person(Some(2), "ada@example.org").is_ok());
        assert!(person(None, "ada@example.org").is_ok());
    }

    #[test]
    fn months_are_those_of_the_calendar() {
        let end_of_january = Timestamp::from_ms(1_769_860_800_000);
        assert_eq!(end_of_january.rfc3339(), "2026-01-31T12:00:00Z");
        assert_eq!(expiry_after(end_of_january, 1).rfc3339(), "2026-02-28T12:00:00Z");
        assert_eq!(expiry_after(end_of_january, 12).rfc3339(), "2027-01-31T12:00:00Z");
    }
}
