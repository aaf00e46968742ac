//! The addresses of a member: which comes first, which take mail, and until when one is paused.

use jiff::tz::TimeZone;

use crate::clock::Timestamp;
use crate::model::contact::JoinWay;
use crate::model::{
    Account, AuditAction, Contact, Email, EmailAddress, EmailId, EmailPause, FirstEmail, RequestedChange,
};
use crate::ops::audit::{self, Note};
use crate::ops::overdue::overdue_rows;
use crate::ops::people::requests::{self, NewRequest};
use crate::ops::people::{contacts, emails, own};
use crate::ops::{Caller, OpContext, OpError};
use crate::schema::EMAIL_PAUSE_BY_DUE;
use crate::store::{Read, StoreError, WriteTx};

/// Longest pause of an address that ends on a day, in days.
pub const PAUSE_DAYS_MAX: u32 = 1000;

/// An address of the member who is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnAddress {
    /// The record.
    pub email: Email,
    /// When it takes mail again, if the member paused it until a day.
    pub until: Option<Timestamp>,
}

/// The result of a member's change of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// It is as the member wants it.
    Done,
    /// It is the last one, which must stay.
    LastAddress,
    /// Mail to it came back, so the server itself has paused it.
    PausedByServer,
}

/// The addresses of the member who acts, the first one first.
///
/// # Errors
/// If the store fails.
pub fn list(tx: &impl Read, contact: &Contact) -> Result<Vec<OwnAddress>, StoreError> {
    let emails = contacts::emails_of(tx, contact)?;
    let with_end = |email: Email| {
        let pause: Option<EmailPause> = if email.paused { tx.get(email.id.0)? } else { None };
        Ok(OwnAddress { until: pause.map(|pause| pause.until), email })
    };
    emails.into_iter().map(with_end).collect()
}

/// The address of this id, if it belongs to the member who acts.
fn own_email(tx: &impl Read, caller: &Caller, id: EmailId) -> Result<(Contact, Email), OpError> {
    let contact = own::contact(tx, caller)?;
    let email = tx.get::<Email>(id.0)?.filter(|email| email.contact == contact.id);
    Ok((contact, email.ok_or(OpError::NotFound { what: "email" })?))
}

fn note(tx: &mut WriteTx<'_>, by: &OpContext, email: &Email, detail: &str) -> Result<(), StoreError> {
    let changed = Note::new(AuditAction::EmailUpdated, email.id.0).about(email.contact).detail(detail);
    audit::note(tx, &by.caller, changed, by.now)?;
    Ok(())
}

/// Whether the server paused an address, since mail to it came back or its reader complained.
#[must_use]
pub fn is_paused_by_server(email: &Email) -> bool {
    email.paused && email.evidence.as_ref().is_some_and(|evidence| evidence.pause.is_some())
}

/// The instant at which mail goes to an address again if it is paused until `day`, which is written `2026-11-20`:
/// the beginning of that day in the account's time zone. `None` unless that is ahead, and not too far.
#[must_use]
pub fn end_of_pause(account: &Account, day: &str, now: Timestamp) -> Option<Timestamp> {
    let zone = TimeZone::get(&account.settings.timezone).unwrap_or(TimeZone::UTC);
    let end = Timestamp::start_of_day(day, zone)?;
    let latest = now + std::time::Duration::from_hours(24 * u64::from(PAUSE_DAYS_MAX));
    (now < end && end <= latest).then_some(end)
}

/// The result of a member's request to add an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// Its owner is asked to confirm, unless that happened often enough. It says nothing about whether somebody has it.
    Asked,
    /// The member has it already.
    OwnAlready,
    /// The client has caused too much mail; it may go on then.
    TooMany(Timestamp),
}

/// The place of a new address among the member's others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// They stay, and mail comes to all of them.
    All,
    /// This one goes, and the new one takes its place.
    InPlaceOf(EmailId),
}

