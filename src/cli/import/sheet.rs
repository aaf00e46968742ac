//! Reads tables of people: CSV, JSON, and those in a zip; their columns, and their rows with their lines. Writes the file
//! of refused rows.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use csv::{ByteRecord, Reader, ReaderBuilder, Terminator, Writer, WriterBuilder};
use encoding_rs::{CoderResult, Decoder, UTF_16LE};

use super::zips::{self, Entry};
use crate::cli::Failure;
use crate::control::import::objects::{Objects, is_json};
use crate::control::import::sheet::{OtherFile, other_file, start_of, unguarded};
use crate::control::import::{ImportRow, REASON_COLUMN};
use crate::model::EmailAddress;

/// The mark that programs write before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// The marks of UTF-16, in both orders of its bytes.
const UTF_16_MARKS: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];
/// Cells of a row that are read at most.
const CELLS_MAX: usize = 1000;
/// Bytes that are read at a time; the first line has to fit in for the choice of the separator.
const BUFFER_BYTES: usize = 256 << 10;

/// Most bytes of a text that is read at once: JSON, or a file in a zip.
const TEXT_BYTES_MAX: u64 = 96 << 20;
/// Endings of files in a zip that are tables of people.
const TABLE_ENDINGS: [&str; 4] = [".csv", ".tsv", ".txt", ".json"];
/// The files of workbooks, which are zips as well.
const WORKBOOK_FILES: [&str; 3] = ["[Content_Types].xml", "mimetype", "content.xml"];
/// Beginnings of the names of files that hold people in a state, as Mailchimp's exports have them.
const STATES_IN_NAMES: [&str; 4] = ["unsubscribed", "cleaned", "nonsubscribed", "archived"];
/// The column in which the state of the file's name stands.
const STATE_COLUMN: &str = "status";

/// A table of people: a file, or a file in a zip.
#[derive(Debug)]
pub(super) struct SheetSource {
    path: PathBuf,
    entry: Option<Entry>,
}

impl SheetSource {
    /// The tables at a path; `-` is standard input.
    pub(super) fn find(path: &Path) -> Result<Vec<SheetSource>, Failure> {
        let failed = |reason: String| Failure::Failed(format!("{}: {reason}", path.display()));
        let whole = || vec![SheetSource { path: path.to_owned(), entry: None }];
        if path.as_os_str() == "-" {
            return Ok(whole());
        }
        let unreadable =
            |error: io::Error| Failure::Failed(format!("{} cannot be read: {error}", path.display()));
        let file = File::open(path).map_err(unreadable)?;
        // A pipe can be read only once, and is no zip.
        if !file.metadata().map_err(unreadable)?.is_file() {
            return Ok(whole());
        }
        let mut beginning = Vec::new();
        file.take(4).read_to_end(&mut beginning).map_err(unreadable)?;
        if !zips::is_zip(&beginning) {
            return Ok(whole());
        }
        let entries = zips::entries(path).map_err(failed)?;
        if entries.iter().any(|entry| WORKBOOK_FILES.contains(&entry.name.as_str())) {
            return Ok(whole());
        }
        let is_table = |entry: &Entry| {
            let name = entry.name.to_ascii_lowercase();
            TABLE_ENDINGS.iter().any(|ending| name.ends_with(ending)) && !name.starts_with("__macosx/")
        };
        let tables = entries.into_iter().filter(is_table);
        let found: Vec<SheetSource> =
            tables.map(|entry| SheetSource { path: path.to_owned(), entry: Some(entry) }).collect();
        if found.is_empty() {
            return Err(failed("there is no table of people in this zip: no .csv and no .json".to_owned()));
        }
        Ok(found)
    }

    /// Its name for people.
    pub(super) fn name(&self) -> String {
        match &self.entry {
            Some(entry) => entry.name.clone(),
            None if self.path.as_os_str() == "-" => "standard input".to_owned(),
            None => self.path.display().to_string(),
        }
    }

