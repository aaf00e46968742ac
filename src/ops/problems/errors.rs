//! Says in a reader's language why an operation was not done.

use super::{Problem, Right, Said as _};
use crate::clock::Timestamp;
use crate::locale::{Locale, size, text};
use crate::model::OptOutWay;
use crate::ops::OpError;

impl OpError {
    /// The reason as pages and mails say it, as what follows a name and a colon. `label` gives the name that a page has
    /// for a field of the API; a problem of a field without one is said by itself.
    #[must_use]
    pub fn say(&self, locale: &Locale, label: impl Fn(&str) -> Option<String>) -> String {
        let language = locale.language;
        match self {
            OpError::NotFound { what: _ } => text!(language, "wrong-gone"),
            OpError::Invalid { problems } => {
                let say = |Problem { field, problem }: &Problem| match label(field) {
                    Some(label) => {
                        text!(language, "set-problem", label = label, problem = problem.say(language))
                    }
                    None => problem.say(language),
                };
                problems.iter().map(say).collect::<Vec<_>>().join("; ")
            }
            OpError::Conflict { field: _, problem } => problem.say(language),
            OpError::Forbidden { permission } => {
                text!(language, "wrong-right-lacks", right = Right(*permission).say(language))
            }
            OpError::NotGlobal | OpError::NotProven | OpError::Limited { what: _ } => {
                text!(language, "wrong-not-allowed")
            }
            OpError::AddressBookFull { contacts_max } => {
                text!(language, "wrong-book-full", max = *contacts_max)
            }
            OpError::OptedOut { list, way, time } => not_added(locale, list, *way, *time),
            OpError::TooLarge { limit_bytes } => {
                text!(language, "wrong-too-large", size = size(language, *limit_bytes))
            }
            OpError::Store(_) => text!(language, "wrong-server"),
        }
    }
}

/// That somebody opted out of a list, or of every list if `list` is unset: when and how.
#[must_use]
pub fn how_opted_out(locale: &Locale, list: Option<&str>, way: OptOutWay, time: Timestamp) -> String {
    let (language, day) = (locale.language, locale.day(time));
    let list = list.unwrap_or_default();
    match way {
        OptOutWay::Link => text!(language, "opt-out-link", day = day, list = list),
        OptOutWay::Mail => text!(language, "opt-out-mail", day = day, list = list),
        OptOutWay::Page => text!(language, "opt-out-page", day = day, list = list),
        OptOutWay::Request => text!(language, "opt-out-request", day = day, list = list),
        OptOutWay::Complaint => text!(language, "opt-out-complaint", day = day),
        OptOutWay::Import => text!(language, "opt-out-import", day = day),
        OptOutWay::Erasure => text!(language, "opt-out-erasure", day = day),
    }
}

/// The same, as the reason why somebody is not added to a list.
fn not_added(locale: &Locale, list: &str, way: OptOutWay, time: Timestamp) -> String {
    text!(locale.language, "opt-out-not-added", said = how_opted_out(locale, Some(list), way, time))
}
