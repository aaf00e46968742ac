//! Classifies a refusal: by its enhanced code (RFC 3463) and by the words of the text.
//!
//! Providers use codes in their own ways, and many send only text. Two rules stand above all: words about the sender, a
//! rate or a full mailbox overrule a code that says *dead*, and a failure that cannot be classified counts for nothing:
//! a member must not be harmed by a failure that is not about its address.

use super::address_phrases::{BROKEN, DEAD, FOR_NOW, FULL, NO_MAIL_DOMAIN, RECIPIENT_SIDE};
use super::sender_phrases::{
    AFTER_MESSAGE, BEFORE_RECIPIENTS, BLOCK_LIST_HOSTS, POLICY, RATE, REFUSED, REPUTATION, SENDING_SIDE,
};
use crate::model::{Diagnosis, FailureKind, Status, Weight};

/// Octets of text that are read; providers put the reason at the beginning.
const TEXT_BYTES_MAX: usize = 16 * 1024;
/// The last subject that RFC 3463 and the registry define: beyond it, three numbers are a version or a date.
const SUBJECT_MAX: u16 = 7;
/// Octets around a phrase in which a word for the sender or the recipient says whom the phrase is about.
const NEAR_BYTES: usize = 60;
/// The word that stands in a text for a link to a block list.
const BLOCK_LIST_LINK: &str = "blocklist-link";
/// The codes of which a single refusal pauses an address, if the words agree (`spec/mail.md` 9).
const CERTAIN: [Status; 4] =
    [Status::new(5, 1, 1), Status::new(5, 1, 2), Status::new(5, 1, 10), Status::new(5, 2, 1)];

/// Classifies a server's reply for one recipient. `status` is a code that was given separately from the text; codes
/// within the text are found, too.
#[must_use]
pub fn diagnose(status: Option<Status>, text: &str) -> Diagnosis {
    let text = clip(text);
    let words = Words::of(text);
    let codes = || codes_in(text).chain(status);
    // A specific code counts more than one that only says that delivery failed, and the remote server's own more than
    // that of the reporter.
    let telling = codes().find(|status| by_code(*status).is_some());
    let status = telling.or_else(|| codes().next());
    let is_temporary = status.map_or_else(|| reply_class(text) == Some(b'4'), |status| status.class == 4);
    let kind = kind_of(telling, &words, is_temporary);
    let is_certain = telling.is_some_and(|code| CERTAIN.contains(&code)) && words.is_dead;
    let weight = match kind {
        FailureKind::Dead if is_certain => Weight::Certain,
        FailureKind::Temporary if words.says(RATE) => Weight::Nothing,
        FailureKind::Dead | FailureKind::Temporary => Weight::Counts,
        FailureKind::Policy | FailureKind::Unclassified => Weight::Nothing,
    };
    Diagnosis { kind, status, weight }
}

/// Classifies a failure that a report says is final: a server that asked to try again for days because it does not know
/// the address will not know it tomorrow.
pub(super) fn diagnose_final(status: Option<Status>, text: &str) -> Diagnosis {
    let found = diagnose(status, text);
    let asked_again = found.status.is_some_and(|status| (status.class, status.subject) == (4, 1));
    let words = Words::of(clip(text));
    if asked_again && found.kind == FailureKind::Temporary && words.is_dead && words.take_back().is_none() {
        return Diagnosis { kind: FailureKind::Dead, weight: Weight::Counts, ..found };
    }
    found
}

/// Whether a text says that mail is refused, and nothing of why.
pub(super) fn only_refuses(text: &str) -> bool {
    let words = plain_words(text);
    let reasons = [REPUTATION, POLICY, FULL, DEAD, RATE, FOR_NOW, BROKEN];
    says(&words, REFUSED)
        && !reasons.iter().any(|phrases| says(&words, phrases))
        && codes_in(text).all(|code| by_code(code).is_none())
}

/// Classifies a reply to a command that names no recipient, such as MAIL: it never says that an address is dead.
#[must_use]
pub fn diagnose_sender(text: &str) -> Diagnosis {
    about_sender(diagnose(None, text))
}

/// The classification of a refusal that came before any recipient was named.
pub(super) fn about_sender(found: Diagnosis) -> Diagnosis {
    match found.kind {
        FailureKind::Dead | FailureKind::Unclassified => {
            Diagnosis { kind: FailureKind::Policy, weight: Weight::Nothing, ..found }
        }
        FailureKind::Temporary | FailureKind::Policy => found,
    }
}

