//! Parts of answers that all endpoints share: header fields, successes, and where a path goes on.

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Response, StatusCode, header};

use super::error::JSON;

/// `Cache-Control` of every answer: no cache may keep one.
pub(super) const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// `X-Content-Type-Options`: browsers must not guess another type.
pub(super) const NO_SNIFF: HeaderValue = HeaderValue::from_static("nosniff");

pub(super) fn success(body: Bytes) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    response.headers_mut().insert(header::CONTENT_TYPE, JSON);
    response
}

/// Redirects to the same path with a final slash. Clients keep the method and the body.
pub(super) fn redirect(path: &str, query: Option<&str>) -> Response<Body> {
    let location = match query {
        None => format!("{path}/"),
        Some(query) => format!("{path}/?{query}"),
    };
    let mut response =
        success(Bytes::from_static(br#"{"is_error":true,"message":"Paths end with a slash"}"#));
    *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
    if let Ok(location) = HeaderValue::try_from(location) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}
