//! Where the tags of HTML begin and end, as browsers have it (the HTML standard, 13.2.5 "Tokenization").

/// Elements whose content is no HTML.
pub(super) const RAW: [&str; 8] =
    ["script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"];

/// A tag of HTML that a browser sees: it stands in no comment, no script and the like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen<'h> {
    /// The name of its element.
    pub(super) name: &'h str,
    /// Whether the element ends there.
    pub(super) is_closing: bool,
    /// Where it begins.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
}

/// Calls `see` with every tag of `html` that a browser sees, in their order. Returns where what nobody sees begins at the
/// end: a comment, a script or the like that is not closed; the length of `html` if there is none.
pub(super) fn each_tag<'h>(html: &'h str, mut see: impl FnMut(Seen<'h>)) -> usize {
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &html.as_bytes()[at..]) {
        let start = at + found;
        let rest = &html[start..];
        if !begins_markup(rest) {
            at = start + 1;
            continue;
        }
        let (length, name, is_closing) = markup(rest);
        let end = start + length;
        if name.is_empty() {
            if end == html.len() && !rest.ends_with('>') {
                return start;
            }
            at = end;
            continue;
        }
        see(Seen { name, is_closing, start, end });
        at = end;
        if !is_closing && RAW.iter().any(|raw| raw.eq_ignore_ascii_case(name)) {
            let Some(length) = raw_close(&html[end..], name) else { return start };
            at += length;
        }
    }
    html.len()
}

/// Whether `<` begins a tag or comment, and is no sign in a text.
pub(super) fn begins_markup(rest: &str) -> bool {
    rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
}

/// The length of the markup at the start of `rest`, the name of its element, and whether that ends there.
pub(super) fn markup(rest: &str) -> (usize, &str, bool) {
    let until = |end: &str| rest.find(end).map_or(rest.len(), |at| at + end.len());
    if rest.starts_with("<!--") {
        return (comment_end(rest), "", false);
    }
    let is_closing = rest.starts_with("</");
    let name = &rest[if is_closing { 2 } else { 1 }..];
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return (until(">"), "", false);
    }
    let length =
        name.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, ':' | '-')).unwrap_or(name.len());
    (tag_end(rest), &name[..length], is_closing)
}

/// The end of a comment: `-->` or `--!>`. `<!-->` and `<!--->` are complete.
fn comment_end(rest: &str) -> usize {
    if let Some(short) = ["<!-->", "<!--->"].iter().find(|short| rest.starts_with(**short)) {
        return short.len();
    }
    let mut at = 4;
    while let Some(dashes) = memchr::memmem::find(&rest.as_bytes()[at..], b"--") {
        at += dashes;
        match &rest.as_bytes()[at + 2..] {
            [b'>', ..] => return at + 3,
            [b'!', b'>', ..] => return at + 4,
            // The next pair of dashes may share one with this pair.
            _ => at += 1,
        }
    }
    rest.len()
}

/// The end of a tag: the `>` that stands in no quoted value.
fn tag_end(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let skip = |from: usize, belongs: &dyn Fn(u8) -> bool| {
        bytes[from..].iter().position(|byte| !belongs(*byte)).map_or(bytes.len(), |at| from + at)
    };
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'\x0c');
    let mut at = skip(if rest.starts_with("</") { 2 } else { 1 }, &|byte| {
        !is_blank(byte) && !matches!(byte, b'/' | b'>')
    });
    loop {
        at = skip(at, &|byte| is_blank(byte) || byte == b'/');
        match bytes.get(at) {
            None => return bytes.len(),
            Some(b'>') => return at + 1,
            Some(_) => {}
        }
        // The name of an attribute; its first character may even be `=`.
        at = skip(at + 1, &|byte| !is_blank(byte) && !matches!(byte, b'/' | b'>' | b'='));
        let sign = skip(at, &is_blank);
        if bytes.get(sign) != Some(&b'=') {
            continue;
        }
        at = skip(sign + 1, &is_blank);
        at = match bytes.get(at) {
            Some(quote @ (b'"' | b'\'')) => {
                memchr::memchr(*quote, &bytes[at + 1..]).map_or(bytes.len(), |end| at + end + 2)
            }
            _ => skip(at, &|byte| !is_blank(byte) && byte != b'>'),
        };
    }
}

/// The length of a raw element's content up to and with its end tag, or all of it.
pub(super) fn raw_end(content: &str, name: &str) -> usize {
    raw_close(content, name).unwrap_or(content.len())
}

/// The length of a raw element's content up to and with its end tag; `None` if it has none.
fn raw_close(content: &str, name: &str) -> Option<usize> {
    let is_end = |at: usize| {
        let tag = &content.as_bytes()[at + 2..];
        tag.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
            && tag
                .get(name.len())
                .is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'))
    };
    let found = content.match_indices("</").map(|(at, _)| at).find(|at| is_end(*at));
    found.map(|at| at + tag_end(&content[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_ends_where_it_does_for_browsers() {
        for (tag, rest) in [
            ("<b>", "x"),
            ("<a title=\"x > y\">", "z\">"),
            ("<a title = '>'\t>", "z"),
            ("<a x=y\">", "z\">"),
            ("<a =\"x>", "y"),
            ("<a x=>", "y"),
            ("<br/>", ">"),
            ("</p class=\">\">", "x"),
            ("</3>", "x"),
            ("<!-- > -->", "x"),
            ("<!-->", "x-->"),
            ("<!--->", "x-->"),
            ("<!-- a -- b --->", "x"),
            ("<!-- a --!>", "x-->"),
            ("<!doctype \">", "x"),
            ("<a href=\"never closed> x", ""),
            ("<a", ""),
        ] {
            assert_eq!(markup(&format!("{tag}{rest}")).0, tag.len(), "{tag}{rest}");
        }
    }

    #[test]
    fn raw_content_ends_with_its_own_end_tag() {
        assert_eq!(raw_end("a</stylex></b></STYLE >c", "style"), "a</stylex></b></STYLE >".len());
        assert_eq!(raw_end("a</b>", "style"), 5);
        assert_eq!(raw_end("a</style", "style"), 8);
    }
}
