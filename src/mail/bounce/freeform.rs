//! Reads bounces that are written only for people: by qmail, Exim, older Exchange, Notes, Yahoo and many more.
//!
//! Only mail that a mail system says it sent is read: a reply of a person, automatic or not, is no bounce. At the
//! envelope sender of a copy, which only the copy's own way knows, a code or a known phrase is enough.
//!
//! The report's own text decides. Its subject repeats that of the post, and so do lines of its text; both are left out,
//! since the author of a post chose them.

use super::classify::{
    codes_in, diagnose, in_dialogue, is_telling, only_refuses, plain_words, says, says_clearly, says_full,
    says_why,
};
use super::report::{ADDRESSES_MAX, BOUNCED_MAX, Bounced, Fate, field_text, named_address, one_line};
use crate::mail::automatic;
use crate::mail::parse::Inbound;
use crate::model::{Diagnosis, EmailAddress, FailureKind, Status};

/// Octets of text that are read.
const TEXT_BYTES_MAX: usize = 16 * 1024;
/// Octets of a report within the text that are read.
const EMBEDDED_BYTES_MAX: usize = 2 * 1024;

/// Phrases of warnings about a delay, which have no consequences.
const DELAYED: &[&str] = &[
    "delayed",
    "not yet been delivered",
    "not been delivered yet",
    "will be retried",
    "will retry",
    "will continue to try",
    "will keep trying",
    "still being retried",
    "continue trying",
    "attempts will continue",
    "need to resend",
    "no action is required on your part",
    "could not send message for past",
    "this is a warning message only",
    "this is only a warning",
];

/// Phrases that a mere warning does not contain.
const FINAL: &[&str] = &[
    "permanent",
    "failed permanently",
    "giving up",
    "given up",
    "gave up",
    "no further attempts",
    "not going to try again",
    "was not delivered to any",
];

/// Lines, by their beginning, after which the returned message follows.
const ORIGINALS: &[&str] = &[
    "--- below this line is a copy of the message",
    "------ this is a copy of",
    "----- original message",
    "-----original message",
    "--- original message",
    "----- unsent message follows",
    "--- the header of the original message is following",
    "original message headers:",
    "original message follows",
    "--- original message headers",
    "------- returned message",
    "--- returned message",
    "the following is a copy of",
    "-----original message",
    "original message details",
    "message headers follow",
    "return-path:",
    "received: from",
    "received: by",
];

/// Beginnings of lines that repeat a header field of the returned message: its author chose what stands there.
const REPEATED_FIELDS: &[&str] = &[
    "subject:",
    "subject is",
    "the subject of the message",
    "message subject",
    "betreff:",
    "objet:",
    "objet :",
    "asunto:",
    "oggetto:",
    "onderwerp:",
    "assunto:",
    "тема:",
    "件名",
];

/// Words in front of an address that is named for another reason than a failure.
const NOT_FAILED: &[&str] = &[
    "contact",
    "assistance",
    "help",
    "question",
    "support",
    "from:",
    "sender:",
    "reply-to:",
    "return-path:",
    "mail from",
    "administrator",
    "postmaster",
    "write to",
    "send mail to",
    "e-mail to",
    "an email to",
    "emailing",
    "reach a party",
    "reported to",
    "report to",
    "report this",
    "envelope-from",
    "resend",
    "reply to",
    "instead",
    "try ",
    "e.g.",
    "example",
    "message-id",
    "id:",
    "kontakt",
    "wenden sie sich",
    "contacter",
    "póngase en contacto",
    "by ",
    "via ",
    "sent by",
    "from ",
    "cc:",
    "was sent to",
];

/// Words in front of an address that failed, or of one that was delivered to another that failed.
const FAILED: &[&str] = &[
    "rcpt to",
    "recipient",
    "generated from",
    "undeliverable",
    "unknown user",
    "user unknown",
    "no such user",
    "unknown address",
    "invalid address",
    "delivered to",
    "delivery to",
    "deliver to",
    "deliver mail to",
    "deliver message to",
    "deliver your message to",
    "your message to",
    "message for",
    "sent to the following",
    "addressed to",
    "was addressed",
    "failed",
];

