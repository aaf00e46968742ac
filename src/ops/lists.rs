//! Mailing lists: reads, creates, changes and deletes them. The API and the command line call it.
//!
//! Values arrive parsed and checked one by one. Checks that need other records are made here: whether a name is taken,
//! and the lists to which posting is restricted.

pub mod aliases;
pub mod directory;
pub mod earlier_names;
pub mod home;
pub mod kinds;
pub mod pending;
pub mod writers;

use std::ops::ControlFlow;

use crate::clock::Timestamp;
use crate::model::fields::{Setting, Value as _};
use crate::model::list::{NameError, Topic};
use crate::model::{Account, AccountId, AuditAction, List, ListId, ListName, Permission, Words};
use crate::ops::accounts::admins;
use crate::ops::archive::messages;
use crate::ops::audit::{self, Note, Step, changed_fields};
use crate::ops::paging::window_of;
use crate::ops::people::contacts::{self, ContactName, account_of};
use crate::ops::people::memberships::{find_list, list_named};
use crate::ops::people::requests;
use crate::ops::{Caller, Change, OpError, Page, PageRequest, Problems, Wrong, window_ids};
use crate::schema::{
    ALIAS_BY_SOURCE, EntityVisitor, HasLife, LIST_BY_ACCOUNT, LIST_BY_CLID, LIST_BY_MAXLENGTH, LIST_BY_NAME,
    LIST_COUNT, MEMBERSHIP_COUNT, MEMBERSHIP_COUNT_BY_LIST, WithList, visit_entities,
};
use crate::store::{Entity as _, IndexRange, Key, Read, StoreError, WriteTx};

pub use crate::model::list::ListChanges;

/// Memberships, held messages, requests and messages that one write job of a deletion removes, so that it never holds
/// up the writer for long.
const ROWS_PER_STEP: usize = 1000;

/// A list with everything that its object shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListDetail {
    /// The record.
    pub list: List,
    /// Names of the lists posting is restricted to.
    pub restrict_post_lists: Vec<ListName>,
    /// Its members, if they were requested.
    pub contacts: Option<Vec<ContactName>>,
}

/// Whether a list's members are requested: there can be many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Members {
    /// They are shown.
    Show,
    /// They are left out.
    Skip,
}

/// The filters of a listing; a list must pass all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListFilter {
    /// The list of this name.
    pub name: Option<String>,
    /// The list with this custom identifier.
    pub clid: Option<String>,
    /// Lists that have, for every word of this text, a word that begins with it.
    pub search: Option<String>,
}

impl ListDetail {
    /// The settings of the list with their values; lists are named.
    #[must_use]
    pub fn settings(&self) -> Vec<Setting<'_, Topic>> {
        let mut settings = self.list.values();
        for setting in settings.iter_mut().filter(|setting| setting.topic == Topic::Lists) {
            setting.value = self.restrict_post_lists.plain();
        }
        settings
    }
}

/// The list in a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListInput {
    /// Values that need no other record to be checked.
    pub changes: ListChanges,
    /// Names of the lists to which posting is restricted from now on.
    pub restrict_post_lists: Change<Vec<String>>,
    /// Hash of the password that opens the archive from now on.
    pub archive_password_hash: Change<Option<String>>,
    /// The problems found in the call's values.
    pub problems: Problems,
}

fn detail(
    tx: &impl Read,
    caller: &Caller,
    account: &Account,
    list: List,
    members: Members,
) -> Result<ListDetail, StoreError> {
    let mut restrict_post_lists = Vec::with_capacity(list.restrict_post_lists.len());
    for id in list.restrict_post_lists.iter().filter(|id| caller.limits.sees_list(**id)) {
        if *id == list.id {
            restrict_post_lists.push(list.name.clone());
        } else {
            restrict_post_lists.extend(tx.get::<List>(id.0)?.map(|other| other.name));
        }
    }
    let contacts = match members {
        Members::Skip => None,
        Members::Show => {
            let ids = contacts::ids_of_list(tx, &list)?;
            let names = ids.into_iter().map(|id| contacts::name_of_id(tx, account, id));
            Some(names.collect::<Result<Vec<_>, _>>()?)
        }
    };
    Ok(ListDetail { list, restrict_post_lists, contacts })
}

/// The list with this id, for callers who know that they may see it; `None` if there is none any more.
pub fn of_id(tx: &impl Read, id: ListId) -> Result<Option<List>, StoreError> {
    tx.get(id.0)
}

/// The name of a list; `None` if there is none any more.
pub fn name_of(tx: &impl Read, id: ListId) -> Result<Option<String>, StoreError> {
    Ok(of_id(tx, id)?.map(|list| list.name.to_string()))
}

