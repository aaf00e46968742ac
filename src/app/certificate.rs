//! Keeps the certificates of mail's TLS and of HTTPS: the operator's files, read again when they change, those that the
//! server ordered itself, or a self-signed one.
//!
//! `app` loads them at the start and runs their loop. Problems, such as a certificate that expires soon, are written to
//! the log and never stop mail.

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use super::error::StartError;
use crate::acme::{self, Held, Shelf};
use crate::clock::Timestamp;
use crate::net::certificate::{Fault, Term, name_fault};
use crate::net::tls::{self, Certificates, PemPair, TlsError};
use crate::service::Core;
use crate::store::{Read as _, StoreError};

/// Interval of checks for changed files: programs that renew certificates do so weeks before the end.
const LOOK_EVERY: Duration = Duration::from_mins(1);
/// Interval of reminders in the log that the certificate has expired, or will soon.
const REMIND_EVERY: Duration = Duration::from_hours(24);
/// The port of HTTPS that links need not name.
const HTTPS_PORT: u16 = 443;

/// The certificates in use, and the state of their reminders.
#[derive(Debug)]
pub(super) struct Keeper {
    core: Core,
    shown: Arc<Certificates>,
    sources: Mutex<Sources>,
    /// The port by which browsers reach HTTPS, if there is any.
    https_port: Option<u16>,
    /// When expiries were last checked, by the steady clock.
    looked: Mutex<Duration>,
}

/// Where the certificates come from.
#[derive(Debug, Default)]
struct Sources {
    /// The operator's, in order.
    files: Vec<PemPair>,
    /// Those that the server ordered, with their names.
    ordered: Vec<Held>,
    /// The self-signed one; none if there are files.
    own: Option<PemPair>,
}

impl Sources {
    /// All of them, the default first: the operator's first one that is not over, else the one for the server's name.
    fn pairs(&self, hostname: &str, now: Timestamp) -> Vec<PemPair> {
        let is_ours = |held: &&Held| held.name == hostname;
        let (ours, others): (Vec<&Held>, Vec<&Held>) = self.ordered.iter().partition(is_ours);
        let pairs = |held: Vec<&Held>| held.into_iter().map(|held| held.pair.clone()).collect::<Vec<_>>();
        // For a name of which the operator's is over, one was ordered.
        let is_over = |pair: &PemPair| {
            tls::check(pair).is_ok_and(|found| Term::of(&found).is_ok_and(|term| term.until < now))
        };
        let (over, files): (Vec<PemPair>, Vec<PemPair>) = self.files.iter().cloned().partition(is_over);
        let (good, own) = ([files, pairs(ours)].concat(), self.own.iter().cloned().collect());
        // The default stays what it was as long as there is no better one.
        if good.is_empty() {
            [over, own, pairs(others)].concat()
        } else {
            [good, own, pairs(others), over].concat()
        }
    }

    /// Those that somebody vouches for.
    fn vouched(&self) -> impl Iterator<Item = &PemPair> {
        self.files.iter().chain(self.ordered.iter().map(|held| &held.pair))
    }
}

impl Keeper {
    /// Loads the operator's certificates if there are any, else the server's own, and logs their faults.
    pub(super) async fn load(core: &Core, https_port: Option<u16>) -> Result<Keeper, StartError> {
        let files = core.config.tls.files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let own = if files.is_empty() { Some(own(core).await?) } else { None };
        // Those that were ordered before are shown from the first connection on.
        let ordered = match core.config.tls.acme {
            Some(_) => acme::held(&core.store.read()?)?,
            None => Vec::new(),
        };
        let ordered = ordered.into_iter().filter(|held| tls::check(&held.pair).is_ok()).collect();
        let sources = Sources { files, ordered, own };
        let pairs = sources.pairs(&core.config.hostname, core.now());
        let [first, others @ ..] = pairs.as_slice() else { return Err(TlsError::NoCertificate.into()) };
        let shown = Arc::new(Certificates::of(first, others)?);
        let (sources, looked) = (Mutex::new(sources), Mutex::default());
        let keeper = Keeper { core: core.clone(), shown, sources, https_port, looked };
        keeper.tell_links();
        keeper.report();
        Ok(keeper)
    }

    /// The certificates that connections present.
    pub(super) fn shown(&self) -> Arc<Certificates> {
        self.shown.clone()
    }

    fn sources(&self) -> MutexGuard<'_, Sources> {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the operator's files again, if there are any. Files that cannot be used are logged and change nothing:
    /// the certificates in use stay.
    pub(super) fn reload(&self) {
        let paths = &self.core.config.tls.files;
        if paths.is_empty() {
            return;
        }
        let read = paths.iter().map(read).collect::<Result<Vec<_>, _>>();
        match read.and_then(|files| self.replace(|sources| sources.files = files)) {
            Ok(()) => {
                let names: Vec<String> = paths.iter().map(|(chain, _)| chain.display().to_string()).collect();
                tracing::info!("The certificate was read again from {}", names.join(", "));
                self.report();
            }
            Err(error) => tracing::error!(error = %error, "The new certificate is not used: {error}"),
        }
    }

