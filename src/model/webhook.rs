//! Webhooks: addresses of programs to which the server sends the events of an account.
//!
//! `ops::webhooks` writes these records, and `jobs` sends. How far a hook has heard is a record beside it, so that its own
//! changes rarely; what was sent is kept by the dozen, since a row for each would cost more than the event.

use serde::{Deserialize, Serialize};

use super::event::EventType;
use super::{AccountId, EventId, WebhookId, WebhookLogId, words};
use crate::clock::Timestamp;

/// Attempts at one event, after which a hook is paused.
pub const ATTEMPTS_MAX: u32 = 10;
/// Bits of the number of a delivery that say its place in its record.
const PLACE_BITS: u32 = 8;
/// Deliveries that one record keeps at most.
pub const LOG_ENTRIES_MAX: usize = 1 << PLACE_BITS;

/// An address to which events are sent.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Webhook {
    /// Service identifier.
    pub id: WebhookId,
    /// The account whose events it hears.
    pub account: AccountId,
    /// The address.
    pub url: String,
    /// The types that it hears; empty for all.
    pub types: Vec<EventType>,
    /// What it is for, in the words of who made it.
    pub description: String,
    /// Whether anything is sent to it.
    pub active: bool,
    /// The key that signs.
    pub secret: Vec<u8>,
    /// The key before the last rotation, and until when it signs as well.
    pub old_secret: Option<(Vec<u8>, Timestamp)>,
    /// When it was made.
    pub created: Timestamp,
}

impl std::fmt::Debug for Webhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // No secret reaches the log by way of a record that is shown.
        let Webhook { id, account, url, types, description, active, secret: _, old_secret: _, created } =
            self;
        f.debug_struct("Webhook")
            .field("id", id)
            .field("account", account)
            .field("url", url)
            .field("types", types)
            .field("description", description)
            .field("active", active)
            .field("created", created)
            .finish_non_exhaustive()
    }
}

/// How far a hook has heard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookState {
    /// The hook.
    pub hook: WebhookId,
    /// Its account.
    pub account: AccountId,
    /// The last event that is settled for it.
    pub position: EventId,
    /// Attempts that failed at the event behind the position.
    pub attempts: u32,
    /// When that event is tried next, if an attempt failed.
    pub next_attempt: Option<Timestamp>,
    /// The status of the last attempt that failed, if there was an answer.
    pub status: Option<u16>,
    /// Why the last attempt failed.
    pub reply: String,
    /// Ranges of events to send once more, from the first to the last of each, with how far each has come.
    pub replays: Vec<(EventId, EventId)>,
}

impl WebhookState {
    /// The state of a hook that hears what happens behind an event.
    #[must_use]
    pub fn new(hook: WebhookId, account: AccountId, position: EventId) -> WebhookState {
        WebhookState {
            hook,
            account,
            position,
            attempts: 0,
            next_attempt: None,
            status: None,
            reply: String::new(),
            replays: Vec::new(),
        }
    }
}

words! {
    /// What became of an event at a hook.
    WebhookOutcome {
        /// It is to be sent.
        Pending = "pending",
        /// An attempt failed, and it is tried again.
        Retrying = "retrying",
        /// The hook has taken it.
        Delivered = "delivered",
        /// The hook was paused with it.
        Failed = "failed",
    }
}

/// One event as a hook got it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookDelivery {
    /// The event.
    pub event: EventId,
    /// Its type.
    pub kind: EventType,
    /// When the last attempt ended.
    pub time: Timestamp,
    /// Attempts that were made.
    pub attempts: u32,
    /// The status of the last answer, if there was one.
    pub status: Option<u16>,
    /// Why the last attempt failed; blank if it did not.
    pub reply: String,
    /// Whether the hook has taken it.
    pub is_delivered: bool,
}

/// Some deliveries of a hook, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookLog {
    /// Service identifier.
    pub id: WebhookLogId,
    /// The account.
    pub account: AccountId,
    /// The hook.
    pub hook: WebhookId,
    /// When the record was made.
    pub time: Timestamp,
    /// The deliveries, at most [`LOG_ENTRIES_MAX`].
    pub entries: Vec<WebhookDelivery>,
}

impl WebhookLog {
    /// The number of the delivery at a place in this record. Later deliveries have higher ones.
    #[must_use]
    pub fn number(&self, place: usize) -> u64 {
        (self.id.0 << PLACE_BITS) | u64::try_from(place).unwrap_or(0)
    }
}
