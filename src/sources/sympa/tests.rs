//! Lists of Sympa in folders made for a test, sound ones and damaged ones.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::*;
use crate::model::contact::JoinWay;
use crate::sources::mutations::Mutations;
use crate::sources::{SourceRole, SourceStep};

const DOMAIN: &str = "lists.example.org";

fn now() -> Timestamp {
    Timestamp::parse_rfc3339("2026-11-28T12:00:00Z").unwrap()
}

/// A spool with the list `team`, whose folder has these files.
struct Spool(tempfile::TempDir);

impl Spool {
    fn new(files: &[(&str, &[u8])]) -> Spool {
        let spool = Spool(tempfile::tempdir().unwrap());
        fs::create_dir_all(spool.list()).unwrap();
        for (name, bytes) in files {
            spool.write(name, bytes);
        }
        spool
    }

    fn list(&self) -> PathBuf {
        self.0.path().join("list_data").join(DOMAIN).join("team")
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.list().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn read(&self) -> Result<SourceList, String> {
        super::read(&self.list(), None, now())
    }
}

#[track_caller]
fn of(config: &str, members: &str) -> SourceList {
    Spool::new(&[("config", config.as_bytes()), ("member.dump", members.as_bytes())]).read().unwrap()
}

#[track_caller]
fn check(config: &str, expected: &[(&str, Value)]) {
    let list = of(config, "");
    for (field, value) in expected {
        assert_eq!(list.settings.get(*field), Some(value), "{field} of {config}");
    }
}

/// What is left behind, as `what (people)`.
fn left(list: &SourceList) -> Vec<String> {
    list.left_behind.iter().map(|left| format!("{} ({})", left.what, left.people)).collect()
}

#[track_caller]
fn check_left(list: &SourceList, expected: &[&str]) {
    let left = left(list);
    for expected in expected {
        assert!(left.contains(&(*expected).to_owned()), "{expected}: {left:?}");
    }
}

#[test]
fn members_come_with_what_they_decided() {
    let list = of(
        "subject A\n",
        "date 1300000000\nemail Ada@example.org\ngecos Ada Lovelace\nreception mail\nvisibility noconceal\n\n\
         email digest@example.org\nreception digest\n\n\
         email plain@example.org\nreception digestplain\n\n\
         email quiet@example.org\nreception nomail\nbounce 1600000000 1600000001 3 5.1.1\n\n\
         email bounced@example.org\nreception txt\nbounce 1600000000 1600000001 3 5.1.1\nbounce_score 80\n\n\
         email away@example.org\nsuspend 1\nstartdate 1700000000\nenddate 1800000000\n\n\
         email gone@example.org\nsuspend 1\n\n\
         email back@example.org\nsuspend 1\nenddate 1700000000\n\n\
         email later@example.org\nsuspend 1\nstartdate 1796000000\nenddate 1800000000\n\n\
         email ada@example.org\nreception nomail\n\n\
         gecos Nobody\n\n\
         email no address\n",
    );
    let people: Vec<_> =
        list.people.iter().map(|who| (who.address.as_str(), who.digest, who.standing.clone())).collect();
    let (no, yes) = (Some(false), Some(true));
    let until = SourceStanding::PausedUntil(Timestamp::from_ms(1_800_000_000_000));
    let since = Some(Timestamp::from_ms(1_600_000_000_000));
    assert_eq!(
        people,
        [
            ("Ada@example.org", no, SourceStanding::Active),
            ("digest@example.org", yes, SourceStanding::Active),
            ("plain@example.org", yes, SourceStanding::Active),
            ("quiet@example.org", no, SourceStanding::Paused),
            ("bounced@example.org", no, SourceStanding::Bouncing { since }),
            ("away@example.org", no, until.clone()),
            ("gone@example.org", no, SourceStanding::Paused),
            ("back@example.org", no, SourceStanding::Active),
            ("later@example.org", no, until),
        ]
    );
    assert_eq!(list.people[0].name, "Ada Lovelace");
    let when = Timestamp::from_ms(1_300_000_000_000);
    assert_eq!(list.people[0].joined, Some(SourceStep { when, from: None, way: JoinWay::Command }));
    check_left(
        &list,
        &[
            "reception digestplain (1)",
            "reception txt (1)",
            "holidays that have not begun (1)",
            "paragraphs without an address (1)",
            "members whose address is none, such as no address (1)",
        ],
    );
}

#[test]
fn the_dump_of_earlier_versions_is_read_too() {
    let spool = Spool::new(&[("config", b"subject A\n"), ("subscribers.db.dump", b"email a@example.org\n")]);
    assert_eq!(spool.read().unwrap().people.len(), 1);
}

#[test]
fn a_list_whose_members_were_not_written_is_refused_with_the_command_that_does() {
    let problem = Spool::new(&[("config", b"subject A\n")]).read().unwrap_err();
    assert!(problem.contains("sympa dump --roles=member,owner,editor team@lists.example.org"), "{problem}");
    // Sympa dumps open lists alone.
    let closed = Spool::new(&[("config", b"status closed\n")]).read().unwrap();
    assert_eq!(
        (closed.settings["moderate"].as_u64().map(|bits| bits & 1), closed.people.len()),
        (Some(1), 0)
    );
    assert_eq!(closed.settings["subscriptions"], "closed");
}

#[test]
fn people_who_were_excluded_are_kept_out() {
    let spool = Spool::new(&[
        ("config", b"subject A\n"),
        ("member.dump", b"email a@example.org\n\nemail B@example.org\n"),
        ("exclude", b"b@example.org 1600000000\nc@example.org\nnothing\n"),
        ("exclusion.dump", b"\"C@example.org\",\"1600000000\"\n"),
    ]);
    let list = spool.read().unwrap();
    let standings: Vec<_> = list.people.iter().map(|who| who.standing.clone()).collect();
    assert_eq!(standings, [SourceStanding::Active, SourceStanding::OptedOut { when: None }]);
    assert_eq!(list.kept_out, ["c@example.org"]);
}

#[test]
fn owners_and_moderators_come_from_dumps_and_settings() {
    let spool = Spool::new(&[
        (
            "config",
            b"owner\nemail old@example.org\ngecos Old\nprofile privileged\n\neditor\nemail mod@example.org\n",
        ),
        ("member.dump", b""),
        ("owner.dump", b"email boss@example.org\nprofile privileged\nreception nomail\n"),
        ("editor.dump", b"email Boss@example.org\n"),
    ]);
    let list = spool.read().unwrap();
    let runs: Vec<_> = list.administrators.iter().map(|who| (who.email.as_str(), who.role)).collect();
    let (owner, moderator) = (SourceRole::Owner, SourceRole::Moderator);
    assert_eq!(
        runs,
        [("boss@example.org", owner), ("old@example.org", owner), ("mod@example.org", moderator)]
    );
    check_left(&list, &["owners and moderators without mail (1)"]);
}

#[test]
fn the_domain_is_that_of_the_robot() {
    let list = of("subject A\n", "");
    assert_eq!((list.name.as_str(), list.domain.as_str()), ("team", DOMAIN));
}

#[test]
fn texts_and_sizes() {
    check(
        "subject Le caf\u{e9}\n\ncustom_subject [[% list.name %]]\n\nmax_size 1048577\n\nreply_to_header\n value list\n",
        &[
            ("description", json!("Le caf\u{e9}")),
            ("subject_prefix", json!("[team]")),
            ("maxlength", json!(1025)),
            ("reply_to", json!("@")),
        ],
    );
    check("reply-to other@example.org\n", &[("reply_to", json!("other@example.org"))]);
    check("anonymous_sender x@example.org\n", &[("rewrite_sender", json!(true))]);
    let spool = Spool::new(&[
        ("config", b"subject A\n"),
        ("member.dump", b""),
        ("message.footer", b"-- \n[% list.name %] $5\n"),
        ("info", b"All about it\n"),
        ("mail_tt2/welcome.tt2", b"x"),
    ]);
    let list = spool.read().unwrap();
    assert_eq!(list.settings["message_footer"], "-- \n${LIST} $$5");
    assert_eq!(list.settings["notes"], "All about it");
    check_left(&list, &["mail_tt2 (0)"]);
}

#[test]
fn latin_1_is_read_where_it_is_no_utf_8() {
    let list = Spool::new(&[("config", b"subject Caf\xe9\n"), ("member.dump", b"")]).read().unwrap();
    assert_eq!(list.settings["description"], "Caf\u{e9}");
}

#[test]
fn scenarios_of_joining_and_of_who_is_seen() {
    check("subscribe open,notify\n", &[("subscriptions", json!("open"))]);
    check("subscription owner\n", &[("subscriptions", json!("open+confirm"))]);
    check("subscribe closed\n", &[("subscriptions", json!("closed"))]);
    check("subscribe our_own\n", &[("subscriptions", json!("open+confirm"))]);
    check("unsubscribe owner\n", &[("unsubscriptions", json!("open+confirm"))]);
    check("review private\n", &[("memberview", json!("withemail"))]);
    check("visibility noconceal\n", &[("archive_index_noshow", json!(false))]);
    check("", &[("archive_index_noshow", json!(true)), ("memberview", json!(""))]);
    check_left(&of("subscribe our_own\n", ""), &["subscribe our_own (0)"]);
}

#[test]
fn members_who_conceal_themselves_are_shown_to_nobody() {
    let list = of("review private\n", "email a@example.org\nvisibility conceal\n");
    assert_eq!(list.settings["memberview"], "");
    check_left(&list, &["members who conceal themselves (1)"]);
}

#[test]
fn scenarios_of_posting() {
    let run = "owner\nemail boss@example.org\n\neditor\nemail mod@example.org\n\n";
    let posts = |scenario: &str, bits: u64, others: &str, allowed: Value| {
        let mut expected = vec![("moderate", json!(bits)), ("message_rejections", json!(others))];
        if !allowed.is_null() {
            expected.push(("restrict_post_allowed_emails", allowed));
        }
        check(&format!("{run}send {scenario}\n"), &expected);
    };
    let none = Value::Null;
    posts("public", 0, "reject", none.clone());
    posts("private", 14, "reject", json!(["boss@example.org", "mod@example.org"]));
    posts("confidential", 14, "discard", json!(["boss@example.org", "mod@example.org"]));
    posts("privateoreditorkey", 14, "hold", json!(["boss@example.org", "mod@example.org"]));
    posts("privateandeditorkey", 7, "reject", none.clone());
    posts("editorkey", 10, "hold", json!(["mod@example.org"]));
    posts("editorkeyonly", 1, "hold", none.clone());
    posts("newsletter", 10, "reject", json!(["mod@example.org"]));
    posts("owner", 10, "reject", json!(["boss@example.org"]));
    posts("closed", 1, "reject", none.clone());
    posts("publickey", 6, "hold", none.clone());
    posts("our_own", 7, "hold", none);
    check("send newsletter\n", &[("moderate", json!(1))]);
    check("send publicnomultipart\n", &[("taboo_headers", json!([r"^Content-Type:\s*multipart/"]))]);
    check("", &[("moderate", json!(6)), ("hold_automated", json!(true))]);
}

#[test]
fn a_scenario_that_the_list_has_itself_becomes_what_opens_least() {
    let spool = Spool::new(&[
        ("config", b"send public\n\nsubscribe open\n"),
        ("member.dump", b""),
        ("scenari/send.public", b"true() smtp -> reject"),
    ]);
    let list = spool.read().unwrap();
    assert_eq!(list.settings["moderate"], 7);
    assert_eq!(list.settings["subscriptions"], "open");
}

#[test]
fn blocked_addresses_may_not_post() {
    let spool = Spool::new(&[
        ("config", b"send public\n"),
        ("member.dump", b""),
        ("search_filters/blocklist.txt", b"# no\nbad@example.org\n*@spam.example\n"),
    ]);
    let list = spool.read().unwrap();
    assert_eq!(list.settings["restrict_post_banned_emails"], json!(["bad@example.org"]));
    assert_eq!(list.settings["moderate"], 16);
    check_left(&list, &["blocklist.txt: *@spam.example (0)"]);
}

#[test]
fn who_reads_the_archive() {
    let reads = |config: &str, enabled: bool, protected: bool, members: bool| {
        check(
            config,
            &[
                ("archive_enabled", json!(enabled)),
                ("archive_protected", json!(protected)),
                ("archive_memberview", json!(members)),
            ],
        );
    };
    reads("process_archive on\n\narchive\nweb_access public\n", true, false, true);
    reads("process_archive on\n\narchive\nweb_access private\n", true, true, true);
    reads("process_archive on\n", true, true, false);
    reads("process_archive off\n\narchive\nweb_access public\n", false, false, true);
    reads("web_archive\naccess owner\n", true, true, false);
    reads("web_archive\naccess our_own\n", true, true, false);
    reads("", false, true, false);
}

#[test]
fn settings_without_a_place_are_named_without_their_secrets() {
    let list = of(
        "include_sql_query\nhost db\npasswd hidden\n\nnew_thing 1\n\ndigest 1,4 13:26\n\ncookie hidden\n",
        "",
    );
    check_left(&list, &["include_sql_query (0)", "new_thing (0)", "digest (0)"]);
    assert!(!format!("{list:?}").contains("hidden"));
}

#[test]
fn the_archive_is_found_beside_the_lists_and_in_its_order() {
    let spool = Spool::new(&[("config", b"subject A\n"), ("member.dump", b"")]);
    let archive = spool.0.path().join("arc/team@lists.example.org");
    for name in [
        "2015-04/arctxt/10",
        "2015-04/arctxt/9",
        "2014-12/arctxt/1.eml",
        "2015-04/msg00000.html",
        "junk/arctxt/1",
    ] {
        let path = archive.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "Subject: x\n\nx").unwrap();
    }
    let list = spool.read().unwrap();
    let real = fs::canonicalize(&archive).unwrap();
    let names: Vec<_> =
        list.archives.iter().map(|found| found.path.strip_prefix(&real).unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["2014-12/arctxt/1.eml", "2015-04/arctxt/9", "2015-04/arctxt/10"]);
    assert_eq!(list.old_pages, [real]);
}

