//! Mail outside of lists' archives: what the server writes itself, and what it passes on.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, BlobId, SystemMailId, words};
use crate::clock::Timestamp;

/// How long a letter and what became of it are kept: beyond the end of its retries.
pub const SYSTEM_MAIL_KEPT_FOR: Duration = Duration::from_hours(30 * 24);

words! {
    /// What a letter is, for logs and traces.
    SystemMailKind {
        /// Tells a sender that a message waits for approval.
        Hold = "hold",
        /// Tells a sender that a message goes back.
        Reject = "reject",
        /// Asks a moderator to decide.
        Moderation = "moderation",
        /// Answers a mail that was sent to an address of the server's own.
        Answer = "answer",
        /// Greets a new member or contact.
        Welcome = "welcome",
        /// Gives a new administrator the link to choose a password.
        Invitation = "invitation",
        /// Tells administrators of a problem.
        Problem = "problem",
        /// Asks whether an address that is paused takes mail again.
        Probe = "probe",
        /// Mail of somebody else, passed on as it came.
        Forward = "forward",
    }
}

/// Where reports on a letter go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReturnPath {
    /// Nowhere: it answers another mail, or is a report itself (RFC 3834 3.3, RFC 5321 4.5.5).
    Null,
    /// To `bounces+TOKEN@D`.
    Bounces,
}

/// Mail that is delivered like a post and belongs to no list's archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemMail {
    /// Service identifier.
    pub id: SystemMailId,
    /// The account that it is sent for.
    pub account: AccountId,
    /// What it is.
    pub kind: SystemMailKind,
    /// Where reports on it go.
    pub return_path: ReturnPath,
    /// Its bytes.
    pub blob: BlobId,
    /// When it was written.
    pub created: Timestamp,
    /// When it is forgotten, with what became of it.
    pub kept_until: Timestamp,
    /// Whether it passes on what came under REQUIRETLS (RFC 8689).
    pub requires_tls: bool,
}
