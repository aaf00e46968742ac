//! Leaving a list by a signed link, and coming back.

use super::OpError;
use crate::clock::Timestamp;
use crate::model::contact::JoinWay;
use crate::model::{Contact, ContactId, Joined, List, ListId, Membership, MembershipId};
use crate::schema::MEMBERSHIP_BY_CONTACT;
use crate::store::{Key, Read, StoreError, WriteTx};

/// Where the person of an unsubscribe link stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The list of the link.
    pub list: List,
    /// Whether the person is a member now.
    pub is_member: bool,
}

/// What an unsubscribe link is about; none if the list or the person is gone.
pub fn place(tx: &impl Read, contact: ContactId, list: ListId) -> Result<Option<Place>, StoreError> {
    let (Some(contact), Some(list)) = (tx.get::<Contact>(contact.0)?, tx.get::<List>(list.0)?) else {
        return Ok(None);
    };
    if contact.account != list.account {
        return Ok(None);
    }
    let is_member = find(tx, &contact, list.id)?.is_some();
    Ok(Some(Place { list, is_member }))
}

fn find(tx: &impl Read, contact: &Contact, list: ListId) -> Result<Option<u64>, StoreError> {
    let key = Key::new().u64(contact.account.0).u64(contact.id.0).u64(list.0);
    tx.find_id(&MEMBERSHIP_BY_CONTACT, &key)
}

/// Takes a contact out of a list. Doing it again changes nothing: a mail program may press twice.
pub fn leave(tx: &mut WriteTx, contact: ContactId, list: ListId) -> Result<(), StoreError> {
    let Some(contact) = tx.get::<Contact>(contact.0)? else { return Ok(()) };
    if let Some(id) = find(tx, &contact, list)? {
        tx.delete::<Membership>(id)?;
    }
    Ok(())
}

/// Takes back [`leave`]: the goodbye page's undo. Doing it again changes nothing.
pub fn rejoin(
    tx: &mut WriteTx,
    contact: ContactId,
    list: ListId,
    from: std::net::IpAddr,
    now: Timestamp,
) -> Result<(), OpError> {
    let contact = tx.get::<Contact>(contact.0)?.ok_or(OpError::NotFound { what: "contact" })?;
    let list: List = tx
        .get(list.0)?
        .filter(|list: &List| list.account == contact.account)
        .ok_or(OpError::NotFound { what: "list" })?;
    if find(tx, &contact, list.id)?.is_none() {
        let id = MembershipId(tx.next_id::<Membership>()?);
        let joined = Joined { when: now, from: Some(from), way: JoinWay::Web };
        let (account, contact) = (contact.account, contact.id);
        tx.put(&Membership { id, account, contact, list: list.id, digest: None, joined })?;
    }
    Ok(())
}
