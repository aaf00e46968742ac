//! The directory of an account: the lists that it shows to a visitor, by name, a page at a time; and the page of one
//! list. Nothing here needs a permission; what a visitor may not see is answered as if it did not exist.
//!
//! A page costs the same however many lists there are: it merges a few ranges of one index. Lists whose members alone
//! may read them are found by the visitor's own memberships.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::model::account::Subscriptions;
use crate::model::list::Memberview;
use crate::model::{Account, List, Membership};
use crate::ops::archive::access::{self, Reader};
use crate::ops::people::{memberships, requests};
use crate::schema::{LIST_IN_DIRECTORY, Listed, MEMBERSHIP_BY_CONTACT, MEMBERSHIP_COUNT_BY_LIST};
use crate::store::{IndexRange, Key, KeyReader, Read, StoreError};

/// Lists on one page of the directory.
pub const PAGE_LISTS: usize = 100;

/// A list as a visitor may know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownList {
    /// The record.
    pub list: List,
    /// How people join: its own setting, or the account's.
    pub subscriptions: Subscriptions,
    /// How people leave: its own setting, or the account's.
    pub unsubscriptions: Subscriptions,
    /// The number of its members, if everybody may know it.
    pub members: Option<u64>,
    /// Whether the visitor is a member.
    pub is_member: bool,
    /// Whether the visitor may read its archive, and the directory may lead there.
    pub is_archive_listed: bool,
}

/// The place of a page in the directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Position {
    /// The first page.
    First,
    /// The lists whose name comes after this one.
    After(String),
    /// The lists whose name comes before this one.
    Before(String),
}

impl Position {
    fn is_backward(&self) -> bool {
        matches!(self, Position::Before(_))
    }
}

/// A page of the directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryPage {
    /// The lists, by name.
    pub lists: Vec<ShownList>,
    /// The name of the first list, if there are others before it.
    pub previous: Option<String>,
    /// The name of the last list, if there are others behind it.
    pub next: Option<String>,
}

/// The page of the directory at a position, for this visitor.
pub fn page(
    tx: &impl Read,
    account: &Account,
    reader: &Reader,
    position: &Position,
) -> Result<DirectoryPage, StoreError> {
    let own = Own::of(tx, account, reader)?;
    let mut found = names(tx, account, reader, &own, position, PAGE_LISTS + 1)?;
    let is_more = PAGE_LISTS < found.len();
    found.truncate(PAGE_LISTS);
    if position.is_backward() {
        found.reverse();
    }
    let (first, last) = (found.first().map(|row| row.0.clone()), found.last().map(|row| row.0.clone()));
    let beyond = |position: Position| -> Result<bool, StoreError> {
        Ok(!names(tx, account, reader, &own, &position, 1)?.is_empty())
    };
    let (previous, next) = match (first, last, position) {
        (Some(first), Some(last), Position::Before(_)) => {
            let is_next = beyond(Position::After(last.clone()))?;
            (is_more.then_some(first), is_next.then_some(last))
        }
        (Some(first), Some(last), Position::First | Position::After(_)) => {
            let is_previous = *position != Position::First && beyond(Position::Before(first.clone()))?;
            (is_previous.then_some(first), is_more.then_some(last))
        }
        _ => (None, None),
    };
    let ids: Vec<u64> = found.into_iter().map(|(_, id)| id).collect();
    let mut lists = Vec::with_capacity(ids.len());
    for list in tx.records::<List>(&ids)?.into_iter().flatten() {
        lists.push(shown(tx, account, list, reader)?);
    }
    Ok(DirectoryPage { lists, previous, next })
}

/// The list of this name, in any case, or of this earlier name, as its page shows it to this visitor; `None` if the
/// visitor may not know that it exists.
pub fn find(
    tx: &impl Read,
    account: &Account,
    name: &str,
    reader: &Reader,
) -> Result<Option<ShownList>, StoreError> {
    let Some(list) = memberships::find_list_known_as(tx, account.id, name)? else { return Ok(None) };
    if list.pending {
        return Ok(None);
    }
    let may_read = access::may_read(tx, &list, reader)?;
    let is_administered = reader.administers(&list);
    let shown = shown(tx, account, list, reader)?;
    let is_joinable = shown.subscriptions != Subscriptions::Closed;
    let is_there = is_joinable || may_read || shown.is_member || is_administered;
    Ok(is_there.then_some(shown))
}

