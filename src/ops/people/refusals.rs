//! Why rows of imports are refused: as the command line and pages say it, and as records of refused rows keep it.

use std::fmt::{self, Display, Formatter};

use crate::locale::{Locale, text};
use crate::model::RowRefusal;
use crate::model::kept_problem::KeptProblem;
use crate::ops::{OpError, Problem, Said as _, Wrong};

/// Why a row adds nobody. Its `Display` is the API's English.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It cannot be read.
    Unreadable(Wrong),
    /// Its person opted out where it comes from.
    OptedOut(Wrong),
    /// The operation refused it.
    Refused(OpError),
}

impl Refusal {
    /// Whether the person opted out, here or where the row comes from.
    #[must_use]
    pub fn has_opted_out(&self) -> bool {
        match self {
            Refusal::OptedOut(_) | Refusal::Refused(OpError::OptedOut { .. }) => true,
            Refusal::Unreadable(_) | Refusal::Refused(_) => false,
        }
    }

    /// The reason as pages say it. `label` gives the name that a page has for a field of the API.
    #[must_use]
    pub fn say(&self, locale: &Locale, label: impl Fn(&str) -> Option<String>) -> String {
        match self {
            Refusal::Unreadable(problem) | Refusal::OptedOut(problem) => problem.say(locale.language),
            Refusal::Refused(error) => error.say(locale, label),
        }
    }

    /// The reason as a record keeps it, with its facts and without its sentence.
    #[must_use]
    pub fn keep(&self) -> RowRefusal {
        let error = match self {
            Refusal::Unreadable(problem) => return RowRefusal::Unreadable(problem.keep()),
            Refusal::OptedOut(problem) => return RowRefusal::OptedOutThere(problem.keep()),
            Refusal::Refused(error) => error,
        };
        match error {
            OpError::NotFound { what: _ } => RowRefusal::Gone,
            OpError::Invalid { problems } => {
                let keep = |Problem { field, problem }: &Problem| (field.clone(), problem.keep());
                RowRefusal::Invalid(problems.iter().map(keep).collect())
            }
            OpError::Conflict { field: _, problem } => RowRefusal::Conflict(problem.keep()),
            OpError::Forbidden { permission } => RowRefusal::Forbidden(*permission),
            OpError::NotGlobal | OpError::NotProven | OpError::Limited { what: _ } => RowRefusal::NotAllowed,
            OpError::AddressBookFull { contacts_max } => {
                RowRefusal::AddressBookFull { contacts_max: *contacts_max }
            }
            OpError::OptedOut { list, way, time } => {
                RowRefusal::OptedOut { list: list.clone(), way: *way, time: *time }
            }
            OpError::TooLarge { limit_bytes: _ } | OpError::Store(_) => RowRefusal::Failed,
        }
    }
}

impl Display for Refusal {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Unreadable(problem) | Refusal::OptedOut(problem) => write!(out, "{problem}"),
            Refusal::Refused(error) => write!(out, "{error}"),
        }
    }
}

/// The reason that a record keeps, as pages say it. `label` gives the name that a page has for a field of the API. What
/// an earlier version wrote stays as it is.
#[must_use]
pub fn say_kept(kept: &RowRefusal, locale: &Locale, label: impl Fn(&str) -> Option<String>) -> String {
    let language = locale.language;
    let error = match kept {
        RowRefusal::Written(sentence) => return sentence.clone(),
        RowRefusal::Unreadable(problem)
        | RowRefusal::OptedOutThere(problem)
        | RowRefusal::Conflict(problem) => {
            return Wrong::restored(problem).say(language);
        }
        RowRefusal::Gone => return text!(language, "wrong-gone"),
        RowRefusal::NotAllowed => return text!(language, "wrong-not-allowed"),
        RowRefusal::Failed => return text!(language, "wrong-server"),
        RowRefusal::Invalid(problems) => {
            let restored = |(field, problem): &(String, KeptProblem)| Problem {
                field: field.clone(),
                problem: Wrong::restored(problem),
            };
            OpError::Invalid { problems: problems.iter().map(restored).collect() }
        }
        RowRefusal::Forbidden(permission) => OpError::Forbidden { permission: *permission },
        RowRefusal::AddressBookFull { contacts_max } => {
            OpError::AddressBookFull { contacts_max: *contacts_max }
        }
        RowRefusal::OptedOut { list, way, time } => {
            OpError::OptedOut { list: list.clone(), way: *way, time: *time }
        }
    };
    error.say(locale, label)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;
    use crate::model::{Language, OptOutWay, Permission};

    #[test]
    fn a_reason_that_was_kept_is_said_as_the_reason_itself() {
        let problems = vec![
            Problem { field: "emails".to_owned(), problem: Wrong::OneAddressNeeded },
            Problem { field: "lists".to_owned(), problem: Wrong::about("x", Wrong::MustNameList) },
        ];
        let errors = [
            OpError::NotFound { what: "contact" },
            OpError::Invalid { problems },
            OpError::conflict("emails", Wrong::OneAddressNeeded),
            OpError::Forbidden { permission: Permission::ManageMembers },
            OpError::Limited { what: "this" },
            OpError::AddressBookFull { contacts_max: 10_000 },
            OpError::OptedOut { list: "news".to_owned(), way: OptOutWay::Link, time: Timestamp::default() },
            OpError::Store(crate::store::StoreError::Closed),
        ];
        let refusals = errors.into_iter().map(Refusal::Refused).chain([
            Refusal::Unreadable(Wrong::TooManyCells { has: 3, wanted: 2 }),
            Refusal::OptedOut(Wrong::RowOptedOut { said: "Status: unsubscribed".to_owned() }),
        ]);
        let label = |field: &str| (field == "emails").then(|| "Adresse".to_owned());
        for refusal in refusals {
            for language in Language::ALL {
                let locale = Locale { language: *language, ..Locale::default() };
                assert_eq!(say_kept(&refusal.keep(), &locale, label), refusal.say(&locale, label));
            }
        }
        let written = RowRefusal::Written("emails: is needed".to_owned());
        assert_eq!(say_kept(&written, &Locale::default(), label), "emails: is needed");
    }
}
