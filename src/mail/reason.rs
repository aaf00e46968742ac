//! Why messages wait or go back, in the language of whoever is told.
//!
//! A held message keeps its reason as facts ([`HeldReason`]); the API says them in English.

use super::pattern::Unjudged;
use super::policy::{HoldReason, RejectReason};
use crate::locale::{size, text};
use crate::model::{HeldReason, Language};

/// The kinds of reasons for which messages wait, by which moderators choose among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReasonKind {
    /// It was sent automatically.
    Automated,
    /// Its sender may not post.
    SenderNotAllowed,
    /// Its sender could not be verified.
    SenderNotProven,
    /// Every message to the list waits.
    EveryMessage,
    /// It is a reply.
    Reply,
    /// It replies to a thread that is closed.
    ClosedThread,
    /// Its Message-ID was seen before.
    KnownId,
    /// A pattern matches.
    Pattern,
    /// The patterns could not be matched in time.
    Unjudged,
    /// The server itself failed.
    Failed,
}

impl ReasonKind {
    /// All kinds.
    pub const ALL: [ReasonKind; 10] = [
        ReasonKind::SenderNotAllowed,
        ReasonKind::SenderNotProven,
        ReasonKind::EveryMessage,
        ReasonKind::Reply,
        ReasonKind::ClosedThread,
        ReasonKind::Automated,
        ReasonKind::KnownId,
        ReasonKind::Pattern,
        ReasonKind::Unjudged,
        ReasonKind::Failed,
    ];

    /// The kind of the reason that a held message keeps; `None` if an earlier version wrote it as a sentence.
    #[must_use]
    pub fn of(reason: &HeldReason) -> Option<ReasonKind> {
        let reason = match reason {
            HeldReason::Written(_) => return None,
            HeldReason::NotDecided { .. } | HeldReason::NotSent { .. } => return Some(ReasonKind::Failed),
            HeldReason::Rules(reason) => reason,
        };
        Some(match reason {
            HoldReason::Automated => ReasonKind::Automated,
            HoldReason::SenderNotAllowed => ReasonKind::SenderNotAllowed,
            HoldReason::SenderNotProven => ReasonKind::SenderNotProven,
            HoldReason::EveryMessage => ReasonKind::EveryMessage,
            HoldReason::Reply => ReasonKind::Reply,
            HoldReason::ClosedThread => ReasonKind::ClosedThread,
            HoldReason::KnownId => ReasonKind::KnownId,
            HoldReason::TabooHeader(_) | HoldReason::TabooBody(_) => ReasonKind::Pattern,
            HoldReason::Unjudged(_) => ReasonKind::Unjudged,
        })
    }

    /// Its word in the address of a page.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            ReasonKind::Automated => "automated",
            ReasonKind::SenderNotAllowed => "not-allowed",
            ReasonKind::SenderNotProven => "not-proven",
            ReasonKind::EveryMessage => "every-message",
            ReasonKind::Reply => "reply",
            ReasonKind::ClosedThread => "closed-thread",
            ReasonKind::KnownId => "known-id",
            ReasonKind::Pattern => "pattern",
            ReasonKind::Unjudged => "unjudged",
            ReasonKind::Failed => "failed",
        }
    }

    /// The kind of a word; `None` for any other text.
    #[must_use]
    pub fn from_word(word: &str) -> Option<ReasonKind> {
        ReasonKind::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// The kind as it is told in a language.
    #[must_use]
    pub fn told(self, language: Language) -> String {
        match self {
            ReasonKind::Automated => HoldReason::Automated.told(language),
            ReasonKind::SenderNotAllowed => HoldReason::SenderNotAllowed.told(language),
            ReasonKind::SenderNotProven => HoldReason::SenderNotProven.told(language),
            ReasonKind::EveryMessage => HoldReason::EveryMessage.told(language),
            ReasonKind::Reply => HoldReason::Reply.told(language),
            ReasonKind::ClosedThread => HoldReason::ClosedThread.told(language),
            ReasonKind::KnownId => HoldReason::KnownId.told(language),
            ReasonKind::Pattern => text!(language, "reason-kind-pattern"),
            ReasonKind::Unjudged => HoldReason::Unjudged(Unjudged::OutOfTime).told(language),
            ReasonKind::Failed => text!(language, "reason-kind-failed"),
        }
    }
}

