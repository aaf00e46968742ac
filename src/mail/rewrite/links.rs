//! This server's own personal links in text that others sent: whoever answers a copy quotes the link under it, and
//! would let everybody leave in their place.
//!
//! A link is found however a mail program has written it: in any case of letters, with percent-encoding, HTML
//! references and quoted-printable escapes in it, broken across lines that are quoted, and in HTML with tags in it. The
//! text is looked through for what could end the beginning of a link, and read where something does.

mod reading;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use super::RewriteContext;
pub(super) use reading::Transfer;
use reading::{Text, is_line_end};

/// Replaces a token.
const SCRUBBED: &str = "removed";
/// The pages whose addresses hold a token.
const PAGES: [&str; 7] =
    ["unsubscribe", "members", "members/in", "confirm", "moderate", "password", "resume"];
/// The mail addresses that hold a token.
const MAILBOXES: [&str; 2] = ["confirm+", "bounces+"];
/// Bytes of the decoded text that are remembered: more than twice the longest beginning of a link.
const RECENT_BYTES: usize = 1024;
/// Bytes of the text that the longest beginning of a link takes however it is encoded.
const LOOKBACK_BYTES: usize = 4096;

/// The personal links of this server.
pub(super) struct OwnLinks<'a> {
    /// The beginnings of the account's links: hosts, perhaps with a scheme in front of them, and a port and a path
    /// behind them.
    bases: Vec<&'a str>,
    /// How the links begin: `lists.example.org/unsubscribe/` and the like, in lower case. Most texts have nothing that would
    /// have to be compared with them.
    beginnings: OnceCell<Vec<String>>,
}

impl<'a> OwnLinks<'a> {
    pub(super) fn of(context: &RewriteContext<'a>) -> OwnLinks<'a> {
        OwnLinks::at(context.links.known_bases().iter().map(String::as_str))
    }

    fn at(bases: impl IntoIterator<Item = &'a str>) -> OwnLinks<'a> {
        OwnLinks { bases: bases.into_iter().collect(), beginnings: OnceCell::new() }
    }

    fn beginnings(&self) -> &[String] {
        self.beginnings.get_or_init(|| {
            let pages = self.bases.iter().flat_map(|base| beginnings_at(base));
            pages.chain(MAILBOXES.map(str::to_owned)).collect()
        })
    }

    /// Whether there may be one, asked of bytes before they are decoded any further.
    pub(super) fn may_be_in(&self, bytes: &[u8], is_html: bool, is_ascii_compatible: bool) -> bool {
        !is_ascii_compatible || self.cuts(bytes, is_html, Transfer::Decoded).next().is_some()
    }

    /// `text` without the tokens of its links.
    pub(super) fn scrubbed<'t>(&self, text: &'t str, is_html: bool) -> Cow<'t, str> {
        let mut scrubbed = String::new();
        let mut kept = 0;
        for Cut { range, by } in self.cuts(text.as_bytes(), is_html, Transfer::Decoded) {
            // Tokens begin and end at ASCII characters.
            scrubbed.push_str(&text[kept..range.start]);
            scrubbed.push_str(by);
            kept = range.end;
        }
        if kept == 0 {
            return Cow::Borrowed(text);
        }
        scrubbed.push_str(&text[kept..]);
        Cow::Owned(scrubbed)
    }

    /// The same of bytes; `None` if there are no tokens.
    pub(super) fn scrubbed_bytes(&self, bytes: &[u8], is_html: bool) -> Option<Vec<u8>> {
        let mut scrubbed = Vec::new();
        let mut kept = 0;
        for Cut { range, by } in self.cuts(bytes, is_html, Transfer::Decoded) {
            scrubbed.extend_from_slice(&bytes[kept..range.start]);
            scrubbed.extend_from_slice(by.as_bytes());
            kept = range.end;
        }
        (kept != 0).then(|| {
            scrubbed.extend_from_slice(&bytes[kept..]);
            scrubbed
        })
    }

    /// The tokens of the links in `bytes`, in order.
    pub(super) fn cuts<'l>(&'l self, bytes: &'l [u8], is_html: bool, transfer: Transfer) -> Cuts<'l> {
        let text = Text { bytes, transfer, skips_tags: false };
        let shown = Text { skips_tags: true, ..text };
        Cuts {
            links: self,
            written: Reading::of(text),
            shown: is_html.then(|| Reading::of(shown)),
            text: if is_html { shown } else { text },
            from: 0,
            rare: None,
            pieces: Vec::new().into_iter(),
        }
    }
}

