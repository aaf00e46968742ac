//! The reasons why mail is not taken, each with its SMTP reply.

use crate::mail::smtp_reply::SmtpReply;
use crate::mail::{ParseError, RejectReason};
use crate::ops::lists::aliases::AliasTooLarge;
use crate::ops::moderation::HeldLimit;
use crate::ops::moderation::quarantine::NotHeld;
use crate::store::StoreError;

/// The reason why a recipient or a message is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The domain is this server's, but the address does not exist.
    NoSuchRecipient,
    /// The domain is not this server's: mail is never relayed.
    NotOurs,
    /// There is no account, so no domain is this server's: the data folder is the wrong one, or not set up yet. The
    /// sender should try again.
    NotSetUp,
    /// The account of the address is suspended; the sender should try again.
    Suspended,
    /// The address leaves a list that does not let its members leave by mail.
    LeavingClosed,
    /// The address belongs to another account than the key.
    NotYours,
    /// The key does not work any more.
    AuthError,
    /// The account has used up its objects of this hour; the sender should try again.
    Exhausted {
        /// Objects that it may read and change in an hour.
        limit: u64,
    },
    /// The message is larger than the list accepts.
    TooLarge {
        /// The list's limit.
        limit_bytes: u64,
    },
    /// The message would need approval, and too many wait already; the sender should try again.
    TooManyHeld(HeldLimit),
    /// Too much mail of this client went to moderators and administrators in one day; the sender should try again.
    TooMuchRoleMail,
    /// The address asks to join a list that nobody joins on their own.
    JoiningClosed,
    /// The client has made too many requests that cause mail; the sender should try again.
    TooManyRequests,
    /// The alias leads to too many addresses.
    AliasTooLarge(AliasTooLarge),
    /// The message cannot be parsed safely.
    Malformed(ParseError),
    /// The list's rules reject the message, and it had no other recipient.
    Rejected(RejectReason),
    /// DMARC failed, and the author's domain asks receivers to reject.
    Forged,
    /// The author may be a member, but the DNS did not answer; the sender should try again.
    Unverified,
    /// The message reports on a copy that is not settled yet; the sender should try again.
    TooEarly,
    /// The disk is full; the sender should try again.
    DiskFull,
    /// The disk fails; the sender should try again.
    DiskFails,
    /// The store failed; the sender should try again.
    Internal,
    /// The server fails on this message and could not quarantine it; the sender should try again.
    Broken {
        /// A description of the failure.
        trace: String,
    },
}

impl Refusal {
    /// The SMTP reply.
    #[must_use]
    pub fn reply(&self) -> SmtpReply {
        let refused = |text: &'static str| SmtpReply::new(550, "5.7.1", text);
        let unavailable = |text: &'static str| SmtpReply::new(451, "4.3.0", text);
        match self {
            Refusal::NoSuchRecipient => SmtpReply::new(550, "5.1.1", "No such recipient here"),
            Refusal::NotOurs => refused("Not a domain of this server, which does not relay"),
            Refusal::NotSetUp => unavailable("This server is not set up yet, try again later"),
            Refusal::Suspended => {
                SmtpReply::new(450, "4.2.1", "This address is out of service, try again later")
            }
            Refusal::LeavingClosed => {
                refused("Members do not leave this list by mail; please write to those who look after it")
            }
            Refusal::NotYours => refused("You may write to addresses of your own account alone"),
            Refusal::AuthError => SmtpReply::new(
                421,
                "4.7.0",
                "Your key does not work any more: it was revoked, has expired or lost its permission",
            ),
            Refusal::Exhausted { limit } => {
                let text = format!(
                    "Your account may read and change {limit} objects an hour, try again in the next"
                );
                SmtpReply::new(451, "4.7.1", text)
            }
            Refusal::TooLarge { limit_bytes } => {
                let text = format!("The message is larger than the {limit_bytes} octets taken here");
                SmtpReply::new(552, "5.3.4", text)
            }
            Refusal::TooManyHeld(limit) => {
                SmtpReply::new(452, "4.2.2", format!("{}, try again later", sentence(limit)))
            }
            Refusal::TooMuchRoleMail => SmtpReply::new(
                452,
                "4.7.1",
                "Too much mail of yours to those who look after lists, try again tomorrow",
            ),
            Refusal::JoiningClosed => {
                refused("Nobody joins this list by mail; please write to those who look after it")
            }
            Refusal::TooManyRequests => {
                SmtpReply::new(452, "4.7.1", "Too many requests of yours, try again in an hour")
            }
            Refusal::AliasTooLarge(reason) => SmtpReply::new(550, "5.2.4", sentence(reason)),
            Refusal::Malformed(reason) => SmtpReply::new(554, "5.6.0", sentence(reason)),
            Refusal::Rejected(reason @ RejectReason::TooLarge { .. }) => {
                SmtpReply::new(552, "5.3.4", sentence(reason))
            }
            Refusal::Rejected(reason) => SmtpReply::new(550, "5.7.1", sentence(reason)),
            Refusal::Forged => refused(
                "The author's domain asks to refuse this message: neither SPF nor DKIM proves it (DMARC)",
            ),
            Refusal::Unverified => SmtpReply::new(
                451,
                "4.7.0",
                "The author cannot be verified now, as the DNS gives no answer; try again later",
            ),
            Refusal::TooEarly => {
                unavailable("The message that this reports on is still being sent, try again later")
            }
            Refusal::DiskFull => {
                SmtpReply::new(452, "4.3.1", "The disk of this server is full, try again later")
            }
            Refusal::DiskFails => unavailable("Nothing can be stored at the moment, try again later"),
            Refusal::Internal | Refusal::Broken { .. } => unavailable("Internal error, try again later"),
        }
    }

