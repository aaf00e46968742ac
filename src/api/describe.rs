//! Describes the API from the code that answers requests: the table of paths, the readers of parameters and the types
//! of answers.
//!
//! [`reference()`] is shown by the page and the `OpenAPI` document, and the command line makes commands of it. No path,
//! method or field is repeated here: a GET is parsed with parameters that only record what it reads, and the fields
//! of a body are recorded by the function that reads bodies.

use std::collections::BTreeMap;

use super::accounts::{AdminName, DomainView, StatusView};
use super::audit::{ActorView, ObjectView, ValueView};
use super::deliveries::{AnsweredView, DecidedView};
use super::dispatch::get_request;
use super::error;
use super::events::EventActorView;
use super::operation::{BodyKind, Mail, Operation, ResponseKind, Rows};
use super::route::{self, Id, IdKind, Place, Verb};
use super::shape::View as _;
use super::simulate::{HeaderView, RuleView};
use crate::http::reference::{
    self as shown, Answer, Example, Field, Header, Input, Object, Reference, Shape, Status, Word,
};
use crate::model::{OauthScope, Permission};
use crate::params::Params;

/// Rules of the whole API.
const ABOUT: &[&str] = &[
    "Everything that can be done with lists, members and messages, and with the accounts and administrators of \
     the server. Requests and answers are JSON; paths end with a slash, and one without it is redirected with 308.",
    "A body is application/x-www-form-urlencoded, multipart/form-data or application/json, which all mean the \
     same; without a type it is read as a form. In a form an array is a repeated key, one blank value is the \
     empty array, and a blank value stands for null. Of booleans 0, false, no, off and blank are false, and the \
     rest is true. A field that is absent stays as it is. Read-only fields are passed over, so that an object \
     that was read can be put back; other fields that nobody knows are named in X-Ignored-Parameters.",
    "A key is the user name of Basic authentication, or a Bearer. A global key of a grouped system names the \
     account with account_id. What a key may do is decided by its permissions; reading needs any one of them.",
    "An application that the operator made known gets tokens from people who allow it, as RFC 6749 says \
     (/.well-known/oauth-authorization-server names the endpoints, and openapi.json describes them). A token is sent as a key is, and does what its \
     scopes and that person's permissions allow. It makes no keys and changes no administrators \
     unless the person allowed account_admin, which takes the password anew.",
    "A listing has the members data, count, page and limit; count is the total of all pages. With fields an \
     answer shows those members alone.",
    "The objects that an account reads and changes in an hour are counted; every answer tells how many are left. \
     Errors cost nothing.",
];

/// Instructions for making a key and sending it.
const KEYS: &[&str] = &[
    "Every call but those of the section docs needs a key: 32 letters and digits. The first one was printed when the \
     server was set up. Make one for each program, with the permissions that it needs and no more: on the server as \
     below, or with two calls, POST /api/2/admins/ with api=2, then PUT /api/2/admins/{id}/ with get_key=1.",
    "The key is the user name, and the password stays empty; or it follows the word Bearer in the field \
     Authorization. A key can be confined to lists, to custom fields and to networks, can end after some months, and \
     can be revoked. It is shown once. Keep it as you keep a password.",
];

/// The command that makes a key on the server.
const KEY_COMMAND: &str = "crier key create --account NAME \\\n  --permission manage_members \\\n  \
                           --description Website";

/// Example calls for beginners.
const EXAMPLES: &[Example] = &[
    Example {
        about: "Add a member to the list news",
        command: "curl -u KEY: \\\n  https://lists.example.org/api/2/contacts/ \\\n  \
                  -d emails=ada@example.org \\\n  -d firstname=Ada -d lists=news",
        answer: r#"{"id": 7, "firstname": "Ada", "emails": [{"id": 9, "email": "ada@example.org", …}], …}"#,
    },
    Example {
        about: "See who is on it, by name and address",
        command: "curl -u KEY: -G \\\n  https://lists.example.org/api/2/contacts/ \\\n  \
                  -d list=news -d fields=description",
        answer: r#"{"data": [{"description": "Ada <ada@example.org>"}], "count": 1, "page": 1, "limit": 100}"#,
    },
    Example {
        about: "Send a message to the list",
        command: "curl -H 'Authorization: Bearer KEY' \\\n  https://lists.example.org/api/2/messages/ \\\n  \
                  -d list=news -d subject=Hello \\\n  -d 'content_plain=See you at six.'",
        answer: r#"{"id": 12, "subject": "Hello", "list": "news", …}"#,
    },
];

