//! Reads the index rows of many contacts in one pass. Listings of contacts use it for addresses and memberships.

use std::ops::ControlFlow;

use crate::model::{AccountId, ContactId};
use crate::store::{self, Entity, Index, IndexRange, Key, KeyReader, Read, StoreError};

/// The records of these contacts in an index whose keys begin with account and contact.
pub(in crate::ops) fn of_contacts<E: Entity>(
    tx: &impl Read,
    index: &Index<E>,
    account: AccountId,
    contacts: &[u64],
    contact_of: impl Fn(&E) -> ContactId,
) -> Result<Vec<Vec<E>>, StoreError> {
    let of_account = || Key::new().u64(account.0);
    let mut ids = Vec::with_capacity(contacts.len());
    for run in store::runs(contacts) {
        let [first, ..] = run else { continue };
        let mut wanted = run;
        let rows = IndexRange::prefix(of_account()).from(of_account().u64(*first));
        tx.scan(index, &rows, |key, id| {
            let Some(contact) = contact_in_key(key) else { return ControlFlow::Continue(()) };
            while let [next, rest @ ..] = wanted
                && *next < contact
            {
                wanted = rest;
            }
            match wanted {
                [] => return ControlFlow::Break(()),
                [next, ..] if *next == contact => ids.push(id),
                // The row of another contact.
                [..] => {}
            }
            ControlFlow::Continue(())
        })?;
    }
    let mut records = tx.indexed(index, &ids)?.into_iter().peekable();
    let of_contact = |contact: &u64| {
        std::iter::from_fn(|| records.next_if(|record| contact_of(record).0 == *contact)).collect()
    };
    Ok(contacts.iter().map(of_contact).collect())
}

/// The contact in a key that begins with account and contact.
fn contact_in_key(key: &[u8]) -> Option<u64> {
    let mut parts = KeyReader::new(key);
    parts.u64()?;
    parts.u64()
}
