//! The meaning of an address of mail that comes in (`RCPT`).

use crate::mail::envelope::{ModerationToken, Route};
use crate::model::account::Subscriptions;
use crate::model::{Account, BatchId, Confirmation, ContactId, EmailAddress, List, ListId};
use crate::ops::accounts;
use crate::ops::accounts::suspension;
use crate::ops::lists::aliases;
use crate::ops::people::subscribe;
use crate::ops::posting::acceptance::{self, fitting};
use crate::ops::posting::inbound::commands::{route_command, route_elsewhere};
use crate::ops::posting::inbound::roles::{ACCOUNT_ROLES, route_role};
use crate::ops::posting::inbound::{Refusal, find_list};
use crate::schema::DOMAIN_BY_NAME;
use crate::secret::Purpose;
use crate::service::Core;
use crate::store::{Key, Read, StoreError};

impl Core {
    /// The meaning of `address`, or the reason why it is refused. `declared_bytes` is the SIZE in the MAIL command.
    pub fn route(&self, address: &EmailAddress, declared_bytes: Option<usize>) -> Result<Route, Refusal> {
        if let Some(refusal) = acceptance::refusal_of_disk(&self.store.condition()) {
            return Err(refusal);
        }
        let declared_bytes = declared_bytes.map(|bytes| bytes as u64);
        let tx = self.store.read()?;
        let key = Key::new().text(address.domain());
        let local = address.local().to_lowercase();
        let Some(domain) = tx.find(&DOMAIN_BY_NAME, &key)? else {
            let refusal = if accounts::any(&tx)? { Refusal::NotOurs } else { Refusal::NotSetUp };
            let route = self.route_to_operator(&tx, address.domain(), &local)?.ok_or(refusal)?;
            return fitting(route, declared_bytes);
        };
        if suspension::of(&tx, domain.account)?.is_some() {
            return Err(Refusal::Suspended);
        }
        if let Some((name, token)) = local.split_once('+') {
            let Some(route) = self.route_token(&tx, name, token)? else {
                let elsewhere = route_elsewhere(&tx, domain.account, name)?;
                return fitting(elsewhere.ok_or(Refusal::NoSuchRecipient)?, declared_bytes);
            };
            return if is_closed(&tx, route)? { Err(Refusal::LeavingClosed) } else { Ok(route) };
        }
        if let Some(list) = find_list(&tx, domain.account, &local)? {
            return acceptance::route_to(&list, declared_bytes);
        }
        if let Some(alias) = aliases::find(&tx, domain.account, &local)? {
            aliases::targets(&tx, &alias)?.map_err(Refusal::AliasTooLarge)?;
            return Ok(Route::Alias(alias.id));
        }
        if let Some(route) = route_role(&tx, &domain, &local)? {
            return fitting(route, declared_bytes);
        }
        let route = match route_command(&tx, domain.account, &local)? {
            Some(route) => Some(route),
            None => route_elsewhere(&tx, domain.account, &local)?,
        };
        fitting(route.ok_or(Refusal::NoSuchRecipient)?, declared_bytes)
    }

    /// The meaning of an address with a signed token (`spec/mail.md` 1).
    fn route_token(&self, tx: &impl Read, name: &str, token: &str) -> Result<Option<Route>, StoreError> {
        let open = |purpose| self.signer.open(purpose, token);
        Ok(match name {
            "bounces" => open(Purpose::Bounce).and_then(|[batch, place]| {
                Some(Route::Bounce { batch: BatchId(batch), place: usize::try_from(place).ok()? })
            }),
            "confirm" => {
                if let Some([contact, list]) = open(Purpose::Unsubscribe) {
                    Some(Route::Unsubscribe { contact: ContactId(contact), list: ListId(list) })
                } else if let Some([id, _]) = open(Purpose::Confirm) {
                    tx.get::<Confirmation>(id)?.map(|request| Route::Confirmation(request.id))
                } else {
                    ModerationToken::open(&self.signer, token).map(Route::ModerationReply)
                }
            }
            _ => None,
        })
    }

    /// The role addresses at this server's own name (RFC 5321 4.5.1, RFC 2142). They lead to the administrators of the
    /// account whose domain contains that name, else to those of the first account, which setup creates.
    pub(super) fn route_to_operator(
        &self,
        tx: &impl Read,
        domain: &str,
        local: &str,
    ) -> Result<Option<Route>, StoreError> {
        if !ACCOUNT_ROLES.contains(&local) || !domain.eq_ignore_ascii_case(&self.config.hostname) {
            return Ok(None);
        }
        let mut above = domain;
        while let Some((_, rest)) = above.split_once('.') {
            if let Some(found) = tx.find(&DOMAIN_BY_NAME, &Key::new().text(rest))? {
                return Ok(Some(Route::Postmaster { account: found.account }));
            }
            above = rest;
        }
        let first = tx.all::<Account>(0, 1)?.pop();
        Ok(first.map(|first| Route::Postmaster { account: first.id }))
    }
}

/// Whether mail to an address would leave a list that does not let its members leave on their own.
fn is_closed(tx: &impl Read, route: Route) -> Result<bool, StoreError> {
    let Route::Unsubscribe { contact: _, list } = route else { return Ok(false) };
    let Some(list) = tx.get::<List>(list.0)? else { return Ok(false) };
    Ok(subscribe::unsubscriptions(tx, &list)? == Subscriptions::Closed)
}
