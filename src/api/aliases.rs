//! Aliases, which are further addresses of an account that forward mail: `/aliases/`.
//!
//! `dispatch` calls it. It parses parameters, calls `ops::lists` and shows the result.

use axum::body::Bytes;

use super::auth::Principal;
use super::error::ApiError;
use super::operation::{Operation, ResponseKind};
use super::request::{GetRequest, WriteRequest, is_deep};
use super::shape::{View as _, view};
use super::view::{self, Answer, Unpaged};
use crate::model::{Alias, EmailAddress, ListName};
use crate::ops::PageRequest;
use crate::ops::lists::aliases::{self as ops};
use crate::params::Params;
use crate::params::aliases::{fields, input};
use crate::store::{ReadTx, StoreError};

/// `/aliases/`
pub(super) const ALL: &[Operation] = &[
    Operation::get("Lists aliases", ResponseKind::Listing(AliasView::object)),
    Operation::post("Makes an alias", fields, ResponseKind::One(AliasView::object))
        .required(&["source", "destination"]),
];
/// `/aliases/{source}/`
pub(super) const ONE: &[Operation] = &[
    Operation::get("Shows an alias", ResponseKind::One(AliasView::object)),
    Operation::put("Changes an alias", fields, ResponseKind::One(AliasView::object)),
    Operation::delete("Deletes an alias"),
];

/// `GET /aliases/` or `GET /aliases/{source}/`
pub(super) struct GetParams {
    what: What,
    fields: Option<Vec<String>>,
}

enum What {
    One(String),
    Page(PageRequest),
}

pub(super) fn get_params(object: Option<&str>, params: &mut Params) -> Result<GetParams, ApiError> {
    let what = match object {
        Some(source) => What::One(source.to_owned()),
        None => What::Page(view::window(params, Unpaged::Everything)),
    };
    let fields = view::fields(params);
    ApiError::check(params.take_problems())?;
    Ok(GetParams { what, fields })
}

impl GetRequest for GetParams {
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError> {
        let fields = self.fields.as_deref();
        match &self.what {
            What::One(source) => {
                let alias = ops::get(tx, &principal.caller, source)?;
                view::object(&AliasView::of(&alias), fields).map(Answer::one)
            }
            What::Page(window) => {
                let page = ops::list(tx, &principal.caller, *window)?;
                view::listing(&page, *window, fields, AliasView::of)
            }
        }
    }

    fn is_long(&self, _: &ReadTx, _: &Principal) -> Result<bool, StoreError> {
        // An account may have any number of aliases.
        Ok(match self.what {
            What::One(_) => false,
            What::Page(window) => !matches!(window, PageRequest::Page { .. }) || is_deep(window),
        })
    }
}

/// `POST /aliases/`
pub(super) async fn create(call: WriteRequest<'_>) -> Result<Bytes, ApiError> {
    let input = input(call.params);
    let show = |alias: &Alias| view::object(&AliasView::of(alias), None);
    call.once(move |tx, by| ops::create(tx, &by.caller, input, by.now), show).await
}

/// `PUT /aliases/{source}/`
pub(super) async fn update(call: WriteRequest<'_>, source: &str) -> Result<Bytes, ApiError> {
    let input = input(call.params);
    let source = source.to_owned();
    let alias = call.perform(move |tx, by| ops::update(tx, &by.caller, &source, input, by.now)).await?;
    view::object(&AliasView::of(&alias), None)
}

/// `DELETE /aliases/{source}/`
pub(super) async fn delete(call: WriteRequest<'_>, source: &str) -> Result<Bytes, ApiError> {
    let source = source.to_owned();
    call.perform_reserved(move |tx, by| ops::delete(tx, &by.caller, &source, by.now)).await?;
    Ok(view::deleted())
}

view! {
    /// Another address of the account, and where its mail goes.
    struct AliasView<'a> as "Alias" {
        /// The part before the @; the rules of a list's name hold.
        source: &'a ListName,
        /// Where mail goes: 1 to 20 addresses, which may be lists and aliases of the account. Counting through other
        /// aliases, at most 20 of them are outside of the account.
        destination: &'a [EmailAddress],
    }
}

impl<'a> AliasView<'a> {
    fn of(alias: &'a Alias) -> AliasView<'a> {
        // No `..`: a new field is shown or left out on purpose.
        let Alias { id: _, account: _, source, destination } = alias;
        AliasView { source, destination }
    }
}
