//! Shapes of values, derived from the types of which answers and parameters are made.
//!
//! The macro [`view!`] declares an object of an answer together with its description; `describe` collects the
//! results.

use serde::ser::{Serialize, Serializer};

use crate::clock::Timestamp;
use crate::http::reference::{Field, Object, Shape};
use crate::model::Worded;
use crate::model::fields::Plain;
pub(super) use crate::params::shape::{Shaped, words};

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
    let name = name.trim_start_matches("r#");
    let is_required = serde != "skip_serializing_if";
    let shape = match T::shape() {
        // A field that is left out if unset is never shown as null.
        Shape::Nullable(shape) if !is_required => *shape,
        shape => shape,
    };
    fields.push(Field { name: name.to_owned(), shape, about, is_required });
}

/// Makes of the rows of a table a part of an object, whose members are settings; its description has those whose topic
/// passes, and says that `optional` ones may be left out: `settings NAME, |topic| …, optional "x"`.
macro_rules! settings {
    (
        [$name:ident, $passes:expr $(, optional $optional:literal)?]
        new($($given:ident: $given_type:ty),*) texts $prefix:literal topics $topics:ident
        $(
            kept { $($(#[doc = $kept_doc:literal])+ $kept:ident: $kept_type:ty = $kept_default:expr;)* }
            set { $(
                $(#[doc = $doc:literal])+
                $field:ident: $type:ty = $default:expr, by $read:ident($($with:tt)*), in $topic:ident,
                on $group:ident $place:literal $(.$control:ident($($of:tt)*))?;
            )* }
        )+
    ) => {
        struct $name<'a>(Vec<$crate::model::fields::Setting<'a, $topics>>);

        impl serde::Serialize for $name<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let shown = self.0.iter().map(|setting| (setting.name, $crate::api::shape::Shown(&setting.value)));
                serializer.collect_map(shown)
            }
        }

        impl $crate::api::shape::Shaped for $name<'_> {
            fn shape() -> $crate::http::reference::Shape {
                $crate::http::reference::Shape::Fields(<Self as $crate::api::shape::Shaped>::fields())
            }

            fn fields() -> Vec<$crate::http::reference::Field> {
                let passes: fn($topics) -> bool = $passes;
                let mut fields = Vec::new();
                $($(if passes($topics::$topic) {
                    $crate::api::shape::add_field::<$type>(
                        &mut fields, stringify!($field), concat!($($doc),+), "",
                    );
                })*)+
                $(for field in fields.iter_mut().filter(|field| field.name == $optional) {
                    field.is_required = false;
                })?
                fields
            }
        }
    };
}
pub(super) use settings;

/// The value of a setting in JSON.
pub(super) struct Shown<'a>(pub(super) &'a Plain<'a>);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Plain::Null => serializer.serialize_unit(),
            Plain::Truth(value) => serializer.serialize_bool(*value),
            Plain::Number(number) => serializer.serialize_u64(*number),
            Plain::Text(text) => serializer.serialize_str(text),
            Plain::Texts(texts) => texts.serialize(serializer),
        }
    }
}

/// A value of fixed choices, shown as its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word<T>(pub(super) T);

impl<T: Worded> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.word())
    }
}

impl<T: Worded> Shaped for Word<T> {
    fn shape() -> Shape {
        words::<T>()
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
