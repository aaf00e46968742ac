//! The second factor of an administrator: sets it up, checks its codes, and takes it off.
//!
//! A factor counts once a code of it was given. The code of an authenticator app works in its own step of time and in
//! those beside it, and never again once it, or a later one, was taken. Recovery codes stand in for a lost factor; each
//! works once, and only their hashes are stored. Owners who get mail about `security` are told of
//! every change. What is sent by text message is sent by the pages: an operation only
//! stores the hash of a code and says which number it goes to.

use crate::clock::Timestamp;
use crate::locale::text;
use crate::mail::Button;
use crate::mail::notice::indented;
use crate::model::admin::{MfaType, Notification};
use crate::model::second_factor::SENT_CODE_WORKS_FOR;
use crate::model::{
    Admin, AdminId, AuditAction, Factor, Person, SecondFactor, SentCode, SessionId, SystemMailKind,
    TotpSecret,
};
use crate::ops::accounts::admins::invite::{SignInMail, links_for};
use crate::ops::accounts::admins::manage;
use crate::ops::allowances::{self, Subject, TEXT_MESSAGES};
use crate::ops::audit;
use crate::ops::context::MailContext;
use crate::ops::{OpContext, OpError, sessions};
use crate::secret::{self, Secrets};
use crate::store::{Read, StoreError, WriteTx};

/// Seconds of a step of time (RFC 6238 4.1).
const STEP_SECS: u64 = 30;
/// Recovery codes that a person gets.
pub const RECOVERY_CODES: usize = 10;
/// Digits of a code that is sent.
const SENT_DIGITS: usize = 6;

/// A new secret for an authenticator app.
#[must_use]
pub fn new_secret(secrets: &Secrets) -> TotpSecret {
    let mut bytes = [0; 20];
    secrets.fill(&mut bytes);
    TotpSecret(bytes)
}

/// A new code to be sent by text message.
#[must_use]
pub fn new_sent_code(secrets: &Secrets) -> String {
    secrets.digits(SENT_DIGITS)
}

/// New recovery codes of 60 bits: three groups of four letters and digits that are not mistaken for one another.
#[must_use]
pub fn new_recovery_codes(secrets: &Secrets) -> Vec<String> {
    let code = |_| {
        let mut bytes = [0; 10];
        secrets.fill(&mut bytes);
        let text = data_encoding::BASE32_NOPAD.encode(&bytes).to_ascii_lowercase();
        format!("{}-{}-{}", &text[..4], &text[4..8], &text[8..12])
    };
    (0..RECOVERY_CODES).map(code).collect()
}

