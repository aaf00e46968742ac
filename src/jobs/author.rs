//! Whether receivers would refuse a post that a list sends on under its author's name (`spec/mail.md` 5).
//!
//! What was found out as the post came in counts. Where nothing was, because it came by the API or the DNS gave
//! no answer, the DNS is asked now, before any snapshot is taken for the copies. A policy that is unknown
//! even now is taken for none: a server without any DNS must not rewrite everybody.

use crate::model::{DmarcPolicy, List, Message, MessageId};
use crate::ops::Core;
use crate::ops::accounts;
use crate::ops::outgoing::Guard;
use crate::store::{Read as _, StoreError};

/// How the author's name is guarded.
pub(super) async fn guard_of(core: &Core, id: MessageId) -> Result<Guard, StoreError> {
    let Some(message) = foreign_post(core, id)? else { return Ok(Guard::Free) };
    let Some((_, domain)) = message.from_address.rsplit_once('@') else { return Ok(Guard::Free) };
    let found = message.authentication.as_ref();
    let policy = match found.map_or(DmarcPolicy::Unknown, |found| found.policy) {
        DmarcPolicy::Unknown => core.dns.policy(domain).await,
        known => known,
    };
    Ok(Guard::of(policy, domain, found.is_some_and(|found| found.is_signed_by_author)))
}

/// The message, if its author is of no domain that the account signs for; else no question is to be asked.
fn foreign_post(core: &Core, id: MessageId) -> Result<Option<Message>, StoreError> {
    let tx = core.store.read()?;
    let Some(message) = tx.get::<Message>(id.0)? else { return Ok(None) };
    let Some(list) = tx.get::<List>(message.list.0)? else { return Ok(None) };
    let domains = accounts::domains(&tx, list.account)?;
    let is_ours = accounts::signing_domain(&domains, &message.from_address).is_some();
    Ok((!is_ours && !list.rewrite_sender).then_some(message))
}
