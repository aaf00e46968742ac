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

pub use self::authority::Caller;
pub use self::context::OpContext;
pub use problems::Problems;

use std::ops::ControlFlow;

use crate::clock::Timestamp;
use crate::model::{OptOutWay, Permission};
use crate::store::{Entity, Index, IndexRange, Read, StoreError};

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
    /// A value that must be unique is taken.
    #[error("{field}: {problem}")]
    Conflict {
        /// The field whose value is taken.
        field: &'static str,
        /// The problem in words.
        problem: String,
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

/// One field with a value that is not valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The field, by its name in the API.
    pub field: String,
    /// A sentence that says what is wrong and what is right.
    pub problem: String,
}

impl Problem {
    fn sentence(problems: &[Problem]) -> String {
        let parts: Vec<String> =
            problems.iter().map(|Problem { field, problem }| format!("{field}: {problem}")).collect();
        parts.join("; ")
    }
}

impl OpError {
    /// An error about one wrong field.
    #[must_use]
    pub fn invalid(field: impl Into<String>, problem: impl std::fmt::Display) -> OpError {
        OpError::Invalid { problems: vec![Problem { field: field.into(), problem: problem.to_string() }] }
    }
}

/// One page of a listing, and the number of rows on all pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows of this page.
    pub rows: Vec<T>,
    /// The rows of all pages.
    pub count: u64,
}

/// The part of a listing that is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageRequest {
    /// Everything.
    All,
    /// A page by its number, from 1, of `limit` rows.
    Page {
        /// Its number.
        page: u64,
        /// Rows a page.
        limit: usize,
    },
    /// The `limit` rows after a position.
    After {
        /// The id of the last row before it.
        after: u64,
        /// Rows requested.
        limit: usize,
    },
}

/// The ids of the requested page of `prefix`'s rows, in an index in which records share keys.
///
/// A later page is reached by stepping over index rows, without reading records; a position is reached by seeking.
pub(crate) fn window_ids<E: Entity>(
    tx: &impl Read,
    index: &Index<E>,
    range: IndexRange,
    window: PageRequest,
) -> Result<Vec<u64>, StoreError> {
    match window {
        PageRequest::All => tx.ids(index, &range, usize::MAX),
        PageRequest::After { after, limit } => tx.ids(index, &range.after_id(after), limit),
        PageRequest::Page { page, limit } => {
            let mut before = paging::skipped(page, limit);
            let mut ids = Vec::new();
            tx.scan(index, &range, |_, id| {
                if 0 < before {
                    before -= 1;
                } else {
                    ids.push(id);
                }
                if ids.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            Ok(ids)
        }
    }
}

/// The records of these ids, which were found in an index in the same transaction.
pub(crate) fn records<E: Entity>(tx: &impl Read, ids: &[u64]) -> Result<Vec<E>, StoreError> {
    let mut records = Vec::with_capacity(ids.len());
    for id in ids {
        let missing = || StoreError::corrupt(E::TABLE, format_args!("{id} is in an index and not there"));
        records.push(tx.get(*id)?.ok_or_else(missing)?);
    }
    Ok(records)
}