/// The meaning of a permission.
fn permission_about(permission: Permission) -> &'static str {
    match permission {
        Permission::AccountAdmin => {
            "Everything: the account's settings, administrators and keys, and all below."
        }
        Permission::ManageSettings => "Make, change and delete lists and aliases.",
        Permission::ManageMembers => "Make, change and delete contacts, addresses and memberships.",
        Permission::ApproveMessages => "See and decide what is held or waits for approval; delete messages.",
        Permission::SendMessages => "Send messages to lists.",
        Permission::LimitMetadata => {
            "Takes away: of the custom fields only those named in limit_metadata are there."
        }
        Permission::LimitLists => "Takes away: only the lists named in limit_lists are there.",
    }
}

/// The meaning of a scope.
pub(super) fn scope_about(scope: OauthScope) -> &'static str {
    scope.permission().map_or("Read, and nothing else; every other scope reads, too.", permission_about)
}

/// Statuses of refused requests.
const STATUSES: &[Status] = &[
    Status {
        code: 400,
        about: "The request is not well formed, or values are wrong: errors names every wrong field.",
    },
    Status { code: 401, about: "There is no key, or none that works, or not from here." },
    Status { code: 403, about: "The key may not do this." },
    Status { code: 404, about: "There is no such object, or nothing at this path." },
    Status { code: 405, about: "The path does not take the method; Allow names those it takes." },
    Status { code: 408, about: "The body did not arrive in time." },
    Status {
        code: 409,
        about: "Something with this name, address or identifier is there, or is already decided; or the \
                Idempotency-Key came with another body before.",
    },
    Status { code: 413, about: "The body, or the message made of it, is too large." },
    Status { code: 415, about: "The body is of a type that is not taken." },
    Status {
        code: 429,
        about: "The account has read and changed as many objects as it may in an hour, or too many authentications failed: wait.",
    },
    Status { code: 500, about: "Something failed here." },
    Status { code: 503, about: "The server is shutting down, is busy, or can store nothing at the moment." },
];
/// Statuses that any request with a key may get.
const REFUSALS: [u16; 7] = [400, 401, 403, 404, 429, 500, 503];
/// Further statuses of requests with a body.
const BODY_REFUSALS: [u16; 4] = [408, 409, 413, 415];
/// The status of a method that the path does not support; it belongs to no operation.
const METHOD_REFUSAL: u16 = 405;

/// Header fields of answers.
const HEADERS: &[Header] = &[
    Header {
        name: "RateLimit-Limit",
        about: "Objects that the account may read and change in an hour.",
        is_number: true,
        status: None,
    },
    Header {
        name: "RateLimit-Remaining",
        about: "How many of them are left.",
        is_number: true,
        status: None,
    },
    Header {
        name: "RateLimit-Reset",
        about: "Seconds until the hour is over.",
        is_number: true,
        status: None,
    },
    Header {
        name: "X-Ignored-Parameters",
        about: "Parameters that nobody knows, percent-encoded, with commas between them.",
        is_number: false,
        status: None,
    },
    Header {
        name: "WWW-Authenticate",
        about: "How to authenticate: Basic or Bearer.",
        is_number: false,
        status: Some(401),
    },
    Header {
        name: "Allow",
        about: "The methods that the path takes.",
        is_number: false,
        status: Some(METHOD_REFUSAL),
    },
    Header { name: "Retry-After", about: "Seconds to wait.", is_number: true, status: Some(429) },
];

/// The parameter that every operation takes.
const ACCOUNT_ID: &str = "account_id";
/// Parameters that mean the same in every operation.
const EVERYWHERE: &[(&str, &str)] = &[
    (ACCOUNT_ID, "With a global key: the account that is meant."),
    ("fields", "Only these members are shown; several with commas."),
    ("page", "Which page, from 1."),
    ("limit", "Objects on a page; 100 if it is not given."),
    (
        "after",
        "Only the objects after the one with this identifier, to read a listing of any length. Not together with page.",
    ),
    ("Idempotency-Key", "The same key and body within 24 hours is answered again, and does nothing again."),
];
/// Most characters of an `Idempotency-Key`.
const IDEMPOTENCY_KEY_CHARS_MAX: usize = 255;

