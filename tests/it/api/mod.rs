//! The HTTP API, one module a section of the document; the general rules are in `rules`.

mod admins;
mod contacts;
mod emails;
mod lists;
mod membership;
mod messages;
mod rules;

use serde_json::Value;

use crate::harness::http::Response;

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
