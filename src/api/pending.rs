//! Requests to join a list, to leave one, or to create one, that wait for approval: `/pending/`.
//!
//! `dispatch` calls it. Who may decide is checked in `ops`.

use axum::body::Bytes;

use super::auth::Principal;
use super::error::ApiError;
use super::held;
use super::operation::{Operation, ResponseKind};
use super::request::{GetRequest, WriteRequest, is_deep};
use super::shape::{View as _, Word, view};
use super::view::{self, Answer, Rfc3339, Unpaged};
use crate::model::pending::{PendingKind, PendingState};
use crate::model::{EmailAddress, Pending, PendingId, Permission};
use crate::ops::lists::pending as ops;
use crate::ops::people::contacts::parse_id;
use crate::ops::{OpError, Page, PageRequest};
use crate::params::Params;
use crate::params::parse::word;
use crate::store::{ReadTx, StoreError};

/// Fields that an object shows and a call cannot set.
const READ_ONLY: [&str; 7] = ["id", "kind", "list", "email", "name", "requested", "state"];

/// `/pending/`
pub(super) const ALL: &[Operation] =
    &[Operation::get("Lists requests that wait for a decision", ResponseKind::Listing(PendingView::object))
        .about(&[("state", "Only those in this state; without it, those that wait.")])];
/// `/pending/{id}/`
pub(super) const ONE: &[Operation] = &[
    Operation::get("Shows a request that waits for a decision", ResponseKind::One(PendingView::object)),
    Operation::put("Decides on a request", held::fields, ResponseKind::One(PendingView::object))
        .required(&["action"])
        .about(&[("action", "The decision."), ("reason", "What the person is told where it is rejected.")]),
];

/// `GET /pending/` or `GET /pending/{id}/`
pub(super) struct GetParams {
    what: What,
    fields: Option<Vec<String>>,
}

enum What {
    One(PendingId),
    Page(PendingState, PageRequest),
}

pub(super) fn get_params(object: Option<&str>, params: &mut Params) -> Result<GetParams, ApiError> {
    let what = if let Some(name) = object {
        What::One(parse_pending_id(name)?)
    } else {
        let state = params.nullable("state", word::<PendingState>());
        let window = view::window(params, Unpaged::FirstPage);
        What::Page(state.flatten().unwrap_or(PendingState::Pending), window)
    };
    let fields = view::fields(params);
    ApiError::check(params.take_problems())?;
    Ok(GetParams { what, fields })
}

impl GetRequest for GetParams {
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError> {
        let fields = self.fields.as_deref();
        match self.what {
            What::One(id) => {
                let pending = ops::get(tx, &principal.caller, id)?;
                let list = ops::list_name(tx, &pending)?;
                view::object(&PendingView::of(&(pending, list)), fields).map(Answer::one)
            }
            What::Page(state, window) => {
                let Page { rows, count } = ops::list(tx, &principal.caller, state, window)?;
                let named = rows.into_iter().map(|pending| {
                    let list = ops::list_name(tx, &pending)?;
                    Ok((pending, list))
                });
                let page = Page { rows: named.collect::<Result<Vec<_>, StoreError>>()?, count };
                view::listing(&page, window, fields, PendingView::of)
            }
        }
    }

    fn is_long(&self, _: &ReadTx, _: &Principal) -> Result<bool, StoreError> {
        Ok(matches!(self.what, What::Page(_, window) if is_deep(window)))
    }
}

fn parse_pending_id(name: &str) -> Result<PendingId, OpError> {
    parse_id(name).map(PendingId).ok_or(OpError::NotFound { what: "pending request" })
}

/// `PUT /pending/{id}/`
pub(super) async fn update(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let WriteRequest { core, principal, params, rate: _, repeatable: _ } = call;
    principal.caller.require(Permission::ApproveMessages)?;
    let id = parse_pending_id(name)?;
    // A missing request is reported before wrong values.
    ops::require_decider(&principal.caller, &ops::get(&core.store.read()?, &principal.caller, id)?)?;
    params.read_only(&READ_ONLY);
    let (action, reason) = held::decision(params)?;
    let decided = core.decide_pending(&principal.caller, id, action, reason).await?;
    let list = ops::list_name(&core.store.read()?, &decided)?;
    view::object(&PendingView::of(&(decided, list)), None)
}

view! {
    /// A request that waits for a decision.
    struct PendingView<'a> as "Pending" {
        /// Service identifier.
        id: u64,
        /// Whether a person asks to join or leave a list, or an administrator to create one.
        kind: Word<PendingKind>,
        /// Name of the list.
        list: &'a str,
        /// Address of the person; null in a request for a new list.
        email: Option<&'a EmailAddress>,
        /// Name of the person.
        name: &'a str,
        /// When the request was made.
        requested: Rfc3339,
        /// State of the request.
        state: Word<PendingState>,
    }
}

impl<'a> PendingView<'a> {
    fn of((pending, list_name): &'a (Pending, String)) -> PendingView<'a> {
        // No `..`: a new field is shown or left out on purpose.
        let Pending {
            id,
            account: _,
            kind,
            list: _,
            list_name: _,
            email,
            name,
            requested,
            state,
            decision: _,
        } = pending;
        PendingView {
            id: id.0,
            kind: Word(*kind),
            list: list_name,
            email: email.as_ref(),
            name,
            requested: Rfc3339(*requested),
            state: Word(*state),
        }
    }
}
