//! What members receive, by example.

mod content;

use std::sync::LazyLock;

use super::*;
use crate::clock::Timestamp;
use crate::mail::body_hash;
use crate::mail::parse;
use crate::model::account::Subscriptions;
use crate::model::list::OriginalSenderMode;
use crate::model::{AccountId, EmailAddress, Language, Links, List, ListId, ListName, MessageId};

const PERSONAL: Personal<'static> = Personal {
    email: "bob@y.org",
    first_name: "Bøb",
    surname: "<Builder>",
    unsubscribe_url: "https://lists.example.org/unsubscribe/tok=en/",
    unsubscribe_mailto: "mailto:news-unsubscribe@example.org",
    manage_url: "https://lists.example.org/members/",
    envelope_sender: "bounces+token@example.org",
    custom: &[("Shoe size", "44")],
};

/// Rewrites `message` for a list that `change` has set up and renders one copy, with `\n` line ends.
fn copy(change: impl FnOnce(&mut List), message: &str) -> String {
    copy_in(change, |_| {}, message)
}

/// The links of the account.
static LINKS: LazyLock<Links> = LazyLock::new(|| Links::new("https://lists.example.org".to_owned(), []));
/// The same without TLS.
static PLAIN_LINKS: LazyLock<Links> = LazyLock::new(|| Links::new("http://lists.example.org".to_owned(), []));

fn copy_in(
    change: impl FnOnce(&mut List),
    adapt: impl FnOnce(&mut RewriteContext<'_>),
    message: &str,
) -> String {
    let mut list =
        List::new(ListId(1), AccountId(1), ListName::parse("news").unwrap(), Timestamp::from_ms(0));
    list.description = "All the news".to_owned();
    change(&mut list);
    let address = EmailAddress::parse("news@example.org").unwrap();
    let mut context = context_of(&list, &address);
    adapt(&mut context);
    let inbound = parse(message.replace('\n', "\r\n").into_bytes()).unwrap();
    let mut out = Vec::new();
    let form = rewrite(&inbound, &context);
    let body_start = form.render(&PERSONAL, &mut out);
    let body = &out[body_start..];
    if let Some(hasher) = form.body_hasher() {
        assert_eq!(hasher.hash(body).as_bytes(), body_hash(body).as_bytes(), "what copies share");
    }
    assert_eq!(form.body_hasher().is_some(), form.has_personal_body());
    let out = String::from_utf8(out).unwrap();
    assert!(!out.replace("\r\n", "").contains(['\r', '\n']), "only CRLF ends lines: {out:?}");
    assert!(out.split("\r\n").all(|line| line.len() <= 998));
    out.replace("\r\n", "\n")
}

fn context_of<'a>(list: &'a List, list_address: &'a EmailAddress) -> RewriteContext<'a> {
    RewriteContext {
        list,
        list_address,
        account: "acme",
        links: &LINKS,
        message: MessageId(17),
        rewrite_from: false,
        from_is_ours: false,
        batched: false,
        custom_fields: &["Shoe size"],
        author: ContentAuthor::Sender,
        subscriptions: Subscriptions::Open,
        unsubscriptions: Subscriptions::Open,
        language: Language::English,
        accepted: Timestamp::from_ms(1_795_187_045_000),
    }
}

fn header_of<'a>(copy: &'a str, name: &str) -> &'a str {
    let start = copy.find(&format!("\n{name}:")).map_or_else(|| panic!("{name} in {copy}"), |at| at + 1);
    let field = &copy[start..];
    let end = field.match_indices('\n').find(|(at, _)| !field[at + 1..].starts_with([' ', '\t'])).unwrap().0;
    &field[..end]
}

fn body_of(copy: &str) -> &str {
    copy.split_once("\n\n").unwrap().1
}

/// The subject that `subject` becomes on a list with this prefix.
#[track_caller]
fn check_subject(prefix: &str, subject: &str, expected: &str) {
    let message = format!("From: ada@x.org\n{subject}\n\nhi\n");
    let once = copy(|list| list.subject_prefix = prefix.to_owned(), &message);
    assert_eq!(header_of(&once, "Subject"), expected);
    let again = copy(|list| list.subject_prefix = prefix.to_owned(), &once);
    assert_eq!(header_of(&again, "Subject"), expected, "a second time changes nothing");
}

