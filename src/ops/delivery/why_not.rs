//! Explains why somebody got a message, or did not get it: one answer for each address of a person.
//!
//! Pages of messages and of people ask here. The trace of the copies answers first; for an address without a copy,
//! its settings and those of the membership at the time of the post do. It only reads, and writes no sentences.

use std::ops::ControlFlow;

use crate::clock::Timestamp;
use crate::model::bounce::PauseCause;
use crate::model::digest::{Day, Switched, Taken};
use crate::model::{
    Batch, Contact, ContactId, Digest, DigestFanOut, DigestPost, DigestSchedule, Email, EmailAddress,
    EmailPause, FanOut, Membership, Message, MessageId, Order, Recipient, RecipientState,
};
use crate::ops::archive::messages;
use crate::ops::people::contacts;
use crate::ops::queue::pauses::Pauses;
use crate::ops::queue::takers::Switches;
use crate::ops::{Caller, OpError};
use crate::schema::{BATCH_BY_MESSAGE, DIGEST_BY_MESSAGE, EMAIL_BY_ADDRESS, MEMBERSHIP_BY_LIST_CONTACT};
use crate::store::{IndexRange, Key, Read, StoreError};

/// The answer about one address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressReason {
    /// The address; `None` if the answer is about the person as a whole.
    pub address: Option<EmailAddress>,
    /// The day of the digest that the message is in; `None` for a copy of its own, or for no copy.
    pub digest: Option<Day>,
    /// The reason.
    pub reason: Reason,
}

/// The reason why an address got a message, or did not get it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The server of the address, or a relay, took the copy.
    Delivered {
        /// The time.
        time: Timestamp,
        /// The server.
        remote: Option<String>,
    },
    /// The copy is still to be sent.
    Waiting {
        /// The time of the next attempt, as far as it is known.
        next_attempt: Option<Timestamp>,
        /// Whether the operator holds it.
        is_held: bool,
        /// The number of attempts so far.
        attempts: u32,
        /// The server that answered last.
        remote: Option<String>,
        /// The last answer.
        reply: Option<String>,
    },
    /// The copy was refused for good, or the retries ended.
    Failed {
        /// The time.
        time: Timestamp,
        /// The server that answered last.
        remote: Option<String>,
        /// The last answer.
        reply: Option<String>,
    },
    /// The person left, or the address was paused, before the copy was sent.
    Skipped {
        /// The time.
        time: Timestamp,
    },
    /// The address takes digests, and the next one holds the message.
    WaitsForDigest {
        /// The time of the digest.
        due: Option<Timestamp>,
    },
    /// The copies of the message are still being prepared.
    NotQueuedYet,
    /// The person is no member of the list.
    NotMember,
    /// The person became a member after the message was sent.
    JoinedLater {
        /// The time of joining.
        since: Timestamp,
    },
    /// The person reads the list on the web alone.
    MembershipPaused,
    /// The address was paused by a person.
    AddressPaused {
        /// The end of the pause, if it has one.
        until: Option<Timestamp>,
    },
    /// The server paused the address.
    Bounced {
        /// The time since when it is paused.
        since: Timestamp,
        /// The cause.
        cause: PauseCause,
        /// The other server's answer or report.
        reply: String,
        /// The time at which the address is tried again, if it is.
        next_probe: Option<Timestamp>,
    },
    /// The address was paused when the message was sent, and no longer is.
    WasPaused,
    /// There is no trace: it was forgotten after its time, or the address was added later, or the message came in with
    /// an archive.
    NoTrace,
    /// No contact has this address.
    Unknown,
}

