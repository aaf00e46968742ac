//! Decides what happens to one message sent to one list.
//!
//! Pure: takes settings, facts about the sender, the result of the taboo patterns and a parsed message, and returns a
//! [`Verdict`]. It reads no storage, sends nothing and knows no clock; `ops::posting::inbound` carries the verdict out,
//! and the simulator shows it rule by rule.
//!
//! The rules are in the order of `spec/mail.md` 3; the first that returns a verdict decides. A banned sender comes
//! before every rule that holds, so that it never fills the queue of held messages.

use std::fmt;

use super::parse::{Automation, Inbound};
pub use crate::model::HoldReason;
use crate::model::list::MessageRejections;
use crate::model::{EmailAddress, List, Moderate};

/// `Received` fields beyond which a message is in a loop: those of 50 other servers, and this server's own, which is
/// already in front when the decision is made.
pub const RECEIVED_MAX: usize = 50 + 1;

/// Facts about the sender of one message, looked up by the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "six independent facts, each read by one rule")]
pub struct SenderFacts {
    /// The From address is a member of one of the lists in `restrict_post_lists`.
    pub is_member_of_restricted_lists: bool,
    /// DMARC passed, which is aligned SPF or DKIM, or the domain of From publishes neither `quarantine` nor
    /// `reject`.
    pub from_is_proven: bool,
    /// This list had the message before: it published it within 7 days, or holds it.
    pub is_duplicate: bool,
    /// This list had another message with its Message-ID: it published that within 7 days, or holds it.
    pub has_known_id: bool,
    /// The envelope sender is empty or a mail system's, as of bounces and automatic answers.
    pub has_report_sender: bool,
    /// The message replies to a thread of the list that a moderator closed.
    pub replies_to_closed_thread: bool,
}

/// All input of a decision.
#[derive(Debug, Clone, Copy)]
pub struct Posting<'a> {
    /// The list that the message was sent to.
    pub list: &'a List,
    /// Its `List-Id`, `name.domain`.
    pub list_id: &'a str,
    /// The reason to hold the message that its taboo patterns gave, found before.
    pub taboo: Option<&'a HoldReason>,
    /// The facts about the sender.
    pub sender_facts: &'a SenderFacts,
    /// The message.
    pub message: &'a Inbound,
    /// The size of the message as it came in, without this server's header fields.
    pub size_bytes: u64,
}

/// The decision on a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is sent to the members.
    Post,
    /// It is held for a moderator.
    Hold(HoldReason),
    /// It is sent back.
    Reject(RejectReason),
    /// It is dropped silently.
    Discard(DiscardReason),
}

/// The reason to send a message back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RejectReason {
    /// `restrict_post_banned_emails`.
    #[error("the sender is banned from this list")]
    Banned,
    /// The restrictions allow other senders only.
    #[error("the sender may not post to this list")]
    SenderNotAllowed,
    /// The address would be allowed, but the message may be forged.
    #[error("the sender could not be verified: neither DMARC nor an aligned SPF or DKIM result passed")]
    SenderNotProven,
    /// `maxlength`.
    #[error("the message is larger than the {limit_kb} KB that this list takes")]
    TooLarge {
        /// The list's limit.
        limit_kb: u32,
    },
}

/// The reason to drop a message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiscardReason {
    /// It has this list's own `List-Id`.
    #[error("the message has been through this list before")]
    Loop,
    /// It has too many `Received` fields.
    #[error("the message has passed more than 50 servers")]
    TooManyHops,
    /// A message with its Message-ID and its text was seen before.
    #[error("this list has had this message already")]
    Duplicate,
    /// An automatic reply, a report, or mail with an empty sender.
    #[error("the message is an automatic reply or a delivery report")]
    AutomaticReply,
    /// A banned sender, if `message_rejections` is `discard`.
    #[error("the sender is banned from this list")]
    Banned,
    /// A forbidden sender, if `message_rejections` is `discard`.
    #[error("the sender may not post to this list")]
    SenderNotAllowed,
    /// A sender who may be forged, if `message_rejections` is `discard`.
    #[error("the sender could not be verified: neither DMARC nor an aligned SPF or DKIM result passed")]
    SenderNotProven,
}

impl Verdict {
    /// Whether the rule that decided would have let the message through if its author had been proven.
    #[must_use]
    pub fn is_for_want_of_proof(&self) -> bool {
        matches!(
            self,
            Verdict::Hold(HoldReason::SenderNotProven)
                | Verdict::Reject(RejectReason::SenderNotProven)
                | Verdict::Discard(DiscardReason::SenderNotProven)
        )
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason() {
            Some(reason) => write!(out, "{}: {reason}", self.word()),
            None => out.write_str(self.word()),
        }
    }
}

impl Verdict {
    /// The decision in one word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Post => "post",
            Verdict::Hold(_) => "hold",
            Verdict::Reject(_) => "reject",
            Verdict::Discard(_) => "discard",
        }
    }

    /// The reason; `None` for a message that is posted.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        match self {
            Verdict::Post => None,
            Verdict::Hold(reason) => Some(reason.to_string()),
            Verdict::Reject(reason) => Some(reason.to_string()),
            Verdict::Discard(reason) => Some(reason.to_string()),
        }
    }
}

/// A named rule: it returns a verdict, or `None` if another rule must decide.
pub type Rule = (&'static str, fn(&Posting<'_>) -> Option<Verdict>);

