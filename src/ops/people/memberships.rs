//! Memberships: which contact is in which list. The API, the command line, imports and unsubscribe links change them
//! here.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;

use crate::clock::Timestamp;
use crate::model::{
    Account, AccountId, AuditAction, Contact, ContactId, Joined, List, ListId, ListName, Membership,
    MembershipId, Permission,
};
use crate::ops::audit::{self, Note};
use crate::ops::limits::list_in_key;
use crate::ops::paging::window_of;
use crate::ops::people::contacts::{self, ContactName, account_of};
use crate::ops::people::{announcements, emails, opt_outs, subscribe, welcome};
use crate::ops::{Caller, Change, OpError, Page, PageRequest, Problems, Wrong, window_ids};
use crate::schema::{
    EARLIER_NAME_BY_NAME, LIST_BY_NAME, MEMBERSHIP_BY_ACCOUNT, MEMBERSHIP_BY_CONTACT, MEMBERSHIP_BY_LIST,
    MEMBERSHIP_COUNT, MEMBERSHIP_COUNT_BY_LIST, MEMBERSHIP_COUNT_PAUSED, MEMBERSHIP_PAUSED,
};
use crate::store::{Index, IndexRange, Key, KeyReader, Read, StoreError, WriteTx};

/// A membership and the name of its list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The record.
    pub membership: Membership,
    /// Name of the list.
    pub list: ListName,
}

/// A membership with everything that its object shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MembershipDetail {
    /// The record and its list's name.
    pub member: Member,
    /// The name of the contact in calls.
    pub contact: ContactName,
}

/// One list in a call that sets a contact's lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberInput {
    /// Name of the list.
    pub list: String,
    /// How the member gets the list's posts.
    pub settings: MemberSettings,
}

/// How a member gets the posts of a list, in a call; what the call does not mention is unset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MemberSettings {
    /// The digest setting.
    pub digest: Change<Option<bool>>,
    /// Whether the member gets no copies.
    pub paused: Change<bool>,
}

impl MemberSettings {
    /// Gives a membership the mentioned settings; the names of those that were different before.
    fn change(self, membership: &mut Membership) -> Vec<&'static str> {
        let MemberSettings { digest, paused } = self;
        let mut changed = Vec::new();
        if digest.is_some_and(|digest| digest != membership.digest) {
            membership.digest = digest.flatten();
            changed.push("digest");
        }
        if let Some(paused) = paused.filter(|paused| *paused != membership.paused) {
            membership.paused = paused;
            changed.push("paused");
        }
        changed
    }
}

/// The membership in a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MembershipInput {
    /// The contact, by its name in calls.
    pub contact: Option<String>,
    /// Name of the list.
    pub list: Option<String>,
    /// How the member gets the list's posts.
    pub settings: MemberSettings,
    /// Whether a contact is added who opted out of the list.
    pub overrides_opt_out: bool,
    /// The problems found in the call's values.
    pub problems: Problems,
}

/// The filters of a listing; a membership must pass all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MembershipFilter {
    /// Memberships in the list of this name.
    pub list: Option<String>,
    /// Memberships of this contact.
    pub contact: Option<String>,
    /// Memberships of the contact that has this address.
    pub email: Option<String>,
    /// Memberships that are paused, or those that are not.
    pub paused: Option<bool>,
}

impl MembershipFilter {
    /// Whether the answer is sought among all the memberships of an account or a list.
    #[must_use]
    pub fn reads_all(&self) -> bool {
        self.paused == Some(false)
    }
}

/// The list with this name, if it exists for the caller; case is ignored.
pub(in crate::ops) fn find_list(
    tx: &impl Read,
    caller: &Caller,
    name: &str,
) -> Result<Option<List>, StoreError> {
    Ok(find_list_of(tx, caller.account, name)?.filter(|list| caller.sees_list(list)))
}

/// The list of an account with this name; case is ignored.
pub(in crate::ops) fn find_list_of(
    tx: &impl Read,
    account: AccountId,
    name: &str,
) -> Result<Option<List>, StoreError> {
    tx.find(&LIST_BY_NAME, &Key::new().u64(account.0).text(&name.to_ascii_lowercase()))
}

