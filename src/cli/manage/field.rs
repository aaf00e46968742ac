//! `crier field …`: manages the custom fields of an account's contacts.

use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::{AccountArgs, CommonArgs, YesArgs, request_naming, say_json};
use crate::cli::show::{self, counted};
use crate::cli::terminal::say;
use crate::cli::{Failure, unexpected};
use crate::control::fields::{FieldAction, FieldReply, FieldsRequest};
use crate::control::{Reply, Request};

/// `crier field …`
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum FieldCommand {
    /// Give contacts a field beside the built-in ones
    #[command(visible_alias = "create")]
    Add(AddArgs),
    /// List the custom fields
    List(ListArgs),
    /// Show a field, and how many contacts have a value of it
    Show(ShowArgs),
    /// Rename a field or its identifier; the values stay
    Set(SetArgs),
    /// Delete a field, and the values that contacts have of it
    Delete(DeleteArgs),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct AddArgs {
    #[command(flatten)]
    fields: FieldsArgs,
    /// Full name of the field, such as 'Shoe size'
    #[arg(value_name = "FIELD NAME")]
    name: String,
    /// Identifier by which API calls name the field [default: its full name]
    #[arg(long, env = "CRIER_ID", value_name = "IDENT")]
    id: Option<String>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ListArgs {
    #[command(flatten)]
    fields: FieldsArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ShowArgs {
    #[command(flatten)]
    fields: FieldsArgs,
    /// Identifier or full name of the field
    #[arg(value_name = "FIELD")]
    field: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct SetArgs {
    #[command(flatten)]
    fields: FieldsArgs,
    /// Identifier or full name of the field
    #[arg(value_name = "FIELD")]
    field: String,
    /// Its full name from now on
    #[arg(long, env = "CRIER_RENAME", value_name = "FIELD NAME", allow_hyphen_values = true)]
    rename: Option<String>,
    /// Identifier by which API calls name it from now on; '' for its full name
    #[arg(long, env = "CRIER_ID", value_name = "IDENT")]
    id: Option<String>,
    /// Whether members edit their own value of it on their pages
    #[arg(
        long,
        env = "CRIER_MEMBERS_EDIT",
        value_name = "BOOL",
        num_args = 0..=1,
        default_missing_value = "true"
    )]
    members_edit: Option<bool>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct DeleteArgs {
    #[command(flatten)]
    fields: FieldsArgs,
    /// Identifier or full name of the field
    #[arg(value_name = "FIELD")]
    field: String,
    #[command(flatten)]
    yes: YesArgs,
}

/// Whose fields are meant.
#[derive(Debug, Args)]
struct FieldsArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    account: AccountArgs,
}

impl FieldsArgs {
    fn ask(&self, action: FieldAction) -> Result<Vec<FieldReply>, Failure> {
        let name = if matches!(action, FieldAction::Add { .. }) { "FIELD NAME" } else { "--rename" };
        let typed = [("name", name), ("id", "--id"), ("field", "FIELD")];
        let wanted = FieldsRequest { account: self.account.clone().name(), action };
        match request_naming(&self.common, &Request::Fields(wanted), &typed)? {
            Reply::Fields { fields } => Ok(fields),
            other => Err(unexpected(&other)),
        }
    }

    fn ask_one(&self, action: FieldAction) -> Result<FieldReply, Failure> {
        let none = || Failure::failed("the server told no field");
        self.ask(action)?.pop().ok_or_else(none)
    }
}

/// Runs the command.
pub(in crate::cli) fn run(command: FieldCommand) -> Result<ExitCode, Failure> {
    let (fields, field, sentence) = match command {
        FieldCommand::Add(AddArgs { fields, name, id }) => {
            let field = fields.ask_one(FieldAction::Add { name, id })?;
            let sentence =
                format!("Contacts have the field {:?} now; API calls name it {:?}", field.name, field.key);
            (fields, field, sentence)
        }
        FieldCommand::Set(SetArgs { fields: _, field: _, rename: None, id: None, members_edit: None }) => {
            let text = "nothing to change: give --rename, --id or --members-edit";
            return Err(Failure::Usage(text.to_owned()));
        }
        FieldCommand::Set(SetArgs { fields, field, rename, id, members_edit }) => {
            let field = fields.ask_one(FieldAction::Set { field, name: rename, id, members_edit })?;
            let edit = if field.members_edit { "members edit it" } else { "members cannot edit it" };
            let sentence =
                format!("The field is {:?} now; API calls name it {:?}, and {edit}", field.name, field.key);
            (fields, field, sentence)
        }
        FieldCommand::Show(ShowArgs { fields, field }) => {
            let field = fields.ask_one(FieldAction::Show { field })?;
            let contacts = counted(field.contacts.unwrap_or(0), "contact");
            let sentence =
                format!("{:?}, named {:?} in API calls; {contacts} with a value", field.name, field.key);
            let sentence = if field.members_edit { sentence + "; members edit it" } else { sentence };
            (fields, field, sentence)
        }
        FieldCommand::List(ListArgs { fields }) => return list(&fields),
        FieldCommand::Delete(DeleteArgs { fields, field, yes }) => return delete(&fields, field, &yes),
    };
    if fields.common.json {
        return say_json(&field);
    }
    say(sentence);
    Ok(ExitCode::SUCCESS)
}

fn list(fields: &FieldsArgs) -> Result<ExitCode, Failure> {
    let found = fields.ask(FieldAction::List)?;
    if fields.common.json {
        return say_json(&show::envelope(&found));
    }
    let row = |field: &FieldReply| {
        let edited = if field.members_edit { "yes" } else { "no" };
        vec![field.name.clone(), field.key.clone(), edited.to_owned()]
    };
    let rows: Vec<Vec<String>> = found.iter().map(row).collect();
    show::table(
        &["name", "key", "members edit"],
        &rows,
        "The account has no custom fields; crier field add makes one",
    );
    Ok(ExitCode::SUCCESS)
}

fn delete(fields: &FieldsArgs, field: String, yes: &YesArgs) -> Result<ExitCode, Failure> {
    let known = fields.ask_one(FieldAction::Show { field })?;
    let contacts = counted(known.contacts.unwrap_or(0), "contact");
    yes.confirm(&format!(
        "Delete the field {:?}, and the value that {contacts} have of it, for good?",
        known.name
    ))?;
    fields.ask_one(FieldAction::Delete { field: known.key.clone() })?;
    if fields.common.json {
        return say_json(&serde_json::json!({"success": true, "contacts": known.contacts}));
    }
    say(format_args!("The field {:?} is gone, and with it the value that {contacts} had", known.name));
    Ok(ExitCode::SUCCESS)
}
