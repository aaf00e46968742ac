//! The language in which an account writes, and the time zone of its days and times.

use crate::locale::Locale;
use crate::model::{Account, AccountId};
use crate::store::{Read, StoreError};

/// How the people of an account are written to; in English where it is gone.
pub fn locale(tx: &impl Read, account: AccountId) -> Result<Locale, StoreError> {
    let account = tx.get::<Account>(account.0)?;
    Ok(account.map_or_else(Locale::default, |account| locale_of(&account)))
}

/// How the people of this account are written to.
#[must_use]
pub fn locale_of(account: &Account) -> Locale {
    Locale::new(account.settings.language, &account.settings.timezone)
}