#[test]
fn the_prefix_stands_once_in_front_of_everything() {
    check_subject("[news]", "Subject: Tea", "Subject: [news] Tea");
    check_subject("[news] ", "Subject: Re: Tea", "Subject: [news] Re: Tea");
    check_subject("[news]", "Subject: Re: [news] Tea", "Subject: Re: [news] Tea");
    check_subject("[news]", "X: y", "Subject: [news]");
    check_subject("[news]", "Subject:", "Subject: [news]");
    check_subject("", "Subject: Tea", "Subject: Tea");
}

#[test]
fn a_subject_keeps_its_own_encoding_and_folding_behind_the_prefix() {
    check_subject(
        "[news]",
        "Subject: =?iso-8859-1?q?Gr=FC=DFe?=\n\tan alle",
        "Subject: [news] =?iso-8859-1?q?Gr=FC=DFe?=\n\tan alle",
    );
    let long = "word ".repeat(14);
    check_subject(
        "[news]",
        &format!("Subject: {}", long.trim()),
        &format!("Subject: [news]\n {}", long.trim()),
    );
    check_subject("[ñ]", "Subject: Tea", "Subject: =?utf-8?Q?=5B=C3=B1=5D_Tea?=");
    check_subject("[news]", "Subject: =?utf-8?q?Re:_=5Bnews=5D_x?=", "Subject: =?utf-8?q?Re:_=5Bnews=5D_x?=");
}

/// The body that `content` (headers, empty line, body) becomes with this footer.
#[track_caller]
fn check_footer(footer: &str, content: &str, expected: &str) {
    let message = format!("From: ada@x.org\nMIME-Version: 1.0\n{content}");
    let found = copy(|list| list.message_footer = footer.to_owned(), &message);
    assert_eq!(body_of(&found), expected, "{found}");
}

const PLAIN: &str = "Subject: a\n\nhello\n";

#[test]
fn a_footer_stands_behind_the_text_after_an_empty_line() {
    check_footer("Bye\n--\n$LIST", PLAIN, "hello\n\nBye\n--\nnews\n");
    check_footer("Bye", "Subject: a\n\nno line end", "no line end\n\nBye\n");
    check_footer("Bye", "Subject: a\n\n", "Bye\n");
    check_footer(
        "Leave: $UNSUBSCRIBE",
        PLAIN,
        "hello\n\nLeave: https://lists.example.org/unsubscribe/tok=en/\n",
    );
}

#[test]
fn a_footer_that_is_there_is_not_added_again() {
    check_footer("Bye\nall", "Subject: a\n\nhello\n\nBye\nall\n", "hello\n\nBye\nall\n");
}

#[test]
fn a_footer_beyond_the_part_encodes_it_anew() {
    let content = "Content-Type: text/plain; format=flowed; charset=us-ascii\n\na = b\n";
    check_footer("Grüße", content, "a =3D b\n\nGr=C3=BC=C3=9Fe\n");
    let found =
        copy(|list| list.message_footer = "Hi $FIRSTNAME!".into(), &format!("From: ada@x.org\n{content}"));
    assert_eq!(header_of(&found, "Content-Type"), "Content-Type: text/plain; charset=utf-8; format=flowed");
    assert_eq!(header_of(&found, "Content-Transfer-Encoding"), "Content-Transfer-Encoding: quoted-printable");
    assert_eq!(body_of(&found), "a =3D b\n\nHi=20=\nB=C3=B8b=\n!\n");
}

#[test]
fn a_footer_that_fits_the_character_set_is_written_in_it() {
    let content = "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nGr=FC=DFe\n";
    check_footer("Füße", content, "Gr=FC=DFe\n\nF=FC=DFe\n");
    check_footer("Привет", content, "Gr=C3=BC=C3=9Fe\n\n=D0=9F=D1=80=D0=B8=D0=B2=D0=B5=D1=82\n");
}

#[test]
fn base64_stays_base64_unless_the_footer_is_personal() {
    let content = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\naGVsbG8=\n";
    check_footer("Bye", content, "aGVsbG8NCg0KQnllDQo=\n");
    check_footer("$EMAIL", content, "hello\n\n=\nbob@y.org=\n\n");
}

