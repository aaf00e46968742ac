//! What administrators are told of deliveries: the first time at once, what follows within the hour together.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, AlertId, ContactId, ListId, Notification};
use crate::clock::Timestamp;

/// How long after one mail the next is written.
const TOLD_EVERY: Duration = Duration::from_hours(1);
/// Lines that wait; of the rest the number is told.
const LINES_MAX: usize = 100;

/// What an alert is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AlertKind {
    /// Addresses were paused.
    Bounce,
    /// Readers complained.
    Complaint,
    /// A provider refuses what a list sends.
    DeliveryProblem,
    /// Reports on copies that several members share did not come from the members' providers.
    UnprovenReport,
}

impl AlertKind {
    /// Those who want to be told of this are told.
    #[must_use]
    pub fn notification(self) -> Notification {
        match self {
            AlertKind::Bounce | AlertKind::UnprovenReport => Notification::Bounce,
            AlertKind::Complaint => Notification::Complaint,
            AlertKind::DeliveryProblem => Notification::DeliveryProblem,
        }
    }
}

/// Whom a line of an alert concerns: it is told to those alone who may see that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Concern {
    /// A contact.
    Contact(ContactId),
    /// A list.
    List(ListId),
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertLine {
    /// In words, on one line.
    pub text: String,
    /// Whom it concerns.
    pub concern: Concern,
}

/// What the administrators of an account were last told of one matter, and what has happened since.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alert {
    /// Service identifier.
    pub id: AlertId,
    /// The account.
    pub account: AccountId,
    /// The matter.
    pub kind: AlertKind,
    /// When they were last told.
    pub told: Timestamp,
    /// What has happened since.
    pub waiting: Vec<AlertLine>,
    /// How much more has happened since.
    pub left_out: u64,
}

impl Alert {
    /// When what waits is told; none where nothing does.
    #[must_use]
    pub fn due(&self) -> Option<Timestamp> {
        if self.waiting.is_empty() { None } else { Some(self.told + TOLD_EVERY) }
    }

    /// Whether one more thing may be told at once.
    #[must_use]
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        self.waiting.is_empty() && TOLD_EVERY <= now.since(self.told)
    }

    /// Lets one more thing wait.
    pub fn wait(&mut self, line: AlertLine) {
        if self.waiting.len() < LINES_MAX {
            self.waiting.push(line);
        } else {
            self.left_out += 1;
        }
    }
}
