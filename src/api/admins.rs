//! Administrators and their API keys: `/admins/`.
//!
//! `dispatch` calls it. Passwords are never shown, and a key only once, when it is made.

use std::borrow::Cow;

use axum::body::Bytes;
use serde::Serialize;

use super::auth::Principal;
use super::error::ApiError;
use super::operation::{Operation, ResponseKind};
use super::request::{GetRequest, WriteRequest};
use super::shape::{Shaped, View as _, Word, view};
use super::view::{self, Answer, Rfc3339, Unpaged};
use crate::http::reference::Shape;
use crate::model::admin::{MfaType, Notification};
use crate::model::{Admin, EmailAddress, ListName, Permission};
use crate::ops::accounts::admins::manage::{self as ops, AdminDetail};
use crate::ops::accounts::admins::{KEY_API, expiry_after, key_of};
use crate::ops::{Caller, Page, PageRequest};
use crate::params::Params;
use crate::params::admins::{ApiVersion, expiry_months, fields, input};
use crate::secret;
use crate::store::{ReadTx, StoreError};

/// `/admins/`
pub(super) const ALL: &[Operation] = &[
    Operation::get(
        "Lists administrators: all of them, or a page where one is asked for",
        ResponseKind::Listing(AdminView::object),
    ),
    Operation::post("Makes an administrator", fields, ResponseKind::One(AdminView::object))
        .about(&[("welcome_email", WELCOME_EMAIL)]),
];
/// `/admins/{id}/`
pub(super) const ONE: &[Operation] = &[
    Operation::get("Shows an administrator", ResponseKind::One(AdminView::object)),
    Operation::put(
        "Changes an administrator, or makes a key in place of its earlier one",
        |params| {
            params.text(GET_KEY);
            expiry_months(params);
            fields(params);
        },
        ResponseKind::Either(AdminView::object, KeyView::object),
    )
    .about(&[
        ("welcome_email", WELCOME_EMAIL),
        (GET_KEY, "Makes a new key; its value is of no matter, and nothing else is changed."),
        ("expiry_months", "Months that the new key works; null for no end."),
    ]),
    Operation::delete("Deletes an administrator"),
];
/// Description of a field that calls may set and answers never show.
const WELCOME_EMAIL: &str = "Whether a new person, or one whose address another administrator changes, is sent \
                             the link to choose a password; true where it is not given.";
/// Parameter that turns a PUT into a request for a new key.
const GET_KEY: &str = "get_key";

/// `GET /admins/` or `GET /admins/{id}/`
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
        Some(name) => What::One(name.to_owned()),
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
            What::One(name) => {
                let shown = Shown::new(tx, &principal.caller, ops::get(tx, &principal.caller, name)?)?;
                view::object(&AdminView::new(&shown), fields).map(Answer::one)
            }
            What::Page(window) => {
                let Page { rows, count } = ops::list(tx, &principal.caller, *window)?;
                let rows = rows.into_iter().map(|detail| Shown::new(tx, &principal.caller, detail));
                let page = Page { rows: rows.collect::<Result<Vec<_>, _>>()?, count };
                view::listing(&page, *window, fields, AdminView::new)
            }
        }
    }

    fn is_long(&self, _: &ReadTx, _: &Principal) -> Result<bool, StoreError> {
        // Accounts have few administrators, so a listing is short.
        Ok(false)
    }
}

/// `POST /admins/`
pub(super) async fn create(call: WriteRequest<'_>) -> Result<Bytes, ApiError> {
    let input = input(call.params);
    let show = |detail: &AdminDetail| view::object(&AdminView::new(&Shown::changed(detail)), None);
    call.once(move |tx, by| ops::create(tx, &by.caller, input, &by.mail_context, by.now), show).await
}

/// `PUT /admins/{id}/`; with `get_key` it makes a new key instead.
pub(super) async fn update(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    if call.params.text(GET_KEY).is_some() {
        return get_key(call, name).await;
    }
    let input = input(call.params);
    let name = name.to_owned();
    let updating =
        call.perform(move |tx, by| ops::update(tx, &by.caller, &name, input, &by.mail_context, by.now));
    let detail = updating.await?;
    view::object(&AdminView::new(&Shown::changed(&detail)), None)
}

view! {
    /// A new key, shown this once.
    struct KeyView as "Key" {
        /// Service identifier of the administrator whose key it is.
        id: u64,
        /// The key: 32 letters and digits.
        key: String,
        /// When the key expires; null where it does not.
        expiry: Option<Rfc3339>,
    }
}

async fn get_key(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    // A missing permission is reported before wrong values.
    call.principal.caller.require(Permission::AccountAdmin)?;
    let months = expiry_months(call.params);
    let problems = call.params.take_problems();
    let key = call.core.secrets.api_key();
    let expiry = months.map(|months| expiry_after(call.core.now(), months));
    let hash = secret::sha256(key.as_bytes());
    let name = name.to_owned();
    let job = call.perform(move |tx, by| {
        ops::get_key(tx, &by.caller, &name, hash, expiry, by.now).and_then(|key| {
            // A missing administrator is reported before wrong values.
            problems.into_result().map(|()| key)
        })
    });
    let made = job.await?;
    view::object(&KeyView { id: made.admin.0, key, expiry: expiry.map(Rfc3339) }, None)
}

