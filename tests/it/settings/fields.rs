//! Every field of lists and of accounts: what the page sets the API shows, and what the API sets the page shows. One
//! table has them all, and the description of the API says that none is missing.

use serde_json::{Value, json};

use super::controls::Fields;
use super::{described, done, head, page};
use crate::harness::TestApp;
use crate::harness::http::Response;

/// A field: its name, the values of its control, and its value in the API. A box that is not ticked has none.
type Row = (&'static str, &'static [&'static str], fn() -> Value);

const LIST: &[Row] = &[
    ("name", &["news-2"], || json!("news-2")),
    ("description", &["  The “news” <b>&amp;</b> more"], || json!("  The “news” <b>&amp;</b> more")),
    ("clid", &["x 17"], || json!("x 17")),
    ("notes", &["one\ntwo\n\nthree "], || json!("one\ntwo\n\nthree ")),
    ("maxlength", &["77"], || json!(77)),
    ("truncate", &["5000"], || json!(5000)),
    ("subject_prefix", &["[News] "], || json!("[News] ")),
    ("moderator", &["mo@example.org"], || json!("mo@example.org")),
    ("memberview", &["all-withemail"], || json!("all-withemail")),
    ("message_footer", &["\n-- \n$LIST: $UNSUBSCRIBE\n"], || json!("\n-- \n$LIST: $UNSUBSCRIBE\n")),
    ("message_footer_html", &["<p>$UNSUBSCRIBE &amp; more</p>"], || json!("<p>$UNSUBSCRIBE &amp; more</p>")),
    ("message_fronter", &["Dear $NAME,"], || json!("Dear $NAME,")),
    ("message_fronter_html", &["<b>Dear</b>"], || json!("<b>Dear</b>")),
    ("taboo_headers", &["^Subject:.*lottery\n^X-Spam: yes "], || {
        json!(["^Subject:.*lottery", "^X-Spam: yes "])
    }),
    ("taboo_body", &["cheap, now"], || json!(["cheap, now"])),
    ("reply_to", &["answers@example.org"], || json!("answers@example.org")),
    ("strip_attachments", &["1"], || json!(true)),
    ("subscriptions", &["open+confirm"], || json!("open+confirm")),
    ("unsubscriptions", &["closed"], || json!("closed")),
    ("rewrite_sender", &["1"], || json!(true)),
    ("original_sender_mode", &["notice"], || json!("notice")),
    ("hold_automated", &["1"], || json!(true)),
    ("hold_replies", &["1"], || json!(true)),
    ("hold_new", &["20"], || json!(20)),
    ("restrict_post_allowed_emails", &["ada@example.org\nbob@example.org"], || {
        json!(["ada@example.org", "bob@example.org"])
    }),
    ("restrict_post_banned_emails", &["eve@example.org"], || json!(["eve@example.org"])),
    ("restrict_post_lists", &["other", "third"], || json!(["other", "third"])),
    ("moderate", &["1", "2", "8", "16"], || json!(27)),
    ("message_rejections", &["reject"], || json!("reject")),
    ("notify_approval", &["daily"], || json!("daily")),
    ("welcome_message", &["Hello\nthere"], || json!("Hello\nthere")),
    ("welcome_message_subject", &["Hello $NAME"], || json!("Hello $NAME")),
    ("confirmation_subject", &["Sure?"], || json!("Sure?")),
    ("confirmation_message", &["$CONFIRM"], || json!("$CONFIRM")),
    ("hold_message", &["It waits: $REASON"], || json!("It waits: $REASON")),
    ("hold_subject", &["Waiting"], || json!("Waiting")),
    ("send_hold_message", &["1"], || json!(true)),
    ("reject_message", &["No: $REASON"], || json!("No: $REASON")),
    ("reject_subject", &["No"], || json!("No")),
    ("send_reject_message", &["1"], || json!(true)),
    ("merge_tags_enabled", &["1"], || json!(true)),
    ("merge_tags_default_name", &["friend"], || json!("friend")),
    ("archive_enabled", &[], || json!(false)),
    ("archive_spammode", &[], || json!(false)),
    ("archive_protected", &["1"], || json!(true)),
    ("archive_memberview", &["1"], || json!(true)),
    ("archive_index_noshow", &["1"], || json!(true)),
];

/// Fields that are kept and change nothing: the API has them, and no page asks for them.
const WITHOUT_EFFECT: [&str; 1] = ["hold_new"];

const ACCOUNT: &[Row] = &[
    ("name", &["test-2"], || json!("test-2")),
    ("description", &["The club & friends"], || json!("The club & friends")),
    ("confirmation_message", &["Please\nopen $CONFIRM"], || json!("Please\nopen $CONFIRM")),
    ("confirmation_subject", &["Sure?"], || json!("Sure?")),
    ("welcome_message", &["Hello $NAME"], || json!("Hello $NAME")),
    ("send_welcome_message_confirmation", &["1"], || json!(true)),
    ("send_welcome_message_contacts", &["1"], || json!(true)),
    ("timezone", &["Europe/Berlin"], || json!("Europe/Berlin")),
    ("custom_image", &["https://example.org/a.png"], || json!("https://example.org/a.png")),
    ("notify_approval", &["none"], || json!("none")),
    ("subscriptions", &["closed"], || json!("closed")),
    ("unsubscriptions", &["open+confirm"], || json!("open+confirm")),
    ("unsubscribe_confirm", &["1"], || json!(true)),
    ("list_delegation", &["1"], || json!(true)),
    ("restrict_contact", &["@example\\.org$\n^a, b"], || json!(["@example\\.org$", "^a, b"])),
    ("restrict_contact_subscription", &["@club"], || json!(["@club"])),
    ("require_list_approval", &["1"], || json!(true)),
    ("language", &["fr"], || json!("fr")),
];

/// The values of a control as a page has them: line ends are LF there, and browsers send CR LF.
fn sent(values: &[&str]) -> Vec<String> {
    values.iter().map(|value| value.replace('\n', "\r\n")).collect()
}

/// Fails unless the table has every field that a call may set.
#[track_caller]
fn complete(table: &[Row], path: &str, besides: &[&str]) {
    let mut names: Vec<String> = table.iter().map(|(name, ..)| (*name).to_owned()).collect();
    names.extend(besides.iter().map(|name| (*name).to_owned()));
    names.sort();
    let mut all = described(path);
    all.sort();
    assert_eq!(names, all);
}

/// Fails unless the form has exactly these values of each field, or the API does.
#[track_caller]
fn equal(table: &[Row], shown: &Fields, object: &Value) {
    for (name, values, expected) in table {
        assert_eq!(object[name], expected(), "{name}");
        let (mut shown, mut values) = (shown.all(name), values.to_vec());
        // Boxes stand in the order of the page.
        shown.sort_unstable();
        values.sort_unstable();
        assert_eq!(shown, values, "{name}");
    }
}

/// The pages of the settings of a list, below its own; the first can give it another name, so it is saved last.
const PARTS: [&str; 5] = ["writing/", "texts/", "archive/", "advanced/", ""];

/// The rows of a table that a page has.
fn rows_of(table: &[Row], page: &Response) -> Vec<Row> {
    let has = |name: &str| page.body.contains(&format!(" name=\"{name}\""));
    table.iter().filter(|(name, ..)| has(name)).copied().collect()
}

#[tokio::test]
async fn every_field_of_a_list_that_the_pages_set_the_api_shows_and_no_page_changes_another() {
    // A password is never shown, and one client program has another name for a field.
    complete(LIST, "/api/2/lists/{name}/", &["archive_password", "subs_memberview"]);
    let app = TestApp::start().await;
    prepare(&app).await;
    let mut visitor = head(&app).await;
    let mut seen: Vec<&str> = Vec::new();
    for part in PARTS {
        let path = format!("/admin/lists/news/{part}");
        let form = visitor.get(&path).await;
        let rows = rows_of(LIST, &form);
        let before = app.admin.get("/api/2/lists/news/").await.good();
        let mut fields = Fields::of(&form, &["id=\"fields\""]);
        for (name, values, _) in &rows {
            let values = sent(values);
            fields.set(name, &values.iter().map(String::as_str).collect::<Vec<_>>());
        }
        let answer = visitor.post(&path, &fields.pairs()).await;
        let shown = done(&mut visitor, &answer).await;
        let name = if part.is_empty() { "news-2" } else { "news" };
        let list = app.admin.get(&format!("/api/2/lists/{name}/")).await.good();
        equal(&rows, &Fields::of(&shown, &["id=\"fields\""]), &list);
        let is_here = |name: &str| rows.iter().any(|(row, ..)| *row == name);
        for (name, ..) in LIST.iter().filter(|(name, ..)| !is_here(name)) {
            // Addresses that are typed to be refused are refused.
            if (*name, part) != ("moderate", "writing/") {
                assert_eq!(list[name], before[name], "{part} changes {name}");
            }
        }
        // What is saved again as the page has it changes nothing.
        let fields = Fields::of(&shown, &["id=\"fields\""]);
        let path = answer.header("location").unwrap().split('?').next().unwrap().to_owned();
        let answer = visitor.post(&path, &fields.pairs()).await;
        let shown = done(&mut visitor, &answer).await;
        equal(&rows, &Fields::of(&shown, &["id=\"fields\""]), &list);
        assert!(WITHOUT_EFFECT.iter().all(|name| !rows.iter().any(|(row, ..)| row == name)), "{part}");
        seen.extend(rows.iter().map(|(name, ..)| *name));
    }
    let list = app.admin.get("/api/2/lists/news-2/").await.good();
    for (name, _, expected) in LIST.iter().filter(|(name, ..)| !WITHOUT_EFFECT.contains(name)) {
        assert_eq!(seen.iter().filter(|seen| *seen == name).count(), 1, "{name} stands on one page");
        assert_eq!(list[name], expected(), "{name}");
    }
}

#[tokio::test]
async fn every_field_of_a_list_that_the_api_sets_the_pages_show() {
    let app = TestApp::start().await;
    prepare(&app).await;
    let mut visitor = head(&app).await;
    let all: serde_json::Map<String, Value> =
        LIST.iter().map(|(name, _, value)| ((*name).to_owned(), value())).collect();
    app.admin.put_json("/api/2/lists/news/", &Value::Object(all)).await.good();
    let list = app.admin.get("/api/2/lists/news-2/").await.good();
    for part in PARTS {
        let shown = visitor.get(&format!("/admin/lists/news-2/{part}")).await;
        equal(&rows_of(LIST, &shown), &Fields::of(&shown, &["id=\"fields\""]), &list);
    }
}

/// Sets every field on a page, and reads it there and by the API.
async fn by_page(table: &[Row], path: &str, object: &str) {
    let app = TestApp::start().await;
    prepare(&app).await;
    let mut visitor = head(&app).await;
    let mut fields = Fields::of(&visitor.get(path).await, &["id=\"fields\"", "name=\"name\""]);
    for (name, values, _) in table {
        let values = sent(values);
        fields.set(name, &values.iter().map(String::as_str).collect::<Vec<_>>());
    }
    let answer = visitor.post(path, &fields.pairs()).await;
    let shown = done(&mut visitor, &answer).await;
    equal(table, &Fields::of(&shown, &["name=\"name\""]), &app.admin.get(object).await.good());
    // What is saved again as the page has it changes nothing.
    let fields = Fields::of(&shown, &["name=\"name\""]);
    let path = answer.header("location").unwrap().split('?').next().unwrap().to_owned();
    let answer = visitor.post(&path, &fields.pairs()).await;
    let shown = done(&mut visitor, &answer).await;
    equal(table, &Fields::of(&shown, &["name=\"name\""]), &app.admin.get(object).await.good());
}

/// Sets every field by the API, and reads it on the page.
async fn by_api(table: &[Row], path: &str, object: (&str, &str)) {
    let app = TestApp::start().await;
    prepare(&app).await;
    let mut visitor = head(&app).await;
    let all: serde_json::Map<String, Value> =
        table.iter().map(|(name, _, value)| ((*name).to_owned(), value())).collect();
    app.admin.put_json(object.0, &Value::Object(all)).await.good();
    let shown = visitor.get(path).await;
    equal(table, &Fields::of(&shown, &["name=\"name\""]), &app.admin.get(object.1).await.good());
}

async fn prepare(app: &TestApp) {
    for name in ["news", "other", "third"] {
        app.list(name).create().await;
    }
}

#[tokio::test]
async fn every_setting_of_an_account_that_the_page_sets_the_api_shows() {
    // Domains have a page of their own.
    complete(ACCOUNT, "/api/2/accounts/{id}/", &["domains"]);
    by_page(ACCOUNT, "/admin/settings/", "/api/2/accounts/1/").await;
}

#[tokio::test]
async fn every_setting_of_an_account_that_the_api_sets_the_page_shows() {
    by_api(ACCOUNT, "/admin/settings/", ("/api/2/accounts/1/", "/api/2/accounts/1/")).await;
}

#[tokio::test]
async fn blank_choices_are_null_and_boxes_that_are_not_ticked_are_false() {
    let app = TestApp::start().await;
    prepare(&app).await;
    app.admin
        .put_json(
            "/api/2/lists/news/",
            &json!({"subscriptions": "closed", "memberview": "noemail", "reply_to": "a@example.org",
                "truncate": 9, "hold_replies": true, "clid": "7", "taboo_body": ["x"], "moderate": 1,
                "welcome_message": "x", "notify_approval": "each"}),
        )
        .await
        .good();
    let mut visitor = head(&app).await;
    for (part, blank, none) in [
        ("", &["subscriptions", "memberview", "reply_to"][..], &[][..]),
        ("writing/", &["notify_approval"], &["hold_replies"]),
        ("texts/", &["welcome_message"], &[]),
        ("advanced/", &["truncate", "clid", "taboo_body"], &["moderate", "restrict_post_lists"]),
    ] {
        let path = format!("/admin/lists/news/{part}");
        let mut fields = Fields::of(&visitor.get(&path).await, &["id=\"fields\""]);
        for name in blank {
            fields.set(name, &[""]);
        }
        for name in none {
            fields.set(name, &[]);
        }
        if part.is_empty() {
            fields.set("answers", &["author"]);
        }
        let answer = visitor.post(&path, &fields.pairs()).await;
        done(&mut visitor, &answer).await;
    }
    let list = app.admin.get("/api/2/lists/news/").await.good();
    for name in ["subscriptions", "reply_to", "truncate", "clid", "welcome_message", "notify_approval"] {
        assert_eq!(list[name], Value::Null, "{name}");
    }
    assert_eq!((&list["memberview"], &list["moderate"]), (&json!(""), &json!(0)));
    assert_eq!((&list["hold_replies"], &list["taboo_body"]), (&json!(false), &json!([])));
    assert_eq!(list["restrict_post_lists"], json!([]));
}

#[tokio::test]
async fn a_wrong_value_is_named_beside_its_field_and_every_entry_is_kept() {
    let app = TestApp::start().await;
    prepare(&app).await;
    let mut visitor = head(&app).await;
    let path = "/admin/lists/news/advanced/";
    let marks = ["name=\"clid\""];
    let mut fields = Fields::of(&visitor.get(path).await, &marks);
    fields.set("notes", &["Kept"]);
    fields.set("maxlength", &["90000"]);
    fields.set("taboo_body", &["(\r\nfine"]);
    fields.set("moderate", &["2"]);
    let answer = visitor.post(path, &fields.pairs()).await;
    page(&answer, 400, "role=\"alert\"");
    for field in ["maxlength", "taboo_body", "moderate"] {
        assert!(answer.body.contains(&format!("<a href=\"#{field}\">")), "{field}: {}", answer.body);
        assert!(answer.body.contains(&format!("id=\"{field}-error\"")), "{field}");
    }
    assert_eq!(answer.body.matches("aria-invalid=\"true\"").count(), 3, "{}", answer.body);
    let kept = Fields::of(&answer, &marks);
    assert_eq!(kept.all("notes"), ["Kept"]);
    assert_eq!((kept.all("taboo_body"), kept.all("moderate")), (vec!["(\nfine"], vec!["2"]));
    assert_eq!(app.admin.get("/api/2/lists/news/").await.good()["notes"], "");

    let answer = visitor.post(&format!("{path}?lang=de"), &fields.pairs()).await;
    page(&answer, 400, "muss eine ganze Zahl von");
    assert!(!answer.body.contains("must be a whole number"), "{}", answer.body);

    let path = "/admin/lists/news/";
    let fields = Fields::of(&visitor.get(path).await, &["name=\"name\""]);
    let fields = fields.with("name", &["other"]).with("answers", &["list"]);
    let answer = visitor.post(path, &fields.pairs()).await;
    page(&answer, 409, "<a href=\"#name\">");
    assert_eq!(Fields::of(&answer, &["name=\"name\""]).all("answers"), ["list"]);
}