/// Asks the owner of an address to confirm that it belongs to the member who acts, who gets it then.
///
/// # Errors
/// `NotFound` if the caller is no member, or the address that is to go is none of its own.
pub fn ask_to_add(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    address: EmailAddress,
    beside: Beside,
) -> Result<Added, OpError> {
    let contact = own::contact(tx, &by.caller)?;
    let change = match beside {
        Beside::All => RequestedChange::AddAddress { contact: contact.id },
        Beside::InPlaceOf(email) => {
            own_email(tx, &by.caller, email)?;
            RequestedChange::ReplaceAddress { contact: contact.id, email }
        }
    };
    let emails = contacts::emails_of(tx, &contact)?;
    if emails.iter().any(|email| email.address.folded() == address.folded()) {
        return Ok(Added::OwnAlready);
    }
    let client = by.caller.actor().client;
    if let Some(until) = requests::count_client(tx, by, client)? {
        return Ok(Added::TooMany(until));
    }
    let request = NewRequest {
        account: contact.account,
        address,
        name: contact.name(),
        changes: vec![change],
        agreed: String::new(),
        way: JoinWay::Web,
        client,
    };
    requests::ask(tx, by, request)?;
    let asked = Note::new(AuditAction::ContactUpdated, contact.id.0).about(contact.id);
    audit::note(tx, &by.caller, asked.detail("emails: asked to confirm"), by.now)?;
    Ok(Added::Asked)
}

/// Pauses delivery to an address until somebody resumes it, or until an instant of [`end_of_pause`].
///
/// # Errors
/// `NotFound` if it is no address of the caller.
pub fn pause(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    id: EmailId,
    until: Option<Timestamp>,
) -> Result<Changed, OpError> {
    let (contact, mut email) = own_email(tx, &by.caller, id)?;
    if is_paused_by_server(&email) {
        return Ok(Changed::PausedByServer);
    }
    let before: Option<EmailPause> = tx.get(id.0)?;
    if email.paused && before.map(|pause| pause.until) == until {
        return Ok(Changed::Done);
    }
    email.pause_by_hand();
    tx.put(&email)?;
    match until {
        Some(until) => tx.put(&EmailPause { email: id, account: contact.account, until })?,
        None => {
            tx.delete::<EmailPause>(id.0)?;
        }
    }
    note(tx, by, &email, "paused")?;
    Ok(Changed::Done)
}

/// When mail comes again to a member who gets none at present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Away {
    /// At this time.
    Until(Timestamp),
    /// When the member says so.
    Open,
}

impl Away {
    /// Whether, and until when, a member with these addresses is away.
    #[must_use]
    pub fn of(emails: &[OwnAddress]) -> Option<Away> {
        let is_paused = |own: &OwnAddress| own.email.paused && !is_paused_by_server(&own.email);
        if emails.is_empty() || !emails.iter().all(is_paused) {
            return None;
        }
        // Mail comes again as soon as the first of them takes it.
        Some(emails.iter().filter_map(|own| own.until).min().map_or(Away::Open, Away::Until))
    }
}

/// The addresses of the member who acts that going away and coming back is about: those that take mail or are paused until
/// a day. What the member stopped without an end stays so, unless there is nothing else.
fn those_of_an_absence(tx: &impl Read, caller: &Caller) -> Result<Vec<EmailId>, OpError> {
    let mut own = list(tx, &own::contact(tx, caller)?)?;
    own.retain(|own| !is_paused_by_server(&own.email));
    let has_end = |own: &&OwnAddress| !own.email.paused || own.until.is_some();
    let with_end: Vec<EmailId> = own.iter().filter(has_end).map(|own| own.email.id).collect();
    Ok(if with_end.is_empty() { own.iter().map(|own| own.email.id).collect() } else { with_end })
}

