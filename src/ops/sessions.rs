//! The sessions of people who are signed in to the pages.
//!
//! A session is a record with the hash of a token; only one browser's cookie has the token itself. A session ends when
//! it expires, when it is revoked, and with its person: operations that remove a person, or change how that person is
//! identified, end the person's sessions in the same job.

use std::net::IpAddr;
use std::time::Duration;

use crate::clock::Timestamp;
use crate::model::{
    ADMIN_SESSION_MAX, Account, AccountId, Admin, Contact, ContactId, MEMBER_SESSION_KEPT_MAX,
    MEMBER_SESSION_MAX, MemberVisit, Person, Session, SessionId, Suspension,
};
use crate::ops::OpError;
use crate::schema::{SESSION_BY_PERSON, SESSION_BY_TOKEN, session_person};
use crate::secret::{Secrets, sha256};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Characters of a session's token: 238 bits.
const TOKEN_LEN: usize = 40;
/// Sessions that a person may have; one more ends the oldest.
const SESSIONS_MAX: usize = 50;
/// Precision of [`Session::last_use`] of an administrator: not every request of a page needs a write.
const LAST_USE_EXACT_TO: Duration = Duration::from_mins(5);
/// The same of a member, whose session also lasts on from then.
const MEMBER_LAST_USE_EXACT_TO: Duration = Duration::from_hours(1);
/// Characters of a device's description that are stored.
const DEVICE_CHARS_MAX: usize = 80;

/// The device on which a person signs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// The browser and its system in a few words.
    pub words: String,
    /// The client's address, if there is one.
    pub client: Option<IpAddr>,
}

/// The requested duration of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stay {
    /// The usual time for its kind.
    Usual,
    /// The longest time: the person asked to stay signed in on this device.
    Long,
}

/// A person who was just authenticated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSession {
    /// The account; [`AccountId::SERVER`] for a global administrator.
    pub account: AccountId,
    /// The person.
    pub person: Person,
    /// The device.
    pub device: Device,
    /// The requested duration.
    pub stay: Stay,
    /// The hash of a token of [`new_token`].
    pub token_hash: [u8; 32],
}

/// A new token for a cookie, and its hash for the record.
#[must_use]
pub fn new_token(secrets: &Secrets) -> (String, [u8; 32]) {
    let token = secrets.token(TOKEN_LEN);
    let hash = sha256(token.as_bytes());
    (token, hash)
}

/// Signs a person in.
pub fn begin(tx: &mut WriteTx<'_>, new: NewSession, now: Timestamp) -> Result<Session, OpError> {
    let NewSession { account, person, device, stay, token_hash } = new;
    if !is_there(tx, account, person)? {
        return Err(OpError::NotFound { what: "person" });
    }
    let lasts = match (person, stay) {
        (Person::Admin(_), _) => ADMIN_SESSION_MAX,
        (Person::Member(_), Stay::Usual) => MEMBER_SESSION_MAX,
        (Person::Member(_), Stay::Long) => MEMBER_SESSION_KEPT_MAX,
    };
    let theirs = tx.ids(&SESSION_BY_PERSON, &of_person(account, person), usize::MAX)?;
    for oldest in theirs.iter().take((theirs.len() + 1).saturating_sub(SESSIONS_MAX)) {
        tx.delete::<Session>(*oldest)?;
    }
    let session = Session {
        id: SessionId(tx.next_id::<Session>()?),
        account,
        person,
        token_hash,
        device: shortened(&device.words),
        client: device.client,
        made: now,
        proven: now,
        last_use: now,
        expiry: now + lasts,
    };
    tx.put(&session)?;
    note_visit(tx, &session, now)?;
    Ok(session)
}

/// The session of a cookie's token, if it has not ended at `now` and its person still exists.
pub fn find(tx: &impl Read, token: &str, now: Timestamp) -> Result<Option<Session>, StoreError> {
    if token.len() != TOKEN_LEN {
        return Ok(None);
    }
    let hash = sha256(token.as_bytes());
    let found: Option<Session> = tx.find(&SESSION_BY_TOKEN, &Key::new().bytes(&hash))?;
    let Some(session) = found.filter(|session| now < session.due()) else { return Ok(None) };
    Ok(is_there(tx, session.account, session.person)?.then_some(session))
}

/// The administrator of a session; `None` if it is a member's.
pub fn admin_of(tx: &impl Read, session: &Session) -> Result<Option<Admin>, StoreError> {
    match session.person {
        Person::Admin(id) => tx.get(id.0),
        Person::Member(_) => Ok(None),
    }
}

/// The member of a session; `None` if it is an administrator's.
pub fn member_of(tx: &impl Read, session: &Session) -> Result<Option<Contact>, StoreError> {
    match session.person {
        Person::Member(id) => tx.get(id.0),
        Person::Admin(_) => Ok(None),
    }
}

/// Whether a use of the session at `now` needs to be stored.
#[must_use]
pub fn is_use_news(session: &Session, device: &Device, now: Timestamp) -> bool {
    let exact_to = match session.person {
        Person::Admin(_) => LAST_USE_EXACT_TO,
        Person::Member(_) => MEMBER_LAST_USE_EXACT_TO,
    };
    session.last_use + exact_to <= now
        || session.client != device.client
        || session.device != shortened(&device.words)
}

