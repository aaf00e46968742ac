//! Mail that is submitted over SMTP by the holder of a key with permission to post, to the addresses of its account.
//!
//! A key works here as it does over HTTP: until it expires or is revoked, from its networks, for its lists, and with
//! the permission `send_messages`. The lists' rules decide about the mail as about any other, but its From is believed.
//! It costs as much as a message over HTTP: each recipient is an object of the account's hour.

use std::net::IpAddr;
use std::sync::Arc;

use crate::clock::Timestamp;
use crate::mail::envelope::{Envelope, Route};
use crate::model::{Account, AccountDomain, AccountId, Alias, EmailAddress, Permission, Via};
use crate::ops::Caller;
use crate::ops::accounts::admins;
use crate::ops::lists::aliases;
use crate::ops::posting::acceptance;
use crate::ops::posting::inbound::Refusal;
use crate::ops::server::usage::{Exhausted, Meter, limit_of};
use crate::schema::DOMAIN_BY_NAME;
use crate::service::Core;
use crate::store::{Key, Read, StoreError};

/// The reason why a client may not submit mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthError {
    /// Its key is unknown, revoked, expired, or used from outside its networks.
    Unknown,
    /// Its key may not post.
    MayNotSend,
    /// Its key is wrong, as were too many before it.
    TooMany,
    /// The store failed.
    Internal,
}

impl From<StoreError> for AuthError {
    fn from(error: StoreError) -> AuthError {
        tracing::error!(error = %error, "Nobody can be authenticated: storage failed");
        AuthError::Internal
    }
}

/// The cost of a mail for one account.
struct UsageCharge {
    meter: Arc<Meter>,
    limit: u64,
    objects: u64,
}

impl UsageCharge {
    /// Counts its objects, or none if there are too few left; at least one must be left even if it costs none.
    fn pay(&self, now: Timestamp) -> Result<(), Refusal> {
        let paid = self.meter.take(self.objects, self.limit, now);
        paid.map_err(|Exhausted| Refusal::Exhausted { limit: self.limit })
    }
}

impl Core {
    /// The caller of a key that may post.
    pub fn submitter(&self, key: &str, client: IpAddr) -> Result<Caller, AuthError> {
        let found = self.known_submitter(key, client);
        if matches!(found, Err(AuthError::Unknown)) {
            self.auth_failures.count(client).map_err(|_| AuthError::TooMany)?;
        }
        found
    }

    /// The same for a client whose key worked before: if the key has stopped working, that is not counted as a guess.
    pub fn known_submitter(&self, key: &str, client: IpAddr) -> Result<Caller, AuthError> {
        let found = admins::authenticate(&self.store.read()?, key, client, self.now())?;
        let admin = found.ok_or(AuthError::Unknown)?.admin;
        let account = admin.account_or_server();
        let caller = Caller::admin(&admin, account, Via::Mail, Some(client));
        caller.require(Permission::SendMessages).map_err(|_| AuthError::MayNotSend)?;
        Ok(caller)
    }

    /// The meaning of `address` for the holder of `key`; see [`Core::route`].
    pub fn route_for(
        &self,
        key: &str,
        client: IpAddr,
        address: &EmailAddress,
        declared_bytes: Option<usize>,
    ) -> Result<Route, Refusal> {
        let caller = self.known_submitter(key, client).map_err(|unproven| match unproven {
            AuthError::Internal => Refusal::Internal,
            AuthError::Unknown | AuthError::MayNotSend | AuthError::TooMany => Refusal::AuthError,
        })?;
        // A limit of the list may be revealed only after it is known that the key sees the list.
        let route = self.route(address, None).map_err(|refusal| match refusal {
            Refusal::JoiningClosed | Refusal::LeavingClosed if caller.limits.lists().is_some() => {
                Refusal::NoSuchRecipient
            }
            other => other,
        })?;
        let tx = self.store.read()?;
        let account = account_of(&tx, address)?;
        if account.is_some_and(|account| !caller.is_global && account != caller.account) {
            return Err(Refusal::NotYours);
        }
        if !sees_route(&tx, &caller, route)? {
            return Err(Refusal::NoSuchRecipient);
        }
        let route = acceptance::fitting(route, declared_bytes.map(|bytes| bytes as u64))?;
        // It is counted once the message is there; where nothing is left, that need not be sent.
        if let Some(bill) = account.map(|account| self.bill(&tx, account, 0)).transpose()?.flatten() {
            bill.pay(self.now())?;
        }
        Ok(route)
    }

