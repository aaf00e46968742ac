//! The host that a request names, and the header fields that every response has.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};

/// The Content-Security-Policy of every page: nothing from other hosts, nothing inline, no frames.
pub(super) const SECURITY_HEADERS: [(HeaderName, HeaderValue); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; \
             frame-ancestors 'none'",
        ),
    ),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

/// The host that a request names: from its target if that is an absolute URL (RFC 9112 3.2.2), else from its only
/// `Host` field.
pub(super) fn authority_of<'request>(
    uri: &'request Uri,
    headers: &'request HeaderMap,
) -> Option<&'request str> {
    if let Some(authority) = uri.authority() {
        return Some(authority.as_str());
    }
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(only), None) => only.to_str().ok(),
        _ => None,
    }
}

/// The answer that an address has moved for good. Forms are opened anew there.
pub(super) fn moved(location: &str) -> Response {
    let mut response = (StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, location)]).into_response();
    response.headers_mut().extend(SECURITY_HEADERS);
    response
}