/// The rules in their order.
pub const RULES: [Rule; 11] = [
    ("loop", loops),
    ("duplicate", duplicate),
    ("automated", automated),
    ("banned", banned),
    ("restrictions", restrictions),
    ("hold_all", hold_all),
    ("hold_replies", hold_replies),
    ("closed_thread", closed_thread),
    ("known_id", known_id),
    ("taboo", taboo),
    ("size", size),
];

/// The verdict of the first rule that returns one; without any, the message is posted.
#[must_use]
pub fn decide(posting: &Posting<'_>) -> Verdict {
    RULES.iter().find_map(|(_, rule)| rule(posting)).unwrap_or(Verdict::Post)
}

fn loops(posting: &Posting<'_>) -> Option<Verdict> {
    if posting.message.list_ids.iter().any(|id| id.eq_ignore_ascii_case(posting.list_id)) {
        return Some(Verdict::Discard(DiscardReason::Loop));
    }
    (RECEIVED_MAX < posting.message.received_count).then_some(Verdict::Discard(DiscardReason::TooManyHops))
}

fn duplicate(posting: &Posting<'_>) -> Option<Verdict> {
    posting.sender_facts.is_duplicate.then_some(Verdict::Discard(DiscardReason::Duplicate))
}

/// Drops automatic replies and reports, which never reach members. Other automatic mail does, unless the list holds it.
/// A subject alone may be a person's: such a post is held, unless its sender is banned.
fn automated(posting: &Posting<'_>) -> Option<Verdict> {
    let is_answer = posting.sender_facts.has_report_sender
        || matches!(posting.message.automation, Automation::Replied | Automation::Report);
    if posting.list.hold_automated && (is_answer || posting.message.is_automated()) {
        return Some(Verdict::Hold(HoldReason::Automated));
    }
    if is_answer {
        return Some(Verdict::Discard(DiscardReason::AutomaticReply));
    }
    let may_be_answer = posting.message.has_answer_form() && banned(posting).is_none();
    may_be_answer.then_some(Verdict::Hold(HoldReason::Automated))
}

fn banned(posting: &Posting<'_>) -> Option<Verdict> {
    let list = posting.list;
    if !list.moderate.has(Moderate::BANNED_EMAILS) || !is_from(posting, &list.restrict_post_banned_emails) {
        return None;
    }
    Some(match list.message_rejections {
        MessageRejections::Discard => Verdict::Discard(DiscardReason::Banned),
        MessageRejections::Hold | MessageRejections::Reject => Verdict::Reject(RejectReason::Banned),
    })
}

/// Allows only members and allowed addresses, and only if From can be trusted.
fn restrictions(posting: &Posting<'_>) -> Option<Verdict> {
    let Posting { list, sender_facts, .. } = posting;
    if !list.moderate.has(Moderate::SPECIFIC_SENDERS) {
        return None;
    }
    let is_named = (list.moderate.has(Moderate::LISTS) && sender_facts.is_member_of_restricted_lists)
        || (list.moderate.has(Moderate::ALLOWED_EMAILS)
            && is_from(posting, &list.restrict_post_allowed_emails));
    if is_named && sender_facts.from_is_proven {
        return None;
    }
    Some(match (list.message_rejections, is_named) {
        (MessageRejections::Hold, false) => Verdict::Hold(HoldReason::SenderNotAllowed),
        (MessageRejections::Hold, true) => Verdict::Hold(HoldReason::SenderNotProven),
        (MessageRejections::Reject, false) => Verdict::Reject(RejectReason::SenderNotAllowed),
        (MessageRejections::Reject, true) => Verdict::Reject(RejectReason::SenderNotProven),
        (MessageRejections::Discard, false) => Verdict::Discard(DiscardReason::SenderNotAllowed),
        (MessageRejections::Discard, true) => Verdict::Discard(DiscardReason::SenderNotProven),
    })
}

fn hold_all(posting: &Posting<'_>) -> Option<Verdict> {
    posting.list.moderate.has(Moderate::HOLD_ALL).then_some(Verdict::Hold(HoldReason::EveryMessage))
}

fn hold_replies(posting: &Posting<'_>) -> Option<Verdict> {
    (posting.list.hold_replies && posting.message.is_reply()).then_some(Verdict::Hold(HoldReason::Reply))
}

fn closed_thread(posting: &Posting<'_>) -> Option<Verdict> {
    posting.sender_facts.replies_to_closed_thread.then_some(Verdict::Hold(HoldReason::ClosedThread))
}

/// Holds a message that has the Message-ID of another one: either may be the one that was meant.
fn known_id(posting: &Posting<'_>) -> Option<Verdict> {
    posting.sender_facts.has_known_id.then_some(Verdict::Hold(HoldReason::KnownId))
}

fn taboo(posting: &Posting<'_>) -> Option<Verdict> {
    posting.taboo.cloned().map(Verdict::Hold)
}

fn size(posting: &Posting<'_>) -> Option<Verdict> {
    let is_too_large = posting.list.maxlength_bytes() < posting.size_bytes;
    is_too_large.then_some(Verdict::Reject(RejectReason::TooLarge { limit_kb: posting.list.maxlength }))
}

fn is_from(posting: &Posting<'_>, addresses: &[EmailAddress]) -> bool {
    let Some(from) = &posting.message.from else { return false };
    let from = from.address.folded();
    addresses.iter().any(|address| address.folded() == from)
}

#[cfg(test)]
mod tests;
