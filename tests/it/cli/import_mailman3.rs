//! `crier import mailman3`: lists taken over from a server that answers as Mailman 3.3.10 does.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::objects::{shown, told, words};
use super::{bad, folder, good, run, set_up, text};

/// Base64 of `restadmin:secret`.
const AUTHORIZATION: &str = "Basic cmVzdGFkbWluOnNlY3JldA==";
/// Entries that the server gives at a time, however many are asked for.
const PAGE: usize = 2;

/// A server with these collections and objects by their paths. It notes how many requests for preferences there were,
/// and how many at a time.
struct Mailman {
    url: String,
    preferences: Arc<Mutex<(usize, usize, usize)>>,
}

fn entry(role: &str, number: usize, email: &str, name: &str, more: &Value) -> Value {
    let mut entry = json!({
        "address": format!("http://localhost:8001/3.1/addresses/{email}"), "bounce_score": 0,
        "last_warning_sent": "0001-01-01T00:00:00", "total_warnings_sent": 0, "delivery_mode": "regular",
        "email": email, "list_id": "choir.old.example", "subscription_mode": "as_address", "role": role,
        "user": format!("http://localhost:8001/3.1/users/{number}"), "display_name": name,
        "self_link": format!("http://localhost:8001/3.1/members/{number:032x}"),
        "member_id": format!("{number:032x}"), "http_etag": "\"x\"",
    });
    for (field, value) in more.as_object().unwrap() {
        entry[field] = value.clone();
    }
    entry
}

/// What the real server answered, written anew.
fn answers() -> BTreeMap<String, Value> {
    let list = "/3.1/lists/choir%2Eold%2Eexample";
    let members = json!([
        entry("member", 1, "ada@example.org", "Ada Lovelace", &json!({})),
        entry("member", 2, "bob@example.org", "Bob", &json!({"delivery_mode": "mime_digests"})),
        entry("member", 3, "eve@example.org", "", &json!({"delivery_mode": "plaintext_digests"})),
        entry("member", 4, "bounce@example.org", "", &json!({})),
        entry("member", 5, "quiet@example.org", "", &json!({"moderation_action": "hold"})),
    ]);
    let mut answers = BTreeMap::new();
    let mut put = |path: String, answer: Value| drop(answers.insert(path, answer));
    put(
        "/3.1/lists".to_owned(),
        json!([
            {"list_id": "choir.old.example", "fqdn_listname": "choir@old.example", "list_name": "choir"},
            {"list_id": "other.old.example", "fqdn_listname": "other@old.example", "list_name": "other"},
            {"list_id": "third.old.example", "fqdn_listname": "third@old.example", "list_name": "third"},
        ]),
    );
    put(
        format!("{list}/config"),
        json!({
            "list_name": "choir", "mail_host": "old.example", "fqdn_listname": "choir@old.example",
            "description": "We sing", "info": "Since 1999", "subject_prefix": "[Choir] ", "max_message_size": 400,
            "subscription_policy": "confirm_then_moderate", "unsubscription_policy": "confirm",
            "archive_policy": "private", "advertised": false, "default_member_action": "defer",
            "default_nonmember_action": "reject", "accept_these_nonmembers": ["friend@example.org", "^x.*"],
            "reject_these_nonmembers": [], "discard_these_nonmembers": ["troll@example.org"],
            "hold_these_nonmembers": [], "emergency": false, "reply_goes_to_list": "no_munging",
            "filter_content": true, "moderator_password": null, "member_roster_visibility": "members",
        }),
    );
    put(format!("{list}/roster/member"), members);
    put(format!("{list}/roster/owner"), json!([entry("owner", 10, "boss@example.org", "Boss", &json!({}))]));
    put(
        format!("{list}/roster/moderator"),
        json!([entry("moderator", 11, "mod@example.org", "", &json!({}))]),
    );
    put(
        format!("{list}/roster/nonmember"),
        json!([entry("nonmember", 12, "guest@example.org", "", &json!({"moderation_action": "accept"}))]),
    );
    put(format!("{list}/bans"), json!([{"email": "^spam.*@x.org"}, {"email": "bad@example.org"}]));
    put(
        format!("{list}/header-matches"),
        json!([{"position": 0, "header": "x-spam", "pattern": "Yes", "action": "hold"}]),
    );
    put(
        format!("{list}/requests"),
        json!([{"type": "subscription", "email": "wait@example.org", "display_name": ""}]),
    );
    put(format!("{list}/held"), json!([{"request_id": 1, "msg": "Subject: x\n\nHi\n"}]));
    put(format!("{list}/uris"), json!([{"name": "list:user:notice:welcome", "uri": "https://x.org/"}]));
    for (number, preferences) in [
        json!({}),
        json!({"delivery_status": "by_user", "receive_own_postings": false}),
        json!({"delivery_status": "enabled"}),
        json!({"delivery_status": "by_bounces"}),
        json!({"hide_address": true}),
    ]
    .into_iter()
    .enumerate()
    {
        let preferences = json!({"object": preferences});
        put(format!("/3.1/members/{:032x}/preferences", number + 1), preferences);
    }
    answers
}

