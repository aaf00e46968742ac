//! The page of a list: what it is about, its newest threads, how to write to it, how to join and leave it.
//!
//! A list that a visitor may not know of is answered like one that does not exist.

use std::sync::Arc;

use askama::Template;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::archive::list::ArchiveView;
use super::archive::page::{self, ArchiveHead};
use super::archive::show::Shower;
use super::archive::{access, closed};
use super::context::{self, Context};
use super::directory::{facts, join_path};
use super::error::{PageError, PageResult};
use super::frame::Frame;
use super::heading::{Address, heading_and_text};
use super::paths::{MEMBERS, with_next};
use crate::locale::text;
use crate::model::account::Subscriptions;
use crate::model::list::MessageRejections;
use crate::model::{Language, List, Moderate, Place};
use crate::ops::archive::access as archives;
use crate::ops::domains;
use crate::ops::lists::directory::{self, ShownList};

#[derive(Template)]
#[template(path = "list.html", config = "src/web/askama.toml")]
struct ListPage {
    frame: Frame,
    /// The facts of the archive for the head of the page, if the visitor may read it.
    archive: Option<ArchiveHead>,
    /// The archive, if the visitor may read it.
    view: Option<ArchiveView>,
    /// The path of the page that asks for the password of the archive, if that opens it.
    password: Option<String>,
    /// The path on which a member signs in to read the archive, if that opens it.
    read: Option<String>,
    name: String,
    heading: String,
    lede: String,
    address: Address,
    /// Sentences that say who may write to the list, and how mail from others is handled.
    posting: Vec<String>,
    facts: Vec<String>,
    join: Option<String>,
    /// The path of the page on which a member writes, for those who are signed in or read the archive.
    write: Option<String>,
    is_signed_in: bool,
    /// The path of the form to leave the list.
    leave: Option<String>,
    is_member: bool,
    members: String,
    owner: String,
}

/// `GET /lists/{name}/`
pub(super) async fn page(context: Arc<Context>) -> PageResult {
    context::blocking(&context, show).await
}

fn show(context: &Context) -> PageResult {
    let account = context.site_account()?;
    let tx = context.read()?;
    let found = directory::find(&tx, account, context.param("name"), &context.reader(&tx)?)?;
    let shown = found.ok_or(PageError::NotFound)?;
    if shown.list.name.as_str() != context.param("name") {
        return Ok(to_canonical(context, &shown.list));
    }
    let domain = domains::main_domain(&tx, account.id)?.name;
    let opened = access::open_list(context, &tx, account.clone(), shown.list.clone())?;
    let (mut archive, mut view) = (None, None);
    if let Some(opened) = &opened {
        let shower = Shower::new(context, &tx, opened)?;
        view = Some(ArchiveView::of(context, &tx, opened, &shower)?);
        archive = Some(ArchiveHead::of(context, opened, &shower.links, &canonical(context)));
    }
    drop(tx);
    let (facts, join) = (facts(context, &shown), join_path(context, &shown));
    let asks_password = opened.is_none() && archives::asks_password(&shown.list);
    let is_for_members = opened.is_none() && archives::opens_to_members(&shown.list);
    let ShownList { list, unsubscriptions, is_member, .. } = shown;
    let is_leaving_open = unsubscriptions != Subscriptions::Closed && Place::Join.answers();
    let (heading, description) = heading_and_text(&list.description);
    let is_signed_in = context.member().is_some();
    let page = ListPage {
        frame: Frame::of(context),
        archive,
        view,
        password: asks_password.then(|| closed::password_path(context, &list)),
        read: (is_for_members && !is_signed_in)
            .then(|| with_next(&context.href(MEMBERS), &context.list_path(&list))),
        heading: heading.unwrap_or_else(|| list.name.to_string()),
        lede: description,
        address: Address::new(format!("{}@{}", list.name, domain.as_str())),
        posting: posting(context.language, &list),
        facts,
        join,
        write: (is_signed_in || opened.is_some()).then(|| format!("{}write/", context.list_path(&list))),
        is_signed_in,
        leave: is_leaving_open.then(|| format!("{}join/?action=unsubscribe", context.list_path(&list))),
        is_member,
        members: context.href(MEMBERS),
        owner: format!("{}-owner@{}", list.name, domain.as_str()),
        name: list.name.to_string(),
    };
    match &opened {
        Some(opened) => page::show(context, opened, &page),
        None => context.show(&page),
    }
}

/// The query of this page, without what does not change it.
fn canonical(context: &Context) -> String {
    let after = context.query.get("after");
    if after.is_empty() { String::new() } else { format!("?after={after}") }
}

/// Redirects to the path of a list with its name as it is written.
fn to_canonical(context: &Context, list: &List) -> Response {
    let mut location = context.list_path(list);
    if let Some(query) = &context.raw_query {
        location.extend(["?", query]);
    }
    (StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, location)]).into_response()
}

/// Sentences that say who may write to a list, and how mail from others is handled.
fn posting(language: Language, list: &List) -> Vec<String> {
    let has = |bit| list.moderate.has(bit);
    let is_restricted = has(Moderate::SPECIFIC_SENDERS);
    let are_members = has(Moderate::LISTS) && list.restrict_post_lists.contains(&list.id);
    let mut sentences = Vec::new();
    sentences.push(match (is_restricted, are_members) {
        (false, _) => text!(language, "list-posting-all"),
        (true, true) => text!(language, "list-posting-members"),
        (true, false) => text!(language, "list-posting-some"),
    });
    if has(Moderate::HOLD_ALL) {
        sentences.push(text!(language, "list-posting-moderated"));
    } else if is_restricted {
        sentences.push(match list.message_rejections {
            MessageRejections::Hold => text!(language, "list-posting-others-wait"),
            MessageRejections::Reject | MessageRejections::Discard => {
                text!(language, "list-posting-others-refused")
            }
        });
    }
    sentences
}
