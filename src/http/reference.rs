//! Describes the API as data.
//!
//! `api` builds a [`Reference`] from the tables and readers that answer its requests, and shows it to machines; `web`
//! shows the same one to people. Neither needs to know the other's format.

/// The whole API.
#[derive(Debug, Clone)]
pub struct Reference {
    /// General rules, a paragraph each.
    pub about: &'static [&'static str],
    /// How keys are made and shown, a paragraph each.
    pub keys: &'static [&'static str],
    /// The command that creates a key.
    pub key_command: &'static str,
    /// The permissions that a key may have.
    pub permissions: Vec<Word>,
    /// Example calls to begin with.
    pub examples: &'static [Example],
    /// The operations, in the order of the document.
    pub operations: Vec<Operation>,
    /// The kinds of objects in responses.
    pub objects: Vec<Object>,
    /// The statuses that refuse a request.
    pub statuses: &'static [Status],
    /// The header fields of responses.
    pub headers: &'static [Header],
}

/// A word of the API, with its meaning.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    /// The word.
    pub word: &'static str,
    /// Its meaning.
    pub about: &'static str,
}

/// A call that can be copied into a terminal.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// Its effect.
    pub about: &'static str,
    /// The command.
    pub command: &'static str,
    /// The response, shortened.
    pub answer: &'static str,
}

/// One method of one path.
#[derive(Debug, Clone)]
pub struct Operation {
    /// The kind of objects, as the path names it.
    pub section: &'static str,
    /// The method in capitals.
    pub method: &'static str,
    /// The path, with the names of its parameters in braces.
    pub path: String,
    /// Its effect.
    pub summary: &'static str,
    /// Whether it requires a key.
    pub needs_key: bool,
    /// The parameter in the path, if it names one object.
    pub object: Option<Field>,
    /// Parameters of the query.
    pub query: Vec<Field>,
    /// Header fields that have an effect here.
    pub headers: Vec<Field>,
    /// The fields of the body.
    pub body: Option<Input>,
    /// The response to a success.
    pub answer: Answer,
    /// The statuses with which it may refuse.
    pub refusals: Vec<u16>,
}

/// A body.
#[derive(Debug, Clone)]
pub struct Input {
    /// The name of this set of fields.
    pub name: String,
    /// The fields.
    pub fields: Vec<Field>,
    /// Whether fields that the account defined are allowed, too.
    pub has_custom: bool,
    /// Whether the body is an array of such objects, of at most this many, and not a single one.
    pub rows_max: Option<usize>,
    /// Whether the body may also be a raw message, with the other fields in the query.
    pub takes_mail: bool,
}

/// The response to a success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// One object, by its name.
    One(&'static str),
    /// A page of a listing of objects.
    Listing(&'static str),
    /// One of two kinds of objects.
    Either(&'static str, &'static str),
    /// An array of objects and its length.
    Rows(&'static str),
    /// A raw message.
    Mail,
    /// The description of the API for machines.
    Document,
    /// A page for people.
    Page,
}

/// A kind of objects in responses.
#[derive(Debug, Clone)]
pub struct Object {
    /// Its name.
    pub name: &'static str,
    /// Its meaning.
    pub about: &'static str,
    /// Its members, in their order.
    pub fields: Vec<Field>,
    /// Whether it has members that the account defined.
    pub has_custom: bool,
}

/// A member of an object, or a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The shape of its value.
    pub shape: Shape,
    /// Its meaning.
    pub about: String,
    /// Whether it is always present, or required.
    pub is_required: bool,
}

/// The shape of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// A text.
    Text {
        /// Most characters.
        chars_max: Option<usize>,
        /// Its form, as JSON Schema names it.
        format: Option<&'static str>,
        /// A regular expression that it must match.
        pattern: Option<&'static str>,
    },
    /// One of these words.
    Word(Vec<&'static str>),
    /// A whole number.
    Whole {
        /// The least.
        min: i64,
        /// The greatest.
        max: Option<u64>,
    },
    /// One of these numbers.
    Number(Vec<u64>),
    /// True or false.
    Truth,
    /// An array.
    Many {
        /// The shape of each element.
        of: Box<Shape>,
        /// Most elements.
        max: Option<usize>,
    },
    /// An object whose members all have this shape, whatever their names.
    Map(Box<Shape>),
    /// This shape, or null.
    Nullable(Box<Shape>),
    /// Any of these shapes.
    Either(Vec<Shape>),
    /// An object, by its name.
    Object(&'static str),
    /// An object with these fields.
    Fields(Vec<Field>),
}

/// A status that refuses a request.
#[derive(Debug, Clone, Copy)]
pub struct Status {
    /// Its number.
    pub code: u16,
    /// Its meaning.
    pub about: &'static str,
}

/// A header field of responses.
#[derive(Debug, Clone, Copy)]
pub struct Header {
    /// Its name.
    pub name: &'static str,
    /// Its meaning.
    pub about: &'static str,
    /// Whether its value is a number.
    pub is_number: bool,
    /// The status with which it is sent; all if unset.
    pub status: Option<u16>,
}

impl Shape {
    /// Any text.
    pub const TEXT: Shape = Shape::Text { chars_max: None, format: None, pattern: None };

    /// A text of this form, as JSON Schema names it.
    #[must_use]
    pub const fn text_of(format: &'static str) -> Shape {
        Shape::Text { chars_max: None, format: Some(format), pattern: None }
    }

    /// An array of any length.
    #[must_use]
    pub fn many(of: Shape) -> Shape {
        Shape::Many { of: Box::new(of), max: None }
    }

    /// This shape, or null.
    #[must_use]
    pub fn or_null(self) -> Shape {
        Shape::Nullable(Box::new(self))
    }
}
