//! Where the tags of HTML begin and end, as browsers have it (the HTML standard, 13.2.5 "Tokenization").

/// Elements whose content is no HTML.
pub(super) const RAW: [&str; 8] =
    ["script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"];

/// Whether `<` begins a tag or comment, and is no sign in a text.
pub(super) fn begins_markup(rest: &str) -> bool {
    rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
}

/// The length of the markup at the start of `rest`, the name of its element, and whether that ends there.
pub(super) fn markup(rest: &str) -> (usize, &str, bool) {
    let until = |end: &str| rest.find(end).map_or(rest.len(), |at| at + end.len());
    if rest.starts_with("<!--") {
        return (until("-->"), "", false);
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

/// The length of a raw element's content up to and with its end tag.
pub(super) fn raw_end(content: &str, name: &str) -> usize {
    let is_end = |at: usize| {
        let tag = &content.as_bytes()[at + 2..];
        tag.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
            && tag
                .get(name.len())
                .is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'))
    };
    let found = content.match_indices("</").map(|(at, _)| at).find(|at| is_end(*at));
    found.map_or(content.len(), |at| at + tag_end(&content[at..]))
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
