//! Errors of the operator's commands, from which `protocol` makes replies.

use super::values::Problem;
use crate::api::operator::Refusal;
use crate::ops::OpError;
use crate::store::StoreError;

/// The reason why a request was not carried out.
#[derive(Debug)]
pub(super) enum CommandError {
    /// An operation failed or refused it.
    Op(OpError),
    /// Values of it are not valid.
    Invalid(Vec<Problem>),
    /// The API refused it.
    Call(Refusal),
    /// Another reason, in words.
    Told(String),
}

impl From<OpError> for CommandError {
    fn from(error: OpError) -> CommandError {
        CommandError::Op(error)
    }
}

impl From<StoreError> for CommandError {
    fn from(error: StoreError) -> CommandError {
        CommandError::Op(error.into())
    }
}

impl From<Refusal> for CommandError {
    fn from(refusal: Refusal) -> CommandError {
        CommandError::Call(refusal)
    }
}
