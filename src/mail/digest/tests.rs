//! Digests as bytes: what all copies share, and what a member's copy has of its own.

use super::*;
use crate::clock::Timestamp;
use crate::locale::Locale;
use crate::mail::body_hash;
use crate::mail::{ContentAuthor, Inbound, Personal};
use crate::model::account::Subscriptions;
use crate::model::digest::Day;
use crate::model::{AccountId, EmailAddress, Language, Links, List, ListId, ListName, MessageId};

fn inbound(message: &str) -> Inbound {
    parse(message.replace('\n', "\r\n").into_bytes()).unwrap()
}

fn entry(mail: &str, permalink: Option<&str>) -> DigestEntry {
    let mail = inbound(mail);
    DigestEntry {
        subject: mail.subject.clone(),
        sender: "Edda $NAME".to_owned(),
        time: Timestamp::parse_rfc3339("2026-11-21T17:40:00Z").unwrap(),
        first_words: first_words(&mail.preview(5000).unwrap_or_default()),
        message_id: mail.message_id.clone().unwrap_or_default(),
        attachments: mail.count_attachments(),
        permalink: permalink.map(str::to_owned),
        mail: Some(kept_part(&mail)),
    }
}

const LIFT: &str = "Received: from x\nFrom: Edda <e@x.org>\nTo: choir@d.org\nSubject: Lift & <b>?\n\
    Message-ID: <1@x.org>\nDKIM-Signature: v=1\nX-Secret: 1\n\nTwo seats from $UNSUBSCRIBE, $$5 each.\n> quoted\n\
    -- \nE\n";
const GRUESSE: &str = "From: K <k@x.org>\nSubject: Re: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\nMessage-ID: <2@x.org>\n\
    In-Reply-To: <1@x.org>\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\
    Content-Transfer-Encoding: 8bit\n\nSchöne Grüße\n";

fn compose(language: Language, entries: &[DigestEntry]) -> ComposedDigest {
    let locale = Locale::new(language, "Europe/Berlin");
    let address = EmailAddress::parse("choir@d.org").unwrap();
    let day = day_in_words(&locale, Day { year: 2026, month: 11, day: 22 }, true);
    compose_digest(&NewDigest {
        message_id: "digest.7@d.org",
        made: Timestamp::parse_rfc3339("2026-11-22T05:00:00Z").unwrap(),
        day: &day,
        list_title: "Harbour Choir ($5)",
        list_address: &address,
        locale: &locale,
        subject: "Digest, 22 November 2026 (2 messages)",
        entries,
    })
}

/// A member's copy for a list that `change` has set up, with `\n` line ends.
fn copy(digest: &ComposedDigest, batched: bool, change: impl FnOnce(&mut List)) -> String {
    let mut list =
        List::new(ListId(1), AccountId(1), ListName::parse("choir").unwrap(), Timestamp::from_ms(0));
    change(&mut list);
    let address = EmailAddress::parse("choir@d.org").unwrap();
    let context = RewriteContext {
        list: &list,
        list_address: &address,
        account: "acme",
        links: &Links::new("https://lists.d.org".to_owned(), []),
        message: MessageId(7),
        rewrite_from: false,
        from_is_ours: true,
        batched,
        custom_fields: &[],
        author: ContentAuthor::Digest,
        subscriptions: Subscriptions::Open,
        unsubscriptions: Subscriptions::Open,
        language: Language::English,
        accepted: Timestamp::from_ms(0),
    };
    let form = digest_form(&digest.raw, digest.posts.clone(), &context).unwrap();
    assert_eq!(form.has_personal_content(), !batched);
    let personal = Personal {
        first_name: "Ada",
        email: "ada@x.org",
        unsubscribe_url: "https://lists.d.org/unsubscribe/T/",
        unsubscribe_mailto: "mailto:confirm+T@d.org",
        manage_url: "https://lists.d.org/members/",
        envelope_sender: "bounces+T@d.org",
        ..Personal::default()
    };
    let mut out = Vec::new();
    let body_start = form.render(&personal, &mut out);
    if let Some(hasher) = form.body_hasher() {
        let body = &out[body_start..];
        assert_eq!(hasher.hash(body).as_bytes(), body_hash(body).as_bytes(), "what copies share");
    }
    assert!(out.split(|byte| *byte == b'\n').all(|line| line.len() <= 999));
    String::from_utf8(out).unwrap().replace("\r\n", "\n")
}

/// The decoded text and HTML of the contents.
fn contents(copy: &str) -> (String, String) {
    let content = inbound(copy).content();
    (content.plain.unwrap(), content.html.unwrap())
}

