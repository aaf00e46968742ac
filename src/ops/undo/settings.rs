//! Undo for settings of lists and of the account, and for what a list says of a sender: kept when they are changed by a
//! button, and put back as they were unless somebody changed them since.

use super::outcome::{Left, PutBack, UNDONE, WHOLE};
use crate::clock::Timestamp;
use crate::model::undo::{SenderRule, UndoChange};
use crate::model::{Account, AuditAction, EmailAddress, List, ListId, Moderate, Undo, UndoId};
use crate::ops::accounts::manage::{self, AccountDetail, AccountInput, NewDomains};
use crate::ops::audit::{self, Note, changed_fields};
use crate::ops::lists::{self, ListDetail, ListInput};
use crate::ops::{Caller, OpError};
use crate::store::{Read, StoreError, WriteTx, record_from_bytes, record_to_bytes};

/// Keeps a change as an action, or as a part of the action of this number.
fn keep(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    action: Option<UndoId>,
    change: UndoChange,
    now: Timestamp,
) -> Result<UndoId, StoreError> {
    let id = UndoId(tx.next_id::<Undo>()?);
    let action = action.unwrap_or(id);
    tx.put(&Undo { id, account: caller.account, action, contact: None, made: now, change })?;
    Ok(action)
}

/// Changes settings of a list; the action by which it is undone, if anything changed.
///
/// # Errors
/// As of [`lists::update`].
pub fn change_list(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    name: &str,
    input: ListInput,
    now: Timestamp,
) -> Result<(ListDetail, Option<UndoId>), OpError> {
    let before = lists::get(tx, caller, name, lists::Members::Skip)?.list;
    let detail = lists::update(tx, caller, name, input, now)?;
    let after = &detail.list;
    if before == *after {
        return Ok((detail, None));
    }
    let (list, before, after) = (after.id, record_to_bytes(&before)?, record_to_bytes(after)?);
    let action = keep(tx, caller, None, UndoChange::ListChanged { list, before, after }, now)?;
    Ok((detail, Some(action)))
}

/// Changes settings of the account, but no domains; the action by which it is undone, if anything changed.
///
/// # Errors
/// As of [`manage::update`].
pub fn change_account(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    name: &str,
    (input, new): (AccountInput, NewDomains),
    now: Timestamp,
) -> Result<(AccountDetail, Option<UndoId>), OpError> {
    let before = manage::get(tx, caller, name)?.account;
    let detail = manage::update(tx, caller, name, input, new, now)?;
    let after = &detail.account;
    if before == *after {
        return Ok((detail, None));
    }
    let (before, after) = (record_to_bytes(&before)?, record_to_bytes(after)?);
    let action = keep(tx, caller, None, UndoChange::AccountChanged { before, after }, now)?;
    Ok((detail, Some(action)))
}

/// Keeps what a list said of a sender before `list` was changed, for the action of this number or a new one.
///
/// # Errors
/// If the store fails.
pub(in crate::ops) fn keep_sender(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    action: Option<UndoId>,
    (address, before, list): (&EmailAddress, SenderRule, &List),
    now: Timestamp,
) -> Result<Option<UndoId>, StoreError> {
    let after = SenderRule::of(list, address);
    if before == after {
        return Ok(None);
    }
    let change = UndoChange::SenderSet { list: list.id, address: address.clone(), before, after };
    keep(tx, caller, action, change, now).map(Some)
}

/// The present list, if it is there for the caller.
fn list_of(tx: &impl Read, caller: &Caller, list: ListId) -> Result<Option<List>, StoreError> {
    let found = tx.get::<List>(list.0)?;
    Ok(found.filter(|list| list.account == caller.account && caller.sees_list(list)))
}

/// What is in the way of a record that cannot be stored.
fn left_of(error: OpError) -> PutBack {
    match error {
        OpError::Conflict { .. } | OpError::Invalid { .. } => Ok(Err(Left::Taken)),
        error => Err(error),
    }
}

