//! Reads the fields of contacts, with their addresses and memberships.

use super::emails;
use super::membership;
use super::parse::{As, LINE_CHARS_MAX, as_it_is, line};
use super::shape::Shaped as _;
use super::{Item, Params, split_names};
use crate::clock::Timestamp;
use crate::model::{Account, AccountId, CustomField, EmailAddress, ListName};
use crate::ops::people::contacts::{self as ops, ContactInput, check_ccid};
use crate::ops::people::memberships::{MemberInput, MemberSettings};
use crate::ops::{Problem, Problems, Wrong};

/// Reads the fields that contacts have in every account, without custom ones.
pub(crate) fn fields(params: &mut Params) {
    input(params, &Account::new(AccountId::SERVER, String::new(), Timestamp::default()));
}

/// Reads the fields of a contact.
pub(crate) fn input(params: &mut Params, account: &Account) -> ContactInput {
    params.read_only(&["id", "created", "description"]);
    let ccid = params.nullable("ccid", |text: &str| check_ccid(text).map(|()| text.to_owned()));
    let emails = params.items("emails", EmailAddress::shape, emails::input);
    let emails = emails.map(|items| email_inputs(items, params));
    let lists = params.items("lists", ListName::shape, member_input);
    let lists = lists.map(|items| member_inputs(items, params));
    let mut custom = Vec::new();
    for CustomField { id, name, identifier } in &account.custom_fields {
        let by_identifier = identifier.as_ref().and_then(|identifier| params.text(identifier));
        let by_name = params.text(name);
        custom.extend(by_identifier.or(by_name).map(|value| (*id, value)));
    }
    ContactInput {
        ccid,
        firstname: params.parsed("firstname", line(LINE_CHARS_MAX)),
        surname: params.parsed("surname", line(LINE_CHARS_MAX)),
        notes: params.text("notes"),
        custom,
        emails,
        lists,
        overrides_opt_out: params.boolean("override_opt_out").unwrap_or(false),
        joined: None,
        problems: params.take_problems(),
    }
}

fn email_inputs(items: Vec<Item>, params: &mut Params) -> Vec<crate::ops::people::emails::EmailInput> {
    if ops::EMAILS_PER_CONTACT_MAX < items.len() {
        let max = ops::EMAILS_PER_CONTACT_MAX;
        params.problem("emails", Wrong::ContactAddresses { max });
        return Vec::new();
    }
    let mut inputs = Vec::with_capacity(items.len());
    for item in items {
        let (input, problems) = match item {
            Item::Text(text) => emails::input_of_address(&text),
            Item::Object(mut object) => {
                let input = emails::input(&mut object);
                (input, object.take_problems())
            }
        };
        pass_on("emails", &problems, params);
        inputs.push(input);
    }
    inputs
}

fn member_inputs(items: Vec<Item>, params: &mut Params) -> Vec<MemberInput> {
    let mut inputs = Vec::with_capacity(items.len());
    for item in items {
        match item {
            Item::Text(text) => {
                inputs.extend(
                    split_names(&text).map(|list| MemberInput { list, settings: MemberSettings::default() }),
                );
            }
            Item::Object(mut object) => {
                inputs.push(member_input(&mut object));
                pass_on("lists", &object.take_problems(), params);
            }
        }
    }
    inputs
}

fn member_input(object: &mut Params) -> MemberInput {
    let list = object.parsed("list", As(ListName::shape, as_it_is)).unwrap_or_default();
    MemberInput { list, settings: membership::settings(object) }
}

/// Reports the problems of an object inside an array as problems of the array's field.
fn pass_on(field: &str, problems: &Problems, params: &mut Params) {
    for Problem { field: about, problem } in problems.iter() {
        params.problem(field, Wrong::about(about, problem.clone()));
    }
}
