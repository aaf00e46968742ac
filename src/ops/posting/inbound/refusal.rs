//! Why mail is not taken, for whoever answers its sender.

use crate::mail::{ParseError, RejectReason};
use crate::ops::lists::aliases::AliasTooLarge;
use crate::ops::moderation::HeldLimit;
use crate::ops::moderation::quarantine::NotHeld;
use crate::ops::posting::acceptance::SmtpReply;
use crate::store::StoreError;

/// Why a recipient or a message is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The domain is ours, the address is nobody's.
    NoSuchRecipient,
    /// The domain is not ours: mail is never relayed.
    NotOurs,
    /// There is no account, so that nothing can be ours: a folder that is not the right one, or not set up yet. The sender
    /// should try again.
    NotSetUp,
    /// It is of another account than the key that was shown.
    NotYours,
    /// The key that was shown works no more.
    AuthError,
    /// Its account has read and changed as much as it may in this hour; the sender should try again.
    Exhausted {
        /// Objects that it may read and change in an hour.
        limit: u64,
    },
    /// Larger than the list takes.
    TooLarge {
        /// What it takes.
        limit_bytes: u64,
    },
    /// It would have to wait for approval, and as many wait as may; the sender should try again.
    TooManyHeld(HeldLimit),
    /// As much mail of its client has gone to the people who look after lists as may in a day; the sender should try
    /// again.
    TooMuchRoleMail,
    /// The alias leads to more addresses than an alias may.
    AliasTooLarge(AliasTooLarge),
    /// No message that can be read safely.
    Malformed(ParseError),
    /// The list's rules refuse it, and nobody else was to get it.
    Rejected(RejectReason),
    /// DMARC failed, and the author's domain asks to refuse what fails.
    Forged,
    /// Whether the author is a member's depends on what the DNS did not say; the sender should try again.
    Unverified,
    /// It reports on a copy that is still under way; the sender should try again.
    TooEarly,
    /// The disk is full; the sender should try again.
    DiskFull,
    /// The disk fails; the sender should try again.
    DiskFails,
    /// The store failed; the sender should try again.
    Internal,
    /// The server fails on this message, which could not be put aside; the sender should try again.
    Broken {
        /// What went wrong.
        trace: String,
    },
}

impl Refusal {
    /// What SMTP answers.
    #[must_use]
    pub fn reply(&self) -> SmtpReply {
        match self {
            Refusal::NoSuchRecipient => SmtpReply::new(550, "5.1.1", "No such recipient here"),
            Refusal::NotOurs => {
                SmtpReply::new(550, "5.7.1", "Not a domain of this server, which does not relay")
            }
            Refusal::NotSetUp => {
                SmtpReply::new(451, "4.3.0", "This server is not set up yet, try again later")
            }
            Refusal::NotYours => {
                SmtpReply::new(550, "5.7.1", "You may write to addresses of your own account alone")
            }
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
            Refusal::AliasTooLarge(reason) => SmtpReply::new(550, "5.2.4", sentence(reason)),
            Refusal::Malformed(reason) => SmtpReply::new(554, "5.6.0", sentence(reason)),
            Refusal::Rejected(reason @ RejectReason::TooLarge { .. }) => {
                SmtpReply::new(552, "5.3.4", sentence(reason))
            }
            Refusal::Rejected(reason) => SmtpReply::new(550, "5.7.1", sentence(reason)),
            Refusal::Forged => SmtpReply::new(
                550,
                "5.7.1",
                "The author's domain asks to refuse this message: neither SPF nor DKIM proves it (DMARC)",
            ),
            Refusal::Unverified => SmtpReply::new(
                451,
                "4.7.0",
                "The author cannot be verified now, as the DNS gives no answer; try again later",
            ),
            Refusal::TooEarly => SmtpReply::new(
                451,
                "4.3.0",
                "The message that this reports on is still being sent, try again later",
            ),
            Refusal::DiskFull => {
                SmtpReply::new(452, "4.3.1", "The disk of this server is full, try again later")
            }
            Refusal::DiskFails => {
                SmtpReply::new(451, "4.3.0", "Nothing can be stored at the moment, try again later")
            }
            Refusal::Internal | Refusal::Broken { .. } => {
                SmtpReply::new(451, "4.3.0", "Internal error, try again later")
            }
        }
    }

    /// Why, in words that stand for themselves.
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

/// A reason as the beginning of a sentence, as all replies are.
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
    /// The client only learns that it should try again; what failed stands in the log.
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

/// The metric label of a message that was received whole.
#[must_use]
pub fn result_label<T>(received: &Result<T, Refusal>) -> &'static str {
    match received {
        Ok(_) => "accepted",
        Err(Refusal::NoSuchRecipient) => "no_recipient",
        Err(Refusal::NotOurs) => "not_ours",
        Err(Refusal::NotYours) => "not_yours",
        Err(Refusal::AuthError) => "unproven",
        Err(Refusal::Exhausted { .. }) => "exhausted",
        Err(Refusal::TooLarge { .. }) => "too_large",
        Err(Refusal::TooManyHeld(_)) => "held_full",
        Err(Refusal::TooMuchRoleMail) => "too_many",
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
