//! Says whether somebody may write to a list, as far as its settings tell before anything is written: pages offer no more
//! than that. About a message, `mail::policy` decides.

use crate::model::list::MessageRejections;
use crate::model::{Contact, EmailAddress, List, Moderate};
use crate::ops::people::contacts;
use crate::schema::MEMBERSHIP_BY_CONTACT;
use crate::store::{Key, Read, StoreError};

/// Whether a list takes what anybody writes to it: at once, or once somebody has read it.
#[must_use]
pub fn takes_from_all(list: &List) -> bool {
    !list.moderate.has(Moderate::SPECIFIC_SENDERS) || list.message_rejections == MessageRejections::Hold
}

/// Whether a list takes what a person writes to it: at once, or once somebody has read it.
///
/// # Errors
/// If the store fails.
pub fn takes_from(tx: &impl Read, list: &List, person: &Contact) -> Result<bool, StoreError> {
    let emails = contacts::emails_of(tx, person)?;
    let are_among = |addresses: &[EmailAddress], email: &EmailAddress| {
        addresses.iter().any(|address| address.folded() == email.folded())
    };
    let is_banned = |email: &EmailAddress| {
        list.moderate.has(Moderate::BANNED_EMAILS) && are_among(&list.restrict_post_banned_emails, email)
    };
    let mut usable = emails.iter().map(|email| &email.address).filter(|email| !is_banned(email)).peekable();
    if usable.peek().is_none() {
        return Ok(false);
    }
    if takes_from_all(list) {
        return Ok(true);
    }
    if list.moderate.has(Moderate::ALLOWED_EMAILS)
        && usable.any(|email| are_among(&list.restrict_post_allowed_emails, email))
    {
        return Ok(true);
    }
    if list.moderate.has(Moderate::LISTS) {
        for restricted in &list.restrict_post_lists {
            let key = Key::new().u64(list.account.0).u64(person.id.0).u64(restricted.0);
            if tx.exists(&MEMBERSHIP_BY_CONTACT, &key)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
