//! Describes the endpoints of OAuth for the `OpenAPI` document: they speak the language of RFC 6749, so the tables of
//! the API's objects, from which the rest of the document is made, do not have them.

use serde_json::{Map, Value, json};

use super::call::{AUTHORIZE, Endpoint, PATH};
use crate::model::OauthScope;

/// The types of bodies, which all mean the same.
const BODIES: [&str; 3] = ["application/x-www-form-urlencoded", "multipart/form-data", "application/json"];

/// The paths with their operations.
pub(super) fn paths() -> Map<String, Value> {
    let mut paths = Map::new();
    paths.insert(format!("{PATH}{AUTHORIZE}"), authorize());
    for endpoint in Endpoint::ALL {
        paths.insert(format!("{PATH}{}", endpoint.path()), json!({"post": post(endpoint)}));
    }
    paths
}

/// The schemas that the paths name.
pub(super) fn schemas() -> Map<String, Value> {
    let text = |about: &str| json!({"type": "string", "description": about});
    let schemas = [
        (
            "OauthTokens",
            json!({"type": "object", "additionalProperties": false, "properties": {
                "access_token": text("The access token: it is sent as a key is, and works for an hour."),
                "token_type": {"type": "string", "enum": ["Bearer"]},
                "expires_in": {"type": "integer", "minimum": 1, "description": "Seconds that the access token works."},
                "refresh_token": text("The refresh token: it works once within 90 days, for new tokens of both kinds."),
                "scope": text("The scopes of the access token, with spaces between them."),
            }, "required": ["access_token", "token_type", "expires_in", "refresh_token", "scope"]}),
        ),
        (
            "OauthRevoked",
            json!({"type": "object", "additionalProperties": false,
                "properties": {"success": {"type": "boolean"}}, "required": ["success"]}),
        ),
        (
            "OauthError",
            json!({"type": "object", "additionalProperties": false, "properties": {
                "error": {"type": "string", "description": "The code of RFC 6749, 5.2.", "enum": [
                    "invalid_request", "invalid_client", "invalid_grant", "invalid_scope",
                    "unsupported_grant_type", "temporarily_unavailable", "server_error",
                ]},
                "error_description": text("The problem in words, for the people who made the application."),
                "is_error": {"type": "boolean"},
                "message": text("The same words."),
            }, "required": ["error", "error_description", "is_error", "message"]}),
        ),
    ];
    schemas.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect()
}

fn scopes() -> String {
    let words: Vec<&str> = OauthScope::ALL.iter().map(|scope| scope.word()).collect();
    format!("Any of {}, with spaces between them; read if it is not given.", words.join(", "))
}

/// The parameters of a request for permission.
fn parameters() -> Value {
    let parameter = |name: &str, about: &str, is_required: bool, schema: Value| json!({"name": name, "in": "query", "description": about, "required": is_required, "schema": schema});
    let text = || json!({"type": "string"});
    json!([
        parameter(
            "response_type",
            "What is asked for: a code.",
            true,
            json!({"type": "string", "enum": ["code"]})
        ),
        parameter("client_id", "The identifier of the application.", true, text()),
        parameter(
            "redirect_uri",
            "Where the browser is sent back to: one of the application's addresses as it was made known; the port of \
             http://127.0.0.1 and http://[::1] is free.",
            true,
            json!({"type": "string", "format": "uri"}),
        ),
        parameter("scope", &scopes(), false, text()),
        parameter(
            "state",
            "A text of the application, at most 2000 bytes, which comes back with the answer.",
            false,
            text()
        ),
        parameter(
            "code_challenge",
            "The challenge of PKCE (RFC 7636); public applications must send one.",
            false,
            json!({"type": "string", "pattern": "^[A-Za-z0-9_-]{43}$"}),
        ),
        parameter(
            "code_challenge_method",
            "How the challenge is made; needed with one.",
            false,
            json!({"type": "string", "enum": ["S256"]})
        ),
        parameter(
            "response_mode",
            "How the answer comes back.",
            false,
            json!({"type": "string", "enum": ["query"]})
        ),
        parameter(
            "prompt",
            "People are asked each time, so none is refused with interaction_required.",
            false,
            text()
        ),
        parameter(
            "account",
            "At the server's own host: the name of the account in which the person signs in.",
            false,
            text()
        ),
        parameter("lang", "The language of the page.", false, text()),
    ])
}

