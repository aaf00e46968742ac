//! Makes backups of the running server by itself: at the start if one is due, and then on the clock.
//!
//! A backup runs on a thread of its own, so that it blocks nobody, and reads a consistent copy while mail goes on. When
//! the server stops, the target refuses what the thread would write next, and so the backup ends without a point; its
//! lock is removed. Afterwards old points are thinned out. What came of it stands in the data file
//! ([`ops::server::backups`](crate::ops::server::backups)).

use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;

use crate::backup::{self, Backup, BackupError, KeyFile, Target};
use crate::clock::Timestamp;
use crate::config::backup::BackupConfig;
use crate::ops::Caller;
use crate::ops::server::backups;
use crate::s3::objects::target_of;
use crate::service::Core;
use crate::store::StoreError;

/// Longest sleep; a change of the clock is noticed after it.
const SLEEP_MAX: Duration = Duration::from_mins(1);

/// The backups of a running server.
#[derive(Debug)]
pub struct Backups {
    settle: mpsc::UnboundedSender<oneshot::Sender<()>>,
    task: JoinHandle<()>,
}

impl Backups {
    /// Begins to make the backups that the configuration asks for.
    pub(super) fn begin(core: Core, stop: watch::Receiver<bool>) -> Backups {
        let (settle, asked) = mpsc::unbounded_channel();
        let task = match core.config.backup.clone() {
            Some(config) => tokio::spawn(run(core, config, asked, stop)),
            None => tokio::spawn(std::future::ready(())),
        };
        Backups { settle, task }
    }

    /// Waits until no backup is due and none is under way.
    pub async fn settle(&self) {
        let (answer, answered) = oneshot::channel();
        if self.settle.send(answer).is_ok() {
            // An error means that no backups are made.
            let _ = answered.await;
        }
    }

    /// The task, which ends when the server stops.
    pub(super) fn into_task(self) -> JoinHandle<()> {
        self.task
    }
}

async fn run(
    core: Core,
    config: BackupConfig,
    mut asked: mpsc::UnboundedReceiver<oneshot::Sender<()>>,
    mut stop: watch::Receiver<bool>,
) {
    let target = target_of(&config.place, &core.config, &Handle::current(), Some(stop.clone()));
    let place = target.place();
    let mut waiting: Vec<oneshot::Sender<()>> = Vec::new();
    while !*stop.borrow() {
        let wait = match time_left(&core, &config, &place) {
            Ok(Duration::ZERO) => {
                make(&core, &config, &target, &stop).await;
                continue;
            }
            Ok(wait) => wait,
            Err(error) => {
                tracing::error!(error = %error, "It cannot be read when a backup is due");
                SLEEP_MAX
            }
        };
        for answer in waiting.drain(..) {
            // Who asked may have given up.
            let _: Result<(), ()> = answer.send(());
        }
        let sleep = if core.clock.is_manual() { SLEEP_MAX } else { wait.min(SLEEP_MAX) };
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => return,
            Some(answer) = asked.recv() => waiting.push(answer),
            () = tokio::time::sleep(sleep) => {}
        }
    }
}

/// How long no backup is due.
fn time_left(core: &Core, config: &BackupConfig, place: &str) -> Result<Duration, StoreError> {
    let (standing, now) = (backups::of_place(&core.store.read()?, place)?, core.now());
    if let Some(newest) = standing.newest {
        core.metrics.backups.newest.set([], newest.ms().unsigned_abs() / 1000);
    }
    Ok(standing.next(config.every, now).since(now))
}

