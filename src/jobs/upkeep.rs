//! Does the work that becomes due by time alone, such as expiry, probes and the checks of claimed domains.
//!
//! The scheduler calls it once a minute. The work itself is in `ops`; this module only finds the kinds that are due,
//! and makes the DNS queries outside of write jobs.

use std::time::Duration;

use tokio::task::JoinSet;

use crate::ops::audit;
use crate::ops::domains::{claims, rotation};
use crate::ops::server::upkeep::{Kind, kinds};
use crate::ops::{Caller, OpError};
use crate::service::Core;
use crate::store::StoreError;

const DAY: Duration = Duration::from_hours(24);
/// Entries of the audit log that one step forgets.
const ENTRIES_PER_STEP: usize = 256;
/// Claimed domains that one step checks.
const CLAIMS_PER_STEP: usize = 16;
/// Domains whose new keys one step checks.
const LOOKS_PER_STEP: usize = 16;

/// Does one step of each kind of work that is due; returns whether there may be more to do. Work that fails is tried
/// again in the next step, and delays nothing else. While `expiry_paused`, nothing expires.
pub(super) async fn step(core: &Core, expiry_paused: bool) -> Result<bool, StoreError> {
    let now = core.now();
    let mut is_more = look_for_keys(core).await?;
    is_more |= look_for_proofs(core).await?;
    is_more |= core.look_at_web_domains().await?;
    if !expiry_paused {
        is_more |= forget_audit(core).await?;
    }
    for Kind { name, is_due, step, .. } in kinds().into_iter().filter(|kind| !(expiry_paused && kind.ends)) {
        // A job that finds nothing would cost a commit.
        if !is_due(&core.store.read()?, now)? {
            continue;
        }
        match core.perform_reserved(&Caller::of_server(), move |tx, by| step(tx, &by.mail_context, now)).await
        {
            Ok(()) => is_more = true,
            Err(error @ (StoreError::Closed | StoreError::Fatal { .. })) => return Err(error),
            Err(error) if error.is_outage() => return Err(error),
            Err(error) => tracing::error!(error = %error, "The upkeep of {name} failed"),
        }
    }
    Ok(is_more)
}

/// Forgets entries of the audit log that are older than the operator keeps them; says whether there may be more.
async fn forget_audit(core: &Core) -> Result<bool, StoreError> {
    if core.config.audit_days == 0 {
        return Ok(false);
    }
    let end = core.now().before(DAY * core.config.audit_days);
    if !audit::is_any_before(&core.store.read()?, end)? {
        return Ok(false);
    }
    core.store.write_reserved(move |tx| audit::expire(tx, end, ENTRIES_PER_STEP)).await
}

/// Asks the DNS for the records of new keys, all at once, and puts those keys to use whose records are there. If the
/// DNS does not answer, this takes some seconds. Returns whether there may be more to check.
async fn look_for_keys(core: &Core) -> Result<bool, StoreError> {
    let now = core.now();
    let waiting = rotation::to_look_for(&core.store.read()?, now, LOOKS_PER_STEP)?;
    let is_more = waiting.len() == LOOKS_PER_STEP;
    let mut looks = JoinSet::new();
    for domain in waiting {
        let core = core.clone();
        looks.spawn(async move {
            let Some(next) = &domain.next_keys else { return Ok(()) };
            let is_published = core.dns.publishes(&domain.name, &next.keys).await;
            let (id, selector) = (domain.id, next.keys.selector.clone());
            core.perform_reserved(&Caller::of_server(), move |tx, _| {
                rotation::note_look(tx, (id, &selector), is_published, now)
            })
            .await
        });
    }
    kept("new keys", looks).await?;
    Ok(is_more)
}

/// Asks the DNS for the proof of claimed domains, all at once; returns whether there may be more to check.
async fn look_for_proofs(core: &Core) -> Result<bool, StoreError> {
    let now = core.now();
    let due = claims::due(&core.store.read()?, now, CLAIMS_PER_STEP)?;
    let is_more = due.len() == CLAIMS_PER_STEP;
    let mut looks = JoinSet::new();
    for claim in due {
        let core = core.clone();
        looks.spawn(async move {
            if core.check_claim(&claim).await? {
                return Ok(());
            }
            core.perform_reserved(&Caller::of_server(), move |tx, _| claims::note_check(tx, claim.id, now))
                .await
        });
    }
    kept("the proof of a domain", looks).await?;
    Ok(is_more)
}

/// Returns an error only if the data file takes no writes: other failures are logged, and checked again later.
async fn kept(what: &str, looks: JoinSet<Result<(), OpError>>) -> Result<(), StoreError> {
    for looked in looks.join_all().await {
        match looked {
            Ok(()) => {}
            Err(OpError::Store(error @ (StoreError::Closed | StoreError::Fatal { .. }))) => {
                return Err(error);
            }
            Err(OpError::Store(error)) if error.is_outage() => return Err(error),
            Err(error) => tracing::error!(error = %error, "The check of {what} could not be stored"),
        }
    }
    Ok(())
}
