//! The newest messages of the lists that somebody is on, about which their page tells what became of the copies.

use crate::model::{Contact, ContactId, List, ListName, Membership, Message};
use crate::ops::{Caller, OpError};
use crate::schema::{MEMBERSHIP_BY_CONTACT, MEMBERSHIP_COUNT_BY_LIST, MESSAGE_BY_TIME};
use crate::store::{IndexRange, Key, Read};

/// Lists whose messages are looked at.
const LISTS_MAX: usize = 50;

/// A message of a list that somebody is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateMessage {
    /// The message.
    pub message: Message,
    /// The name of its list.
    pub list: ListName,
    /// The members of the list: explaining a message looks at the copies of all of them.
    pub members: u64,
}

/// The newest messages of the lists of a contact that the caller sees, the newest first, at most `limit`.
///
/// # Errors
/// If the contact does not exist for the caller.
pub fn messages(
    tx: &impl Read,
    caller: &Caller,
    contact: ContactId,
    limit: usize,
) -> Result<Vec<LateMessage>, OpError> {
    caller.require_read()?;
    let known = tx.get::<Contact>(contact.0)?.filter(|contact| contact.account == caller.account);
    if known.is_none() || !caller.sees_contact(tx, contact)? {
        return Err(OpError::NotFound { what: "contact" });
    }
    let of_contact = IndexRange::prefix(Key::new().u64(caller.account.0).u64(contact.0));
    let memberships: Vec<Membership> = tx.page(&MEMBERSHIP_BY_CONTACT, &of_contact, LISTS_MAX)?;
    let mut found = Vec::new();
    for membership in memberships {
        let Some(list) = tx.get::<List>(membership.list.0)?.filter(|list| caller.sees_list(list)) else {
            continue;
        };
        let of_list = || Key::new().u64(list.account.0).u64(list.id.0);
        let members = tx.count(&MEMBERSHIP_COUNT_BY_LIST, &of_list())?;
        let newest = IndexRange::prefix(of_list()).backward();
        for message in tx.page(&MESSAGE_BY_TIME, &newest, limit)? {
            found.push(LateMessage { message, list: list.name.clone(), members });
        }
    }
    found.sort_unstable_by_key(|late| std::cmp::Reverse(late.message.id));
    found.truncate(limit);
    Ok(found)
}
