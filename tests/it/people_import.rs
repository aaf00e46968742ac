//! Imports of people on administrators' pages: what would happen, the task, the refused rows, stops and restarts.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::harness::http::Response;
use crate::harness::visitor::Visitor;
use crate::people_pages::admin;

const PATH: &str = "/admin/people/import/";
const DAY: Duration = Duration::from_hours(24);
/// Looks at a page that waits for the server's own work.
const LOOKS_MAX: usize = 20_000;

async fn manager(app: &TestApp) -> Visitor {
    admin(app, "eve@example.org", json!({"permissions": ["account_admin"]})).await
}

#[track_caller]
fn has(response: &Response, status: u16, words: &str) {
    assert_eq!(response.status, status, "{}", response.body);
    assert!(response.body.contains(words), "{words:?} is not in {}", response.body);
}

/// The four counts of a page: new, changed, the same, refused.
fn counts(page: &Response) -> [String; 4] {
    let mut found = page.body.split("<dd>").skip(1).map(|rest| rest.split('<').next().unwrap().to_owned());
    std::array::from_fn(|_| found.next().unwrap_or_else(|| panic!("no counts: {}", page.body)))
}

/// Sends pasted rows; answers the page that says what would happen.
async fn paste(visitor: &mut Visitor, rows: &str) -> Response {
    let page = visitor.get(PATH).await;
    let form = Visitor::form(&page, PATH, &["name=\"csv\""]);
    visitor.submit(&form, &[("csv", rows), ("action", "preview")]).await
}

/// The path of the task that a preview leads to.
fn task_of(preview: &Response) -> String {
    let form = Visitor::form(preview, PATH, &["value=\"import\""]);
    form.action.to_owned()
}

/// Presses the button that imports; answers the path of the task.
async fn begin(visitor: &mut Visitor, preview: &Response, fields: &[(&str, &str)]) -> String {
    let form = Visitor::form(preview, PATH, &["value=\"import\""]);
    let begun = visitor.submit(&form, &[fields, &[("action", "import")]].concat()).await;
    assert_eq!(begun.status, 303, "{}", begun.body);
    begun.header("location").unwrap().to_owned()
}

/// Looks at the page of a task until it has these words.
async fn wait_for(visitor: &mut Visitor, task: &str, words: &str) -> Response {
    for _ in 0..LOOKS_MAX {
        let page = visitor.get(task).await;
        assert_eq!(page.status, 200, "{}", page.body);
        if page.body.contains(words) {
            return page;
        }
    }
    panic!("the import does not get there: {}", visitor.get(task).await.body);
}

async fn contacts(app: &TestApp) -> u64 {
    app.admin.get("/api/2/contacts/?limit=1").await.good()["count"].as_u64().unwrap()
}

async fn by_address(app: &TestApp, address: &str) -> Value {
    let path = format!("/api/2/contacts/?email={}", address.replace('@', "%40"));
    app.admin.get(&path).await.good()["data"][0].clone()
}

fn many(rows: usize) -> String {
    let mut text = String::from("email,firstname\n");
    for number in 0..rows {
        writeln!(text, "person{number}@example.org,P{number}").unwrap();
    }
    text
}

