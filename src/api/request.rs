//! Shared parts of the resources' modules: [`GetRequest`], which one snapshot answers, and [`WriteRequest`], which
//! writes.
//!
//! The router of [`api`](super) makes and runs them.

use std::sync::Arc;

use super::auth::Principal;
use super::error::ApiError;
use super::rate::Rate;
use super::view::Answer;
use crate::model::{AccountDomain, DomainClaim};
use crate::net::dns_checker::DnsStatuses;
use crate::ops::paging::skipped;
use crate::ops::server::saved_answers::Repeatable;
use crate::ops::{OpContext, OpError, PageRequest, lists};
use crate::params::Params;
use crate::service::Core;
use crate::store::{ReadTx, StoreError, WriteTx};

/// Most rows that a read may walk on the async thread.
pub(super) const ROWS_INLINE_MAX: u64 = 5000;

/// A GET with its parameters read and checked.
pub(super) trait GetRequest: Send {
    /// Makes the answer, with the number of objects that it shows.
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError>;

    /// Whether it may walk so many rows that it must run in the blocking pool.
    fn is_long(&self, tx: &ReadTx, principal: &Principal) -> Result<bool, StoreError>;

    /// Whether it looks for messages by their words.
    fn is_search(&self) -> bool {
        false
    }

    /// Whether it reads stored mail, for which memory is taken.
    fn reads_mail(&self) -> bool {
        false
    }

    /// Finds the mail that it reads, and returns the size of what is read at a time.
    fn find_mail(&mut self, _: &ReadTx, _: &Principal) -> Result<u64, ApiError> {
        Ok(0)
    }

    /// The domains whose DNS status the answer shows.
    fn domains(&self, _: &ReadTx, _: &Principal) -> Result<Vec<AccountDomain>, ApiError> {
        Ok(Vec::new())
    }

    /// The domains of the answer that are not proven yet; their proof is looked up first.
    fn claims(&self, _: &ReadTx, _: &Principal) -> Result<Vec<DomainClaim>, ApiError> {
        Ok(Vec::new())
    }

    /// Takes the DNS status of those domains, which is looked up while no snapshot is open.
    fn set_dns(&mut self, _: DnsStatuses) {}

    /// Takes facts about the running server that the answer shows and the store does not hold.
    fn set_runtime(&mut self, _: &Core) {}

    /// The kind of its answer.
    fn kind(&self) -> Kind {
        Kind::Kept
    }
}

/// The kinds of answers to a GET.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// JSON that may be cached until something of the account changes.
    Kept,
    /// JSON that also depends on things that the account's generation does not count, and is not cached.
    Fresh,
    /// The bytes of a message.
    Mail,
}

/// One call that writes.
pub(super) struct WriteRequest<'call> {
    pub(super) core: &'call Core,
    pub(super) principal: &'call Arc<Principal>,
    pub(super) params: &'call mut Params,
    /// The charge of the call: one object is charged already.
    pub(super) rate: &'call Rate<'call>,
    /// Set where the call has an `Idempotency-Key`.
    pub(super) repeatable: Option<&'call Repeatable>,
}

impl WriteRequest<'_> {
    /// Carries out an operation in the caller's name: see [`Core::perform`].
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

/// Looks up the facts that an answer shows beside the stored data, and passes them to the request.
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

/// Whether a listing has to be filtered for a key that is limited to some lists, which may walk many rows.
pub(super) fn is_gathered(tx: &ReadTx, principal: &Principal) -> Result<bool, StoreError> {
    let is_limited = principal.caller.limits.lists().is_some();
    Ok(is_limited && ROWS_INLINE_MAX < lists::memberships_of_account(tx, &principal.caller)?)
}

/// Whether a page lies so deep that skipping the rows before it belongs into the blocking pool.
pub(super) fn is_deep(window: PageRequest) -> bool {
    match window {
        PageRequest::All | PageRequest::After { after: _, limit: _ } => false,
        PageRequest::Page { page, limit } => ROWS_INLINE_MAX < skipped(page, limit),
    }
}
