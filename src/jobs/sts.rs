//! Provides the MTA-STS policy of a domain: the stored one, or a fetched one if the DNS announces a newer (RFC 8461).
//!
//! Policies are kept in the data file, so that a restart forgets no protection. If fetching a new one fails, the stored
//! policy applies as long as it is valid.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::clock::Timestamp;
use crate::model::StsPolicy;
use crate::model::sts::{StsMode, StsRules};
use crate::net::sts::PolicyClient;
use crate::ops::Caller;
use crate::ops::domains::sts;
use crate::service::Core;
use crate::store::StoreError;

/// How long a policy that could not be found or fetched is not requested again (RFC 8461 3.3).
const FETCH_PAUSE: Duration = Duration::from_mins(5);
/// Domains whose failures are remembered before those whose pause is over are deleted.
const FAILURES_MAX: usize = 1024;

/// The policies of other domains.
pub(super) struct Policies {
    core: Core,
    client: PolicyClient,
    /// Allows one fetch at a time for each domain; holds when the last one failed.
    failures: Mutex<HashMap<String, Arc<tokio::sync::Mutex<Option<Timestamp>>>>>,
}

impl Policies {
    pub(super) fn new(core: Core, client: PolicyClient) -> Policies {
        Policies { core, client, failures: Mutex::default() }
    }

    /// The rules for mail to `domain`, a name in A-label form and lower case; `None` if it has none.
    pub(super) async fn of(&self, domain: &str) -> Result<Option<StsRules>, StoreError> {
        let announced = self.announced(domain).await;
        let known = self.known(domain)?;
        let policy = match (known, announced) {
            (Some(known), announced) if !known.is_stale(announced.as_deref(), self.core.now()) => Some(known),
            (known, None) => known,
            (_, Some(version)) => self.fetch(domain, &version).await?,
        };
        Ok(policy.map(|policy| policy.rules).filter(|rules| rules.mode != StsMode::None))
    }

    /// The id of the policy that the DNS announces for a domain; `None` if it could not be found out lately.
    async fn announced(&self, domain: &str) -> Option<String> {
        let turn = self.failures.lock().unwrap_or_else(PoisonError::into_inner).get(domain).cloned();
        if let Some(turn) = turn
            && turn.lock().await.is_some_and(|failed| self.is_recent(failed))
        {
            return None;
        }
        match self.client.announced(domain).await {
            Ok(announced) => announced,
            Err(error) => {
                tracing::debug!(error = %error, "Whether {domain} has an MTA-STS policy is not known");
                *self.turn(domain).lock().await = Some(self.core.now());
                None
            }
        }
    }

    fn is_recent(&self, failed: Timestamp) -> bool {
        self.core.now().since(failed) < FETCH_PAUSE
    }

    fn known(&self, domain: &str) -> Result<Option<StsPolicy>, StoreError> {
        sts::find(&self.core.store.read()?, domain, self.core.now())
    }

    /// Fetches the announced policy, unless another task just did or it failed lately; returns the stored one if that
    /// fails.
    async fn fetch(&self, domain: &str, version: &str) -> Result<Option<StsPolicy>, StoreError> {
        let turn = self.turn(domain);
        let mut failed = turn.lock().await;
        let (known, now) = (self.known(domain)?, self.core.now());
        let is_fresh = known.as_ref().is_some_and(|known| !known.is_stale(Some(version), now));
        if is_fresh || failed.is_some_and(|failed| self.is_recent(failed)) {
            return Ok(known);
        }
        match self.client.fetch(domain).await {
            Ok(rules) => {
                let (domain, version) = (domain.to_owned(), version.to_owned());
                *failed = None;
                let server = Caller::of_server();
                let keeping = self
                    .core
                    .perform_reserved(&server, move |tx, by| sts::keep(tx, &domain, &version, rules, by.now));
                keeping.await.map(Some)
            }
            Err(error) => {
                *failed = Some(now);
                tracing::warn!(error = %error, "The MTA-STS policy of {domain} could not be fetched: {error}");
                Ok(known)
            }
        }
    }

    fn turn(&self, domain: &str) -> Arc<tokio::sync::Mutex<Option<Timestamp>>> {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if FAILURES_MAX <= failures.len() {
            failures.retain(|_, turn| match turn.try_lock() {
                Ok(failed) => failed.is_some_and(|failed| self.is_recent(failed)),
                Err(_) => true,
            });
        }
        failures.entry(domain.to_owned()).or_default().clone()
    }
}
