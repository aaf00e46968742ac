//! `/admins/`

use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::Arc;

use axum::body::Bytes;
use serde::Serialize;

use super::auth::Principal;
use super::error::ApiError;
use super::params::{Params, word};
use super::view::{self, Answer, Unpaged, When};
use super::{Question, Writing};
use crate::model::admin::{MfaType, Notification};
use crate::model::{Admin, Cidr, EmailAddress, ListName, Permission};
use crate::ops::Window;
use crate::ops::admins::manage::{self as ops, AdminDetail, AdminInput, KEY_API};
use crate::ops::admins::{EXPIRY_MONTHS, expiry_after};
use crate::secret;
use crate::store::{ReadTx, StoreError};

/// Networks that a key may be limited to.
const NETWORKS_MAX: usize = 100;

/// `GET /admins/` or `GET /admins/{id}/`
pub(super) struct Read {
    what: What,
    fields: Option<Vec<String>>,
}

enum What {
    One(String),
    Page(Window),
}

pub(super) fn question(object: Option<&str>, params: &mut Params) -> Result<Read, ApiError> {
    let what = match object {
        Some(name) => What::One(name.to_owned()),
        None => What::Page(view::window(params, Unpaged::Everything)),
    };
    let fields = view::fields(params);
    ApiError::check(params.take_problems())?;
    Ok(Read { what, fields })
}

impl Question for Read {
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError> {
        let fields = self.fields.as_deref();
        match &self.what {
            What::One(name) => {
                let detail = ops::get(tx, &principal.caller, name)?;
                view::object(&AdminView::new(&detail), fields).map(Answer::one)
            }
            What::Page(window) => {
                let page = ops::list(tx, &principal.caller, *window)?;
                view::listing(&page, *window, fields, AdminView::new)
            }
        }
    }

    fn is_long(&self, _: &ReadTx, _: &Principal) -> Result<bool, StoreError> {
        // An account has as many administrators as it has people.
        Ok(false)
    }
}

/// `POST /admins/`
pub(super) async fn create(call: Writing<'_>) -> Result<Bytes, ApiError> {
    let input = input(call.params);
    let principal = Arc::clone(call.principal);
    let now = call.core.now();
    let show = |detail: &AdminDetail| view::object(&AdminView::new(detail), None);
    call.once(move |tx| ops::create(tx, &principal.caller, input, now), show).await
}

/// `PUT /admins/{id}/`, which with `get_key` is another call.
pub(super) async fn update(call: Writing<'_>, name: &str) -> Result<Bytes, ApiError> {
    if call.params.text("get_key").is_some() {
        return get_key(call, name).await;
    }
    let input = input(call.params);
    let principal = Arc::clone(call.principal);
    let name = name.to_owned();
    let detail = call.core.store.write(move |tx| ops::update(tx, &principal.caller, &name, input)).await?;
    view::object(&AdminView::new(&detail), None)
}

/// A key as it is shown, this once.
#[derive(Serialize)]
struct KeyView {
    id: u64,
    key: String,
    expiry: Option<When>,
}

async fn get_key(call: Writing<'_>, name: &str) -> Result<Bytes, ApiError> {
    // Not being allowed to comes before wrong values.
    call.principal.caller.require(Permission::AccountAdmin)?;
    let months = call.params.nullable("expiry_months", |text| {
        let months = text.trim().parse().ok().filter(|months| EXPIRY_MONTHS.contains(months));
        months.ok_or("must be 1, 3, 6 or 12")
    });
    let problems = call.params.take_problems();
    let (key, now) = (call.core.secrets.api_key(), call.core.now());
    let expiry = months.flatten().map(|months| expiry_after(now, months));
    let hash = secret::sha256(key.as_bytes());
    let principal = Arc::clone(call.principal);
    let name = name.to_owned();
    let job = call.core.store.write(move |tx| {
        ops::get_key(tx, &principal.caller, &name, hash, expiry, now).and_then(|key| {
            // An administrator that is not there comes before wrong values.
            problems.into_result().map(|()| key)
        })
    });
    let made = job.await?;
    view::object(&KeyView { id: made.admin.0, key, expiry: expiry.map(When) }, None)
}

