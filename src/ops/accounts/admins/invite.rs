//! The link by which a new administrator chooses a password: mailed once, usable once (`spec/api.md` 7).
//!
//! The link is signed and contains its administrator, the address it was mailed to, and its expiry. It stops working as
//! soon as the administrator has a password, is deleted, or gets another address.

use std::time::Duration;

use crate::clock::Timestamp;
use crate::locale::text;
use crate::mail::notice::indented;
use crate::model::{Account, AccountId, Admin, AdminId, AuditAction, EmailAddress, SystemMailKind};
use crate::ops::audit::{self, Note};
use crate::ops::domains::links::ServerLinks;
use crate::ops::domains::main_domain;
use crate::ops::locales::locale;
use crate::ops::notices::system_mails::{self, MailContext, NewNotice};
use crate::ops::{OpContext, sessions};
use crate::secret::{self, Purpose, Signer};
use crate::store::{Read, StoreError, WriteTx};

/// How long a link works.
pub const LINK_WORKS_FOR: Duration = Duration::from_hours(7 * 24);
/// Characters that a password must have.
pub const PASSWORD_CHARS_MIN: usize = 12;
/// Octets that a password may have: hashing takes the longer, the more there are.
pub const PASSWORD_BYTES_MAX: usize = 1000;

/// The reason why a text cannot be a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// It is easy to guess.
    #[error("A password must have at least {PASSWORD_CHARS_MIN} characters; several words are a good one.")]
    TooShort,
    /// Hashing it takes too long.
    #[error("A password may have at most {PASSWORD_BYTES_MAX} bytes.")]
    TooLong,
}

/// Passes if a text may be a password.
pub fn check_password(text: &str) -> Result<(), PasswordError> {
    if text.chars().count() < PASSWORD_CHARS_MIN {
        Err(PasswordError::TooShort)
    } else if PASSWORD_BYTES_MAX < text.len() {
        Err(PasswordError::TooLong)
    } else {
        Ok(())
    }
}

/// The state of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Invitation {
    /// This administrator may choose a password.
    Open(Box<Admin>),
    /// This administrator has chosen a password already.
    Spent(Box<Admin>),
    /// The link of this administrator has expired.
    Expired(Box<Admin>),
    /// The link is not from this server, or its administrator is gone or has another address.
    Dead,
}

/// A link by which a person chooses a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The address of the page on which the person chooses it.
    pub url: String,
    /// The expiry of the link.
    pub expiry: Timestamp,
}

/// The link by which `admin` chooses a password. It leads to its account's pages, or to the server's for a global
/// administrator. Returns `None` for a program, and on a server that has no account and therefore no domain.
pub fn link(
    tx: &impl Read,
    signer: &Signer,
    links: &ServerLinks,
    admin: &Admin,
    now: Timestamp,
) -> Result<Option<Link>, StoreError> {
    let Some(username) = &admin.username else { return Ok(None) };
    if account_for(tx, admin)?.is_none() {
        return Ok(None);
    }
    let links = match admin.account {
        Some(account) => links.of(tx, account)?,
        None => links.of_server(tx)?,
    };
    let expiry = now + LINK_WORKS_FOR;
    let token = signer.token(Purpose::Password, [admin.id.0, seal(username, expiry)]);
    Ok(Some(Link { url: links.password(&token), expiry }))
}

/// The account from whose domain mail to `admin` is sent: its own, or the server's first one.
fn account_for(tx: &impl Read, admin: &Admin) -> Result<Option<AccountId>, StoreError> {
    match admin.account {
        Some(account) => Ok(Some(account)),
        None => Ok(tx.all::<Account>(0, 1)?.pop().map(|first| first.id)),
    }
}

/// Mails a person the link to choose a password. Mails nothing to a program, nor on a server without an account, which
/// has no domain to send from.
pub fn invite(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    admin: &Admin,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(username) = &admin.username else { return Ok(()) };
    let Some(account) = account_for(tx, admin)? else { return Ok(()) };
    let Some(link) = link(tx, &mail_context.signer, &mail_context.links, admin, now)? else {
        return Ok(());
    };
    let Link { url: link, expiry } = link;
    let domain = main_domain(tx, account)?.name;
    let domain = domain.as_str();
    let locale = locale(tx, account)?;
    let (language, day) = (locale.language, locale.day(expiry));
    let username_text = username.as_str();
    let text = text!(
        language,
        "invite-text",
        domain = domain,
        username = username_text,
        link = indented(&link),
        day = day
    );
    let notice = NewNotice {
        kind: SystemMailKind::Invitation,
        from_phrase: &text!(language, "invite-from", domain = domain),
        // Answers reach the account's administrators (`spec/mail.md` 1).
        from_local: "postmaster",
        to: username,
        reply_to: None,
        subject: &text!(language, "invite-subject", domain = domain),
        text: &(text + "\n"),
        in_reply_to: None,
    };
    system_mails::write(tx, mail_context, account, &notice, now)?;
    Ok(())
}

