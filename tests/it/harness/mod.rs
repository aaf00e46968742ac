//! What every integration test starts from: the real server, with time, secrets and its relay in our hands.
//!
//! A [`TestApp`] runs on threads of its own, so that dropping it can stop it, and look at what it leaves: every
//! index, count and blob of the data file must agree, no work may be due, and the sink must have seen nothing
//! that a mail server would frown on. Each test is thereby a test of all that.

mod accounts;
pub(crate) mod contract;
pub(crate) mod data;
pub(crate) mod dns;
pub(crate) mod http;
pub(crate) mod program;
pub(crate) mod sink;
pub(crate) mod smtp;
pub(crate) mod tls;
pub(crate) mod visitor;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use crier::app::{self, Running};
use crier::clock::{Clock, Timestamp};
use crier::config::{Config, Relay};
use crier::mail::envelope::{DsnOptions, Envelope, Origin, ReversePath};
use crier::model::{AccountId, Authentication, EmailAddress, Permission, Person, Session};
use crier::ops::accounts::admins;
use crier::ops::posting::inbound::Refusal;
use crier::ops::sessions::{self, Device, NewSession, Stay};
use crier::secret::{Secrets, sha256};
use crier::service::Core;
use crier::store::fault::DiskControl;
use crier::store::{Disk, Store, StoreOptions};
use tokio::net::TcpSocket;
use tokio::runtime::Runtime;

use data::NewList;
use http::Client;
use sink::Sink;
use smtp::Reply;

/// When tests begin: 2026-11-20T12:00:00Z.
const START: Timestamp = Timestamp::from_ms(1_795_176_000_000);
/// The domain of the lists.
pub(crate) const DOMAIN: &str = "lists.example.org";

/// An address at which connections are refused. The port stays taken while the tests run: no other test listens there.
pub(crate) fn dead_addr() -> SocketAddr {
    static TAKEN: Mutex<Vec<TcpSocket>> = Mutex::new(Vec::new());
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("a free port");
    let address = socket.local_addr().expect("a bound socket has an address");
    TAKEN.lock().expect("nobody panics here").push(socket);
    address
}

/// How a [`TestApp`] differs from the usual one.
pub(crate) struct Builder {
    dns: String,
    is_dns_signed: bool,
    disk: Disk,
    config: Box<dyn FnOnce(&mut Config) + Send>,
}

impl Builder {
    /// Copies are not signed: snapshots stay readable.
    pub(crate) fn without_dkim(self) -> Builder {
        self.config(|config| config.dkim_sign = false)
    }

    /// Records of the DNS that the server asks, `name type data`, one a line; nothing else exists.
    pub(crate) fn dns(self, zone: &str) -> Builder {
        Builder { dns: format!("{}{zone}\n", self.dns), ..self }
    }

    /// Signs what the DNS says, but for what is below `free.test`, and has the server believe the signature.
    pub(crate) fn signed(self) -> Builder {
        Builder { is_dns_signed: true, ..self }
    }

    /// Keeps the data file on a disk that fails as `disk` says.
    pub(crate) fn disk(self, disk: &DiskControl) -> Builder {
        Builder { disk: Disk::rehearsed(disk), ..self }
    }

    /// Changes any setting.
    pub(crate) fn config(self, change: impl FnOnce(&mut Config) + Send + 'static) -> Builder {
        let Builder { dns, is_dns_signed, disk, config: before } = self;
        let config = Box::new(|config: &mut Config| {
            before(config);
            change(config);
        });
        Builder { dns, is_dns_signed, disk, config }
    }

    /// Starts the server.
    pub(crate) async fn start(self) -> TestApp {
        TestApp::build(self).await
    }
}

/// A running server with an account `test`, an administrator's key and a sink for its mail.
pub(crate) struct TestApp {
    /// Nobody in particular.
    pub(crate) anon: Client,
    /// The holder of a key with every permission.
    pub(crate) admin: Client,
    /// Where all mail goes.
    pub(crate) sink: Sink,
    /// What the DNS says.
    pub(crate) dns: dns::Zone,
    /// The server's time.
    pub(crate) clock: Clock,
    account: AccountId,
    disk: Disk,
    config: Config,
    secrets: Secrets,
    running: Option<Running>,
    folder: tempfile::TempDir,
    /// Answers as long as it is kept.
    _dns_server: hickory_server::Server<hickory_server::zone_handler::Catalog>,
    /// The server's own threads; none only while the application is dropped.
    runtime: Option<Runtime>,
}

impl TestApp {
    /// Starts the usual server.
    pub(crate) async fn start() -> TestApp {
        TestApp::builder().start().await
    }

    /// Starts another one.
    pub(crate) fn builder() -> Builder {
        Builder { dns: String::new(), is_dns_signed: false, disk: Disk::SYSTEM, config: Box::new(|_| ()) }
    }

