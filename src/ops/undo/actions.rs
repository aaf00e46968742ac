//! Actions of administrators that can be undone: each is carried out by its operation, and what it changed is kept in the
//! same job.

use crate::clock::Timestamp;
use crate::model::undo::{DeletedContact, UNDO_ROWS_MAX, UndoChange};
use crate::model::{
    Account, Alias, Consent, Contact, ContactId, Email, EmailId, EmailPause, FirstEmail, ImportId, ListId,
    Membership, MembershipId, Undo, UndoId,
};
use crate::ops::lists::aliases;
use crate::ops::people::adding::{self, Added, NewMember};
use crate::ops::people::contacts::{self, ContactDetail, account_of, emails_of};
use crate::ops::people::emails::{self, EmailInput};
use crate::ops::people::imports::{self, Existing, Outcome, Row};
use crate::ops::people::memberships::{self, Member, MemberSettings, MembershipInput};
use crate::ops::undo::title_of;
use crate::ops::{Caller, OpError, Problems};
use crate::schema::{CONSENT_BY_ADDRESS, MEMBERSHIP_BY_CONTACT};
use crate::secret::sha256;
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx, record_to_bytes};

/// The result of an action on several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Acted {
    /// To how many something was done.
    pub done: usize,
    /// How many were left out because they opted out.
    pub opted_out: usize,
    /// The number by which it is undone; `None` if nothing was done, or too much.
    pub action: Option<UndoId>,
}

/// Keeps the changes of one action.
struct Keeper<'caller> {
    caller: &'caller Caller,
    now: Timestamp,
    acted: Acted,
}

