//! The table of all endpoints: the paths below `/api/2/` and the methods that each supports.
//!
//! The router of [`api`](super) looks requests up here, and `describe` walks the table. The methods of a path are
//! declared as [`Operation`]s in the module that carries them out. A new endpoint is a row here and its operations
//! there; its description follows from both.

use std::borrow::Cow;

use axum::http::Method;

use super::operation::Operation;
pub(super) use super::operation::Verb;
use super::{
    accounts, admins, aliases, audit, batch, contacts, deliveries, emails, entry, events, form, held, lists,
    membership, messages, pending, simulate, webhooks,
};

/// A kind of objects that has a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Resource {
    /// `/contacts/`
    Contacts,
    /// `/contacts/batch/`
    ContactBatch,
    /// `/emails/`
    Emails,
    /// `/membership/`
    Membership,
    /// `/lists/`
    Lists,
    /// `/lists/{name}/simulate/`
    ListSimulation,
    /// `/messages/`
    Messages,
    /// `/aliases/`
    Aliases,
    /// `/held/`
    Held,
    /// `/pending/`
    Pending,
    /// `/messages/{id}/raw/`
    MessageRaw,
    /// `/messages/{id}/deliveries/`
    MessageDeliveries,
    /// `/admins/`
    Admins,
    /// `/accounts/`
    Accounts,
    /// `/audit/`
    Audit,
    /// `/events/`
    Events,
    /// `/webhooks/`
    Webhooks,
    /// `/webhooks/{id}/deliveries/`
    WebhookDeliveries,
    /// `/webhooks/{id}/test/`
    WebhookTest,
    /// `/webhooks/{id}/rotate/`
    WebhookRotation,
    /// `/webhooks/{id}/replay/`
    WebhookReplay,
    /// `/`
    Entry,
    /// `/docs/`
    Docs,
    /// `/openapi.json`
    Document,
}

impl Resource {
    /// Whether the objects always belong to an account. If not, a global key that names no account means those of the
    /// whole server.
    pub(super) fn needs_account(self) -> bool {
        !self.shows_oneself() && self != Resource::Audit
    }

    /// Whether a key may read something here without any permission: itself.
    pub(super) fn shows_oneself(self) -> bool {
        matches!(self, Resource::Admins | Resource::Accounts)
    }
}

/// The two paths of a resource, with the operations of each.
struct Endpoint {
    name: &'static str,
    resource: Resource,
    /// Operations on all objects.
    all: &'static [Operation],
    /// Operations on one object.
    one: &'static [Operation],
    /// The name of an object in a path.
    id: Id,
}

/// The part of a path that names an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Id {
    /// The placeholder in the descriptions of paths.
    pub(super) name: &'static str,
    /// Its description.
    pub(super) about: &'static str,
    /// The texts that it may be.
    pub(super) kind: IdKind,
}

/// The kinds of names of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IdKind {
    /// A number.
    Number,
    /// A name.
    Name,
    /// Either.
    Both,
}

const fn number(about: &'static str) -> Id {
    Id { name: "id", about, kind: IdKind::Number }
}

const fn either(about: &'static str) -> Id {
    Id { name: "id", about, kind: IdKind::Both }
}

const ENDPOINTS: &[Endpoint] = &[
    Endpoint {
        name: "contacts",
        resource: Resource::Contacts,
        all: contacts::ALL,
        one: contacts::ONE,
        id: either("The contact's service identifier, or its custom one where the account has them enabled."),
    },
    Endpoint {
        name: "contacts/batch",
        resource: Resource::ContactBatch,
        all: batch::ALL,
        one: &[],
        id: number("None."),
    },
    Endpoint {
        name: "emails",
        resource: Resource::Emails,
        all: emails::ALL,
        one: emails::ONE,
        id: either("The service identifier; to read, the address as well."),
    },
    Endpoint {
        name: "membership",
        resource: Resource::Membership,
        all: membership::ALL,
        one: membership::ONE,
        id: number("The service identifier."),
    },
    Endpoint {
        name: "lists",
        resource: Resource::Lists,
        all: lists::ALL,
        one: lists::ONE,
        id: Id { name: "name", about: "The list's name.", kind: IdKind::Name },
    },
    Endpoint {
        name: "aliases",
        resource: Resource::Aliases,
        all: aliases::ALL,
        one: aliases::ONE,
        id: Id { name: "source", about: "The part of the alias before the @.", kind: IdKind::Name },
    },
    Endpoint {
        name: "messages",
        resource: Resource::Messages,
        all: messages::ALL,
        one: messages::ONE,
        id: number("The service identifier."),
    },
    Endpoint {
        name: "held",
        resource: Resource::Held,
        all: held::ALL,
        one: held::ONE,
        id: number("The service identifier."),
    },
    Endpoint {
        name: "pending",
        resource: Resource::Pending,
        all: pending::ALL,
        one: pending::ONE,
        id: number("The service identifier."),
    },
    Endpoint {
        name: "admins",
        resource: Resource::Admins,
        all: admins::ALL,
        one: admins::ONE,
        id: either("The service identifier, or the username."),
    },
    Endpoint {
        name: "accounts",
        resource: Resource::Accounts,
        all: accounts::ALL,
        one: accounts::ONE,
        id: either("The service identifier, or the name."),
    },
    Endpoint { name: "audit", resource: Resource::Audit, all: audit::ALL, one: &[], id: number("None.") },
    Endpoint { name: "events", resource: Resource::Events, all: events::ALL, one: &[], id: number("None.") },
    Endpoint {
        name: "webhooks",
        resource: Resource::Webhooks,
        all: webhooks::ALL,
        one: webhooks::ONE,
        id: number("The service identifier."),
    },
    Endpoint { name: "docs", resource: Resource::Docs, all: entry::PAGE, one: &[], id: number("None.") },
];

