//! Mailing lists and their settings.
//!
//! Values come here parsed and checked one by one; what needs other records is checked here: names that are
//! taken, and the lists that a list restricts posting to.

pub mod aliases;
pub mod pending;

use std::ops::ControlFlow;

use crate::clock::Timestamp;
use crate::model::account::{NotifyApproval, Subscriptions};
use crate::model::list::{Memberview, MessageRejections, OriginalSenderMode};
use crate::model::{
    Account, AuditAction, EmailAddress, Held, List, ListId, ListName, Membership, Moderate, Pending,
    Permission, Words,
};
use crate::ops::accounts::admins;
use crate::ops::archive::messages;
use crate::ops::audit::{self, Note, Step, changed_fields};
use crate::ops::paging::window_of;
use crate::ops::people::contacts::{self, ContactName, account_of};
use crate::ops::people::memberships::{find_list, list_named};
use crate::ops::{Caller, Change, OpError, Page, PageRequest, Problems, window_ids};
use crate::schema::{
    ALIAS_BY_SOURCE, HELD_BY_LIST, LIST_BY_ACCOUNT, LIST_BY_CLID, LIST_BY_MAXLENGTH, LIST_BY_NAME,
    LIST_COUNT, MEMBERSHIP_BY_LIST, MEMBERSHIP_COUNT, PENDING_BY_LIST,
};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Memberships, held messages, requests and messages that one write job of a deletion removes, so that it holds up nobody else.
const ROWS_PER_STEP: usize = 1000;

/// A list with everything that its object shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListDetail {
    /// The record.
    pub list: List,
    /// Names of the lists posting is restricted to.
    pub restrict_post_lists: Vec<ListName>,
    /// Its members, where they were asked for.
    pub contacts: Option<Vec<ContactName>>,
}

/// Whether a list's members are wanted: they can be many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Members {
    /// They are shown.
    Show,
    /// They are left out.
    Skip,
}

/// Which lists a listing shows; filters combine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListFilter {
    /// The one of this name.
    pub name: Option<String>,
    /// The one that has this custom identifier.
    pub clid: Option<String>,
    /// Those that have, for every word of this, a word that begins with it.
    pub search: Option<String>,
}

macro_rules! list_changes {
    ($($field:ident: $type:ty),* $(,)?) => {
        /// New values of a list's fields; what is unset stays as it is.
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub struct ListChanges {
            $(
                #[doc = concat!("New value of [`List::", stringify!($field), "`].")]
                pub $field: Change<$type>,
            )*
        }

        impl ListChanges {
            fn apply(self, list: &mut List) {
                $(if let Some(value) = self.$field {
                    list.$field = value;
                })*
            }
        }
    };
}

list_changes! {
    name: ListName,
    description: String,
    clid: Option<String>,
    notes: String,
    maxlength: u32,
    truncate: Option<u64>,
    subject_prefix: String,
    moderator: Option<EmailAddress>,
    memberview: Option<Memberview>,
    message_footer: String,
    message_footer_html: String,
    message_fronter: String,
    message_fronter_html: String,
    taboo_headers: Vec<String>,
    taboo_body: Vec<String>,
    reply_to: Option<EmailAddress>,
    strip_attachments: bool,
    subscriptions: Option<Subscriptions>,
    unsubscriptions: Option<Subscriptions>,
    rewrite_sender: bool,
    original_sender_mode: OriginalSenderMode,
    hold_automated: bool,
    hold_replies: bool,
    restrict_post_allowed_emails: Vec<EmailAddress>,
    restrict_post_banned_emails: Vec<EmailAddress>,
    moderate: Moderate,
    message_rejections: MessageRejections,
    notify_approval: Option<NotifyApproval>,
    welcome_message: Option<String>,
    welcome_message_subject: Option<String>,
    confirmation_subject: Option<String>,
    confirmation_message: Option<String>,
    hold_message: Option<String>,
    hold_subject: Option<String>,
    send_hold_message: bool,
    reject_message: Option<String>,
    reject_subject: Option<String>,
    send_reject_message: bool,
    merge_tags_enabled: bool,
    merge_tags_default_name: String,
    archive_enabled: bool,
    archive_spammode: bool,
    archive_protected: bool,
    archive_password_hash: Option<String>,
    archive_memberview: bool,
    archive_index_noshow: bool,
}

