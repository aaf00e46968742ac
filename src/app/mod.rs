//! Starts and stops the whole server: the one function through which the executable and the tests boot it.
//!
//! Listeners are bound before anything else happens, so that every wrong address is reported at once and no server
//! runs with only some of them. Stopping goes the other way: new connections are refused, work in progress ends, then
//! the writer stops, then the data file is closed. `cli::serve` ends the process then, and at the latest when a stop has
//! taken as long as it may, whatever a thread still calculates.

mod backup;
mod certificate;
mod data_file;
mod descriptors;
pub mod doctor;
mod error;
mod metrics;
pub mod passed;
mod plain;
mod previous;
mod restored;
mod shared;
mod sockets;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::http::StatusCode;
use axum::routing::{any, get};
use axum::{Router, middleware};
use tokio::net::TcpListener;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tower::ServiceExt as _;

use crate::clock::Clock;
use crate::config::{Config, DRAIN, HttpLimits, ListenAddr};
use crate::control::host::Host;
use crate::control::settings::Listening;
use crate::control::socket::Socket;
use crate::http::bodies::{self, Bodies};
use crate::http::{Endpoint, Listener};
use crate::jobs::{self, Scheduler};
use crate::net::desk::Desk;
use crate::net::dns_checker::OfflineDns;
use crate::net::hooks::HookClient;
use crate::net::https::OperatorClient;
use crate::net::tls;
use crate::net::verify::Verifier;
use crate::net::web_client::{OfflineClient, WebClient};
use crate::ops::domains::records::ServerNames;
use crate::ops::{accounts, queue};
use crate::params::people::SHEETS;
use crate::secret::Secrets;
use crate::service::Core;
use crate::service::moving;
use crate::service::rows::stored;
use crate::smtp::receive::gate::GateLimits;
use crate::smtp::receive::listener::{self, ListenerOptions};
use crate::store::{Condition, Disk, Store, StoreError, StoreOptions};
use crate::{api, http, web};
use backup::Backups;
use certificate::Keeper;
pub use data_file::{open_file, open_to_examine};
use descriptors::Shares;
pub use error::StartError;
use passed::PassedSockets;
use plain::Plain;
use shared::{Network, core_of};
use sockets::{Addresses, Bound, Listeners, bind};

/// The authorization endpoint of OAuth: a page below the path of the API.
const CONSENT_PATH: &str = "/api/2/oauth/authorize/";
/// Where HTTP listens if it has no port.
const NO_ADDRESS: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);
/// Time that a part may take to end after the drain.
const SLACK: Duration = Duration::from_secs(1);

/// A running server, all of whose listeners answer.
pub struct Running {
    /// The state that its parts share.
    pub core: Core,
    /// The listeners that answer, each with where it was bound.
    pub listening: Vec<Listening>,
    /// The address of HTTP; the unspecified one, without a port, if it is a Unix socket.
    pub http_addr: SocketAddr,
    /// The address of HTTPS, if enabled.
    pub https_addr: Option<SocketAddr>,
    /// The address of SMTP.
    pub smtp_addr: SocketAddr,
    /// The address of LMTP, if it has a port.
    pub lmtp_addr: Option<SocketAddr>,
    /// The address of submission, if enabled.
    pub submission_addr: Option<SocketAddr>,
    /// The address of `/metrics`, if enabled.
    pub metrics_addr: Option<SocketAddr>,
    /// The scheduler, which expands and delivers posts.
    pub scheduler: Scheduler,
    /// The backups that the server makes by itself.
    pub backups: Backups,
    certificate: Arc<Keeper>,
    ordering: Option<Arc<Notify>>,
    stop: watch::Sender<bool>,
    smtp: JoinHandle<()>,
    lmtp: JoinHandle<()>,
    submission: JoinHandle<()>,
    http: JoinHandle<()>,
    control: JoinHandle<()>,
}

/// Starts a server; when this returns, every listener answers.
pub async fn start(config: Config, clock: Clock, secrets: Secrets) -> Result<Running, StartError> {
    start_on(Disk::SYSTEM, config, clock, secrets).await
}

