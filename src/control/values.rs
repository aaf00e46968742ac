//! Parses the texts of commands into values and records each problem under its field.
//!
//! [`Request::parse`](super::Request::parse) and the modules of the commands call it. It never reads the store.

use crate::model::Domain;
use crate::ops;

/// A value of a command that is not valid, in English.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The field, by its name in the API.
    pub field: String,
    /// A sentence that says what is wrong and what is right.
    pub problem: String,
}

impl From<ops::Problem> for Problem {
    fn from(ops::Problem { field, problem }: ops::Problem) -> Problem {
        Problem { field, problem: problem.to_string() }
    }
}

/// Returns the value, or records its problem under the field.
pub(super) fn note<T, E: std::fmt::Display>(
    problems: &mut Vec<Problem>,
    field: &str,
    value: Result<T, E>,
) -> Option<T> {
    value
        .map_err(|problem| problems.push(Problem { field: field.to_owned(), problem: problem.to_string() }))
        .ok()
}

/// Words a problem: the given text, and what would be right.
pub(super) fn wrong(text: &str, right: &str) -> String {
    if text.trim().is_empty() { format!("is missing: it {right}") } else { format!("{text:?} {right}") }
}

/// Parses a domain that a command names.
pub(super) fn parse_domain(problems: &mut Vec<Problem>, text: &str) -> Option<Domain> {
    let right = |_| format!("{text:?} must be a domain such as lists.example.org");
    note(problems, "domain", Domain::parse(text).map_err(right))
}

/// Parses the base of links; the result has no final slash.
pub(super) fn parse_base_url(text: &str) -> Result<String, String> {
    let url = text.trim().trim_end_matches('/');
    let rest = ["https://", "http://"].iter().find_map(|scheme| url.strip_prefix(scheme));
    let is_plain =
        |rest: &str| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_graphic() && !"?#\"<>".contains(c));
    match rest {
        Some(rest) if is_plain(rest) => Ok(url.to_owned()),
        _ => Err(format!("{text:?} must be a URL such as https://lists.example.org")),
    }
}
