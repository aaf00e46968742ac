//! What lesser administrators see on these pages and may change there: what the API would let them, and no more.

use serde_json::{Value, json};

use super::controls::Fields;
use super::{admin, page};
use crate::harness::TestApp;
use crate::harness::visitor::Visitor;

/// A page, and the form on it that changes something; the statuses that its reader and its sender get.
type Case = (&'static str, &'static [(&'static str, &'static str)], u16, u16);

async fn check(visitor: &mut Visitor, cases: &[Case]) {
    let own = visitor.get("/admin/me/").await;
    let csrf = Fields::of(&own, &["name=\"csrf\""]).all("csrf")[0].to_owned();
    for (path, form, read, write) in cases {
        let shown = visitor.get(path).await;
        assert_eq!(shown.status, *read, "GET {path}: {}", shown.body);
        let fields: Vec<(&str, &str)> = form.iter().copied().chain([("csrf", csrf.as_str())]).collect();
        let answer = visitor.post(path, &fields).await;
        assert_eq!(answer.status, *write, "POST {path}: {}", answer.body);
        // What leads nowhere is not offered.
        for link in shown.body.split("href=\"/admin/").skip(1) {
            let link = format!("/admin/{}", link.split('"').next().unwrap());
            let known = ["/admin/lists/", "/admin/aliases/", "/admin/settings/", "/admin/administrators/"];
            if known.iter().any(|known| link.starts_with(known)) {
                assert_eq!(visitor.get(&link).await.status, 200, "{path} offers {link}");
            }
        }
    }
}

async fn prepare() -> TestApp {
    let app = TestApp::start().await;
    app.list("news").member("ada@example.org").create().await;
    app.list("secret").member("bob@example.org").create().await;
    app.admin
        .post("/api/2/aliases/", &[("source", "board"), ("destination", "ada@example.org")])
        .await
        .good();
    app
}

#[tokio::test]
async fn who_manages_members_changes_them_and_looks_at_the_rest() {
    let app = prepare().await;
    let mut visitor = admin(&app, "mia@example.org", &json!({"permissions": ["manage_members"]})).await;
    check(
        &mut visitor,
        &[
            ("/admin/lists/", &[("action", "approve"), ("id", "1")], 200, 403),
            ("/admin/lists/new/", &[("kind", "discussion"), ("name", "x")], 403, 403),
            ("/admin/lists/news/", &[("description", "x")], 200, 403),
            ("/admin/lists/news/writing/", &[("moderator", "a@example.org")], 200, 403),
            ("/admin/lists/news/texts/", &[("subject_prefix", "x")], 200, 403),
            ("/admin/lists/news/archive/", &[("archive_password", "x")], 200, 403),
            ("/admin/lists/news/advanced/", &[("notes", "x")], 200, 403),
            ("/admin/lists/news/try/", &[("message", "From: a@b.c")], 403, 403),
            ("/admin/lists/news/helpers/", &[("action", "invite"), ("username", "a@example.org")], 403, 403),
            ("/admin/lists/news/members/", &[("emails", "cy@example.org")], 200, 303),
            ("/admin/aliases/", &[("source", "x"), ("destination", "a@b.c")], 200, 403),
            ("/admin/aliases/board/", &[("destination", "eve@example.org")], 200, 403),
            ("/admin/settings/", &[("description", "x")], 403, 403),
            ("/admin/settings/fields/", &[("name", "x")], 403, 403),
            ("/admin/settings/domains/", &[("name", "x.example")], 403, 403),
            ("/admin/administrators/", &[("username", "eve@example.org")], 403, 403),
            ("/admin/administrators/1/", &[("permissions", "account_admin")], 403, 403),
        ],
    )
    .await;
    // The settings are told as facts, without any field.
    for part in ["", "writing/", "texts/", "archive/", "advanced/"] {
        let shown = visitor.get(&format!("/admin/lists/news/{part}")).await;
        for field in ["value=\"save\"", "value=\"delete\"", "value=\"preview\"", "<textarea", "disabled"] {
            assert!(!shown.body.contains(field), "{field}: {}", shown.body);
        }
        page(&shown, 200, "<dl class=\"facts\">");
    }
    let basics = visitor.get("/admin/lists/news/").await;
    page(
        &basics,
        200,
        "<dt id=\"who_writes\">Who may write?</dt><dd class=\"lines\" dir=\"auto\">Members</dd>",
    );
    let lists = visitor.get("/admin/lists/").await;
    page(&lists, 200, "<a href=\"/admin/lists/news/members/\" dir=\"auto\">news</a>");
}

#[tokio::test]
async fn who_manages_settings_sets_up_lists_and_aliases_alone() {
    let app = prepare().await;
    let mut visitor = admin(&app, "sam@example.org", &json!({"permissions": ["manage_settings"]})).await;
    check(
        &mut visitor,
        &[
            ("/admin/lists/new/", &[("kind", "discussion"), ("name", "x")], 200, 303),
            ("/admin/lists/news/", &[("description", "x")], 200, 303),
            (
                "/admin/lists/news/advanced/",
                &[("notes", "x"), ("moderate", "2"), ("moderate", "4")],
                200,
                303,
            ),
            ("/admin/lists/news/members/", &[("emails", "cy@example.org")], 200, 403),
            ("/admin/aliases/", &[("source", "y"), ("destination", "a@example.org")], 200, 303),
            ("/admin/aliases/board/", &[("destination", "eve@example.org")], 200, 303),
            ("/admin/settings/", &[("description", "x")], 403, 403),
            ("/admin/administrators/", &[("username", "eve@example.org")], 403, 403),
        ],
    )
    .await;
    let members = visitor.get("/admin/lists/news/members/").await;
    assert!(!members.body.contains("name=\"emails\""), "{}", members.body);
}

