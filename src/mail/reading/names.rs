//! Names of files and people, as they are shown.

use crate::mail::header;

/// A name of a file or a person on one line, without characters that change the direction of text.
#[must_use]
pub fn clean_name(text: &str) -> String {
    let line = header::one_line(text);
    let is_mark = |c: &char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    line.chars().filter(|c| !is_mark(c)).collect::<String>().trim().to_owned()
}
