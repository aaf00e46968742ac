//! The endpoints of OAuth 2.0 for applications: `token/`, `refresh/` and `revoke/` below `/api/2/oauth/`, and the
//! server's metadata (RFC 8414).
//!
//! They speak the language of RFC 6749 and not that of the API's objects, so they stand beside its table of paths: the
//! caller is an application that proves itself by its secret, and errors have `error` beside `is_error` and `message`.
//! The authorization endpoint is a page of `web`.

mod call;
mod credentials;
mod described;
mod error;
mod metadata;
mod token;

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Response, header};
use axum::routing::any;
use serde_json::{Map, Value};

use super::answers::{NO_SNIFF, NO_STORE, redirect, success};
use super::body::Reading;
use super::error::ApiError;

use crate::http::bodies::{self, Bodies};
use crate::http::{self};
use crate::service::Core;
use call::{AUTHORIZE, Call, Endpoint, PATH};
use error::OauthError;

/// The paths of the endpoints with their operations, for the `OpenAPI` document.
pub(super) fn described_paths() -> Map<String, Value> {
    described::paths()
}

/// The schemas that these paths name.
pub(super) fn described_schemas() -> Map<String, Value> {
    described::schemas()
}

/// The state that all requests share.
struct Applications {
    core: Core,
    bodies: Bodies,
}

/// The routes.
pub(super) fn router(core: Core, bodies: Bodies) -> Router {
    let shared = Arc::new(Applications { core, bodies });
    let mut router = Router::new();
    for endpoint in Endpoint::ALL {
        let shared = Arc::clone(&shared);
        let answer = any(move |request: Request| {
            let shared = Arc::clone(&shared);
            async move { shared.answer(endpoint, request).await }
        });
        router = router.route(&format!("{PATH}{}", endpoint.path()), answer);
    }
    for path in Endpoint::ALL.map(Endpoint::path).into_iter().chain([AUTHORIZE]) {
        let answer =
            any(|request: Request| async move { redirect(request.uri().path(), request.uri().query()) });
        router = router.route(&format!("{PATH}{}", path.trim_end_matches('/')), answer);
    }
    let answer = any(move |request: Request| {
        let shared = Arc::clone(&shared);
        async move { shared.metadata(&request) }
    });
    router.route(metadata::WELL_KNOWN, answer)
}

impl Applications {
    async fn answer(&self, endpoint: Endpoint, request: Request) -> Response<Body> {
        let client = http::client_addr(request.extensions());
        let (parts, body) = request.into_parts();
        let answered = self.respond(endpoint, &parts, body, client).await;
        let response = answered
            .map_or_else(OauthError::into_response, |answer| success(Bytes::from(answer.to_string())));
        tracing::debug!(
            http.path = parts.uri.path(),
            http.status = response.status().as_u16(),
            client = %client,
            "An application was answered",
        );
        finished(response)
    }

    async fn respond(
        &self,
        endpoint: Endpoint,
        parts: &Parts,
        body: Body,
        client: IpAddr,
    ) -> Result<Value, OauthError> {
        http::check_client(&parts.extensions).map_err(ApiError::from)?;
        if parts.method != Method::POST {
            return Err(ApiError::method("POST").into());
        }
        let (owner, bytes_max) = (bodies::stranger(client), bodies::STRANGER_BYTES_MAX);
        let reading = Reading { bodies: &self.bodies, parts, owner, bytes_max, refusal: None };
        let (params, _share) = reading.params(body).await?;
        let call = Call { core: &self.core, parts, params, client };
        match endpoint {
            Endpoint::Token => token::token(call).await,
            Endpoint::Refresh => token::refresh(call).await,
            Endpoint::Revoke => token::revoke(call).await,
        }
    }

    fn metadata(&self, request: &Request) -> Response<Body> {
        let answer = match *request.method() {
            Method::GET | Method::HEAD => success(Bytes::from(metadata::of(&self.core).to_string())),
            _ => ApiError::method("GET, HEAD").into_response(),
        };
        finished(answer)
    }
}

/// An answer with the header fields that all have: it may hold tokens.
fn finished(mut response: Response<Body>) -> Response<Body> {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, NO_STORE);
    headers.insert(header::PRAGMA, HeaderValue::from_static("no-cache"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, NO_SNIFF);
    response
}
