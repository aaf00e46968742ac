//! Counters that limit how often something is done for one subject within a period.
//!
//! `ops::allowances` keeps them; this module only says whether a counter still applies.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::AllowanceId;
use crate::clock::Timestamp;

/// The purpose of a limit. Stored by its position: new purposes are added at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Purpose {
    /// Notices and reports to an envelope sender that nothing proves; the subject is the address.
    NoticeToAddress,
    /// Notices and reports to an envelope sender that nothing proves; the subject is the client that brought the mail.
    NoticeForClient,
    /// Notices about held messages that nobody decided on in time; the subject is the list.
    NoticeOfExpiry,
    /// Requests to decide on one held message; the subject is the list.
    RequestToModerators,
    /// Mail to `postmaster`, `abuse` and owners of lists; the subject is the client that brings it.
    RoleMail,
    /// Links to sign in, within a minute; the subject is the address.
    SignInMailOfMinute,
    /// Links to sign in, within a day; the subject is the address.
    SignInMailOfDay,
    /// Requests to confirm one kind of change of one list; the subject is the address, the list and the kind.
    ConfirmationOfChange,
    /// Requests to confirm anything; the subject is the address.
    ConfirmationToAddress,
    /// Requests of strangers that cause mail; the subject is the client.
    RequestOfClient,
    /// Mails that tell administrators of one member who joined or left; the subject is the list.
    News,
    /// Answers to moderators' mails that were not understood; the subject is the request and the moderator.
    Advice,
    /// Answers to mail with commands; the subject is the address.
    AnswerToAddress,
    /// Passwords that are tried on an archive; the subject is the client and the list.
    ArchivePassword,
    /// Wrong passwords and codes of administrators; the subject is the client.
    SignInError,
    /// Links to choose a forgotten password; the subject is the address.
    PasswordMail,
    /// Mails that tell of a locked address; the subject is the address.
    LockMail,
    /// Codes by text message; the subject is the administrator.
    TextMessage,
    /// Notes of mails that a list discarded; the subject is the list.
    DiscardNote,
}

/// How often something was done for one subject since the period began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowance {
    /// Service identifier.
    pub id: AllowanceId,
    /// The purpose of the limit.
    pub purpose: Purpose,
    /// SHA-256 of the subject of the limit: an address, a client, a list.
    pub subject: [u8; 32],
    /// When the period ends; the next use begins a new one.
    pub until: Timestamp,
    /// The number of uses.
    pub used: u32,
}

impl Allowance {
    /// Whether the period still runs. A row that ends further in the future than `per` was written before the clock was
    /// set back, and does not count.
    #[must_use]
    pub fn counts(&self, per: Duration, now: Timestamp) -> bool {
        now < self.until && self.until <= now + per
    }
}
