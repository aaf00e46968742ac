//! Signs administrators in by address and password, and counts what is wrong.
//!
//! The pages call [`attempt`], compare the password outside of any job, and tell [`settle`] what came of it; both happen
//! in the turn of the address ([`Passwords::turn`](crate::service::passwords::Passwords::turn)), so no guess is begun
//! before those before it are counted. An address that nobody has costs as many hashes, counts as many errors and gets the
//! same answer as any other. A locked address gets the answer to a wrong password, also where it is right; but a browser
//! in which the person signed in before ([`browsers`]) has a count of its own.

pub mod again;
pub mod browsers;
pub mod forgotten;
pub mod lockout;

use std::sync::Arc;
use std::time::Duration;

use crate::clock::Timestamp;
use crate::model::{AccountId, Admin, AdminId, AuditAction, EmailAddress, Person, Session, SessionId};
use crate::ops::allowances::{self, SIGN_IN_ERRORS, Subject};
use crate::ops::audit::{self, Note};
use crate::ops::domains::sites::Site;
use crate::ops::sessions::{self, Device, NewSession, Stay};
use crate::ops::{Caller, OpContext, OpError};
use crate::schema::{ADMIN_BY_ACCOUNT, ADMIN_BY_USERNAME};
use crate::secret::{Purpose, Signer};
use crate::store::{Key, Read, StoreError, WriteTx};

use self::lockout::Counted;
use super::admins::invite;
use super::factors;

/// How long a code may be given after the password.
pub const SECOND_STEP_WITHIN: Duration = Duration::from_mins(10);

/// The hash under which an address is counted, and takes turns.
#[must_use]
pub fn subject_of(address: &EmailAddress) -> [u8; 32] {
    Subject::address(address).hash()
}

/// Somebody whose password the visitor may have typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    account: AccountId,
    admin: Option<AdminId>,
    /// Whose errors the visitor's count with.
    who: Counted,
    /// Whether the address is locked in this account for them.
    is_locked: bool,
    /// The hash to compare the password with; `None` for nobody's.
    pub hash: Option<String>,
}

/// An attempt to sign in, whose passwords are to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    address: EmailAddress,
    /// The hashes to compare, as many for every address.
    pub candidates: Vec<Candidate>,
}

/// The result of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The address or the password is wrong.
    Wrong,
    /// The password is right, and a code is to be given beside this token.
    NeedsCode(String),
    /// The person is signed in.
    In(Session),
}

/// The browser of a visitor: the cookies by which it is known as one of an administrator's, and who can read them.
#[derive(Debug, Clone, Copy)]
pub struct Browser<'a> {
    /// The signer of the cookies.
    pub signer: &'a Signer,
    /// The values of the cookies.
    pub tokens: &'a [String],
}

impl Browser<'_> {
    /// Whose errors the visitor's count with, where they are about this administrator.
    fn counted(self, admin: Option<&Admin>, now: Timestamp) -> Counted {
        let number = admin.and_then(|admin| browsers::number_of(self.signer, self.tokens, admin, now));
        number.map_or(Counted::Anybody, Counted::Browser)
    }
}

/// Begins an attempt to sign in at a site; an error says when a client that was wrong too often may go on.
///
/// # Errors
/// If the store fails.
pub fn attempt(
    tx: &impl Read,
    site: &Site,
    browser: Browser<'_>,
    address: &EmailAddress,
    now: Timestamp,
) -> Result<Result<Attempt, Timestamp>, StoreError> {
    if let Some(until) = client_waits_until(tx, site, now)? {
        return Ok(Err(until));
    }
    let mut candidates = Vec::new();
    for account in accounts_of(tx, site)? {
        let key = Key::new().u64(account.0).text(&address.folded());
        let admin: Option<Admin> = tx.find(&ADMIN_BY_USERNAME, &key)?;
        // Who signs in at a provider has no password here.
        let admin = admin.filter(|admin| admin.authn_provider.is_none());
        let who = browser.counted(admin.as_ref(), now);
        candidates.push(Candidate {
            account,
            admin: admin.as_ref().map(|admin| admin.id),
            who,
            is_locked: lockout::is_locked(tx, account, address, who, now)?,
            hash: admin.and_then(|admin| admin.password_hash),
        });
    }
    Ok(Ok(Attempt { address: address.clone(), candidates }))
}

