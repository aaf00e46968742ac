//! `crier import contacts` with the files that hosted services write: what their columns become, whom a file of people
//! who opted out keeps out, and lists that are kept the same as a file.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::harness::program;

/// Writes a file into the data folder.
fn write(app: &TestApp, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = app.folder().join(name);
    std::fs::write(&path, content).unwrap();
    path
}

/// A zip with these files.
fn zipped(app: &TestApp, name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = app.folder().join(name);
    let mut writer = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    for (name, text) in files {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    path
}

/// Runs `crier import contacts` on the server; answers its exit code, its numbers, and what it told beside them.
async fn run(app: &TestApp, flags: &[&str], files: &[&PathBuf]) -> (Option<i32>, Value, String) {
    let mut command = program::crier();
    command.args(["import", "contacts", "--json", "--data"]).arg(app.folder()).args(files).args(flags);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    let numbers = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code(), numbers, told)
}

/// Imports a file into the list `club` as a dry run and then in earnest; the numbers are the same, and a second time
/// nothing changes.
async fn import(app: &TestApp, file: &PathBuf) -> (Value, String) {
    let without_time = |mut numbers: Value| {
        for name in ["seconds", "contacts_per_second", "dry_run"] {
            numbers[name] = Value::Null;
        }
        numbers
    };
    let (_, rehearsed, told) = run(app, &["--list", "club", "--dry-run"], &[file]).await;
    let (_, numbers, _) = run(app, &["--list", "club"], &[file]).await;
    assert_eq!(without_time(rehearsed), without_time(numbers.clone()), "{told}");
    let before = app.dump("contact") + &app.dump("membership") + &app.dump("email") + &app.dump("opt_out");
    let (_, again, _) = run(app, &["--list", "club"], &[file]).await;
    assert_eq!((&again["created"], &again["updated"]), (&json!(0), &json!(0)), "{again}");
    let after = app.dump("contact") + &app.dump("membership") + &app.dump("email") + &app.dump("opt_out");
    assert_eq!(before, after, "a second import changes nothing");
    assert_eq!(app.sink.copies(), 0, "nobody is mailed");
    (numbers, told)
}

fn numbers(summary: &Value) -> [u64; 4] {
    ["created", "updated", "skipped", "rejected"].map(|name| summary[name].as_u64().unwrap())
}

