//! `crier demo`: the whole product in one command, on this machine only.
//!
//! It runs a server over sample data, whose relay is a sink in this process; a page shows the mail that the sink
//! receives. It needs no root, no DNS and no network, and sends nothing to the outside.

mod archive;
mod page;
mod report;
mod sample;
mod sign_in;
mod sink;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use clap::builder::BoolishValueParser;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::Failure;
use super::logging::{LevelFilter, LogArgs};
use super::serve::{Signals, runtime};
use super::temporary::TemporaryFolder;
use super::terminal::say;
use super::values::{Problems, parse_listen};
use crate::app::{self, Running};
use crate::clock::Clock;
use crate::config::{Config, ListenAddr, Relay};
use crate::model::DkimKeys;
use crate::ops::OpError;
use crate::secret::{self, Secrets};
use report::Report;
use sign_in::{ROLES, SignIn};
use sink::Mailbox;

/// The usual ports of the demo; if one is in use, a free port is taken in its place.
const HTTP_PORT: u16 = 8080;
const SMTP_PORT: u16 = 2525;
const PAGE_PORT: u16 = 8025;
/// Longest wait of `--once` for the delivery of its post.
const ONCE_TIMEOUT: Duration = Duration::from_mins(1);

/// The flags of `demo` as they are typed.
#[derive(Debug, Args)]
pub(super) struct DemoArgs {
    /// Folder for the demo's data, kept for the next time [default: a temporary one]
    #[arg(long, env = "CRIER_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
    /// Address and port of the HTTP API [default: 127.0.0.1:8080, or any free port]
    #[arg(long, env = "CRIER_HTTP_LISTEN", value_name = "ADDR")]
    http_listen: Option<String>,
    /// Address and port for mail that comes in [default: 127.0.0.1:2525, or any free port]
    #[arg(long, env = "CRIER_SMTP_LISTEN", value_name = "ADDR")]
    smtp_listen: Option<String>,
    /// Address and port of the page of received mail [default: 127.0.0.1:8025, or any free port]
    #[arg(long, env = "CRIER_PAGE_LISTEN", value_name = "ADDR")]
    page_listen: Option<String>,
    /// End when the first post has reached its members
    #[arg(long, env = "CRIER_ONCE", value_parser = BoolishValueParser::new())]
    once: bool,
    #[command(flatten)]
    log: LogArgs,
}

/// The addresses of the demo's three listeners.
#[derive(Debug, Clone, Copy)]
struct Doors {
    http: SocketAddr,
    smtp: SocketAddr,
    page: SocketAddr,
}

pub(super) fn run(args: &DemoArgs) -> Result<ExitCode, Failure> {
    let mut problems = Problems::default();
    let http = door(&mut problems, "--http-listen", args.http_listen.as_deref(), HTTP_PORT);
    let smtp = door(&mut problems, "--smtp-listen", args.smtp_listen.as_deref(), SMTP_PORT);
    let page = door(&mut problems, "--page-listen", args.page_listen.as_deref(), PAGE_PORT);
    let logging = args.log.parse(LevelFilter::WARN, &mut problems);
    let (Some(http), Some(smtp), Some(page), Some(logging)) = (http, smtp, page, logging) else {
        return Err(problems.into());
    };
    logging.start();
    let secrets = Secrets::system();
    let folder = Folder::new(args.data.as_deref(), &secrets)?;
    let doors = Doors { http, smtp, page };
    runtime()?.block_on(Box::pin(demonstrate(doors, folder.path(), secrets, args.once)))?;
    Ok(ExitCode::SUCCESS)
}

/// Chooses the address of a listener: the given one, else the usual port, or any free port if that is in use.
fn door(problems: &mut Problems, flag: &str, given: Option<&str>, port: u16) -> Option<SocketAddr> {
    if let Some(given) = given.filter(|given| !given.is_empty()) {
        return problems.read(flag, given, parse_listen);
    }
    let usual = SocketAddr::from(([127, 0, 0, 1], port));
    let is_free = std::net::TcpListener::bind(usual).is_ok();
    Some(if is_free { usual } else { SocketAddr::from(([127, 0, 0, 1], 0)) })
}

/// The folder of the demo's data; a temporary one is deleted at the end.
enum Folder {
    Kept(PathBuf),
    Temporary(TemporaryFolder),
}

impl Folder {
    fn new(given: Option<&Path>, secrets: &Secrets) -> Result<Folder, Failure> {
        Ok(match given {
            Some(given) => Folder::Kept(given.to_owned()),
            None => Folder::Temporary(TemporaryFolder::make(&std::env::temp_dir(), "crier-demo-", secrets)?),
        })
    }

    fn path(&self) -> &Path {
        match self {
            Folder::Kept(path) => path,
            Folder::Temporary(folder) => folder.path(),
        }
    }
}

/// Runs the demo, from the first bind to the last close.
async fn demonstrate(doors: Doors, data_dir: &Path, secrets: Secrets, once: bool) -> Result<(), Failure> {
    let mut signals = Signals::new()?;
    let clock = Clock::system();
    let mailbox = Mailbox::new(clock.clone());
    let (stop, stopping) = watch::channel(false);
    let (relay, sink) = start_sink(mailbox.clone(), stopping.clone()).await?;
    let sign_in = SignIn::default();
    let (page, pages) = start_pages(doors.page, mailbox, sign_in.clone(), stopping).await?;
    let config = config_of(doors, data_dir, relay);
    let running = app::start(config, clock, secrets.clone()).await.map_err(Failure::failed)?;
    let doors = Doors { http: running.http_addr, smtp: running.smtp_addr, page };
    let outcome = tokio::select! {
        outcome = show(&running, doors, &secrets, &sign_in, once) => outcome,
        () = signals.stop() => Ok(()),
        error = running.failed() => Err(Failure::failed(error)),
    };
    running.stop().await;
    stop.send_replace(true);
    for part in [sink, pages] {
        // A task that panicked has logged it, and the demo is over.
        let _ = part.await;
    }
    outcome
}

