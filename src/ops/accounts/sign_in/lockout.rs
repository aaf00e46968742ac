//! Locks an address after several errors in a row, whoever makes them, and mails its administrator how to unlock it.
//!
//! An address counts in each account apart, or somebody with the same address in another account could end the count by
//! signing in there. Errors are counted over restarts. The first lock lasts an hour, each further one twice as long, up
//! to a day; a sign-in, or the link in the mail, ends the count.
//!
//! A lock must not be a weapon against the person: browsers in which it signed in before and its open sessions have
//! counts of their own ([`Counted`]), beside which their errors count for the address as anybody's. Whoever reads the
//! person's mail, or comes from its provider, ends every count, and so does the operator.

use std::time::Duration;

use crate::clock::Timestamp;
use crate::locale::text;
use crate::mail::Button;
use crate::mail::notice::indented;
use crate::model::{
    AccountId, Admin, AuditAction, EmailAddress, Lockout, LockoutId, SessionId, SystemMailKind, Via,
};
use crate::ops::accounts::admins::invite::{self, SignInMail, links_for};
use crate::ops::allowances::{self, LOCK_MAILS, Subject};
use crate::ops::audit::{self, Note};
use crate::ops::{Caller, OpContext};
use crate::schema::LOCKOUT_BY_SUBJECT;
use crate::secret::{self, Purpose, Signer};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Errors in a row that lock an address.
pub const ERRORS_MAX: u32 = 8;
/// How long the first lock lasts.
const FIRST_LOCK: Duration = Duration::from_hours(1);
/// How long a lock lasts at most.
const LOCK_MAX: Duration = Duration::from_hours(24);
/// Bytes of a subject that tell the address and its account; the others tell whose errors are counted.
const ADDRESS_BYTES: usize = 16;
/// Records of an address that one look finds; there is one for each browser and session that was wrong in two days.
const RECORDS_MAX: usize = 200;

/// The kinds of clients whose errors are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Anybody.
    Anybody,
    /// A browser in which the person signed in before, by its number.
    Browser(u64),
    /// An open session of the person.
    Session(SessionId),
}

/// The subject of an address in an account; the first half is the same for all kinds of clients.
fn subject(account: AccountId, address: &EmailAddress, who: Counted) -> [u8; 32] {
    let mut subject = Subject::address_in(account, address).hash();
    let own = match who {
        Counted::Anybody => return subject,
        Counted::Browser(number) => secret::sha256_text(format_args!("browser {number}")),
        Counted::Session(id) => secret::sha256_text(format_args!("session {}", id.0)),
    };
    subject[ADDRESS_BYTES..].copy_from_slice(&own[ADDRESS_BYTES..]);
    subject
}

fn find(tx: &impl Read, subject: &[u8; 32]) -> Result<Option<Lockout>, StoreError> {
    tx.find(&LOCKOUT_BY_SUBJECT, &Key::new().bytes(subject))
}

/// The range of all records of an administrator's address.
fn all_of(admin: &Admin, address: &EmailAddress) -> IndexRange {
    let subject = subject(admin.account_or_server(), address, Counted::Anybody);
    IndexRange::prefix(Key::new().bytes_prefix(&subject[..ADDRESS_BYTES]))
}

/// Whether an address is locked for these clients among the administrators of an account; [`AccountId::SERVER`] stands
/// for global ones.
pub(in crate::ops) fn is_locked(
    tx: &impl Read,
    account: AccountId,
    address: &EmailAddress,
    who: Counted,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let found = find(tx, &subject(account, address, who))?;
    Ok(found.and_then(|found| found.locked_until(now, LOCK_MAX)).is_some())
}

/// Counts an error; returns the end of the lock that it causes. The error of one of the person's own clients counts for
/// the address as well.
pub(in crate::ops) fn count(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    address: &EmailAddress,
    who: Counted,
    now: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    let locked = count_one(tx, subject(account, address, Counted::Anybody), now)?;
    if who == Counted::Anybody {
        return Ok(locked);
    }
    Ok(count_one(tx, subject(account, address, who), now)?.or(locked))
}

/// Counts an error for one record. While it is locked, nothing is counted, so that the lock ends however often somebody
/// tries.
fn count_one(
    tx: &mut WriteTx<'_>,
    subject: [u8; 32],
    now: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    let mut row = match find(tx, &subject)? {
        Some(row) if row.locked_until(now, LOCK_MAX).is_some() => return Ok(None),
        Some(row) => row,
        None => {
            let id = LockoutId(tx.next_id::<Lockout>()?);
            Lockout { id, subject, errors: 0, locks: 0, last: now, until: None }
        }
    };
    row.errors += 1;
    row.last = now;
    let mut locked = None;
    if ERRORS_MAX <= row.errors {
        let lasts = FIRST_LOCK.saturating_mul(1 << row.locks.min(5)).min(LOCK_MAX);
        row.until = Some(now + lasts);
        row.locks += 1;
        row.errors = 0;
        locked = row.until;
    }
    tx.put(&row)?;
    Ok(locked)
}

