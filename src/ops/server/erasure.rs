//! Takes an erased person out of posts and of what is noted of mail, in bounded steps that any stop interrupts and the
//! next start resumes.
//!
//! Kept posts stay in their threads, under "former member"; removed ones leave an empty record in its place. What is
//! under way is left until it ends: mail that is being sent is looked at again later. What other people wrote stays.

use std::time::Duration;

use crate::clock::Timestamp;
use crate::locale::text;
use crate::mail::{self, Authorless, PersonWords};
use crate::model::erasure::{ErasurePhase, OwnPosts};
use crate::model::{
    ApiContent, Batch, Destination, EmailAddress, Erasure, Held, HeldState, Message, MissingParents, Order,
    SystemMail,
};
use crate::ops::archive::messages::stored_mail;
use crate::ops::archive::{indexing, redaction, threads};
use crate::ops::domains;
use crate::ops::locales;
use crate::ops::overdue::overdue_rows;
use crate::ops::queue;
use crate::schema::{
    BATCH_BY_MESSAGE, BATCH_BY_SYSTEM_MAIL, ERASURE_BY_DUE, MESSAGE_BY_AUTHOR, SYSTEM_MAIL_BY_ACCOUNT,
    message_author,
};
use crate::store::{self, IndexRange, Key, Read, StoreError, WriteTx};

/// Octets of messages after which a step ends.
const BYTES_PER_STEP: u64 = 4 * 1024 * 1024;
/// Posts, or mails of the server, that one step looks at.
const MAILS_PER_STEP: usize = 32;
/// Other records that one step looks at.
const RECORDS_PER_STEP: usize = 512;
/// The time after which records that were in use are looked at again.
const AGAIN_AFTER: Duration = Duration::from_hours(1);
/// The address in place of an erased one in traces; the domain exists nowhere (RFC 2606).
const NOBODY: &str = "former-member@erased.invalid";
/// The header of an empty message.
const EMPTY: &[u8] = b"From: former-member@erased.invalid\r\n\r\n";

/// Does a step of the erasure that is due first.
pub fn step(tx: &mut WriteTx<'_>, now: Timestamp) -> Result<(), StoreError> {
    let Some(id) = overdue_rows(tx, &ERASURE_BY_DUE, now, 1)?.pop() else { return Ok(()) };
    let Some(mut erasure) = tx.get::<Erasure>(id)? else { return Ok(()) };
    let work = Work::new(tx, &erasure, now)?;
    let is_done = match erasure.phase {
        ErasurePhase::Posts => work.posts(tx)?,
        ErasurePhase::Held => work.held(tx, &mut erasure)?,
        ErasurePhase::SystemMail => work.system_mails(tx, &mut erasure)?,
        ErasurePhase::Traces => work.traces(tx, &mut erasure)?,
    };
    if is_done {
        let next = match erasure.phase {
            ErasurePhase::Posts => Some(ErasurePhase::Held),
            ErasurePhase::Held => Some(ErasurePhase::SystemMail),
            ErasurePhase::SystemMail => Some(ErasurePhase::Traces),
            ErasurePhase::Traces if erasure.again => {
                erasure.again = false;
                erasure.next = now + AGAIN_AFTER;
                Some(ErasurePhase::SystemMail)
            }
            ErasurePhase::Traces => None,
        };
        let Some(next) = next else {
            tracing::info!(contact.id = erasure.contact.0, "Contact {} is erased", erasure.contact);
            return tx.delete::<Erasure>(erasure.id.0).map(drop);
        };
        (erasure.phase, erasure.cursor) = (next, 0);
    }
    tx.put(&erasure)
}

/// One step.
struct Work {
    erasure: Erasure,
    /// The words that replace the person's name.
    name: String,
    /// The account's main domain.
    domain: String,
    now: Timestamp,
}

impl Work {
    fn new(tx: &impl Read, erasure: &Erasure, now: Timestamp) -> Result<Work, StoreError> {
        let language = locales::locale(tx, erasure.account)?.language;
        let domain = match domains::main_domain(tx, erasure.account) {
            Ok(domain) => domain.name.to_string(),
            // The account is being deleted, and these records with it.
            Err(_) => "erased.invalid".to_owned(),
        };
        Ok(Work { erasure: erasure.clone(), name: text!(language, "former-member"), domain, now })
    }

    /// The words that name the person, with names that a message has for its author.
    fn words(&self, phrases: &[String]) -> PersonWords {
        let names = [(self.erasure.firstname.clone(), self.erasure.surname.clone())];
        PersonWords::new(&self.erasure.addresses, &names, phrases)
    }