#[test]
fn the_messages_stand_whole_in_a_digest_with_the_fields_that_readers_need() {
    let entries = [entry(LIFT, None), entry(GRUESSE, None)];
    let copy = copy(&compose(Language::English, &entries), false, |_| {});
    let mail = inbound(&copy);
    let types: Vec<_> = mail.parts.iter().map(|part| (part.depth, part.media_type.as_str())).collect();
    let expected = [
        (0, "multipart/mixed"),
        (1, "multipart/alternative"),
        (2, "text/plain"),
        (2, "text/html"),
        (1, "multipart/digest"),
        (2, "message/rfc822"),
        (3, "text/plain"),
        (2, "message/rfc822"),
        (3, "text/plain"),
    ];
    assert_eq!(types, expected);
    assert!(copy.contains(
        "Content-Type: message/rfc822\nContent-Disposition: inline; filename=\"1.eml\"\n\nFrom: Edda <e@x.org>\n\
         To: choir@d.org\nSubject: Lift & <b>?\nMessage-ID: <1@x.org>\n\nTwo seats from $UNSUBSCRIBE, $$5 each.\n"
    ));
    assert!(!copy.contains("X-Secret") && !copy.contains("DKIM-Signature") && !copy.contains("Received"));
    assert_eq!(copy.matches("Content-Transfer-Encoding: 8bit").count(), 4, "{copy}");
}

#[test]
fn the_header_is_that_of_list_mail_that_a_machine_wrote() {
    let copy = copy(&compose(Language::English, &[entry(LIFT, None)]), false, |list| {
        list.subject_prefix = "[choir]".to_owned();
    });
    let head = copy.split("\n\n").next().unwrap().replace("\n ", " ");
    for field in [
        "From: \"Harbour Choir ($5)\" <choir@d.org>",
        "To: choir@d.org",
        "Subject: [choir] Digest, 22 November 2026 (2 messages)",
        "Message-ID: <digest.7@d.org>",
        "Auto-Submitted: auto-generated",
        "Content-Language: en",
        "List-Id: <choir.d.org>",
        "List-Unsubscribe: <https://lists.d.org/unsubscribe/T/>, <mailto:confirm+T@d.org>",
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        "Precedence: list",
        "Date: Sun, 22 Nov 2026 05:00:00 +0000",
    ] {
        assert!(head.lines().any(|line| line == field), "{field}\n\n{head}");
    }
    assert!(!head.contains("Archived-At"), "{head}");
}

#[test]
fn the_contents_tell_of_each_message_and_fill_in_nothing_that_others_wrote() {
    let entries = [entry(LIFT, Some("https://lists.d.org/lists/choir/messages/5/")), entry(GRUESSE, None)];
    let (plain, html) = contents(&copy(&compose(Language::English, &entries), false, |_| {}));
    assert_eq!(
        plain,
        "Harbour Choir ($5)\n\nSunday, 22 November 2026\n\n\
         Good morning. 2 messages came since the last digest; they are attached\nwhole, in this order.\n\n\
         1. Lift & <b>?\n   Edda $NAME, Saturday 18:40\n\n   Two seats from $UNSUBSCRIBE, $$5 each.\n   \
         In the archive: https://lists.d.org/lists/choir/messages/5/\n   Reply: mailto:choir@d.org?\
         subject=Re%3A%20Lift%20%26%20%3Cb%3E%3F&In-Reply-To=%3C1%40x.org%3E\n\n\
         2. Re: Grüße\n   Edda $NAME, Saturday 18:40\n\n   Schöne Grüße\n   Reply: mailto:choir@d.org?\
         subject=Re%3A%20Gr%C3%BC%C3%9Fe&In-Reply-To=%3C2%40x.org%3E\n\n\
         You get this once a day because you asked for one mail a day.\n\
         Send me each message instead: https://lists.d.org/members/\n\
         Leave the list: https://lists.d.org/unsubscribe/T/\n"
    );
    assert!(html.contains("<h1 dir=\"auto\" style=\"margin: 0 0 8px; font-size: 26px; line-height: 1.2; font-weight: 700;\">Sunday, 22 November 2026</h1>"), "{html}");
    for expected in [
        ">Lift &amp; &lt;b&gt;?</a></h2>",
        ">Edda $NAME, Saturday 18:40</p>",
        "\nTwo seats from $UNSUBSCRIBE, $$5 each.</p>",
        "href=\"https://lists.d.org/lists/choir/messages/5/\"",
        "href=\"mailto:choir@d.org?subject=Re%3A%20Lift%20%26%20%3Cb%3E%3F&amp;In-Reply-To=%3C1%40x.org%3E\"",
        "href=\"mailto:choir@d.org?subject=Re%3A%20Gr%C3%BC%C3%9Fe&amp;In-Reply-To=%3C2%40x.org%3E\"",
        "<a class=\"link\" href=\"https://lists.d.org/members/\" style=\"color: #0b5c63;\">Send me each message instead</a>",
        "<a class=\"link\" href=\"https://lists.d.org/unsubscribe/T/\" style=\"color: #0b5c63;\">Leave the list</a>",
    ] {
        assert!(html.contains(expected), "{expected}\n\n{html}");
    }
}

