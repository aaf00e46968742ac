//! Reads the bodies of requests, of the API and of pages alike: in bounded memory and bounded time.
//!
//! The caller sets the largest size and the owner to whom the memory is charged; nothing is read beyond that. This
//! module knows no format.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http_body_util::BodyExt as _;

use super::budget::{Budget, Owner, Share};
use super::client_addr;
use super::connections::Activity;
use crate::config::HttpLimits;
use crate::model::network::host_network;

/// Largest body of a request without a key: a form of a few fields (`spec/api.md` 7).
pub const STRANGER_BYTES_MAX: usize = 16 << 10;
/// How much of a refused body is read all the same, and for how long: many clients read no response before they have
/// sent everything.
const DISCARD_BYTES_MAX: usize = 1 << 20;
const DISCARD_TIME_MAX: Duration = Duration::from_secs(5);
/// When a client that found no memory for its body may try again, in seconds.
const RETRY_SECS: u64 = 30;

/// The reason why a body was not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// It is larger than allowed.
    #[error("The body may have at most {bytes_max} bytes")]
    TooLarge {
        /// The largest allowed size.
        bytes_max: usize,
    },
    /// It stalled, or took too long in all.
    #[error("The body did not arrive in time")]
    TooSlow,
    /// Too many other bodies are in progress.
    #[error("Too many large requests are under way, try again later")]
    Busy,
    /// The connection failed.
    #[error("The body ended early: {reason}")]
    Ended {
        /// The error.
        reason: String,
    },
}

impl BodyError {
    /// The HTTP status of this error.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            BodyError::TooLarge { bytes_max: _ } => StatusCode::PAYLOAD_TOO_LARGE,
            BodyError::TooSlow => StatusCode::REQUEST_TIMEOUT,
            BodyError::Busy => StatusCode::SERVICE_UNAVAILABLE,
            BodyError::Ended { reason: _ } => StatusCode::BAD_REQUEST,
        }
    }

    /// When a new try is worthwhile, in seconds.
    #[must_use]
    pub fn retry_secs(&self) -> Option<u64> {
        (*self == BodyError::Busy).then_some(RETRY_SECS)
    }
}

/// A body that was read. Its memory stays reserved until the share is dropped.
#[derive(Debug)]
pub struct Received {
    /// Its bytes.
    pub bytes: Bytes,
    /// Its memory; an empty body has none.
    pub share: Option<Share>,
}

/// The facts about a body before it is read.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'request> {
    /// The header of its request.
    pub headers: &'request HeaderMap,
    /// The extensions of its request, which contain the connection.
    pub extensions: &'request Extensions,
    /// The owner to whom its memory is charged.
    pub owner: Owner,
    /// Its largest allowed size.
    pub bytes_max: usize,
}

/// Reads bodies; its clones share one memory.
#[derive(Debug, Clone)]
pub struct Bodies(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    budget: Budget,
    silence_max: Duration,
    time_max: Duration,
}

impl Bodies {
    /// A reader with no body in progress.
    #[must_use]
    pub fn new(limits: &HttpLimits) -> Bodies {
        Bodies(Arc::new(Shared {
            budget: Budget::new(limits.bodies_bytes_max, limits.bodies_wait_max),
            silence_max: limits.body_silence_max,
            time_max: limits.body_time_max,
        }))
    }

    /// Reads a whole body. If it is refused, a little more of it is read in the background and dropped.
    pub async fn read(&self, expected: Expected<'_>, mut body: Body) -> Result<Received, BodyError> {
        let Expected { headers, extensions, owner, bytes_max } = expected;
        if body.is_end_stream() {
            return Ok(Received { bytes: Bytes::new(), share: None });
        }
        let declared = declared_bytes(headers);
        let refuse = |body, error| {
            // A client that asked by `Expect` whether to send the body is told not to.
            if !headers.contains_key(header::EXPECT) {
                tokio::spawn(tokio::time::timeout(DISCARD_TIME_MAX, discard(body)));
            }
            Err(error)
        };
        if declared.is_some_and(|bytes| bytes_max < bytes) {
            return refuse(body, BodyError::TooLarge { bytes_max });
        }
        let _waiting = Waiting::begin(extensions);
        let Some(share) = self.0.budget.take(owner, declared.unwrap_or(bytes_max)).await else {
            return refuse(body, BodyError::Busy);
        };
        let reading = self.gather(&mut body, declared, bytes_max);
        let read = tokio::time::timeout(self.0.time_max, reading).await;
        match read.unwrap_or(Err(BodyError::TooSlow)) {
            Ok(bytes) => Ok(Received { bytes, share: Some(share) }),
            Err(error @ BodyError::TooLarge { bytes_max: _ }) => refuse(body, error),
            Err(error) => Err(error),
        }
    }