    fn is_own(&self, address: &str) -> bool {
        let folded = EmailAddress::parse(address).map(|address| address.folded());
        folded.is_ok_and(|folded| self.erasure.addresses.iter().any(|own| own.folded() == folded))
    }

    /// Rewrites the next posts; returns whether there are no more. A post that was rewritten has no author.
    fn posts(&self, tx: &mut WriteTx<'_>) -> Result<bool, StoreError> {
        let mut bytes = 0;
        for address in &self.erasure.addresses {
            if redaction::forget_author(tx, self.erasure.account, address, MAILS_PER_STEP)? {
                return Ok(false);
            }
            let key = message_author(self.erasure.account, &address.folded());
            for id in tx.ids(&MESSAGE_BY_AUTHOR, &key.into(), MAILS_PER_STEP)? {
                let Some(message) = tx.get::<Message>(id)? else { continue };
                bytes += message.size_bytes;
                match self.erasure.posts {
                    OwnPosts::Keep if !message.deleted => self.keep(tx, message)?,
                    OwnPosts::Keep | OwnPosts::Remove => self.remove(tx, message)?,
                }
                if BYTES_PER_STEP < bytes {
                    return Ok(false);
                }
            }
            if 0 < bytes {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes the author out of a post that stays in the archive.
    fn keep(&self, tx: &mut WriteTx<'_>, mut message: Message) -> Result<(), StoreError> {
        let words = self.words(std::slice::from_ref(&message.from_phrase));
        self.rename(&mut message, &words);
        if let Some(subject) = words.redacted(&message.subject, &self.name) {
            message.subject = subject;
        }
        let address = EmailAddress::parse(&format!("former-member@{}", self.domain))
            .or_else(|_| EmailAddress::parse(NOBODY))
            .map_err(|error| StoreError::corrupt("domain", error))?;
        let raw = match stored_mail(tx, message.blob) {
            Ok(inbound) => {
                let message_id = message.message_id.as_str();
                let new = Authorless { words: &words, name: &self.name, address: &address, message_id };
                mail::authorless(&inbound, &new)
            }
            // A message that nobody can read is not shown either.
            Err(StoreError::Corrupt { .. } | StoreError::UnknownBlob { .. }) => EMPTY.to_vec(),
            Err(error) => return Err(error),
        };
        redaction::put_anew(tx, &mut message, &raw)
    }

    /// Takes a post out of the archive, and leaves of it what its thread needs.
    fn remove(&self, tx: &mut WriteTx<'_>, mut message: Message) -> Result<(), StoreError> {
        let words = self.words(std::slice::from_ref(&message.from_phrase));
        self.rename(&mut message, &words);
        let was_taken_out = std::mem::replace(&mut message.deleted, true);
        message.subject = String::new();
        redaction::put_bytes(tx, &mut message, EMPTY)?;
        if !was_taken_out {
            threads::removed(tx, &message)?;
        }
        indexing::forget(tx, message.id)?;
        tx.delete::<ApiContent>(message.id.0)?;
        tx.delete::<MissingParents>(message.id.0)?;
        queue::fan_out::stop(tx, message.id)?;
        let batches = Key::new().u64(message.account.0).u64(message.id.0);
        for id in tx.ids(&BATCH_BY_MESSAGE, &IndexRange::prefix(batches), usize::MAX)? {
            let Some(mut batch) = tx.get::<Batch>(id)?.filter(Batch::is_waiting) else { continue };
            if batch.claimed {
                batch.order = Some(Order::Drop);
            } else {
                queue::drop_copies(&mut batch, self.now);
            }
            tx.put(&batch)?;
        }
        Ok(())
    }

    fn rename(&self, message: &mut Message, words: &PersonWords) {
        message.from_phrase.clone_from(&self.name);
        message.from_address = String::new();
        message.authentication = None;
        if words.is_in_token(&message.message_id) {
            message.message_id = mail::made_message_id(message.id, message.time, &self.domain);
        }
    }

    /// Deletes the person's own messages among the next that waited for a decision.
    fn held(&self, tx: &mut WriteTx<'_>, erasure: &mut Erasure) -> Result<bool, StoreError> {
        let page: Vec<Held> = tx.all(erasure.cursor, RECORDS_PER_STEP)?;
        let is_last = page.len() < RECORDS_PER_STEP;
        for held in page {
            erasure.cursor = held.id.0;
            let is_own = held.account == erasure.account
                && (self.is_own(&held.from)
                    || held.reverse_path.as_ref().is_some_and(|path| self.is_own(path.as_str())));
            let is_published = held.state == HeldState::Held && held.quarantined.is_some();
            if is_own && !is_published {
                tx.delete::<Held>(held.id.0)?;
            }
        }
        Ok(is_last)
    }

    /// Deletes what the server wrote to the person, and what it wrote about the person and has sent.
    fn system_mails(&self, tx: &mut WriteTx<'_>, erasure: &mut Erasure) -> Result<bool, StoreError> {
        let range = IndexRange::prefix(Key::new().u64(erasure.account.0)).after_id(erasure.cursor);
        let page = tx.ids(&SYSTEM_MAIL_BY_ACCOUNT, &range, MAILS_PER_STEP)?;
        let is_last = page.len() < MAILS_PER_STEP;
        let words = self.words(&[]);
        let mut bytes = 0;
        for id in page {
            erasure.cursor = id;
            let Some(mail) = tx.get::<SystemMail>(id)? else { continue };
            let batches = Key::new().u64(erasure.account.0).u64(id);
            let batches: Vec<Batch> = tx.page(&BATCH_BY_SYSTEM_MAIL, &batches.into(), usize::MAX)?;
            let mut recipients = batches.iter().flat_map(|batch| &batch.recipients);
            let is_to_person = recipients.any(|recipient| self.is_own(recipient.address.as_str()));
            let raw = tx.blob(store::BlobId(mail.blob.0))?;
            bytes += raw.len() as u64;
            if !is_to_person && !names_person(&words, raw) {
                continue;
            }
            if !is_to_person && batches.iter().any(Batch::is_waiting) {
                erasure.again = true;
                continue;
            }
            for batch in batches {
                tx.delete::<Batch>(batch.id.0)?;
            }
            tx.delete::<SystemMail>(id)?;
            if BYTES_PER_STEP < bytes {
                return Ok(false);
            }
        }
        Ok(is_last)
    }

    /// Takes the person out of the next batches of copies.
    fn traces(&self, tx: &mut WriteTx<'_>, erasure: &mut Erasure) -> Result<bool, StoreError> {
        let page: Vec<Batch> = tx.all(erasure.cursor, RECORDS_PER_STEP)?;
        let is_last = page.len() < RECORDS_PER_STEP;
        for mut batch in page {
            erasure.cursor = batch.id.0;
            if batch.account != erasure.account || !self.is_recipient(&batch) {
                continue;
            }
            if batch.claimed {
                // Its attempt will note the words of the remote server.
                erasure.again = true;
                continue;
            }
            self.redact(&mut batch)?;
            erasure.again |= batch.is_waiting();
            tx.put(&batch)?;
        }
        Ok(is_last)
    }

    /// Whether a batch has the person as recipient, or still something of it.
    fn is_recipient(&self, batch: &Batch) -> bool {
        batch.recipients.iter().any(|recipient| {
            self.erasure.contact == recipient.contact || self.is_own(recipient.address.as_str())
        })
    }

    fn redact(&self, batch: &mut Batch) -> Result<(), StoreError> {
        let nobody = EmailAddress::parse(NOBODY).map_err(|error| StoreError::corrupt("batch", error))?;
        for recipient in &mut batch.recipients {
            if self.erasure.contact == recipient.contact || self.is_own(recipient.address.as_str()) {
                recipient.address = nobody.clone();
            }
        }
        let words = self.words(&[]);
        for reply in &mut batch.replies {
            if words.is_in_token(reply) {
                *reply = words.redacted(reply, &self.name).unwrap_or_else(|| self.name.clone());
                if words.is_in_token(reply) {
                    reply.clone_from(&self.name);
                }
            }
        }
        let is_of_others = batch.recipients.iter().any(|recipient| recipient.address != nobody);
        // A domain may name its only person.
        if !is_of_others && !batch.is_waiting() {
            batch.destination = Destination::Relay;
        }
        Ok(())
    }
}

/// Whether a mail names the person, in a field of its header or in its text.
fn names_person(words: &PersonWords, raw: Vec<u8>) -> bool {
    let Ok(inbound) = mail::parse(raw) else { return false };
    let (header, _) = mail::split(&inbound.raw);
    let in_header = mail::header_fields(header).iter().any(|(_, value)| words.is_in(value));
    let content = inbound.content();
    in_header
        || words.is_in(&inbound.subject)
        || [content.plain, content.html].into_iter().flatten().any(|text| words.is_in(&text))
}
