//! The pages of members: signing in by a mailed link, and what belongs to the member who is signed in.
//!
//! [`page`] and [`act`] answer `/members/`, where everybody arrives: it asks strangers for their address and shows
//! members what is theirs. Every change is an operation of `ops::people::own`, which looks up by the session whose it
//! is; ids in forms only choose among what belongs to that member.

mod actions;
pub(super) mod download;
pub(super) mod erase;
mod overview;
pub(super) mod people;
pub(super) mod sign_in;

use std::sync::Arc;

use super::context::Context;
use super::error::{PageError, PageResult};
use super::form::FieldProblems;

/// `GET /members/`
pub(super) fn page(context: &Context) -> PageResult {
    if context.account.is_none() {
        return Err(PageError::NotFound);
    }
    if context.member().is_none() {
        return sign_in::page(context);
    }
    context.show(&overview::page(context, None, FieldProblems::default())?)
}

/// `POST /members/`: a stranger's request for a link to sign in, else a change of what is the member's own.
pub(super) async fn act(context: Arc<Context>) -> PageResult {
    if context.account.is_none() {
        return Err(PageError::NotFound);
    }
    if context.member().is_some() {
        return actions::act(context).await;
    }
    // The button of a member whose session has ended asks for no mail.
    if !context.form.get("action").is_empty() {
        return Err(PageError::SignInNeeded);
    }
    sign_in::ask(context).await
}
