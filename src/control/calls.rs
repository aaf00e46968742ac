//! Makes calls of the API for the operator's commands, without HTTP.
//!
//! `execute` calls it. The API itself carries the calls out, as the operator: see [`operator`].

use axum::http::Method;
use data_encoding::BASE64;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::error::CommandError;
use super::host::Host;
use super::scope::Scope;
use crate::api::operator::{self, Call};
use crate::model::AccountId;

/// The section of the API whose objects are the accounts themselves.
const ACCOUNTS: &str = "accounts";

/// The kinds of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// Shows an object, or lists all.
    Get,
    /// Creates an object.
    Post,
    /// Changes an object.
    Put,
    /// Deletes an object.
    Delete,
}

/// A call of the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallRequest {
    /// The kind of call.
    pub verb: Verb,
    /// The segments of the path, beginning with the kind of objects. An account is named by `scope` and not here.
    pub path: Vec<String>,
    /// The account whose objects are meant; for the section `accounts`, the account itself.
    pub scope: Scope,
    /// The call's parameters, by the API's names.
    pub params: Map<String, Value>,
    /// The message of the call, in base64, since it may have bytes that are no text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mail: Option<String>,
}

/// Carries out a call of the API and returns its JSON.
pub(super) fn run(host: &Host, request: CallRequest) -> Result<Value, CommandError> {
    let CallRequest { verb, path: mut segments, scope, params, mail } = request;
    let account = scope.find(&host.core.store.read()?)?;
    if segments.first().is_some_and(|section| section == ACCOUNTS) && account != AccountId::SERVER {
        segments.push(account.to_string());
    }
    let method = match verb {
        Verb::Get => Method::GET,
        Verb::Post => Method::POST,
        Verb::Put => Method::PUT,
        Verb::Delete => Method::DELETE,
    };
    let segment = |text: &String| format!("{}/", utf8_percent_encode(text, NON_ALPHANUMERIC));
    let path = segments.iter().map(segment).collect();
    let unreadable = |_| CommandError::Told("the message is not in base64".to_owned());
    let mail = mail.map(|mail| BASE64.decode(mail.as_bytes())).transpose().map_err(unreadable)?;
    let call = Call { method, path, params, mail: mail.map(Into::into) };
    let mut answer = tokio::runtime::Handle::current().block_on(operator::call(&host.core, account, call))?;
    if host.hostname.is_none() {
        leave_out_dns(&mut answer);
    }
    Ok(answer)
}

/// Removes the DNS status of domains from an answer: a stopped server has not queried the DNS.
fn leave_out_dns(answer: &mut Value) {
    for domain in answer.get_mut("domains").and_then(Value::as_array_mut).into_iter().flatten() {
        domain.as_object_mut().and_then(|domain| domain.remove("dns_status"));
    }
}
