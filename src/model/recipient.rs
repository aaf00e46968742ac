//! The recipients of a batch, and the outcomes of their copies.
//!
//! A batch keeps its recipients, and `ops::delivery` records the outcomes through it. Texts are kept in the batch, once
//! each.

use serde::{Deserialize, Serialize};

use super::{BatchId, ContactId, EmailAddress, EmailId, MembershipId, Worded};
use crate::clock::Timestamp;

/// Earlier answers kept for one copy: the first, and the last of the others.
pub(super) const EARLIER_MAX: usize = 8;

/// An earlier answer for one copy, perhaps given several times in a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// The state in which it left the copy.
    pub state: RecipientState,
    /// When it was last given.
    pub time: Timestamp,
    /// How often it was given.
    pub times: u16,
    /// The server that was asked: a place in the batch's `replies`.
    pub remote: Option<u16>,
    /// Its words: a place in the batch's `replies`.
    pub reply: Option<u16>,
}

impl Attempt {
    /// Whether another answer was the same.
    fn is_like(&self, other: &Attempt) -> bool {
        (self.state, self.remote, self.reply) == (other.state, other.remote, other.reply)
    }
}

/// One recipient of a batch, and the outcome of its copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipient {
    /// The membership that earns the copy. For a system mail this id is 0, which no record has; `contact` and `email`
    /// are 0 too, unless the mail is about that address.
    pub membership: MembershipId,
    /// The member.
    pub contact: ContactId,
    /// The address record, which may be paused or gone by now.
    pub email: EmailId,
    /// The address.
    pub address: EmailAddress,
    /// The state of the copy.
    pub state: RecipientState,
    /// When that state was recorded.
    pub time: Timestamp,
    /// How often the copy was attempted.
    pub attempts: u32,
    /// The server that was last asked: a place in the batch's `replies`.
    pub remote: Option<u16>,
    /// The remote server's words: a place in the batch's `replies`.
    pub reply: Option<u16>,
    /// Earlier answers, the oldest first.
    pub earlier: Vec<Attempt>,
}

impl Recipient {
    /// A recipient of a system mail, who need not be in the address book.
    #[must_use]
    pub fn of_system_mail(address: EmailAddress, written: Timestamp) -> Recipient {
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

    /// Moves the last answer to the earlier ones, before a new one is recorded.
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
            // The first answer is always kept: it says how the trouble began.
            self.earlier.remove(1);
        }
        self.earlier.push(attempt);
    }

    /// Every answer for the copy in order, the last one last; empty if it was not attempted.
    pub fn trace(&self) -> impl Iterator<Item = Attempt> {
        let Recipient { state, time, remote, reply, .. } = *self;
        let last =
            (state != RecipientState::Queued).then_some(Attempt { state, time, times: 1, remote, reply });
        // Equal answers in a row are one entry.
        let (earlier, last) = match (self.earlier.split_last(), last) {
            (Some((before, rest)), Some(last)) if before.is_like(&last) => {
                (rest, Some(Attempt { times: before.times.saturating_add(1), ..last }))
            }
            (_, last) => (self.earlier.as_slice(), last),
        };
        earlier.iter().cloned().chain(last)
    }

    /// The places of the texts that the recipient refers to.
    pub(super) fn texts(&self) -> impl Iterator<Item = u16> {
        let earlier = self.earlier.iter().flat_map(|attempt| [attempt.remote, attempt.reply]);
        [self.remote, self.reply].into_iter().chain(earlier).flatten()
    }
}

/// The outcome of one attempt at a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer<'a> {
    /// The state of the copy.
    pub state: RecipientState,
    /// The server that was asked; `None` if none was reached.
    pub remote: Option<&'a str>,
    /// The server's reply, or this server's explanation if none was reached.
    pub reply: Option<&'a str>,
}

/// The state of one recipient's copy. Stored by its position here: a new state is added at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RecipientState {
    /// It has not been attempted.
    Queued,
    /// The remote server asked to try again.
    Deferred,
    /// The remote server took it.
    Delivered,
    /// The remote server refused it for good, or the retries ended.
    Failed,
    /// The member left or paused before it was sent.
    Skipped,
    /// Another batch has it. Its place here is kept: envelope senders that were already used refer to it.
    Moved {
        /// The batch that has it now.
        batch: BatchId,
        /// The recipient's place there.
        place: u8,
    },
}

impl Worded for RecipientState {
    /// Every state that a delivery can show. `Moved` is none of them: a moved recipient is shown in its new batch.
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
