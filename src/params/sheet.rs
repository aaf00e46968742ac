//! Finds where the columns of a file of people are named, for the page and for the command line: behind a line `sep=;`
//! and behind rows that are titles. Reads the rows of a text. Says of files that are no text what they are.

use std::io::{self, Read};

use csv::ReaderBuilder;

use super::columns::Column;
use crate::model::EmailAddress;

/// Characters that may stand between cells.
pub const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];
/// Columns that a file of a page may have.
pub(crate) const COLUMNS_MAX: usize = 100;
/// Rows among which the names of columns are looked for.
const ROWS_LOOKED_AT: usize = 10;

/// A kind of file that is no CSV.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherFile {
    /// A workbook of Excel or of another spreadsheet.
    Workbook,
    /// An address book of cards.
    Cards,
}

/// The kind of a file that begins with these bytes, if it is no CSV.
#[must_use]
pub fn other_file(beginning: &[u8]) -> Option<OtherFile> {
    let text = beginning.trim_ascii_start();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    // A zip, as .xlsx and .ods are, and the container of .xls.
    if beginning.starts_with(b"PK\x03\x04") || beginning.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
        return Some(OtherFile::Workbook);
    }
    let is_card = text.get(..11).is_some_and(|start| start.eq_ignore_ascii_case(b"BEGIN:VCARD"));
    is_card.then_some(OtherFile::Cards)
}

/// Where a text begins that people are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// Bytes before the names of columns, or before the first row.
    pub skipped_bytes: usize,
    /// The lines of these bytes.
    pub skipped_lines: u64,
    /// The character between cells.
    pub separator: char,
}

/// The start of a text, of which the beginning will do.
#[must_use]
pub fn start_of(text: &str) -> Start {
    let mut start = Start { skipped_bytes: 0, skipped_lines: 0, separator: ',' };
    let mut said = None;
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    start.skipped_bytes = text.len() - rest.len();
    if let Some((line, below)) = rest.split_once('\n')
        && let Some(separator) = said_separator(line)
    {
        said = Some(separator);
        start.skipped_bytes += line.len() + 1;
        start.skipped_lines += 1;
        rest = below;
    }
    start.separator = said.unwrap_or_else(|| separator_of(rest));
    let mut above = (0, 0);
    for line in rest.split_inclusive('\n').take(ROWS_LOOKED_AT) {
        if names_addresses(line) {
            start.skipped_bytes += above.0;
            start.skipped_lines += above.1;
            start.separator = said.unwrap_or_else(|| separator_of(line));
            break;
        }
        // Rows with an address have begun.
        if has_address(line) {
            break;
        }
        above = (above.0 + line.len(), above.1 + 1);
    }
    start
}

/// The character that a line such as `sep=;` names.
fn said_separator(line: &str) -> Option<char> {
    let line = line.trim_end_matches('\r').trim_matches('"');
    let (name, said) = line.split_at_checked(4)?;
    let said = said.chars().next().filter(|c| SEPARATORS.contains(c))?;
    name.eq_ignore_ascii_case("sep=").then_some(said)
}

/// Whether a line names a column of addresses.
fn names_addresses(line: &str) -> bool {
    let mut cells = line.trim_end().split(SEPARATORS).map(|cell| cell.trim().trim_matches('"'));
    cells.any(|cell| matches!(Column::of(cell, &[], None), Some(Column::Emails | Column::MoreEmails)))
}

/// Whether a cell of a line is an address, with a name or without.
fn has_address(line: &str) -> bool {
    line.split(SEPARATORS).map(|cell| cell.trim().trim_matches('"')).any(|cell| {
        let address =
            cell.strip_suffix('>').and_then(|rest| rest.rsplit_once('<')).map_or(cell, |(_, rest)| rest);
        EmailAddress::parse(address).is_ok()
    })
}

/// The character between cells: of those that are known, the one that stands most often in the first line, outside of
/// quotes.
#[must_use]
pub fn separator_of(text: &str) -> char {
    let mut counts = [0_u32; SEPARATORS.len()];
    let mut is_quoted = false;
    for c in text.trim_start().chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            '\n' | '\r' if !is_quoted => break,
            c if !is_quoted => {
                for (count, separator) in counts.iter_mut().zip(SEPARATORS) {
                    *count += u32::from(c == separator);
                }
            }
            _ => {}
        }
    }
    let most = counts.iter().zip(SEPARATORS).rev().max_by_key(|(count, _)| **count);
    most.map_or(',', |(_, separator)| separator)
}

/// A cell without the apostrophe that keeps a spreadsheet from taking it for a formula, as downloads have it.
#[must_use]
pub fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(rest) if rest.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r']) => rest,
        _ => cell,
    }
}