/// Pauses delivery to the member who acts, as [`pause`] does to one address. An address that the server paused stays as it
/// is.
///
/// # Errors
/// `NotFound` if the caller is no member.
pub fn go_away(tx: &mut WriteTx<'_>, by: &OpContext, until: Option<Timestamp>) -> Result<Changed, OpError> {
    let emails = those_of_an_absence(tx, &by.caller)?;
    for email in &emails {
        pause(tx, by, *email, until)?;
    }
    Ok(if emails.is_empty() { Changed::PausedByServer } else { Changed::Done })
}

/// Resumes mail to the member who acts, after [`go_away`].
///
/// # Errors
/// `NotFound` if the caller is no member.
pub fn come_back(tx: &mut WriteTx<'_>, by: &OpContext) -> Result<Changed, OpError> {
    for email in those_of_an_absence(tx, &by.caller)? {
        resume(tx, by, email)?;
    }
    Ok(Changed::Done)
}

/// Resumes mail to an address, whether its owner or the server paused it.
///
/// # Errors
/// `NotFound` if it is no address of the caller.
pub fn resume(tx: &mut WriteTx<'_>, by: &OpContext, id: EmailId) -> Result<Changed, OpError> {
    let (_, mut email) = own_email(tx, &by.caller, id)?;
    if email.paused {
        email.restore();
        tx.put(&email)?;
        tx.delete::<EmailPause>(id.0)?;
        let resumed = Note::new(AuditAction::EmailResumed, id.0).about(email.contact);
        audit::note(tx, &by.caller, resumed, by.now)?;
    }
    Ok(Changed::Done)
}

/// Sets whether an address gets daily digests, where a list says nothing else.
///
/// # Errors
/// `NotFound` if it is no address of the caller.
pub fn set_digest(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    id: EmailId,
    digest: bool,
) -> Result<Changed, OpError> {
    let (_, mut email) = own_email(tx, &by.caller, id)?;
    if email.digest != digest {
        email.digest = digest;
        tx.put(&email)?;
        note(tx, by, &email, "digest")?;
    }
    Ok(Changed::Done)
}

/// Puts an address before the member's others.
///
/// # Errors
/// `NotFound` if it is no address of the caller.
pub fn put_first(tx: &mut WriteTx<'_>, by: &OpContext, id: EmailId) -> Result<Changed, OpError> {
    let (contact, email) = own_email(tx, &by.caller, id)?;
    let is_first = contacts::emails_of(tx, &contact)?.first().is_some_and(|first| first.id == id);
    if !is_first {
        tx.put(&FirstEmail { contact: contact.id, account: contact.account, email: id })?;
        note(tx, by, &email, "first")?;
    }
    Ok(Changed::Done)
}

/// Removes an address of the member; the last one stays.
///
/// # Errors
/// `NotFound` if it is no address of the caller.
pub fn remove(tx: &mut WriteTx<'_>, by: &OpContext, id: EmailId) -> Result<Changed, OpError> {
    let (contact, email) = own_email(tx, &by.caller, id)?;
    if contacts::emails_of(tx, &contact)?.len() < 2 {
        return Ok(Changed::LastAddress);
    }
    emails::remove(tx, &email)?;
    let deleted = Note::new(AuditAction::EmailDeleted, id.0).about(contact.id);
    audit::note(tx, &by.caller, deleted, by.now)?;
    Ok(Changed::Done)
}

/// Resumes addresses that were paused until a day that has come. One that the server has paused meanwhile, since its
/// reader complained, stays as it is.
pub(in crate::ops) fn resume_due(
    tx: &mut WriteTx<'_>,
    now: Timestamp,
    limit: usize,
) -> Result<(), StoreError> {
    for id in overdue_rows(tx, &EMAIL_PAUSE_BY_DUE, now, limit)? {
        tx.delete::<EmailPause>(id)?;
        let Some(mut email) = tx.get::<Email>(id)? else { continue };
        if email.paused && !is_paused_by_server(&email) {
            email.restore();
            tx.put(&email)?;
        }
    }
    Ok(())
}
