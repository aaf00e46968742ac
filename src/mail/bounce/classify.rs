//! Classifies a refusal: by its enhanced code (RFC 3463) first, then by the words of the text.
//!
//! Providers use codes in their own ways, and many send only text. Two rules stand above all: words about reputation or
//! a full mailbox overrule a code that says *dead*, and a failure that cannot be classified is never *dead*: a member
//! must not be harmed by a failure that is not about its address.

use crate::model::{Diagnosis, FailureKind, Status};

/// Octets of text that are read; providers put the reason at the beginning.
const TEXT_BYTES_MAX: usize = 16 * 1024;
/// The last subject that RFC 3463 and the registry define: beyond it, three numbers are a version or a date.
const SUBJECT_MAX: u16 = 7;

/// Phrases about the sender's reputation or authentication, which count whatever the code says.
const REPUTATION: &[&str] = &[
    "spam",
    "unsolicited",
    "blacklist",
    "blocklist",
    "black list",
    "block list",
    "block-list",
    "blocked using",
    "dnsbl",
    "rbl",
    "spamhaus",
    "spamcop",
    "barracuda",
    "reputation",
    "user complaints",
    "dmarc",
    "dkim",
    "spf",
    "unauthenticated",
    "phish",
    "virus",
    "malware",
];

/// Phrases about the server's policy: it does not want the message, for a reason other than the address.
const POLICY: &[&str] = &[
    "policy",
    "policies",
    "prohibited",
    "blocked",
    "banned",
    "suspicious",
    "not authorized",
    "not authorised",
    "unauthorized",
    "authentication required",
    "authentication is required",
    "sender address rejected",
    "sender rejected",
    "sender denied",
    "sender verify failed",
    "client host rejected",
    "helo command rejected",
    "content rejected",
    "message rejected",
    "rejected for content",
    "relay access denied",
    "relaying denied",
    "relay not permitted",
    "unable to relay",
    "reverse dns",
    "ptr record",
    "message size exceeds",
    "message too large",
    "message is too large",
    "message too big",
    "message length exceeds",
    "exceeds size limit",
    "exceeds the maximum",
    "larger than the current system limit",
    "closed list",
    "not allowed to send",
    "not permitted to send",
    "only accepts mail from",
    "only accepts messages from",
    "nicht erlaubt",
];

/// Phrases about a full mailbox or disk.
const FULL: &[&str] = &[
    "mailbox full",
    "mailbox is full",
    "inbox is full",
    "inbox full",
    "mail box full",
    "quota",
    "over its limit",
    "exceeded storage",
    "out of storage",
    "storage space",
    "storage limit",
    "insufficient storage",
    "insufficient system storage",
    "not enough space",
    "no space left",
    "disk full",
    "too much mail",
    "mailbox size limit",
    "mailbox has exceeded",
    "can't accept messages now",
    "postfach ist voll",
    "postfach voll",
    "speicherplatz",
    "boîte pleine",
    "boite pleine",
    "buzón lleno",
    "casella piena",
];