/// Starts a server that takes passed sockets in place of binding its own; otherwise the same as [`start`].
pub async fn start_passed(
    passed: PassedSockets,
    config: Config,
    clock: Clock,
    secrets: Secrets,
) -> Result<Running, StartError> {
    let listeners = bind(&config, passed).await?;
    start_listening(listeners, Disk::SYSTEM, config, clock, secrets).await
}

/// Starts a server whose data file is on a given disk, which tests can make fail; otherwise the same as [`start`].
pub async fn start_on(
    disk: Disk,
    config: Config,
    clock: Clock,
    secrets: Secrets,
) -> Result<Running, StartError> {
    let listeners = bind(&config, PassedSockets::default()).await?;
    start_listening(listeners, disk, config, clock, secrets).await
}

async fn start_listening(
    listeners: Listeners,
    disk: Disk,
    config: Config,
    clock: Clock,
    secrets: Secrets,
) -> Result<Running, StartError> {
    // The engine's memory is small pages that come and go: with huge pages of 2 MB it takes a third more memory. A
    // system without huge pages has nothing to disable.
    let _ = rustix::thread::disable_transparent_huge_pages(true);
    let descriptors_max = descriptors::raise();
    let shares = Shares::of(descriptors_max, config.http.connections_max, listeners.of_mail());
    let addresses = listeners.addresses()?;
    let base_url = config.base_url.clone().map_or_else(|| addresses.base_url(), Ok)?;
    let (core, verifier) = open_core(disk, config, clock, secrets, base_url).await?;
    let Prepared { plain, certificate, mail_tls, https_tls, socket } = prepare(&core, &addresses).await?;
    let scheduler = jobs::spawn(core.clone()).await?;
    let (stop, stopping) = watch::channel(false);
    begin_upkeep(&core, &certificate, &stopping);
    let backups = Backups::begin(core.clone(), stopping.clone());
    let listening = addresses.listening();
    let host = Host::running(&core, listening.clone(), stopping.clone());
    let control = tokio::spawn(socket.serve(host, stopping.clone()));
    let Listeners { http, https, smtp, lmtp, submission, metrics } = listeners;
    let options = listener_options(&core, mail_tls, verifier, shares);
    let lmtp = tokio::spawn(serve_lmtp(lmtp, core.clone(), options.lmtp(), stopping.clone()));
    let submission =
        tokio::spawn(serve_submission(submission, core.clone(), options.submission(), stopping.clone()));
    let smtp = tokio::spawn(listener::serve(smtp, core.clone(), options, stopping.clone()));
    let ordering = plain.order(&core, &certificate, &stopping);
    if let Some(listener) = metrics {
        // Aborted at the end of the process: a metrics request that gets no answer does no harm.
        let (counted, limits) = (Arc::clone(&core.metrics), http_limits(&core, shares.metrics));
        let (listener, router) = (Listener::Tcp(listener), metrics::router(&core));
        let endpoint = Endpoint { listener, router, refusal: web::unreadable };
        tokio::spawn(http::serve(endpoint, None, counted, limits, stopping.clone()));
    }
    let pages = router(&core);
    let https = https.map(|listener| Endpoint {
        listener: Listener::Tls(listener, https_tls),
        router: plain.answer_challenges(pages.clone()),
        refusal: web::unreadable,
    });
    let router = plain.around(pages);
    let endpoint = Endpoint { listener: http.of_http(), router, refusal: web::unreadable };
    let (counted, limits) = (Arc::clone(&core.metrics), http_limits(&core, shares.http));
    let http = tokio::spawn(http::serve(endpoint, https, counted, limits, stopping));
    let Addresses {
        http: http_addr,
        https,
        smtp: smtp_addr,
        lmtp: lmtp_addr,
        submission: by_submission,
        metrics,
    } = addresses;
    Ok(Running {
        core,
        listening,
        http_addr: http_addr.tcp().unwrap_or(NO_ADDRESS),
        https_addr: https,
        smtp_addr,
        lmtp_addr: lmtp_addr.as_ref().and_then(ListenAddr::tcp),
        submission_addr: by_submission,
        metrics_addr: metrics,
        scheduler,
        backups,
        certificate,
        ordering,
        stop,
        smtp,
        lmtp,
        submission,
        http,
        control,
    })
}

