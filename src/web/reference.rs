//! Renders the description of the API as one page, which people search with their browser. The facts come from
//! [`crate::http::reference`]; this module only lays them out.

use askama::Template;
use axum::http::request::Parts;
use axum::response::Response;

use super::context::Context;
use super::error::{PageError, PageResult};
use super::frame::Frame;
use super::serve::finish;
use super::table::{PAGES, pages_of};
use crate::http::reference::{
    Answer, Example, Field, Header, Input, Object, Operation, Reference, Shape, Status, Word,
};
use crate::locale::text;
use crate::service::Core;

#[derive(Template)]
#[template(path = "reference.html", config = "src/web/askama.toml")]
struct ReferencePage<'a> {
    frame: Frame,
    about: &'a [&'a str],
    keys: &'a [&'a str],
    key_command: &'a str,
    permissions: &'a [Word],
    examples: &'a [Example],
    sections: Vec<Section<'a>>,
    objects: Vec<ObjectRows<'a>>,
    statuses: &'a [Status],
    headers: &'a [Header],
}

/// All operations on one kind of object.
struct Section<'a> {
    name: &'a str,
    operations: Vec<Entry<'a>>,
}

struct Entry<'a> {
    id: String,
    method: &'a str,
    /// The path, split where a line may break.
    path: Vec<&'a str>,
    summary: &'a str,
    needs_key: bool,
    /// The parameters in the path, the query and the header.
    parameters: Vec<Row<'a>>,
    body: Option<BodyRows<'a>>,
    answer: AnswerWords,
    refusals: String,
}

struct BodyRows<'a> {
    is_array: bool,
    takes_mail: bool,
    has_custom: bool,
    rows: Vec<Row<'a>>,
}

struct ObjectRows<'a> {
    name: &'a str,
    about: &'a str,
    has_custom: bool,
    rows: Vec<Row<'a>>,
}

/// A field in a table.
struct Row<'a> {
    /// The name, split where a line may break.
    name: Vec<&'a str>,
    place: &'static str,
    kind: String,
    /// The object that the field holds, as a link.
    object: Option<&'static str>,
    about: &'a str,
    is_required: bool,
}

/// The response in words, and the object in it.
struct AnswerWords {
    before: &'static str,
    object: Option<&'static str>,
    other: Option<&'static str>,
}

/// The page that describes the API, for a request whose head is `parts`.
#[must_use]
pub fn reference(core: &Core, parts: &Parts, reference: &Reference) -> Response {
    let mut context = Context::of_head(core, &pages_of(PAGES), parts);
    let result = context.load(&parts.headers).map_err(PageError::from);
    let result = result.and_then(|()| show(&context, reference));
    finish(&context, result)
}

fn show(context: &Context, reference: &Reference) -> PageResult {
    let Reference { about, keys, key_command, permissions, examples, operations, objects, statuses, headers } =
        reference;
    let mut sections: Vec<Section<'_>> = Vec::new();
    // HEAD is GET without the body; the page mentions that once.
    for operation in operations.iter().filter(|operation| operation.method != "HEAD") {
        let entry = entry(operation);
        match sections.last_mut().filter(|section| section.name == operation.section) {
            Some(section) => section.operations.push(entry),
            None => sections.push(Section { name: operation.section, operations: vec![entry] }),
        }
    }
    context.show(&ReferencePage {
        frame: Frame::of(context),
        about,
        keys,
        key_command,
        permissions,
        examples,
        sections,
        objects: objects.iter().map(object_rows).collect(),
        statuses,
        headers,
    })
}

fn entry(operation: &Operation) -> Entry<'_> {
    let mut parameters = rows("path", operation.object.as_slice());
    parameters.extend(rows("query", &operation.query));
    parameters.extend(rows("header", &operation.headers));
    let codes: Vec<String> = operation.refusals.iter().map(ToString::to_string).collect();
    Entry {
        id: format!(
            "{}-{}",
            operation.method.to_ascii_lowercase(),
            operation.path.trim_matches('/').replace('/', "-")
        ),
        method: operation.method,
        path: operation.path.split_inclusive('/').collect(),
        summary: operation.summary,
        needs_key: operation.needs_key,
        parameters,
        body: operation.body.as_ref().map(body_rows),
        answer: answer_words(operation.answer),
        refusals: codes.join(", "),
    }
}