/// Objects that appear only inside of others.
const INSIDE: [fn() -> Object; 12] = [
    ActorView::object,
    AdminName::object,
    AnsweredView::object,
    DecidedView::object,
    DomainView::object,
    EventActorView::object,
    ObjectView::object,
    ValueView::object,
    StatusView::object,
    HeaderView::object,
    RuleView::object,
    error::ErrorBody::object,
];

/// Describes every operation of the API.
pub(super) fn reference() -> Reference {
    let places = route::places();
    let objects = objects(&places);
    let by_name = objects.iter().map(|object| (object.name, object)).collect();
    let operations = places.iter().flat_map(|place| {
        let operations = place.target.operations.iter();
        operations.flat_map(|operation| operations_of(place, operation, &by_name)).collect::<Vec<_>>()
    });
    let operations = operations.collect();
    let word =
        |permission: &Permission| Word { word: permission.word(), about: permission_about(*permission) };
    Reference {
        about: ABOUT,
        keys: KEYS,
        key_command: KEY_COMMAND,
        permissions: Permission::ALL.iter().map(word).collect(),
        examples: EXAMPLES,
        operations,
        objects,
        statuses: STATUSES,
        headers: HEADERS,
    }
}

/// Whether every field that was read from a call's body is described; debug builds check every call.
pub(super) fn covers(operation: &Operation, params: &Params) -> bool {
    let described = fields_of(operation.takes);
    let custom = object_of(operation.gives).is_some_and(|object| object().has_custom);
    // Of the query beside a message, `account_id` has been read for authentication.
    let is_described = |name| name == ACCOUNT_ID || described.iter().any(|field| field.name == name);
    custom || params.asked().all(is_described)
}

fn objects(places: &[Place]) -> Vec<Object> {
    let shown =
        places.iter().flat_map(|place| place.target.operations).flat_map(|operation| match operation.gives {
            ResponseKind::One(object)
            | ResponseKind::Listing(object)
            | ResponseKind::Rows(object)
            | ResponseKind::Entry(object) => {
                vec![object]
            }
            ResponseKind::Either(one, other) => vec![one, other],
            ResponseKind::Mail | ResponseKind::Document | ResponseKind::Page => Vec::new(),
        });
    let mut objects: Vec<Object> = Vec::new();
    for object in shown.chain(INSIDE).map(|object| object()) {
        if objects.iter().all(|known| known.name != object.name) {
            objects.push(object);
        }
    }
    objects
}

fn object_of(gives: ResponseKind) -> Option<fn() -> Object> {
    match gives {
        ResponseKind::One(object)
        | ResponseKind::Listing(object)
        | ResponseKind::Rows(object)
        | ResponseKind::Either(object, _)
        | ResponseKind::Entry(object) => Some(object),
        ResponseKind::Mail | ResponseKind::Document | ResponseKind::Page => None,
    }
}

fn fields_of(takes: BodyKind) -> Vec<Field> {
    match takes {
        BodyKind::Query | BodyKind::Nothing => Vec::new(),
        BodyKind::Fields(reader)
        | BodyKind::Mail(Mail { reader, message: _ })
        | BodyKind::Rows(Rows { reader, .. }) => {
            let mut params = Params::recording();
            reader(&mut params);
            params.into_asked()
        }
    }
}

/// Describes one operation, and HEAD beside a GET.
fn operations_of(
    place: &Place,
    operation: &Operation,
    objects: &BTreeMap<&'static str, &Object>,
) -> Vec<shown::Operation> {
    let needs_key = !operation.is_public();
    let about = About { operation, objects };
    let body = body(operation, &about);
    let mut refusals = Vec::new();
    if needs_key {
        refusals.extend(REFUSALS);
        refusals.extend(body.iter().flat_map(|_| BODY_REFUSALS));
        refusals.sort_unstable();
    }
    let one = |method| shown::Operation {
        section: place.section,
        method,
        path: place.path.clone(),
        summary: operation.summary,
        needs_key,
        object: place.id.map(object_name),
        query: query(place, operation, &about),
        headers: headers(operation, &about),
        body: body.clone(),
        answer: answer(operation.gives),
        refusals: refusals.clone(),
    };
    operation.verb.methods().iter().copied().map(one).collect()
}

