//! The page on which a member is forgotten, and the one that says that it has happened.

use std::sync::Arc;

use askama::Template;
use axum::http::{StatusCode, header};

use crate::locale::text;
use crate::model::erasure::OwnPosts;
use crate::model::{ContactId, Person};
use crate::ops::people::{erasure, memberships};
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

#[derive(Template)]
#[template(path = "erase.html", config = "src/web/askama.toml")]
struct ErasePage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    /// The path of the download.
    download: String,
    /// How many lists the member is on.
    lists: usize,
}

#[derive(Template)]
#[template(path = "erased.html", config = "src/web/askama.toml")]
struct ErasedPage {
    frame: Frame,
    /// Whether the posts stay; `None` if the address does not say so.
    posts: Option<OwnPosts>,
}

/// `GET /members/erase/`
pub(in crate::web) fn page(context: &Context) -> PageResult {
    context.show(&form(context, FieldProblems::default())?)
}

/// `POST /members/erase/`: `action=erase` and `posts=keep` or `remove`.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let contact = member(&context)?;
    let refused = |field, problem| {
        context.html(StatusCode::BAD_REQUEST, &form(&context, FieldProblems::one(field, problem))?)
    };
    if context.form.get("action") != "erase" {
        return refused("erase", text!(context.language, "problem-no-button"));
    }
    let Some(posts) = OwnPosts::from_word(context.form.get("posts")) else {
        return refused("posts", text!(context.language, "data-erase-not-chosen"));
    };
    let (session, caller) = (context.session()?.clone(), context.person()?);
    context
        .core
        .perform_reserved(&caller, move |tx, by| erasure::begin(tx, &by.caller, contact, posts, by.now))
        .await?;
    let mut response = context.see_other(&format!("/members/erased/?posts={}", posts.word()));
    response.headers_mut().append(header::SET_COOKIE, context.clear_session(&session));
    Ok(response)
}

/// `GET /members/erased/`
pub(in crate::web) fn erased(context: &Context) -> PageResult {
    if context.account.is_none() {
        return Err(PageError::NotFound);
    }
    let posts = OwnPosts::from_word(context.query.get("posts"));
    context.show(&ErasedPage { frame: Frame::of(context), posts })
}

fn member(context: &Context) -> Result<ContactId, PageError> {
    match context.session()?.person {
        Person::Member(contact) => Ok(contact),
        Person::Admin(_) => Err(PageError::SignInNeeded),
    }
}

fn form(context: &Context, problems: FieldProblems) -> Result<ErasePage, PageError> {
    let session = context.session()?;
    let tx = context.read()?;
    let lists = memberships::count_of(&tx, session.account, member(context)?)?;
    Ok(ErasePage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(&context.path),
        problems,
        download: context.href("/members/download/"),
        lists,
    })
}
