//! Takes the figures of every account once a day, for the charts of its administrators. A new account has its first ones
//! from the start; one of an older file gets them here.

use crate::clock::Timestamp;
use crate::model::figures::DayFigures;
use crate::model::{Account, AccountFigures, AccountId};
use crate::ops::overdue::overdue_rows;
use crate::schema::{
    ACCOUNT_ALL, ACCOUNT_COUNT, CONTACT_COUNT, FIGURES_BY_DUE, FIGURES_COUNT, MEMBERSHIP_COUNT,
};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// The figures of an account at this moment.
pub fn present(tx: &impl Read, account: AccountId, now: Timestamp) -> Result<DayFigures, StoreError> {
    let key = Key::new().u64(account.0);
    let (people, memberships) = (tx.count(&CONTACT_COUNT, &key)?, tx.count(&MEMBERSHIP_COUNT, &key)?);
    Ok(DayFigures { time: now, people, memberships })
}

/// Whether figures are to be taken, or an account has none yet.
pub(in crate::ops) fn is_due(tx: &impl Read, now: Timestamp) -> Result<bool, StoreError> {
    Ok(is_any_missing(tx)? || !overdue_rows(tx, &FIGURES_BY_DUE, now, 1)?.is_empty())
}

fn is_any_missing(tx: &impl Read) -> Result<bool, StoreError> {
    Ok(tx.count(&FIGURES_COUNT, &Key::new())? < tx.count(&ACCOUNT_COUNT, &Key::new())?)
}

/// Takes the figures that are due, of at most `limit` accounts.
pub(in crate::ops) fn take(tx: &mut WriteTx<'_>, now: Timestamp, limit: usize) -> Result<(), StoreError> {
    for id in overdue_rows(tx, &FIGURES_BY_DUE, now, limit)? {
        let Some(mut figures) = tx.get::<AccountFigures>(id)? else { continue };
        figures.add(present(tx, figures.account, now)?);
        figures.due = now + AccountFigures::EVERY;
        tx.put(&figures)?;
    }
    if !is_any_missing(tx)? {
        return Ok(());
    }
    let mut room = limit;
    for id in tx.ids(&ACCOUNT_ALL, &IndexRange::prefix(Key::new()), usize::MAX)? {
        if tx.get::<AccountFigures>(id)?.is_some() {
            continue;
        }
        let Some(account) = tx.get::<Account>(id)?.map(|account| account.id) else { continue };
        tx.put(&AccountFigures::new(account, present(tx, account, now)?))?;
        room -= 1;
        if room == 0 {
            break;
        }
    }
    Ok(())
}