/// Opens the data file and makes the state that the parts of the server share of it, with the verifier of senders.
async fn open_core(
    disk: Disk,
    config: Config,
    clock: Clock,
    secrets: Secrets,
    base_url: String,
) -> Result<(Core, Option<Verifier>), StartError> {
    let opened = data_file::open(disk, &config, &clock, &secrets).await?;
    let verifier = verifier_of(&config);
    let network = Network {
        dns: Arc::new(Desk::new(&config, clock.clone(), verifier.clone())),
        web_client: web_client_of(&config),
        hook_client: hook_client_of(&config),
    };
    let core = core_of(opened, config, clock, secrets, base_url, network)?;
    restored::hold_queue(&core).await?;
    take_back_arrival(&core).await?;
    remember_names(&core).await;
    let (counted, used) = (Arc::clone(&core.usage), Arc::clone(&core.key_uses));
    let changes = Arc::clone(&core.unrecorded_changes);
    core.store.on_commit(Box::new(move |tx| {
        changes.record(tx)?;
        counted.keep_if_due(tx)?;
        used.keep_if_due(tx)
    }));
    metrics::watch_commits(&core);
    Ok((core, verifier))
}

/// Everything that can fail, made before the first background task.
struct Prepared {
    plain: Plain,
    certificate: Arc<Keeper>,
    mail_tls: Arc<rustls::ServerConfig>,
    https_tls: Arc<rustls::ServerConfig>,
    socket: Socket,
}

async fn prepare(core: &Core, addresses: &Addresses) -> Result<Prepared, StartError> {
    let plain = Plain::new(core, addresses);
    let certificate = Arc::new(Keeper::load(core, plain.https_port()).await?);
    let mail_tls = tls::server_config(certificate.shown())?;
    let https_tls = tls::https_config(certificate.shown())?;
    let socket = bind_control(&core.config.data_dir)?;
    Ok(Prepared { plain, certificate, mail_tls, https_tls, socket })
}

/// Begins the tasks for which a stop does not wait.
fn begin_upkeep(core: &Core, certificate: &Arc<Keeper>, stopping: &watch::Receiver<bool>) {
    tokio::spawn(core.clone().remove_accounts());
    stored::resume(core, SHEETS);
    tokio::spawn(core.clone().remove_field_values());
    tokio::spawn(wake_after_outages(core.clone(), stopping.clone()));
    tokio::spawn(Arc::clone(certificate).follow(stopping.clone()));
    tokio::spawn(previous::remove_in_time(core.clone(), stopping.clone()));
}

/// Options of the listeners for mail, with the most connections of each.
fn listener_options(
    core: &Core,
    tls: Arc<rustls::ServerConfig>,
    verifier: Option<Verifier>,
    shares: Shares,
) -> ListenerOptions {
    let options = ListenerOptions::new(&core.config, Some(tls), verifier);
    let gate = GateLimits {
        connections_max: shares.smtp.min(options.gate.connections_max),
        // A single client must leave most of the share to others.
        connections_per_address_max: options.gate.connections_per_address_max.min((shares.smtp / 4).max(1)),
        ..options.gate
    };
    ListenerOptions { metrics: Arc::clone(&core.metrics), gate, ..options }
}

/// Limits of an HTTP listener with at most this many connections.
fn http_limits(core: &Core, connections_max: usize) -> HttpLimits {
    let limits = core.config.http.clone();
    HttpLimits {
        connections_max,
        connections_per_client_max: limits.connections_per_client_max.min((connections_max / 4).max(1)),
        ..limits
    }
}