/// The letters and digits of a typed code.
fn letters_of(typed: &str) -> String {
    typed.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn hash_of(typed: &str) -> [u8; 32] {
    secret::sha256(letters_of(typed).as_bytes())
}

/// The record of an administrator's factor; one without a factor if there is none.
///
/// # Errors
/// If the store fails.
pub fn find(tx: &impl Read, admin: &Admin) -> Result<SecondFactor, StoreError> {
    let found: Option<SecondFactor> = tx.get(admin.id.0)?;
    Ok(found.unwrap_or_else(|| SecondFactor::none(admin.id, admin.account_or_server())))
}

/// The kind of an administrator's factor, if it has one.
///
/// # Errors
/// If the store fails.
pub fn kind_of(tx: &impl Read, admin: AdminId) -> Result<Option<MfaType>, StoreError> {
    let found: Option<SecondFactor> = tx.get(admin.0)?;
    Ok(found.and_then(|found| found.factor).map(|factor| factor.kind()))
}

/// Whether an administrator who signs in with a password shall have a factor, and has none yet.
///
/// # Errors
/// If the store fails.
pub fn is_missing(tx: &impl Read, admin: &Admin) -> Result<bool, StoreError> {
    let is_asked = admin.mfa_type.is_some() && admin.username.is_some() && admin.authn_provider.is_none();
    Ok(is_asked && kind_of(tx, admin.id)?.is_none())
}

/// Checks a code against a factor, and marks it as used.
fn take_code(
    row: &mut SecondFactor,
    factor: &Factor,
    typed: &str,
    is_of_setup: bool,
    now: Timestamp,
) -> bool {
    match factor {
        Factor::Totp(TotpSecret(secret)) => {
            let present = now.key() / 1000 / STEP_SECS;
            // A step far in the future was used before the clock was set back.
            let used = if is_of_setup || present + 1 < row.step_used { 0 } else { row.step_used };
            let typed = letters_of(typed);
            let steps = present.saturating_sub(1)..=present + 1;
            let found =
                steps.into_iter().find(|step| used < *step && secret::totp_code(secret, *step) == typed);
            row.step_used = found.unwrap_or(row.step_used);
            found.is_some()
        }
        Factor::Phone(_) => {
            let is_right = row.sent.as_ref().is_some_and(|sent| {
                sent.hash == hash_of(typed) && now < sent.expiry && sent.is_of_setup == is_of_setup
            });
            // The number of a set-up is proven by a code at its first try, or by the next one.
            if is_right || is_of_setup {
                row.sent = None;
            }
            is_right
        }
    }
}

/// Whether a typed code is one of an administrator's factor, or a recovery code. It is used up.
pub(in crate::ops) fn check(
    tx: &mut WriteTx<'_>,
    admin: &Admin,
    typed: &str,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let mut row = find(tx, admin)?;
    let Some(factor) = row.factor.clone() else { return Ok(false) };
    let mut is_right = take_code(&mut row, &factor, typed, false, now);
    if !is_right {
        let (hash, before) = (hash_of(typed), row.recovery.len());
        row.recovery.retain(|kept| *kept != hash);
        is_right = row.recovery.len() < before;
    }
    if is_right {
        tx.put(&row)?;
    }
    Ok(is_right)
}

/// The administrator that the caller is.
fn own(tx: &impl Read, by: &OpContext, admin: AdminId) -> Result<Admin, OpError> {
    let found: Option<Admin> = tx.get(admin.0)?;
    found.filter(|_| by.caller.is_admin(admin)).ok_or(OpError::NotFound { what: "administrator" })
}

/// The changes of a factor that its owner is told of by mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ops) enum FactorChange {
    /// It was set up.
    Made,
    /// Another one was set up in its place.
    Changed,
    /// It was taken off.
    TakenOff,
    /// Its recovery codes were made anew.
    Codes,
}

/// Mails the owner, if it is one who gets mail about `security`, that the factor was changed: whoever did it may be
/// somebody else.
pub(in crate::ops) fn tell(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    admin: &Admin,
    change: FactorChange,
    now: Timestamp,
) -> Result<(), StoreError> {
    if !admin.notifications.contains(&Notification::Security) {
        return Ok(());
    }
    let Some(mail) = SignInMail::to(tx, admin)? else { return Ok(()) };
    let (language, site) = (mail.locale.language, mail.site.as_str());
    let what = match change {
        FactorChange::Made => text!(language, "factor-mail-made"),
        FactorChange::Changed => text!(language, "factor-mail-changed"),
        FactorChange::TakenOff => text!(language, "factor-mail-off"),
        FactorChange::Codes => text!(language, "factor-mail-codes"),
    };
    let link = links_for(tx, &mail_context.links, admin)?.forgotten();
    let text = text!(
        language,
        "factor-mail-text",
        what = what,
        address = mail.username.as_str(),
        site = site,
        time = mail.locale.local_moment(now),
        link = indented(&link)
    );
    let subject = text!(language, "factor-mail-subject", site = site);
    let buttons = [Button::new(link, text!(language, "mail-button-password"))];
    mail.write(tx, mail_context, SystemMailKind::Problem, (&subject, &text), &buttons, now)
}

/// Notes a change of a factor.
fn noted(tx: &mut WriteTx<'_>, by: &OpContext, admin: &Admin, detail: &str) -> Result<(), StoreError> {
    let note = manage::noted(AuditAction::AdminUpdated, admin).detail(detail);
    audit::note(tx, &by.caller, note, by.now).map(drop)
}