#[test]
fn lists_are_found_in_folders_of_robots() {
    let spool = Spool::new(&[("config", b"subject A\n")]);
    let (robot, all) = (spool.0.path().join("list_data").join(DOMAIN), spool.0.path().join("list_data"));
    for path in [spool.list(), robot, all] {
        assert_eq!(folders(&path), Ok(vec![spool.list()]));
    }
    assert!(folders(spool.0.path()).is_err());
}

#[test]
fn damaged_files_are_read_or_refused() {
    let config = b"subject A \xe9\n\nowner\n  email a@example.org\n  gecos A\n\nsend private\n\nreply_to_header\nvalue list\n\n\
                   custom_subject [% list.name %]\n\narchive\nweb_access public\n\nmax_size 10000\n";
    let members = b"email a@example.org\ndate 1300000000\nreception nomail\n\nemail b@example.org\nsuspend 1\nenddate 1800000000\n";
    let whole: [(&str, &[u8]); 5] = [
        ("config", config),
        ("member.dump", members),
        ("owner.dump", b"email boss@example.org\nprofile privileged\n"),
        ("message.footer", b"[% list.name %] $5 [%- x -%]\n"),
        ("search_filters/blocklist.txt", b"bad@example.org\n*@spam.example\n"),
    ];
    let spool = Spool::new(&whole);
    let mut mutations = Mutations::default();
    let mut members = 0;
    for round in 0..10_000 {
        let (name, text) = whole[mutations.below(whole.len())];
        spool.write(name, &mutations.of(text));
        if let Ok(list) = spool.read() {
            members += list.people.len();
            let is_sound = list.people.iter().all(|who| EmailAddress::parse(&who.address).is_ok());
            assert!(is_sound && list.left_behind.len() <= 1000, "{round}");
            let settings = list.settings.get("moderate").and_then(Value::as_u64);
            assert!(settings.is_some_and(|bits| bits < 32), "{round}: {settings:?}");
        }
    }
    assert!(5_000 < members, "most lists were read: {members}");
}
