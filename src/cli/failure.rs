//! The failure of a command, which its caller turns into words and a code.

use super::values::Problems;

/// The failure of a command.
#[derive(Debug)]
pub(super) enum Failure {
    /// The command line was not understood: exit code 2.
    Usage(String),
    /// The command could not be carried out: exit code 1.
    Failed(String),
}

impl Failure {
    pub(super) fn failed(reason: impl std::fmt::Display) -> Failure {
        Failure::Failed(reason.to_string())
    }
}

impl From<Problems> for Failure {
    fn from(problems: Problems) -> Failure {
        Failure::Usage(problems.to_string())
    }
}
