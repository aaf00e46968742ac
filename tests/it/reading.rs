//! Mail as pages show it: nothing that a mail has can run, load or leave its place, and every kind of mail reads well.
//!
//! Pages are put together from what `Body::of` returns; here its HTML is read by a browser's tokenizer.

use std::cell::RefCell;

use crier::mail::reading::SHOWN_BYTES_MAX;
use crier::mail::{Inbound, parse_leniently};
use crier::model::Language;
use crier::web::reading::{Body, Quotes, ReadingOptions};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer};
use proptest::prelude::*;

/// Where the parts of a mail are in these tests.
const PARTS: &str = "/lists/news/messages/7/parts/";
/// Elements that have no end tag.
const VOID: [&str; 4] = ["br", "hr", "img", "wbr"];
/// Elements that a mail may have on a page.
const ELEMENTS: [&str; 47] = [
    "a",
    "abbr",
    "b",
    "bdi",
    "blockquote",
    "br",
    "caption",
    "code",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "dt",
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
];
/// Attributes that they may have.
const ATTRIBUTES: [&str; 18] = [
    "alt",
    "class",
    "colspan",
    "dir",
    "height",
    "href",
    "loading",
    "open",
    "referrerpolicy",
    "rel",
    "reversed",
    "role",
    "rowspan",
    "src",
    "start",
    "tabindex",
    "type",
    "width",
];

/// The tags of a document, as a browser finds them.
#[derive(Default)]
struct Tags(RefCell<Found>);

#[derive(Default)]
struct Found {
    open: Vec<String>,
    problems: Vec<String>,
    images: Vec<String>,
    links: Vec<String>,
    text: String,
}

impl TokenSink for &Tags {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut found = self.0.borrow_mut();
        match token {
            Token::CharacterTokens(text) => found.text.push_str(&text),
            Token::TagToken(tag) => {
                let name = tag.name.to_string();
                if tag.kind == TagKind::EndTag {
                    let open = found.open.pop();
                    if open.as_ref() != Some(&name) {
                        found.problems.push(format!("</{name}> ends {open:?}"));
                    }
                    return TokenSinkResult::Continue;
                }
                if !ELEMENTS.contains(&name.as_str()) {
                    found.problems.push(format!("<{name}>"));
                }
                for attribute in &tag.attrs {
                    let (key, value) = (attribute.name.local.to_string(), attribute.value.to_string());
                    if !ATTRIBUTES.contains(&key.as_str()) {
                        found.problems.push(format!("{name} {key}={value}"));
                    }
                    match key.as_str() {
                        "href" => found.links.push(value),
                        "src" => found.images.push(value),
                        _ => {}
                    }
                }
                if !VOID.contains(&name.as_str()) {
                    found.open.push(name);
                }
            }
            Token::CommentToken(_) | Token::DoctypeToken(_) | Token::NullCharacterToken => {
                found.problems.push("a comment, a document type or a null".to_owned());
            }
            Token::EOFToken | Token::ParseError(_) => {}
        }
        TokenSinkResult::Continue
    }
}

fn found(html: &str) -> Found {
    let tags = Tags::default();
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(html));
    let tokenizer = Tokenizer::new(&tags, html5ever::tokenizer::TokenizerOpts::default());
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
    drop(tokenizer);
    tags.0.into_inner()
}

/// Everything in a mail's HTML that no page should have.
fn problems(html: &str, shows_remote_images: bool) -> Vec<String> {
    let Found { open, mut problems, images, links, text: _ } = found(html);
    problems.extend(open.iter().map(|name| format!("<{name}> does not end")));
    let is_web =
        |url: &str| url.to_lowercase().starts_with("https://") || url.to_lowercase().starts_with("http://");
    let is_link = |url: &String| {
        is_web(url) || url.to_lowercase().starts_with("mailto:") || *url == RAW || *url == IMAGES
    };
    problems.extend(links.iter().filter(|url| !is_link(url)).map(|url| format!("a link to {url}")));
    let is_image = |url: &String| url.starts_with(PARTS) || (shows_remote_images && is_web(url));
    problems.extend(images.iter().filter(|url| !is_image(url)).map(|url| format!("an image from {url}")));
    problems
}

const RAW: &str = "/lists/news/messages/7/raw";
const IMAGES: &str = "?images=1";

fn shown(mail: &Inbound, hides_addresses: bool, remote_images: bool) -> Body {
    shown_with(mail, hides_addresses, remote_images, Quotes::Fitting)
}

