//! Orders the server's certificates of an authority (ACME, RFC 8555), and renews them.
//!
//! Each name has a certificate of its own, so that one refusal harms no other. An attempt is noted in the data file
//! before it is made; what is kept of each name, and when its turn is, stands in
//! [`ops::domains::certificates`](crate::ops::domains::certificates). Until a name has its first certificate, the
//! server shows another one.

mod advice;
mod client;
mod order;
mod tokens;

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Debug;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use instant_acme::{Account, AccountCredentials, NewAccount};
use tokio::sync::{Notify, watch};
use tokio::time::{MissedTickBehavior, interval};

use crate::clock::Timestamp;
use crate::config::{AcmeConfig, ListenAddr};
use crate::net::tls::{Certificates, PemPair};
use crate::ops::domains::certificates::{self, Issued, Kept, NAMES_MAX};
use crate::ops::domains::old_names::is_old_name;
use crate::ops::domains::sites::{base_domain, is_web_domain};
use crate::service::Core;
use crate::store::{Read, StoreError, WriteTx};
use advice::Advice;
use client::HttpsClient;
use order::{Order, Way};

pub use tokens::Tokens;

/// What the paths begin with at which an authority looks for proofs (RFC 8555 8.3).
pub const CHALLENGE_PATH: &str = "/.well-known/acme-challenge/";
/// How often it is looked for what is due.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// Orders that are placed in an hour, at most: Let's Encrypt takes a hundred.
const ORDERS_PER_HOUR: usize = 60;
const HOUR: Duration = Duration::from_hours(1);
/// Longest wait while the authority cannot be asked at all.
const AWAY_MAX: Duration = Duration::from_hours(1);
/// Certificates about whose renewal it is asked at a time.
const ASKED_PER_STEP: usize = 20;

/// A certificate that was issued for a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// The name.
    pub name: String,
    /// The certificate with its key.
    pub pair: PemPair,
}

/// Whoever shows certificates to clients.
pub trait Shelf: Debug + Send + Sync {
    /// Whether the operator gave a certificate for this name, so that none is ordered.
    fn is_given(&self, name: &str) -> bool;

    /// Shows these beside the operator's from now on.
    fn show(&self, held: Vec<Held>);
}

/// The certificates that are kept.
pub fn held(tx: &impl Read) -> Result<Vec<Held>, StoreError> {
    let mut held = Vec::new();
    for (name, _) in certificates::names(tx)? {
        let issued = certificates::find(tx, &name)?.issued;
        held.extend(issued.map(|Issued { chain, key, .. }| Held { name, pair: PemPair { chain, key } }));
    }
    Ok(held)
}

/// Orders certificates.
#[derive(Debug)]
pub struct Acme {
    core: Core,
    config: AcmeConfig,
    tokens: Arc<Tokens>,
    shown: Arc<Certificates>,
    shelf: Arc<dyn Shelf>,
    doors: Doors,
    wake: Arc<Notify>,
    /// When orders were placed in the last hour.
    placed: VecDeque<Timestamp>,
    /// How often in a row the authority could not be asked.
    failures: u32,
    advice: Advice,
}

/// Where an authority finds this server: the listeners as they were bound, or passed.
#[derive(Debug, Clone)]
pub struct Doors {
    /// Plain HTTP.
    pub http: ListenAddr,
    /// HTTPS, if there is any.
    pub https: Option<SocketAddr>,
}

/// What is to be done.
#[derive(Debug, Default)]
struct Look {
    /// Names for which an order is due, the server's own first.
    due: Vec<String>,
    /// Certificates about whose renewal the authority is to be asked.
    asked: Vec<(String, Issued)>,
}

impl Acme {
    /// Whoever orders for this server, and what wakes it before its time; `None` if nothing is to be ordered.
    #[must_use]
    pub fn new(
        core: Core,
        tokens: Arc<Tokens>,
        doors: Doors,
        shown: Arc<Certificates>,
        shelf: Arc<dyn Shelf>,
    ) -> Option<(Acme, Arc<Notify>)> {
        let (config, wake) = (core.config.tls.acme.clone()?, Arc::new(Notify::new()));
        let woken = Arc::clone(&wake);
        let (placed, failures, advice) = (VecDeque::new(), 0, Advice::default());
        Some((Acme { core, config, tokens, shown, shelf, doors, wake, placed, failures, advice }, woken))
    }

