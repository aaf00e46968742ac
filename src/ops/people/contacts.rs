//! Contacts: the address book. The API, the command line and imports read and change it here.
//!
//! A contact has at least one address: deleting the last one deletes the contact, and deleting a contact deletes its
//! memberships. Single addresses are in `emails`, memberships in `memberships`.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::ops::ControlFlow;

use crate::clock::Timestamp;
use crate::model::{
    Account, AuditAction, Contact, ContactId, CustomFieldId, Email, EmailAddress, FirstEmail, Joined, List,
    ListId, Membership, Permission, Words,
};
use crate::ops::audit::{self, Note, changed_fields};
use crate::ops::by_contact::of_contacts;
use crate::ops::people::emails::{self, EmailInput};
use crate::ops::people::memberships::{self, ListNames, Member, MemberInput};
use crate::ops::people::{announcements, contact_search, first_email, opt_outs, welcome};
use crate::ops::{Caller, Change, OpError, Page, PageRequest, Problems, Wrong, window_ids};
use crate::schema::{
    CONTACT_BY_ACCOUNT, CONTACT_BY_CCID, CONTACT_COUNT, EMAIL_BY_ADDRESS, EMAIL_BY_CONTACT, EntityVisitor,
    HasLife, MEMBERSHIP_BY_CONTACT, MEMBERSHIP_BY_LIST_CONTACT, MEMBERSHIP_COUNT_BY_LIST, WithContact,
    visit_entities,
};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Longest custom identifier of a contact, in characters (`spec/api.md` 9).
pub const CCID_CHARS_MAX: usize = 64;
/// Addresses that one contact may have.
pub const EMAILS_PER_CONTACT_MAX: usize = 1000;

/// A contact with everything that its object shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactDetail {
    /// The record.
    pub contact: Contact,
    /// Its addresses: the first address, then the others, oldest first.
    pub emails: Vec<Email>,
    /// Its memberships, oldest first.
    pub members: Vec<Member>,
}

/// The name of a contact in calls: its service identifier, or its custom one if the account uses those.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ContactName {
    /// The service identifier.
    Id(ContactId),
    /// The custom identifier, or `~` and the service identifier of a contact that has none.
    Custom(String),
}

/// The contact in a call; fields that it leaves out do not change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContactInput {
    /// Custom identifier.
    pub ccid: Change<Option<String>>,
    /// First name.
    pub firstname: Change<String>,
    /// Surname.
    pub surname: Change<String>,
    /// Notes.
    pub notes: Change<String>,
    /// Values of custom fields; a blank one removes the value.
    pub custom: Vec<(CustomFieldId, String)>,
    /// The addresses that the contact shall have.
    pub emails: Change<Vec<EmailInput>>,
    /// The lists that it shall be in.
    pub lists: Change<Vec<MemberInput>>,
    /// Whether it joins lists of which the person opted out.
    pub overrides_opt_out: bool,
    /// When and from where the person joined in another system, for memberships that begin with an import.
    pub joined: Option<(Timestamp, Option<IpAddr>)>,
    /// The problems found in the call's values.
    pub problems: Problems,
}

/// The filters of a listing; a contact must pass all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContactFilter {
    /// The contact that has this address.
    pub email: Option<String>,
    /// Contacts that have, for every word of this text, a word that begins with it.
    pub search: Option<String>,
    /// Members of the list of this name.
    pub list: Option<String>,
    /// The contact with this custom identifier.
    pub ccid: Option<String>,
}

/// Checks a custom identifier (`spec/api.md` 9).
pub fn check_ccid(ccid: &str) -> Result<(), Wrong> {
    let length = ccid.chars().count();
    if length == 0 || CCID_CHARS_MAX < length {
        return Err(Wrong::CharsBetween { max: CCID_CHARS_MAX });
    }
    if ccid.contains('/') || ccid.starts_with('~') || ccid == "batch" || ccid.chars().any(char::is_control) {
        return Err(Wrong::ContactIdForm);
    }
    Ok(())
}

/// The account of the caller, with the custom fields that exist for it: a copy for reading, which must not be stored.
pub fn account_of(tx: &impl Read, caller: &Caller) -> Result<Account, OpError> {
    let account = tx.get::<Account>(caller.account.0)?;
    let mut account = account.ok_or(OpError::NotFound { what: "account" })?;
    account.custom_fields.retain(|field| caller.limits.sees_field(field.id));
    Ok(account)
}

