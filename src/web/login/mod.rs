//! Signing in as an administrator: the form for address and password, and what comes before and after it.
//!
//! The answer to a wrong password is the same whatever is wrong ([`sign_in`]). Nothing that a visitor types stands in a
//! URL, and the page repeats the address alone.

pub(super) mod again;
pub(super) mod code;
pub(super) mod forgotten;
pub(super) mod providers;
pub(super) mod unlock;

use std::sync::Arc;

use askama::Template;
use axum::http::{StatusCode, header};

use self::providers::ProviderButton;
use super::context::Context;
use super::cookies::session_cookie;
use super::error::PageError;
use super::form::FieldProblems;
use super::frame::Frame;
use super::table::PageResult;
use crate::clock::Timestamp;
use crate::locale::text;
use crate::model::{Admin, EmailAddress, Person, Session};
use crate::ops::accounts::sign_in::{self, Attempt, Browser, Match, Outcome};
use crate::ops::sessions;
use crate::store::Read as _;

/// The path of the page.
pub(super) const PATH: &str = "/login/";
/// The path of the page to which signing in leads, if the visitor wanted none.
const FIRST_PAGE: &str = "/admin/";
/// The path of the person's own page.
pub(super) const OWN_PAGE: &str = "/admin/me/";
/// Characters of a path to which signing in leads back.
///
/// An application's request for permission is the longest of them.
const NEXT_CHARS_MAX: usize = 8000;

#[derive(Template)]
#[template(path = "login.html", config = "src/web/askama.toml")]
struct LoginPage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    /// The address that the visitor typed.
    username: String,
    next: String,
    providers: Vec<ProviderButton>,
    forgotten: String,
    members: String,
}

/// `GET /login/`, with `next`, the path of a page of this host.
pub(super) fn page(context: &Context) -> PageResult {
    let next = next_path(context.query.get("next"));
    context.show(&form(context, next, FieldProblems::default()))
}

/// `POST /login/`, with `username`, `password` and `next`.
pub(super) async fn act(context: Arc<Context>) -> PageResult {
    let next = next_path(context.form.get("next"));
    let password = context.form.get("password");
    let address = match address_of(&context) {
        Ok(address) if !password.is_empty() => address,
        read => return wrong(&context, next, problems_of(&context, read.err(), password)),
    };
    let (token, token_hash) = sessions::new_token(&context.core.secrets);
    match outcome(&context, &address, password, token_hash).await? {
        Outcome::In(session) => signed_in(&context, &session, &token, &next),
        Outcome::NeedsCode(token) => code::begin(&context, &token, &next).await,
        Outcome::Wrong => {
            let problem = text!(context.language, "login-wrong");
            wrong(&context, next, FieldProblems::one("password", problem))
        }
    }
}

/// Compares the password with as many hashes as any address has, and settles the attempt.
async fn outcome(
    context: &Arc<Context>,
    address: &EmailAddress,
    password: &str,
    token_hash: [u8; 32],
) -> Result<Outcome, PageError> {
    let core = &context.core;
    let _turn = core.passwords.turn(&sign_in::subject_of(address)).await;
    let known = context.known_as();
    let browser = Browser { signer: &core.signer, tokens: &known };
    let attempt = sign_in::attempt(&core.store.read()?, &context.site, browser, address, core.now())?;
    let attempt = attempt.map_err(|until| too_many(context, until))?;
    let found = compare(context, &attempt, password).await?;
    let device = context.device().clone();
    let caller = sign_in::visitor(&context.site);
    let settled = core.perform_reserved(&caller, move |tx, by| {
        sign_in::settle(tx, by, &attempt, found, device, token_hash)
    });
    Ok(settled.await?)
}