fn kind_of(telling: Option<Status>, words: &Words, is_temporary: bool) -> FailureKind {
    let by_code = telling.and_then(by_code);
    if words.says(GREYLISTING) {
        return FailureKind::Temporary;
    }
    if words.says(REPUTATION) || words.is_about_sender {
        return FailureKind::Policy;
    }
    if words.says(NO_MAIL_DOMAIN) && by_code != Some(FailureKind::Policy) {
        return FailureKind::Dead;
    }
    match by_code {
        Some(FailureKind::Dead) => words.take_back().unwrap_or(FailureKind::Dead),
        Some(FailureKind::Policy) if words.says(LOCKED) => FailureKind::Temporary,
        Some(FailureKind::Policy) if telling.is_some_and(is_vague) && words.is_plainly_dead() => {
            FailureKind::Dead
        }
        Some(kind) => kind,
        None => match by_words(words) {
            // A server that asks to try again knows better than its words.
            FailureKind::Dead | FailureKind::Unclassified if is_temporary => FailureKind::Temporary,
            kind => kind,
        },
    }
}

/// Phrases of a deliberate first refusal (greylisting), after which the server accepts the message.
const GREYLISTING: &[&str] = &["greylist", "graylist", "grey list", "gray list", "greyliste"];
/// Phrases about a mailbox that is locked for some time, which servers send with codes of policy.
const LOCKED: &[&str] =
    &["temporary lock", "temporarily lock", "mailbox full", "mailbox is full", "over quota"];

/// Phrases about a quota that is no mailbox's.
const OUR_QUOTA: &[&str] = &["relay quota", "sending quota"];

/// The kind of failure of a code alone; `None` if the words must decide.
fn by_code(status: Status) -> Option<FailureKind> {
    let Status { class, subject, detail } = status;
    match (class, subject, detail) {
        // RFC 5248: a disabled account. RFC 7293: the mailbox, or the domain, belongs to somebody else now.
        (5, 1, 1..=4 | 6 | 10) | (5, 2, 1) | (5, 4, 4 | 310) | (5, 7, 13 | 17 | 18) => {
            Some(FailureKind::Dead)
        }
        (4, 7, _) | (5, 1, 7..=9) | (5, 2, 3) | (5, 3, 3 | 4) | (5, 6 | 7, _) => Some(FailureKind::Policy),
        (4, _, 1..) | (5, 2, 2 | 4) | (5, 3, 1 | 2 | 5) | (5, 4, 2 | 3 | 5..=7) => {
            Some(FailureKind::Temporary)
        }
        // 5.4.1 is "no answer" in RFC 3463, and an unknown recipient at Microsoft; 5.5 is about commands.
        _ => None,
    }
}

/// Whether a code of policy is one that servers also send with a refusal of another kind.
fn is_vague(code: Status) -> bool {
    code == Status::new(5, 7, 0) || code == Status::new(5, 7, 1)
}

fn by_words(words: &Words) -> FailureKind {
    if (words.says(FULL) && !words.says(OUR_QUOTA)) || words.says(RATE) {
        FailureKind::Temporary
    } else if words.says(POLICY) {
        FailureKind::Policy
    } else if words.says(FOR_NOW) {
        FailureKind::Temporary
    } else if words.is_dead {
        FailureKind::Dead
    } else if words.says(BROKEN) {
        FailureKind::Temporary
    } else if words.says(REFUSED) {
        FailureKind::Policy
    } else {
        FailureKind::Unclassified
    }
}

/// The words of a text, and whom its phrases about what does not exist are about.
struct Words {
    text: String,
    /// A phrase says that the recipient's address does not exist.
    is_dead: bool,
    /// A phrase says that something of the sender does not exist.
    is_about_sender: bool,
}

impl Words {
    fn of(text: &str) -> Words {
        let text = plain_words(text);
        let (mut is_dead, mut is_about_sender) = (false, false);
        for phrase in DEAD {
            for place in places(&text, phrase) {
                if is_about_sender_at(&text, place, phrase.len()) {
                    is_about_sender = true;
                } else {
                    is_dead = true;
                }
            }
        }
        // One phrase about the recipient is enough: reports also say what the sender can do.
        Words { is_about_sender: is_about_sender && !is_dead, text, is_dead }
    }

    fn says(&self, phrases: &[&str]) -> bool {
        says(&self.text, phrases)
    }

    /// Whether the words speak of a dead address, and of nothing else.
    fn is_plainly_dead(&self) -> bool {
        self.is_dead && self.take_back().is_none() && !self.says(REFUSED)
    }

    /// The kind of failure if the words take back what a code of a dead address says.
    fn take_back(&self) -> Option<FailureKind> {
        if self.says(FULL) || self.says(RATE) || self.says(FOR_NOW) {
            Some(FailureKind::Temporary)
        } else if self.says(POLICY) || (!self.is_dead && self.says(REFUSED)) {
            Some(FailureKind::Policy)
        } else if !self.is_dead && self.says(BROKEN) {
            Some(FailureKind::Temporary)
        } else {
            None
        }
    }
}

