//! `/membership/`

use serde_json::{Value, json};

use super::{column, wrong_fields};
use crate::harness::TestApp;

const MEMBERSHIP: &str = "/api/2/membership/";

async fn contact(app: &TestApp, address: &str) -> String {
    app.admin.post("/api/2/contacts/", &[("emails", address)]).await.good()["id"].to_string()
}

fn path_of(membership: &Value) -> String {
    format!("{MEMBERSHIP}{}/", membership["id"])
}

#[tokio::test]
async fn a_contact_joins_a_list_and_leaves_it() {
    let app = TestApp::start().await;
    app.list("News").create().await;
    let id = contact(&app, "a@x.org").await;
    let membership = app.admin.post(MEMBERSHIP, &[("contact", &id), ("list", "news")]).await.good();
    let number: u64 = id.parse().unwrap();
    let expected = json!({"id": membership["id"], "contact": number, "list": "News", "digest": null});
    assert_eq!(membership, expected);
    assert_eq!(app.admin.get(&path_of(&membership)).await.good(), membership);
    assert_eq!(app.members("news").await, ["a@x.org"]);
    assert_eq!(app.admin.delete(&path_of(&membership)).await.good(), json!({"success": true}));
    assert_eq!(app.members("news").await, [""; 0]);
    app.admin.get(&path_of(&membership)).await.error(404, "membership");
    app.admin.get(&format!("/api/2/contacts/{id}/")).await.good();
}

#[tokio::test]
async fn a_second_membership_of_the_same_pair_is_a_conflict() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let id = contact(&app, "a@x.org").await;
    app.admin.post(MEMBERSHIP, &[("contact", &id), ("list", "news")]).await.good();
    app.admin.post(MEMBERSHIP, &[("contact", &id), ("list", "NEWS")]).await.error(409, "news");
}

#[tokio::test]
async fn a_membership_needs_a_contact_and_a_list_that_are_there() {
    let app = TestApp::start().await;
    assert_eq!(wrong_fields(&app.admin.post(MEMBERSHIP, &[]).await), ["contact", "list"]);
    let fields = [("contact", "999"), ("list", "nothing"), ("digest", "2")];
    assert_eq!(wrong_fields(&app.admin.post(MEMBERSHIP, &fields).await), ["contact", "digest", "list"]);
}

#[tokio::test]
async fn the_digest_setting_is_null_one_or_zero() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let id = contact(&app, "a@x.org").await;
    let fields = [("contact", id.as_str()), ("list", "news"), ("digest", "1")];
    let membership = app.admin.post(MEMBERSHIP, &fields).await.good();
    assert_eq!(membership["digest"], 1);
    let path = path_of(&membership);
    for (given, expected) in [
        (json!(0), json!(0)),
        (json!(true), json!(1)),
        (json!("0"), json!(0)),
        (json!(null), json!(null)),
        (json!(false), json!(0)),
        (json!(""), json!(null)),
    ] {
        assert_eq!(app.admin.put_json(&path, &json!({"digest": given})).await.good()["digest"], expected);
    }
    for given in [json!(2), json!("daily"), json!([1])] {
        let response = app.admin.put_json(&path, &json!({"digest": given})).await;
        assert_eq!(wrong_fields(&response), ["digest"], "{given}");
    }
}

#[tokio::test]
async fn contact_and_list_of_a_membership_cannot_be_changed() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.list("other").create().await;
    let (first, second) = (contact(&app, "a@x.org").await, contact(&app, "b@x.org").await);
    let membership = app.admin.post(MEMBERSHIP, &[("contact", &first), ("list", "news")]).await.good();
    let path = path_of(&membership);
    let response = app.admin.put(&path, &[("contact", &second), ("list", "other")]).await;
    assert_eq!(wrong_fields(&response), ["contact", "list"]);
    assert_eq!(
        app.admin.put_json(&path, &membership).await.good(),
        membership,
        "what was read can be put back"
    );
}

#[tokio::test]
async fn memberships_are_listed_by_list_contact_and_address() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.list("other").create().await;
    let (ada, bob) = (contact(&app, "ada@x.org").await, contact(&app, "bob@x.org").await);
    let mut ids = Vec::new();
    for (id, list) in [(&ada, "other"), (&bob, "news"), (&ada, "news")] {
        let membership = app.admin.post(MEMBERSHIP, &[("contact", id), ("list", list)]).await.good();
        ids.push(membership["id"].clone());
    }
    let [first, second, third] = [0, 1, 2].map(|place: usize| ids[place].clone());
    for (query, expected) in [
        (String::new(), ids.clone()),
        ("?list=News".to_owned(), vec![second.clone(), third.clone()]),
        (format!("?contact={ada}"), vec![first.clone(), third.clone()]),
        ("?email=Ada%40x.org".to_owned(), vec![first.clone(), third.clone()]),
        (format!("?contact={ada}&list=news"), vec![third.clone()]),
        (format!("?contact={bob}&email=ada%40x.org"), vec![]),
        ("?limit=1&page=2".to_owned(), vec![second.clone()]),
        (format!("?after={first}&limit=1"), vec![second.clone()]),
        (format!("?list=news&after={second}"), vec![third.clone()]),
    ] {
        let listing = app.admin.get(&format!("{MEMBERSHIP}{query}")).await.good();
        assert_eq!(column(&listing, "id"), expected, "{query}");
    }
    for query in ["list=nothing", "contact=999", "email=nobody%40x.org"] {
        app.admin.get(&format!("{MEMBERSHIP}?{query}")).await.error(404, "no such");
    }
}