    /// Uses changed sources from the next connection on; if one of them cannot be used, the present ones stay.
    fn replace(&self, change: impl FnOnce(&mut Sources)) -> Result<(), StartError> {
        let mut sources = self.sources();
        let mut changed = Sources {
            files: sources.files.clone(),
            ordered: sources.ordered.clone(),
            own: sources.own.clone(),
        };
        change(&mut changed);
        if let [first, others @ ..] = changed.pairs(&self.core.config.hostname, self.core.now()).as_slice() {
            self.shown.replace(first, others)?;
        }
        *sources = changed;
        drop(sources);
        self.tell_links();
        Ok(())
    }

    /// Tells links for which names browsers get a certificate that they may believe.
    fn tell_links(&self) {
        let now = self.core.now();
        let mut names = BTreeSet::new();
        // The port is not written in links to web domains.
        if self.https_port == Some(HTTPS_PORT) {
            for certificate in self.sources().vouched().filter_map(|pair| tls::check(pair).ok()) {
                let is_good = Term::of(&certificate).is_ok_and(|term| term.from <= now && now <= term.until);
                names.extend(is_good.then(|| tls::names_of(&certificate)).into_iter().flatten());
            }
        }
        self.core.links.set_held(names);
    }

    /// Reads the files again whenever they have changed, and once a day logs an expired certificate or one that soon
    /// will be. Runs until `stop` turns true.
    pub(super) async fn follow(self: Arc<Keeper>, mut stop: watch::Receiver<bool>) {
        let files = &self.core.config.tls.files;
        let look = || files.iter().map(|(chain, key)| [state(chain), state(key)]).collect::<Vec<_>>();
        let mut known = look();
        let mut looks = interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return,
                _ = looks.tick() => {}
            }
            let found = look();
            if found != known {
                self.reload_aside().await;
                known = found;
            }
            // What is over no longer counts.
            self.tell_links();
            self.remind().iter().for_each(Told::tell);
        }
    }

    /// Reads the files again on a thread that may block.
    pub(super) async fn reload_aside(self: &Arc<Keeper>) {
        let keeper = Arc::clone(self);
        if let Err(error) = tokio::task::spawn_blocking(move || keeper.reload()).await {
            tracing::error!(error = %error, "The certificates could not be read again");
        }
    }

    /// Logs every fault of newly loaded certificates.
    fn report(&self) {
        let hostname = &self.core.config.hostname;
        let fault = name_fault(&self.shown.shown_for(hostname), hostname);
        self.look().iter().chain(&fault.map(Told::of_mail)).for_each(Told::tell);
    }

    /// Returns the faults of expiries, at most once a day.
    fn remind(&self) -> Vec<Told> {
        let looked = *self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        let is_time = looked + REMIND_EVERY <= self.core.clock.steady();
        if is_time { self.look() } else { Vec::new() }
    }

    /// Returns the faults of certificates that have expired or soon will.
    fn look(&self) -> Vec<Told> {
        *self.looked.lock().unwrap_or_else(PoisonError::into_inner) = self.core.clock.steady();
        let (now, hostname) = (self.core.now(), &self.core.config.hostname);
        let of_mail = self.shown.shown_for(hostname);
        let (mut told, mut first_end) = (Vec::new(), None::<Timestamp>);
        let sources = self.sources();
        let others = sources.vouched().filter_map(|pair| tls::check(pair).ok());
        for certificate in std::iter::once(of_mail.clone()).chain(others.filter(|other| *other != of_mail)) {
            let term = Term::of(&certificate);
            let end = term.as_ref().map(|term| term.until).unwrap_or_default();
            first_end = Some(first_end.map_or(end, |first| first.min(end)));
            let subject =
                if certificate == of_mail { None } else { Some(tls::names_of(&certificate).join(", ")) };
            let fault = term.map_or_else(Some, |term| term.fault(now));
            told.extend(fault.map(|fault| Told { fault, subject }));
        }
        let until_s = first_end.unwrap_or_default().ms().unsigned_abs() / 1000;
        self.core.metrics.receiving.certificate_expiry.set([], until_s);
        told
    }
}

impl Shelf for Keeper {
    fn is_given(&self, name: &str) -> bool {
        let now = self.core.now();
        self.sources().files.iter().filter_map(|pair| tls::check(pair).ok()).any(|certificate| {
            name_fault(&certificate, name).is_none()
                && Term::of(&certificate).is_ok_and(|term| now <= term.until)
        })
    }

    fn show(&self, held: Vec<Held>) {
        if self.sources().ordered == held {
            return;
        }
        if let Err(error) = self.replace(|sources| sources.ordered = held) {
            tracing::error!(error = %error, "The ordered certificates are not used: {error}");
        }
    }
}

/// A fault, and whose it is; of mail's certificate if nothing is said.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    fault: Fault,
    subject: Option<String>,
}

impl Told {
    fn of_mail(fault: Fault) -> Told {
        Told { fault, subject: None }
    }

