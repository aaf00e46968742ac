//! The texts that people read on pages and in mails, in every language, with dates and numbers as each writes them.
//!
//! Texts are kept in Fluent catalogues, `texts/SUBJECT.LANGUAGE.ftl`, which are compiled in. Code names a text with
//! [`text!`](text), which takes the language, the key, and a value for each variable of the text. The API, SMTP replies
//! and the log are always in English and use nothing from here.
//!
//! To add a text, put it under the same key into the file of its subject in every language. To add a language, add it
//! to [`Language`], translate a file of each subject, and name the files in [`texts_of`]. `tests/it/locale.rs` reads
//! the sources and the catalogues: it fails on a key that is missing, unused, or has other variables in one language,
//! on a plural form that a language has and a text does not, and on a call that gives other values than its text takes.

mod format;
mod negotiate;
mod numbers;

use std::borrow::Cow;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use jiff::tz::TimeZone;

use crate::clock::Timestamp;
use crate::model::Language;

pub use format::{day, days_of, duration, local_moment, moment, near, number, size};
pub use negotiate::{Preferences, from_tag, negotiate};

/// A text in a language: `text!(language, "key", name = value)`, with a value for each variable of the text.
macro_rules! text {
    ($language:expr, $key:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::locale::lookup(
            $language,
            $key,
            &[$((stringify!($name), $crate::locale::Value::from($value))),*],
        )
    };
}
pub(crate) use text;

/// The language and the time zone in which the server writes to somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locale {
    /// The language of texts, dates and numbers.
    pub language: Language,
    /// The time zone of days and times.
    pub zone: TimeZone,
}

impl Default for Locale {
    fn default() -> Locale {
        Locale { language: Language::default(), zone: TimeZone::UTC }
    }
}

impl Locale {
    /// The locale of a language and the IANA name of a time zone; an unknown name means UTC.
    #[must_use]
    pub fn new(language: Language, timezone: &str) -> Locale {
        Locale { language, zone: TimeZone::get(timezone).unwrap_or(TimeZone::UTC) }
    }

    /// The day of an instant; see [`day`].
    #[must_use]
    pub fn day(&self, instant: Timestamp) -> String {
        day(self.language, instant, &self.zone)
    }

    /// An instant beside `now`; see [`near`].
    #[must_use]
    pub fn near(&self, instant: Timestamp, now: Timestamp) -> String {
        near(self.language, instant, now, &self.zone)
    }

    /// The day and the time of an instant; see [`moment`].
    #[must_use]
    pub fn moment(&self, instant: Timestamp) -> String {
        moment(self.language, instant, &self.zone)
    }

    /// The day and the time of an instant for people of the zone, as mails have it; see [`local_moment`].
    #[must_use]
    pub fn local_moment(&self, instant: Timestamp) -> String {
        local_moment(self.language, instant, &self.zone)
    }
}

/// The value of a variable of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value<'a> {
    /// Shown as it is.
    Text(Cow<'a, str>),
    /// Shown as the language writes numbers; also selects the plural form.
    Number(i64),
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Value<'a> {
        Value::Text(Cow::Borrowed(text))
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Value<'a> {
        Value::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Value::Text(Cow::Owned(text))
    }
}

impl<'a> From<Cow<'a, str>> for Value<'a> {
    fn from(text: Cow<'a, str>) -> Value<'a> {
        Value::Text(text)
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl From<$number> for Value<'_> {
            fn from(number: $number) -> Self {
                Value::Number(i64::try_from(number).unwrap_or(i64::MAX))
            }
        })*
    };
}
numbers!(u8, u16, u32, u64, usize, i8, i16, i32, i64);

impl<'a> From<&Value<'a>> for FluentValue<'a> {
    fn from(value: &Value<'a>) -> FluentValue<'a> {
        match value {
            Value::Text(text) => FluentValue::String(text.clone()),
            Value::Number(number) => FluentValue::from(*number),
        }
    }
}