/// The list of this name.
pub fn get(tx: &impl Read, caller: &Caller, name: &str, members: Members) -> Result<ListDetail, OpError> {
    caller.require_read()?;
    let account = account_of(tx, caller)?;
    let list = list_named(tx, caller, name)?;
    Ok(detail(tx, caller, &account, list, members)?)
}

/// The lists of an account, by id.
pub fn list(
    tx: &impl Read,
    caller: &Caller,
    filter: &ListFilter,
    members: Members,
    window: PageRequest,
) -> Result<Page<ListDetail>, OpError> {
    caller.require_read()?;
    let account = account_of(tx, caller)?;
    let of_account = Key::new().u64(account.id.0);
    let ListFilter { name, clid, search } = filter;
    let question = search.as_deref().map(Words::of_question);
    let is_narrowed = name.is_some() || clid.is_some() || question.is_some();
    let (lists, count): (Vec<List>, u64) = if !is_narrowed && caller.limits.lists().is_none() {
        let ids = window_ids(tx, &LIST_BY_ACCOUNT, of_account.clone().into(), window)?;
        let mut lists = Vec::with_capacity(ids.len());
        for id in ids {
            lists.extend(tx.get::<List>(id)?);
        }
        (lists, tx.count(&LIST_COUNT, &of_account)?)
    } else {
        let mut found: Vec<List> = match (name, clid, caller.limits.lists()) {
            (Some(name), ..) => find_list(tx, caller, name)?.into_iter().collect(),
            (None, Some(clid), _) => tx.find(&LIST_BY_CLID, &of_account.text(clid))?.into_iter().collect(),
            (None, None, Some(seen)) => {
                let lists = seen.iter().map(|list| tx.get::<List>(list.0));
                lists.filter_map(Result::transpose).collect::<Result<_, _>>()?
            }
            // There are few lists: their words are read when needed, not indexed.
            (None, None, None) => tx.page(&LIST_BY_ACCOUNT, &of_account.into(), usize::MAX)?,
        };
        let answers = |list: &List| question.as_ref().is_none_or(|words| Words::of_list(list).answer(words));
        found
            .retain(|list| caller.sees_list(list) && (clid.is_none() || list.clid == *clid) && answers(list));
        let count = u64::try_from(found.len()).unwrap_or(u64::MAX);
        (window_of(found, window, |list| list.id.0), count)
    };
    let rows = lists.into_iter().map(|list| detail(tx, caller, &account, list, members));
    Ok(Page { rows: rows.collect::<Result<Vec<_>, _>>()?, count })
}

/// The list of an account with the lowest number beyond this one.
///
/// # Errors
/// If the store fails.
pub fn next_of_account(
    tx: &impl Read,
    account: AccountId,
    after: ListId,
) -> Result<Option<List>, StoreError> {
    let of_account = IndexRange::prefix(Key::new().u64(account.0)).after_id(after.0);
    Ok(tx.page(&LIST_BY_ACCOUNT, &of_account, 1)?.pop())
}

/// The id of the list of this name.
pub fn id_of(tx: &impl Read, caller: &Caller, name: &str) -> Result<ListId, OpError> {
    Ok(list_named(tx, caller, name)?.id)
}

/// The number of members of a list.
pub fn member_count(tx: &impl Read, list: &List) -> Result<u64, StoreError> {
    tx.count(&MEMBERSHIP_COUNT_BY_LIST, &Key::new().u64(list.account.0).u64(list.id.0))
}

/// A list as it would be with these changes, which are not made.
#[must_use]
pub fn with_changes(list: &List, changes: ListChanges) -> List {
    let mut list = list.clone();
    changes.apply(&mut list);
    list
}

/// The largest `maxlength` of the lists that the caller sees, in bytes; 0 if it sees none.
pub fn largest_maxlength(tx: &impl Read, caller: &Caller) -> Result<u64, StoreError> {
    let lists: Vec<List> = if let Some(ids) = caller.limits.lists() {
        // At most as many as an administrator can be limited to.
        ids.iter().filter_map(|id| tx.get(id.0).transpose()).collect::<Result<_, _>>()?
    } else {
        let of_account = IndexRange::prefix(Key::new().u64(caller.account.0));
        tx.page(&LIST_BY_MAXLENGTH, &of_account.backward(), 1)?
    };
    Ok(lists.iter().map(List::maxlength_bytes).max().unwrap_or(0))
}

/// The number of lists of the caller's account.
pub fn lists_of_account(tx: &impl Read, caller: &Caller) -> Result<u64, StoreError> {
    tx.count(&LIST_COUNT, &Key::new().u64(caller.account.0))
}

/// The number of memberships in all lists of the caller's account.
pub fn memberships_of_account(tx: &impl Read, caller: &Caller) -> Result<u64, StoreError> {
    tx.count(&MEMBERSHIP_COUNT, &Key::new().u64(caller.account.0))
}

