//! Exports of an account or a list that pages hand out as a zip file, which is made while it is sent.
//!
//! Which files an export has, and what stands in them, is the business of the layer that knows their forms; it is handed
//! in as an [`ExportMaker`]. Each piece is read in a snapshot of its own, and the next is made when the client took the
//! one before, so that a slow client holds neither a snapshot nor memory.

use std::fmt::Debug;
use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use zip::ZipWriter;
use zip::write::{SimpleFileOptions, StreamWriter};

use crate::model::AccountId;
use crate::ops::OpError;

/// Mode of the files when they are unpacked: they name people.
const FILE_MODE: u32 = 0o600;
/// Compressed bytes that are sent together, if there are so many.
const CHUNK_BYTES: usize = 64 << 10;

/// A part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The path of the file below the folder of the export.
    pub file: String,
    /// Its next bytes.
    pub bytes: Vec<u8>,
    /// Whether it is whole behind them.
    pub is_last: bool,
}

/// Makes exports of what `C` holds.
pub trait ExportMaker<C>: Debug + Send + Sync {
    /// Begins the export of an account, or of its list of this name alone.
    ///
    /// # Errors
    /// If there is no such account or list.
    fn begin(&self, core: &C, account: AccountId, list: Option<&str>) -> Result<Box<dyn Export>, OpError>;
}

/// An export in progress.
pub trait Export: Send {
    /// The next piece; `None` behind the last. Blocks, within a runtime.
    ///
    /// # Errors
    /// The reason in words.
    fn next(&mut self) -> Result<Option<Piece>, String>;
}

/// The bytes that a zip file has and that are not sent yet.
#[derive(Debug, Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An export as a zip file.
pub struct ZippedExport {
    export: Box<dyn Export>,
    /// `None` once the file is whole.
    zip: Option<ZipWriter<StreamWriter<Sink>>>,
    /// The file that is being written.
    current: Option<String>,
    sink: Sink,
}

impl ZippedExport {
    /// The zip file of an export.
    #[must_use]
    pub fn new(export: Box<dyn Export>) -> ZippedExport {
        let sink = Sink::default();
        ZippedExport { export, zip: Some(ZipWriter::new_stream(sink.clone())), current: None, sink }
    }

    /// The next bytes; `None` behind the last. Blocks, within a runtime.
    ///
    /// # Errors
    /// The reason in words.
    pub fn next_part(&mut self) -> Result<Option<Vec<u8>>, String> {
        while let Some(mut zip) = self.zip.take() {
            match self.export.next()? {
                Some(Piece { file, bytes, is_last: _ }) => {
                    if self.current.as_ref() != Some(&file) {
                        // An archive may be larger than the old form of zip files allows.
                        let options =
                            SimpleFileOptions::default().unix_permissions(FILE_MODE).large_file(true);
                        zip.start_file(file.as_str(), options).map_err(|error| error.to_string())?;
                        self.current = Some(file);
                    }
                    zip.write_all(&bytes).map_err(|error| error.to_string())?;
                    self.zip = Some(zip);
                }
                None => drop(zip.finish().map_err(|error| error.to_string())?),
            }
            let mut made = self.sink.0.lock().unwrap_or_else(PoisonError::into_inner);
            if CHUNK_BYTES <= made.len() || self.zip.is_none() {
                return Ok(Some(mem::take(&mut *made)));
            }
        }
        Ok(None)
    }
}