#[tokio::test]
async fn pasted_rows_are_looked_at_first_and_then_taken_in() {
    let app = TestApp::start().await;
    app.list("choir").create().await;
    app.admin
        .post_json("/api/2/contacts/", &json!({"emails": ["ines@example.org"], "firstname": "Ines"}))
        .await
        .good();
    let mut eve = manager(&app).await;
    let rows = "Address;Given name;Surname\nada@example.org;Ada;Lovelace\nines@example.org;In\u{e9}s;\n\
                nobody;Nob;Ody\nada@example.org;Ada;Lovelace\n;;Nix\n";
    let preview = paste(&mut eve, rows).await;
    has(&preview, 200, "This is what would happen");
    // `Address` is a name that could mean a street, so somebody says what it is.
    let form = Visitor::form(&preview, PATH, &["value=\"import\""]);
    let unclear = eve.submit(&form, &[("column-0", ""), ("action", "import")]).await;
    has(&unclear, 400, "Please say which column has the addresses.");
    let fields = [("column-0", "emails"), ("column-1", "firstname"), ("existing", "update")];
    let preview = eve.submit(&form, &[&fields[..], &[("action", "preview")]].concat()).await;
    assert_eq!(counts(&preview), ["1", "1", "1", "2"], "{}", preview.body);
    has(&preview, 200, "at least one address is needed");
    assert_eq!(contacts(&app).await, 1, "nothing has changed yet");

    let fields = [&fields[..], &[("column-2", "surname"), ("list", "choir")]].concat();
    let task = begin(&mut eve, &preview, &fields).await;
    let done = wait_for(&mut eve, &task, "The import is done.").await;
    assert_eq!(counts(&done), ["1", "1", "1", "2"], "{}", done.body);
    let ada = by_address(&app, "ada@example.org").await;
    assert_eq!((&ada["firstname"], &ada["surname"]), (&json!("Ada"), &json!("Lovelace")));
    assert_eq!(by_address(&app, "ines@example.org").await["firstname"], "In\u{e9}s");
    assert_eq!(app.members("choir").await.len(), 2);

    let refused = eve.get(&format!("{task}refused/")).await;
    assert_eq!(refused.header("content-type"), Some("text/csv; charset=utf-8"));
    let lines: Vec<&str> = refused.body.lines().collect();
    assert_eq!(lines[0], "\u{feff}emails,firstname,surname,reject_reason");
    assert!(lines[1].starts_with("nobody,Nob,Ody,") && lines[1].contains("nobody"), "{lines:?}");
    assert!(
        lines[2].starts_with(",,Nix,") && lines[2].ends_with("at least one address is needed"),
        "{lines:?}"
    );
    assert_eq!(lines.len(), 3);

    let log = app.admin.get("/api/2/audit/?action=contact.imported").await.good();
    assert_eq!(log["count"], 1, "one entry for all rows");
    assert_eq!(log["data"][0]["detail"], "1 made, 1 changed, 1 skipped, 2 refused");
    assert_eq!(
        (&log["data"][0]["via"], &log["data"][0]["actor"]["name"]),
        (&json!("page"), &json!("eve@example.org"))
    );
    // The same once more leads nowhere, and the page says so.
    let again = eve.get(&task).await;
    assert!(!again.body.contains("value=\"import\""), "{}", again.body);
    has(&eve.get(PATH).await, 200, "Pasted rows");
}

#[tokio::test]
async fn a_file_of_another_encoding_and_separator_is_read() {
    let app = TestApp::start().await;
    let mut eve = manager(&app).await;
    let page = eve.get(PATH).await;
    let csrf =
        page.body.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let mut body = Vec::new();
    for (name, value) in [("csrf", csrf.as_str()), ("csv", ""), ("separator", ""), ("charset", "")] {
        body.extend(
            format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").bytes(),
        );
    }
    body.extend(
        b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"C:\\\\fake\\\\choir.csv\"\r\n",
    );
    body.extend(b"Content-Type: text/csv\r\n\r\nE-Mail\tVorname\tNachname\r\n");
    body.extend(b"rene@example.org\tRen\xe9\tM\xfcller\r\n\r\n");
    body.extend(b"--x\r\nContent-Disposition: form-data; name=\"action\"\r\n\r\npreview\r\n--x--\r\n");
    let preview = eve.post_raw(PATH, "multipart/form-data; boundary=x", &body).await;
    has(&preview, 200, "choir.csv, 1 row, tabs, windows-1252");
    for label in ["E-Mail</label>", "Vorname</label>", "Nachname</label>"] {
        assert!(preview.body.contains(label), "{label} is not in {}", preview.body);
    }
    let task = begin(
        &mut eve,
        &preview,
        &[("column-0", "emails"), ("column-1", "firstname"), ("column-2", "surname")],
    )
    .await;
    wait_for(&mut eve, &task, "The import is done.").await;
    let rene = by_address(&app, "rene@example.org").await;
    assert_eq!((&rene["firstname"], &rene["surname"]), (&json!("Ren\u{e9}"), &json!("M\u{fc}ller")));
}

