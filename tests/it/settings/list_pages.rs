//! The five pages of a list's settings: questions in place of bits, the sentence of what is set, the search, and the tabs.

use serde_json::json;

use super::controls::{Fields, plain};
use super::{admin, done, head, page, send};
use crate::harness::{DOMAIN, TestApp};

const BASICS: &str = "/admin/lists/news/";
const WRITING: &str = "/admin/lists/news/writing/";
const FORM: [&str; 1] = ["id=\"fields\""];

#[tokio::test]
async fn one_question_says_who_writes_and_sets_the_bits() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.list("other").create().await;
    let mut visitor = head(&app).await;
    for (answer, moderate, sentence) in [
        ("everybody", 0, "Everybody may write."),
        ("members-approved", 7, "Members write, and each message waits for approval."),
        ("addresses", 10, "Only certain addresses write."),
        ("moderators", 1, "Every message waits for approval."),
        ("members-addresses", 14, "Members write."),
        ("members", 6, "Members write."),
    ] {
        let saved = send(&mut visitor, BASICS, &FORM, &[("who_writes", &[answer])]).await;
        let shown = done(&mut visitor, &saved).await;
        assert_eq!(Fields::of(&shown, &FORM).all("who_writes"), [answer]);
        page(&shown, 200, sentence);
        let list = app.admin.get("/api/2/lists/news/").await.good();
        assert_eq!((&list["moderate"], &list["restrict_post_lists"]), (&json!(moderate), &json!(["news"])));
    }
}

#[tokio::test]
async fn members_and_an_allowed_address_are_an_answer_of_its_own() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let mut visitor = head(&app).await;
    for (moderate, answer, sentence) in [
        (14, "members-addresses", "Members and 1 other address write."),
        (15, "members-addresses-approved", "Members and 1 other address write, and each message waits"),
    ] {
        let both = json!({"moderate": moderate, "restrict_post_allowed_emails": ["eve@example.net"]});
        app.admin.put_json("/api/2/lists/news/", &both).await.good();
        let shown = visitor.get(BASICS).await;
        page(&shown, 200, sentence);
        assert_eq!(Fields::of(&shown, &FORM).all("who_writes"), [answer]);
        assert!(!shown.body.contains("single switches"), "{}", shown.body);
        let saved = send(&mut visitor, BASICS, &FORM, &[("description", &["Two"])]).await;
        done(&mut visitor, &saved).await;
        let list = app.admin.get("/api/2/lists/news/").await.good();
        assert_eq!(list["moderate"], moderate, "{answer}");
    }
}

#[tokio::test]
async fn a_combination_that_no_answer_says_is_told_and_stays() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.list("other").create().await;
    let mut visitor = head(&app).await;
    let odd = json!({"moderate": 30, "restrict_post_lists": ["other"], "archive_protected": true,
        "archive_memberview": false, "restrict_post_banned_emails": ["eve@example.org"]});
    app.admin.put_json("/api/2/lists/news/", &odd).await.good();
    let shown = visitor.get(BASICS).await;
    page(&shown, 200, "Set by single switches under Advanced");
    page(&shown, 200, "Set by single switches under Archive");
    let saved = send(&mut visitor, BASICS, &FORM, &[("description", &["Odd"])]).await;
    done(&mut visitor, &saved).await;
    let list = app.admin.get("/api/2/lists/news/").await.good();
    assert_eq!(list["description"], "Odd");
    for (name, value) in odd.as_object().unwrap() {
        assert_eq!(&list[name], value, "{name}");
    }
    // An answer replaces it, and banned addresses stay banned.
    let changes: [(&str, &[&str]); 2] = [("who_writes", &["members"]), ("archive_for", &["members"])];
    let saved = send(&mut visitor, BASICS, &FORM, &changes).await;
    done(&mut visitor, &saved).await;
    let list = app.admin.get("/api/2/lists/news/").await.good();
    assert_eq!((&list["moderate"], &list["restrict_post_lists"]), (&json!(22), &json!(["news"])));
    assert_eq!((&list["archive_protected"], &list["archive_memberview"]), (&json!(true), &json!(true)));
}

#[tokio::test]
async fn answers_and_the_archive_are_one_question_each() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let mut visitor = head(&app).await;
    let own = format!("news@{DOMAIN}");
    let steps: [(&str, &str, serde_json::Value); 5] = [
        ("list", "", json!(own)),
        ("other", "office@example.org", json!("office@example.org")),
        // Whoever types another address means it.
        ("list", "desk@example.org", json!("desk@example.org")),
        ("list", "desk@example.org", json!(own)),
        ("author", "", json!(null)),
    ];
    for (answer, typed, expected) in &steps {
        let changes: [(&str, &[&str]); 2] = [("answers", &[answer]), ("reply_to", &[typed])];
        let saved = send(&mut visitor, BASICS, &FORM, &changes).await;
        done(&mut visitor, &saved).await;
        let list = app.admin.get("/api/2/lists/news/").await.good();
        assert_eq!(&list["reply_to"], expected, "{answer} {typed}");
    }
    let wrong =
        send(&mut visitor, BASICS, &FORM, &[("answers", &["other"]), ("description", &["Kept"])]).await;
    page(&wrong, 400, "<a href=\"#reply_to\">Please type the address for answers.</a>");
    assert_eq!(Fields::of(&wrong, &FORM).all("description"), ["Kept"]);

    for (answer, fields) in [
        ("members", json!([true, true, true])),
        ("everybody", json!([true, false, true])),
        ("nobody", json!([false, false, true])),
        ("members", json!([true, true, true])),
    ] {
        let saved = send(&mut visitor, BASICS, &FORM, &[("archive_for", &[answer])]).await;
        let shown = done(&mut visitor, &saved).await;
        assert_eq!(Fields::of(&shown, &FORM).all("archive_for"), [answer]);
        let list = app.admin.get("/api/2/lists/news/").await.good();
        let names = ["archive_enabled", "archive_protected", "archive_memberview"];
        assert_eq!(json!(names.map(|name| list[name].clone())), fields, "{answer}");
    }
}

