//! Finds out whether receivers would refuse a post that a list sends on under its author's name (`spec/mail.md` 5).
//!
//! If the author's DMARC policy was found when the post came in, that result counts. If it was not, because the post
//! came by the API or the DNS gave no answer, the DNS is asked now, before any snapshot is taken for the copies.
//!
//! A policy that is still unknown may be the strictest. If the DNS fails, From is rewritten: a rewritten copy is
//! accepted everywhere, while one under a protected name is refused, and lost, at every receiver whose DNS works. A
//! server that has no DNS at all, as in a closed network, does not rewrite: it would rewrite everybody. Either way, the
//! next attempt asks again.

use crate::model::{DmarcPolicy, List, Message, MessageId};
use crate::ops::delivery::outgoing::DmarcExposure;
use crate::ops::domains;
use crate::service::Core;
use crate::store::{Read as _, StoreError};

/// The protection of an author's name by a DMARC policy.
pub(super) struct AuthorPolicy {
    pub(super) exposure: DmarcExposure,
    /// Whether this is final: the policy was found, or is not needed.
    pub(super) is_certain: bool,
}

impl AuthorPolicy {
    /// The name is not protected.
    pub(super) const FREE: AuthorPolicy = AuthorPolicy { exposure: DmarcExposure::Free, is_certain: true };
}

/// Determines how the author's name is protected.
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
    let exposure = DmarcExposure::of(supposed, domain, found.is_some_and(|found| found.is_signed_by_author));
    Ok(AuthorPolicy { exposure, is_certain })
}

/// The message, if its author's domain is not one that the account signs for; otherwise the DNS need not be asked.
fn foreign_post(core: &Core, id: MessageId) -> Result<Option<Message>, StoreError> {
    let tx = core.store.read()?;
    let Some(message) = tx.get::<Message>(id.0)? else { return Ok(None) };
    let Some(list) = tx.get::<List>(message.list.0)? else { return Ok(None) };
    let domains = domains::of_account(&tx, list.account)?;
    let is_ours = domains::signing_domain(&domains, &message.from_address).is_some();
    Ok((!is_ours && !list.rewrite_sender).then_some(message))
}