#[tokio::test]
async fn what_cannot_be_read_is_told_at_its_field() {
    let app = TestApp::start().await;
    let mut eve = manager(&app).await;
    for (rows, words) in [
        ("", "There are no rows in it."),
        ("\n ; \n", "There are no rows in it."),
        ("email,name\n", "no rows below them"),
        (&format!("email{}\na@x.org\n", ",x".repeat(150)), "That is too much at once"),
    ] {
        let refused = paste(&mut eve, rows).await;
        has(&refused, 400, words);
        assert!(refused.body.contains("href=\"#file\""), "{}", refused.body);
    }
    // Nothing of that is kept.
    assert!(!app.dump("import").contains("Import {"));
}

#[tokio::test]
async fn an_import_goes_on_behind_a_restart_and_counts_nobody_twice() {
    let mut app = TestApp::start().await;
    let mut eve = manager(&app).await;
    let preview = paste(&mut eve, &many(3000)).await;
    assert_eq!(counts(&preview), ["3000", "0", "0", "0"]);
    let task = begin(&mut eve, &preview, &[]).await;
    // Stopped as it happens to be: the next start goes on.
    app.restart().await;
    let mut eve = eve.again(&app);
    let done = wait_for(&mut eve, &task, "The import is done.").await;
    assert_eq!(contacts(&app).await, 3000);
    let [new, changed, same, refused] = counts(&done);
    let number = |text: String| text.replace(',', "").parse::<u64>().unwrap();
    assert_eq!(
        number(new) + number(same),
        3000,
        "a row that was looked at twice is the same the second time"
    );
    assert_eq!((changed.as_str(), refused.as_str()), ("0", "0"));
    let log = app.admin.get("/api/2/audit/?action=contact.imported").await.good();
    assert_eq!(log["count"], 1);
}

#[tokio::test]
async fn an_import_is_stopped_and_continued() {
    let app = TestApp::start().await;
    let mut eve = manager(&app).await;
    let preview = paste(&mut eve, &many(20_000)).await;
    let task = begin(&mut eve, &preview, &[]).await;
    let page = eve.get(&task).await;
    let form = Visitor::form(&page, &task, &["value=\"stop\""]);
    has(&eve.submit(&form, &[]).await, 400, "Please press one of the buttons.");
    assert_eq!(eve.submit(&form, &[("action", "stop")]).await.status, 303);
    has(&eve.get(&task).await, 200, "The import was stopped.");
    has(&eve.submit(&form, &[("action", "stop")]).await, 409, "does not run");
    let stopped = contacts(&app).await;
    assert!(stopped < 20_000, "{stopped}");
    let page = eve.get(&task).await;
    let form = Visitor::form(&page, &task, &["value=\"continue\""]);
    assert_eq!(eve.submit(&form, &[("action", "continue")]).await.status, 303);
    assert_eq!(eve.submit(&form, &[("action", "continue")]).await.status, 409);
    wait_for(&mut eve, &task, "The import is done.").await;
    assert_eq!(contacts(&app).await, 10_000, "the address book is full then");
    let refused = eve.get(&format!("{task}refused/")).await;
    assert_eq!(refused.body.lines().count(), 10_001);
    assert!(refused.body.contains("the address book is full"), "the reason stands there");
}

#[tokio::test]
async fn what_was_sent_is_kept_no_longer_than_it_is_needed() {
    let app = TestApp::start().await;
    let mut eve = manager(&app).await;
    let preview = paste(&mut eve, "email\nsecret-row@example.org\nsecret-draft\n").await;
    let draft = task_of(&preview);
    let preview = paste(&mut eve, "email\nsecret-row@example.org\nsecret-draft\n").await;
    let task = begin(&mut eve, &preview, &[]).await;
    wait_for(&mut eve, &task, "The import is done.").await;
    assert!(app.dump("refused_row").contains("secret-draft"));
    app.advance(DAY + Duration::from_mins(2)).await;
    let mut eve = admin(&app, "ewa@example.org", json!({"permissions": ["account_admin"]})).await;
    assert_eq!(eve.get(&draft).await.status, 404, "a draft is kept for a day");
    has(&eve.get(&task).await, 200, "The import is done.");
    app.advance(7 * DAY).await;
    assert!(!app.dump("refused_row").contains("secret") && !app.dump("import").contains("Import {"));
}

