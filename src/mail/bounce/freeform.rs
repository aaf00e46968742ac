//! Reads bounces that are written only for people: by qmail, Exim, older Exchange, Notes, Yahoo and many more.
//!
//! Only mail that a mail system says it sent is read: a reply of a person, automatic or not, is no bounce.

use super::classify::{codes_in, diagnose, is_telling, plain_words, says};
use super::{ADDRESSES_MAX, Bounced, Fate, field_text, named_address, one_line};
use crate::mail::parse::Inbound;
use crate::model::EmailAddress;

/// Octets of text that are read.
const TEXT_BYTES_MAX: usize = 16 * 1024;

/// Sender names of mail systems.
const DAEMONS: &[&str] = &[
    "mailer-daemon",
    "mailer_daemon",
    "mailerdaemon",
    "mail-daemon",
    "maildaemon",
    "mdaemon",
    "postmaster",
    "mail delivery system",
    "mail delivery subsystem",
    "mail administrator",
    "system administrator",
    "microsoftexchange",
];

/// Phrases in the subjects of bounces.
const SUBJECTS: &[&str] = &[
    "undeliverable",
    "undelivered mail",
    "undeliverable mail",
    "delivery status notification",
    "delivery failure",
    "delivery failed",
    "delivery has failed",
    "delivery notification",
    "delivery report",
    "delivery problem",
    "failure notice",
    "failure delivery",
    "failed delivery",
    "returned mail",
    "returned to sender",
    "mail delivery failed",
    "mail system error",
    "message delivery",
    "message could not be delivered",
    "could not send message",
    "mail could not be delivered",
    "nondeliverable",
    "non-delivery",
    "ndn:",
    "unzustellbar",
    "nicht zugestellt",
    "zustellung",
    "non remis",
    "échec de la remise",
    "no se puede entregar",
    "no entregado",
    "non recapitato",
    "niet bezorgd",
    "mensagem não entregue",
    "配信",
];

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
    "return-path:",
    "received: from",
];

/// The bounce in a message for people; `None` if it is none.
pub(super) fn read(inbound: &Inbound, human: &str) -> Option<Bounced> {
    let failed = failed_recipients(inbound);
    if failed.is_empty() && !is_from_daemon(inbound) && !says(&plain_words(&inbound.subject), SUBJECTS) {
        return None;
    }
    let text = without_original(human);
    let words = plain_words(&format!("{} {text}", inbound.subject));
    let is_warning = says(&words, DELAYED) && !says(&words, FINAL);
    let whole = format!("{}\n{text}", inbound.subject);
    Some(Bounced {
        recipients: if failed.is_empty() { addresses_in(text) } else { failed },
        fate: if is_warning { Fate::Delayed } else { Fate::Failed },
        diagnosis: diagnose(None, &whole),
        remote: None,
        words: telling_line(&whole),
    })
}

/// The recipients in the field that Exim and Gmail use for them.
fn failed_recipients(inbound: &Inbound) -> Vec<EmailAddress> {
    let mut fields = inbound.fields();
    let field = fields.find(|field| field.is("X-Failed-Recipients"));
    field.map(|field| addresses_in(&field_text(&field))).unwrap_or_default()
}

fn is_from_daemon(inbound: &Inbound) -> bool {
    let mut fields = inbound.fields();
    // Parsed here: many of these addresses have no domain, and some no angle brackets.
    fields.any(|field| {
        let text = field.is("From").then(|| field_text(&field).to_lowercase());
        text.is_some_and(|text| DAEMONS.iter().any(|name| text.contains(name)))
    })
}

/// The text before the returned message.
fn without_original(text: &str) -> &str {
    let text = &text[..text.floor_char_boundary(TEXT_BYTES_MAX)];
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        let start = line.trim_start_matches(['>', ' ', '\t']).to_lowercase();
        if ORIGINALS.iter().any(|original| start.starts_with(original)) {
            break;
        }
        end += line.len();
    }
    &text[..end]
}

/// Every address in a text, in order, each once.
fn addresses_in(text: &str) -> Vec<EmailAddress> {
    let mut addresses = Vec::new();
    let is_bracket = |c: char| c.is_whitespace() || "<>()[]{},;:\"'".contains(c);
    for word in text.split(is_bracket).filter(|word| word.contains('@')) {
        if let Some(address) = named_address(word.trim_end_matches('.'))
            && !addresses.contains(&address)
        {
            addresses.push(address);
        }
        if addresses.len() == ADDRESSES_MAX {
            break;
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
