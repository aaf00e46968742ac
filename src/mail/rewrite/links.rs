//! Our own personal links in text that others sent: whoever answers a copy quotes the link under it, and would
//! let everybody leave in their place.

use std::borrow::Cow;

use super::RewriteContext;

/// What stands where a token stood.
const SCRUBBED: &str = "removed";
/// Shortest word that is taken for a token; ours are longer.
const TOKEN_CHARS_MIN: usize = 16;
/// The pages whose addresses hold a token.
const PAGES: [&str; 3] = ["unsubscribe", "members", "confirm"];
/// A slash as it stands in a link, in a link inside another's parameters, and in one inside that.
const SLASHES: [&str; 3] = ["/", "%2f", "%252f"];
/// The addresses that hold a token.
const MAILBOXES: [&str; 2] = ["confirm+", "bounces+"];

/// What the personal links of this server begin with.
pub(super) struct OwnLinks<'a> {
    /// Host and port of the pages.
    host: &'a str,
}

impl<'a> OwnLinks<'a> {
    pub(super) fn of(context: &RewriteContext<'a>) -> OwnLinks<'a> {
        let host = context.base_url.split_once("://").map_or(context.base_url, |(_, host)| host);
        OwnLinks { host }
    }

    /// Whether there may be one, asked of bytes before they are decoded any further.
    pub(super) fn may_be_in(&self, bytes: &[u8], is_ascii_compatible: bool) -> bool {
        let has = |needle: &str| memchr::memmem::find(bytes, needle.as_bytes()).is_some();
        !is_ascii_compatible || has(self.host) || MAILBOXES.iter().any(|mailbox| has(mailbox))
    }

    /// `text` without the tokens of its links.
    pub(super) fn scrubbed<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut scrubbed = String::new();
        let mut kept = 0;
        for start in self.tokens(text) {
            if start < kept {
                continue;
            }
            scrubbed.push_str(&text[kept..start]);
            scrubbed.push_str(SCRUBBED);
            kept = start + token_bytes(&text[start..]);
        }
        if kept == 0 {
            return Cow::Borrowed(text);
        }
        scrubbed.push_str(&text[kept..]);
        Cow::Owned(scrubbed)
    }

    /// Where tokens begin, in order.
    fn tokens(&self, text: &str) -> Vec<usize> {
        let in_pages = text.match_indices(self.host).filter_map(|(at, host)| {
            let end = at + host.len();
            behind_host(&text[end..]).map(|length| end + length)
        });
        let in_mailboxes = MAILBOXES
            .iter()
            .flat_map(|mailbox| text.match_indices(mailbox).map(|(at, mailbox)| at + mailbox.len()));
        let is_long = |start: &usize| TOKEN_CHARS_MIN <= token_bytes(&text[*start..]);
        let mut starts: Vec<usize> = in_pages.chain(in_mailboxes).filter(is_long).collect();
        starts.sort_unstable();
        starts
    }
}

/// The length of what stands between the host of a link and its token, if it is the link of a page with one.
fn behind_host(text: &str) -> Option<usize> {
    let slash = SLASHES.into_iter().find(|slash| begins(text, slash))?;
    let rest = &text[slash.len()..];
    let page = PAGES.into_iter().find(|page| begins(rest, page))?;
    let rest = &rest[page.len()..];
    if !begins(rest, slash) {
        return None;
    }
    let rest = &rest[slash.len()..];
    // A quoting program may have broken the line in front of the long word.
    let broken = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n'));
    let token = broken.map_or(rest, |line| line.trim_start_matches(['>', ' ']));
    Some(text.len() - token.len())
}

fn begins(text: &str, start: &str) -> bool {
    text.as_bytes().get(..start.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(start.as_bytes()))
}

/// The length of the word that a token is.
fn token_bytes(text: &str) -> usize {
    text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "aaaaabbbbbcccccdddddeeeeefffffggggghhhhhii";

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let links = OwnLinks { host: "lists.example.org" };
        let text = text.replace("TOKEN", TOKEN);
        assert_eq!(links.scrubbed(&text), expected);
        assert_eq!(links.scrubbed(expected), expected, "a second time changes nothing");
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
    }

    #[test]
    fn links_inside_the_links_of_gateways_and_across_lines_are_found() {
        check(
            "https://safe.example/?url=https%3A%2F%2Flists.example.org%2Funsubscribe%2FTOKEN%2F&d=1",
            "https://safe.example/?url=https%3A%2F%2Flists.example.org%2Funsubscribe%2Fremoved%2F&d=1",
        );
        check(
            "> https://lists.example.org/unsubscribe/\r\n> TOKEN/",
            "> https://lists.example.org/unsubscribe/\r\n> removed/",
        );
    }

    #[test]
    fn a_text_full_of_links_is_read_once() {
        let links = "https://lists.example.org/unsubscribe/TOKEN/ confirm+TOKEN@ ".repeat(20_000);
        check(&links, &links.replace("TOKEN", SCRUBBED));
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
