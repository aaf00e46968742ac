//! Keeps what a member wrote on a page when the session had ended, and brings it back after signing in.
//!
//! The form that a signed-in member gets has a signed key, which names the member. Who sends the form after the session
//! has ended proves by it whose text it is, so nobody else can have anything kept, and the text is shown to that member
//! alone, in any browser. A member has one draft for each list, which ends after a day.

use crate::clock::Timestamp;
use crate::model::{AccountId, Contact, ContactId, Draft, DraftId, List, ListId, MessageId};
use crate::ops::people::memberships;
use crate::schema::DRAFT_BY_CONTACT;
use crate::secret::{Purpose, Secrets, Signer};
use crate::store::{Key, Read, StoreError, WriteTx};

/// Most characters of a text that is kept.
const TEXT_CHARS_MAX: usize = 200_000;
/// Most characters of a subject or an address that is kept.
const LINE_CHARS_MAX: usize = 1000;

/// A form that a member sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDraft {
    /// The name of the list.
    pub list: String,
    /// The message that it replies to.
    pub reply: Option<MessageId>,
    /// The chosen address of the member.
    pub from: String,
    /// The subject.
    pub subject: String,
    /// The text.
    pub text: String,
}

/// The key of one form that is shown to a contact.
#[must_use]
pub fn key(signer: &Signer, secrets: &Secrets, contact: ContactId) -> String {
    let mut number = [0; 8];
    secrets.fill(&mut number);
    signer.token(Purpose::Writing, [contact.0, u64::from_be_bytes(number)])
}

/// The contact to whom the form with this key was shown.
#[must_use]
pub fn contact_of(signer: &Signer, key: &str) -> Option<ContactId> {
    signer.open(Purpose::Writing, key).map(|[contact, _]| ContactId(contact))
}

/// Keeps a draft in place of the contact's last one for the list; nothing if the contact or the
/// list is gone.
///
/// # Errors
/// If the store fails.
pub fn keep(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    contact: ContactId,
    draft: NewDraft,
    now: Timestamp,
) -> Result<(), StoreError> {
    let NewDraft { list, reply, from, subject, text } = draft;
    let is_there = tx.get::<Contact>(contact.0)?.is_some_and(|contact| contact.account == account);
    let list = memberships::find_list_of(tx, account, &list)?.filter(|_| is_there);
    let Some(List { id: list, .. }) = list else { return Ok(()) };
    let id = match find(tx, account, contact, list)? {
        Some(Draft { id, .. }) => id,
        None => DraftId(tx.next_id::<Draft>()?),
    };
    let cut = |text: String, chars_max| text.chars().take(chars_max).collect();
    tx.put(&Draft {
        id,
        account,
        contact,
        list,
        reply,
        from: cut(from, LINE_CHARS_MAX),
        subject: cut(subject, LINE_CHARS_MAX),
        text: cut(text, TEXT_CHARS_MAX),
        kept: now,
    })
}

/// The draft of a contact for a list.
///
/// # Errors
/// If the store fails.
pub fn find(
    tx: &impl Read,
    account: AccountId,
    contact: ContactId,
    list: ListId,
) -> Result<Option<Draft>, StoreError> {
    tx.find(&DRAFT_BY_CONTACT, &Key::new().u64(account.0).u64(contact.0).u64(list.0))
}

/// Deletes the draft of a contact for a list.
///
/// # Errors
/// If the store fails.
pub fn drop(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    contact: ContactId,
    list: ListId,
) -> Result<(), StoreError> {
    if let Some(draft) = find(tx, account, contact, list)? {
        tx.delete::<Draft>(draft.id.0)?;
    }
    Ok(())
}
