//! Sends files of archives: names for them, ranges of them, and bodies that are read while they are sent.

use std::io;
use std::ops::Range;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use tokio::sync::mpsc;

use super::access::OpenArchive;
use crate::http::chunks;
use crate::store::{ReadTx, Store, StoreError};
use crate::web::context::Context;
use crate::web::error::PageError;

/// Pieces that are read ahead of the client.
const READ_AHEAD: usize = 1;
/// Characters of a file's name.
const NAME_CHARS_MAX: usize = 120;
/// Characters of the end of a name that is kept when the name is cut.
const EXTENSION_CHARS_MAX: usize = 16;
/// All characters but those that stand as themselves in a parameter of RFC 8187, and in a segment of a path.
const NOT_ATTRIBUTE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The name of a file as a file system and a reader can take it: no folders, no characters that hide or turn others,
/// and not too long. Blank if nothing of it remains.
pub(in crate::web) fn file_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).find(|part| !part.trim_matches(['.', ' ']).is_empty());
    // Characters that change the direction of text make `exe.txt` of `txt.exe`.
    let turns =
        |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_kept =
        |c: &char| !c.is_control() && !turns(*c) && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}');
    let clean: String = last.unwrap_or_default().chars().filter(is_kept).collect();
    let clean = clean.trim_matches(|c: char| c.is_whitespace()).trim_end_matches(['.', ' ']);
    if clean.trim_matches('.').is_empty() {
        return String::new();
    }
    let chars: Vec<char> = clean.chars().collect();
    if chars.len() <= NAME_CHARS_MAX {
        return clean.to_owned();
    }
    let extension =
        chars.iter().rposition(|c| *c == '.').filter(|dot| chars.len() - dot <= EXTENSION_CHARS_MAX);
    let extension = &chars[extension.unwrap_or(chars.len())..];
    chars[..NAME_CHARS_MAX - extension.len()].iter().chain(extension).collect()
}

/// A segment of a path.
pub(in crate::web) fn segment(text: &str) -> String {
    utf8_percent_encode(text, NOT_ATTRIBUTE).to_string()
}

/// How a browser shall treat a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::web) enum Disposition {
    /// It shows the file.
    Inline,
    /// It stores the file.
    Attachment,
}

/// The `Content-Disposition` of a file (RFC 6266), whose name also stands in ASCII for programs that read nothing
/// else.
pub(in crate::web) fn content_disposition(disposition: Disposition, name: &str) -> String {
    let word = match disposition {
        Disposition::Inline => "inline",
        Disposition::Attachment => "attachment",
    };
    // `%` is a sign of an escape for some readers, although it is none.
    let is_plain = |c: char| (' '..='~').contains(&c) && !matches!(c, '"' | '\\' | '%');
    let ascii: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    if name.is_empty() {
        word.to_owned()
    } else if ascii == name {
        format!("{word}; filename=\"{ascii}\"")
    } else {
        format!("{word}; filename=\"{ascii}\"; filename*=UTF-8''{}", segment(name))
    }
}

/// The bytes that a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Wanted {
    Whole,
    Part(Range<u64>),
    /// The range begins behind the end.
    Nothing,
}

/// Reads the field `Range` (RFC 9110 14.2). Several ranges, other units and what cannot be read mean the whole file.
fn wanted(range: Option<&str>, length: u64) -> Wanted {
    let Some((unit, set)) = range.and_then(|range| range.split_once('=')) else { return Wanted::Whole };
    let Some((first, last)) = set.trim().split_once('-') else { return Wanted::Whole };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // Numbers that are too large for the type are larger than any file.
    let number = |text: &str| text.parse::<u64>().unwrap_or(u64::MAX);
    let (first, last) = (first.trim(), last.trim());
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return Wanted::Whole;
    }
    let range = match (first, last) {
        ("", last) if is_number(last) => length.saturating_sub(number(last))..length,
        (first, "") if is_number(first) => number(first)..length,
        (first, last) if is_number(first) && is_number(last) => {
            if number(last) < number(first) {
                return Wanted::Whole;
            }
            number(first)..length.min(number(last).saturating_add(1))
        }
        _ => return Wanted::Whole,
    };
    if range.start < range.end { Wanted::Part(range) } else { Wanted::Nothing }
}

/// The `ETag` of a file with this tag.
pub(super) fn etag(tag: &str) -> String {
    format!("\"{tag}\"")
}

/// Whether the response for a file has bytes of it.
pub(super) fn has_body(context: &Context, tag: &str, length: u64) -> bool {
    head(context, &etag(tag), length).2.is_some()
}

/// The head of the response for a file of this length, and the range of it that is sent. `None` for the range if the
/// response has no body.
pub(super) fn head(
    context: &Context,
    etag: &str,
    length: u64,
) -> (StatusCode, HeaderMap, Option<Range<u64>>) {
    let mut headers = HeaderMap::new();
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    if let Ok(etag) = HeaderValue::from_str(etag) {
        headers.insert(header::ETAG, etag);
    }
    if context.has_version(etag) {
        return (StatusCode::NOT_MODIFIED, headers, None);
    }
    let is_same = context.header(&header::IF_RANGE).is_none_or(|known| known == etag);
    let range = context.header(&header::RANGE).filter(|_| is_same && !context.is_head);
    let (status, range) = match wanted(range, length) {
        Wanted::Whole => (StatusCode::OK, Some(0..length)),
        Wanted::Part(range) => {
            insert(
                &mut headers,
                header::CONTENT_RANGE,
                &format!("bytes {}-{}/{length}", range.start, range.end - 1),
            );
            (StatusCode::PARTIAL_CONTENT, Some(range))
        }
        Wanted::Nothing => {
            insert(&mut headers, header::CONTENT_RANGE, &format!("bytes */{length}"));
            (StatusCode::RANGE_NOT_SATISFIABLE, None)
        }
    };
    let bytes = range.as_ref().map_or(0, |range| range.end - range.start);
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes));
    (status, headers, range.filter(|_| !context.is_head))
}

