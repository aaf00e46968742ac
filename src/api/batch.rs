//! `/contacts/batch/`: many contacts in one call, each as if it came by itself.

use std::sync::Arc;

use axum::body::Bytes;
use serde::Serialize;
use serde_json::Value;

use super::Writing;
use super::contacts::{self, ContactView};
use super::error::ApiError;
use super::params::Params;
use super::view;
use crate::model::Permission;
use crate::ops::contacts as ops;

/// Contacts of one batch.
const ROWS_MAX: usize = 1000;

#[derive(Serialize)]
struct Envelope {
    data: Vec<Value>,
    count: usize,
}

/// One row's result.
#[derive(Serialize)]
struct Row<T> {
    index: usize,
    status: u16,
    #[serde(flatten)]
    outcome: T,
}

#[derive(Serialize)]
struct Made<'a> {
    contact: ContactView<'a>,
}

/// `POST /contacts/batch/`: a transaction for each row, all handed over together, so that they share commits.
pub(super) async fn create(call: Writing<'_>) -> Result<Bytes, ApiError> {
    let Writing { core, principal, params, rate, repeatable: _ } = call;
    let rows = params.take_rows();
    rate.settle(u64::try_from(rows.len()).unwrap_or(u64::MAX))?;
    principal.caller.require(Permission::ManageMembers)?;
    if ROWS_MAX < rows.len() {
        return Err(ApiError::bad_request(format!("A batch may have at most {ROWS_MAX} rows")));
    }
    let (account, now) = (&principal.account, core.now());
    let mut jobs = Vec::with_capacity(rows.len());
    for row in rows {
        let Some(mut row) = row else {
            jobs.push(None);
            continue;
        };
        let input = contacts::input(&mut row, account);
        params.add_ignored(&row);
        let caller = Arc::clone(principal);
        jobs.push(Some(core.store.submit(move |tx| ops::create(tx, &caller.caller, input, now)).await));
    }
    let mut data = Vec::with_capacity(jobs.len());
    for (index, job) in jobs.into_iter().enumerate() {
        let made = match job {
            Some(job) => job.await.map_err(ApiError::from),
            None => Err(ApiError::bad_request("A row must be a JSON object with fields of a contact")),
        };
        data.push(match made {
            Ok(detail) => {
                let contact = ContactView::new(&detail, account);
                view::value(&Row { index, status: 200, outcome: Made { contact } })?
            }
            Err(error) => view::value(&Row { index, status: error.status(), outcome: error.envelope() })?,
        });
    }
    view::object(&Envelope { count: data.len(), data }, None)
}

/// The rows of a batch as they came: none where one is no object, or has too many fields.
pub(super) fn rows(values: Vec<Value>) -> Vec<Option<Params>> {
    let row = |value| match value {
        Value::Object(object) => Params::from_object(object).ok(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
    };
    values.into_iter().map(row).collect()
}
