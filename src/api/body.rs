//! Reads a request's body into [`Params`]: a form, a multipart form or a JSON object, all meaning the same.

use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{DefaultBodyLimit, FromRequest, Multipart};
use axum::http::{HeaderMap, Request, StatusCode, header};
use serde_json::Value;

use super::batch;
use super::error::ApiError;
use super::form;
use super::params::{PARAMS_MAX, Params, TooMany};
use crate::model::list::MAXLENGTH_KB_MAX;

/// Largest body of a call that brings no message (`spec/api.md` 1).
pub(super) const BODY_BYTES_MAX: usize = 1 << 20;
/// Largest body that brings a message: as large as a list may take, and room for the other fields.
pub(super) const MESSAGE_BYTES_MAX: usize = (MAXLENGTH_KB_MAX as usize) * 1024 + BODY_BYTES_MAX;
/// How long a client may be silent in the middle of a body.
const SILENCE_MAX: Duration = Duration::from_secs(30);
/// How long a body may take in all: 50 MiB at 175 KB/s.
const BODY_TIME_MAX: Duration = Duration::from_mins(5);

/// The kinds of body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Form,
    Multipart,
    Json,
}

impl Kind {
    /// A body without a type is read as a form.
    fn of(headers: &HeaderMap) -> Result<Kind, ApiError> {
        let Some(value) = headers.get(header::CONTENT_TYPE) else { return Ok(Kind::Form) };
        let text = value.to_str().unwrap_or_default();
        let essence = text.split(';').next().unwrap_or_default().trim();
        let is = |kind: &str| essence.eq_ignore_ascii_case(kind);
        if is("") || is("application/x-www-form-urlencoded") {
            Ok(Kind::Form)
        } else if is("application/json") {
            Ok(Kind::Json)
        } else if is("multipart/form-data") {
            Ok(Kind::Multipart)
        } else {
            let message = "A body must be application/x-www-form-urlencoded, multipart/form-data or \
                           application/json";
            Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message))
        }
    }
}

/// The parameters in a body of at most `bytes_max` bytes.
pub(super) async fn read(headers: &HeaderMap, body: Body, bytes_max: usize) -> Result<Params, ApiError> {
    let kind = Kind::of(headers)?;
    let reading = tokio::time::timeout(BODY_TIME_MAX, read_bytes(headers, body, bytes_max));
    let bytes = reading.await.unwrap_or_else(|_| Err(too_slow()))?;
    if bytes.is_empty() {
        return Ok(Params::default());
    }
    match kind {
        Kind::Form => form(&bytes),
        Kind::Json => json(&bytes),
        Kind::Multipart => multipart(headers, bytes).await,
    }
}

/// The parameters of a call that brings a message: in a body of the usual kinds, or in the query where the body
/// is the message itself (`message/rfc822`).
pub(super) async fn read_mail(
    headers: &HeaderMap,
    body: Body,
    bytes_max: usize,
    query: &mut Params,
) -> Result<Params, ApiError> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("message/rfc822") {
        return read(headers, body, bytes_max).await;
    }
    let reading = tokio::time::timeout(BODY_TIME_MAX, read_bytes(headers, body, bytes_max));
    let mail = reading.await.unwrap_or_else(|_| Err(too_slow()))?;
    Ok(std::mem::take(query).with_mail(mail))
}

/// The rows of a batch, which is a JSON array of at most [`BODY_BYTES_MAX`] bytes.
pub(super) async fn read_rows(headers: &HeaderMap, body: Body) -> Result<Params, ApiError> {
    if Kind::of(headers)? != Kind::Json {
        let message = "A batch must be application/json";
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    let bytes = read_bytes(headers, body, BODY_BYTES_MAX).await?;
    let values = serde_json::from_slice(&bytes)
        .map_err(|error| ApiError::bad_request(format!("The body is not a valid JSON array: {error}")))?;
    Ok(Params::of_rows(batch::rows(values)))
}

/// The parameters of a query.
pub(super) fn query(query: &str) -> Result<Params, ApiError> {
    let pairs = form::pairs(query.as_bytes())
        .map_err(|error| ApiError::bad_request(format!("The query is not well formed: {error}")))?;
    Ok(Params::from_pairs(pairs)?)
}

fn form(bytes: &[u8]) -> Result<Params, ApiError> {
    let pairs = form::pairs(bytes)
        .map_err(|error| ApiError::bad_request(format!("The form is not well formed: {error}")))?;
    Ok(Params::from_pairs(pairs)?)
}

fn json(bytes: &[u8]) -> Result<Params, ApiError> {
    let value = serde_json::from_slice(bytes)
        .map_err(|error| ApiError::bad_request(format!("The body is not valid JSON: {error}")))?;
    match value {
        Value::Object(object) => Ok(Params::from_object(object)?),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err(ApiError::bad_request("The body must be a JSON object"))
        }
    }
}

