//! Undoes an action: puts back what it changed, one record after the other, and says what stays as it is and why.

use crate::clock::Timestamp;
use crate::model::undo::{DeletedContact, UndoChange};
use crate::model::{
    Account, Alias, AuditAction, Consent, Contact, ContactId, Email, EmailAddress, EmailId, EmailPause,
    FirstEmail, List, ListId, Membership, MembershipId, Undo, UndoId,
};
use crate::ops::audit::{self, Note};
use crate::ops::lists::aliases::{self, AliasInput};
use crate::ops::people::contacts::{self, check_room, emails_of};
use crate::ops::people::memberships::{self, noted};
use crate::ops::people::opt_outs::Added;
use crate::ops::people::{announcements, emails, opt_outs, subscribe};
use crate::ops::undo::actions::{print_of, print_of_added};
use crate::ops::undo::outcome::{Left, PutBack, UNDONE, Undone, WHOLE};
use crate::ops::undo::settings;
use crate::ops::undo::{name_of, require, rows_of};
use crate::ops::{Caller, OpError, Problems};
use crate::schema::{CONSENT_BY_ADDRESS, CONTACT_BY_CCID, EMAIL_BY_ADDRESS, MEMBERSHIP_BY_CONTACT};
use crate::store::{Key, Read, StoreError, WriteTx, record_from_bytes, record_to_bytes};

/// Undoes an action, once. Where nothing can be put back, nothing changes.
///
/// # Errors
/// `NotFound` if it was undone, its day is over, or the caller could not do it.
pub fn undo(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    action: UndoId,
    now: Timestamp,
) -> Result<Undone, OpError> {
    let rows = require(rows_of(tx, caller, action, now)?)?;
    let mut undone = Undone::default();
    for row in &rows {
        let name = name_of(tx, row)?;
        match put_back(tx, caller, row, now)? {
            Ok(without) => {
                undone.left.extend(without.into_iter().map(|(list, left)| {
                    (if list.is_empty() { name.clone() } else { format!("{name} ({list})") }, left)
                }));
                undone.done.push(name);
            }
            Err(left) => undone.left.push((name, left)),
        }
    }
    if !undone.done.is_empty() {
        for row in rows {
            tx.delete::<Undo>(row.id.0)?;
        }
    }
    Ok(undone)
}

fn put_back(tx: &mut WriteTx<'_>, caller: &Caller, row: &Undo, now: Timestamp) -> PutBack {
    match &row.change {
        UndoChange::MemberRemoved { record, .. } => {
            let membership: Membership = record_from_bytes(record)?;
            let Some(contact) = tx.get::<Contact>(membership.contact.0)? else { return Ok(Err(Left::Gone)) };
            let back = join_again(tx, caller, &contact, membership, row.made)?;
            if let Ok((membership, list)) = &back {
                announcements::joined(tx, caller, membership.list, contact.id, now)?;
                let note = noted(AuditAction::MembershipCreated, membership);
                audit::note(tx, caller, note.detail(&format!("{list}, {UNDONE}")), now)?;
            }
            Ok(back.map(|_| Vec::new()))
        }
        UndoChange::MemberAdded { membership, record, .. } => take_off(tx, caller, *membership, record, now),
        UndoChange::MemberChanged { membership, list, before, after } => {
            set_member(tx, caller, (*membership, *list), (before.as_slice(), after.as_slice()), now)
        }
        UndoChange::EmailChanged { email, before, after, until } => {
            set_email(tx, caller, *email, (before.as_slice(), after.as_slice()), *until, now)
        }
        UndoChange::ContactDeleted { id, records, .. } => {
            restore(tx, caller, ContactId(*id), records, (row.made, now))
        }
        UndoChange::ContactAdded { print } => remove_added(tx, caller, row.contact, print, now),
        UndoChange::ContactChanged { before, after, emails, memberships } => {
            let records = (before.as_slice(), after.as_slice());
            change_back(tx, caller, row.contact, records, (emails, memberships), now)
        }
        UndoChange::AliasDeleted { record, .. } => make_alias(tx, caller, record_from_bytes(record)?, now),
        UndoChange::PersonAdded { membership, list, record, print } => {
            if let (Some(print), Some(contact)) = (print, find(tx, row.contact)?)
                && print_of(tx, &contact)? == *print
            {
                announcements::left(tx, caller, *list, contact.id, now)?;
                return remove_added(tx, caller, row.contact, print, now);
            }
            take_off(tx, caller, *membership, record, now)
        }
        UndoChange::ListChanged { list, before, after } => {
            settings::set_list(tx, caller, *list, (before.as_slice(), after.as_slice()), now)
        }
        UndoChange::AccountChanged { before, after } => {
            settings::set_account(tx, caller, (before.as_slice(), after.as_slice()), now)
        }
        UndoChange::SenderSet { list, address, before, after } => {
            settings::set_sender(tx, caller, (*list, address), (*before, *after), now)
        }
    }
}

