//! Lists of mlmmj in folders made for a test, sound ones and damaged ones.

use std::fs;

use super::*;
use crate::sources::SourceRole;
use crate::sources::mutations::Mutations;

/// A folder of a list with these files.
fn list(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for folder in ["subscribers.d", "control"] {
        fs::create_dir_all(dir.path().join(folder)).unwrap();
    }
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

#[track_caller]
fn of(files: &[(&str, &str)]) -> SourceList {
    read(list(files).path(), None).unwrap()
}

#[track_caller]
fn check_settings(files: &[(&str, &str)], expected: &[(&str, serde_json::Value)]) {
    let list = of(files);
    for (field, value) in expected {
        assert_eq!(list.settings.get(*field), Some(value), "{field}");
    }
}

/// What is left behind, as `what (people)`.
fn left(list: &SourceList) -> Vec<String> {
    list.left_behind.iter().map(|left| format!("{} ({})", left.what, left.people)).collect()
}

#[test]
fn members_come_with_what_they_decided() {
    let list = of(&[
        ("subscribers.d/a", "Ada@example.org\nalan@example.org\nno address\n"),
        ("subscribers.d/b", "both@example.org\nADA@example.org\nbounced@example.org\n"),
        ("digesters.d/b", "both@example.org\nbob@example.org\n"),
        ("nomailsubs.d/q", "quiet@example.org\nalan@example.org\n"),
        ("bounce/bounced=example.org", "12:1700000000 # Tue Nov 14 22:13:20 2023\n13:1700086400 # x\n"),
        ("bounce/bounced=example.org.lastmsg", "Subject: x"),
        ("bounce/gone=example.org-probe", "x"),
    ]);
    let people: Vec<_> = list
        .people
        .iter()
        .map(|person| (person.address.as_str(), person.digest, person.standing.clone()))
        .collect();
    let since = Some(Timestamp::from_ms(1_700_000_000_000));
    assert_eq!(
        people,
        [
            ("Ada@example.org", Some(false), SourceStanding::Active),
            ("alan@example.org", Some(false), SourceStanding::Active),
            ("bob@example.org", Some(true), SourceStanding::Active),
            ("both@example.org", Some(false), SourceStanding::Active),
            ("bounced@example.org", Some(false), SourceStanding::Bouncing { since }),
            ("quiet@example.org", Some(false), SourceStanding::Paused),
        ]
    );
    let left = left(&list);
    for expected in [
        "lines of members that are no addresses, such as no address (1)",
        "single mails and digests for the same address (1)",
        "subscribed with and without mail (1)",
    ] {
        assert!(left.contains(&expected.to_owned()), "{left:?}");
    }
}

#[test]
fn who_waits_is_no_member_and_is_named() {
    let list = of(&[
        ("subconf/abc", "new@example.org"),
        ("unsubconf/abc", "old@example.org"),
        ("moderation/subscribeabc", "asks@example.org"),
        ("moderation/0123456789abcdef", "Subject: held\n\nx"),
        ("moderation/0123456789abcdef.sending", ""),
    ]);
    assert_eq!(list.people, []);
    let left = left(&list);
    for expected in [
        "subconf: requests to join that are not confirmed (1)",
        "unsubconf: requests to leave that are not confirmed (1)",
        "moderation: requests to join that wait for approval (1)",
        "moderation: 1 messages that wait for approval (0)",
    ] {
        assert!(left.contains(&expected.to_owned()), "{left:?}");
    }
}

#[test]
fn the_name_and_the_administrators_are_those_of_control() {
    let list = of(&[
        ("control/listaddress", "team@lists.example.org\nclub@lists.example.org\n"),
        ("control/owner", "boss@example.org\n"),
        ("control/moderators", "mod@example.org\nBoss@example.org\n"),
        ("control/submod", "gate@example.org\n"),
    ]);
    assert_eq!((list.name.as_str(), list.domain.as_str()), ("team", "lists.example.org"));
    let runs: Vec<_> = list.administrators.iter().map(|who| (who.email.as_str(), who.role)).collect();
    let (owner, moderator) = (SourceRole::Owner, SourceRole::Moderator);
    assert_eq!(
        runs,
        [("boss@example.org", owner), ("mod@example.org", moderator), ("gate@example.org", moderator)]
    );
    assert!(left(&list).contains(&"listaddress: club@lists.example.org (0)".to_owned()));
}

#[test]
fn who_may_join() {
    let joins = |name: &str, word: &str| check_settings(&[(name, "")], &[("subscriptions", word.into())]);
    joins("control/closedlist", "closed");
    joins("control/closedlistsub", "closed");
    joins("control/submod", "open+confirm");
    joins("control/tocc", "open");
}

#[test]
fn who_may_post() {
    check_settings(&[], &[("moderate", 0.into())]);
    let hold = ("control/modnonsubposts", "");
    check_settings(&[hold], &[("moderate", 6.into()), ("message_rejections", "hold".into())]);
    let members = ("control/subonlypost", "");
    check_settings(&[members], &[("moderate", 6.into()), ("message_rejections", "reject".into())]);
    check_settings(
        &[members, ("control/nosubonlydenymails", "")],
        &[("message_rejections", "discard".into()), ("send_reject_message", false.into())],
    );
    check_settings(&[members, ("control/moderated", "")], &[("moderate", 7.into())]);
    check_settings(&[("control/modonlypost", "")], &[("moderate", 1.into())]);
    check_settings(
        &[("control/modonlypost", ""), ("control/moderators", "m@example.org\n")],
        &[("moderate", 10.into()), ("restrict_post_allowed_emails", serde_json::json!(["m@example.org"]))],
    );
    check_settings(
        &[("control/access", "moderate ^Subject: x\nallow\n")],
        &[("moderate", 0.into()), ("taboo_headers", serde_json::json!(["^Subject: x"]))],
    );
    check_settings(&[("control/access", "")], &[("moderate", 1.into())]);
    check_settings(&[("control/notifymod", "")], &[("send_hold_message", true.into())]);
}

#[test]
fn what_is_put_into_messages() {
    check_settings(
        &[
            ("control/prefix", "[Team]\nthe second line is a comment\n"),
            ("control/footer", "--\nPay $5\n"),
            ("control/footer-html", "<hr>"),
            ("control/maxmailsize", "1048577\n"),
            ("control/customheaders", "Reply-To: Team <team@example.org>\nPrecedence: list\nX-Own: 1\n"),
        ],
        &[
            ("subject_prefix", "[Team]".into()),
            ("message_footer", "--\nPay $$5".into()),
            ("message_footer_html", "<hr>".into()),
            ("maxlength", 1025.into()),
            ("reply_to", "team@example.org".into()),
        ],
    );
    let list = of(&[("control/customheaders", "X-Own: 1\n"), ("control/maxmailsize", "99999999999")]);
    assert!(left(&list).contains(&"customheaders: X-Own: 1 (0)".to_owned()));
    assert_eq!(list.settings["maxlength"], 51_200);
}

#[test]
fn the_archive_is_opened_to_nobody() {
    check_settings(
        &[],
        &[
            ("archive_enabled", true.into()),
            ("archive_protected", true.into()),
            ("archive_memberview", true.into()),
        ],
    );
    check_settings(&[("control/noget", "")], &[("archive_memberview", false.into())]);
    check_settings(&[("control/noarchive", "")], &[("archive_enabled", false.into())]);
}

#[test]
fn messages_of_the_archive_are_in_the_order_of_their_numbers() {
    let list = of(&[("archive/10", "x"), ("archive/9", "x"), ("archive/1", "x"), ("archive/junk", "x")]);
    let names: Vec<_> =
        list.archives.iter().map(|archive| archive.path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["1", "9", "10"]);
}

#[test]
fn a_tunable_without_a_place_here_is_named() {
    let list =
        of(&[("control/notmetoo", ""), ("control/digestinterval", "3600\n"), ("control/newthing", "1")]);
    let left = left(&list);
    for expected in ["notmetoo (0)", "digestinterval: 3600 (0)", "newthing (0)"] {
        assert!(left.contains(&expected.to_owned()), "{left:?}");
    }
}

#[test]
fn lists_are_found_in_a_folder_of_lists() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["b", "a"] {
        fs::create_dir_all(dir.path().join(name).join("subscribers.d")).unwrap();
        fs::create_dir_all(dir.path().join(name).join("control")).unwrap();
    }
    fs::create_dir_all(dir.path().join("else")).unwrap();
    assert_eq!(folders(dir.path()), Ok(vec![dir.path().join("a"), dir.path().join("b")]));
    assert_eq!(folders(&dir.path().join("a")), Ok(vec![dir.path().join("a")]));
    assert!(folders(&dir.path().join("else")).unwrap_err().contains("no list of mlmmj"));
}