/// Forgets the errors of clients that have just proven who they are. A lock of others goes on: only what they had begun
/// to count is over.
pub(in crate::ops) fn passed(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    address: &EmailAddress,
    who: Counted,
    now: Timestamp,
) -> Result<(), StoreError> {
    let own = find(tx, &subject(account, address, who))?;
    let anybodys = find(tx, &subject(account, address, Counted::Anybody))?;
    let anybodys = anybodys.filter(|row| row.locked_until(now, LOCK_MAX).is_none());
    for row in own.into_iter().chain(anybodys.filter(|_| who != Counted::Anybody)) {
        tx.delete::<Lockout>(row.id.0)?;
    }
    Ok(())
}

/// Forgets every error of an administrator's address, and ends its locks for all clients.
pub(in crate::ops) fn clear(tx: &mut WriteTx<'_>, admin: &Admin) -> Result<(), StoreError> {
    let Some(address) = &admin.username else { return Ok(()) };
    tx.delete_range(&LOCKOUT_BY_SUBJECT, &all_of(admin, address), usize::MAX).map(drop)
}

/// Mails an administrator that the address is locked, with a link that unlocks it. The link of the last mail of a day
/// unlocks whatever is locked for the rest of the day, so that nobody uses the mails up.
pub(in crate::ops) fn tell(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    admin: &Admin,
    until: Timestamp,
) -> Result<(), StoreError> {
    let Some(mail) = SignInMail::to(tx, admin)? else { return Ok(()) };
    let Ok(last) = allowances::take_and_look(tx, LOCK_MAILS, &Subject::admin(admin.id), by.now)? else {
        return Ok(());
    };
    let context = &by.mail_context;
    let link = if let Some(next) = last {
        link_until(tx, by, admin, next)?
    } else {
        let token = context.signer.token(Purpose::Unlock, [admin.id.0, until.key()]);
        links_for(tx, &context.links, admin)?.unlock(&token)
    };
    let (language, site) = (mail.locale.language, mail.site.as_str());
    let mut text = text!(
        language,
        "lock-mail-text",
        address = mail.username.as_str(),
        site = site,
        link = indented(&link),
        until = mail.locale.local_moment(until)
    );
    if let Some(next) = last {
        text.push_str("\n\n");
        text.push_str(&text!(language, "lock-mail-last", until = mail.locale.local_moment(next)));
    }
    let subject = text!(language, "lock-mail-subject", site = site);
    let buttons = [Button::new(link, text!(language, "mail-button-unlock"))];
    mail.write(tx, context, SystemMailKind::Problem, (&subject, &text), &buttons, by.now)
}

/// A link that unlocks the address of an administrator as often as it is used until `end`.
pub(super) fn link_until(
    tx: &impl Read,
    by: &OpContext,
    admin: &Admin,
    end: Timestamp,
) -> Result<String, StoreError> {
    let numbers = [admin.id.0, invite::seal_address(admin, end)];
    let token = by.mail_context.signer.token(Purpose::UnlockUntil, numbers);
    Ok(links_for(tx, &by.mail_context.links, admin)?.unlock(&token))
}

/// The administrator of a link that unlocks an address; `None` if the link is not from this server.
///
/// # Errors
/// If the store fails.
pub fn open(
    tx: &impl Read,
    signer: &Signer,
    token: &str,
    now: Timestamp,
) -> Result<Option<Unlocking>, StoreError> {
    let (of_lock, of_day) = (signer.open(Purpose::Unlock, token), signer.open(Purpose::UnlockUntil, token));
    let Some([id, sealed]) = of_lock.or(of_day) else { return Ok(None) };
    let Some(admin): Option<Admin> = tx.get(id)? else { return Ok(None) };
    let Some(username) = admin.username.clone() else { return Ok(None) };
    let is_open = if of_lock.is_some() {
        let records: Vec<Lockout> = tx.page(&LOCKOUT_BY_SUBJECT, &all_of(&admin, &username), RECORDS_MAX)?;
        let mut ends = records.iter().filter_map(|row| row.locked_until(now, LOCK_MAX));
        ends.any(|end| end.key() == sealed)
    } else {
        invite::is_address_sealed_for(&admin, sealed, now)
    };
    Ok(Some(Unlocking { admin, username, is_open }))
}

/// A link that unlocks an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unlocking {
    /// The administrator.
    pub admin: Admin,
    /// The address.
    pub username: EmailAddress,
    /// Whether the link still works: its lock holds, or its day is not over.
    pub is_open: bool,
}

/// Unlocks the address of a link; returns the link if it was open.
///
/// # Errors
/// If the store fails.
pub fn unlock(tx: &mut WriteTx<'_>, by: &OpContext, token: &str) -> Result<Option<Unlocking>, StoreError> {
    let link = open(tx, &by.mail_context.signer, token, by.now)?;
    if let Some(Unlocking { admin, username: _, is_open: true }) = &link {
        let caller = Caller::admin(admin, admin.account_or_server(), Via::Link, by.caller.actor().client);
        unlock_for(tx, &caller, admin, by.now)?;
    }
    Ok(link)
}

/// Ends every lock of an administrator's address, by the operator or by a link.
///
/// # Errors
/// If the store fails.
pub fn unlock_for(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    admin: &Admin,
    now: Timestamp,
) -> Result<(), StoreError> {
    clear(tx, admin)?;
    let name = admin.username.as_ref().map_or("", EmailAddress::as_str);
    let noted = Note::new(AuditAction::AdminUpdated, admin.id.0).named(name).detail("unlocked");
    audit::note(tx, caller, noted, now).map(drop)
}