/// `DELETE /admins/{id}/`
pub(super) async fn delete(call: Writing<'_>, name: &str) -> Result<Bytes, ApiError> {
    let principal = Arc::clone(call.principal);
    let name = name.to_owned();
    call.core.store.write(move |tx| ops::delete(tx, &principal.caller, &name)).await?;
    Ok(view::deleted())
}

fn input(params: &mut Params) -> AdminInput {
    params.read_only(&["id"]);
    // The letter itself is sent to persons alone.
    params.boolean("welcome_email");
    // No provider is configured: everybody has a password, or a key.
    params.nullable("authn_provider", |name| -> Result<(), String> {
        Err(format!("there is no provider {name}"))
    });
    AdminInput {
        api: params.parsed("api", |text| match text.trim() {
            "0" | "" => Ok(0),
            "2" => Ok(KEY_API),
            _ => Err("must be 0 for a person, or 2 for the holder of a key"),
        }),
        username: params.nullable("username", EmailAddress::parse),
        description: params.text("description"),
        firstname: params.text("firstname"),
        surname: params.text("surname"),
        cidr: networks(params),
        custom_image: params.boolean("custom_image"),
        mfa_type: params.nullable("mfa_type", word(MfaType::ALL, MfaType::word)),
        notifications: words(params, "notifications", word(Notification::ALL, Notification::word)),
        permissions: words(params, "permissions", word(Permission::ALL, Permission::word)),
        limit_metadata: params.texts("limit_metadata"),
        limit_lists: params.names("limit_lists"),
        problems: params.take_problems(),
    }
}

/// Networks, one or several with commas.
fn networks(params: &mut Params) -> Option<Vec<Cidr>> {
    let networks = params.names("cidr")?;
    if NETWORKS_MAX < networks.len() {
        params.problem("cidr", format_args!("may have at most {NETWORKS_MAX} networks"));
        return None;
    }
    parsed(params, "cidr", &networks, Cidr::parse)
}

/// An array of fixed words, of which each counts once.
fn words<T: Ord>(
    params: &mut Params,
    name: &str,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Option<BTreeSet<T>> {
    let words = params.names(name)?;
    parsed(params, name, &words, parse).map(BTreeSet::from_iter)
}

fn parsed<T, E: Display>(
    params: &mut Params,
    name: &str,
    texts: &[String],
    parse: impl Fn(&str) -> Result<T, E>,
) -> Option<Vec<T>> {
    let values: Result<Vec<T>, String> =
        texts.iter().map(|text| parse(text).map_err(|error| format!("{text}: {error}"))).collect();
    values.map_err(|problem| params.problem(name, problem)).ok()
}

/// An administrator as JSON.
#[derive(Serialize)]
struct AdminView<'a> {
    id: u64,
    username: Option<&'a str>,
    description: &'a str,
    surname: &'a str,
    firstname: &'a str,
    cidr: Option<String>,
    custom_image: bool,
    mfa_type: Option<&'static str>,
    api: u8,
    authn_provider: Option<&'a str>,
    notifications: Vec<&'static str>,
    permissions: Vec<&'static str>,
    limit_metadata: &'a [String],
    limit_lists: Vec<&'a str>,
}

impl<'a> AdminView<'a> {
    fn new(detail: &'a AdminDetail) -> AdminView<'a> {
        let AdminDetail { admin, limit_metadata, limit_lists } = detail;
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
            username: username.as_ref().map(EmailAddress::as_str),
            description,
            surname,
            firstname,
            cidr: Some(cidr.join(",")).filter(|networks| !networks.is_empty()),
            custom_image: *custom_image,
            mfa_type: mfa_type.map(MfaType::word),
            api: *api,
            authn_provider: authn_provider.as_deref(),
            notifications: notifications.iter().map(|notification| notification.word()).collect(),
            permissions: permissions.iter().map(|permission| permission.word()).collect(),
            limit_metadata,
            limit_lists: limit_lists.iter().map(ListName::as_str).collect(),
        }
    }
}