async fn compare(context: &Context, attempt: &Attempt, password: &str) -> Result<Option<Match>, PageError> {
    let core = &context.core;
    let mut found = None;
    for (place, candidate) in attempt.candidates.iter().enumerate() {
        let hash = candidate.hash.clone();
        // The others are computed as well: how long it takes tells nothing.
        if core.passwords.is_somebodys(hash, password.to_owned()).await? && found.is_none() {
            found = Some(place);
        }
    }
    let Some(place) = found else { return Ok(None) };
    let hash = attempt.candidates[place].hash.as_deref().unwrap_or_default();
    let renewed = core.passwords.renewed(&core.secrets, hash, password.to_owned()).await?;
    Ok(Some(Match { place, renewed }))
}

/// The response by which a browser keeps a session that has just begun, and goes on to `next`: a path of this host, or
/// blank for the first page of administrators. The browser is known from now on.
pub(super) fn signed_in(context: &Context, session: &Session, token: &str, next: &str) -> PageResult {
    let is_there = |path: &str| context.pages.iter().any(|page| page.path == path);
    let first = if is_there(FIRST_PAGE) { FIRST_PAGE } else { OWN_PAGE };
    let path = if next.is_empty() { context.href(first) } else { next.to_owned() };
    let mut response = context.lead_to(&path);
    let core = &context.core;
    let cookie = session_cookie(core.links.base_url(), session, token, core.now());
    response.headers_mut().append(header::SET_COOKIE, cookie);
    if let Person::Admin(id) = session.person
        && let Some(admin) = core.store.read()?.get::<Admin>(id.0)?
    {
        response.headers_mut().append(header::SET_COOKIE, context.set_known(&admin));
    }
    Ok(response)
}

/// The error for a client that was wrong too often.
pub(super) fn too_many(context: &Context, until: Timestamp) -> PageError {
    PageError::TooMany { retry_secs: until.since(context.core.now()).as_secs().max(1) }
}

/// The address in the form, or its problem.
fn address_of(context: &Context) -> Result<EmailAddress, String> {
    let typed = context.form.get("username").trim();
    EmailAddress::parse(typed).map_err(|_| super::me::sign_in::problem_of_address(context.language, typed))
}

fn problems_of(context: &Context, address: Option<String>, password: &str) -> FieldProblems {
    let mut problems = FieldProblems::default();
    if let Some(problem) = address {
        problems.add("username", problem);
    }
    if password.is_empty() {
        problems.add("password", text!(context.language, "login-password-missing"));
    }
    problems
}

fn wrong(context: &Context, next: String, problems: FieldProblems) -> PageResult {
    context.html(StatusCode::BAD_REQUEST, &form(context, next, problems))
}

fn form(context: &Context, next: String, problems: FieldProblems) -> LoginPage {
    LoginPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(PATH),
        problems,
        username: context.form.get("username").trim().to_owned(),
        providers: providers::buttons(context, &next),
        next,
        forgotten: context.href(forgotten::PATH),
        members: context.href("/members/"),
    }
}

/// A path of this host to which signing in may lead; blank for any other text.
pub(super) fn next_path(text: &str) -> String {
    let is_path = text.starts_with('/') && !text.starts_with("//") && !text.contains('\\');
    let is_plain = text.len() <= NEXT_CHARS_MAX && text.bytes().all(|byte| byte.is_ascii_graphic());
    if is_path && is_plain { text.to_owned() } else { String::new() }
}

/// A path with a query in which another path stands.
pub(super) fn with_next(path: &str, next: &str) -> String {
    if next.is_empty() {
        return path.to_owned();
    }
    let next = percent_encoding::utf8_percent_encode(next, percent_encoding::NON_ALPHANUMERIC);
    format!("{path}?next={next}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signing_in_leads_to_no_other_host() {
        assert_eq!(next_path("/members/devices/?a=b%26c"), "/members/devices/?a=b%26c");
        for other in ["", "x", "//eve.example/", "/\\eve.example", "https://eve.example/", "/a b", "/\r\nx"] {
            assert_eq!(next_path(other), "", "{other}");
        }
        assert_eq!(next_path(&format!("/{}", "x".repeat(NEXT_CHARS_MAX))), "");
    }
}
