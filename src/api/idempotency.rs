//! Repeated POSTs with an `Idempotency-Key`: they get the first answer again, and nothing is done twice
//! (`spec/api.md` 1).
//!
//! The router of [`api`](super) and the resources' modules call it. The answers are stored by `ops::server`.

use axum::body::Bytes;
use axum::http::HeaderMap;

use super::auth::Principal;
use super::error::ApiError;
use super::request::WriteRequest;
use crate::ops::server::saved_answers::{self, Repeatable};
use crate::ops::{Caller, OpContext, OpError, Wrong};
use crate::params::Params;
use crate::secret;
use crate::service::Core;
use crate::store::{StoreError, WriteTx};

/// The name of the header.
const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// Longest key, in characters.
const KEY_CHARS_MAX: usize = 255;

/// The call with its key and the hash of its parameters; `None` if it has no key.
pub(super) async fn repeatable(
    headers: &HeaderMap,
    path: &str,
    principal: &Principal,
    params: &mut Params,
) -> Result<Option<Repeatable>, ApiError> {
    let (Some(value), Some(admin)) = (headers.get(IDEMPOTENCY_KEY), principal.caller.actor().kind.admin())
    else {
        return Ok(None);
    };
    let key = value.to_str().ok().filter(|key| (1..=KEY_CHARS_MAX).contains(&key.len()));
    let Some(key) = key else {
        let problem = Wrong::RepeatKeyForm { max: KEY_CHARS_MAX };
        return Err(OpError::invalid("Idempotency-Key", problem).into());
    };
    let asked = (path.to_owned(), std::mem::take(params));
    // A message can be megabytes: it is hashed in the blocking pool.
    let hashing = tokio::task::spawn_blocking(move || {
        let (path, params) = asked;
        // Hashes the parameters and not the body: a multipart form has other bytes each time.
        (secret::sha256_text(format_args!("{path}\n{params:?}")), params)
    });
    let request;
    (request, *params) = hashing.await.map_err(|_| ApiError::internal())?;
    Ok(Some(Repeatable { account: principal.caller.account, admin, key: key.to_owned(), request }))
}

/// Returns the saved answer if the call was answered before.
pub(super) fn answered(core: &Core, call: &Repeatable) -> Result<Option<Bytes>, ApiError> {
    Ok(saved_answers::answer(&core.store.read()?, call)?.map(Bytes::from))
}

/// Saves the answer of a call that took several write jobs; for a single job, [`WriteRequest::once`] has done so.
pub(super) async fn keep(core: &Core, call: Repeatable, answer: &Bytes) -> Result<(), ApiError> {
    if answered(core, &call)?.is_some() {
        return Ok(());
    }
    let (answer, server) = (answer.clone(), Caller::of_server());
    let keeping = core.perform(&server, move |tx, by| saved_answers::keep(tx, &call, &answer, by.now));
    keeping.await.map_err(|error: StoreError| error.into())
}

impl WriteRequest<'_> {
    /// Does the work of a POST in one write job and shows its result. With an `Idempotency-Key` the answer is saved
    /// in the same job, so that both are stored or neither.
    pub(super) async fn once<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut WriteTx<'_>, &OpContext) -> Result<T, OpError> + Send + 'static,
        show: impl FnOnce(&T) -> Result<Bytes, ApiError> + Send + 'static,
    ) -> Result<Bytes, ApiError> {
        let Some(call) = self.repeatable.cloned() else {
            // Others wait for the write job, so the answer is made after it.
            return show(&self.perform(work).await?);
        };
        let job = self.core.perform(&self.principal.caller, move |tx, by| -> Result<Bytes, ApiError> {
            if let Some(answer) = saved_answers::answer(tx, &call)? {
                return Ok(answer.into());
            }
            let answer = show(&work(tx, by)?)?;
            saved_answers::keep(tx, &call, &answer, by.now)?;
            Ok(answer)
        });
        job.await
    }
}
