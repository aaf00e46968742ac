//! Reads the fields of addresses.

use super::Params;
use super::parse::line;
use crate::model::{Account, EmailAddress, EmailId, Permission};
use crate::ops::patterns::AddressJudgement;
use crate::ops::people::contacts::parse_id;
use crate::ops::people::emails::EmailInput;
use crate::ops::{Caller, Problems};
use crate::service::Core;

/// Longest custom identifier of an address, in characters.
const CEID_CHARS_MAX: usize = 64;

pub(crate) fn fields(params: &mut Params) {
    call_input(params);
}

pub(crate) fn call_input(params: &mut Params) -> (Option<String>, EmailInput, Problems) {
    let contact = params.text("contact");
    // The path says which address is meant, not the body.
    let input = EmailInput { id: None, ..input(params) };
    (contact, input, params.take_problems())
}

/// Reads the fields of an email object.
pub(crate) fn input(params: &mut Params) -> EmailInput {
    params.read_only(&["confirmed"]);
    EmailInput {
        id: params.text("id").and_then(|id| parse_id(&id)).map(EmailId),
        address: params.parsed("email", EmailAddress::parse),
        digest: params.boolean("digest"),
        paused: params.boolean("paused"),
        ceid: params.nullable("ceid", line(CEID_CHARS_MAX)),
        judgement: AddressJudgement::default(),
    }
}

/// Checks addresses against the patterns of their account, if the caller may add addresses.
pub(crate) async fn judge(
    core: &Core,
    caller: &Caller,
    account: &Account,
    inputs: impl Iterator<Item = &mut EmailInput>,
) {
    if caller.holds(Permission::ManageMembers) {
        core.judge_addresses(account.id, &account.settings.restrict_contact, inputs).await;
    }
}

/// Reads an address that stands as a plain text in a contact's call.
pub(crate) fn input_of_address(text: &str) -> (EmailInput, Problems) {
    let mut problems = Problems::default();
    let address = match EmailAddress::parse(text) {
        Ok(address) => Some(address),
        Err(error) => {
            problems.add(text, error);
            None
        }
    };
    (EmailInput { address, ..EmailInput::default() }, problems)
}
