//! Reads a request's body into [`Params`]: a form, a multipart form or a JSON object, which all mean the same.
//!
//! The router of [`api`](super) calls it for each call that brings a body. It limits the size and the memory of
//! bodies before it parses them.

use axum::body::{Body, Bytes};
use axum::extract::multipart::Field;
use axum::extract::{DefaultBodyLimit, FromRequest, Multipart};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode, header};
use serde_json::Value;
use tokio::runtime::Handle;

use super::error::ApiError;
use super::form::{self, TooManyValues, VALUES_MAX};
use super::{batch, json};
use crate::http::bodies::{Bodies, BodyError, Expected, Received, declared_bytes};
use crate::http::budget::{Owner, SMALL_BYTES_MAX, Share};
use crate::model::list::MAXLENGTH_KB_MAX;
use crate::params::{PARAMS_MAX, Params, TooMany};

/// Largest body of a call without a message, in bytes (`spec/api.md` 1).
pub(super) const BODY_BYTES_MAX: usize = 1 << 20;
/// Largest body with a message, in bytes: as large as a list may accept, and room for the other fields.
const MESSAGE_BYTES_MAX: usize = (MAXLENGTH_KB_MAX as usize) * 1024 + BODY_BYTES_MAX;

/// The kinds of body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Form,
    Multipart,
    Json,
}

impl Kind {
    /// Returns the kind that the headers name; a body without a type is read as a form.
    fn of(headers: &HeaderMap) -> Result<Kind, ApiError> {
        match essence(headers).as_str() {
            "" | "application/x-www-form-urlencoded" => Ok(Kind::Form),
            "application/json" => Ok(Kind::Json),
            "multipart/form-data" => Ok(Kind::Multipart),
            _ => {
                let message = "A body must be application/x-www-form-urlencoded, multipart/form-data or \
                               application/json";
                Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message))
            }
        }
    }
}

/// The type of a body without its parameters, in lower case; blank if none is given.
fn essence(headers: &HeaderMap) -> String {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Largest body with a message to a list that accepts this many bytes. In forms and in JSON a character takes up to
/// three times as much as in the message itself.
pub(super) fn message_bytes_max(headers: &HeaderMap, maxlength_bytes: u64) -> usize {
    let maxlength = usize::try_from(maxlength_bytes).unwrap_or(usize::MAX);
    let written = match Kind::of(headers) {
        Ok(Kind::Form | Kind::Json) => maxlength.saturating_mul(3),
        Ok(Kind::Multipart) | Err(_) => maxlength,
    };
    written.saturating_add(BODY_BYTES_MAX).min(MESSAGE_BYTES_MAX)
}

/// Reads the body of one request, within its limits.
#[derive(Clone, Copy)]
pub(super) struct Reading<'call> {
    /// The reader of bodies, which all requests share.
    pub(super) bodies: &'call Bodies,
    /// The head of the request.
    pub(super) parts: &'call Parts,
    /// The owner to whom the memory of the body is charged.
    pub(super) owner: Owner,
    /// Largest size, in bytes.
    pub(super) bytes_max: usize,
    /// The refusal of a caller without a valid key: reported in place of a size that is too large only for such
    /// callers.
    pub(super) refusal: Option<&'call ApiError>,
}

