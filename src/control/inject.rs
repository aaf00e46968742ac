//! Takes a message from a program of this machine (`crier inject`).
//!
//! On the socket a message is one line of JSON, followed by its bytes. The bytes may be any, so they do not stand in
//! the line: the line only gives their number.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt as _};

use super::host::Host;
use crate::config::MESSAGE_BYTES_MAX;
use crate::ops::posting::inbound::Refusal;
use crate::service::submit::{Submission, Unsubmitted};

/// Longest wait for the bytes of a message: the command has all of them before it connects.
const MESSAGE_TIMEOUT: Duration = Duration::from_mins(1);

/// `crier inject`: the envelope; the message follows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InjectRequest {
    /// Envelope sender; blank or `<>` for the empty one, the author if unset.
    pub from: Option<String>,
    /// The recipients.
    pub recipients: Vec<String>,
    /// Bytes of the message, at most [`MESSAGE_BYTES_MAX`].
    pub size_bytes: usize,
}

/// Classes of refusals, as far as the sending program acts upon them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Obstacle {
    /// The arguments make no sense.
    Usage,
    /// The message itself cannot be accepted.
    Message,
    /// A recipient does not exist here.
    Recipient,
    /// The rules of a list refuse it.
    Rules,
    /// It may be accepted later.
    Temporary,
}

/// The refusal of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uninjected {
    /// The class of the refusal.
    pub obstacle: Obstacle,
    /// The reasons, a sentence each.
    pub texts: Vec<String>,
}

/// Accepts a message of `user`, as the operating system names it. The message is durable when this returns.
pub async fn inject(
    host: &Host,
    request: InjectRequest,
    text: Vec<u8>,
    user: Option<u32>,
) -> Result<(), Uninjected> {
    let InjectRequest { from, recipients, size_bytes: _ } = request;
    let hostname = host.hostname.clone();
    host.core.submit(Submission { from, recipients, text, user, hostname }).await.map_err(uninjected)
}

fn uninjected(reason: Unsubmitted) -> Uninjected {
    let words = reason.to_string();
    let (obstacle, texts) = match reason {
        Unsubmitted::NoRecipient
        | Unsubmitted::TooManyRecipients
        | Unsubmitted::NoAddress(_)
        | Unsubmitted::NoSender(_)
        | Unsubmitted::SenderNeeded => (Obstacle::Usage, vec![words]),
        Unsubmitted::AuthorNeeded => (Obstacle::Message, vec![words]),
        Unsubmitted::Recipients(refused) => {
            // A temporary obstacle counts only if nothing else is wrong.
            let obstacles = refused.iter().map(|(_, refusal)| obstacle_of(refusal));
            let worst = obstacles.min_by_key(|obstacle| *obstacle == Obstacle::Temporary);
            let text = |(address, refusal): &(_, Refusal)| format!("{address}: {}", words_of(refusal));
            (worst.unwrap_or(Obstacle::Recipient), refused.iter().map(text).collect())
        }
        Unsubmitted::Message(refusal) => {
            (obstacle_of(&refusal), vec![format!("not taken: {}", words_of(&refusal))])
        }
    };
    Uninjected { obstacle, texts }
}

fn obstacle_of(refusal: &Refusal) -> Obstacle {
    match refusal {
        Refusal::NoSuchRecipient | Refusal::NotOurs | Refusal::AliasTooLarge(_) => Obstacle::Recipient,
        Refusal::TooLarge { .. } | Refusal::Malformed(_) => Obstacle::Message,
        Refusal::Rejected(_)
        | Refusal::Forged
        | Refusal::LeavingClosed
        | Refusal::JoiningClosed
        | Refusal::NotYours
        | Refusal::AuthError => Obstacle::Rules,
        Refusal::NotSetUp
        | Refusal::Suspended
        | Refusal::TooEarly
        | Refusal::Unverified
        | Refusal::Exhausted { .. }
        | Refusal::TooManyHeld(_)
        | Refusal::TooMuchRoleMail
        | Refusal::TooManyRequests
        | Refusal::DiskFull
        | Refusal::DiskFails
        | Refusal::Internal
        | Refusal::Broken { .. } => Obstacle::Temporary,
    }
}

fn words_of(refusal: &Refusal) -> String {
    match refusal {
        Refusal::NoSuchRecipient => "there is no such recipient".to_owned(),
        Refusal::NotOurs => "that is no domain of this server, which does not relay".to_owned(),
        Refusal::NotSetUp => "there is no account: run crier setup".to_owned(),
        Refusal::Suspended => "its account is suspended".to_owned(),
        Refusal::LeavingClosed => "members do not leave that list by mail".to_owned(),
        Refusal::JoiningClosed => "nobody joins that list by mail".to_owned(),
        Refusal::NotYours | Refusal::AuthError => "it belongs to another account".to_owned(),
        Refusal::TooLarge { limit_bytes } => {
            format!("the message is larger than the {limit_bytes} bytes taken there")
        }
        Refusal::Malformed(error) => error.to_string(),
        Refusal::AliasTooLarge(error) => error.to_string(),
        Refusal::TooManyHeld(limit) => limit.to_string(),
        Refusal::TooMuchRoleMail => "too much mail went to those who look after lists today".to_owned(),
        Refusal::TooManyRequests => "too many requests that cause mail came this hour".to_owned(),
        Refusal::Rejected(reason) => reason.to_string(),
        Refusal::Forged => "the author's domain asks to refuse it (DMARC)".to_owned(),
        Refusal::Exhausted { limit } => format!("its account may read and change {limit} objects an hour"),
        Refusal::Unverified => "the author cannot be verified now".to_owned(),
        Refusal::TooEarly => "the message that it reports on is still being sent".to_owned(),
        Refusal::DiskFull => "the disk is full".to_owned(),
        Refusal::DiskFails => "the data file cannot be written now".to_owned(),
        Refusal::Internal | Refusal::Broken { .. } => {
            "the server failed, and its log says why; it may succeed later".to_owned()
        }
    }
}

/// Reads the message that follows its line; `None` if it is announced as too large, or does not come.
pub(super) async fn read_message(
    read: &mut (impl AsyncRead + Unpin),
    request: &InjectRequest,
) -> Option<Vec<u8>> {
    if MESSAGE_BYTES_MAX < request.size_bytes {
        return None;
    }
    let mut text = vec![0; request.size_bytes];
    tokio::time::timeout(MESSAGE_TIMEOUT, read.read_exact(&mut text)).await.ok()?.ok()?;
    Some(text)
}