/// The bounces in a message for people; empty if it is none. `is_at_token` says that it came to the envelope sender of
/// a copy.
pub(super) fn read(inbound: &Inbound, human: &str, is_at_token: bool) -> Vec<Bounced> {
    let failed = failed_recipients(inbound);
    let text = own_text(human);
    let head = subject_head(&inbound.subject);
    let is_from_system =
        !failed.is_empty() || automatic::is_from_mail_system(inbound) || inbound.has_report_subject();
    let is_answer = automatic::is_answer_of_person(inbound);
    let is_report = is_from_system || (is_at_token && !is_answer && says_clearly(&text));
    if !is_report {
        return Vec::new();
    }
    let words = plain_words(&format!("{head} {text}"));
    let fate = if says(&words, DELAYED) && !says(&words, FINAL) { Fate::Delayed } else { Fate::Failed };
    let named = if failed.is_empty() { failed_in(&text) } else { failed };
    let mut diagnosis = or_embedded(diagnose_text(None, &text), human);
    if fate == Fate::Delayed && diagnosis.kind == FailureKind::Unclassified {
        diagnosis.kind = FailureKind::Temporary;
    }
    let whole = |recipients: Vec<EmailAddress>| Bounced {
        recipients,
        fate,
        diagnosis,
        remote: None,
        words: telling_line(&text),
    };
    if named.len() < 2 {
        return vec![whole(named)];
    }
    let one = |address: EmailAddress| match section_of(&text, &address) {
        Some(section) => Bounced {
            diagnosis: diagnose_text(None, &section),
            words: telling_line(&section),
            ..whole(vec![address])
        },
        None => whole(vec![address]),
    };
    named.into_iter().take(BOUNCED_MAX).map(one).collect()
}

/// The classification of a failure by a report that a relay wrapped into its own text, if that text says nothing. The
/// author of a post could write such lines, too: so they never say that an address is dead.
fn or_embedded(found: Diagnosis, human: &str) -> Diagnosis {
    let start = human.find("\nReporting-MTA:").filter(|_| found.kind == FailureKind::Unclassified);
    let Some(start) = start else { return found };
    let block = &human[start..human.floor_char_boundary(start + EMBEDDED_BYTES_MAX)];
    let inner = diagnose(None, block.split("\n--").next().unwrap_or_default());
    if inner.kind == FailureKind::Dead { found } else { inner }
}

/// The classification of a failure by the text for people about it.
pub(super) fn diagnose_text(status: Option<Status>, text: &str) -> Diagnosis {
    in_dialogue(diagnose(status, text), text)
}

/// The classification of a failure of which the machine-readable part says nothing known, by the text for people about
/// this recipient; the other one if that says nothing either.
pub(super) fn diagnose_more(
    found: Diagnosis,
    diagnostic: &str,
    status: Option<Status>,
    human: &str,
    recipients: &[EmailAddress],
) -> Diagnosis {
    let text = own_text(human);
    let section = recipients.iter().find_map(|address| section_of(&text, address)).unwrap_or(text);
    let found = in_dialogue(found, &section);
    let more = diagnose(status, &section);
    // A report whose halves contradict each other does not prove that an address is dead.
    if found.kind == FailureKind::Dead && more.kind == FailureKind::Temporary && says_full(&section) {
        return more;
    }
    if found.kind != FailureKind::Unclassified && !only_refuses(diagnostic) {
        return found;
    }
    if more.kind == FailureKind::Unclassified { found } else { more }
}

/// The beginning of a report's subject, which the mail system chose: what follows may be the subject of the post.
fn subject_head(subject: &str) -> &str {
    subject.split(':').next().unwrap_or_default()
}

/// The recipients in the field that Exim and Gmail use for them.
fn failed_recipients(inbound: &Inbound) -> Vec<EmailAddress> {
    let mut fields = inbound.fields();
    let field = fields.find(|field| field.is("X-Failed-Recipients"));
    field.map(|field| addresses_in(&field_text(&field))).unwrap_or_default()
}

/// The text of the mail system: what stands before the returned message, without lines that repeat its subject.
pub(super) fn own_text(text: &str) -> String {
    let text = &text[..text.floor_char_boundary(TEXT_BYTES_MAX)];
    let mut own = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let start = line.trim_start_matches(['>', ' ', '\t', '*']).to_lowercase();
        if ORIGINALS.iter().any(|original| start.starts_with(original)) {
            break;
        }
        if !REPEATED_FIELDS.iter().any(|field| start.starts_with(field)) {
            own.push_str(line);
        }
    }
    own
}

/// How sure it is that a text names an address because mail to it failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Naming {
    /// For another reason: to be contacted, or as a sender.
    Other,
    /// As the one to whom the returned message was written, which may be a list.
    Addressed,
    /// In a sentence, for whatever reason.
    Mentioned,
    /// At the beginning of a line, or behind words that say so.
    Failed,
}