/// Explains for each address of a contact why it got a message, or did not get it. There is at least one answer.
///
/// # Errors
/// If the message or the contact does not exist for the caller.
pub fn why_not(
    tx: &impl Read,
    caller: &Caller,
    id: MessageId,
    contact: ContactId,
    (pauses, now): (&Pauses, Timestamp),
) -> Result<Vec<AddressReason>, OpError> {
    let message = messages::get(tx, caller, id)?;
    let known = tx.get::<Contact>(contact.0)?.filter(|contact| contact.account == caller.account);
    let known = known.ok_or(OpError::NotFound { what: "contact" })?;
    if !caller.sees_contact(tx, contact)? {
        return Err(OpError::NotFound { what: "contact" });
    }
    let mut reasons = of_copies(tx, &message, |recipient| recipient.contact == contact, (pauses, now))?;
    let emails = contacts::emails_of(tx, &known)?;
    let without: Vec<Email> = emails.into_iter().filter(|email| !names(&reasons, email)).collect();
    if !without.is_empty() {
        reasons.extend(of_settings(tx, &message, contact, without)?);
    }
    Ok(reasons)
}

/// The same for an address, which need not be in the address book any more.
///
/// # Errors
/// If the message does not exist for the caller.
pub fn why_not_address(
    tx: &impl Read,
    caller: &Caller,
    id: MessageId,
    address: &EmailAddress,
    (pauses, now): (&Pauses, Timestamp),
) -> Result<Vec<AddressReason>, OpError> {
    let message = messages::get(tx, caller, id)?;
    let key = Key::new().u64(caller.account.0).text(&address.folded());
    if let Some(email) = tx.find(&EMAIL_BY_ADDRESS, &key)?
        && caller.sees_contact(tx, email.contact)?
    {
        return why_not(tx, caller, id, email.contact, (pauses, now));
    }
    let folded = address.folded();
    let is_its = |recipient: &Recipient| recipient.address.folded() == folded;
    let reasons = of_copies(tx, &message, is_its, (pauses, now))?;
    if reasons.is_empty() {
        let address = Some(address.clone());
        return Ok(vec![AddressReason { address, digest: None, reason: Reason::Unknown }]);
    }
    Ok(reasons)
}

fn names(reasons: &[AddressReason], email: &Email) -> bool {
    let folded = email.address.folded();
    reasons.iter().any(|known| known.address.as_ref().is_some_and(|address| address.folded() == folded))
}

