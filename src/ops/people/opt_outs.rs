//! Who opted out of a list, or of an account, and is not added again by mistake.
//!
//! A person who leaves without an administrator's help, complains, or comes from another system as unsubscribed is
//! noted here. Calls that put somebody on a list in an administrator's name are refused for such a person
//! ([`require_none`]), unless they say that they override it. The record ends when the person joins again, and is kept
//! when the contact is deleted, without an address that could be read.

use std::collections::BTreeSet;

use data_encoding::HEXLOWER;

use crate::clock::Timestamp;
use crate::model::{AccountId, Contact, ContactId, EmailAddress, List, ListId, OptOut, OptOutId, OptOutWay};
use crate::ops::OpError;
use crate::ops::people::contacts::emails_of;
use crate::schema::{META_OPT_OUT_SALT, META_SECRET, OPT_OUT_BY_ADDRESS, OPT_OUT_BY_CONTACT};
use crate::secret::{sha256, sha256_text};
use crate::store::{Index, IndexRange, Key, Read, StoreError, WriteTx};

/// Records of one address or contact that are looked at, the oldest first: it has one for each list.
const LOOKED_AT_MAX: usize = 10_000;

/// Whom a call puts on a list.
#[derive(Debug, Clone, Copy)]
pub(in crate::ops) struct Added<'a> {
    /// The account.
    pub account: AccountId,
    /// The contact, if there is one.
    pub contact: Option<ContactId>,
    /// The addresses that the person has, or will have.
    pub addresses: &'a [EmailAddress],
}

/// The salt of the hashes of an account: its own, if it came from another server, else this server's. `None` if nobody
/// has opted out yet.
pub(in crate::ops) fn salt(tx: &impl Read, account: AccountId) -> Result<Option<Vec<u8>>, StoreError> {
    match tx.meta(&own_salt(account))? {
        Some(own) => Ok(Some(own)),
        None => tx.meta(META_OPT_OUT_SALT),
    }
}

/// The name under which the file keeps the salt of an account that came from another server.
fn own_salt(account: AccountId) -> String {
    format!("{META_OPT_OUT_SALT}.{account}")
}

/// Keeps the salt that an account brings along, or forgets it.
pub(in crate::ops) fn set_salt(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    salt: Option<&[u8]>,
) -> Result<(), StoreError> {
    let name = own_salt(account);
    if salt.is_none() && tx.meta(&name)?.is_none() {
        return Ok(());
    }
    tx.set_meta(&name, salt)
}

/// The salt, which the first record makes. It stays when the secret of links is replaced.
fn salt_or_new(tx: &mut WriteTx<'_>, account: AccountId) -> Result<Vec<u8>, StoreError> {
    if let Some(salt) = salt(tx, account)? {
        return Ok(salt);
    }
    let mut secret = tx.meta(META_SECRET)?.unwrap_or_default();
    secret.extend(b"opt-out");
    let salt = sha256(&secret).to_vec();
    tx.set_meta(META_OPT_OUT_SALT, Some(&salt))?;
    Ok(salt)
}

fn hash_of(salt: &[u8], account: AccountId, address: &EmailAddress) -> [u8; 32] {
    sha256_text(format_args!("{} {account} {}", HEXLOWER.encode(salt), address.folded()))
}

/// The records of a person: those of the contact, and those of its addresses.
pub(in crate::ops) fn of_person(tx: &impl Read, person: Added<'_>) -> Result<Vec<OptOut>, StoreError> {
    let Added { account, contact, addresses } = person;
    let Some(salt) = salt(tx, account)? else { return Ok(Vec::new()) };
    let of_account = || Key::new().u64(account.0);
    let mut ids = BTreeSet::new();
    let mut look = |index: &Index<OptOut>, key: Key| -> Result<(), StoreError> {
        ids.extend(tx.ids(index, &IndexRange::prefix(key), LOOKED_AT_MAX)?);
        Ok(())
    };
    if let Some(contact) = contact {
        look(&OPT_OUT_BY_CONTACT, of_account().u64(contact.0))?;
    }
    for address in addresses {
        look(&OPT_OUT_BY_ADDRESS, of_account().bytes(&hash_of(&salt, account, address)))?;
    }
    let ids: Vec<u64> = ids.into_iter().collect();
    Ok(tx.records::<OptOut>(&ids)?.into_iter().flatten().collect())
}

/// The addresses of a contact.
pub(in crate::ops) fn addresses_of(
    tx: &impl Read,
    contact: &Contact,
) -> Result<Vec<EmailAddress>, StoreError> {
    Ok(emails_of(tx, contact)?.into_iter().map(|email| email.address).collect())
}