/// Makes the client for servers that the operator names; a server without any resolver has none.
fn hook_client_of(config: &Config) -> Option<Arc<HookClient>> {
    match HookClient::new(config) {
        Ok(client) => Some(Arc::new(client)),
        Err(error) => {
            tracing::warn!(error = %error, "Nothing is sent to webhooks: there is no resolver");
            None
        }
    }
}

fn web_client_of(config: &Config) -> Arc<dyn WebClient> {
    match OperatorClient::new(config) {
        Ok(client) => Arc::new(client),
        Err(error) => {
            tracing::warn!(error = %error, "No other server is asked by HTTP: there is no resolver");
            Arc::new(OfflineClient)
        }
    }
}

/// Opens the data file of a stopped server, for commands; `progress` is told of an upgrade. Blocks.
pub fn open_stopped(data_dir: &Path, progress: &mut dyn FnMut(String)) -> Result<Host, StartError> {
    let (clock, secrets) = (Clock::system(), Secrets::system());
    // The command may be meant to free space, so it may use the reserve.
    let options = StoreOptions { reserve_bytes: 0, ..StoreOptions::default() };
    let opened = open_file(data_dir, options, &clock, &secrets, progress)?;
    queue::restored::hold(&opened.store)?;
    let config = Config::on_loopback(data_dir.to_owned());
    let network =
        Network { dns: Arc::new(OfflineDns), web_client: Arc::new(OfflineClient), hook_client: None };
    let core = core_of(opened, config, clock, secrets, String::new(), network)?;
    Ok(Host::stopped(core))
}

impl Running {
    /// Resolves when the data file has failed; the process must then exit with an error.
    pub async fn failed(&self) -> StoreError {
        self.core.store.failed().await
    }

    /// Reads the operator's certificates again now, without waiting for the next check of their files, and asks for
    /// ordered ones again that were refused.
    pub fn reload(&self) {
        self.certificate.reload();
        self.ordering.iter().for_each(|ordering| ordering.notify_one());
    }

    /// The same on a thread that may block, since a file may be one that never ends.
    pub async fn reload_aside(&self) {
        self.certificate.reload_aside().await;
        self.ordering.iter().for_each(|ordering| ordering.notify_one());
    }

    /// Becomes true when it stops.
    #[must_use]
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.stop.subscribe()
    }

    /// Ends everything in order, within [`STOP_MAX`](crate::config::STOP_MAX). When this returns, the data file is
    /// closed.
    pub async fn stop(self) {
        let Running { core, scheduler, backups, stop, smtp, lmtp, submission, http, control, .. } = self;
        stop.send_replace(true);
        // All at once, so that together they take no longer than one of them. Mail that is accepted meanwhile is
        // queued, and delivered after the next start.
        tokio::join!(
            finish("SMTP", smtp),
            finish("LMTP", lmtp),
            finish("submission", submission),
            finish("HTTP", http),
            finish("commands", control),
            finish("backups", backups.into_task()),
            scheduler.stop(core.config.drain),
        );
        let (usage, key_uses) = (Arc::clone(&core.usage), Arc::clone(&core.key_uses));
        let keeping = core.store.write_reserved(move |tx| {
            usage.keep(tx)?;
            key_uses.keep(tx)
        });
        if let Err(error) = keeping.await {
            tracing::error!(error = %error, "What accounts have used of their hour, and the uses of keys, are not kept");
        }
        core.store.close().await;
    }
}

/// Waits for a part of the server to end, a little longer than a drain takes.
async fn finish(part: &'static str, mut task: JoinHandle<()>) {
    match tokio::time::timeout(DRAIN + SLACK, &mut task).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::error!(error = %error, "The part for {part} ended by a panic"),
        Err(_) => {
            tracing::warn!("The part for {part} did not end within {} s and is cut off", DRAIN.as_secs());
            task.abort();
        }
    }
}

async fn serve_lmtp(
    listener: Option<Bound>,
    core: Core,
    options: ListenerOptions,
    stopping: watch::Receiver<bool>,
) {
    match listener {
        None => {}
        Some(Bound::Tcp(listener)) => listener::serve(listener, core, options, stopping).await,
        // STARTTLS within one machine protects nothing.
        Some(Bound::Unix(listener)) => {
            listener::serve(listener, core, ListenerOptions { tls: None, ..options }, stopping).await;
        }
    }
}

