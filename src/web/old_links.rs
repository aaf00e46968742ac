//! Answers addresses that the pages of a list had on another server, at the account's own host: it leads to the page that
//! they mean, or says that a message was not brought along.

use askama::Template;
use axum::http::StatusCode;

use super::archive::access;
use super::archive::list::month_name;
use super::context::Context;
use super::error::{PageError, PageResult};
use super::frame::Frame;
use super::head::moved;
use super::heading::heading_and_text;
use crate::locale::text;
use crate::model::{Domain, List};
use crate::ops::archive::months::Month;
use crate::ops::archive::old_links::{self, Asked, Found, Lead};
use crate::ops::domains::old_names::host_name;

/// The beginnings of paths that are this server's own: nothing below them is another server's.
const OWN: [&str; 5] = ["/lists/", "/admin/", "/members/", "/api/", "/assets/"];

#[derive(Template)]
#[template(path = "old_link.html", config = "src/web/askama.toml")]
struct MissingPage {
    frame: Frame,
    list: String,
    list_href: String,
    /// The subject of the message; blank if nobody knows.
    subject: String,
    /// The month of the message: its path and its name.
    month: Option<(String, String)>,
    /// The path of the search of the archive.
    action: String,
    /// A question to the search by all that is known of the message.
    q: String,
    /// Blank: nothing is wrong with a question that was not asked yet.
    problem: String,
}

/// Answers a request at a path that no page has. `authority` is the host in the request.
pub(super) fn answer(context: &Context, authority: Option<&str>) -> PageResult {
    let Some(account) = &context.account else { return Err(PageError::NotFound) };
    if OWN.iter().any(|own| context.path.starts_with(own)) {
        return Err(PageError::NotFound);
    }
    if context.is_suspended {
        return Err(PageError::Suspended);
    }
    let host = authority.and_then(host_name);
    let asked = Asked {
        host: host.as_ref().map(Domain::as_str),
        path: &context.path,
        query: context.raw_query.as_deref(),
    };
    let tx = context.read()?;
    match old_links::lead(&tx, account.id, &asked)?.ok_or(PageError::NotFound)? {
        Lead::Page(page) if page.starts_with('/') => Ok(moved(&context.href(&page))),
        Lead::Page(url) => Ok(moved(&url)),
        Lead::Archive { list, page } => {
            let archive = access::open_named(context, &tx, &list)?;
            match old_links::in_archive(&tx, &archive.list, &page)? {
                Found::At(below) => Ok(moved(&archive.href(context, &below))),
                Found::Missing { subject, month } => {
                    missing(context, &archive.list, subject, month.as_deref())
                }
            }
        }
    }
}

/// The page that says that a message was not brought along.
fn missing(context: &Context, list: &List, subject: String, month: Option<&str>) -> PageResult {
    let list_href = context.list_path(list);
    let known = month.and_then(Month::parse);
    let q = [words(&subject), known.map(span).unwrap_or_default()].join(" ").trim().to_owned();
    let action = format!("{list_href}search/");
    let page = MissingPage {
        frame: Frame::of(context),
        list: heading_and_text(&list.description).0.unwrap_or_else(|| list.name.to_string()),
        month: known.map(|month| (format!("{list_href}months/{month}/"), month_name(context, month))),
        list_href,
        subject,
        action,
        q,
        problem: String::new(),
    };
    context.html(StatusCode::NOT_FOUND, &page)
}

/// A subject as words of a question: nothing in it is an operator.
fn words(subject: &str) -> String {
    let plain = subject.replace(|c: char| !c.is_alphanumeric(), " ");
    let words = plain.split_whitespace().filter(|word| !word.eq_ignore_ascii_case("re"));
    words.take(12).collect::<Vec<_>>().join(" ")
}

/// A month as the search asks for it.
fn span(month: Month) -> String {
    format!("after:{month} before:{}", month.next())
}
