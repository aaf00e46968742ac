//! Signs members in by a mailed link: a person who can read the mail of an address may act as its contact.
//!
//! The pages call it. The caller learns nothing of an address: the answer is the same whether it is known or not. Only a
//! known address gets a mail, and that names no list and repeats nothing that the visitor typed but the address.
//!
//! A link that confirms a request is the same proof, once ([`begin_confirmed`]).
//!
//! Only requests that send a mail count for the address, in the account that sends it. The link of the last mail of a day
//! works until the next may be sent, so that strangers cannot use up a member's mails.

use crate::clock::Timestamp;
use crate::locale::text;
use crate::mail::notice::indented;
use crate::mail::{Button, Wording};
use crate::model::{
    Account, AuditAction, Confirmation, Contact, Email, EmailAddress, Person, SIGN_IN_LINK_WORKS_FOR,
    Session, SignInLink, SignInLinkId, SystemMailKind,
};
use crate::ops::allowances::{self, SIGN_IN_MAILS_A_DAY, SIGN_IN_MAILS_A_MINUTE, Subject};
use crate::ops::audit::{self, Note};
use crate::ops::locales::locale_of;
use crate::ops::notices::system_mails::{self, NewNotice};
use crate::ops::people::requests::{self, Outcome};
use crate::ops::sessions::{self, Device, NewSession, Stay};
use crate::ops::{Caller, OpContext, OpError};
use crate::schema::{EMAIL_BY_ADDRESS, SIGN_IN_LINK_BY_TOKEN};
use crate::secret::{Secrets, sha256};
use crate::store::{Key, Read, StoreError, WriteTx};

/// Bytes of a link's token: as many as those of signed links, so that quoted mail loses it as it loses those.
const TOKEN_BYTES: usize = 26;

/// A request for a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSignInLink {
    /// The address to which it goes, if it is a member's.
    pub address: EmailAddress,
    /// How long the session lasts.
    pub stay: Stay,
    /// The path of the page that the visitor wanted to open; blank for the members' first page.
    pub next: String,
    /// A token of [`new_token`].
    pub token: String,
}

/// A browser in which somebody is to be signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBrowser {
    /// The device.
    pub device: Device,
    /// The hash of a token of [`sessions::new_token`], which its cookie has.
    pub token_hash: [u8; 32],
}

/// The state of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignIn {
    /// It signs its member in.
    Open(SignInLink),
    /// It has signed its member in.
    Used,
    /// Its time is over.
    Expired,
    /// There is no such link, or its address belongs to somebody else now.
    Unknown,
}

/// A new token for a link.
#[must_use]
pub fn new_token(secrets: &Secrets) -> String {
    let mut bytes = [0; TOKEN_BYTES];
    secrets.fill(&mut bytes);
    data_encoding::BASE32_NOPAD.encode(&bytes).to_ascii_lowercase()
}

/// Mails a link to an address if it belongs to a contact of the caller's account. The caller gets the same answer in
/// every case, but for a client that has caused too much mail, which may go on at the returned time.
///
/// # Errors
/// If the store fails, or the account is gone.
pub fn ask(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    request: NewSignInLink,
) -> Result<Result<(), Timestamp>, OpError> {
    let account: Account = tx.get(by.caller.account.0)?.ok_or(OpError::NotFound { what: "account" })?;
    let NewSignInLink { address, stay, next, token } = request;
    if let Some(until) = requests::count_client(tx, by, by.caller.actor().client)? {
        return Ok(Err(until));
    }
    // A contact may be a list of this server, whose members and archive would get the link.
    if !requests::can_be_asked(tx, &address)? {
        return Ok(Ok(()));
    }
    let key = Key::new().u64(account.id.0).text(&address.folded());
    let Some(email) = tx.find(&EMAIL_BY_ADDRESS, &key)? else { return Ok(Ok(())) };
    let subject = Subject::address_in(account.id, &address);
    let is_left = |limit| allowances::is_left(tx, limit, &subject, by.now);
    if !is_left(SIGN_IN_MAILS_A_MINUTE)? || !is_left(SIGN_IN_MAILS_A_DAY)? {
        return Ok(Ok(()));
    }
    let _ = allowances::take(tx, SIGN_IN_MAILS_A_MINUTE, &subject, by.now)?;
    let last = allowances::take_and_look(tx, SIGN_IN_MAILS_A_DAY, &subject, by.now)?.unwrap_or_default();
    let usual = by.now + SIGN_IN_LINK_WORKS_FOR;
    let link = SignInLink {
        id: SignInLinkId(tx.next_id::<SignInLink>()?),
        account: account.id,
        contact: email.contact,
        address: email.address,
        token_hash: sha256(token.as_bytes()),
        stays: stay == Stay::Long,
        next,
        expiry: last.map_or(usual, |next| next.max(usual)),
        used: None,
    };
    tx.put(&link)?;
    write_mail(tx, by, &account, &link, &token)?;
    Ok(Ok(()))
}