/// The answer to a request: a page of a collection, or an object.
fn answer(answers: &BTreeMap<String, Value>, target: &str) -> (u16, Value) {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    match answers.get(path) {
        None => (404, json!({"title": "404 Not Found"})),
        Some(Value::Array(all)) => {
            let page = query
                .split('&')
                .find_map(|part| part.strip_prefix("page="))
                .unwrap()
                .parse::<usize>()
                .unwrap();
            // The size of the page is asked for; this server gives less.
            let start = (page - 1) * PAGE;
            let entries: Vec<&Value> = all.iter().skip(start).take(PAGE).collect();
            if entries.is_empty() {
                (200, json!({"start": start, "total_size": all.len()}))
            } else {
                (200, json!({"start": start, "total_size": all.len(), "entries": entries}))
            }
        }
        Some(Value::Object(object)) if object.contains_key("object") => (200, object["object"].clone()),
        Some(object) => (200, object.clone()),
    }
}

impl Mailman {
    fn start() -> Mailman {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/3.1", listener.local_addr().unwrap());
        let preferences: Arc<Mutex<(usize, usize, usize)>> = Arc::default();
        let (all, seen) = (Arc::new(answers()), Arc::clone(&preferences));
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let (all, seen, mut client) = (Arc::clone(&all), Arc::clone(&seen), client.unwrap());
                std::thread::spawn(move || {
                    let (mut head, mut byte) = (Vec::new(), [0]);
                    while !head.ends_with(b"\r\n\r\n") && client.read(&mut byte).unwrap_or(0) == 1 {
                        head.push(byte[0]);
                    }
                    let head = String::from_utf8(head).unwrap();
                    let Some(target) = head.split(' ').nth(1) else { return };
                    let is_preference = target.ends_with("/preferences");
                    if is_preference {
                        let mut seen = seen.lock().unwrap();
                        *seen = (seen.0 + 1, seen.1 + 1, seen.2.max(seen.1 + 1));
                    }
                    let (status, body) = if head.contains(AUTHORIZATION) {
                        answer(&all, target)
                    } else {
                        (
                            401,
                            json!({"title": "401 Unauthorized", "description": "REST API authorization failed"}),
                        )
                    };
                    if is_preference {
                        seen.lock().unwrap().1 -= 1;
                    }
                    let body = body.to_string();
                    let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n\r\n{body}", body.len());
                    let _ = client.write_all(head.as_bytes());
                });
            }
        });
        Mailman { url, preferences }
    }
}

/// The flags that reach a server.
fn line(mailman: &Mailman, data: &str) -> String {
    let path = Path::new(data).join("password");
    std::fs::write(&path, "secret\n").unwrap();
    format!("import mailman3 {} --password-file {}", mailman.url, path.display())
}

/// The numbers of an import. Who was not let in yet is refused, which the exit code says.
fn imported(data: &str, line: &str) -> Value {
    let output = run(&words(&format!("{line} --json"), data));
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("wait@example.org: is not confirmed"), "{}", text(&output.stderr));
    super::json(&text(&output.stdout))
}

