//! Serves the files that pages load: the stylesheet, and the one script of administrators' pages. Their names change with
//! their content, so browsers cache them for good.

use std::sync::LazyLock;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};

use super::context::Context;
use super::error::{PageError, PageResult};

/// The stylesheet of all pages.
pub const STYLE: &str = include_str!("assets/style.css");

/// The script of administrators' pages: keys, and other comforts.
const KEYS: &str = include_str!("assets/keys.js");

/// The icon that browsers ask for at every host.
const ICON_BYTES: &[u8] = include_bytes!("assets/favicon.ico");

/// The path of the icon.
pub(super) const ICON: &str = "/favicon.ico";

/// Paths of what pages load: the same on every host.
pub(super) const FOLDER: &str = "/assets/";

/// Where the stylesheet is, on every host.
#[must_use]
pub fn style_path() -> &'static str {
    const HASH: u64 = fnv1a(STYLE.as_bytes());
    static PATH: LazyLock<String> = LazyLock::new(|| format!("{FOLDER}style-{HASH:016x}.css"));
    &PATH
}

/// Where the script of administrators' pages is, on every host.
#[must_use]
pub fn keys_path() -> &'static str {
    const HASH: u64 = fnv1a(KEYS.as_bytes());
    static PATH: LazyLock<String> = LazyLock::new(|| format!("{FOLDER}keys-{HASH:016x}.js"));
    &PATH
}

/// A response whose page may run the script, and have it ask this server for the page anew.
pub(super) fn with_script(mut response: Response) -> Response {
    const POLICY: HeaderValue = HeaderValue::from_static(
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, POLICY);
    response
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
    const JS: HeaderValue = HeaderValue::from_static("text/javascript; charset=utf-8");
    let is_named = |path: &'static str| Some(context.param("file")) == path.strip_prefix(FOLDER);
    let (kind, text) = if is_named(style_path()) {
        (CSS, STYLE)
    } else if is_named(keys_path()) {
        (JS, KEYS)
    } else {
        return Err(PageError::NotFound);
    };
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, FOR_GOOD)], text).into_response())
}

/// `GET /favicon.ico`
pub(super) fn icon() -> Response {
    const A_WEEK: HeaderValue = HeaderValue::from_static("public, max-age=604800");
    const ICO: HeaderValue = HeaderValue::from_static("image/x-icon");
    ([(header::CONTENT_TYPE, ICO), (header::CACHE_CONTROL, A_WEEK)], ICON_BYTES).into_response()
}
