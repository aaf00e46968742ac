//! The wrong fields of one call, gathered so that its answer can name them all.

use std::fmt::Display;

use super::{OpError, Problem};

/// What is wrong with the values of a call, as far as it has been looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// Notes that `field` cannot be taken; the first problem of a field is the one that is told.
    pub fn add(&mut self, field: &str, problem: impl Display) {
        if !self.names(field) {
            self.0.push(Problem { field: field.to_owned(), problem: problem.to_string() });
        }
    }

    /// Whether something is wrong with `field`.
    #[must_use]
    pub fn names(&self, field: &str) -> bool {
        self.0.iter().any(|problem| problem.field == field)
    }

    /// The problems in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.0.iter()
    }

    /// Passes if nothing is wrong.
    pub fn into_result(self) -> Result<(), OpError> {
        if self.0.is_empty() { Ok(()) } else { Err(OpError::Invalid { problems: self.0 }) }
    }
}
