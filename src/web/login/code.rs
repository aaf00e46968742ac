//! The second step of signing in: a code of the second factor, or a recovery code.
//!
//! A cookie holds the proof of the first step for ten minutes. A code by text message is sent when the password was
//! right, and again when the visitor asks for it.

use std::sync::Arc;

use askama::Template;
use axum::http::{StatusCode, header};

use super::form as login_form;
use super::session::{signed_in, too_many};
use crate::clock::Timestamp;
use crate::http::sms::text_message;
use crate::locale::text;
use crate::model::admin::MfaType;
use crate::model::{Admin, Factor};
use crate::net::web_client::WebRequest;
use crate::ops::accounts::factors::{self, Sending};
use crate::ops::accounts::sign_in::{self, CodeOutcome};
use crate::ops::sessions;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;
use crate::web::paths::{LOGIN, next_path, with_next};

/// The path of the page.
const PATH: &str = "/login/code/";

#[derive(Template)]
#[template(path = "login_code.html", config = "src/web/askama.toml")]
struct CodePage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    next: String,
    /// The end of the number to which a code was sent; blank for an authenticator app.
    number: String,
    /// Whether a code was just sent once more.
    is_sent: bool,
    back: String,
}

/// The reason why no code was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::web) enum Unsent {
    /// The service of the operator did not take it, or there is none.
    Refused,
    /// Too many were sent; this is when the next one may be.
    NotBefore(Timestamp),
}

impl Unsent {
    /// The words for the person who waits for the code.
    pub(in crate::web) fn words(self, context: &Context) -> String {
        match self {
            Unsent::Refused => text!(context.language, "sms-refused"),
            Unsent::NotBefore(until) => {
                text!(context.language, "sms-not-before", time = context.locale().moment(until))
            }
        }
    }
}

/// Leads a visitor whose password was right to the page that asks for the code.
pub(super) async fn begin(context: &Context, token: &str, next: &str) -> PageResult {
    let found = sign_in::second_step(&context.read()?, &context.core.signer, token, context.core.now())?;
    let admin = found.ok_or_else(|| PageError::Internal("the first step proves nothing".to_owned()))?;
    let mut path = with_next(PATH, next);
    if kind(context, &admin)? == Some(MfaType::Sms) && send(context, &admin).await?.is_err() {
        path = format!("{path}{}unsent=1", if next.is_empty() { '?' } else { '&' });
    }
    let mut response = context.see_other(&path);
    response.headers_mut().append(header::SET_COOKIE, context.set_second_step(Some(token)));
    Ok(response)
}

/// `GET /login/code/`, with `next`.
pub(in crate::web) fn page(context: &Context) -> PageResult {
    let next = next_path(context.query.get("next"));
    // Without the first step, it is asked for.
    let Some(admin) = admin_of(context)? else { return login_form::page(context) };
    let mut problems = FieldProblems::default();
    if context.query.has("unsent") {
        problems.add("code", text!(context.language, "sms-unsent"));
    }
    let is_sent = context.query.get("done") == "again";
    context.show(&CodePage { is_sent, ..form(context, &admin, next, problems)? })
}

/// `POST /login/code/`, with `code` and `next`; `action=again` sends a code by text message once more.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let next = next_path(context.form.get("next"));
    let Some(admin) = admin_of(&context)? else { return over(&context, next) };
    if context.form.get("action") == "again" {
        let problem = match send(&context, &admin).await? {
            Ok(()) => {
                let path = with_next(PATH, &next);
                let mark = if next.is_empty() { '?' } else { '&' };
                return Ok(context.see_other(&format!("{path}{mark}done=again")));
            }
            Err(unsent) => unsent.words(&context),
        };
        return wrong(&context, &admin, next, problem);
    }
    let typed = context.form.get("code").trim().to_owned();
    if typed.is_empty() {
        return wrong(&context, &admin, next, text!(context.language, "code-missing"));
    }
    match settle(&context, typed).await? {
        (CodeOutcome::In(session), cookie) => {
            let mut response = signed_in(&context, &session, &cookie, &next)?;
            response.headers_mut().append(header::SET_COOKIE, context.set_second_step(None));
            Ok(response)
        }
        (CodeOutcome::Wrong, _) => wrong(&context, &admin, next, text!(context.language, "code-wrong")),
        (CodeOutcome::Over, _) => over(&context, next),
        (CodeOutcome::NotBefore(until), _) => Err(too_many(&context, until)),
    }
}