/// When a client that was wrong too often may go on.
///
/// # Errors
/// If the store fails.
pub fn client_waits_until(
    tx: &impl Read,
    site: &Site,
    now: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    allowances::used_up_until(tx, SIGN_IN_ERRORS, &Subject::client(site.client), now)
}

/// The accounts whose administrators sign in at a site; [`AccountId::SERVER`] stands for global ones, where there are
/// any. It is the same for every address.
pub(super) fn accounts_of(tx: &impl Read, site: &Site) -> Result<Vec<AccountId>, StoreError> {
    let mut accounts: Vec<AccountId> = site.account.into_iter().collect();
    let has_global_people = || -> Result<bool, StoreError> {
        let global: Vec<Admin> =
            tx.page(&ADMIN_BY_ACCOUNT, &Key::new().u64(AccountId::SERVER.0).into(), usize::MAX)?;
        Ok(global.iter().any(|admin| admin.username.is_some()))
    };
    if accounts.is_empty() || (site.is_servers_own() && has_global_people()?) {
        accounts.push(AccountId::SERVER);
    }
    Ok(accounts)
}

/// The candidate whose password was right, with its hash at today's costs if it had others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The place among the candidates.
    pub place: usize,
    /// The new hash.
    pub renewed: Option<String>,
}

/// Settles an attempt: signs the person in whose password was right, or counts the error. `token_hash` is that of the
/// new session's cookie.
///
/// # Errors
/// If the store fails.
pub fn settle(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    attempt: &Attempt,
    found: Option<Match>,
    device: Device,
    token_hash: [u8; 32],
) -> Result<Outcome, OpError> {
    let Some((admin, who, renewed)) = matched(tx, attempt, found)? else {
        let tried = attempt.candidates.iter();
        let tried: Vec<_> = tried.map(|found| (found.account, found.admin, found.who)).collect();
        fail(tx, by, &attempt.address, &tried)?;
        return Ok(Outcome::Wrong);
    };
    let admin = Admin { password_hash: renewed.or(admin.password_hash), ..admin };
    tx.put(&admin)?;
    if factors::kind_of(tx, admin.id)?.is_some() {
        let expiry = by.now + SECOND_STEP_WITHIN;
        let numbers = [admin.id.0, invite::seal(&admin, expiry)];
        return Ok(Outcome::NeedsCode(by.mail_context.signer.token(Purpose::SecondStep, numbers)));
    }
    lockout::passed(tx, admin.account_or_server(), &attempt.address, who, by.now)?;
    Ok(Outcome::In(enter(tx, by, &admin, device, token_hash)?))
}

/// The administrator whose password was right, unless the address is locked in that account or the password changed
/// meanwhile. A lock in another account, where nobody may have this address, holds nobody off.
fn matched(
    tx: &impl Read,
    attempt: &Attempt,
    found: Option<Match>,
) -> Result<Option<(Admin, Counted, Option<String>)>, StoreError> {
    let Some(Match { place, renewed }) = found else { return Ok(None) };
    let Some(Candidate { account: _, admin: Some(id), who, is_locked: false, hash }) =
        attempt.candidates.get(place)
    else {
        return Ok(None);
    };
    let admin: Option<Admin> = tx.get(id.0)?;
    let admin = admin.filter(|admin| hash.is_some() && admin.password_hash == *hash);
    Ok(admin.map(|admin| (admin, *who, renewed)))
}

/// Counts an error for the client, and for the address in each account in which it was tried, and notes it. `tried` has
/// the administrator of the address in each, if there is one, and whose errors it counts with.
///
/// # Errors
/// If the store fails.
pub(in crate::ops) fn fail(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    address: &EmailAddress,
    tried: &[(AccountId, Option<AdminId>, Counted)],
) -> Result<(), StoreError> {
    if let Some(client) = by.caller.actor().client {
        // Attempts of a client that go on at the same time may be some more than the limit: they count as well.
        let _ = allowances::take(tx, SIGN_IN_ERRORS, &Subject::client(client), by.now)?;
    }
    let known = tried.iter().find_map(|(account, admin, _)| admin.map(|admin| (*account, admin)));
    let (account, admin) = known.unwrap_or((by.caller.account, AdminId(0)));
    let noted = Note::new(AuditAction::SignInFailed, admin.0).named(address.as_str());
    audit::note(tx, &by.caller.at(account), noted, by.now)?;
    for (account, admin, who) in tried {
        let Some(until) = lockout::count(tx, *account, address, *who, by.now)? else { continue };
        let id = admin.map_or(0, |id| id.0);
        tracing::warn!(admin.id = id, "An address of administrators is locked until {until}");
        if let Some(admin) = tx.get::<Admin>(id)? {
            lockout::tell(tx, by, &admin, until)?;
        }
    }
    Ok(())
}