async fn multipart(headers: &HeaderMap, bytes: Bytes) -> Result<Params, ApiError> {
    let broken = |problem: String| ApiError::bad_request(format!("The form is not well formed: {problem}"));
    let mut request = Request::new(Body::from(bytes));
    if let Some(kind) = headers.get(header::CONTENT_TYPE) {
        request.headers_mut().insert(header::CONTENT_TYPE, kind.clone());
    }
    // The body has been measured already.
    DefaultBodyLimit::disable().apply(&mut request);
    let mut parts = Multipart::from_request(request, &()).await.map_err(|error| broken(error.body_text()))?;
    let mut pairs = Vec::new();
    while let Some(part) = parts.next_field().await.map_err(|error| broken(error.body_text()))? {
        let at = pairs.len() + 1;
        let name = part.name().map(str::to_owned);
        let name = name.ok_or_else(|| broken(format!("part {at} has no name")))?;
        let value = part.bytes().await.map_err(|error| broken(error.body_text()))?;
        let value = String::from_utf8(value.into());
        pairs.push((name, value.map_err(|_| broken(format!("part {at} is not UTF-8")))?));
    }
    Ok(Params::from_pairs(pairs)?)
}

impl From<TooMany> for ApiError {
    fn from(_: TooMany) -> ApiError {
        ApiError::bad_request(format!("There are more than {PARAMS_MAX} different parameters"))
    }
}

fn too_slow() -> ApiError {
    ApiError::new(StatusCode::REQUEST_TIMEOUT, "The body did not arrive in time")
}

async fn read_bytes(headers: &HeaderMap, mut body: Body, bytes_max: usize) -> Result<Bytes, ApiError> {
    let too_large = || {
        let message = format!("The body may have at most {bytes_max} bytes");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    };
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: usize| bytes_max < length) {
        return Err(too_large());
    }
    let mut first = Bytes::new();
    let mut gathered = Vec::new();
    loop {
        let frame = poll_fn(|context| Pin::new(&mut body).poll_frame(context));
        let frame = match tokio::time::timeout(SILENCE_MAX, frame).await {
            Ok(None) => break,
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(error))) => {
                return Err(ApiError::bad_request(format!("The body ended early: {error}")));
            }
            Err(_) => return Err(too_slow()),
        };
        let Ok(data) = frame.into_data() else { continue };
        if bytes_max < first.len() + gathered.len() + data.len() {
            return Err(too_large());
        }
        // One frame is the rule: it is taken as it is.
        if first.is_empty() && gathered.is_empty() {
            first = data;
        } else {
            gathered.extend_from_slice(&std::mem::take(&mut first));
            gathered.extend_from_slice(&data);
        }
    }
    Ok(if gathered.is_empty() { first } else { gathered.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    async fn read_as(kind: &'static str, body: &'static [u8]) -> Result<Params, u16> {
        let mut headers = HeaderMap::new();
        if !kind.is_empty() {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        }
        let params = read(&headers, Body::from(body), 1000).await;
        params.map_err(|error| error.into_response().status().as_u16())
    }

    #[tokio::test]
    async fn the_three_kinds_of_body_mean_the_same() {
        let multipart = b"--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x\r\n\
            Content-Disposition: form-data; name=\"a\"; filename=\"f\"\r\n\r\n2\r\n--x--\r\n";
        let bodies: [(&str, &[u8]); 5] = [
            ("", b"a=1&a=2"),
            ("application/x-www-form-urlencoded; charset=utf-8", b"a=1&a=2"),
            ("APPLICATION/JSON", br#"{"a": [1, "2"]}"#),
            ("application/json;charset=utf-8", br#" {"a": ["1", 2]} "#),
            ("multipart/form-data; boundary=x", multipart),
        ];
        for (kind, body) in bodies {
            let mut params = read_as(kind, body).await.unwrap();
            assert_eq!(params.texts("a"), Some(vec!["1".to_owned(), "2".to_owned()]), "{kind}");
        }
    }

    #[tokio::test]
    async fn what_cannot_be_read_is_refused() {
        assert_eq!(read_as("text/plain", b"a=1").await.unwrap_err(), 415);
        assert_eq!(read_as("application/json", b"{").await.unwrap_err(), 400);
        assert_eq!(read_as("application/json", b"[]").await.unwrap_err(), 400);
        assert_eq!(read_as("", b"a=%zz").await.unwrap_err(), 400);
        assert_eq!(read_as("multipart/form-data", b"x").await.unwrap_err(), 400);
        assert_eq!(read_as("multipart/form-data; boundary=x", b"--x\r\n").await.unwrap_err(), 400);
        assert_eq!(read_as("", &[b'a'; 1001]).await.unwrap_err(), 413);
        assert!(read_as("", &[b'a'; 1000]).await.is_ok());
    }
}
