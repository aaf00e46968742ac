//! Keeps the names that lists had, so that links under them still lead to the lists.
//!
//! `ops::people::memberships` looks them up.

use crate::clock::Timestamp;
use crate::model::{AuditAction, EarlierName, EarlierNameId, List, Permission};
use crate::ops::audit::{self, Note};
use crate::ops::{Caller, OpError};
use crate::schema::{EARLIER_NAME_BY_LIST, EARLIER_NAME_BY_NAME, LIST_BY_NAME};
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

/// Notes that a list had a name on another server, unless a list has that name. Returns whether links under it lead to the
/// list now.
pub fn note_elsewhere(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    list: &List,
    name: &str,
    now: Timestamp,
) -> Result<bool, OpError> {
    caller.require(Permission::AccountAdmin)?;
    let name = name.to_ascii_lowercase();
    let key = Key::new().u64(list.account.0).text(&name);
    if let Some(named) = tx.find_id(&LIST_BY_NAME, &key)? {
        return Ok(named == list.id.0);
    }
    if let Some(earlier) = tx.find(&EARLIER_NAME_BY_NAME, &key)? {
        return Ok(earlier.list == list.id);
    }
    let id = EarlierNameId(tx.next_id::<EarlierName>()?);
    tx.put(&EarlierName { id, account: list.account, list: list.id, name: name.clone(), until: now })?;
    let changed = Note::new(AuditAction::ListUpdated, list.id.0).named(list.name.as_str());
    audit::note(tx, caller, changed.detail(&format!("earlier name {name}")), now)?;
    Ok(true)
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