#[tokio::test]
async fn whoever_types_addresses_to_be_refused_has_them_refused() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let mut visitor = head(&app).await;
    let field = "restrict_post_banned_emails";
    let saved = send(&mut visitor, WRITING, &FORM, &[(field, &["eve@example.org"])]).await;
    let shown = done(&mut visitor, &saved).await;
    assert_eq!(Fields::of(&shown, &FORM).all("refuse_banned"), ["1"]);
    assert_eq!(app.admin.get("/api/2/lists/news/").await.good()["moderate"], 22);
    // And the box says otherwise.
    let saved = send(&mut visitor, WRITING, &FORM, &[("refuse_banned", &[])]).await;
    done(&mut visitor, &saved).await;
    let list = app.admin.get("/api/2/lists/news/").await.good();
    assert_eq!((&list["moderate"], &list[field]), (&json!(6), &json!(["eve@example.org"])));
}

#[tokio::test]
async fn a_search_finds_settings_by_their_words_and_leads_to_their_fields() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let mut visitor = head(&app).await;
    for (query, expected) in [
        ("?search=largest", "href=\"/admin/lists/news/advanced/#maxlength\""),
        ("?search=who+write", "href=\"/admin/lists/news/#who_writes\""),
        ("?search=password", "href=\"/admin/lists/news/archive/#archive_password\""),
        // What is folded away is unfolded.
        ("?search=welcome", "href=\"/admin/lists/news/texts/?open=welcome#welcome_message\""),
        // The words of its answers are its words, too.
        ("?search=dropped", "href=\"/admin/lists/news/writing/#message_rejections\""),
        // Without words, all of them.
        ("", "href=\"/admin/lists/news/advanced/#clid\""),
        ("?search=Kopfzeile&lang=de", "href=\"/admin/lists/news/advanced/#taboo_headers\""),
    ] {
        let shown = visitor.get(&format!("/admin/lists/news/settings/{query}")).await;
        page(&shown, 200, expected);
        // Each result leads to a field that is there.
        for link in shown.body.split("<h3><a href=\"").skip(1) {
            let link = plain(link.split('"').next().unwrap());
            let (path, id) = link.split_once('#').unwrap();
            let found = visitor.get(path).await;
            page(&found, 200, &format!("id=\"{id}\""));
            let before = found.body.split(&format!("id=\"{id}\"")).next().unwrap();
            let (closed, end) = (before.rfind("<details class=\"folded\">"), before.rfind("</details>"));
            assert!(closed <= end, "{link} is folded away: {}", found.body);
        }
    }
    let none = visitor.get("/admin/lists/news/settings/?search=zebra&lang=en").await;
    page(&none, 200, "No setting has these words.");
}

#[tokio::test]
async fn the_tabs_of_a_list_are_the_same_on_each_of_its_pages() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let mut visitor = head(&app).await;
    let tabs = |body: &str| -> Vec<String> {
        let bar = body.split("<ul class=\"tabs\"").nth(1).unwrap().split("</ul>").next().unwrap();
        bar.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    };
    let all = [
        "/admin/lists/news/members/",
        "/admin/approvals/?list=news",
        "/admin/messages/?list=news",
        "/admin/lists/news/",
        "/admin/lists/news/try/",
        "/admin/lists/news/helpers/",
        "/lists/news/",
    ];
    for path in
        ["", "writing/", "texts/", "archive/", "advanced/", "settings/", "try/", "helpers/", "members/"]
    {
        let shown = visitor.get(&format!("/admin/lists/news/{path}")).await;
        assert_eq!(shown.status, 200, "{path}");
        assert_eq!(tabs(&shown.body), all, "{path}");
        let current = shown.body.split("<ul class=\"tabs\"").nth(1).unwrap().split("</ul>").next().unwrap();
        assert_eq!(current.matches("aria-current=\"page\"").count(), 1, "{path}");
    }
    for path in all {
        assert_eq!(visitor.get(path).await.status, 200, "{path}");
    }
    let limited = json!({"permissions": ["manage_members", "limit_lists"], "limit_lists": ["news"]});
    let mut helper = admin(&app, "mia@example.org", &limited).await;
    let shown = helper.get("/admin/lists/news/members/").await;
    assert_eq!(tabs(&shown.body), [all[0], all[2], all[3], all[6]], "what leads nowhere is not offered");
}
