//! The page of an error: it says what happened and what to do next, in the frame of all pages; the log gets the cause, the
//! visitor never does. `serve` calls it for whatever a handler, or a check before it, returns as a [`PageError`].

use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::assets::style_path;
use super::context::Context;
use super::error::PageError;
use super::frame::Frame;
use super::page::{Authority, Verb};
use super::paths::MEMBERS;
use crate::http::bodies::BodyError;
use crate::locale::text;
use crate::model::Language;

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
            sign_in: error.needs_new_link().then(|| context.href(MEMBERS)),
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
