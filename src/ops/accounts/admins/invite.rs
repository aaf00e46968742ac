//! The link by which an administrator chooses a password: a new one, or one who has forgotten it (`spec/api.md` 7).
//!
//! The link is signed and contains its administrator, its expiry, and a fingerprint of the address and of the password
//! that the administrator had when it was made. It stops working as soon as the administrator has another password, is
//! deleted, or gets another address: so choosing a password ends all other links.

use std::time::Duration;

use crate::clock::Timestamp;
use crate::locale::{Locale, text};
use crate::mail::notice::indented;
use crate::mail::{Button, Wording};
use crate::model::{Account, AccountId, Admin, AdminId, AuditAction, EmailAddress, Links, SystemMailKind};
use crate::ops::accounts::common_passwords;
use crate::ops::accounts::sign_in::lockout;
use crate::ops::audit::{self, Note};
use crate::ops::context::MailContext;
use crate::ops::domains::links::ServerLinks;
use crate::ops::domains::main_domain;
use crate::ops::locales::locale;
use crate::ops::notices::system_mails::{self, NewNotice};
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
    /// It is the address, which everybody knows.
    #[error("A password must not be the address.")]
    IsAddress,
    /// It is one that many people choose, and that is tried first.
    #[error("A password must not be a common one; several unusual words are a good one.")]
    IsCommon,
    /// Hashing it takes too long.
    #[error("A password may have at most {PASSWORD_BYTES_MAX} bytes.")]
    TooLong,
}

