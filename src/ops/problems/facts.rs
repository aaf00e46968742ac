//! How the facts of a problem stand in its sentence, in the API's English and in the language of a reader; and the
//! texts of those problems that lower layers have types for.

use std::fmt::{self, Display, Formatter};

use crate::clock::Timestamp;
use crate::locale::{Value, text};
use crate::mail::pattern::{PATTERN_BYTES_MAX, PATTERNS_BYTES_MAX, PatternError, Unjudged};
use crate::mail::template::TemplateError;
use crate::model::address::AddressError;
use crate::model::admin::CidrError;
use crate::model::list::{ModerateError, NAME_CHARS_MAX, NameError};
use crate::model::{ContactId, Domain, EmailAddress, Language, ListName, Permission};

/// What has a sentence in every language. Its `Display` is the API's English.
pub trait Said: Display + Sized {
    /// The sentence in a language, as pages and mails say it: it names things by the labels of pages, not by the
    /// names of the API. It stands after the name of a field and a colon.
    fn say(&self, language: Language) -> String;

    /// One value of each kind.
    #[cfg(test)]
    fn samples() -> Vec<Self>;
}

/// A fact of a problem, as its text takes it.
pub(super) trait Fact: Sized {
    /// The value of the variable of the text.
    fn value(&self, language: Language) -> Value<'_>;

    /// A value to try the text with.
    #[cfg(test)]
    fn sample() -> Self;
}

/// Facts that stand in every language as they are.
macro_rules! plain_facts {
    ($($type:ty, $fact:ident => $value:expr, $sample:expr;)+) => {$(
        impl Fact for $type {
            fn value(&self, _: Language) -> Value<'_> {
                let $fact = self;
                $value
            }

            #[cfg(test)]
            fn sample() -> $type {
                $sample
            }
        }
    )+};
}
plain_facts! {
    String, text => Value::from(text), "zzz".to_owned();
    u64, number => Value::from(*number), 12;
    usize, number => Value::from(*number), 12;
    EmailAddress, address => Value::from(address.to_string()), EmailAddress::parse("zzz@zzz").expect("an address");
    Domain, domain => Value::from(domain.to_string()), Domain::parse("zzz").expect("a domain");
    ListName, name => Value::from(name.to_string()), ListName::parse("zzz").expect("a name");
    // Numbers of objects are written without marks between thousands.
    ContactId, id => Value::from(id.to_string()), ContactId(12);
}

/// Names of which one is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnyOf(pub Vec<String>);

impl Display for AnyOf {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0.join(" or "))
    }
}

impl Fact for AnyOf {
    fn value(&self, _: Language) -> Value<'_> {
        Value::from(self.0.join(", "))
    }

    #[cfg(test)]
    fn sample() -> AnyOf {
        AnyOf(vec!["zzz".to_owned(), "zzz".to_owned()])
    }
}

/// A right that an administrator can have. Its `Display` is the API's word, [`Right::say`] is the label of pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Right(pub Permission);

impl Right {
    /// The right as pages name it.
    #[must_use]
    pub fn say(self, language: Language) -> String {
        match self.0 {
            Permission::AccountAdmin => text!(language, "right-account-admin"),
            Permission::ManageSettings => text!(language, "right-manage-settings"),
            Permission::ManageMembers => text!(language, "right-manage-members"),
            Permission::ApproveMessages => text!(language, "right-approve-messages"),
            Permission::SendMessages => text!(language, "right-send-messages"),
            Permission::LimitMetadata => text!(language, "admins-limit-metadata-only"),
            Permission::LimitLists => text!(language, "admins-limit-lists-only"),
        }
    }
}

impl Display for Right {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(self.0.word())
    }
}

impl Fact for Right {
    fn value(&self, language: Language) -> Value<'_> {
        Value::from(self.say(language))
    }

    #[cfg(test)]
    fn sample() -> Right {
        Right(Permission::ManageMembers)
    }
}

impl Fact for Unjudged {
    fn value(&self, language: Language) -> Value<'_> {
        Value::from(match self {
            Unjudged::OutOfTime => text!(language, "wrong-unjudged-time"),
            Unjudged::TooLarge => text!(language, "wrong-unjudged-pattern"),
            Unjudged::TooMuchText => text!(language, "wrong-unjudged-text"),
        })
    }

    #[cfg(test)]
    fn sample() -> Unjudged {
        Unjudged::OutOfTime
    }
}

/// What was to be decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// A held message.
    Message,
    /// A request to join, to leave, or to make a list.
    Request,
}

