//! Carries out requests that the owner of an address confirmed.
//!
//! The patterns of the account judge the address before the job; if they are changed at the same moment, all is tried
//! again.

use std::sync::Arc;

use crate::model::{Confirmation, ConfirmationId, Session};
use crate::ops::people::requests::{Outcome, confirm};
use crate::ops::people::sign_in::{self, NewBrowser};
use crate::ops::{Caller, OpContext, OpError, Wrong};
use crate::service::Core;
use crate::store::{Read as _, WriteTx};

/// How often a confirmation is tried again because the patterns were changed at the same moment.
const TRIES_MAX: usize = 3;

impl Core {
    /// Carries out a request that the owner of its address confirmed (see [`confirm`]), and signs that person in in
    /// `browser`, if it is given: with the session, which begins in the same job, so that a link begins one once.
    pub async fn confirm_request(
        &self,
        caller: &Arc<Caller>,
        id: ConfirmationId,
        browser: Option<NewBrowser>,
    ) -> Result<(Vec<Outcome>, Option<Session>), OpError> {
        let then = move |tx: &mut WriteTx<'_>, by: &OpContext, outcomes: &[Outcome]| {
            let request = tx.get::<Confirmation>(id.0)?;
            match (&browser, request) {
                (Some(browser), Some(request)) => {
                    sign_in::begin_confirmed(tx, by, &request, outcomes, browser)
                }
                _ => Ok(None),
            }
        };
        self.confirm_request_and(caller, id, then).await
    }

    /// The same, with something that follows from it in the same job.
    pub(super) async fn confirm_request_and<F, T>(
        &self,
        caller: &Arc<Caller>,
        id: ConfirmationId,
        then: F,
    ) -> Result<(Vec<Outcome>, T), OpError>
    where
        F: Fn(&mut WriteTx<'_>, &OpContext, &[Outcome]) -> Result<T, OpError> + Clone + Send + Sync + 'static,
        T: Send + 'static,
    {
        for tried in 1.. {
            let request = self.store.read()?.get::<Confirmation>(id.0)?;
            let request = request.ok_or(OpError::NotFound { what: "request" })?;
            let judgement = self.judge_new_address(request.account, &request.address).await?;
            let then = then.clone();
            let confirmed = self.perform(caller, move |tx, by| {
                let outcomes = confirm(tx, by, id, &judgement)?;
                let followed = then(tx, by, &outcomes)?;
                Ok((outcomes, followed))
            });
            match confirmed.await {
                Err(OpError::Conflict { problem: Wrong::PatternsChanged, .. }) if tried < TRIES_MAX => {}
                done => return done,
            }
        }
        Err(OpError::NotFound { what: "request" })
    }
}