/// `DELETE /admins/{id}/`
pub(super) async fn delete(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let name = name.to_owned();
    call.perform_reserved(move |tx, by| ops::delete(tx, &by.caller, &name, by.now)).await?;
    Ok(view::deleted())
}

/// An administrator, with the stored facts about its key if the operator reads it.
struct Shown<'a> {
    detail: Cow<'a, AdminDetail>,
    operated: Option<OperatedView>,
}

/// Facts about a key that only the operator's commands show.
#[derive(Serialize)]
struct OperatedView {
    /// When the key was made.
    created: Option<Rfc3339>,
    /// When the key expires.
    expiry: Option<Rfc3339>,
}

impl Shaped for OperatedView {
    fn shape() -> Shape {
        // Not shown to any key, so the description of the API lists none of its fields.
        Shape::Fields(Vec::new())
    }
}

impl Shown<'static> {
    fn new(tx: &ReadTx, caller: &Caller, detail: AdminDetail) -> Result<Self, StoreError> {
        let is_shown = caller.is_operator() && detail.admin.api == KEY_API;
        let account = detail.admin.account_or_server();
        let key = if is_shown { key_of(tx, account, detail.admin.id.0)? } else { None };
        let (created, expiry) = match key {
            Some(key) => (Some(Rfc3339(key.created)), key.expiry.map(Rfc3339)),
            None => (None, None),
        };
        let operated = is_shown.then_some(OperatedView { created, expiry });
        Ok(Shown { detail: Cow::Owned(detail), operated })
    }
}

impl<'a> Shown<'a> {
    /// An administrator that a call has created or changed without touching its key.
    fn changed(detail: &'a AdminDetail) -> Self {
        Shown { detail: Cow::Borrowed(detail), operated: None }
    }
}

view! {
    /// A person, or the holder of a key, who may use the account.
    struct AdminView<'a> as "Admin" {
        /// Service identifier.
        id: u64,
        /// Address of a person, under which it signs in; null for the holder of a key.
        username: Option<&'a EmailAddress>,
        /// Purpose of a key; blank for a person.
        description: &'a str,
        /// Surname.
        surname: &'a str,
        /// First name.
        firstname: &'a str,
        /// Networks that a key works from, with commas between them; null for everywhere.
        cidr: Option<String>,
        /// Whether the account's own image is shown to the person.
        custom_image: bool,
        /// Second factor of the person's login beside the password: a code of an application, or one by SMS; null for
        /// none.
        mfa_type: Option<Word<MfaType>>,
        /// 0 for a person, 2 for the holder of a key.
        api: ApiVersion,
        /// Name of the provider where the person signs in; null where it has a password.
        authn_provider: Option<&'a str>,
        /// Notifications that the person gets by mail.
        notifications: Vec<Word<Notification>>,
        /// Its permissions. A blank value takes all away.
        permissions: Vec<Word<Permission>>,
        /// Custom fields that it is limited to, by identifier or name, where the permission `limit_metadata` is set.
        limit_metadata: &'a [String],
        /// Names of the lists that it is limited to, where the permission `limit_lists` is set.
        limit_lists: &'a [ListName],
        /// Further fields that only the operator's commands show.
        #[serde(flatten)]
        operated: Option<&'a OperatedView>,
    }
}

impl<'a> AdminView<'a> {
    fn new(shown: &'a Shown<'_>) -> AdminView<'a> {
        let Shown { detail, operated } = shown;
        let AdminDetail { admin, limit_metadata, limit_lists } = detail.as_ref();
        // No `..`: a new field is shown or left out on purpose. Passwords are never shown.
        let Admin {
            id,
            account: _,
            username,
            description,
            firstname,
            surname,
            password_hash: _,
            cidr,
            custom_image,
            mfa_type,
            api,
            authn_provider,
            notifications,
            permissions,
            limit_metadata: _,
            limit_lists: _,
            created: _,
        } = admin;
        let cidr: Vec<String> = cidr.iter().map(ToString::to_string).collect();
        AdminView {
            id: id.0,
            username: username.as_ref(),
            description,
            surname,
            firstname,
            cidr: Some(cidr.join(",")).filter(|networks| !networks.is_empty()),
            custom_image: *custom_image,
            mfa_type: mfa_type.map(Word),
            api: ApiVersion(*api),
            authn_provider: authn_provider.as_deref(),
            notifications: notifications.iter().copied().map(Word).collect(),
            permissions: permissions.iter().copied().map(Word).collect(),
            limit_metadata,
            limit_lists,
            operated: operated.as_ref(),
        }
    }
}
