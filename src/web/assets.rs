//! Serves the one file that pages load: the stylesheet. Its name changes with its content, so browsers cache it for
//! good.

use std::sync::LazyLock;

use axum::http::{HeaderValue, header};
use axum::response::IntoResponse as _;

use super::context::Context;
use super::error::PageError;
use super::table::PageResult;

/// The stylesheet of all pages.
pub const STYLE: &str = include_str!("assets/style.css");

/// Paths of what pages load: the same on every host.
pub(super) const FOLDER: &str = "/assets/";

/// Where the stylesheet is, on every host.
#[must_use]
pub fn style_path() -> &'static str {
    const HASH: u64 = fnv1a(STYLE.as_bytes());
    static PATH: LazyLock<String> = LazyLock::new(|| format!("{FOLDER}style-{HASH:016x}.css"));
    &PATH
}

/// The FNV-1a hash of a text: enough to tell two versions of a file apart.
const fn fnv1a(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    hash
}

/// `GET /assets/{file}`
pub(super) fn file(context: &Context) -> PageResult {
    const FOR_GOOD: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
    const CSS: HeaderValue = HeaderValue::from_static("text/css; charset=utf-8");
    if Some(context.param("file")) != style_path().strip_prefix(FOLDER) {
        return Err(PageError::NotFound);
    }
    Ok(([(header::CONTENT_TYPE, CSS), (header::CACHE_CONTROL, FOR_GOOD)], STYLE).into_response())
}
