//! Why messages wait or go back, in the language of whoever is told.
//!
//! A held message keeps its reason in English, as the API shows it. Here such a text becomes what it was, and with that
//! a text in any language. What is no reason of this server, the words of a moderator for one, stays as it is.

use super::pattern::Unjudged;
use super::policy::{HoldReason, RejectReason};
use crate::locale::{Locale, size, text};
use crate::model::Language;

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

    /// The kind of the reason that a held message keeps; `None` if it has the words of a person.
    #[must_use]
    pub fn of_stored(stored: &str) -> Option<ReasonKind> {
        let Some(reason) = HoldReason::from_stored(stored) else {
            return stored.starts_with(SERVER_FAILED).then_some(ReasonKind::Failed);
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

const HEADER_MATCHES: &str = "a header matches the pattern ";
const BODY_MATCHES: &str = "the content matches the pattern ";
const SERVER_FAILED: &str = "the server failed ";
const TO_DECIDE: &str = " times to decide about it: ";
const TO_SEND: &str = " times to send it: ";

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

    /// The reason that a held message keeps as this text; `None` if it is none of these.
    #[must_use]
    pub fn from_stored(stored: &str) -> Option<HoldReason> {
        let header =
            stored.strip_prefix(HEADER_MATCHES).map(|pattern| HoldReason::TabooHeader(pattern.to_owned()));
        let body =
            || stored.strip_prefix(BODY_MATCHES).map(|pattern| HoldReason::TabooBody(pattern.to_owned()));
        header.or_else(body).or_else(|| PLAIN.into_iter().find(|reason| reason.to_string() == stored))
    }
}

impl RejectReason {
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

/// The note that a held message keeps after the server failed `tries` times to decide about it.
#[must_use]
pub fn failed_to_decide(tries: u8, words: &str) -> String {
    format!("{SERVER_FAILED}{tries}{TO_DECIDE}{words}")
}

/// The note that a held message keeps after the server failed `tries` times to send it.
#[must_use]
pub fn failed_to_send(tries: u8, words: &str) -> String {
    format!("{SERVER_FAILED}{tries}{TO_SEND}{words}")
}

/// The reason that a held message keeps, in the language of whoever is told.
#[must_use]
pub fn stored_reason(locale: &Locale, stored: &str) -> String {
    let language = locale.language;
    if let Some(reason) = HoldReason::from_stored(stored) {
        return reason.told(language);
    }
    let Some(failure) = stored.strip_prefix(SERVER_FAILED) else { return stored.to_owned() };
    if let Some((tries, words)) = failure.split_once(TO_DECIDE) {
        return text!(language, "reason-failed-deciding", tries = tries, words = words);
    }
    if let Some((tries, words)) = failure.split_once(TO_SEND) {
        return text!(language, "reason-failed-sending", tries = tries, words = words);
    }
    stored.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_known_by_what_a_held_message_keeps_and_reads_the_same_in_english() {
        let patterns = ["^X-Spam: yes$", ""].map(str::to_owned);
        let headers = patterns.clone().map(HoldReason::TabooHeader);
        let bodies = patterns.map(HoldReason::TabooBody);
        for reason in PLAIN.into_iter().chain(headers).chain(bodies) {
            assert_eq!(HoldReason::from_stored(&reason.to_string()), Some(reason.clone()));
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
    fn what_the_server_noted_is_told_and_other_words_stay() {
        let english = Locale::default();
        let german = Locale { language: Language::German, ..Locale::default() };
        for noted in [failed_to_decide(3, "a: b"), failed_to_send(3, "x")] {
            assert_eq!(stored_reason(&english, &noted), noted);
        }
        let told = stored_reason(&german, &failed_to_send(3, "disk full"));
        assert_eq!(told, "der Server konnte sie nach 3 Versuchen nicht verschicken: disk full");
        for words in ["No advertisements, please.", "the server failed", ""] {
            assert_eq!(stored_reason(&german, words), words);
        }
    }
}
