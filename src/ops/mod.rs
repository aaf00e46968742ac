//! Every operation of the service: plain functions over a transaction.
//!
//! An operation takes the transaction first, the caller next and time as an argument; it awaits nothing and
//! knows neither HTTP nor SMTP. [`Core`] is what the edges share to reach them.

pub mod accounts;
mod allowances;
pub mod archive;
pub mod audit;
pub mod authority;
mod by_contact;
mod core;
pub mod delivery;
pub mod domains;
pub mod envelope;
pub mod limits;
pub mod lists;
pub mod locales;
pub mod metric_labels;
pub mod moderation;
pub mod notices;
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
pub use self::core::{Core, OpContext};
pub use problems::Problems;

use std::ops::ControlFlow;

use crate::model::Permission;
use crate::store::{Entity, Index, IndexRange, Read, StoreError};

/// Why an operation was not done. It carries facts; the edges choose the words of their protocol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpError {
    /// The object that the call names does not exist for this caller.
    #[error("There is no such {what}")]
    NotFound {
        /// The kind of object, in the document's word.
        what: &'static str,
    },
    /// Values that cannot be taken: every wrong field with its problem.
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
        /// In words.
        problem: String,
    },
    /// The caller lacks a permission.
    #[error("This needs the permission {}", permission.word())]
    Forbidden {
        /// The one that would do.
        permission: Permission,
    },
    /// The caller's key is one account's, and the call is about others.
    #[error("Only a global key may do this")]
    NotGlobal,
    /// The caller's own limits do not let it do this.
    #[error("Your limits do not allow {what}")]
    Limited {
        /// What was wanted, in words.
        what: &'static str,
    },
    /// The account's address book is full.
    #[error("The address book is full: it may have {contacts_max} contacts")]
    AddressBookFull {
        /// Its size.
        contacts_max: u64,
    },
    /// A message larger than its list takes.
    #[error("The message is larger than the {limit_bytes} bytes that the list takes")]
    TooLarge {
        /// The list's limit.
        limit_bytes: u64,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a call says of a field: a new value, or nothing, and then the field stays as it is.
pub type Change<T> = Option<T>;

/// One field whose value cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The field, by the document's name.
    pub field: String,
    /// What is wrong with it, and what would be right.
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
    /// One wrong field.
    #[must_use]
    pub fn invalid(field: impl Into<String>, problem: impl std::fmt::Display) -> OpError {
        OpError::Invalid { problems: vec![Problem { field: field.into(), problem: problem.to_string() }] }
    }
}

/// One page of a listing: its rows, and how many there are on all pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows of this page.
    pub rows: Vec<T>,
    /// The rows of all pages.
    pub count: u64,
}

/// Which part of a listing is wanted.
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
    /// The `limit` rows behind a position.
    After {
        /// The id of the last row that was seen.
        after: u64,
        /// Rows wanted.
        limit: usize,
    },
}

/// The ids of a window of `prefix`'s rows in an index in which records share keys.
///
/// A page far behind is reached over the rows before it, which are not read; a position is sought.
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

/// The records of these ids, which a row of this transaction leads to.
pub(crate) fn records<E: Entity>(tx: &impl Read, ids: &[u64]) -> Result<Vec<E>, StoreError> {
    let mut records = Vec::with_capacity(ids.len());
    for id in ids {
        let missing = || StoreError::corrupt(E::TABLE, format_args!("{id} is in an index and not there"));
        records.push(tx.get(*id)?.ok_or_else(missing)?);
    }
    Ok(records)
}
