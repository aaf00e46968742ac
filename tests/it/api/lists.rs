//! `/lists/`

use serde_json::{Value, json};

use super::{column, wrong_fields};
use crate::harness::TestApp;

const LISTS: &str = "/api/2/lists/";
const NEWS: &str = "/api/2/lists/news/";

async fn start_with_news() -> TestApp {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app
}

/// Sets one field of the list and says what it is then.
async fn set(app: &TestApp, field: &str, value: Value) -> Value {
    let list = app.admin.put_json(NEWS, &json!({field: value})).await.good();
    list[field].clone()
}

#[track_caller]
fn check_refused(response: &crate::harness::http::Response, field: &str) {
    assert_eq!(wrong_fields(response), [field]);
}

#[tokio::test]
async fn a_new_list_has_the_defaults_of_the_document() {
    let app = TestApp::start().await;
    let list = app.admin.post(LISTS, &[("name", "News")]).await.good();
    let expected = r#"{
        "name": "News", "description": "", "clid": null, "notes": "",
        "created": "2026-11-20T12:00:00Z", "pending": false, "contacts": [], "maxlength": 4096,
        "truncate": null, "subject_prefix": "", "moderator": null, "memberview": "", "message_footer": "",
        "message_footer_html": "", "message_fronter": "", "message_fronter_html": "", "taboo_headers": [],
        "taboo_body": [], "reply_to": null, "strip_attachments": false, "subscriptions": null,
        "unsubscriptions": null, "rewrite_sender": false, "original_sender_mode": "reply_to",
        "hold_automated": false, "hold_replies": false, "restrict_post_allowed_emails": [],
        "restrict_post_banned_emails": [], "restrict_post_lists": ["News"], "moderate": 6,
        "message_rejections": "hold", "notify_approval": null, "welcome_message": null,
        "welcome_message_subject": null, "confirmation_subject": null, "confirmation_message": null,
        "hold_message": null, "hold_subject": null, "send_hold_message": false, "reject_message": null,
        "reject_subject": null, "send_reject_message": false, "merge_tags_enabled": false,
        "merge_tags_default_name": "", "archive_enabled": true, "archive_spammode": true,
        "archive_protected": false, "archive_memberview": false, "archive_index_noshow": false,
        "hold_new": 0
    }"#;
    let mut expected: Value = serde_json::from_str(expected).unwrap();
    expected["id"] = list["id"].clone();
    assert_eq!(list, expected);
    assert_eq!(app.admin.get("/api/2/lists/nEWS/").await.good(), expected, "names compare with case folded");
}

#[tokio::test]
async fn a_name_has_the_characters_of_the_document_and_is_not_reserved() {
    let app = TestApp::start().await;
    check_refused(&app.admin.post(LISTS, &[]).await, "name");
    for name in ["", "a b", "é", "a/b", "postmaster", "Abuse", &"x".repeat(65)] {
        check_refused(&app.admin.post(LISTS, &[("name", name)]).await, "name");
    }
    app.admin.post(LISTS, &[("name", "a.b_c-1")]).await.good();
}

#[tokio::test]
async fn a_name_or_clid_that_is_taken_is_a_conflict() {
    let app = start_with_news().await;
    app.admin.put(NEWS, &[("clid", "7")]).await.good();
    app.admin.post(LISTS, &[("name", "NEWS")]).await.error(409, "name");
    app.admin.post(LISTS, &[("name", "other"), ("clid", "7")]).await.error(409, "clid");
    app.list("other").create().await;
    app.admin.put("/api/2/lists/other/", &[("name", "news")]).await.error(409, "name");
    app.admin.put("/api/2/lists/other/", &[("clid", "7")]).await.error(409, "clid");
    app.admin.put(NEWS, &[("clid", "")]).await.good();
    app.admin.put("/api/2/lists/other/", &[("clid", "7")]).await.good();
}

#[tokio::test]
async fn every_wrong_field_of_a_list_is_named_and_nothing_is_changed() {
    let app = start_with_news().await;
    let before = app.admin.get(NEWS).await.good();
    let body = json!({
        "description": "new", "maxlength": 0, "moderator": "x", "memberview": "all", "subscriptions": "maybe",
        "moderate": 32, "taboo_body": ["("], "restrict_post_lists": ["nothing"], "clid": "x".repeat(49),
        "hold_message": "$NOTHING", "truncate": -1, "subject_prefix": "a\nb",
    });
    let fields = wrong_fields(&app.admin.put_json(NEWS, &body).await);
    let expected = [
        "clid",
        "hold_message",
        "maxlength",
        "memberview",
        "moderate",
        "moderator",
        "restrict_post_lists",
        "subject_prefix",
        "subscriptions",
        "taboo_body",
        "truncate",
    ];
    assert_eq!(fields, expected);
    assert_eq!(app.admin.get(NEWS).await.good(), before);
}