/// Phrases about an address that does not exist.
const DEAD: &[&str] = &[
    "user unknown",
    "unknown user",
    "user is unknown",
    "unknown recipient",
    "recipient unknown",
    "unknown address",
    "address unknown",
    "unknown mailbox",
    "unknown local",
    "unknown or illegal alias",
    "no such user",
    "no such recipient",
    "no such mailbox",
    "no such address",
    "no such person",
    "no such domain",
    "no such host",
    "no mailbox here",
    "no mailbox by that name",
    "does not exist",
    "doesn't exist",
    "do not exist",
    "not exist",
    "doesn't have a",
    "does not have a",
    "address not found",
    "recipient not found",
    "user not found",
    "mailbox not found",
    "account not found",
    "host not found",
    "domain not found",
    "domain name not found",
    "couldn't be found",
    "could not be found",
    "wasn't found",
    "was not found",
    "couldn't find any host",
    "not a valid",
    "is not valid",
    "invalid recipient",
    "invalid mailbox",
    "invalid address",
    "invalid user",
    "recipient address rejected: access denied",
    "mailbox unavailable",
    "mailbox disabled",
    "mailbox is disabled",
    "mailbox is inactive",
    "account disabled",
    "account is disabled",
    "account has been disabled",
    "account is inactive",
    "account inactive",
    "inactive user",
    "inactive mailbox",
    "deactivated",
    "suspended",
    "discontinued",
    "account closed",
    "has been closed",
    "no longer valid",
    "no longer available",
    "no longer active",
    "no longer with",
    "no longer works",
    "no longer in use",
    "not our customer",
    "not listed in domino directory",
    "not listed in public name",
    "not known at this site",
    "not a known user",
    "host unknown",
    "unknown host",
    "bad destination",
    "unrouteable address",
    "unrouteable mail domain",
    "unroutable",
    "null mx",
    "nullmx",
    "does not accept mail",
    "does not accept email",
    "takes no mail",
    "recipnotfound",
    "empfänger unbekannt",
    "unbekannter empfänger",
    "existiert nicht",
    "nicht gefunden",
    "adresse inconnue",
    "utilisateur inconnu",
    "n'existe pas",
    "introuvable",
    "usuario desconocido",
    "no existe",
    "no se encontró",
    "non esiste",
    "sconosciuto",
];

/// Classifies a server's reply for one recipient. `status` is a code that was given separately from the text; codes
/// within the text are found, too.
#[must_use]
pub fn diagnose(status: Option<Status>, text: &str) -> Diagnosis {
    let text = clip(text);
    let words = plain_words(text);
    let codes = || status.into_iter().chain(codes_in(text));
    // A specific code counts more than one that only says that delivery failed.
    let telling = codes().find(|status| by_code(*status).is_some());
    let status = telling.or_else(|| codes().next());
    let is_temporary = status.map_or_else(|| is_temporary_reply(text), |status| status.class == 4);
    let kind = match telling.and_then(by_code) {
        _ if says(&words, REPUTATION) && !is_greylisting(&words) => FailureKind::Policy,
        Some(FailureKind::Dead) if says(&words, FULL) => FailureKind::Temporary,
        Some(kind) => kind,
        None if is_temporary => FailureKind::Temporary,
        None => by_words(&words),
    };
    Diagnosis { kind, status }
}

/// The kind of failure of a code alone; `None` if the words must decide.
fn by_code(status: Status) -> Option<FailureKind> {
    let Status { class, subject, detail } = status;
    match (class, subject, detail) {
        (4, _, 1..) | (5, 2, 2 | 4) | (5, 3, 1 | 2 | 5) | (5, 4, 3 | 5..=7) => Some(FailureKind::Temporary),
        (5, 1, 1..=4 | 6 | 10) | (5, 2, 1) | (5, 4, 4 | 310) => Some(FailureKind::Dead),
        (5, 1, 7..=9) | (5, 2, 3) | (5, 3, 3 | 4) | (5, 6 | 7, 1..) => Some(FailureKind::Policy),
        // 5.4.1 is "no answer" in RFC 3463, and an unknown recipient at Microsoft; 5.5 is about commands.
        _ => None,
    }
}

fn by_words(words: &str) -> FailureKind {
    if says(words, FULL) {
        FailureKind::Temporary
    } else if says(words, POLICY) {
        FailureKind::Policy
    } else if says(words, DEAD) {
        FailureKind::Dead
    } else {
        FailureKind::Temporary
    }
}

/// Whether a line contains any known phrase.
pub(super) fn is_telling(line: &str) -> bool {
    let words = plain_words(line);
    codes_in(line).next().is_some()
        || [REPUTATION, POLICY, FULL, DEAD].iter().any(|phrases| says(&words, phrases))
}

/// Whether this is a deliberate first refusal (greylisting), after which the server accepts the message.
fn is_greylisting(words: &str) -> bool {
    says(words, &["greylist", "graylist", "grey list", "gray list"])
}

