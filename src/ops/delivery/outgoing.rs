//! Transforms a post into the form that members get, with all facts that this takes from the data file.
//!
//! Delivery sends the result and the simulator shows it; nothing is sent or stored here.

use crate::clock::Timestamp;
use crate::config::Delivery;
use crate::mail::{self, Inbound, RewriteContext, SharedForm};
use crate::model::{AccountDomain, CustomFieldId, DmarcPolicy, Links, List, MessageId};
use crate::ops::archive::shown::RewriteFacts;
use crate::store::{Read, StoreError};

/// The extent to which the author's DMARC policy protects the name in From (`spec/mail.md` 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DmarcExposure {
    /// Receivers accept a post under that name from any server, or the policy is unknown.
    Free,
    /// Receivers refuse mail that the author's domain does not prove, and a signature of that domain proves the post.
    Signed,
    /// Receivers refuse mail that the author's domain does not prove, and nothing proves the post once the list sends
    /// it.
    Unsigned,
}

impl DmarcExposure {
    /// The exposure of an author at `domain` with this policy. `is_signed`: whether the post came with a valid
    /// signature of the author's organisation.
    #[must_use]
    pub fn of(policy: DmarcPolicy, domain: &str, is_signed: bool) -> DmarcExposure {
        match (policy.is_enforced() || mail::refuses_regardless(domain), is_signed) {
            (false, _) => DmarcExposure::Free,
            (true, true) => DmarcExposure::Signed,
            (true, false) => DmarcExposure::Unsigned,
        }
    }
}

/// The parts that all copies of one post share.
#[derive(Debug)]
pub struct Outgoing {
    /// The message, with placeholders for the personal parts.
    pub shared: SharedForm,
    /// Main domain of the account.
    pub domain: AccountDomain,
    /// The domain whose key signs: that of From, so that DMARC passes.
    pub signer: AccountDomain,
    /// Names and identifiers of custom fields, as templates use them.
    pub fields: Vec<(CustomFieldId, String)>,
    /// Whether members share copies: nothing in them is personal.
    pub is_batched: bool,
}

/// Transforms a post; `None` if its account is gone. `id` is the message's, `accepted` the time at which it was taken,
/// `exposure` that of its author's name, and `links` those of its account.
///
/// A protected name stays in From only if the author's own signature is valid and the list changes nothing that it
/// covers; otherwise From becomes the list's address.
///
/// With [`Delivery::Batched`] members share copies, whose links lead to the list's own pages, unless something else in
/// them is personal. Then each member gets its own copy, as with [`Delivery::Individual`].
pub fn outgoing(
    tx: &impl Read,
    list: &List,
    inbound: &Inbound,
    (id, accepted): (MessageId, Timestamp),
    exposure: DmarcExposure,
    links: &Links,
    delivery: Delivery,
) -> Result<Option<Outgoing>, StoreError> {
    let facts = RewriteFacts::of(tx, list, id)?;
    Ok(facts.map(|facts| outgoing_of(facts, list, inbound, (id, accepted), exposure, links, delivery)))
}

/// The same with facts that are known already.
pub(in crate::ops) fn outgoing_of(
    facts: RewriteFacts,
    list: &List,
    inbound: &Inbound,
    (id, accepted): (MessageId, Timestamp),
    exposure: DmarcExposure,
    links: &Links,
    delivery: Delivery,
) -> Outgoing {
    let (names, content_names) = (facts.names(), facts.content_names());
    let signer = facts.signer_of(inbound);
    let context = RewriteContext {
        rewrite_from: exposure == DmarcExposure::Unsigned,
        ..facts.context(list, links, signer.is_some(), (id, accepted), (&names, &content_names))
    };
    let from = inbound.from.as_ref().map_or("", |from| from.address.as_str());
    let transform = |batched| {
        let context = RewriteContext { batched, ..context };
        let shared = mail::rewrite(inbound, &context);
        if exposure == DmarcExposure::Signed && !is_proven_by(&shared.kept_signers, from) {
            return mail::rewrite(inbound, &RewriteContext { rewrite_from: true, ..context });
        }
        shared
    };
    let batched = (delivery == Delivery::Batched).then(|| transform(true));
    let batched = batched.filter(|shared| !shared.has_personal_content());
    let is_batched = batched.is_some();
    let shared = batched.unwrap_or_else(|| transform(false));
    let signer = signer.unwrap_or(&facts.domain).clone();
    let RewriteFacts { domain, fields, .. } = facts;
    Outgoing { shared, domain, signer, fields, is_batched }
}

/// Whether one of the signatures is of the author's domain, or of a domain above or below it. That it is valid, and
/// that both belong to one organisation, was checked when the message came in.
fn is_proven_by(signers: &[String], author: &str) -> bool {
    let Some((_, domain)) = author.rsplit_once('@') else { return false };
    let domain = idna::domain_to_ascii(domain).unwrap_or_else(|_| domain.to_owned());
    let is_below = |one: &str, other: &str| one.strip_suffix(other).is_some_and(|rest| rest.ends_with('.'));
    signers.iter().any(|signer| *signer == domain || is_below(signer, &domain) || is_below(&domain, signer))
}