/// Whether a phrase is about the sender: words for the sending side are nearer to it, in its sentence, than words for
/// the receiving side.
fn is_about_sender_at(text: &str, start: usize, length: usize) -> bool {
    let end = start + length;
    let first = text.floor_char_boundary(start.saturating_sub(NEAR_BYTES));
    let first = text[first..start].rfind(". ").map_or(first, |at| first + at + 2);
    let last = text.floor_char_boundary((end + NEAR_BYTES).min(text.len()));
    let last = text[end..last].find(". ").map_or(last, |at| end + at);
    let (sentence, start, end) = (&text[first..last], start - first, end - first);
    let distance =
        |(at, length): (usize, usize)| start.saturating_sub(at + length).max(at.saturating_sub(end));
    let nearest = |sides: &[&str]| {
        let found = sides.iter().flat_map(|side| places(sentence, side).map(|at| (at, side.len())));
        found.map(distance).min()
    };
    match (nearest(SENDING_SIDE), nearest(RECIPIENT_SIDE)) {
        (Some(sender), Some(recipient)) => sender < recipient,
        (Some(_), None) => true,
        (None, _) => false,
    }
}

/// A classification in the light of when the refusal came, if the text says that: before any recipient was named it is
/// about the sender, and behind the whole message it may be about the message, though some call the user unknown then.
pub(super) fn in_dialogue(found: Diagnosis, text: &str) -> Diagnosis {
    let words = plain_words(text);
    if says(&words, &["rcpt to"]) {
        return found;
    }
    let names_address = found.status.is_some_and(|status| by_code(status) == Some(FailureKind::Dead));
    let is_vague = found.kind == FailureKind::Dead && !names_address;
    if says(&words, BEFORE_RECIPIENTS) || (is_vague && says(&words, AFTER_MESSAGE)) {
        about_sender(found)
    } else {
        found
    }
}

/// Whether a line contains any known phrase.
pub(super) fn is_telling(line: &str) -> bool {
    codes_in(line).next().is_some() || has_known_phrase(line)
}

/// Whether a text that nothing else marks as a report says that mail failed: people do not write such words by chance.
pub(super) fn says_clearly(text: &str) -> bool {
    let words = plain_words(text);
    codes_in(text).next().is_some() || says(&words, DEAD) || says(&words, FULL)
}

/// Whether a text says that a mailbox is full.
pub(super) fn says_full(text: &str) -> bool {
    says(&plain_words(text), FULL)
}

/// Whether a text says why mail failed: by a code, with or without points, or by a known phrase.
pub(super) fn says_why(text: &str) -> bool {
    is_telling(text) || reply_class(text).is_some()
}

fn has_known_phrase(text: &str) -> bool {
    let words = plain_words(text);
    let lists = [REPUTATION, POLICY, FULL, DEAD, RATE, FOR_NOW, BROKEN, REFUSED];
    lists.iter().any(|phrases| says(&words, phrases))
}

/// The enhanced codes in a text. An IP address, which has four numbers, is none.
pub(super) fn codes_in(text: &str) -> impl Iterator<Item = Status> {
    text.split(|c: char| !c.is_ascii_digit() && c != '.')
        .filter_map(|token| Status::parse(token.trim_matches('.')))
        .filter(|status| status.class != 2 && status.subject <= SUBJECT_MAX)
}

/// The first digit of the first reply code in a text: `4` asks to try again.
fn reply_class(text: &str) -> Option<u8> {
    let tokens = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    let is_code = |token: &&str| {
        token.len() == 3 && token.starts_with(['4', '5']) && token.bytes().all(|byte| byte.is_ascii_digit())
    };
    tokens.into_iter().find(is_code).map(|code| code.as_bytes()[0])
}

/// Whether a text has a reply of a server that is final.
#[must_use]
pub fn is_final_reply(text: &str) -> bool {
    reply_class(text) == Some(b'5')
}

/// Whether one of the phrases occurs at the beginning of a word.
pub(super) fn says(words: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| places(words, phrase).next().is_some())
}

/// The places of a phrase that are beginnings of words. Scripts without blanks between words have none to look for.
fn places<'t>(words: &'t str, phrase: &'t str) -> impl Iterator<Item = usize> + 't {
    let has_blanks = phrase.starts_with(|c: char| c < '\u{2e80}');
    let places = words.match_indices(phrase).map(|(at, _)| at);
    places.filter(move |at| !has_blanks || !words[..*at].ends_with(char::is_alphanumeric))
}