#[tokio::test]
async fn who_is_limited_to_a_list_sees_no_other_anywhere() {
    let app = prepare().await;
    let fields =
        json!({"permissions": ["manage_settings", "manage_members", "limit_lists"], "limit_lists": ["news"]});
    let mut visitor = admin(&app, "lee@example.org", &fields).await;
    check(
        &mut visitor,
        &[
            ("/admin/lists/", &[], 200, 403),
            ("/admin/lists/new/", &[("kind", "discussion"), ("name", "x")], 403, 403),
            ("/admin/lists/news/", &[("description", "x")], 200, 303),
            ("/admin/lists/secret/", &[("description", "x")], 404, 404),
            ("/admin/lists/secret/texts/", &[("subject_prefix", "x")], 404, 404),
            ("/admin/lists/secret/try/", &[("message", "From: a@b.c")], 404, 404),
            ("/admin/lists/secret/helpers/", &[("action", "invite")], 404, 404),
            ("/admin/lists/nothing/", &[("description", "x")], 404, 404),
            ("/admin/lists/secret/members/", &[("emails", "cy@example.org")], 404, 404),
            ("/admin/lists/news/members/", &[("emails", "cy@example.org")], 200, 303),
            ("/admin/aliases/", &[("source", "y"), ("destination", "a@example.org")], 403, 403),
            ("/admin/aliases/board/", &[("destination", "eve@example.org")], 403, 403),
            ("/admin/settings/", &[("description", "x")], 403, 403),
        ],
    )
    .await;
    for path in
        ["/admin/lists/", "/admin/lists/?format=csv", "/admin/lists/news/", "/admin/lists/?search=secret"]
    {
        let shown = visitor.get(path).await;
        let rows = shown.body.replace("value=\"secret\"", "");
        assert!(path.contains("search") || !rows.contains("secret"), "{path}: {}", shown.body);
        assert!(!shown.body.contains("/admin/lists/secret/"), "{path}");
    }
    // A hidden list to which posting is restricted is not shown, and stays.
    let put = json!({"restrict_post_lists": ["news", "secret"]});
    app.admin.put_json("/api/2/lists/news/", &put).await.good();
    let path = "/admin/lists/news/advanced/";
    let shown = visitor.get(path).await;
    assert!(!shown.body.contains("secret"), "{}", shown.body);
    let fields = Fields::of(&shown, &["name=\"clid\""]);
    assert_eq!(visitor.post(path, &fields.pairs()).await.status, 303);
    let list = app.admin.get("/api/2/lists/news/").await.good();
    assert_eq!(list["restrict_post_lists"], json!(["news", "secret"]));
    // A member of the other list alone exists for nobody here.
    let answer = visitor.get("/admin/lists/news/members/?search=bob").await;
    page(&answer, 200, "No member has these words.");
}

#[tokio::test]
async fn a_limited_head_manages_administrators_within_its_own_limits() {
    let app = prepare().await;
    let fields = json!({"permissions": ["account_admin", "limit_lists"], "limit_lists": ["news"]});
    let mut visitor = admin(&app, "hal@example.org", &fields).await;
    let other = admin(&app, "all@example.org", &json!({"permissions": ["account_admin"]})).await;
    drop(other);
    let all = app.admin.get("/api/2/admins/all@example.org/").await.good()["id"].to_string();
    let shown = visitor.get("/admin/administrators/").await;
    page(&shown, 200, "hal@example.org");
    assert!(!shown.body.contains("all@example.org") && !shown.body.contains("secret"), "{}", shown.body);
    assert_eq!(visitor.get(&format!("/admin/administrators/{all}/")).await.status, 404);
    let mut fields = Fields::of(&shown, &["name=\"username\""]);
    fields.set("username", &["kim@example.org"]);
    fields.set("permissions", &["manage_members"]);
    // Without a limit it would see more than its maker.
    assert_eq!(visitor.post("/admin/administrators/", &fields.pairs()).await.status, 404);
    fields.set("permissions", &["manage_members", "limit_lists"]);
    fields.set("limit_lists", &["secret"]);
    let answer = visitor.post("/admin/administrators/", &fields.pairs()).await;
    page(&answer, 400, "role=\"alert\"");
    fields.set("limit_lists", &["news"]);
    assert_eq!(visitor.post("/admin/administrators/", &fields.pairs()).await.status, 303);
    let kim: Value = app.admin.get("/api/2/admins/kim@example.org/").await.good();
    assert_eq!(kim["limit_lists"], json!(["news"]));
    check(&mut visitor, &[("/admin/settings/", &[("description", "x")], 403, 403)]).await;
}