/// Takes somebody off a list who was put on it.
fn take_off(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    membership: MembershipId,
    record: &[u8],
    now: Timestamp,
) -> PutBack {
    let found = tx.get::<Membership>(membership.0)?;
    let Some(membership) = found else { return Ok(Err(Left::Gone)) };
    if record_to_bytes(&membership)? != record {
        return Ok(Err(Left::Changed));
    }
    announcements::left(tx, caller, membership.list, membership.contact, now)?;
    memberships::remove(tx, caller, &membership, now)?;
    Ok(WHOLE)
}

/// Makes a contact a member again as it was, unless it opted out since the action; the membership, and the list's name.
fn join_again(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    contact: &Contact,
    membership: Membership,
    made: Timestamp,
) -> Result<Result<(Membership, String), Left>, OpError> {
    let list = tx.get::<List>(membership.list.0)?.filter(|list| caller.sees_list(list));
    let Some(list) = list else { return Ok(Err(Left::Gone)) };
    let key = Key::new().u64(contact.account.0).u64(contact.id.0).u64(list.id.0);
    if tx.exists(&MEMBERSHIP_BY_CONTACT, &key)? {
        return Ok(Err(Left::There));
    }
    if opted_out_since(tx, contact, list.id, made)? {
        return Ok(Err(Left::OptedOut));
    }
    let id = MembershipId(tx.next_id::<Membership>()?);
    let membership = Membership { id, ..membership };
    tx.put(&membership)?;
    subscribe::forget_departure(tx, contact, list.id)?;
    Ok(Ok((membership, list.name.to_string())))
}

fn opted_out_since(
    tx: &impl Read,
    contact: &Contact,
    list: ListId,
    since: Timestamp,
) -> Result<bool, StoreError> {
    let of_list = |other: Option<ListId>| other.is_none_or(|other| other == list);
    Ok(opt_outs::of_contact(tx, contact)?.iter().any(|out| of_list(out.list) && since <= out.time))
}

fn set_member(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    (membership, list): (MembershipId, ListId),
    (before, after): (&[u8], &[u8]),
    now: Timestamp,
) -> PutBack {
    let Some(present) = tx.get::<Membership>(membership.0)? else { return Ok(Err(Left::Gone)) };
    if record_to_bytes(&present)? != after {
        return Ok(Err(Left::Changed));
    }
    let before: Membership = record_from_bytes(before)?;
    tx.put(&before)?;
    let list = tx.get::<List>(list.0)?.map(|list| list.name.to_string()).unwrap_or_default();
    let note = noted(AuditAction::MembershipUpdated, &before).detail(&format!("{list}: {UNDONE}"));
    audit::note(tx, caller, note, now)?;
    Ok(WHOLE)
}

fn set_email(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    email: EmailId,
    (before, after): (&[u8], &[u8]),
    until: Option<Timestamp>,
    now: Timestamp,
) -> PutBack {
    let Some(present) = tx.get::<Email>(email.0)? else { return Ok(Err(Left::Gone)) };
    if record_to_bytes(&present)? != after {
        return Ok(Err(Left::Changed));
    }
    let before: Email = record_from_bytes(before)?;
    tx.put(&before)?;
    if let Some(until) = until.filter(|until| now < *until) {
        tx.put(&EmailPause { email, account: before.account, until })?;
    }
    let note = Note::new(AuditAction::EmailUpdated, email.0).about(before.contact);
    audit::note(tx, caller, note.detail(&format!("paused, {UNDONE}")), now)?;
    Ok(WHOLE)
}

/// Puts a deleted contact back, with what was deleted with it and can be put back.
fn restore(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    id: ContactId,
    records: &DeletedContact,
    (made, now): (Timestamp, Timestamp),
) -> PutBack {
    // With the custom fields that the caller does not see.
    let account = tx.get::<Account>(caller.account.0)?.ok_or(OpError::NotFound { what: "account" })?;
    let mut contact: Contact = record_from_bytes(&records.contact)?;
    let emails = records.emails.iter().map(|record| record_from_bytes(record));
    let emails: Vec<Email> = emails.collect::<Result<_, _>>()?;
    if let Some(left) = in_the_way(tx, &account, &contact, &emails)? {
        return Ok(Err(left));
    }
    // Whoever asked since not to get any mail gets none.
    let addresses: Vec<EmailAddress> = emails.iter().map(|email| email.address.clone()).collect();
    let person = Added { account: account.id, contact: Some(id), addresses: &addresses };
    if opt_outs::of_person(tx, person)?.iter().any(|out| out.list.is_none() && made <= out.time) {
        return Ok(Err(Left::OptedOut));
    }
    contact.custom.retain(|field, _| account.custom_fields.iter().any(|other| other.id == *field));
    tx.put(&contact)?;
    for email in &emails {
        tx.put(email)?;
    }
    let account = contact.account;
    if let Some(email) = records.first {
        tx.put(&FirstEmail { contact: id, account, email })?;
    }
    for (email, until) in records.pauses.iter().filter(|(_, until)| now < *until) {
        tx.put(&EmailPause { email: *email, account, until: *until })?;
    }
    put_evidence(tx, records)?;
    let mut without = Vec::new();
    for record in &records.memberships {
        let membership: Membership = record_from_bytes(record)?;
        let list = membership.list;
        if let Err(left) = join_again(tx, caller, &contact, membership, made)? {
            let name = tx.get::<List>(list.0)?.map(|list| list.name.to_string());
            without.push((name.unwrap_or_default(), left));
        }
    }
    let note = Note::new(AuditAction::ContactCreated, id.0).about(id).detail(UNDONE);
    audit::note(tx, caller, note, now)?;
    Ok(Ok(without))
}