/// The name of this contact in calls of `account`.
#[must_use]
pub fn name_of(account: &Account, contact: &Contact) -> ContactName {
    match (&contact.ccid, account.ccid_enabled) {
        (_, false) => ContactName::Id(contact.id),
        (Some(ccid), true) => ContactName::Custom(ccid.clone()),
        (None, true) => ContactName::Custom(format!("~{}", contact.id)),
    }
}

/// The name of the contact with this id in calls of `account`.
pub fn name_of_id(tx: &impl Read, account: &Account, id: ContactId) -> Result<ContactName, StoreError> {
    if !account.ccid_enabled {
        return Ok(ContactName::Id(id));
    }
    let contact = tx.get::<Contact>(id.0)?;
    Ok(contact.map_or_else(|| ContactName::Custom(format!("~{id}")), |contact| name_of(account, &contact)))
}

/// The contact that a call names, if it exists for the caller.
pub fn find(
    tx: &impl Read,
    caller: &Caller,
    account: &Account,
    name: &str,
) -> Result<Option<Contact>, StoreError> {
    let found = match (account.ccid_enabled, name.strip_prefix('~')) {
        (false, _) => parse_id(name).map_or(Ok(None), |id| tx.get::<Contact>(id))?,
        (true, Some(digits)) => parse_id(digits).map_or(Ok(None), |id| tx.get::<Contact>(id))?,
        (true, None) => tx.find(&CONTACT_BY_CCID, &Key::new().u64(account.id.0).text(name))?,
    };
    let Some(contact) = found.filter(|contact| contact.account == account.id) else { return Ok(None) };
    Ok(caller.sees_contact(tx, contact.id)?.then_some(contact))
}

/// A number in its only decimal form: no sign, no leading zero.
#[must_use]
pub fn parse_id(text: &str) -> Option<u64> {
    let is_canonical = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    if is_canonical { text.parse().ok() } else { None }
}

fn get_record(tx: &impl Read, caller: &Caller, account: &Account, name: &str) -> Result<Contact, OpError> {
    find(tx, caller, account, name)?.ok_or(OpError::NotFound { what: "contact" })
}

fn prefix(contact: &Contact) -> IndexRange {
    IndexRange::prefix(Key::new().u64(contact.account.0).u64(contact.id.0))
}

/// The addresses of a contact: its first address, then the others, oldest first.
pub fn emails_of(tx: &impl Read, contact: &Contact) -> Result<Vec<Email>, StoreError> {
    first_email::emails_in_order(tx, contact)
}

/// The memberships of a contact that exist for the caller, oldest first.
pub fn members_of(tx: &impl Read, caller: &Caller, contact: &Contact) -> Result<Vec<Member>, StoreError> {
    let memberships = tx.page(&MEMBERSHIP_BY_CONTACT, &prefix(contact), usize::MAX)?;
    with_lists(tx, caller, &mut ListNames::default(), memberships)
}

fn detail(tx: &impl Read, caller: &Caller, contact: Contact) -> Result<ContactDetail, StoreError> {
    let emails = emails_of(tx, &contact)?;
    let members = members_of(tx, caller, &contact)?;
    Ok(ContactDetail { contact, emails, members })
}

/// The contact that a call names, with everything that its object shows.
pub fn get(tx: &impl Read, caller: &Caller, name: &str) -> Result<ContactDetail, OpError> {
    caller.require_read()?;
    let account = account_of(tx, caller)?;
    Ok(detail(tx, caller, get_record(tx, caller, &account, name)?)?)
}

/// The contacts of an account, by id.
pub fn list(
    tx: &impl Read,
    caller: &Caller,
    filter: &ContactFilter,
    window: PageRequest,
) -> Result<Page<ContactDetail>, OpError> {
    caller.require_read()?;
    let list = filter.list.as_deref();
    let list = list.map(|name| memberships::list_named(tx, caller, name)).transpose()?;
    let page = match (candidates(tx, caller, filter)?, list) {
        (Some(ids), list) => passing(tx, caller, ids, list.as_ref(), window)?,
        (None, Some(list)) => of_list(tx, &list, window)?,
        (None, None) if caller.limits.lists().is_some() => of_limits(tx, caller, window)?,
        (None, None) => {
            let of_account = Key::new().u64(caller.account.0);
            let count = tx.count(&CONTACT_COUNT, &of_account)?;
            let ids = window_ids(tx, &CONTACT_BY_ACCOUNT, of_account.into(), window)?;
            Page { rows: ids, count }
        }
    };
    Ok(Page { rows: details(tx, caller, &page.rows)?, count: page.count })
}