    /// Reads the first line.
    pub(super) fn open(&self) -> Result<Sheet, Failure> {
        let name = self.name();
        let unreadable = |error: io::Error| Failure::Failed(format!("{name} cannot be read: {error}"));
        if self.path.as_os_str() == "-" {
            return Sheet::read(Box::new(io::stdin()), None, None).map_err(unreadable);
        }
        let state = state_of(&name);
        let Some(entry) = &self.entry else {
            let file = File::open(&self.path).map_err(unreadable)?;
            let size_bytes = file.metadata().map_err(unreadable)?.len();
            return Sheet::read(Box::new(file), Some(size_bytes), state).map_err(unreadable);
        };
        let text = zips::read(&self.path, entry, |reader| whole_text(reader));
        let text =
            text.map_err(|reason| Failure::Failed(format!("{name}: {reason}")))?.map_err(unreadable)?;
        let size_bytes = u64::try_from(text.len()).ok();
        Sheet::read(Box::new(io::Cursor::new(text)), size_bytes, state).map_err(unreadable)
    }
}

/// The state of everybody in a file of this name.
fn state_of(name: &str) -> Option<&'static str> {
    let file = name.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
    STATES_IN_NAMES.into_iter().find(|state| file.starts_with(state))
}

/// A text that is read at once.
fn whole_text(reader: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    reader.take(TEXT_BYTES_MAX + 1).read_to_end(&mut text)?;
    if TEXT_BYTES_MAX < text.len() as u64 {
        let problem = format!("it is larger than the {} MB that are read at once", TEXT_BYTES_MAX >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
    }
    Ok(text)
}

/// A table of people that is being read.
pub(super) struct Sheet {
    rows: Rows,
    separator: u8,
    columns: Vec<String>,
    /// The state of everybody in it, as the name of the file says.
    state: Option<&'static str>,
    size_bytes: Option<u64>,
}

/// The form of a table.
enum Rows {
    Csv(Box<CsvRows>),
    Objects(Objects),
}

/// The rows of CSV.
struct CsvRows {
    reader: Reader<Box<dyn Read>>,
    record: ByteRecord,
    /// Whether `record` holds a first line without names of columns, which must still be returned as a row.
    is_first_pending: bool,
    /// Lines above the names of the columns.
    lines_before: u64,
    columns: usize,
}

/// The next part of a file.
pub(super) enum SheetRow {
    /// A row.
    Row(ImportRow),
    /// A row that cannot be read, and why.
    Bad(ImportRow, String),
    /// The end of the file.
    End,
}

impl Sheet {
    fn read(
        source: Box<dyn Read>,
        size_bytes: Option<u64>,
        state: Option<&'static str>,
    ) -> io::Result<Sheet> {
        let mut source = BufReader::with_capacity(BUFFER_BYTES, source);
        if let Some(other) = other_file(source.fill_buf()?) {
            let problem = match other {
                OtherFile::Workbook => "this is an Excel workbook; save it as CSV",
                OtherFile::Cards => "this is an address book of cards (vCard); export it as CSV",
            };
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        let beginning = source.fill_buf()?;
        let mut source: Box<dyn BufRead> = if UTF_16_MARKS.iter().any(|mark| beginning.starts_with(mark)) {
            Box::new(BufReader::with_capacity(BUFFER_BYTES, Utf16::new(source)))
        } else {
            Box::new(source)
        };
        if source.fill_buf()?.starts_with(BYTE_ORDER_MARK) {
            source.consume(BYTE_ORDER_MARK.len());
        }
        let (rows, separator, mut columns) = if is_json(source.fill_buf()?) {
            let objects = Objects::read(whole_text(&mut source)?);
            let objects = objects.map_err(|problem| io::Error::new(io::ErrorKind::InvalidData, problem))?;
            let columns = objects.columns();
            (Rows::Objects(objects), b',', columns)
        } else {
            let (rows, separator, columns) = CsvRows::read(source)?;
            (Rows::Csv(Box::new(rows)), separator, columns)
        };
        columns.extend(state.map(|_| STATE_COLUMN.to_owned()));
        Ok(Sheet { rows, separator, columns, state, size_bytes })
    }

    /// The names of the columns.
    pub(super) fn columns(&self) -> Vec<String> {
        self.columns.clone()
    }

    /// The size of the file, if it is known.
    pub(super) fn size_bytes(&self) -> Option<u64> {
        self.size_bytes
    }

    /// How far it has been read.
    pub(super) fn position_bytes(&self) -> u64 {
        match &self.rows {
            Rows::Csv(rows) => rows.reader.position().byte(),
            Rows::Objects(objects) => u64::try_from(objects.position_bytes()).unwrap_or(u64::MAX),
        }
    }

    /// Reads the next row.
    pub(super) fn next(&mut self) -> Result<SheetRow, Failure> {
        let mut row = match &mut self.rows {
            Rows::Csv(rows) => rows.next()?,
            Rows::Objects(objects) => match objects.next_row() {
                Some(Ok(row)) => SheetRow::Row(row),
                Some(Err((row, reason))) => SheetRow::Bad(row, reason),
                None => SheetRow::End,
            },
        };
        if let (SheetRow::Row((_, cells)), Some(state)) = (&mut row, self.state) {
            cells.push(state.to_owned());
        }
        Ok(row)
    }
}

impl CsvRows {
    /// Reads the first line; returns the separator of cells and the names of the columns too.
    fn read(mut source: Box<dyn BufRead>) -> io::Result<(CsvRows, u8, Vec<String>)> {
        let start = start_of(text_of(source.fill_buf()?));
        source.consume(start.skipped_bytes);
        let (separator, lines_before) = (u8::try_from(start.separator).unwrap_or(b','), start.skipped_lines);
        let mut builder = ReaderBuilder::new();
        builder.delimiter(separator).flexible(true).has_headers(false).buffer_capacity(BUFFER_BYTES);
        // The reader counts lines correctly if a single byte ends each; a CR before it is removed later.
        builder.terminator(Terminator::Any(b'\n'));
        let source: Box<dyn Read> = Box::new(source.chain(b"\n".as_slice()));
        let mut reader = builder.from_reader(source);
        let mut record = ByteRecord::new();
        reader.read_byte_record(&mut record)?;
        if record.iter().any(|cell| std::str::from_utf8(cell).is_err()) {
            let problem = "it is not UTF-8: save the file in that encoding";
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        let mut columns: Vec<String> =
            record.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_owned()).collect();
        let is_first_pending = columns.iter().any(|cell| is_address(cell));
        if is_first_pending {
            if columns.len() != 1 {
                let problem =
                    "its first line names no columns: put a line such as email,firstname,surname above it";
                return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
            }
            columns = vec!["email".to_owned()];
        }
        let rows = CsvRows { reader, record, is_first_pending, lines_before, columns: columns.len() };
        Ok((rows, separator, columns))
    }

    fn next(&mut self) -> Result<SheetRow, Failure> {
        let unreadable = |error| Failure::Failed(format!("the file cannot be read further: {error}"));
        let mut cells = Vec::new();
        while cells.iter().all(String::is_empty) && cells.len() < 2 {
            let is_first = std::mem::take(&mut self.is_first_pending);
            if !is_first && !self.reader.read_byte_record(&mut self.record).map_err(unreadable)? {
                return Ok(SheetRow::End);
            }
            let cell = |cell: &[u8]| unguarded(&String::from_utf8_lossy(cell)).to_owned();
            cells = self.record.iter().take(CELLS_MAX).map(cell).collect();
            if let Some(last) = cells.last_mut()
                && last.ends_with('\r')
            {
                last.pop();
            }
        }
        // The reader stands after the row, whose cells may span several lines.
        let breaks: usize = cells.iter().map(|cell| cell.matches('\n').count()).sum();
        let line = self.reader.position().line().saturating_sub(u64::try_from(breaks).unwrap_or(0) + 1);
        let line = line + self.lines_before;
        let (has, wanted) = (cells.len(), self.columns);
        let row = (line, cells);
        if has != wanted {
            return Ok(SheetRow::Bad(row, format!("has {has} cells where the first line has {wanted}")));
        }
        if self.record.iter().any(|cell| std::str::from_utf8(cell).is_err()) {
            return Ok(SheetRow::Bad(row, "is not UTF-8: save the file in that encoding".to_owned()));
        }
        Ok(SheetRow::Row(row))
    }
}

/// Whether a cell is an address, with or without a name, and therefore no name of a column.
fn is_address(cell: &str) -> bool {
    let address =
        cell.strip_suffix('>').and_then(|cell| cell.rsplit_once('<')).map_or(cell, |(_, rest)| rest);
    EmailAddress::parse(address).is_ok()
}

/// The text at the beginning of bytes, as far as it is UTF-8.
fn text_of(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_else(|error| {
        std::str::from_utf8(bytes.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default()
    })
}

/// A text in UTF-16 with its mark, as Excel's "Unicode text", read as UTF-8.
struct Utf16<R> {
    source: R,
    decoder: Decoder,
    /// Bytes that were read and not decoded.
    left: Vec<u8>,
    is_end: bool,
    is_done: bool,
}

impl<R: Read> Utf16<R> {
    fn new(source: R) -> Utf16<R> {
        // The decoder goes by the mark.
        let decoder = UTF_16LE.new_decoder();
        Utf16 { source, decoder, left: Vec::new(), is_end: false, is_done: false }
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.is_done {
            if self.left.is_empty() && !self.is_end {
                let mut bytes = vec![0; BUFFER_BYTES];
                let count = self.source.read(&mut bytes)?;
                bytes.truncate(count);
                (self.left, self.is_end) = (bytes, count == 0);
            }
            let (result, read, written, _) = self.decoder.decode_to_utf8(&self.left, buffer, self.is_end);
            self.left.drain(..read);
            self.is_done = self.is_end && result == CoderResult::InputEmpty;
            if 0 < written {
                return Ok(written);
            }
        }
        Ok(0)
    }
}

/// The file of refused rows, each with the reason.
pub(super) struct Rejects {
    writer: Writer<File>,
    columns: usize,
}

impl Rejects {
    /// Creates the file, or empties it.
    pub(super) fn create(path: &Path, sheet: &Sheet) -> Result<Rejects, Failure> {
        let name = path.display();
        let file = File::create(path).map_err(|error| unwritable(format_args!("{name}: {error}")))?;
        let mut writer = WriterBuilder::new().delimiter(sheet.separator).flexible(true).from_writer(file);
        let columns: Vec<&str> =
            sheet.columns.iter().map(String::as_str).filter(|name| *name != REASON_COLUMN).collect();
        writer.write_record(columns.iter().chain([&REASON_COLUMN])).map_err(unwritable)?;
        Ok(Rejects { writer, columns: columns.len() })
    }

    /// Adds a row.
    pub(super) fn add(&mut self, cells: &[String], reason: &str) -> Result<(), Failure> {
        // A row that is too short is padded, so that the reason stands in its own column.
        let blank = String::new();
        let missing = self.columns.saturating_sub(cells.len());
        let cells = cells.iter().take(self.columns).chain(std::iter::repeat_n(&blank, missing));
        let cells = cells.map(String::as_str).chain([reason]);
        self.writer.write_record(cells).map_err(unwritable)
    }

    /// Writes the buffered rest.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        self.writer.flush().map_err(unwritable)
    }
}

fn unwritable(error: impl std::fmt::Display) -> Failure {
    Failure::Failed(format!("the refused rows cannot be written: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &'static [u8], expected: &[&str]) {
        let mut sheet = Sheet::read(Box::new(text), None, None).unwrap();
        let mut seen = vec![sheet.columns().join("|")];
        loop {
            seen.push(match sheet.next().unwrap() {
                SheetRow::Row((line, cells)) => format!("{line}: {}", cells.join("|")),
                SheetRow::Bad((line, _), reason) => format!("{line}! {reason}"),
                SheetRow::End => break,
            });
        }
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_file_is_read_whatever_separates_its_cells() {
        check(b"email,surname\na@x.org,A\n", &["email|surname", "2: a@x.org|A"]);
        check(b"email;lists\r\na@x.org;\"x,y\"\r\n", &["email|lists", "2: a@x.org|x,y"]);
        check(b"email\tnotes\na@x.org\tb\n", &["email|notes", "2: a@x.org|b"]);
        check(b"email\na@x.org", &["email", "2: a@x.org"]);
        check(b"\xef\xbb\xbfemail;\"a,b,c\"\n", &["email|a,b,c"]);
    }

    #[test]
    fn a_file_of_excel_is_read_below_its_titles() {
        check(b"sep=;\r\nemail;notes\r\na@x.org;b\r\n", &["email|notes", "3: a@x.org|b"]);
        check(
            b"Members for group club\nEmail address,Nickname\na@x.org,A\n",
            &["Email address|Nickname", "3: a@x.org|A"],
        );
        check(
            b"\xff\xfee\0m\0a\0i\0l\0\t\0n\0\r\0\n\0a\0@\0x\0.\0o\0r\0g\0\t\0\xe9\0\r\0\n\0",
            &["email|n", "2: a@x.org|\u{e9}"],
        );
        check(b"email,notes\na@x.org,'+49 30\n", &["email|notes", "2: a@x.org|+49 30"]);
    }

    #[test]
    fn a_file_of_bare_addresses_needs_no_first_line() {
        check(b"a@x.org\nb@x.org\n", &["email", "1: a@x.org", "2: b@x.org"]);
        check(b"\xef\xbb\xbfa@x.org\r\n\r\nB <b@x.org>\r\n", &["email", "1: a@x.org", "3: B <b@x.org>"]);
    }

    #[test]
    fn a_first_line_of_values_or_in_another_encoding_says_what_would_be_right() {
        let problem = |text: &'static [u8]| match Sheet::read(Box::new(text), None, None) {
            Ok(_) => panic!("the file is taken"),
            Err(error) => error.to_string(),
        };
        assert!(problem(b"a@x.org,Ada\n").contains("put a line such as email,firstname,surname above it"));
        assert!(problem(b"PK\x03\x04\x14").contains("this is an Excel workbook; save it as CSV"));
        assert!(problem(b"BEGIN:VCARD\r\n").contains("vCard"));
        assert!(problem(b"Email,Pr\xe9nom\na@x.org,Ada\n").contains("not UTF-8"));
    }

    #[test]
    fn rows_are_told_by_the_line_on_which_they_begin() {
        check(
            b"email,notes\na@x.org,\"two\nlines\"\n\nb@x.org,x\n",
            &["email|notes", "2: a@x.org|two\nlines", "5: b@x.org|x"],
        );
        check(
            b"email,notes\r\n\r\na@x.org,\"two\r\nlines\"\r\nb@x.org,\"x\"\r\nc@x.org,",
            &["email|notes", "3: a@x.org|two\r\nlines", "5: b@x.org|x", "6: c@x.org|"],
        );
    }

    #[test]
    fn a_row_that_cannot_be_read_does_not_end_the_file() {
        check(
            b"email,notes\na@x.org\nb@x.org,\xff\nc@x.org,x\n",
            &[
                "email|notes",
                "2! has 1 cells where the first line has 2",
                "3! is not UTF-8: save the file in that encoding",
                "4: c@x.org|x",
            ],
        );
    }
}