    /// The reason, as a text that can be read alone.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            Refusal::Malformed(reason) => reason.to_string(),
            Refusal::Rejected(reason) => reason.to_string(),
            Refusal::TooLarge { limit_bytes } => {
                let limit_kb = u32::try_from(limit_bytes / 1024).unwrap_or(u32::MAX);
                RejectReason::TooLarge { limit_kb }.to_string()
            }
            other => other.reply().text.into_owned(),
        }
    }
}

/// A reason with a capital letter, as all replies begin.
fn sentence(reason: &impl std::fmt::Display) -> String {
    let mut text = reason.to_string();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

impl From<NotHeld> for Refusal {
    fn from(not_held: NotHeld) -> Refusal {
        match not_held {
            NotHeld::Limit(limit) => Refusal::TooManyHeld(limit),
            NotHeld::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for Refusal {
    /// The client is only told to try again; the log has the failure.
    fn from(error: StoreError) -> Refusal {
        match error {
            StoreError::Full => return Refusal::DiskFull,
            StoreError::Unavailable { .. } => return Refusal::DiskFails,
            _ => tracing::error!(error = %error, "A message could not be kept: storage failed"),
        }
        match error {
            StoreError::Panicked | StoreError::Corrupt { .. } | StoreError::UnknownBlob { .. } => {
                Refusal::Broken { trace: error.to_string() }
            }
            _ => Refusal::Internal,
        }
    }
}

/// The metric label for the result of a message that was received completely.
#[must_use]
pub fn result_label<T>(received: &Result<T, Refusal>) -> &'static str {
    match received {
        Ok(_) => "accepted",
        Err(Refusal::NoSuchRecipient) => "no_recipient",
        Err(Refusal::NotOurs) => "not_ours",
        Err(Refusal::Suspended) => "suspended",
        Err(Refusal::LeavingClosed) => "leaving_closed",
        Err(Refusal::NotYours) => "not_yours",
        Err(Refusal::AuthError) => "unproven",
        Err(Refusal::Exhausted { .. }) => "exhausted",
        Err(Refusal::TooLarge { .. }) => "too_large",
        Err(Refusal::TooManyHeld(_)) => "held_full",
        Err(Refusal::JoiningClosed) => "joining_closed",
        Err(Refusal::TooMuchRoleMail | Refusal::TooManyRequests) => "too_many",
        Err(Refusal::AliasTooLarge(_)) => "alias_too_large",
        Err(Refusal::Malformed(_)) => "malformed",
        Err(Refusal::Rejected(_)) => "rejected",
        Err(Refusal::Forged) => "dmarc",
        Err(Refusal::Unverified) => "unverified",
        Err(Refusal::DiskFull) => "disk_full",
        Err(Refusal::DiskFails) => "disk_fails",
        Err(Refusal::NotSetUp | Refusal::TooEarly | Refusal::Internal | Refusal::Broken { .. }) => "internal",
    }
}
