//! The state that edges share to reach the operations, and the one way to carry an operation out.
//!
//! [`Core::perform`] gives an operation its [`OpContext`], runs it in a write job, and wakes the scheduler once the job
//! is durable, if it put mail into the queue. Administrators are told in the same job of what it announced. Edges call
//! it and never do these steps themselves.

use std::ops::Deref;
use std::sync::Arc;

use tokio::sync::Notify;

use super::events::{EventBell, EventBodies};
use super::exports::ExportMaker;
use super::memory::ReadingMemory;
use super::passwords::Passwords;
use super::patterns::PatternTurns;
use crate::clock::{Clock, Timestamp};
use crate::config::Config;
use crate::metrics::Metrics;
use crate::model::{
    AccountDeletion, Announcement, Banner, Batch, DomainClaim, Erasure, FanOut, Message, Welcome,
};
use crate::net::dns_checker::DnsChecker;
use crate::net::hooks::HookClient;
use crate::net::web_client::WebClient;
use crate::oidc::Providers;
use crate::ops::archive::messages::UnrecordedChanges;
use crate::ops::context::{MailContext, OpContext};
use crate::ops::domains::links::ServerLinks;
use crate::ops::moderation::announcements;
use crate::ops::queue::pauses::Pauses;
use crate::ops::server::auth_failures::AuthFailureLimiter;
use crate::ops::server::key_uses::KeyUses;
use crate::ops::server::usage::Usage;
use crate::ops::{Caller, audit, events};
use crate::secret::{Secrets, Signer};
use crate::store::{Store, StoreError, WriteTx};

/// Events of which administrators are told in the job of their cause; the upkeep tells the others within a minute.
const TOLD_AT_ONCE: usize = 8;

/// The state that every edge of the server shares. Each request takes it along, so a clone is one count.
#[derive(Debug, Clone)]
pub struct Core {
    shared: Arc<Shared>,
}

impl Deref for Core {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.shared
    }
}

/// What a [`Core`] shares: the store, time, secrets, configuration, and the scheduler's wake-up.
#[derive(Debug, Clone)]
pub struct Shared {
    /// All data.
    pub store: Store,
    /// Time.
    pub clock: Clock,
    /// Randomness.
    pub secrets: Secrets,
    /// Signs the tokens of links and envelope senders.
    pub signer: Signer,
    /// The operator's configuration.
    pub config: Arc<Config>,
    /// Makes the links of every account.
    pub links: Arc<ServerLinks>,
    /// Notified when there is new work for the scheduler.
    pub wake: Arc<Notify>,
    /// Notified when an account names another banner, which is to be fetched.
    pub banner_wanted: Arc<Notify>,
    /// Notified when there is work that the upkeep would find within a minute, and somebody waits for it.
    pub upkeep_wanted: Arc<Notify>,
    /// Notified when the operator has changed the queue, so that paused destinations are tried at once.
    pub retry_now: Arc<Notify>,
    /// Wakes those who follow events.
    pub event_bell: Arc<EventBell>,
    /// Makes the bodies of webhooks.
    pub event_bodies: &'static dyn EventBodies,
    /// Notified when a webhook was made, changed or deleted.
    pub hooks_changed: Arc<Notify>,
    /// Sends to webhooks; `None` without a network.
    pub hook_client: Option<Arc<HookClient>>,
    /// The destinations that are paused.
    pub pauses: Arc<Pauses>,
    /// The objects that accounts have read and changed in this hour.
    pub usage: Arc<Usage>,
    /// When API keys were last used.
    pub key_uses: Arc<KeyUses>,
    /// Changes to messages that are not recorded yet.
    pub unrecorded_changes: Arc<UnrecordedChanges>,
    /// The authentications that failed.
    pub auth_failures: Arc<AuthFailureLimiter>,
    /// Hashes the passwords of people.
    pub passwords: Arc<Passwords>,
    /// Judges the patterns of lists and accounts.
    pub patterns: Arc<PatternTurns>,
    /// Shares out the memory in which stored mail is read.
    pub reading_memory: Arc<ReadingMemory>,
    /// Asks the DNS.
    pub dns: Arc<dyn DnsChecker>,
    /// Sends requests to servers that the operator names.
    pub web_client: Arc<dyn WebClient>,
    /// Signs administrators in at providers of identities.
    pub providers: Arc<Providers>,
    /// Makes the files of exports.
    pub exports: &'static dyn ExportMaker<Core>,
    /// The server's metrics.
    pub metrics: Arc<Metrics>,
}

impl Core {
    /// The core of a server that shares this.
    #[must_use]
    pub fn new(shared: Shared) -> Core {
        Core { shared: Arc::new(shared) }
    }

    /// The same with another clock.
    #[cfg(test)]
    pub(crate) fn with_clock(&self, clock: Clock) -> Core {
        Core::new(Shared { clock, ..Shared::clone(self) })
    }

    /// The present time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The context of an operation of `caller`.
    #[must_use]
    pub fn context(&self, caller: &Arc<Caller>) -> OpContext {
        OpContext { caller: Arc::clone(caller), mail_context: self.mail_context(), now: self.now() }
    }

