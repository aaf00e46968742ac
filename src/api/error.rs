//! The JSON of errors: `{"is_error": true, "message": …}` with a status.
//!
//! Every refusal of a request becomes an [`ApiError`]; only here do the errors of operations get their status and
//! words.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::shape::{Shaped, view};
use crate::http::TooManyRequests;
use crate::http::bodies::BodyError;
use crate::http::reference::Shape;
use crate::ops::OpError;
use crate::ops::server::auth_failures::TooMany;
use crate::ops::{Problem, Problems};
use crate::params::ReadError;
use crate::service::memory::{self, ReadingBusy};
use crate::service::passwords::{HashError, RETRY_SECS};
use crate::store::StoreError;

/// The challenge of Basic authentication.
const BASIC: HeaderValue = HeaderValue::from_static("Basic realm=\"Crier\", charset=\"UTF-8\"");
/// The type of every answer.
pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Message for a disk that is full or fails. The cause is written to the log only: it is no client's business.
const OUTAGE: &str = "Nothing can be stored at the moment, try again later";
/// Value of `Retry-After` during such an outage, in seconds.
const OUTAGE_RETRY_SECS: u64 = 60;

/// The refusal of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ApiError {
    status: StatusCode,
    message: String,
    /// Every wrong field; empty unless values are wrong.
    problems: Vec<Problem>,
    /// What a value conflicts with, which the message says.
    conflict: Option<Box<Problem>>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

view! {
    /// Why a request was refused.
    pub(super) struct ErrorBody<'a> as "Error" {
        /// Always true.
        is_error: bool,
        /// The reason, for people.
        message: &'a str,
        /// Where values are wrong: every wrong field, and why.
        #[serde(skip_serializing_if = "Errors::is_empty")]
        errors: Errors<'a>,
    }
}

impl Shaped for Errors<'_> {
    fn shape() -> Shape {
        Shape::Map(Box::new(Shape::TEXT))
    }
}

struct Errors<'a>(&'a [Problem]);

impl Errors<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Errors<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for Problem { field, problem } in self.0 {
            map.serialize_entry(field, &problem.to_string())?;
        }
        map.end()
    }
}

impl ApiError {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> ApiError {
        ApiError {
            status,
            message: message.into(),
            problems: Vec::new(),
            conflict: None,
            headers: Vec::new(),
        }
    }

    pub(super) fn bad_request(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, message)
    }

    /// An error for an unknown path.
    pub(super) fn no_path() -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "There is nothing at this path; /api/2/docs/ shows every path")
    }

    /// An error for a method that the path does not support; `allow` names those that it does.
    pub(super) fn method(allow: &str) -> ApiError {
        let message = format!("This path takes {allow}");
        let error = ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message);
        let allow = HeaderValue::from_str(allow).expect("methods are ASCII");
        error.with(header::ALLOW, allow)
    }

    /// An error for a missing, unknown, expired or revoked key, or one used outside of its networks: the answer does
    /// not tell which.
    pub(super) fn unauthenticated() -> ApiError {
        ApiError::new(StatusCode::UNAUTHORIZED, "Authentication failed")
            .with(header::WWW_AUTHENTICATE, BASIC)
            .with(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"Crier\""))
    }

    /// An error for an application that does not prove itself (RFC 6749 5.2).
    pub(super) fn unknown_application(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::UNAUTHORIZED, message).with(header::WWW_AUTHENTICATE, BASIC)
    }

    /// An error for exceeding a limit; the client may try again after `retry_secs`.
    pub(super) fn too_many(message: impl Into<String>, retry_secs: u64) -> ApiError {
        let error = ApiError::new(StatusCode::TOO_MANY_REQUESTS, message);
        error.with(header::RETRY_AFTER, HeaderValue::from(retry_secs))
    }

    /// Whether the request failed authentication.
    pub(super) fn is_unauthenticated(&self) -> bool {
        self.status == StatusCode::UNAUTHORIZED
    }

    /// A failure of this server, whose cause the caller is not told.
    pub(super) fn internal() -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "Internal error")
    }

    /// Returns an error if there are problems.
    pub(super) fn check(problems: Problems) -> Result<(), ApiError> {
        problems.into_result().map_err(ApiError::from)
    }

    fn with(mut self, name: HeaderName, value: HeaderValue) -> ApiError {
        self.headers.push((name, value));
        self
    }

    /// The status, the message and every wrong field, also one whose value is taken.
    pub(super) fn into_parts(self) -> (u16, String, Vec<Problem>) {
        let ApiError { status, message, problems, conflict, headers: _ } = self;
        (status.as_u16(), message, problems.into_iter().chain(conflict.map(|taken| *taken)).collect())
    }

    /// The status code.
    pub(super) fn status(&self) -> u16 {
        self.status.as_u16()
    }

    /// The JSON object of the answer.
    pub(super) fn body(&self) -> ErrorBody<'_> {
        ErrorBody { is_error: true, message: &self.message, errors: Errors(&self.problems) }
    }

    pub(super) fn into_response(self) -> Response<Body> {
        let body = serde_json::to_vec(&self.body()).expect("texts always become JSON");
        let ApiError { status, message: _, problems: _, conflict: _, headers } = self;
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = status;
        response.headers_mut().insert(header::CONTENT_TYPE, JSON);
        for (name, value) in headers {
            response.headers_mut().append(name, value);
        }
        response
    }
}

