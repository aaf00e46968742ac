//! This server's own personal links in text that others sent: whoever answers a copy quotes the link under it, and
//! would let everybody leave in their place.
//!
//! A link is found however a mail program has written it: in any case of letters, with percent-encoding, HTML
//! references and quoted-printable escapes in it, and broken across lines that are quoted. The text is read once, from
//! its beginning to its end, and remembered as far back as a link is long.

use std::borrow::Cow;
use std::ops::Range;

use super::RewriteContext;

/// Replaces a token.
const SCRUBBED: &str = "removed";
/// The shortest word that is taken for a token. This server's tokens are longer.
const TOKEN_CHARS_MIN: usize = 16;
/// Characters of this server's tokens: one that is broken across lines is whole once it has so many.
const TOKEN_CHARS: usize = 42;
/// The pages whose addresses hold a token.
const PAGES: [&str; 6] = ["unsubscribe", "members", "confirm", "moderate", "password", "resume"];
/// The mail addresses that hold a token.
const MAILBOXES: [&str; 2] = ["confirm+", "bounces+"];
/// Characters of the longest HTML reference that is looked at, such as `#x0000002f`.
const REFERENCE_CHARS_MAX: usize = 10;
/// How often percent-encoding is encoded again: gateways put links into the parameters of their own.
const PERCENT_LAYERS_MAX: usize = 4;
/// Blanks that a mail program leaves in front of a line end.
const BLANKS_MAX: usize = 8;
/// Bytes of the decoded text that are remembered: more than twice the longest beginning of a link.
const RECENT_BYTES: usize = 1024;
/// Bytes of the text that the longest beginning of a link takes however it is encoded.
const LOOKBACK_BYTES: usize = 4096;
/// The last letters of the beginnings of links, without the `/` or `+` behind them.
const ENDINGS: [&[u8; 3]; 7] = [b"ibe", b"ers", b"irm", b"ate", b"ord", b"ume", b"ces"];
/// Bytes in which an escape of a character stands, such as `&#x0000002f`.
const ESCAPE_BYTES_MAX: usize = 12;
/// Characters in front of a quoted line at most.
const QUOTE_CHARS_MAX: usize = 64;

/// How the personal links of this server begin.
pub(super) struct OwnLinks {
    /// `lists.example.org/unsubscribe/` and the like, in lower case.
    beginnings: Vec<String>,
}

impl OwnLinks {
    pub(super) fn of(context: &RewriteContext<'_>) -> OwnLinks {
        OwnLinks::at(context.base_url.split_once("://").map_or(context.base_url, |(_, host)| host))
    }

    /// The links to pages at a host, which may have a port and a path behind it.
    fn at(host: &str) -> OwnLinks {
        let (name, rest) = host.split_at(host.find([':', '/']).unwrap_or(host.len()));
        // A mail program may show the other form of an international name.
        let mut names = vec![name.to_lowercase(), idna::domain_to_unicode(name).0];
        names.extend(idna::domain_to_ascii(name));
        names.sort_unstable();
        names.dedup();
        let rest = rest.to_ascii_lowercase();
        let of_name = |name: &String| PAGES.map(|page| format!("{name}{rest}/{page}/"));
        let pages = names.iter().flat_map(of_name);
        OwnLinks { beginnings: pages.chain(MAILBOXES.map(str::to_owned)).collect() }
    }

    /// Whether there may be one, asked of bytes before they are decoded any further.
    pub(super) fn may_be_in(&self, bytes: &[u8], is_ascii_compatible: bool) -> bool {
        !is_ascii_compatible || self.tokens(bytes, Transfer::Decoded).next().is_some()
    }

    /// `text` without the tokens of its links.
    pub(super) fn scrubbed<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut scrubbed = String::new();
        let mut kept = 0;
        for token in self.tokens(text.as_bytes(), Transfer::Decoded) {
            // Tokens begin and end at ASCII characters.
            scrubbed.push_str(&text[kept..token.start]);
            scrubbed.push_str(SCRUBBED);
            kept = token.end;
        }
        if kept == 0 {
            return Cow::Borrowed(text);
        }
        scrubbed.push_str(&text[kept..]);
        Cow::Owned(scrubbed)
    }

    /// The same of bytes; `None` if there are no tokens.
    pub(super) fn scrubbed_bytes(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut scrubbed = Vec::new();
        let mut kept = 0;
        for token in self.tokens(bytes, Transfer::Decoded) {
            scrubbed.extend_from_slice(&bytes[kept..token.start]);
            scrubbed.extend_from_slice(SCRUBBED.as_bytes());
            kept = token.end;
        }
        (kept != 0).then(|| {
            scrubbed.extend_from_slice(&bytes[kept..]);
            scrubbed
        })
    }

    /// The tokens of the links in `bytes`, in order.
    pub(super) fn tokens<'l>(&'l self, bytes: &'l [u8], transfer: Transfer) -> Tokens<'l> {
        let text = Text { bytes, transfer };
        Tokens { links: self, text, at: 0, recent: Vec::with_capacity(RECENT_BYTES) }
    }
}

