//! What members receive of messages of different makers, as snapshots that a person can review.
//!
//! The list has a prefix, a fronter and a footer with everything a footer can have; the messages are
//! `tests/fixtures/mail`.

use crier::clock::Timestamp;
use crier::mail::{Personal, RewriteContext, parse, rewrite};
use crier::model::{AccountId, EmailAddress, List, ListId, ListName, MessageId};

fn list() -> List {
    let name = ListName::parse("news").unwrap();
    let mut list = List::new(ListId(1), AccountId(1), name, Timestamp::from_ms(0));
    list.description = "All the news".into();
    list.subject_prefix = "[news]".into();
    list.message_fronter = "* via $LIST *".into();
    list.message_footer = "Dear $FIRSTNAME – to leave “$DESCRIPTION”:\n$UNSUBSCRIBE".into();
    list
}

fn copy(list: &List, raw: &[u8]) -> Vec<u8> {
    let address = EmailAddress::parse("news@example.org").unwrap();
    let context = RewriteContext {
        list,
        list_address: &address,
        account: "acme",
        base_url: "https://lists.example.org",
        message: MessageId(17),
        rewrite_from: false,
        from_is_ours: false,
        batched: false,
        custom_fields: &[],
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

fn fixtures() -> Vec<(String, Vec<u8>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mail");
    let mut found: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect();
    found.sort();
    found
}

#[test]
fn members_receive_these_copies() {
    for (name, raw) in fixtures() {
        let copy = copy(&list(), &raw);
        let shown = String::from_utf8_lossy(&copy).replace("\r\n", "\n");
        assert!(!shown.contains('\r'), "{name}");
        insta::assert_snapshot!(name, shown);
    }
}

#[test]
fn content_that_members_read_has_the_footer_unless_it_is_sealed() {
    for (name, raw) in fixtures() {
        let copy = copy(&list(), &raw);
        let content = parse(copy.clone()).unwrap().content();
        let is_sealed = name == "smime-encrypted";
        let body = String::from_utf8_lossy(crier::mail::split(&copy).1).into_owned();
        let has_footer = |text: &str| text.contains("unsubscribe/token/");
        if let Some(html) = &content.html {
            assert!(has_footer(html), "{name}: {html}");
        }
        let texts = [Some(body), content.plain, content.html];
        assert_eq!(texts.iter().flatten().any(|text| has_footer(text)), !is_sealed, "{name}");
    }
}

#[test]
fn a_list_that_changes_nothing_leaves_every_body_as_it_is() {
    let plain = List::new(ListId(1), AccountId(1), ListName::parse("news").unwrap(), Timestamp::from_ms(0));
    for (name, raw) in fixtures() {
        let raw = String::from_utf8_lossy(&raw).replace('\n', "\r\n");
        let copy = copy(&plain, raw.as_bytes());
        let body = |message: &[u8]| crier::mail::split(message).1.to_vec();
        assert!(body(&copy) == body(raw.as_bytes()), "{name}");
    }
}
