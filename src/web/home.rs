//! The first page of a site: an account's directory, or which server this is where several accounts live and none is
//! named.

use askama::Template;

use super::context::Context;
use super::directory;
use super::error::PageResult;
use super::frame::Frame;
use crate::locale::text;

#[derive(Template)]
#[template(path = "home.html", config = "src/web/askama.toml")]
struct HomePage {
    frame: Frame,
    /// Whether the visitor has just signed out.
    signed_out: bool,
}

/// `GET /`
pub(super) fn page(context: &Context) -> PageResult {
    if let Some(account) = &context.account {
        return directory::page(context, account);
    }
    let signed_out = context.query.get("done") == "signout" && context.signed_in().is_none();
    context.show(&HomePage { frame: Frame::of(context), signed_out })
}
