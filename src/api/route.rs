//! Which paths there are below `/api/2/`, and which methods each takes: the table of all endpoints.

use std::borrow::Cow;

use axum::http::Method;

use super::form;

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
}

impl Resource {
    /// Whether the objects always belong to an account; where they do not, a global key that names none means
    /// those of the whole server.
    pub(super) fn needs_account(self) -> bool {
        !self.shows_oneself()
    }

    /// Whether there is something that a key may read without any permission: itself.
    pub(super) fn shows_oneself(self) -> bool {
        matches!(self, Resource::Admins | Resource::Accounts)
    }
}

/// What a request wants to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    /// GET, or HEAD, which is the same without the body.
    Get,
    /// POST.
    Post,
    /// PUT.
    Put,
    /// DELETE.
    Delete,
}

/// The two paths of a resource, and the methods of each as the `Allow` header has them.
struct Endpoint {
    name: &'static str,
    resource: Resource,
    collection: &'static str,
    object: &'static str,
}

const ENDPOINTS: &[Endpoint] = &[
    Endpoint {
        name: "contacts",
        resource: Resource::Contacts,
        collection: "GET, HEAD, POST",
        object: "GET, HEAD, PUT, DELETE",
    },
    Endpoint { name: "contacts/batch", resource: Resource::ContactBatch, collection: "POST", object: "" },
    Endpoint {
        name: "emails",
        resource: Resource::Emails,
        collection: "POST",
        object: "GET, HEAD, PUT, DELETE",
    },
    Endpoint {
        name: "membership",
        resource: Resource::Membership,
        collection: "GET, HEAD, POST",
        object: "GET, HEAD, PUT, DELETE",
    },
    Endpoint {
        name: "lists",
        resource: Resource::Lists,
        collection: "GET, HEAD, POST",
        object: "GET, HEAD, PUT, DELETE",
    },
    Endpoint {
        name: "messages",
        resource: Resource::Messages,
        collection: "GET, HEAD, POST",
        object: "GET, HEAD, DELETE",
    },
    Endpoint {
        name: "admins",
        resource: Resource::Admins,
        collection: "GET, HEAD, POST",
        object: "GET, HEAD, PUT, DELETE",
    },
    Endpoint {
        name: "aliases",
        resource: Resource::Aliases,
        collection: "GET, HEAD, POST",
        object: "GET, HEAD, PUT, DELETE",
    },
    Endpoint { name: "held", resource: Resource::Held, collection: "GET, HEAD", object: "GET, HEAD, PUT" },
    Endpoint {
        name: "pending",
        resource: Resource::Pending,
        collection: "GET, HEAD",
        object: "GET, HEAD, PUT",
    },
    Endpoint {
        name: "accounts",
        resource: Resource::Accounts,
        collection: "GET, HEAD, POST",
        object: "GET, HEAD, PUT, DELETE",
    },
];

/// Something of an object that has a path of its own below the object's.
struct Part {
    of: Resource,
    name: &'static str,
    resource: Resource,
    allow: &'static str,
}

const PARTS: &[Part] = &[
    Part { of: Resource::Lists, name: "simulate", resource: Resource::ListSimulation, allow: "POST" },
    Part { of: Resource::Messages, name: "raw", resource: Resource::MessageRaw, allow: "GET, HEAD" },
    Part {
        of: Resource::Messages,
        name: "deliveries",
        resource: Resource::MessageDeliveries,
        allow: "GET, HEAD",
    },
];

/// What a path names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target<'path> {
    /// The kind of objects.
    pub(super) resource: Resource,
    /// One object of that kind; all of them where there is none.
    pub(super) object: Option<Cow<'path, str>>,
    /// The methods that the path takes.
    pub(super) allow: &'static str,
}

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found<'path> {
    /// An endpoint.
    Target(Target<'path>),
    /// An endpoint, once a slash is added.
    WithoutSlash,
    /// Nothing.
    Nothing,
}

/// Looks a path up.
pub(super) fn find(path: &str) -> Found<'_> {
    let Some(rest) = path.strip_prefix("/api/2/") else { return Found::Nothing };
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
        // An object's name never holds a slash; an encoded one is part of it, and then no object has it.
        Some(object) if object.is_empty() || object.contains('/') => return Found::Nothing,
        Some(object) => match form::segment(object) {
            Ok(object) => Some(object),
            Err(_) => return Found::Nothing,
        },
        None => None,
    };
    if !has_slash {
        return Found::WithoutSlash;
    }
    let (resource, allow) = match part {
        Some(part) => (part.resource, part.allow),
        None if object.is_some() => (endpoint.resource, endpoint.object),
        None => (endpoint.resource, endpoint.collection),
    };
    Found::Target(Target { resource, object, allow })
}

impl Target<'_> {
    /// What the method wants here; none where the path does not take it.
    pub(super) fn verb(&self, method: &Method) -> Option<Verb> {
        let verb = match *method {
            Method::GET | Method::HEAD => Verb::Get,
            Method::POST => Verb::Post,
            Method::PUT => Verb::Put,
            Method::DELETE => Verb::Delete,
            _ => return None,
        };
        self.allow.split(", ").any(|allowed| allowed == method.as_str()).then_some(verb)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: &str) {
        let found = match find(path) {
            Found::Target(Target { resource, object, allow: _ }) => format!("{resource:?} {object:?}"),
            other => format!("{other:?}"),
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
    }

    #[test]
    fn a_path_without_its_slash_is_told_apart_from_one_that_is_not_there() {
        check("/api/2/contacts", "WithoutSlash");
        check("/api/2/contacts/5", "WithoutSlash");
        check("/api/2/messages/5/raw", "WithoutSlash");
        for path in [
            "/api/2/",
            "/api/2",
            "/api/",
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
            "/api/2//contacts/",
        ] {
            check(path, "Nothing");
        }
    }

    #[test]
    fn a_path_takes_the_methods_of_the_document() {
        let Found::Target(list) = find("/api/2/lists/news/") else { panic!("lists are there") };
        assert_eq!(list.verb(&Method::HEAD), Some(Verb::Get));
        assert_eq!(list.verb(&Method::PUT), Some(Verb::Put));
        assert_eq!(list.verb(&Method::POST), None);
        assert_eq!(list.verb(&Method::PATCH), None);
        let Found::Target(emails) = find("/api/2/emails/") else { panic!("emails are there") };
        assert_eq!(emails.verb(&Method::GET), None);
    }
}
