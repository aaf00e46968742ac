//! The pages on which administrators set up lists, the account, domains, aliases, administrators and keys.

mod account;
mod administrators;
mod authority;
pub(crate) mod controls;
mod fields;
mod list_pages;
mod lists;
mod problems;

use crier::model::AccountId;
use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::harness::contract::document;
use crate::harness::http::Response;
use crate::harness::visitor::Visitor;
use controls::Fields;

/// Signs an administrator with these fields of the API in.
async fn admin(app: &TestApp, address: &str, fields: &Value) -> Visitor {
    let person = app.new_admin(AccountId(app.account_id()), address).await;
    app.admin.put_json(&format!("/api/2/admins/{address}/"), fields).await.good();
    Visitor::signed_in(app, person).await
}

/// Signs an administrator in who may do everything.
async fn head(app: &TestApp) -> Visitor {
    admin(app, "head@example.org", &json!({"permissions": ["account_admin"]})).await
}

#[track_caller]
fn page(response: &Response, status: u16, words: &str) {
    assert_eq!(response.status, status, "{}", response.body);
    assert!(response.body.contains(words), "{words:?} is not in {}", response.body);
}

/// Follows the redirect that a form answers with, to a page that says what was done.
async fn done(visitor: &mut Visitor, response: &Response) -> Response {
    assert_eq!(response.status, 303, "{}", response.body);
    let shown = visitor.get(response.header("location").unwrap()).await;
    page(&shown, 200, "role=\"status\"");
    shown
}

/// Sends a form of a page with some of its fields changed.
async fn send(visitor: &mut Visitor, path: &str, marks: &[&str], changes: &[(&str, &[&str])]) -> Response {
    let shown = visitor.get(path).await;
    assert_eq!(shown.status, 200, "{}", shown.body);
    let mut fields = Fields::of(&shown, marks);
    for (name, values) in changes {
        fields.set(name, values);
    }
    visitor.post(path, &fields.pairs()).await
}

/// The names of the fields that a call of the API may set.
fn described(path: &str) -> Vec<String> {
    let body = &document()["paths"][path]["put"]["requestBody"]["content"]["application/json"]["schema"];
    let schema = match body["$ref"].as_str() {
        Some(reference) => document().pointer(reference.trim_start_matches('#')).unwrap(),
        None => body,
    };
    schema["properties"].as_object().unwrap().keys().cloned().collect()
}
