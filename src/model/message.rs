//! Published posts, held messages, and the state of their delivery.
//!
//! `ops` writes these records; the scheduler reads batches and reports outcomes. The methods only compute from one
//! record.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::seen_mail::KNOWN_FOR;
use super::{
    AccountId, AdminId, Answer, Authentication, BatchId, BlobId, EmailAddress, FanOutId, HeldId, HeldReason,
    ListId, MessageId, Recipient, RecipientState, SystemMailId, words,
};
use crate::clock::Timestamp;

/// Recipients in one batch, at most.
pub const BATCH_RECIPIENTS_MAX: usize = 64;
/// A place in a batch that no recipient has: in an envelope sender, it marks a copy that several recipients share.
pub const WHOLE_BATCH: usize = BATCH_RECIPIENTS_MAX;

/// A post that was accepted for its list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Service identifier.
    pub id: MessageId,
    /// The account it belongs to.
    pub account: AccountId,
    /// The list it was sent to.
    pub list: ListId,
    /// Decoded subject, without the list's prefix.
    pub subject: String,
    /// Name in the From header.
    pub from_phrase: String,
    /// Address in the From header.
    pub from_address: String,
    /// When it was accepted.
    pub time: Timestamp,
    /// Its Message-ID, without angle brackets.
    pub message_id: String,
    /// The first message of its thread, or itself.
    pub thread: MessageId,
    /// The message it replies to.
    pub parent: Option<MessageId>,
    /// Its bytes as they came in, or as they were composed from an API call.
    pub blob: BlobId,
    /// The number of its bytes.
    pub size_bytes: u64,
    /// Whether it was removed from the archive; the record stays as long as deliveries need it.
    pub deleted: bool,
    /// The changes that the list made for its members; `None` before the first copy was made.
    pub changes: Option<Vec<Change>>,
    /// The results of the checks of its sender; `None` for a post that did not come by mail.
    pub authentication: Option<Authentication>,
    /// Whether it came under REQUIRETLS, so that its copies are sent under it too or not at all (RFC 8689).
    pub requires_tls: bool,
}

/// A change that a list made to a post on its way to the members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// The subject prefix was put in.
    SubjectPrefix,
    /// From was rewritten to the list's address.
    FromRewritten,
    /// Reply-To was set.
    ReplyTo,
    /// A fronter was put into a part of this type, or beside it.
    Fronter(String),
    /// A footer was put into a part of this type, or beside it.
    Footer(String),
    /// Merge tags were filled in in the subject or in a part of this type.
    MergeTags(String),
    /// Personal links of this server were taken out of a part of this type.
    LinksRemoved(String),
    /// A part of this type was cut to the list's limit.
    Truncated(String),
    /// An attachment was taken off; the line that stands in its place.
    AttachmentRemoved(String),
    /// A part of this type was encoded anew.
    Reencoded(String),
    /// A header was removed.
    Removed(String),
    /// A header that was missing was added.
    Added(String),
}

impl fmt::Display for Change {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::SubjectPrefix => out.write_str("subject prefix"),
            Change::FromRewritten => out.write_str("From rewritten"),
            Change::ReplyTo => out.write_str("Reply-To set"),
            Change::Fronter(place) => write!(out, "fronter: {place}"),
            Change::Footer(place) => write!(out, "footer: {place}"),
            Change::MergeTags(place) => write!(out, "merge tags: {place}"),
            Change::LinksRemoved(place) => write!(out, "personal links removed: {place}"),
            Change::Truncated(place) => write!(out, "truncated: {place}"),
            Change::AttachmentRemoved(line) => out.write_str(line.trim_matches(['[', ']'])),
            Change::Reencoded(place) => write!(out, "encoded anew: {place}"),
            Change::Removed(name) => write!(out, "header removed: {name}"),
            Change::Added(name) => write!(out, "header added: {name}"),
        }
    }
}

words! {
    /// The state of a held message.
    HeldState {
        /// It waits for a decision.
        Held = "held",
        /// It was published.
        Approved = "approved",
        /// It was sent back.
        Rejected = "rejected",
        /// It was dropped silently.
        Discarded = "discarded",
    }
}

words! {
    /// A moderator's decision on a held message, or on a pending request.
    HeldAction {
        /// Publish the message, or grant the request.
        Approve = "approve",
        /// Send it back.
        Reject = "reject",
        /// Drop it without telling anybody.
        Discard = "discard",
    }
}

impl From<HeldAction> for HeldState {
    /// The state that a decision leads to.
    fn from(action: HeldAction) -> HeldState {
        match action {
            HeldAction::Approve => HeldState::Approved,
            HeldAction::Reject => HeldState::Rejected,
            HeldAction::Discard => HeldState::Discarded,
        }
    }
}

