//! What is wrong with the values of a call: every wrong field with its problem, so that the answer can name them all.
//!
//! A problem is a [`Wrong`], which carries facts. Its English is the API's, [`Said::say`] is what pages and mails say;
//! nothing asks a sentence what it means.

mod errors;
mod facts;
mod kept;
mod table;
mod wrong;

pub use errors::how_opted_out;
pub use facts::{AnyOf, Right, Said, TooLate, Waiting};
pub use wrong::Wrong;

use super::OpError;

/// One field with a value that is not valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The field, by its name in the API.
    pub field: String,
    /// What is wrong.
    pub problem: Wrong,
}

impl Problem {
    /// All problems in English, each after its field.
    pub(super) fn sentence(problems: &[Problem]) -> String {
        let parts: Vec<String> =
            problems.iter().map(|Problem { field, problem }| format!("{field}: {problem}")).collect();
        parts.join("; ")
    }
}

/// The problems found in a call's values so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// Notes that the value of `field` is not valid; of several problems of a field, the first one is reported.
    pub fn add(&mut self, field: &str, problem: impl Into<Wrong>) {
        if !self.names(field) {
            self.0.push(Problem { field: field.to_owned(), problem: problem.into() });
        }
    }

    /// Whether `field` has a problem.
    #[must_use]
    pub fn names(&self, field: &str) -> bool {
        self.0.iter().any(|problem| problem.field == field)
    }

    /// The problems in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.0.iter()
    }

    /// Passes if there is no problem.
    pub fn into_result(self) -> Result<(), OpError> {
        if self.0.is_empty() { Ok(()) } else { Err(OpError::Invalid { problems: self.0 }) }
    }
}

impl Wrong {
    /// The problem with one of several values of a field, which is named.
    #[must_use]
    pub fn about(about: impl Into<String>, problem: impl Into<Wrong>) -> Wrong {
        Wrong::About { about: about.into(), problem: Box::new(problem.into()) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::model::Language;

    #[test]
    fn every_problem_is_said_in_every_language_and_in_no_names_of_the_api() {
        let mut wrong = Vec::new();
        for language in Language::ALL {
            for sample in Wrong::samples() {
                let said = sample.say(*language);
                let english = sample.say(Language::English);
                let is_english = *language != Language::English && said == english;
                if is_english || said.contains(['{', '}', '_']) || said.contains("wrong-") || said.is_empty()
                {
                    wrong.push(format!("{}: {sample:?}: {said}", language.word()));
                }
            }
        }
        assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
    }

    #[test]
    fn a_problem_is_the_same_after_a_record_kept_it() {
        for sample in Wrong::samples() {
            assert_eq!(Wrong::restored(&sample.keep()), sample);
        }
        let nested = Wrong::about("a", Wrong::about("b", Wrong::WholeBetween { min: 1, max: 2 }));
        assert_eq!(Wrong::restored(&nested.keep()), nested);
        let long = Wrong::Taken { name: "z".repeat(1000) };
        let cut = format!("{}\u{2026} is taken", "z".repeat(200));
        assert_eq!(Wrong::restored(&long.keep()).to_string(), cut);
        let mut unknown = Wrong::Needed.keep();
        unknown.parts[0].name = "Wanted".to_owned();
        assert_eq!(Wrong::restored(&unknown), Wrong::Forgotten);
    }

    #[test]
    fn no_two_problems_have_the_same_english() {
        let mut known = BTreeSet::new();
        for sample in Wrong::samples() {
            assert!(known.insert(sample.to_string()), "{sample:?}: {sample}");
        }
        assert!(150 < known.len(), "{}", known.len());
    }

    #[test]
    fn the_english_of_the_api_names_its_fields_and_a_page_its_labels() {
        let problem = Wrong::OneMainDomain;
        assert_eq!(problem.to_string(), "exactly one must be is_main, and it must be a verified one");
        assert_eq!(
            problem.say(Language::German),
            "genau eine muss für die Adressen der Listen verwendet werden, und sie muss bestätigt sein"
        );
        let problem = Wrong::about("ada@", crate::model::address::AddressError::Domain);
        assert_eq!(problem.to_string(), "ada@: has a domain that is not valid");
        assert_eq!(problem.say(Language::French), "ada@\u{a0}: a un domaine qui n’est pas valable");
        let problem = Wrong::WholeBetween { min: 1, max: 100_000 };
        assert_eq!(problem.to_string(), "must be a whole number from 1 to 100000");
        assert_eq!(problem.say(Language::Spanish), "debe ser un número entero de 1 a 100.000");
    }
}