    async fn build(builder: Builder) -> TestApp {
        show_log();
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(2).enable_all().build().expect("threads can be started");
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let sink = runtime.spawn(Sink::start()).await.expect("the sink starts");
        let serving = runtime.spawn(async move {
            if builder.is_dns_signed {
                let (server, addr, zone, key) = dns::serve_signed(&builder.dns).await;
                return (server, addr, zone, Some(key));
            }
            let (server, addr, zone) = dns::serve(".", &builder.dns).await;
            (server, addr, zone, None)
        });
        let (dns_server, dns_addr, dns, root_key) = serving.await.expect("the DNS server starts");
        let mut config = Config::for_tests(folder.path().to_owned());
        config.dns_server = Some(dns_addr);
        config.trust.root_key = root_key;
        let (host, port) = (sink.addr().ip().to_string(), sink.addr().port());
        config.relays = vec![Relay { host, port, implicit_tls: false, credentials: None }];
        (builder.config)(&mut config);
        let (clock, secrets) = (Clock::manual(START), Secrets::seeded(1));
        let running = boot(&runtime, &builder.disk, &config, &clock, &secrets).await;
        let account = data::create_account(&running.core, DOMAIN).await;
        let anon = Client::new(running.http_addr);
        let mut app = TestApp {
            admin: anon.clone(),
            anon,
            sink,
            dns,
            _dns_server: dns_server,
            clock,
            account: account.id,
            disk: builder.disk,
            config,
            secrets,
            running: Some(running),
            folder,
            runtime: Some(runtime),
        };
        app.admin = app.key_with(admins::all_grants()).await;
        app
    }

    pub(crate) fn running(&self) -> &Running {
        self.running.as_ref().expect("the server runs until it is dropped")
    }

    /// What the parts of the server share.
    pub(crate) fn core(&self) -> Core {
        self.running().core.clone()
    }

    /// Where the server takes mail.
    pub(crate) fn smtp_addr(&self) -> SocketAddr {
        self.running().smtp_addr
    }

    /// Where the server answers `/metrics`, which the configuration must ask for.
    pub(crate) fn metrics_addr(&self) -> SocketAddr {
        self.running().metrics_addr.expect("metrics are shown")
    }

    /// Where the server answers LMTP, which the configuration must ask for.
    pub(crate) fn lmtp_addr(&self) -> SocketAddr {
        self.running().lmtp_addr.expect("LMTP is answered on a port")
    }

    /// Where its data file and its control socket are.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Where mail is submitted, which the configuration must ask for.
    pub(crate) fn submission_addr(&self) -> SocketAddr {
        self.running().submission_addr.expect("mail is submitted on a port")
    }

    /// Has the certificate read again, as SIGHUP does.
    pub(crate) fn reload(&self) {
        self.running().reload();
    }

    /// The holder of a key with these permissions alone.
    pub(crate) async fn key_with(&self, permissions: impl IntoIterator<Item = Permission>) -> Client {
        let permissions: BTreeSet<Permission> = permissions.into_iter().collect();
        let core = &self.running().core;
        let (key, now, account) = (self.secrets.api_key(), core.now(), self.account);
        let hash = sha256(key.as_bytes());
        core.store
            .write(move |tx| {
                let kind = admins::Kind::Program { description: "test".to_owned(), cidr: Vec::new() };
                let admin = admins::create(tx, admins::NewAdmin::new(Some(account), kind, permissions), now)?;
                admins::create_key(tx, &admin, hash, None, now)
            })
            .await
            .expect("a key can be made");
        Client::with_key(self.running().http_addr, &key)
    }

    /// Signs a person of `account` in; answers the token of the session's cookie.
    pub(crate) async fn sign_in_to(&self, account: AccountId, person: Person, stay: Stay) -> String {
        let core = &self.running().core;
        let (now, (token, token_hash)) = (core.now(), sessions::new_token(&core.secrets));
        let device = Device { words: "Firefox, Linux".to_owned(), client: None };
        let new = NewSession { account, person, device, stay, token_hash };
        core.store.write(move |tx| sessions::begin(tx, new, now)).await.expect("the person is there");
        token
    }

    /// Signs a person of the account `test` in; answers the token of the session's cookie.
    pub(crate) async fn sign_in(&self, person: Person) -> String {
        self.sign_in_to(self.account, person, Stay::Usual).await
    }

    /// The session of a token, if it goes on.
    pub(crate) fn session(&self, token: &str) -> Option<Session> {
        let core = &self.running().core;
        let tx = core.store.read().expect("the file is open");
        sessions::find(&tx, token, core.now()).expect("the file can be read")
    }