impl<'caller> Keeper<'caller> {
    fn of(caller: &'caller Caller, now: Timestamp) -> Keeper<'caller> {
        Keeper { caller, now, acted: Acted::default() }
    }

    fn keep(
        &mut self,
        tx: &mut WriteTx<'_>,
        contact: Option<ContactId>,
        change: UndoChange,
    ) -> Result<(), StoreError> {
        let id = UndoId(tx.next_id::<Undo>()?);
        let action = *self.acted.action.get_or_insert(id);
        self.acted.done += 1;
        tx.put(&Undo { id, account: self.caller.account, action, contact, made: self.now, change })
    }
}

/// The name of a contact in calls, by its number.
fn call_name(account: &Account, contact: ContactId) -> String {
    if account.ccid_enabled { format!("~{contact}") } else { contact.to_string() }
}

/// Takes members off their lists. Memberships that ended meanwhile are left out.
///
/// # Errors
/// As of [`memberships::delete`].
pub fn remove_members(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    ids: &[MembershipId],
    now: Timestamp,
) -> Result<Acted, OpError> {
    let mut keeper = Keeper::of(caller, now);
    for id in ids {
        let Some(membership) = tx.get::<Membership>(id.0)? else { continue };
        match memberships::delete(tx, caller, &id.to_string(), now) {
            Err(OpError::NotFound { .. }) => continue,
            done => done?,
        }
        let Membership { list, contact, .. } = membership;
        let record = record_to_bytes(&membership)?;
        keeper.keep(tx, Some(contact), UndoChange::MemberRemoved { membership: *id, list, record })?;
    }
    Ok(keeper.acted)
}

/// Sets how members get the mail of their lists.
///
/// # Errors
/// As of [`memberships::update`].
pub fn set_members(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    ids: &[MembershipId],
    settings: MemberSettings,
    now: Timestamp,
) -> Result<Acted, OpError> {
    let mut keeper = Keeper::of(caller, now);
    for id in ids {
        let Some(before) = tx.get::<Membership>(id.0)? else { continue };
        let input = MembershipInput { settings, ..MembershipInput::default() };
        let after = match memberships::update(tx, caller, &id.to_string(), input, now) {
            Err(OpError::NotFound { .. }) => continue,
            changed => changed?.member.membership,
        };
        if after == before {
            continue;
        }
        let Membership { list, contact, .. } = after;
        let (before, after) = (record_to_bytes(&before)?, record_to_bytes(&after)?);
        let change = UndoChange::MemberChanged { membership: *id, list, before, after };
        keeper.keep(tx, Some(contact), change)?;
    }
    Ok(keeper.acted)
}

/// Puts contacts on a list. Those who are on it stay, and those who opted out of it are left out and counted.
///
/// # Errors
/// As of [`memberships::create`].
pub fn add_to_list(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    ids: &[ContactId],
    list: &str,
    now: Timestamp,
) -> Result<Acted, OpError> {
    let account = account_of(tx, caller)?;
    let mut keeper = Keeper::of(caller, now);
    for id in ids {
        let name = call_name(&account, *id);
        if member_of(tx, caller, &name, list)?.is_some() {
            continue;
        }
        let (contact, list) = (Some(name), Some(list.to_owned()));
        let input = MembershipInput { contact, list, ..MembershipInput::default() };
        let made = match memberships::create(tx, caller, input, now) {
            // Nobody is put back by a list of marks; the person's page says when it left, and how to add it.
            Err(OpError::OptedOut { .. }) => {
                keeper.acted.opted_out += 1;
                continue;
            }
            made => made?.member.membership,
        };
        let (membership, list, record) = (made.id, made.list, record_to_bytes(&made)?);
        keeper.keep(tx, Some(*id), UndoChange::MemberAdded { membership, list, record })?;
    }
    Ok(keeper.acted)
}

/// Adds somebody by its address, as [`adding::add`] does, for the action of this number, which adds several.
///
/// # Errors
/// As of [`adding::add`].
pub fn add_person(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    list: &str,
    new: NewMember,
    action: UndoId,
    now: Timestamp,
) -> Result<Added, OpError> {
    let is_known = match &new.email.address {
        Some(address) => emails::find(tx, caller, address.as_str())?.is_some(),
        None => false,
    };
    let added = adding::add(tx, caller, list, new, now)?;
    let Added::Joined(contact) = added else { return Ok(added) };
    let list = memberships::list_named(tx, caller, list)?.id;
    let of_list = Key::new().u64(caller.account.0).u64(contact.0).u64(list.0);
    let found = tx.page::<Membership>(&MEMBERSHIP_BY_CONTACT, &of_list.into(), 1)?;
    let (Some(member), Some(person)) = (found.into_iter().next(), tx.get::<Contact>(contact.0)?) else {
        return Ok(added);
    };
    let (membership, record) = (member.id, record_to_bytes(&member)?);
    let print = if is_known { None } else { Some(print_of(tx, &person)?) };
    let mut keeper = Keeper::of(caller, now);
    // Each person is a job of its own.
    keeper.acted.action = Some(action);
    keeper.keep(tx, Some(contact), UndoChange::PersonAdded { membership, list, record, print })?;
    Ok(added)
}

/// Takes contacts off a list; those who are not on it are left out.
///
/// # Errors
/// As of [`memberships::delete`].
pub fn remove_from_list(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    ids: &[ContactId],
    list: &str,
    now: Timestamp,
) -> Result<Acted, OpError> {
    let account = account_of(tx, caller)?;
    let mut members = Vec::new();
    for id in ids {
        let member = member_of(tx, caller, &call_name(&account, *id), list)?;
        members.extend(member.map(|member| member.membership.id));
    }
    remove_members(tx, caller, &members, now)
}

fn member_of(tx: &impl Read, caller: &Caller, name: &str, list: &str) -> Result<Option<Member>, OpError> {
    let members = contacts::get(tx, caller, name)?.members;
    Ok(members.into_iter().find(|member| member.list.as_str().eq_ignore_ascii_case(list)))
}

/// Lets all paused addresses of contacts take mail again; contacts without one are left out. That of more than
/// [`UNDO_ROWS_MAX`] addresses cannot be undone.
///
/// # Errors
/// As of [`emails::update`].
pub fn resume(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    ids: &[ContactId],
    now: Timestamp,
) -> Result<Acted, OpError> {
    let account = account_of(tx, caller)?;
    let mut keeper = Keeper::of(caller, now);
    let mut people = 0;
    let mut changes = Vec::new();
    for id in ids {
        let ContactDetail { emails, .. } = contacts::get(tx, caller, &call_name(&account, *id))?;
        let paused: Vec<Email> = emails.into_iter().filter(|email| email.paused).collect();
        people += usize::from(!paused.is_empty());
        for before in paused {
            let until = tx.get::<EmailPause>(before.id.0)?.map(|pause| pause.until);
            let input = EmailInput { paused: Some(false), ..EmailInput::default() };
            let (email, problems) = (before.id, Problems::default());
            let after = emails::update(tx, caller, &email.to_string(), None, input, problems, now)?.email;
            let (before, after) = (record_to_bytes(&before)?, record_to_bytes(&after)?);
            changes.push((*id, UndoChange::EmailChanged { email, before, after, until }));
        }
    }
    if changes.len() <= UNDO_ROWS_MAX {
        for (contact, change) in changes {
            keeper.keep(tx, Some(contact), change)?;
        }
    }
    keeper.acted.done = people;
    Ok(keeper.acted)
}

/// Deletes contacts with all that belongs to them.
///
/// # Errors
/// As of [`contacts::delete`].
pub fn delete_people(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    ids: &[ContactId],
    now: Timestamp,
) -> Result<Acted, OpError> {
    let account = account_of(tx, caller)?;
    let mut keeper = Keeper::of(caller, now);
    for id in ids {
        let name = call_name(&account, *id);
        let contact = contacts::get(tx, caller, &name)?.contact;
        let (title, records) = (title_of(tx, &contact)?, everything(tx, &contact)?);
        contacts::delete(tx, caller, &name, now)?;
        keeper.keep(tx, None, UndoChange::ContactDeleted { id: id.0, name: title, records })?;
    }
    Ok(keeper.acted)
}

/// What is deleted with a contact and can be put back.
fn everything(tx: &impl Read, contact: &Contact) -> Result<DeletedContact, StoreError> {
    let of_account = || Key::new().u64(contact.account.0);
    let mut kept = DeletedContact { contact: record_to_bytes(contact)?, ..DeletedContact::default() };
    kept.first = tx.get::<FirstEmail>(contact.id.0)?.map(|first| first.email);
    for email in emails_of(tx, contact)? {
        kept.emails.push(record_to_bytes(&email)?);
        let pause: Option<EmailPause> = tx.get(email.id.0)?;
        kept.pauses.extend(pause.map(|pause| (pause.email, pause.until)));
        let of_address = IndexRange::prefix(of_account().text(&email.address.folded()));
        for consent in tx.page::<Consent>(&CONSENT_BY_ADDRESS, &of_address, usize::MAX)? {
            kept.consents.push(record_to_bytes(&consent)?);
        }
    }
    let of_contact = IndexRange::prefix(of_account().u64(contact.id.0));
    for membership in tx.page::<Membership>(&MEMBERSHIP_BY_CONTACT, &of_contact, usize::MAX)? {
        kept.memberships.push(record_to_bytes(&membership)?);
    }
    Ok(kept)
}

/// Deletes an alias.
///
/// # Errors
/// As of [`aliases::delete`].
pub fn delete_alias(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    source: &str,
    now: Timestamp,
) -> Result<Acted, OpError> {
    let mut keeper = Keeper::of(caller, now);
    let alias: Alias = aliases::get(tx, caller, source)?;
    aliases::delete(tx, caller, source, now)?;
    let record = record_to_bytes(&alias)?;
    keeper.keep(tx, None, UndoChange::AliasDeleted { alias: alias.id, record })?;
    Ok(keeper.acted)
}

/// Imports the row of an import of at most [`UNDO_ROWS_MAX`] rows, as [`imports::take`] does.
///
/// # Errors
/// As of [`imports::take`].
pub fn import_row(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    row: Row,
    existing: Existing,
    import: ImportId,
    now: Timestamp,
) -> Result<Outcome, OpError> {
    let account = account_of(tx, caller)?;
    // Whatever is wrong with the row, taking it says.
    let known = imports::known(tx, &account, &row.contact).ok().flatten();
    let before = known.map(|contact| Ok::<_, StoreError>((ids_of(tx, &contact)?, contact))).transpose()?;
    let wanted = row.contact.clone();
    let outcome = imports::take(tx, caller, row, existing, now)?;
    let is_change = matches!(outcome, Outcome::Created | Outcome::Updated);
    let Some(contact) = imports::known(tx, &account, &wanted)?.filter(|_| is_change) else {
        return Ok(outcome);
    };
    let change = match before {
        None => UndoChange::ContactAdded { print: print_of(tx, &contact)? },
        Some((had, old)) => {
            let has = ids_of(tx, &contact)?;
            let emails: Vec<EmailId> = has.0.into_iter().filter(|id| !had.0.contains(id)).collect();
            let memberships: Vec<MembershipId> = has.1.into_iter().filter(|id| !had.1.contains(id)).collect();
            let mut after = record_to_bytes(&contact)?;
            after.extend(print_of_added(tx, &emails, &memberships)?);
            UndoChange::ContactChanged { before: record_to_bytes(&old)?, after, emails, memberships }
        }
    };
    let mut keeper = Keeper::of(caller, now);
    // Each row is a job of its own.
    keeper.acted.action = Some(UndoId::of_import(import));
    keeper.keep(tx, Some(contact.id), change)?;
    Ok(outcome)
}

/// The addresses and the memberships of a contact.
fn ids_of(tx: &impl Read, contact: &Contact) -> Result<(Vec<EmailId>, Vec<MembershipId>), StoreError> {
    let emails = emails_of(tx, contact)?.into_iter().map(|email| email.id).collect();
    let of_contact = IndexRange::prefix(Key::new().u64(contact.account.0).u64(contact.id.0));
    let memberships = tx.ids(&MEMBERSHIP_BY_CONTACT, &of_contact, usize::MAX)?;
    Ok((emails, memberships.into_iter().map(MembershipId).collect()))
}

/// A hash of what a contact has: its values, its addresses and its lists.
pub(in crate::ops::undo) fn print_of(tx: &impl Read, contact: &Contact) -> Result<[u8; 32], StoreError> {
    let mut bytes = record_to_bytes(contact)?;
    for email in emails_of(tx, contact)? {
        bytes.extend(words_of(&email).into_bytes());
    }
    let of_contact = IndexRange::prefix(Key::new().u64(contact.account.0).u64(contact.id.0));
    for membership in tx.page::<Membership>(&MEMBERSHIP_BY_CONTACT, &of_contact, usize::MAX)? {
        bytes.extend(record_to_bytes(&membership)?);
    }
    Ok(sha256(&bytes))
}

/// A hash of addresses and memberships that an import added to somebody.
pub(in crate::ops::undo) fn print_of_added(
    tx: &impl Read,
    emails: &[EmailId],
    memberships: &[MembershipId],
) -> Result<[u8; 32], StoreError> {
    let mut bytes = Vec::new();
    for id in emails {
        let email = tx.get::<Email>(id.0)?;
        bytes.extend(email.map_or_else(|| "gone\n".to_owned(), |email| words_of(&email)).into_bytes());
    }
    for id in memberships {
        if let Some(membership) = tx.get::<Membership>(id.0)? {
            bytes.extend(record_to_bytes(&membership)?);
        }
    }
    Ok(sha256(&bytes))
}

/// What somebody may change of an address.
fn words_of(email: &Email) -> String {
    let Email { address, digest, confirmed, paused, .. } = email;
    let paused = if *paused { " paused" } else { "" };
    format!("{address} {digest} {confirmed}{paused}\n")
}

/// The members of a list among these memberships: those of other lists, and those that ended, are left out.
///
/// # Errors
/// If the store fails.
pub fn members_among(
    tx: &impl Read,
    caller: &Caller,
    list: ListId,
    ids: &[u64],
) -> Result<Vec<MembershipId>, StoreError> {
    let is_its = |membership: &Membership| membership.account == caller.account && membership.list == list;
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    let found = tx.records::<Membership>(&ids)?.into_iter().flatten().filter(is_its);
    Ok(found.map(|membership| membership.id).collect())
}
