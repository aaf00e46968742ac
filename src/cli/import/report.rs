//! The report of an import, in a file for the operator alone: each message that was refused, skipped or mended, with
//! the reason.

use std::fs::{File, OpenOptions, Permissions};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use csv::Writer;

use crate::cli::Failure;

/// Mode of the file: it names senders and subjects of archives that may be private.
const REPORT_MODE: u32 = 0o600;

/// A CSV file that is being written.
pub(super) struct ImportReport(Writer<File>);

impl ImportReport {
    /// Creates the file, or empties it.
    pub(super) fn create(path: &Path) -> Result<ImportReport, Failure> {
        let unwritable = |error| Failure::Failed(format!("{} cannot be written: {error}", path.display()));
        let file = OpenOptions::new().write(true).create(true).truncate(true).mode(REPORT_MODE).open(path);
        let file = file.map_err(unwritable)?;
        // An older file keeps its mode when it is opened.
        file.set_permissions(Permissions::from_mode(REPORT_MODE)).map_err(unwritable)?;
        let mut report = ImportReport(Writer::from_writer(file));
        report.add(["source", "place", "outcome", "reason"])?;
        Ok(report)
    }

    /// Adds a line.
    pub(super) fn add(&mut self, cells: [&str; 4]) -> Result<(), Failure> {
        self.0.write_record(cells).map_err(unwritten)
    }

    /// Writes the buffered rest.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        self.0.flush().map_err(unwritten)
    }
}

fn unwritten(error: impl std::fmt::Display) -> Failure {
    Failure::Failed(format!("the report cannot be written: {error}"))
}
