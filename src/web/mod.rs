//! Pages for people: server-rendered, nothing loaded from elsewhere, all of it without JavaScript.

mod members;
mod moderation;
mod password;
mod reference;

use std::convert::Infallible;
use std::net::IpAddr;

use askama::Template;
use axum::Router;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;

pub use reference::reference;

use crate::http::client_addr;
use crate::ops::accounts::passwords::{HashError, RETRY_SECS};
use crate::ops::{Core, OpError};
use crate::store::StoreError;

/// Sent with every page: nothing from elsewhere, nothing inline, no frames.
const SECURITY_HEADERS: [(HeaderName, HeaderValue); 4] = [
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

const STYLE: &str = include_str!("assets/style.css");

/// The pages of the server.
pub fn router(core: Core) -> Router {
    Router::new()
        .route("/", get(home))
        .route("/unsubscribe/{token}/", get(members::unsubscribe_page).post(members::unsubscribe))
        .route("/moderate/{token}/", get(moderation::moderation_page).post(moderation::moderate))
        .route("/password/{token}/", get(password::choose_page).post(password::choose))
        .route("/resume/{token}/", get(members::resume_page).post(members::resume))
        .route("/assets/style.css", get(style))
        .with_state(core)
}

async fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css"), (header::CACHE_CONTROL, "max-age=86400")], STYLE).into_response()
}

/// The address from which a request came.
struct Client(IpAddr);

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Client, Infallible> {
        Ok(Client(client_addr(&parts.extensions)))
    }
}

#[derive(Template)]
#[template(path = "home.html", config = "src/web/askama.toml")]
struct HomePage;

/// `GET /`: says what this server is.
async fn home() -> PageResult {
    page(&HomePage)
}

/// A page, or why there is none.
type PageResult = Result<Response, PageError>;

fn page(template: &impl Template) -> PageResult {
    respond(StatusCode::OK, template)
}

fn respond(status: StatusCode, template: &impl Template) -> PageResult {
    let html = template.render().map_err(|error| {
        tracing::error!(error = %error, "A page could not be rendered");
        PageError::Internal
    })?;
    Ok((status, SECURITY_HEADERS, Html(html)).into_response())
}

/// Why a page cannot be shown; becomes a page that says what to do next.
#[derive(Debug)]
enum PageError {
    /// The link leads nowhere (any more).
    DeadLink,
    /// The link was good once, and was used.
    SpentLink,
    /// The link was good for some time, which is over.
    ExpiredLink,
    /// The disk is full or fails.
    Outage,
    /// Too many others ask for the same costly work.
    Busy,
    /// Something of ours failed.
    Internal,
}

impl From<StoreError> for PageError {
    fn from(error: StoreError) -> PageError {
        if error.is_outage() {
            return PageError::Outage;
        }
        tracing::error!(error = %error, "A page failed in storage");
        PageError::Internal
    }
}

impl From<HashError> for PageError {
    fn from(error: HashError) -> PageError {
        match error {
            HashError::Busy => PageError::Busy,
            HashError::Failed => PageError::Internal,
        }
    }
}

impl From<OpError> for PageError {
    fn from(error: OpError) -> PageError {
        match error {
            OpError::Store(error) => error.into(),
            OpError::NotFound { .. }
            | OpError::Invalid { .. }
            | OpError::Conflict { .. }
            | OpError::Forbidden { .. }
            | OpError::NotGlobal
            | OpError::Limited { .. }
            | OpError::AddressBookFull { .. }
            | OpError::TooLarge { .. } => PageError::DeadLink,
        }
    }
}

#[derive(Template)]
#[template(path = "error.html", config = "src/web/askama.toml")]
struct ErrorPage {
    title: &'static str,
    advice: &'static str,
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let is_busy = matches!(self, PageError::Busy);
        let (status, title, advice) = match self {
            PageError::DeadLink => (
                StatusCode::NOT_FOUND,
                "This link does not work",
                "It may have been cut off when it was copied, or the list is gone. Please open the link in the \
                 newest mail of the list.",
            ),
            PageError::SpentLink => (
                StatusCode::GONE,
                "This link was used already",
                "The password has been chosen with it. If that was not you, please tell another administrator.",
            ),
            PageError::ExpiredLink => (
                StatusCode::GONE,
                "This link is too old",
                "It worked for seven days. Please ask whoever made you an administrator for a new one.",
            ),
            PageError::Outage => (
                StatusCode::SERVICE_UNAVAILABLE,
                "Nothing can be stored here at the moment",
                "Nothing was changed. Please try again later.",
            ),
            PageError::Busy => (
                StatusCode::SERVICE_UNAVAILABLE,
                "Too many people are here at the moment",
                "Nothing was changed. Please try again in a few seconds.",
            ),
            PageError::Internal => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "Something went wrong here",
                "Nothing was changed. Please try again in a few minutes.",
            ),
        };
        let page = respond(status, &ErrorPage { title, advice });
        let mut response = page.unwrap_or_else(|_| status.into_response());
        if is_busy {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(RETRY_SECS));
        }
        response
    }
}