/// What stands in the place of a token.
pub(super) fn replacement() -> Vec<u8> {
    SCRUBBED.as_bytes().to_vec()
}

/// How bytes are encoded for transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transfer {
    /// They are not, or no longer.
    Decoded,
    /// As quoted-printable.
    QuotedPrintable,
}

/// The ranges of tokens in a text.
pub(super) struct Tokens<'a> {
    links: &'a OwnLinks,
    text: Text<'a>,
    at: usize,
    /// The end of what was read, decoded and in lower case, without line breaks.
    recent: Vec<u8>,
}

impl Iterator for Tokens<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        // Most of a text is far from anything that could end the beginning of a link.
        while let Some(candidate) = self.text.next_candidate(self.at) {
            let start = candidate.saturating_sub(LOOKBACK_BYTES);
            if self.at < start {
                self.at = start;
                self.recent.clear();
            }
            while self.at <= candidate {
                if let Some(token) = self.step() {
                    return Some(token);
                }
            }
        }
        None
    }
}

impl Tokens<'_> {
    /// Reads one byte of the decoded text; the token behind it, if it ends the beginning of a link.
    fn step(&mut self) -> Option<Range<usize>> {
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
        let mut beginnings = self.links.beginnings.iter();
        let is_beginning = matches!(byte, b'/' | b'+')
            && beginnings.any(|beginning| self.recent.ends_with(beginning.as_bytes()));
        let token = if is_beginning { self.text.token(next)? } else { return None };
        self.at = token.end;
        self.recent.clear();
        Some(token)
    }
}

/// A text as a reader's program decodes it, one byte after another, each with the place where the next begins.
struct Text<'a> {
    bytes: &'a [u8],
    transfer: Transfer,
}

