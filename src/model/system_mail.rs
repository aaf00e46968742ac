//! Mail outside of lists' archives: mails that the server writes itself, and mails that it forwards.
//!
//! `ops::notices` writes these records with their bytes; their delivery works as that of a post.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, BlobId, SystemMailId, words};
use crate::clock::Timestamp;

/// How long a system mail and its outcome are kept: beyond the end of its retries.
pub const SYSTEM_MAIL_KEPT_FOR: Duration = Duration::from_hours(30 * 24);

words! {
    /// The kind of a system mail, for logs and traces.
    SystemMailKind {
        /// Tells a sender that a message waits for approval.
        Hold = "hold",
        /// Tells a sender that a message is rejected.
        Reject = "reject",
        /// Asks a moderator to decide.
        Moderation = "moderation",
        /// Answers a mail that was sent to one of the server's own addresses.
        Answer = "answer",
        /// Greets a new member or contact.
        Welcome = "welcome",
        /// Gives a new administrator the link to choose a password.
        Invitation = "invitation",
        /// Tells administrators of a problem.
        Problem = "problem",
        /// Asks whether an address that is paused takes mail again.
        Probe = "probe",
        /// Forwards another person's mail unchanged.
        Forward = "forward",
        /// Gives a member the link to sign in.
        SignIn = "sign-in",
        /// Asks the owner of an address to confirm a request.
        Confirmation = "confirmation",
        /// Tells a person how a request to join or leave a list was decided.
        Decision = "decision",
        /// Tells administrators who joined or left a list.
        News = "news",
        /// Shows an administrator a message as members would get it.
        Test = "test",
    }
}

/// Where delivery reports on a system mail go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReturnPath {
    /// Nowhere: the mail answers another one, or is a report itself (RFC 3834 3.3, RFC 5321 4.5.5).
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
    /// Its kind.
    pub kind: SystemMailKind,
    /// Where reports on it go.
    pub return_path: ReturnPath,
    /// Its bytes.
    pub blob: BlobId,
    /// When it was written.
    pub created: Timestamp,
    /// When it is deleted, with its outcome.
    pub kept_until: Timestamp,
    /// Whether it forwards a mail that came under REQUIRETLS (RFC 8689).
    pub requires_tls: bool,
}