/// Begins to set up an authenticator app with this secret.
///
/// # Errors
/// If the store fails, or the caller is somebody else.
pub fn begin_totp(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    admin: AdminId,
    secret: TotpSecret,
) -> Result<(), OpError> {
    let admin = own(tx, by, admin)?;
    let row = find(tx, &admin)?;
    tx.put(&SecondFactor { setup: Some(Factor::Totp(secret)), ..row })?;
    Ok(noted(tx, by, &admin, "mfa_type (begun)")?)
}

/// Begins to set up text messages to a number, to which the code is then sent; an error says when the next one may be.
///
/// # Errors
/// If the store fails, or the caller is somebody else.
pub fn begin_phone(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    admin: AdminId,
    number: String,
    code: &str,
) -> Result<Result<(), Timestamp>, OpError> {
    let admin = own(tx, by, admin)?;
    if let Err(until) = allowances::take(tx, TEXT_MESSAGES, &Subject::admin(admin.id), by.now)? {
        return Ok(Err(until));
    }
    let row = find(tx, &admin)?;
    let sent = Some(sent(code, true, by.now));
    tx.put(&SecondFactor { setup: Some(Factor::Phone(number)), sent, ..row })?;
    noted(tx, by, &admin, "mfa_type (begun)")?;
    Ok(Ok(()))
}

fn sent(code: &str, is_of_setup: bool, now: Timestamp) -> SentCode {
    SentCode { hash: hash_of(code), expiry: now + SENT_CODE_WORKS_FOR, is_of_setup }
}

/// The result of a request to send a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sending {
    /// It goes to this number.
    To(String),
    /// No more are sent before this time.
    NotBefore(Timestamp),
    /// The administrator has no such factor.
    Nowhere,
}

/// Stores a code that is then sent to an administrator's telephone. The caller may be anybody who gave the password.
///
/// # Errors
/// If the store fails.
pub fn send(tx: &mut WriteTx<'_>, by: &OpContext, admin: &Admin, code: &str) -> Result<Sending, StoreError> {
    let row = find(tx, admin)?;
    let Some(Factor::Phone(number)) = row.factor.clone() else { return Ok(Sending::Nowhere) };
    if let Err(until) = allowances::take(tx, TEXT_MESSAGES, &Subject::admin(admin.id), by.now)? {
        return Ok(Sending::NotBefore(until));
    }
    tx.put(&SecondFactor { sent: Some(sent(code, false, by.now)), ..row })?;
    Ok(Sending::To(number))
}

/// Ends the set-up of a factor with a first code: it is asked for from now on, and these are its recovery codes. Other
/// sessions end. Returns whether the code was right.
///
/// # Errors
/// If the store fails, or the caller is somebody else.
pub fn confirm(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    admin: AdminId,
    typed: &str,
    recovery: &[String],
    session: SessionId,
) -> Result<bool, OpError> {
    let admin = own(tx, by, admin)?;
    let mut row = find(tx, &admin)?;
    let Some(factor) = row.setup.clone() else { return Ok(false) };
    let is_right = take_code(&mut row, &factor, typed, true, by.now);
    if !is_right {
        // The code that was sent is used up.
        if matches!(factor, Factor::Phone(_)) {
            tx.put(&row)?;
            noted(tx, by, &admin, "mfa_type (wrong code)")?;
        }
        return Ok(false);
    }
    let change = if row.factor.is_some() { FactorChange::Changed } else { FactorChange::Made };
    let admin = Admin { mfa_type: Some(factor.kind()), ..admin };
    row = SecondFactor { factor: Some(factor), setup: None, recovery: hashes(recovery), ..row };
    tx.put(&row)?;
    tx.put(&admin)?;
    end_others(tx, &admin, session)?;
    noted(tx, by, &admin, "mfa_type")?;
    tell(tx, &by.mail_context, &admin, change, by.now)?;
    Ok(true)
}

fn hashes(codes: &[String]) -> Vec<[u8; 32]> {
    codes.iter().map(|code| hash_of(code)).collect()
}