impl From<TooMany> for ApiError {
    fn from(TooMany { wait_secs }: TooMany) -> ApiError {
        ApiError::too_many("Too many failing authentications from your address", wait_secs)
    }
}

impl From<TooManyRequests> for ApiError {
    fn from(error: TooManyRequests) -> ApiError {
        ApiError::too_many(error.to_string(), TooManyRequests::RETRY_SECS)
    }
}

impl From<BodyError> for ApiError {
    fn from(error: BodyError) -> ApiError {
        let refusal = ApiError::new(error.status(), error.to_string());
        match error.retry_secs() {
            None => refusal,
            Some(secs) => refusal.with(header::RETRY_AFTER, HeaderValue::from(secs)),
        }
    }
}

impl From<OpError> for ApiError {
    fn from(error: OpError) -> ApiError {
        let message = error.to_string();
        let status = match error {
            OpError::NotFound { what: _ } => StatusCode::NOT_FOUND,
            OpError::Invalid { problems } => {
                let error = ApiError::new(StatusCode::BAD_REQUEST, message);
                return ApiError { problems, ..error };
            }
            OpError::Conflict { field, problem } => {
                let conflict = Some(Box::new(Problem { field: field.to_owned(), problem }));
                return ApiError { conflict, ..ApiError::new(StatusCode::CONFLICT, message) };
            }
            OpError::OptedOut { list: _, way: _, time: _ } => StatusCode::CONFLICT,
            OpError::Forbidden { permission: _ }
            | OpError::NotGlobal
            | OpError::NotProven
            | OpError::Limited { what: _ }
            | OpError::AddressBookFull { contacts_max: _ } => StatusCode::FORBIDDEN,
            OpError::TooLarge { limit_bytes: _ } => StatusCode::PAYLOAD_TOO_LARGE,
            OpError::Store(source) => return ApiError::from(source),
        };
        ApiError::new(status, message)
    }
}

impl From<ReadError> for ApiError {
    fn from(error: ReadError) -> ApiError {
        match error {
            ReadError::Op(error) => error.into(),
            ReadError::Hash(error) => error.into(),
        }
    }
}

impl From<ReadingBusy> for ApiError {
    fn from(error: ReadingBusy) -> ApiError {
        let error = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string());
        error.with(header::RETRY_AFTER, HeaderValue::from(memory::RETRY_SECS))
    }
}

impl From<HashError> for ApiError {
    fn from(error: HashError) -> ApiError {
        match error {
            HashError::Busy => ApiError::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
                .with(header::RETRY_AFTER, HeaderValue::from(RETRY_SECS)),
            HashError::Failed => ApiError::internal(),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        match error {
            StoreError::Closed | StoreError::Fatal { reason: _ } => {
                ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "The server is shutting down")
            }
            StoreError::Full | StoreError::Unavailable { reason: _ } => {
                let error = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, OUTAGE);
                error.with(header::RETRY_AFTER, HeaderValue::from(OUTAGE_RETRY_SECS))
            }
            StoreError::RecordTooLarge { table: _ } => {
                ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "The object is too large to be stored")
            }
            StoreError::Duplicate { index: _ }
            | StoreError::Corrupt { table: _, reason: _ }
            | StoreError::UnknownBlob { id: _ }
            | StoreError::JobTooLarge
            | StoreError::Panicked
            | StoreError::Locked
            | StoreError::CopyUnderWay
            | StoreError::Unusable { reason: _ } => {
                tracing::error!(error = %error, "A request failed in storage");
                ApiError::internal()
            }
        }
    }
}