    fn tell(&self) {
        let Told { fault, subject } = self;
        let words = subject.as_ref().map_or_else(|| fault.to_string(), |subject| fault.of(subject));
        if fault.is_grave() {
            tracing::error!("{words}");
        } else {
            tracing::warn!("{words}");
        }
    }
}

/// Returns facts of a file that differ once it was replaced or written anew: its inode number, and its time in s and
/// ns.
fn state(path: &Path) -> Option<(u64, i64, i64)> {
    path.metadata().ok().map(|found| (found.ino(), found.mtime(), found.mtime_nsec()))
}

fn read((chain, key): &(PathBuf, PathBuf)) -> Result<PemPair, StartError> {
    Ok(PemPair { chain: read_pem(chain)?, key: read_pem(key)? })
}

fn read_pem(path: &Path) -> Result<String, StartError> {
    std::fs::read_to_string(path)
        .map_err(|error| StartError::TlsFile { file: path.display().to_string(), error })
}

/// Loads the self-signed certificate for the server's name. It is made at the first start and stored, so that peers
/// who remember it see the same one again.
async fn own(core: &Core) -> Result<PemPair, StartError> {
    let name = format!("tls {}", core.config.hostname);
    if let Some(kept) = core.store.read()?.meta(&name)?.and_then(|pem| String::from_utf8(pem).ok()) {
        // One text holds both: readers of certificates skip the key, and the other way round.
        return Ok(PemPair { chain: kept.clone(), key: kept });
    }
    let pair = tls::self_signed(&core.config.hostname)?;
    let pem = format!("{}{}", pair.chain, pair.key);
    let kept = core.store.write::<_, StoreError, _>(move |tx| tx.set_meta(&name, Some(pem.as_bytes()))).await;
    match kept {
        // It serves until the next start, which makes another.
        Err(error) if error.is_outage() => {
            tracing::warn!(error = %error, "The certificate made now is not kept");
        }
        kept => kept?,
    }
    Ok(pair)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::open_stopped;
    use crate::clock::{Clock, Timestamp};
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    #[test]
    fn an_ordered_certificate_is_shown_in_place_of_one_of_the_operator_that_is_over() {
        let pair = |name: &str, end: i32| {
            let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
            params.not_before = date_time_ymd(2026, 1, 1);
            params.not_after = date_time_ymd(end, 1, 1);
            let key = KeyPair::generate().unwrap();
            PemPair { chain: params.self_signed(&key).unwrap().pem(), key: key.serialize_pem() }
        };
        let now = Timestamp::parse_rfc3339("2027-06-01T00:00:00Z").unwrap();
        let held = |name: &str| Held { name: name.to_owned(), pair: pair(name, 2028) };
        let (mail, pages) = (held("mx.example.org"), held("a.example.org"));
        let files = vec![pair("mx.example.org", 2027), pair("a.example.org", 2027)];
        let default = |ordered: &[Held]| {
            let sources = Sources { files: files.clone(), ordered: ordered.to_vec(), own: None };
            sources.pairs("mx.example.org", now)
        };
        assert_eq!(default(&[]), files, "an expired one is better than none");
        let pairs = default(&[pages.clone(), mail.clone()]);
        assert_eq!(pairs[..2], [mail.pair.clone(), pages.pair.clone()]);
        let shown = Certificates::of(&pairs[0], &pairs[1..]).unwrap();
        for held in [mail, pages] {
            assert_eq!(shown.shown_for(&held.name), tls::check(&held.pair).unwrap(), "{}", held.name);
        }
    }

    #[test]
    fn once_a_day_it_is_said_what_time_has_done() {
        let folder = tempfile::tempdir().unwrap();
        let mut params = CertificateParams::new(vec!["mx.example.org".to_owned()]).unwrap();
        params.not_after = date_time_ymd(2026, 5, 30);
        let key = KeyPair::generate().unwrap();
        let pair = PemPair { chain: params.self_signed(&key).unwrap().pem(), key: key.serialize_pem() };
        let clock = Clock::manual(Timestamp::parse_rfc3339("2026-05-15T12:00:00Z").unwrap());
        let core = open_stopped(folder.path(), &mut |_| ()).unwrap().core.with_clock(clock.clone());
        let shown = Arc::new(Certificates::new(&pair).unwrap());
        let sources = Mutex::new(Sources { files: vec![pair], ..Sources::default() });
        let keeper = Keeper { core, shown, sources, https_port: None, looked: Mutex::default() };
        let after = |hours| {
            clock.advance(Duration::from_hours(hours));
            keeper.remind().pop().map(|told| told.fault)
        };
        let until = Timestamp::parse_rfc3339("2026-05-30T00:00:00Z").unwrap();
        assert_eq!(after(0), None);
        assert_eq!(after(23), None, "not again within a day");
        assert_eq!(after(1), Some(Fault::ExpiresSoon { at: until }));
        assert_eq!(after(23), None);
        assert_eq!(after(1), Some(Fault::ExpiresSoon { at: until }));
        assert_eq!(after(13 * 24), Some(Fault::Expired { at: until }));
    }
}
