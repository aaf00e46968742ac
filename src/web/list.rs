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
use crate::ops::lists::writers;
use crate::ops::sessions;
use crate::store::ReadTx;

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
    /// Where the visitor writes to the list: on a page, for who is signed in, else by mail.
    write: Option<String>,
    /// The people who may write, for a visitor who may not; blank for others.
    writers: String,
    /// Where a visitor signs in who may be one of those.
    sign_in: Option<String>,
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
    let address = format!("{}@{}", shown.list.name, domain.as_str());
    let WaysToWrite { write, writers, sign_in } = ways_to_write(context, &tx, &shown.list, &address)?;
    let (facts, join) = (facts(context, &shown), join_path(context, &shown));
    drop(tx);
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
        address: Address::new(address),
        posting: posting(context.language, &list),
        facts,
        join,
        write,
        writers,
        sign_in,
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

/// The one way in which a visitor writes to a list, or who may.
struct WaysToWrite {
    write: Option<String>,
    writers: String,
    sign_in: Option<String>,
}

fn ways_to_write(
    context: &Context,
    tx: &ReadTx,
    list: &List,
    address: &str,
) -> Result<WaysToWrite, PageError> {
    let person = match context.member() {
        Some(session) => sessions::member_of(tx, session)?,
        None => None,
    };
    let page = format!("{}write/", context.list_path(list));
    let write = match &person {
        Some(person) => writers::takes_from(tx, list, person)?.then(|| page.clone()),
        None => writers::takes_from_all(list).then(|| format!("mailto:{address}")),
    };
    let may_not = write.is_none();
    Ok(WaysToWrite {
        write,
        writers: if may_not { writers_in_words(context.language, list) } else { String::new() },
        sign_in: (may_not && person.is_none()).then(|| with_next(&context.href(MEMBERS), &page)),
    })
}

/// The people who may write to a list that does not take what everybody writes, in words.
fn writers_in_words(language: Language, list: &List) -> String {
    if are_members(list) {
        text!(language, "list-writers-members")
    } else {
        text!(language, "list-writers-some")
    }
}

/// Whether the members of a list may write to it where not everybody may.
fn are_members(list: &List) -> bool {
    list.moderate.has(Moderate::LISTS) && list.restrict_post_lists.contains(&list.id)
}

/// Sentences that say who may write to a list, and how mail from others is handled.
fn posting(language: Language, list: &List) -> Vec<String> {
    let has = |bit| list.moderate.has(bit);
    let is_restricted = has(Moderate::SPECIFIC_SENDERS);
    let mut sentences = Vec::new();
    sentences.push(match (is_restricted, are_members(list)) {
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
