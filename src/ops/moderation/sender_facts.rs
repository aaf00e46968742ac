//! Facts about the sender of a message that waits, for whoever decides: whether the sender is a member, perhaps under
//! another address, and what became of earlier messages.
//!
//! Everything is found by an index and read up to a limit. Nothing here decides.

use crate::model::{Contact, Email, Held, ListId, Message, Words};
use crate::ops::people::contacts::emails_of;
use crate::ops::{Caller, OpError, records};
use crate::schema::{
    CONTACT_BY_WORD, EMAIL_BY_ADDRESS, HELD_REFUSED_BY_SENDER, MEMBERSHIP_BY_CONTACT, MESSAGE_BY_AUTHOR,
    held_refused, message_author,
};
use crate::store::{IndexRange, Key, Read, StoreError};

/// Earlier messages of a sender that are counted.
pub const COUNTED_MAX: usize = 100;
/// People with a word of the sender's name that are looked at.
const NAMESAKES_MAX: usize = 100;

/// A sender in the eyes of one list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// A member of the list, with this address.
    Member,
    /// No member with this address; a member of the sender's name has this other one.
    MemberAs(String),
    /// In the address book, but no member of the list.
    OtherPerson,
    /// Not in the address book.
    Stranger,
}

/// The facts about a sender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SenderFacts {
    /// Whether the sender is a member.
    pub standing: Standing,
    /// Messages of this address in the archives that the caller sees, up to [`COUNTED_MAX`].
    pub posts: usize,
    /// Messages of this address that were rejected or discarded within the last 30 days, up to [`COUNTED_MAX`].
    pub refused: usize,
}

/// The facts about the sender of a held message that the caller decides about.
///
/// # Errors
/// If the store fails.
pub fn of(tx: &impl Read, caller: &Caller, held: &Held) -> Result<SenderFacts, OpError> {
    let from = held.from.to_lowercase();
    let by_author = IndexRange::prefix(message_author(held.account, &from));
    let posts: Vec<Message> = records(tx, &tx.ids(&MESSAGE_BY_AUTHOR, &by_author, COUNTED_MAX)?)?;
    let is_seen = |message: &&Message| !message.deleted && caller.limits.sees_list(message.list);
    let refused = IndexRange::prefix(held_refused(held.account, &held.from));
    let refused: Vec<Held> = records(tx, &tx.ids(&HELD_REFUSED_BY_SENDER, &refused, COUNTED_MAX)?)?;
    Ok(SenderFacts {
        standing: standing(tx, caller, held, &from)?,
        posts: posts.iter().filter(is_seen).count(),
        refused: refused.iter().filter(|held| caller.limits.sees_list(held.list)).count(),
    })
}

fn standing(tx: &impl Read, caller: &Caller, held: &Held, from: &str) -> Result<Standing, StoreError> {
    let of_account = || Key::new().u64(held.account.0);
    let known: Option<Email> = tx.find(&EMAIL_BY_ADDRESS, &of_account().text(from))?;
    if let Some(email) = known {
        if is_member(tx, held.list, &email)? {
            return Ok(Standing::Member);
        }
        // Whoever is limited to some lists does not learn who is on others.
        if caller.limits.lists().is_none() {
            return Ok(Standing::OtherPerson);
        }
    }
    Ok(namesake(tx, caller, held)?.map_or(Standing::Stranger, Standing::MemberAs))
}

fn is_member(tx: &impl Read, list: ListId, email: &Email) -> Result<bool, StoreError> {
    tx.exists(&MEMBERSHIP_BY_CONTACT, &Key::new().u64(email.account.0).u64(email.contact.0).u64(list.0))
}

/// The first address of the one member of the list who has the name of the sender. Names of which every word is common
/// are not looked for.
fn namesake(tx: &impl Read, caller: &Caller, held: &Held) -> Result<Option<String>, StoreError> {
    let name = held.from_phrase.trim().to_lowercase();
    // A single word is the name of too many.
    if name.split_whitespace().count() < 2 || caller.limits.hide_fields() {
        return Ok(None);
    }
    let mut rarest: Option<Vec<u64>> = None;
    for word in Words::of_question(&name).iter() {
        let with_word = IndexRange::prefix(Key::new().u64(held.account.0).text(word));
        let ids = tx.ids(&CONTACT_BY_WORD, &with_word, NAMESAKES_MAX + 1)?;
        if rarest.as_ref().is_none_or(|rarest| ids.len() < rarest.len()) {
            rarest = Some(ids);
        }
    }
    let mut found = None;
    for id in rarest.filter(|ids| ids.len() <= NAMESAKES_MAX).unwrap_or_default() {
        let Some(contact) = tx.get::<Contact>(id)? else { continue };
        if contact.name().to_lowercase() != name {
            continue;
        }
        let Some(email) = emails_of(tx, &contact)?.into_iter().next() else { continue };
        if is_member(tx, held.list, &email)? {
            if found.is_some() {
                return Ok(None);
            }
            found = Some(email.address.to_string());
        }
    }
    Ok(found)
}