/// Describes the parameter that names an object in a path.
fn object_name(Id { name, about, kind }: Id) -> Field {
    let whole = Shape::Whole { min: 0, max: None };
    let shape = match kind {
        IdKind::Number => whole,
        IdKind::Name => Shape::TEXT,
        IdKind::Both => Shape::Either(vec![whole, Shape::TEXT]),
    };
    Field { name: name.to_owned(), shape, about: about.to_owned(), is_required: true }
}

fn query(place: &Place, operation: &Operation, about: &About<'_>) -> Vec<Field> {
    if operation.is_public() {
        return Vec::new();
    }
    let mut params = Params::recording();
    if matches!(operation.takes, BodyKind::Query) {
        // The parameters are empty, so an error is no matter: only the recorded names are wanted.
        let _ = get_request(&place.target, &mut params);
    }
    let mut fields = params.into_asked();
    for field in &mut fields {
        // A blank value in a query counts as absent.
        if let Shape::Nullable(shape) = &field.shape {
            field.shape = (**shape).clone();
        }
    }
    if let BodyKind::Mail(Mail { reader: _, message }) = operation.takes {
        fields.extend(fields_of(operation.takes).into_iter().filter(|field| field.name != message));
    }
    let shape = Shape::Whole { min: 1, max: None };
    fields.push(Field { name: ACCOUNT_ID.to_owned(), shape, about: String::new(), is_required: false });
    about.tell(&mut fields, None);
    fields
}

fn headers(operation: &Operation, about: &About<'_>) -> Vec<Field> {
    let mut fields = Vec::new();
    if operation.verb == Verb::Post {
        let shape = Shape::Text {
            chars_max: Some(IDEMPOTENCY_KEY_CHARS_MAX),
            format: None,
            pattern: Some("^[!-~]+$"),
        };
        let name = "Idempotency-Key".to_owned();
        fields.push(Field { name, shape, about: String::new(), is_required: false });
    }
    about.tell(&mut fields, None);
    fields
}

fn body(operation: &Operation, about: &About<'_>) -> Option<Input> {
    let (object, rows_max) = match operation.takes {
        BodyKind::Query | BodyKind::Nothing => return None,
        BodyKind::Fields(_) | BodyKind::Mail(_) => (object_of(operation.gives), None),
        BodyKind::Rows(Rows { reader: _, max, object }) => (Some(object), Some(max)),
    };
    let mut fields = fields_of(operation.takes);
    let object = object.map(|object| object());
    about.tell(&mut fields, object.as_ref());
    for field in &mut fields {
        field.is_required = operation.required.contains(&field.name.as_str());
    }
    let verb = if operation.verb == Verb::Post { "Create" } else { "Update" };
    let (name, has_custom) = object.map_or(("", false), |object| (object.name, object.has_custom));
    let takes_mail = matches!(operation.takes, BodyKind::Mail(_));
    Some(Input { name: format!("{name}{verb}"), fields, has_custom, rows_max, takes_mail })
}

fn answer(gives: ResponseKind) -> Answer {
    match gives {
        ResponseKind::One(object) | ResponseKind::Entry(object) => Answer::One(object().name),
        ResponseKind::Listing(object) => Answer::Listing(object().name),
        ResponseKind::Either(one, other) => Answer::Either(one().name, other().name),
        ResponseKind::Rows(object) => Answer::Rows(object().name),
        ResponseKind::Mail => Answer::Mail,
        ResponseKind::Document => Answer::Document,
        ResponseKind::Page => Answer::Page,
    }
}

/// Finds the description of a parameter: the operation's, else that of the object's field of the same name.
struct About<'a> {
    operation: &'a Operation,
    objects: &'a BTreeMap<&'static str, &'a Object>,
}