/// Makes a backup, thins out the older ones, and notes what came of it.
async fn make(core: &Core, config: &BackupConfig, target: &Target, stop: &watch::Receiver<bool>) {
    let begun = core.clock.steady();
    let made = on_thread(core, config, target).await;
    if *stop.borrow() && made.is_err() {
        tracing::info!("The backup under way was ended by the stop; the next start makes another");
        return;
    }
    let place = target.place();
    let (metrics, seconds) = (&core.metrics.backups, core.clock.steady().saturating_sub(begun).as_secs_f64());
    let server = Caller::of_server();
    let noted = match made {
        Ok(Made { point, sent_bytes, deleted }) => {
            metrics.outcomes.count(["made"]);
            metrics.sent_bytes.add([], sent_bytes);
            metrics.seconds.observe([], seconds);
            tracing::info!(
                backup.point = %point,
                "A backup to {place} was made in {seconds:.1} s: {sent_bytes} bytes were sent, and {deleted} older \
                 backups were deleted"
            );
            // While the clock is behind the points of the target, they are ahead of it by design, and the next one is
            // due as long after this try as ever.
            let tried = point.min(core.now());
            let noting = core.perform_reserved(&server, move |tx, _| backups::note_made(tx, &place, tried));
            noting.await
        }
        Err(Failed { problem, is_busy: true }) => {
            tracing::warn!("No backup to {place} was made now: {problem}");
            let now = core.now();
            let noting =
                core.perform_reserved(&server, move |tx, _| backups::note_busy(tx, (&place, &problem), now));
            noting.await
        }
        Err(Failed { problem, is_busy: false }) => {
            metrics.outcomes.count(["failed"]);
            tracing::error!("The backup to {place} failed: {problem}");
            let now = core.now();
            let noting = core.perform_reserved(&server, move |tx, by| {
                backups::note_failed(tx, &by.mail_context, (&place, &problem), now)
            });
            noting.await
        }
    };
    if let Err(error) = noted {
        tracing::error!(error = %error, "What came of a backup could not be noted");
        // Without a note the next one would be due at once.
        let mut stop = stop.clone();
        let _ = tokio::time::timeout(SLEEP_MAX, stop.wait_for(|stop| *stop)).await;
    }
}

/// The result of a backup.
struct Made {
    point: Timestamp,
    sent_bytes: u64,
    /// Points that were thinned out.
    deleted: usize,
}

/// Why no backup was made.
struct Failed {
    problem: String,
    /// Another backup is under way, which is no outage.
    is_busy: bool,
}

impl From<BackupError> for Failed {
    fn from(error: BackupError) -> Failed {
        Failed { problem: error.to_string(), is_busy: error.is_busy() }
    }
}

/// Makes a backup on a thread that may block. A process that ends does not wait for it: whatever is killed, the points of
/// the target are whole.
async fn on_thread(core: &Core, config: &BackupConfig, target: &Target) -> Result<Made, Failed> {
    let (core, config, target) = (core.clone(), config.clone(), target.clone());
    let (tell, told) = oneshot::channel();
    let thread = std::thread::Builder::new().name("backup".to_owned());
    let spawned = thread.spawn(move || {
        // Who waits may have stopped waiting.
        let _ = tell.send(make_and_thin(&core, &config, target));
    });
    let failed = |problem: String| Failed { problem, is_busy: false };
    spawned.map_err(|error| failed(format!("no thread can be started: {error}")))?;
    told.await.unwrap_or_else(|_| Err(failed("it ended by a panic".to_owned())))
}

fn make_and_thin(core: &Core, config: &BackupConfig, target: Target) -> Result<Made, Failed> {
    let key = config.key_file.as_deref().map(KeyFile::read).transpose()?;
    let target = target.with_key(key);
    let backup = Backup {
        store: &core.store,
        data_dir: &core.config.data_dir,
        target: &target,
        clock: &core.clock,
        secrets: &core.secrets,
    };
    let report = backup.make(&mut |_| ())?;
    // The point is there: that older ones are not thinned out is no failure of it.
    let deleted = thin(&backup, config).unwrap_or_else(|error| {
        tracing::warn!("Old backups could not be deleted: {error}");
        0
    });
    Ok(Made { point: report.point, sent_bytes: report.sent_bytes, deleted })
}

/// Deletes the points that are not kept; returns their number.
fn thin(backup: &Backup<'_>, config: &BackupConfig) -> Result<usize, BackupError> {
    let points = backup::points(backup.target)?;
    let times: Vec<Timestamp> = points.iter().map(|point| point.time).collect();
    let doomed = config.keep.doomed(&times);
    let names: Vec<String> =
        points.into_iter().filter(|point| doomed.contains(&point.time)).map(|point| point.name).collect();
    if names.is_empty() { Ok(0) } else { backup.delete(&names).map(|deleted| deleted.points) }
}
