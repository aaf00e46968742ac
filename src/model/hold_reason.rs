//! Why messages wait for approval, as facts. Their `Display` is the API's English; `mail::reason` says them in every
//! language.

use serde::{Deserialize, Serialize};

/// The reason to hold a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum HoldReason {
    /// `hold_automated`.
    #[error("the message was sent automatically")]
    Automated,
    /// The restrictions allow other senders only.
    #[error("the sender may not post to this list")]
    SenderNotAllowed,
    /// The address would be allowed, but the message may be forged.
    #[error("the sender could not be verified: neither DMARC nor an aligned SPF or DKIM result passed")]
    SenderNotProven,
    /// Every message of the list is approved first.
    #[error("every message to this list needs approval")]
    EveryMessage,
    /// `hold_replies`.
    #[error("replies to this list need approval")]
    Reply,
    /// A moderator closed the thread.
    #[error("the conversation that it replies to is closed")]
    ClosedThread,
    /// Its Message-ID is that of another message.
    #[error("another message with the same Message-ID came before it")]
    KnownId,
    /// `taboo_headers`.
    #[error("a header matches the pattern {0}")]
    TabooHeader(String),
    /// `taboo_body`.
    #[error("the content matches the pattern {0}")]
    TabooBody(String),
    /// Whether `taboo_headers` or `taboo_body` match could not be decided.
    #[error(transparent)]
    Unjudged(Unjudged),
}

/// The reason why a match could not be decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Unjudged {
    /// The budget ended first.
    #[error("patterns took too long")]
    OutOfTime,
    /// A pattern that was accepted under an earlier, larger limit.
    #[error(
        "patterns took too long: a pattern is larger than is judged today; a shorter one must be set in its place"
    )]
    TooLarge,
    /// There is more text than is searched.
    #[error("patterns took too long: the text is longer than is judged")]
    TooMuchText,
}

/// Why a message waits, as its record keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum HeldReason {
    /// As an earlier version wrote it: a sentence in English that names no reason of today.
    #[error("{0}")]
    Written(String),
    /// The rules of its list.
    #[error(transparent)]
    Rules(HoldReason),
    /// The server itself failed to decide about it.
    #[error("the server failed {tries} times to decide about it: {trace}")]
    NotDecided {
        /// How often.
        tries: u8,
        /// The last failure, for who looks into it.
        trace: String,
    },
    /// The server itself failed to send it.
    #[error("the server failed {tries} times to send it: {trace}")]
    NotSent {
        /// How often.
        tries: u8,
        /// The last failure, for who looks into it.
        trace: String,
    },
}

/// Reasons that say nothing beside what they are.
const PLAIN: [HoldReason; 10] = [
    HoldReason::Automated,
    HoldReason::SenderNotAllowed,
    HoldReason::SenderNotProven,
    HoldReason::EveryMessage,
    HoldReason::Reply,
    HoldReason::ClosedThread,
    HoldReason::KnownId,
    HoldReason::Unjudged(Unjudged::OutOfTime),
    HoldReason::Unjudged(Unjudged::TooLarge),
    HoldReason::Unjudged(Unjudged::TooMuchText),
];

impl HeldReason {
    /// The reason that records had as a sentence before they had facts.
    pub(crate) fn of_sentence(sentence: String) -> HeldReason {
        let begins = |words: &str| sentence.strip_prefix(words).map(str::to_owned);
        if let Some(pattern) = begins("a header matches the pattern ") {
            return HeldReason::Rules(HoldReason::TabooHeader(pattern));
        }
        if let Some(pattern) = begins("the content matches the pattern ") {
            return HeldReason::Rules(HoldReason::TabooBody(pattern));
        }
        if let Some(reason) = PLAIN.into_iter().find(|reason| reason.to_string() == sentence) {
            return HeldReason::Rules(reason);
        }
        failure(&sentence).unwrap_or(HeldReason::Written(sentence))
    }
}

/// The failure of the server that a sentence tells, if it tells one.
fn failure(sentence: &str) -> Option<HeldReason> {
    let (tries, rest) = sentence.strip_prefix("the server failed ")?.split_once(" times to ")?;
    let tries = tries.parse().ok()?;
    let (work, trace) = rest.split_once(" it: ")?;
    let trace = trace.to_owned();
    match work {
        "decide about" => Some(HeldReason::NotDecided { tries, trace }),
        "send" => Some(HeldReason::NotSent { tries, trace }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_of_older_records_become_the_facts_that_they_told() {
        let pattern = || "^X-Spam: yes$".to_owned();
        let trace = || "a: b it: c".to_owned();
        let patterns = [HoldReason::TabooHeader(pattern()), HoldReason::TabooBody(String::new())];
        let failures = [
            HeldReason::NotDecided { tries: 3, trace: trace() },
            HeldReason::NotSent { tries: 3, trace: trace() },
        ];
        let rules = PLAIN.into_iter().chain(patterns).map(HeldReason::Rules);
        for reason in rules.chain(failures) {
            assert_eq!(HeldReason::of_sentence(reason.to_string()), reason);
        }
        for sentence in ["No advertisements, please.", "the server failed", ""] {
            let written = HeldReason::of_sentence(sentence.to_owned());
            assert_eq!(written, HeldReason::Written(sentence.to_owned()));
            assert_eq!(written.to_string(), sentence);
        }
    }
}
