//! What the API is, as data.
//!
//! `api` makes a [`Reference`] of the tables and readers that answer its requests, and shows it to machines;
//! `web` shows the same one to people. Neither needs to know the other's language.

/// Everything that can be asked of the API.
#[derive(Debug, Clone)]
pub struct Reference {
    /// What holds for all of it, a paragraph each.
    pub about: &'static [&'static str],
    /// How keys are made and shown, a paragraph each.
    pub keys: &'static [&'static str],
    /// The command that makes a key.
    pub key_command: &'static str,
    /// What a key may be allowed.
    pub permissions: Vec<Word>,
    /// Calls to begin with.
    pub examples: &'static [Example],
    /// In the order of the document.
    pub operations: Vec<Operation>,
    /// What answers show.
    pub objects: Vec<Object>,
    /// What comes back when a request is refused.
    pub statuses: &'static [Status],
    /// What stands around the answers.
    pub headers: &'static [Header],
}

/// A word of the API, and what it means.
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
    /// What it does.
    pub about: &'static str,
    /// The command.
    pub command: &'static str,
    /// What comes back, shortened.
    pub answer: &'static str,
}

/// One method of one path.
#[derive(Debug, Clone)]
pub struct Operation {
    /// The kind of objects, as its path names it.
    pub section: &'static str,
    /// The method in capitals.
    pub method: &'static str,
    /// The path, with the names of its parameters in braces.
    pub path: String,
    /// What it does.
    pub summary: &'static str,
    /// Whether only the holder of a key is answered.
    pub needs_key: bool,
    /// What stands in the path, where it names one object.
    pub object: Option<Field>,
    /// Parameters of the query.
    pub query: Vec<Field>,
    /// Header fields that mean something here.
    pub headers: Vec<Field>,
    /// What the body may hold.
    pub body: Option<Input>,
    /// What comes back.
    pub answer: Answer,
    /// The statuses with which it may be refused.
    pub refusals: Vec<u16>,
}

/// A body.
#[derive(Debug, Clone)]
pub struct Input {
    /// The name of this set of fields.
    pub name: String,
    /// The fields.
    pub fields: Vec<Field>,
    /// Whether there may be fields that the account named itself.
    pub has_custom: bool,
    /// Whether it is an array of such objects, of at most this many, rather than one.
    pub rows_max: Option<usize>,
    /// Whether the body may also be a message as it is, with the other fields in the query.
    pub takes_mail: bool,
}

/// What comes back from a success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// One object, by its name.
    One(&'static str),
    /// A page of a listing of objects.
    Listing(&'static str),
    /// One of two kinds of objects.
    Either(&'static str, &'static str),
    /// An array of objects and how many there are.
    Rows(&'static str),
    /// A message as it was sent.
    Mail,
    /// The description of the API for machines.
    Document,
    /// A page for people.
    Page,
}

/// A kind of objects that answers show.
#[derive(Debug, Clone)]
pub struct Object {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Its members, in their order.
    pub fields: Vec<Field>,
    /// Whether it has members that the account named itself.
    pub has_custom: bool,
}

/// A member of an object, or a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What it may be.
    pub shape: Shape,
    /// What it means.
    pub about: String,
    /// Whether it is always there, or has to be.
    pub is_required: bool,
}

/// What a value may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// A text.
    Text {
        /// Most characters.
        chars_max: Option<usize>,
        /// Its form, as JSON Schema names it.
        format: Option<&'static str>,
        /// A regular expression that it matches.
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
        /// What each element may be.
        of: Box<Shape>,
        /// Most elements.
        max: Option<usize>,
    },
    /// An object whose members all look alike, whatever their names.
    Map(Box<Shape>),
    /// Something, or null.
    Nullable(Box<Shape>),
    /// Any of these.
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
    /// What it says.
    pub about: &'static str,
}

/// A header field of answers.
#[derive(Debug, Clone, Copy)]
pub struct Header {
    /// Its name.
    pub name: &'static str,
    /// What it says.
    pub about: &'static str,
    /// Whether its value is a number.
    pub is_number: bool,
    /// The status it comes with; with any where unset.
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

    /// The same, or null.
    #[must_use]
    pub fn or_null(self) -> Shape {
        Shape::Nullable(Box::new(self))
    }
}