/// Stops setting up a factor.
///
/// # Errors
/// If the store fails, or the caller is somebody else.
pub fn cancel(tx: &mut WriteTx<'_>, by: &OpContext, admin: AdminId) -> Result<(), OpError> {
    let admin = own(tx, by, admin)?;
    let row = find(tx, &admin)?;
    tx.put(&SecondFactor { setup: None, ..row })?;
    Ok(noted(tx, by, &admin, "mfa_type (cancelled)")?)
}

/// Replaces the recovery codes of an administrator.
///
/// # Errors
/// If the store fails, the caller is somebody else, or there is no factor.
pub fn renew_recovery(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    admin: AdminId,
    codes: &[String],
) -> Result<(), OpError> {
    let admin = own(tx, by, admin)?;
    let row = find(tx, &admin)?;
    if row.factor.is_none() {
        return Err(OpError::NotFound { what: "second factor" });
    }
    tx.put(&SecondFactor { recovery: hashes(codes), ..row })?;
    tell(tx, &by.mail_context, &admin, FactorChange::Codes, by.now)?;
    Ok(noted(tx, by, &admin, "recovery codes")?)
}

/// Takes an administrator's factor off. Other sessions end.
///
/// # Errors
/// If the store fails, or the caller is somebody else.
pub fn take_off(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    admin: AdminId,
    session: SessionId,
) -> Result<(), OpError> {
    let admin = Admin { mfa_type: None, ..own(tx, by, admin)? };
    let had_one = kind_of(tx, admin.id)?.is_some();
    tx.delete::<SecondFactor>(admin.id.0)?;
    tx.put(&admin)?;
    end_others(tx, &admin, session)?;
    if had_one {
        tell(tx, &by.mail_context, &admin, FactorChange::TakenOff, by.now)?;
    }
    Ok(noted(tx, by, &admin, "mfa_type")?)
}

/// Stores the hash of another password. Other sessions end, and the links to choose one.
///
/// # Errors
/// If the store fails, or the caller is somebody else.
pub fn change_password(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    admin: AdminId,
    hash: String,
    session: SessionId,
) -> Result<(), OpError> {
    let admin = Admin { password_hash: Some(hash), ..own(tx, by, admin)? };
    tx.put(&admin)?;
    end_others(tx, &admin, session)?;
    Ok(noted(tx, by, &admin, "password")?)
}

fn end_others(tx: &mut WriteTx<'_>, admin: &Admin, kept: SessionId) -> Result<(), StoreError> {
    sessions::revoke_all(tx, admin.account_or_server(), Person::Admin(admin.id), Some(kept)).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::AccountId;

    const SECRET: TotpSecret = TotpSecret(*b"12345678901234567890");

    fn at(secs: i64) -> Timestamp {
        Timestamp::from_ms(secs * 1000)
    }

    #[test]
    fn a_code_works_a_step_early_and_late_and_once() {
        let factor = Factor::Totp(SECRET);
        let mut row = SecondFactor::none(AdminId(1), AccountId(1));
        let code = |step: u64| secret::totp_code(&SECRET.0, step);
        let now = at(3000);
        for (step, is_right) in
            [(98, false), (102, false), (99, true), (99, false), (101, true), (100, false)]
        {
            assert_eq!(take_code(&mut row, &factor, &code(step), false, now), is_right, "{step}");
        }
        assert!(take_code(
            &mut row,
            &factor,
            &format!(" {} {}", &code(102)[..3], &code(102)[3..]),
            false,
            at(3030)
        ));
        row.step_used = 100_000;
        assert!(take_code(&mut row, &factor, &code(100), false, now), "the clock was set back");
    }

    #[test]
    fn recovery_codes_are_long_enough_and_read_in_any_way() {
        let codes = new_recovery_codes(&Secrets::seeded(7));
        assert_eq!(codes.len(), RECOVERY_CODES);
        assert!(codes.iter().all(|code| letters_of(code).len() == 12), "{codes:?}");
        assert_eq!(hash_of(&codes[0]), hash_of(&codes[0].replace('-', " ").to_uppercase()));
    }
}
