//! Collects the wrong fields of one call, so that the answer can name them all.

use std::fmt::Display;

use super::{OpError, Problem};

/// The problems found in a call's values so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// Notes that the value of `field` is not valid; of several problems of a field, the first one is reported.
    pub fn add(&mut self, field: &str, problem: impl Display) {
        if !self.names(field) {
            self.0.push(Problem { field: field.to_owned(), problem: problem.to_string() });
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
