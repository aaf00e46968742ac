//! What a post becomes on its way to the members: the transformation, with all that it asks of the data file.
//!
//! Delivery sends it and the simulator shows it.

use super::accounts::main_domain;
use super::messages::list_address;
use crate::clock::Timestamp;
use crate::mail::{self, Inbound, RewriteContext, SharedForm};
use crate::model::{Account, AccountDomain, CustomField, CustomFieldId, List, MessageId};
use crate::store::{Read, StoreError};

/// What all copies of one post share.
#[derive(Debug)]
pub struct Outgoing {
    /// The message, with places for what is personal.
    pub shared: SharedForm,
    /// Main domain of the account.
    pub domain: AccountDomain,
    /// Names and identifiers of custom fields, as templates use them.
    pub fields: Vec<(CustomFieldId, String)>,
}

/// Transforms a post; none where its account is gone. `id` is the message's, `accepted` when it was taken, and
/// `base_url` what links begin with, without a final slash.
pub fn outgoing(
    tx: &impl Read,
    list: &List,
    inbound: &Inbound,
    (id, accepted): (MessageId, Timestamp),
    base_url: &str,
) -> Result<Option<Outgoing>, StoreError> {
    let Some(account) = tx.get::<Account>(list.account.0)? else { return Ok(None) };
    let domain = main_domain(tx, list.account)?;
    let names_of = |field: &CustomField| {
        let names = field.identifier.iter().chain([&field.name]);
        names.map(|name| (field.id, name.clone())).collect::<Vec<_>>()
    };
    let fields: Vec<(CustomFieldId, String)> = account.custom_fields.iter().flat_map(names_of).collect();
    let names: Vec<&str> = fields.iter().map(|(_, name)| name.as_str()).collect();
    let from = inbound.from.as_ref().map(|from| from.address.domain());
    let shared = mail::rewrite(
        inbound,
        &RewriteContext {
            list,
            list_address: &list_address(list, &domain),
            account: &account.name,
            base_url,
            message: id,
            rewrite_from: false,
            from_is_ours: from == Some(domain.name.as_str()),
            batched: false,
            custom_fields: &names,
            accepted,
        },
    );
    Ok(Some(Outgoing { shared, domain, fields }))
}
