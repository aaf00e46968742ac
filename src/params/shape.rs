//! Shapes of values: the description of what a parameter accepts and of what an answer shows, derived from its type.

use crate::clock::Timestamp;
use crate::http::reference::{Field, Shape};
use crate::model::account::{NotifyApproval, Subscriptions};
use crate::model::list::{Memberview, MessageRejections, NAME_CHARS_MAX, OriginalSenderMode};
use crate::model::{Cidr, Domain, EmailAddress, Language, ListId, ListName, MessageId, Moderate, Worded};
use crate::ops::people::contacts::ContactName;

/// Largest distance from 1970 of instants in calls, in seconds: some eight thousand years.
const MOMENT_SECS_MAX: i64 = 250_000_000_000;

/// The form of names of lists, aliases and accounts.
const NAME_PATTERN: &str = "^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$";

/// A type whose values have a shape.
pub(crate) trait Shaped {
    /// The shape of its values.
    fn shape() -> Shape;

    /// Its members, if it is an object.
    fn fields() -> Vec<Field> {
        Vec::new()
    }

    /// The shape of its values where there may be none.
    fn shape_or_unset() -> Shape {
        Self::shape().or_null()
    }
}

/// The words of a type.
pub(crate) fn words<T: Worded>() -> Shape {
    Shape::Word(T::ALL.iter().map(|value| value.word()).collect())
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
        T::shape_or_unset()
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

/// Declares the shape of types of fixed words.
macro_rules! shapes_of_words {
    ($($type:ty)*) => {
        $(impl Shaped for $type {
            fn shape() -> Shape {
                words::<$type>()
            }

            fn shape_or_unset() -> Shape {
                match (words::<$type>(), <$type>::UNSET) {
                    (Shape::Word(mut words), Some(unset)) => {
                        words.push(unset);
                        Shape::Word(words)
                    }
                    (shape, _) => shape.or_null(),
                }
            }
        })*
    };
}

shapes_of_words! { Language Memberview MessageRejections NotifyApproval OriginalSenderMode Subscriptions }

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
    ListId = ListName::shape();
    EmailAddress = Shape::text_of("email");
    Domain = Shape::text_of("hostname");
    Cidr = Shape::TEXT;
}
