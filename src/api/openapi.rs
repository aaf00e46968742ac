//! Renders the description of the API for programs: an `OpenAPI` 3.1 document.
//!
//! The router of [`api`](super) serves its result. It adds no facts to the description that `describe` makes, and the
//! endpoints of OAuth as they describe themselves.

use serde_json::{Map, Value, json};

use super::describe::scope_about;
use super::oauth;
use crate::http::reference::{Answer, Field, Header, Input, Object, Operation, Reference, Shape};
use crate::model::OauthScope;

/// The version of `OpenAPI` that the document follows.
const OPENAPI: &str = "3.1.0";
/// The version of the API.
const VERSION: &str = "2";
/// The type of almost every answer.
const JSON: &str = "application/json";
/// The type of a message.
const MAIL: &str = "message/rfc822";
/// The kinds of forms.
const FORMS: [&str; 2] = ["application/x-www-form-urlencoded", "multipart/form-data"];

/// Whether a value stands in JSON or in a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Json,
    /// A form, which has no null, and no object inside another.
    Form,
}

/// Renders the document.
pub(super) fn document(reference: &Reference) -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for operation in &reference.operations {
        let path = paths.entry(operation.path.clone()).or_insert_with(|| json!({}));
        path[operation.method.to_ascii_lowercase()] = operation_value(operation, reference);
    }
    paths.extend(oauth::described_paths());
    json!({
        "openapi": OPENAPI,
        "info": {"title": "Crier", "version": VERSION, "description": reference.about.join("\n\n")},
        "servers": [{"url": "/"}],
        "security": [{"basic": []}, {"bearer": []}],
        "tags": tags(reference),
        "paths": paths,
        "components": {
            "schemas": schemas(reference),
            "responses": refusals(reference),
            "headers": headers(reference),
            "securitySchemes": {
                "basic": {"type": "http", "scheme": "basic", "description": "The key is the user name; there is no password."},
                "bearer": {"type": "http", "scheme": "bearer", "description": "The key as it is, or an application's access token."},
                "oauth": applications(),
            },
        },
    })
}

/// How applications get tokens from people who allow it.
fn applications() -> Value {
    let scopes: Map<String, Value> =
        OauthScope::ALL.iter().map(|scope| (scope.word().to_owned(), json!(scope_about(*scope)))).collect();
    json!({"type": "oauth2", "description": "For applications that the operator made known; PKCE (S256) is supported.", "flows": {
        "authorizationCode": {
            "authorizationUrl": "/api/2/oauth/authorize/",
            "tokenUrl": "/api/2/oauth/token/",
            "refreshUrl": "/api/2/oauth/refresh/",
            "scopes": scopes,
        },
    }})
}

fn tags(reference: &Reference) -> Value {
    let mut names: Vec<&str> = reference.operations.iter().map(|operation| operation.section).collect();
    names.push("oauth");
    names.dedup();
    names.into_iter().map(|name| json!({"name": name})).collect()
}

fn operation_value(operation: &Operation, reference: &Reference) -> Value {
    let mut value = json!({
        "operationId": operation_id(operation),
        "tags": [operation.section],
        "summary": operation.summary,
        "parameters": parameters(operation),
        "responses": responses(operation, reference),
    });
    if let Some(body) = &operation.body {
        value["requestBody"] = request_body(body);
    }
    if !operation.needs_key {
        value["security"] = json!([]);
    }
    value
}

/// Returns the operation's name, made of the method and the words of the path: `get_messages_id_raw`.
fn operation_id(operation: &Operation) -> String {
    let words = operation.path.split('/').skip(3).filter(|word| !word.is_empty());
    let words = words.map(|word| word.trim_matches(['{', '}']).replace('.', "_"));
    let words = std::iter::once(operation.method.to_ascii_lowercase()).chain(words);
    words.collect::<Vec<_>>().join("_")
}

fn parameters(operation: &Operation) -> Value {
    let places = [
        ("path", operation.object.as_slice()),
        ("query", operation.query.as_slice()),
        ("header", operation.headers.as_slice()),
    ];
    let parameter = |place: &'static str| {
        move |field: &Field| {
            let schema = schema(&field.shape, Place::Form);
            let Field { name, shape: _, about, is_required } = field;
            let mut value = json!({"name": name, "in": place, "description": about, "required": is_required, "schema": schema});
            if let Shape::Many { .. } = field.shape {
                value["style"] = json!("form");
                value["explode"] = json!(false);
            }
            value
        }
    };
    places.iter().flat_map(|(place, fields)| fields.iter().map(parameter(place))).collect()
}