/// Creates a list; fields that the call leaves out get the seed's defaults.
pub fn create(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    input: ListInput,
    now: Timestamp,
) -> Result<ListDetail, OpError> {
    caller.require(Permission::ManageSettings)?;
    caller.require_all_lists("making lists")?;
    let account = account_of(tx, caller)?;
    let ListInput { changes, restrict_post_lists, archive_password_hash, mut problems } = input;
    let Some(name) = changes.name.clone() else {
        problems.add("name", NameError::Empty);
        // Reported together with the other problems.
        restricting(tx, caller, None, restrict_post_lists, &mut problems)?;
        return Err(problems.into_result().err().unwrap_or(OpError::NotFound { what: "list" }));
    };
    let id = ListId(tx.next_id::<List>()?);
    let mut list = List::new(id, account.id, name, now);
    if let Some(ids) = restricting(tx, caller, Some(&list), restrict_post_lists, &mut problems)? {
        list.restrict_post_lists = ids;
    }
    problems.into_result()?;
    changes.apply(&mut list);
    list.archive_password_hash = archive_password_hash.flatten();
    let may_approve = caller.holds(Permission::AccountAdmin);
    list.pending = account.settings.require_list_approval && !may_approve;
    put(tx, &list)?;
    earlier_names::taken(tx, &list)?;
    if list.pending {
        pending::request_list(tx, &list, now)?;
    }
    let made = Note::new(AuditAction::ListCreated, list.id.0).named(list.name.as_str());
    audit::note(tx, caller, made, now)?;
    Ok(detail(tx, caller, &account, list, Members::Show)?)
}

/// Changes a list. A new name needs no further change, since all records refer to lists by id. The result has no
/// members, since there can be many.
pub fn update(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    name: &str,
    input: ListInput,
    now: Timestamp,
) -> Result<ListDetail, OpError> {
    caller.require(Permission::ManageSettings)?;
    let account = account_of(tx, caller)?;
    let mut list = list_named(tx, caller, name)?;
    let ListInput { changes, restrict_post_lists, archive_password_hash, mut problems } = input;
    let before = list.clone();
    let is_renamed = changes.name.as_ref().is_some_and(|name| name.folded() != list.name.folded());
    changes.apply(&mut list);
    if let Some(hash) = archive_password_hash {
        list.archive_password_hash = hash;
    }
    if let Some(mut ids) = restricting(tx, caller, Some(&list), restrict_post_lists, &mut problems)? {
        // Lists that the caller does not see were not left out on purpose, so they stay.
        ids.extend(list.restrict_post_lists.iter().filter(|id| !caller.limits.sees_list(**id)));
        list.restrict_post_lists = ids;
    }
    problems.into_result()?;
    let changed = changed_fields(&before, &list);
    if is_renamed {
        put(tx, &list)?;
        earlier_names::renamed(tx, &before, &list, now)?;
    } else if !changed.is_empty() {
        store(tx, &list)?;
    }
    if !changed.is_empty() {
        let changed =
            Note::new(AuditAction::ListUpdated, list.id.0).named(list.name.as_str()).fields(&changed);
        let id = audit::note(tx, caller, changed, now)?;
        audit::keep_values(tx, caller, id, (&before.values(), &list.values()))?;
    }
    Ok(detail(tx, caller, &account, list, Members::Skip)?)
}

/// Stores a list as it was before a change that is undone.
pub(in crate::ops) fn put_back(
    tx: &mut WriteTx<'_>,
    present: &List,
    restored: &List,
    now: Timestamp,
) -> Result<(), OpError> {
    if present.name.folded() == restored.name.folded() {
        return store(tx, restored);
    }
    put(tx, restored)?;
    earlier_names::renamed(tx, present, restored, now)?;
    Ok(())
}

/// The taboo patterns that a list has: those for headers, and those for content.
pub fn taboo_of(tx: &impl Read, caller: &Caller, name: &str) -> Result<(Vec<String>, Vec<String>), OpError> {
    let List { taboo_headers, taboo_body, .. } = list_named(tx, caller, name)?;
    Ok((taboo_headers, taboo_body))
}

/// The ids of the lists to which posting to `list` is restricted; its own name, new or old, means the list itself.
fn restricting(
    tx: &impl Read,
    caller: &Caller,
    list: Option<&List>,
    names: Option<Vec<String>>,
    problems: &mut Problems,
) -> Result<Option<Vec<ListId>>, StoreError> {
    let Some(names) = names else { return Ok(None) };
    let mut ids = Vec::with_capacity(names.len());
    for name in names {
        let itself = list.filter(|list| list.name.as_str().eq_ignore_ascii_case(&name));
        let id = match itself {
            Some(list) => Some(list.id),
            None => find_list(tx, caller, &name)?.map(|list| list.id),
        };
        match id {
            None => problems.add("restrict_post_lists", Wrong::NoList { name: name.clone() }),
            Some(id) if ids.contains(&id) => {}
            Some(id) => ids.push(id),
        }
    }
    Ok(Some(ids))
}