/// Signs an administrator in who has proven everything that is asked: begins a session whose cookie has the token with
/// the hash `token_hash`. The caller of `by` may be anybody: the administrator is noted as the actor.
///
/// # Errors
/// If the store fails, or the administrator is gone.
pub fn enter(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    admin: &Admin,
    device: Device,
    token_hash: [u8; 32],
) -> Result<Session, OpError> {
    let (account, person) = (admin.account_or_server(), Person::Admin(admin.id));
    let new = NewSession { account, person, device, stay: Stay::Usual, token_hash };
    let session = sessions::begin(tx, new, by.now)?;
    let actor = by.caller.actor();
    let caller = Caller::admin(admin, account, actor.via, actor.client);
    let noted = Note::new(AuditAction::SignIn, admin.id.0).named(caller.name());
    audit::note(tx, &caller, noted, by.now)?;
    tracing::info!(admin.id = admin.id.0, "Administrator {} signed in", admin.id);
    Ok(session)
}

/// The administrator who gave the right password a few minutes ago, by the token of that step.
///
/// # Errors
/// If the store fails.
pub fn second_step(
    tx: &impl Read,
    signer: &Signer,
    token: &str,
    now: Timestamp,
) -> Result<Option<Admin>, StoreError> {
    let Some([id, sealed]) = signer.open(Purpose::SecondStep, token) else { return Ok(None) };
    let admin: Option<Admin> = tx.get(id)?;
    Ok(admin.filter(|admin| invite::is_sealed_for(admin, sealed, now)))
}

/// Notes that the person of a session has just proven the identity again.
///
/// # Errors
/// If the store fails.
pub fn proven_again(tx: &mut WriteTx<'_>, by: &OpContext, id: SessionId) -> Result<(), StoreError> {
    if let Some(session) = tx.get::<Session>(id.0)? {
        tx.put(&Session { proven: by.now, ..session })?;
        let noted = Note::new(AuditAction::SignIn, 0).named(by.caller.name()).detail("again");
        audit::note(tx, &by.caller, noted, by.now)?;
    }
    Ok(())
}

/// The result of a code that was given after the password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CodeOutcome {
    /// The person is signed in.
    In(Session),
    /// The code is wrong, or was used.
    Wrong,
    /// The password was given too long ago, or is another now.
    Over,
    /// The client was wrong too often, and may go on at this time.
    NotBefore(Timestamp),
}

/// Signs the person in who gave the right password a few minutes ago, if the code is right too; else counts the error.
/// `known` are the cookies by which the browser is known.
///
/// # Errors
/// If the store fails.
pub fn settle_code(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    site: &Site,
    (token, typed, known): (&str, &str, &[String]),
    device: Device,
    token_hash: [u8; 32],
) -> Result<CodeOutcome, OpError> {
    let found = second_step(tx, &by.mail_context.signer, token, by.now)?;
    let Some((admin, address)) = found.and_then(|admin| Some((admin.clone(), admin.username?))) else {
        return Ok(CodeOutcome::Over);
    };
    if let Some(until) = client_waits_until(tx, site, by.now)? {
        return Ok(CodeOutcome::NotBefore(until));
    }
    let account = admin.account_or_server();
    let browser = Browser { signer: &by.mail_context.signer, tokens: known };
    let who = browser.counted(Some(&admin), by.now);
    if lockout::is_locked(tx, account, &address, who, by.now)? || !factors::check(tx, &admin, typed, by.now)?
    {
        fail(tx, by, &address, &[(account, Some(admin.id), who)])?;
        return Ok(CodeOutcome::Wrong);
    }
    lockout::passed(tx, account, &address, who, by.now)?;
    Ok(CodeOutcome::In(enter(tx, by, &admin, device, token_hash)?))
}

/// An anonymous caller at a site, who tries to sign in.
#[must_use]
pub fn visitor(site: &Site) -> Arc<Caller> {
    let account = site.account.unwrap_or(AccountId::SERVER);
    Arc::new(Caller::anonymous(account, crate::model::Via::Page, Some(site.client)))
}