    /// The context in which a write job writes mail.
    #[must_use]
    pub fn mail_context(&self) -> MailContext {
        MailContext {
            links: Arc::clone(&self.links),
            signer: self.signer.clone(),
            config: Arc::clone(&self.config),
            metrics: Arc::clone(&self.metrics),
        }
    }

    /// Carries an operation out in a write job: when this returns, its changes are durable or none of them remains. The
    /// scheduler is woken if the job put mail into the queue, even if the caller stopped waiting. An operation is
    /// refused while the disk is nearly full.
    pub async fn perform<T, E, F>(&self, caller: &Arc<Caller>, operation: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut WriteTx<'_>, &OpContext) -> Result<T, E> + Send + 'static,
    {
        Ok(self.store.write(self.job(caller, operation)).await?.value)
    }

    /// Like [`perform`](Core::perform), for operations that end work or free space: they run even if the disk is nearly
    /// full.
    pub async fn perform_reserved<T, E, F>(&self, caller: &Arc<Caller>, operation: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut WriteTx<'_>, &OpContext) -> Result<T, E> + Send + 'static,
    {
        Ok(self.store.write_reserved(self.job(caller, operation)).await?.value)
    }

    /// Hands an operation to the writer; the returned future resolves as [`perform`](Core::perform) does. Operations
    /// that are handed over one after the other run in that order and share commits.
    pub async fn perform_in_order<T, E, F>(
        &self,
        caller: &Arc<Caller>,
        operation: F,
    ) -> impl Future<Output = Result<T, E>> + Send + use<T, E, F>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut WriteTx<'_>, &OpContext) -> Result<T, E> + Send + 'static,
    {
        let done = self.store.submit(self.job(caller, operation)).await;
        async move { Ok(done.await?.value) }
    }

    /// Like [`perform_in_order`](Core::perform_in_order), for operations that end work or free space.
    pub async fn perform_reserved_in_order<T, E, F>(
        &self,
        caller: &Arc<Caller>,
        operation: F,
    ) -> impl Future<Output = Result<T, E>> + Send + use<T, E, F>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut WriteTx<'_>, &OpContext) -> Result<T, E> + Send + 'static,
    {
        let done = self.store.submit_reserved(self.job(caller, operation)).await;
        async move { Ok(done.await?.value) }
    }

    /// Like [`perform`](Core::perform), for threads that may block.
    ///
    /// # Panics
    /// In asynchronous code, which must not block.
    pub fn perform_blocking<T, E, F>(&self, caller: &Arc<Caller>, operation: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut WriteTx<'_>, &OpContext) -> Result<T, E> + Send + 'static,
    {
        Ok(self.store.write_blocking(self.job(caller, operation))?.value)
    }

    /// Like [`perform_reserved`](Core::perform_reserved), for threads that may block.
    ///
    /// # Panics
    /// In asynchronous code, which must not block.
    pub fn perform_reserved_blocking<T, E, F>(&self, caller: &Arc<Caller>, operation: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut WriteTx<'_>, &OpContext) -> Result<T, E> + Send + 'static,
    {
        Ok(self.store.write_reserved_blocking(self.job(caller, operation))?.value)
    }

    /// The write job that every variant of `perform` runs.
    fn job<T, E, F>(
        &self,
        caller: &Arc<Caller>,
        operation: F,
    ) -> impl FnOnce(&mut WriteTx<'_>) -> Result<Done<T>, E> + Send + use<T, E, F>
    where
        E: From<StoreError>,
        F: FnOnce(&mut WriteTx<'_>, &OpContext) -> Result<T, E> + Send,
    {
        let (context, wake) = (self.context(caller), Arc::clone(&self.wake));
        let banner_wanted = Arc::clone(&self.banner_wanted);
        let upkeep_wanted = Arc::clone(&self.upkeep_wanted);
        move |tx| {
            events::act(tx, &context.caller);
            let value = operation(tx, &context)?;
            audit::require_note(tx, &context.caller);
            if tx.has_changed::<Announcement>() {
                announcements::write_due(tx, &context.mail_context, context.now, TOLD_AT_ONCE)?;
            }
            // A message that nobody gets is to be found by search all the same.
            let has_work =
                tx.has_changed::<Batch>() || tx.has_changed::<FanOut>() || tx.has_changed::<Message>();
            let is_waited_for = tx.has_changed::<Erasure>()
                || tx.has_changed::<Welcome>()
                || tx.has_changed::<DomainClaim>()
                || tx.has_changed::<AccountDeletion>();
            let wakes = [
                // A bell that is made rings when it is dropped.
                has_work.then(|| Bell(wake)),
                tx.has_changed::<Banner>().then(|| Bell(banner_wanted)),
                is_waited_for.then(|| Bell(upkeep_wanted)),
            ];
            Ok(Done { value, _wakes: wakes })
        }
    }
}

/// The result of an operation. The writer hands it over after the commit, or drops it if nobody waits any more: the
/// scheduler is woken either way.
struct Done<T> {
    value: T,
    _wakes: [Option<Bell>; 3],
}

/// Wakes the scheduler when it is dropped.
struct Bell(Arc<Notify>);

impl Drop for Bell {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}
