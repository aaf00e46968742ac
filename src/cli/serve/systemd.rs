//! Tells systemd, or another service manager with its protocol, how the server is: starting, ready, alive, reading its
//! settings again, stopping.
//!
//! Where no manager listens (`NOTIFY_SOCKET`), nothing happens. A message that gets lost is no reason to fail.

use std::time::Duration;

use sd_notify::NotifyState;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use crate::app::Running;
use crate::schema::COPIES_COUNT;
use crate::service::Core;
use crate::store::{Key, Read as _};

/// How often the status line is written again.
const STATUS_EVERY: Duration = Duration::from_secs(10);

fn notify(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::debug!(error = %error, "The service manager could not be told");
    }
}

/// Says that the data file is being opened, which takes long after a crash and when it is brought up to date.
pub(super) fn starting() {
    notify(&[NotifyState::Status("Opening the data file")]);
}

/// Says that every listener answers, and begins to say that the server is alive.
pub(super) fn ready(running: &Running) {
    if std::env::var_os("NOTIFY_SOCKET").is_none() {
        return;
    }
    let status = Status::of(running);
    notify(&[NotifyState::Ready, NotifyState::Status(&status.text())]);
    if let Some(limit) = sd_notify::watchdog_enabled().filter(|limit| !limit.is_zero()) {
        tokio::spawn(stay_alive(limit));
    }
    tokio::spawn(stay_true(status, running.stopping()));
}

/// Says that settings are read again, until [`reloaded`] is called.
pub(super) fn reloading() {
    match NotifyState::monotonic_usec_now() {
        Ok(time) => notify(&[NotifyState::Reloading, time]),
        Err(_) => notify(&[NotifyState::Reloading]),
    }
}

/// Says that settings have been read again.
pub(super) fn reloaded() {
    notify(&[NotifyState::Ready]);
}

/// Says that the server stops.
pub(super) fn stopping() {
    notify(&[NotifyState::Stopping, NotifyState::Status("Stopping: deliveries under way end")]);
}

/// What the status line is made of.
struct Status {
    core: Core,
    listeners: String,
}

impl Status {
    fn of(running: &Running) -> Status {
        let first: Vec<String> = running
            .listening
            .iter()
            .filter(|one| ["http", "https", "smtp"].contains(&&*one.name))
            .map(ToString::to_string)
            .collect();
        Status { core: running.core.clone(), listeners: first.join(", ") }
    }

    fn text(&self) -> String {
        let waiting = self.core.store.read().and_then(|tx| tx.count(&COPIES_COUNT, &Key::new()));
        match waiting {
            Ok(0) => format!("{}; nothing waits to be delivered", self.listeners),
            Ok(1) => format!("{}; 1 copy waits to be delivered", self.listeners),
            Ok(copies) => format!("{}; {copies} copies wait to be delivered", self.listeners),
            Err(error) => format!("{}; the data file cannot be read: {error}", self.listeners),
        }
    }
}

/// Says at half the interval of the watchdog that the server is alive, until the process ends, so that a stop that takes
/// its time is not taken for a hang.
///
/// It proves that the threads of the server still do their work. It asks nothing of the disk: a disk that fails for a
/// while is no reason to be killed.
async fn stay_alive(limit: Duration) {
    let mut lives = interval(limit / 2);
    lives.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        lives.tick().await;
        notify(&[NotifyState::Watchdog]);
    }
}

/// Keeps the status line true until `stop` turns true.
async fn stay_true(status: Status, mut stop: watch::Receiver<bool>) {
    let mut looks = interval(STATUS_EVERY);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut shown = String::new();
    loop {
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => return,
            _ = looks.tick() => {}
        }
        let text = status.text();
        if text != shown {
            notify(&[NotifyState::Status(&text)]);
            shown = text;
        }
    }
}
