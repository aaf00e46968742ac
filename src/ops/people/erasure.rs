//! Forgets a person who asks for it.
//!
//! The person is out at once: every list is left, and the contact is deleted with all that belongs to it. Posts, and what
//! the server noted of mail, may be many; `ops::server::erasure` works them off in steps, by the [`Erasure`] that is made
//! here. The audit log names contacts by number alone, so it forgets with the address book.

use crate::clock::Timestamp;
use crate::model::erasure::{ErasurePhase, OwnPosts};
use crate::model::event::Forgotten;
use crate::model::{
    ActorKind, Alert, AuditAction, AuditObject, Concern, Contact, ContactId, EmailAddress, Erasure,
    ErasureId, OptOutWay, Undo, UndoChange,
};
use crate::ops::audit::{self, Note};
use crate::ops::people::{contacts, opt_outs};
use crate::ops::{Caller, OpError};
use crate::schema::{
    ALERT_BY_ACCOUNT, HELD_WAITING_BY_SENDER, UNDO_BY_DELETED_EMAIL, UNDO_BY_OBJECT, undo_deleted_email,
    undo_object,
};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Erases a contact, as itself or as a manager of members.
pub fn begin(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    contact: ContactId,
    posts: OwnPosts,
    now: Timestamp,
) -> Result<(), OpError> {
    caller.require_over(contact)?;
    let contact: Contact = tx
        .get(contact.0)?
        .filter(|contact: &Contact| contact.account == caller.account)
        .ok_or(OpError::NotFound { what: "contact" })?;
    let emails = contacts::emails_of(tx, &contact)?;
    let addresses: Vec<EmailAddress> = emails.into_iter().map(|email| email.address).collect();
    for address in &addresses {
        forget_waiting(tx, &contact, address)?;
    }
    forget_alerts(tx, &contact)?;
    if matches!(caller.actor().kind, ActorKind::Member(_)) {
        opt_outs::note_contact(tx, &contact, None, OptOutWay::Erasure, now)?;
    }
    forget_deleted(tx, &contact, &addresses)?;
    contacts::remove(tx, &contact)?;
    let id = contact.id;
    let number = ErasureId(tx.next_id::<Erasure>()?);
    tx.put(&Erasure {
        id: number,
        account: contact.account,
        contact: id,
        addresses,
        firstname: contact.firstname,
        surname: contact.surname,
        posts,
        phase: ErasurePhase::Posts,
        cursor: 0,
        again: false,
        next: now,
    })?;
    tx.note(Forgotten);
    let detail = format!("erased, posts: {}", posts.word());
    audit::note(tx, caller, Note::new(AuditAction::ContactDeleted, id.0).about(id).detail(&detail), now)?;
    Ok(())
}

/// Deletes the messages of an address that wait for a decision, so that nobody publishes them any more.
fn forget_waiting(tx: &mut WriteTx<'_>, contact: &Contact, address: &EmailAddress) -> Result<(), StoreError> {
    let mut froms = vec![address.as_str().to_lowercase(), address.folded()];
    froms.dedup();
    for from in froms {
        for is_proven in [0, 1] {
            let of_sender = Key::new().u64(contact.account.0).u8(is_proven).text(&from);
            tx.delete_range(&HELD_WAITING_BY_SENDER, &of_sender.into(), usize::MAX)?;
        }
    }
    Ok(())
}

/// Forgets what was kept to undo an earlier deletion of the person, by its addresses.
fn forget_deleted(
    tx: &mut WriteTx<'_>,
    contact: &Contact,
    addresses: &[EmailAddress],
) -> Result<(), StoreError> {
    let of_contact = undo_object(contact.account, AuditObject::Contact, contact.id.0);
    let mut ids = tx.ids(&UNDO_BY_OBJECT, &IndexRange::prefix(of_contact), usize::MAX)?;
    for address in addresses {
        let of_address = undo_deleted_email(contact.account, &address.folded());
        ids.extend(tx.ids(&UNDO_BY_DELETED_EMAIL, &IndexRange::prefix(of_address), usize::MAX)?);
    }
    for id in ids {
        let undo: Option<Undo> = tx.get(id)?;
        if undo.is_some_and(|undo| matches!(undo.change, UndoChange::ContactDeleted { .. })) {
            tx.delete::<Undo>(id)?;
        }
    }
    Ok(())
}

/// Takes the lines about a contact out of what administrators are told later.
fn forget_alerts(tx: &mut WriteTx<'_>, contact: &Contact) -> Result<(), StoreError> {
    let of_account = Key::new().u64(contact.account.0);
    for id in tx.ids(&ALERT_BY_ACCOUNT, &IndexRange::prefix(of_account), usize::MAX)? {
        let Some(mut alert) = tx.get::<Alert>(id)? else { continue };
        let before = alert.waiting.len();
        alert.waiting.retain(|line| line.concern != Concern::Contact(contact.id));
        if alert.waiting.len() != before {
            tx.put(&alert)?;
        }
    }
    Ok(())
}