impl Reading<'_> {
    async fn bytes(self, body: Body) -> Result<Received, ApiError> {
        let Reading { bodies, parts, owner, bytes_max, refusal } = self;
        let expected = Expected { headers: &parts.headers, extensions: &parts.extensions, owner, bytes_max };
        bodies.read(expected, body).await.map_err(|error| match (error, refusal) {
            (BodyError::TooLarge { bytes_max: _ }, Some(refusal)) => {
                let declared = declared_bytes(&parts.headers);
                if declared.is_some_and(|bytes| BODY_BYTES_MAX < bytes) {
                    return BodyError::TooLarge { bytes_max: BODY_BYTES_MAX }.into();
                }
                refusal.clone()
            }
            (error, _) => error.into(),
        })
    }

    /// Reads the parameters of a body, and returns its share of memory with them.
    pub(super) async fn params(self, body: Body) -> Result<(Params, Option<Share>), ApiError> {
        let kind = Kind::of(&self.parts.headers)?;
        let Received { bytes, share } = self.bytes(body).await?;
        if bytes.is_empty() {
            return Ok((Params::default(), share));
        }
        let format = match kind {
            Kind::Form => Format::Form,
            Kind::Json => Format::Json,
            Kind::Multipart => Format::Multipart(self.parts.headers.get(header::CONTENT_TYPE).cloned()),
        };
        Ok((parse(format, bytes).await?, share))
    }

    /// Reads the parameters of a call with a message: from a body of the usual kinds, or from the query if the body
    /// is the message itself (`message/rfc822`).
    pub(super) async fn mail(
        self,
        body: Body,
        query: &mut Params,
    ) -> Result<(Params, Option<Share>), ApiError> {
        if essence(&self.parts.headers) != "message/rfc822" {
            return self.params(body).await;
        }
        let Received { bytes, share } = self.bytes(body).await?;
        Ok((std::mem::take(query).with_mail(bytes), share))
    }

    /// Reads the rows of a batch, which is a JSON array.
    pub(super) async fn rows(self, body: Body) -> Result<(Params, Option<Share>), ApiError> {
        if Kind::of(&self.parts.headers)? != Kind::Json {
            let message = "A batch must be application/json";
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        let Received { bytes, share } = self.bytes(body).await?;
        Ok((parse(Format::Rows, bytes).await?, share))
    }
}

/// The format in which a body is parsed.
enum Format {
    Form,
    Json,
    Rows,
    /// The `Content-Type`, which names the boundary.
    Multipart(Option<HeaderValue>),
}

/// Parses a body: a large one in the blocking pool, so that other requests need not wait.
async fn parse(format: Format, bytes: Bytes) -> Result<Params, ApiError> {
    if bytes.len() <= SMALL_BYTES_MAX {
        return parse_here(format, bytes).await;
    }
    let parsing = tokio::task::spawn_blocking(move || Handle::current().block_on(parse_here(format, bytes)));
    parsing.await.map_err(|_| ApiError::internal())?
}

async fn parse_here(format: Format, bytes: Bytes) -> Result<Params, ApiError> {
    match format {
        Format::Form => form(&bytes),
        Format::Json => json(&bytes),
        Format::Rows => rows(&bytes),
        Format::Multipart(content_type) => multipart(content_type, bytes).await,
    }
}

/// The parameters of a query.
pub(super) fn query(query: &str) -> Result<Params, ApiError> {
    form(query.as_bytes())
}

fn form(bytes: &[u8]) -> Result<Params, ApiError> {
    Ok(Params::from_pairs(form::pairs(bytes)?)?)
}

fn json(bytes: &[u8]) -> Result<Params, ApiError> {
    let value = json::parse(bytes)
        .map_err(|error| ApiError::bad_request(format!("The body is not valid JSON: {error}")))?;
    match value {
        Value::Object(object) => Ok(Params::from_object(object)?),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err(ApiError::bad_request("The body must be a JSON object"))
        }
    }
}

fn rows(bytes: &[u8]) -> Result<Params, ApiError> {
    let refuse = |why: String| ApiError::bad_request(format!("The body is not a valid JSON array: {why}"));
    match json::parse(bytes).map_err(|error| refuse(error.to_string()))? {
        Value::Array(values) => Ok(Params::of_rows(batch::rows(values))),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            Err(refuse("it is another value".to_owned()))
        }
    }
}

async fn multipart(content_type: Option<HeaderValue>, bytes: Bytes) -> Result<Params, ApiError> {
    let broken = |problem: &str| ApiError::bad_request(format!("The form is not well formed: {problem}"));
    let mut request = Request::new(Body::from(bytes));
    if let Some(kind) = content_type {
        request.headers_mut().insert(header::CONTENT_TYPE, kind);
    }
    // The size has been checked already.
    DefaultBodyLimit::disable().apply(&mut request);
    let parts = Multipart::from_request(request, &()).await;
    let mut parts = parts.map_err(|error| broken(&error.body_text()))?;
    let mut pairs = Vec::new();
    while let Some(part) = parts.next_field().await.map_err(|error| broken(&error.body_text()))? {
        if pairs.len() == VALUES_MAX {
            return Err(TooManyValues.into());
        }
        let name = name_of(&part).ok_or_else(|| broken(&format!("part {} has no name", pairs.len() + 1)))?;
        let value = part.bytes().await.map_err(|error| broken(&error.body_text()))?;
        pairs.push((name, form::text(value.into())));
    }
    Ok(Params::from_pairs(pairs)?)
}

