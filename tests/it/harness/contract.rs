//! Holds every answer of the API to its description: the status, the members and their types must be there.
//!
//! A small reader of JSON Schema, made for what the document uses; what it does not know fails.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::http::Response;

/// The description, made of the code as the server makes it.
static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(&crier::api::document()).expect("the description is JSON"));

/// The description.
pub(crate) fn document() -> &'static Value {
    &DOCUMENT
}

/// Fails unless the description allows this answer.
#[track_caller]
pub(crate) fn check(method: &str, target: &str, response: &Response) {
    let path = target.split('?').next().unwrap_or_default();
    let Some(operations) = operations(path) else { return };
    let Some(operation) = operations.get(method.to_ascii_lowercase()) else {
        assert_eq!(response.status, 405, "{method} {path} is not described: {}", response.body);
        return;
    };
    let Some(described) = operation["responses"].get(response.status.to_string()) else {
        panic!("{method} {path}: the status {} is not described: {}", response.status, response.body);
    };
    let described = resolve(described);
    if method == "HEAD" || (300..400).contains(&response.status) {
        return;
    }
    let kind = response.header("content-type").unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default();
    let Some(content) = described["content"].get(essence) else {
        panic!("{method} {path}: {} of the type {kind:?} is not described", response.status);
    };
    if essence == "application/json" {
        let problems = problems(&response.value(), &content["schema"], "the answer");
        assert_eq!(problems, [""; 0], "{method} {path}: {}", response.body);
    }
}

/// What is said of a path, whose braces stand for one part each.
fn operations(path: &str) -> Option<&'static Value> {
    let paths = DOCUMENT["paths"].as_object().expect("the description has paths");
    let fits = |template: &str| {
        let (named, given): (Vec<&str>, Vec<&str>) =
            (template.split('/').collect(), path.split('/').collect());
        let same =
            |(named, given): (&&str, &&str)| named == given || named.starts_with('{') && !given.is_empty();
        named.len() == given.len() && named.iter().zip(&given).all(same)
    };
    paths.get(path).or_else(|| paths.iter().find(|(template, _)| fits(template)).map(|(_, found)| found))
}

/// Follows a `$ref`.
fn resolve(value: &'static Value) -> &'static Value {
    let Some(path) = value.get("$ref").and_then(Value::as_str) else { return value };
    let found = DOCUMENT.pointer(path.trim_start_matches('#'));
    found.unwrap_or_else(|| panic!("{path} leads nowhere"))
}

/// Everything in which a value is not as the schema says.
pub(crate) fn problems(value: &Value, schema: &'static Value, place: &str) -> Vec<String> {
    let schema = resolve(schema).as_object().expect("a schema is an object");
    let mut found = Vec::new();
    for (rule, given) in schema {
        let holds = match rule.as_str() {
            "type" => kinds(given).any(|kind| is_a(value, kind)),
            "enum" => given.as_array().is_some_and(|values| values.contains(value)),
            "minimum" => value.as_i64().zip(given.as_i64()).is_none_or(|(value, min)| min <= value),
            "maximum" => value.as_u64().zip(given.as_u64()).is_none_or(|(value, max)| value <= max),
            "maxLength" => {
                let (text, max) = (value.as_str().unwrap_or_default(), given.as_u64().unwrap_or_default());
                u64::try_from(text.chars().count()).is_ok_and(|length| length <= max)
            }
            "anyOf" => {
                let schemas = given.as_array().expect("anyOf is an array").iter();
                let each: Vec<Vec<String>> = schemas.map(|schema| problems(value, schema, place)).collect();
                found.extend(each.iter().all(|problems| !problems.is_empty()).then(|| format!("{each:?}")));
                true
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    found.extend(problems(item, given, &format!("{place}[{index}]")));
                }
                true
            }
            // Members are looked at below; what a text looks like is not held to here.
            "properties" | "required" | "additionalProperties" | "description" | "format" | "pattern" => true,
            other => panic!("the rule {other} is not known"),
        };
        if !holds {
            found.push(format!("{place}: {value} breaks {rule} {given}"));
        }
    }
    if let Some(object) = value.as_object() {
        found.extend(member_problems(object, schema, place));
    }
    found
}

fn member_problems(
    object: &Map<String, Value>,
    schema: &'static Map<String, Value>,
    place: &str,
) -> Vec<String> {
    let mut found = Vec::new();
    let members = schema.get("properties").and_then(Value::as_object);
    for (name, value) in object {
        let described =
            members.and_then(|members| members.get(name)).or_else(|| schema.get("additionalProperties"));
        match described {
            None | Some(Value::Bool(true)) => {}
            Some(Value::Bool(false)) => found.push(format!("{place}: {name} is not described")),
            Some(described) => found.extend(problems(value, described, &format!("{place}.{name}"))),
        }
    }
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let missing = required.filter_map(Value::as_str).filter(|name| !object.contains_key(*name));
    found.extend(missing.map(|name| format!("{place}: {name} is missing")));
    found
}

fn kinds(given: &Value) -> impl Iterator<Item = &str> {
    let several = given.as_array().into_iter().flatten().filter_map(Value::as_str);
    given.as_str().into_iter().chain(several)
}

fn is_a(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the type {other} is not known"),
    }
}