/// The list of an account that has this name, or had it last, if no list has it now; case is ignored.
pub(in crate::ops) fn find_list_known_as(
    tx: &impl Read,
    account: AccountId,
    name: &str,
) -> Result<Option<List>, StoreError> {
    if let Some(list) = find_list_of(tx, account, name)? {
        return Ok(Some(list));
    }
    let earlier = Key::new().u64(account.0).text(&name.to_ascii_lowercase());
    match tx.find(&EARLIER_NAME_BY_NAME, &earlier)? {
        Some(earlier) => tx.get(earlier.list.0),
        None => Ok(None),
    }
}

/// The list with this name, or an error that there is none.
pub(in crate::ops) fn list_named(tx: &impl Read, caller: &Caller, name: &str) -> Result<List, OpError> {
    find_list(tx, caller, name)?.ok_or(OpError::NotFound { what: "list" })
}

/// The names of lists, each read once: most members on a page are in the same few lists.
#[derive(Default)]
pub(in crate::ops) struct ListNames(HashMap<ListId, Option<ListName>>);

impl ListNames {
    /// The membership with its list's name; `None` if the list is being deleted.
    pub(in crate::ops) fn with_list(
        &mut self,
        tx: &impl Read,
        membership: Membership,
    ) -> Result<Option<Member>, StoreError> {
        let name = match self.0.entry(membership.list) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(place) => {
                let list = tx.get::<List>(membership.list.0)?;
                place.insert(list.map(|list| list.name)).clone()
            }
        };
        Ok(name.map(|list| Member { membership, list }))
    }
}

/// The contact in a key of `membership.by_list_contact`.
pub(in crate::ops) fn contact_in_key(key: &[u8]) -> Option<ContactId> {
    let mut parts = KeyReader::new(key);
    parts.u64()?;
    parts.u64()?;
    parts.u64().map(ContactId)
}

/// A list that a contact shall be in.
pub(in crate::ops) struct Wanted {
    /// The list.
    pub(super) list: List,
    settings: MemberSettings,
}

/// Finds the lists in a contact's call; unknown ones are problems of the field `lists`.
pub(in crate::ops) fn resolve(
    tx: &impl Read,
    caller: &Caller,
    inputs: Vec<MemberInput>,
    problems: &mut Problems,
) -> Result<Vec<Wanted>, StoreError> {
    let mut wanted: Vec<Wanted> = Vec::with_capacity(inputs.len());
    for MemberInput { list: name, settings } in inputs {
        match find_list(tx, caller, &name)? {
            None => problems.add("lists", Wrong::NoList { name: name.clone() }),
            Some(list) if wanted.iter().any(|other| other.list.id == list.id) => {}
            Some(list) => wanted.push(Wanted { list, settings }),
        }
    }
    Ok(wanted)
}

/// Puts a contact into the lists of `wanted` and out of the others in `current`. Memberships that stay keep their id
/// and the settings that the call does not mention.
pub(in crate::ops) fn replace(
    tx: &mut WriteTx<'_>,
    contact: &Contact,
    mut current: Vec<Member>,
    wanted: Vec<Wanted>,
    (joined, overrides_opt_out): (&Joined, bool),
) -> Result<Vec<Member>, OpError> {
    let mut members = Vec::with_capacity(wanted.len());
    for Wanted { list, settings } in wanted {
        match current.iter().position(|member| member.membership.list == list.id) {
            None => {
                opt_outs::let_in(tx, contact, &list, overrides_opt_out)?;
                members.push(add(tx, contact, list, settings, joined.clone())?);
            }
            Some(place) => {
                let mut member = current.swap_remove(place);
                if !settings.change(&mut member.membership).is_empty() {
                    tx.put(&member.membership)?;
                }
                members.push(member);
            }
        }
    }
    for gone in current {
        tx.delete::<Membership>(gone.membership.id.0)?;
    }
    members.sort_unstable_by_key(|member| member.membership.id);
    Ok(members)
}

