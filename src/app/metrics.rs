//! Serves `/metrics` on a listener of its own, so that the operator decides who can reach it.
//!
//! `app` starts it. It requires no key.

use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

use crate::metrics::CONTENT_TYPE;
use crate::migrate::FILE_NAME;
use crate::ops::queue;
use crate::service::Core;
use crate::store::{Committed, StoreError};

/// The file in which Linux shows how much memory a process has.
const PROCESS_STATUS: &str = "/proc/self/status";

/// Measures every commit of the store.
pub(super) fn watch_commits(core: &Core) {
    let (metrics, event_bell) = (Arc::clone(&core.metrics), Arc::clone(&core.event_bell));
    core.store.observe(Box::new(move |Committed { jobs, duration }| {
        event_bell.ring();
        metrics.store.jobs.add([], u64::from(jobs));
        metrics.store.commit_jobs.observe([], f64::from(jobs));
        metrics.store.commit_seconds.observe([], duration.as_secs_f64());
    }));
}

/// The routes of the listener: `/metrics` and nothing else.
pub(super) fn router(core: &Core) -> Router {
    let core = core.clone();
    core.metrics.standing.start_seconds.set([], core.now().ms().unsigned_abs() / 1000);
    Router::new().route("/metrics", get(move || async move { answer(&core) }))
}

fn answer(core: &Core) -> Response {
    match text(core) {
        Ok(text) => ([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response(),
        Err(error) => {
            tracing::error!(error = %error, "The standing of the queue could not be read for /metrics");
            (StatusCode::INTERNAL_SERVER_ERROR, "The queue cannot be read; the log says why\n")
                .into_response()
        }
    }
}

fn text(core: &Core) -> Result<String, StoreError> {
    let metrics = &core.metrics;
    queue::note_standing(&core.store.read()?, metrics, core.now())?;
    metrics.store.cache_limit_bytes.set([], core.config.cache_bytes as u64);
    let file = std::fs::metadata(core.config.data_dir.join(FILE_NAME));
    metrics.store.file_bytes.set([], file.map_or(0, |file| file.len()));
    metrics.standing.memory_bytes.set([], resident_bytes(Path::new(PROCESS_STATUS)).unwrap_or(0));
    let newest = metrics.backups.newest.get([]);
    let now = core.now().ms().unsigned_abs() / 1000;
    let age = if newest == 0 { 0 } else { now.saturating_sub(newest) };
    metrics.backups.age_seconds.set([], age);
    Ok(metrics.text())
}

/// Reads the memory of the process, which the kernel gives in KiB.
fn resident_bytes(status: &Path) -> Option<u64> {
    let status = std::fs::read_to_string(status).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}