#[test]
fn damaged_files_are_read_or_refused() {
    let whole: [(&str, &[u8]); 6] = [
        ("subscribers.d/a", b"ada@example.org\nalan@example.org\n"),
        ("bounce/ada=example.org", b"12:1700000000 # x\n13:1700086400 # x\n"),
        ("control/access", b"deny !^From: x\nmoderate ^Subject:.*(a|b)\nallow\n"),
        ("control/customheaders", b"Reply-To: Team <team@example.org>\nX-Own: 1\n"),
        ("control/maxmailsize", b"1048577\n"),
        ("control/footer", b"--\n$NAME ${x \xe9\n"),
    ];
    let dir = list(&[]);
    fs::create_dir_all(dir.path().join("bounce")).unwrap();
    let mut mutations = Mutations::default();
    let mut members = 0;
    for _ in 0..10_000 {
        let (name, text) = whole[mutations.below(whole.len())];
        fs::write(dir.path().join(name), mutations.of(text)).unwrap();
        if let Ok(list) = read(dir.path(), None) {
            members += list.people.len();
            let addresses = list.people.iter().all(|person| EmailAddress::parse(&person.address).is_ok());
            assert!(addresses && list.left_behind.len() <= 1000);
        }
    }
    assert!(5_000 < members, "most lists were read: {members}");
}