    /// Takes a message that the holder of a key submits; see [`Core::receive`]. Each recipient counts as an object that
    /// its account changes; refused mail costs nothing.
    pub async fn receive_submitted(&self, envelope: Envelope, raw: Vec<u8>) -> Result<(), Refusal> {
        let now = self.now();
        let bills = self.bills(&envelope)?;
        let give_back =
            |bills: &[UsageCharge]| bills.iter().for_each(|bill| bill.meter.give_back(bill.objects, now));
        for (place, bill) in bills.iter().enumerate() {
            bill.pay(now).inspect_err(|_| give_back(&bills[..place]))?;
        }
        self.receive(envelope, raw).await.inspect_err(|_| give_back(&bills))
    }

    /// The cost of a message for each account that it goes to: one account, unless the key is a global one.
    fn bills(&self, envelope: &Envelope) -> Result<Vec<UsageCharge>, StoreError> {
        let tx = self.store.read()?;
        let mut accounts: Vec<(AccountId, u64)> = Vec::new();
        for (address, _) in &envelope.recipients {
            let Some(account) = account_of(&tx, address)? else { continue };
            match accounts.iter_mut().find(|(known, _)| *known == account) {
                Some((_, objects)) => *objects += 1,
                None => accounts.push((account, 1)),
            }
        }
        let bills = accounts
            .into_iter()
            .filter_map(|(account, objects)| self.bill(&tx, account, objects).transpose());
        bills.collect()
    }

    /// The cost for one account; `None` if it was just deleted.
    fn bill(
        &self,
        tx: &impl Read,
        account: AccountId,
        objects: u64,
    ) -> Result<Option<UsageCharge>, StoreError> {
        let found = tx.get::<Account>(account.0)?;
        let meter = self.usage.meter(account);
        Ok(found.map(|found| UsageCharge { meter, limit: limit_of(&found), objects }))
    }
}

/// Whether the lists that mail to `route` reaches exist for the caller: the list itself, those of an alias, or the list
/// whose moderators are addressed.
fn sees_route(tx: &impl Read, caller: &Caller, route: Route) -> Result<bool, StoreError> {
    match route {
        Route::List { list, limit_bytes: _ }
        | Route::Owner { list }
        | Route::Command { list, request: _ } => Ok(caller.limits.sees_list(list)),
        Route::Alias(alias) => {
            let Some(alias) = tx.get::<Alias>(alias.0)? else { return Ok(false) };
            let targets = aliases::targets(tx, &alias)?;
            // An alias that leads to too many addresses takes no mail.
            Ok(targets
                .is_ok_and(|targets| targets.lists.into_iter().all(|list| caller.limits.sees_list(list))))
        }
        // These carry a token that this server signed, or mean the same for every list.
        Route::Bounce { .. }
        | Route::Confirmation(_)
        | Route::ModerationReply(_)
        | Route::Unsubscribe { .. }
        | Route::Postmaster { .. } => Ok(true),
    }
}

/// The account to whose domain an address belongs.
fn account_of(tx: &impl Read, address: &EmailAddress) -> Result<Option<AccountId>, StoreError> {
    let domain: Option<AccountDomain> = tx.find(&DOMAIN_BY_NAME, &Key::new().text(address.domain()))?;
    Ok(domain.map(|domain| domain.account))
}
