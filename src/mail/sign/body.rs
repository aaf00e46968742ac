//! Hashes of bodies in relaxed canonical form (RFC 6376 3.4.4): blanks at line ends and empty lines at the end do not
//! count, runs of blanks count as one.

use std::ops::Range;

use aws_lc_rs::digest::{Context, Digest, SHA256};
use memchr::memmem;

/// The hash of a body in relaxed canonical form (RFC 6376 3.4.4).
#[derive(Debug, Clone)]
pub struct BodyHash(Digest);

impl BodyHash {
    /// The bytes of the hash.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_ref()
    }

    pub(in crate::mail) fn base64(&self) -> String {
        data_encoding::BASE64.encode(self.as_bytes())
    }
}

/// Hashes a body.
#[must_use]
pub fn body_hash(body: &[u8]) -> BodyHash {
    let mut context = Context::new(&SHA256);
    canonicalise(body, |bytes| context.update(bytes));
    BodyHash(context.finish())
}

/// Hashes the bodies of copies that have the same lines but for some in the middle, which are personal. The lines before
/// them are hashed once for all copies, those behind them are brought into canonical form once.
pub(crate) struct BodyHasher {
    /// Has taken in the lines in front.
    front: Context,
    front_bytes: usize,
    /// The lines behind, in canonical form; `None` if they are in it already.
    back: Option<Vec<u8>>,
    back_bytes: usize,
}

impl BodyHasher {
    /// For bodies that begin with `front` and end with `back`, which do not overlap.
    pub(crate) fn new(front: &[u8], back: &[u8]) -> BodyHasher {
        // A line belongs to what all copies share if they share all of it. Empty lines at the end of the front count only
        // if a personal line follows that is not empty.
        let front = &front[..memchr::memrchr(b'\n', front).map_or(0, |last| last + 1)];
        let mut context = Context::new(&SHA256);
        let front_bytes = canonicalise(front, |bytes| context.update(bytes));
        let back = &back[memchr::memchr(b'\n', back).map_or(back.len(), |first| first + 1)..];
        let mut canonical = Vec::new();
        canonicalise(back, |bytes| canonical.extend_from_slice(bytes));
        // Empty lines alone would be part of the end.
        let back_bytes = if canonical.is_empty() { 0 } else { back.len() };
        let back = (canonical != back).then_some(canonical);
        BodyHasher { front: context, front_bytes, back, back_bytes }
    }

    /// The hash of one copy's body.
    pub(crate) fn hash(&self, body: &[u8]) -> BodyHash {
        let (rest, back) = body[self.front_bytes..].split_at(body.len() - self.front_bytes - self.back_bytes);
        let mut context = self.front.clone();
        let end = canonicalise(rest, |bytes| context.update(bytes));
        if self.back_bytes != 0 {
            memchr::memchr_iter(b'\n', &rest[end..]).for_each(|_| context.update(b"\r\n"));
            context.update(self.back.as_deref().unwrap_or(back));
        }
        BodyHash(context.finish())
    }
}

/// Hands out the canonical form of a body, and returns where its last line that is not empty ends.
fn canonicalise(body: &[u8], mut out: impl FnMut(&[u8])) -> usize {
    let mut scratch = Vec::new();
    let mut lines = Lines::of(body);
    // Bytes that are canonical already are handed out at once. Empty lines after them count only if another line follows.
    let mut clean = 0..0;
    let mut end = 0;
    let (mut empty_lines, mut gap_is_clean) = (0_usize, true);
    while let Some(line) = lines.next() {
        let text = &body[line.text];
        if text.is_empty() {
            empty_lines += 1;
            gap_is_clean &= line.is_clean;
        } else {
            end = line.end;
            if line.is_clean && gap_is_clean {
                clean.end = line.end;
            } else {
                out(&body[clean]);
                scratch.clear();
                scratch.extend(b"\r\n".iter().cycle().take(empty_lines * 2));
                collapse(text, &mut scratch);
                scratch.extend_from_slice(b"\r\n");
                out(&scratch);
                clean = line.end..line.end;
            }
            (empty_lines, gap_is_clean) = (0, true);
        }
    }
    out(&body[clean]);
    end
}

/// A line of a body.
struct Line {
    /// Where its text is, without blanks and the line end behind it.
    text: Range<usize>,
    /// Where the next line begins.
    end: usize,
    /// Whether it is in canonical form already.
    is_clean: bool,
}

/// The lines of a body. Each copy of a large message passes here, so what makes a line differ from its canonical form is
/// searched for in the whole body, many bytes at a time, and not in each line.
struct Lines<'a> {
    body: &'a [u8],
    at: usize,
    double_blanks: memmem::FindIter<'a, 'static>,
    tabs: memchr::Memchr<'a>,
    /// Where the next two blanks and the next tab are; behind the body if there are no more.
    next_double_blank: usize,
    next_tab: usize,
}

impl<'a> Lines<'a> {
    fn of(body: &'a [u8]) -> Lines<'a> {
        let (mut double_blanks, mut tabs) =
            (memmem::find_iter(body, b"  "), memchr::memchr_iter(b'\t', body));
        let next_double_blank = double_blanks.next().unwrap_or(body.len());
        let next_tab = tabs.next().unwrap_or(body.len());
        Lines { body, at: 0, double_blanks, tabs, next_double_blank, next_tab }
    }

    /// Passes over the double blanks and tabs in front of a place.
    fn pass(&mut self, place: usize) {
        let none = self.body.len();
        if self.next_double_blank < place {
            self.next_double_blank = self.double_blanks.find(|at| place <= *at).unwrap_or(none);
        }
        if self.next_tab < place {
            self.next_tab = self.tabs.find(|at| place <= *at).unwrap_or(none);
        }
    }

    fn next(&mut self) -> Option<Line> {
        let start = self.at;
        let rest = self.body.get(start..).filter(|rest| !rest.is_empty())?;
        let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        let line = &rest[..length];
        let end = start + length;
        self.at = end;
        let has_runs = self.next_double_blank < end || self.next_tab < end;
        if has_runs {
            self.pass(end);
        }
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let text = trim_blanks_end(text.strip_suffix(b"\r").unwrap_or(text));
        let is_clean = !has_runs && length == text.len() + 2 && line.ends_with(b"\r\n");
        Some(Line { text: start..start + text.len(), end, is_clean })
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn trim_blanks_end(mut text: &[u8]) -> &[u8] {
    while let Some((&last, rest)) = text.split_last() {
        if !is_blank(last) {
            break;
        }
        text = rest;
    }
    text
}

fn collapse(text: &[u8], out: &mut Vec<u8>) {
    let mut in_run = false;
    for &byte in text {
        if !is_blank(byte) {
            out.push(byte);
        } else if !in_run {
            out.push(b' ');
        }
        in_run = is_blank(byte);
    }
}
