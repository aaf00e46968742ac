//! Where merge tags are filled in in content that members and strangers wrote: in text, and never inside a tag or an
//! address. A link or an image with a reader's address in it would tell its author who opened the message.

use std::ops::Range;

use crate::mail::html::{Token, Tokens, tokens, tokens_without_raw};
use crate::mail::text;

/// The words with a `$` of each piece of a text in which merge tags are filled in. The pieces stand one behind the
/// other in the text.
pub(super) fn open_words(pieces: &[&str], is_html: bool) -> Vec<Vec<Range<usize>>> {
    let whole = pieces.concat();
    let texts = if is_html { html_texts(&whole) } else { std::iter::once(0..whole.len()).collect() };
    let words: Vec<Range<usize>> =
        texts.into_iter().flat_map(|range| words_of(&whole, range, is_html)).collect();
    let mut start = 0;
    let of_piece = |piece: &&str| {
        let (from, to) = (start, start + piece.len());
        start = to;
        let first = words.partition_point(|word| word.end <= from);
        let words = words[first..].iter().take_while(|word| word.start < to);
        words.map(|word| word.start.max(from) - from..word.end.min(to) - from).collect()
    };
    pieces.iter().map(of_piece).collect()
}

/// The words of a text in which there is a `$` and that are no address.
fn words_of(whole: &str, range: Range<usize>, is_html: bool) -> Vec<Range<usize>> {
    let text = &whole[range.clone()];
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(dollar) = memchr::memchr(b'$', &text.as_bytes()[at..]).map(|found| at + found) {
        let start = text[at..dollar].rfind(char::is_whitespace).map_or(at, |blank| {
            let blank = at + blank;
            blank + text[blank..].chars().next().map_or(0, char::len_utf8)
        });
        let end = text[dollar..].find(char::is_whitespace).map_or(text.len(), |blank| dollar + blank);
        if !holds_address(&text[start..end], is_html) {
            words.push(range.start + start..range.start + end);
        }
        at = end;
    }
    words
}

/// Whether a word with a `$` is an address, or would be made one by a mail program.
fn holds_address(word: &str, is_html: bool) -> bool {
    let decoded;
    let word = if is_html && word.contains('&') {
        decoded = text::text_from_html(word);
        &decoded
    } else {
        word
    };
    word.split_whitespace().filter(|word| word.contains('$')).any(is_address)
}

fn is_address(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let is_domain = |three: &[u8]| {
        three[1] == b'.' && !three[0].is_ascii_punctuation() && !three[2].is_ascii_punctuation()
    };
    ["@", "//", "mailto:", "www."].iter().any(|mark| word.contains(mark))
        || word.as_bytes().windows(3).any(is_domain)
}

/// The texts of HTML: what stands in no tag, comment or raw element, whether or not a reader's program knows that
/// elements such as `style` have no tags inside.
fn html_texts(html: &str) -> Vec<Range<usize>> {
    // Programs disagree about where such a section ends.
    let end = find_ignoring_case(html, "<![cdata[").unwrap_or(html.len());
    let html = &html[..end];
    let (first, second) = (texts(tokens(html)), texts(tokens_without_raw(html)));
    let mut common = Vec::new();
    let (mut one, mut other) = (first.iter().peekable(), second.iter().peekable());
    while let (Some(left), Some(right)) = (one.peek(), other.peek()) {
        let both = left.start.max(right.start)..left.end.min(right.end);
        if left.end < right.end {
            one.next()
        } else {
            other.next()
        };
        if !both.is_empty() {
            common.push(both);
        }
    }
    common
}

fn find_ignoring_case(text: &str, sought: &str) -> Option<usize> {
    let is_there = |at: &usize| {
        let found = text.as_bytes().get(*at..*at + sought.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(sought.as_bytes()))
    };
    memchr::memchr_iter(b'<', text.as_bytes()).find(is_there)
}

/// Where the text between tags stands.
fn texts(mut tokens: Tokens<'_>) -> Vec<Range<usize>> {
    let mut texts: Vec<Range<usize>> = Vec::new();
    while let Some((range, token)) = tokens.next_placed() {
        match (token, texts.last_mut()) {
            // A lone angle bracket is part of the text around it.
            (Token::Text(_), Some(last)) if last.end == range.start => last.end = range.end,
            (Token::Text(_), _) => texts.push(range),
            _ => {}
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a text in which tags are filled in.
    #[track_caller]
    fn check(text: &str, is_html: bool, expected: &[&str]) {
        let words = &open_words(&[text], is_html)[0];
        let words: Vec<&str> = words.iter().map(|word| &text[word.clone()]).collect();
        assert_eq!(words, expected, "{text}");
    }

    #[test]
    fn words_of_text_are_open_and_addresses_are_not() {
        check("Dear $NAME,\r\nyou ($EMAIL) are in $LIST.", false, &["$NAME,", "($EMAIL)", "$LIST."]);
        for address in [
            "https://x.org/?$EMAIL",
            "//x/$EMAIL",
            "x.org/$EMAIL",
            "$NAME.x.org",
            "$NAME@x.org",
            "mailto:$EMAIL",
            "WWW.$NAME",
            "x.\u{f6}rg/$NAME",
        ] {
            check(&format!("a {address} $LIST"), false, &["$LIST"]);
        }
    }

    #[test]
    fn text_between_tags_is_open_and_tags_are_not() {
        check("<p class='$NAME'>Dear $NAME</p>$LIST", true, &["$NAME", "$LIST"]);
        check("Dear&nbsp;$NAME, a &lt; b", true, &["Dear&nbsp;$NAME,"]);
        check("1 < 2 $NAME", true, &["$NAME"]);
        for hidden in [
            "<img src=\"https://x/?$EMAIL\">",
            "<img src='https://x/?> $EMAIL'>",
            "<img src=\"https://x/? $EMAIL",
            "<a x=y\"><img src=\"https://x/?> $EMAIL\">",
            "<style>a { background: url(\"https://x/ $EMAIL\") }</style>",
            "<style></stylex> a { b: \"$EMAIL\" }</style>",
            "<svg><style><img src=\"</style>$EMAIL\">",
            "<iframe><!--</iframe><img src=\"https://x/? --> $EMAIL\">",
            "<svg><![CDATA[><a x=\"]]><img src=\"https://x/?> $EMAIL\">",
            "<!-- $NAME -->",
            "https&#58;//x&period;org/$EMAIL",
            "x&#46;org/$EMAIL",
        ] {
            check(hidden, true, &[]);
        }
    }

    #[test]
    fn pieces_are_parts_of_one_text() {
        let words = |pieces: &[&str], is_html| -> Vec<Vec<(usize, usize)>> {
            let of_piece =
                |words: Vec<Range<usize>>| words.into_iter().map(|word| (word.start, word.end)).collect();
            open_words(pieces, is_html).into_iter().map(of_piece).collect()
        };
        let split = ["<img src=\"<body>", "https://x/? $EMAIL", "\"> $NAME"];
        assert_eq!(words(&split, true), [vec![], vec![], vec![(3, 8)]]);
        assert_eq!(words(&["a $NA", "ME b"], false), [[(2, 5)], [(0, 2)]]);
    }

    #[test]
    fn a_text_full_of_tags_is_read_in_linear_time() {
        for hostile in
            ["<", "<a ", "<!--", "<a b=\"", "$", "$ ", "</", "<style>", "<![", "&", "a.", "$&nbsp;"]
        {
            open_words(&[&hostile.repeat(300_000)], true);
        }
    }
}
