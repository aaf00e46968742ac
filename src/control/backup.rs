//! Makes a backup of the data file: in the running server, or in the process of the command.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use tokio::sync::watch;

use super::error::CommandError;
use super::host::Host;
use crate::backup::{Backup, BackupError, KeyFile, Progress, Target};
use crate::clock::Clock;
use crate::config::Config;
use crate::config::backup::BackupPlace;
use crate::s3::objects::target_of;

/// Time between two lines of progress.
const LINE_EVERY: Duration = Duration::from_secs(2);
const MIB: u64 = 1024 * 1024;

/// A backup to make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupRequest {
    /// The place of the target; a path is absolute.
    pub place: BackupPlace,
    /// The recipients of an encrypted one, a line each.
    pub recipients: Option<String>,
}

/// A backup that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupReply {
    /// The target.
    pub target: String,
    /// The time of the new point.
    pub point: String,
    /// The size of the data file.
    pub file_bytes: u64,
    /// Bytes that were written to the target.
    pub sent_bytes: u64,
}

impl BackupRequest {
    /// The target of the request, which asks a storage service by means of the runtime. With `stop`, a backup to it fails
    /// when that becomes true.
    pub fn target(
        &self,
        config: &Config,
        runtime: &Handle,
        stop: Option<watch::Receiver<bool>>,
    ) -> Result<Target, BackupError> {
        let key = self.recipients.as_deref().map(KeyFile::parse).transpose().map_err(BackupError::Key)?;
        Ok(target_of(&self.place, config, runtime, stop).with_key(key))
    }
}

impl From<BackupError> for CommandError {
    fn from(error: BackupError) -> CommandError {
        match error {
            BackupError::Store(error) => error.into(),
            other => CommandError::Told(other.to_string()),
        }
    }
}

pub(super) fn run(
    host: &Host,
    request: &BackupRequest,
    progress: &mut dyn FnMut(String),
) -> Result<BackupReply, CommandError> {
    let core = &host.core;
    let target = request.target(&core.config, &Handle::current(), host.stop.clone())?;
    let backup = Backup {
        store: &core.store,
        data_dir: &core.config.data_dir,
        target: &target,
        clock: &core.clock,
        secrets: &core.secrets,
    };
    Ok(make(&backup, progress)?)
}

/// Makes a backup; `progress` gets lines. Blocks.
pub fn make(backup: &Backup<'_>, progress: &mut dyn FnMut(String)) -> Result<BackupReply, BackupError> {
    let mut lines = Lines::new(backup.clock);
    let report = backup.make(&mut |at| lines.tell(at, progress))?;
    let target = backup.target.place();
    tracing::info!(
        backup.target = target,
        backup.file_bytes = report.file_bytes,
        backup.sent_bytes = report.sent_bytes,
        "A backup was made"
    );
    Ok(BackupReply {
        target,
        point: report.point.rfc3339(),
        file_bytes: report.file_bytes,
        sent_bytes: report.sent_bytes,
    })
}

/// Makes lines of progress, now and then.
struct Lines<'a> {
    clock: &'a Clock,
    told: Duration,
}

impl Lines<'_> {
    fn new(clock: &Clock) -> Lines<'_> {
        Lines { clock, told: clock.steady() }
    }

    fn tell(&mut self, at: Progress, tell: &mut dyn FnMut(String)) {
        let now = self.clock.steady();
        if now.saturating_sub(self.told) < LINE_EVERY {
            return;
        }
        self.told = now;
        let Progress { done_bytes, file_bytes, sent_bytes } = at;
        let (done, all, sent) = (done_bytes / MIB, file_bytes / MIB, sent_bytes / MIB);
        tell(format!("{done} of {all} MiB are backed up, {sent} MiB were sent"));
    }
}