    async fn gather(
        &self,
        body: &mut Body,
        declared: Option<usize>,
        bytes_max: usize,
    ) -> Result<Bytes, BodyError> {
        let mut first = Bytes::new();
        let mut gathered = Vec::new();
        loop {
            let data = match tokio::time::timeout(self.0.silence_max, next_data(body)).await {
                Ok(Some(data)) => data?,
                Ok(None) => break,
                Err(_) => return Err(BodyError::TooSlow),
            };
            if bytes_max < first.len() + gathered.len() + data.len() {
                return Err(BodyError::TooLarge { bytes_max });
            }
            // Mostly there is only one frame, which is used without a copy.
            if first.is_empty() && gathered.is_empty() {
                first = data;
            } else {
                gathered.reserve_exact(declared.unwrap_or(0).saturating_sub(gathered.len()));
                gathered.extend_from_slice(&std::mem::take(&mut first));
                gathered.extend_from_slice(&data);
            }
        }
        Ok(if gathered.is_empty() { first } else { gathered.into() })
    }
}

/// The length that a request declares.
#[must_use]
pub fn declared_bytes(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// The next bytes of a body; `None` at its end.
async fn next_data(body: &mut Body) -> Option<Result<Bytes, BodyError>> {
    loop {
        match body.frame().await? {
            // Trailers are ignored.
            Ok(frame) => match frame.into_data() {
                Ok(data) if !data.is_empty() => return Some(Ok(data)),
                _ => {}
            },
            Err(error) => return Some(Err(BodyError::Ended { reason: error.to_string() })),
        }
    }
}

async fn discard(mut body: Body) {
    let mut bytes = 0;
    while let Some(Ok(data)) = next_data(&mut body).await {
        bytes += data.len();
        if DISCARD_BYTES_MAX < bytes {
            break;
        }
    }
}

/// Marks a connection as waiting for its client, until it is dropped.
struct Waiting<'request>(Option<&'request Arc<Activity>>);

impl<'request> Waiting<'request> {
    fn begin(extensions: &'request Extensions) -> Waiting<'request> {
        let activity = extensions.get::<Arc<Activity>>();
        if let Some(activity) = activity {
            activity.set_answering(false);
        }
        Waiting(activity)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let Some(activity) = self.0 {
            activity.set_answering(true);
        }
    }
}

/// The owner for a request without a key.
#[must_use]
pub fn stranger(client: IpAddr) -> Owner {
    Owner::Client(host_network(client))
}

/// A layer for routes without keys: reads each body before its handler runs, which finds it complete.
pub async fn read_first(State(bodies): State<Bodies>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let expected = Expected {
        headers: &parts.headers,
        extensions: &parts.extensions,
        owner: stranger(client_addr(&parts.extensions)),
        bytes_max: STRANGER_BYTES_MAX,
    };
    match bodies.read(expected, body).await {
        Ok(Received { bytes, share }) => {
            let response = next.run(Request::from_parts(parts, Body::from(bytes))).await;
            drop(share);
            response
        }
        Err(error) => refusal(&error),
    }
}

fn refusal(error: &BodyError) -> Response {
    const HEADERS: [(HeaderName, HeaderValue); 2] = [
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    let mut response = (error.status(), HEADERS, format!("{error}\n")).into_response();
    if let Some(secs) = error.retry_secs() {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(secs));
    }
    response
}
