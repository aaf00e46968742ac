//! Finds, decodes and writes header fields.
//!
//! Fields are slices of the message, so that unchanged ones are sent byte for byte. Their text is read by
//! [`mod@super::encoded_words`]; those with a syntax are taken apart by `mail-parser`, one field at a time.

use std::borrow::Cow;
use std::ops::Range;

use mail_parser::parsers::MessageStream;
use mail_parser::{Addr, Address, HeaderValue};

use super::charset::Charset;
use super::encoded_words;

/// The column at which a line is folded if it can be (RFC 5322 2.1.1).
const LINE_CHARS: usize = 76;
/// Longest word that is written plainly; a longer one is written as encoded words, which can be folded.
const PLAIN_WORD_CHARS_MAX: usize = 400;
/// Characters of encoded text in one encoded word. It may have 75 in all (RFC 2047 2); less leaves room for the
/// name of the field on the first line.
const ENCODED_TEXT_CHARS: usize = 48;

/// One header field of a message, with its folded lines and line ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field<'a> {
    /// The bytes of the field, line ends included.
    pub(crate) raw: &'a [u8],
    /// Its position in the header block.
    pub(crate) start: usize,
    colon: usize,
}

impl<'a> Field<'a> {
    /// The name, without blanks before the colon.
    pub(crate) fn name(&self) -> &'a [u8] {
        self.raw[..self.colon].trim_ascii_end()
    }

    /// Whether there are blanks before the colon, which RFC 5322 4.5 allows in old mail and verifiers do not expect.
    pub(crate) fn has_blank_before_colon(&self) -> bool {
        self.raw[..self.colon].ends_with(b" ") || self.raw[..self.colon].ends_with(b"\t")
    }

    /// The position of the colon in the header block.
    pub(crate) fn colon(&self) -> usize {
        self.start + self.colon
    }

    /// Whether it has this name, in any case.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name().eq_ignore_ascii_case(name.as_bytes())
    }

    /// The name in lower case.
    pub(crate) fn folded_name(&self) -> String {
        String::from_utf8_lossy(self.name()).to_ascii_lowercase()
    }

    /// The bytes after the colon, unchanged.
    pub(crate) fn value(&self) -> &'a [u8] {
        &self.raw[self.colon + 1..]
    }

    /// The value with its lines joined and blanks around it removed; not decoded.
    pub(crate) fn text(&self) -> Cow<'a, str> {
        let value = self.value().trim_ascii();
        let unfolded = if value.contains(&b'\n') {
            Cow::Owned(
                value.iter().copied().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect::<Vec<u8>>(),
            )
        } else {
            Cow::Borrowed(value)
        };
        match unfolded {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }

    /// The value of a tag of a signature (`d=`), without blanks; empty if there is none (RFC 6376 3.2).
    pub(crate) fn tag(&self, name: &str) -> String {
        let text: String = self.text().chars().filter(|c| !c.is_ascii_whitespace()).collect();
        text.split(';').find_map(|tag| tag.strip_prefix(name)).unwrap_or_default().to_owned()
    }

    /// The value of an unstructured field, with encoded words decoded. `hint` is the character set of raw octets that are
    /// no UTF-8.
    pub(crate) fn decoded(&self, hint: Option<Charset>) -> String {
        encoded_words::read(self.value(), hint)
    }

    /// The value as `mail-parser` parses fields of this form.
    pub(crate) fn parsed(&self, form: Form, hint: Option<Charset>) -> HeaderValue<'static> {
        let value = encoded_words::protected(self.value(), hint);
        let is_protected = matches!(value, Cow::Owned(_));
        // The parsers need the line end that a field at the end of a message may lack.
        let value = if value.ends_with(b"\n") { value } else { Cow::Owned([&value, &b"\r\n"[..]].concat()) };
        let mut stream = MessageStream::new(&value);
        let parsed = match form {
            Form::Addresses => stream.parse_address(),
            Form::MessageIds => stream.parse_id(),
            Form::Date => stream.parse_date(),
            Form::ContentType => stream.parse_content_type(),
        };
        let mut parsed = parsed.into_owned();
        if is_protected {
            restore(&mut parsed);
        }
        parsed
    }
}

