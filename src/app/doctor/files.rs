//! Examines the data folder: the room on its disk, and who may read what is in it.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::{Check, Subject};
use crate::migrate::{FILE_NAME, PREVIOUS_NAME};
use crate::store::Disk;

/// Modes that let others than the owner in.
const OTHERS: u32 = 0o077;
/// Modes that let others than owner and group in.
const WORLD: u32 = 0o007;

/// Whether new work is accepted, and will be for a while.
pub(super) fn disk(subject: &Subject) -> Check {
    let (folder, reserve) = (&subject.config.data_dir, subject.config.disk_reserve_bytes);
    let Some(free) = Disk::SYSTEM.free_bytes(&folder.join(FILE_NAME)) else {
        let fault = format!("the free space of {} is not known: does the folder exist?", folder.display());
        return Check::of("disk", &[fault], "");
    };
    let mib = |bytes: u64| bytes >> 20;
    let facts = format!(
        "the disk of {} has {} MiB free; --disk-reserve keeps {} MiB",
        folder.display(),
        mib(free),
        mib(reserve)
    );
    let fault = if free < reserve {
        Some(format!("{facts}: new mail and changes are refused until there is more room"))
    } else if free < reserve.saturating_mul(2) {
        Some(format!("{facts}: make room soon, new mail will be refused"))
    } else {
        None
    };
    Check::of("disk", fault.as_slice(), facts)
}

/// Whether the server can work on the files of its folder, and nobody else can read them.
pub(super) fn permissions(subject: &Subject) -> Check {
    let folder = &subject.config.data_dir;
    let mut faults = Vec::new();
    let owner = match folder.metadata() {
        Ok(found) => subject.user.unwrap_or_else(|| found.uid()),
        Err(error) => {
            let fault = format!("{} cannot be examined: {error}", folder.display());
            return Check::of("permissions", &[fault], "");
        }
    };
    for name in [FILE_NAME, PREVIOUS_NAME] {
        let path = folder.join(name);
        if let Ok(found) = path.metadata() {
            faults.extend(of_data(&path, &found, owner));
        }
    }
    for key in subject.config.tls.files.iter().map(|(_, key)| key) {
        if let Ok(found) = key.metadata()
            && found.mode() & WORLD != 0
        {
            let key = key.display();
            faults.push(format!("everybody on this machine can read the private key {key}: chmod o= {key}"));
        }
    }
    Check::of("permissions", &faults, "the data file is its owner's alone")
}

/// The faults of a file that only the server's user may read and write.
fn of_data(path: &Path, found: &Metadata, owner: u32) -> Vec<String> {
    let mut faults = Vec::new();
    let path = path.display();
    if found.uid() != owner {
        faults.push(format!(
            "{path} belongs to user #{}, and the server works as user #{owner}: chown {owner} {path}",
            found.uid()
        ));
    }
    if found.mode() & OTHERS != 0 {
        faults.push(format!(
            "others than the server can read or write {path} (mode {:03o}): chmod 600 {path}",
            found.mode() & 0o777
        ));
    }
    faults
}
