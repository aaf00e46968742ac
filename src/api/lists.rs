//! Mailing lists and their settings: `/lists/`.
//!
//! `dispatch` calls it. It parses parameters, hashes the archive's password, calls `ops::lists` and shows the result.

use std::sync::Arc;

use super::auth::Principal;
use super::error::ApiError;
use super::operation::{Operation, ResponseKind};
use super::request::{GetRequest, ROWS_INLINE_MAX, WriteRequest, is_deep};
use super::shape::{View as _, settings, view};
use super::view::{self, Answer, Rfc3339, Unpaged, search_text, wants};
use crate::model::account::{NotifyApproval, Subscriptions};
use crate::model::list::{Memberview, MessageRejections, OriginalSenderMode, Topic, list_fields};
use crate::model::{EmailAddress, ListId, ListName, Moderate};
use crate::ops::audit::Step;
use crate::ops::lists::{self as ops, Deletion, ListDetail, ListFilter, Members};
use crate::ops::people::contacts::ContactName;
use crate::ops::{Caller, OpContext, PageRequest};
use crate::params::Params;
use crate::params::lists::{fields, input};
use crate::store::{ReadTx, StoreError, WriteTx};
use axum::body::Bytes;

/// `/lists/`
pub(super) const ALL: &[Operation] = &[
    Operation::get(
        "Lists lists: all of them, or a page where one is asked for",
        ResponseKind::Listing(ListView::object),
    )
    .about(&[
        ("search", "Words, each of which begins a word of the name or the description."),
        ("name", "The list of this name."),
        ("clid", "The list of this custom identifier."),
    ]),
    Operation::post("Makes a list", fields, ResponseKind::One(ListView::object))
        .required(&["name"])
        .about(ABOUT),
];
/// `/lists/{name}/`
pub(super) const ONE: &[Operation] = &[
    Operation::get("Shows a list", ResponseKind::One(ListView::object)),
    Operation::put("Changes a list", fields, ResponseKind::One(ListView::object)).about(ABOUT),
    Operation::delete("Deletes a list with its memberships, held messages and archive"),
];
/// Descriptions of fields that calls may set and answers never show.
const ABOUT: &[(&str, &str)] = &[
    ("archive_password", "Opens protected archives; null or blank for none. Never shown."),
    ("subs_memberview", "The same as memberview."),
];

/// `GET /lists/` or `GET /lists/{name}/`
pub(super) struct GetParams {
    what: What,
    members: Members,
    fields: Option<Vec<String>>,
}

enum What {
    One(String),
    Page(ListFilter, PageRequest),
}

pub(super) fn get_params(object: Option<&str>, params: &mut Params) -> Result<GetParams, ApiError> {
    let what = if let Some(name) = object {
        What::One(name.to_owned())
    } else {
        let filter = ListFilter {
            name: params.nullable_text("name").flatten(),
            clid: params.nullable_text("clid").flatten(),
            search: params.parsed("search", search_text).filter(|search| !search.is_empty()),
        };
        What::Page(filter, view::window(params, Unpaged::Everything))
    };
    let fields = view::fields(params);
    let members = if wants(fields.as_deref(), "contacts") { Members::Show } else { Members::Skip };
    ApiError::check(params.take_problems())?;
    Ok(GetParams { what, members, fields })
}

/// A list as it is shown, without its members.
pub(super) fn without_members(tx: &ReadTx, principal: &Principal, name: &str) -> Result<Answer, ApiError> {
    let detail = ops::get(tx, &principal.caller, name, Members::Skip)?;
    view::object(&ListView::new(&detail), None).map(Answer::one)
}

impl GetRequest for GetParams {
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError> {
        let fields = self.fields.as_deref();
        match &self.what {
            What::One(name) => {
                let detail = ops::get(tx, &principal.caller, name, self.members)?;
                view::object(&ListView::new(&detail), fields).map(Answer::one)
            }
            What::Page(filter, window) => {
                let page = ops::list(tx, &principal.caller, filter, self.members, *window)?;
                view::listing(&page, *window, fields, ListView::new)
            }
        }
    }