/// Stores a list whose name neither a list nor an alias has.
fn put(tx: &mut WriteTx<'_>, list: &List) -> Result<(), OpError> {
    if tx.exists(&ALIAS_BY_SOURCE, &Key::new().u64(list.account.0).text(&list.name.folded()))? {
        return Err(taken(list));
    }
    store(tx, list)
}

/// The error for a taken name. It does not say by what, which the caller may not be allowed to know.
fn taken(list: &List) -> OpError {
    OpError::conflict("name", Wrong::TakenByListOrAlias { name: list.name.clone() })
}

fn store(tx: &mut WriteTx<'_>, list: &List) -> Result<(), OpError> {
    tx.put(list).map_err(|error| match error {
        StoreError::Duplicate { index } if index == LIST_BY_NAME.name() => taken(list),
        StoreError::Duplicate { index } if index == LIST_BY_CLID.name() => {
            OpError::conflict("clid", Wrong::ListIdTaken)
        }
        other => other.into(),
    })
}

/// The result of one write job of a deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deletion {
    /// Everything is removed.
    Done,
    /// Members or messages are left: another write job continues.
    Unfinished,
}

/// Removes a list with its memberships, held messages, requests and archive, at most [`ROWS_PER_STEP`] of each in one
/// job. The list itself is removed with the last ones; from the first job on it takes no mail.
pub fn delete(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    name: &str,
    step: Step,
    now: Timestamp,
) -> Result<Deletion, OpError> {
    caller.require(Permission::ManageSettings)?;
    let list = list_named(tx, caller, name)?;
    if step == Step::First {
        let deleted = Note::new(AuditAction::ListDeleted, list.id.0).named(list.name.as_str());
        audit::note(tx, caller, deleted, now)?;
    }
    remove(tx, list)
}

/// Removes as much of a list as one job may ([`WithList`]).
fn remove(tx: &mut WriteTx<'_>, mut list: List) -> Result<Deletion, OpError> {
    let mut records = OfList { tx, list: &list, is_any_left: false };
    visit_entities(&mut records)?;
    let are_records_left = records.is_any_left;
    let is_archive_left = messages::delete_of_list(tx, &list, ROWS_PER_STEP)?;
    let are_requests_left = requests::forget_list(tx, &list, ROWS_PER_STEP)?;
    if are_records_left || is_archive_left || are_requests_left {
        list.pending = true;
        store(tx, &list)?;
        return Ok(Deletion::Unfinished);
    }
    forget(tx, &list)?;
    admins::forget_list(tx, &list)?;
    tx.delete::<List>(list.id.0)?;
    Ok(Deletion::Done)
}

/// Deletes the records that go with a list, at most [`ROWS_PER_STEP`] of each entity.
struct OfList<'a, 'txn> {
    tx: &'a mut WriteTx<'txn>,
    list: &'a List,
    is_any_left: bool,
}

impl EntityVisitor for OfList<'_, '_> {
    type Error = StoreError;

    fn visit<E: HasLife>(&mut self) -> Result<(), StoreError> {
        let List { id, account, .. } = *self.list;
        match E::LIFE.with_list {
            // The list itself goes last.
            WithList::GoesByNumber if E::TABLE != List::TABLE => drop(self.tx.delete::<E>(id.0)?),
            WithList::Goes(index) => {
                let of_list = IndexRange::prefix(Key::new().u64(account.0).u64(id.0));
                self.is_any_left |= self.tx.delete_range(index, &of_list, ROWS_PER_STEP)? == ROWS_PER_STEP;
            }
            WithList::NamesNone | WithList::GoesByNumber | WithList::ByOperation(_) | WithList::Stays(_) => {}
        }
        Ok(())
    }
}

/// Removes a list from every other list's `restrict_post_lists`.
fn forget(tx: &mut WriteTx<'_>, gone: &List) -> Result<(), OpError> {
    let mut others = Vec::new();
    tx.scan(&LIST_BY_ACCOUNT, &Key::new().u64(gone.account.0).into(), |_, id| {
        others.push(id);
        ControlFlow::<()>::Continue(())
    })?;
    for id in others {
        let Some(mut other) = tx.get::<List>(id)? else { continue };
        if other.id != gone.id && other.restrict_post_lists.contains(&gone.id) {
            other.restrict_post_lists.retain(|id| *id != gone.id);
            store(tx, &other)?;
        }
    }
    Ok(())
}
