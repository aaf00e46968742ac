//! What undoing an action comes to.

use crate::ops::OpError;

/// The words behind the detail of an entry of the audit log.
pub(super) const UNDONE: &str = "undone";

/// Why a change stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// The person opted out since.
    OptedOut,
    /// Somebody changed it since.
    Changed,
    /// It is as it was before already.
    There,
    /// The list, the person or the address is gone.
    Gone,
    /// An address or a name is somebody else's now.
    Taken,
    /// The address book is full.
    Full,
}

/// The result of undoing an action: to whom or what it was done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Undone {
    /// What is as it was.
    pub done: Vec<String>,
    /// What stays, and why.
    pub left: Vec<(String, Left)>,
}

/// The result for one change: the lists without which somebody is back, by name, which is blank if the list is gone.
pub(super) type PutBack = Result<Result<Vec<(String, Left)>, Left>, OpError>;

/// A change that was put back as it was.
pub(super) const WHOLE: Result<Vec<(String, Left)>, Left> = Ok(Vec::new());