/// The files of a language, one for each subject.
#[must_use]
pub const fn texts_of(language: Language) -> &'static [&'static str] {
    macro_rules! files {
        ($tag:literal) => {
            &[
                include_str!(concat!("texts/common.", $tag, ".ftl")),
                include_str!(concat!("texts/mails.", $tag, ".ftl")),
                include_str!(concat!("texts/pages.", $tag, ".ftl")),
                include_str!(concat!("texts/members.", $tag, ".ftl")),
                include_str!(concat!("texts/directory.", $tag, ".ftl")),
                include_str!(concat!("texts/archive.", $tag, ".ftl")),
                include_str!(concat!("texts/reading.", $tag, ".ftl")),
                include_str!(concat!("texts/archive_search.", $tag, ".ftl")),
                include_str!(concat!("texts/digests.", $tag, ".ftl")),
                include_str!(concat!("texts/writing.", $tag, ".ftl")),
                include_str!(concat!("texts/signin.", $tag, ".ftl")),
                include_str!(concat!("texts/oauth.", $tag, ".ftl")),
                include_str!(concat!("texts/admin.", $tag, ".ftl")),
                include_str!(concat!("texts/settings.", $tag, ".ftl")),
                include_str!(concat!("texts/desk.", $tag, ".ftl")),
                include_str!(concat!("texts/problems.", $tag, ".ftl")),
                include_str!(concat!("texts/audit.", $tag, ".ftl")),
            ]
        };
    }
    match language {
        Language::English => files!("en"),
        Language::German => files!("de"),
        Language::French => files!("fr"),
        Language::Spanish => files!("es"),
    }
}

/// A parsed catalogue.
type Catalogue = FluentBundle<FluentResource>;

/// The catalogue of a language. Each is parsed on its first use, since one takes megabytes and many servers speak a
/// single language, and never changes.
fn catalogue_of(language: Language) -> &'static Catalogue {
    static ENGLISH: LazyLock<Catalogue> = LazyLock::new(|| catalogue(Language::English));
    static GERMAN: LazyLock<Catalogue> = LazyLock::new(|| catalogue(Language::German));
    static FRENCH: LazyLock<Catalogue> = LazyLock::new(|| catalogue(Language::French));
    static SPANISH: LazyLock<Catalogue> = LazyLock::new(|| catalogue(Language::Spanish));
    match language {
        Language::English => &ENGLISH,
        Language::German => &GERMAN,
        Language::French => &FRENCH,
        Language::Spanish => &SPANISH,
    }
}

fn catalogue(language: Language) -> Catalogue {
    // The names of the languages are well-formed. A bundle without one would use the plural forms of no language.
    let locales = language.word().parse().into_iter().collect();
    let mut bundle = FluentBundle::new_concurrent(locales);
    // Marks of text direction around each value would show as rubbish in mail.
    bundle.set_use_isolating(false);
    bundle.set_formatter(Some(match language {
        Language::English => numbers::written::<',', 4>,
        Language::German => numbers::written::<'.', 4>,
        Language::French => numbers::written::<'\u{202f}', 4>,
        Language::Spanish => numbers::written::<'.', 5>,
    }));
    for text in texts_of(language) {
        // `tests/it/locale.rs` parses every file strictly.
        let (Ok(resource) | Err((resource, _))) = FluentResource::try_new((*text).to_owned());
        let _ = bundle.add_resource(resource);
    }
    bundle
}

/// The text of a key in a language. A key that is missing in that language shows in English, and one that is missing
/// everywhere shows as the key itself; tests make sure that neither happens.
#[must_use]
pub fn lookup(language: Language, key: &str, values: &[(&'static str, Value<'_>)]) -> String {
    let of =
        |language: Language| catalogue_of(language).get_message(key)?.value().map(|value| (language, value));
    let Some((language, pattern)) = of(language).or_else(|| of(Language::English)) else {
        return key.to_owned();
    };
    let mut args = FluentArgs::with_capacity(values.len());
    for (name, value) in values {
        args.set(*name, FluentValue::from(value));
    }
    catalogue_of(language).format_pattern(pattern, Some(&args), &mut Vec::new()).into_owned()
}

/// The name of a language, in that language.
#[must_use]
pub fn name(language: Language) -> String {
    text!(language, "language-name")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_in_texts_without_marks_around_them() {
        assert_eq!(text!(Language::English, "size-kb", count = 2), "2 KB");
        assert_eq!(text!(Language::French, "size-kb", count = 2), "2 Ko");
    }

    #[test]
    fn plural_forms_are_those_of_the_language() {
        let days = |language, count: u64| text!(language, "duration-days", count = count);
        assert_eq!(days(Language::English, 0), "0 days");
        assert_eq!(days(Language::French, 0), "0 jour");
        assert_eq!(days(Language::German, 1), "1 Tag");
        assert_eq!(days(Language::Spanish, 12_345), "12.345 días");
    }

    #[test]
    fn a_key_that_does_not_exist_shows_as_itself() {
        assert_eq!(lookup(Language::German, "no-such-key", &[]), "no-such-key");
    }
}