    fn is_long(&self, tx: &ReadTx, principal: &Principal) -> Result<bool, StoreError> {
        if self.members == Members::Show
            && ROWS_INLINE_MAX < ops::memberships_of_account(tx, &principal.caller)?
        {
            return Ok(true);
        }
        match &self.what {
            What::Page(filter, window) if filter.search.is_some() || *window == PageRequest::All => {
                Ok(ROWS_INLINE_MAX < ops::lists_of_account(tx, &principal.caller)?)
            }
            What::Page(_, window) => Ok(is_deep(*window)),
            What::One(_) => Ok(false),
        }
    }
}

/// `POST /lists/`
pub(super) async fn create(call: WriteRequest<'_>) -> Result<Bytes, ApiError> {
    let (caller, account) = (&call.principal.caller, &call.principal.account);
    let input = input(call.core, caller, account, &mut *call.params, None).await?;
    let show = |detail: &ListDetail| view::object(&ListView::new(detail), None);
    call.once(move |tx, by| ops::create(tx, &by.caller, input, by.now), show).await
}

/// `PUT /lists/{name}/`
pub(super) async fn update(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let (store, caller) = (call.core.store.clone(), Arc::clone(&call.principal.caller));
    let name = name.to_owned();
    let account = &call.principal.account;
    let input = input(call.core, &caller, account, &mut *call.params, Some(&name)).await?;
    let detail = call.perform(move |tx, by| ops::update(tx, &by.caller, &name, input, by.now)).await?;
    // A list can have many members: they are read in the blocking pool.
    let showing = tokio::task::spawn_blocking(move || -> Result<Bytes, ApiError> {
        let detail = ops::get(&store.read()?, &caller, detail.list.name.as_str(), Members::Show)?;
        view::object(&ListView::new(&detail), None)
    });
    showing.await.map_err(|_| ApiError::internal())?
}

/// `DELETE /lists/{name}/`
pub(super) async fn delete(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let first = name.to_owned();
    let job =
        move |tx: &mut WriteTx<'_>, by: &OpContext| ops::delete(tx, &by.caller, &first, Step::First, by.now);
    let mut deletion = call.perform_reserved(job).await?;
    while deletion == Deletion::Unfinished {
        let (caller, name) = (Arc::clone(&call.principal.caller), name.to_owned());
        // Noted by the first step: what is left is the server's to finish.
        let job =
            move |tx: &mut WriteTx<'_>, by: &OpContext| ops::delete(tx, &caller, &name, Step::Later, by.now);
        deletion = call.core.perform_reserved(&Caller::of_server(), job).await?;
    }
    Ok(view::deleted())
}

view! {
    /// A mailing list and its settings.
    struct ListView<'a> as "List" {
        /// Service identifier.
        id: u64,
        /// The settings by which it is known.
        #[serde(flatten)]
        identity: Identity<'a>,
        /// When it was made. Read-only.
        created: Rfc3339,
        /// Whether it waits for approval, and takes no mail until then. Read-only.
        pending: bool,
        /// Identifiers of its members. Read-only.
        #[serde(skip_serializing_if = "Option::is_none")]
        contacts: Option<&'a [ContactName]>,
        /// All other settings.
        #[serde(flatten)]
        settings: Settings<'a>,
    }
}

list_fields! { settings Identity, |topic| topic == Topic::Identity }
list_fields! { settings Settings, |topic| topic != Topic::Identity }

impl<'a> ListView<'a> {
    fn new(detail: &'a ListDetail) -> ListView<'a> {
        // No `..`: a further row of `kept` is shown or left out on purpose. The archive's password is never shown.
        let ((id, _account), (created, pending), (_archive_password_hash,)) = detail.list.kept();
        let (identity, settings) =
            detail.settings().into_iter().partition(|setting| setting.topic == Topic::Identity);
        ListView {
            id: id.0,
            identity: Identity(identity),
            created: Rfc3339(*created),
            pending: *pending,
            contacts: detail.contacts.as_deref(),
            settings: Settings(settings),
        }
    }
}