fn request_body(body: &Input) -> Value {
    let mut content = Map::new();
    let one = reference_to(&body.name);
    if let Some(rows_max) = body.rows_max {
        content.insert(
            JSON.to_owned(),
            json!({"schema": {"type": "array", "items": one, "maxItems": rows_max}}),
        );
    } else {
        content.insert(JSON.to_owned(), json!({"schema": one}));
        for form in FORMS {
            content.insert(form.to_owned(), json!({"schema": reference_to(&form_name(body))}));
        }
    }
    if body.takes_mail {
        content.insert(MAIL.to_owned(), json!({"schema": {"type": "string"}}));
    }
    let is_required = body.fields.iter().any(|field| field.is_required);
    json!({"required": is_required, "content": content})
}

fn form_name(body: &Input) -> String {
    format!("{}Form", body.name)
}

fn reference_to(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn responses(operation: &Operation, reference: &Reference) -> Value {
    let mut responses = Map::new();
    let mut success = json!({"description": "What was asked for."});
    // HEAD gets the answer of GET without the body.
    if operation.method != "HEAD" {
        success["content"] = content(operation);
    }
    if operation.needs_key {
        success["headers"] = header_references(reference, None);
    }
    responses.insert("200".to_owned(), success);
    for code in &operation.refusals {
        let value = if operation.method == "HEAD" {
            let about = reference.statuses.iter().find(|status| status.code == *code);
            json!({
                "description": about.map_or("", |status| status.about),
                "headers": header_references(reference, Some(*code)),
            })
        } else {
            json!({"$ref": format!("#/components/responses/{code}")})
        };
        responses.insert(code.to_string(), value);
    }
    Value::Object(responses)
}

/// The content of a successful answer.
fn content(operation: &Operation) -> Value {
    // The parameter `fields` selects members of a GET's objects.
    let shown = |name: &str| {
        let is_narrowed = operation.query.iter().any(|field| field.name == "fields");
        if is_narrowed {
            json!({"anyOf": [reference_to(name), reference_to(&part_name(name))]})
        } else {
            reference_to(name)
        }
    };
    match operation.answer {
        Answer::One(name) => json!({JSON: {"schema": shown(name)}}),
        Answer::Either(one, other) => {
            json!({JSON: {"schema": {"anyOf": [reference_to(one), reference_to(other)]}}})
        }
        Answer::Listing(name) => {
            let members = json!({
                "data": {"type": "array", "items": shown(name)},
                "count": {"type": "integer", "minimum": 0, "description": "Objects on all pages."},
                "count_is_minimum": {
                    "type": "boolean",
                    "description": "Present, and true, where there may be more objects than were counted.",
                },
                "page": {"type": "integer", "minimum": 1, "description": "Which page this is."},
                "limit": {"type": "integer", "minimum": 0, "description": "Objects of a page."},
            });
            json!({JSON: {"schema": closed(&members, &["data", "count", "page", "limit"])}})
        }
        Answer::Rows(name) => {
            let members = json!({
                "data": {"type": "array", "items": reference_to(name)},
                "count": {"type": "integer", "minimum": 0, "description": "How many rows there are."},
            });
            json!({JSON: {"schema": closed(&members, &["data", "count"])}})
        }
        Answer::Mail => json!({MAIL: {"schema": {"type": "string"}}}),
        Answer::Document => json!({JSON: {"schema": {"type": "object"}}}),
        Answer::Page => json!({"text/html": {"schema": {"type": "string"}}}),
    }
}

fn closed(members: &Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": members, "required": required, "additionalProperties": false})
}

/// The name of the schema of an object of which only some members are shown.
fn part_name(name: &str) -> String {
    format!("{name}Part")
}

fn schemas(reference: &Reference) -> Value {
    let mut schemas = Map::new();
    for object in &reference.objects {
        let whole = object_schema(object);
        let mut part = whole.clone();
        if let Some(part) = part.as_object_mut() {
            part.remove("required");
        }
        let is_narrowed = reference.operations.iter().any(|operation| match operation.answer {
            Answer::One(name) | Answer::Listing(name) => {
                name == object.name && operation.query.iter().any(|field| field.name == "fields")
            }
            Answer::Either(..) | Answer::Rows(_) | Answer::Mail | Answer::Document | Answer::Page => false,
        });
        schemas.insert(object.name.to_owned(), whole);
        if is_narrowed {
            schemas.insert(part_name(object.name), part);
        }
    }
    for body in reference.operations.iter().filter_map(|operation| operation.body.as_ref()) {
        if body.rows_max.is_none() {
            schemas.insert(form_name(body), fields_schema(&body.fields, Place::Form));
        }
        schemas.entry(body.name.clone()).or_insert_with(|| fields_schema(&body.fields, Place::Json));
    }
    schemas.extend(oauth::described_schemas());
    Value::Object(schemas)
}

fn object_schema(object: &Object) -> Value {
    let mut value = fields_schema(&object.fields, Place::Json);
    value["description"] = json!(object.about);
    value["additionalProperties"] = if object.has_custom { json!({"type": "string"}) } else { json!(false) };
    value
}

fn fields_schema(fields: &[Field], place: Place) -> Value {
    let member = |field: &Field| {
        let mut value = schema(&field.shape, place);
        if !field.about.is_empty() {
            value["description"] = json!(field.about);
        }
        (field.name.clone(), value)
    };
    let members: Map<String, Value> = fields.iter().map(member).collect();
    let required: Vec<&str> =
        fields.iter().filter(|field| field.is_required).map(|field| field.name.as_str()).collect();
    let mut value = json!({"type": "object", "properties": members});
    if !required.is_empty() {
        value["required"] = json!(required);
    }
    value
}

fn schema(shape: &Shape, place: Place) -> Value {
    match shape {
        Shape::Text { chars_max, format, pattern } => {
            let mut value = json!({"type": "string"});
            let limits = [
                ("maxLength", chars_max.map(|max| json!(max))),
                ("format", format.map(|format| json!(format))),
                ("pattern", pattern.map(|pattern| json!(pattern))),
            ];
            for (name, limit) in limits {
                if let Some(limit) = limit {
                    value[name] = limit;
                }
            }
            value
        }
        Shape::Word(words) => json!({"type": "string", "enum": words}),
        Shape::Whole { min, max } => {
            let mut value = json!({"type": "integer", "minimum": min});
            if let Some(max) = max {
                value["maximum"] = json!(max);
            }
            value
        }
        Shape::Number(numbers) => json!({"type": "integer", "enum": numbers}),
        Shape::Truth => json!({"type": "boolean"}),
        Shape::Many { of, max } => {
            let mut value = json!({"type": "array", "items": schema(of, place)});
            if let Some(max) = max {
                value["maxItems"] = json!(max);
            }
            value
        }
        Shape::Map(of) => json!({"type": "object", "additionalProperties": schema(of, place)}),
        Shape::Nullable(of) if place == Place::Form => schema(of, place),
        Shape::Nullable(of) => nullable(schema(of, place)),
        // Any value.
        Shape::Either(shapes) if shapes.is_empty() => json!({}),
        Shape::Either(shapes) => either(shapes, place),
        Shape::Object(name) => reference_to(name),
        Shape::Fields(fields) => fields_schema(fields, place),
    }
}

fn nullable(mut value: Value) -> Value {
    if let Some(words) = value.get_mut("enum").and_then(Value::as_array_mut) {
        words.push(Value::Null);
    }
    match value.get("type") {
        Some(Value::String(kind)) => {
            value["type"] = json!([kind, "null"]);
            value
        }
        Some(_) => value,
        None => json!({"anyOf": [value, {"type": "null"}]}),
    }
}

fn either(shapes: &[Shape], place: Place) -> Value {
    let possible =
        |shape: &&Shape| place == Place::Json || !matches!(shape, Shape::Fields(_) | Shape::Object(_));
    let mut values: Vec<Value> = shapes.iter().filter(possible).map(|shape| schema(shape, place)).collect();
    if values.len() == 1 { values.remove(0) } else { json!({"anyOf": values}) }
}

/// The answers to refused requests.
fn refusals(reference: &Reference) -> Value {
    let refusal = |status: &crate::http::reference::Status| {
        let value = json!({
            "description": status.about,
            "headers": header_references(reference, Some(status.code)),
            "content": {JSON: {"schema": reference_to("Error")}},
        });
        (status.code.to_string(), value)
    };
    Value::Object(reference.statuses.iter().map(refusal).collect())
}

fn headers(reference: &Reference) -> Value {
    let value = |header: &Header| {
        let schema = if header.is_number {
            json!({"type": "integer", "minimum": 0})
        } else {
            json!({"type": "string"})
        };
        (header.name.to_owned(), json!({"description": header.about, "schema": schema}))
    };
    Value::Object(reference.headers.iter().map(value).collect())
}

/// The header fields of answers with this status.
fn header_references(reference: &Reference, status: Option<u16>) -> Value {
    let here = reference.headers.iter().filter(|header| header.status.is_none() || header.status == status);
    let value = |header: &Header| {
        (header.name.to_owned(), json!({"$ref": format!("#/components/headers/{}", header.name)}))
    };
    Value::Object(here.map(value).collect())
}