/// Puts the characters of encoded words back into what was parsed. One is a name, never an address.
fn restore(parsed: &mut HeaderValue<'_>) {
    let restore_text = |text: &mut Cow<'_, str>| *text = Cow::Owned(encoded_words::restored(text));
    let restore_address = |address: &mut Addr<'_>| {
        address.name.as_mut().map(restore_text);
        address.address = address.address.take().filter(|address| !encoded_words::has_word(address));
    };
    match parsed {
        HeaderValue::Address(Address::List(addresses)) => addresses.iter_mut().for_each(restore_address),
        HeaderValue::Address(Address::Group(groups)) => {
            groups.iter_mut().flat_map(|group| &mut group.addresses).for_each(restore_address);
        }
        HeaderValue::ContentType(content_type) => {
            for attribute in content_type.attributes.iter_mut().flatten() {
                restore_text(&mut attribute.value);
            }
        }
        _ => {}
    }
}

/// The syntaxes of header fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Mailboxes and groups.
    Addresses,
    /// Identifiers in angle brackets.
    MessageIds,
    /// A date and time.
    Date,
    /// A word with parameters, as in Content-Type and Content-Disposition.
    ContentType,
}

/// A line of a header block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// Nothing.
    Empty,
    /// Blanks alone.
    Blank,
    /// The beginning of a field.
    Field,
    /// A line that begins with a blank: it belongs to the field before.
    Continuation,
    /// Anything else.
    Text,
}

impl Line {
    fn of(line: &[u8]) -> Line {
        match line.trim_ascii_end() {
            b"" if matches!(line.first(), Some(b' ' | b'\t')) => Line::Blank,
            b"" => Line::Empty,
            _ if matches!(line[0], b' ' | b'\t') => Line::Continuation,
            _ if name_colon(line).is_some() => Line::Field,
            _ => Line::Text,
        }
    }
}

/// The colon behind the name that a field begins with; blanks may stand before the colon (RFC 5322 4.5).
fn name_colon(raw: &[u8]) -> Option<usize> {
    let is_of_name = |byte: &u8| (33..127).contains(byte) && *byte != b':';
    let name = raw.iter().take_while(|byte| is_of_name(byte)).count();
    let blanks = raw[name..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    (name != 0 && raw.get(name + blanks) == Some(&b':')).then_some(name + blanks)
}

/// The end of the header block that begins at `start`, which is the beginning of the body: behind an empty line, or at
/// the first line that is neither a field nor the continuation of one. That line is text, whose author forgot the empty
/// line.
pub(crate) fn block_end(raw: &[u8], start: usize) -> usize {
    block_end_before(raw, start, |_| false)
}

/// The same, where a line of which `is_delimiter` is true ends the block as well.
pub(crate) fn block_end_before(raw: &[u8], start: usize, is_delimiter: impl Fn(&[u8]) -> bool) -> usize {
    let (mut at, mut has_field) = (start, false);
    while at < raw.len() {
        let end = line_end(raw, at);
        let line = &raw[at..end];
        if is_delimiter(line) {
            return at;
        }
        at = match Line::of(line) {
            Line::Empty => return end,
            // Some programs fold a field into nothing (RFC 5322 4.2).
            Line::Blank => match behind_blank_lines(raw, end) {
                Some(next) if has_field => next,
                _ => return end,
            },
            Line::Field => {
                has_field = true;
                end
            }
            Line::Continuation if has_field => end,
            Line::Text if is_separator(raw, at, end) => end,
            Line::Continuation | Line::Text => return at,
        };
    }
    raw.len()
}

/// Where the header goes on behind lines of blanks, if it does: at a field, a continuation or the empty line.
fn behind_blank_lines(raw: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while at < raw.len() {
        let end = line_end(raw, at);
        match Line::of(&raw[at..end]) {
            Line::Blank => at = end,
            Line::Empty | Line::Field | Line::Continuation => return Some(at),
            Line::Text => return None,
        }
    }
    None
}

/// Whether the line is the separator of a mailbox file that was left in front of a field.
fn is_separator(raw: &[u8], at: usize, end: usize) -> bool {
    let line = &raw[at..end];
    let is_named = line.starts_with(b"From ") || line.starts_with(b">From ");
    is_named && Line::of(&raw[end..line_end(raw, end)]) == Line::Field
}

/// The end of the group of fields that begins at `start`: behind its empty line, whatever its lines are.
pub(crate) fn group_end(raw: &[u8], start: usize) -> usize {
    let mut line_start = start;
    while line_start < raw.len() {
        let line_end = line_end(raw, line_start);
        if is_blank(&raw[line_start..line_end]) {
            return line_end;
        }
        line_start = line_end;
    }
    raw.len()
}

/// Whether a header block has lines that are no part of a field, so that they stand in no copy.
pub(crate) fn has_stray_lines(block: &[u8]) -> bool {
    let mut at = 0;
    let is_stray = |lines: &[u8]| !is_blank(lines);
    for field in fields(block) {
        if is_stray(&block[at..field.start]) {
            return true;
        }
        at = field.start + field.raw.len();
    }
    is_stray(&block[at..])
}

/// The end of the line that begins at `start`, its line feed included.
pub(crate) fn line_end(raw: &[u8], start: usize) -> usize {
    memchr::memchr(b'\n', &raw[start..]).map_or(raw.len(), |position| start + position + 1)
}

/// The fields of a header block, in order; lines that are no field (no colon, a name with blanks or control characters)
/// are skipped together with their folded lines.
pub(crate) fn fields(block: &[u8]) -> Fields<'_> {
    Fields { block, position: 0 }
}