async fn start_sink(
    mailbox: Mailbox,
    stopping: watch::Receiver<bool>,
) -> Result<(SocketAddr, JoinHandle<()>), Failure> {
    let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await.map_err(Failure::failed)?;
    let address = listener.local_addr().map_err(Failure::failed)?;
    Ok((address, tokio::spawn(sink::serve(listener, mailbox, stopping))))
}

async fn start_pages(
    address: SocketAddr,
    mailbox: Mailbox,
    sign_in: SignIn,
    mut stopping: watch::Receiver<bool>,
) -> Result<(SocketAddr, JoinHandle<()>), Failure> {
    let refused = |error| Failure::Failed(format!("--page-listen {address} cannot be used: {error}"));
    let listener = TcpListener::bind(address).await.map_err(refused)?;
    let bound = listener.local_addr().map_err(Failure::failed)?;
    let stopped = async move {
        let _ = stopping.wait_for(|stop| *stop).await;
    };
    let serving = async move {
        let router = page::router(mailbox).merge(sign_in::router(sign_in));
        let served = axum::serve(listener, router).with_graceful_shutdown(stopped).await;
        if let Err(error) = served {
            tracing::error!(error = %error, "The page of received mail failed");
        }
    };
    Ok((bound, tokio::spawn(serving)))
}

fn config_of(doors: Doors, data_dir: &Path, relay: SocketAddr) -> Config {
    let host = relay.ip().to_string();
    Config {
        hostname: "mx.example.org".to_owned(),
        http_listen: ListenAddr::Tcp(doors.http),
        smtp_listen: doors.smtp,
        base_url: None,
        // All senders are on this machine, where no DNS proves them.
        verify_senders: false,
        relays: vec![Relay { host, port: relay.port(), implicit_tls: false, credentials: None }],
        ..Config::on_loopback(data_dir.to_owned())
    }
}

/// Fills the server with sample data, prints what to try, posts, and reports the deliveries.
async fn show(
    running: &Running,
    doors: Doors,
    secrets: &Secrets,
    sign_in: &SignIn,
    once: bool,
) -> Result<(), Failure> {
    let core = &running.core;
    let key = secrets.api_key();
    let key_hash = secret::sha256(key.as_bytes());
    // The search for RSA's primes takes a while.
    let dkim = tokio::task::spawn_blocking(|| DkimKeys {
        selector: "demo".to_owned(),
        rsa_pkcs8: secret::rsa_2048_key(),
        ed25519_pkcs8: secret::ed25519_key(),
    });
    let dkim = dkim.await.map_err(Failure::failed)?;
    let now = core.now();
    let filled = core.store.write(move |tx| -> Result<_, OpError> {
        let account = sample::fill(tx, dkim, key_hash, now)?;
        let people = sample::people(tx, &account, now)?;
        Ok((account, people))
    });
    let (account, people) = filled.await.map_err(Failure::failed)?;
    sign_in.open(core.clone(), core.links.base_url().to_owned(), people);
    let list =
        core.store.read().and_then(|tx| sample::list_to_fill(&tx, &account)).map_err(Failure::failed)?;
    if let Some(list) = list {
        archive::fill(core, list).await.map_err(Failure::failed)?;
        // The search follows the archive.
        core.wake.notify_one();
    }
    explain(doors, &key);
    let mut report = Report::new(core.clone()).map_err(Failure::failed)?;
    sample::post(doors.smtp, core.now()).await.map_err(Failure::failed)?;
    if !once {
        return report.follow().await.map_err(Failure::failed);
    }
    match tokio::time::timeout(ONCE_TIMEOUT, report.follow_posts(1)).await {
        Ok(followed) => followed.map_err(Failure::failed),
        Err(_) => {
            Err(Failure::Failed(format!("the post was not delivered within {} s", ONCE_TIMEOUT.as_secs())))
        }
    }
}

/// Prints the addresses of the demo and what to try.
fn explain(doors: Doors, key: &str) {
    let Doors { http, smtp, page } = doors;
    let (list, domain, member) = (sample::LIST, sample::DOMAIN, sample::address_of(0));
    let choir = sample::CHOIR;
    let api = format!("http://{http}/api/2");
    say(format_args!(
        "Crier runs on this machine alone: all mail that it sends ends on the page of received mail.\n\n  \
         Received mail  http://{page}/\n  An archive     http://{http}/lists/{choir}/\n  HTTP API       {api}/\n  \
         Mail in        {smtp}\n  API key        {key}\n\n\
         Open the pages as one of these, who are signed in by the link:\n"
    ));
    for role in ROLES {
        say(format_args!("  {:<18} http://{page}/in/{}/", role.about, role.word));
    }
    say(format_args!("\nTry these in another terminal; Ctrl-C ends the demo.\n"));
    say(format_args!("  curl -s -u {key}: {api}/lists/{list}/"));
    say(format_args!(
        "  curl -s -u {key}: -d emails=you@example.com -d firstname=You -d lists={list} {api}/contacts/"
    ));
    say(format_args!(
        "  curl -s -u {key}: -d list={list} -d subject=Hello -d 'content_plain=By the API.' {api}/messages/"
    ));
    say(format_args!(
        "  swaks --server {smtp} --from {member} --to {list}@{domain} --header 'Subject: Hello again' \
         --body 'By SMTP.'\n"
    ));
}
