//! The reasons why a page cannot be shown. `serve` turns each into a page that says what happened and what to do next;
//! the log gets the cause, the visitor never does.

use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::archive::closed::ClosedArchive;
use super::assets::style_path;
use super::context::Context;
use super::frame::Frame;
use super::table::{Authority, Verb};
use crate::http::bodies::BodyError;
use crate::locale::text;
use crate::model::Language;
use crate::ops::OpError;
use crate::params::ReadError;
use crate::service::memory::{self, ReadingBusy};
use crate::service::passwords::{HashError, RETRY_SECS};
use crate::store::StoreError;

/// The reason why a page cannot be shown.
#[derive(Debug)]
pub enum PageError {
    /// The request cannot be understood.
    BadRequest,
    /// The page requires signing in.
    SignInNeeded,
    /// The signed-in person lacks the permission.
    Forbidden,
    /// The form does not carry the token of the browser that sent it.
    Forged,
    /// There is no such page, or the object on it does not exist.
    NotFound,
    /// The archive is not open to the visitor. For strangers it is as if there were nothing.
    ClosedArchive {
        /// The path of the page that asks for the password of the archive, if one opens it.
        password: Option<String>,
    },
    /// The archive is not open to the visitor, who may know of it.
    MembersArchive(Box<ClosedArchive>),
    /// The page has another address now: a path of this host.
    Moved(String),
    /// No account has pages at this host.
    UnknownHost,
    /// The link's token is invalid, or its object is gone.
    DeadLink,
    /// The page does not support the request's method.
    NotAllowed {
        /// The methods that it supports.
        allow: String,
    },
    /// Somebody else made the change first, or a name is taken.
    Conflict,
    /// The link works once, and was used.
    SpentLink,
    /// The link has expired.
    ExpiredLink,
    /// The link to sign in was used.
    SignInUsed,
    /// The link to sign in has expired.
    SignInExpired,
    /// The form has a content type that no browser sends.
    WrongType,
    /// Too many requests from one client or for one address.
    TooMany {
        /// Seconds after which a retry makes sense.
        retry_secs: u64,
    },
    /// The body did not arrive whole, or was too large.
    Body(BodyError),
    /// The account of the site is suspended.
    Suspended,
    /// The disk is full or fails.
    Outage,
    /// Too many others are waiting for the same costly work.
    Busy {
        /// Seconds after which a retry makes sense.
        retry_secs: u64,
    },
    /// The server itself failed; the log has the cause.
    Internal(String),
}

impl From<StoreError> for PageError {
    fn from(error: StoreError) -> PageError {
        if error.is_outage() { PageError::Outage } else { PageError::Internal(error.to_string()) }
    }
}

impl From<ReadError> for PageError {
    fn from(error: ReadError) -> PageError {
        match error {
            ReadError::Op(error) => error.into(),
            ReadError::Hash(error) => error.into(),
        }
    }
}

impl From<HashError> for PageError {
    fn from(error: HashError) -> PageError {
        match error {
            HashError::Busy => PageError::Busy { retry_secs: RETRY_SECS },
            HashError::Failed => PageError::Internal(error.to_string()),
        }
    }
}

impl From<ReadingBusy> for PageError {
    fn from(ReadingBusy: ReadingBusy) -> PageError {
        PageError::Busy { retry_secs: memory::RETRY_SECS }
    }
}

impl From<OpError> for PageError {
    fn from(error: OpError) -> PageError {
        match error {
            OpError::Store(error) => error.into(),
            OpError::NotFound { .. } | OpError::Limited { .. } => PageError::NotFound,
            OpError::Forbidden { .. } | OpError::NotGlobal | OpError::NotProven => PageError::Forbidden,
            OpError::Invalid { .. } => PageError::BadRequest,
            OpError::Conflict { .. } | OpError::AddressBookFull { .. } | OpError::OptedOut { .. } => {
                PageError::Conflict
            }
            OpError::TooLarge { limit_bytes } => {
                let bytes_max = usize::try_from(limit_bytes).unwrap_or(usize::MAX);
                PageError::Body(BodyError::TooLarge { bytes_max })
            }
        }
    }
}