/// The contacts with these ascending ids, with everything that their objects show. Related records of neighbours are
/// read in one pass.
pub(in crate::ops) fn details(
    tx: &impl Read,
    caller: &Caller,
    ids: &[u64],
) -> Result<Vec<ContactDetail>, StoreError> {
    let contacts = tx.records::<Contact>(ids)?;
    let emails = of_contacts(tx, &EMAIL_BY_CONTACT, caller.account, ids, |email| email.contact)?;
    let memberships =
        of_contacts(tx, &MEMBERSHIP_BY_CONTACT, caller.account, ids, |membership| membership.contact)?;
    let firsts = tx.records::<FirstEmail>(ids)?;
    let emails = emails.into_iter().zip(firsts).map(|(mut emails, first)| {
        first_email::sort(&mut emails, first.as_ref());
        emails
    });
    let mut lists = ListNames::default();
    let mut rows = Vec::with_capacity(ids.len());
    for ((contact, emails), memberships) in contacts.into_iter().zip(emails).zip(memberships) {
        let members = with_lists(tx, caller, &mut lists, memberships)?;
        rows.extend(contact.map(|contact| ContactDetail { contact, emails, members }));
    }
    Ok(rows)
}

/// The memberships that exist for the caller with their lists' names, oldest first.
fn with_lists(
    tx: &impl Read,
    caller: &Caller,
    lists: &mut ListNames,
    memberships: Vec<Membership>,
) -> Result<Vec<Member>, StoreError> {
    let mut members = Vec::with_capacity(memberships.len());
    for membership in memberships {
        if !caller.limits.sees_list(membership.list) {
            continue;
        }
        members.extend(lists.with_list(tx, membership)?);
    }
    members.sort_unstable_by_key(|member| member.membership.id);
    Ok(members)
}

/// The ids of the members of the lists that a limited caller sees.
pub(in crate::ops) fn of_limits(
    tx: &impl Read,
    caller: &Caller,
    window: PageRequest,
) -> Result<Page<u64>, StoreError> {
    let mut ids = BTreeSet::new();
    for list in caller.limits.lists().into_iter().flatten() {
        let of_list = IndexRange::prefix(Key::new().u64(caller.account.0).u64(list.0));
        tx.scan(&MEMBERSHIP_BY_LIST_CONTACT, &of_list, |key, _| {
            ids.extend(memberships::contact_in_key(key).map(|contact| contact.0));
            ControlFlow::<()>::Continue(())
        })?;
    }
    let count = u64::try_from(ids.len()).unwrap_or(u64::MAX);
    Ok(Page { rows: crate::ops::paging::window_of(ids.into_iter().collect(), window, |id| *id), count })
}

/// The ids of a list's members.
fn of_list(tx: &impl Read, list: &List, window: PageRequest) -> Result<Page<u64>, OpError> {
    let of_list = Key::new().u64(list.account.0).u64(list.id.0);
    let count = tx.count(&MEMBERSHIP_COUNT_BY_LIST, &of_list)?;
    let ids = window_ids(tx, &MEMBERSHIP_BY_LIST_CONTACT, of_list.into(), window)?;
    let memberships = tx.records::<Membership>(&ids)?;
    let rows = memberships.into_iter().flatten().map(|membership| membership.contact.0).collect();
    Ok(Page { rows, count })
}

/// The ids of the contacts that pass the filters by address, custom identifier and words, in order; `None` if there is
/// no such filter.
fn candidates(tx: &impl Read, caller: &Caller, filter: &ContactFilter) -> Result<Option<Vec<u64>>, OpError> {
    let ContactFilter { email, search, list: _, ccid } = filter;
    // A search without a word matches every contact.
    let question = search.as_deref().map(Words::of_question).filter(|question| !question.is_empty());
    if email.is_none() && ccid.is_none() {
        let found = question.map(|question| contact_search::find(tx, caller, &question));
        return Ok(found.transpose()?);
    }
    let of_account = || Key::new().u64(caller.account.0);
    let mut found = BTreeSet::new();
    if let Some(text) = email {
        let address = EmailAddress::parse(text).ok().map(|address| address.folded());
        let email = match address {
            Some(folded) => tx.find(&EMAIL_BY_ADDRESS, &of_account().text(&folded))?,
            None => None,
        };
        found.insert(email.map(|email| email.contact.0));
    }
    if let Some(ccid) = ccid {
        found.insert(tx.find_id(&CONTACT_BY_CCID, &of_account().text(ccid))?);
    }
    // If two filters name different contacts, or one names none, no contact passes every filter.
    let mut ids: Vec<u64> = if found.len() == 1 { found.into_iter().flatten().collect() } else { Vec::new() };
    if let (Some(question), Some(id)) = (&question, ids.first())
        && !contact_search::answers(tx, caller, *id, question)?
    {
        ids.clear();
    }
    Ok(Some(ids))
}

