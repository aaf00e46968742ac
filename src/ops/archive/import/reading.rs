//! Reads the messages of mailboxes: who wrote each, when, and what it replies to. Nothing is stored here.
//!
//! A message of an archive is taken as it is, however odd. It is refused only if nothing in it is of a message.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use data_encoding::HEXLOWER;

use crate::clock::Timestamp;
use crate::mail::mbox::pipermail;
use crate::mail::subject::base_subject;
use crate::mail::{self, Inbound};
use crate::model::EmailAddress;
use crate::ops::archive::messages::ancestors;
use crate::secret::sha256;

/// Earlier dates come of clocks that were never set.
const EARLIEST: Timestamp = Timestamp::from_ms(86_400_000);
/// How far clocks of senders may be ahead.
const AHEAD_MAX: Duration = Duration::from_hours(24);
/// The domain of the Message-IDs that messages without one get: nobody's (RFC 2606).
const MADE_ID_DOMAIN: &str = "imported.invalid";

/// A message of a mailbox, and what the mailbox says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailboxMail {
    /// Its bytes, with any line ends.
    pub bytes: Vec<u8>,
    /// When it was delivered.
    pub delivered: Option<Timestamp>,
    /// Its envelope sender; blank if unknown.
    pub sender: String,
}

/// Where the time of a message comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrigin {
    /// Its Date.
    Date,
    /// The line before it in the mailbox, or the name of its file.
    Mailbox,
    /// The newest Received field.
    Received,
    /// The message before it, or the next one.
    Neighbour,
}

/// A message that can be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedMail {
    /// Its bytes; every line ends in CRLF.
    pub raw: Arc<[u8]>,
    /// Decoded subject.
    pub subject: String,
    /// Name in the From header.
    pub from_phrase: String,
    /// Address in the From header, or the envelope sender; blank if there is none.
    pub from_address: String,
    /// Its Message-ID, without angle brackets.
    pub message_id: String,
    /// Whether that was made of its bytes, because it had none.
    pub has_made_id: bool,
    /// Message-IDs that it replies to, the nearest first.
    pub references: Vec<String>,
    /// Whether its subject says that it is a reply.
    pub is_reply_by_subject: bool,
    /// When it was written.
    pub time: Timestamp,
    /// Where its time comes from.
    pub date: DateOrigin,
}

/// The reason why bytes of a mailbox are no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// There is no header field that messages have.
    #[error("it is no message: it has no header")]
    NoHeader,
    /// Reading it failed in this program.
    #[error("it cannot be read")]
    Failed,
}

/// Reads messages that stand one after the other in a mailbox.
///
/// A message without a date of its own gets the time of the message before it, which is `neighbour` for the first, and
/// stays there for the next call. If there is none, it gets that of the next message.
pub fn read(
    mails: Vec<MailboxMail>,
    neighbour: &mut Option<Timestamp>,
    now: Timestamp,
) -> Vec<Result<ImportedMail, Unreadable>> {
    let mut dated = Vec::with_capacity(mails.len());
    for mail in mails {
        let read = catch_unwind(AssertUnwindSafe(|| read_one(mail, now))).unwrap_or(Err(Unreadable::Failed));
        dated.push(read);
    }
    let next = dated.iter().flatten().find_map(|(_, found)| found.map(|(time, _)| time));
    let mut last = neighbour.or(next);
    let mut mails = Vec::with_capacity(dated.len());
    for read in dated {
        mails.push(read.map(|(mail, found)| {
            let (time, date) = found.unwrap_or((last.unwrap_or(now), DateOrigin::Neighbour));
            last = Some(time);
            ImportedMail { time, date, ..mail }
        }));
    }
    *neighbour = last;
    mails
}

type Dated = (ImportedMail, Option<(Timestamp, DateOrigin)>);

fn read_one(mail: MailboxMail, now: Timestamp) -> Result<Dated, Unreadable> {
    let MailboxMail { bytes, delivered, sender } = mail;
    let inbound = mail::parse_leniently(pipermail::restore(&bytes).into_owned());
    if !inbound.has_known_field() {
        return Err(Unreadable::NoHeader);
    }
    let found = time_of(&inbound, delivered, now);
    let from_address = match &inbound.from {
        Some(from) => from.address.as_str().to_owned(),
        None => address_of(&sender),
    };
    let from_phrase = inbound.from.as_ref().map_or_else(|| inbound.sender_text(), |from| from.name.clone());
    let has_made_id = inbound.message_id.is_none();
    let message_id = inbound.message_id.clone().unwrap_or_else(|| made_id(&inbound.raw));
    let mail = ImportedMail {
        references: ancestors(&inbound),
        is_reply_by_subject: base_subject(&inbound.subject).is_reply,
        subject: inbound.subject,
        raw: inbound.raw,
        from_phrase,
        from_address,
        message_id,
        has_made_id,
        time: now,
        date: DateOrigin::Neighbour,
    };
    Ok((mail, found))
}

/// When a message was written, as far as it or its mailbox says so.
fn time_of(
    inbound: &Inbound,
    delivered: Option<Timestamp>,
    now: Timestamp,
) -> Option<(Timestamp, DateOrigin)> {
    let is_possible = |time: &Timestamp| EARLIEST <= *time && *time <= now + AHEAD_MAX;
    let of = |time: Option<Timestamp>, origin| time.filter(is_possible).map(|time| (time, origin));
    of(inbound.date, DateOrigin::Date)
        .or_else(|| of(delivered, DateOrigin::Mailbox))
        .or_else(|| of(inbound.received_date(), DateOrigin::Received))
}

/// The address of an envelope sender, which archives write in one way or another.
fn address_of(sender: &str) -> String {
    let address = EmailAddress::parse(sender).ok().or_else(|| pipermail::address(sender));
    address.map(|address| address.as_str().to_owned()).unwrap_or_default()
}

/// The Message-ID of a message without one: the same for the same bytes.
fn made_id(raw: &[u8]) -> String {
    format!("{}@{MADE_ID_DOMAIN}", HEXLOWER.encode(&sha256(raw)[..16]))
}

/// A hash that is short enough to keep many of.
pub(super) fn short_hash(bytes: &[u8]) -> u128 {
    let hash = sha256(bytes);
    u128::from_be_bytes(hash.first_chunk().copied().unwrap_or_default())
}