#[derive(Template)]
#[template(path = "error.html", config = "src/web/askama.toml")]
struct ErrorPage<'a> {
    frame: Frame,
    status: u16,
    title: &'a str,
    advice: &'a str,
    request_id: &'a str,
    /// The path of the page where a new link to sign in is asked for, if that helps.
    sign_in: Option<String>,
    /// The path of the page that asks for the password of an archive, if that helps.
    password: Option<String>,
}

#[derive(Template)]
#[template(path = "unreadable.html", config = "src/web/askama.toml")]
struct UnreadablePage<'a> {
    status: u16,
    style: &'static str,
    advice: &'static str,
    request_id: &'a str,
}

/// The page for a request whose head cannot be read. Neither its language nor its site is known, so it is in English.
#[must_use]
pub fn unreadable(status: u16, request_id: &str) -> String {
    let advice = match status {
        414 | 431 => "The address, or what the browser sent with it, is too long.",
        _ => "The address has characters that no address may have. Please look at it once more.",
    };
    let page = UnreadablePage { status, style: style_path(), advice, request_id };
    page.render().unwrap_or_else(|_| advice.to_owned())
}

impl PageError {
    /// The HTTP status of the page.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            PageError::BadRequest => StatusCode::BAD_REQUEST,
            PageError::SignInNeeded | PageError::Forbidden | PageError::Forged => StatusCode::FORBIDDEN,
            PageError::NotFound
            | PageError::ClosedArchive { .. }
            | PageError::MembersArchive(_)
            | PageError::UnknownHost
            | PageError::DeadLink => StatusCode::NOT_FOUND,
            PageError::Moved(_) => StatusCode::PERMANENT_REDIRECT,
            PageError::NotAllowed { .. } => StatusCode::METHOD_NOT_ALLOWED,
            PageError::Conflict => StatusCode::CONFLICT,
            PageError::SpentLink
            | PageError::ExpiredLink
            | PageError::SignInUsed
            | PageError::SignInExpired => StatusCode::GONE,
            PageError::WrongType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            PageError::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
            PageError::Body(error) => error.status(),
            PageError::Suspended | PageError::Outage | PageError::Busy { .. } => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            PageError::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The heading and the text of the page: what happened, and what to do next.
    fn words(&self, language: Language) -> (String, String) {
        match self {
            PageError::BadRequest | PageError::Body(BodyError::Ended { .. }) => {
                (text!(language, "error-bad-request"), text!(language, "error-bad-request-next"))
            }
            PageError::SignInNeeded => {
                (text!(language, "error-sign-in"), text!(language, "error-sign-in-next"))
            }
            PageError::Forbidden => {
                (text!(language, "error-forbidden"), text!(language, "error-forbidden-next"))
            }
            PageError::Forged => (text!(language, "error-forged"), text!(language, "error-forged-next")),
            // Nobody reads the words of a redirect, and the archive for members has a page of its own.
            PageError::NotFound
            | PageError::ClosedArchive { .. }
            | PageError::MembersArchive(_)
            | PageError::Moved(_) => {
                (text!(language, "error-not-found"), text!(language, "error-not-found-next"))
            }
            PageError::UnknownHost => {
                (text!(language, "error-unknown-host"), text!(language, "error-unknown-host-next"))
            }
            PageError::DeadLink => {
                (text!(language, "error-dead-link"), text!(language, "error-dead-link-next"))
            }
            PageError::NotAllowed { .. } => {
                (text!(language, "error-not-allowed"), text!(language, "error-not-allowed-next"))
            }
            PageError::Conflict => {
                (text!(language, "error-conflict"), text!(language, "error-conflict-next"))
            }
            PageError::SpentLink => {
                (text!(language, "error-spent-link"), text!(language, "error-spent-link-next"))
            }
            PageError::ExpiredLink => {
                (text!(language, "error-expired-link"), text!(language, "error-expired-link-next"))
            }
            PageError::SignInUsed => (text!(language, "me-link-used"), text!(language, "me-link-used-next")),
            PageError::SignInExpired => {
                (text!(language, "me-link-expired"), text!(language, "me-link-expired-next"))
            }
            PageError::WrongType => {
                (text!(language, "error-wrong-type"), text!(language, "error-wrong-type-next"))
            }
            PageError::TooMany { .. } => {
                (text!(language, "error-too-many"), text!(language, "error-too-many-next"))
            }
            PageError::Body(BodyError::TooLarge { bytes_max }) => (
                text!(language, "error-too-large"),
                text!(
                    language,
                    "error-too-large-next",
                    size = crate::locale::size(language, u64::try_from(*bytes_max).unwrap_or(u64::MAX))
                ),
            ),
            PageError::Body(BodyError::TooSlow) => {
                (text!(language, "error-too-slow"), text!(language, "error-too-slow-next"))
            }
            PageError::Suspended => {
                (text!(language, "desk-suspended"), text!(language, "desk-suspended-next"))
            }
            PageError::Outage => (text!(language, "error-outage"), text!(language, "error-outage-next")),
            PageError::Busy { .. } | PageError::Body(BodyError::Busy) => {
                (text!(language, "error-busy"), text!(language, "error-busy-next"))
            }
            PageError::Internal(_) => {
                (text!(language, "error-internal"), text!(language, "error-internal-next"))
            }
        }
    }

