//! Single addresses of contacts: `/emails/`.
//!
//! `dispatch` calls it; `contacts` and `batch` read the addresses inside of contacts with its functions.

use axum::body::Bytes;
use serde::Serialize;

use super::auth::Principal;
use super::error::ApiError;
use super::operation::{Operation, ResponseKind};
use super::request::{GetRequest, WriteRequest};
use super::shape::{Shaped, View as _, view};
use super::view::{self, Answer, Rfc3339};
use crate::http::reference::Shape;
use crate::model::{Email, EmailAddress};
use crate::ops::people::contacts::ContactName;
use crate::ops::people::emails::{self as ops, EmailDetail};
use crate::params::Params;
use crate::params::emails::{call_input, fields, judge};
use crate::store::{ReadTx, StoreError};

/// `/emails/`
pub(super) const ALL: &[Operation] =
    &[Operation::post("Adds an address to a contact", fields, ResponseKind::One(EmailView::object))
        .required(&["email", "contact"])];
/// `/emails/{id}/`
pub(super) const ONE: &[Operation] = &[
    Operation::get("Shows an address", ResponseKind::One(EmailView::object)),
    Operation::put("Changes an address", fields, ResponseKind::One(EmailView::object)),
    Operation::delete("Deletes an address, and its contact if it has no other"),
];

/// `GET /emails/{id}/`
pub(super) struct GetParams {
    name: String,
    fields: Option<Vec<String>>,
}

pub(super) fn get_params(name: &str, params: &mut Params) -> Result<GetParams, ApiError> {
    let fields = view::fields(params);
    ApiError::check(params.take_problems())?;
    Ok(GetParams { name: name.to_owned(), fields })
}

impl GetRequest for GetParams {
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError> {
        let EmailDetail { email, contact } = ops::get(tx, &principal.caller, &self.name)?;
        let operated = principal.caller.is_operator().then(|| OperatedView::of(&email));
        let shown = EmailView { operated, ..EmailView::new(&email, &contact) };
        view::object(&shown, self.fields.as_deref()).map(Answer::one)
    }

    fn is_long(&self, _: &ReadTx, _: &Principal) -> Result<bool, StoreError> {
        Ok(false)
    }
}

/// `POST /emails/`
pub(super) async fn create(call: WriteRequest<'_>) -> Result<Bytes, ApiError> {
    let (contact, mut input, problems) = call_input(call.params);
    judge(call.core, &call.principal.caller, &call.principal.account, std::iter::once(&mut input)).await;
    let show =
        |EmailDetail { email, contact }: &EmailDetail| view::object(&EmailView::new(email, contact), None);
    call.once(move |tx, by| ops::create(tx, &by.caller, contact.as_deref(), input, problems, by.now), show)
        .await
}

/// `PUT /emails/{id}/`
pub(super) async fn update(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let (contact, mut input, problems) = call_input(call.params);
    judge(call.core, &call.principal.caller, &call.principal.account, std::iter::once(&mut input)).await;
    let name = name.to_owned();
    let EmailDetail { email, contact } = call
        .perform(move |tx, by| {
            ops::update(tx, &by.caller, &name, contact.as_deref(), input, problems, by.now)
        })
        .await?;
    view::object(&EmailView::new(&email, &contact), None)
}

/// `DELETE /emails/{id}/`
pub(super) async fn delete(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let name = name.to_owned();
    call.perform_reserved(move |tx, by| ops::delete(tx, &by.caller, &name, by.now)).await?;
    Ok(view::deleted())
}

view! {
    /// An address of a contact.
    pub(super) struct EmailView<'a> as "Email" {
        /// Service identifier of the address.
        id: u64,
        /// Identifier of the contact that the address belongs to.
        contact: &'a ContactName,
        /// The address. Compared with its case folded, kept as it was written.
        email: &'a EmailAddress,
        /// Whether the address gets the daily digest in place of every message.
        digest: bool,
        /// Whether nothing is delivered to the address.
        paused: bool,
        /// Whether its holder has confirmed the address. Read-only.
        confirmed: bool,
        /// Identifier of your own for the object, up to 64 characters; null where there is none.
        ceid: Option<&'a str>,
        /// Further fields that only the operator's commands show.
        #[serde(flatten)]
        operated: Option<OperatedView<'a>>,
    }
}

/// The reason why the server paused an address, which only the operator's commands show.
#[derive(Serialize)]
struct OperatedView<'a> {
    paused_since: Option<Rfc3339>,
    pause_cause: Option<&'static str>,
    /// The reason in the words of the address's mail server or its reader.
    pause_reason: Option<&'a str>,
}

impl Shaped for OperatedView<'_> {
    fn shape() -> Shape {
        // Not shown to any key, so the description of the API lists none of its fields.
        Shape::Fields(Vec::new())
    }
}

impl<'a> OperatedView<'a> {
    fn of(email: &'a Email) -> OperatedView<'a> {
        let paused = email.evidence.as_ref().filter(|_| email.paused);
        let pause = paused.and_then(|known| known.pause.as_ref());
        OperatedView {
            paused_since: pause.map(|pause| Rfc3339(pause.since)),
            pause_cause: pause.map(|pause| pause.cause.word()),
            pause_reason: pause.and(paused).map(|known| known.reason.as_str()),
        }
    }
}

impl<'a> EmailView<'a> {
    pub(super) fn new(email: &'a Email, name: &'a ContactName) -> EmailView<'a> {
        // No `..`: a new field is shown or left out on purpose.
        let Email { id, account: _, contact: _, address, digest, paused, confirmed, ceid, evidence: _ } =
            email;
        EmailView {
            id: id.0,
            contact: name,
            email: address,
            digest: *digest,
            paused: *paused,
            confirmed: *confirmed,
            ceid: ceid.as_deref(),
            operated: None,
        }
    }
}
