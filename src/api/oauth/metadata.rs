//! The description of this server for applications, before they ask for anything (RFC 8414).

use serde_json::{Value, json};

use super::call::{AUTHORIZE, Endpoint, PATH};
use crate::model::OauthScope;
use crate::service::Core;

/// Where it is found.
pub(super) const WELL_KNOWN: &str = "/.well-known/oauth-authorization-server";

/// The metadata. The issuer is what links begin with; it comes back with every code (RFC 9207).
pub(super) fn of(core: &Core) -> Value {
    let base = core.links.base_url();
    let scopes: Vec<&str> = OauthScope::ALL.iter().map(|scope| scope.word()).collect();
    let methods = ["client_secret_basic", "client_secret_post", "none"];
    json!({
        "issuer": base,
        "authorization_endpoint": format!("{base}{PATH}{AUTHORIZE}"),
        "token_endpoint": format!("{base}{PATH}{}", Endpoint::Token.path()),
        "revocation_endpoint": format!("{base}{PATH}{}", Endpoint::Revoke.path()),
        "scopes_supported": scopes,
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": methods,
        "revocation_endpoint_auth_methods_supported": methods,
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
        "request_parameter_supported": false,
        "request_uri_parameter_supported": false,
        "service_documentation": core.links.api_docs(),
    })
}
