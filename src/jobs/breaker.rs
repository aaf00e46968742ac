//! Counts the copies of a message that a provider refuses as unwanted, and holds back the rest of them.
//!
//! `ops::delivery::provider_blocks` makes the decision; it is made here while copies are under way, and applies to
//! every connection at once. An accepted copy costs one look at a flag.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::JoinHandle;

use crate::model::{AccountId, MessageId};
use crate::ops::delivery::provider_blocks::{self, Refusals, refusals_max};
use crate::ops::{Caller, OpError};
use crate::service::Core;
use crate::store::StoreError;

/// Pairs of message and provider with counted refusals, before those that are not held back are deleted.
const COUNTED_MAX: usize = 1024;

type Provider = (MessageId, String);

/// The refusals of one message by one provider.
struct Standing {
    refused: u64,
    /// Refusals beyond which the decision is made again.
    refused_max: u64,
    /// The reason why the rest is held back, if it is.
    held_back: Option<String>,
}

/// The refusals of all messages being sent.
#[derive(Default)]
pub(super) struct Breaker {
    standings: Mutex<HashMap<Provider, Standing>>,
    /// Whether any message is held back.
    is_any_held_back: AtomicBool,
}

/// A refusal that may be one too many, so that the whole message must be checked.
pub(super) struct SuspectedBlock {
    account: AccountId,
    provider: Provider,
    refused: u64,
    reason: String,
}

impl Breaker {
    /// Begins with the blocks stored in the data file.
    pub(super) fn load(core: &Core) -> Result<Breaker, StoreError> {
        let breaker = Breaker::default();
        for holdback in provider_blocks::all(&core.store.read()?)? {
            breaker.hold_back((holdback.message, holdback.provider), &holdback.reason);
        }
        Ok(breaker)
    }

    /// The reason why a copy is held back, if it is.
    pub(super) fn held_back(&self, message: MessageId, provider: &str) -> Option<String> {
        if !self.is_any_held_back.load(Ordering::Acquire) {
            return None;
        }
        let standings = self.standings.lock().unwrap_or_else(PoisonError::into_inner);
        let standing = standings.get(&(message, provider.to_owned()))?;
        let reason = standing.held_back.as_ref()?;
        Some(format!("held back: {provider} refuses this message ({reason})"))
    }

    /// Counts a refusal; returns a suspicion if it is time to check the whole message.
    pub(super) fn count(
        &self,
        account: AccountId,
        message: MessageId,
        provider: &str,
        reason: &str,
    ) -> Option<SuspectedBlock> {
        let mut standings = self.standings.lock().unwrap_or_else(PoisonError::into_inner);
        if COUNTED_MAX <= standings.len() {
            standings.retain(|_, standing| standing.held_back.is_some());
        }
        let provider = (message, provider.to_owned());
        let first = || Standing { refused: 0, refused_max: refusals_max(0), held_back: None };
        let standing = standings.entry(provider.clone()).or_insert_with(first);
        standing.refused += 1;
        let refused = standing.refused;
        let is_known = standing.held_back.is_some() || refused <= standing.refused_max;
        (!is_known).then(|| SuspectedBlock { account, provider, refused, reason: reason.to_owned() })
    }

    /// Sets the number of refusals up to which no check is needed.
    fn allow(&self, provider: &Provider, refused_max: u64) {
        let mut standings = self.standings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(standing) = standings.get_mut(provider) {
            standing.refused_max = standing.refused_max.max(refused_max);
        }
    }

    fn hold_back(&self, provider: Provider, reason: &str) {
        let mut standings = self.standings.lock().unwrap_or_else(PoisonError::into_inner);
        let first = || Standing { refused: 0, refused_max: 0, held_back: None };
        let standing = standings.entry(provider).or_insert_with(first);
        standing.held_back = Some(reason.to_owned());
        self.is_any_held_back.store(true, Ordering::Release);
    }
}

impl SuspectedBlock {
    /// Checks the whole message in a task of its own, and holds the rest of it back from the provider if that refuses
    /// too much of it.
    pub(super) fn look_into(self, core: Core, breaker: Arc<Breaker>) -> JoinHandle<()> {
        tokio::spawn(async move {
            if let Err(error) = self.decide(&core, &breaker).await {
                tracing::error!(error = %error, "Whether a provider refuses a message could not be determined");
            }
        })
    }

    async fn decide(self, core: &Core, breaker: &Breaker) -> Result<(), OpError> {
        let SuspectedBlock { account, provider, refused, reason } = self;
        let (store, routing, wanted) = (core.store.clone(), core.config.routing(), provider.clone());
        let counting = tokio::task::spawn_blocking(move || {
            provider_blocks::copies_of(&store.read()?, account, wanted.0, &wanted.1, routing)
        });
        let copies = counting.await.map_err(|_| StoreError::Panicked)??.max(refused);
        let refused_max = refusals_max(copies);
        if refused <= refused_max {
            breaker.allow(&provider, refused_max);
            return Ok(());
        }
        breaker.hold_back(provider.clone(), &reason);
        let (message, provider) = provider;
        tracing::warn!(
            message.id = message.0,
            delivery.provider = provider,
            "{provider} refused {refused} of {copies} copies of message {message}; the rest is held back: {reason}"
        );
        let refusals = Refusals { account, message, provider, refused, copies, reason };
        core.perform_reserved(&Caller::of_server(), move |tx, by| {
            provider_blocks::hold_back(tx, &by.mail_context, &refusals, by.now)
        })
        .await?;
        Ok(())
    }
}
