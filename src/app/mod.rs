//! Starts and stops the whole server: the one function through which the executable and the tests boot it.
//!
//! Listeners are bound before anything else happens, so that every wrong address is reported at once and no server
//! runs with only some of them. Stopping goes the other way: new connections are refused, work in progress ends, then
//! the writer stops, then the data file is closed.

mod certificate;
mod descriptors;
mod metrics;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use axum::routing::get;
use axum::{Router, middleware};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

use crate::clock::Clock;
use crate::config::{Config, DRAIN, HttpLimits, LmtpListen};
use crate::control::host::Host;
use crate::control::socket::Socket;
use crate::http::bodies::{self, Bodies};
use crate::jobs::{self, Scheduler};
use crate::migrate::{self, OpenError, Opened};
use crate::ops::accounts::passwords::Passwords;
use crate::ops::accounts::records::ServerNames;
use crate::ops::domains::dns::{DnsChecker, OfflineDns};
use crate::ops::domains::links::ServerLinks;
use crate::ops::patterns::Patterns;
use crate::ops::server::auth_failures::AuthFailureLimiter;
use crate::ops::server::usage::Usage;
use crate::ops::{Core, accounts, metric_labels};
use crate::secret::Secrets;
use crate::smtp::desk::Desk;
use crate::smtp::gate::GateLimits;
use crate::smtp::listener::{self, ListenerOptions};
use crate::smtp::socket::bind_unix;
use crate::smtp::tls::{self, TlsError};
use crate::smtp::verify::Verifier;
use crate::store::{Condition, Disk, Store, StoreError, StoreOptions};
use crate::{api, http, web};
use certificate::Keeper;
use descriptors::Shares;

/// Time that a part may take to end after the drain.
const SLACK: Duration = Duration::from_secs(1);