    /// Orders and renews until `stop` turns true.
    pub async fn run(mut self, mut stop: watch::Receiver<bool>) {
        let mut looks = interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let wake = Arc::clone(&self.wake);
        loop {
            let is_urged = tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return,
                _ = looks.tick() => false,
                () = wake.notified() => true,
            };
            // What is under way at a stop has been noted, and begins anew at the next start.
            let done = tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return,
                done = self.step(is_urged) => done,
            };
            if let Err(error) = done {
                tracing::error!(error = %error, "The certificates of this server could not be looked after");
            }
        }
    }

    /// Orders what is due, one name after another. If `is_urged`, refused names do not wait for their turn.
    async fn step(&mut self, is_urged: bool) -> Result<(), StoreError> {
        let wanted = self.wanted()?;
        let now = self.core.now();
        // What is held is shown even while nothing can be written.
        self.show()?;
        if certificates::is_stale(&self.core.store.read()?, &wanted, now)? {
            let wanted = wanted.clone();
            self.core.store.write_reserved(move |tx| certificates::want(tx, &wanted, now)).await?;
            self.show()?;
        }
        let Look { mut due, asked } = self.look(&wanted, is_urged, now)?;
        self.placed.retain(|placed| now.since(*placed) < HOUR);
        let room = ORDERS_PER_HOUR.saturating_sub(self.placed.len());
        if 0 < room && room < due.len() {
            tracing::info!("More certificates are ordered later: {ORDERS_PER_HOUR} an hour are enough");
        }
        due.truncate(room);
        if !due.is_empty() || !asked.is_empty() {
            self.ask_authority(due, asked).await?;
            self.show()?;
        }
        self.measure()
    }

    /// Looks for what is to be done.
    fn look(&self, wanted: &BTreeSet<String>, is_urged: bool, now: Timestamp) -> Result<Look, StoreError> {
        let tx = self.core.store.read()?;
        let mut found = Look::default();
        for name in wanted {
            let kept = certificates::find(&tx, name)?;
            let is_wanting =
                kept.issued.as_ref().is_none_or(|issued| self.advice.renew_at(name, issued) <= now);
            if (is_urged && kept.refusal.is_some()) || (is_wanting && kept.may_order(now)) {
                found.due.push(name.clone());
            } else if let Some(issued) = kept.issued.filter(|issued| self.advice.is_due(name, issued, now)) {
                found.asked.push((name.clone(), issued));
            }
        }
        // Mail waits for the first certificate most.
        found.due.sort_by_key(|name| *name != self.core.config.hostname);
        Ok(found)
    }

    /// The names for which there has to be a certificate.
    fn wanted(&self) -> Result<BTreeSet<String>, StoreError> {
        let config = &self.core.config;
        let mut names: Vec<String> =
            [Some(config.hostname.clone()), base_domain(config)].into_iter().flatten().collect();
        let tx = self.core.store.read()?;
        for domain in self.core.links.answering() {
            // It may have been removed since its address was looked at.
            if is_web_domain(&tx, &domain)? || is_old_name(&tx, &domain)? {
                names.push(domain.as_str().to_owned());
            }
        }
        // A name without a dot is none of the public network's.
        names.retain(|name| name.contains('.') && !self.shelf.is_given(name));
        Ok(names.into_iter().take(NAMES_MAX).collect())
    }

    /// Shows what is kept.
    fn show(&self) -> Result<(), StoreError> {
        self.shelf.show(held(&self.core.store.read()?)?);
        Ok(())
    }

    /// Orders what is due, and asks when the others are to be renewed.
    async fn ask_authority(
        &mut self,
        due: Vec<String>,
        asked: Vec<(String, Issued)>,
    ) -> Result<(), StoreError> {
        let account = match self.account().await? {
            Ok(account) => account,
            Err(reason) => {
                self.failures = self.failures.saturating_add(1);
                let wait = certificates::wait_after(self.failures).min(AWAY_MAX);
                for name in due {
                    let kept = certificates::find(&self.core.store.read()?, &name)?;
                    self.refuse(&name, &kept.put_off(&reason, self.core.now(), wait)).await?;
                }
                for (name, issued) in &asked {
                    self.advice.put_off(name, issued, self.core.now() + wait);
                }
                return Ok(());
            }
        };
        self.failures = 0;
        for name in due {
            self.placed.push_back(self.core.now());
            self.order_one(&account, name).await?;
        }
        for (name, issued) in asked.into_iter().take(ASKED_PER_STEP) {
            let (now, secrets) = (self.core.now(), &self.core.secrets);
            self.advice.ask(&account, (&name, &issued), now, secrets).await;
        }
        Ok(())
    }

    /// Places the order of one name, and keeps what comes of it.
    async fn order_one(&self, account: &Account, name: String) -> Result<(), StoreError> {
        let kept = certificates::find(&self.core.store.read()?, &name)?;
        let begun = kept.attempted(certificates::UNDER_WAY, self.core.now());
        self.keep(&name, &begun).await?;
        let attempts = begun.refusal.as_ref().map_or(1, |refusal| refusal.attempts);
        let order = Order {
            name: &name,
            way: self.way(attempts),
            // The key stays, so that what the DNS says of it (DANE) stays right.
            key: kept.issued.as_ref().map(|issued| issued.key.as_str()),
            // An authority may refuse to replace one twice: the order before may have been killed behind that.
            replaced: kept
                .issued
                .as_ref()
                .filter(|_| attempts == 1)
                .and_then(|issued| self.advice.replaced(&name, issued)),
            tokens: &self.tokens,
            shown: &self.shown,
        };
        match order.place(account).await {
            Ok(issued) => {
                tracing::info!(domain.name = %name, "There is a certificate for {name} until {}", issued.until);
                self.core.metrics.certificates.orders.add(["issued"], 1);
                self.keep(&name, &Kept { issued: Some(issued), refusal: None }).await?;
                self.show()
            }
            Err(reason) => self.refuse(&name, &kept.refused(attempts, &reason, self.core.now())).await,
        }
    }

    async fn refuse(&self, name: &str, kept: &Kept) -> Result<(), StoreError> {
        if let Some(refusal) = &kept.refusal {
            let (reason, next) = (&refusal.reason, refusal.next);
            tracing::warn!(
                domain.name = %name,
                "There is no new certificate for {name}: {reason}. The next attempt is made at {next}"
            );
        }
        self.core.metrics.certificates.orders.add(["refused"], 1);
        self.keep(name, kept).await
    }

    async fn keep(&self, name: &str, kept: &Kept) -> Result<(), StoreError> {
        let (name, kept) = (name.to_owned(), kept.clone());
        self.core.store.write_reserved(move |tx| certificates::keep(tx, &name, &kept)).await
    }

    /// How a name is proven in this attempt. The authority comes by the public port 80 or 443; if both lead here, the
    /// ways take turns.
    fn way(&self, attempt: u32) -> Way {
        let is_local = |address: &ListenAddr| address.tcp().is_none_or(|address| address.ip().is_loopback());
        let first = match (self.doors.https, &self.doors.http) {
            (None, _) => return Way::Http,
            (Some(https), http) if is_local(http) && !https.ip().is_loopback() => Way::Tls,
            _ => Way::Http,
        };
        if attempt % 2 == 1 { first } else { first.other() }
    }

    /// The account at the authority, made at the first time; the reason if there is none.
    async fn account(&self) -> Result<Result<Account, String>, StoreError> {
        let AcmeConfig { directory, contacts, .. } = &self.config;
        let http = match HttpsClient::new(&self.core.config, &self.config) {
            Ok(http) => http,
            Err(error) => return Ok(Err(format!("there is no resolver: {error}"))),
        };
        let builder = Account::builder_with_http(Box::new(http));
        let known = certificates::account(&self.core.store.read()?, directory, contacts)?;
        if let Some(credentials) =
            known.and_then(|json| serde_json::from_str::<AccountCredentials>(&json).ok())
        {
            return Ok(builder.from_credentials(credentials).await.map_err(|error| order::words(&error)));
        }
        let urls: Vec<String> = contacts.iter().map(|address| format!("mailto:{address}")).collect();
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        let wanted =
            NewAccount { contact: &urls, terms_of_service_agreed: true, only_return_existing: false };
        let (account, credentials) = match builder.create(&wanted, directory.clone(), None).await {
            Ok(made) => made,
            Err(error) => return Ok(Err(order::words(&error))),
        };
        let json = match serde_json::to_string(&credentials) {
            Ok(json) => json,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let (directory, contacts) = (directory.clone(), contacts.clone());
        let keep = move |tx: &mut WriteTx<'_>| certificates::keep_account(tx, &directory, &contacts, &json);
        self.core.store.write_reserved(keep).await?;
        Ok(Ok(account))
    }

    /// Counts the names by how things stand with them.
    fn measure(&self) -> Result<(), StoreError> {
        let now = self.core.now();
        let standing = certificates::standing(&self.core.store.read()?, &self.core.config)?;
        let held = standing.iter().filter(|name| name.until.is_some_and(|until| now <= until)).count();
        let refused = standing.iter().filter(|name| name.refused.is_some()).count();
        let names = &self.core.metrics.certificates.names;
        for (state, count) in [("wanted", standing.len()), ("held", held), ("refused", refused)] {
            names.set([state], count as u64);
        }
        Ok(())
    }
}