impl Text<'_> {
    /// The next place at which the beginning of a link may end.
    fn next_candidate(&self, from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            let rest = self.bytes.get(at..)?;
            at += rest.iter().position(|byte| matches!(byte, b'/' | b'+' | b'%' | b'&' | b'='))?;
            if self.may_end_beginning(at) {
                return Some(at);
            }
            at += 1;
        }
    }

    /// Whether the byte at a place is `/` or `+`, and nothing in front of it is known not to end the beginning of a link.
    fn may_end_beginning(&self, at: usize) -> bool {
        if !matches!(self.unit(at), Some((b'/' | b'+', _))) {
            return false;
        }
        for length in 1..=ENDINGS[0].len() {
            let Some(start) = at.checked_sub(length) else { return false };
            let last = &self.bytes[start..at];
            let fits = |ending: &&[u8; 3]| ending[ending.len() - length..].eq_ignore_ascii_case(last);
            if !ENDINGS.iter().any(fits) {
                return self.may_end_encoded(start);
            }
        }
        true
    }

    /// Whether the byte at a place may be the last of an encoded character, or of a line break.
    fn may_end_encoded(&self, at: usize) -> bool {
        let before = &self.bytes[..at];
        match self.bytes[at] {
            b';' | b'\r' | b'\n' => true,
            b' ' | b'\t' | b'>' | b'|' => {
                let quote = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'>' | b'|');
                let mut line = before.iter().rev().take(QUOTE_CHARS_MAX).skip_while(quote);
                line.next().is_none_or(|byte| is_line_end(*byte) || *byte == b';')
            }
            byte if byte.is_ascii_hexdigit() => {
                let near = &before[at.saturating_sub(ESCAPE_BYTES_MAX)..];
                near.iter().any(|byte| matches!(byte, b'%' | b'=' | b'#'))
            }
            _ => false,
        }
    }

    /// The byte at a place without percent-encoding, however often it is encoded.
    fn unit(&self, at: usize) -> Option<(u8, usize)> {
        let (byte, next) = self.referenced(at)?;
        let layers = if byte == b'%' { PERCENT_LAYERS_MAX } else { 0 };
        let mut digits = next;
        for _ in 0..layers {
            let Some((value, after)) = self.hex_pair(digits) else { break };
            if value != b'%' {
                return Some((value, after));
            }
            digits = after;
        }
        Some((byte, next))
    }

    fn hex_pair(&self, at: usize) -> Option<(u8, usize)> {
        let (high, at) = self.referenced(at)?;
        let (low, at) = self.referenced(at)?;
        Some((hex(high)? * 16 + hex(low)?, at))
    }

    /// The byte at a place without HTML references.
    fn referenced(&self, at: usize) -> Option<(u8, usize)> {
        let (byte, next) = self.transferred(at)?;
        if byte != b'&' {
            return Some((byte, next));
        }
        Some(self.reference(next).unwrap_or((byte, next)))
    }

    /// The ASCII character that the reference behind a `&` stands for; a number needs no semicolon.
    fn reference(&self, mut at: usize) -> Option<(u8, usize)> {
        let mut name = [0; REFERENCE_CHARS_MAX];
        let mut length = 0;
        while let Some((byte, next)) = self.transferred(at) {
            if byte == b';' {
                return Some((meaning(&name[..length])?, next));
            }
            let is_number = name[0] == b'#';
            let belongs = byte.is_ascii_alphanumeric() || (byte == b'#' && length == 0);
            let is_digit =
                if matches!(name[1], b'x' | b'X') { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
            let ends = is_number && 1 < length && !is_digit;
            if !belongs || ends || length == REFERENCE_CHARS_MAX {
                break;
            }
            name[length] = byte;
            length += 1;
            at = next;
        }
        let number = name[..length].starts_with(b"#").then(|| meaning(&name[..length]));
        Some((number??, at))
    }

    /// The byte at a place without quoted-printable.
    fn transferred(&self, mut at: usize) -> Option<(u8, usize)> {
        loop {
            let byte = *self.bytes.get(at)?;
            if byte != b'=' || self.transfer == Transfer::Decoded {
                return Some((byte, at + 1));
            }
            let digit = |at: usize| self.bytes.get(at).and_then(|byte| hex(*byte));
            if let (Some(high), Some(low)) = (digit(at + 1), digit(at + 2)) {
                return Some((high * 16 + low, at + 3));
            }
            match self.past_soft_break(at + 1) {
                Some(next) => at = next,
                None => return Some((byte, at + 1)),
            }
        }
    }

    fn past_soft_break(&self, at: usize) -> Option<usize> {
        let rest = &self.bytes[at..];
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
        let blanks = rest.iter().take(BLANKS_MAX).take_while(is_blank).count();
        let rest = &rest[blanks..];
        let length = if rest.starts_with(b"\r\n") { 2 } else { usize::from(rest.starts_with(b"\n")) };
        (length != 0).then_some(at + blanks + length)
    }

    /// The place behind a line break and what stands in front of a quoted line.
    fn past_break(&self, mut at: usize) -> usize {
        while let Some((byte, next)) = self.unit(at) {
            if !matches!(byte, b'\r' | b'\n' | b' ' | b'\t' | b'>' | b'|') {
                break;
            }
            at = next;
        }
        at
    }

    /// The place behind a line break, if one is here, perhaps with blanks in front of it.
    fn past_wrap(&self, start: usize) -> usize {
        let mut at = start;
        for _ in 0..=BLANKS_MAX {
            match self.unit(at) {
                Some((b' ' | b'\t', next)) => at = next,
                Some((b'\r' | b'\n', next)) => return self.past_break(next),
                _ => return start,
            }
        }
        start
    }

    /// The token that begins here, if there is one. A program may have broken the line in front of it or within it.
    fn token(&self, at: usize) -> Option<Range<usize>> {
        let start = self.past_wrap(at);
        let (mut at, mut end, mut count) = (start, start, 0);
        let mut first_line = None;
        while let Some((byte, next)) = self.unit(at) {
            if is_line_end(byte) && count < TOKEN_CHARS {
                first_line.get_or_insert((end, count));
                at = self.past_break(next);
                continue;
            }
            let is_whole = first_line.is_some() && count == TOKEN_CHARS;
            if is_whole || !(byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')) {
                break;
            }
            count += 1;
            (at, end) = (next, next);
        }
        if let Some(first_line) = first_line.filter(|_| count != TOKEN_CHARS) {
            // The next line is other text.
            (end, count) = first_line;
        }
        (TOKEN_CHARS_MIN <= count).then_some(start..end)
    }
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// The ASCII character that a reference stands for, of those that links and quotes have.
fn meaning(name: &[u8]) -> Option<u8> {
    let name = std::str::from_utf8(name).ok()?;
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        return code.ok().and_then(|code| u8::try_from(code).ok()).filter(u8::is_ascii);
    }
    Some(match name {
        "sol" => b'/',
        "colon" => b':',
        "period" => b'.',
        "plus" => b'+',
        "commat" => b'@',
        "percnt" => b'%',
        "equals" => b'=',
        "num" => b'#',
        "lowbar" => b'_',
        "gt" => b'>',
        "lt" => b'<',
        "amp" => b'&',
        "NewLine" => b'\n',
        "Tab" => b'\t',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "aaaaabbbbbcccccdddddeeeeefffffggggghhhhhii";

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let links = OwnLinks::at("lists.example.org");
        let text = text.replace("TOKEN", TOKEN);
        let expected = expected.replace("TOKEN", TOKEN);
        assert_eq!(links.scrubbed(&text), expected);
        assert_eq!(links.scrubbed(&expected), expected, "a second time changes nothing");
        let bytes = links.scrubbed_bytes(text.as_bytes());
        assert_eq!(bytes.unwrap_or_else(|| text.clone().into_bytes()), expected.as_bytes());
        assert_eq!(links.may_be_in(text.as_bytes(), true), text != expected);
    }

    #[test]
    fn links_that_let_a_reader_leave_lose_their_token() {
        check(
            "> https://lists.example.org/unsubscribe/TOKEN/ and https://lists.example.org/news/",
            "> https://lists.example.org/unsubscribe/removed/ and https://lists.example.org/news/",
        );
        check(
            "<a href=\"http://lists.example.org/members/TOKEN\">x</a> https://lists.example.org/unsubscribe/TOKEN/",
            "<a href=\"http://lists.example.org/members/removed\">x</a> https://lists.example.org/unsubscribe/removed/",
        );
        check("mailto:confirm+TOKEN@lists.example.org", "mailto:confirm+removed@lists.example.org");
        check("<Bounces+TOKEN@lists.example.org>", "<Bounces+removed@lists.example.org>");
    }

    #[test]
    fn links_are_found_in_any_case_of_letters() {
        check(
            "HTTPS://Lists.Example.ORG/Unsubscribe/TOKEN/ CONFIRM+TOKEN@x",
            "HTTPS://Lists.Example.ORG/Unsubscribe/removed/ CONFIRM+removed@x",
        );
        let links = OwnLinks::at("Listen.M\u{fc}ller.example:8443");
        for host in ["listen.m\u{fc}ller.example:8443", "listen.xn--mller-kva.example:8443"] {
            assert_eq!(
                links.scrubbed(&format!("\u{fc} http://{host}/resume/{TOKEN}/ \u{fc}")),
                format!("\u{fc} http://{host}/resume/removed/ \u{fc}")
            );
        }
    }

    #[test]
    fn links_inside_the_links_of_gateways_are_found() {
        for slash in ["%2F", "%2f", "%252F", "%25252f", "&#37;2F", "%2&#70;"] {
            let link = |token: &str| {
                let host = "lists.example.org";
                format!(
                    "https://safe.example/?u=https%3A{slash}{slash}{host}{slash}unsubscribe{slash}{token}{slash}&d=1"
                )
            };
            check(&link("TOKEN"), &link("removed"));
        }
        check(
            "lists%2eexample%2Eorg/%75nsubscribe/%61TOKEN/",
            "lists%2eexample%2Eorg/%75nsubscribe/removed/",
        );
        check("confirm%2BTOKEN%40x.org 100% %", "confirm%2Bremoved%40x.org 100% %");
    }

    #[test]
    fn links_with_references_of_html_are_found() {
        check(
            "lists&#46;example&period;org&#x2F;unsubscribe&sol;&#97;TOKEN&#47;x",
            "lists&#46;example&period;org&#x2F;unsubscribe&sol;removed&#47;x",
        );
        check("lists.example.org&#47unsubscribe/TOKEN", "lists.example.org&#47unsubscribe/removed");
        check("confirm&plus;TOKEN&commat;x", "confirm&plus;removed&commat;x");
        for text in ["a & b &", "&#", "&#x;", "&#99999999999999999999;", "&notareference;", "&#xe9;"] {
            check(text, text);
        }
    }

    #[test]
    fn links_that_are_broken_across_lines_are_found() {
        let link = "> https://lists.example.org/unsubscribe/";
        check(&format!("{link}\r\n> TOKEN/"), &format!("{link}\r\n> removed/"));
        check(&format!("{link} \r\n> > TOKEN/"), &format!("{link} \r\n> > removed/"));
        let (first, second) = TOKEN.split_at(10);
        check(&format!("{link}{first}\r\n> {second}/ x"), &format!("{link}removed/ x"));
        check(
            "&gt; lists.exam\r\n&gt; ple.org/unsub\r\n&gt; scribe/TOKEN",
            "&gt; lists.exam\r\n&gt; ple.org/unsub\r\n&gt; scribe/removed",
        );
        check(&format!("{link}TOKEN\r\nMore text"), &format!("{link}removed\r\nMore text"));
        // A shorter word is one by itself, and what follows it other text.
        check(&format!("{link}{}\r\nMore", &TOKEN[..20]), &format!("{link}removed\r\nMore"));
        check(&format!("{link}help\r\nMore"), &format!("{link}help\r\nMore"));
    }

    #[test]
    fn links_in_quoted_printable_are_found_where_they_stand() {
        let links = OwnLinks::at("lists.example.org");
        let (first, second) = TOKEN.split_at(20);
        let text = format!("=C3=BC lists.example=\r\n.org/unsubscribe=2F{first}=\r\n{second}=2F = =\r\n x=");
        let tokens: Vec<_> = links.tokens(text.as_bytes(), Transfer::QuotedPrintable).collect();
        assert_eq!(tokens.len(), 1);
        assert_eq!(&text[tokens[0].clone()], format!("{first}=\r\n{second}"));
    }

    #[test]
    fn a_text_full_of_links_is_read_once() {
        let links = "https://lists.example.org/unsubscribe/TOKEN/ confirm+TOKEN@ ".repeat(20_000);
        check(&links, &links.replace("TOKEN", SCRUBBED));
        for hostile in
            ["&", "%25", "confirm+\r\n", "confirm+ ", "=", "lists.example.org/confirm/", "&#", "\r\n>"]
        {
            let text = hostile.repeat(300_000);
            check(&text, &text);
            let links = OwnLinks::at("lists.example.org");
            assert_eq!(links.tokens(text.as_bytes(), Transfer::QuotedPrintable).count(), 0);
        }
    }

    #[test]
    fn what_is_passed_over_holds_no_link() {
        let fragments = [
            "https://",
            "lists.example.org",
            "LISTS",
            "/",
            "unsubscribe",
            "confirm+",
            "bounces",
            "+",
            TOKEN,
            &TOKEN[..20],
            &TOKEN[20..],
            "\r\n",
            "> ",
            "\n> > ",
            " ",
            "%2f",
            "%252F",
            "&#47;",
            "&#x2f",
            "&sol;",
            "=2F",
            "=\r\n",
            "%65/",
            "&#101;",
            "%6d",
            "resume",
            "</p>",
            "<br />",
            "x",
            "\u{fc}",
            "unsub",
            "scribe",
            "passw%6frd",
        ];
        let links = OwnLinks::at("lists.example.org");
        let mut random = 7_u64;
        let mut found = 0;
        for _ in 0..4000 {
            let mut text = String::new();
            for _ in 0..12 {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let choice = usize::try_from(random >> 33).unwrap();
                // Half of the fragments in the order of a link.
                match choice % 8 {
                    0 => text.push_str("lists.example.org/unsubscribe/"),
                    1 => text.push_str(TOKEN),
                    _ => text.push_str(fragments[choice % fragments.len()]),
                }
            }
            for transfer in [Transfer::Decoded, Transfer::QuotedPrintable] {
                let all = links.tokens(text.as_bytes(), transfer).collect::<Vec<_>>();
                let mut slow = links.tokens(text.as_bytes(), transfer);
                let mut read = Vec::new();
                while slow.at < text.len() {
                    read.extend(slow.step());
                }
                assert_eq!(all, read, "{text:?}");
                found += all.len();
            }
        }
        assert!(1000 < found, "{found}");
    }

    #[test]
    fn other_links_stay() {
        for text in [
            "https://lists.example.org/unsubscribe/short/",
            "https://other.example.org/unsubscribe/aaaaabbbbbcccccddddd/",
            "lists.example.org",
            "lists.example.org/unsubscribe",
        ] {
            check(text, text);
        }
    }
}