/// The copies of a message, single or in digests, for these recipients.
fn of_copies(
    tx: &impl Read,
    message: &Message,
    is_wanted: impl Fn(&Recipient) -> bool,
    (pauses, now): (&Pauses, Timestamp),
) -> Result<Vec<AddressReason>, StoreError> {
    let of_account = || Key::new().u64(message.account.0);
    let digests = IndexRange::prefix(of_account().u64(message.id.0));
    let digests: Vec<Digest> = tx.page(&DIGEST_BY_MESSAGE, &digests, usize::MAX)?;
    let mut sent = vec![(message.id, None)];
    sent.extend(digests.iter().map(|digest| (digest.id, Some(digest.day))));
    let mut reasons = Vec::new();
    for (sent, digest) in sent {
        let batches = IndexRange::prefix(of_account().u64(sent.0));
        let failed = tx.scan(&BATCH_BY_MESSAGE, &batches, |_, id| {
            let batch = match tx.get::<Batch>(id) {
                Ok(Some(batch)) => batch,
                Ok(None) => return ControlFlow::Continue(()),
                Err(error) => return ControlFlow::Break(error),
            };
            for (place, recipient) in batch.own_recipients().filter(|(_, recipient)| is_wanted(recipient)) {
                let reason = of_copy(&batch, place, recipient, (pauses, now));
                reasons.push(AddressReason { address: Some(recipient.address.clone()), digest, reason });
            }
            ControlFlow::Continue(())
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
    }
    Ok(reasons)
}

fn of_copy(
    batch: &Batch,
    place: usize,
    recipient: &Recipient,
    (pauses, now): (&Pauses, Timestamp),
) -> Reason {
    let remote = batch.remote(place).map(str::to_owned);
    let reply = batch.reply(place).map(str::to_owned);
    let time = recipient.time;
    match recipient.state {
        RecipientState::Delivered => Reason::Delivered { time, remote },
        RecipientState::Failed => Reason::Failed { time, remote, reply },
        RecipientState::Skipped | RecipientState::Moved { .. } => Reason::Skipped { time },
        RecipientState::Queued | RecipientState::Deferred => {
            let due = batch.due.filter(|_| batch.order.is_none());
            let next_attempt = due.map(|due| pauses.tried(&batch.destination, due, now).0);
            let is_held = batch.order == Some(Order::Hold);
            Reason::Waiting { next_attempt, is_held, attempts: recipient.attempts, remote, reply }
        }
    }
}

/// The reasons for addresses of a contact that have no copy.
fn of_settings(
    tx: &impl Read,
    message: &Message,
    contact: ContactId,
    emails: Vec<Email>,
) -> Result<Vec<AddressReason>, StoreError> {
    let whole = |reason| vec![AddressReason { address: None, digest: None, reason }];
    let key = Key::new().u64(message.account.0).u64(message.list.0).u64(contact.0);
    let Some(membership) = tx.find(&MEMBERSHIP_BY_LIST_CONTACT, &key)? else {
        return Ok(whole(Reason::NotMember));
    };
    let fan_out = tx.all::<FanOut>(0, usize::MAX)?.into_iter().find(|row| row.message == message.id);
    // The number of the newest member at that time is known for as long as copies or a digest are prepared.
    let waiting = tx.get::<DigestPost>(message.id.0)?;
    let last = fan_out.as_ref().map(|row| row.last);
    let last = last.or(waiting.as_ref().map(|post| post.post.last_membership.0));
    let is_later = match last {
        Some(last) => last < membership.id.0,
        None => message.time < membership.joined.when,
    };
    if is_later {
        return Ok(whole(Reason::JoinedLater { since: membership.joined.when }));
    }
    if fan_out.is_some_and(|row| row.cursor < membership.id.0) {
        return Ok(whole(Reason::NotQueuedYet));
    }
    let settings = emails.iter().map(|email| Switched::Email(email.id));
    let settings = settings.chain([Switched::Membership(membership.id)]);
    let switches = Switches::since(tx, message.account, message.id, settings)?;
    let reason = |email: Email| {
        let reason = match switches.taken(&membership, &email, message.id) {
            Taken::Digest => of_digest(tx, message, waiting.is_some())?,
            Taken::Single => Reason::NoTrace,
            Taken::Nothing => of_pause(tx, &membership, &email)?,
        };
        Ok(AddressReason { address: Some(email.address), digest: None, reason })
    };
    emails.into_iter().map(reason).collect()
}

/// The reason for an address that took digests, and is in none.
fn of_digest(tx: &impl Read, message: &Message, waits: bool) -> Result<Reason, StoreError> {
    if waits {
        let schedule = tx.get::<DigestSchedule>(message.list.0)?;
        return Ok(Reason::WaitsForDigest { due: schedule.and_then(|schedule| schedule.due) });
    }
    let is_expanding = tx.all::<DigestFanOut>(0, usize::MAX)?.iter().any(|row| row.list == message.list);
    Ok(if is_expanding { Reason::NotQueuedYet } else { Reason::NoTrace })
}

/// The pause for which an address got nothing.
fn of_pause(tx: &impl Read, membership: &Membership, email: &Email) -> Result<Reason, StoreError> {
    if membership.paused {
        return Ok(Reason::MembershipPaused);
    }
    if !email.paused {
        return Ok(Reason::WasPaused);
    }
    let pause = email.evidence.as_ref().and_then(|evidence| Some((evidence, evidence.pause.as_ref()?)));
    if let Some((evidence, pause)) = pause {
        return Ok(Reason::Bounced {
            since: pause.since,
            cause: pause.cause,
            reply: evidence.reason.clone(),
            next_probe: pause.next_probe,
        });
    }
    let until = tx.get::<EmailPause>(email.id.0)?.map(|pause| pause.until);
    Ok(Reason::AddressPaused { until })
}