/// The rows of a text, each with the same number of cells as far as it can; rows without any text are left out. A row
/// ends behind the cells that it may have and one more: a longer one stays too long.
pub(crate) fn rows(text: &str, separator: char) -> impl Iterator<Item = Vec<String>> {
    let separator = u8::try_from(separator).unwrap_or(b',');
    let mut builder = ReaderBuilder::new();
    builder.delimiter(separator).flexible(true).has_headers(false);
    let records = builder.from_reader(Bounded::new(text.as_bytes(), separator)).into_records();
    // A text in UTF-8 that is in memory cannot fail to be read.
    records
        .filter_map(Result::ok)
        .map(|record| record.iter().map(|cell| unguarded(cell.trim()).to_owned()).collect::<Vec<String>>())
        .filter(|cells| cells.iter().any(|cell| !cell.is_empty()))
}

/// Where a [`Bounded`] text stands in a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    CellStart,
    Unquoted,
    Quoted,
    /// Behind a quote in a quoted cell: its end, or the first of two.
    Quote,
}

/// A text without the cells of a row that are too many, of which the first letter is kept in the last cell.
struct Bounded<'a> {
    text: &'a [u8],
    separator: u8,
    at: At,
    cells: usize,
    has_rest: bool,
}

impl<'a> Bounded<'a> {
    fn new(text: &'a [u8], separator: u8) -> Bounded<'a> {
        Bounded { text, separator, at: At::CellStart, cells: 0, has_rest: false }
    }

    /// Takes the next byte in; returns whether it is kept.
    fn keeps(&mut self, byte: u8) -> bool {
        let is_end = self.at != At::Quoted && matches!(byte, b'\n' | b'\r');
        let is_separator = self.at != At::Quoted && byte == self.separator;
        let was_over = COLUMNS_MAX < self.cells;
        self.at = match (self.at, byte) {
            _ if is_end || is_separator => At::CellStart,
            (At::Quoted, b'"') => At::Quote,
            (At::CellStart | At::Quote, b'"') | (At::Quoted, _) => At::Quoted,
            _ => At::Unquoted,
        };
        if is_end {
            (self.cells, self.has_rest) = (0, false);
            return true;
        }
        self.cells += usize::from(is_separator);
        if !was_over {
            return self.cells <= COLUMNS_MAX || !is_separator;
        }
        let is_letter = !is_separator && byte != b'"' && byte.is_ascii_graphic();
        is_letter && !std::mem::replace(&mut self.has_rest, true)
    }
}

impl Read for Bounded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut count = 0;
        while count < buffer.len() {
            let Some((byte, rest)) = self.text.split_first() else { break };
            self.text = rest;
            if self.keeps(*byte) {
                buffer[count] = *byte;
                count += 1;
            }
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: (&str, char)) {
        let start = start_of(text);
        assert_eq!((&text[start.skipped_bytes..], start.separator), expected);
        assert_eq!(text[..start.skipped_bytes].matches('\n').count() as u64, start.skipped_lines);
    }

    #[test]
    fn the_names_of_columns_are_found_below_titles() {
        check("email;name\na@x.org;A\n", ("email;name\na@x.org;A\n", ';'));
        check("sep=;\r\nemail;name, all\n", ("email;name, all\n", ';'));
        check("\u{feff}sep=\t\nemail\tname\n", ("email\tname\n", '\t'));
        check(
            "Members for group club@x.org, all\nEmail address,Nickname\na@x.org,A\n",
            ("Email address,Nickname\na@x.org,A\n", ','),
        );
        check("Club 2026\n\nName;E-Mail\n", ("Name;E-Mail\n", ';'));
        check("a@x.org;A\nemail;name\n", ("a@x.org;A\nemail;name\n", ';'));
        check("Address;Given\na@x.org;A\n", ("Address;Given\na@x.org;A\n", ';'));
    }

    #[test]
    fn a_guard_is_taken_off_and_an_apostrophe_of_a_word_stays() {
        let cells =
            [("'=1", "=1"), ("'+49", "+49"), ("''=1", "'=1"), ("'tis", "'tis"), ("''", "''"), ("=1", "=1")];
        for (cell, expected) in cells {
            assert_eq!(unguarded(cell), expected);
        }
    }

    #[test]
    fn files_that_are_no_text_are_known() {
        assert_eq!(other_file(b"PK\x03\x04\x14"), Some(OtherFile::Workbook));
        assert_eq!(other_file(b"\xef\xbb\xbfbegin:vcard\r\nVERSION:3.0"), Some(OtherFile::Cards));
        assert_eq!(other_file(b"email\n"), None);
    }

    #[test]
    fn a_row_keeps_no_more_cells_than_show_that_it_is_too_long() {
        let commas = ",".repeat(100_000);
        let text = format!("email\na@x.org{commas}\nb@x.org{commas}b\n");
        let lengths: Vec<(usize, bool)> = rows(&text, ',')
            .map(|cells| (cells.len(), cells.iter().skip(1).any(|cell| !cell.is_empty())))
            .collect();
        assert_eq!(lengths, [(1, false), (COLUMNS_MAX + 1, false), (COLUMNS_MAX + 1, true)]);
    }
}