/// Says who may keep a file, and for how long. It never changes, but it can be taken out of the archive; and what a
/// visitor gets who is known is for that visitor alone.
pub(super) fn set_cache(headers: &mut HeaderMap, context: &Context, open: &OpenArchive) {
    const PUBLIC: HeaderValue = HeaderValue::from_static("public, max-age=300");
    const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-cache");
    let is_for_all = open.is_public && !context.is_personal();
    headers.insert(header::CACHE_CONTROL, if is_for_all { PUBLIC } else { PRIVATE });
    headers.insert(header::VARY, HeaderValue::from_static("Cookie"));
}

/// Sets a field to a text that was made here.
pub(super) fn insert(headers: &mut HeaderMap, name: header::HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

/// A response whose body is read while it is sent: `next` returns the next piece, in a snapshot of its own, and `None`
/// behind the last. If it fails, the connection is cut.
pub(super) fn streamed(
    store: &Store,
    next: impl FnMut(&ReadTx) -> Result<Option<Vec<u8>>, StoreError> + Send + 'static,
) -> Response {
    let (sender, receiver) = mpsc::channel(READ_AHEAD);
    tokio::task::spawn(send(store.clone(), next, sender));
    chunks::streamed_or_cut(receiver).into_response()
}

async fn send(
    store: Store,
    mut next: impl FnMut(&ReadTx) -> Result<Option<Vec<u8>>, StoreError> + Send + 'static,
    sender: mpsc::Sender<io::Result<Bytes>>,
) {
    loop {
        // Nothing is read for a client that has not taken what was read before.
        let Ok(place) = sender.reserve().await else { return };
        let store = store.clone();
        let read = tokio::task::spawn_blocking(move || {
            let piece = store.read().and_then(|tx| next(&tx));
            (next, piece)
        });
        let Ok((after, piece)) = read.await else {
            place.send(Err(io::ErrorKind::Other.into()));
            return;
        };
        next = after;
        match piece {
            Ok(Some(piece)) => place.send(Ok(piece.into())),
            Ok(None) => return,
            Err(error) => {
                tracing::error!(error = %error, "A file of an archive could not be read to its end");
                place.send(Err(io::ErrorKind::Other.into()));
                return;
            }
        }
    }
}

/// Puts fields in a response.
pub(super) fn with(mut response: Response, status: StatusCode, headers: HeaderMap) -> Response {
    *response.status_mut() = status;
    response.headers_mut().extend(headers);
    response
}

/// A number in a path, without signs and leading zeros.
pub(super) fn number<T: std::str::FromStr + ToString>(text: &str) -> Result<T, PageError> {
    let number = text.parse::<T>().ok().filter(|number| number.to_string() == text);
    number.ok_or(PageError::NotFound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_lose_folders_and_what_deceives() {
        for (name, expected) in [
            ("plan.pdf", "plan.pdf"),
            ("../../etc/passwd", "passwd"),
            ("C:\\docs\\plan.pdf", "plan.pdf"),
            ("a/b/", "b"),
            ("..", ""),
            ("/", ""),
            ("a\r\nX: b", "aX: b"),
            ("invoice\u{202e}fdp.exe", "invoicefdp.exe"),
            (" .bashrc ", ".bashrc"),
            ("end. ", "end"),
            ("Grüße.txt", "Grüße.txt"),
            ("", ""),
        ] {
            assert_eq!(file_name(name), expected, "{name:?}");
        }
        let long = file_name(&format!("{}.pdf", "x".repeat(500)));
        assert!(long.ends_with("x.pdf") && long.chars().count() == NAME_CHARS_MAX, "{long}");
        assert_eq!(file_name(&"é".repeat(500)).chars().count(), NAME_CHARS_MAX);
    }

    #[test]
    fn a_disposition_has_the_name_in_ascii_and_whole() {
        let of = |name| content_disposition(Disposition::Attachment, name);
        assert_eq!(of("plan.pdf"), "attachment; filename=\"plan.pdf\"");
        assert_eq!(
            of("Grüße 1.txt"),
            "attachment; filename=\"Gr__e 1.txt\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%201.txt"
        );
        assert_eq!(of("a\"b%c.txt"), "attachment; filename=\"a_b_c.txt\"; filename*=UTF-8''a%22b%25c.txt");
        assert_eq!(content_disposition(Disposition::Inline, ""), "inline");
    }

    #[test]
    fn a_range_is_one_that_the_file_has_or_the_whole() {
        use Wanted::{Nothing, Part, Whole};
        for (range, expected) in [
            ("bytes=0-0", Part(0..1)),
            ("bytes=2-", Part(2..10)),
            ("bytes=-3", Part(7..10)),
            ("bytes=-30", Part(0..10)),
            ("bytes=8-99", Part(8..10)),
            ("Bytes = 8-9", Part(8..10)),
            ("bytes=10-", Nothing),
            ("bytes=99999999999999999999-", Nothing),
            ("bytes=-0", Nothing),
            ("bytes=5-4", Whole),
            ("bytes=0-1,3-4", Whole),
            ("bytes=-", Whole),
            ("bytes=+1-2", Whole),
            ("lines=1-2", Whole),
            ("", Whole),
        ] {
            assert_eq!(wanted(Some(range), 10), expected, "{range}");
        }
        assert_eq!(wanted(None, 10), Whole);
        assert_eq!(wanted(Some("bytes=0-"), 0), Nothing);
    }
}