/// Whether the person asked to stay signed in: a member's session, used or begun, ends that much later.
#[must_use]
pub fn stays(session: &Session) -> bool {
    matches!(session.person, Person::Member(_)) && session.last_use + MEMBER_SESSION_MAX < session.expiry
}

/// Stores that a session was used; a member's lasts on from now as long as a new one would. A session that has ended
/// meanwhile is not restored. Returns the session.
pub fn note_use(
    tx: &mut WriteTx<'_>,
    id: SessionId,
    device: &Device,
    now: Timestamp,
) -> Result<Option<Session>, StoreError> {
    let found: Option<Session> = tx.get(id.0)?;
    let Some(session) = found.filter(|session| now < session.due()) else { return Ok(None) };
    let last_use = session.last_use.max(now);
    let expiry = match session.person {
        Person::Admin(_) => session.expiry,
        Person::Member(_) if stays(&session) => session.expiry.max(last_use + MEMBER_SESSION_KEPT_MAX),
        Person::Member(_) => session.expiry.max(last_use + MEMBER_SESSION_MAX),
    };
    let (device, client) = (shortened(&device.words), device.client);
    let session = Session { device, client, last_use, expiry, ..session };
    tx.put(&session)?;
    note_visit(tx, &session, now)?;
    Ok(Some(session))
}

/// Notes that the member of a session is at the pages.
fn note_visit(tx: &mut WriteTx<'_>, session: &Session, now: Timestamp) -> Result<(), StoreError> {
    let Person::Member(contact) = session.person else { return Ok(()) };
    let known: Option<MemberVisit> = tx.get(contact.0)?;
    let visit = match known {
        Some(known) => known.used(now),
        None => MemberVisit::first(session.account, contact, now),
    };
    tx.put(&visit)
}

/// The moment from which on messages are new to a member who looks at `now`: the end of the visit before this one.
///
/// # Errors
/// If the store fails.
pub fn new_since(
    tx: &impl Read,
    contact: ContactId,
    now: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    let visit: Option<MemberVisit> = tx.get(contact.0)?;
    Ok(visit.and_then(|visit| visit.new_since(now)))
}

/// The sessions of the person of `session` that have not ended at `now`: this one first, then the others by last use.
pub fn list(tx: &impl Read, session: &Session, now: Timestamp) -> Result<Vec<Session>, StoreError> {
    let mut sessions = Vec::new();
    for id in tx.ids(&SESSION_BY_PERSON, &of_person(session.account, session.person), SESSIONS_MAX)? {
        sessions.extend(tx.get::<Session>(id)?.filter(|other| now < other.due()));
    }
    sessions.sort_by_key(|other| (other.id != session.id, std::cmp::Reverse(other.last_use)));
    Ok(sessions)
}

/// Ends one of the sessions of the person of `session`; `false` if that person has no such session.
pub fn revoke(tx: &mut WriteTx<'_>, session: &Session, id: SessionId) -> Result<bool, StoreError> {
    let found: Option<Session> = tx.get(id.0)?;
    let is_theirs =
        found.is_some_and(|other| other.account == session.account && other.person == session.person);
    if is_theirs {
        tx.delete::<Session>(id.0)?;
    }
    Ok(is_theirs)
}

/// Ends every session of a person except `kept`; returns their number.
pub fn revoke_all(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    person: Person,
    kept: Option<SessionId>,
) -> Result<usize, StoreError> {
    let mut ended = 0;
    for id in tx.ids(&SESSION_BY_PERSON, &of_person(account, person), usize::MAX)? {
        if kept != Some(SessionId(id)) {
            tx.delete::<Session>(id)?;
            ended += 1;
        }
    }
    Ok(ended)
}

/// Ends every session of an administrator, who has no account if it is a global one.
pub(in crate::ops) fn end_of_admin(tx: &mut WriteTx<'_>, admin: &Admin) -> Result<(), StoreError> {
    revoke_all(tx, admin.account_or_server(), Person::Admin(admin.id), None).map(drop)
}

fn of_person(account: AccountId, person: Person) -> IndexRange {
    IndexRange::prefix(session_person(account, person))
}

/// Whether a person belongs to the account now.
fn is_there(tx: &impl Read, account: AccountId, person: Person) -> Result<bool, StoreError> {
    let is_open = || -> Result<bool, StoreError> {
        Ok(tx.get::<Account>(account.0)?.is_some() && tx.get::<Suspension>(account.0)?.is_none())
    };
    if account != AccountId::SERVER && !is_open()? {
        return Ok(false);
    }
    Ok(match person {
        Person::Member(id) => tx.get::<Contact>(id.0)?.is_some_and(|contact| contact.account == account),
        Person::Admin(id) => {
            let admin: Option<Admin> = tx.get(id.0)?;
            admin.is_some_and(|admin| admin.account_or_server() == account)
        }
    })
}

fn shortened(words: &str) -> String {
    words.chars().take(DEVICE_CHARS_MAX).collect()
}
