//! The language and the time zone of an account, in which the server writes to its people.

use crate::locale::Locale;
use crate::model::{Account, AccountId};
use crate::store::{Read, StoreError};

/// The locale of an account; English if the account is gone.
pub fn locale(tx: &impl Read, account: AccountId) -> Result<Locale, StoreError> {
    let account = tx.get::<Account>(account.0)?;
    Ok(account.map_or_else(Locale::default, |account| locale_of(&account)))
}

/// The locale of this account.
#[must_use]
pub fn locale_of(account: &Account) -> Locale {
    Locale::new(account.settings.language, &account.settings.timezone)
}
