//! `/contacts/batch/`

use serde_json::{Value, json};

use super::each;
use crate::harness::TestApp;
use crate::harness::http::Response;

const CONTACTS: &str = "/api/2/contacts/";
const BATCH: &str = "/api/2/contacts/batch/";

#[track_caller]
fn remaining(response: &Response) -> u64 {
    response.header("ratelimit-remaining").and_then(|value| value.parse().ok()).expect("a number")
}

#[tokio::test]
async fn every_row_of_a_batch_has_a_result_of_its_own() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let rows = json!([
        {"emails": ["ada@x.org"], "lists": ["news"], "firstname": "Ada"},
        {"emails": ["ADA@x.org"]},
        {"emails": ["x"], "lists": ["nothing"]},
        "bob@x.org",
        {"emails": "bob@x.org"},
    ]);
    let response = app.admin.post_json(BATCH, &rows).await;
    let answer = response.good();
    assert_eq!((&answer["count"], remaining(&response)), (&json!(5), 29_994));
    assert_eq!(each(&answer["data"], "index"), [0, 1, 2, 3, 4]);
    assert_eq!(each(&answer["data"], "status"), [200, 409, 400, 400, 200]);
    let [ada, taken, wrong, text, bob] = [0, 1, 2, 3, 4].map(|row| &answer["data"][row]);
    for made in [ada, bob] {
        let path = format!("{CONTACTS}{}/", made["contact"]["id"]);
        assert_eq!(app.admin.get(&path).await.good(), made["contact"]);
    }
    let taken_message = json!({
        "index": 1, "status": 409, "is_error": true, "message": taken["message"],
    });
    assert_eq!(*taken, taken_message);
    let fields: Vec<&String> = wrong["errors"].as_object().unwrap().keys().collect();
    assert_eq!(fields, ["emails", "lists"]);
    assert!(text["message"].as_str().unwrap().contains("JSON object"), "{text}");
    assert_eq!(app.members("news").await, ["ada@x.org"]);
    assert_eq!(app.admin.get(CONTACTS).await.good()["count"], 2);
}

#[tokio::test]
async fn a_batch_has_a_thousand_rows_at_most() {
    let app = TestApp::start().await;
    let rows = |count: usize| {
        Value::Array((0..count).map(|row| json!({"emails": [format!("m{row}@x.org")]})).collect())
    };
    app.admin.post_json(BATCH, &rows(1001)).await.error(400, "1000 rows");
    assert_eq!(app.admin.get(CONTACTS).await.good()["count"], 0);
    let answer = app.admin.post_json(BATCH, &rows(1000)).await.good();
    assert!(each(&answer["data"], "status").iter().all(|status| *status == 200));
    assert_eq!(app.admin.get(CONTACTS).await.good()["count"], 1000);
    let response = app.admin.post_json(BATCH, &json!([])).await;
    assert_eq!(response.good(), json!({"data": [], "count": 0}));
}

#[tokio::test]
async fn a_batch_of_more_rows_than_are_left_does_nothing() {
    let app = TestApp::start().await;
    app.change_account(|account| account.contacts_max = 1).await;
    let row = |name: &str| json!({"emails": [name]});
    let rows = json!([row("a@x.org"), row("b@x.org"), row("c@x.org"), row("d@x.org")]);
    let response = app.admin.post_json(BATCH, &rows).await;
    response.error(429, "3 objects an hour");
    assert_eq!(remaining(&response), 3);
    let rows = json!([row("a@x.org"), row("b@x.org"), row("c@x.org")]);
    let response = app.admin.post_json(BATCH, &rows).await;
    assert_eq!(each(&response.good()["data"], "status"), [200, 403, 403], "the address book is full");
    assert_eq!(remaining(&response), 0);
}

#[tokio::test]
async fn a_batch_is_a_json_array_from_somebody_who_may_manage_members() {
    let app = TestApp::start().await;
    let json = ("Content-Type", "application/json");
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    app.admin.request("POST", BATCH, &[form], b"emails=a%40x.org").await.error(415, "application/json");
    app.anon.request("POST", BATCH, &[json], b"[{]").await.error(400, "line 1 column 3");
    app.admin.request("POST", BATCH, &[json], b"{}").await.error(400, "array");
    app.admin.request("POST", BATCH, &[json], &vec![b' '; (1 << 20) + 1]).await.error(413, "1048576");
    app.anon.post_json(BATCH, &json!([])).await.error(401, "Authentication failed");
    let none = app.key_with([crier::model::Permission::SendMessages]).await;
    none.post_json(BATCH, &json!([])).await.error(403, "manage_members");
    for method in ["GET", "PUT", "DELETE"] {
        let response = app.admin.request(method, BATCH, &[], b"").await;
        response.error(405, "POST");
        assert_eq!(response.header("allow"), Some("POST"));
    }
    assert_eq!(app.admin.post("/api/2/contacts/batch", &[]).await.status, 308);
    let rows = json!([{"emails": ["a@x.org"], "zz": 1, "id": 7}, {"emails": ["b@x.org"], "zz": 1, "yy": 2}]);
    let response = app.admin.post_json(BATCH, &rows).await;
    response.good();
    assert_eq!(response.header("x-ignored-parameters"), Some("yy,zz"));
}
