//! Keeps the certificate for mail's TLS: the operator's files, read again when they change, or a self-signed one.
//!
//! `app` loads it at the start and runs its loop. Problems, such as a certificate that expires soon, are written to
//! the log and never stop mail.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use super::StartError;
use crate::ops::Core;
use crate::smtp::certificate::{Fault, Term, name_fault};
use crate::smtp::tls::{self, Certificate, PemPair};
use crate::store::{Read as _, StoreError};

/// Interval of checks for changed files: programs that renew certificates do so weeks before the end.
const LOOK_EVERY: Duration = Duration::from_mins(1);
/// Interval of reminders in the log that the certificate has expired, or will soon.
const REMIND_EVERY: Duration = Duration::from_hours(24);

/// The certificate in use, and the state of its reminders.
#[derive(Debug)]
pub(super) struct Keeper {
    core: Core,
    shown: Arc<Certificate>,
    /// When its expiry was last checked, by the steady clock.
    looked: Mutex<Duration>,
}

impl Keeper {
    /// Loads the operator's certificate if there is one, else the server's own, and logs its faults.
    pub(super) async fn load(core: &Core) -> Result<Keeper, StartError> {
        let pair = match &core.config.tls_files {
            Some(files) => read(files)?,
            None => own(core).await?,
        };
        let shown = Arc::new(Certificate::new(&pair)?);
        let keeper = Keeper { core: core.clone(), shown, looked: Mutex::default() };
        keeper.report();
        Ok(keeper)
    }

    /// The certificate that connections present.
    pub(super) fn shown(&self) -> Arc<Certificate> {
        self.shown.clone()
    }

    /// Reads the operator's files again, if there are any. Files that cannot be used are logged and change nothing:
    /// the certificate in use stays.
    pub(super) fn reload(&self) {
        let Some(files) = &self.core.config.tls_files else { return };
        match read(files).and_then(|pair| Ok(self.shown.replace(&pair)?)) {
            Ok(()) => {
                tracing::info!("The certificate was read again from {}", files.0.display());
                self.report();
            }
            Err(error) => tracing::error!(error = %error, "The new certificate is not used: {error}"),
        }
    }

    /// Reads the files again whenever they have changed, and once a day logs an expired certificate or one that soon
    /// will be. Runs until `stop` turns true.
    pub(super) async fn follow(self: Arc<Keeper>, mut stop: watch::Receiver<bool>) {
        let files = self.core.config.tls_files.as_ref();
        let look = || files.map(|files| [state(&files.0), state(&files.1)]);
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
                self.reload();
                known = found;
            }
            self.remind().as_ref().inspect(|fault| tell(fault));
        }
    }

    /// Logs every fault of a newly loaded certificate.
    fn report(&self) {
        let fault = name_fault(&self.shown.shown(), &self.core.config.hostname);
        for fault in self.look().iter().chain(&fault) {
            tell(fault);
        }
    }

    /// Returns the fault of the certificate's expiry, at most once a day.
    fn remind(&self) -> Option<Fault> {
        let looked = *self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        let is_time = looked + REMIND_EVERY <= self.core.clock.steady();
        if is_time { self.look() } else { None }
    }

    /// Returns the fault of the certificate's expiry, if it has expired or soon will.
    fn look(&self) -> Option<Fault> {
        *self.looked.lock().unwrap_or_else(PoisonError::into_inner) = self.core.clock.steady();
        let term = Term::of(&self.shown.shown());
        let until_s = term.as_ref().map_or(0, |term| term.until.ms().unsigned_abs() / 1000);
        self.core.metrics.receiving.certificate_expiry.set([], until_s);
        match term {
            Ok(term) => term.fault(self.core.now()),
            Err(fault) => Some(fault),
        }
    }
}

fn tell(fault: &Fault) {
    if fault.is_grave() {
        tracing::error!("{fault}");
    } else {
        tracing::warn!("{fault}");
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
    use crate::secret::Secrets;
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    #[test]
    fn once_a_day_it_is_said_what_time_has_done() {
        let folder = tempfile::tempdir().unwrap();
        crate::migrate::open(folder.path(), crate::store::StoreOptions::default(), &Secrets::seeded(1))
            .unwrap();
        let mut params = CertificateParams::new(vec!["mx.example.org".to_owned()]).unwrap();
        params.not_after = date_time_ymd(2026, 5, 30);
        let key = KeyPair::generate().unwrap();
        let pair = PemPair { chain: params.self_signed(&key).unwrap().pem(), key: key.serialize_pem() };
        let clock = Clock::manual(Timestamp::parse_rfc3339("2026-05-15T12:00:00Z").unwrap());
        let core = Core { clock: clock.clone(), ..open_stopped(folder.path()).unwrap().core };
        let shown = Arc::new(Certificate::new(&pair).unwrap());
        let keeper = Keeper { core, shown, looked: Mutex::default() };
        let after = |hours| {
            clock.advance(Duration::from_hours(hours));
            keeper.remind()
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
