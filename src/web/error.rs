//! The reasons why a page cannot be shown: values that every handler may return. What a visitor is told of them is in
//! [`error_page`](super::error_page).

use axum::http::StatusCode;
use axum::response::Response;

use crate::http::bodies::BodyError;
use crate::ops::OpError;
use crate::params::ReadError;
use crate::service::memory::{self, ReadingBusy};
use crate::service::passwords::{HashError, RETRY_SECS};
use crate::store::StoreError;

/// A rendered page, or the error that takes its place.
pub type PageResult = Result<Response, PageError>;

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

/// The facts about an archive that is closed to a visitor who may know of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedArchive {
    /// The name of the list for people.
    pub(super) list: String,
    /// The path of the list's page.
    pub(super) list_href: String,
    /// The path and query that were asked for.
    pub(super) next: String,
    /// The path of the form of the password, if one opens the archive.
    pub(super) password: Option<String>,
    /// Whether members of the list read the archive.
    pub(super) is_for_members: bool,
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
}
