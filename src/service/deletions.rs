//! Completes deletions that take many steps: of accounts, and of the values of custom fields. What a stop interrupted,
//! the next start continues.

use crate::model::Account;
use crate::ops::accounts::account_deletion::{Progress, step};
use crate::ops::accounts::fields::FieldDeletion;
use crate::service::Core;
use crate::store::{Read as _, StoreError};

impl Core {
    /// Removes the records of deleted accounts. Ends when nothing is left or the file is closed; the next start
    /// continues.
    pub async fn remove_accounts(self) {
        loop {
            match self.store.write_reserved(step).await {
                Ok(Progress::Unfinished) => {}
                Ok(Progress::Done) | Err(StoreError::Closed) => return,
                Err(error) if error.is_outage() => self.store.wait_until_writable().await,
                Err(error) => {
                    tracing::error!(error = %error, "Removing a deleted account failed; the next start goes on");
                    return;
                }
            }
        }
    }

    /// Completes removals of field values that a stop interrupted. Ends when nothing is left or the file is closed; the
    /// next start continues.
    pub async fn remove_field_values(self) {
        loop {
            match self.try_remove_field_values().await {
                Ok(()) | Err(StoreError::Closed) => return,
                Err(error) if error.is_outage() => self.store.wait_until_writable().await,
                Err(error) => {
                    tracing::error!(error = %error, "Removing values of deleted fields failed; the next start goes on");
                    return;
                }
            }
        }
    }

    async fn try_remove_field_values(&self) -> Result<(), StoreError> {
        let mut last = 0;
        while let Some(account) = self.account_after(last)? {
            last = account.id.0;
            let mut leaving = FieldDeletion::of(&self.store.read()?, &account)?;
            while let Some(step) = leaving {
                leaving = self.store.write_reserved(move |tx| step.step(tx)).await?;
            }
        }
        Ok(())
    }

    fn account_after(&self, id: u64) -> Result<Option<Account>, StoreError> {
        Ok(self.store.read()?.all::<Account>(id, 1)?.pop())
    }
}