/// The enhanced codes in a text. An IP address, which has four numbers, is none.
pub(super) fn codes_in(text: &str) -> impl Iterator<Item = Status> {
    text.split(|c: char| !c.is_ascii_digit() && c != '.')
        .filter_map(|token| Status::parse(token.trim_matches('.')))
        .filter(|status| status.subject <= SUBJECT_MAX)
}

/// Whether the first reply code in a text asks to try again.
fn is_temporary_reply(text: &str) -> bool {
    let tokens = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    let is_code = |token: &&str| {
        token.len() == 3 && token.starts_with(['4', '5']) && token.bytes().all(|byte| byte.is_ascii_digit())
    };
    tokens.into_iter().find(is_code).is_some_and(|code| code.starts_with('4'))
}

/// Whether one of the phrases occurs at the beginning of a word.
pub(super) fn says(words: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| {
        let mut places = words.match_indices(phrase);
        places.any(|(at, _)| !words[..at].ends_with(char::is_alphanumeric))
    })
}

/// The text in lower case with single blanks, and without addresses and links, whose names strangers choose.
pub(super) fn plain_words(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if word.contains('@') || word.contains("://") {
            continue;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(&word.to_lowercase().replace('\u{2019}', "'"));
    }
    words
}

fn clip(text: &str) -> &str {
    &text[..text.floor_char_boundary(TEXT_BYTES_MAX)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, kind: FailureKind, status: &str) {
        let diagnosis = diagnose(None, text);
        let found = diagnosis.status.map(|status| status.to_string()).unwrap_or_default();
        assert_eq!((diagnosis.kind, found.as_str()), (kind, status), "{text}");
    }

    #[test]
    fn a_code_decides_before_words() {
        check("550 5.1.1 <ada@x.org>: who is that?", FailureKind::Dead, "5.1.1");
        check("550 5.7.1 user unknown here", FailureKind::Policy, "5.7.1");
        check("552 5.2.2 no such user", FailureKind::Temporary, "5.2.2");
        check("450 4.2.1 the user does not exist", FailureKind::Temporary, "4.2.1");
        check("556 5.1.10 nothing", FailureKind::Dead, "5.1.10");
    }

    #[test]
    fn a_code_that_says_nothing_leaves_it_to_the_words() {
        check("550 5.0.0 user unknown", FailureKind::Dead, "5.0.0");
        check("550 5.4.1 Recipient address rejected: Access denied.", FailureKind::Dead, "5.4.1");
        check("550 5.5.0 Requested action not taken: mailbox unavailable", FailureKind::Dead, "5.5.0");
        check("5.0.0 (5.1.1 says the next server)", FailureKind::Dead, "5.1.1");
    }

    #[test]
    fn words_decide_where_there_is_no_code() {
        check("550 No such user here. Check the address and try again", FailureKind::Dead, "");
        check("552 Mailbox full", FailureKind::Temporary, "");
        check("554 Message rejected by our policy", FailureKind::Policy, "");
        check("450 Requested mail action not taken: mailbox unavailable", FailureKind::Temporary, "");
        check("554 Transaction failed", FailureKind::Temporary, "");
    }

    #[test]
    fn words_of_reputation_or_of_a_full_mailbox_take_a_dead_code_back() {
        check("550 5.1.1 Blocked using a DNSBL", FailureKind::Policy, "5.1.1");
        check("550 5.1.1 The mailbox is over quota", FailureKind::Temporary, "5.1.1");
        check("421 4.7.0 Deferred due to user complaints", FailureKind::Policy, "4.7.0");
        check("451 4.7.1 Greylisted by our spam filter", FailureKind::Temporary, "4.7.1");
    }

    #[test]
    fn names_and_links_and_versions_say_nothing() {
        check("550 5.1.1 <spam-trap@spf.example.org> see https://x.org/spam", FailureKind::Dead, "5.1.1");
        check("Exim 4.94.2 at 5.1.1.9 said 550", FailureKind::Temporary, "");
        check("550 antispamming is a word of its own: user unknown", FailureKind::Dead, "");
    }
}
