//! The HTTP API, one module a section of the document; the general rules are in `rules`.

mod accounts;
mod admins;
mod aliases;
mod archive_search;
mod batch;
mod contacts;
mod domains;
mod emails;
mod held;
mod idempotency;
mod limits;
mod lists;
mod membership;
mod messages;
mod openapi;
mod pending;
mod rate;
mod rules;
mod search;

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::harness::http::{Client, Response};

/// The members of `errors`, in order.
#[track_caller]
fn wrong_fields(response: &Response) -> Vec<String> {
    let error = response.error(400, "");
    let errors = error["errors"].as_object().unwrap_or_else(|| panic!("no errors: {error}"));
    errors.keys().cloned().collect()
}

/// One member of every row of a listing.
#[track_caller]
fn column(listing: &Value, name: &str) -> Vec<Value> {
    let rows = listing["data"].as_array().unwrap_or_else(|| panic!("no data: {listing}"));
    rows.iter().map(|row| row[name].clone()).collect()
}

/// One member of every object of an array.
#[track_caller]
fn each(array: &Value, name: &str) -> Vec<Value> {
    let rows = array.as_array().unwrap_or_else(|| panic!("no array: {array}"));
    rows.iter().map(|row| row[name].clone()).collect()
}

/// The holder of a new key of this administrator.
async fn holder(app: &TestApp, admin: &Value) -> Client {
    let path = format!("/api/2/admins/{}/", admin["id"]);
    let made = app.admin.put(&path, &[("get_key", "")]).await.good();
    app.anon.with_authorization(&format!("Bearer {}", made["key"].as_str().expect("a key is shown")))
}

/// The holder of a key of a new administrator with these fields.
async fn key_holder(app: &TestApp, fields: Value) -> Client {
    let mut all = json!({"api": 2});
    let members = all.as_object_mut().expect("it is an object");
    members.extend(fields.as_object().expect("fields are an object").clone());
    holder(app, &app.admin.post_json("/api/2/admins/", &all).await.good()).await
}