#[test]
fn a_list_comes_over_with_its_people_and_a_second_import_changes_nothing() {
    let mailman = Mailman::start();
    let (_folder, data) = folder();
    set_up(&data);
    let line = format!("{} --list choir --administrators", line(&mailman, &data));
    let dry = imported(&data, &format!("{line} --dry-run"));
    assert_eq!(shown(&data, "contact list")["count"], 0, "a dry run keeps nothing");
    let done = imported(&data, &line);
    for kind in ["lists", "contacts", "memberships", "kept_out", "administrators"] {
        assert_eq!(dry[kind], done[kind], "{kind}");
    }
    assert_eq!(done["contacts"]["created"], 5, "{done}");
    assert_eq!(done["memberships"]["created"], 5, "{done}");
    assert_eq!(done["administrators"]["created"], 2, "{done}");
    assert_eq!(mailman.preferences.lock().unwrap().0, 10, "one request a member, twice");
    assert!(mailman.preferences.lock().unwrap().2 <= 8);

    let list = shown(&data, "list show choir");
    let facts = |names: &[&str]| names.iter().map(|name| list[*name].clone()).collect::<Vec<_>>();
    assert_eq!(
        facts(&["description", "notes", "subject_prefix", "maxlength", "subscriptions", "memberview"]),
        [
            json!("We sing"),
            json!("Since 1999"),
            json!("[Choir]"),
            json!(400),
            json!("open+confirm"),
            json!("")
        ]
    );
    assert_eq!(
        facts(&[
            "archive_protected",
            "archive_memberview",
            "archive_index_noshow",
            "moderate",
            "message_rejections"
        ]),
        [json!(true), json!(true), json!(true), json!(30), json!("reject")]
    );
    assert_eq!(list["restrict_post_allowed_emails"], json!(["friend@example.org", "guest@example.org"]));
    assert_eq!(list["restrict_post_banned_emails"], json!(["bad@example.org", "troll@example.org"]));
    assert_eq!(list["taboo_headers"], json!(["(?i)^x-spam:.*(?:Yes)"]));

    let of = |email: &str| shown(&data, &format!("contact show {email}"));
    let bob = of("bob@example.org");
    assert_eq!((&bob["lists"][0]["digest"], &bob["lists"][0]["paused"]), (&json!(1), &json!(true)));
    assert_eq!(of("eve@example.org")["lists"][0]["digest"], json!(1));
    assert_eq!(of("ada@example.org")["surname"], json!("Lovelace"));
    let bounced = of("bounce@example.org");
    assert_eq!(
        (&bounced["emails"][0]["paused"], &bounced["lists"][0]["paused"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(shown(&data, "contact list --search wait")["count"], 0, "who only asked is nobody");
    assert_eq!(shown(&data, "queue list")["data"], json!([]), "nobody is mailed");

    let again = imported(&data, &line);
    for kind in ["lists", "contacts", "memberships", "kept_out", "administrators"] {
        assert_eq!(again[kind]["created"], 0, "{kind} again: {again}");
        assert_eq!(again[kind]["rejected"], done[kind]["rejected"], "{kind} again: {again}");
    }
    assert!(good(&["verify", "--data", &data]).starts_with("All is well"));
}

#[test]
fn what_has_no_place_is_named() {
    let mailman = Mailman::start();
    let (_folder, data) = folder();
    set_up(&data);
    let done = imported(&data, &format!("{} --list choir", line(&mailman, &data)));
    let left = done["left_behind"].as_array().unwrap();
    for (what, people) in [
        ("held messages", 1),
        ("members who do not get their own posts", 1),
        ("members who are not shown in the list of members", 1),
        ("members whose posts wait for approval", 1),
        ("members who take digests of another form", 1),
        ("patterns of addresses that may or may not post or join", 0),
        ("texts list:user:notice:welcome", 0),
        ("filter_content", 0),
    ] {
        let found = left.iter().find(|it| it["what"] == what).unwrap_or_else(|| panic!("{what} in {done}"));
        assert_eq!(found["people"], people, "{what}");
    }
}

#[test]
fn the_preview_shows_settings_and_changes_nothing() {
    let mailman = Mailman::start();
    let (_folder, data) = folder();
    set_up(&data);
    let said = told(&data, &format!("{} --list choir --settings", line(&mailman, &data)));
    assert!(said.contains("choir@old.example becomes the list choir"), "{said}");
    assert!(
        said.contains("subscription_policy = confirm_then_moderate  ->  subscriptions: \"open+confirm\""),
        "{said}"
    );
    assert_eq!(shown(&data, "list list")["count"], 0);
}

#[test]
fn a_wrong_password_and_a_missing_list_are_told() {
    let mailman = Mailman::start();
    let (_folder, data) = folder();
    set_up(&data);
    let line = line(&mailman, &data);
    let (_, told) = bad(&words(&format!("{line} --list none"), &data));
    assert!(told.contains("there is no such list; there are choir@old.example, other@old.example"), "{told}");
    let (_, told) = bad(&words(&format!("{line} --user other"), &data));
    assert!(told.contains("REST API authorization failed. Are user and password"), "{told}");
}