#[test]
fn html_gets_the_footer_before_the_end_of_its_body() {
    let html = |list: &mut List| {
        list.message_fronter_html = "<p>Front $LIST</p>".into();
        list.message_footer_html = "<p>Für $NAME</p>".into();
    };
    let message = "From: a@x.org\nContent-Type: text/html; charset=utf-8\n\n<html><BODY class=x><p>Hi</p></BODY></html>\n";
    assert_eq!(
        body_of(&copy(html, message)),
        "<html><BODY class=x>\n<p>Front news</p>\n<p>Hi</p>\n<p>F&#252;r B&#248;b &lt;Builder&gt;</p>\n</BODY></html>\n"
    );
}

#[test]
fn html_in_quoted_printable_is_found_across_soft_breaks() {
    let html = |list: &mut List| list.message_footer_html = "<p>F</p>".into();
    let head = "From: a@x.org\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n";
    assert_eq!(
        body_of(&copy(html, &format!("{head}<body>x=3D</body>\n"))),
        "<body>x=3D=\n<p>F</p>\n</body>\n"
    );
    assert_eq!(
        body_of(&copy(html, &format!("{head}<body>x=3D</bo=\ndy>\n"))),
        "<body>x=3D\n<p>F</p>\n</body>\n"
    );
}

#[test]
fn an_html_footer_never_goes_into_a_comment_or_a_script() {
    let html = |list: &mut List| {
        list.message_fronter_html = "<p>O</p>".into();
        list.message_footer_html = "<p>F</p>".into();
    };
    let head = "From: a@x.org\nContent-Type: text/html\n\n";
    for (before, seen, behind) in [
        ("", "<p>Hi</p><!-- </body> --><table></table>\n", ""),
        ("<body>", "Hi <!-- </body> --> you", "</body><!-- </body> --></html>\n"),
        ("<!-- <body> --><body>", "Hi", "</BODY >\n"),
        ("<body title=\"</body>\">", "Hi", "</body>\n"),
        ("<body>", "Hi<script>'</body>'</script><a title='</body>'>x</a>", "</body>\n"),
        ("<style>/* <body> */</style><body>", "Hi<textarea></body></textarea>", "</html>\n"),
        ("", "Hi <!-- never closed </body>\n", ""),
        ("<body>", "Hi <!-- a --!> you", "</body>\n"),
        ("<body>", "Hi <!--> you", "</body> -->\n"),
    ] {
        // What is never closed takes in all that follows, so the footer stands before it.
        let (seen, behind) = match seen.split_once("<!-- never") {
            Some((seen, open)) => (seen, format!("<!-- never{open}")),
            None => (seen, behind.to_owned()),
        };
        let found = body_of(&copy(html, &format!("{head}{before}{seen}{behind}"))).replace('\n', "");
        let expected = format!("{before}<p>O</p>{seen}<p>F</p>{behind}").replace('\n', "");
        assert_eq!(found, expected);
    }
    // What only the decoded text shows to be a comment is one.
    let head = "From: a@x.org\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n";
    let found = copy(html, &format!("{head}<body>Hi</body><!=2D- </body> -->\n"));
    let found = body_of(&found);
    assert!(found.replace("=\n", "").contains("<p>F</p>\n</body><!"), "{found}");
}

const ALTERNATIVE: &str = "From: ada@x.org\nContent-Type: multipart/mixed; boundary=o\n\npreamble\n--o\n\
    Content-Type: multipart/alternative; boundary=i\n\n--i\n\ntext\n--i\nContent-Type: text/html\n\n<p>html</p>\n--i--\n\
    --o\nContent-Type: text/plain\nContent-Disposition: attachment\n\nfile\n--o--\nepilogue\n";

#[test]
fn both_alternatives_get_the_footer_and_attachments_stay() {
    let found = copy(|list| list.message_footer = "Bye <all>".into(), ALTERNATIVE);
    assert!(found.contains("\n\ntext\n\nBye <all>\n\n--i\n"), "{found}");
    assert!(found.contains("<p>html</p>\n<p>Bye &lt;all&gt;</p>\n\n--i--\n"), "{found}");
    assert!(found.ends_with("\n\nfile\n--o--\nepilogue\n"), "{found}");
}

#[test]
fn a_list_with_one_kind_of_footer_shows_it_in_both_kinds_of_parts() {
    let found = copy(|list| list.message_footer = "A\n\nB: $UNSUBSCRIBE".into(), ALTERNATIVE);
    let url = "https://lists.example.org/unsubscribe/tok=en/";
    assert!(found.contains(&format!("<p>A</p>\n<p>B: <a href=\"{url}\">{url}</a></p>\n")), "{found}");
    let html = "<p>A <a href=\"$UNSUBSCRIBE\">leave</a></p>";
    let found = copy(|list| list.message_footer_html = html.into(), ALTERNATIVE);
    assert!(found.contains(&format!("\n\ntext\n\nA leave\n{url}\n\n--i\n")), "{found}");
    assert!(found.contains(&format!("<p>A <a href=\"{url}\">leave</a></p>\n")), "{found}");
}