/// Settles the code; returns the token of the session's cookie, too.
async fn settle(context: &Context, typed: String) -> Result<(CodeOutcome, String), PageError> {
    let core = &context.core;
    let (cookie, token_hash) = sessions::new_token(&core.secrets);
    let (token, site) = (context.second_step().unwrap_or_default(), context.site.clone());
    let (device, caller) = (context.device().clone(), sign_in::visitor(&context.site));
    let known = context.known_as();
    let settled = core
        .perform_reserved(&caller, move |tx, by| {
            sign_in::settle_code(tx, by, &site, (&token, &typed, &known), device, token_hash)
        })
        .await?;
    Ok((settled, cookie))
}

/// Draws a code and has it sent to the telephone of an administrator.
async fn send(context: &Context, admin: &Admin) -> Result<Result<(), Unsent>, PageError> {
    let code = factors::new_sent_code(&context.core.secrets);
    let (admin, stored) = (admin.clone(), code.clone());
    let caller = sign_in::visitor(&context.site);
    let job = context.core.perform_reserved(&caller, move |tx, by| factors::send(tx, by, &admin, &stored));
    match job.await? {
        Sending::To(number) => Ok(send_text(context, &number, &code).await),
        Sending::NotBefore(until) => Ok(Err(Unsent::NotBefore(until))),
        Sending::Nowhere => Ok(Err(Unsent::Refused)),
    }
}

/// Has a code sent to a number by the service of the operator.
pub(in crate::web) async fn send_text(context: &Context, number: &str, code: &str) -> Result<(), Unsent> {
    let Some(url) = &context.core.config.sms_webhook else { return Err(Unsent::Refused) };
    let text = text!(context.language, "sms-text", code = code);
    let request = WebRequest::post(&url.0, "application/json", text_message(number, &text));
    match context.core.web_client.send(request).await {
        Ok(answer) if answer.is_success() => Ok(()),
        Ok(answer) => {
            let status = answer.status;
            tracing::warn!(http.status = status, "The service of --sms-webhook answered {status}");
            Err(Unsent::Refused)
        }
        Err(_) => {
            // Its error may repeat the URL, which may contain a secret.
            tracing::warn!("The service of --sms-webhook cannot be reached");
            Err(Unsent::Refused)
        }
    }
}

/// The administrator who gave the right password in this browser a few minutes ago.
fn admin_of(context: &Context) -> Result<Option<Admin>, PageError> {
    let Some(token) = context.second_step() else { return Ok(None) };
    let core = &context.core;
    Ok(sign_in::second_step(&context.read()?, &core.signer, &token, core.now())?)
}

fn kind(context: &Context, admin: &Admin) -> Result<Option<MfaType>, PageError> {
    Ok(factors::kind_of(&context.read()?, admin.id)?)
}

/// The form for address and password, for whoever took too long.
fn over(context: &Context, next: String) -> PageResult {
    let problem = FieldProblems::one("username", text!(context.language, "code-over"));
    login_form::wrong(context, next, problem)
}

fn wrong(context: &Context, admin: &Admin, next: String, problem: String) -> PageResult {
    let page = form(context, admin, next, FieldProblems::one("code", problem))?;
    context.html(StatusCode::BAD_REQUEST, &page)
}

fn form(
    context: &Context,
    admin: &Admin,
    next: String,
    problems: FieldProblems,
) -> Result<CodePage, PageError> {
    let number = match factors::find(&context.read()?, admin)?.factor {
        Some(Factor::Phone(number)) => end_of(&number),
        Some(Factor::Totp(_)) | None => String::new(),
    };
    Ok(CodePage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(PATH),
        problems,
        back: context.href(&with_next(LOGIN, &next)),
        next,
        number,
        is_sent: false,
    })
}

/// The last digits of a number, by which its owner knows it.
pub(in crate::web) fn end_of(number: &str) -> String {
    let digits: Vec<char> = number.chars().collect();
    digits[digits.len().saturating_sub(3)..].iter().collect()
}
