//! Links as mail programs write them.

use super::*;

const TOKEN: &str = "aaaaabbbbbcccccdddddeeeeefffffggggghhhhhii";

#[track_caller]
fn check(text: &str, expected: &str) {
    let links = OwnLinks::at(["lists.example.org"]);
    let text = text.replace("TOKEN", TOKEN);
    let expected = expected.replace("TOKEN", TOKEN);
    for is_html in [false, true] {
        check_as(&links, &text, &expected, is_html);
    }
}

#[track_caller]
fn check_as(links: &OwnLinks<'_>, text: &str, expected: &str, is_html: bool) {
    assert_eq!(links.scrubbed(text, is_html), expected);
    assert_eq!(links.scrubbed(expected, is_html), expected, "a second time changes nothing");
    let bytes = links.scrubbed_bytes(text.as_bytes(), is_html);
    assert_eq!(bytes.unwrap_or_else(|| text.as_bytes().to_vec()), expected.as_bytes());
    assert_eq!(links.may_be_in(text.as_bytes(), is_html, true), text != expected);
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
fn links_of_every_page_and_mailbox_are_found() {
    let pages = PAGES.map(|page| format!("http://lists.example.org/{page}/"));
    for beginning in pages.into_iter().chain(MAILBOXES.map(str::to_owned)) {
        check(&format!("{beginning}TOKEN x"), &format!("{beginning}removed x"));
    }
}

#[test]
fn links_are_found_in_any_case_of_system_mails() {
    check(
        "HTTPS://Lists.Example.ORG/Unsubscribe/TOKEN/ CONFIRM+TOKEN@x",
        "HTTPS://Lists.Example.ORG/Unsubscribe/removed/ CONFIRM+removed@x",
    );
    let links = OwnLinks::at(["Listen.M\u{fc}ller.example:8443"]);
    for host in ["listen.m\u{fc}ller.example:8443", "listen.xn--mller-kva.example:8443"] {
        assert_eq!(
            links.scrubbed(&format!("\u{fc} http://{host}/resume/{TOKEN}/ \u{fc}"), false),
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
    check("lists%2eexample%2Eorg/%75nsubscribe/%61TOKEN/", "lists%2eexample%2Eorg/%75nsubscribe/removed/");
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
    let links = OwnLinks::at(["lists.example.org"]);
    let (first, second) = TOKEN.split_at(20);
    let text = format!("=C3=BC lists.example=\r\n.org/unsubscribe=2F{first}=\r\n{second}=2F = =\r\n x=");
    let cuts: Vec<Cut> = links.cuts(text.as_bytes(), false, Transfer::QuotedPrintable).collect();
    assert_eq!(cuts.len(), 1);
    assert_eq!(&text[cuts[0].range.clone()], format!("{first}=\r\n{second}"));
}

#[test]
fn a_text_full_of_links_is_read_once() {
    let links = "https://lists.example.org/unsubscribe/TOKEN/ confirm+TOKEN@ ".repeat(20_000);
    check(&links, &links.replace("TOKEN", SCRUBBED));
    for hostile in [
        "&",
        "%25",
        "confirm+\r\n",
        "confirm+ ",
        "=",
        "<a x=\"",
        "<b>",
        "/<b>",
        "<a ",
        "&<b>",
        "e/<",
        "lists.example.org/confirm/",
        "&#",
        "\r\n>",
    ] {
        let text = hostile.repeat(100_000);
        let links = OwnLinks::at(["lists.example.org"]);
        // HTML is read in both ways.
        check_as(&links, &text, &text, true);
        assert_eq!(links.cuts(text.as_bytes(), true, Transfer::QuotedPrintable).count(), 0);
    }
}

/// Parts of links, of what hides them, and of what is none.
const FRAGMENTS: &[&str] = &[
    "https://",
    "lists.example.org",
    "LISTS",
    "/",
    "unsubscribe",
    "confirm+",
    "bounces",
    "+",
    TOKEN,
    TOKEN.split_at(20).0,
    TOKEN.split_at(20).1,
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
    "<b>",
    "<wbr>",
    "<i x='>'>",
    "<a href=\"",
    "\">",
    "=3Cb=3E",
    "<",
    "l31.example.org:8031",
    "l3%31.example.org:80",
    "%331",
    "31/resume/",
    "x",
    "\u{fc}",
    "unsub",
    "scribe",
    "passw%6frd",
];

#[test]
fn what_is_passed_over_holds_no_link() {
    let hosts = ["lists.example.org", "l31.example.org:8031"];
    let mut random = 7_u64;
    let mut found = 0;
    for round in 0..4000 {
        let host = hosts[round % hosts.len()];
        let links = OwnLinks::at([host]);
        let mut text = String::new();
        for _ in 0..12 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let choice = usize::try_from(random >> 33).unwrap();
            // Half of the fragments in the order of a link.
            match choice % 8 {
                0 => text.extend([host, "/unsubscribe/"]),
                1 => text.push_str(TOKEN),
                _ => text.push_str(FRAGMENTS[choice % FRAGMENTS.len()]),
            }
        }
        for (is_html, transfer) in [
            (false, Transfer::Decoded),
            (false, Transfer::QuotedPrintable),
            (true, Transfer::Decoded),
            (true, Transfer::QuotedPrintable),
        ] {
            let all: Vec<_> = links.cuts(text.as_bytes(), is_html, transfer).map(|cut| cut.range).collect();
            let mut slow = links.cuts(text.as_bytes(), is_html, transfer);
            let mut read = Vec::new();
            for candidate in 0..text.len() {
                if slow.from <= candidate
                    && let Some(token) = slow.token_at(candidate)
                {
                    read.extend(slow.text.without_tags(token));
                }
            }
            assert_eq!(all, read, "{text:?}");
            found += all.len();
        }
    }
    assert!(4000 < found, "{found}");
}

#[test]
fn tags_inside_a_link_of_html_are_passed_over() {
    let links = OwnLinks::at(["lists.example.org"]);
    let check = |text: &str, expected: &str| {
        let text = text.replace("TOKEN", TOKEN);
        check_as(&links, &text, &expected.replace("TOKEN", TOKEN), true);
        let encoded = text.replace('=', "=3D").replace("sub", "s=\r\nub").replace("<b>", "=3Cb=3E");
        let cuts: Vec<Cut> = links.cuts(encoded.as_bytes(), true, Transfer::QuotedPrintable).collect();
        let words: String = cuts.iter().map(|cut| &encoded[cut.range.clone()]).collect();
        assert_eq!(words, TOKEN.repeat(expected.matches("removed").count()), "{encoded}");
    };
    let host = "http://lists.example.org";
    for (link, expected) in [
        ("/<b>unsub</b>scribe/TOKEN/", "/<b>unsub</b>scribe/removed/"),
        ("<span class=\"a>b\">/</span>unsubscribe/TOKEN", "<span class=\"a>b\">/</span>unsubscribe/removed"),
        ("/unsubscribe/<b>TOKEN</b>more", "/unsubscribe/<b>removed</b>more"),
        ("/unsubscribe<b>/</b>TOKEN", "/unsubscribe<b>/</b>removed"),
        ("/unsub<!-- x -->scrib<b>e</b>/TOKEN", "/unsub<!-- x -->scrib<b>e</b>/removed"),
        ("/unsubscribe%2<b>F</b>TOKEN", "/unsubscribe%2<b>F</b>removed"),
    ] {
        check(&format!("<p>{host}{link}</p>"), &format!("<p>{host}{expected}</p>"));
    }
    check("<b>confirm</b>+TOKEN@x", "<b>confirm</b>+removed@x");
    let (first, second) = TOKEN.split_at(30);
    check(
        &format!("<a href=\"{host}/members/TOKEN\">{host}/mem<wbr>bers/{first}<wbr>{second}<br>x</a>"),
        &format!("<a href=\"{host}/members/removed\">{host}/mem<wbr>bers/removed<wbr><br>x</a>"),
    );
    for text in [
        format!("<td>{host}/<b>unsub</b>scribe/</td><td>Donaudampfschifffahrt</td>"),
        format!("{host}/<b unsubscribe/TOKEN"),
        format!("{host}/ < unsubscribe/TOKEN"),
    ] {
        check(&text, &text);
    }
    let text = format!("{host}/<b>unsub</b>scribe/{TOKEN}");
    check_as(&links, &text, &text, false);
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