#[test]
fn flowed_text_keeps_the_footers_lines_apart() {
    let content = "Content-Type: text/plain; format=flowed\n\nflows \non\n";
    check_footer("-- \nline \n>x", content, "flows \non\n\n-- \nline\n >x\n");
}

#[test]
fn the_headers_of_the_list_replace_those_of_others() {
    let found = copy(
        |_| {},
        "Received: here\nReturn-Path: <a@x.org>\nFrom: ada@x.org\nList-Id: <other>\nList-Foo: bar\nSender: s@x.org\n\
         Disposition-Notification-To: ada@x.org\nBcc: c@x.org\nX-Kept:  as  it is\nSubject: a\nDate: today\nMessage-ID: <1@x>\n\nhi\n",
    );
    insta::assert_snapshot!(found, @r"
    Received: here
    From: ada@x.org
    X-Kept:  as  it is
    Subject: a
    Date: today
    Message-ID: <1@x>
    List-Id: All the news <news.example.org>
    List-Post: <mailto:news@example.org>
    List-Help: <mailto:news-help@example.org>
    List-Owner: <mailto:news-owner@example.org>
    List-Subscribe: <https://lists.example.org/lists/news/join/>,
     <mailto:news-subscribe@example.org>
    List-Archive: <https://lists.example.org/lists/news/>
    Archived-At: <https://lists.example.org/lists/news/messages/17/>
    Sender: <news-owner@example.org>
    Precedence: list
    Feedback-ID: news:acme:crier
    List-Unsubscribe: <https://lists.example.org/unsubscribe/tok=en/>,
     <mailto:news-unsubscribe@example.org>
    List-Unsubscribe-Post: List-Unsubscribe=One-Click
    CFBL-Address: bounces+token@example.org; report=arf

    hi
    ");
}

#[test]
fn separators_of_mailbox_files_do_not_go_out_and_any_other_line_ends_the_header() {
    let found = copy(
        |_| {},
        "From ada Fri Nov 20\nReceived: here\n>From ada Sat\nFoo : bar\n  baz\nFrom\t: ada@x.org\nX-A:y\nnonsense\n\tfolded\nB ad: x\n\nhi\n",
    );
    let head = found.split("Message-ID").next().unwrap();
    assert_eq!(head, "Received: here\nFoo: bar\n  baz\nFrom: ada@x.org\nX-A:y\n");
    assert!(found.ends_with("\n\nnonsense\n\tfolded\nB ad: x\n\nhi\n"), "{found}");
}

#[test]
fn a_missing_message_id_and_date_are_added() {
    let found = copy(|_| {}, "From: ada@x.org\n\nhi\n");
    assert_eq!(header_of(&found, "Message-ID"), "Message-ID: <17.1795187045000@example.org>");
    assert_eq!(header_of(&found, "Date"), "Date: Fri, 20 Nov 2026 15:04:05 +0000");
}

#[test]
fn a_signature_is_kept_until_something_it_covers_is_changed() {
    let message = |h: &str| {
        format!(
            "DKIM-Signature: v=1; d=x.org;\n h={h}; b=x\nFrom: ada@x.org\nSubject: a\nDate: x\nMessage-ID: <1@x>\n\nhi\n"
        )
    };
    assert!(copy(|_| {}, &message("from:subject")).starts_with("DKIM-Signature"));
    assert!(!copy(|_| {}, &message("from:sen\n der")).contains("DKIM-Signature"));
    assert!(!copy(|list| list.subject_prefix = "[x]".into(), &message("from:subject")).contains("DKIM"));
    assert!(copy(|list| list.subject_prefix = "[x]".into(), &message("from")).contains("DKIM"));
    assert!(!copy(|list| list.message_footer = "x".into(), &message("from")).contains("DKIM"));
}

#[track_caller]
fn check_author(mode: OriginalSenderMode, reply_to: Option<&str>, headers: &str, expected: &[&str]) {
    let found = copy(
        |list| {
            list.rewrite_sender = true;
            list.original_sender_mode = mode;
            list.reply_to = reply_to.map(|text| EmailAddress::parse(text).unwrap());
        },
        &format!("Received: by x for ada@x.org\n{headers}\nSubject: a\n\nhi\n"),
    );
    let kept = ["From:", "Reply-To:", "Cc:", "Received:"];
    let (header, body) = found.split_once("\n\n").unwrap();
    let mut lines: Vec<&str> =
        header.lines().filter(|line| kept.iter().any(|name| line.starts_with(name))).collect();
    lines.extend(body.lines().next());
    assert_eq!(lines, expected);
}

#[test]
fn a_rewritten_from_leaves_the_author_where_the_mode_says() {
    use OriginalSenderMode::{Cc, Hide, Notice, ReplyTo};
    let received = "Received: by x for ada@x.org";
    let from = "From: \"Ada L (via news list)\" <news@example.org>";
    let ada = "From: Ada L <ada@x.org>";
    check_author(ReplyTo, None, ada, &[received, from, "Reply-To: Ada L <ada@x.org>", "hi"]);
    check_author(
        ReplyTo,
        Some("r@z.org"),
        ada,
        &[received, from, "Reply-To: r@z.org, Ada L <ada@x.org>", "hi"],
    );
    check_author(
        ReplyTo,
        None,
        &format!("{ada}\nReply-To: other@x.org"),
        &[received, from, "Reply-To: other@x.org", "hi"],
    );
    check_author(Cc, None, &format!("{ada}\nCc: b@x.org"), &[received, from, "Cc: b@x.org,", "hi"]);
    check_author(Notice, None, ada, &[received, from, "From: Ada L <ada@x.org>"]);
    check_author(Hide, None, &format!("{ada}\nReply-To: ada@x.org"), &[from, "hi"]);
    check_author(
        ReplyTo,
        None,
        "From: \"news\" <NEWS@example.org>",
        &[received, "From: \"news\" <NEWS@example.org>", "hi"],
    );
}

#[test]
fn a_rewritten_name_stays_valid_in_any_length_and_script() {
    for name in ["漢字".repeat(200), "x".repeat(900), "a, \"b\" <c>".to_owned(), "é".to_owned()] {
        let mut from = Vec::new();
        crate::mail::header::write_mailboxes(&mut from, "From", &[(&name, "ada@x.org")]);
        let message =
            format!("{}\n\nhi\n", String::from_utf8(from).unwrap().replace("\r\n", "\n").trim_end());
        let found = copy(|list| list.rewrite_sender = true, &message);
        let from = parse(found.replace('\n', "\r\n").into_bytes()).unwrap().from.unwrap();
        let shown: String = name.chars().take(200).collect();
        assert_eq!(
            (from.name, from.address.as_str()),
            (format!("{shown} (via news list)"), "news@example.org")
        );
    }
}

#[test]
fn a_shared_copy_has_no_one_click_link() {
    let found = copy_in(|_| {}, |context| context.batched = true, "From: ada@x.org\n\nhi\n");
    assert!(!found.contains("List-Unsubscribe-Post"), "{found}");
}

#[test]
fn a_link_without_tls_acts_at_no_single_click() {
    let with = |links| copy_in(|_| {}, |context| context.links = links, "From: ada@x.org\n\nhi\n");
    assert!(!with(&PLAIN_LINKS).contains("List-Unsubscribe-Post"));
    assert!(with(&LINKS).contains("List-Unsubscribe-Post"));
}

#[test]
fn a_blank_name_gets_the_lists_word_for_it() {
    let mut list =
        List::new(ListId(1), AccountId(1), ListName::parse("news").unwrap(), Timestamp::from_ms(0));
    list.message_footer = "Dear $NAME".into();
    list.merge_tags_default_name = "reader".into();
    let address = EmailAddress::parse("news@example.org").unwrap();
    let context = context_of(&list, &address);
    let inbound = parse(&b"From: a@x.org\r\n\r\nhi\r\n"[..]).unwrap();
    let form = rewrite(&inbound, &context);
    let mut out = Vec::new();
    form.render(&Personal { first_name: "", surname: " ", ..PERSONAL }, &mut out);
    assert!(out.ends_with(b"Dear=20=\r\nreader=\r\n\r\n"), "{}", String::from_utf8_lossy(&out));
    assert!(form.has_personal_body());
}
