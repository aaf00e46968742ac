//! Chooses a point of a target, and makes a verified data file of it in a folder.

use std::path::Path;
use std::time::{Duration, Instant};

use super::progress::{Display, size};
use crate::app;
use crate::backup::{self, Point, Target};
use crate::cli::Failure;
use crate::cli::terminal::Patient;
use crate::cli::values::parse_past;
use crate::clock::{Clock, Timestamp};
use crate::control::verify;
use crate::migrate::FILE_NAME;
use crate::secret::Secrets;
use crate::store::{Disk, StoreOptions};

/// Most differences of a file that are named.
const DIFFERENCES_TOLD: usize = 5;

/// How long the parts of a restoration took.
pub(super) struct Durations {
    pub(super) restoring: Duration,
    pub(super) verifying: Duration,
}

/// Parses the time of `--at`. One without a fraction means its whole second, which lists show.
pub(super) fn parse_at(text: &str) -> Result<Timestamp, Failure> {
    let time = parse_past(text, Clock::system().now()).map_err(|right| {
        Failure::Usage(format!("--at {text:?} {right}; --list shows the times of the backups"))
    })?;
    let is_whole = time.ms() % 1000 == 0;
    Ok(if is_whole { Timestamp::from_ms(time.ms() + 999) } else { time })
}

/// The newest point that is not later than `at`.
pub(super) fn find(target: &Target, at: Option<&str>) -> Result<Point, Failure> {
    let at = at.map(parse_at).transpose()?;
    backup::find_point(target, at).map_err(Failure::failed)
}

/// Makes the data file of a point in `folder`, which is empty, brings it up to date and verifies it.
pub(super) fn restore_into(target: &Target, point: &Point, folder: &Path) -> Result<Durations, Failure> {
    let (clock, secrets) = (Clock::system(), Secrets::system());
    let path = folder.join(FILE_NAME);
    check_room(&Disk::SYSTEM, &path, point.file_bytes)?;
    let begun = Instant::now();
    let mut display = Display::start();
    let written = backup::restore(target, point, &path, &secrets, &mut |at| display.at(at));
    display.end();
    written.map_err(Failure::failed)?;
    let restoring = begun.elapsed();
    let (begun, progress) = (Instant::now(), Patient::start());
    // The file is as a crash would have left it; opening it repairs it.
    let options = StoreOptions { reserve_bytes: 0, ..StoreOptions::default() };
    let opened = app::open_file(folder, options, &clock, &secrets, &mut |text| progress.tell(&text));
    let store = opened.map_err(Failure::failed)?.store;
    let differences = store.read().and_then(|tx| verify::differences(&tx, &mut |text| progress.tell(text)));
    let marked = backup::mark_restored(&store, point.time, clock.now());
    store.close_blocking();
    let differences = differences.map_err(Failure::failed)?;
    marked.map_err(Failure::failed)?;
    if !differences.is_empty() {
        let told = differences.iter().take(DIFFERENCES_TOLD).cloned().collect::<Vec<_>>().join("; ");
        let text =
            format!("the backup has {} differences, so it was not put to use: {told}", differences.len());
        return Err(Failure::Failed(text));
    }
    Ok(Durations { restoring, verifying: begun.elapsed() })
}

/// Fails if a disk has no room for a file of `needed_bytes` at `path`.
fn check_room(disk: &Disk, path: &Path, needed_bytes: u64) -> Result<(), Failure> {
    match disk.free_bytes(path) {
        Some(free_bytes) if free_bytes < needed_bytes => Err(Failure::Failed(format!(
            "the data file of the backup has {}, and the disk has {} free beside {}: make room, and try again",
            size(needed_bytes),
            size(free_bytes),
            path.display()
        ))),
        Some(_) | None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::fault::DiskControl;

    #[test]
    fn without_room_nothing_is_restored_and_both_sizes_are_named() {
        let control = DiskControl::new();
        control.leave_free(2 << 20);
        let told = |needed_bytes| match check_room(
            &Disk::rehearsed(&control),
            Path::new("/srv/crier/crier.redb"),
            needed_bytes,
        ) {
            Err(Failure::Failed(text) | Failure::Usage(text)) => text,
            Ok(()) => String::new(),
        };
        assert_eq!(told(2 << 20), "");
        assert!(told(3 << 20).contains("has 3.0 MiB, and the disk has 2.0 MiB free"), "{}", told(3 << 20));
    }
}
