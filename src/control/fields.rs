//! Manages the custom fields of an account's contacts, which the API shows but does not manage.
//!
//! `execute` calls it for `crier field …`.

use serde::{Deserialize, Serialize};

use super::error::CommandError;
use super::host::{Host, find_account, operator_of};
use crate::model::{Account, AccountId, CustomField};
use crate::ops::Caller;
use crate::ops::accounts::fields::{self, FieldChange, FieldDeletion};
use crate::store::{Read as _, StoreError};

/// The actions on custom fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldAction {
    /// Lists all fields.
    List,
    /// Shows a field, with the number of its values.
    Show {
        /// Its identifier or name.
        field: String,
    },
    /// Creates a field.
    Add {
        /// Its full name.
        name: String,
        /// The identifier by which API calls name it.
        id: Option<String>,
    },
    /// Renames a field.
    Set {
        /// Its identifier or name.
        field: String,
        /// Its new name.
        name: Option<String>,
        /// Its new identifier; blank for none.
        id: Option<String>,
        /// Whether members edit it on their own pages.
        #[serde(default)]
        members_edit: Option<bool>,
    },
    /// Deletes a field with its values.
    Delete {
        /// Its identifier or name.
        field: String,
    },
}

/// `crier field …`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldsRequest {
    /// Name of the account; the server's only one if unset.
    pub account: Option<String>,
    /// The action.
    pub action: FieldAction,
}

/// A custom field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldReply {
    /// Its full name.
    pub name: String,
    /// The name under which API objects have it: its identifier, else its name.
    pub key: String,
    /// Whether members edit it on their own pages.
    #[serde(default)]
    pub members_edit: bool,
    /// Contacts that have a value of it, if they were counted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub contacts: Option<u64>,
}

/// Shows or changes the custom fields of an account.
pub(super) fn run(
    host: &Host,
    request: FieldsRequest,
    progress: &mut dyn FnMut(String),
) -> Result<Vec<FieldReply>, CommandError> {
    let FieldsRequest { account, action } = request;
    let core = &host.core;
    let account = find_account(&core.store.read()?, account.as_deref())?;
    let (id, caller) = (account.id, operator_of(account.id));
    let changed: CustomField = match action {
        FieldAction::List => {
            let edited = fields::members_edit(&core.store.read()?, id)?;
            let fields = account.custom_fields.iter();
            return Ok(fields.map(|field| field_reply(field, edited.contains(&field.id), None)).collect());
        }
        FieldAction::Show { field } => {
            let field = fields::find(&account, &field)?;
            let tx = core.store.read()?;
            let values = fields::count_values(&tx, id, field.id)?;
            let is_edited = fields::members_edit(&tx, id)?.contains(&field.id);
            return Ok(vec![field_reply(field, is_edited, Some(values))]);
        }
        FieldAction::Add { name, id: identifier } => core.perform_blocking(&caller, move |tx, by| {
            fields::add(tx, &by.caller, &name, identifier.as_deref(), by.now)
        })?,
        FieldAction::Set { field, name, id: identifier, members_edit } => {
            let identifier = identifier.map(|text| Some(text).filter(|text| !text.is_empty()));
            let change = FieldChange { name, identifier, members_edit };
            core.perform_blocking(&caller, move |tx, by| {
                fields::change(tx, &by.caller, &field, change, by.now)
            })?
        }
        FieldAction::Delete { field } => {
            let gone =
                core.perform_blocking(&caller, move |tx, by| fields::delete(tx, &by.caller, &field, by.now))?;
            remove_values(host, id, progress)?;
            gone
        }
    };
    let is_edited = fields::members_edit(&core.store.read()?, id)?.contains(&changed.id);
    Ok(vec![field_reply(&changed, is_edited, None)])
}

fn field_reply(field: &CustomField, members_edit: bool, contacts: Option<u64>) -> FieldReply {
    FieldReply { name: field.name.clone(), key: field.key().to_owned(), members_edit, contacts }
}

/// Removes the values of deleted fields, in several write jobs, so that others can write in between.
fn remove_values(
    host: &Host,
    account: AccountId,
    progress: &mut dyn FnMut(String),
) -> Result<(), StoreError> {
    let tx = host.core.store.read()?;
    let Some(account) = tx.get::<Account>(account.0)? else { return Ok(()) };
    let mut leaving = FieldDeletion::of(&tx, &account)?;
    drop(tx);
    let mut told = 0;
    while let Some(step) = leaving {
        let part = (step.seen * 10).checked_div(step.contacts).unwrap_or(0);
        if told < part {
            told = part;
            progress(format!("Looked at {} of {} contacts", step.seen, step.contacts));
        }
        leaving = host.core.perform_blocking(&Caller::of_server(), move |tx, _| step.step(tx))?;
    }
    Ok(())
}
