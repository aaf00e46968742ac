//! Removes the data file as it was before an upgrade, a day after the upgrade.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use crate::migrate::{self, PREVIOUS_NAME};
use crate::service::Core;
use crate::store::StoreError;

/// How long the file is kept.
const KEPT_FOR: Duration = Duration::from_hours(24);
/// Interval between two looks.
const LOOK_EVERY: Duration = Duration::from_mins(1);

/// Looks once a minute, until the file is gone or `stop` turns true.
pub(super) async fn remove_in_time(core: Core, mut stop: watch::Receiver<bool>) {
    let mut looks = interval(LOOK_EVERY);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => return,
            _ = looks.tick() => {}
        }
        match look(&core) {
            Ok(true) => return,
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(error = %error, "It is not known how old {PREVIOUS_NAME} is, so it stays");
                return;
            }
        }
    }
}

/// Removes the file if its time has come; says whether there is nothing left to do.
fn look(core: &Core) -> Result<bool, StoreError> {
    let path = core.config.data_dir.join(PREVIOUS_NAME);
    if !path.exists() {
        return Ok(true);
    }
    // A data file that was never upgraded has been put here since, by a restore; the other is of no use to it.
    let upgraded = migrate::upgraded(&core.store.read()?)?.unwrap_or_default();
    if core.now() < upgraded + KEPT_FOR {
        return Ok(false);
    }
    match std::fs::remove_file(&path) {
        Ok(()) => tracing::info!("{PREVIOUS_NAME}, the data file before the upgrade, is removed after a day"),
        Err(error) => tracing::warn!(error = %error, "{PREVIOUS_NAME} cannot be removed"),
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::open_stopped;
    use crate::clock::Clock;

    #[test]
    fn the_file_before_an_upgrade_is_kept_for_a_day() {
        let folder = tempfile::tempdir().unwrap();
        let previous = folder.path().join(PREVIOUS_NAME);
        let core = open_stopped(folder.path(), &mut |_| ()).unwrap().core;
        let clock = Clock::manual(core.now());
        let core = core.with_clock(clock.clone());
        assert_eq!(look(&core), Ok(true), "there is none");
        std::fs::write(&previous, "older").unwrap();
        let now = core.now().ms().to_be_bytes();
        core.store.write_blocking(move |tx| tx.set_meta("upgraded", Some(&now))).unwrap();
        clock.advance(KEPT_FOR.checked_sub(Duration::from_secs(1)).unwrap());
        assert_eq!(look(&core), Ok(false));
        assert!(previous.exists());
        clock.advance(Duration::from_secs(1));
        assert_eq!(look(&core), Ok(true));
        assert!(!previous.exists());
    }
}