fn body_rows(body: &Input) -> BodyRows<'_> {
    let Input { name: _, fields, has_custom, rows_max, takes_mail } = body;
    let rows = rows("body", fields);
    BodyRows { is_array: rows_max.is_some(), takes_mail: *takes_mail, has_custom: *has_custom, rows }
}

fn object_rows(object: &Object) -> ObjectRows<'_> {
    let Object { name, about, fields, has_custom } = object;
    ObjectRows { name, about, has_custom: *has_custom, rows: rows("object", fields) }
}

fn rows<'a>(place: &'static str, fields: &'a [Field]) -> Vec<Row<'a>> {
    let row = |field: &'a Field| {
        let Field { name, shape, about, is_required } = field;
        let name = name.split_inclusive('_').collect();
        Row { name, place, kind: kind(shape), object: object_of(shape), about, is_required: *is_required }
    };
    fields.iter().map(row).collect()
}

fn answer_words(answer: Answer) -> AnswerWords {
    let (before, object, other) = match answer {
        Answer::One(object) => ("", Some(object), None),
        Answer::Listing(object) => ("a page of", Some(object), None),
        Answer::Either(object, other) => ("", Some(object), Some(other)),
        Answer::Rows(object) => ("an array of", Some(object), None),
        Answer::Mail => ("the message, as message/rfc822", None, None),
        Answer::Document => ("the OpenAPI document", None, None),
        Answer::Page => ("this page", None, None),
    };
    AnswerWords { before, object, other }
}

/// The permitted values of a field, in words.
fn kind(shape: &Shape) -> String {
    match shape {
        Shape::Text { chars_max: Some(max), .. } => format!("text, up to {max} characters"),
        Shape::Text { chars_max: None, format: Some("date-time"), .. } => "instant (RFC 3339)".to_owned(),
        Shape::Text { chars_max: None, format: Some("email"), .. } => "address".to_owned(),
        Shape::Text { chars_max: None, format: Some("hostname"), .. } => "domain".to_owned(),
        Shape::Text { chars_max: None, .. } => "text".to_owned(),
        Shape::Word(words) => {
            let words: Vec<&str> =
                words.iter().map(|word| if word.is_empty() { "blank" } else { word }).collect();
            words.join(" | ")
        }
        Shape::Whole { min, max: Some(max) } => format!("whole number, {min} to {max}"),
        Shape::Whole { min: i64::MIN, max: None } => "whole number".to_owned(),
        Shape::Whole { min, max: None } => format!("whole number, {min} or more"),
        Shape::Number(numbers) => numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | "),
        Shape::Truth => "true | false".to_owned(),
        Shape::Many { of, max: _ } => format!("array of: {}", kind(of)),
        Shape::Map(of) => format!("object, each member: {}", kind(of)),
        Shape::Nullable(of) => format!("{} | null", kind(of)),
        Shape::Either(shapes) if shapes.is_empty() => "any value".to_owned(),
        Shape::Either(shapes) => shapes.iter().map(kind).collect::<Vec<_>>().join(", or "),
        Shape::Object(name) => (*name).to_owned(),
        Shape::Fields(fields) => {
            let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
            format!("object with {}", names.join(", "))
        }
    }
}

/// The object that a value holds.
fn object_of(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::Object(name) => Some(name),
        Shape::Many { of, max: _ } | Shape::Nullable(of) | Shape::Map(of) => object_of(of),
        Shape::Either(shapes) => shapes.iter().find_map(object_of),
        Shape::Text { .. }
        | Shape::Word(_)
        | Shape::Whole { .. }
        | Shape::Number(_)
        | Shape::Truth
        | Shape::Fields(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_is_told_in_words() {
        let words = Shape::Word(vec!["open", "closed", ""]);
        assert_eq!(kind(&words.clone().or_null()), "open | closed | blank | null");
        assert_eq!(kind(&Shape::many(Shape::text_of("email"))), "array of: address");
        let number = Shape::Whole { min: 1, max: Some(9) };
        assert_eq!(kind(&Shape::Either(vec![number, Shape::TEXT])), "whole number, 1 to 9, or text");
        assert_eq!(object_of(&Shape::many(Shape::Object("Email")).or_null()), Some("Email"));
        assert_eq!(object_of(&words), None);
    }
}
