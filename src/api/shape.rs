//! Shapes of values, derived from the types of which answers and parameters are made.
//!
//! The macro [`view!`] declares an object of an answer together with its description; `describe` collects the
//! results.

use serde::ser::{Serialize, Serializer};

use crate::clock::Timestamp;
use crate::http::reference::{Field, Object, Shape};
use crate::model::list::NAME_CHARS_MAX;
use crate::model::{Cidr, Domain, EmailAddress, ListName, MessageId, Moderate, Worded};
use crate::ops::people::contacts::ContactName;

/// Largest distance from 1970 of instants in calls, in seconds: some eight thousand years.
const MOMENT_SECS_MAX: i64 = 250_000_000_000;
/// The form of names of lists, aliases and accounts.
const NAME_PATTERN: &str = "^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$";

/// A type whose values have a shape.
pub(super) trait Shaped {
    /// The shape of its values.
    fn shape() -> Shape;

    /// Its members, if it is an object.
    fn fields() -> Vec<Field> {
        Vec::new()
    }
}

/// An object that answers show under a name of its own.
pub(super) trait View: Shaped {
    /// The object with its members.
    fn object() -> Object;
}

/// Declares an object of an answer: a struct that is serialized, and its description made of the same lines.
///
/// The comment of a field, without its backticks, is its description. A field that is left out if unset is optional
/// in the description; a flattened field adds the members of its own type.
macro_rules! view {
    (
        $(#[doc = $about:literal])+
        $vis:vis struct $name:ident $(<$life:lifetime>)? as $shown:literal {
            $($(#[doc = $doc:literal])+ $(#[serde($serde:ident $($rest:tt)*)])? $field:ident: $type:ty,)*
        }
    ) => {
        $(#[doc = $about])+
        #[derive(serde::Serialize)]
        $vis struct $name $(<$life>)? {
            $($(#[doc = $doc])+ $(#[serde($serde $($rest)*)])? $field: $type,)*
        }

        impl $(<$life>)? $crate::api::shape::Shaped for $name $(<$life>)? {
            fn shape() -> $crate::http::reference::Shape {
                $crate::http::reference::Shape::Object($shown)
            }

            fn fields() -> Vec<$crate::http::reference::Field> {
                let mut fields = Vec::new();
                $($crate::api::shape::add_field::<$type>(
                    &mut fields,
                    stringify!($field),
                    concat!($($doc),+),
                    concat!("", $(stringify!($serde))?),
                );)*
                fields
            }
        }

        impl $(<$life>)? $crate::api::shape::View for $name $(<$life>)? {
            fn object() -> $crate::http::reference::Object {
                $crate::http::reference::Object {
                    name: $shown,
                    about: concat!($($about),+).trim(),
                    fields: <$name as $crate::api::shape::Shaped>::fields(),
                    has_custom: false,
                }
            }
        }
    };
}
pub(super) use view;

/// Adds the field that one line of a [`view!`] declares; `serde` is the text of its serde attribute.
pub(super) fn add_field<T: Shaped>(fields: &mut Vec<Field>, name: &str, about: &str, serde: &str) {
    if serde == "flatten" {
        fields.extend(T::fields());
        return;
    }
    let about = about.trim().replace('`', "");
    let is_required = serde != "skip_serializing_if";
    let shape = match T::shape() {
        // A field that is left out if unset is never shown as null.
        Shape::Nullable(shape) if !is_required => *shape,
        shape => shape,
    };
    fields.push(Field { name: name.to_owned(), shape, about, is_required });
}

/// A value of fixed choices, shown as its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word<T>(pub(super) T);

impl<T: Worded> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.word())
    }
}

/// A value of fixed choices, shown as its word, or a blank text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WordOrBlank<T>(pub(super) Option<T>);

impl<T: Worded> Serialize for WordOrBlank<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.map_or("", Worded::word))
    }
}

/// The words of a type.
pub(super) fn words<T: Worded>() -> Shape {
    Shape::Word(T::ALL.iter().map(|value| value.word()).collect())
}

impl<T: Worded> Shaped for Word<T> {
    fn shape() -> Shape {
        words::<T>()
    }
}

impl<T: Worded> Shaped for WordOrBlank<T> {
    fn shape() -> Shape {
        match words::<T>() {
            Shape::Word(mut words) => {
                words.push("");
                Shape::Word(words)
            }
            shape => shape,
        }
    }
}

impl<T: Shaped + ?Sized> Shaped for &T {
    fn shape() -> Shape {
        T::shape()
    }

    fn fields() -> Vec<Field> {
        T::fields()
    }
}

impl<T: Shaped> Shaped for Option<T> {
    fn shape() -> Shape {
        T::shape().or_null()
    }

    fn fields() -> Vec<Field> {
        T::fields().into_iter().map(|field| Field { is_required: false, ..field }).collect()
    }
}

impl<T: Shaped> Shaped for [T] {
    fn shape() -> Shape {
        Shape::many(T::shape())
    }
}

impl<T: Shaped> Shaped for Vec<T> {
    fn shape() -> Shape {
        <[T]>::shape()
    }
}

/// An instant, shown as RFC 3339.
pub(super) struct Rfc3339(pub(super) Timestamp);

impl Serialize for Rfc3339 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.rfc3339())
    }
}

impl Shaped for Rfc3339 {
    fn shape() -> Shape {
        Shape::text_of("date-time")
    }
}

/// An instant in a call: RFC 3339, or Unix seconds.
impl Shaped for Timestamp {
    fn shape() -> Shape {
        let seconds = Shape::Whole { min: -MOMENT_SECS_MAX, max: u64::try_from(MOMENT_SECS_MAX).ok() };
        Shape::Either(vec![Shape::text_of("date-time"), seconds])
    }
}

impl Shaped for ContactName {
    fn shape() -> Shape {
        Shape::Either(vec![u64::shape(), Shape::TEXT])
    }
}

impl Shaped for ListName {
    fn shape() -> Shape {
        Shape::Text { chars_max: Some(NAME_CHARS_MAX), format: None, pattern: Some(NAME_PATTERN) }
    }
}

/// Declares the shape of types.
macro_rules! shapes {
    ($($type:ty = $shape:expr;)*) => {
        $(impl Shaped for $type {
            fn shape() -> Shape {
                $shape
            }
        })*
    };
}

shapes! {
    str = Shape::TEXT;
    String = Shape::TEXT;
    bool = Shape::Truth;
    u8 = Shape::Whole { min: 0, max: Some(u64::from(u8::MAX)) };
    u16 = Shape::Whole { min: 0, max: Some(u64::from(u16::MAX)) };
    u32 = Shape::Whole { min: 0, max: Some(u64::from(u32::MAX)) };
    u64 = Shape::Whole { min: 0, max: None };
    i64 = Shape::Whole { min: i64::MIN, max: None };
    Moderate = Shape::Whole { min: 0, max: Some(31) };
    MessageId = u64::shape();
    EmailAddress = Shape::text_of("email");
    Domain = Shape::text_of("hostname");
    Cidr = Shape::TEXT;
}
