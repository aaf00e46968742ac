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
    let (list, digest) = ("News", Value::Null);
    let expected = json!({
        "id": membership["id"], "contact": number, "list": list, "digest": digest, "paused": false,
    });
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
async fn a_membership_is_paused_and_resumed_in_every_way_that_sets_it() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.list("other").create().await;
    let id = contact(&app, "a@x.org").await;
    let fields = [("contact", id.as_str()), ("list", "news"), ("paused", "1"), ("digest", "0")];
    let membership = app.admin.post(MEMBERSHIP, &fields).await.good();
    assert_eq!((&membership["paused"], &membership["digest"]), (&json!(true), &json!(0)));
    let path = path_of(&membership);
    let changed = app.admin.put_json(&path, &json!({"digest": 1})).await.good();
    assert_eq!(changed["paused"], true, "what a call does not mention stays");
    let changed = app.admin.put_json(&path, &json!({"paused": false})).await.good();
    assert_eq!((&changed["paused"], &changed["digest"]), (&json!(false), &json!(1)));

    let person = format!("/api/2/contacts/{id}/");
    let lists = json!({"lists": [{"list": "news", "paused": true}, {"list": "other", "paused": true}]});
    let changed = app.admin.put_json(&person, &lists).await.good();
    assert_eq!(column(&json!({"data": changed["lists"]}), "paused"), [true, true]);
    assert_eq!(changed["lists"][0]["id"], membership["id"]);
    let changed = app.admin.put_json(&person, &json!({"lists": ["news", "other"]})).await.good();
    assert_eq!(column(&json!({"data": changed["lists"]}), "paused"), [true, true], "the name alone keeps it");

    let rows = json!([{"emails": ["b@x.org"], "lists": [{"list": "news", "paused": true}]}]);
    let made = app.admin.post_json("/api/2/contacts/batch/", &rows).await.good();
    assert_eq!(made["data"][0]["contact"]["lists"][0]["paused"], true);
    let refused = app.admin.put_json(&path, &json!({"paused": [1]})).await;
    assert_eq!(wrong_fields(&refused), ["paused"]);
}

#[tokio::test]
async fn memberships_are_listed_by_whether_they_are_paused() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.list("other").create().await;
    let mut ids = Vec::new();
    for (list, paused) in [("news", "1"), ("news", "0"), ("other", "1"), ("news", "1")] {
        let id = contact(&app, &format!("member{}@x.org", ids.len())).await;
        let fields = [("contact", id.as_str()), ("list", list), ("paused", paused)];
        ids.push(app.admin.post(MEMBERSHIP, &fields).await.good()["id"].clone());
    }
    let of = |places: &[usize]| places.iter().map(|place| ids[*place].clone()).collect::<Vec<Value>>();
    for (query, expected, count) in [
        ("?paused=1", of(&[0, 2, 3]), 3),
        ("?paused=0", of(&[1]), 1),
        ("?paused=true&list=news", of(&[0, 3]), 2),
        ("?paused=false&list=news", of(&[1]), 1),
        ("?paused=false&list=other", of(&[]), 0),
        ("?paused=1&limit=1&page=2", of(&[2]), 3),
        ("?paused=1&email=member0%40x.org", of(&[0]), 1),
        ("?paused=0&email=member0%40x.org", of(&[]), 0),
    ] {
        let listing = app.admin.get(&format!("{MEMBERSHIP}{query}")).await.good();
        assert_eq!((column(&listing, "id"), &listing["count"]), (expected, &json!(count)), "{query}");
    }
    app.admin.put_json(&format!("{MEMBERSHIP}{}/", ids[0]), &json!({"paused": false})).await.good();
    let listing = app.admin.get(&format!("{MEMBERSHIP}?paused=1")).await.good();
    assert_eq!(column(&listing, "id"), of(&[2, 3]));
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