/// A part of an object that has a path of its own below the object's.
struct Part {
    of: Resource,
    name: &'static str,
    resource: Resource,
    operations: &'static [Operation],
}

const PARTS: &[Part] = &[
    Part {
        of: Resource::Lists,
        name: "simulate",
        resource: Resource::ListSimulation,
        operations: simulate::PART,
    },
    Part { of: Resource::Messages, name: "raw", resource: Resource::MessageRaw, operations: messages::RAW },
    Part {
        of: Resource::Messages,
        name: "deliveries",
        resource: Resource::MessageDeliveries,
        operations: deliveries::PART,
    },
    Part {
        of: Resource::Webhooks,
        name: "deliveries",
        resource: Resource::WebhookDeliveries,
        operations: webhooks::DELIVERIES,
    },
    Part {
        of: Resource::Webhooks,
        name: "test",
        resource: Resource::WebhookTest,
        operations: webhooks::TEST,
    },
    Part {
        of: Resource::Webhooks,
        name: "rotate",
        resource: Resource::WebhookRotation,
        operations: webhooks::ROTATE,
    },
    Part {
        of: Resource::Webhooks,
        name: "replay",
        resource: Resource::WebhookReplay,
        operations: webhooks::REPLAY,
    },
];

/// The beginning of every path.
const ROOT: &str = "/api/2/";
/// The only path without a final slash: it is a file's name.
const DOCUMENT: &str = "openapi.json";

/// A path with its operations, for the description.
pub(super) struct Place {
    /// The name of its kind of objects.
    pub(super) section: &'static str,
    /// The path, with placeholders in braces.
    pub(super) path: String,
    /// The target of the path; its object, if it has one, is called `1`.
    pub(super) target: Target<'static>,
    /// The placeholder of the object.
    pub(super) id: Option<Id>,
}

/// Every path, in the order of the document.
pub(super) fn places() -> Vec<Place> {
    let mut places = Vec::new();
    let mut add = |section, rest: String, resource, operations, id: Option<Id>| {
        let object = id.map(|_| Cow::Borrowed("1"));
        let target = Target { resource, object, operations };
        places.push(Place { section, path: format!("{ROOT}{rest}"), target, id });
    };
    for Endpoint { name, resource, all, one, id } in ENDPOINTS {
        let section = name.split('/').next().unwrap_or(name);
        add(section, format!("{name}/"), *resource, all, None);
        if one.is_empty() {
            continue;
        }
        let object = format!("{name}/{{{}}}/", id.name);
        add(section, object.clone(), *resource, one, Some(*id));
        for part in PARTS.iter().filter(|part| part.of == *resource) {
            add(section, format!("{object}{}/", part.name), part.resource, part.operations, Some(*id));
        }
    }
    add("docs", DOCUMENT.to_owned(), Resource::Document, entry::DOCUMENT, None);
    add("docs", String::new(), Resource::Entry, entry::ENTRY, None);
    places
}

/// The resource or the object that a path names.
#[derive(Clone)]
pub(super) struct Target<'path> {
    /// The kind of objects.
    pub(super) resource: Resource,
    /// One object of that kind; `None` for all of them.
    pub(super) object: Option<Cow<'path, str>>,
    /// The operations of the path.
    pub(super) operations: &'static [Operation],
}

/// The result of looking a path up.
pub(super) enum Found<'path> {
    /// An endpoint.
    Target(Target<'path>),
    /// An endpoint whose final slash is missing.
    WithoutSlash,
    /// Nothing.
    Nothing,
}

