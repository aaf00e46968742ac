//! The directory of an account, its first page: the lists that a visitor may know, and how to join each.
//!
//! The page shows what `ops::lists::directory` finds, and decides nothing about access.

use askama::Template;

use super::context::Context;
use super::error::PageResult;
use super::frame::Frame;
use super::heading::{Address, heading_and_text};
use super::paths::MEMBERS;
use crate::locale::{self, text};
use crate::model::account::Subscriptions;
use crate::model::{Account, Banner, BannerProblem, Place};
use crate::ops::domains;
use crate::ops::lists::directory::{self, DirectoryPage, Position, ShownList};

#[derive(Template)]
#[template(path = "directory.html", config = "src/web/askama.toml")]
struct Directory {
    frame: Frame,
    heading: String,
    lede: String,
    /// Whether the visitor has just signed out.
    signed_out: bool,
    /// Why the banner is not shown, for administrators.
    banner_problem: String,
    lists: Vec<Row>,
    previous: Option<String>,
    next: Option<String>,
    members: String,
    postmaster: String,
    /// Whether an administrator looks, who may write programs.
    is_administrator: bool,
}

/// A list of the directory.
struct Row {
    heading: String,
    description: String,
    address: Address,
    /// How many members it has, and who may join.
    facts: Vec<String>,
    /// The path of its page, if that leads to an archive that the visitor may read.
    page: Option<String>,
    /// The path of the form to join it.
    join: Option<String>,
}

/// `GET /` of an account: `after` or `before` a name says which page.
pub(super) fn page(context: &Context, account: &Account) -> PageResult {
    let tx = context.read()?;
    let position = match (context.query.get("after"), context.query.get("before")) {
        ("", "") => Position::First,
        ("", before) => Position::Before(before.to_ascii_lowercase()),
        (after, _) => Position::After(after.to_ascii_lowercase()),
    };
    let reader = context.reader(&tx)?;
    let found = directory::page(&tx, account, &reader, &position)?;
    let domain = domains::main_domain(&tx, account.id)?.name;
    drop(tx);
    let language = context.language;
    let DirectoryPage { lists, previous, next } = found;
    let (heading, description) = heading_and_text(&account.description);
    let to = |which: &str, name: String| context.href(&format!("/?{which}={name}"));
    context.show(&Directory {
        frame: Frame::of(context),
        heading: heading.unwrap_or_else(|| text!(language, "directory-title")),
        lede: match description {
            _ if !description.is_empty() => description,
            // Nobody can join what is not there.
            _ if lists.is_empty() => String::new(),
            _ => text!(language, "directory-lede"),
        },
        signed_out: context.query.get("done") == "signout" && context.signed_in().is_none(),
        banner_problem: if reader.admin.is_some() { banner_problem(context) } else { String::new() },
        lists: lists.into_iter().map(|shown| row(context, shown, domain.as_str())).collect(),
        previous: previous.map(|name| to("before", name)),
        next: next.map(|name| to("after", name)),
        members: context.href(MEMBERS),
        is_administrator: context.admin().is_some(),
        postmaster: format!("postmaster@{}", domain.as_str()),
    })
}

/// Why the account's banner could not be fetched; blank if it was, or none is wanted.
fn banner_problem(context: &Context) -> String {
    let language = context.language;
    let Some(Banner { problem: Some(problem), url, due, .. }) = &context.banner else {
        return String::new();
    };
    let what = match problem {
        BannerProblem::Unreachable => text!(language, "directory-banner-unreachable", url = url),
        BannerProblem::Missing => text!(language, "directory-banner-missing", url = url),
        BannerProblem::TooLarge => text!(language, "directory-banner-too-large", url = url),
        BannerProblem::NoImage => text!(language, "directory-banner-no-image", url = url),
        BannerProblem::TooManyPixels => text!(language, "directory-banner-pixels", url = url),
    };
    let next = match due {
        Some(due) => text!(language, "directory-banner-again", time = context.locale().moment(*due)),
        None => text!(language, "directory-banner-given-up"),
    };
    format!("{what} {next}")
}

fn row(context: &Context, shown: ShownList, domain: &str) -> Row {
    let facts = facts(context, &shown);
    let join = join_path(context, &shown);
    let ShownList { list, is_archive_listed, .. } = shown;
    let (heading, description) = heading_and_text(&list.description);
    Row {
        heading: heading.unwrap_or_else(|| list.name.to_string()),
        description,
        address: Address::new(format!("{}@{domain}", list.name)),
        facts,
        page: is_archive_listed.then(|| context.list_path(&list)),
        join,
    }
}

/// How many members a list has, where everybody may know it, and who may join.
pub(super) fn facts(context: &Context, shown: &ShownList) -> Vec<String> {
    let language = context.language;
    let members = shown.members.map(|count| {
        text!(language, "directory-members", count = count, number = locale::number(language, count))
    });
    let joining = match shown.subscriptions {
        _ if shown.is_member => text!(language, "directory-is-member"),
        Subscriptions::Open => text!(language, "directory-open"),
        Subscriptions::OpenConfirm => text!(language, "directory-approval"),
        Subscriptions::Closed => text!(language, "directory-closed"),
    };
    members.into_iter().chain([joining]).collect()
}

/// The path of the form to join a list, if this visitor can join it.
pub(super) fn join_path(context: &Context, shown: &ShownList) -> Option<String> {
    let is_joinable = shown.subscriptions != Subscriptions::Closed && !shown.is_member;
    (is_joinable && Place::Join.answers()).then(|| format!("{}join/", context.list_path(&shown.list)))
}