/// The requested page of candidates: of those in a list, and of those that exist for the caller.
fn passing(
    tx: &impl Read,
    caller: &Caller,
    candidates: Vec<u64>,
    list: Option<&List>,
    window: PageRequest,
) -> Result<Page<u64>, OpError> {
    let mut rows = Vec::with_capacity(candidates.len());
    for id in candidates {
        let passes = match list {
            // A caller who sees the list sees its members.
            Some(list) => {
                tx.exists(&MEMBERSHIP_BY_CONTACT, &Key::new().u64(caller.account.0).u64(id).u64(list.id.0))?
            }
            None => caller.sees_contact(tx, ContactId(id))?,
        };
        if passes {
            rows.push(id);
        }
    }
    let count = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    Ok(Page { rows: crate::ops::paging::window_of(rows, window, |id| *id), count })
}

/// Adds a contact with its addresses and memberships.
pub fn create(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    input: ContactInput,
    now: Timestamp,
) -> Result<ContactDetail, OpError> {
    let made = add(tx, caller, input, now)?;
    let id = made.contact.id;
    announce_changes(tx, caller, id, &[], &made.members, now)?;
    audit::note(tx, caller, Note::new(AuditAction::ContactCreated, id.0).about(id), now)?;
    Ok(made)
}

/// The same for one row of a call that is noted in the audit log as a whole.
pub fn add(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    input: ContactInput,
    now: Timestamp,
) -> Result<ContactDetail, OpError> {
    caller.require(Permission::ManageMembers)?;
    let account = account_of(tx, caller)?;
    create_in(tx, caller, &account, input, now)
}

/// The same in an account that was read already.
pub(in crate::ops) fn create_in(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    account: &Account,
    input: ContactInput,
    now: Timestamp,
) -> Result<ContactDetail, OpError> {
    let ContactInput {
        ccid,
        firstname,
        surname,
        notes,
        custom,
        emails,
        lists,
        overrides_opt_out,
        joined,
        mut problems,
    } = input;
    let wanted = emails.unwrap_or_default();
    if wanted.is_empty() {
        problems.add("emails", Wrong::OneAddressNeeded);
    }
    let lists = memberships::resolve(tx, caller, lists.unwrap_or_default(), &mut problems)?;
    if lists.is_empty() && caller.limits.lists().is_some() {
        problems.add("lists", Wrong::OwnListNeeded);
    }
    emails::check(account, &[], &wanted, &mut problems)?;
    problems.into_result()?;
    check_room(tx, account)?;
    let contact = Contact {
        id: ContactId(tx.next_id::<Contact>()?),
        account: account.id,
        ccid: ccid.flatten(),
        firstname: firstname.unwrap_or_default(),
        surname: surname.unwrap_or_default(),
        notes: notes.unwrap_or_default(),
        custom: of_fields(account, custom).filter(|(_, value)| !value.is_empty()).collect(),
        created: now,
    };
    put(tx, &contact)?;
    let emails = emails::replace(tx, &contact, Vec::new(), wanted)?;
    welcome::added(tx, &contact, account)?;
    let joined = (&joined_at(caller, joined, now), overrides_opt_out);
    let members = memberships::replace(tx, &contact, Vec::new(), lists, joined)?;
    Ok(ContactDetail { contact, emails, members })
}

/// How memberships of a call begin: in another system, as evidence that an import brings along, or now.
fn joined_at(caller: &Caller, elsewhere: Option<(Timestamp, Option<IpAddr>)>, now: Timestamp) -> Joined {
    let here = caller.joins(now);
    match elsewhere.filter(|(when, _)| *when < now) {
        Some((when, from)) => Joined { when, from, ..here },
        None => here,
    }
}

/// Passes if the address book has room for one more contact.
pub(in crate::ops) fn check_room(tx: &impl Read, account: &Account) -> Result<(), OpError> {
    let count = tx.count(&CONTACT_COUNT, &Key::new().u64(account.id.0))?;
    let contacts_max = account.contacts_max;
    if contacts_max <= count { Err(OpError::AddressBookFull { contacts_max }) } else { Ok(()) }
}