/// The reason why the server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Some addresses cannot be listened on; each has its reason.
    #[error("{}", problems.join("\n"))]
    Bind {
        /// At least one.
        problems: Vec<String>,
    },
    /// The data file cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The data file failed while the server was starting.
    #[error("the data file failed: {0}")]
    Store(#[from] StoreError),
    /// The certificate or its key cannot be used.
    #[error("the certificate for mail's TLS cannot be used: {0}")]
    Tls(#[from] TlsError),
    /// A file of the certificate cannot be read.
    #[error("{file} cannot be read: {error}")]
    TlsFile {
        /// Its path.
        file: String,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// The local socket for commands cannot be made.
    #[error("the control socket in {folder} cannot be made: {error}")]
    Control {
        /// The data folder.
        folder: String,
        /// The error of the operating system.
        error: std::io::Error,
    },
}

/// A running server, all of whose listeners answer.
pub struct Running {
    /// The state that its parts share.
    pub core: Core,
    /// The address of HTTP.
    pub http_addr: SocketAddr,
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
    certificate: Arc<Keeper>,
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

/// Starts a server whose data file is on a given disk, which tests can make fail; otherwise the same as [`start`].
pub async fn start_on(
    disk: Disk,
    config: Config,
    clock: Clock,
    secrets: Secrets,
) -> Result<Running, StartError> {
    // The engine's memory is small pages that come and go: with huge pages of 2 MB it takes a third more memory. A
    // system without huge pages has nothing to disable.
    let _ = rustix::thread::disable_transparent_huge_pages(true);
    let descriptors_max = descriptors::raise();
    let listeners = bind(&config).await?;
    let shares = Shares::of(descriptors_max, config.http.connections_max, listeners.of_mail());
    let http_addr = local_addr(&listeners.http)?;
    let smtp_addr = local_addr(&listeners.smtp)?;
    let lmtp_addr = listeners.lmtp.as_ref().and_then(Lmtp::address);
    let submission_addr = listeners.submission.as_ref().map(local_addr).transpose()?;
    let metrics_addr = listeners.metrics.as_ref().map(local_addr).transpose()?;
    let Opened { store, signer } = open(disk, &config, &secrets).await?;
    let base_url = config.base_url.clone().unwrap_or_else(|| format!("http://{http_addr}"));
    let verifier = verifier_of(&config);
    let dns = Arc::new(Desk::new(&config, clock.clone(), verifier.clone()));
    let core = core_of(Opened { store, signer }, config, clock, secrets, base_url, dns)?;
    remember_names(&core).await;
    let counted = Arc::clone(&core.usage);
    core.store.on_commit(Box::new(move |tx| counted.keep_if_due(tx)));
    metrics::watch_commits(&core);
    // Everything that can fail comes before the first background task.
    let certificate = Arc::new(Keeper::load(&core).await?);
    let tls = tls::server_config(certificate.shown())?;
    let socket = bind_control(&core.config.data_dir)?;
    let scheduler = jobs::spawn(core.clone()).await?;
    tokio::spawn(core.clone().remove_accounts());
    tokio::spawn(core.clone().remove_field_values());
    let (stop, stopping) = watch::channel(false);
    tokio::spawn(wake_after_outages(core.clone(), stopping.clone()));
    let control = tokio::spawn(socket.serve(host_of(&core), stopping.clone()));
    let options = listener_options(&core, tls, verifier, shares);
    let lmtp = tokio::spawn(serve_lmtp(listeners.lmtp, core.clone(), options.lmtp(), stopping.clone()));
    let submission =
        serve_submission(listeners.submission, core.clone(), options.submission(), stopping.clone());
    let submission = tokio::spawn(submission);
    let smtp = tokio::spawn(listener::serve(listeners.smtp, core.clone(), options, stopping.clone()));
    tokio::spawn(Arc::clone(&certificate).follow(stopping.clone()));
    if let Some(listener) = listeners.metrics {
        // Aborted at the end of the process: a metrics request that gets no answer does no harm.
        let (counted, limits) = (Arc::clone(&core.metrics), http_limits(&core, shares.metrics));
        tokio::spawn(http::serve(listener, metrics::router(&core), counted, limits, stopping.clone()));
    }
    let (counted, limits) = (Arc::clone(&core.metrics), http_limits(&core, shares.http));
    let http = tokio::spawn(http::serve(listeners.http, router(&core), counted, limits, stopping));
    Ok(Running {
        core,
        http_addr,
        smtp_addr,
        lmtp_addr,
        submission_addr,
        metrics_addr,
        scheduler,
        certificate,
        stop,
        smtp,
        lmtp,
        submission,
        http,
        control,
    })
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

fn core_of(
    opened: Opened,
    config: Config,
    clock: Clock,
    secrets: Secrets,
    base_url: String,
    dns: Arc<dyn DnsChecker>,
) -> Result<Core, StoreError> {
    let Opened { store, signer } = opened;
    let usage = Arc::new(Usage::load(&store.read()?, clock.clone())?);
    let links = ServerLinks::load(&store.read()?, &config, base_url)?;
    let auth_failures = Arc::new(AuthFailureLimiter::new(clock.clone()));
    let passwords = Arc::new(Passwords::new(config.http.passwords_waiting_max));
    let patterns = Arc::new(Patterns::new(clock.clone()));
    Ok(Core {
        store,
        clock,
        secrets,
        signer,
        config: Arc::new(config),
        links: Arc::new(links),
        wake: Arc::new(Notify::new()),
        banner_wanted: Arc::new(Notify::new()),
        retry_now: Arc::new(Notify::new()),
        pauses: Arc::default(),
        usage,
        auth_failures,
        passwords,
        patterns,
        reading_memory: Arc::default(),
        dns,
        metrics: Arc::new(metric_labels::metrics()),
    })
}

/// Opens the data file of a stopped server, for commands. Blocks.
pub fn open_stopped(data_dir: &Path) -> Result<Host, StartError> {
    let (clock, secrets) = (Clock::system(), Secrets::system());
    // The command may be meant to free space, so it may use the reserve.
    let options = StoreOptions { reserve_bytes: 0, ..StoreOptions::default() };
    let opened = migrate::open(data_dir, options, &secrets)?;
    let config = Config::on_loopback(data_dir.to_owned());
    let core = core_of(opened, config, clock, secrets, String::new(), Arc::new(OfflineDns))?;
    Ok(Host { core, hostname: None })
}

impl Running {
    /// Resolves when the data file has failed; the process must then exit with an error.
    pub async fn failed(&self) -> StoreError {
        self.core.store.failed().await
    }

    /// Reads the operator's certificate again now, without waiting for the next check of its files.
    pub fn reload(&self) {
        self.certificate.reload();
    }

    /// Ends everything in order, within [`STOP_MAX`](crate::config::STOP_MAX). When this returns, the data file is
    /// closed.
    pub async fn stop(self) {
        let Running { core, scheduler, stop, smtp, lmtp, submission, http, control, .. } = self;
        stop.send_replace(true);
        // All at once, so that together they take no longer than one of them. Mail that is accepted meanwhile is
        // queued, and delivered after the next start.
        tokio::join!(
            finish("SMTP", smtp),
            finish("LMTP", lmtp),
            finish("submission", submission),
            finish("HTTP", http),
            finish("commands", control),
            scheduler.stop(core.config.drain),
        );
        let usage = Arc::clone(&core.usage);
        if let Err(error) = core.store.write_reserved(move |tx| usage.keep(tx)).await {
            tracing::error!(error = %error, "What accounts have used of their hour is not kept");
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

/// All listeners of a server.
struct Listeners {
    http: TcpListener,
    smtp: TcpListener,
    lmtp: Option<Lmtp>,
    submission: Option<TcpListener>,
    metrics: Option<TcpListener>,
}

impl Listeners {
    /// Number of listeners for mail.
    fn of_mail(&self) -> usize {
        1 + usize::from(self.lmtp.is_some()) + usize::from(self.submission.is_some())
    }
}

/// The listener for LMTP.
enum Lmtp {
    Tcp(TcpListener),
    Unix(UnixListener),
}

impl Lmtp {
    fn address(&self) -> Option<SocketAddr> {
        match self {
            Lmtp::Tcp(listener) => listener.local_addr().ok(),
            Lmtp::Unix(_) => None,
        }
    }
}

/// Binds every listener, or returns the errors of all that cannot be bound.
async fn bind(config: &Config) -> Result<Listeners, StartError> {
    let mut problems = Vec::new();
    let http = bind_one("--http-listen", config.http_listen, &mut problems).await;
    let smtp = bind_one("--smtp-listen", config.smtp_listen, &mut problems).await;
    let lmtp = match &config.lmtp_listen {
        None => None,
        Some(LmtpListen::Tcp(address)) => {
            bind_one("--lmtp-listen", *address, &mut problems).await.map(Lmtp::Tcp)
        }
        Some(LmtpListen::Unix(path)) => bind_unix(path)
            .map_err(|error| {
                problems.push(format!("--lmtp-listen unix:{} cannot be used: {error}", path.display()));
            })
            .ok()
            .map(Lmtp::Unix),
    };
    let submission = match config.submission_listen {
        Some(address) => bind_one("--submission-listen", address, &mut problems).await,
        None => None,
    };
    let metrics = match config.metrics_listen {
        Some(address) => bind_one("--metrics-listen", address, &mut problems).await,
        None => None,
    };
    match (http, smtp) {
        (Some(http), Some(smtp)) if problems.is_empty() => {
            Ok(Listeners { http, smtp, lmtp, submission, metrics })
        }
        _ => Err(StartError::Bind { problems }),
    }
}

async fn serve_lmtp(
    listener: Option<Lmtp>,
    core: Core,
    options: ListenerOptions,
    stopping: watch::Receiver<bool>,
) {
    match listener {
        None => {}
        Some(Lmtp::Tcp(listener)) => listener::serve(listener, core, options, stopping).await,
        // STARTTLS within one machine protects nothing.
        Some(Lmtp::Unix(listener)) => {
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

async fn bind_one(flag: &str, address: SocketAddr, problems: &mut Vec<String>) -> Option<TcpListener> {
    let hint = |error: &std::io::Error| match error.kind() {
        std::io::ErrorKind::AddrInUse => "; another program listens there",
        std::io::ErrorKind::AddrNotAvailable => "; this machine does not have that address",
        std::io::ErrorKind::PermissionDenied => "; ports below 1024 need a privilege, 8080 or 2525 do not",
        _ => "",
    };
    TcpListener::bind(address)
        .await
        .map_err(|error| problems.push(format!("{flag} {address} cannot be used: {error}{}", hint(&error))))
        .ok()
}

fn local_addr(listener: &TcpListener) -> Result<SocketAddr, StartError> {
    listener.local_addr().map_err(|error| StartError::Bind { problems: vec![error.to_string()] })
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

/// Opens the data file in the blocking pool, because opening walks the whole file after a crash.
async fn open(disk: Disk, config: &Config, secrets: &Secrets) -> Result<Opened, StartError> {
    let (data_dir, secrets) = (config.data_dir.clone(), secrets.clone());
    let options =
        StoreOptions { cache_bytes: config.cache_bytes, reserve_bytes: config.disk_reserve_bytes, disk };
    let opened = tokio::task::spawn_blocking(move || migrate::open(&data_dir, options, &secrets));
    Ok(opened.await.map_err(|_| StoreError::Panicked)??)
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

fn host_of(core: &Core) -> Host {
    Host { core: core.clone(), hostname: Some(core.config.hostname.clone()) }
}

fn router(core: &Core) -> Router {
    let (store, bodies) = (core.store.clone(), Bodies::new(&core.config.http));
    let health = Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(move || async move { readiness(&store) }));
    // The API and the pages read bodies themselves, because their limits depend on the caller.
    let reading = middleware::from_fn_with_state(bodies.clone(), bodies::read_first);
    let pages = web::router(core.clone(), bodies.clone());
    health
        .route_layer(reading)
        .merge(api::router(core.clone(), bodies, web::reference))
        .fallback_service(pages)
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