/// How long a held message waits before it is discarded, and how long a decided one is kept.
pub(super) const HELD_FOR: Duration = Duration::from_hours(30 * 24);

/// The maker of a decision on a held message or a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decider {
    /// Nobody decided in time.
    Time,
    /// The operator at the command line.
    Operator,
    /// An administrator.
    Admin(AdminId),
    /// The list's own moderator, by a link or by mail.
    Moderator(EmailAddress),
}

/// How long the outcomes of a post's copies are kept (`spec/mail.md` 10).
const TRACE_KEPT_FOR: Duration = Duration::from_hours(30 * 24);

/// A decision on a held message or a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// When it was made.
    pub time: Timestamp,
    /// Its maker.
    pub by: Decider,
    /// The reason that the sender is to be told.
    pub reason: Option<String>,
}

/// A message that waits for a moderator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// Service identifier.
    pub id: HeldId,
    /// The account it belongs to.
    pub account: AccountId,
    /// The list it was sent to.
    pub list: ListId,
    /// Address in the From header.
    pub from: String,
    /// Name in the From header.
    pub from_phrase: String,
    /// Its Message-ID, without angle brackets.
    pub message_id: Option<String>,
    /// Envelope sender, to which notices go; `None` if nobody may be told: it is empty, or belongs to a machine.
    pub reverse_path: Option<EmailAddress>,
    /// Decoded subject.
    pub subject: String,
    /// When it came in.
    pub received: Timestamp,
    /// Its bytes as they came in.
    pub blob: BlobId,
    /// The number of its bytes.
    pub size_bytes: u64,
    /// Why it was held.
    pub reason: HeldReason,
    /// The results of the checks of its sender.
    pub authentication: Authentication,
    /// Its state.
    pub state: HeldState,
    /// The decision; `None` while it waits.
    pub decision: Option<Decision>,
    /// Recipients of the request to decide whose replies were no decision, and who were told so once. The numbers come
    /// from `ops::moderation::moderators`.
    pub advised: Vec<u64>,
    /// The published message whose copies wait for the decision, if the message was quarantined.
    pub quarantined: Option<MessageId>,
    /// Whether it came under REQUIRETLS (RFC 8689).
    pub requires_tls: bool,
}

impl Message {
    /// Whether another mail with the same Message-ID is compared with this message.
    #[must_use]
    pub fn is_known(&self, now: Timestamp) -> bool {
        now.since(self.time) < KNOWN_FOR
    }
}

impl Held {
    /// When its time ends: a waiting message is discarded then, a decided one is deleted.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.decision.as_ref().map_or(self.received, |decision| decision.time) + HELD_FOR
    }
}

/// The progress of putting the members of a list into batches for one message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FanOut {
    /// Service identifier; older posts have lower numbers.
    pub id: FanOutId,
    /// The account of the list.
    pub account: AccountId,
    /// The message that is sent.
    pub message: MessageId,
    /// The list whose members get it.
    pub list: ListId,
    /// The last membership that has been put into a batch; 0 before the first.
    pub cursor: u64,
    /// The newest membership at the moment the post was accepted: later members are skipped.
    pub last: u64,
    /// When the post was accepted.
    pub accepted: Timestamp,
}

/// Where a batch goes: the relay, or the domain of its recipients.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Destination {
    /// The operator's relays.
    Relay,
    /// The mail servers of a domain.
    Domain(String),
}

impl Destination {
    /// The form by which destinations are ordered; no domain is empty.
    #[must_use]
    pub fn key(&self) -> &str {
        match self {
            Destination::Relay => "",
            Destination::Domain(domain) => domain,
        }
    }

    /// The destination of a key.
    #[must_use]
    pub fn from_key(key: String) -> Destination {
        if key.is_empty() { Destination::Relay } else { Destination::Domain(key) }
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Destination::Relay => out.write_str("the relay"),
            Destination::Domain(domain) => out.write_str(domain),
        }
    }
}

/// The content that a batch delivers to its recipients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Payload {
    /// Copies of a post, made for each member.
    Post {
        /// The post.
        message: MessageId,
        /// The list that sends it.
        list: ListId,
    },
    /// A system mail, the same for all recipients.
    SystemMail(SystemMailId),
    /// Copies of a digest, made for each member.
    Digest {
        /// The digest; no message has its number.
        digest: MessageId,
        /// The list that sends it.
        list: ListId,
    },
}