/// Passes if a text may be the password of the administrator with this address.
pub fn check_password(text: &str, username: Option<&EmailAddress>) -> Result<(), PasswordError> {
    if text.chars().count() < PASSWORD_CHARS_MIN {
        Err(PasswordError::TooShort)
    } else if username.is_some_and(|username| username.folded() == text.trim().to_lowercase()) {
        Err(PasswordError::IsAddress)
    } else if PASSWORD_BYTES_MAX < text.len() {
        Err(PasswordError::TooLong)
    } else if common_passwords::is_common(text, username) {
        Err(PasswordError::IsCommon)
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

/// How long a link for a forgotten password works.
pub const FORGOTTEN_LINK_WORKS_FOR: Duration = Duration::from_hours(1);

/// The link by which `admin` chooses a password until `expiry`. It leads to its account's pages, or to the server's for a
/// global administrator. Returns `None` for a program, and on a server that has no account and therefore no domain.
pub fn link(
    tx: &impl Read,
    signer: &Signer,
    links: &ServerLinks,
    admin: &Admin,
    expiry: Timestamp,
) -> Result<Option<Link>, StoreError> {
    if admin.username.is_none() || account_for(tx, admin)?.is_none() {
        return Ok(None);
    }
    let links = links_for(tx, links, admin)?;
    let token = signer.token(Purpose::Password, [admin.id.0, seal(admin, expiry)]);
    Ok(Some(Link { url: links.password(&token), expiry }))
}

/// The links to the pages on which `admin` signs in: its account's, or the server's for a global administrator.
pub(in crate::ops) fn links_for(
    tx: &impl Read,
    links: &ServerLinks,
    admin: &Admin,
) -> Result<Links, StoreError> {
    match admin.account {
        Some(account) => links.of(tx, account),
        None => links.of_server(tx),
    }
}

/// The account from whose domain mail to `admin` is sent: its own, or the server's first one.
fn account_for(tx: &impl Read, admin: &Admin) -> Result<Option<AccountId>, StoreError> {
    match admin.account {
        Some(account) => Ok(Some(account)),
        None => Ok(tx.all::<Account>(0, 1)?.pop().map(|first| first.id)),
    }
}

/// A mail to an administrator about signing in, from the main domain of its account.
pub(in crate::ops) struct SignInMail<'a> {
    account: AccountId,
    pub(in crate::ops) username: &'a EmailAddress,
    /// What the account calls itself, else its domain.
    pub(in crate::ops) site: String,
    from_phrase: String,
    pub(in crate::ops) locale: Locale,
}

impl<'a> SignInMail<'a> {
    /// `None` for a program, and on a server without an account, which has no domain to send from.
    pub(in crate::ops) fn to(tx: &impl Read, admin: &'a Admin) -> Result<Option<SignInMail<'a>>, StoreError> {
        let Some(username) = &admin.username else { return Ok(None) };
        let Some(account) = account_for(tx, admin)? else { return Ok(None) };
        let own = match admin.account {
            Some(own) => tx.get::<Account>(own.0)?.map(|own| own.description).unwrap_or_default(),
            None => String::new(),
        };
        let locale = locale(tx, account)?;
        let (site, from_phrase) = if own.is_empty() {
            let domain = main_domain(tx, account)?.name.to_string();
            let phrase = text!(locale.language, "invite-from", domain = &domain);
            (domain, phrase)
        } else {
            (own.clone(), own)
        };
        Ok(Some(SignInMail { account, username, site, from_phrase, locale }))
    }

    /// Queues it. Answers reach the account's administrators (`spec/mail.md` 1).
    pub(in crate::ops) fn write(
        &self,
        tx: &mut WriteTx<'_>,
        mail_context: &MailContext,
        kind: SystemMailKind,
        (subject, text): (&str, &str),
        buttons: &[Button],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let notice = NewNotice {
            kind,
            from_phrase: &self.from_phrase,
            from_local: "postmaster",
            to: self.username,
            reply_to: None,
            subject,
            text: &format!("{text}\n"),
            buttons,
            wording: Wording::BuiltIn,
            in_reply_to: None,
        };
        system_mails::write(tx, mail_context, self.account, &notice, now)
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
    let Some(mail) = SignInMail::to(tx, admin)? else { return Ok(()) };
    let expiry = now + LINK_WORKS_FOR;
    let Some(Link { url, expiry }) = link(tx, &mail_context.signer, &mail_context.links, admin, expiry)?
    else {
        return Ok(());
    };
    let (language, site) = (mail.locale.language, mail.site.as_str());
    let text = text!(
        language,
        "invite-text",
        site = site,
        username = mail.username.as_str(),
        link = indented(&url),
        day = mail.locale.day(expiry)
    );
    let subject = text!(language, "invite-subject", site = site);
    let buttons = [Button::new(url, text!(language, "mail-button-password"))];
    mail.write(tx, mail_context, SystemMailKind::Invitation, (&subject, &text), &buttons, now)
}

/// The state of the link with this token.
pub fn open(tx: &impl Read, signer: &Signer, token: &str, now: Timestamp) -> Result<Invitation, StoreError> {
    let Some([id, sealed]) = signer.open(Purpose::Password, token) else { return Ok(Invitation::Dead) };
    let admin: Option<Admin> = tx.get(id)?;
    let Some(admin) = admin.filter(|admin| admin.username.is_some()) else { return Ok(Invitation::Dead) };
    let is_its = fingerprint(&admin) == sealed & FINGERPRINT;
    Ok(if is_its && minutes(now) < expiry_of(sealed) {
        Invitation::Open(Box::new(admin))
    } else if is_its {
        Invitation::Expired(Box::new(admin))
    } else if admin.password_hash.is_some() {
        Invitation::Spent(Box::new(admin))
    } else {
        Invitation::Dead
    })
}

/// Stores `hash` as the password's hash if the link is still open, and ends a lock of the address; returns the state that
/// the link had. The link's administrator is the actor.
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
        // Whoever reads the mail of the address is its person, whatever strangers have typed.
        lockout::clear(tx, admin)?;
        let AdminId(id) = admin.id;
        let changed = Note::new(AuditAction::AdminUpdated, id).named(by.caller.name()).detail("password");
        audit::note(tx, &by.caller, changed, by.now)?;
        tracing::info!(admin.id = id, "Administrator {id} has chosen a password");
    }
    Ok(invitation)
}

/// The bits of a sealed number that tell passwords and addresses apart; the others hold the expiry.
const FINGERPRINT_BITS: u32 = 38;
const FINGERPRINT: u64 = (1 << FINGERPRINT_BITS) - 1;

/// Packs an expiry, in whole minutes, and the fingerprint of an administrator into one number.
pub(in crate::ops) fn seal(admin: &Admin, expiry: Timestamp) -> u64 {
    minutes(expiry) << FINGERPRINT_BITS | fingerprint(admin)
}

/// Whether `sealed` is of this administrator, with the present password and address, and has not expired.
pub(in crate::ops) fn is_sealed_for(admin: &Admin, sealed: u64, now: Timestamp) -> bool {
    fingerprint(admin) == sealed & FINGERPRINT && minutes(now) < expiry_of(sealed)
}

/// The same as [`seal`], of the address alone: a new password leaves it valid, and another address does not.
pub(in crate::ops) fn seal_address(admin: &Admin, expiry: Timestamp) -> u64 {
    seal(&without_password(admin), expiry)
}

/// Whether `sealed` is of the present address of this administrator, and has not expired.
pub(in crate::ops) fn is_address_sealed_for(admin: &Admin, sealed: u64, now: Timestamp) -> bool {
    is_sealed_for(&without_password(admin), sealed, now)
}

fn without_password(admin: &Admin) -> Admin {
    Admin { password_hash: None, ..admin.clone() }
}

fn expiry_of(sealed: u64) -> u64 {
    sealed >> FINGERPRINT_BITS
}

/// Minutes since 1970: 26 bits of them are enough until 2097.
fn minutes(time: Timestamp) -> u64 {
    u64::try_from(time.secs() / 60).unwrap_or(0) & (u64::MAX >> FINGERPRINT_BITS)
}

fn fingerprint(admin: &Admin) -> u64 {
    let address = admin.username.as_ref().map(EmailAddress::folded).unwrap_or_default();
    let password = admin.password_hash.as_deref().unwrap_or_default();
    let hash = secret::sha256_text(format_args!("{address} {password}"));
    hash[..8].iter().fold(0, |number, byte| number << u8::BITS | u64::from(*byte)) & FINGERPRINT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_has_at_least_twelve_characters_and_is_not_the_address() {
        let ada = EmailAddress::parse("Ada.Love@x.org").unwrap();
        let check = |text: &str| check_password(text, Some(&ada));
        assert_eq!(check("eleven char"), Err(PasswordError::TooShort));
        assert_eq!(check("éáéáéóéáéáé"), Err(PasswordError::TooShort));
        assert_eq!(check("twelve chars"), Ok(()));
        assert_eq!(check("aDa.love@X.org"), Err(PasswordError::IsAddress));
        assert_eq!(check("password1234"), Err(PasswordError::IsCommon));
        let long = "a horse of course ".repeat(PASSWORD_BYTES_MAX / 18);
        assert_eq!(check(&long), Ok(()));
        assert_eq!(check(&format!("{long}, of course")), Err(PasswordError::TooLong));
    }

    #[test]
    fn a_sealed_number_gives_back_the_minute_and_tells_addresses_and_passwords_apart() {
        let expiry = Timestamp::from_ms(1_795_176_059_999);
        let admin = |address: &str, password_hash: Option<&str>| Admin {
            username: Some(EmailAddress::parse(address).unwrap()),
            password_hash: password_hash.map(str::to_owned),
            ..Admin::new(AdminId(1), None, 0, expiry)
        };
        let ada = admin("Ada@x.org", None);
        let sealed = seal(&ada, expiry);
        assert_eq!(expiry_of(sealed), 29_919_600);
        assert_eq!(sealed & FINGERPRINT, fingerprint(&admin("ada@x.org", None)));
        assert_ne!(sealed & FINGERPRINT, fingerprint(&admin("bob@x.org", None)));
        assert_ne!(sealed & FINGERPRINT, fingerprint(&admin("ada@x.org", Some("$argon2id$"))));
        assert!(is_sealed_for(&ada, sealed, Timestamp::from_ms(expiry.ms() - 60_000)));
        assert!(!is_sealed_for(&ada, sealed, expiry));
    }
}
