//! Decides what happens to one message sent to one list.
//!
//! Pure: takes settings, what is known of the sender, what the taboo patterns say and a parsed message, returns a
//! [`Verdict`]. It reads no storage, sends nothing and knows no clock; `ops::posting::inbound` carries the verdict out, and
//! the simulator shows it rule by rule.
//!
//! The rules stand in the order of `spec/mail.md` 3; the first that has an opinion decides. A banned sender
//! comes before everything that holds, so that it never fills the queue of held messages.

use std::fmt;

use super::parse::{Automation, Inbound};
use super::pattern::Unjudged;
use crate::model::list::MessageRejections;
use crate::model::{EmailAddress, List, Moderate};

/// `Received` fields beyond which a message goes in circles: those of 50 other servers, and our own, which
/// stands in front when a decision is asked for.
pub const RECEIVED_MAX: usize = 50 + 1;

/// What is known of the sender of one message, looked up by whoever asks for a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four independent facts, each read by one rule")]
pub struct SenderFacts {
    /// The From address is a member of one of the lists in `restrict_post_lists`.
    pub is_member_of_restricted_lists: bool,
    /// DMARC passed, which is aligned SPF or DKIM, or the domain of From publishes neither `quarantine` nor
    /// `reject`.
    pub from_is_proven: bool,
    /// This list had the message before: it published its Message-ID within 7 days, holds it, or decided about it.
    pub is_duplicate: bool,
    /// The envelope sender is empty, as of bounces and automatic answers.
    pub has_empty_sender: bool,
}

/// Everything that a decision depends on.
#[derive(Debug, Clone, Copy)]
pub struct Posting<'a> {
    /// The list that the message was sent to.
    pub list: &'a List,
    /// Its `List-Id`, `name.domain`.
    pub list_id: &'a str,
    /// The reason to hold the message that its taboo patterns give, found before.
    pub taboo: Option<&'a HoldReason>,
    /// What is known of the sender.
    pub standing: &'a SenderFacts,
    /// The message.
    pub message: &'a Inbound,
    /// The size of the message as it was handed over, without the header fields of this server.
    pub size_bytes: u64,
}

/// What happens to a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is sent to the members.
    Post,
    /// It waits for a moderator.
    Hold(HoldReason),
    /// It goes back.
    Reject(RejectReason),
    /// It is dropped.
    Discard(DiscardReason),
}

/// Why a message waits for a moderator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HoldReason {
    /// `hold_automated`.
    #[error("the message was sent automatically")]
    Automated,
    /// The restrictions name others.
    #[error("the sender may not post to this list")]
    SenderNotAllowed,
    /// The address would be allowed, the message may be forged.
    #[error("the sender could not be verified: neither DMARC nor an aligned SPF or DKIM result passed")]
    SenderNotProven,
    /// Every message of the list is approved first.
    #[error("every message to this list needs approval")]
    EveryMessage,
    /// `hold_replies`.
    #[error("replies to this list need approval")]
    Reply,
    /// `taboo_headers`.
    #[error("a header matches the pattern {0}")]
    TabooHeader(String),
    /// `taboo_body`.
    #[error("the content matches the pattern {0}")]
    TabooBody(String),
    /// Whether `taboo_headers` or `taboo_body` match could not be found out.
    #[error(transparent)]
    Unjudged(Unjudged),
}

/// Why a message goes back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RejectReason {
    /// `restrict_post_banned_emails`.
    #[error("the sender is banned from this list")]
    Banned,
    /// The restrictions name others.
    #[error("the sender may not post to this list")]
    SenderNotAllowed,
    /// The address would be allowed, the message may be forged.
    #[error("the sender could not be verified: neither DMARC nor an aligned SPF or DKIM result passed")]
    SenderNotProven,
    /// `maxlength`.
    #[error("the message is larger than the {limit_kb} KB that this list takes")]
    TooLarge {
        /// What the list takes.
        limit_kb: u32,
    },
}

/// Why a message is dropped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiscardReason {
    /// It has this list's own `List-Id`.
    #[error("the message has been through this list before")]
    Loop,
    /// It has too many `Received` fields.
    #[error("the message has passed more than 50 servers")]
    TooManyHops,
    /// The same Message-ID again.
    #[error("this list has had this message already")]
    Duplicate,
    /// An automatic answer, a report, or mail from the empty sender.
    #[error("the message is an automatic reply or a delivery report")]
    AutomaticReply,
    /// A banned sender where `message_rejections` is `discard`.
    #[error("the sender is banned from this list")]
    Banned,
    /// A forbidden sender where `message_rejections` is `discard`.
    #[error("the sender may not post to this list")]
    SenderNotAllowed,
    /// A sender who may be forged where `message_rejections` is `discard`.
    #[error("the sender could not be verified: neither DMARC nor an aligned SPF or DKIM result passed")]
    SenderNotProven,
}

impl Verdict {
    /// Whether an author who can be believed would have been let through by the rule that decided.
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
    /// What happens, in one word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Post => "post",
            Verdict::Hold(_) => "hold",
            Verdict::Reject(_) => "reject",
            Verdict::Discard(_) => "discard",
        }
    }

    /// Why; a message that is posted needs no reason.
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

/// A named rule: a verdict, or no opinion.
pub type Rule = (&'static str, fn(&Posting<'_>) -> Option<Verdict>);

/// The rules in their order.
pub const RULES: [Rule; 9] = [
    ("loop", loops),
    ("duplicate", duplicate),
    ("automated", automated),
    ("banned", banned),
    ("restrictions", restrictions),
    ("hold_all", hold_all),
    ("hold_replies", hold_replies),
    ("taboo", taboo),
    ("size", size),
];

/// What the first rule with an opinion says; without one the message is posted.
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
    posting.standing.is_duplicate.then_some(Verdict::Discard(DiscardReason::Duplicate))
}

/// Answers of machines never reach members; what machines write themselves does, unless the list holds it.
fn automated(posting: &Posting<'_>) -> Option<Verdict> {
    let is_answer = posting.standing.has_empty_sender
        || matches!(posting.message.automation, Automation::Replied | Automation::Report);
    if posting.list.hold_automated && (is_answer || posting.message.is_automated()) {
        return Some(Verdict::Hold(HoldReason::Automated));
    }
    is_answer.then_some(Verdict::Discard(DiscardReason::AutomaticReply))
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

/// Members and allowed addresses only, and only where From can be believed.
fn restrictions(posting: &Posting<'_>) -> Option<Verdict> {
    let Posting { list, standing, .. } = posting;
    if !list.moderate.has(Moderate::SPECIFIC_SENDERS) {
        return None;
    }
    let is_named = (list.moderate.has(Moderate::LISTS) && standing.is_member_of_restricted_lists)
        || (list.moderate.has(Moderate::ALLOWED_EMAILS)
            && is_from(posting, &list.restrict_post_allowed_emails));
    if is_named && standing.from_is_proven {
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
