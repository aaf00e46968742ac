//! The page of the link that unlocks an address. It is mailed when somebody was wrong too often. Whoever reads that mail
//! is the person: the browser is known from then on, so that strangers cannot lock it out again at once.

use std::sync::Arc;

use askama::Template;
use axum::http::{StatusCode, header};

use crate::locale::text;
use crate::ops::accounts::sign_in;
use crate::ops::accounts::sign_in::lockout::{self, Unlocking};
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::frame::Frame;
use crate::web::paths::{FORGOTTEN, LOGIN};

#[derive(Template)]
#[template(path = "login_unlock.html", config = "src/web/askama.toml")]
struct UnlockPage {
    frame: Frame,
    username: String,
    state: State,
    login: String,
    forgotten: String,
}

/// The effect of the link.
#[derive(PartialEq)]
enum State {
    /// It unlocks the address.
    Open,
    /// It has just unlocked it.
    Done,
    /// The address is not locked any more, or for another reason.
    Over,
}

/// `GET /login/unlock/{token}/`: changes nothing, since mail scanners follow every link.
pub(in crate::web) fn page(context: &Context) -> PageResult {
    let core = &context.core;
    let link = lockout::open(&context.read()?, &core.signer, context.token(), core.now())?;
    show(context, link, State::Open)
}

/// `POST /login/unlock/{token}/`
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let token = context.token().to_owned();
    let caller = sign_in::visitor(&context.site);
    let link = context.core.perform(&caller, move |tx, by| lockout::unlock(tx, by, &token)).await?;
    let known = link.as_ref().filter(|link| link.is_open).map(|link| context.set_known(&link.admin));
    let mut response = show(&context, link, State::Done)?;
    response.headers_mut().extend(known.map(|cookie| (header::SET_COOKIE, cookie)));
    Ok(response)
}

/// The page of a link; `open` is its state if the address was locked.
fn show(context: &Context, link: Option<Unlocking>, open: State) -> PageResult {
    let link = link.filter(|link| context.site.answers_for(link.admin.account));
    let Unlocking { admin: _, username, is_open } = link.ok_or(PageError::DeadLink)?;
    let (login, forgotten) = (context.href(LOGIN), context.href(FORGOTTEN));
    let status = if is_open { StatusCode::OK } else { StatusCode::GONE };
    let state = if is_open { open } else { State::Over };
    let (frame, username) = (Frame::of(context), username.to_string());
    context.html(status, &UnlockPage { frame, username, state, login, forgotten })
}