fn write_mail(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    account: &Account,
    link: &SignInLink,
    token: &str,
) -> Result<(), StoreError> {
    let locale = locale_of(account);
    let language = locale.language;
    let url = by.mail_context.links.of(tx, account.id)?.sign_in(token);
    let title = account.title();
    let address = link.address.as_str();
    let text = text!(
        language,
        "me-mail-text",
        address = address,
        account = title,
        link = indented(&url),
        until = locale.local_moment(link.expiry)
    );
    let notice = NewNotice {
        kind: SystemMailKind::SignIn,
        from_phrase: title,
        // Answers reach the account's administrators (`spec/mail.md` 1).
        from_local: "postmaster",
        to: &link.address,
        reply_to: None,
        subject: &text!(language, "me-mail-subject", account = title),
        text: &(text + "\n"),
        buttons: &[Button::new(url, text!(language, "mail-button-sign-in"))],
        wording: Wording::BuiltIn,
        in_reply_to: None,
    };
    system_mails::write(tx, &by.mail_context, account.id, &notice, by.now)
}

/// The state of the link with this token.
///
/// # Errors
/// If the store fails.
pub fn open(tx: &impl Read, token: &str, now: Timestamp) -> Result<SignIn, StoreError> {
    let found = tx.find(&SIGN_IN_LINK_BY_TOKEN, &Key::new().bytes(&sha256(token.as_bytes())))?;
    let Some(link) = found else { return Ok(SignIn::Unknown) };
    if link.used.is_some() {
        return Ok(SignIn::Used);
    }
    if link.expiry <= now {
        return Ok(SignIn::Expired);
    }
    let key = Key::new().u64(link.account.0).text(&link.address.folded());
    let email: Option<Email> = tx.find(&EMAIL_BY_ADDRESS, &key)?;
    let is_its = email.is_some_and(|email| email.contact == link.contact);
    Ok(if is_its { SignIn::Open(link) } else { SignIn::Unknown })
}

/// Signs the member of a link in if the link is still open: begins a session whose cookie has the token with the hash
/// `token_hash`. The link's contact is the actor.
///
/// # Errors
/// If the store fails, or the contact is gone.
pub fn begin(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    token: &str,
    device: Device,
    token_hash: [u8; 32],
) -> Result<Result<(Session, String), SignIn>, OpError> {
    let link = match open(tx, token, by.now)? {
        SignIn::Open(link) => link,
        over => return Ok(Err(over)),
    };
    let stay = if link.stays { Stay::Long } else { Stay::Usual };
    let (account, person) = (link.account, Person::Member(link.contact));
    let session = sessions::begin(tx, NewSession { account, person, device, stay, token_hash }, by.now)?;
    confirm_address(tx, by, &link)?;
    let next = link.next.clone();
    tx.put(&SignInLink { used: Some(by.now), ..link })?;
    let begun = Note::new(AuditAction::SessionStarted, session.id.0);
    audit::note(tx, &by.caller, begun, by.now)?;
    Ok(Ok((session, next)))
}

/// Signs in the owner of the address of a request that was just confirmed by its link: who can read the mail of an address
/// may act as its contact. `None` if nothing of the request was carried out, or nobody has the address.
///
/// # Errors
/// If the store fails.
pub fn begin_confirmed(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    request: &Confirmation,
    outcomes: &[Outcome],
    browser: &NewBrowser,
) -> Result<Option<Session>, OpError> {
    let key = Key::new().u64(request.account.0).text(&request.address.folded());
    let email: Option<Email> = tx.find(&EMAIL_BY_ADDRESS, &key)?;
    let is_refused = |outcome: &Outcome| matches!(outcome, Outcome::Refused(_));
    let Some(email) = email.filter(|_| !outcomes.iter().all(is_refused)) else { return Ok(None) };
    let NewBrowser { device, token_hash } = browser.clone();
    let (account, person) = (request.account, Person::Member(email.contact));
    let new = NewSession { account, person, device, stay: Stay::Usual, token_hash };
    let session = sessions::begin(tx, new, by.now)?;
    let contact: Contact = tx.get(email.contact.0)?.ok_or(OpError::NotFound { what: "contact" })?;
    let actor = by.caller.actor();
    let caller = Caller::member(&contact, actor.via, actor.client);
    let begun = Note::new(AuditAction::SessionStarted, session.id.0);
    audit::note(tx, &caller, begun, by.now)?;
    Ok(Some(session))
}

/// Marks the address of a link as confirmed: somebody has read its mail.
fn confirm_address(tx: &mut WriteTx<'_>, by: &OpContext, link: &SignInLink) -> Result<(), StoreError> {
    let key = Key::new().u64(link.account.0).text(&link.address.folded());
    let Some(email): Option<Email> = tx.find(&EMAIL_BY_ADDRESS, &key)? else { return Ok(()) };
    if !email.confirmed {
        let confirmed = Note::new(AuditAction::EmailUpdated, email.id.0).about(email.contact);
        tx.put(&Email { confirmed: true, ..email })?;
        audit::note(tx, &by.caller, confirmed.detail("confirmed"), by.now)?;
    }
    Ok(())
}