/// A decision that comes after another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooLate {
    /// What was decided.
    pub what: Waiting,
    /// The word of the API for its state.
    pub state: &'static str,
    /// The author and the time of the decision before; the author is `None` if nobody decided in time.
    pub decided: Option<(Option<String>, Timestamp)>,
}

impl Display for TooLate {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let TooLate { what, state, decided } = self;
        let what = match what {
            Waiting::Message => "message",
            Waiting::Request => "request",
        };
        match decided {
            None => write!(out, "the {what} is {state}"),
            Some((Some(by), time)) => write!(out, "the {what} was {state} already, by {by} at {time}"),
            Some((None, _)) => write!(out, "the {what} was {state} already, since nobody decided in time"),
        }
    }
}

impl Said for TooLate {
    fn say(&self, language: Language) -> String {
        let TooLate { what: _, state: _, decided } = self;
        match decided {
            None => text!(language, "wrong-not-waiting"),
            Some((Some(by), _)) => text!(language, "wrong-decided-by", by = by),
            Some((None, _)) => text!(language, "wrong-decided-nobody"),
        }
    }

    #[cfg(test)]
    fn samples() -> Vec<TooLate> {
        let time = Timestamp::default();
        let decided = [None, Some((Some("zzz".to_owned()), time)), Some((None, time))];
        decided.map(|decided| TooLate { what: Waiting::Message, state: "approved", decided }).into()
    }
}

impl Said for NameError {
    fn say(&self, language: Language) -> String {
        match self {
            NameError::Empty => text!(language, "wrong-name-needed"),
            NameError::Length => text!(language, "wrong-chars", max = NAME_CHARS_MAX),
            NameError::Character => text!(language, "wrong-name-form"),
            NameError::Reserved => text!(language, "wrong-name-reserved"),
        }
    }

    #[cfg(test)]
    fn samples() -> Vec<NameError> {
        vec![NameError::Empty, NameError::Length, NameError::Character, NameError::Reserved]
    }
}

impl Said for AddressError {
    fn say(&self, language: Language) -> String {
        match self {
            AddressError::Empty => text!(language, "wrong-address-example"),
            AddressError::Form => text!(language, "wrong-address-form"),
            AddressError::Character => text!(language, "wrong-address-character"),
            AddressError::Domain => text!(language, "wrong-address-domain"),
            AddressError::Length => text!(language, "wrong-address-length"),
        }
    }

    #[cfg(test)]
    fn samples() -> Vec<AddressError> {
        use AddressError::{Character, Domain, Empty, Form, Length};
        vec![Empty, Form, Character, Domain, Length]
    }
}

impl Said for ModerateError {
    fn say(&self, language: Language) -> String {
        match self {
            ModerateError::Range => text!(language, "wrong-whole-between", min = 0, max = 31),
            ModerateError::Combination => text!(language, "wrong-moderate"),
        }
    }

    #[cfg(test)]
    fn samples() -> Vec<ModerateError> {
        vec![ModerateError::Range, ModerateError::Combination]
    }
}

impl Said for CidrError {
    fn say(&self, language: Language) -> String {
        text!(language, "wrong-network")
    }

    #[cfg(test)]
    fn samples() -> Vec<CidrError> {
        vec![CidrError]
    }
}

impl Said for TemplateError {
    fn say(&self, language: Language) -> String {
        match self {
            TemplateError::Unknown(name) => text!(language, "wrong-template-unknown", name = name),
            TemplateError::Unclosed => text!(language, "wrong-template-unclosed"),
        }
    }

    #[cfg(test)]
    fn samples() -> Vec<TemplateError> {
        vec![TemplateError::Unknown("zzz".to_owned()), TemplateError::Unclosed]
    }
}

impl Said for PatternError {
    fn say(&self, language: Language) -> String {
        match self {
            // The library of patterns words its errors in English alone.
            PatternError::Syntax(problem) => text!(language, "wrong-pattern", problem = problem),
            PatternError::TooLarge => {
                text!(language, "wrong-pattern-large", max = PATTERN_BYTES_MAX / 1024)
            }
            PatternError::TooManyLarge => {
                text!(language, "wrong-patterns-large", max = PATTERNS_BYTES_MAX / (1024 * 1024))
            }
        }
    }

    #[cfg(test)]
    fn samples() -> Vec<PatternError> {
        vec![PatternError::Syntax("zzz".to_owned()), PatternError::TooLarge, PatternError::TooManyLarge]
    }
}
