//! The certificate of mail's TLS: the operator's files, read again when they change, or one of our own.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use super::StartError;
use crate::ops::Core;
use crate::smtp::tls::{self, Certificate, PemPair};
use crate::store::{Read as _, StoreError};

/// How often the files are looked at: programs that renew certificates do so weeks before the end.
const LOOK_EVERY: Duration = Duration::from_mins(1);

/// The operator's certificate where there is one, else the server's own.
pub(super) async fn load(core: &Core) -> Result<Arc<Certificate>, StartError> {
    let pair = match &core.config.tls_files {
        Some(files) => read(files)?,
        None => own(core).await?,
    };
    Ok(Arc::new(Certificate::new(&pair)?))
}

/// Reads the operator's files again. What cannot be used is told and changes nothing: mail goes on with the
/// certificate that it has.
pub(super) fn reload(certificate: &Certificate, files: &(PathBuf, PathBuf)) {
    match read(files).and_then(|pair| Ok(certificate.replace(&pair)?)) {
        Ok(()) => tracing::info!("The certificate was read again from {}", files.0.display()),
        Err(error) => tracing::error!(error = %error, "The new certificate is not used: {error}"),
    }
}

/// Reads the files again whenever they have changed, until `stop`.
pub(super) async fn follow(
    certificate: Arc<Certificate>,
    files: (PathBuf, PathBuf),
    mut stop: watch::Receiver<bool>,
) {
    let look = || [state(&files.0), state(&files.1)];
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
            reload(&certificate, &files);
            known = found;
        }
    }
}

/// What of a file differs once it was replaced or written anew: its number, and its time in s and ns.
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

/// The self-signed certificate for the server's name, made at its first start and kept, so that peers who
/// remember it see the same one again.
async fn own(core: &Core) -> Result<PemPair, StartError> {
    let name = format!("tls {}", core.config.hostname);
    if let Some(kept) = core.store.read()?.meta(&name)?.and_then(|pem| String::from_utf8(pem).ok()) {
        // One text with both: a reader of certificates passes over the key, and the other way round.
        return Ok(PemPair { chain: kept.clone(), key: kept });
    }
    let pair = tls::self_signed(&core.config.hostname)?;
    let pem = format!("{}{}", pair.chain, pair.key);
    core.store.write::<_, StoreError, _>(move |tx| tx.set_meta(&name, Some(pem.as_bytes()))).await?;
    Ok(pair)
}
