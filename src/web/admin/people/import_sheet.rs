//! Reads what somebody sent for an import: its encoding, a pasted list of people, and what its columns mean.
//!
//! Programs write address books in many ways and seldom say which. What can be found out is found out; what somebody
//! chooses on the page goes first.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use crate::model::{CustomField, EmailAddress};
use crate::params::columns::{Column, REASON_COLUMN};
use crate::params::objects;
use crate::params::origins::Origin;
use crate::params::pasted::{self, Pasted};
use crate::params::sheet::{self, rows};

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

/// Longest text of a cell that a page repeats, in characters (`spec/api.md` 11).
pub(super) const SHOWN_CHARS_MAX: usize = 200;

/// A text as a page repeats it: a long one is cut.
pub(super) fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
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

/// Whether a column says what somebody decided elsewhere; it is never passed over.
pub(super) fn is_decision(word: &str) -> bool {
    matches!(Column::from_word(word, &[]), Some(Column::Decision { .. }))
}

/// A pasted list of people as the text of a sheet, with a row for each; `None` if it is a sheet already.
pub(super) fn sheet_of(pasted: &str) -> Option<String> {
    if objects::is_json(pasted.as_bytes()) {
        return None;
    }
    let first = rows(pasted, sheet::separator_of(pasted)).next()?;
    let is_sheet = is_head(&first) && !pasted::is_list(pasted.lines().next()?);
    if is_sheet || !pasted::is_list(pasted) {
        return None;
    }
    let mut text = String::from("email,name\n");
    for Pasted { name, address, text: whole } in pasted::people(pasted) {
        let address = address.as_ref().map_or(whole.as_str(), EmailAddress::as_str);
        let quoted = |cell: &str| format!("\"{}\"", cell.replace('"', "\"\""));
        for part in [
            &quoted(address),
            ",",
            &quoted(&name),
            "
",
        ] {
            text.push_str(part);
        }
    }
    Some(text)
}

/// The fields that the columns fill, as far as their names, or the first row of values, tell; blank for none. A field is
/// filled by one column alone, but addresses may come from several.
pub(super) fn guess(first: &[String], has_head: bool, fields: &[CustomField]) -> Vec<String> {
    let mut taken: Vec<String> = Vec::with_capacity(first.len());
    let origin = Origin::of(first);
    for cell in first {
        let meant = if has_head {
            let column = Column::of(cell, fields, origin).filter(|_| cell != REASON_COLUMN);
            column.map(|column| column.word().into_owned()).unwrap_or_default()
        } else if cell.contains('@') {
            "emails".to_owned()
        } else {
            String::new()
        };
        let is_repeatable = meant == "emails" || meant.starts_with("joined-") || is_decision(&meant);
        let is_free = is_repeatable || !taken.contains(&meant);
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
        let separator = sheet::separator_of(&text);
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
