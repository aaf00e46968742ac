//! Opens the data file for a server or a command; an older one is brought up to date first, on a copy that is verified.

use std::path::Path;
use std::sync::Arc;

use super::error::StartError;
use super::shared::{Network, core_of};
use crate::clock::Clock;
use crate::config::Config;
use crate::control::host::Host;
use crate::control::verify;
use crate::migrate::{self, OpenError, Opened, Upgrade};
use crate::net::desk::Desk;
use crate::net::web_client::OfflineClient;
use crate::secret::Secrets;
use crate::store::{Disk, StoreError, StoreOptions};

/// Opens the data file in `data_dir`, and makes one if there is none; `progress` is told of an upgrade. Blocks.
pub fn open_file(
    data_dir: &Path,
    options: StoreOptions,
    clock: &Clock,
    secrets: &Secrets,
    progress: &mut dyn FnMut(String),
) -> Result<Opened, OpenError> {
    let mut upgrade = Upgrade { now: clock.now(), verify: verify::differences, progress };
    migrate::open(data_dir, options, secrets, &mut upgrade)
}

/// Opens the data file of a stopped server to examine it with the configuration that it would start with, and with the
/// DNS. An older file is an error: it is not brought up to date for a look. Blocks.
pub fn open_to_examine(config: Config, progress: &mut dyn FnMut(String)) -> Result<Host, StartError> {
    migrate::check_schema(&config.data_dir)?;
    let (clock, secrets) = (Clock::system(), Secrets::system());
    let options = StoreOptions { reserve_bytes: 0, ..StoreOptions::default() };
    let opened = open_file(&config.data_dir, options, &clock, &secrets, progress)?;
    let dns = Arc::new(Desk::new(&config, clock.clone(), None));
    let network = Network { dns, web_client: Arc::new(OfflineClient), hook_client: None };
    let base_url = config.base_url.clone().unwrap_or_default();
    let core = core_of(opened, config, clock, secrets, base_url, network)?;
    let hostname = Some(core.config.hostname.clone());
    Ok(Host { hostname, ..Host::stopped(core) })
}

/// Opens the data file in the blocking pool, because opening walks the whole file after a crash.
pub(super) async fn open(
    disk: Disk,
    config: &Config,
    clock: &Clock,
    secrets: &Secrets,
) -> Result<Opened, StartError> {
    let (data_dir, clock, secrets) = (config.data_dir.clone(), clock.clone(), secrets.clone());
    let options = StoreOptions {
        cache_bytes: config.cache_bytes,
        reserve_bytes: config.disk_reserve_bytes,
        disk,
        ..StoreOptions::default()
    };
    let opened = tokio::task::spawn_blocking(move || {
        open_file(&data_dir, options, &clock, &secrets, &mut |text| tracing::info!("{text}"))
    });
    Ok(opened.await.map_err(|_| StoreError::Panicked)??)
}
