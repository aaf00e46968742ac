//! Why a command was not carried out.

use crate::api::operator::Refusal;
use crate::ops::OpError;
use crate::store::StoreError;

/// Why a request was not carried out.
#[derive(Debug)]
pub(super) enum CommandError {
    /// By an operation.
    Op(OpError),
    /// By a call of the API.
    Call(Refusal),
    /// In words of this module.
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