impl Payload {
    /// The number of what it sends, if members get copies of it: that of the post or of the digest.
    #[must_use]
    pub fn to_members(&self) -> Option<MessageId> {
        match *self {
            Payload::Post { message: sent, list: _ } | Payload::Digest { digest: sent, list: _ } => {
                Some(sent)
            }
            Payload::SystemMail(_) => None,
        }
    }
}

impl fmt::Display for Payload {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Payload::Post { message, list: _ } => write!(out, "message {message}"),
            Payload::SystemMail(system_mail) => write!(out, "system mail {system_mail}"),
            Payload::Digest { digest, list: _ } => write!(out, "digest {digest}"),
        }
    }
}

/// Up to [`BATCH_RECIPIENTS_MAX`] recipients of one message or system mail that share a destination.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// Service identifier.
    pub id: BatchId,
    /// The account that it is sent for.
    pub account: AccountId,
    /// The content that is sent.
    pub payload: Payload,
    /// Where it is sent.
    pub destination: Destination,
    /// When the next attempt is due; `None` once every recipient is settled.
    pub due: Option<Timestamp>,
    /// Attempts begun; each recipient is tried at most once in each.
    pub attempts: u32,
    /// Whether an attempt was begun and not settled: after a crash such a batch is due at once.
    pub claimed: bool,
    /// Whether the last attempt reached no server: the batch is due at once when a server takes mail again.
    pub unreached: bool,
    /// Crashes of the server during its attempts: after the third it waits its retry time (`spec/mail.md` 11).
    pub crashes: u8,
    /// Attempts in a row in which the server itself failed: after the third the batch is quarantined.
    pub failures: u8,
    /// When the post was accepted, or the system mail written: retries end at an age counted from here.
    pub accepted: Timestamp,
    /// When it was put into this batch.
    pub queued: Timestamp,
    /// The operator's order, if any.
    pub order: Option<Order>,
    /// The recipients. Each keeps its place as long as the batch is kept.
    pub recipients: Vec<Recipient>,
    /// The names and replies of remote servers, each text once.
    pub replies: Vec<String>,
}

/// An operator's order for a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// No attempt is begun until the batch is released, and no recipient is given up meanwhile.
    Hold,
    /// The recipients that still wait when the running attempt ends are given up.
    Drop,
}

words! {
    /// The state of a batch in the queue.
    QueueState {
        /// It is due now or later.
        Waiting = "waiting",
        /// An attempt is under way.
        InFlight = "in_flight",
        /// The operator holds it.
        Held = "held",
        /// The server failed on it and quarantined it: a moderator decides about its message.
        Quarantined = "quarantined",
    }
}

impl Batch {
    /// Records the outcome of an attempt at the copy of `recipients[place]`. Texts that no recipient refers to any more
    /// are dropped, so that years of retries cannot make the record grow.
    ///
    /// # Panics
    /// If there is no such recipient.
    pub fn record(&mut self, place: usize, answer: Answer<'_>, now: Timestamp) {
        self.recipients[place].attempts += u32::from(answer.state != RecipientState::Skipped);
        self.amend(place, answer, now);
    }

    /// Records an outcome for the copy of `recipients[place]` without another attempt: the copy came back after a
    /// server had taken it.
    ///
    /// # Panics
    /// If there is no such recipient.
    pub fn amend(&mut self, place: usize, answer: Answer<'_>, now: Timestamp) {
        let Answer { state, remote, reply } = answer;
        let recipient = &mut self.recipients[place];
        recipient.remember();
        recipient.state = state;
        recipient.time = now;
        (recipient.remote, recipient.reply) = (None, None);
        // One after the other: the second must not take the place of the first.
        let remote = remote.map(|name| self.intern(name));
        self.recipients[place].remote = remote;
        let reply = reply.map(|text| self.intern(text));
        self.recipients[place].reply = reply;
    }

    /// The place of `text` among the replies: its present one, else the first that no recipient refers to.
    fn intern(&mut self, text: &str) -> u16 {
        let number = |place| u16::try_from(place).expect("some texts for each recipient");
        if let Some(place) = self.replies.iter().position(|reply| reply == text) {
            return number(place);
        }
        let mut is_used = vec![false; self.replies.len()];
        for place in self.recipients.iter().flat_map(Recipient::texts) {
            is_used[usize::from(place)] = true;
        }
        if let Some(place) = is_used.iter().position(|is_used| !is_used) {
            text.clone_into(&mut self.replies[place]);
            return number(place);
        }
        self.replies.push(text.to_owned());
        number(self.replies.len() - 1)
    }

    /// The text at a place that a recipient refers to.
    #[must_use]
    pub fn text(&self, place: Option<u16>) -> Option<&str> {
        self.replies.get(usize::from(place?)).map(String::as_str)
    }

