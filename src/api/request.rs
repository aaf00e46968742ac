//! What the resources of the API have in common: a question that one snapshot answers, and a call that writes.

use std::sync::Arc;

use super::auth::Principal;
use super::error::ApiError;
use super::params::Params;
use super::rate::Rate;
use super::view::Answer;
use crate::model::{AccountDomain, DomainClaim};
use crate::ops::domains::dns::DnsStatuses;
use crate::ops::paging::skipped;
use crate::ops::server::saved_answers::Repeatable;
use crate::ops::{Core, OpContext, OpError, PageRequest, lists};
use crate::store::{ReadTx, StoreError, WriteTx};

/// Rows that one read may walk on the spot.
pub(super) const ROWS_INLINE_MAX: u64 = 5000;

/// What a GET asks for, its parameters read and checked.
pub(super) trait GetRequest: Send {
    /// The answer, and how many objects it shows.
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError>;

    /// Whether it may walk so many rows that other requests should not wait for it.
    fn is_long(&self, tx: &ReadTx, principal: &Principal) -> Result<bool, StoreError>;

    /// The domains whose standing in the DNS the answer shows.
    fn domains(&self, _: &ReadTx, _: &Principal) -> Result<Vec<AccountDomain>, ApiError> {
        Ok(Vec::new())
    }

    /// The domains of the answer that wait for their proof, which is looked for first.
    fn claims(&self, _: &ReadTx, _: &Principal) -> Result<Vec<DomainClaim>, ApiError> {
        Ok(Vec::new())
    }

    /// Takes the standing of those domains, which is looked up while no snapshot is held.
    fn set_dns(&mut self, _: DnsStatuses) {}

    /// Takes what the answer shows of the running server, and not of the data.
    fn set_runtime(&mut self, _: &Core) {}

    /// What kind of answer it has.
    fn kind(&self) -> Kind {
        Kind::Kept
    }
}

/// The kinds of answers to a GET.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// JSON that stays true as long as nothing of the account changes.
    Kept,
    /// JSON that also changes with what an account's generation does not count.
    Fresh,
    /// A message as it is.
    Mail,
}

/// One call that writes.
pub(super) struct WriteRequest<'call> {
    pub(super) core: &'call Core,
    pub(super) principal: &'call Arc<Principal>,
    pub(super) params: &'call mut Params,
    /// What it costs: one object is counted already.
    pub(super) rate: &'call Rate<'call>,
    /// Set where the call has an `Idempotency-Key`.
    pub(super) repeatable: Option<&'call Repeatable>,
}

impl WriteRequest<'_> {
    /// Carries out an operation of whoever calls: see [`Core::perform`].
    pub(super) async fn perform<T, F>(&self, operation: F) -> Result<T, OpError>
    where
        T: Send + 'static,
        F: FnOnce(&mut WriteTx<'_>, &OpContext) -> Result<T, OpError> + Send + 'static,
    {
        self.core.perform(&self.principal.caller, operation).await
    }

    /// Carries out an operation that makes room: see [`Core::perform_reserved`].
    pub(super) async fn perform_reserved<T, F>(&self, operation: F) -> Result<T, OpError>
    where
        T: Send + 'static,
        F: FnOnce(&mut WriteTx<'_>, &OpContext) -> Result<T, OpError> + Send + 'static,
    {
        self.core.perform_reserved(&self.principal.caller, operation).await
    }
}

/// Tells a question what its answer shows beside the data.
pub(super) async fn inform(
    core: &Core,
    question: &mut dyn GetRequest,
    principal: &Principal,
) -> Result<(), ApiError> {
    let claims = question.claims(&core.store.read()?, principal)?;
    core.check_claims(claims).await;
    let domains = question.domains(&core.store.read()?, principal)?;
    if !domains.is_empty() {
        question.set_dns(core.dns.statuses(&domains).await);
    }
    question.set_runtime(core);
    Ok(())
}

/// Whether a listing is made of everything that a limited key sees, of which there may be much.
pub(super) fn is_gathered(tx: &ReadTx, principal: &Principal) -> Result<bool, StoreError> {
    let is_limited = principal.caller.limits.lists().is_some();
    Ok(is_limited && ROWS_INLINE_MAX < lists::memberships_of_account(tx, &principal.caller)?)
}

/// Whether a window lies so deep that its rows should be stepped over elsewhere.
pub(super) fn is_deep(window: PageRequest) -> bool {
    match window {
        PageRequest::All | PageRequest::After { after: _, limit: _ } => false,
        PageRequest::Page { page, limit } => ROWS_INLINE_MAX < skipped(page, limit),
    }
}