/// What a call says of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListInput {
    /// Values that stand for themselves.
    pub changes: ListChanges,
    /// Names of the lists posting is restricted to from now on.
    pub restrict_post_lists: Change<Vec<String>>,
    /// What was wrong with the values.
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
            // Lists are few: their words are read, not kept.
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

/// The id of the list of this name.
pub fn id_of(tx: &impl Read, caller: &Caller, name: &str) -> Result<ListId, OpError> {
    Ok(list_named(tx, caller, name)?.id)
}

/// The largest `maxlength` of the lists that the caller sees, in bytes; 0 if it sees none.
pub fn largest_maxlength(tx: &impl Read, caller: &Caller) -> Result<u64, StoreError> {
    let lists: Vec<List> = if let Some(ids) = caller.limits.lists() {
        // As many as an administrator was confined to.
        ids.iter().filter_map(|id| tx.get(id.0).transpose()).collect::<Result<_, _>>()?
    } else {
        let of_account = IndexRange::prefix(Key::new().u64(caller.account.0));
        tx.page(&LIST_BY_MAXLENGTH, &of_account.backward(), 1)?
    };
    Ok(lists.iter().map(List::maxlength_bytes).max().unwrap_or(0))
}

/// How many lists the caller's account has.
pub fn lists_of_account(tx: &impl Read, caller: &Caller) -> Result<u64, StoreError> {
    tx.count(&LIST_COUNT, &Key::new().u64(caller.account.0))
}

/// How many memberships the caller's account has, over all lists.
pub fn memberships_of_account(tx: &impl Read, caller: &Caller) -> Result<u64, StoreError> {
    tx.count(&MEMBERSHIP_COUNT, &Key::new().u64(caller.account.0))
}

/// Makes a list with the defaults of the document where the call says nothing.
pub fn create(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    input: ListInput,
    now: Timestamp,
) -> Result<ListDetail, OpError> {
    caller.require(Permission::ManageSettings)?;
    caller.require_all_lists("making lists")?;
    let account = account_of(tx, caller)?;
    let ListInput { changes, restrict_post_lists, mut problems } = input;
    let Some(name) = changes.name.clone() else {
        problems.add("name", "a name is needed");
        // Named together with what else is wrong.
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
    let may_approve = caller.holds(Permission::AccountAdmin);
    list.pending = account.settings.require_list_approval && !may_approve;
    put(tx, &list)?;
    if list.pending {
        pending::request_list(tx, &list, now)?;
    }
    let made = Note::new(AuditAction::ListCreated, list.id.0).named(list.name.as_str());
    audit::note(tx, caller, made, now)?;
    Ok(detail(tx, caller, &account, list, Members::Show)?)
}

/// Changes a list; a new name is carried through, since everything else refers to lists by id. The answer leaves its
/// members out, which can be many.
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
    let ListInput { changes, restrict_post_lists, mut problems } = input;
    let before = list.clone();
    let is_renamed = changes.name.as_ref().is_some_and(|name| name.folded() != list.name.folded());
    changes.apply(&mut list);
    if let Some(mut ids) = restricting(tx, caller, Some(&list), restrict_post_lists, &mut problems)? {
        // What the caller does not see it cannot have meant to leave out.
        ids.extend(list.restrict_post_lists.iter().filter(|id| !caller.limits.sees_list(**id)));
        list.restrict_post_lists = ids;
    }
    problems.into_result()?;
    let changed = changed_fields(&before, &list);
    if is_renamed {
        put(tx, &list)?;
    } else if !changed.is_empty() {
        store(tx, &list)?;
    }
    if !changed.is_empty() {
        let changed =
            Note::new(AuditAction::ListUpdated, list.id.0).named(list.name.as_str()).fields(&changed);
        audit::note(tx, caller, changed, now)?;
    }
    Ok(detail(tx, caller, &account, list, Members::Skip)?)
}