/// Makes a contact a member, who is welcomed if the list does so.
pub(in crate::ops) fn add(
    tx: &mut WriteTx<'_>,
    contact: &Contact,
    list: List,
    settings: MemberSettings,
    joined: Joined,
) -> Result<Member, OpError> {
    let membership = Membership {
        id: MembershipId(tx.next_id::<Membership>()?),
        account: contact.account,
        contact: contact.id,
        list: list.id,
        digest: settings.digest.flatten(),
        paused: settings.paused.unwrap_or(false),
        joined,
    };
    tx.put(&membership).map_err(|error| match error {
        StoreError::Duplicate { index } if index == MEMBERSHIP_BY_CONTACT.name() => {
            OpError::conflict("contact", Wrong::MemberAlready { list: list.name.clone() })
        }
        other => other.into(),
    })?;
    // A new membership replaces one that the contact left: undoing that must not revive it once the new one has ended.
    subscribe::forget_departure(tx, contact, list.id)?;
    welcome::joined(tx, contact, &list)?;
    Ok(Member { membership, list: list.name })
}

fn get_record(tx: &impl Read, caller: &Caller, name: &str) -> Result<Member, OpError> {
    let missing = OpError::NotFound { what: "membership" };
    let Some(id) = contacts::parse_id(name) else { return Err(missing) };
    let found = tx.get::<Membership>(id)?.filter(|membership| membership.account == caller.account);
    match found.filter(|membership| caller.limits.sees_list(membership.list)) {
        Some(membership) => ListNames::default().with_list(tx, membership)?.ok_or(missing),
        None => Err(missing),
    }
}

fn detail(tx: &impl Read, account: &Account, member: Member) -> Result<MembershipDetail, StoreError> {
    let contact = contacts::name_of_id(tx, account, member.membership.contact)?;
    Ok(MembershipDetail { member, contact })
}

/// One membership.
pub fn get(tx: &impl Read, caller: &Caller, name: &str) -> Result<MembershipDetail, OpError> {
    caller.require_read()?;
    let account = account_of(tx, caller)?;
    let member = get_record(tx, caller, name)?;
    Ok(detail(tx, &account, member)?)
}

/// Memberships by id: all of an account, or those that pass the filters.
pub fn list(
    tx: &impl Read,
    caller: &Caller,
    filter: &MembershipFilter,
    window: PageRequest,
) -> Result<Page<MembershipDetail>, OpError> {
    caller.require_read()?;
    let account = account_of(tx, caller)?;
    let MembershipFilter { list, contact, email, paused } = filter;
    let list = list.as_deref().map(|name| list_named(tx, caller, name)).transpose()?;
    let mut named = Vec::new();
    if let Some(name) = contact {
        let contact = contacts::find(tx, caller, &account, name)?;
        named.push(contact.ok_or(OpError::NotFound { what: "contact" })?.id);
    }
    if let Some(address) = email {
        let email = emails::find(tx, caller, address)?.filter(|_| address.contains('@'));
        named.push(email.ok_or(OpError::NotFound { what: "email" })?.contact);
    }
    let list = list.map(|list| list.id);
    let page = match (named.as_slice(), paused) {
        ([], None) => of_lists(tx, caller, list, window)?,
        ([], Some(true)) => paused_of_lists(tx, caller, list, window)?,
        ([], Some(false)) => {
            let paused = paused_of_lists(tx, caller, list, PageRequest::All)?.rows;
            let mut ids = of_lists(tx, caller, list, PageRequest::All)?.rows;
            ids.retain(|id| paused.binary_search(id).is_err());
            sorted_page(ids, window)
        }
        ([first, rest @ ..], paused) if rest.iter().all(|other| other == first) => {
            let mut ids = of_contact(tx, caller, *first, list)?;
            if let Some(paused) = paused {
                let found = tx.records::<Membership>(&ids)?.into_iter().flatten();
                ids = found.filter(|member| member.paused == *paused).map(|member| member.id.0).collect();
            }
            sorted_page(ids, window)
        }
        _ => Page { rows: Vec::new(), count: 0 },
    };
    let mut rows = Vec::with_capacity(page.rows.len());
    let mut lists = ListNames::default();
    for membership in tx.records::<Membership>(&page.rows)?.into_iter().flatten() {
        let Some(member) = lists.with_list(tx, membership)? else { continue };
        rows.push(detail(tx, &account, member)?);
    }
    Ok(Page { rows, count: page.count })
}

