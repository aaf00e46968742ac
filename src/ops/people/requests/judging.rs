//! Matches an address against the patterns of its account, before the write job that needs the result: patterns never
//! run inside of one.

use std::sync::Arc;

use super::{Outcome, confirm};
use crate::mail::pattern::Unjudged;
use crate::model::account::AccountSettings;
use crate::model::{Account, AccountId, Confirmation, ConfirmationId, EmailAddress};
use crate::ops::patterns::{AddressJudgement, Permit, Turn};
use crate::ops::people::emails::EmailInput;
use crate::ops::{Caller, OpContext, OpError};
use crate::service::Core;
use crate::store::{Read as _, StoreError, WriteTx};

/// How often a confirmation is tried again because the patterns were changed at the same moment.
const TRIES_MAX: usize = 3;

impl Core {
    /// Whether an address may ask to join lists of an account, by its `restrict_contact_subscription` and its
    /// `restrict_contact`. Whether the address book has the address makes no difference: whoever asks learns nothing.
    pub async fn may_subscribe(
        &self,
        account: AccountId,
        address: &EmailAddress,
    ) -> Result<Permit, StoreError> {
        self.judge_address(account, address, |settings| {
            vec![settings.restrict_contact_subscription, settings.restrict_contact]
        })
        .await
    }

    /// Whether a member may join further lists with an address that the address book has: by
    /// `restrict_contact_subscription` alone, as `restrict_contact` is about new addresses.
    pub async fn may_join_further(
        &self,
        account: AccountId,
        address: &EmailAddress,
    ) -> Result<Permit, StoreError> {
        self.judge_address(account, address, |settings| vec![settings.restrict_contact_subscription]).await
    }

    /// Whether a member may ask to add an address, by `restrict_contact`.
    pub async fn may_add_address(
        &self,
        account: AccountId,
        address: &EmailAddress,
    ) -> Result<Permit, StoreError> {
        self.judge_address(account, address, |settings| vec![settings.restrict_contact]).await
    }

    /// Whether each of the rules of an account permits an address: a rule is a list of patterns, of which one must match.
    async fn judge_address(
        &self,
        account: AccountId,
        address: &EmailAddress,
        rules: impl FnOnce(AccountSettings) -> Vec<Vec<String>>,
    ) -> Result<Permit, StoreError> {
        let found = self.store.read()?.get::<Account>(account.0)?;
        let mut rules = found.map(|account| rules(account.settings)).unwrap_or_default();
        rules.retain(|patterns| !patterns.is_empty());
        if rules.is_empty() {
            return Ok(Permit::Granted);
        }
        let addresses = [address.as_str().to_owned()];
        let judging = self.patterns.run(account, Turn::Call, move |judges| {
            let judge = judges.judge();
            let mut permits = rules.iter().filter_map(|patterns| judge.addresses(patterns, &addresses).pop());
            permits.find(|permit| *permit != Permit::Granted)
        });
        Ok(match judging.await {
            Some(refused) => refused.unwrap_or(Permit::Granted),
            None => Permit::Unjudged(Unjudged::OutOfTime),
        })
    }

    /// Whether the address book of an account takes an address, by its `restrict_contact`.
    pub async fn judge_new_address(
        &self,
        account: AccountId,
        address: &EmailAddress,
    ) -> Result<AddressJudgement, StoreError> {
        let found = self.store.read()?.get::<Account>(account.0)?;
        let patterns = found.map(|account| account.settings.restrict_contact).unwrap_or_default();
        let mut input = EmailInput { address: Some(address.clone()), ..EmailInput::default() };
        self.judge_addresses(account, &patterns, std::iter::once(&mut input)).await;
        Ok(input.judgement)
    }

    /// Carries out a request that the owner of its address confirmed; see [`confirm`].
    pub async fn confirm_request(
        &self,
        caller: &Arc<Caller>,
        id: ConfirmationId,
    ) -> Result<Vec<Outcome>, OpError> {
        self.confirm_request_and(caller, id, |_, _, _| Ok(())).await
    }

    /// The same, with something that follows from it in the same job.
    pub(in crate::ops) async fn confirm_request_and<F>(
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
                Err(OpError::Conflict { field: "email", .. }) if tried < TRIES_MAX => {}
                done => return done,
            }
        }
        Err(OpError::NotFound { what: "request" })
    }
}