    /// The server that was last asked to take the copy of `recipients[place]`.
    #[must_use]
    pub fn remote(&self, place: usize) -> Option<&str> {
        self.text(self.recipients.get(place)?.remote)
    }

    /// The remote server's reply to the copy of `recipients[place]`.
    #[must_use]
    pub fn reply(&self, place: usize) -> Option<&str> {
        self.text(self.recipients.get(place)?.reply)
    }

    /// When the outcomes of its copies are deleted; `None` while a copy is still to be sent.
    #[must_use]
    pub fn forgotten(&self) -> Option<Timestamp> {
        let last = self.recipients.iter().map(|recipient| recipient.time).max()?;
        (self.due.is_none() && !self.is_waiting()).then(|| last + TRACE_KEPT_FOR)
    }

    /// Whether copies are still to be sent but nothing makes them due: the batch is quarantined until a moderator
    /// decides.
    #[must_use]
    pub fn is_parked(&self) -> bool {
        self.due.is_none() && !self.claimed && self.is_waiting()
    }

    /// Whether a copy is still to be sent.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.recipients.iter().any(|recipient| recipient.state.is_waiting())
    }

    /// The recipients whose copies this batch sends itself, with their places.
    pub fn own_recipients(&self) -> impl Iterator<Item = (usize, &Recipient)> {
        self.recipients.iter().enumerate().filter(|(_, recipient)| !recipient.state.is_moved())
    }

    /// How many copies are still to be sent.
    #[must_use]
    pub fn count_waiting(&self) -> u64 {
        self.recipients.iter().filter(|recipient| recipient.state.is_waiting()).count() as u64
    }

    /// Its state in the queue; `None` once no copy is to be sent.
    #[must_use]
    pub fn queue_state(&self) -> Option<QueueState> {
        if !self.is_waiting() {
            return None;
        }
        Some(match self.order {
            _ if self.claimed => QueueState::InFlight,
            _ if self.is_parked() => QueueState::Quarantined,
            Some(Order::Hold) => QueueState::Held,
            Some(Order::Drop) | None => QueueState::Waiting,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::recipient::EARLIER_MAX;
    use crate::model::{ContactId, EmailId, MembershipId};

    #[test]
    fn replies_are_kept_once_and_only_while_a_recipient_has_them() {
        let recipient = |address| Recipient {
            membership: MembershipId(1),
            contact: ContactId(1),
            email: EmailId(1),
            address: EmailAddress::parse(address).unwrap(),
            state: RecipientState::Queued,
            time: Timestamp::from_ms(0),
            attempts: 0,
            remote: None,
            reply: None,
            earlier: Vec::new(),
        };
        let mut batch = Batch {
            id: BatchId(1),
            account: AccountId(1),
            payload: Payload::Post { message: MessageId(1), list: ListId(1) },
            destination: Destination::Relay,
            due: None,
            attempts: 1,
            claimed: true,
            unreached: false,
            crashes: 0,
            failures: 0,
            accepted: Timestamp::from_ms(0),
            queued: Timestamp::from_ms(0),
            order: None,
            recipients: vec![recipient("a@x.org"), recipient("b@x.org")],
            replies: Vec::new(),
        };
        let now = Timestamp::from_ms(9);
        for attempt in 0..100 {
            let (server, words) = (format!("mx{}", attempt % 7), format!("busy {attempt}"));
            let (remote, reply) = (Some(server.as_str()), Some(words.as_str()));
            for place in [0, 1] {
                batch.record(place, Answer { state: RecipientState::Deferred, remote, reply }, now);
                assert_eq!((batch.remote(place), batch.reply(place)), (remote, reply));
            }
        }
        // 7 servers, and the words of the attempts that are kept.
        assert!(batch.replies.len() <= 7 + EARLIER_MAX + 2, "{:?}", batch.replies);
        let earlier = &batch.recipients[0].earlier;
        let words: Vec<_> = earlier.iter().map(|attempt| batch.text(attempt.reply).unwrap()).collect();
        let last = ["busy 92", "busy 93", "busy 94", "busy 95", "busy 96", "busy 97", "busy 98"];
        assert_eq!((words[0], &words[1..]), ("busy 0", last.as_slice()));
        batch.record(1, Answer { state: RecipientState::Skipped, remote: None, reply: None }, now);
        assert_eq!((batch.remote(1), batch.reply(1)), (None, None));
        assert_eq!(
            batch.recipients.iter().map(|recipient| recipient.attempts).collect::<Vec<_>>(),
            [100, 100]
        );
    }
}
