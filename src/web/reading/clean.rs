//! The last word on HTML of others: whatever [`markup`](super::markup) made of it, only what is listed here gets out.
//!
//! `markup` has made sure that the document is shallow and well nested, so that the parser's time and memory are
//! bounded.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use ammonia::{Builder, UrlRelative, UrlRelativeEvaluate};

use super::style::CLASSES;

/// The elements that a page shows.
pub(super) const TAGS: [&str; 44] = [
    "a",
    "b",
    "bdi",
    "blockquote",
    "br",
    "caption",
    "code",
    "del",
    "details",
    "div",
    "em",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "small",
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "u",
    "ul",
    "wbr",
    "abbr",
];

/// The elements that are left out with everything inside them, should they ever get here.
const DROPPED: [&str; 14] = [
    "script", "style", "iframe", "object", "embed", "svg", "math", "template", "noscript", "title",
    "textarea", "select", "noembed", "noframes",
];

/// The addresses on this server that a document may have.
struct Own(HashSet<String>);

impl UrlRelativeEvaluate<'_> for Own {
    fn evaluate<'url>(&self, url: &'url str) -> Option<Cow<'url, str>> {
        self.0.contains(url).then_some(Cow::Borrowed(url))
    }
}

/// Cleans `html`. Of addresses on this server it may have those in `own` alone.
pub(super) fn clean(html: &str, own: &HashSet<String>) -> String {
    let attributes: HashMap<&str, HashSet<&str>> = [
        ("a", &["href"][..]),
        ("details", &["open"]),
        ("div", &["tabindex"]),
        ("img", &["src", "alt", "width", "height", "loading", "referrerpolicy"]),
        ("ol", &["start", "type", "reversed"]),
        ("td", &["colspan", "rowspan"]),
        ("th", &["colspan", "rowspan"]),
        ("table", &["role"]),
    ]
    .into_iter()
    .map(|(tag, names)| (tag, names.iter().copied().collect()))
    .collect();
    let mut builder = Builder::empty();
    builder
        .tags(TAGS.into_iter().collect())
        .clean_content_tags(DROPPED.into_iter().collect())
        .tag_attributes(attributes)
        .generic_attributes(["class", "dir"].into_iter().collect())
        .url_schemes(["http", "https", "mailto"].into_iter().collect())
        .url_relative(UrlRelative::Custom(Box::new(Own(own.clone()))))
        .link_rel(Some("nofollow noopener"))
        .strip_comments(true)
        .attribute_filter(|element, attribute, value| {
            let is_right = match (element, attribute) {
                (_, "class") => value.split(' ').all(|class| CLASSES.contains(&class)),
                (_, "dir") => matches!(value, "auto" | "ltr" | "rtl"),
                ("img", "src") => !starts_with_scheme(value, "mailto:"),
                ("div", "tabindex") => value == "0",
                ("table", "role") => value == "presentation",
                (_, "colspan" | "rowspan" | "width" | "height" | "start") => {
                    value.strip_prefix('-').unwrap_or(value).bytes().all(|byte| byte.is_ascii_digit())
                }
                _ => true,
            };
            is_right.then_some(Cow::Borrowed(value))
        });
    builder.clean(html).to_string()
}

fn starts_with_scheme(url: &str, scheme: &str) -> bool {
    url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
}
