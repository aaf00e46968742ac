//! Reads the fields of administrators and of their keys.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Params;
use super::parse::{As, as_it_is, word};
use super::shape::Shaped;
use crate::http::reference::Shape;
use crate::model::admin::MfaType;
use crate::model::{Cidr, EmailAddress, ListName};
use crate::ops::Wrong;
use crate::ops::accounts::admins::manage::AdminInput;
use crate::ops::accounts::admins::{EXPIRY_MONTHS, KEY_API};

/// Networks that a key may be limited to.
const NETWORKS_MAX: usize = 100;

pub(crate) fn fields(params: &mut Params) {
    input(params);
}

pub(crate) fn input(params: &mut Params) -> AdminInput {
    params.read_only(&["id"]);
    AdminInput {
        api: params.parsed("api", As(ApiVersion::shape, api)),
        username: params.nullable("username", EmailAddress::parse),
        description: params.text("description"),
        firstname: params.text("firstname"),
        surname: params.text("surname"),
        cidr: networks(params),
        custom_image: params.boolean("custom_image"),
        mfa_type: params.nullable("mfa_type", word::<MfaType>()),
        authn_provider: params.nullable_text("authn_provider"),
        notifications: params.parsed_names("notifications", word()).map(BTreeSet::from_iter),
        permissions: params.parsed_names("permissions", word()).map(BTreeSet::from_iter),
        limit_metadata: params.texts("limit_metadata"),
        limit_lists: params.parsed_names("limit_lists", As(ListName::shape, as_it_is)),
        welcome_email: params.boolean("welcome_email"),
        problems: params.take_problems(),
    }
}

/// The API version of an administrator: 2 for the holder of a key, 0 for a person.
#[derive(Serialize)]
pub(crate) struct ApiVersion(pub(crate) u8);

impl Shaped for ApiVersion {
    fn shape() -> Shape {
        Shape::Number(vec![0, u64::from(KEY_API)])
    }
}

fn api(text: &str) -> Result<u8, Wrong> {
    match text.trim() {
        "0" | "" => Ok(0),
        "2" => Ok(KEY_API),
        _ => Err(Wrong::AdminKind),
    }
}

/// Reads networks: one, or several separated by commas.
fn networks(params: &mut Params) -> Option<Vec<Cidr>> {
    let text = Shape::Either(vec![Shape::TEXT, Shape::many(Shape::TEXT)]).or_null();
    let networks = params.parsed_names_as("cidr", text, Cidr::parse)?;
    if NETWORKS_MAX < networks.len() {
        params.problem("cidr", Wrong::TooManyNetworks { max: NETWORKS_MAX });
        return None;
    }
    Some(networks)
}

/// Reads the number of months for which a new key is valid.
pub(crate) fn expiry_months(params: &mut Params) -> Option<u8> {
    let allowed = || Shape::Number(EXPIRY_MONTHS.iter().copied().map(u64::from).collect());
    let parse = |text: &str| {
        let months = text.trim().parse().ok().filter(|months| EXPIRY_MONTHS.contains(months));
        months.ok_or(Wrong::Months)
    };
    params.nullable("expiry_months", As(allowed, parse)).flatten()
}