/// The text in lower case with single blanks, and without addresses and links, whose names strangers choose. What
/// stands in front of an address in brackets stays, as in `FROM:<ada@example.org>`, and a link to a block list is named.
pub(super) fn plain_words(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let word = match word {
            link if is_block_list_link(link) => BLOCK_LIST_LINK,
            link if link.contains("://") => continue,
            address if address.contains('@') => {
                address.split('<').next().filter(|_| address.contains('<')).unwrap_or("")
            }
            word => word,
        };
        if word.is_empty() || word.contains('@') {
            continue;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(&word.to_lowercase().replace('\u{2019}', "'"));
    }
    words
}

/// Whether a word is a link to a host of a block list, or below it.
fn is_block_list_link(word: &str) -> bool {
    let Some((_, rest)) = word.split_once("://") else { return false };
    let host =
        rest.split(['/', '?', '#', ':', '>', ')', ']', '"', '\'']).next().unwrap_or_default().to_lowercase();
    let host = host.trim_end_matches(['.', ',', ';']);
    BLOCK_LIST_HOSTS
        .iter()
        .any(|known| host.strip_suffix(known).is_some_and(|below| below.is_empty() || below.ends_with('.')))
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
        check("550 5.7.0 Use another server", FailureKind::Policy, "5.7.0");
        check("550 5.6.0 Headers", FailureKind::Policy, "5.6.0");
        check("525 5.7.13 Account", FailureKind::Dead, "5.7.13");
        check("550 5.1.1 <ada@x.org>: who is that?", FailureKind::Dead, "5.1.1");
        check("550 5.7.1 user unknown here", FailureKind::Dead, "5.7.1");
        check("550 5.7.1 user unknown or rejected", FailureKind::Policy, "5.7.1");
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
        check("554 Transaction failed", FailureKind::Unclassified, "");
    }

    #[test]
    fn words_of_reputation_or_of_a_full_mailbox_take_a_dead_code_back() {
        check("550 5.1.1 Blocked using a DNSBL", FailureKind::Policy, "5.1.1");
        check("550 5.1.1 The mailbox is over quota", FailureKind::Temporary, "5.1.1");
        check("421 4.7.0 Deferred due to user complaints", FailureKind::Policy, "4.7.0");
        check("451 4.7.1 Greylisted by our spam filter", FailureKind::Temporary, "4.7.1");
    }

    #[test]
    fn one_refusal_is_enough_only_if_code_and_words_agree() {
        for (text, weight) in [
            ("550 5.1.1 No such user", Weight::Certain),
            ("550 5.2.1 The account is disabled", Weight::Certain),
            ("5.1.2 The domain gone.example does not exist", Weight::Certain),
            ("550 5.1.1 Who is that?", Weight::Counts),
            ("550 5.4.1 No such user", Weight::Counts),
            ("550 5.1.1 User unknown, or relaying denied", Weight::Nothing),
            ("550 5.2.1 The user is receiving mail at a rate that is too high", Weight::Nothing),
        ] {
            assert_eq!(diagnose(None, text).weight, weight, "{text}");
        }
    }

    #[test]
    fn what_does_not_exist_on_the_senders_side_is_policy() {
        for text in [
            "550 Unroutable sender address",
            "553 5.1.0 lists.example.org: the sender domain does not exist",
            "550 5.1.1 Your domain does not exist",
            "550 From domain not found",
        ] {
            assert_eq!(diagnose(None, text).kind, FailureKind::Policy, "{text}");
        }
        let text = "550 5.1.1 The recipient's address was not found; the sender may try another way";
        assert_eq!(diagnose(None, text).kind, FailureKind::Dead);
        assert_eq!(diagnose_sender("550 5.1.1 User unknown").kind, FailureKind::Policy);
        assert_eq!(diagnose_sender("451 4.3.0 Try again later").kind, FailureKind::Temporary);
    }

    #[test]
    fn a_link_to_a_block_list_is_policy_and_one_to_another_host_is_nothing() {
        check("553 5.1.3 https://www.spamhaus.org/query/ip/203.0.113.9", FailureKind::Policy, "5.1.3");
        check("553 5.1.3 (https://spamhaus.org.example.net/)", FailureKind::Dead, "5.1.3");
        check("553 5.1.3 https://notspamhaus.org/", FailureKind::Dead, "5.1.3");
    }

    #[test]
    fn names_and_links_and_versions_say_nothing() {
        check("550 5.1.1 <spam-trap@spf.example.org> see https://x.org/spam", FailureKind::Dead, "5.1.1");
        check("Exim 4.94.2 at 5.1.1.9 said 550", FailureKind::Unclassified, "");
        check("550 antispamming is a word of its own: user unknown", FailureKind::Dead, "");
    }
}
