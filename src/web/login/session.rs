//! What every way of signing in ends with: the session that begins, or the refusal of a client that was wrong too often.

use axum::http::header;

use crate::clock::Timestamp;
use crate::model::Session;
use crate::ops::sessions;
use crate::web::context::Context;
use crate::web::cookies::session_cookie;
use crate::web::error::{PageError, PageResult};
use crate::web::paths::{ADMINISTRATION, OWN_PAGE};

/// The response by which a browser keeps a session that has just begun, and goes on to `next`: a path of this host, or
/// blank for the first page of administrators. The browser is known from now on.
pub(super) fn signed_in(context: &Context, session: &Session, token: &str, next: &str) -> PageResult {
    let is_there = |path: &str| context.pages.iter().any(|page| page.path == path);
    let first = if is_there(ADMINISTRATION) { ADMINISTRATION } else { OWN_PAGE };
    let path = if next.is_empty() { context.href(first) } else { next.to_owned() };
    let mut response = context.lead_to(&path);
    let core = &context.core;
    let cookie = session_cookie(core.links.base_url(), session, token, core.now());
    response.headers_mut().append(header::SET_COOKIE, cookie);
    if let Some(admin) = sessions::admin_of(&context.read()?, session)? {
        response.headers_mut().append(header::SET_COOKIE, context.set_known(&admin));
    }
    Ok(response)
}

/// The error for a client that was wrong too often.
pub(super) fn too_many(context: &Context, until: Timestamp) -> PageError {
    PageError::TooMany { retry_secs: until.since(context.core.now()).as_secs().max(1) }
}
