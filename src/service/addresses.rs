//! Matches addresses against the patterns of their account, before the write job that needs the result: patterns never
//! run inside of one.

use std::sync::Arc;

use crate::mail::pattern::Unjudged;
use crate::model::account::AccountSettings;
use crate::model::{Account, AccountId, EmailAddress, Permission};
use crate::ops::Caller;
use crate::ops::patterns::{AddressJudgement, Permit};
use crate::ops::people::emails::EmailInput;
use crate::service::Core;
use crate::service::patterns::Turn;
use crate::store::{Read as _, StoreError};

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

    /// Matches the addresses of many rows against the patterns that their account has now, if the caller may add addresses.
    pub async fn judge_inputs(&self, caller: &Caller, inputs: impl Iterator<Item = &mut EmailInput>) {
        if !caller.holds(Permission::ManageMembers) {
            return;
        }
        let account = self.store.read().and_then(|tx| tx.get::<Account>(caller.account.0));
        // An error of the store, or a missing account, is reported by the operation.
        let patterns = account.ok().flatten().map(|account| account.settings.restrict_contact);
        self.judge_addresses(caller.account, &patterns.unwrap_or_default(), inputs).await;
    }

    /// Matches the addresses of a call against patterns of `restrict_contact`, outside of the writer.
    pub async fn judge_addresses(
        &self,
        account: AccountId,
        patterns: &[String],
        inputs: impl Iterator<Item = &mut EmailInput>,
    ) {
        if patterns.is_empty() {
            return;
        }
        let patterns: Arc<[String]> = patterns.into();
        let mut inputs: Vec<&mut EmailInput> = inputs.filter(|input| input.address.is_some()).collect();
        let address =
            |input: &&mut EmailInput| input.address.as_ref().map(|address| address.as_str().to_owned());
        let addresses: Vec<String> = inputs.iter().filter_map(address).collect();
        let texts = Arc::clone(&patterns);
        let judging = self.patterns.run(account, Turn::Call, move |patterns| {
            let judge = patterns.judge();
            judge.allow_time_for(addresses.len());
            judge.addresses(&texts, &addresses)
        });
        let permits = judging.await.unwrap_or_default();
        let unjudged = Permit::Unjudged(Unjudged::OutOfTime);
        for (input, permit) in inputs.iter_mut().zip(permits.into_iter().chain(std::iter::repeat(unjudged))) {
            input.judgement = AddressJudgement { patterns: Arc::clone(&patterns), permit };
        }
    }
}