#[tokio::test]
async fn who_does_not_manage_members_imports_nobody_and_who_is_limited_stays_within() {
    let app = TestApp::start().await;
    app.list("news").member("ada@example.org").create().await;
    app.list("talk").member("bob@example.org").create().await;
    let mut rita = admin(&app, "rita@example.org", json!({"permissions": ["send_messages"]})).await;
    assert_eq!(rita.get(PATH).await.status, 403);
    let limits = json!({"permissions": ["manage_members", "limit_lists"], "limit_lists": ["news"]});
    let mut lea = admin(&app, "lea@example.org", limits).await;
    let mut eve = manager(&app).await;
    let others = task_of(&paste(&mut eve, "email\nx@example.org\n").await);
    assert_eq!(lea.get(&others).await.status, 404, "of somebody else");
    assert_eq!(lea.get(&format!("{PATH}999/")).await.status, 404);
    let preview = paste(&mut lea, "email,lists\nnew@example.org,news\nother@example.org,talk\nnone@example.org,\nbob@example.org,news\n").await;
    assert!(!preview.body.contains("value=\"talk\""), "{}", preview.body);
    let task = begin(&mut lea, &preview, &[]).await;
    wait_for(&mut lea, &task, "The import is done.").await;
    assert_eq!(app.members("talk").await, ["bob@example.org"]);
    assert!(
        by_address(&app, "none@example.org").await.is_null(),
        "limited administrators add to their lists alone"
    );
    assert!(!by_address(&app, "new@example.org").await.is_null());
}

#[tokio::test]
async fn a_download_that_is_imported_again_changes_nobody() {
    let app = TestApp::start().await;
    app.list("choir").create().await;
    let rows = [("=SUM(1)", "+49 30 1234"), ("'=x", "@home"), ("-1", "'tis"), ("J\u{f6}rg", "''+1")];
    for (number, (firstname, notes)) in rows.iter().enumerate() {
        let fields = json!({
            "emails": [format!("m{number}@example.org")], "firstname": firstname, "notes": notes, "lists": ["choir"],
        });
        app.admin.post_json("/api/2/contacts/", &fields).await.good();
    }
    let mut eve = manager(&app).await;
    let file = eve.get("/admin/people/?format=csv").await.body;
    assert!(file.starts_with("\u{feff}id,ccid,") && file.contains(",+49 30 1234"), "{file}");
    let preview = paste(&mut eve, &file).await;
    assert_eq!(counts(&preview), ["0", "0", "4", "0"], "{}", preview.body);
}

#[tokio::test]
async fn the_state_of_a_row_is_never_left_out_and_makes_no_member() {
    let app = TestApp::start().await;
    app.list("choir").create().await;
    let mut eve = manager(&app).await;
    let rows = "email,Status\na@example.org,subscribed\nb@example.org,Unsubscribed\nc@example.org,pending\n\
                d@example.org,cleaned\ne@example.org,sometimes\n";
    let preview = paste(&mut eve, rows).await;
    assert_eq!(counts(&preview), ["1", "0", "0", "4"], "{}", preview.body);
    has(&preview, 200, "Says who gets mail; never left out");
    let task = begin(&mut eve, &preview, &[("column-1", ""), ("list", "choir")]).await;
    let done = wait_for(&mut eve, &task, "The import is done.").await;
    assert_eq!(counts(&done), ["1", "0", "0", "4"], "{}", done.body);
    assert_eq!(app.members("choir").await, ["a@example.org"]);
    let path = "/api/2/contacts/";
    let told = json!({"emails": ["b@example.org"], "lists": ["choir"]});
    app.admin.post_json(path, &told).await.error(409, "in another system");
}

#[tokio::test]
async fn refused_rows_are_told_in_the_language_of_who_downloads_them() {
    let app = TestApp::start().await;
    let mut eve = manager(&app).await;
    let preview = paste(&mut eve, "email,firstname\nnobody,Nob\n,Nix\nada@example.org,Ada,too,many\n").await;
    let task = begin(&mut eve, &preview, &[]).await;
    wait_for(&mut eve, &task, "The import is done.").await;
    let file = format!("{task}refused/");
    let english = eve.get(&file).await;
    has(&english, 200, "Address: nobody: must be one address of the form name@domain");
    has(&english, 200, "has 4 cells where the first row has 2");
    let german = eve.get(&format!("{file}?lang=de")).await;
    has(&german, 200, "Adresse: nobody: muss eine Adresse der Form name@domain sein");
    has(&german, 200, "Adresse: mindestens eine Adresse ist nötig");
    has(&german, 200, "hat 4 Zellen, die erste Zeile aber 2");
    // The record has facts and no sentence.
    let kept = app.dump("refused_row");
    assert!(kept.contains("TooManyCells") && !kept.contains("must be"), "{kept}");
}

