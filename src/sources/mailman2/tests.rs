//! What the lists of `tests/fixtures/mailman2` become, and that no damaged file does harm.

use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::clock::Timestamp;
use crate::sources::{LeftBehind, SourceRole, SourceStanding};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mailman2/var");

fn list(name: &str) -> SourceList {
    let found = find(&Path::new(FIXTURES).join("lists").join(name)).unwrap();
    read(&found[0], None).unwrap()
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(Path::new(FIXTURES).join("lists").join(name).join(CONFIG_FILE)).unwrap()
}

#[test]
fn lists_are_found_below_the_folder_of_mailman() {
    let names = |path: &Path| -> Vec<(String, bool)> {
        let found = find(path).unwrap().into_iter();
        found
            .map(|it| {
                (it.config.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned(), it.is_own)
            })
            .collect()
    };
    let all = [("choir".to_owned(), false), ("mailman".to_owned(), true), ("news".to_owned(), false)];
    assert_eq!(names(Path::new(FIXTURES)), all);
    assert_eq!(names(&Path::new(FIXTURES).join("lists")), all);
    assert_eq!(names(&Path::new(FIXTURES).join("lists/news")), all[2..]);
    assert_eq!(names(&Path::new(FIXTURES).join("lists/news/config.pck")), all[2..]);
    assert!(matches!(find(&Path::new(FIXTURES).join("archives")), Err(Mailman2Error::NoList(_))));
}

#[test]
fn settings_become_fields_of_the_api() {
    let choir = list("choir");
    assert_eq!((choir.name.as_str(), choir.address().as_str()), ("Choir", "Choir@old.example"));
    let expected = json!({
        "description": "Der Chor von Köln",
        "notes": "We sing on Mondays.",
        "subject_prefix": "[choir]",
        "message_footer": "_______________________________________________\n$LIST mailing list\n$LISTADDRESS\n$ARCHIVE",
        "maxlength": 2000,
        "reply_to": "@",
        "subscriptions": "open+confirm",
        "unsubscriptions": "open",
        "memberview": "",
        "archive_enabled": true,
        "archive_protected": true,
        "archive_memberview": true,
        "archive_index_noshow": true,
        "moderate": 30,
        "message_rejections": "reject",
        "restrict_post_allowed_emails": ["guest@friends.example"],
        "restrict_post_banned_emails": ["rude@bad.example"],
        "restrict_post_lists": ["Choir", "news"],
        "taboo_headers": ["^Subject:.*lottery"],
    });
    assert_eq!(Value::Object(choir.settings), expected);
    assert_eq!(choir.kept_out, ["banned@bad.example"]);
    let shown = choir.mapped.iter().find(|it| it.name == "description").unwrap();
    assert_eq!(
        (shown.value.as_str(), shown.becomes.as_str()),
        ("\"Der Chor von Köln\"", "description: \"Der Chor von Köln\"")
    );
    let all = format!("{:?} {:?}", choir.mapped, choir.people);
    assert!(!all.contains("secret"), "{all}");
}

#[test]
fn a_list_of_announcements_lets_those_write_who_are_not_moderated() {
    let news = list("news").settings;
    assert_eq!(news["moderate"], json!(10));
    assert_eq!(news["restrict_post_allowed_emails"], json!(["ada@example.org"]));
    assert_eq!(news["message_rejections"], json!("reject"));
}

#[test]
fn people_keep_what_they_chose_and_what_was_decided_of_them() {
    let choir = list("choir");
    let of = |address: &str| choir.people.iter().find(|person| person.address == address).unwrap();
    assert_eq!(of("ada@example.org").standing, SourceStanding::Active);
    assert_eq!(of("dora@example.org").standing, SourceStanding::Paused);
    assert_eq!(of("dora@example.org").name, "Dora Müller");
    assert_eq!(of("carl@example.org").name, "Carl Gauß");
    assert_eq!((of("carl@example.org").digest, of("ada@example.org").digest), (Some(true), None));
    let since = Timestamp::from_ms(1_400_000_000_500);
    assert_eq!(of("emil@example.org").standing, SourceStanding::Bouncing { since: Some(since) });
    // The value has the address as its owner writes it.
    assert_eq!(of("Bob@example.org").standing, SourceStanding::Active);
    let roles: Vec<_> = choir.administrators.iter().map(|it| (it.email.as_str(), it.role)).collect();
    assert_eq!(
        roles,
        [
            ("ada@example.org", SourceRole::Owner),
            ("chair@example.org", SourceRole::Owner),
            ("bob@example.org", SourceRole::Moderator)
        ]
    );
    let left = |what: &str| choir.left_behind.iter().find(|it| it.what == what).map(|it| it.people);
    assert_eq!(left("members who do not get their own posts"), Some(1));
    assert_eq!(left("members who are not shown in the list of members"), Some(1));
    assert_eq!(left("members who take digests as plain text"), Some(1));
    assert_eq!(left("members with a language of their own"), Some(1));
    assert_eq!(left("members whose posts wait for approval"), Some(1));
    assert_eq!(left("members whose mail failed now and then"), Some(1));
    for what in
        ["patterns in ban_list", "patterns in accept_these_nonmembers", "rules in header_filter_rules"]
    {
        assert_eq!(left(what), Some(0), "{what}: {:?}", choir.left_behind);
    }
    assert!(choir.left_behind.iter().all(|LeftBehind { instead, .. }| !instead.is_empty()));
}

#[test]
fn archives_and_pages_are_found_beside_the_list() {
    let choir = list("choir");
    assert_eq!(choir.archives.len(), 1);
    assert!(choir.archives[0].path.ends_with("archives/private/choir.mbox/choir.mbox"));
    assert_eq!(choir.old_pages.len(), 1);
    let news = list("news");
    assert_eq!((news.archives.len(), news.old_pages.len()), (0, 0));
}

#[test]
fn a_character_set_can_be_named() {
    let found = &find(&Path::new(FIXTURES).join("lists/choir")).unwrap()[0];
    let other = read(found, Some("iso-8859-5")).unwrap();
    assert_eq!(other.settings["description"], json!("Der Chor von K\u{456}ln"));
    assert!(matches!(read(found, Some("none")), Err(Mailman2Error::Charset(_))));
}

#[test]
fn damaged_files_become_an_error_or_a_list() {
    let files = [bytes("choir"), bytes("news")];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    let (mut lists, mut errors) = (0, 0);
    for round in 0..10_000 {
        let mut bytes = files[round % 2].clone();
        for _ in 0..=random(4) {
            let at = random(bytes.len());
            match random(4) {
                0 => bytes[at] = u8::try_from(random(256)).unwrap(),
                1 => bytes.truncate(at + 1),
                2 => drop(bytes.remove(at)),
                _ => {
                    let part = bytes[at..(at + 1 + random(40)).min(bytes.len())].to_vec();
                    let place = random(bytes.len());
                    bytes.splice(place..place, part);
                }
            }
            if bytes.is_empty() {
                bytes.push(b'.');
            }
        }
        match list_of(&bytes, "choir", None) {
            Ok(_) => lists += 1,
            Err(_) => errors += 1,
        }
    }
    assert!(1000 < errors && 100 < lists, "{lists} lists, {errors} errors");
}
