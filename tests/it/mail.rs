//! What members receive of messages of many makers, as snapshots that a person can review.
//!
//! The list has a prefix, a fronter and a footer with everything a footer can have; the messages are
//! `tests/fixtures/mail`. The copies are left in cargo's folder for tests, where `tests/corpus.py` has a parser that
//! other people wrote look at them.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::LazyLock;

use crier::clock::Timestamp;
use crier::mail::{ContentAuthor, Personal, RewriteContext, parse, rewrite, split};
use crier::model::account::Subscriptions;
use crier::model::{AccountId, EmailAddress, Language, Links, List, ListId, ListName, MessageId};
use mail_parser::{Message, MessageParser, MessagePart, MimeHeaders, PartType};

/// Messages of which nothing can be shown with something beside it.
const WHOLE: [&str; 8] = [
    "bounce-dsn",
    "calendar-alone",
    "multipart-without-boundary",
    "partial-and-external",
    "pgp-inline-encrypted",
    "pgp-mime-encrypted",
    "smime-encrypted",
    "smime-signed-opaque",
];

fn list() -> List {
    let name = ListName::parse("news").unwrap();
    let mut list = List::new(ListId(1), AccountId(1), name, Timestamp::from_ms(0));
    list.description = "All the news".into();
    list.subject_prefix = "[news]".into();
    list.message_fronter = "* via $LIST *".into();
    list.message_footer = "Dear $FIRSTNAME – to leave “$DESCRIPTION”:\n$UNSUBSCRIBE".into();
    list
}

/// The links of the account.
static LINKS: LazyLock<Links> = LazyLock::new(|| Links::new("https://lists.example.org".to_owned(), []));

fn copy(list: &List, raw: &[u8]) -> Vec<u8> {
    let address = EmailAddress::parse("news@example.org").unwrap();
    let context = RewriteContext {
        list,
        list_address: &address,
        account: "acme",
        links: &LINKS,
        message: MessageId(17),
        rewrite_from: false,
        from_is_ours: false,
        batched: false,
        custom_fields: &[],
        author: ContentAuthor::Sender,
        subscriptions: Subscriptions::Open,
        unsubscriptions: Subscriptions::Open,
        language: Language::English,
        accepted: Timestamp::from_ms(1_795_187_045_000),
    };
    let personal = Personal {
        email: "bob@example.net",
        first_name: "Zoë",
        surname: "Builder",
        unsubscribe_url: "https://lists.example.org/unsubscribe/token/",
        unsubscribe_mailto: "mailto:news-unsubscribe@example.org",
        manage_url: "https://lists.example.org/members/",
        envelope_sender: "bounces+token@example.org",
        custom: &[],
    };
    let mut out = Vec::new();
    rewrite(&parse(raw).unwrap(), &context).render(&personal, &mut out);
    out
}

/// Every message of the corpus by its name, as SMTP brings it.
fn fixtures() -> Vec<(String, Vec<u8>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mail");
    let mut found: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let raw = std::fs::read(&path).unwrap();
            (path.file_stem().unwrap().to_string_lossy().into_owned(), with_crlf(&raw))
        })
        .collect();
    found.sort();
    found
}

fn with_crlf(raw: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = raw.split(|byte| *byte == b'\n').collect();
    lines.join(&b"\r\n"[..])
}

fn parsed(raw: &[u8]) -> Message<'_> {
    MessageParser::default().parse(raw).expect("every message has something to parse")
}

/// The bytes of a part: with its header, unless that is the header of the message.
fn bytes_of<'m>(raw: &'m [u8], index: usize, part: &MessagePart<'_>) -> &'m [u8] {
    let start = if index == 0 { part.offset_body } else { part.offset_header };
    &raw[usize::try_from(start).unwrap()..usize::try_from(part.offset_end).unwrap()]
}

fn is_in(part: &[u8], whole: &[u8]) -> bool {
    memchr::memmem::find(whole, part).is_some()
}

fn media_type(part: &MessagePart<'_>) -> String {
    part.content_type().map_or_else(
        || "text/plain".to_owned(),
        |found| format!("{}/{}", found.ctype(), found.subtype().unwrap_or("?")).to_lowercase(),
    )
}

/// The fields of a header with their folded lines.
fn fields(raw: &[u8]) -> Vec<String> {
    let header = String::from_utf8_lossy(split(raw).0).replace("\r\n", "\n");
    let mut fields: Vec<String> = Vec::new();
    for line in header.lines().filter(|line| !line.is_empty()) {
        match fields.last_mut() {
            Some(last) if line.starts_with([' ', '\t']) => {
                last.push('\n');
                last.push_str(line);
            }
            _ => fields.push(line.to_owned()),
        }
    }
    fields
}

/// What the list changed in a message: the fields, the structure, and the texts that are not as they were.
fn outline(original: &[u8], copy: &[u8]) -> String {
    let mut out = String::new();
    let of_every_copy: BTreeSet<String> =
        fields(&self::copy(&list(), b"From: a@x.org\r\n\r\n")).into_iter().skip(1).collect();
    let (before, after) = (fields(original), fields(copy));
    for field in before.iter().filter(|field| !after.contains(field)) {
        writeln!(out, "- {}", field.replace('\n', "\n  ")).unwrap();
    }
    for field in after.iter().filter(|field| !before.contains(field) && !of_every_copy.contains(*field)) {
        writeln!(out, "+ {}", field.replace('\n', "\n  ")).unwrap();
    }
    outline_part(original, copy, &parsed(copy), 0, 0, &mut out);
    out
}

