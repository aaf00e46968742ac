//! Signing in: the form that asks for a member's address, and the page of the link that is mailed there.
//!
//! A GET of the link changes nothing, since mail scanners follow links: its page has a button. The form carries a CSRF
//! token although its link is a proof, so that nobody signs a visitor in as somebody else.

use std::sync::Arc;

use askama::Template;
use axum::http::{StatusCode, header};

use crate::clock::Timestamp;
use crate::locale::{self, text};
use crate::model::{EmailAddress, Language, SIGN_IN_LINK_WORKS_FOR, SignInLink, Via};
use crate::ops::people::sign_in::{self, NewSignInLink, SignIn};
use crate::ops::people::subscribe;
use crate::ops::sessions::{self, Stay};
use crate::web::context::Context;
use crate::web::cookies::session_cookie;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;
use crate::web::paths::{MEMBERS, next_path};

#[derive(Template)]
#[template(path = "me_sign_in.html", config = "src/web/askama.toml")]
struct SignInPage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    /// The text that the visitor typed.
    email: String,
    stays: bool,
    next: String,
}

#[derive(Template)]
#[template(path = "me_mailed.html", config = "src/web/askama.toml")]
struct MailedPage {
    frame: Frame,
    address: String,
    /// How long the link works, in words.
    time: String,
    again: String,
}

#[derive(Template)]
#[template(path = "me_link.html", config = "src/web/askama.toml")]
struct LinkPage {
    frame: Frame,
    csrf: String,
    address: String,
    stays: bool,
}

/// The form that asks for an address.
pub(super) fn page(context: &Context) -> PageResult {
    let next = next_path(context.query.get("next"));
    context.show(&form(context, next, FieldProblems::default()))
}

/// `POST /members/` by a stranger, with `email`, `stay` and `next`.
pub(super) async fn ask(context: Arc<Context>) -> PageResult {
    let next = next_path(context.form.get("next"));
    let typed = context.form.get("email").trim();
    let Ok(address) = EmailAddress::parse(typed) else {
        let problem = problem_of_address(context.language, typed);
        let page = form(&context, next, FieldProblems::one("email", problem));
        return context.html(StatusCode::BAD_REQUEST, &page);
    };
    let core = &context.core;
    let stay = if context.form.get("stay").is_empty() { Stay::Usual } else { Stay::Long };
    let token = sign_in::new_token(&core.secrets);
    let request = NewSignInLink { address: address.clone(), stay, next, token };
    let asked = core.perform(&context.caller(), move |tx, by| sign_in::ask(tx, by, request)).await?;
    asked.map_err(|until| too_many(&context, until))?;
    context.show(&MailedPage {
        frame: Frame::of(&context),
        address: address.to_string(),
        time: locale::duration(context.language, SIGN_IN_LINK_WORKS_FOR),
        again: context.href(MEMBERS),
    })
}

/// The problem of a text that is no address.
pub(in crate::web) fn problem_of_address(language: Language, typed: &str) -> String {
    match typed {
        "" => text!(language, "me-email-missing"),
        typed if !typed.contains('@') => text!(language, "me-email-without-at"),
        _ => text!(language, "me-email-wrong"),
    }
}

/// The error for a client that has caused too much mail.
pub(super) fn too_many(context: &Context, until: Timestamp) -> PageError {
    PageError::TooMany { retry_secs: until.since(context.core.now()).as_secs().max(1) }
}

fn form(context: &Context, next: String, problems: FieldProblems) -> SignInPage {
    SignInPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(MEMBERS),
        problems,
        email: context.form.get("email").to_owned(),
        stays: !context.form.get("stay").is_empty(),
        next,
    }
}

/// `GET /members/in/{token}/`: changes nothing, since mail scanners follow every link.
pub(in crate::web) fn link_page(context: &Context) -> PageResult {
    let SignInLink { address, stays, .. } = opened(context)?;
    let (frame, address) = (Frame::of(context), address.to_string());
    context.show(&LinkPage { frame, csrf: context.csrf(), address, stays })
}

/// `POST /members/in/{token}/`: signs in.
pub(in crate::web) async fn open(context: Arc<Context>) -> PageResult {
    let link = opened(&context)?;
    if !context.is_csrf_right() {
        return Err(PageError::Forged);
    }
    let core = &context.core;
    let source = (Via::Link, Some(context.site.client));
    let caller = subscribe::person(&context.read()?, link.contact, source)?;
    let caller = Arc::new(caller.ok_or(PageError::DeadLink)?);
    let (cookie_token, token_hash) = sessions::new_token(&core.secrets);
    let (token, device) = (context.token().to_owned(), context.device().clone());
    let begun =
        core.perform(&caller, move |tx, by| sign_in::begin(tx, by, &token, device, token_hash)).await?;
    let (session, next) = begun.map_err(|over| refusal(&over))?;
    let path = if next.is_empty() { context.href(MEMBERS) } else { next };
    let mut response = context.lead_to(&path);
    let cookie = session_cookie(core.links.base_url(), &session, &cookie_token, core.now());
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}

/// The link of the request if it is open and belongs to this site.
fn opened(context: &Context) -> Result<SignInLink, PageError> {
    let core = &context.core;
    match sign_in::open(&context.read()?, context.token(), core.now())? {
        SignIn::Open(link) if context.site.answers_for(Some(link.account)) => Ok(link),
        SignIn::Open(_) => Err(PageError::DeadLink),
        over => Err(refusal(&over)),
    }
}

fn refusal(over: &SignIn) -> PageError {
    match over {
        SignIn::Used => PageError::SignInUsed,
        SignIn::Expired => PageError::SignInExpired,
        SignIn::Open(_) | SignIn::Unknown => PageError::DeadLink,
    }
}
