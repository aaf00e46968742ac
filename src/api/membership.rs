//! Memberships of contacts in lists: `/membership/`.
//!
//! `dispatch` calls it. It parses parameters, calls `ops::people` and shows the result.

use axum::body::Bytes;
use serde::ser::{Serialize, Serializer};

use super::auth::Principal;
use super::error::ApiError;
use super::operation::{Operation, ResponseKind};
use super::request::{GetRequest, WriteRequest, is_deep, is_gathered};
use super::shape::{Shaped, View as _, view};
use super::view::{self, Answer, Unpaged};
use crate::http::reference::Shape;
use crate::model::{ListName, Membership};
use crate::ops::PageRequest;
use crate::ops::people::contacts::ContactName;
use crate::ops::people::memberships::{self as ops, Member, MembershipDetail, MembershipFilter};
use crate::params::Params;
use crate::params::membership::{Binary, fields, input};
use crate::store::{ReadTx, StoreError};

/// The parameter that adds somebody who opted out.
pub(super) const OVERRIDE: (&str, &str) = (
    "override_opt_out",
    "Adds a person who left the list, complained or came as opted out, and has asked for mail again since; otherwise \
     such a call gets 409.",
);

/// `/membership/`
pub(super) const ALL: &[Operation] = &[
    Operation::get("Lists memberships, by their identifiers", ResponseKind::Listing(MembershipView::object))
        .about(&[
            ("list", "Those of the list of this name."),
            ("contact", "Those of the contact of this identifier."),
            ("email", "Those of the contact that has this address."),
            ("paused", "Those that are paused, or those that are not."),
        ]),
    Operation::post("Adds a contact to a list", fields, ResponseKind::One(MembershipView::object))
        .required(&["contact", "list"])
        .about(&[OVERRIDE]),
];
/// `/membership/{id}/`
pub(super) const ONE: &[Operation] = &[
    Operation::get("Shows a membership", ResponseKind::One(MembershipView::object)),
    Operation::put("Changes a membership", fields, ResponseKind::One(MembershipView::object))
        .about(&[("override_opt_out", "Has no effect here: the contact is a member.")]),
    Operation::delete("Takes a contact off a list"),
];

/// `GET /membership/` or `GET /membership/{id}/`
pub(super) struct GetParams {
    what: What,
    fields: Option<Vec<String>>,
}

enum What {
    One(String),
    Page(MembershipFilter, PageRequest),
}

pub(super) fn get_params(object: Option<&str>, params: &mut Params) -> Result<GetParams, ApiError> {
    let what = if let Some(name) = object {
        What::One(name.to_owned())
    } else {
        let filter = MembershipFilter {
            list: params.nullable_text("list").flatten(),
            contact: params.nullable_text("contact").flatten(),
            email: params.nullable_text("email").flatten(),
            paused: params.boolean("paused"),
        };
        What::Page(filter, view::window(params, Unpaged::FirstPage))
    };
    let fields = view::fields(params);
    ApiError::check(params.take_problems())?;
    Ok(GetParams { what, fields })
}

impl GetRequest for GetParams {
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError> {
        let fields = self.fields.as_deref();
        match &self.what {
            What::One(name) => {
                let detail = ops::get(tx, &principal.caller, name)?;
                view::object(&MembershipView::of(&detail), fields).map(Answer::one)
            }
            What::Page(filter, window) => {
                let page = ops::list(tx, &principal.caller, filter, *window)?;
                view::listing(&page, *window, fields, MembershipView::of)
            }
        }
    }

    fn is_long(&self, tx: &ReadTx, principal: &Principal) -> Result<bool, StoreError> {
        match self.what {
            What::One(_) => Ok(false),
            What::Page(ref filter, window) => {
                Ok(filter.reads_all() || is_deep(window) || is_gathered(tx, principal)?)
            }
        }
    }
}

/// `POST /membership/`
pub(super) async fn create(call: WriteRequest<'_>) -> Result<Bytes, ApiError> {
    let input = input(call.params);
    let show = |detail: &MembershipDetail| view::object(&MembershipView::of(detail), None);
    call.once(move |tx, by| ops::create(tx, &by.caller, input, by.now), show).await
}

/// `PUT /membership/{id}/`
pub(super) async fn update(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let input = input(call.params);
    let name = name.to_owned();
    let detail = call.perform(move |tx, by| ops::update(tx, &by.caller, &name, input, by.now)).await?;
    view::object(&MembershipView::of(&detail), None)
}

/// `DELETE /membership/{id}/`
pub(super) async fn delete(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let name = name.to_owned();
    call.perform_reserved(move |tx, by| ops::delete(tx, &by.caller, &name, by.now)).await?;
    Ok(view::deleted())
}

impl Serialize for Binary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(u8::from(self.0))
    }
}

impl Shaped for Binary {
    fn shape() -> Shape {
        Shape::Number(vec![0, 1])
    }
}

view! {
    /// That a contact is a member of a list.
    pub(super) struct MembershipView<'a> as "Membership" {
        /// Service identifier of the membership.
        id: u64,
        /// Identifier of the contact.
        contact: &'a ContactName,
        /// Name of the list.
        list: &'a ListName,
        /// Overrides the digest setting of the addresses: 1 for the daily digest, 0 for every message; null
        /// keeps what each address says.
        digest: Option<Binary>,
        /// Whether the member gets no copies of the list's posts and reads them on the web alone: the "nomail" of
        /// other systems.
        paused: bool,
    }
}

impl<'a> MembershipView<'a> {
    pub(super) fn new(member: &'a Member, name: &'a ContactName) -> MembershipView<'a> {
        let Member { membership, list: list_name } = member;
        // No `..`: a new field is shown or left out on purpose. How a member joined is evidence, not API.
        let Membership { id, account: _, contact: _, list: _, digest, paused, joined: _ } = membership;
        MembershipView {
            id: id.0,
            contact: name,
            list: list_name,
            digest: digest.map(Binary),
            paused: *paused,
        }
    }

    fn of(detail: &'a MembershipDetail) -> MembershipView<'a> {
        MembershipView::new(&detail.member, &detail.contact)
    }
}