fn outline_part(
    original: &[u8],
    copy: &[u8],
    message: &Message<'_>,
    index: usize,
    depth: usize,
    out: &mut String,
) {
    let part = &message.parts[index];
    let indent = "  ".repeat(depth);
    write!(out, "{indent}{}", media_type(part)).unwrap();
    for said in [
        part.content_type().and_then(|found| found.attribute("charset")),
        part.content_transfer_encoding(),
        part.attachment_name(),
    ] {
        out.extend(said.iter().flat_map(|said| [" ", said]));
    }
    if let PartType::Multipart(children) = &part.body {
        out.push('\n');
        for child in children {
            outline_part(original, copy, message, usize::try_from(*child).unwrap(), depth + 1, out);
        }
        return;
    }
    if is_in(bytes_of(copy, index, part), original) {
        out.push_str(": as it was\n");
        return;
    }
    out.push('\n');
    for line in String::from_utf8_lossy(part.contents()).lines() {
        writeln!(out, "{}", format!("{indent}  | {line}").trim_end()).unwrap();
    }
}

#[test]
fn members_receive_these_copies() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mail-corpus");
    std::fs::create_dir_all(&folder).unwrap();
    let found = fixtures();
    assert!(60 <= found.len());
    for (name, raw) in found {
        let copy = copy(&list(), &raw);
        std::fs::write(folder.join(format!("{name}.eml")), &copy).unwrap();
        let outline = outline(&raw, &copy);
        assert!(!outline.contains('\r'), "{name}");
        insta::assert_snapshot!(name, outline);
    }
}

#[test]
fn a_whole_copy_has_these_headers() {
    let message = b"From: Ada <ada@x.org>\r\nSubject: Tea\r\nDate: Fri, 20 Nov 2026 15:04:05 +0000\r\nMessage-ID: <1@x.org>\r\n\r\nhi\r\n";
    let copy = copy(&list(), message);
    insta::assert_snapshot!("a-whole-copy", String::from_utf8(copy).unwrap().replace("\r\n", "\n"));
}

#[test]
fn members_read_the_footer_unless_the_message_is_sealed() {
    for (name, raw) in fixtures() {
        let copy = copy(&list(), &raw);
        let message = parsed(&copy);
        let texts = message.parts.iter().filter_map(MessagePart::text_contents);
        let footers = texts.filter(|text| text.contains("lists.example.org/unsubscribe/token/")).count();
        let is_whole = WHOLE.contains(&name.as_str());
        assert_eq!(footers == 0, is_whole, "{name}: {}", String::from_utf8_lossy(&copy));
        assert_eq!(split(&copy).1 == split(&raw).1, is_whole, "{name}");
    }
}

#[test]
fn what_is_no_text_of_the_message_goes_out_byte_for_byte() {
    for (name, raw) in fixtures() {
        let copy = copy(&list(), &raw);
        let message = parsed(&raw);
        let is_text =
            |part: &MessagePart<'_>| matches!(media_type(part).as_str(), "text/plain" | "text/html");
        for (index, part) in message.parts.iter().enumerate() {
            let is_leaf = !matches!(part.body, PartType::Multipart(_));
            let is_file = part.attachment_name().is_some();
            if is_leaf && (!is_text(part) || is_file) {
                assert!(is_in(bytes_of(&raw, index, part), &copy), "{name}: part {index}");
            }
            if media_type(part) == "multipart/signed" {
                assert!(is_in(bytes_of(&raw, index, part), &copy), "{name}: the signed part {index}");
            }
        }
    }
}

/// The texts of a message as a reader sees them, and what its parts are.
fn shown(raw: &[u8]) -> Vec<(String, String)> {
    let message = parsed(raw);
    // Where lines end between the elements of HTML does not show.
    let text_of =
        |part: &MessagePart<'_>| part.text_contents().unwrap_or_default().split_whitespace().collect();
    message.parts.iter().map(|part| (media_type(part), text_of(part))).collect()
}

#[test]
fn a_second_round_adds_nothing() {
    for (name, raw) in fixtures() {
        let once = copy(&list(), &raw);
        let twice = copy(&list(), &once);
        assert_eq!(shown(&once), shown(&twice), "{name}");
        let subjects = |copy: &[u8]| {
            fields(copy).into_iter().filter(|field| field.starts_with("Subject:")).collect::<Vec<_>>()
        };
        assert_eq!(subjects(&once), subjects(&twice), "{name}");
    }
}

#[test]
fn a_list_that_changes_nothing_leaves_every_body_as_it_is() {
    let plain = List::new(ListId(1), AccountId(1), ListName::parse("news").unwrap(), Timestamp::from_ms(0));
    for (name, raw) in fixtures().into_iter().filter(|(name, _)| name != "gmail-reply-quoting-our-footer") {
        let copy = copy(&plain, &raw);
        let body = split(&raw).1;
        assert!(split(&copy).1.starts_with(body) && split(&copy).1.len() <= body.len() + 2, "{name}");
        let kept = fields(&copy).iter().any(|field| field.starts_with("DKIM-Signature"));
        assert!(kept || name != "dkim-signed-post", "{name}");
    }
}
