//! Alerts that tell administrators about deliveries: the first of a kind at once, later ones of the next hour together.
//!
//! `ops::accounts` collects the events and writes the mails.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, AlertId, ContactId, ListId, Notification};
use crate::clock::Timestamp;

/// How long after one alert mail the next is written.
const TOLD_EVERY: Duration = Duration::from_hours(1);
/// Lines that wait at most; of further ones only the number is told.
const LINES_MAX: usize = 100;

/// The subject of an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AlertKind {
    /// Addresses were paused.
    Bounce,
    /// Readers complained.
    Complaint,
    /// A provider refuses messages of a list.
    DeliveryProblem,
    /// Reports on copies that several members share did not come from the members' providers.
    UnprovenReport,
    /// A webhook fails, or was paused.
    Webhook,
}

impl AlertKind {
    /// The notification setting by which administrators choose to be told of it.
    #[must_use]
    pub fn notification(self) -> Notification {
        match self {
            AlertKind::Bounce | AlertKind::UnprovenReport => Notification::Bounce,
            AlertKind::Complaint => Notification::Complaint,
            AlertKind::DeliveryProblem | AlertKind::Webhook => Notification::DeliveryProblem,
        }
    }
}

/// The person or list that a line of an alert is about: the line is told only to administrators who may see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Concern {
    /// A contact.
    Contact(ContactId),
    /// A list.
    List(ListId),
    /// The account as a whole: a matter of those who administer it.
    Account,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertLine {
    /// Its description on one line.
    pub text: String,
    /// The person or list it is about.
    pub concern: Concern,
}

/// When the administrators of an account were last told about one kind of event, and the events since.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alert {
    /// Service identifier.
    pub id: AlertId,
    /// The account.
    pub account: AccountId,
    /// The kind of event.
    pub kind: AlertKind,
    /// When they were last told.
    pub told: Timestamp,
    /// The events since.
    pub waiting: Vec<AlertLine>,
    /// The number of further events since, beyond the limit.
    pub left_out: u64,
}

impl Alert {
    /// When the waiting events are told; `None` if there are none.
    #[must_use]
    pub fn due(&self) -> Option<Timestamp> {
        if self.waiting.is_empty() { None } else { Some(self.told + TOLD_EVERY) }
    }

    /// Whether one more event may be told at once.
    #[must_use]
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        self.waiting.is_empty() && TOLD_EVERY <= now.since(self.told)
    }

    /// Adds an event to those that wait.
    pub fn wait(&mut self, line: AlertLine) {
        if self.waiting.len() < LINES_MAX {
            self.waiting.push(line);
        } else {
            self.left_out += 1;
        }
    }
}