impl HoldReason {
    /// The reason as it is told in a language.
    #[must_use]
    pub fn told(&self, language: Language) -> String {
        match self {
            HoldReason::Automated => text!(language, "reason-automated"),
            HoldReason::SenderNotAllowed => text!(language, "reason-not-allowed"),
            HoldReason::SenderNotProven => text!(language, "reason-not-proven"),
            HoldReason::EveryMessage => text!(language, "reason-every-message"),
            HoldReason::Reply => text!(language, "reason-reply"),
            HoldReason::ClosedThread => text!(language, "reason-closed-thread"),
            HoldReason::KnownId => text!(language, "reason-known-id"),
            HoldReason::TabooHeader(pattern) => text!(language, "reason-taboo-header", pattern = pattern),
            HoldReason::TabooBody(pattern) => text!(language, "reason-taboo-body", pattern = pattern),
            HoldReason::Unjudged(Unjudged::OutOfTime) => text!(language, "reason-patterns-slow"),
            HoldReason::Unjudged(Unjudged::TooLarge) => text!(language, "reason-pattern-large"),
            HoldReason::Unjudged(Unjudged::TooMuchText) => text!(language, "reason-text-long"),
        }
    }
}

impl HoldReason {
    /// The reason as the sender is told it.
    #[must_use]
    pub fn told_to_sender(&self, language: Language) -> String {
        match self {
            HoldReason::SenderNotAllowed => text!(language, "reason-your-address"),
            other => other.told(language),
        }
    }
}

impl RejectReason {
    /// The reason as the sender is told it.
    #[must_use]
    pub fn told_to_sender(&self, language: Language) -> String {
        match self {
            RejectReason::SenderNotAllowed => text!(language, "reason-your-address"),
            other => other.told(language),
        }
    }

    /// The reason as it is told in a language.
    #[must_use]
    pub fn told(&self, language: Language) -> String {
        match self {
            RejectReason::Banned => text!(language, "reason-banned"),
            RejectReason::SenderNotAllowed => text!(language, "reason-not-allowed"),
            RejectReason::SenderNotProven => text!(language, "reason-not-proven"),
            RejectReason::TooLarge { limit_kb } => {
                text!(language, "reason-too-large", limit = size(language, u64::from(*limit_kb) * 1024))
            }
        }
    }
}

impl HeldReason {
    /// The reason that a held message keeps, as it is told in a language.
    #[must_use]
    pub fn told(&self, language: Language) -> String {
        match self {
            HeldReason::Written(sentence) => sentence.clone(),
            HeldReason::Rules(reason) => reason.told(language),
            HeldReason::NotDecided { tries, trace } => {
                text!(language, "reason-failed-deciding", tries = tries.to_string(), words = trace)
            }
            HeldReason::NotSent { tries, trace } => {
                text!(language, "reason-failed-sending", tries = tries.to_string(), words = trace)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_reads_in_english_as_in_the_api_and_otherwise_in_other_languages() {
        let reasons = [
            HoldReason::Automated,
            HoldReason::SenderNotAllowed,
            HoldReason::SenderNotProven,
            HoldReason::EveryMessage,
            HoldReason::Reply,
            HoldReason::ClosedThread,
            HoldReason::KnownId,
            HoldReason::TabooHeader("^X-Spam: yes$".to_owned()),
            HoldReason::TabooBody(String::new()),
            HoldReason::Unjudged(Unjudged::OutOfTime),
            HoldReason::Unjudged(Unjudged::TooLarge),
            HoldReason::Unjudged(Unjudged::TooMuchText),
        ];
        let failures = [
            HeldReason::NotDecided { tries: 3, trace: "a: b".to_owned() },
            HeldReason::NotSent { tries: 3, trace: "x".to_owned() },
        ];
        for reason in reasons.map(HeldReason::Rules).into_iter().chain(failures) {
            assert_eq!(reason.told(Language::English), reason.to_string());
            for language in &Language::ALL[1..] {
                assert_ne!(reason.told(*language), reason.to_string(), "{}", language.word());
            }
        }
        for reason in [RejectReason::Banned, RejectReason::SenderNotAllowed, RejectReason::SenderNotProven] {
            assert_eq!(reason.told(Language::English), reason.to_string());
        }
        let too_large = RejectReason::TooLarge { limit_kb: 40 };
        assert_eq!(too_large.told(Language::English), too_large.to_string());
        assert_eq!(too_large.told(Language::French), "le message dépasse les 40 Ko que cette liste accepte");
    }

    #[test]
    fn a_failure_of_the_server_is_told_and_sentences_of_older_records_stay() {
        let failure = HeldReason::NotSent { tries: 3, trace: "disk full".to_owned() };
        let told = failure.told(Language::German);
        assert_eq!(told, "der Server konnte sie nach 3 Versuchen nicht verschicken: disk full");
        let written = HeldReason::Written("the server failed".to_owned());
        assert_eq!(written.told(Language::German), "the server failed");
    }
}
