//! The parts that all pages of an archive have around their content: where one is, the canonical link, what robots and
//! caches may do.

use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse as _, Response};

use super::access::OpenArchive;
use crate::model::Links;
use crate::secret::sha256;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};

/// Caches may keep a page that everybody may read, and ask each time whether it is still the same.
const CACHED: HeaderValue = HeaderValue::from_static("public, max-age=0, must-revalidate");
/// The fields of a request that the page depends on beside its address.
const VARY: HeaderValue = HeaderValue::from_static("Cookie, Accept-Language");

/// The facts that a page of an archive has in its head.
pub(in crate::web) struct ArchiveHead {
    /// The absolute address that search engines should know; `None` where they should know none.
    pub(in crate::web) canonical: Option<String>,
    /// The list's name.
    pub(in crate::web) list_name: String,
    /// The path of the list's page.
    pub(in crate::web) list_href: String,
    /// The path on which a visitor signs in to see addresses, if they are hidden.
    pub(in crate::web) sign_in: Option<String>,
}

impl ArchiveHead {
    /// The facts of the page at `path` below the page of the list.
    pub(in crate::web) fn of(
        context: &Context,
        archive: &OpenArchive,
        links: &Links,
        path: &str,
    ) -> ArchiveHead {
        let canonical = archive.is_public.then(|| links.list(&archive.list)).flatten();
        let sign_in = (!archive.shows_addresses && archive.reader.member.is_none()).then(|| {
            let next = context.href(&context.path);
            let next = percent_encoding::utf8_percent_encode(&next, percent_encoding::NON_ALPHANUMERIC);
            format!("{}?next={next}", context.href("/members/"))
        });
        ArchiveHead {
            canonical: canonical.map(|list| format!("{list}{path}")),
            list_name: archive.list.name.to_string(),
            list_href: archive.href(context, ""),
            sign_in,
        }
    }
}

/// Shows a page of an archive. One that everybody may read carries an `ETag`, and is answered with 304 to a browser that
/// has it already; what a signed-in visitor gets is kept nowhere.
pub(in crate::web) fn show(context: &Context, archive: &OpenArchive, page: &impl Template) -> PageResult {
    let html = page.render().map_err(|error| PageError::Internal(error.to_string()))?;
    if !archive.is_public || context.is_personal() {
        return Ok(Html(html).into_response());
    }
    let etag = format!("\"{}\"", data_encoding::HEXLOWER.encode(&sha256(html.as_bytes())[..12]));
    let mut response: Response = if context.has_version(&etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Html(html).into_response()
    };
    let headers = response.headers_mut();
    // Hexadecimal digits in quotes are a value of a header field.
    headers.extend(HeaderValue::from_str(&etag).map(|etag| (header::ETAG, etag)));
    headers.insert(header::CACHE_CONTROL, CACHED);
    headers.insert(header::VARY, VARY);
    Ok(response)
}
