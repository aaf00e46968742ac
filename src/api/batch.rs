//! Creation of many contacts in one call: `/contacts/batch/`.
//!
//! `dispatch` calls it. Each row is carried out and answered as if it were a call of its own; a failed row never
//! undoes another.

use std::collections::BTreeSet;

use axum::body::Bytes;
use serde::Serialize;
use serde_json::Value;

use super::contacts::ContactView;
use super::error::{self, ApiError};
use super::operation::{Operation, ResponseKind, Rows};
use super::request::WriteRequest;
use super::shape::{View as _, view};
use super::view;
use crate::model::Permission;
use crate::ops::people::contacts as ops;
use crate::params::Params;
use crate::params::contacts as contact_params;
use crate::service::rows::{Keeping, RowResult};

/// Most contacts in one batch.
const ROWS_MAX: usize = 1000;

/// `/contacts/batch/`
pub(super) const ALL: &[Operation] = &[Operation::post_rows(
    "Makes many contacts, each as if it came by itself",
    Rows { reader: contact_params::fields, max: ROWS_MAX, object: ContactView::object },
    ResponseKind::Rows(Row::object),
)
.required(&["emails"])
.about(&[("override_opt_out", "Also adds people to lists that they left.")])];

/// The results of the rows of a call, in their order.
#[derive(Serialize)]
pub(super) struct RowsBody {
    pub(super) data: Vec<Value>,
    pub(super) count: usize,
}

view! {
    /// The result of one row of a batch.
    struct Row<'a> as "BatchRow" {
        /// Its place in the call, from 0.
        index: u64,
        /// The status that it would have got as a call of its own.
        status: u16,
        /// The contact that was made.
        #[serde(skip_serializing_if = "Option::is_none")]
        contact: Option<ContactView<'a>>,
        /// The error, where no contact was made.
        #[serde(flatten)]
        error: Option<error::ErrorBody<'a>>,
    }
}

/// `POST /contacts/batch/`: a transaction for each row, all submitted together, so that they share commits.
pub(super) async fn create(call: WriteRequest<'_>) -> Result<Bytes, ApiError> {
    let WriteRequest { core, principal, params, rate, repeatable: _ } = call;
    let rows = params.take_rows();
    rate.settle(u64::try_from(rows.len()).unwrap_or(u64::MAX))?;
    principal.caller.require(Permission::ManageMembers)?;
    if ROWS_MAX < rows.len() {
        return Err(ApiError::bad_request(format!("A batch may have at most {ROWS_MAX} rows")));
    }
    let account = &principal.account;
    let (mut inputs, mut ignored) = (Vec::with_capacity(rows.len()), BTreeSet::new());
    for row in rows {
        let input = row.map(|mut row| {
            let input = contact_params::input(&mut row, account);
            ignored.extend(row.ignored().map(str::to_owned));
            input
        });
        inputs.push(input.ok_or(NoObject));
    }
    params.add_ignored(ignored);
    let made = core.submit_rows(&principal.caller, Keeping::OneEntry, inputs, ops::add).await;
    let mut made = made.await;
    let (mut data, mut made_count) = (Vec::with_capacity(made.rows.len()), 0);
    for (index, row) in std::mem::take(&mut made.rows).into_iter().enumerate() {
        let row = match row {
            RowResult::Done(done) => done.map_err(ApiError::from),
            RowResult::Known(NoObject) => {
                Err(ApiError::bad_request("A row must be a JSON object with fields of a contact"))
            }
        };
        let index = u64::try_from(index).unwrap_or(u64::MAX);
        data.push(match row {
            Ok(detail) => {
                made_count += 1;
                let contact = Some(ContactView::new(&detail, account));
                view::value(&Row { index, status: 200, contact, error: None })?
            }
            Err(error) => {
                let (status, error) = (error.status(), Some(error.body()));
                view::value(&Row { index, status, contact: None, error })?
            }
        });
    }
    made.settle(core, format!("{made_count} made, {} refused", data.len() - made_count)).await?;
    view::object(&RowsBody { count: data.len(), data }, None)
}

/// A row that is no object with parameters.
struct NoObject;

/// The rows of a batch as they came; a row is `None` if it is not an object, or has too many fields.
pub(super) fn rows(values: Vec<Value>) -> Vec<Option<Params>> {
    let row = |value| match value {
        Value::Object(object) => Params::from_object(object).ok(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
    };
    values.into_iter().map(row).collect()
}
