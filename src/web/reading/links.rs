//! Addresses in mail of others: which of them a page links to, and which images it may show.

use super::escape::escape;
use crate::mail::reading::{Span, hide_addresses, spans};

/// Bytes of an address; a longer one is no link.
const HREF_BYTES_MAX: usize = 4096;

/// The place that an image comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ImageSource {
    /// The part of the message with this Content-ID.
    Part(String),
    /// Another server.
    Remote(String),
    /// Nowhere that a page shows anything from.
    None,
}

/// An address that a page may link to: of the web, or of mail; none of anything else.
///
/// Browsers skip line ends and tabs inside of addresses, and controls around them.
pub(super) fn safe(href: &str, hides_addresses: bool) -> Option<String> {
    let href = pressed(href);
    let is_mail = has_scheme(&href, "mailto:");
    let is_web = has_scheme(&href, "https://") || has_scheme(&href, "http://");
    let is_linked =
        (is_web && has_host(&href)) || (is_mail && !hides_addresses && href.len() > "mailto:".len());
    if !is_linked || HREF_BYTES_MAX < href.len() {
        return None;
    }
    if hides_addresses { Some(hide_addresses(&href)) } else { Some(href) }
}

/// Where an image comes from.
pub(super) fn image(src: &str) -> ImageSource {
    let src = pressed(src);
    if HREF_BYTES_MAX < src.len() {
        return ImageSource::None;
    }
    if has_scheme(&src, "cid:") {
        let id = percent_encoding::percent_decode_str(&src[4..]).decode_utf8_lossy().into_owned();
        return ImageSource::Part(id.trim_matches(['<', '>']).to_owned());
    }
    if (has_scheme(&src, "https://") || has_scheme(&src, "http://")) && has_host(&src) {
        return ImageSource::Remote(src);
    }
    match src.strip_prefix("//") {
        Some(rest) if rest.starts_with(|c: char| c.is_alphanumeric()) => {
            ImageSource::Remote(format!("https:{src}"))
        }
        _ => ImageSource::None,
    }
}

/// An address without the characters that browsers skip.
fn pressed(address: &str) -> String {
    let pressed: String = address.chars().filter(|c| !c.is_control()).collect();
    pressed.trim().to_owned()
}

fn has_scheme(address: &str, scheme: &str) -> bool {
    address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
}

fn has_host(address: &str) -> bool {
    let host = address.split_once("://").map_or("", |(_, rest)| rest);
    host.starts_with(|c: char| c.is_alphanumeric() || c == '[')
}

/// Writes text with its addresses as links.
pub(super) fn write_text(text: &str, hides_addresses: bool, out: &mut String) {
    for span in spans(text) {
        let (href, words) = match span {
            Span::Text(text) => {
                escape(text, out);
                continue;
            }
            Span::Web(url) => (safe(url, hides_addresses), url),
            Span::Mail(address) => {
                let bare = address.get(..7).filter(|scheme| scheme.eq_ignore_ascii_case("mailto:"));
                let bare = bare.map_or(address, |scheme| &address[scheme.len()..]);
                (safe(&format!("mailto:{bare}"), hides_addresses), address)
            }
        };
        let Some(href) = href else {
            escape(words, out);
            continue;
        };
        out.push_str("<a href=\"");
        escape(&href, out);
        out.push_str("\" rel=\"nofollow noopener\">");
        escape(words, out);
        out.push_str("</a>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_web_and_mail_are_linked() {
        for (href, expected) in [
            (" https://x.org/a ", Some("https://x.org/a")),
            ("HTTP://x.org", Some("HTTP://x.org")),
            ("mailto:a@x.org?subject=b", Some("mailto:a@x.org?subject=b")),
            ("ht\ntps://x.org", Some("https://x.org")),
            ("javascript:alert(1)", None),
            ("java\tscript:alert(1)", None),
            ("\u{1}javascript:alert(1)", None),
            ("data:text/html,x", None),
            ("vbscript:x", None),
            ("//x.org", None),
            ("/lists/", None),
            ("#a", None),
            ("https:x.org", None),
            ("https:///x.org", None),
            ("mailto:", None),
        ] {
            assert_eq!(safe(href, false).as_deref(), expected, "{href}");
        }
        assert_eq!(
            safe("https://x.org/?a=ada@secret.example", true).as_deref(),
            Some("https://x.org/?a=ada@…")
        );
        assert_eq!(safe("mailto:ada@x.org", true), None);
    }

    #[test]
    fn images_are_parts_or_on_other_servers() {
        assert_eq!(image("CID:a%40b"), ImageSource::Part("a@b".into()));
        assert_eq!(image("//x.org/a.png"), ImageSource::Remote("https://x.org/a.png".into()));
        for src in ["data:image/png;base64,x", "javascript:x", "/lists/news/", "x.png", "blob:x", ""] {
            assert_eq!(image(src), ImageSource::None, "{src}");
        }
    }
}