fn shown(tx: &impl Read, account: &Account, list: List, reader: &Reader) -> Result<ShownList, StoreError> {
    let members = match list.memberview {
        Some(Memberview::AllNoEmail | Memberview::AllWithEmail) => {
            let of_list = Key::new().u64(list.account.0).u64(list.id.0);
            Some(tx.count(&MEMBERSHIP_COUNT_BY_LIST, &of_list)?)
        }
        Some(Memberview::NoEmail | Memberview::WithEmail) | None => None,
    };
    Ok(ShownList {
        subscriptions: requests::subscriptions(account, &list),
        unsubscriptions: requests::unsubscriptions(account, &list),
        members,
        is_member: reader.is_member(tx, &list)?,
        is_archive_listed: !list.archive_index_noshow && access::may_read(tx, &list, reader)?,
        list,
    })
}

/// The lists of which the directory shows this visitor more than it shows everybody: the folded names, and the ids.
struct Own(BTreeMap<String, u64>);

impl Own {
    fn of(tx: &impl Read, account: &Account, reader: &Reader) -> Result<Own, StoreError> {
        let mut own = BTreeMap::new();
        let mut add = |list: List| -> Result<(), StoreError> {
            let is_hidden = matches!(Listed::of(&list), None | Some(Listed::ToAll | Listed::IfJoinable));
            if !is_hidden && access::may_read(tx, &list, reader)? {
                own.insert(list.name.folded(), list.id.0);
            }
            Ok(())
        };
        if let Some(contact) = reader.member {
            let of_contact = IndexRange::prefix(Key::new().u64(account.id.0).u64(contact.0));
            for membership in tx.page::<Membership>(&MEMBERSHIP_BY_CONTACT, &of_contact, usize::MAX)? {
                if let Some(list) = tx.get::<List>(membership.list.0)? {
                    add(list)?;
                }
            }
        }
        for id in reader.admin.iter().filter_map(|limits| limits.lists()).flatten() {
            if let Some(list) = tx.get::<List>(id.0)?.filter(|list| list.account == account.id) {
                add(list)?;
            }
        }
        Ok(Own(own))
    }
}

/// The folded names and ids of the first lists that a visitor sees beyond a position, in the direction of the position.
fn names(
    tx: &impl Read,
    account: &Account,
    reader: &Reader,
    own: &Own,
    position: &Position,
    limit: usize,
) -> Result<Vec<(String, u64)>, StoreError> {
    let is_joinable = account.settings.subscriptions != Subscriptions::Closed;
    let sees_all = reader.admin.as_ref().is_some_and(|limits| limits.lists().is_none());
    let ranges = [
        (Listed::ToAll, true),
        (Listed::IfJoinable, is_joinable),
        (Listed::IfJoinableOrReadable, is_joinable || sees_all),
        (Listed::IfReadable, sees_all),
    ];
    let is_beyond = |name: &str| match position {
        Position::First => true,
        Position::After(after) => after.as_str() < name,
        Position::Before(before) => name < before.as_str(),
    };
    let mut found: Vec<(String, u64)> =
        own.0.iter().filter(|(name, _)| is_beyond(name)).map(|(name, id)| (name.clone(), *id)).collect();
    for (listed, _) in ranges.into_iter().filter(|(_, is_seen)| *is_seen) {
        found.extend(range(tx, account, listed, position, limit)?);
    }
    found.sort_unstable();
    found.dedup();
    if position.is_backward() {
        found.reverse();
    }
    found.truncate(limit);
    Ok(found)
}

fn range(
    tx: &impl Read,
    account: &Account,
    listed: Listed,
    position: &Position,
    limit: usize,
) -> Result<Vec<(String, u64)>, StoreError> {
    let prefix = Key::new().u64(account.id.0).u8(listed.number());
    let range = IndexRange::prefix(prefix.clone());
    let range = match position {
        Position::First => range,
        Position::After(name) => range.after(prefix.text(name)),
        Position::Before(name) => range.backward().after(prefix.text(name)),
    };
    let mut rows = Vec::with_capacity(limit);
    let broken = tx.scan(&LIST_IN_DIRECTORY, &range, |key, id| {
        let mut parts = KeyReader::new(key);
        let name = parts.u64().and_then(|_| parts.u8()).and_then(|_| parts.text());
        let Some(name) = name else {
            let error = StoreError::corrupt(LIST_IN_DIRECTORY.name(), format_args!("a key without a name"));
            return ControlFlow::Break(Some(error));
        };
        rows.push((name, id));
        if rows.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(None) }
    })?;
    match broken.flatten() {
        Some(error) => Err(error),
        None => Ok(rows),
    }
}