    /// Begins a list; [`create`](NewList::create) makes it.
    pub(crate) fn list(&self, name: &str) -> NewList<'_> {
        NewList::new(self, name)
    }

    /// Sends one message by SMTP; answers the first refusal, else the answer to the message.
    pub(crate) async fn send_mail(&self, from: &str, to: &str, message: &str) -> Reply {
        smtp::send_mail(self.smtp_addr(), from, &[to], message).await
    }

    /// Sends one message for several recipients.
    pub(crate) async fn send_mail_to(&self, from: &str, to: &[&str], message: &str) -> Reply {
        smtp::send_mail(self.smtp_addr(), from, to, message).await
    }

    /// Hands a message to the server as if a client of the network had brought it over SMTP; `authentication` is what the
    /// checks of its sender said.
    pub(crate) async fn receive_from(
        &self,
        client: &str,
        [from, to]: [&str; 2],
        message: &str,
        authentication: Authentication,
    ) -> Result<(), Refusal> {
        let core = self.running().core.clone();
        let to = EmailAddress::parse(to).expect("an address");
        let route = core.route(&to, None)?;
        let reverse_path = EmailAddress::parse(from).map_or(ReversePath::Empty, ReversePath::Address);
        let raw = message.replace('\n', "\r\n").into_bytes();
        let envelope = Envelope {
            client: client.parse().expect("an address"),
            helo: "client.example.net".to_owned(),
            tls: false,
            reverse_path,
            recipients: vec![(to, route)],
            smtputf8: false,
            requires_tls: false,
            authentication: Authentication { is_local: false, ..authentication },
            dsn_options: DsnOptions::default(),
            origin: Origin::Client,
            proven_domains: Vec::new(),
            size_bytes: raw.len() as u64,
        };
        core.receive(envelope, raw).await
    }

    /// Waits until nothing is due and nothing under way.
    pub(crate) async fn settle(&self) {
        self.running().scheduler.settle().await;
        self.running().scheduler.finish_search().await;
    }

    /// Waits until the disk takes new work.
    pub(crate) async fn wait_until_writable(&self) {
        self.running().core.store.wait_until_writable().await;
    }

    /// Moves time, and lets everything happen that is due then.
    pub(crate) async fn advance(&self, duration: Duration) {
        self.clock.advance(duration);
        self.running().core.wake.notify_one();
        self.settle().await;
    }

    /// Stops the server and starts it again on the same folder.
    pub(crate) async fn restart(&mut self) {
        self.restart_after(|_| ()).await;
    }

    /// The same, with something done to the data file in between.
    pub(crate) async fn restart_after(&mut self, change: impl FnOnce(&Path)) {
        let config = self.halt().await;
        change(&config.data_dir.join("crier.redb"));
        let runtime = self.runtime.as_ref().expect("there until the drop");
        let running = boot(runtime, &self.disk, &self.config, &self.clock, &self.secrets).await;
        self.anon = self.anon.at(running.http_addr);
        self.admin = self.admin.at(running.http_addr);
        self.running = Some(running);
    }

    /// Stops the server for good; answers its settings, which name the folder that it leaves.
    pub(crate) async fn halt(&mut self) -> Config {
        let runtime = self.runtime.as_ref().expect("there until the drop");
        let running = self.running.take().expect("the server runs");
        runtime.spawn(running.stop()).await.expect("a stop does not panic");
        self.config.clone()
    }

    /// Stops the server and starts it again on the same folder with other settings.
    pub(crate) async fn restart_with(&mut self, change: impl FnOnce(&mut Config)) {
        change(&mut self.config);
        self.restart().await;
    }

    /// A table and its index rows as text.
    pub(crate) fn dump(&self, table: &str) -> String {
        let tx = self.running().core.store.read().expect("the file is open");
        data::dump(&tx, table)
    }
}

/// The server's log joins the output of a test that fails: from warnings on, or as `RUST_LOG` says.
fn show_log() {
    let filter = tracing_subscriber::EnvFilter::builder()
        .with_default_directive(tracing::Level::WARN.into())
        .from_env_lossy();
    // Only the first test of the process can set it.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_test_writer()
        .with_ansi(false)
        .without_time()
        .try_init();
}

async fn boot(runtime: &Runtime, disk: &Disk, config: &Config, clock: &Clock, secrets: &Secrets) -> Running {
    let starting = app::start_on(disk.clone(), config.clone(), clock.clone(), secrets.clone());
    runtime.spawn(starting).await.expect("a start does not panic").expect("the server starts")
}

impl Drop for TestApp {
    fn drop(&mut self) {
        let runtime = self.runtime.take().expect("taken here alone");
        let running = self.running.take();
        let pauses = running.as_ref().map(|running| running.core.pauses.clone()).unwrap_or_default();
        if std::thread::panicking() {
            // The first failure is the one to be told.
            runtime.shutdown_background();
            return;
        }
        let closing = async move {
            if let Some(running) = running {
                running.scheduler.settle().await;
                running.scheduler.finish_search().await;
                running.stop().await;
            }
        };
        // A test's own thread may not block for asynchronous work; another one may.
        let closed = std::thread::scope(|scope| scope.spawn(|| runtime.block_on(closing)).join());
        assert!(closed.is_ok(), "the server could not be stopped");
        let store = Store::open(&self.folder.path().join("crier.redb"), StoreOptions::default());
        let store = store.expect("the file can be opened again");
        let problems = data::problems(&store, &pauses, self.clock.now());
        assert!(problems.is_empty(), "the data file is left with {problems:#?}");
        let violations = self.sink.violations();
        assert!(violations.is_empty(), "the sink was told {violations:#?}");
        runtime.shutdown_background();
    }
}