/// The iterator of [`fields`].
pub(crate) struct Fields<'a> {
    block: &'a [u8],
    position: usize,
}

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        while self.position < self.block.len() {
            let Range { start, end } = self.next_logical_line();
            let raw = &self.block[start..end];
            if let Some(colon) = name_colon(raw) {
                return Some(Field { raw, start, colon });
            }
        }
        None
    }
}

impl Fields<'_> {
    /// The next line with all lines folded under it. Lines of blanks count if another folded line follows.
    fn next_logical_line(&mut self) -> Range<usize> {
        let start = self.position;
        let mut end = line_end(self.block, start);
        let mut next = end;
        while matches!(self.block.get(next), Some(b' ' | b'\t')) {
            let line_end = line_end(self.block, next);
            if !is_blank(&self.block[next..line_end]) {
                end = line_end;
            }
            next = line_end;
        }
        self.position = next;
        start..end
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

impl<'a> Field<'a> {
    /// Its lines but those of blanks alone, of which many readers believe that they end the header.
    pub(crate) fn sound_lines(&self) -> impl Iterator<Item = Range<usize>> + use<'a> {
        let (raw, start) = (self.raw, self.start);
        let mut at = 0;
        std::iter::from_fn(move || {
            let from = at;
            if raw.len() <= from {
                return None;
            }
            at = line_end(raw, from);
            Some(from..at)
        })
        .filter(move |line| !is_blank(&raw[line.clone()]))
        .map(move |line| start + line.start..start + line.end)
    }
}

/// Writes `Name: text`, folded, as encoded words if it is not plain ASCII.
pub(crate) fn write_text(out: &mut Vec<u8>, name: &str, text: &str) {
    out.extend_from_slice(name.as_bytes());
    out.push(b':');
    let words = if is_plain(text) {
        text.split_ascii_whitespace().map(str::to_owned).collect()
    } else {
        encoded_words(&one_line(text))
    };
    write_words(out, name.len() + 1, &words);
    out.extend_from_slice(b"\r\n");
}

/// Writes `words`, each with a blank before it, folded if the line would become too long.
pub(crate) fn write_words(out: &mut Vec<u8>, mut column: usize, words: &[String]) {
    for (index, word) in words.iter().enumerate() {
        if index != 0 && LINE_CHARS < column + 1 + word.len() {
            out.extend_from_slice(b"\r\n");
            column = 0;
        }
        out.push(b' ');
        out.extend_from_slice(word.as_bytes());
        column += 1 + word.len();
    }
    if words.is_empty() {
        out.push(b' ');
    }
}

/// Writes `Name: phrase <address>, …`.
pub(crate) fn write_mailboxes(out: &mut Vec<u8>, name: &str, mailboxes: &[(&str, &str)]) {
    let mut words = Vec::new();
    for (index, (phrase_text, address)) in mailboxes.iter().enumerate() {
        let comma = if index + 1 < mailboxes.len() { "," } else { "" };
        if phrase_text.trim().is_empty() {
            words.push(format!("{address}{comma}"));
        } else {
            words.extend(phrase(phrase_text));
            words.push(format!("<{address}>{comma}"));
        }
    }
    out.extend_from_slice(name.as_bytes());
    out.push(b':');
    write_words(out, name.len() + 1, &words);
    out.extend_from_slice(b"\r\n");
}

/// A display name as words of a header: a quoted string, or encoded words if it is long or not ASCII.
pub(crate) fn phrase(text: &str) -> Vec<String> {
    let text = one_line(text);
    if !is_plain(&text) || LINE_CHARS - 10 < text.len() {
        return encoded_words(&text);
    }
    let is_atom = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~ ".contains(c);
    if text.chars().all(is_atom) && !text.contains("  ") {
        return text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
    }
    vec![format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))]
}

/// Whether `text` can be written in a header unchanged.
pub(crate) fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| (32..127).contains(&byte))
        && !text.contains("=?")
        && text.split(' ').all(|word| word.len() <= PLAIN_WORD_CHARS_MAX)
}