#[tokio::test]
async fn an_import_stops_with_its_administrator_and_says_so_in_the_language_of_the_page() {
    let app = TestApp::start().await;
    let mut eve = manager(&app).await;
    let mut ewa = admin(&app, "ewa@example.org", json!({"permissions": ["account_admin"]})).await;
    let preview = paste(&mut eve, &many(9000)).await;
    let task = begin(&mut eve, &preview, &[]).await;
    app.admin.delete("/api/2/admins/eve@example.org/").await.good();
    let words = "gehört nicht mehr zur Verwaltung";
    wait_for(&mut ewa, &format!("{task}?lang=de"), words).await;
    has(&ewa.get(&format!("{task}?lang=en")).await, 200, "is no longer an administrator.");
}

#[tokio::test]
async fn a_preview_says_what_is_wrong_with_rows_in_the_language_of_the_page() {
    let app = TestApp::start().await;
    let mut eve = manager(&app).await;
    let page = eve.get(&format!("{PATH}?lang=de")).await;
    let form = Visitor::form(&page, PATH, &["name=\"csv\""]);
    let rows = "email,firstname\nnobody,Nob\n,Nix\nada@example.org,Ada,too,many\n";
    let preview = eve.submit(&form, &[("csv", rows), ("action", "preview")]).await;
    has(&preview, 200, "nobody: muss eine Adresse der Form name@domain sein");
    has(&preview, 200, "Adresse: mindestens eine Adresse ist nötig");
    has(&preview, 200, "hat 4 Zellen, die erste Zeile aber 2");
    for english in ["must be one address", "at least one address", "cells where"] {
        assert!(!preview.body.contains(english), "{english}: {}", preview.body);
    }
}

#[tokio::test]
async fn people_who_are_there_keep_their_names_and_get_what_they_lack() {
    let app = TestApp::start().await;
    app.list("choir").create().await;
    let ines = json!({"emails": ["ines@example.org"], "firstname": "Ines"});
    app.admin.post_json("/api/2/contacts/", &ines).await.good();
    let mut eve = manager(&app).await;
    let rows = "email,firstname,surname\nines@example.org,In\u{e9}s,Sol\nada@example.org,Ada,Byron\n\
                ada@example.org,Adda,\n";
    let preview = paste(&mut eve, rows).await;
    assert_eq!(counts(&preview), ["1", "1", "1", "0"], "{}", preview.body);
    has(&preview, 200, "Nobody is put on a list");
    has(&preview, 200, "first make a field under Settings");
    let task = begin(&mut eve, &preview, &[("list", "choir")]).await;
    let done = wait_for(&mut eve, &task, "The import is done.").await;
    assert_eq!(counts(&done), ["1", "1", "1", "0"], "{}", done.body);
    let ines = by_address(&app, "ines@example.org").await;
    assert_eq!((&ines["firstname"], &ines["surname"]), (&json!("Ines"), &json!("Sol")));
    assert_eq!(by_address(&app, "ada@example.org").await["firstname"], "Ada", "a later row renames nobody");
    assert_eq!(app.members("choir").await, ["ada@example.org", "ines@example.org"]);
    let people = done.body.split("href=\"").find(|rest| rest.contains("?list=choir")).unwrap();
    let people = people.split('"').next().unwrap().replace("&#38;", "&");
    has(&eve.get(&people).await, 200, "ada@<wbr>");
}