/// The taboo patterns that a list has: those for headers, and those for content.
pub fn taboo_of(tx: &impl Read, caller: &Caller, name: &str) -> Result<(Vec<String>, Vec<String>), OpError> {
    let List { taboo_headers, taboo_body, .. } = list_named(tx, caller, name)?;
    Ok((taboo_headers, taboo_body))
}

/// The ids of the lists that posting to `list` is restricted to; its own name, new or old, means itself.
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
            None => problems.add("restrict_post_lists", format_args!("there is no list {name}")),
            Some(id) if ids.contains(&id) => {}
            Some(id) => ids.push(id),
        }
    }
    Ok(Some(ids))
}

/// Stores a list under a name that neither a list nor an alias may have yet.
fn put(tx: &mut WriteTx<'_>, list: &List) -> Result<(), OpError> {
    if tx.exists(&ALIAS_BY_SOURCE, &Key::new().u64(list.account.0).text(&list.name.folded()))? {
        return Err(taken(list));
    }
    store(tx, list)
}

/// A name that is taken; by what, is not for everybody to know.
fn taken(list: &List) -> OpError {
    OpError::Conflict { field: "name", problem: format!("{} is taken by a list or an alias", list.name) }
}

fn store(tx: &mut WriteTx<'_>, list: &List) -> Result<(), OpError> {
    tx.put(list).map_err(|error| match error {
        StoreError::Duplicate { index } if index == LIST_BY_NAME.name() => taken(list),
        StoreError::Duplicate { index } if index == LIST_BY_CLID.name() => {
            OpError::Conflict { field: "clid", problem: "another list has it".to_owned() }
        }
        other => other.into(),
    })
}

/// How far a deletion has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deletion {
    /// Everything is gone.
    Done,
    /// Members or messages are left: the next write job goes on.
    Unfinished,
}

/// Removes a list with its memberships, held messages, requests and archive, at most [`ROWS_PER_STEP`] of each in a job:
/// the list itself goes with the last ones. One that needs several jobs takes no mail from the first one on.
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

/// Removes as much of a list as one job may.
fn remove(tx: &mut WriteTx<'_>, mut list: List) -> Result<Deletion, OpError> {
    let of_list = IndexRange::prefix(Key::new().u64(list.account.0).u64(list.id.0));
    let members = tx.ids(&MEMBERSHIP_BY_LIST, &of_list, ROWS_PER_STEP)?;
    for id in &members {
        tx.delete::<Membership>(*id)?;
    }
    let held = tx.ids(&HELD_BY_LIST, &of_list, ROWS_PER_STEP)?;
    for id in &held {
        tx.delete::<Held>(*id)?;
    }
    let requests = tx.ids(&PENDING_BY_LIST, &of_list, ROWS_PER_STEP)?;
    for id in &requests {
        tx.delete::<Pending>(*id)?;
    }
    let is_archive_left = messages::delete_of_list(tx, &list, ROWS_PER_STEP)?;
    let is_full_step = [members.len(), held.len(), requests.len()].contains(&ROWS_PER_STEP);
    if is_archive_left || is_full_step {
        list.pending = true;
        store(tx, &list)?;
        return Ok(Deletion::Unfinished);
    }
    forget(tx, &list)?;
    admins::forget_list(tx, &list)?;
    tx.delete::<List>(list.id.0)?;
    Ok(Deletion::Done)
}

/// Takes a list out of every other list's `restrict_post_lists`.
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