async fn serve_submission(
    listener: Option<TcpListener>,
    core: Core,
    options: ListenerOptions,
    stopping: watch::Receiver<bool>,
) {
    if let Some(listener) = listener {
        listener::serve(listener, core, options, stopping).await;
    }
}

/// Takes back an account whose way in from another server was broken off with the process before.
async fn take_back_arrival(core: &Core) -> Result<(), StoreError> {
    let taking = core.clone();
    let taken_back = tokio::task::spawn_blocking(move || moving::take_back_broken_off(&taking));
    if let Some(account) = taken_back.await.map_err(|_| StoreError::Panicked)?? {
        tracing::warn!(
            account.id = account.0,
            "The way in of the account {account} was broken off, and is taken back"
        );
    }
    Ok(())
}

/// Stores this server's names for commands that are run while it is stopped. A disk that is full must not prevent the
/// start.
async fn remember_names(core: &Core) {
    let names = ServerNames::of(&core.config, core.links.base_url());
    let known = core.store.read().and_then(|tx| ServerNames::last_known(&tx));
    if known.as_ref().is_ok_and(|known| *known == names) {
        return;
    }
    if let Err(error) = core.store.write_reserved(move |tx| names.remember(tx)).await {
        tracing::warn!(error = %error, "The names of this server could not be kept for commands");
    }
}

/// Makes the verifier of senders; a server without any resolver still accepts mail.
fn verifier_of(config: &Config) -> Option<Verifier> {
    if !config.verify_senders {
        return None;
    }
    Verifier::new(config)
        .inspect_err(|error| tracing::warn!(error = %error, "Senders are not verified: there is no resolver"))
        .ok()
}

/// Wakes the scheduler as soon as the disk accepts writes again.
async fn wake_after_outages(core: Core, mut stop: watch::Receiver<bool>) {
    let mut conditions = core.store.conditions();
    let wake = async {
        while conditions.changed().await.is_ok() {
            core.store.wait_until_writable().await;
            core.wake.notify_one();
        }
    };
    tokio::select! {
        _ = stop.wait_for(|stop| *stop) => {}
        () = wake => {}
    }
}

fn bind_control(data_dir: &Path) -> Result<Socket, StartError> {
    Socket::bind(data_dir)
        .map_err(|error| StartError::Control { folder: data_dir.display().to_string(), error })
}

fn router(core: &Core) -> Router {
    let (store, bodies) = (core.store.clone(), Bodies::new(&core.config.http));
    let health = Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(move || async move { readiness(&store) }));
    // The API and the pages read bodies themselves, because their limits depend on the caller.
    let reading = middleware::from_fn_with_state(bodies.clone(), bodies::read_first);
    let pages = web::router(core.clone(), bodies.clone());
    // The page on which people decide stands among the API's paths.
    let consent = pages.clone();
    let consent = any(move |request: Request| consent.clone().oneshot(request));
    health
        .route_layer(reading)
        .merge(api::router(core.clone(), bodies, web::reference))
        .route(CONSENT_PATH, consent)
        .fallback_service(pages)
        .layer(middleware::from_fn_with_state(core.clone(), web::lead_on))
}

/// Tells load balancers whether the server accepts new work. The reasons are in the log.
fn readiness(store: &Store) -> (StatusCode, &'static str) {
    let is_set_up = || store.read().and_then(|tx| accounts::any(&tx)).unwrap_or(false);
    match store.condition() {
        Condition::Healthy if !is_set_up() => {
            (StatusCode::SERVICE_UNAVAILABLE, "there is no account: run crier setup\n")
        }
        Condition::Healthy => (StatusCode::OK, "ready\n"),
        Condition::Full { .. } => (StatusCode::SERVICE_UNAVAILABLE, "the disk is full\n"),
        Condition::Failing { .. } => (StatusCode::SERVICE_UNAVAILABLE, "the data file cannot be written\n"),
    }
}