fn of_contact(
    tx: &impl Read,
    caller: &Caller,
    contact: ContactId,
    list: Option<ListId>,
) -> Result<Vec<u64>, StoreError> {
    let mut key = Key::new().u64(caller.account.0).u64(contact.0);
    if let Some(list) = list {
        key = key.u64(list.0);
    }
    let mut ids = Vec::new();
    tx.scan(&MEMBERSHIP_BY_CONTACT, &IndexRange::prefix(key), |key, id| {
        if list_in_key(key).is_some_and(|list| caller.limits.sees_list(list)) {
            ids.push(id);
        }
        ControlFlow::<()>::Continue(())
    })?;
    Ok(ids)
}

/// Whether a contact is a member of a list that the caller sees.
pub(in crate::ops) fn is_in(
    tx: &impl Read,
    caller: &Caller,
    contact: ContactId,
    list: ListId,
) -> Result<bool, StoreError> {
    Ok(!of_contact(tx, caller, contact, Some(list))?.is_empty())
}

/// The memberships of a list, or of all lists that the caller sees.
fn of_lists(
    tx: &impl Read,
    caller: &Caller,
    list: Option<ListId>,
    window: PageRequest,
) -> Result<Page<u64>, StoreError> {
    let of_account = Key::new().u64(caller.account.0);
    if let Some(list) = list {
        let of_list = of_account.u64(list.0);
        let count = tx.count(&MEMBERSHIP_COUNT_BY_LIST, &of_list)?;
        return Ok(Page { count, rows: window_ids(tx, &MEMBERSHIP_BY_LIST, of_list.into(), window)? });
    }
    if caller.limits.lists().is_some() {
        return of_limits(tx, caller, &MEMBERSHIP_BY_LIST, window);
    }
    let count = tx.count(&MEMBERSHIP_COUNT, &of_account)?;
    Ok(Page { count, rows: window_ids(tx, &MEMBERSHIP_BY_ACCOUNT, of_account.into(), window)? })
}

/// The paused memberships of a list, or of all lists that the caller sees.
fn paused_of_lists(
    tx: &impl Read,
    caller: &Caller,
    list: Option<ListId>,
    window: PageRequest,
) -> Result<Page<u64>, StoreError> {
    if list.is_none() && caller.limits.lists().is_some() {
        return of_limits(tx, caller, &MEMBERSHIP_PAUSED, window);
    }
    let key = Key::new().u64(caller.account.0).u64(list.map_or(0, |list| list.0));
    let count = tx.count(&MEMBERSHIP_COUNT_PAUSED, &key)?;
    Ok(Page { count, rows: window_ids(tx, &MEMBERSHIP_PAUSED, key.into(), window)? })
}

/// The memberships, or the paused ones, of the lists that a limited caller sees.
fn of_limits(
    tx: &impl Read,
    caller: &Caller,
    index: &Index<Membership>,
    window: PageRequest,
) -> Result<Page<u64>, StoreError> {
    let mut ids = Vec::new();
    for list in caller.limits.lists().into_iter().flatten() {
        let of_list = IndexRange::prefix(Key::new().u64(caller.account.0).u64(list.0));
        ids.extend(tx.ids(index, &of_list, usize::MAX)?);
    }
    Ok(sorted_page(ids, window))
}

fn sorted_page(mut ids: Vec<u64>, window: PageRequest) -> Page<u64> {
    ids.sort_unstable();
    let count = u64::try_from(ids.len()).unwrap_or(u64::MAX);
    Page { rows: window_of(ids, window, |id| *id), count }
}

/// Whether this is a membership of the contact.
pub fn is_of(tx: &impl Read, membership: MembershipId, contact: ContactId) -> Result<bool, StoreError> {
    Ok(tx.get::<Membership>(membership.0)?.is_some_and(|membership| membership.contact == contact))
}

/// The number of lists that a contact is in.
pub fn count_of(tx: &impl Read, account: AccountId, contact: ContactId) -> Result<usize, StoreError> {
    let of_contact = Key::new().u64(account.0).u64(contact.0);
    Ok(tx.ids(&MEMBERSHIP_BY_CONTACT, &IndexRange::prefix(of_contact), usize::MAX)?.len())
}

