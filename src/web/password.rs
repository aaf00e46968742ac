//! The page on which an administrator chooses a password, reached by a mailed link.
//!
//! The token in the link is the proof, so the form needs no session and no CSRF token.

use std::sync::Arc;

use askama::Template;
use axum::http::{StatusCode, header};

use super::context::Context;
use super::error::{PageError, PageResult};
use super::form::FieldProblems;
use super::frame::Frame;
use super::paths;
use crate::locale::text;
use crate::model::{Admin, EmailAddress, Language, Via};
use crate::ops::Caller;
use crate::ops::accounts::admins::invite::{
    self, Invitation, PASSWORD_BYTES_MAX, PASSWORD_CHARS_MIN, PasswordError,
};

#[derive(Template)]
#[template(path = "choose_password.html", config = "src/web/askama.toml")]
struct ChoosePage {
    frame: Frame,
    username: String,
    chars_min: usize,
    problems: FieldProblems,
}

#[derive(Template)]
#[template(path = "password_chosen.html", config = "src/web/askama.toml")]
struct ChosenPage {
    frame: Frame,
    username: String,
    login: String,
}

/// `GET /password/{token}/`: changes nothing, since link checkers follow every link.
pub(super) fn choose_page(context: &Context) -> PageResult {
    let username = username(&invited(context, open(context)?)?);
    context.show(&choosing(context, username, FieldProblems::default()))
}

/// `POST /password/{token}/`: sets the password.
pub(super) async fn choose(context: Arc<Context>) -> PageResult {
    // Hashing is slow on purpose, so an invalid link is refused before it.
    let admin = invited(&context, open(&context)?)?;
    let client = Some(context.site.client);
    let caller = Arc::new(Caller::admin(&admin, admin.account_or_server(), Via::Link, client));
    let username = username(&admin);
    let password = context.form.get("password").to_owned();
    if let Err(error) = invite::check_password(&password, admin.username.as_ref()) {
        let problems = FieldProblems::one("password", words(error, context.language));
        return context.html(StatusCode::BAD_REQUEST, &choosing(&context, username, problems));
    }
    let core = &context.core;
    let hash = core.passwords.hash(&core.secrets, password).await?;
    let token = context.token().to_owned();
    let chosen = core.perform(&caller, move |tx, by| invite::choose(tx, by, &token, hash)).await?;
    invited(&context, chosen)?;
    let login = context.href(paths::LOGIN);
    let mut response = context.show(&ChosenPage { frame: Frame::of(&context), username, login })?;
    // Strangers who lock the address do not hold this browser off.
    response.headers_mut().append(header::SET_COOKIE, context.set_known(&admin));
    Ok(response)
}

fn choosing(context: &Context, username: String, problems: FieldProblems) -> ChoosePage {
    ChoosePage { frame: Frame::of(context), username, chars_min: PASSWORD_CHARS_MIN, problems }
}

/// The problem of a chosen password, if it has one.
pub(super) fn words(error: PasswordError, language: Language) -> String {
    match error {
        PasswordError::TooShort => text!(language, "password-too-short", count = PASSWORD_CHARS_MIN),
        PasswordError::IsAddress => text!(language, "password-is-address"),
        PasswordError::IsCommon => text!(language, "password-is-common"),
        PasswordError::TooLong => text!(language, "password-too-long", count = PASSWORD_BYTES_MAX),
    }
}

fn open(context: &Context) -> Result<Invitation, PageError> {
    let core = &context.core;
    Ok(invite::open(&context.read()?, &core.signer, context.token(), core.now())?)
}

/// The administrator whose password the link sets, or the reason why it sets none.
fn invited(context: &Context, invitation: Invitation) -> Result<Admin, PageError> {
    match invitation {
        Invitation::Open(admin) | Invitation::Spent(admin) | Invitation::Expired(admin)
            if !context.site.answers_for(admin.account) =>
        {
            Err(PageError::DeadLink)
        }
        Invitation::Open(admin) => Ok(*admin),
        Invitation::Spent(_) => Err(PageError::SpentLink),
        Invitation::Expired(_) => Err(PageError::ExpiredLink),
        Invitation::Dead => Err(PageError::DeadLink),
    }
}

fn username(admin: &Admin) -> String {
    admin.username.as_ref().map(EmailAddress::to_string).unwrap_or_default()
}