/// The page on which a person decides.
fn authorize() -> Value {
    let parameters = parameters();
    let page =
        |about: &str| json!({"description": about, "content": {"text/html": {"schema": {"type": "string"}}}});
    let away = "To redirect_uri with code, state and iss, or with error, error_description, state and iss: access_denied, \
                invalid_request, invalid_scope, unsupported_response_type, request_not_supported, \
                request_uri_not_supported or interaction_required. Or to a page of this server where the person signs in, \
                gives the password again (for anything but read, after 15 minutes) or sets up a second factor.";
    let location =
        json!({"Location": {"description": "Where the browser goes.", "schema": {"type": "string"}}});
    let operation = |summary: &str, success: &str| {
        json!({
            "tags": ["oauth"],
            "summary": summary,
            "security": [],
            "parameters": parameters,
            "responses": {
                "200": page(success),
                "303": {"description": away, "headers": location},
                "400": page("There is no such application, redirect_uri is none of its addresses, or no button was pressed."),
                "403": page("The form is not from this browser."),
                "429": page("Too many errors or requests: wait."),
                "500": page("Something failed here."),
                "503": page("The server is shutting down, is busy, or can store nothing at the moment."),
            },
        })
    };
    let mut get = operation(
        "Asks the person in front of the browser whether an application may do something",
        "The page with the buttons that allow and deny it, or, at the server's own host, the form that asks for the account.",
    );
    get["operationId"] = json!("get_oauth_authorize");
    let mut post = operation("Takes the person's decision, from the form of the page", "The page once more.");
    post["operationId"] = json!("post_oauth_authorize");
    post["requestBody"] = json!({"required": true, "content": {"application/x-www-form-urlencoded": {"schema": {
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": ["allow", "deny"]},
            "csrf": {"type": "string", "description": "The hidden field of the form."},
        },
        "required": ["action", "csrf"],
    }}}});
    json!({"get": get, "post": post})
}

/// An endpoint to which applications post.
fn post(endpoint: Endpoint) -> Value {
    let (summary, about, answer) = match endpoint {
        Endpoint::Token => {
            ("Gives an application tokens for a code, or for a refresh token", "The tokens.", "OauthTokens")
        }
        Endpoint::Refresh => {
            ("Gives an application new tokens for a refresh token", "The tokens.", "OauthTokens")
        }
        Endpoint::Revoke => (
            "Ends a token of an application; a refresh token with everything that followed from the grant (RFC 7009)",
            "The token does not work, whether or not there was one.",
            "OauthRevoked",
        ),
    };
    let schema = body(endpoint);
    let content: Map<String, Value> =
        BODIES.iter().map(|kind| ((*kind).to_owned(), json!({"schema": schema}))).collect();
    let mut responses = Map::new();
    let of = |name: &str| json!({"application/json": {"schema": {"$ref": format!("#/components/schemas/{name}")}}});
    responses.insert("200".to_owned(), json!({"description": about, "content": of(answer)}));
    for (status, about) in [
        ("400", "invalid_request, invalid_grant, invalid_scope or unsupported_grant_type."),
        ("401", "invalid_client: there is no such application, or its secret is another."),
        ("405", "The endpoint takes POST alone."),
        ("408", "The body did not arrive in time."),
        ("413", "The body is too large."),
        ("415", "The body is of a type that is not taken."),
        ("429", "temporarily_unavailable: too many wrong codes, tokens and secrets came from here."),
        ("500", "server_error: something failed here."),
        (
            "503",
            "temporarily_unavailable: the server is shutting down, is busy, or can store nothing at the moment.",
        ),
    ] {
        responses.insert(status.to_owned(), json!({"description": about, "content": of("OauthError")}));
    }
    for (status, header) in [("401", "WWW-Authenticate"), ("405", "Allow"), ("429", "Retry-After")] {
        responses[status]["headers"] = json!({header: {"$ref": format!("#/components/headers/{header}")}});
    }
    json!({
        "operationId": format!("post_oauth_{}", endpoint.path().trim_end_matches('/')),
        "tags": ["oauth"],
        "summary": summary,
        "description": "An application with a secret proves itself by Basic authentication (client_id as user name, \
                        client_secret as password, both encoded as in a form) or by both in the body, and not by both \
                        ways; a public one names its client_id in the body.",
        "security": [],
        "requestBody": {"required": true, "content": content},
        "responses": responses,
    })
}

/// The schema of an endpoint's body.
fn body(endpoint: Endpoint) -> Value {
    let text = |about: &str| json!({"type": "string", "description": about});
    let grants: &[&str] = match endpoint {
        Endpoint::Token => &["authorization_code", "refresh_token"],
        Endpoint::Refresh => &["refresh_token"],
        Endpoint::Revoke => &[],
    };
    let mut fields = Map::new();
    let mut add = |name: &str, value: Value| drop(fields.insert(name.to_owned(), value));
    add("client_id", text("The identifier of the application; not needed with Basic authentication."));
    add("client_secret", text("Its secret, if it has one and does not use Basic authentication."));
    if !grants.is_empty() {
        add(
            "grant_type",
            json!({"type": "string", "enum": grants, "description": "What the tokens are given for."}),
        );
        add(
            "refresh_token",
            text("The refresh token, for grant_type refresh_token; the next one comes in the answer."),
        );
        add(
            "scope",
            text(
                "Some of the scopes that the person allowed, for grant_type refresh_token; all if it is not given.",
            ),
        );
    }
    let required: &[&str] = match endpoint {
        Endpoint::Token => {
            add("code", text("The code, for grant_type authorization_code; it works once, for a minute."));
            add("redirect_uri", text("The redirect_uri of the request for permission, with a code."));
            add("code_verifier", text("The verifier of PKCE, if the request had a challenge."));
            &["grant_type"]
        }
        Endpoint::Refresh => &["refresh_token"],
        Endpoint::Revoke => {
            add("token", text("The access token or the refresh token."));
            add("token_type_hint", text("Passed over: the form of a token tells its kind."));
            &["token"]
        }
    };
    json!({"type": "object", "properties": fields, "required": required})
}
