//! The state that all parts share, made of an open data file, the configuration and the network.

use std::sync::Arc;

use tokio::sync::Notify;

use crate::api::events::Bodies;
use crate::clock::Clock;
use crate::config::Config;
use crate::control::export::pages::Exports;
use crate::migrate::Opened;
use crate::net::dns_checker::DnsChecker;
use crate::net::hooks::HookClient;
use crate::net::web_client::WebClient;
use crate::oidc::Providers;
use crate::ops::domains::links::ServerLinks;
use crate::ops::metric_labels;
use crate::ops::server::auth_failures::AuthFailureLimiter;
use crate::ops::server::key_uses::KeyUses;
use crate::ops::server::usage::Usage;
use crate::secret::Secrets;
use crate::service::events::EventBell;
use crate::service::memory::ReadingMemory;
use crate::service::passwords::Passwords;
use crate::service::patterns::PatternTurns;
use crate::service::{Core, Shared};
use crate::store::StoreError;

/// The parts of the network that operations use.
pub(super) struct Network {
    pub(super) dns: Arc<dyn DnsChecker>,
    pub(super) web_client: Arc<dyn WebClient>,
    /// Sends to webhooks; `None` for commands without a running server.
    pub(super) hook_client: Option<Arc<HookClient>>,
}

/// Makes the state that all parts of a server, or a command, share.
pub(super) fn core_of(
    opened: Opened,
    config: Config,
    clock: Clock,
    secrets: Secrets,
    base_url: String,
    network: Network,
) -> Result<Core, StoreError> {
    let Network { dns, web_client, hook_client } = network;
    let providers = Arc::new(Providers::new(Arc::clone(&web_client), clock.clone()));
    let Opened { store, signer } = opened;
    let usage = Arc::new(Usage::load(&store.read()?, clock.clone())?);
    let key_uses = Arc::new(KeyUses::load(&store.read()?, clock.clone())?);
    let event_bell = EventBell::of(&store, clock.clone())?;
    let links = ServerLinks::load(&store.read()?, &config, base_url)?;
    let auth_failures = Arc::new(AuthFailureLimiter::new(clock.clone()));
    let passwords = Arc::new(Passwords::new(config.http.passwords_waiting_max));
    let patterns = Arc::new(PatternTurns::new(clock.clone()));
    let reading_memory = ReadingMemory::new(&config.http);
    Ok(Core::new(Shared {
        store,
        clock,
        secrets,
        signer,
        config: Arc::new(config),
        links: Arc::new(links),
        wake: Arc::new(Notify::new()),
        banner_wanted: Arc::new(Notify::new()),
        upkeep_wanted: Arc::new(Notify::new()),
        retry_now: Arc::new(Notify::new()),
        event_bell,
        event_bodies: &Bodies,
        hooks_changed: Arc::new(Notify::new()),
        hook_client,
        pauses: Arc::default(),
        usage,
        key_uses,
        unrecorded_changes: Arc::default(),
        auth_failures,
        passwords,
        patterns,
        reading_memory: Arc::new(reading_memory),
        dns,
        web_client,
        providers,
        exports: &Exports,
        metrics: Arc::new(metric_labels::metrics()),
    }))
}
