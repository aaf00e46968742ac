//! `/aliases/`

use crier::model::Permission;
use serde_json::{Value, json};

use super::{column, wrong_fields};
use crate::harness::TestApp;
use crate::harness::http::Response;

const ALIASES: &str = "/api/2/aliases/";

async fn create(app: &TestApp, source: &str, destination: &[&str]) -> Response {
    app.admin.post_json(ALIASES, &json!({"source": source, "destination": destination})).await
}

#[tokio::test]
async fn an_alias_is_made_read_changed_and_removed() {
    let app = TestApp::start().await;
    let alias = create(&app, "Sales", &["a@x.org", "B@X.org"]).await.good();
    assert_eq!(alias, json!({"source": "Sales", "destination": ["a@x.org", "B@X.org"]}));
    assert_eq!(app.admin.get(&format!("{ALIASES}sales/")).await.good(), alias);
    let fields = [("destination", "c@x.org"), ("destination", "d@x.org")];
    let changed = app.admin.put(&format!("{ALIASES}SALES/"), &fields).await.good();
    assert_eq!(changed, json!({"source": "Sales", "destination": ["c@x.org", "d@x.org"]}));
    let renamed = app.admin.put(&format!("{ALIASES}sales/"), &[("source", "shop")]).await.good();
    assert_eq!(renamed, json!({"source": "shop", "destination": ["c@x.org", "d@x.org"]}));
    app.admin.get(&format!("{ALIASES}sales/")).await.error(404, "alias");
    app.admin.put(&format!("{ALIASES}shop/"), &[("source", "SHOP")]).await.good();
    let removed = app.admin.delete(&format!("{ALIASES}shop/")).await.good();
    assert_eq!(removed, json!({"success": true}));
    app.admin.delete(&format!("{ALIASES}shop/")).await.error(404, "alias");
}

#[tokio::test]
async fn all_aliases_are_listed_unless_a_page_is_named() {
    let app = TestApp::start().await;
    let sources: Vec<Value> = (0..120).map(|number| json!(format!("a{number}"))).collect();
    for source in &sources {
        create(&app, source.as_str().unwrap(), &["a@x.org"]).await.good();
    }
    let all = app.admin.get(ALIASES).await.good();
    assert_eq!((column(&all, "source"), &all["count"]), (sources.clone(), &json!(120)));
    let page = app.admin.get(&format!("{ALIASES}?page=2")).await.good();
    assert_eq!((column(&page, "source"), &page["count"]), (sources[100..].to_vec(), &json!(120)));
    let page = app.admin.get(&format!("{ALIASES}?after=118&limit=5")).await.good();
    assert_eq!(column(&page, "source"), sources[118..]);
    assert_eq!(app.admin.get(&format!("{ALIASES}?after=500")).await.good()["data"], json!([]));
}

#[tokio::test]
async fn a_source_has_the_rules_of_a_list_name() {
    let app = TestApp::start().await;
    for source in ["", "a b", "a@x.org", "é", ".a", "postmaster", "Bounces", &"x".repeat(65)] {
        let response = create(&app, source, &["a@x.org"]).await;
        assert_eq!(wrong_fields(&response), ["source"], "{source}");
    }
    create(&app, &"x".repeat(64), &["a@x.org"]).await.good();
}

#[tokio::test]
async fn an_alias_has_from_one_to_twenty_valid_destinations() {
    let app = TestApp::start().await;
    let many: Vec<String> = (0..21).map(|number| format!("a{number}@x.org")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for destination in [&[][..], &[""], &["a"], &["a@x.org", "b@"], &["A <a@x.org>"], &many] {
        let response = create(&app, "sales", destination).await;
        assert_eq!(wrong_fields(&response), ["destination"], "{destination:?}");
    }
    create(&app, "sales", &many[..20]).await.good();
    let response = app.admin.put(&format!("{ALIASES}sales/"), &[("destination", "")]).await;
    assert_eq!(wrong_fields(&response), ["destination"]);
    assert_eq!(wrong_fields(&app.admin.post(ALIASES, &[]).await), ["destination", "source"]);
    let response = create(&app, "a b", &["x"]).await;
    assert_eq!(wrong_fields(&response), ["destination", "source"]);
    let twice = create(&app, "twice", &["a@x.org", "A@X.ORG", "b@x.org"]).await.good();
    assert_eq!(twice["destination"], json!(["a@x.org", "b@x.org"]));
}

#[tokio::test]
async fn lists_and_aliases_share_their_names() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    create(&app, "press", &["news@lists.example.org"]).await.good();
    create(&app, "sales", &["a@x.org"]).await.good();
    create(&app, "NEWS", &["a@x.org"]).await.error(409, "taken by a list");
    create(&app, "Sales", &["a@x.org"]).await.error(409, "taken by another alias");
    app.admin.put(&format!("{ALIASES}sales/"), &[("source", "news")]).await.error(409, "taken by a list");
    app.admin.post("/api/2/lists/", &[("name", "SALES")]).await.error(409, "alias");
    app.admin.put("/api/2/lists/news/", &[("name", "sales")]).await.error(409, "alias");
    app.admin.delete(&format!("{ALIASES}sales/")).await.good();
    app.admin.put("/api/2/lists/news/", &[("name", "sales")]).await.good();
    create(&app, "news", &["a@x.org"]).await.good();
}

#[tokio::test]
async fn no_alias_leads_back_to_itself() {
    let app = TestApp::start().await;
    let at = |name: &str| format!("{name}@lists.example.org");
    let refused = |response: Response| assert_eq!(wrong_fields(&response), ["destination"]);
    refused(create(&app, "a", &[&at("A")]).await);
    create(&app, "a", &["x@x.org", &at("b")]).await.good();
    create(&app, "b", &[&at("c"), &at("d")]).await.good();
    refused(create(&app, "c", &["x@x.org", &at("a")]).await);
    create(&app, "c", &["a@elsewhere.example"]).await.good();
    refused(app.admin.put(&format!("{ALIASES}c/"), &[("destination", &at("a"))]).await);
    create(&app, "e", &[&at("a")]).await.good();
    refused(app.admin.put(&format!("{ALIASES}e/"), &[("source", "d")]).await);
    assert_eq!(app.admin.get(&format!("{ALIASES}e/")).await.good()["destination"], json!([at("a")]));
}

#[tokio::test]
async fn aliases_are_managed_by_who_manages_settings() {
    let app = TestApp::start().await;
    create(&app, "sales", &["a@x.org"]).await.good();
    let manager = app.key_with([Permission::ManageSettings]).await;
    let reader = app.key_with([Permission::SendMessages]).await;
    let path = format!("{ALIASES}sales/");
    reader.get(&path).await.good();
    reader.post(ALIASES, &[]).await.error(403, "manage_settings");
    reader.put(&path, &[]).await.error(403, "manage_settings");
    reader.delete(&path).await.error(403, "manage_settings");
    manager.put(&path, &[("destination", "b@x.org")]).await.good();
    let other = app.other_account().await;
    other.get(&path).await.error(404, "alias");
    other.post(ALIASES, &[("source", "sales"), ("destination", "a@x.org")]).await.good();
    manager.delete(&path).await.good();
}