/// The addresses that a text names as failed, in their order, each once. Those that it only mentions count if it names
/// none more clearly.
fn failed_in(text: &str) -> Vec<EmailAddress> {
    let mut named: Vec<(EmailAddress, Naming)> = Vec::new();
    let mut previous = "";
    for line in text.lines() {
        for (address, before) in addresses_of_line(line) {
            let naming = naming(previous, before, line);
            if let Some((_, known)) = named.iter_mut().find(|(known, _)| *known == address) {
                *known = naming.max(*known);
            } else if named.len() < BOUNCED_MAX {
                named.push((address, naming));
            }
        }
        previous = line;
    }
    let best = named.iter().map(|(_, naming)| *naming).max().filter(|best| *best != Naming::Other);
    named.into_iter().filter(|(_, naming)| Some(*naming) == best).map(|(address, _)| address).collect()
}

/// How an address is named that stands in a line behind `before`.
fn naming(previous: &str, before: &str, line: &str) -> Naming {
    let ahead = before.trim_matches(|c: char| c.is_whitespace() || "<>([{*\"'-:".contains(c)).to_lowercase();
    let ahead_words = plain_words(before);
    if ahead.is_empty() {
        // A sentence that goes on from the line before: "please contact" at its end.
        let last = plain_words(previous);
        let ends_openly = !previous.trim_end().ends_with([':', '.', '!', '?', ')', ';']);
        let is_contact = ends_openly && says(last_words(&last), NOT_FAILED);
        return if is_contact { Naming::Other } else { Naming::Failed };
    }
    if ahead_words == "to:" {
        return Naming::Addressed;
    }
    let is_origin = |words: &str| words.ends_with("from") || words.ends_with("from:");
    if is_origin(&ahead_words) && !says(&ahead_words, &["expanded from", "generated from", "forwarded from"])
    {
        return Naming::Other;
    }
    if says(&ahead_words, FAILED)
        && !says(last_words(&ahead_words), &["contact", "assistance", "mail from", "from:"])
    {
        return Naming::Failed;
    }
    // Servers repeat the address behind their code.
    let is_reply = |word: &str| {
        word.len() == 3 && word.starts_with(['4', '5']) && word.bytes().all(|b| b.is_ascii_digit())
    };
    if ahead.split([' ', '-']).next().is_some_and(is_reply) || codes_in(&ahead_words).next().is_some() {
        return Naming::Failed;
    }
    if says(&ahead_words, NOT_FAILED) {
        return Naming::Other;
    }
    if is_telling(line) { Naming::Failed } else { Naming::Mentioned }
}

/// The last words of a text.
fn last_words(text: &str) -> &str {
    let start = text.char_indices().rev().nth(39).map_or(0, |(at, _)| at);
    &text[start..]
}

/// The part of a text about one of several addresses: each line that names it, and those up to another address.
fn section_of(text: &str, address: &EmailAddress) -> Option<String> {
    let mut section = String::new();
    let mut is_within = false;
    for line in text.lines() {
        let mut addresses = addresses_of_line(line).map(|(found, _)| found).peekable();
        if addresses.peek().is_some() {
            is_within = addresses.any(|found| found == *address);
        }
        if is_within {
            section.push_str(line);
            section.push('\n');
        }
    }
    says_why(&section).then_some(section)
}

/// The addresses of a line, each with the text before it.
fn addresses_of_line(line: &str) -> impl Iterator<Item = (EmailAddress, &str)> {
    let is_bracket = |c: char| c.is_whitespace() || "<>()[]{},;:=\"'*".contains(c);
    let words = line.split(is_bracket).filter(|word| word.contains('@'));
    words.filter_map(move |word| {
        let start = word.as_ptr() as usize - line.as_ptr() as usize;
        let address = named_address(word.trim_end_matches('.').split("...").next().unwrap_or_default())?;
        Some((address, &line[..start]))
    })
}

/// Every address in a field, in order, each once.
fn addresses_in(text: &str) -> Vec<EmailAddress> {
    let mut addresses = Vec::new();
    for (address, _) in addresses_of_line(text) {
        if !addresses.contains(&address) && addresses.len() < ADDRESSES_MAX {
            addresses.push(address);
        }
    }
    addresses
}

/// The line that explains the failure: the first with a code, else the first with a known phrase, else the first.
fn telling_line(text: &str) -> String {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines()
        .find(|line| codes_in(line).next().is_some())
        .or_else(|| lines().find(|line| is_telling(line)))
        .or_else(|| lines().next());
    one_line(line.unwrap_or_default())
}
