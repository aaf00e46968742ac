//! Replaces the keys of a domain without a moment in which its signatures cannot be verified.
//!
//! New keys sign nothing until their records are found in the DNS, or until the operator activates them. The old keys
//! sign nothing from then on, and their records stay published until everything they signed has arrived. A selector is
//! never used twice, since resolvers cache the old record.

use std::time::Duration;

use super::FIRST_SELECTOR;
use crate::clock::Timestamp;
use crate::model::{AccountDomain, AuditAction, DkimKeys, DomainId, NextKeys, OldKeys};
use crate::ops::audit::{self, Note};
use crate::ops::overdue::overdue_rows;
use crate::ops::{Caller, OpError, Wrong};
use crate::schema::{DOMAIN_BY_KEYS_END, DOMAIN_BY_NEXT_CHECK};
use crate::store::{Read, StoreError, WriteTx};

/// How often the DNS is asked for the records of new keys.
pub const LOOK_EVERY: Duration = Duration::from_mins(10);
/// How long the records of old keys stay published: longer than copies are retried.
pub const OLD_KEYS_STAY: Duration = Duration::from_hours(7 * 24);

/// Gives a domain new keys, which sign nothing yet; a domain that has waiting keys keeps those. `keys` were made
/// outside the write job, and get their selector here.
pub fn begin(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    id: DomainId,
    keys: DkimKeys,
    now: Timestamp,
) -> Result<AccountDomain, OpError> {
    let mut domain = get(tx, id)?;
    if domain.next_keys.is_none() {
        let keys = DkimKeys { selector: next_selector(&domain.dkim.selector), ..keys };
        // The operator has to publish the records first.
        domain.next_keys = Some(NextKeys { keys, made: now, look: now + LOOK_EVERY });
        tx.put(&domain)?;
        note(tx, caller, &domain, "new keys", now)?;
    }
    Ok(domain)
}

fn note(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    domain: &AccountDomain,
    what: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let changed = Note::new(AuditAction::DomainUpdated, domain.id.0).named(domain.name.as_str());
    audit::note(tx, caller, changed.detail(what), now)?;
    Ok(())
}

/// Activates the new keys of a domain, which sign from now on.
pub fn activate(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    id: DomainId,
    now: Timestamp,
) -> Result<AccountDomain, OpError> {
    let mut domain = get(tx, id)?;
    let Some(next) = domain.next_keys.take() else {
        return Err(OpError::conflict("activate", Wrong::NoNewKeys { name: domain.name }));
    };
    let old = std::mem::replace(&mut domain.dkim, next.keys);
    domain.old_keys.push(OldKeys { keys: old, until: now + OLD_KEYS_STAY });
    tx.put(&domain)?;
    note(tx, caller, &domain, "signs with new keys", now)?;
    tracing::info!(
        domain.name = %domain.name,
        dkim.selector = domain.dkim.selector,
        "The mail of {} is signed with new keys",
        domain.name
    );
    Ok(domain)
}

/// The domains whose new keys have to be looked up now, at most `limit`.
pub fn to_look_for(tx: &impl Read, now: Timestamp, limit: usize) -> Result<Vec<AccountDomain>, StoreError> {
    let ids = overdue_rows(tx, &DOMAIN_BY_NEXT_CHECK, now, limit)?;
    Ok(ids.into_iter().map(|id| tx.get(id)).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// Notes the result of a lookup of a domain's new keys under this selector: they are activated, or looked up again
/// later.
pub fn note_look(
    tx: &mut WriteTx<'_>,
    (id, selector): (DomainId, &str),
    is_published: bool,
    now: Timestamp,
) -> Result<(), OpError> {
    // Meanwhile the operator may have activated them, or deleted the domain.
    let Some(mut domain) = tx.get::<AccountDomain>(id.0)? else { return Ok(()) };
    let Some(next) = domain.next_keys.as_mut().filter(|next| next.keys.selector == selector) else {
        return Ok(());
    };
    if is_published {
        let caller = Caller::server(domain.account);
        return activate(tx, &caller, id, now).map(drop);
    }
    next.look = now + LOOK_EVERY;
    Ok(tx.put(&domain)?)
}

/// Deletes old keys whose records need no publishing any more.
pub fn forget_old(tx: &mut WriteTx<'_>, now: Timestamp, limit: usize) -> Result<(), StoreError> {
    for id in overdue_rows(tx, &DOMAIN_BY_KEYS_END, now, limit)? {
        let Some(mut domain) = tx.get::<AccountDomain>(id)? else { continue };
        domain.old_keys.retain(|old| now < old.until);
        tx.put(&domain)?;
    }
    Ok(())
}

fn get(tx: &impl Read, id: DomainId) -> Result<AccountDomain, OpError> {
    tx.get(id.0)?.ok_or(OpError::NotFound { what: "domain" })
}

/// The selector that follows this one: `crier1`, `crier2`, …
fn next_selector(selector: &str) -> String {
    let stem = selector.trim_end_matches(|c: char| c.is_ascii_digit());
    let number: u64 = selector[stem.len()..].parse().unwrap_or(1);
    let stem = if stem.is_empty() { FIRST_SELECTOR.trim_end_matches('1') } else { stem };
    format!("{stem}{}", number.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_counted_up() {
        for (selector, next) in
            [("crier1", "crier2"), ("crier9", "crier10"), ("test", "test2"), ("2026", "crier2027")]
        {
            assert_eq!(next_selector(selector), next);
        }
    }
}