#[tokio::test]
async fn plain_texts_and_switches_are_kept_as_they_are_given() {
    let app = start_with_news().await;
    for field in [
        "description",
        "notes",
        "subject_prefix",
        "message_footer",
        "message_footer_html",
        "message_fronter",
        "message_fronter_html",
        "merge_tags_default_name",
    ] {
        assert_eq!(set(&app, field, json!("a <b> é")).await, "a <b> é", "{field}");
        assert_eq!(set(&app, field, json!(null)).await, "", "{field}");
    }
    for field in [
        "strip_attachments",
        "rewrite_sender",
        "hold_automated",
        "hold_replies",
        "send_hold_message",
        "send_reject_message",
        "merge_tags_enabled",
        "archive_enabled",
        "archive_spammode",
        "archive_protected",
        "archive_memberview",
        "archive_index_noshow",
    ] {
        assert_eq!(set(&app, field, json!("yes")).await, true, "{field}");
        assert_eq!(set(&app, field, json!("off")).await, false, "{field}");
    }
}

#[tokio::test]
async fn fields_of_fixed_words_take_those_words_alone() {
    let app = start_with_news().await;
    let fields: [(&str, &[&str], bool); 6] = [
        ("memberview", &["noemail", "withemail", "all-noemail", "all-withemail"], true),
        ("subscriptions", &["open", "open+confirm", "closed"], true),
        ("unsubscriptions", &["open", "open+confirm", "closed"], true),
        ("notify_approval", &["none", "each", "daily"], true),
        ("original_sender_mode", &["reply_to", "cc", "notice", "hide"], false),
        ("message_rejections", &["hold", "reject", "discard"], false),
    ];
    for (field, words, is_nullable) in fields {
        for word in words {
            assert_eq!(set(&app, field, json!(word)).await, *word, "{field}");
        }
        check_refused(&app.admin.put(NEWS, &[(field, "Purple")]).await, field);
        let blank = app.admin.put_json(NEWS, &json!({field: null})).await;
        if is_nullable {
            let unset = if field == "memberview" { json!("") } else { json!(null) };
            assert_eq!(blank.good()[field], unset);
        } else {
            check_refused(&blank, field);
        }
    }
}

#[tokio::test]
async fn memberview_has_a_second_name_that_one_client_program_uses() {
    let app = start_with_news().await;
    let response = app.admin.put(NEWS, &[("subs_memberview", "noemail")]).await;
    assert_eq!(response.good()["memberview"], "noemail");
    assert_eq!(response.header("x-ignored-parameters"), None);
}

#[tokio::test]
async fn numbers_have_their_ranges() {
    let app = start_with_news().await;
    for value in [json!(1), json!(51200)] {
        assert_eq!(set(&app, "maxlength", value.clone()).await, value);
    }
    for value in [json!(0), json!(51201), json!("x"), json!(null), json!(1.5)] {
        check_refused(&app.admin.put_json(NEWS, &json!({"maxlength": value})).await, "maxlength");
    }
    assert_eq!(set(&app, "truncate", json!("500")).await, 500);
    assert_eq!(set(&app, "truncate", json!("")).await, json!(null));
    for value in [0, 6, 10, 14, 16, 1, 17, 31] {
        assert_eq!(set(&app, "moderate", json!(value)).await, value);
    }
    for value in [2, 4, 8, 12, 20, 32, 255, 300] {
        check_refused(&app.admin.put_json(NEWS, &json!({"moderate": value})).await, "moderate");
    }
}

#[tokio::test]
async fn addresses_of_a_list_are_checked() {
    let app = start_with_news().await;
    for field in ["moderator", "reply_to"] {
        assert_eq!(set(&app, field, json!("Ada@X.org")).await, "Ada@X.org");
        assert_eq!(set(&app, field, json!("")).await, json!(null));
        check_refused(&app.admin.put(NEWS, &[(field, "Ada <a@x.org>")]).await, field);
    }
    for field in ["restrict_post_allowed_emails", "restrict_post_banned_emails"] {
        assert_eq!(set(&app, field, json!(["a@x.org", "b@x.org"])).await, json!(["a@x.org", "b@x.org"]));
        check_refused(&app.admin.put(NEWS, &[(field, "a@x.org"), (field, "b")]).await, field);
        assert_eq!(set(&app, field, json!("")).await, json!([]));
    }
}

