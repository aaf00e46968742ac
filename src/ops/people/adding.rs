//! Adds people to a list by their addresses, for the page of a list's members.
//!
//! An address that the account knows becomes a member as the contact that it belongs to; a new one becomes a contact
//! first. Everything else is as if both were set one by one.

use super::contacts::{self, ContactInput, ContactName, account_of, name_of};
use super::emails::{self, EmailInput};
use super::memberships::{self, MemberInput, MemberSettings, MembershipInput};
use crate::clock::Timestamp;
use crate::model::{Contact, ContactId, EmailAddress};
use crate::ops::{Caller, OpError};
use crate::store::{Read as _, WriteTx};

/// Somebody who is added to a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewMember {
    /// The address, and whether the account takes it.
    pub email: EmailInput,
    /// First name, of a new contact.
    pub firstname: String,
    /// Surname, of a new contact.
    pub surname: String,
    /// How the member gets the posts.
    pub settings: MemberSettings,
    /// Whether a person is added who opted out of the list.
    pub overrides_opt_out: bool,
}

/// The result of adding somebody to a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// It is a member now.
    Joined(ContactId),
    /// It was a member already, and nothing changed.
    MemberAlready(ContactId),
}

/// Adds somebody to the list of this name.
pub fn add(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    list: &str,
    new: NewMember,
    now: Timestamp,
) -> Result<Added, OpError> {
    let account = account_of(tx, caller)?;
    let id = memberships::list_named(tx, caller, list)?.id;
    let NewMember { email, firstname, surname, settings, overrides_opt_out } = new;
    let known = match &email.address {
        Some(address) => emails::find(tx, caller, EmailAddress::as_str(address))?,
        None => None,
    };
    let known = known.map_or(Ok(None), |email| tx.get::<Contact>(email.contact.0))?;
    let Some(contact) = known else {
        let input = ContactInput {
            firstname: Some(firstname),
            surname: Some(surname),
            emails: Some(vec![email]),
            lists: Some(vec![MemberInput { list: list.to_owned(), settings }]),
            overrides_opt_out,
            ..ContactInput::default()
        };
        return Ok(Added::Joined(contacts::create(tx, caller, input, now)?.contact.id));
    };
    if memberships::is_in(tx, caller, contact.id, id)? {
        return Ok(Added::MemberAlready(contact.id));
    }
    let input = MembershipInput {
        contact: Some(match name_of(&account, &contact) {
            ContactName::Id(id) => id.0.to_string(),
            ContactName::Custom(name) => name,
        }),
        list: Some(list.to_owned()),
        settings,
        overrides_opt_out,
        ..MembershipInput::default()
    };
    memberships::create(tx, caller, input, now)?;
    Ok(Added::Joined(contact.id))
}
