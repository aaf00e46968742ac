//! Who gets a copy of what a batch brings, and what became of it.

use serde::{Deserialize, Serialize};

use super::{BatchId, ContactId, EmailAddress, EmailId, MembershipId, Worded};
use crate::clock::Timestamp;

/// Earlier answers that are kept of one copy: the first, and the last of the others.
pub(super) const EARLIER_MAX: usize = 8;

/// An earlier answer on one copy, perhaps given several times in a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// What it made of the copy.
    pub state: RecipientState,
    /// When it was given last.
    pub time: Timestamp,
    /// How often it was given.
    pub times: u16,
    /// The server that was asked: a place in the batch's `replies`.
    pub remote: Option<u16>,
    /// Its words: a place in the batch's `replies`.
    pub reply: Option<u16>,
}

impl Attempt {
    /// Whether another one was answered in the same way.
    fn is_like(&self, other: &Attempt) -> bool {
        (self.state, self.remote, self.reply) == (other.state, other.remote, other.reply)
    }
}

/// One recipient of a batch, and what became of its copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipient {
    /// The membership that earns the copy. In a letter this id is 0, which no record has; the two behind it are
    /// too, unless it is about that address.
    pub membership: MembershipId,
    /// The member.
    pub contact: ContactId,
    /// The address record, which may be paused or gone by now.
    pub email: EmailId,
    /// The address.
    pub address: EmailAddress,
    /// What became of the copy.
    pub state: RecipientState,
    /// When that was learned.
    pub time: Timestamp,
    /// How often the copy was tried.
    pub attempts: u32,
    /// The server that was asked last: a place in the batch's `replies`.
    pub remote: Option<u16>,
    /// The remote server's words: a place in the batch's `replies`.
    pub reply: Option<u16>,
    /// What was answered before that, the oldest first.
    pub earlier: Vec<Attempt>,
}

impl Recipient {
    /// A recipient of a letter, who need not be known.
    #[must_use]
    pub fn of_letter(address: EmailAddress, written: Timestamp) -> Recipient {
        Recipient {
            membership: MembershipId(0),
            contact: ContactId(0),
            email: EmailId(0),
            address,
            state: RecipientState::Queued,
            time: written,
            attempts: 0,
            remote: None,
            reply: None,
            earlier: Vec::new(),
        }
    }

    /// Puts the last answer among the earlier ones: another one is to come.
    pub(super) fn remember(&mut self) {
        let Recipient { state, time, remote, reply, .. } = *self;
        if state == RecipientState::Queued {
            return;
        }
        let attempt = Attempt { state, time, times: 1, remote, reply };
        if let Some(last) = self.earlier.last_mut().filter(|last| last.is_like(&attempt)) {
            (last.time, last.times) = (time, last.times.saturating_add(1));
            return;
        }
        if self.earlier.len() == EARLIER_MAX {
            // The first one says how it began.
            self.earlier.remove(1);
        }
        self.earlier.push(attempt);
    }

    /// Every answer on the copy in order, the last one last; none of one that was not tried.
    pub fn trace(&self) -> impl Iterator<Item = Attempt> {
        let Recipient { state, time, remote, reply, .. } = *self;
        let last =
            (state != RecipientState::Queued).then_some(Attempt { state, time, times: 1, remote, reply });
        // The same answer once more is one with those before.
        let (earlier, last) = match (self.earlier.split_last(), last) {
            (Some((before, rest)), Some(last)) if before.is_like(&last) => {
                (rest, Some(Attempt { times: before.times.saturating_add(1), ..last }))
            }
            (_, last) => (self.earlier.as_slice(), last),
        };
        earlier.iter().cloned().chain(last)
    }

    /// The places of the texts that it refers to.
    pub(super) fn texts(&self) -> impl Iterator<Item = u16> {
        let earlier = self.earlier.iter().flat_map(|attempt| [attempt.remote, attempt.reply]);
        [self.remote, self.reply].into_iter().chain(earlier).flatten()
    }
}

/// What one attempt at a copy came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer<'a> {
    /// What became of the copy.
    pub state: RecipientState,
    /// The server that was asked; none where none was reached.
    pub remote: Option<&'a str>,
    /// Its words, or ours where none was reached.
    pub reply: Option<&'a str>,
}

/// What became of one recipient's copy. Stored by its place here: a new one comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RecipientState {
    /// It has not been tried.
    Queued,
    /// The remote server asked to try again.
    Deferred,
    /// The remote server took it.
    Delivered,
    /// The remote server refused it for good, or the retries ended.
    Failed,
    /// Its member left or paused before it was sent.
    Skipped,
    /// Another batch has it. Its place here is kept: envelope senders that have left name it.
    Moved {
        /// Which.
        batch: BatchId,
        /// Its place there.
        place: u8,
    },
}

impl Worded for RecipientState {
    /// Whatever a delivery can show: who was moved is shown where the copy is now.
    const ALL: &'static [RecipientState] = &[
        RecipientState::Queued,
        RecipientState::Deferred,
        RecipientState::Delivered,
        RecipientState::Failed,
        RecipientState::Skipped,
    ];

    fn word(self) -> &'static str {
        match self {
            RecipientState::Queued => "queued",
            RecipientState::Deferred => "deferred",
            RecipientState::Delivered => "delivered",
            RecipientState::Failed => "failed",
            RecipientState::Skipped => "skipped",
            RecipientState::Moved { .. } => "moved",
        }
    }
}

impl RecipientState {
    /// Whether the copy is still to be sent.
    #[must_use]
    pub fn is_waiting(self) -> bool {
        matches!(self, RecipientState::Queued | RecipientState::Deferred)
    }

    /// Whether another batch has the copy.
    #[must_use]
    pub fn is_moved(self) -> bool {
        matches!(self, RecipientState::Moved { .. })
    }
}
