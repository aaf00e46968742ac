//! How the facts of a problem are kept in a record, and read from it.

use std::slice;

use super::facts::{AnyOf, Right, TooLate, Waiting};
use crate::clock::Timestamp;
use crate::mail::pattern::{PatternError, Unjudged};
use crate::mail::template::TemplateError;
use crate::model::address::AddressError;
use crate::model::admin::CidrError;
use crate::model::kept_problem::{KeptFact, KeptPart};
use crate::model::list::{ModerateError, NameError};
use crate::model::pending::PendingState;
use crate::model::{ContactId, Domain, EmailAddress, HeldState, ListName, Permission};

/// Longest text that is kept of a fact, in characters: it may repeat a value that somebody sent.
const TEXT_CHARS_MAX: usize = 200;

/// The parts of a problem that are still to be read.
pub(super) type Parts<'a> = slice::Iter<'a, KeptPart>;

/// A fact that records keep.
pub(super) trait Kept: Sized {
    /// The fact as it is kept; `rest` takes the problems that it consists of.
    fn keep(&self, rest: &mut Vec<KeptPart>) -> KeptFact;

    /// The fact that was kept; `None` if it is none of this type.
    fn restored(kept: &KeptFact, rest: &mut Parts<'_>) -> Option<Self>;
}

/// Facts that are kept as a text.
macro_rules! kept_as_text {
    ($($type:ty: $fact:ident => $keep:expr, $text:ident => $restored:expr;)+) => {$(
        impl Kept for $type {
            fn keep(&self, _: &mut Vec<KeptPart>) -> KeptFact {
                let $fact = self;
                KeptFact::Text($keep)
            }

            fn restored(kept: &KeptFact, _: &mut Parts<'_>) -> Option<$type> {
                let KeptFact::Text($text) = kept else { return None };
                $restored
            }
        }
    )+};
}
kept_as_text! {
    String: text => shortened(text), text => Some(text.clone());
    EmailAddress: address => address.to_string(), text => EmailAddress::parse(text).ok();
    Domain: domain => domain.to_string(), text => Domain::parse(text).ok();
    ListName: name => name.to_string(), text => ListName::parse(text).ok();
    Right: right => right.0.word().to_owned(), word => Permission::from_word(word).map(Right);
    CidrError: error => { let CidrError = error; String::new() }, text => text.is_empty().then_some(CidrError);
}

/// Facts that are kept as a number.
macro_rules! kept_as_number {
    ($($type:ty: $fact:ident => $keep:expr, $number:ident => $restored:expr;)+) => {$(
        impl Kept for $type {
            fn keep(&self, _: &mut Vec<KeptPart>) -> KeptFact {
                let $fact = *self;
                KeptFact::Number($keep)
            }

            fn restored(kept: &KeptFact, _: &mut Parts<'_>) -> Option<$type> {
                let KeptFact::Number($number) = *kept else { return None };
                $restored
            }
        }
    )+};
}
kept_as_number! {
    u64: number => number, number => Some(number);
    usize: number => u64::try_from(number).unwrap_or(u64::MAX), number => usize::try_from(number).ok();
    ContactId: id => id.0, number => Some(ContactId(number));
}

/// Facts that are one of several names, and are kept as it.
macro_rules! kept_as_name {
    ($($type:ident { $($variant:ident),+ })+) => {$(
        impl Kept for $type {
            fn keep(&self, _: &mut Vec<KeptPart>) -> KeptFact {
                let name = match self {
                    $($type::$variant => stringify!($variant)),+
                };
                KeptFact::Text(name.to_owned())
            }

            fn restored(kept: &KeptFact, _: &mut Parts<'_>) -> Option<$type> {
                let KeptFact::Text(name) = kept else { return None };
                let known = [$((stringify!($variant), $type::$variant)),+];
                known.into_iter().find(|(known, _)| known == name).map(|(_, fact)| fact)
            }
        }
    )+};
}
kept_as_name! {
    Unjudged { OutOfTime, TooLarge, TooMuchText }
    NameError { Empty, Length, Character, Reserved }
    AddressError { Empty, Form, Character, Domain, Length }
    ModerateError { Range, Combination }
}

/// Facts that are kept as several texts, which are read as a slice.
macro_rules! kept_as_texts {
    ($($type:ty: $fact:ident => $keep:expr, $texts:ident => $restored:expr;)+) => {$(
        impl Kept for $type {
            fn keep(&self, _: &mut Vec<KeptPart>) -> KeptFact {
                let $fact = self;
                KeptFact::Texts($keep)
            }

            fn restored(kept: &KeptFact, _: &mut Parts<'_>) -> Option<$type> {
                let KeptFact::Texts(texts) = kept else { return None };
                let $texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                $restored
            }
        }
    )+};
}
kept_as_texts! {
    AnyOf: names => names.0.clone(), texts => Some(AnyOf(texts.iter().map(|text| (*text).to_owned()).collect()));
    TemplateError: error => texts_of_template(error), texts => match texts[..] {
        ["unknown", name] => Some(TemplateError::Unknown(name.to_owned())),
        ["unclosed"] => Some(TemplateError::Unclosed),
        _ => None,
    };
    PatternError: error => texts_of_pattern(error), texts => match texts[..] {
        ["syntax", problem] => Some(PatternError::Syntax(problem.to_owned())),
        ["large"] => Some(PatternError::TooLarge),
        ["many-large"] => Some(PatternError::TooManyLarge),
        _ => None,
    };
    TooLate: late => texts_of_late(late), texts => late_of(&texts);
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(TEXT_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn texts_of_template(error: &TemplateError) -> Vec<String> {
    match error {
        TemplateError::Unknown(name) => vec!["unknown".to_owned(), shortened(name)],
        TemplateError::Unclosed => vec!["unclosed".to_owned()],
    }
}

fn texts_of_pattern(error: &PatternError) -> Vec<String> {
    match error {
        PatternError::Syntax(problem) => vec!["syntax".to_owned(), shortened(problem)],
        PatternError::TooLarge => vec!["large".to_owned()],
        PatternError::TooManyLarge => vec!["many-large".to_owned()],
    }
}

fn texts_of_late(late: &TooLate) -> Vec<String> {
    let TooLate { what, state, decided } = late;
    let what = match what {
        Waiting::Message => "message",
        Waiting::Request => "request",
    };
    let mut texts = vec![what.to_owned(), (*state).to_owned()];
    if let Some((by, time)) = decided {
        texts.push(time.ms().to_string());
        texts.extend(by.as_deref().map(shortened));
    }
    texts
}

fn late_of(texts: &[&str]) -> Option<TooLate> {
    let [what, state, decided @ ..] = texts else { return None };
    let what = match *what {
        "message" => Waiting::Message,
        "request" => Waiting::Request,
        _ => return None,
    };
    let held = HeldState::from_word(state).map(HeldState::word);
    let state = held.or_else(|| PendingState::from_word(state).map(PendingState::word))?;
    let decided = match decided {
        [] => None,
        [time, by @ ..] => {
            let by = by.first().map(|by| (*by).to_owned());
            Some((by, Timestamp::from_ms(time.parse().ok()?)))
        }
    };
    Some(TooLate { what, state, decided })
}
