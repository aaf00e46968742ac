//! Calls of the operator: the API's own calls, made without HTTP by the commands of this machine.
//!
//! `control` runs them, in the server or on the store of a stopped one. They take the same path through parameters,
//! operations and views as calls over HTTP, so that a command accepts and shows what the API does. Only
//! authentication, rate limits and caches are left out.

use std::sync::Arc;

use axum::body::Bytes;
use axum::http::Method;
use serde_json::{Map, Value};

use super::auth::Principal;
use super::dispatch::{get_request, write};
use super::error::ApiError;
use super::rate::Rate;
use super::request::{WriteRequest, inform};
use super::route::{self, Found, Verb};
use crate::model::AccountId;
use crate::ops::Problem;
use crate::params::Params;
use crate::service::Core;

/// One call.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// GET, POST, PUT or DELETE.
    pub method: Method,
    /// The path below `/api/2/`, percent-encoded, with its final slash.
    pub path: String,
    /// Its parameters.
    pub params: Map<String, Value>,
    /// The message that it brings as its body, in place of one of them.
    pub mail: Option<Bytes>,
}

/// Why a call was not carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The status that HTTP would have.
    pub status: u16,
    /// The reason in words.
    pub message: String,
    /// Every wrong field, also one whose value is taken; empty unless values are wrong.
    pub problems: Vec<Problem>,
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Refusal {
        let (status, message, problems) = error.into_parts();
        Refusal { status, message, problems }
    }
}

/// Carries a call out in `account`, or for the whole server, and returns the API's JSON.
pub async fn call(core: &Core, account: AccountId, call: Call) -> Result<Value, Refusal> {
    let body = answer(core, account, call).await?;
    serde_json::from_slice(&body).map_err(|_| ApiError::internal().into())
}

async fn answer(core: &Core, account: AccountId, call: Call) -> Result<Bytes, ApiError> {
    let Call { method, path, params, mail } = call;
    let path = format!("/api/2/{path}");
    let Found::Target(target) = route::find(&path) else { return Err(ApiError::no_path()) };
    let operation = target.operation(&method).ok_or_else(|| ApiError::method(&target.allow()))?;
    let verb = operation.verb;
    let many = |_| ApiError::bad_request("There are too many parameters");
    let mut params = Params::from_object(params).map_err(many)?;
    if let Some(mail) = mail {
        params = params.with_mail(mail);
    }
    let principal = Arc::new(Principal::operator(&core.store.read()?, account)?);
    let body = if verb == Verb::Get {
        let mut request = get_request(&target, &mut params)?;
        inform(core, &mut *request, &principal).await?;
        request.answer(&core.store.read()?, &principal)?.body
    } else {
        let rate = Rate::of(&principal, core.now());
        let call =
            WriteRequest { core, principal: &principal, params: &mut params, rate: &rate, repeatable: None };
        write(verb, &target, call).await?
    };
    Ok(body)
}