/// Looks a path up.
pub(super) fn find(path: &str) -> Found<'_> {
    let Some(rest) = path.strip_prefix(ROOT) else {
        return if ROOT.strip_suffix('/') == Some(path) { Found::WithoutSlash } else { Found::Nothing };
    };
    if rest.is_empty() {
        let operations = entry::ENTRY;
        return Found::Target(Target { resource: Resource::Entry, object: None, operations });
    }
    if rest == DOCUMENT {
        let operations = entry::DOCUMENT;
        return Found::Target(Target { resource: Resource::Document, object: None, operations });
    }
    let (rest, has_slash) = match rest.strip_suffix('/') {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let (name, object) = match rest.split_once('/') {
        Some((name, object)) if !ENDPOINTS.iter().any(|endpoint| endpoint.name == rest) => {
            (name, Some(object))
        }
        Some(_) | None => (rest, None),
    };
    let Some(endpoint) = ENDPOINTS.iter().find(|endpoint| endpoint.name == name) else {
        return Found::Nothing;
    };
    let part = object.and_then(|object| object.split_once('/')).and_then(|(object, name)| {
        let part = PARTS.iter().find(|part| part.of == endpoint.resource && part.name == name)?;
        Some((object, part))
    });
    let (object, part) = match part {
        Some((object, part)) => (Some(object), Some(part)),
        None => (object, None),
    };
    let object = match object {
        // An object's name never holds a slash. An encoded slash is part of the name, and then no object has that
        // name.
        Some(object) if object.is_empty() || object.contains('/') || endpoint.one.is_empty() => {
            return Found::Nothing;
        }
        Some(object) => match form::segment(object) {
            Some(object) => Some(object),
            None => return Found::Nothing,
        },
        None => None,
    };
    if !has_slash {
        return Found::WithoutSlash;
    }
    let (resource, operations) = match part {
        Some(part) => (part.resource, part.operations),
        None if object.is_some() => (endpoint.resource, endpoint.one),
        None => (endpoint.resource, endpoint.all),
    };
    Found::Target(Target { resource, object, operations })
}

impl Target<'_> {
    /// The operation of this method; `None` if the path does not support it.
    pub(super) fn operation(&self, method: &Method) -> Option<&'static Operation> {
        let verb = match *method {
            Method::GET | Method::HEAD => Verb::Get,
            Method::POST => Verb::Post,
            Method::PUT => Verb::Put,
            Method::DELETE => Verb::Delete,
            _ => return None,
        };
        self.operations.iter().find(|operation| operation.verb == verb)
    }

    /// The methods that the path supports, as the value of `Allow`.
    pub(super) fn allow(&self) -> String {
        let methods: Vec<&str> =
            self.operations.iter().flat_map(|operation| operation.verb.methods()).copied().collect();
        methods.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: &str) {
        let found = match find(path) {
            Found::Target(Target { resource, object, operations: _ }) => format!("{resource:?} {object:?}"),
            Found::WithoutSlash => "WithoutSlash".to_owned(),
            Found::Nothing => "Nothing".to_owned(),
        };
        assert_eq!(found, expected, "{path}");
    }

    #[test]
    fn a_path_names_a_kind_of_objects_and_perhaps_one_of_them() {
        check("/api/2/contacts/", "Contacts None");
        check("/api/2/contacts/5/", "Contacts Some(\"5\")");
        check("/api/2/contacts/batch/", "ContactBatch None");
        check("/api/2/emails/ada%40x.org/", "Emails Some(\"ada@x.org\")");
        check("/api/2/lists/a+b/", "Lists Some(\"a+b\")");
        check("/api/2/messages/5/raw/", "MessageRaw Some(\"5\")");
        check("/api/2/messages/5/deliveries/", "MessageDeliveries Some(\"5\")");
        check("/api/2/lists/news/simulate/", "ListSimulation Some(\"news\")");
        check("/api/2/docs/", "Docs None");
        check("/api/2/openapi.json", "Document None");
        check("/api/2/", "Entry None");
    }

    #[test]
    fn a_path_without_its_slash_is_told_apart_from_one_that_is_not_there() {
        check("/api/2/contacts", "WithoutSlash");
        check("/api/2/contacts/5", "WithoutSlash");
        check("/api/2/messages/5/raw", "WithoutSlash");
        check("/api/2/docs", "WithoutSlash");
        check("/api/2", "WithoutSlash");
        for path in [
            "/api/",
            "/api",
            "/api/1/contacts/",
            "/api/2/nothing/",
            "/api/2/contacts//",
            "/api/2/contacts/5/6/",
            "/api/2/contacts/5/raw/",
            "/api/2/contacts/batch/5/",
            "/api/2/messages//raw/",
            "/api/2/messages/5/raw/6/",
            "/api/2/contacts/%zz/",
            "/api/2/Contacts/",
            "/api/2/docs/5/",
            "/api/2/openapi.json/",
            "/api/2//contacts/",
        ] {
            check(path, "Nothing");
        }
    }

    #[test]
    fn a_path_takes_the_methods_of_the_document() {
        let Found::Target(list) = find("/api/2/lists/news/") else { panic!("lists are there") };
        let verb = |target: &Target<'_>, method| target.operation(&method).map(|operation| operation.verb);
        assert_eq!(verb(&list, Method::HEAD), Some(Verb::Get));
        assert_eq!(verb(&list, Method::PUT), Some(Verb::Put));
        assert_eq!(verb(&list, Method::POST), None);
        assert_eq!(verb(&list, Method::PATCH), None);
        assert_eq!(list.allow(), "GET, HEAD, PUT, DELETE");
        let Found::Target(emails) = find("/api/2/emails/") else { panic!("emails are there") };
        assert_eq!((verb(&emails, Method::GET), emails.allow()), (None, "POST".to_owned()));
    }
}
