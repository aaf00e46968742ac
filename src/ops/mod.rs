//! Every operation of the service: plain functions over a transaction.
//!
//! An operation takes the transaction first, the caller next and time as an argument; it awaits nothing and
//! knows neither HTTP nor SMTP. [`service::Core`](crate::service::Core) carries it out.

pub mod accounts;
pub(crate) mod allowances;
pub mod archive;
pub mod audit;
pub mod authority;
mod by_contact;
pub mod context;
pub mod decisions;
pub mod delivery;
pub mod digests;
pub mod domains;
pub mod events;
pub mod limits;
pub mod lists;
pub mod locales;
pub mod metric_labels;
pub mod moderation;
pub mod notices;
pub mod oauth;
mod overdue;
pub mod paging;
pub mod patterns;
pub mod people;
pub mod posting;
mod problems;
pub mod queue;
mod search;
pub mod server;
pub mod sessions;
pub mod undo;
pub mod webhooks;

pub use self::authority::Caller;
pub use self::context::OpContext;
pub use paging::{Page, PageRequest};
pub(crate) use paging::{records, window_ids};
pub use problems::{AnyOf, Problem, Problems, Right, Said, TooLate, Waiting, Wrong, how_opted_out};

use crate::clock::Timestamp;
use crate::model::{OptOutWay, Permission};
use crate::store::StoreError;

/// The reason why an operation was not done. It carries facts; the edges choose the words of their protocol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpError {
    /// The object that the call names does not exist for this caller.
    #[error("There is no such {what}")]
    NotFound {
        /// The kind of object, in the document's word.
        what: &'static str,
    },
    /// Values that are not valid: every wrong field with its problem.
    #[error("{}", Problem::sentence(problems))]
    Invalid {
        /// At least one.
        problems: Vec<Problem>,
    },
    /// A value that must be unique is taken, or what the call is about was changed meanwhile.
    #[error("{field}: {problem}")]
    Conflict {
        /// The field whose value is taken.
        field: &'static str,
        /// What is in the way.
        problem: Wrong,
    },
    /// The caller lacks a permission.
    #[error("This needs the permission {}", permission.word())]
    Forbidden {
        /// A permission that would be enough.
        permission: Permission,
    },
    /// The caller's key belongs to one account, and the call concerns others.
    #[error("Only a global key may do this")]
    NotGlobal,
    /// An application acts whose person did not prove the identity before it allowed this.
    #[error(
        "An application makes no keys and changes no administrators unless it was allowed account_admin anew"
    )]
    NotProven,
    /// The caller's own limits forbid this.
    #[error("Your limits do not allow {what}")]
    Limited {
        /// The attempted action, in words.
        what: &'static str,
    },
    /// The account's address book is full.
    #[error("The address book is full: it may have {contacts_max} contacts")]
    AddressBookFull {
        /// Its size.
        contacts_max: u64,
    },
    /// The person opted out of the list, and the call does not override that.
    #[error("{}", opted_out(list, *way, *time))]
    OptedOut {
        /// The list.
        list: String,
        /// The way in which the person opted out.
        way: OptOutWay,
        /// When.
        time: Timestamp,
    },
    /// The message is larger than its list accepts.
    #[error("The message is larger than the {limit_bytes} bytes that the list takes")]
    TooLarge {
        /// The list's limit.
        limit_bytes: u64,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The sentence about somebody who opted out of a list.
fn opted_out(list: &str, way: OptOutWay, time: Timestamp) -> String {
    let time = time.rfc3339();
    let day = time.split('T').next().unwrap_or_default();
    let left = match way {
        OptOutWay::Link => format!("left {list} on {day} by the link"),
        OptOutWay::Mail => format!("left {list} on {day} by mail"),
        OptOutWay::Page => format!("left {list} on {day} on the members' pages"),
        OptOutWay::Request => format!("left {list} on {day} by a request that was approved"),
        OptOutWay::Complaint => format!("left on {day} by a complaint about mail from here"),
        OptOutWay::Import => format!("left {list} in another system, as an import of {day} says"),
        OptOutWay::Erasure => format!("left on {day} by asking to be forgotten"),
    };
    format!("{left}; not added (override_opt_out adds a person who asks for it all the same)")
}

/// A new value of a field; `None` if the call does not mention the field, which then does not change.
pub type Change<T> = Option<T>;

impl OpError {
    /// An error about one wrong field.
    #[must_use]
    pub fn invalid(field: impl Into<String>, problem: impl Into<Wrong>) -> OpError {
        OpError::Invalid { problems: vec![Problem { field: field.into(), problem: problem.into() }] }
    }

    /// An error about one field whose value something else is in the way of.
    #[must_use]
    pub fn conflict(field: &'static str, problem: impl Into<Wrong>) -> OpError {
        OpError::Conflict { field, problem: problem.into() }
    }
}