#[tokio::test]
async fn an_import_is_undone_but_for_who_did_something_since() {
    let app = TestApp::start().await;
    app.list("choir").create().await;
    app.list("news").create().await;
    let ines = json!({"emails": ["ines@example.org"], "firstname": "Ines"});
    app.admin.post_json("/api/2/contacts/", &ines).await.good();
    let mut eve = manager(&app).await;
    let rows = "email,surname\nines@example.org,Sol\nada@example.org,Byron\nbob@example.org,Farrow\n";
    let preview = paste(&mut eve, rows).await;
    assert!(!preview.body.contains("cannot be undone"), "{}", preview.body);
    let task = begin(&mut eve, &preview, &[("list", "choir")]).await;
    let done = wait_for(&mut eve, &task, "The import is done.").await;
    has(&done, 200, "Imported: ");
    app.join("bob@example.org", "news").await;
    let form = Visitor::form(&done, &task, &["value=\"undo\""]);
    let undone = eve.submit(&form, &[("action", "undo")]).await;
    has(&undone, 200, "As before: ");
    has(&undone, 200, "Farrow: somebody has made a change since.");
    assert_eq!(by_address(&app, "ada@example.org").await, Value::Null);
    assert_eq!(by_address(&app, "ines@example.org").await["surname"], "");
    assert_eq!(app.members("choir").await, ["bob@example.org"]);
    assert!(!eve.get(&task).await.body.contains("value=\"undo\""), "an import is undone once");
    let preview = paste(&mut eve, &many(1001)).await;
    has(&preview, 200, "An import of more than 1,000 rows cannot be undone.");
}

#[tokio::test]
async fn the_json_of_a_hosted_service_is_taken_by_what_its_members_decided() {
    let app = TestApp::start().await;
    app.list("choir").create().await;
    let mut eve = manager(&app).await;
    has(&paste(&mut eve, "[{\"email\": ").await, 400, "This is JSON that cannot be read");
    let member = |name: &str, status: &str, delivery: &str| {
        json!({"email": format!("{name}@example.org"), "full_name": name, "status": status, "email_delivery": delivery,
            "mod_status": "sub_modstatus_none", "created": "2019-05-06T07:08:09Z"})
    };
    let page = json!({"object": "list", "data": [
        member("ada", "sub_status_normal", "email_delivery_html_digest"),
        member("bob", "sub_status_pending", "email_delivery_single"),
    ]});
    let preview = paste(&mut eve, &page.to_string()).await;
    assert_eq!(counts(&preview), ["1", "0", "0", "1"], "{}", preview.body);
    let task = begin(&mut eve, &preview, &[("list", "choir")]).await;
    wait_for(&mut eve, &task, "The import is done.").await;
    let ada = by_address(&app, "ada@example.org").await;
    assert_eq!((&ada["firstname"], &ada["lists"][0]["digest"]), (&json!("ada"), &json!(1)));
    assert!(by_address(&app, "bob@example.org").await.is_null());
}

#[tokio::test]
async fn an_import_is_not_undone_for_whom_it_gave_a_list_on_which_something_changed_since() {
    let app = TestApp::start().await;
    app.list("choir").create().await;
    for address in ["ines@example.org", "ada@example.org"] {
        app.admin.post_json("/api/2/contacts/", &json!({"emails": [address]})).await.good();
    }
    let mut eve = manager(&app).await;
    let rows = "email,surname\nines@example.org,Sol\nada@example.org,Byron\nbob@example.org,Farrow\n";
    let preview = paste(&mut eve, rows).await;
    let task = begin(&mut eve, &preview, &[("list", "choir")]).await;
    let done = wait_for(&mut eve, &task, "The import is done.").await;
    let path = "/api/2/membership/?email=ines%40example.org&list=choir";
    let id = app.admin.get(path).await.good()["data"][0]["id"].to_string();
    app.admin.put(&format!("/api/2/membership/{id}/"), &[("digest", "1")]).await.good();
    app.pause("bob@example.org").await;
    let form = Visitor::form(&done, &task, &["value=\"undo\""]);
    let undone = eve.submit(&form, &[("action", "undo")]).await;
    has(&undone, 200, "As before: Byron.");
    has(&undone, 200, "Sol: somebody has made a change since.");
    has(&undone, 200, "Farrow: somebody has made a change since.");
    assert_eq!(app.members("choir").await, ["bob@example.org", "ines@example.org"]);
    assert_eq!(by_address(&app, "ines@example.org").await["surname"], "Sol");
}