#[tokio::test]
async fn patterns_must_compile_and_be_few_and_short() {
    let app = start_with_news().await;
    for field in ["taboo_headers", "taboo_body"] {
        assert_eq!(set(&app, field, json!(["^X-Spam: yes", "a|b"])).await, json!(["^X-Spam: yes", "a|b"]));
        for wrong in
            [json!(["[a"]), json!(["x".repeat(1001)]), json!(vec!["x"; 101]), json!(["(\\w{500}){500}"])]
        {
            check_refused(&app.admin.put_json(NEWS, &json!({field: wrong})).await, field);
        }
        assert_eq!(set(&app, field, json!([])).await, json!([]));
    }
}

#[tokio::test]
async fn templates_may_use_the_variables_that_there_are() {
    let app = start_with_news().await;
    app.add_field("Shoe size", None).await;
    for field in [
        "welcome_message",
        "welcome_message_subject",
        "confirmation_subject",
        "confirmation_message",
        "hold_message",
        "hold_subject",
        "reject_message",
        "reject_subject",
    ] {
        let text = "Hello $NAME, ${Shoe size}, 5 $$";
        assert_eq!(set(&app, field, json!(text)).await, text, "{field}");
        check_refused(&app.admin.put(NEWS, &[(field, "Hello $NOBODY")]).await, field);
        assert_eq!(set(&app, field, json!(null)).await, json!(null), "{field}");
    }
    for field in ["message_fronter", "message_fronter_html", "message_footer", "message_footer_html"] {
        let text = "Leave: $UNSUBSCRIBE, ${Shoe size}";
        assert_eq!(set(&app, field, json!(text)).await, text, "{field}");
        check_refused(&app.admin.put(NEWS, &[(field, "Leave: $UNSUBSRCIBE")]).await, field);
        assert_eq!(set(&app, field, json!("")).await, "", "{field}");
    }
}

#[tokio::test]
async fn the_archives_password_can_be_set_and_never_be_read() {
    let app = start_with_news().await;
    let response =
        app.admin.put(NEWS, &[("archive_password", "open sesame"), ("archive_protected", "1")]).await;
    let list = response.good();
    assert!(list.get("archive_password").is_none() && list.get("archive_password_hash").is_none());
    assert_eq!(response.header("x-ignored-parameters"), None);
    let stored = app.dump("list");
    assert!(stored.contains("$argon2id$") && !stored.contains("sesame"), "{stored}");
    app.admin.put(NEWS, &[("archive_password", "")]).await.good();
    assert!(!app.dump("list").contains("argon2id"), "a blank one disables access by password");
}

#[tokio::test]
async fn posting_is_restricted_to_lists_that_there_are() {
    let app = start_with_news().await;
    app.list("other").create().await;
    let fields = [("restrict_post_lists", "news,OTHER"), ("restrict_post_lists", "news")];
    let list = app.admin.put(NEWS, &fields).await.good();
    assert_eq!(list["restrict_post_lists"], json!(["news", "other"]));
    check_refused(&app.admin.put(NEWS, &[("restrict_post_lists", "nothing")]).await, "restrict_post_lists");
    let itself = [("name", "third"), ("restrict_post_lists", "third,other")];
    let third = app.admin.post(LISTS, &itself).await.good();
    assert_eq!(third["restrict_post_lists"], json!(["third", "other"]));
}

#[tokio::test]
async fn a_rename_is_carried_through() {
    let app = TestApp::start().await;
    app.list("news").member("a@x.org").create().await;
    app.list("other").with("restrict_post_lists", "news").create().await;
    app.admin.put(NEWS, &[("name", "Letters")]).await.good();
    app.admin.get(NEWS).await.error(404, "list");
    assert_eq!(
        app.admin.get("/api/2/lists/letters/").await.good()["restrict_post_lists"],
        json!(["Letters"])
    );
    let other = app.admin.get("/api/2/lists/other/").await.good();
    assert_eq!(other["restrict_post_lists"], json!(["Letters"]));
    let memberships = app.admin.get("/api/2/membership/").await.good();
    assert_eq!(column(&memberships, "list"), ["Letters"]);
    app.admin.put("/api/2/lists/letters/", &[("name", "LETTERS")]).await.good();
    app.list("news").create().await;
}

