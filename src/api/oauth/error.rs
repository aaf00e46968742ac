//! Errors of OAuth's endpoints: the form of RFC 6749 5.2 and that of the API at once.

use axum::body::Body;
use axum::http::{Response, StatusCode, header};
use serde_json::json;

use crate::api::error::{ApiError, JSON};
use crate::store::StoreError;

/// The refusal of an application's request.
#[derive(Debug)]
pub(super) struct OauthError {
    /// The code that programs read.
    code: &'static str,
    /// The status, the header fields and the words.
    error: ApiError,
}

impl OauthError {
    /// An error with a status of 400.
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> OauthError {
        OauthError { code, error: ApiError::bad_request(message) }
    }

    /// A request that is not well formed.
    pub(super) fn invalid(message: impl Into<String>) -> OauthError {
        OauthError::new("invalid_request", message)
    }

    /// A code or token that does not work.
    pub(super) fn grant(message: impl Into<String>) -> OauthError {
        OauthError::new("invalid_grant", message)
    }

    /// An application that does not prove itself.
    pub(super) fn client(message: impl Into<String>) -> OauthError {
        OauthError { code: "invalid_client", error: ApiError::unknown_application(message) }
    }

    pub(super) fn into_response(self) -> Response<Body> {
        let (_, message, _) = self.error.clone().into_parts();
        let body = json!({
            "error": self.code,
            "error_description": message,
            "is_error": true,
            "message": message,
        });
        let (mut parts, _) = self.error.into_response().into_parts();
        parts.headers.insert(header::CONTENT_TYPE, JSON);
        Response::from_parts(parts, Body::from(body.to_string()))
    }
}

impl From<ApiError> for OauthError {
    fn from(error: ApiError) -> OauthError {
        let code = match StatusCode::from_u16(error.status()) {
            Ok(StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) => "temporarily_unavailable",
            Ok(status) if status.is_server_error() => "server_error",
            _ => "invalid_request",
        };
        OauthError { code, error }
    }
}

impl From<StoreError> for OauthError {
    fn from(error: StoreError) -> OauthError {
        ApiError::from(error).into()
    }
}
