//! Carries out requests that the owner of an address confirmed.
//!
//! The patterns of the account judge the address before the job; if they are changed at the same moment, all is tried
//! again.

use std::sync::Arc;

use crate::model::{Confirmation, ConfirmationId};
use crate::ops::people::requests::{Outcome, confirm};
use crate::ops::{Caller, OpContext, OpError, Wrong};
use crate::service::Core;
use crate::store::{Read as _, StoreError, WriteTx};

/// How often a confirmation is tried again because the patterns were changed at the same moment.
const TRIES_MAX: usize = 3;

impl Core {
    /// Carries out a request that the owner of its address confirmed; see [`confirm`].
    pub async fn confirm_request(
        &self,
        caller: &Arc<Caller>,
        id: ConfirmationId,
    ) -> Result<Vec<Outcome>, OpError> {
        self.confirm_request_and(caller, id, |_, _, _| Ok(())).await
    }

    /// The same, with something that follows from it in the same job.
    pub(super) async fn confirm_request_and<F>(
        &self,
        caller: &Arc<Caller>,
        id: ConfirmationId,
        then: F,
    ) -> Result<Vec<Outcome>, OpError>
    where
        F: Fn(&mut WriteTx<'_>, &OpContext, &[Outcome]) -> Result<(), StoreError>
            + Clone
            + Send
            + Sync
            + 'static,
    {
        for tried in 1.. {
            let request = self.store.read()?.get::<Confirmation>(id.0)?;
            let request = request.ok_or(OpError::NotFound { what: "request" })?;
            let judgement = self.judge_new_address(request.account, &request.address).await?;
            let then = then.clone();
            let confirmed = self.perform(caller, move |tx, by| {
                let outcomes = confirm(tx, by, id, &judgement)?;
                then(tx, by, &outcomes)?;
                Ok(outcomes)
            });
            match confirmed.await {
                Err(OpError::Conflict { problem: Wrong::PatternsChanged, .. }) if tried < TRIES_MAX => {}
                done => return done,
            }
        }
        Err(OpError::NotFound { what: "request" })
    }
}
