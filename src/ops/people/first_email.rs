//! The first address of a contact: the one that the contact chose, else the oldest. Whatever lists or picks among the
//! addresses of a contact asks here for their order.

use crate::model::{Contact, Email, FirstEmail};
use crate::schema::EMAIL_BY_CONTACT;
use crate::store::{Key, Read, StoreError, WriteTx};

/// The addresses of a contact: the first address, then the others, oldest first.
pub(in crate::ops) fn emails_in_order(tx: &impl Read, contact: &Contact) -> Result<Vec<Email>, StoreError> {
    let of_contact = Key::new().u64(contact.account.0).u64(contact.id.0);
    let mut emails = tx.page(&EMAIL_BY_CONTACT, &of_contact.into(), usize::MAX)?;
    if 1 < emails.len() {
        sort(&mut emails, tx.get::<FirstEmail>(contact.id.0)?.as_ref());
    }
    Ok(emails)
}

/// Puts the addresses of a contact into their order.
pub(in crate::ops) fn sort(emails: &mut [Email], first: Option<&FirstEmail>) {
    emails.sort_by_key(|email| (first.is_none_or(|first| first.email != email.id), email.id));
}

/// Forgets that an address comes first, since its contact has it no longer.
pub(in crate::ops) fn forget(tx: &mut WriteTx<'_>, email: &Email) -> Result<(), StoreError> {
    if tx.get::<FirstEmail>(email.contact.0)?.is_some_and(|first| first.email == email.id) {
        tx.delete::<FirstEmail>(email.contact.0)?;
    }
    Ok(())
}