impl About<'_> {
    fn tell(&self, fields: &mut [Field], object: Option<&Object>) {
        for field in fields {
            let shown = object.and_then(|object| object.fields.iter().find(|shown| shown.name == field.name));
            let said = |table: &[(&str, &str)]| {
                table.iter().find(|(name, _)| *name == field.name).map(|(_, about)| (*about).to_owned())
            };
            let about = said(self.operation.about)
                .or_else(|| shown.map(|shown| shown.about.clone()))
                .or_else(|| said(EVERYWHERE));
            field.about = about.unwrap_or_default();
            let inside = shown.and_then(|shown| self.inside(&shown.shape));
            self.tell_inside(&mut field.shape, inside);
        }
    }

    /// The object that a field shows.
    fn inside(&self, shape: &Shape) -> Option<&Object> {
        match shape {
            Shape::Object(name) => self.objects.get(name).copied(),
            Shape::Many { of, max: _ } | Shape::Nullable(of) => self.inside(of),
            _ => None,
        }
    }

    fn tell_inside(&self, shape: &mut Shape, object: Option<&Object>) {
        match shape {
            Shape::Fields(fields) => self.tell(fields, object),
            Shape::Many { of, max: _ } | Shape::Nullable(of) => self.tell_inside(of, object),
            Shape::Either(shapes) => shapes.iter_mut().for_each(|shape| self.tell_inside(shape, object)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Collects the names of all objects in a shape.
    fn named(shape: &Shape, names: &mut Vec<&'static str>) {
        match shape {
            Shape::Object(name) => names.push(name),
            Shape::Many { of, max: _ } | Shape::Nullable(of) | Shape::Map(of) => named(of, names),
            Shape::Either(shapes) => shapes.iter().for_each(|shape| named(shape, names)),
            Shape::Fields(fields) => fields.iter().for_each(|field| named(&field.shape, names)),
            Shape::Text { .. } | Shape::Word(_) | Shape::Whole { .. } | Shape::Number(_) | Shape::Truth => {}
        }
    }

    #[test]
    fn every_object_that_is_named_is_there() {
        let reference = reference();
        let mut names = Vec::new();
        for field in reference.objects.iter().flat_map(|object| &object.fields) {
            named(&field.shape, &mut names);
        }
        assert!(names.contains(&"Membership"));
        for name in names {
            assert!(reference.objects.iter().any(|object| object.name == name), "{name}");
        }
    }

    /// Lists the fields without a description, also those inside of others.
    fn silent(place: &str, fields: &[Field]) -> Vec<String> {
        let mut found = Vec::new();
        for Field { name, shape, about, is_required: _ } in fields {
            let place = format!("{place} {name}");
            let mut inside = Vec::new();
            if let Shape::Many { of, max: _ } = shape
                && let Shape::Either(shapes) = &**of
            {
                inside.extend(shapes.iter().filter_map(|shape| match shape {
                    Shape::Fields(fields) => Some(fields),
                    _ => None,
                }));
            }
            found.extend(inside.into_iter().flat_map(|fields| silent(&place, fields)));
            if about.is_empty() {
                found.push(place);
            }
        }
        found
    }

    #[test]
    fn something_is_said_of_every_parameter_and_every_field() {
        let reference = reference();
        let mut missing: Vec<String> = Vec::new();
        for shown::Operation { method, path, query, headers, body, .. } in &reference.operations {
            let fields = body.iter().flat_map(|body| &body.fields).chain(query).chain(headers);
            missing.extend(silent(&format!("{method} {path}"), &fields.cloned().collect::<Vec<_>>()));
        }
        missing.extend(reference.objects.iter().flat_map(|object| silent(object.name, &object.fields)));
        assert_eq!(missing, [""; 0]);
    }

    #[test]
    fn what_has_to_be_there_and_what_is_explained_is_read() {
        for place in route::places() {
            for operation in place.target.operations.iter().filter(|operation| !operation.is_public()) {
                let about = About { operation, objects: &BTreeMap::new() };
                let read = fields_of(operation.takes).into_iter().chain(query(&place, operation, &about));
                let read: Vec<String> = read.map(|field| field.name).collect();
                let told = operation.about.iter().map(|(name, _)| name).chain(operation.required);
                for name in told {
                    assert!(read.iter().any(|read| read == name), "{} {name}", place.path);
                }
            }
        }
    }

    #[test]
    fn every_refusal_is_explained() {
        for code in REFUSALS.iter().chain(&BODY_REFUSALS) {
            assert!(STATUSES.iter().any(|status| status.code == *code), "{code}");
        }
    }
}