#[test]
fn fronter_and_footer_stand_once_and_a_members_name_is_filled_in_there() {
    let entries = [entry(LIFT, None), entry(GRUESSE, None)];
    let copy = copy(&compose(Language::English, &entries), false, |list| {
        list.message_fronter = "Dear $FIRSTNAME,".to_owned();
        list.message_footer = "Choir of $LIST, $MESSAGE_URL".to_owned();
        list.merge_tags_enabled = true;
    });
    let (plain, html) = contents(&copy);
    assert!(
        plain.starts_with("Dear Ada,")
            && plain.trim_end().ends_with("Choir of choir, https://lists.d.org/lists/choir/"),
        "{plain}"
    );
    assert!(html.contains("Dear Ada,") && html.contains("Choir of choir,"), "{html}");
    assert_eq!(copy.matches("Choir of choir").count(), 2, "in the text and in the HTML of the contents");
    assert!(copy.contains("\nSchöne Grüße\n"));
}

#[test]
fn copies_that_are_shared_lead_to_the_pages_of_the_list() {
    let (plain, _) = contents(&copy(&compose(Language::English, &[entry(LIFT, None)]), true, |_| {}));
    assert!(
        plain.contains("Leave the list: https://lists.d.org/lists/choir/join/?action=unsubscribe"),
        "{plain}"
    );
}

#[test]
fn a_message_that_is_written_to_end_the_digest_does_not() {
    let plain = compose(Language::English, &[entry(LIFT, None)]);
    let raw = String::from_utf8(plain.raw).unwrap();
    let boundary = raw.split("multipart/digest; boundary=\"").nth(1).unwrap().split('"').next().unwrap();
    let hostile = format!("{LIFT}\n--{boundary}--\n\nmore\n");
    let mail = inbound(&copy(
        &compose(Language::English, &[entry(&hostile, None), entry(GRUESSE, None)]),
        false,
        |_| {},
    ));
    let messages = mail.parts.iter().filter(|part| part.media_type == "message/rfc822").count();
    assert_eq!(messages, 2);
}

#[test]
fn files_become_lines_that_say_where_they_are() {
    let mixed = "From: a@x.org\nSubject: Scores\nMessage-ID: <3@x.org>\nMIME-Version: 1.0\n\
        Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nSee the score.\n--b\n\
        Content-Type: application/pdf; name=\"psalm.pdf\"\nContent-Disposition: attachment; filename=\"psalm.pdf\"\n\
        Content-Transfer-Encoding: base64\n\nQUJD\n--b\nContent-Type: message/rfc822\n\nSubject: inner\n\n\
        text\n--b--\n";
    let mail = inbound(mixed);
    assert_eq!(mail.count_attachments(), 1);
    let less = |link| {
        let kept = String::from_utf8(without_attachments(&mail, link, Language::English)).unwrap();
        parse(kept.clone().into_bytes()).unwrap();
        kept.replace("\r\n", "\n")
    };
    let kept = less(Some("https://l/messages/3/"));
    assert!(kept.contains("See the score.\n--b\nContent-Type: text/plain; charset=utf-8\n"), "{kept}");
    let decoded = inbound(&kept).content().plain.unwrap();
    assert_eq!(decoded, "See the score.");
    let unfolded = kept.replace("=\n", "");
    assert!(
        unfolded.contains(
            "[Attachment: psalm.pdf (application/pdf, 1 KB), in the archive: https://l/messages/3/ ]\n--b\n"
        ),
        "{kept}"
    );
    assert!(!kept.contains("QUJD") && !kept.contains("inner"), "{kept}");
    assert!(less(None).replace("=\n", "").contains("[Attachment: psalm.pdf (application/pdf, 1 KB)]\n"));
    let alone = inbound(
        "From: a@x.org\nSubject: Picture\nContent-Type: image/png; name=p.png\n\
        Content-Transfer-Encoding: base64\n\nQUJD\n",
    );
    let kept = String::from_utf8(without_attachments(&alone, None, Language::German)).unwrap();
    assert!(kept.ends_with("\r\n\r\n[Anhang: p.png (image/png, 1 KB)]"), "{kept}");
    assert_eq!(kept.matches("Content-Type").count(), 1);
}

#[test]
fn the_first_words_are_the_authors_own() {
    assert_eq!(first_words("> a\n\nHello  there\n> b\nyou\n-- \nAda"), "Hello there you");
    let long = "word ".repeat(100);
    assert!(first_words(&long).ends_with("word…") && first_words(&long).chars().count() <= 241);
    assert_eq!(first_words("-----BEGIN PGP MESSAGE-----\n"), "");
}

#[test]
fn days_are_written_as_each_language_does() {
    let day = Day { year: 2026, month: 11, day: 22 };
    let words = |language| day_in_words(&Locale::new(language, "UTC"), day, true);
    assert_eq!(
        [Language::English, Language::German, Language::French, Language::Spanish].map(words),
        [
            "Sunday, 22 November 2026",
            "Sonntag, 22. November 2026",
            "Le dimanche 22 novembre 2026",
            "Domingo, 22 de noviembre de 2026"
        ]
    );
}