/// Deletes somebody whom an import added, unless anything changed since.
fn remove_added(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    contact: Option<ContactId>,
    print: &[u8; 32],
    now: Timestamp,
) -> PutBack {
    let Some(contact) = find(tx, contact)? else { return Ok(Err(Left::Gone)) };
    if print_of(tx, &contact)? != *print {
        return Ok(Err(Left::Changed));
    }
    contacts::remove(tx, &contact)?;
    let note = Note::new(AuditAction::ContactDeleted, contact.id.0).about(contact.id);
    audit::note(tx, caller, note.detail(UNDONE), now)?;
    Ok(WHOLE)
}

fn find(tx: &impl Read, contact: Option<ContactId>) -> Result<Option<Contact>, StoreError> {
    contact.map_or(Ok(None), |contact| tx.get::<Contact>(contact.0))
}

/// Takes back what an import changed of somebody, values, addresses and lists, unless any of it was changed since.
fn change_back(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    contact: Option<ContactId>,
    (before, after): (&[u8], &[u8]),
    (added, joined): (&[EmailId], &[MembershipId]),
    now: Timestamp,
) -> PutBack {
    let Some(contact) = find(tx, contact)? else { return Ok(Err(Left::Gone)) };
    // A record of before there was a hash of what was added has the contact alone.
    let is_same = match after.strip_prefix(record_to_bytes(&contact)?.as_slice()) {
        Some([]) => true,
        Some(print) => print == print_of_added(tx, added, joined)?,
        None => false,
    };
    if !is_same {
        return Ok(Err(Left::Changed));
    }
    let before: Contact = record_from_bytes(before)?;
    let of_account = Key::new().u64(contact.account.0);
    if let Some(ccid) = before.ccid.as_ref().filter(|_| before.ccid != contact.ccid)
        && tx.exists(&CONTACT_BY_CCID, &of_account.text(ccid))?
    {
        return Ok(Err(Left::Taken));
    }
    tx.put(&before)?;
    for id in joined {
        if let Some(membership) = tx.get::<Membership>(id.0)? {
            memberships::remove(tx, caller, &membership, now)?;
        }
    }
    let has_others = emails_of(tx, &contact)?.iter().any(|email| !added.contains(&email.id));
    for id in added.iter().filter(|_| has_others) {
        if let Some(email) = tx.get::<Email>(id.0)? {
            emails::remove(tx, &email)?;
        }
    }
    let note = Note::new(AuditAction::ContactUpdated, contact.id.0).about(contact.id).detail(UNDONE);
    audit::note(tx, caller, note, now)?;
    Ok(WHOLE)
}

/// Puts back the evidence of lists that are still there, unless there is newer evidence.
fn put_evidence(tx: &mut WriteTx<'_>, records: &DeletedContact) -> Result<(), StoreError> {
    for record in &records.consents {
        let consent: Consent = record_from_bytes(record)?;
        let key = Key::new().u64(consent.account.0).text(&consent.address.folded()).u64(consent.list.0);
        if tx.get::<List>(consent.list.0)?.is_some() && !tx.exists(&CONSENT_BY_ADDRESS, &key)? {
            tx.put(&consent)?;
        }
    }
    Ok(())
}

/// What keeps a deleted contact from being put back.
fn in_the_way(
    tx: &impl Read,
    account: &Account,
    contact: &Contact,
    emails: &[Email],
) -> Result<Option<Left>, OpError> {
    let of_account = || Key::new().u64(account.id.0);
    if tx.get::<Contact>(contact.id.0)?.is_some() {
        return Ok(Some(Left::There));
    }
    if let Some(ccid) = &contact.ccid
        && tx.exists(&CONTACT_BY_CCID, &of_account().text(ccid))?
    {
        return Ok(Some(Left::Taken));
    }
    for email in emails {
        if tx.exists(&EMAIL_BY_ADDRESS, &of_account().text(&email.address.folded()))? {
            return Ok(Some(Left::Taken));
        }
    }
    match check_room(tx, account) {
        Ok(()) => Ok(None),
        Err(OpError::AddressBookFull { .. }) => Ok(Some(Left::Full)),
        Err(error) => Err(error),
    }
}

fn make_alias(tx: &mut WriteTx<'_>, caller: &Caller, alias: Alias, now: Timestamp) -> PutBack {
    let Alias { id: _, account: _, source, destination } = alias;
    let (source, destination) = (Some(source), Some(destination));
    let input = AliasInput { source, destination, problems: Problems::default() };
    match aliases::create(tx, caller, input, now) {
        Ok(_) => Ok(WHOLE),
        Err(OpError::Conflict { .. } | OpError::Invalid { .. }) => Ok(Err(Left::Taken)),
        Err(error) => Err(error),
    }
}
