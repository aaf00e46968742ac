//! Reads the fields of aliases.

use super::Params;
use crate::model::{EmailAddress, ListName};
use crate::ops::lists::aliases::AliasInput;

pub(crate) fn fields(params: &mut Params) {
    input(params);
}

pub(crate) fn input(params: &mut Params) -> AliasInput {
    AliasInput {
        source: params.parsed("source", ListName::parse),
        destination: params.parsed_texts("destination", EmailAddress::parse),
        problems: params.take_problems(),
    }
}