/// The state of the link with this token.
pub fn open(tx: &impl Read, signer: &Signer, token: &str, now: Timestamp) -> Result<Invitation, StoreError> {
    let Some([id, sealed]) = signer.open(Purpose::Password, token) else { return Ok(Invitation::Dead) };
    let admin: Option<Admin> = tx.get(id)?;
    let is_its = |admin: &Admin| {
        admin.username.as_ref().is_some_and(|username| fingerprint(username) == sealed & FINGERPRINT)
    };
    Ok(match admin.filter(is_its) {
        None => Invitation::Dead,
        Some(admin) if admin.password_hash.is_some() => Invitation::Spent(Box::new(admin)),
        Some(admin) if expiry_of(sealed) <= minutes(now) => Invitation::Expired(Box::new(admin)),
        Some(admin) => Invitation::Open(Box::new(admin)),
    })
}

/// Stores `hash` as the password's hash if the link is still open; returns the state that the link had. The link's
/// administrator is the actor.
pub fn choose(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    token: &str,
    hash: String,
) -> Result<Invitation, StoreError> {
    let invitation = open(tx, &by.mail_context.signer, token, by.now)?;
    if let Invitation::Open(admin) = &invitation {
        tx.put(&Admin { password_hash: Some(hash), ..(**admin).clone() })?;
        sessions::end_of_admin(tx, admin)?;
        let AdminId(id) = admin.id;
        let changed = Note::new(AuditAction::AdminUpdated, id).named(by.caller.name()).detail("password");
        audit::note(tx, &by.caller, changed, by.now)?;
        tracing::info!(admin.id = id, "Administrator {id} has chosen a password");
    }
    Ok(invitation)
}

/// The bits of a sealed number that tell addresses apart.
const FINGERPRINT: u64 = u32::MAX as u64;

/// Packs an expiry, in whole minutes, and an address's hash into one number.
fn seal(username: &EmailAddress, expiry: Timestamp) -> u64 {
    minutes(expiry) << u32::BITS | fingerprint(username)
}

fn expiry_of(sealed: u64) -> u64 {
    sealed >> u32::BITS
}

/// Minutes since 1970: 32 bits of them are enough for eight thousand years.
fn minutes(time: Timestamp) -> u64 {
    u64::try_from(time.secs() / 60).unwrap_or(0) & FINGERPRINT
}

fn fingerprint(username: &EmailAddress) -> u64 {
    let hash = secret::sha256(username.folded().as_bytes());
    hash[..4].iter().fold(0, |number, byte| number << u8::BITS | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_has_at_least_twelve_characters() {
        assert_eq!(check_password("elevenchars"), Err(PasswordError::TooShort));
        assert_eq!(check_password("ééééééééééé"), Err(PasswordError::TooShort));
        assert_eq!(check_password("twelve chars"), Ok(()));
        assert_eq!(check_password(&"x".repeat(PASSWORD_BYTES_MAX)), Ok(()));
        assert_eq!(check_password(&"x".repeat(PASSWORD_BYTES_MAX + 1)), Err(PasswordError::TooLong));
    }

    #[test]
    fn a_sealed_number_gives_back_the_minute_and_tells_addresses_apart() {
        let ada = EmailAddress::parse("Ada@x.org").unwrap();
        let expiry = Timestamp::from_ms(1_795_176_059_999);
        let sealed = seal(&ada, expiry);
        assert_eq!(expiry_of(sealed), 29_919_600);
        assert_eq!(sealed & FINGERPRINT, fingerprint(&EmailAddress::parse("ada@x.org").unwrap()));
        assert_ne!(sealed & FINGERPRINT, fingerprint(&EmailAddress::parse("bob@x.org").unwrap()));
    }
}
