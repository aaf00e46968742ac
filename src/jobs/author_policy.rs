//! Whether receivers would refuse a post that a list sends on under its author's name (`spec/mail.md` 5).
//!
//! What was found out as the post came in counts. Where nothing was, because it came by the API or the DNS gave
//! no answer, the DNS is asked now, before any snapshot is taken for the copies.
//!
//! A policy that is unknown even now may be the strictest. Where the DNS fails, the name is guarded: a rewritten copy is
//! taken everywhere, while one under a name that turns out to be guarded is refused by every receiver whose DNS does not
//! fail, and is lost. Where there never was any DNS, as in a closed network, it is not: such a server must not rewrite
//! everybody. Either way, the next attempt asks again.

use crate::model::{DmarcPolicy, List, Message, MessageId};
use crate::ops::delivery::outgoing::DmarcExposure;
use crate::ops::{Core, domains};
use crate::store::{Read as _, StoreError};

/// How an author's name is guarded.
pub(super) struct AuthorPolicy {
    pub(super) guard: DmarcExposure,
    /// Whether that is all there is to know: the policy was found out, or is not needed.
    pub(super) is_certain: bool,
}

impl AuthorPolicy {
    /// Nobody guards the name.
    pub(super) const FREE: AuthorPolicy = AuthorPolicy { guard: DmarcExposure::Free, is_certain: true };
}

/// How the author's name is guarded.
pub(super) async fn author_policy(core: &Core, id: MessageId) -> Result<AuthorPolicy, StoreError> {
    let Some(message) = foreign_post(core, id)? else { return Ok(AuthorPolicy::FREE) };
    let Some((_, domain)) = message.from_address.rsplit_once('@') else { return Ok(AuthorPolicy::FREE) };
    let domain = &domain.to_lowercase();
    let found = message.authentication.as_ref();
    let policy = match found.map_or(DmarcPolicy::Unknown, |found| found.policy) {
        DmarcPolicy::Unknown => core.dns.policy(domain).await,
        known => known,
    };
    let is_certain = policy != DmarcPolicy::Unknown;
    let supposed = if is_certain || !core.dns.has_answered() { policy } else { DmarcPolicy::Reject };
    let guard = DmarcExposure::of(supposed, domain, found.is_some_and(|found| found.is_signed_by_author));
    Ok(AuthorPolicy { guard, is_certain })
}

/// The message, if its author is of no domain that the account signs for; else no question is to be asked.
fn foreign_post(core: &Core, id: MessageId) -> Result<Option<Message>, StoreError> {
    let tx = core.store.read()?;
    let Some(message) = tx.get::<Message>(id.0)? else { return Ok(None) };
    let Some(list) = tx.get::<List>(message.list.0)? else { return Ok(None) };
    let domains = domains::of_account(&tx, list.account)?;
    let is_ours = domains::signing_domain(&domains, &message.from_address).is_some();
    Ok((!is_ours && !list.rewrite_sender).then_some(message))
}
