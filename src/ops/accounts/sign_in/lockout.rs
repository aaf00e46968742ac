//! Locks an address after several errors in a row, whoever makes them, and mails its administrator how to unlock it.
//!
//! An address counts in each account apart, or somebody with the same address in another account could end the count by
//! signing in there. Errors are counted over restarts. The first lock lasts an hour, each further one twice as long, up
//! to a day; a sign-in, or the link in the mail, ends the count.

use std::time::Duration;

use crate::clock::Timestamp;
use crate::locale::text;
use crate::mail::notice::indented;
use crate::model::{AccountId, Admin, AuditAction, EmailAddress, Lockout, LockoutId, SystemMailKind, Via};
use crate::ops::accounts::admins::invite::{SignInMail, links_for};
use crate::ops::allowances::{self, LOCK_MAILS, Subject};
use crate::ops::audit::{self, Note};
use crate::ops::{Caller, OpContext};
use crate::schema::LOCKOUT_BY_SUBJECT;
use crate::secret::{Purpose, Signer};
use crate::store::{Key, Read, StoreError, WriteTx};

/// Errors in a row that lock an address.
pub const ERRORS_MAX: u32 = 8;
/// How long the first lock lasts.
const FIRST_LOCK: Duration = Duration::from_hours(1);
/// How long a lock lasts at most.
const LOCK_MAX: Duration = Duration::from_hours(24);

fn find(tx: &impl Read, subject: &[u8; 32]) -> Result<Option<Lockout>, StoreError> {
    tx.find(&LOCKOUT_BY_SUBJECT, &Key::new().bytes(subject))
}

/// Whether an address is locked among the administrators of an account; [`AccountId::SERVER`] stands for global ones.
pub(in crate::ops) fn is_locked(
    tx: &impl Read,
    account: AccountId,
    address: &EmailAddress,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let found = find(tx, &Subject::address_in(account, address).hash())?;
    Ok(found.and_then(|found| found.locked_until(now, LOCK_MAX)).is_some())
}

/// Counts an error; returns the end of the lock that it causes. While an address is locked, nothing is counted, so that
/// the lock ends however often somebody tries.
pub(in crate::ops) fn count(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    address: &EmailAddress,
    now: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    let subject = Subject::address_in(account, address).hash();
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

/// Forgets the errors of an address, and ends its lock.
pub(in crate::ops) fn clear(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    address: &EmailAddress,
) -> Result<(), StoreError> {
    if let Some(row) = find(tx, &Subject::address_in(account, address).hash())? {
        tx.delete::<Lockout>(row.id.0)?;
    }
    Ok(())
}

/// Mails an administrator that the address is locked, with a link that unlocks it.
pub(in crate::ops) fn tell(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    admin: &Admin,
    until: Timestamp,
) -> Result<(), StoreError> {
    let Some(mail) = SignInMail::to(tx, admin)? else { return Ok(()) };
    if allowances::take(tx, LOCK_MAILS, &Subject::address(mail.username), by.now)?.is_err() {
        return Ok(());
    }
    let context = &by.mail_context;
    let token = context.signer.token(Purpose::Unlock, [admin.id.0, until.key()]);
    let link = links_for(tx, &context.links, admin)?.unlock(&token);
    let (language, domain) = (mail.locale.language, mail.domain.as_str());
    let text = text!(
        language,
        "lock-mail-text",
        address = mail.username.as_str(),
        domain = domain,
        link = indented(&link),
        until = mail.locale.moment(until)
    );
    let subject = text!(language, "lock-mail-subject", domain = domain);
    mail.write(tx, context, SystemMailKind::Problem, &subject, &text, by.now)
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
    let Some([id, until]) = signer.open(Purpose::Unlock, token) else { return Ok(None) };
    let Some(admin): Option<Admin> = tx.get(id)? else { return Ok(None) };
    let Some(username) = admin.username.clone() else { return Ok(None) };
    let row = find(tx, &Subject::address_in(admin.account_or_server(), &username).hash())?;
    let locked_until = row.and_then(|row| row.locked_until(now, LOCK_MAX));
    let is_open = locked_until.is_some_and(|end| end.key() == until);
    Ok(Some(Unlocking { admin, username, is_open }))
}

/// A link that unlocks an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unlocking {
    /// The administrator.
    pub admin: Admin,
    /// The address.
    pub username: EmailAddress,
    /// Whether the lock of the link holds.
    pub is_open: bool,
}

/// Unlocks the address of a link; returns the link if it was open.
///
/// # Errors
/// If the store fails.
pub fn unlock(tx: &mut WriteTx<'_>, by: &OpContext, token: &str) -> Result<Option<Unlocking>, StoreError> {
    let link = open(tx, &by.mail_context.signer, token, by.now)?;
    if let Some(Unlocking { admin, username, is_open: true }) = &link {
        clear(tx, admin.account_or_server(), username)?;
        let caller = Caller::admin(admin, admin.account_or_server(), Via::Link, by.caller.actor().client);
        let noted = Note::new(AuditAction::AdminUpdated, admin.id.0).named(caller.name()).detail("unlocked");
        audit::note(tx, &caller, noted, by.now)?;
    }
    Ok(link)
}