#[tokio::test]
async fn deleting_a_list_removes_its_memberships_messages_and_name() {
    let app = TestApp::start().await;
    app.list("news").member("a@x.org").create().await;
    app.list("other").with("restrict_post_lists", "news,other").member("a@x.org").create().await;
    app.admin.post("/api/2/messages/", &[("list", "news"), ("content_plain", "x")]).await.good();
    app.settle().await;
    assert_eq!(app.admin.delete(NEWS).await.good(), json!({"success": true}));
    app.admin.get(NEWS).await.error(404, "list");
    app.admin.delete(NEWS).await.error(404, "list");
    let other = app.admin.get("/api/2/lists/other/").await.good();
    assert_eq!(other["restrict_post_lists"], json!(["other"]));
    assert_eq!(app.admin.get("/api/2/membership/").await.good()["count"], 1);
    assert_eq!(app.admin.get("/api/2/messages/").await.good()["count"], 0);
    let contact = app.admin.get("/api/2/contacts/?email=a%40x.org").await.good();
    assert_eq!(contact["data"][0]["lists"][0]["list"], "other");
    app.list("news").create().await;
}

#[tokio::test]
async fn a_large_list_is_read_whole_and_deleted_in_steps() {
    let app = start_with_news().await;
    app.fill("news", 6000).await;
    assert_eq!(app.admin.get(NEWS).await.good()["contacts"].as_array().unwrap().len(), 6000);
    let listing = app.admin.get(LISTS).await.good();
    assert_eq!(listing["data"][0]["contacts"].as_array().unwrap().len(), 6000);
    let deep = app.admin.get("/api/2/contacts/?page=59&limit=100&fields=description").await.good();
    assert_eq!(deep["data"][0]["description"], "member5800@example.org");
    app.admin.delete(NEWS).await.good();
    app.admin.get(NEWS).await.error(404, "list");
    assert_eq!(app.admin.get("/api/2/membership/").await.good()["count"], 0);
    assert_eq!(app.admin.get("/api/2/contacts/").await.good()["count"], 6000);
}

#[tokio::test]
async fn the_listing_gives_everything_unless_a_page_is_asked_for() {
    let app = TestApp::start().await;
    let names: Vec<String> = (0..5).map(|number| format!("list{number}")).collect();
    for name in &names {
        app.list(name).with("clid", &format!("c-{name}")).create().await;
    }
    let all = app.admin.get(LISTS).await.good();
    assert_eq!(column(&all, "name"), names);
    assert_eq!((&all["count"], &all["page"], &all["limit"]), (&json!(5), &json!(1), &json!(5)));
    let page = app.admin.get(&format!("{LISTS}?page=2&limit=2")).await.good();
    assert_eq!(column(&page, "name"), names[2..4]);
    assert_eq!(page["count"], 5);
    assert_eq!(column(&app.admin.get(&format!("{LISTS}?name=LIST3")).await.good(), "name"), ["list3"]);
    assert_eq!(column(&app.admin.get(&format!("{LISTS}?clid=c-list1")).await.good(), "name"), ["list1"]);
    let none = app.admin.get(&format!("{LISTS}?name=list1&clid=c-list2")).await.good();
    assert_eq!((&none["data"], &none["count"]), (&json!([]), &json!(0)));
}

#[tokio::test]
async fn the_members_of_a_list_are_shown_unless_other_fields_are_asked_for() {
    let app = TestApp::start().await;
    app.list("news").members(3).create().await;
    let contacts = app.admin.get("/api/2/contacts/").await.good();
    let ids = json!(column(&contacts, "id"));
    assert_eq!(app.admin.get(NEWS).await.good()["contacts"], ids);
    assert_eq!(app.admin.get(LISTS).await.good()["data"][0]["contacts"], ids);
    let list = app.admin.get(&format!("{NEWS}?fields=name,moderate")).await.good();
    assert_eq!(list, json!({"name": "news", "moderate": 6}));
    let response = app.admin.put_json(NEWS, &json!({"contacts": []})).await;
    assert_eq!(response.good()["contacts"], ids, "it is read-only");
}

#[tokio::test]
async fn a_list_that_was_read_can_be_put_back() {
    let app = TestApp::start().await;
    app.list("news").members(2).create().await;
    let list = app.admin.get(NEWS).await.good();
    let response = app.admin.put_json(NEWS, &list).await;
    assert_eq!(response.good(), list);
    assert_eq!(response.header("x-ignored-parameters"), None);
}

#[tokio::test]
async fn a_new_list_waits_for_approval_where_the_account_says_so() {
    use crier::model::Permission;
    let app = TestApp::start().await;
    app.change_account(|account| account.settings.require_list_approval = true).await;
    let helper = app.key_with([Permission::ManageSettings]).await;
    assert_eq!(helper.post(LISTS, &[("name", "waits")]).await.good()["pending"], true);
    assert_eq!(app.admin.post(LISTS, &[("name", "is-there")]).await.good()["pending"], false);
}