fn shown_with(mail: &Inbound, hides_addresses: bool, remote_images: bool, quotes: Quotes) -> Body {
    let encoded = |name: &str| {
        percent_encoding::utf8_percent_encode(name, percent_encoding::NON_ALPHANUMERIC).to_string()
    };
    Body::of(
        mail,
        &ReadingOptions {
            hides_addresses,
            remote_images,
            part_href: &|number, name| format!("{PARTS}{number}/{}", encoded(name)),
            raw_href: RAW,
            images_href: IMAGES,
            quotes,
            language: Language::English,
            bytes_max: SHOWN_BYTES_MAX,
        },
    )
}

/// The body of a mail whose lines end in `\n`.
fn body(mail: &str) -> Body {
    shown(&parse_leniently(mail.replace('\n', "\r\n").into_bytes()), false, false)
}

fn html(content: &str) -> String {
    body(&format!("From: a@x.org\nContent-Type: text/html; charset=utf-8\n\n{content}\n")).html
}

fn text(content: &str) -> String {
    body(&format!("From: a@x.org\nContent-Type: text/plain; charset=utf-8\n\n{content}\n")).html
}

/// The mails of the corpus, by their names.
pub(crate) fn corpus() -> Vec<(String, Vec<u8>)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/xss/corpus.mails");
    let bytes = std::fs::read(path).unwrap();
    let mut mails: Vec<(String, Vec<u8>)> = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match (line.strip_prefix(b"===== "), mails.last_mut()) {
            (Some(name), _) => mails.push((String::from_utf8_lossy(name).trim().to_owned(), Vec::new())),
            (None, Some((_, mail))) => mail.extend_from_slice(line),
            (None, None) => panic!("the corpus begins with a name"),
        }
    }
    mails
}