/// The records of a contact, the oldest first.
///
/// # Errors
/// If the store fails.
pub fn of_contact(tx: &impl Read, contact: &Contact) -> Result<Vec<OptOut>, StoreError> {
    let addresses = addresses_of(tx, contact)?;
    of_person(tx, Added { account: contact.account, contact: Some(contact.id), addresses: &addresses })
}

/// Passes if a person has not opted out of a list.
///
/// # Errors
/// `OptedOut`, which says when and how.
pub(in crate::ops) fn require_none(tx: &impl Read, person: Added<'_>, list: &List) -> Result<(), OpError> {
    let of_list = |opt_out: &OptOut| opt_out.list.is_none_or(|id| id == list.id);
    match of_person(tx, person)?.into_iter().filter(of_list).max_by_key(|opt_out| opt_out.time) {
        None => Ok(()),
        Some(OptOut { way, time, .. }) => Err(OpError::OptedOut { list: list.name.to_string(), way, time }),
    }
}

/// Lets an administrator's call put a contact on a list: passes if the contact has not opted out of it, or if the call
/// overrides that, which ends the record of this list.
pub(in crate::ops) fn let_in(
    tx: &mut WriteTx<'_>,
    contact: &Contact,
    list: &List,
    overrides: bool,
) -> Result<(), OpError> {
    if salt(tx, list.account)?.is_none() {
        return Ok(());
    }
    let addresses = addresses_of(tx, contact)?;
    let person = Added { account: contact.account, contact: Some(contact.id), addresses: &addresses };
    if !overrides {
        return require_none(tx, person, list);
    }
    for opt_out in of_person(tx, person)?.into_iter().filter(|opt_out| opt_out.list == Some(list.id)) {
        tx.delete::<OptOut>(opt_out.id.0)?;
    }
    Ok(())
}

/// Ends the records of a person who joined a list without an administrator: that of the list, and that of the account.
pub(in crate::ops) fn end(tx: &mut WriteTx<'_>, contact: &Contact, list: ListId) -> Result<(), StoreError> {
    for opt_out in of_contact(tx, contact)? {
        if opt_out.list.is_none_or(|id| id == list) {
            tx.delete::<OptOut>(opt_out.id.0)?;
        }
    }
    Ok(())
}

/// Notes that a person opted out, in place of what was noted for the same list before.
pub(in crate::ops) fn note(
    tx: &mut WriteTx<'_>,
    person: Added<'_>,
    list: Option<ListId>,
    way: OptOutWay,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Added { account, contact, addresses } = person;
    let salt = salt_or_new(tx, account)?;
    for old in of_person(tx, person)?.into_iter().filter(|old| old.list == list) {
        tx.delete::<OptOut>(old.id.0)?;
    }
    let addresses = addresses.iter().map(|address| hash_of(&salt, account, address)).collect();
    let id = OptOutId(tx.next_id::<OptOut>()?);
    tx.put(&OptOut { id, account, list, contact, addresses, way, time: now })
}

/// Notes that a person opted out elsewhere, unless the same is noted already; returns whether it was not.
pub(in crate::ops) fn note_imported(
    tx: &mut WriteTx<'_>,
    person: Added<'_>,
    list: Option<ListId>,
    now: Timestamp,
) -> Result<bool, StoreError> {
    if of_person(tx, person)?.iter().any(|opt_out| opt_out.list == list) {
        return Ok(false);
    }
    note(tx, person, list, OptOutWay::Import, now)?;
    Ok(true)
}

/// Notes that a contact opted out.
pub(in crate::ops) fn note_contact(
    tx: &mut WriteTx<'_>,
    contact: &Contact,
    list: Option<ListId>,
    way: OptOutWay,
    now: Timestamp,
) -> Result<(), StoreError> {
    let addresses = addresses_of(tx, contact)?;
    let person = Added { account: contact.account, contact: Some(contact.id), addresses: &addresses };
    note(tx, person, list, way, now)
}

/// Takes a contact that is being deleted out of its records, which stay with the hashes alone.
pub(in crate::ops) fn forget_contact(tx: &mut WriteTx<'_>, contact: &Contact) -> Result<(), StoreError> {
    let of_contact = Key::new().u64(contact.account.0).u64(contact.id.0);
    for id in tx.ids(&OPT_OUT_BY_CONTACT, &IndexRange::prefix(of_contact), usize::MAX)? {
        if let Some(opt_out) = tx.get::<OptOut>(id)? {
            tx.put(&OptOut { contact: None, ..opt_out })?;
        }
    }
    Ok(())
}
