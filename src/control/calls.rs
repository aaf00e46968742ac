//! Calls of the API, which it carries out itself, as the operator.

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

/// The section of the API whose objects are accounts, and stand for themselves.
const ACCOUNTS: &str = "accounts";

/// What is done with an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// Shows one, or lists all.
    Get,
    /// Makes one.
    Post,
    /// Changes one.
    Put,
    /// Removes one.
    Delete,
}

/// A call of the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallRequest {
    /// What is done.
    pub verb: Verb,
    /// What the path names, beginning with the kind of objects. An account is not named here but by `scope`.
    pub path: Vec<String>,
    /// Whose objects; of `accounts`, which one.
    pub scope: Scope,
    /// The call's parameters, by the API's names.
    pub params: Map<String, Value>,
    /// The message that the call is about, in base64, since it may have bytes that are no text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mail: Option<String>,
}

/// Carries out a call of the API; answers its JSON.
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

/// Takes out how domains stand in the DNS: without a server there is nobody for whom they could be right.
fn leave_out_dns(answer: &mut Value) {
    for domain in answer.get_mut("domains").and_then(Value::as_array_mut).into_iter().flatten() {
        domain.as_object_mut().and_then(|domain| domain.remove("dns_status"));
    }
}
