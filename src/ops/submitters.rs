//! Who may submit mail: the holder of a key that may post, to the addresses of its account.
//!
//! A key works here as over HTTP: until it expires or is revoked, from its networks, for its lists, and where it
//! has the permission `send_messages`. What becomes of the mail is decided by the lists' rules, as of any other;
//! its From is believed.

use std::net::IpAddr;

use super::inbound::{Refusal, Route};
use super::limits::Limits;
use super::{Caller, Core, admins};
use crate::model::{AccountId, EmailAddress, Permission};
use crate::schema::DOMAIN_BY_NAME;
use crate::store::{Key, Read as _, StoreError};

/// Why a client may not submit mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unproven {
    /// Its key is unknown, revoked, expired, or used from outside its networks.
    Unknown,
    /// Its key may not post.
    MayNotSend,
    /// Its key is wrong, and so were too many before it.
    TooMany,
    /// The store failed.
    Internal,
}

impl From<StoreError> for Unproven {
    fn from(error: StoreError) -> Unproven {
        tracing::error!(error = %error, "Nobody can be authenticated: storage failed");
        Unproven::Internal
    }
}

impl Core {
    /// Whom a key speaks for that may post.
    pub fn submitter(&self, key: &str, client: IpAddr) -> Result<Caller, Unproven> {
        let Some(found) = admins::authenticate(&self.store.read()?, key, client, self.now())? else {
            self.guesses.count(client).map_err(|_| Unproven::TooMany)?;
            return Err(Unproven::Unknown);
        };
        let admin = found.admin;
        let caller = Caller {
            admin: Some(admin.id),
            account: admin.account.unwrap_or(AccountId::SERVER),
            limits: Limits::of(&admin),
            is_global: admin.account.is_none(),
            permissions: admin.permissions,
        };
        caller.require(Permission::SendMessages).map_err(|_| Unproven::MayNotSend)?;
        Ok(caller)
    }

    /// What `address` stands for where the holder of `key` writes to it: see [`Core::route`].
    pub fn route_for(
        &self,
        key: &str,
        client: IpAddr,
        address: &EmailAddress,
        declared_bytes: Option<usize>,
    ) -> Result<Route, Refusal> {
        let caller = self.submitter(key, client).map_err(|unproven| match unproven {
            Unproven::Internal => Refusal::Internal,
            Unproven::Unknown | Unproven::MayNotSend | Unproven::TooMany => Refusal::Unproven,
        })?;
        let route = self.route(address, declared_bytes)?;
        let domain = self.store.read()?.find(&DOMAIN_BY_NAME, &Key::new().text(address.domain()))?;
        if domain.is_some_and(|domain| !caller.is_global && domain.account != caller.account) {
            return Err(Refusal::NotYours);
        }
        match route {
            Route::List { list, limit_bytes: _ } if !caller.limits.sees_list(list) => {
                Err(Refusal::NoSuchRecipient)
            }
            route => Ok(route),
        }
    }
}