/// Makes a contact of which nothing is known but its name; its address is added next.
pub(in crate::ops) fn make(
    tx: &mut WriteTx<'_>,
    account: &Account,
    (firstname, surname): (String, String),
    now: Timestamp,
) -> Result<Contact, OpError> {
    check_room(tx, account)?;
    let contact = Contact {
        id: ContactId(tx.next_id::<Contact>()?),
        account: account.id,
        ccid: None,
        firstname,
        surname,
        notes: String::new(),
        custom: BTreeMap::new(),
        created: now,
    };
    put(tx, &contact)?;
    Ok(contact)
}

/// The values of fields that the account still has: a field may have been deleted since the call was parsed.
fn of_fields(
    account: &Account,
    custom: Vec<(CustomFieldId, String)>,
) -> impl Iterator<Item = (CustomFieldId, String)> {
    custom.into_iter().filter(|(id, _)| account.custom_fields.iter().any(|field| field.id == *id))
}

fn put(tx: &mut WriteTx<'_>, contact: &Contact) -> Result<(), OpError> {
    tx.put(contact).map_err(|error| match error {
        StoreError::Duplicate { index } if index == CONTACT_BY_CCID.name() => {
            OpError::conflict("ccid", Wrong::ContactIdTaken)
        }
        other => other.into(),
    })
}

/// Changes a contact. If custom identifiers name contacts, one that does not exist is created.
pub fn update(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    name: &str,
    mut input: ContactInput,
    now: Timestamp,
) -> Result<ContactDetail, OpError> {
    caller.require(Permission::ManageMembers)?;
    let account = account_of(tx, caller)?;
    let Some(contact) = find(tx, caller, &account, name)? else {
        if !account.ccid_enabled || name.starts_with('~') {
            return Err(OpError::NotFound { what: "contact" });
        }
        if let Err(problem) = check_ccid(name) {
            input.problems.add("ccid", problem);
        }
        if input.ccid.as_ref().is_some_and(|ccid| ccid.as_deref() != Some(name)) {
            input.problems.add("ccid", Wrong::ContactIdOfPath);
        }
        input.ccid = Some(Some(name.to_owned()));
        return create(tx, caller, input, now);
    };
    let before = ContactDetail {
        contact: contact.clone(),
        emails: emails_of(tx, &contact)?,
        members: members_of(tx, caller, &contact)?,
    };
    let after = update_record(tx, caller, &account, contact, input, now)?;
    announce_changes(tx, caller, after.contact.id, &before.members, &after.members, now)?;
    let changed = changed_parts(&account, &before, &after)?;
    if !changed.is_empty() {
        let id = after.contact.id;
        audit::note(
            tx,
            caller,
            Note::new(AuditAction::ContactUpdated, id.0).about(id).fields(&changed),
            now,
        )?;
    }
    Ok(after)
}

/// Records which lists a contact joined and left by one call, for administrators who want to know.
fn announce_changes(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    contact: ContactId,
    before: &[Member],
    after: &[Member],
    now: Timestamp,
) -> Result<(), StoreError> {
    let is_in =
        |members: &[Member], list| members.iter().any(|member: &Member| member.membership.list == list);
    for list in after.iter().map(|member| member.membership.list) {
        if !is_in(before, list) {
            announcements::joined(tx, caller, list, contact, now)?;
        }
    }
    for list in before.iter().map(|member| member.membership.list) {
        if !is_in(after, list) {
            announcements::left(tx, caller, list, contact, now)?;
        }
    }
    Ok(())
}

/// The names of the parts in which a contact differs before and after a call.
fn changed_parts(
    account: &Account,
    before: &ContactDetail,
    after: &ContactDetail,
) -> Result<Vec<String>, StoreError> {
    let fields = changed_fields(&before.contact, &after.contact).into_iter().filter(|name| *name != "custom");
    let mut names: Vec<String> = fields.map(str::to_owned).collect();
    let (old, new) = (&before.contact.custom, &after.contact.custom);
    let custom = account.custom_fields.iter().filter(|field| old.get(&field.id) != new.get(&field.id));
    names.extend(custom.map(|field| field.key().to_owned()));
    if !emails::are_stored_alike(&after.emails, &before.emails)? {
        names.push("emails".to_owned());
    }
    if after.members != before.members {
        names.push("lists".to_owned());
    }
    Ok(names)
}