#[test]
fn no_mail_of_the_corpus_leaves_anything_that_runs_or_loads() {
    let mails = corpus();
    assert!(200 <= mails.len(), "{} mails", mails.len());
    let mut wrong = Vec::new();
    for (name, bytes) in mails {
        let mail = parse_leniently(bytes);
        for (hides, images) in [(false, false), (true, false), (false, true)] {
            let body = shown(&mail, hides, images);
            let found = problems(&body.html, images);
            if !found.is_empty() {
                wrong.push(format!("{name}: {found:?}\n{}", body.html));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn the_check_of_the_corpus_finds_what_it_looks_for() {
    for html in [
        "<script>x</script>",
        "<p onclick=x>a</p>",
        "<p style=x>a</p>",
        "<a href=javascript:x>a</a>",
        "<a href=/members/>a</a>",
        "<img src=//evil.example/a>",
        "<img src=https://evil.example/a>",
        "<p>a",
        "<p><b></p></b>",
        "<!-- a -->",
        "<svg></svg>",
    ] {
        assert!(!problems(html, false).is_empty(), "{html}");
    }
    assert_eq!(
        problems("<p>a<br><img src=\"/lists/news/messages/7/parts/1/a\"></p>", false),
        Vec::<String>::new()
    );
}

#[test]
fn links_and_words_with_at_signs_stay_where_addresses_are_hidden() {
    let words = [
        "https://www.youtube.com/@channelname",
        "https://www.google.com/maps/@52.5200,13.4050,12z",
        "https://lists.other.example/msg/CAF=abc+def@mail.gmail.com/",
        "react@18.2.0",
        "5@3.50",
        "git@github.com:org/repo.git",
        "10@10:30",
    ];
    for kind in ["text/plain", "text/html"] {
        let link =
            format!("<a href=\"{}\">here</a> <code>lit@2.0.0</code> <b>ada@</b>secret.example", words[0]);
        let mail = format!("From: a@x.org\r\nContent-Type: {kind}\r\n\r\n{} {link}\r\n", words.join(" "));
        let body = shown(&parse_leniently(mail.into_bytes()), true, false);
        for word in words {
            assert!(body.html.replace("&#38;", "&").contains(word), "{kind}: {word} is not in {}", body.html);
        }
        assert!(body.html.contains(&format!("href=\"{}\"", words[0])), "{kind}: {}", body.html);
        if kind == "text/html" {
            assert!(body.html.contains("<code>lit@2.0.0</code>"), "{}", body.html);
            assert!(!body.html.contains("secret"), "{}", body.html);
        }
    }
}

#[test]
fn addresses_are_hidden_wherever_a_mail_has_them() {
    let mail = "From: a@x.org\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n\
        <p>Ask <a href=\"mailto:ada@secret.example\">ada@secret.example</a>, ada&#64;secret.example, \
        ada<b>@secret.example</b>, <i>ada</i>@<i>secret.example</i>, \
        <a href=\"https://x.org/?to=ada%40secret.example\">here</a> <img src=x alt=\"ada@secret.example\"></p>\n\
        --b\n\nWrite to ada@secret.example or mailto:bob@secret.example\n> bob@secret.example wrote\n-- \nada@secret.example\n\
        --b\nContent-Type: message/rfc822\n\nFrom: Ada <ada@secret.example>\nSubject: to ada@secret.example\n\nada@secret.example\n\
        --b\nContent-Type: text/x-patch; name=\"ada@secret.example.patch\"\n\n--- a\n+++ b\n@@ -1 +1 @@\n-ada@secret.example\n+b\n\
        --b\nContent-Type: application/pdf; name=\"ada@secret.example.pdf\"\n\nx\n--b--\n";
    let mail = parse_leniently(mail.replace('\n', "\r\n").into_bytes());
    let hidden = shown(&mail, true, false);
    assert!(!format!("{hidden:?}").contains("secret"), "{hidden:?}");
    assert!(hidden.html.contains("ada@…"), "{}", hidden.html);
    let open = shown(&mail, false, false);
    assert!(open.html.contains("mailto:ada@secret.example"), "{}", open.html);
    assert_eq!(open.attachments.last().unwrap().name, "ada@secret.example.pdf");
}

#[test]
fn images_of_other_servers_are_shown_when_asked_for() {
    let mail = "From: a@x.org\nContent-Type: text/html\n\n<p>a<img src=\"https://pics.example/a.png\" alt=\"the choir\">\
                <img src=https://pics.example/t.gif width=1 height=1></p>\n";
    let mail = parse_leniently(mail.replace('\n', "\r\n").into_bytes());
    let closed = shown(&mail, false, false);
    assert!(closed.has_remote_images && closed.html.contains("the choir") && closed.html.contains(IMAGES));
    assert_eq!(found(&closed.html).images, Vec::<String>::new());
    let open = shown(&mail, false, true);
    assert_eq!(found(&open.html).images, ["https://pics.example/a.png"]);
    assert!(open.html.contains("referrerpolicy=\"no-referrer\"") && !open.html.contains(IMAGES));
}

#[test]
fn images_of_the_mail_are_shown_where_it_names_them_and_listed_where_not() {
    let mail = |content: &str| {
        body(&format!(
            "From: a@x.org\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n{content}\n\
             --b\nContent-Type: image/png; name=logo.png\nContent-ID: <logo@x>\n\na\n\
             --b\nContent-Type: image/svg+xml; name=a.svg\nContent-ID: <svg@x>\n\na\n--b--\n"
        ))
    };
    let named = mail("a <img src=\"cid:logo@x\" alt=Logo width=20 height=20> <img src=cid:svg@x>");
    assert_eq!(found(&named.html).images, [format!("{PARTS}2/logo%2Epng")]);
    let files = |body: &Body| body.attachments.iter().map(|part| part.name.clone()).collect::<Vec<_>>();
    assert_eq!(files(&named), ["a.svg"]);
    let secret = "From: a@x.org\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n\
                  <img src=cid:1@x>\n--b\nContent-Type: image/png; name=\"ada@secret.example.png\"\nContent-ID: <1@x>\n\na\n--b--\n";
    let secret = parse_leniently(secret.replace('\n', "\r\n").into_bytes());
    assert!(found(&shown(&secret, true, false).html).images[0].contains("/2/ada%40"));
    assert!(!shown(&secret, true, false).html.contains("secret"));
    assert_eq!(files(&mail("a")), ["a.svg", "logo.png"]);
}

#[test]
fn a_mail_beyond_the_limits_is_cut_and_says_so() {
    let row = "<div><b>row</b> <i>of text</i></div>";
    let long = html(&row.repeat(60_000));
    assert!(long.len() < 4 * SHOWN_BYTES_MAX, "{}", long.len());
    assert!(long.contains(RAW) && long.contains("class=\"cut\"") && problems(&long, false).is_empty());
    let long = text(&"A line of some words.\n".repeat(100_000));
    assert!(long.contains(RAW) && long.len() < 4 * SHOWN_BYTES_MAX);
    let short = text("a");
    assert!(!short.contains(RAW));
}

#[test]
fn hostile_structures_cost_no_more_than_others() {
    for content in [
        "<div>".repeat(100_000),
        "<font size=1>".repeat(30_000) + &"<p>x".repeat(30_000),
        (0..20_000).map(|n| format!("<b id=a{n}>")).collect::<Vec<_>>().concat() + &"<p>x</p>".repeat(20_000),
        "<table>".repeat(20_000) + &"x<b>".repeat(20_000),
        format!("<table>{}", "x<i>y</i>".repeat(30_000)),
        "<blockquote>x".repeat(20_000),
        "<a href=https://x.org>x".repeat(20_000),
        "<ul><li>".repeat(20_000),
        "</div>".repeat(50_000),
        "<!--".repeat(50_000),
        "&".repeat(400_000),
        "<svg>".repeat(50_000),
        format!("<p title=\"{}", "a".repeat(400_000)),
        "<![CDATA[".repeat(30_000),
        "<!-- --!>".repeat(50_000),
        "https://x.".repeat(50_000),
        format!("https://x.org/{}", ")".repeat(400_000)),
        "cid:x".repeat(100_000),
        "<blockquote>x</blockquote><p></p>".repeat(10_000),
    ] {
        let html = html(&content);
        assert_eq!(problems(&html, false), Vec::<String>::new(), "{}", &content[..40.min(content.len())]);
        assert!(html.len() < 4 * SHOWN_BYTES_MAX, "{}: {}", &content[..20], html.len());
    }
    let parts = "--b\nContent-Type: text/html\n\n<p>a\n".repeat(900);
    let many = body(&format!("Content-Type: multipart/mixed; boundary=b\n\n{parts}--b--\n"));
    assert_eq!(problems(&many.html, false), Vec::<String>::new());
}

#[test]
fn all_quotes_are_open_or_folded_if_the_page_asks_for_it() {
    let long = "> asked\n".repeat(20);
    let plain = format!("From: a@x.org\n\n> short\nYes.\n\n{long}\nNo.\n");
    let quote = |words: &str| format!("<blockquote type=\"cite\">{words}</blockquote>");
    let (short, long) = (quote("short"), quote(&"long ".repeat(300)));
    let html =
        format!("From: a@x.org\nContent-Type: text/html\n\n<p>Hi</p>{short}<p>Yes</p>{long}<p>No</p>\n");
    for mail in [plain, html] {
        let mail = parse_leniently(mail.replace('\n', "\r\n").into_bytes());
        let count = |quotes| {
            let html = shown_with(&mail, false, false, quotes).html;
            ["<details class=\"quote\" open>", "<details class=\"quote\">"]
                .map(|tag| html.matches(tag).count())
        };
        assert_eq!(count(Quotes::Fitting), [1, 1]);
        assert_eq!((count(Quotes::Open), count(Quotes::Folded)), ([2, 0], [0, 2]));
    }
}

#[test]
fn every_mail_that_programs_wrote_can_be_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mail");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mail = parse_leniently(std::fs::read(&path).unwrap());
        let body = shown(&mail, false, false);
        assert_eq!(problems(&body.html, false), Vec::<String>::new(), "{name}");
        let is_shown = !found(&body.html).text.trim().is_empty() || !body.attachments.is_empty();
        assert!(is_shown || name.starts_with("empty"), "{name}: {}", body.html);
        // One of them ends within a character.
        let is_whole = !body.html.contains('\u{fffd}') || name == "quoted-printable-broken.eml";
        assert!(is_whole, "{name}: {}", body.html);
        count += 1;
    }
    assert!(40 < count, "{count} mails");
}

/// Pieces that documents and mails are made of.
const PIECES: &[&str] = &[
    "<p>",
    "</p>",
    "<div dir=rtl>",
    "</div>",
    "<b>",
    "</b>",
    "<a href=\"https://x.org\">",
    "</a>",
    "<table>",
    "</table>",
    "<tr>",
    "<td colspan=2>",
    "</td>",
    "<th>",
    "<ul>",
    "<li>",
    "</ul>",
    "<ol start=3>",
    "<blockquote>",
    "</blockquote>",
    "<img src=\"https://x.org/a\" alt=a>",
    "<img src=cid:a>",
    "<br>",
    "<pre>",
    "</pre>",
    "<script>",
    "</script>",
    "<svg>",
    "</svg>",
    "<style>",
    "<!--",
    "-->",
    "<",
    ">",
    "\"",
    "'",
    "&lt;",
    "&#x",
    "&",
    "text ",
    "a@x.org ",
    "https://x.org/ ",
    "\n",
    "\n\n",
    "> ",
    ">> ",
    "-- \n",
    "On x, Ada wrote:\n",
    "@@ -1,2 +1,2 @@\n",
    "+a\n",
    "-b\n",
    "diff --git a b\n",
    "-----Original Message-----\nFrom: a\nTo: b\n",
    "\t",
    "  ",
    "日本",
    "שלום ",
    "\u{202e}",
    "<div style=\"border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm\">",
    "<font color=red>",
    "<h1>",
    "--b\n",
    "--b--\n",
    "Content-Type: text/html\n\n",
    "Content-Type: message/rfc822\n\n",
    "<p style='display:none'>",
    "<caption>",
    "<tbody>",
    "</tr>",
    "<details open>",
    "<summary>",
    "<dl><dt>",
    "<dd>",
    "<center>",
    "<hr>",
    "<o:p>",
];

/// Documents and mails, sound and broken.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(PIECES);
    prop::collection::vec(prop_oneof![6 => piece.prop_map(str::to_owned), 1 => "\\PC{0,4}"], 0..60)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_document_becomes_a_well_formed_one(document in pieces(), hides in any::<bool>(), images in any::<bool>()) {
        for kind in ["text/html", "text/plain", "text/plain; format=flowed; delsp=yes", "multipart/mixed; boundary=b", "multipart/related; boundary=b"] {
            let mail = format!("From: a@x.org\r\nContent-Type: {kind}\r\n\r\n{}", document.replace('\n', "\r\n"));
            let body = shown(&parse_leniently(mail.into_bytes()), hides, images);
            prop_assert_eq!(problems(&body.html, images), Vec::<String>::new(), "{}", body.html);
            // Without a local part it is no address.
            let mut domains = body.html.match_indices("@x.org");
            let is_address = |at: usize| body.html[..at].ends_with(char::is_alphanumeric);
            prop_assert!(!hides || !domains.any(|(at, _)| is_address(at)), "{}", body.html);
        }
    }

    #[test]
    fn any_bytes_are_shown(head in "[a-zA-Z:;/=\" \\n-]{0,80}", bytes in prop::collection::vec(any::<u8>(), 0..400), kind in 0_usize..6) {
        let kinds = ["text/html; charset=utf-7", "text/html; charset=iso-2022-jp", "text/plain; charset=utf-16",
            "text/html; charset=gb18030", "multipart/mixed; boundary=\"\"", "message/rfc822"];
        let mail = [head.as_bytes(), format!("\r\nContent-Type: {}\r\n\r\n", kinds[kind]).as_bytes(), &bytes].concat();
        let body = shown(&parse_leniently(mail), false, false);
        prop_assert_eq!(problems(&body.html, false), Vec::<String>::new(), "{}", body.html);
    }
}

/// A mail of one of the kinds that people send, as its page has it: a line for each block.
#[track_caller]
fn check_kind(name: &str) {
    let path = format!("{}/tests/fixtures/reading/{name}.eml", env!("CARGO_MANIFEST_DIR"));
    let mail = parse_leniently(std::fs::read(path).unwrap());
    let body = shown(&mail, false, false);
    assert_eq!(problems(&body.html, false), Vec::<String>::new());
    let breaks =
        ["<p", "<div", "<details", "<blockquote", "<table", "<tr", "<ul", "<ol", "<li", "<pre", "<dl", "<dt"];
    let broken = breaks.iter().fold(body.html.clone(), |html, tag| html.replace(tag, &format!("\n{tag}")));
    let files: Vec<String> = body
        .attachments
        .iter()
        .map(|part| format!("{} {} {} {}", part.number, part.name, part.media_type, part.bytes))
        .collect();
    let first_words = mail.first_words(false);
    let shown = format!("{}\n\nfirst words: {first_words}\nfiles: {files:?}\n", broken.trim_start());
    insta::assert_snapshot!(format!("reading_{}", name.replace('-', "_")), shown);
}

#[test]
fn a_reply_of_gmail_shows_the_answer_and_folds_the_quote() {
    check_kind("gmail-reply");
}

#[test]
fn a_reply_of_outlook_folds_everything_below_its_header_block() {
    check_kind("outlook-reply");
}

#[test]
fn a_newsletter_keeps_its_structure_without_its_looks() {
    check_kind("newsletter");
}

#[test]
fn a_patch_is_told_from_the_words_around_it() {
    check_kind("git-patch");
}

#[test]
fn flowed_text_flows() {
    check_kind("flowed");
}

#[test]
fn japanese_text_is_read_in_its_character_set() {
    check_kind("japanese");
}

#[test]
fn text_from_right_to_left_says_so() {
    check_kind("arabic-hebrew");
}

#[test]
fn tables_in_plain_text_keep_their_columns() {
    check_kind("ascii-table");
}

#[test]
fn a_forwarded_message_is_shown_with_its_header() {
    check_kind("forwarded");
}

#[test]
fn an_invitation_shows_its_text_and_lists_its_calendar() {
    check_kind("invitation");
}