/// How links to the pages with tokens begin.
fn beginnings_at(base: &str) -> Vec<String> {
    let host = base.split_once("://").map_or(base, |(_, host)| host);
    let (name, rest) = host.split_at(host.find([':', '/']).unwrap_or(host.len()));
    // A mail program may show the other form of an international name.
    let mut names = vec![name.to_lowercase(), idna::domain_to_unicode(name).0];
    names.extend(idna::domain_to_ascii(name));
    names.sort_unstable();
    names.dedup();
    let rest = rest.to_ascii_lowercase();
    let of_name = |name: &String| PAGES.map(|page| format!("{name}{rest}/{page}/"));
    names.iter().flat_map(of_name).collect()
}

/// A token or a part of one, and what stands in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) range: Range<usize>,
    pub(super) by: &'static str,
}

/// The tokens of a text.
pub(super) struct Cuts<'a> {
    links: &'a OwnLinks<'a>,
    /// The text as it is written: links stand in the tags of HTML too.
    written: Reading<'a>,
    /// The text of HTML as it is shown: tags may stand in links.
    shown: Option<Reading<'a>>,
    /// The text as it is looked through for what could end the beginning of a link.
    text: Text<'a>,
    /// Everything in front of this place was looked through.
    from: usize,
    /// The place of the next sign that is rare.
    rare: Option<usize>,
    /// The rest of the last token that is not yet returned.
    pieces: std::vec::IntoIter<Cut>,
}

impl Iterator for Cuts<'_> {
    type Item = Cut;

    fn next(&mut self) -> Option<Cut> {
        loop {
            if let Some(piece) = self.pieces.next() {
                return Some(piece);
            }
            // Most of a text is far from anything that could end the beginning of a link.
            let candidate = self.next_candidate()?;
            if let Some(token) = self.token_at(candidate) {
                let pieces = self.text.without_tags(token);
                let by = std::iter::once(SCRUBBED).chain(std::iter::repeat(""));
                let cuts: Vec<Cut> =
                    pieces.into_iter().zip(by).map(|(range, by)| Cut { range, by }).collect();
                self.pieces = cuts.into_iter();
            }
        }
    }
}

impl Cuts<'_> {
    /// The next place at which the beginning of a link may end.
    fn next_candidate(&mut self) -> Option<usize> {
        while let Some(at) = self.text.next_sign(self.from, &mut self.rare) {
            self.from = at + 1;
            let stands = |beginning: &String| {
                let beginning = &beginning.as_bytes()[..beginning.len() - 1];
                self.text.may_stand_before(at, beginning)
            };
            if self.text.is_sign(at) && self.links.beginnings().iter().any(stands) {
                return Some(at);
            }
        }
        None
    }

    /// The token of the link whose beginning ends here, if one does.
    fn token_at(&mut self, candidate: usize) -> Option<Range<usize>> {
        let beginnings = self.links.beginnings();
        let written = self.written.token_at(candidate, beginnings);
        let shown = self.shown.as_mut().and_then(|shown| shown.token_at(candidate, beginnings));
        let token = [written, shown].into_iter().flatten().max_by_key(|token| token.end)?;
        self.from = self.from.max(token.end);
        for reading in std::iter::once(&mut self.written).chain(&mut self.shown) {
            reading.at = token.end;
            reading.recent.clear();
        }
        Some(token)
    }
}

/// One way to read a text, and how far it was read.
struct Reading<'a> {
    text: Text<'a>,
    at: usize,
    /// The end of what was read, decoded and in lower case, without line breaks.
    recent: Vec<u8>,
}

impl Reading<'_> {
    fn of(text: Text<'_>) -> Reading<'_> {
        Reading { text, at: 0, recent: Vec::new() }
    }

    /// Reads up to a candidate; the token behind it, if the beginning of a link ends there.
    fn token_at(&mut self, candidate: usize, beginnings: &[String]) -> Option<Range<usize>> {
        let start = candidate.saturating_sub(LOOKBACK_BYTES);
        if self.at < start {
            self.at = start;
            self.recent.clear();
        }
        let mut token = None;
        while self.at <= candidate && token.is_none() {
            token = self.step(beginnings);
        }
        token
    }

    /// Reads one byte of the decoded text; the token behind it, if it ends the beginning of a link.
    fn step(&mut self, beginnings: &[String]) -> Option<Range<usize>> {
        let Some((byte, next)) = self.text.unit(self.at) else {
            self.at = self.text.bytes.len();
            return None;
        };
        self.at = next;
        if is_line_end(byte) {
            self.at = self.text.past_break(next);
            return None;
        }
        if self.recent.len() == RECENT_BYTES {
            self.recent.drain(..RECENT_BYTES / 2);
        }
        self.recent.push(byte.to_ascii_lowercase());
        let mut beginnings = beginnings.iter();
        let is_beginning = matches!(byte, b'/' | b'+')
            && beginnings.any(|beginning| self.recent.ends_with(beginning.as_bytes()));
        if is_beginning { self.text.token(next) } else { None }
    }
}

#[cfg(test)]
mod tests;