async fn club(fields: &[&str]) -> TestApp {
    let app = TestApp::start().await;
    app.list("club").create().await;
    for field in fields {
        let mut command = program::crier();
        command.args(["field", "add", field, "--data"]).arg(app.folder());
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    app
}

async fn person(app: &TestApp, address: &str) -> Value {
    let path = format!("/api/2/contacts/?email={}", address.replace('@', "%40"));
    app.admin.get(&path).await.good()["data"][0].clone()
}

const GOOGLE: &str = "Members for group club\n\
    Email address,Nickname,Group status,Email status,Email preference,Posting permissions,Join year,Join month,\
    Join day,Join hour,Join minute,Join second,Time zone\n\
    cy@x.org,Cy Young,owner,,email,allowed,2020,1,2,3,4,5,UTC\n\
    di@x.org,Di,member,,digest,allowed,2020,1,2,3,4,5,UTC\n\
    ed@x.org,Ed,manager,bouncing,email,allowed,2020,1,2,3,4,5,UTC\n\
    flo@x.org,Flo,member,,no email,not allowed,2020,1,2,3,4,5,UTC\n\
    gus@x.org,Gus,member,,abridged,allowed,2020,1,2,3,4,5,UTC\n\
    hal@x.org,Hal,invited,,email,allowed,2020,1,2,3,4,5,UTC\n";

#[tokio::test]
async fn members_of_google_groups_keep_digests_pauses_and_the_day_they_joined() {
    let app = club(&[]).await;
    let file = write(&app, "members.csv", GOOGLE);
    let (done, told) = import(&app, &file).await;
    assert_eq!((numbers(&done), &done["origins"]), ([5, 0, 0, 1], &json!(["Google Groups"])), "{told}");
    assert!(told.contains("line 8:") && told.contains("(Group status: invited)"), "{told}");
    assert_eq!(
        done["not_taken_over"],
        json!({
            "Time zone": 5,
            "Posting permissions: not allowed (they post like others)": 1,
            "Email preference: abridged (the daily digest in its place)": 1,
        })
    );
    let roles = json!([{"email": "cy@x.org", "role": "owner"}, {"email": "ed@x.org", "role": "manager"}]);
    assert_eq!(done["roles"], roles);
    let cy = person(&app, "cy@x.org").await;
    assert_eq!((&cy["firstname"], &cy["surname"]), (&json!("Cy"), &json!("Young")));
    assert_eq!(cy["lists"][0]["digest"], Value::Null);
    for digest in ["di@x.org", "gus@x.org"] {
        assert_eq!(person(&app, digest).await["lists"][0]["digest"], 1, "{digest}");
    }
    assert_eq!(person(&app, "flo@x.org").await["lists"][0]["paused"], true);
    assert_eq!(person(&app, "ed@x.org").await["emails"][0]["paused"], true);
    let memberships = app.dump("membership");
    let joined = crier::clock::Timestamp::parse_rfc3339("2020-01-02T03:04:05Z").unwrap();
    assert_eq!(memberships.matches(&format!("{joined:?}")).count(), 5, "{memberships}");
}

#[tokio::test]
async fn members_of_groups_io_come_as_csv_and_as_json() {
    let csv = "id,email,full_name,user_name,created,status,user_status,email_delivery,post_status,mod_status\n\
        1,a@x.org,Ann Lee,annie,2019-05-06T07:08:09Z,sub_status_normal,user_status_confirmed,\
        email_delivery_single,sub_post_default,sub_modstatus_owner\n\
        2,b@x.org,,bobby,2019-05-06T07:08:09Z,sub_status_normal,user_status_confirmed,\
        email_delivery_html_digest,sub_post_default,sub_modstatus_none\n\
        3,c@x.org,Cat,,2019-05-06T07:08:09Z,sub_status_normal,user_status_bouncing,\
        email_delivery_special,sub_post_moderated,sub_modstatus_none\n\
        4,d@x.org,Dan,,2019-05-06T07:08:09Z,sub_status_pending,user_status_unconfirmed,\
        email_delivery_single,sub_post_default,sub_modstatus_none\n\
        5,e@x.org,Eve,,2019-05-06T07:08:09Z,sub_status_banned,user_status_confirmed,\
        email_delivery_single,sub_post_default,sub_modstatus_none\n\
        6,f@x.org,Fay,,2019-05-06T07:08:09Z,sub_status_normal,user_status_confirmed,\
        email_delivery_none,sub_post_default,sub_modstatus_none\n";
    let mut objects = Vec::new();
    let mut lines = csv.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    for line in lines {
        let cells = head.iter().zip(line.split(','));
        objects.push(
            cells.map(|(name, cell)| ((*name).to_owned(), json!(cell))).collect::<serde_json::Map<_, _>>(),
        );
    }
    let page = json!({"object": "list", "total_count": 6, "data": objects}).to_string();
    for (name, text) in
        [("members.csv", csv.to_owned()), ("members.json", page), ("bare.json", json!(objects).to_string())]
    {
        let app = club(&[]).await;
        let file = write(&app, name, text);
        let (done, told) = import(&app, &file).await;
        assert_eq!((numbers(&done), &done["opted_out"]), ([4, 0, 0, 2], &json!(1)), "{name} {told}");
        assert_eq!(done["origins"], json!(["Groups.io"]), "{name}");
        assert_eq!(done["roles"], json!([{"email": "a@x.org", "role": "owner"}]), "{name}");
        assert_eq!(
            done["not_taken_over"],
            json!({
                "id": 4,
                "post_status: sub_post_moderated (they post like others)": 1,
                "email_delivery: email_delivery_special (paused in its place)": 1,
            })
        );
        let ann = person(&app, "a@x.org").await;
        assert_eq!((&ann["firstname"], &ann["surname"]), (&json!("Ann"), &json!("Lee")));
        let bob = person(&app, "b@x.org").await;
        assert_eq!((&bob["firstname"], &bob["lists"][0]["digest"]), (&json!("bobby"), &json!(1)));
        assert_eq!(person(&app, "c@x.org").await["emails"][0]["paused"], true);
        assert_eq!(person(&app, "f@x.org").await["lists"][0]["paused"], true);
        let joined = crier::clock::Timestamp::parse_rfc3339("2019-05-06T07:08:09Z").unwrap();
        assert_eq!(app.dump("membership").matches(&format!("{joined:?}")).count(), 4);
        let told = json!({"emails": ["e@x.org"], "lists": ["club"]});
        app.admin.post_json("/api/2/contacts/", &told).await.error(409, "in another system");
    }
}

#[tokio::test]
async fn attributes_of_listmonk_fill_fields_that_exist_and_others_are_named() {
    let app = club(&["city"]).await;
    let text = "uuid,email,name,attributes,status,created_at,updated_at\n\
        u1,a@x.org,Ann Lee,\"{\"\"city\"\": \"\"Oslo\"\", \"\"shoe\"\": 38}\",enabled,2021-02-03T04:05:06Z,2021\n\
        u2,b@x.org,Bob,\"{\"\"shoe\"\": 40, \"\"note\"\": null}\",enabled,2021-02-03T04:05:06Z,2021\n\
        u3,c@x.org,Cat,{},blocklisted,2021-02-03T04:05:06Z,2021\n\
        u4,d@x.org,Dan,{},disabled,2021-02-03T04:05:06Z,2021\n";
    let (done, told) = import(&app, &write(&app, "subscribers.csv", text)).await;
    assert_eq!((numbers(&done), &done["opted_out"]), ([2, 0, 0, 2], &json!(1)), "{told}");
    assert_eq!(done["not_taken_over"], json!({"uuid": 2, "updated_at": 2, "attributes: shoe": 2}));
    assert_eq!(person(&app, "a@x.org").await["city"], "Oslo");
}

#[tokio::test]
async fn subscribers_of_phplist_are_read_from_its_tabs_and_questions() {
    let app = club(&["Country"]).await;
    let text = "id\tEmail\tIs the email of this user confirmed\tIs this user blacklisted\t\
        Did this user manually confirm\tNumber of bounces on this user\tEntered\tLast Modified\tUnique ID for User\t\
        Send this user HTML emails\tIs this account disabled?\tCountry\tList Membership\n\
        1\ta@x.org\t1\t0\t0\t0\t2018-01-02 03:04:05\t2018-01-02 03:04:05\tq\t1\t0\tNorway\tnews club \n\
        2\tb@x.org\t0\t0\t0\t0\t2018-01-02 03:04:05\t2018-01-02 03:04:05\tq\t1\t0\tPeru\tNo Lists\n\
        3\tc@x.org\t1\t1\t1\t0\t2018-01-02 03:04:05\t2018-01-02 03:04:05\tq\t1\t0\tPeru\tnews \n\
        4\td@x.org\t1\t0\t1\t0\t2018-01-02 03:04:05\t2018-01-02 03:04:05\tq\t1\t1\tPeru\tnews \n";
    let (done, told) = import(&app, &write(&app, "phplist.csv", text)).await;
    assert_eq!((numbers(&done), &done["opted_out"]), ([1, 0, 0, 3], &json!(1)), "{told}");
    assert_eq!(done["origins"], json!(["phpList"]));
    assert_eq!(done["not_taken_over"]["List Membership"], 1);
    assert_eq!(person(&app, "a@x.org").await["Country"], "Norway");
    let joined = crier::clock::Timestamp::parse_rfc3339("2018-01-02T03:04:05Z").unwrap();
    assert!(app.dump("membership").contains(&format!("{joined:?}")));
}

const MAILCHIMP: &str = "Email Address,First Name,Last Name,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,\
    LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,LAST_CHANGED,LEID,EUID,NOTES";

#[tokio::test]
async fn the_zip_of_a_mailchimp_audience_is_read_with_each_of_its_files() {
    let app = club(&[]).await;
    let row = |address: &str| {
        format!(
            "{address},Ann,Lee,2,2020-01-01 10:00:00,198.51.100.7,2020-01-02 11:00:00,192.0.2.1,,,,,,US,,2020,1,2,"
        )
    };
    let subscribed = format!("{MAILCHIMP},TAGS\n{},\"\"\"vip\"\"\"\n", row("a@x.org"));
    let unsubscribed = format!(
        "{MAILCHIMP},UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_REASON,TAGS\n{},2021-02-03 10:00:00,May,N/A,\n",
        row("b@x.org")
    );
    let cleaned = format!("{MAILCHIMP},CLEAN_TIME,TAGS\n{},2021-02-03 10:00:00,\n", row("c@x.org"));
    let nonsubscribed = format!("{MAILCHIMP},TAGS\n{},\n", row("d@x.org"));
    let file = zipped(
        &app,
        "audience_export_1a2b.zip",
        &[
            ("subscribed_email_audience_export_1a2b.csv", subscribed.as_str()),
            ("unsubscribed_email_audience_export_1a2b.csv", &unsubscribed),
            ("cleaned_email_audience_export_1a2b.csv", &cleaned),
            ("nonsubscribed_email_audience_export_1a2b.csv", &nonsubscribed),
        ],
    );
    let (done, told) = import(&app, &file).await;
    assert_eq!((numbers(&done), &done["opted_out"]), ([1, 0, 0, 3], &json!(1)), "{told}");
    assert_eq!((&done["origins"], &done["not_taken_over"]["TAGS"]), (&json!(["Mailchimp"]), &json!(1)));
    assert_eq!(app.members("club").await, ["a@x.org"]);
    let confirmed = crier::clock::Timestamp::parse_rfc3339("2020-01-02T11:00:00Z").unwrap();
    let memberships = app.dump("membership");
    assert!(
        memberships.contains(&format!("{confirmed:?}")) && memberships.contains("192.0.2.1"),
        "{memberships}"
    );
    let told = json!({"emails": ["b@x.org"], "lists": ["club"]});
    app.admin.post_json("/api/2/contacts/", &told).await.error(409, "in another system");

    let bomb = zipped(&app, "bomb.zip", &[("people.csv", &"a".repeat(32 << 20))]);
    let (code, _, told) = run(&app, &["--list", "club"], &[&bomb]).await;
    assert!(code == Some(1) && told.contains("200 times its size"), "{told}");
    let out = zipped(&app, "out.zip", &[("../people.csv", "email\nx@x.org\n")]);
    let (code, _, told) = run(&app, &["--list", "club"], &[&out]).await;
    assert!(code == Some(1) && told.contains("leads out of it"), "{told}");
}

#[tokio::test]
async fn people_of_keila_mailtrain_and_simplelists_are_taken_by_what_they_decided() {
    let app = club(&["city"]).await;
    let keila = "Email,First name,Last name,Data,Status,External ID\n\
        a@x.org,Ann,Lee,\"{\"\"city\"\": \"\"Rome\"\", \"\"age\"\": 3}\",active,k1\n\
        b@x.org,Bob,Ray,,unsubscribed,\n\
        c@x.org,Cat,Roe,,unreachable,\n";
    let (done, told) = import(&app, &write(&app, "keila.csv", keila)).await;
    assert_eq!((numbers(&done), &done["origins"]), ([2, 0, 0, 1], &json!(["Keila"])), "{told}");
    assert_eq!(done["not_taken_over"], json!({"Data: age": 1, "External ID": 1}));
    assert_eq!(person(&app, "a@x.org").await["city"], "Rome");
    assert_eq!(person(&app, "c@x.org").await["emails"][0]["paused"], true);

    let mailtrain = "cid,status,HASH_EMAIL,EMAIL,MERGE_FIRST_NAME,MERGE_LAST_NAME,MERGE_SHOE\n\
        c1,subscribed,h,d@x.org,Dan,Fox,38\nc2,complained,h,e@x.org,Eve,Fox,\nc3,bounced,h,f@x.org,Fay,Fox,\n";
    let (done, told) = import(&app, &write(&app, "mailtrain.csv", mailtrain)).await;
    assert_eq!((numbers(&done), &done["origins"]), ([2, 0, 0, 1], &json!(["Mailtrain"])), "{told}");
    assert_eq!(done["not_taken_over"], json!({"cid": 2, "HASH_EMAIL": 2, "MERGE_SHOE": 1}));
    assert_eq!(person(&app, "d@x.org").await["surname"], "Fox");

    let simplelists = "id,ccid,firstname,surname,emails,lists,notes,created\n\
        7,,Gil,Orr,\"g@x.org,gil@x.org\",club,sings,2020\n";
    let (done, told) = import(&app, &write(&app, "simplelists.csv", simplelists)).await;
    assert_eq!(numbers(&done), [1, 0, 0, 0], "{told}");
    let gil = person(&app, "gil@x.org").await;
    assert_eq!((&gil["notes"], &gil["emails"][0]["email"]), (&json!("sings"), &json!("g@x.org")));
}

#[tokio::test]
async fn people_of_a_file_of_opted_out_addresses_are_added_by_nobody_until_they_ask() {
    let app = club(&[]).await;
    app.list("news").open().create().await;
    app.admin.post_json("/api/2/contacts/", &json!({"emails": ["in@x.org"], "lists": ["news"]})).await.good();
    let gone = write(
        &app,
        "gone.csv",
        "Email Address,UNSUB_REASON\na@x.org,N/A\nA@x.org,N/A\nb@x.org,\nnobody,\nin@x.org,\n",
    );
    let flags = ["--list", "news", "--opted-out", gone.to_str().unwrap()];
    let (code, done, told) = run(&app, &flags, &[]).await;
    assert_eq!((code, &done["kept_out"], numbers(&done)), (Some(1), &json!(2), [0, 0, 1, 2]), "{told}");
    assert!(
        told.contains("line 5:") && told.contains("line 6: emails: is a member of news already"),
        "{told}"
    );
    assert_eq!(app.members("news").await, ["in@x.org"], "who joined here stays");
    let (_, again, _) = run(&app, &flags, &[]).await;
    assert_eq!((&again["kept_out"], numbers(&again)), (&json!(0), [0, 0, 3, 2]));

    // No import, batch, page or call adds them to that list; to another one they may come.
    let all = write(&app, "all.csv", "email\na@x.org\nb@x.org\nc@x.org\n");
    let (_, done, told) = run(&app, &["--list", "news"], &[&all]).await;
    assert_eq!((numbers(&done), &done["opted_out"]), ([1, 0, 0, 2], &json!(2)), "{told}");
    let (_, done, _) = run(&app, &["--list", "club"], &[&all]).await;
    assert_eq!(numbers(&done), [2, 0, 1, 0]);
    // With both in one command, the people who opted out are known before anybody is added.
    let whole = write(&app, "whole.txt", "d@x.org\n");
    let more = write(&app, "more.csv", "email\nd@x.org\ne@x.org\n");
    let (_, done, _) = run(&app, &["--list", "club", "--opted-out", whole.to_str().unwrap()], &[&more]).await;
    assert_eq!((numbers(&done), &done["kept_out"]), ([1, 0, 0, 1], &json!(1)));
    // Of the whole account, without a list.
    let (_, done, _) = run(&app, &["--opted-out", whole.to_str().unwrap()], &[]).await;
    assert_eq!(done["kept_out"], 1);
    let told = json!({"emails": ["d@x.org"], "lists": ["news"]});
    app.admin.post_json("/api/2/contacts/", &told).await.error(409, "in another system");
    // The person asks.
    let page = app.anon.at_host("lists.example.org");
    let fields = [("list", "news"), ("email", "a@x.org"), ("name", "Ann")];
    assert_eq!(page.post("/subscribe/", &fields).await.status, 200);
    app.settle().await;
    let text = app.sink.mail_to("a@x.org").text().replace("=\n", "");
    let (_, path) = text.split_once("https://lists.example.org/confirm/").unwrap();
    let path = format!("/confirm/{}", path.split_whitespace().next().unwrap());
    assert_eq!(page.post(&path, &[("action", "confirm")]).await.status, 200);
    assert!(app.members("news").await.contains(&"a@x.org".to_owned()));
}

#[tokio::test]
async fn a_list_is_kept_the_same_as_a_file_and_each_change_is_in_the_log() {
    let app = club(&[]).await;
    let people = |names: &[&str]| {
        let rows: Vec<String> = names.iter().map(|name| format!("{name}@x.org,{name}\n")).collect();
        let rows = rows.concat();
        format!("email,firstname\n{rows}")
    };
    let ten = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let sync = ["--sync", "--list", "club"];
    let file = write(&app, "people.csv", people(&ten));
    let (code, done, told) = run(&app, &sync, &[&file]).await;
    assert_eq!((code, numbers(&done), &done["left"]), (Some(0), [10, 0, 0, 0], &json!(0)), "{told}");
    let (_, done, _) = run(&app, &sync, &[&file]).await;
    assert_eq!((numbers(&done), &done["left"]), ([0, 0, 10, 0], &json!(0)), "a second time nothing changes");

    // Two of ten leave, one joins, one has another name.
    let mut rows = people(&ten[2..]).replace("c@x.org,c", "c@x.org,Cleo");
    rows.push_str("k@x.org,k\n");
    let file = write(&app, "people.csv", &rows);
    let (_, dry, _) = run(&app, &[&sync[..], &["--dry-run"]].concat(), &[&file]).await;
    assert_eq!((numbers(&dry), &dry["left"], app.members("club").await.len()), ([1, 1, 7, 0], &json!(2), 10));
    let since = app.admin.get("/api/2/audit/?limit=1").await.good()["count"].as_u64().unwrap();
    let (code, done, _) = run(&app, &sync, &[&file]).await;
    assert_eq!((code, numbers(&done), &done["left"]), (Some(0), [1, 1, 7, 0], &json!(2)));
    let members = app.members("club").await;
    assert!(members.len() == 9 && members[0] == "c@x.org" && members[8] == "k@x.org", "{members:?}");
    let log = app.admin.get("/api/2/audit/?limit=20").await.good();
    let new = usize::try_from(log["count"].as_u64().unwrap() - since).unwrap();
    let mut actions: Vec<&str> = log["data"]
        .as_array()
        .unwrap()
        .iter()
        .take(new)
        .map(|entry| entry["action"].as_str().unwrap())
        .collect();
    actions.sort_unstable();
    let expected = [
        "contact.created",
        "contact.updated",
        "membership.created",
        "membership.deleted",
        "membership.deleted",
    ];
    assert_eq!(actions, expected);
    assert!(!person(&app, "a@x.org").await.is_null(), "who left the list stays a contact");

    // Who left by themselves is not put back, and that is no fault of the file.
    app.admin.post_json("/api/2/contacts/", &json!({"emails": ["l@x.org"]})).await.good();
    let gone = write(&app, "gone.txt", "l@x.org\n");
    run(&app, &["--list", "club", "--opted-out", gone.to_str().unwrap()], &[]).await;
    rows.push_str("l@x.org,l\n");
    let file = write(&app, "people.csv", &rows);
    let (code, done, told) = run(&app, &sync, &[&file]).await;
    assert_eq!((code, &done["opted_out"], numbers(&done)), (Some(0), &json!(1), [0, 0, 9, 1]), "{told}");

    // More than a fifth never leaves at once.
    let file = write(&app, "people.csv", people(&["c", "new"]));
    let (code, _, told) = run(&app, &sync, &[&file]).await;
    assert!(code == Some(1) && told.contains("8 of the 9 members of club are not in the file"), "{told}");
    assert_eq!(app.members("club").await, members, "nothing was changed");
    assert!(person(&app, "new@x.org").await.is_null());
    let (code, done, _) = run(&app, &[&sync[..], &["--force"]].concat(), &[&file]).await;
    assert_eq!((code, &done["left"]), (Some(0), &json!(8)));
    assert_eq!(app.members("club").await, ["c@x.org", "new@x.org"]);
    // A file whose rows say that somebody is unsubscribed takes that person out.
    let file = write(&app, "people.csv", "email,status\nc@x.org,unsubscribed\nnew@x.org,active\n");
    let (_, done, told) = run(&app, &[&sync[..], &["--force"]].concat(), &[&file]).await;
    assert_eq!(done["left"], 1, "{told}");
    assert_eq!(app.members("club").await, ["new@x.org"]);
    assert_eq!(app.sink.copies(), 0, "nobody is mailed");
}

#[tokio::test]
async fn a_report_that_only_its_owner_reads_names_what_was_refused_and_what_has_no_place() {
    let app = club(&[]).await;
    let file = write(&app, "members.csv", GOOGLE);
    let report = app.folder().join("report.csv");
    let (code, _, told) =
        run(&app, &["--list", "club", "--report", report.to_str().unwrap()], &[&file]).await;
    assert_eq!(code, Some(1), "{told}");
    assert_eq!(std::fs::metadata(&report).unwrap().permissions().mode() & 0o777, 0o600);
    let text = std::fs::read_to_string(&report).unwrap();
    for part in [
        "source,place,outcome,reason\n",
        "members.csv,line 8,refused,",
        "members.csv,line 3,administrator,cy@x.org is owner there: crier admin create cy@x.org\n",
        ",,not taken over,Time zone: 5 people\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}
