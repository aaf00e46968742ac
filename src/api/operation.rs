//! Types that declare the operations of a path: method, body and answer.
//!
//! Each resource's module declares constants of them. `route` routes requests by these declarations, and `describe`
//! makes the description of the API from them.

use super::shape::View;
use super::view::Deleted;
use crate::http::reference::Object;
use crate::params::Params;

/// The kind of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    /// GET, or HEAD, which gets the same answer without the body.
    Get,
    /// POST.
    Post,
    /// PUT.
    Put,
    /// DELETE.
    Delete,
}

impl Verb {
    /// The HTTP methods of this kind.
    pub(super) fn methods(self) -> &'static [&'static str] {
        match self {
            Verb::Get => &["GET", "HEAD"],
            Verb::Post => &["POST"],
            Verb::Put => &["PUT"],
            Verb::Delete => &["DELETE"],
        }
    }
}

/// One method of a path.
pub(super) struct Operation {
    /// The method.
    pub(super) verb: Verb,
    /// Summary for the description.
    pub(super) summary: &'static str,
    /// The body that a call brings.
    pub(super) takes: BodyKind,
    /// The answer to a call.
    pub(super) gives: ResponseKind,
    /// Fields of the body that must be there.
    pub(super) required: &'static [&'static str],
    /// Descriptions of parameters that are no fields of the object.
    pub(super) about: &'static [(&'static str, &'static str)],
}

/// The kinds of input that a call brings beside its path.
#[derive(Clone, Copy)]
pub(super) enum BodyKind {
    /// Parameters in the query, which the [`GetRequest`](super::request::GetRequest) reads.
    Query,
    /// Nothing.
    Nothing,
    /// Fields in the body, which this function reads.
    Fields(fn(&mut Params)),
    /// The same, or a message as the body in place of one of the fields; the others then stand in the query.
    Mail(Mail),
    /// An array of objects in the body.
    Rows(Rows),
}

/// Fields of a call, one of which is a message that may be the whole body.
#[derive(Clone, Copy)]
pub(super) struct Mail {
    /// Reads the fields.
    pub(super) reader: fn(&mut Params),
    /// The field that is a message.
    pub(super) message: &'static str,
}

/// Objects that come in an array.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    /// Reads the fields of one.
    pub(super) reader: fn(&mut Params),
    /// Most objects.
    pub(super) max: usize,
    /// The description of one object.
    pub(super) object: fn() -> Object,
}

/// The kinds of answers.
#[derive(Clone, Copy)]
pub(super) enum ResponseKind {
    /// One object.
    One(fn() -> Object),
    /// A page of a listing.
    Listing(fn() -> Object),
    /// An object of one of two kinds.
    Either(fn() -> Object, fn() -> Object),
    /// An object for each row.
    Rows(fn() -> Object),
    /// A message as it was sent.
    Mail,
    /// Links to the descriptions of the API.
    Entry(fn() -> Object),
    /// The description of the API for machines.
    Document,
    /// The description of the API for people.
    Page,
}

impl Operation {
    const fn new(verb: Verb, summary: &'static str, takes: BodyKind, gives: ResponseKind) -> Operation {
        Operation { verb, summary, takes, gives, required: &[], about: &[] }
    }

    /// GET.
    pub(super) const fn get(summary: &'static str, gives: ResponseKind) -> Operation {
        Operation::new(Verb::Get, summary, BodyKind::Query, gives)
    }

    /// POST of the fields that `reader` reads.
    pub(super) const fn post(
        summary: &'static str,
        reader: fn(&mut Params),
        gives: ResponseKind,
    ) -> Operation {
        Operation::new(Verb::Post, summary, BodyKind::Fields(reader), gives)
    }

    /// POST of an array of objects.
    pub(super) const fn post_rows(summary: &'static str, rows: Rows, gives: ResponseKind) -> Operation {
        Operation::new(Verb::Post, summary, BodyKind::Rows(rows), gives)
    }

    /// POST of a message, as the body or as one of the fields.
    pub(super) const fn post_mail(summary: &'static str, mail: Mail, gives: ResponseKind) -> Operation {
        Operation::new(Verb::Post, summary, BodyKind::Mail(mail), gives)
    }

    /// PUT of the fields that `reader` reads.
    pub(super) const fn put(
        summary: &'static str,
        reader: fn(&mut Params),
        gives: ResponseKind,
    ) -> Operation {
        Operation::new(Verb::Put, summary, BodyKind::Fields(reader), gives)
    }

    /// DELETE.
    pub(super) const fn delete(summary: &'static str) -> Operation {
        Operation::new(Verb::Delete, summary, BodyKind::Nothing, ResponseKind::One(Deleted::object))
    }

    /// The same, whose body must have these fields.
    pub(super) const fn required(self, required: &'static [&'static str]) -> Operation {
        Operation { required, ..self }
    }

    /// The same, with descriptions of parameters that are no fields of the object.
    pub(super) const fn about(self, about: &'static [(&'static str, &'static str)]) -> Operation {
        Operation { about, ..self }
    }

    /// Whether no key is needed.
    pub(super) fn is_public(&self) -> bool {
        matches!(self.gives, ResponseKind::Entry(_) | ResponseKind::Document | ResponseKind::Page)
    }
}