    /// Whether a new link to sign in helps.
    fn needs_new_link(&self) -> bool {
        matches!(self, PageError::SignInUsed | PageError::SignInExpired)
    }

    fn retry_secs(&self) -> Option<u64> {
        match self {
            PageError::TooMany { retry_secs } | PageError::Busy { retry_secs } => Some(*retry_secs),
            PageError::Body(error) => error.retry_secs(),
            _ => None,
        }
    }

    /// The error on the page of a link. Its visitor was sent the link, so an object that is missing is reported as a
    /// bad link.
    fn on_page(self, authority: Option<Authority>) -> PageError {
        match self {
            PageError::NotFound | PageError::Forbidden | PageError::Conflict
                if authority == Some(Authority::Link) =>
            {
                PageError::DeadLink
            }
            other => other,
        }
    }

    /// Renders the page of the error and logs the error under the same request id.
    pub(super) fn into_page(self, context: &Context) -> Response {
        let error = match self.on_page(context.page.map(|page| page.authority)) {
            PageError::Moved(location) => return moved(context, &location),
            error => error,
        };
        error.log(context);
        let status = error.status();
        if let PageError::MembersArchive(closed) = &error {
            return closed.page(context, status).unwrap_or_else(|_| status.into_response());
        }
        let (title, advice) = error.words(context.language);
        let page = ErrorPage {
            frame: Frame::of(context),
            status: status.as_u16(),
            title: &title,
            advice: &advice,
            request_id: &context.request_id,
            sign_in: error.needs_new_link().then(|| context.href("/members/")),
            password: match &error {
                PageError::ClosedArchive { password } => password.clone(),
                _ => None,
            },
        };
        let mut response = context.html(status, &page).unwrap_or_else(|_| status.into_response());
        if let PageError::NotAllowed { allow } = &error
            && let Ok(allow) = HeaderValue::from_str(allow)
        {
            response.headers_mut().insert(header::ALLOW, allow);
        }
        if let Some(secs) = error.retry_secs() {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(secs));
        }
        response
    }

    /// Logs the page's name instead of the path, which may contain a token.
    fn log(&self, context: &Context) {
        let page = context.page.map_or("none", |page| page.name);
        let status = self.status().as_u16();
        if let PageError::Internal(reason) = self {
            tracing::error!(http.status = status, page, error = reason, "A page failed");
        } else {
            tracing::info!(
                http.status = status, page, client = %context.site.client, "A page answered {status}"
            );
        }
    }
}

/// Sends the browser to the present address of a page. A form is sent there again; a page is just opened there.
fn moved(context: &Context, location: &str) -> Response {
    let is_shown = context.page.is_none_or(|page| page.verb == Verb::Show);
    let status = if is_shown { StatusCode::MOVED_PERMANENTLY } else { StatusCode::PERMANENT_REDIRECT };
    (status, [(header::LOCATION, location)]).into_response()
}
