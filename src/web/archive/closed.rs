//! The page "This archive is for members", which a visitor gets who may not read an archive, with the ways in.
//!
//! It is one answer for every path below a list whose own page the visitor may see, so that it tells nothing of what
//! the archive has: whatever the path names, only the path itself, to which signing in leads, is different.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

use crate::locale::text;
use crate::model::List;
use crate::ops::archive::access::asks_password;
use crate::web::context::Context;
use crate::web::error::{ClosedArchive, PageError};
use crate::web::frame::Frame;
use crate::web::heading::heading_and_text;
use crate::web::paths::MEMBERS;

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
            list_href: context.list_path(list),
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
                sign_in: asks_address.then(|| context.href(MEMBERS)),
            },
        )
    }
}

/// The path and query of the request, as browsers must request them.
pub(super) fn asked_for(context: &Context) -> String {
    let query = context.raw_query.as_ref().map(|query| format!("?{query}")).unwrap_or_default();
    format!("{}{query}", context.href(&context.path))
}

/// The path of the page that asks for the password of an archive.
pub(in crate::web) fn password_path(context: &Context, list: &List) -> String {
    format!("{}password/", context.list_path(list))
}
