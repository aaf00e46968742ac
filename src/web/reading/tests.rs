//! That rules judge at least what a page shows.

use proptest::prelude::*;

use super::options::ReadingOptions as Options;
use super::{Quotes, clean, markup};
use crate::mail::reading::{SHOWN_BYTES_MAX, unquoted_text};
use crate::mail::visible::visible_texts;
use crate::model::Language;

/// The text of the page that shows `html`.
fn page_text(html: &str) -> String {
    let options = Options {
        hides_addresses: false,
        remote_images: false,
        part_href: &|_, _| String::new(),
        raw_href: "",
        images_href: "",
        quotes: Quotes::Open,
        language: Language::English,
        bytes_max: SHOWN_BYTES_MAX,
    };
    let fitted = markup::fit(html, &[], false, &options);
    unquoted_text(&clean::clean(&fitted.html, &fitted.own))
}

#[track_caller]
fn check(html: &str, expected: &str) {
    assert_eq!(page_text(html), expected, "{html}");
    assert_eq!(unquoted_text(html), expected, "{html}");
}

#[test]
fn a_rule_judges_the_text_that_a_page_shows() {
    check("ca<b>si</b>no <textarea>spin <b>&amp; win</textarea>", "casino\nspin <b>& win");
    check("a<xmp>b</b>&amp;c</xmp>d", "a\nb</b>&amp;c\nd");
    check("a<plaintext>b</plaintext>", "a\nb</plaintext>");
    check("a<iframe>b</iframe><noembed>c</noembed><noframes>d</noframes>e", "ae");
    check("a<title>b</title><style>c</style><script>d</script>e<!-- f --!>g", "aeg");
}

proptest! {
    #[test]
    fn a_page_shows_no_letter_that_a_rule_does_not_see(pieces in prop::collection::vec(
        prop::sample::select(vec!["<", ">", "/", "\"", "'", " ", "&amp;", "&lt", "<p>", "</p>", "<b>", "</b>", "<b a=",
            "</", "<script>", "</script>", "<style>", "</style>", "<xmp>", "</xmp>", "<textarea>", "</textarea>",
            "<plaintext>", "<title>", "</title>", "<template>", "</template>", "<iframe>", "</iframe>", "<noembed>",
            "</noembed>", "<!--", "-->", "--!>", "<table>", "<td>", "<li>", "<svg>", "</svg>", "a", "b", "c", "d"]),
        0..30,
    )) {
        let html = pieces.concat();
        let (page, judged) = (page_text(&html), visible_texts(&html).0);
        let count = |text: &str, letter: char| text.chars().filter(|other| *other == letter).count();
        for letter in page.chars().filter(|c| !c.is_whitespace()) {
            prop_assert!(count(&page, letter) <= count(&judged, letter), "{}\n{}\n{}", html, page, judged);
        }
    }
}
