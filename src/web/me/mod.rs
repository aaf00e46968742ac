//! The pages of members: signing in by a mailed link, and what belongs to the member who is signed in.
//!
//! [`page`] and [`act`] answer `/members/`, where everybody arrives: it asks strangers for their address and shows
//! members what is theirs. Every change is an operation of `ops::people::own`, which looks up by the session whose it
//! is; ids in forms only choose among what belongs to that member.

pub(super) mod people;
pub(super) mod sign_in;

use std::sync::Arc;

use super::context::Context;
use super::error::PageError;
use super::table::PageResult;

/// `GET /members/`
pub(super) fn page(context: &Context) -> PageResult {
    if context.account.is_none() {
        return Err(PageError::NotFound);
    }
    sign_in::page(context)
}

/// `POST /members/`: the request for a link to sign in.
pub(super) async fn act(context: Arc<Context>) -> PageResult {
    if context.account.is_none() {
        return Err(PageError::NotFound);
    }
    sign_in::ask(context).await
}