/// The name of a part of a form, also where it is not UTF-8.
fn name_of(part: &Field<'_>) -> Option<String> {
    if let Some(name) = part.name() {
        return Some(name.to_owned());
    }
    let disposition = form::text(part.headers().get(header::CONTENT_DISPOSITION)?.as_bytes().to_vec());
    let (_, rest) = disposition.split_once("name=\"")?;
    rest.split_once('"').map(|(name, _)| name.to_owned())
}

impl From<TooMany> for ApiError {
    fn from(_: TooMany) -> ApiError {
        ApiError::bad_request(format!("There are more than {PARAMS_MAX} different parameters"))
    }
}

impl From<TooManyValues> for ApiError {
    fn from(_: TooManyValues) -> ApiError {
        ApiError::bad_request(format!(
            "There are more than {VALUES_MAX} values: send fewer at a time, or a JSON body"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::HttpLimits;

    async fn read_as(kind: &'static str, body: &'static [u8]) -> Result<Params, u16> {
        let mut headers = HeaderMap::new();
        if !kind.is_empty() {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        }
        let bodies = Bodies::new(&HttpLimits::default());
        let mut request = Request::new(());
        *request.headers_mut() = headers;
        let parts = &request.into_parts().0;
        let (owner, bytes_max) = (Owner::Account(1), 1000);
        let reading = Reading { bodies: &bodies, parts, owner, bytes_max, refusal: None };
        let params = reading.params(Body::from(body)).await.map(|(params, _)| params);
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
        assert_eq!(read_as("application/json", b"{\"a\": \"\xff\"}").await.unwrap_err(), 400);
        assert_eq!(read_as("multipart/form-data", b"x").await.unwrap_err(), 400);
        assert_eq!(read_as("multipart/form-data; boundary=x", b"--x\r\n").await.unwrap_err(), 400);
        assert_eq!(read_as("", &[b'a'; 1001]).await.unwrap_err(), 413);
        assert!(read_as("", &[b'a'; 1000]).await.is_ok());
    }

    #[tokio::test]
    async fn parts_that_are_not_utf_8_have_replacement_characters() {
        let body = b"--x\r\nContent-Disposition: form-data; name=\"a\xff\"\r\n\r\n100%\xc3\r\n--x--\r\n";
        let mut params = read_as("multipart/form-data; boundary=x", body).await.unwrap();
        assert_eq!(params.text("a\u{fffd}"), Some("100%\u{fffd}".to_owned()));
    }

    #[tokio::test]
    async fn each_kind_of_form_has_at_most_a_thousand_values() {
        let part = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n";
        let body = |parts: usize| Bytes::from(format!("{}--x--\r\n", part.repeat(parts)));
        let kind = Some(HeaderValue::from_static("multipart/form-data; boundary=x"));
        assert!(multipart(kind.clone(), body(VALUES_MAX)).await.is_ok());
        let (status, message, _) = multipart(kind, body(VALUES_MAX + 1)).await.unwrap_err().into_parts();
        assert_eq!((status, message.contains("1000 values")), (400, true), "{message}");
        let (status, message, _) = form("a=1&".repeat(VALUES_MAX + 1).as_bytes()).unwrap_err().into_parts();
        assert_eq!((status, message.contains("1000 values")), (400, true), "{message}");
    }

    #[test]
    fn a_message_may_take_three_times_its_size_in_a_form() {
        let mut headers = HeaderMap::new();
        assert_eq!(message_bytes_max(&headers, 10 << 20), 31 << 20);
        assert_eq!(message_bytes_max(&headers, 50 << 20), MESSAGE_BYTES_MAX);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("message/rfc822"));
        assert_eq!(message_bytes_max(&headers, 10 << 20), 11 << 20);
    }
}
