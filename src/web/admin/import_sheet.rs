//! Reads the text of an import: its encoding, the character between its cells, and its rows.
//!
//! Programs write address books in many ways and seldom say which. What can be found out is found out; what somebody
//! chooses on the page goes first.

use csv::{ReaderBuilder, StringRecord};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use crate::model::{CustomField, EmailAddress};
use crate::params::columns::{Column, REASON_COLUMN};

/// Columns that a file may have.
pub(super) const COLUMNS_MAX: usize = 100;
/// Characters that may stand between cells.
pub(super) const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];
/// Encodings that are offered, by their names in the Encoding Standard.
pub(super) const CHARSETS: [&str; 12] = [
    "utf-8",
    "windows-1252",
    "iso-8859-2",
    "windows-1250",
    "windows-1251",
    "iso-8859-7",
    "windows-1254",
    "macintosh",
    "utf-16le",
    "shift_jis",
    "gb18030",
    "euc-kr",
];

/// The text of a file, and the name of its encoding.
pub(super) fn decode(bytes: &[u8], wanted: &str) -> (String, String) {
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    let chosen = Encoding::for_label(wanted.as_bytes());
    let guessed = || if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 };
    let encoding = marked.or(chosen).unwrap_or_else(guessed);
    let (text, used, _) = encoding.decode(bytes);
    (text.into_owned(), used.name().to_owned())
}

/// The character between cells: of those that are known, the one that stands most often in the first line, outside of
/// quotes.
pub(super) fn separator_of(text: &str) -> char {
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

/// The rows of a text, each with the same number of cells as far as it can; rows without any text are left out.
pub(super) fn rows(text: &str, separator: char) -> impl Iterator<Item = Vec<String>> {
    let mut builder = ReaderBuilder::new();
    builder.delimiter(u8::try_from(separator).unwrap_or(b',')).flexible(true).has_headers(false);
    let records = builder.from_reader(text.as_bytes()).into_records();
    // A text in UTF-8 that is in memory cannot fail to be read.
    records
        .filter_map(Result::ok)
        .map(|record| cells(&record))
        .filter(|cells| cells.iter().any(|cell| !cell.is_empty()))
}

/// The cells of a row, one more at most than a row may have: a longer one stays too long.
fn cells(record: &StringRecord) -> Vec<String> {
    let mut cells: Vec<String> =
        record.iter().take(COLUMNS_MAX + 1).map(|cell| cell.trim().to_owned()).collect();
    let beyond = record.iter().skip(COLUMNS_MAX + 1).map(str::trim).find(|cell| !cell.is_empty());
    if let (Some(last), Some(beyond)) = (cells.get_mut(COLUMNS_MAX).filter(|last| last.is_empty()), beyond) {
        beyond.clone_into(last);
    }
    cells
}

/// Whether the first row names columns: it holds no address.
pub(super) fn is_head(row: &[String]) -> bool {
    !row.iter().any(|cell| {
        let address = cell
            .strip_suffix('>')
            .and_then(|cell| cell.rsplit_once('<'))
            .map_or(cell.as_str(), |(_, rest)| rest);
        EmailAddress::parse(address).is_ok()
    })
}

/// The fields that the columns fill, as far as their names, or the first row of values, tell; blank for none. A field is
/// filled by one column alone, but addresses may come from several.
pub(super) fn guess(first: &[String], has_head: bool, fields: &[CustomField]) -> Vec<String> {
    let mut taken: Vec<String> = Vec::with_capacity(first.len());
    for cell in first {
        let meant = if has_head {
            let column = Column::of(cell, fields).filter(|_| cell != REASON_COLUMN);
            column.map(|column| column.word().to_owned()).unwrap_or_default()
        } else if cell.contains('@') {
            "emails".to_owned()
        } else {
            String::new()
        };
        let is_free = meant == "emails" || !taken.contains(&meant);
        taken.push(if is_free { meant } else { String::new() });
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], charset: &str, expected: &[&str]) {
        let (text, used) = decode(bytes, charset);
        let separator = separator_of(&text);
        let mut seen = vec![format!("{used} {separator:?}")];
        seen.extend(rows(&text, separator).map(|cells| cells.join("|")));
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_file_is_read_whatever_its_separator_and_its_encoding() {
        check(b"email,name\na@x.org,A\n", "", &["UTF-8 ','", "email|name", "a@x.org|A"]);
        check(
            b"email;name\r\na@x.org;\"A;\r\nB\"\r\n\r\n",
            "",
            &["UTF-8 ';'", "email|name", "a@x.org|A;\r\nB"],
        );
        check(
            b"email\tname\na@x.org\t Ren\xe9 \n",
            "",
            &["windows-1252 '\\t'", "email|name", "a@x.org|Ren\u{e9}"],
        );
        check(
            b"email|name\na@x.org|\xb1\n",
            "iso-8859-2",
            &["ISO-8859-2 '|'", "email|name", "a@x.org|\u{105}"],
        );
        check(b"\xff\xfea\0;\0b\0\n\0c\0;\0d\0", "utf-8", &["UTF-16LE ';'", "a|b", "c|d"]);
        check(b"\xef\xbb\xbfa@x.org", "", &["UTF-8 ','", "a@x.org"]);
        check(b"", "", &["UTF-8 ','"]);
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

    #[test]
    fn columns_are_known_by_their_names_or_by_addresses_below() {
        let row = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
        let guess = |text: &str, has_head| guess(&row(text), has_head, &[]).join(",");
        assert!(is_head(&row("E-Mail,Vorname")) && !is_head(&row("Ada <ada@x.org>,1")));
        assert_eq!(
            guess("E-Mail,Vorname,Nachname,Name,Shoe size,Name", true),
            "emails,firstname,surname,name,,"
        );
        assert_eq!(guess("Ada,ada@x.org", false), ",emails");
        assert_eq!(guess("email,reject_reason", true), "emails,");
    }
}
