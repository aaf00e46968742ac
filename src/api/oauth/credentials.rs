//! Reads how an application proves itself (RFC 6749 2.3): by Basic authentication, or in the body.

use axum::http::{HeaderMap, header};

use super::call::Call;
use super::error::OauthError;
use crate::model::OauthClient;
use crate::ops::oauth::clients;
use crate::secret::sha256;
use crate::store::StoreError;

/// An identifier and a secret, as they came.
struct Credentials {
    client_id: String,
    secret: Option<String>,
}

/// The application that sends a request, if it proves itself.
pub(super) fn application(call: &mut Call<'_>) -> Result<OauthClient, OauthError> {
    let Credentials { client_id, secret } = credentials(call)?;
    match find(call, &client_id, secret.as_deref())? {
        Some(client) => Ok(client),
        None => {
            Err(call.guessed(OauthError::client("There is no such application, or its secret is another")))
        }
    }
}

fn find(call: &Call<'_>, client_id: &str, secret: Option<&str>) -> Result<Option<OauthClient>, StoreError> {
    let client = clients::find(&call.core.store.read()?, client_id)?;
    // Hashes are compared, so the time that takes reveals nothing about the secret.
    let is_right =
        |client: &OauthClient| client.secret_hash == secret.map(|secret| sha256(secret.as_bytes()));
    Ok(client.filter(is_right))
}

fn credentials(call: &mut Call<'_>) -> Result<Credentials, OauthError> {
    let (named, given) = (call.one("client_id")?, call.one("client_secret")?);
    if call.parts.headers.contains_key(header::AUTHORIZATION) {
        let Some(Credentials { client_id, secret }) = basic(&call.parts.headers) else {
            return Err(OauthError::client("Applications prove themselves by Basic authentication"));
        };
        if given.is_some() || named.is_some_and(|named| named != client_id) {
            return Err(OauthError::invalid("The application proves itself twice: once is right"));
        }
        return Ok(Credentials { client_id, secret });
    }
    match named {
        Some(client_id) => Ok(Credentials { client_id, secret: given }),
        None => Err(OauthError::client("client_id is missing")),
    }
}

/// The credentials of Basic authentication, whose parts are encoded as in a form.
fn basic(headers: &HeaderMap) -> Option<Credentials> {
    let mut fields = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(only), None) = (fields.next(), fields.next()) else { return None };
    let (scheme, text) = only.to_str().ok()?.trim().split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let pair = data_encoding::BASE64.decode(text.trim().as_bytes()).ok()?;
    let pair = String::from_utf8(pair).ok()?;
    let (client_id, secret) = pair.split_once(':')?;
    let decoded = |text: &str| {
        let text = text.replace('+', " ");
        percent_encoding::percent_decode_str(&text).decode_utf8().ok().map(std::borrow::Cow::into_owned)
    };
    let (client_id, secret) = (decoded(client_id)?, decoded(secret)?);
    Some(Credentials { client_id, secret: Some(secret).filter(|secret| !secret.is_empty()) })
}
