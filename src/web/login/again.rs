//! Asks a person who is signed in for the password again, before what is sensitive: changes of administrators, keys,
//! factors and applications call [`Context::ask_again`] first.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

use super::providers;
use super::session::too_many;
use crate::clock::Timestamp;
use crate::locale::text;
use crate::model::{Admin, Session};
use crate::ops::accounts::sign_in::{self, again};
use crate::ops::sessions;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;
use crate::web::paths::{AGAIN, OWN_PAGE, next_path, with_next};

/// How long a proof of the identity is enough.
const PROOF_LASTS: Duration = Duration::from_mins(15);

#[derive(Template)]
#[template(path = "login_again.html", config = "src/web/askama.toml")]
struct AgainPage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    username: String,
    next: String,
}

impl Context {
    /// The redirect to the page that asks an administrator for the password again; `None` if the last proof is fresh
    /// enough. `next` is the path, below the root of the site, of the page to come back to.
    pub(in crate::web) fn ask_again(&self, next: &str) -> Result<Option<Response>, PageError> {
        let session = self.admin().ok_or(PageError::SignInNeeded)?;
        if proof_of(session, self.core.now()).is_some() {
            return Ok(None);
        }
        Ok(Some(self.see_other(&with_next(AGAIN, &self.href(next)))))
    }
}

/// When the person of a session proved the identity, if that is fresh enough.
pub(in crate::web) fn proof_of(session: &Session, now: Timestamp) -> Option<Timestamp> {
    // A proof in the future was made before the clock was set back.
    Some(session.proven).filter(|proven| now < *proven + PROOF_LASTS && *proven <= now)
}

/// `GET /login/again/`, with `next`.
pub(in crate::web) fn page(context: &Context) -> PageResult {
    let next = next_path(context.query.get("next"));
    let admin = admin_of(context)?;
    // Whoever has no password proves the identity where it was proven before.
    if let Some(provider) = &admin.authn_provider {
        return Ok(context.lead_to(&format!("{}&again=1", providers::path_to(context, provider, &next))));
    }
    context.show(&form(context, &admin, next, FieldProblems::default()))
}

/// `POST /login/again/`, with `password` and `next`.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let next = next_path(context.form.get("next"));
    let admin = admin_of(&context)?;
    let password = context.form.get("password").to_owned();
    if password.is_empty() {
        let problem = FieldProblems::one("password", text!(context.language, "login-password-missing"));
        return context.html(StatusCode::BAD_REQUEST, &form(&context, &admin, next, problem));
    }
    if !is_proven(&context, &admin, password).await? {
        let problem = FieldProblems::one("password", text!(context.language, "login-again-wrong"));
        return context.html(StatusCode::BAD_REQUEST, &form(&context, &admin, next, problem));
    }
    let path = if next.is_empty() { context.href(OWN_PAGE) } else { next };
    Ok(context.lead_to(&path))
}

/// Whether the password of the person who is signed in is right. An error counts as one when signing in does; what is
/// right is noted in the session.
pub(in crate::web) async fn is_proven(
    context: &Context,
    admin: &Admin,
    password: String,
) -> Result<bool, PageError> {
    let core = &context.core;
    let Some(username) = admin.username.clone() else { return Ok(false) };
    let _turn = core.passwords.turn(&sign_in::subject_of(&username)).await;
    let (session, caller) = (context.session()?.id, context.person()?);
    let asked = again::ask(&context.read()?, &context.site, (admin, session), core.now())?;
    let asked = asked.map_err(|until| too_many(context, until))?;
    let is_right = core.passwords.is_somebodys(asked.hash.clone(), password).await?;
    let settled = core.perform_reserved(&caller, move |tx, by| again::settle(tx, by, &asked, is_right));
    Ok(settled.await?)
}

/// The administrator who is signed in.
pub(in crate::web) fn admin_of(context: &Context) -> Result<Admin, PageError> {
    sessions::admin_of(&context.read()?, context.session()?)?.ok_or(PageError::SignInNeeded)
}

fn form(context: &Context, admin: &Admin, next: String, problems: FieldProblems) -> AgainPage {
    AgainPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(AGAIN),
        problems,
        username: admin.username.as_ref().map(ToString::to_string).unwrap_or_default(),
        next,
    }
}
