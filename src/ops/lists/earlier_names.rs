//! Keeps the names that lists had, so that links under them still lead to the lists.
//!
//! `ops::people::memberships` looks them up.

use crate::clock::Timestamp;
use crate::model::{EarlierName, EarlierNameId, List};
use crate::schema::{EARLIER_NAME_BY_LIST, EARLIER_NAME_BY_NAME};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Earlier names of one list that are kept, the newest.
const NAMES_MAX: usize = 20;

/// Notes that a list has another name than it had.
pub(super) fn renamed(
    tx: &mut WriteTx<'_>,
    before: &List,
    list: &List,
    now: Timestamp,
) -> Result<(), StoreError> {
    taken(tx, list)?;
    let id = EarlierNameId(tx.next_id::<EarlierName>()?);
    let (account, list) = (before.account, before.id);
    tx.put(&EarlierName { id, account, list, name: before.name.folded(), until: now })?;
    let names = tx.ids(&EARLIER_NAME_BY_LIST, &of_list(before), usize::MAX)?;
    for old in names.iter().rev().skip(NAMES_MAX) {
        tx.delete::<EarlierName>(*old)?;
    }
    Ok(())
}

/// Notes that a list has its name now: links under it lead to no other list any more.
pub(super) fn taken(tx: &mut WriteTx<'_>, list: &List) -> Result<(), StoreError> {
    let key = Key::new().u64(list.account.0).text(&list.name.folded());
    if let Some(earlier) = tx.find_id(&EARLIER_NAME_BY_NAME, &key)? {
        tx.delete::<EarlierName>(earlier)?;
    }
    Ok(())
}

fn of_list(list: &List) -> IndexRange {
    IndexRange::prefix(Key::new().u64(list.account.0).u64(list.id.0))
}