/// Adds a contact to a list.
pub fn create(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    input: MembershipInput,
    now: Timestamp,
) -> Result<MembershipDetail, OpError> {
    caller.require(Permission::ManageMembers)?;
    let account = account_of(tx, caller)?;
    let MembershipInput { contact, list, settings, overrides_opt_out, mut problems } = input;
    let contact = match contact {
        Some(name) => contacts::find(tx, caller, &account, &name)?,
        None => None,
    };
    let list = match list {
        Some(name) => find_list(tx, caller, &name)?,
        None => None,
    };
    if contact.is_none() {
        problems.add("contact", Wrong::MustNameContact);
    }
    if list.is_none() {
        problems.add("list", Wrong::MustNameList);
    }
    problems.into_result()?;
    let (Some(contact), Some(list)) = (contact, list) else {
        return Err(OpError::NotFound { what: "contact" });
    };
    // A member already is told so, whatever was noted before.
    if subscribe::find_member(tx, &contact, list.id)?.is_none() {
        opt_outs::let_in(tx, &contact, &list, overrides_opt_out)?;
    }
    let member = add(tx, &contact, list, settings, caller.joins(now))?;
    announcements::joined(tx, caller, member.membership.list, contact.id, now)?;
    let made = noted(AuditAction::MembershipCreated, &member.membership);
    audit::note(tx, caller, made.detail(member.list.as_str()), now)?;
    Ok(MembershipDetail { member, contact: contacts::name_of(&account, &contact) })
}

/// Changes how a member gets the posts of a list; the contact and the list of a membership cannot change.
pub fn update(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    name: &str,
    input: MembershipInput,
    now: Timestamp,
) -> Result<MembershipDetail, OpError> {
    caller.require(Permission::ManageMembers)?;
    let account = account_of(tx, caller)?;
    let mut member = get_record(tx, caller, name)?;
    let MembershipInput { contact, list, settings, overrides_opt_out: _, mut problems } = input;
    if !emails::is_contact(tx, caller, &account, contact.as_deref(), member.membership.contact)? {
        problems.add("contact", Wrong::CannotChange);
    }
    if list.is_some_and(|list| !list.eq_ignore_ascii_case(member.list.as_str())) {
        problems.add("list", Wrong::CannotChange);
    }
    problems.into_result()?;
    set(tx, caller, &mut member.membership, &member.list, settings, now)?;
    Ok(detail(tx, &account, member)?)
}

/// Gives a membership of the list of this name the mentioned settings, on behalf of a caller who may.
pub(in crate::ops) fn set(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    membership: &mut Membership,
    list: &ListName,
    settings: MemberSettings,
    now: Timestamp,
) -> Result<(), OpError> {
    let fields = settings.change(membership);
    if !fields.is_empty() {
        tx.put(membership)?;
        let changed = noted(AuditAction::MembershipUpdated, membership);
        audit::note(tx, caller, changed.detail(&format!("{list}: {}", fields.join(", "))), now)?;
    }
    Ok(())
}

/// Removes a contact from a list.
pub fn delete(tx: &mut WriteTx<'_>, caller: &Caller, name: &str, now: Timestamp) -> Result<(), OpError> {
    caller.require(Permission::ManageMembers)?;
    let member = get_record(tx, caller, name)?;
    announcements::left(tx, caller, member.membership.list, member.membership.contact, now)?;
    end(tx, caller, &member.membership, now)
}

/// The audit log's note on a membership.
pub(in crate::ops) fn noted(action: AuditAction, membership: &Membership) -> Note {
    Note::new(action, membership.id.0).about(membership.contact)
}

/// Ends a membership if the caller may: as its contact, or as a manager of members.
pub(in crate::ops) fn end(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    membership: &Membership,
    now: Timestamp,
) -> Result<(), OpError> {
    caller.require_over(membership.contact)?;
    remove(tx, caller, membership, now)
}

/// Ends a membership on behalf of a caller who may: as [`end`] says, or by approving its member's request.
pub(in crate::ops) fn remove(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    membership: &Membership,
    now: Timestamp,
) -> Result<(), OpError> {
    tx.delete::<Membership>(membership.id.0)?;
    let list = tx.get::<List>(membership.list.0)?.map(|list| list.name.to_string()).unwrap_or_default();
    audit::note(tx, caller, noted(AuditAction::MembershipDeleted, membership).detail(&list), now)?;
    Ok(())
}