/// Changes a contact that was read already.
pub(in crate::ops) fn update_record(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    account: &Account,
    mut contact: Contact,
    input: ContactInput,
    now: Timestamp,
) -> Result<ContactDetail, OpError> {
    let ContactInput {
        ccid,
        firstname,
        surname,
        notes,
        custom,
        emails,
        lists,
        overrides_opt_out,
        joined,
        mut problems,
    } = input;
    let current = emails_of(tx, &contact)?;
    if let Some(wanted) = &emails {
        if wanted.is_empty() {
            problems.add("emails", Wrong::OneAddressStays);
        }
        emails::check(account, &current, wanted, &mut problems)?;
    }
    let lists = match lists {
        Some(lists) => Some(memberships::resolve(tx, caller, lists, &mut problems)?),
        None => None,
    };
    problems.into_result()?;
    let before = contact.clone();
    contact.ccid = ccid.unwrap_or(contact.ccid);
    contact.firstname = firstname.unwrap_or(contact.firstname);
    contact.surname = surname.unwrap_or(contact.surname);
    contact.notes = notes.unwrap_or(contact.notes);
    for (field, value) in of_fields(account, custom) {
        if value.is_empty() {
            contact.custom.remove(&field);
        } else {
            contact.custom.insert(field, value);
        }
    }
    if contact != before {
        caller.require_whole(tx, contact.id)?;
        put(tx, &contact)?;
    }
    let emails = match emails {
        Some(wanted) => {
            let before = current.clone();
            let emails = emails::replace(tx, &contact, current, wanted)?;
            if !emails::are_stored_alike(&emails, &before)? {
                caller.require_whole(tx, contact.id)?;
            }
            emails
        }
        None => current,
    };
    let current = members_of(tx, caller, &contact)?;
    let members = match lists {
        Some(wanted) => {
            let joined = (&joined_at(caller, joined, now), overrides_opt_out);
            memberships::replace(tx, &contact, current, wanted, joined)?
        }
        None => current,
    };
    Ok(ContactDetail { contact, emails, members })
}

/// Deletes a contact with its addresses and memberships.
pub fn delete(tx: &mut WriteTx<'_>, caller: &Caller, name: &str, now: Timestamp) -> Result<(), OpError> {
    caller.require(Permission::ManageMembers)?;
    let account = account_of(tx, caller)?;
    let contact = get_record(tx, caller, &account, name)?;
    caller.require_whole(tx, contact.id)?;
    remove(tx, &contact)?;
    let deleted = Note::new(AuditAction::ContactDeleted, contact.id.0).about(contact.id);
    audit::note(tx, caller, deleted, now)?;
    Ok(())
}

/// Deletes a contact with every record that belongs to it ([`WithContact`]), without a note in the audit log.
pub(in crate::ops) fn remove(tx: &mut WriteTx<'_>, contact: &Contact) -> Result<(), OpError> {
    opt_outs::forget_contact(tx, contact)?;
    for email in emails_of(tx, contact)? {
        emails::remove(tx, &email)?;
    }
    visit_entities(&mut OfContact { tx, contact })
}

/// Deletes the records that go with a contact, and the contact.
struct OfContact<'a, 'txn> {
    tx: &'a mut WriteTx<'txn>,
    contact: &'a Contact,
}

impl EntityVisitor for OfContact<'_, '_> {
    type Error = OpError;

    fn visit<E: HasLife>(&mut self) -> Result<(), OpError> {
        let Contact { id, account, .. } = *self.contact;
        match E::LIFE.with_contact {
            WithContact::GoesByNumber => drop(self.tx.delete::<E>(id.0)?),
            WithContact::Goes(index, key) => {
                self.tx.delete_range(index, &IndexRange::prefix(key(account, id)), usize::MAX)?;
            }
            WithContact::NamesNone | WithContact::ByOperation(_) | WithContact::Stays(_) => {}
        }
        Ok(())
    }
}

/// The ids of the members of a list, in their order.
pub(in crate::ops) fn ids_of_list(tx: &impl Read, list: &List) -> Result<Vec<ContactId>, StoreError> {
    let ListId(id) = list.id;
    let of_list = IndexRange::prefix(Key::new().u64(list.account.0).u64(id));
    let mut contacts = Vec::new();
    tx.scan(&MEMBERSHIP_BY_LIST_CONTACT, &of_list, |key, _| {
        contacts.extend(memberships::contact_in_key(key));
        ControlFlow::<()>::Continue(())
    })?;
    Ok(contacts)
}