/// `text` with line breaks and control characters turned into single blanks.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        let is_break = c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        if !is_break {
            line.push(c);
        } else if !line.ends_with(' ') {
            line.push(' ');
        }
    }
    line.trim().to_owned()
}

/// `text` as encoded words of RFC 2047 in UTF-8, each of at most 75 characters; a reader joins them again. Blanks at
/// either end are kept.
pub(crate) fn encoded_words(text: &str) -> Vec<String> {
    // Quoted-printable is used if it is not much longer, as people can read it.
    let as_q = q_len(text) <= text.len() * 2;
    let mut words = Vec::new();
    let mut chunk = String::new();
    for c in text.chars() {
        let cost = |chunk: &str, c: char| {
            if as_q {
                q_len(chunk) + q_len(c.encode_utf8(&mut [0; 4]))
            } else {
                (chunk.len() + c.len_utf8()).div_ceil(3) * 4
            }
        };
        if !chunk.is_empty() && ENCODED_TEXT_CHARS < cost(&chunk, c) {
            words.push(encoded_word(&chunk, as_q));
            chunk.clear();
        }
        chunk.push(c);
    }
    if !chunk.is_empty() {
        words.push(encoded_word(&chunk, as_q));
    }
    words
}

fn q_len(text: &str) -> usize {
    text.bytes().map(|byte| if byte.is_ascii_alphanumeric() || byte == b' ' { 1 } else { 3 }).sum()
}

fn encoded_word(chunk: &str, as_q: bool) -> String {
    if !as_q {
        return format!("=?utf-8?B?{}?=", data_encoding::BASE64.encode(chunk.as_bytes()));
    }
    let mut word = String::from("=?utf-8?Q?");
    for byte in chunk.bytes() {
        match byte {
            b' ' => word.push('_'),
            _ if byte.is_ascii_alphanumeric() => word.push(char::from(byte)),
            _ => {
                word.push('=');
                word.push_str(&data_encoding::HEXUPPER.encode(&[byte]));
            }
        }
    }
    word.push_str("?=");
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, text: &str, expected: &str) {
        let mut out = Vec::new();
        write_text(&mut out, name, text);
        assert_eq!(String::from_utf8(out.clone()).unwrap(), expected);
        let field = fields(&out).next().unwrap();
        assert_eq!(field.decoded(None), one_line(text), "what is written is read again");
    }

    #[test]
    fn a_plain_text_is_written_as_it_is() {
        check("Subject", "Tea at five", "Subject: Tea at five\r\n");
    }

    #[test]
    fn text_beyond_ascii_becomes_encoded_words() {
        check("Subject", "Grüße aus Köln", "Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe_aus_K=C3=B6ln?=\r\n");
        check("Subject", "こんにちは", "Subject: =?utf-8?B?44GT44KT44Gr44Gh44Gv?=\r\n");
    }

    #[test]
    fn line_breaks_never_reach_a_header() {
        check("Subject", "a\r\nBcc: b@x.org", "Subject: =?utf-8?Q?a_Bcc=3A_b=40x=2Eorg?=\r\n");
    }

    #[test]
    fn every_line_stays_within_78_characters_whatever_the_script() {
        for text in ["word ".repeat(60), "ü".repeat(300), "漢字かな ".repeat(80), "x".repeat(2000)] {
            let mut out = Vec::new();
            write_text(&mut out, "Subject", &text);
            for line in out.split(|byte| *byte == b'\n') {
                assert!(line.len() <= 79, "{}", String::from_utf8_lossy(line));
            }
            assert_eq!(fields(&out).next().unwrap().decoded(None), text.trim());
        }
    }

    #[test]
    fn a_display_name_is_quoted_where_it_has_specials() {
        let phrase_of = |text| phrase(text).join(" ");
        assert_eq!(phrase_of("Ada Lovelace"), "Ada Lovelace");
        assert_eq!(phrase_of("Lovelace, Ada \"A\""), "\"Lovelace, Ada \\\"A\\\"\"");
        assert_eq!(phrase_of("Adá L"), "=?utf-8?Q?Ad=C3=A1_L?=");
    }

    #[test]
    fn lines_that_are_no_field_are_passed_over() {
        let block = b"From ada Mon\r\nSubject: a\r\n\tb\r\n junk\r\nno colon\r\n folded\r\nB ad: x\r\nTo : b@x.org\r\n\r\n";
        let names: Vec<String> = fields(block).map(|field| field.folded_name()).collect();
        assert_eq!(names, ["subject", "to"]);
    }
}
