//! The page "This archive is for members", which a visitor gets who may not read an archive, with the ways in.
//!
//! It is one answer for every path below a list whose own page the visitor may see, so that it tells nothing of what
//! the archive has: whatever the path names, only the path itself, to which signing in leads, is different.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

use super::access::password_path;
use crate::locale::text;
use crate::model::List;
use crate::ops::archive::access::asks_password;
use crate::web::context::Context;
use crate::web::directory::{heading_and_text, list_path};
use crate::web::error::PageError;
use crate::web::frame::Frame;

/// The facts about an archive that is closed to a visitor who may know of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedArchive {
    /// The name of the list for people.
    list: String,
    /// The path of the list's page.
    list_href: String,
    /// The path and query that were asked for.
    next: String,
    /// The path of the form of the password, if one opens the archive.
    password: Option<String>,
    /// Whether members of the list read the archive.
    is_for_members: bool,
}

#[derive(Template)]
#[template(path = "archive_closed.html", config = "src/web/askama.toml")]
struct ClosedPage<'a> {
    frame: Frame,
    csrf: String,
    closed: &'a ClosedArchive,
    /// The path of the form that asks for a link to sign in; `None` if a member is signed in already.
    sign_in: Option<String>,
}

impl ClosedArchive {
    /// The facts for the page about this archive.
    pub(super) fn of(context: &Context, list: &List) -> ClosedArchive {
        ClosedArchive {
            list: heading_and_text(&list.description).0.unwrap_or_else(|| list.name.to_string()),
            list_href: list_path(context, list),
            next: asked_for(context),
            password: asks_password(list).then(|| password_path(context, list)),
            is_for_members: list.archive_memberview,
        }
    }

    /// Shows the page.
    pub(in crate::web) fn page(&self, context: &Context, status: StatusCode) -> Result<Response, PageError> {
        let asks_address = self.is_for_members && context.member().is_none();
        context.html(
            status,
            &ClosedPage {
                frame: Frame::of(context),
                csrf: context.csrf(),
                closed: self,
                sign_in: asks_address.then(|| context.href("/members/")),
            },
        )
    }
}

/// The path and query of the request, as browsers must request them.
pub(super) fn asked_for(context: &Context) -> String {
    let query = context.raw_query.as_ref().map(|query| format!("?{query}")).unwrap_or_default();
    format!("{}{query}", context.href(&context.path))
}
