//! Parsers of parameters, each of which also describes the texts that it accepts, so that both cannot differ.
//!
//! The methods of [`Params`](super::Params) take them. They look nothing up: whether a named object exists is
//! checked by `ops`.

use std::convert::Infallible;
use std::marker::PhantomData;

use super::shape::{Shaped, words};
use crate::http::reference::Shape;
use crate::model::Worded;
use crate::ops::Wrong;

/// Most characters of names, descriptions and prefixes, which stand on one line of a header.
pub(crate) const LINE_CHARS_MAX: usize = 255;
/// Most characters of a subject: more than any mail program shows.
pub(crate) const SUBJECT_CHARS_MAX: usize = 998;

/// Parses a text into a value, and describes the texts that it accepts.
pub(crate) trait Parse: Copy {
    /// The type of the value.
    type Value;

    /// Returns the value, or the problem with the text.
    fn parse(&self, text: &str) -> Result<Self::Value, Wrong>;

    /// The texts that it accepts.
    fn shape(&self) -> Shape;
}

impl<F, T, E> Parse for F
where
    F: Fn(&str) -> Result<T, E> + Copy,
    T: Shaped,
    E: Into<Wrong>,
{
    type Value = T;

    fn parse(&self, text: &str) -> Result<T, Wrong> {
        self(text).map_err(Into::into)
    }

    fn shape(&self) -> Shape {
        T::shape()
    }
}

/// A parser whose texts are described by another shape than that of its values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct As<F>(pub(crate) fn() -> Shape, pub(crate) F);

impl<F, T, E> Parse for As<F>
where
    F: Fn(&str) -> Result<T, E> + Copy,
    E: Into<Wrong>,
{
    type Value = T;

    fn parse(&self, text: &str) -> Result<T, Wrong> {
        self.1(text).map_err(Into::into)
    }

    fn shape(&self) -> Shape {
        (self.0)()
    }
}

/// Accepts any text: the object that it names is looked up later.
#[expect(clippy::unnecessary_wraps, reason = "other readers refuse some texts")]
pub(crate) fn as_it_is(text: &str) -> Result<String, Infallible> {
    Ok(text.to_owned())
}

/// Reads a whole number from `min` to `max`.
pub(crate) fn integer<N: TryFrom<u64>>(min: u64, max: u64) -> Integer<N> {
    Integer { min, max, number: PhantomData }
}

/// A whole number between two others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Integer<N> {
    min: u64,
    max: u64,
    number: PhantomData<N>,
}

impl<N: TryFrom<u64> + Copy> Parse for Integer<N> {
    type Value = N;

    fn parse(&self, text: &str) -> Result<N, Wrong> {
        let Integer { min, max, number: PhantomData } = *self;
        let number = text.trim().parse::<u64>().ok().filter(|number| (min..=max).contains(number));
        let wrong =
            if max == u64::MAX { Wrong::WholeLeast { min } } else { Wrong::WholeBetween { min, max } };
        number.and_then(|number| N::try_from(number).ok()).ok_or(wrong)
    }

    fn shape(&self) -> Shape {
        let max = Some(self.max).filter(|max| *max != u64::MAX);
        Shape::Whole { min: i64::try_from(self.min).unwrap_or(i64::MAX), max }
    }
}

/// Reads one of the words that a field may have.
pub(crate) fn word<T: Worded>() -> Choice<T> {
    Choice(PhantomData)
}

/// One of fixed words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice<T>(PhantomData<T>);

impl<T: Worded> Parse for Choice<T> {
    type Value = T;

    fn parse(&self, text: &str) -> Result<T, Wrong> {
        let found = T::ALL.iter().copied().find(|value| value.word() == text);
        found.ok_or_else(|| {
            let words: Vec<&str> = T::ALL.iter().map(|value| value.word()).collect();
            Wrong::OneOf { words: words.join(", ") }
        })
    }

    fn shape(&self) -> Shape {
        words::<T>()
    }
}

/// Reads a text on one line of at most `chars_max` characters.
pub(crate) fn line(chars_max: usize) -> Line {
    Line { chars_max }
}

/// One line of text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    chars_max: usize,
}

impl Parse for Line {
    type Value = String;

    fn parse(&self, text: &str) -> Result<String, Wrong> {
        let chars_max = self.chars_max;
        if chars_max < text.chars().count() {
            Err(Wrong::TooLong { max: chars_max })
        } else if text.chars().any(char::is_control) {
            Err(Wrong::NotOneLine)
        } else {
            Ok(text.to_owned())
        }
    }

    fn shape(&self) -> Shape {
        Shape::Text { chars_max: Some(self.chars_max), format: None, pattern: None }
    }
}