/// Puts settings of a list back, all or none.
pub(super) fn set_list(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    list: ListId,
    (before, after): (&[u8], &[u8]),
    now: Timestamp,
) -> PutBack {
    let Some(present) = list_of(tx, caller, list)? else { return Ok(Err(Left::Gone)) };
    let (before, after): (List, List) = (record_from_bytes(before)?, record_from_bytes(after)?);
    let Some(mut restored) = present.without(&before, &after) else { return Ok(Err(Left::Changed)) };
    // Lists that were deleted since.
    let mut others = Vec::with_capacity(restored.restrict_post_lists.len());
    for other in restored.restrict_post_lists {
        others.extend(tx.get::<List>(other.0)?.map(|other| other.id));
    }
    restored.restrict_post_lists = others;
    if let Err(error) = lists::put_back(tx, &present, &restored, now) {
        return left_of(error);
    }
    note_list(tx, caller, (&present, &restored), now)?;
    Ok(WHOLE)
}

fn note_list(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    (present, restored): (&List, &List),
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut changed = changed_fields(present, restored);
    changed.push(UNDONE);
    let note = Note::new(AuditAction::ListUpdated, restored.id.0).named(restored.name.as_str());
    let id = audit::note(tx, caller, note.fields(&changed), now)?;
    audit::keep_values(tx, caller, id, (&present.values(), &restored.values()))
}

/// Puts settings of the account back, all or none.
pub(super) fn set_account(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    (before, after): (&[u8], &[u8]),
    now: Timestamp,
) -> PutBack {
    let Some(present) = tx.get::<Account>(caller.account.0)? else { return Ok(Err(Left::Gone)) };
    let (before, after): (Account, Account) = (record_from_bytes(before)?, record_from_bytes(after)?);
    let Some(settings) = present.settings.without(&before.settings, &after.settings) else {
        return Ok(Err(Left::Changed));
    };
    let mut restored = Account { settings, ..present.clone() };
    for (present, before, after) in [
        (&mut restored.name, before.name, after.name),
        (&mut restored.description, before.description, after.description),
    ] {
        if before == after {
            continue;
        }
        if *present != after {
            return Ok(Err(Left::Changed));
        }
        *present = before;
    }
    if let Err(error) = manage::put_back(tx, &present, &restored, now) {
        return left_of(error);
    }
    let mut changed = changed_fields(&present, &restored);
    changed.retain(|name| *name != "settings");
    changed.extend(changed_fields(&present.settings, &restored.settings));
    changed.push(UNDONE);
    let note = Note::new(AuditAction::AccountUpdated, restored.id.0).named(&restored.name);
    let id = audit::note(tx, caller, note.fields(&changed), now)?;
    audit::keep_values(tx, caller, id, (&present.told(), &restored.told()))?;
    Ok(WHOLE)
}

/// Has a list say of a sender what it said before. What it says of others stays.
pub(super) fn set_sender(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    (list, address): (ListId, &EmailAddress),
    (before, after): (SenderRule, SenderRule),
    now: Timestamp,
) -> PutBack {
    let Some(present) = list_of(tx, caller, list)? else { return Ok(Err(Left::Gone)) };
    let rule = SenderRule::of(&present, address);
    if (rule.banned, rule.allowed) != (after.banned, after.allowed) {
        return Ok(Err(Left::Changed));
    }
    let mut restored = present.clone();
    let is_same = |other: &EmailAddress| other.folded() == address.folded();
    for (addresses, is_wanted) in [
        (&mut restored.restrict_post_banned_emails, before.banned),
        (&mut restored.restrict_post_allowed_emails, before.allowed),
    ] {
        match (is_wanted, addresses.iter().any(is_same)) {
            (true, false) => addresses.push(address.clone()),
            (false, true) => addresses.retain(|other| !is_same(other)),
            (true, true) | (false, false) => {}
        }
    }
    let mut bits = present.moderate.bits();
    // A rule that was switched on for this sender stays on for others who were added since.
    for (bit, addresses) in [
        (Moderate::BANNED_EMAILS, &restored.restrict_post_banned_emails),
        (Moderate::ALLOWED_EMAILS, &restored.restrict_post_allowed_emails),
    ] {
        if after.moderate & !before.moderate & bit != 0 && addresses.is_empty() {
            bits &= !bit;
        }
    }
    restored.moderate = Moderate::from_bits(bits).unwrap_or(present.moderate);
    if let Err(error) = lists::put_back(tx, &present, &restored, now) {
        return left_of(error);
    }
    note_list(tx, caller, (&present, &restored), now)?;
    Ok(WHOLE)
}
