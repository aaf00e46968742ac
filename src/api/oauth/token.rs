//! `token/`, `refresh/` and `revoke/`: gives and ends tokens.

use serde_json::{Value, json};

use super::call::Call;
use super::credentials::application;
use super::error::OauthError;
use crate::model::OauthClient;
use crate::model::oauth::OAUTH_ACCESS_WORKS_FOR;
use crate::ops::oauth::request::{scope_text, scopes};
use crate::ops::oauth::tokens::{self, CodeRequest, Given, NewSecrets, Refused};

/// `POST /api/2/oauth/token/`
pub(super) async fn token(mut call: Call<'_>) -> Result<Value, OauthError> {
    let client = application(&mut call)?;
    match call.needed("grant_type")?.as_str() {
        "authorization_code" => exchange(call, client).await,
        "refresh_token" => renew(call, client).await,
        _ => Err(OauthError::new(
            "unsupported_grant_type",
            "grant_type must be authorization_code or refresh_token",
        )),
    }
}

/// `POST /api/2/oauth/refresh/`
pub(super) async fn refresh(mut call: Call<'_>) -> Result<Value, OauthError> {
    let client = application(&mut call)?;
    match call.one("grant_type")?.as_deref() {
        None | Some("refresh_token") => renew(call, client).await,
        Some(_) => Err(OauthError::new("unsupported_grant_type", "grant_type must be refresh_token")),
    }
}

/// `POST /api/2/oauth/revoke/` (RFC 7009). The answer is the same for tokens that do not exist.
pub(super) async fn revoke(mut call: Call<'_>) -> Result<Value, OauthError> {
    let client = application(&mut call)?;
    let token = call.needed("token")?;
    call.one("token_type_hint")?;
    let caller = call.caller();
    let ending = call.core.perform_reserved(&caller, move |tx, _| tokens::revoke(tx, &client, &token));
    ending.await?;
    Ok(json!({"success": true}))
}

async fn exchange(mut call: Call<'_>, client: OauthClient) -> Result<Value, OauthError> {
    let request = CodeRequest {
        code: call.needed("code")?,
        redirect_uri: call.needed("redirect_uri")?,
        verifier: call.one("code_verifier")?.unwrap_or_default(),
    };
    let new = NewSecrets::draw(&call.core.secrets);
    let caller = call.caller();
    let giving =
        call.core.perform(&caller, move |tx, by| tokens::exchange(tx, &client, &request, new, by.now));
    given(&call, giving.await?)
}

async fn renew(mut call: Call<'_>, client: OauthClient) -> Result<Value, OauthError> {
    let token = call.needed("refresh_token")?;
    let unknown = || OauthError::new("invalid_scope", "There is no such scope");
    let wanted = call.one("scope")?.map(|text| scopes(&text).ok_or_else(unknown)).transpose()?;
    let new = NewSecrets::draw(&call.core.secrets);
    let caller = call.caller();
    let giving =
        call.core.perform(&caller, move |tx, by| tokens::refresh(tx, &client, &token, wanted, new, by.now));
    given(&call, giving.await?)
}

fn given(call: &Call<'_>, given: Result<Given, Refused>) -> Result<Value, OauthError> {
    match given {
        Ok(Given { access, refresh, scopes }) => Ok(json!({
            "access_token": access,
            "token_type": "Bearer",
            "expires_in": OAUTH_ACCESS_WORKS_FOR.as_secs(),
            "refresh_token": refresh,
            "scope": scope_text(&scopes),
        })),
        Err(Refused::Grant(why)) => Err(call.guessed(OauthError::grant(why))),
        Err(Refused::Scope) => {
            Err(OauthError::new("invalid_scope", "The application asks for more than the person allowed"))
        }
    }
}
