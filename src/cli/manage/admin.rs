//! `crier admin …`: people who administer an account, or the whole server.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::Value;

use super::show::{self, cell};
use super::{CommonArgs, PERMISSION_HELP, Params, ScopeArgs, YesArgs, call, say_json};
use crate::cli::Failure;
use crate::cli::terminal::{say, tell};
use crate::control::objects::{CallRequest, Subject, Verb};
use crate::ops::admins::all_grants;

/// What a table of administrators shows.
const COLUMNS: &[&str] = &["id", "username", "description", "firstname", "surname", "permissions"];
/// What stands first where one is shown.
const FIRST: &[&str] = &["id", "username", "description", "firstname", "surname", "permissions"];

const NOTIFICATION_HELP: &str = "What is mailed to it: held_message, pending_member, pending_list, \
    member_joined, member_left, bounce, complaint, delivery_problem or security; may be repeated, '' for none";

/// `crier admin …`
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum AdminCommand {
    /// Make somebody an administrator; programs get a key with crier key create
    Create(CreateArgs),
    /// List the administrators, people and the holders of keys
    List(ListArgs),
    /// Show everything about an administrator
    Show(ShowArgs),
    /// Change an administrator; what is not named stays as it is
    Set(SetArgs),
    /// Delete an administrator
    Delete(DeleteArgs),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct CreateArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    scope: ScopeArgs,
    /// The person's address
    #[arg(value_name = "EMAIL")]
    username: String,
    #[command(flatten)]
    person: PersonArgs,
    #[command(flatten)]
    rights: RightsArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ListArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    scope: ScopeArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ShowArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Address or number
    #[arg(value_name = "ADMIN")]
    admin: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct SetArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Address or number
    #[arg(value_name = "ADMIN")]
    admin: String,
    /// Its address from now on
    #[arg(long, env = "CRIER_USERNAME", value_name = "EMAIL")]
    username: Option<String>,
    #[command(flatten)]
    person: PersonArgs,
    #[command(flatten)]
    rights: RightsArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct DeleteArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Address or number
    #[arg(value_name = "ADMIN")]
    admin: String,
    #[command(flatten)]
    yes: YesArgs,
}

/// Who somebody is.
#[derive(Debug, Args)]
struct PersonArgs {
    /// First name
    #[arg(long, env = "CRIER_FIRSTNAME", value_name = "NAME")]
    firstname: Option<String>,
    /// Surname
    #[arg(long, env = "CRIER_SURNAME", value_name = "NAME")]
    surname: Option<String>,
    #[arg(long = "notification", env = "CRIER_NOTIFICATION", value_name = "NOTIFICATION", value_delimiter = ',', help = NOTIFICATION_HELP)]
    notifications: Vec<String>,
}

/// What an administrator may do, and where.
#[derive(Debug, Args)]
pub(super) struct RightsArgs {
    #[arg(long = "permission", env = "CRIER_PERMISSION", value_name = "PERMISSION", value_delimiter = ',', help = PERMISSION_HELP)]
    permissions: Vec<String>,
    /// Name of a list it is confined to; may be repeated, '' for none [default: all lists]
    #[arg(long = "limit-list", env = "CRIER_LIMIT_LIST", value_name = "LIST", value_delimiter = ',')]
    limit_lists: Vec<String>,
    /// Custom field it is confined to; may be repeated, '' for none [default: all fields]
    #[arg(long = "limit-field", env = "CRIER_LIMIT_FIELD", value_name = "FIELD")]
    limit_metadata: Vec<String>,
}

impl RightsArgs {
    /// For a new administrator: everything unless something is named, within the limits that are named.
    fn of_new(mut self) -> RightsArgs {
        if self.permissions.is_empty() {
            self.permissions = all_grants().iter().map(|permission| permission.word().to_owned()).collect();
        }
        for (names, word) in [(&self.limit_lists, "limit_lists"), (&self.limit_metadata, "limit_metadata")] {
            if !names.is_empty() && !self.permissions.iter().any(|known| known == word) {
                self.permissions.push(word.to_owned());
            }
        }
        self
    }

    pub(super) fn add_to(self, params: &mut Params) {
        params.texts("permissions", self.permissions);
        params.texts("limit_lists", self.limit_lists);
        params.texts("limit_metadata", self.limit_metadata);
    }
}

impl PersonArgs {
    fn add_to(self, params: &mut Params) {
        params.text("firstname", self.firstname);
        params.text("surname", self.surname);
        params.texts("notifications", self.notifications);
    }
}

/// A call about administrators.
pub(super) fn admins(verb: Verb, account: Option<String>, object: Option<&str>) -> CallRequest {
    let object = object.map(str::to_owned);
    CallRequest { verb, subject: Subject::Admins, account, object, params: serde_json::Map::new() }
}

/// Tells of limits that nothing activates.
pub(super) fn warn_of_idle_limits(admin: &Value) {
    for limit in ["limit_lists", "limit_metadata"] {
        let has = |name: &str, value: &str| {
            admin[name].as_array().is_some_and(|all| all.iter().any(|one| one == value))
        };
        let is_named = admin[limit].as_array().is_some_and(|names| !names.is_empty());
        if is_named && !has("permissions", limit) {
            tell(format_args!(
                "Note: {limit} confines nobody as long as {limit} is not among the permissions too"
            ));
        }
    }
}

/// Runs the command.
pub(in crate::cli) fn run(command: AdminCommand) -> Result<ExitCode, Failure> {
    match command {
        AdminCommand::Create(CreateArgs { common, scope, username, person, rights }) => {
            let mut params = Params::default();
            params.text("username", Some(username));
            person.add_to(&mut params);
            rights.of_new().add_to(&mut params);
            let wanted = CallRequest { params: params.done()?, ..admins(Verb::Post, scope.account(), None) };
            print(&common, &call(&common, wanted)?)
        }
        AdminCommand::List(ListArgs { common, scope }) => {
            let answer = call(&common, admins(Verb::Get, scope.account(), None))?;
            if common.json {
                return say_json(&answer);
            }
            show::listing(&answer, COLUMNS, "There is no administrator");
            Ok(ExitCode::SUCCESS)
        }
        AdminCommand::Show(ShowArgs { common, scope, admin }) => {
            print(&common, &call(&common, admins(Verb::Get, scope.account(), Some(&admin)))?)
        }
        AdminCommand::Set(SetArgs { common, scope, admin, username, person, rights }) => {
            let mut params = Params::default();
            params.text("username", username);
            person.add_to(&mut params);
            rights.add_to(&mut params);
            let params = params.done()?;
            if params.is_empty() {
                let text = "nothing to change: name what is to change, such as --permission or --firstname";
                return Err(Failure::Usage(text.to_owned()));
            }
            let wanted = CallRequest { params, ..admins(Verb::Put, scope.account(), Some(&admin)) };
            print(&common, &call(&common, wanted)?)
        }
        AdminCommand::Delete(DeleteArgs { common, scope, admin, yes }) => {
            delete(&common, scope.account(), &admin, &yes)
        }
    }
}

/// Deletes an administrator of either kind.
pub(super) fn delete(
    common: &CommonArgs,
    account: Option<String>,
    admin: &str,
    yes: &YesArgs,
) -> Result<ExitCode, Failure> {
    let known = call(common, admins(Verb::Get, account.clone(), Some(admin)))?;
    let title = [&known["username"], &known["description"], &known["id"]].map(cell);
    let title = title.iter().find(|text| !text.is_empty()).map_or(admin, String::as_str);
    yes.confirm(&format!("Delete the administrator {title}? A key it has stops working at once."))?;
    let answer = call(common, admins(Verb::Delete, account, Some(admin)))?;
    if common.json {
        return say_json(&answer);
    }
    say(format_args!("Administrator {title} is gone"));
    Ok(ExitCode::SUCCESS)
}

/// Prints one administrator.
pub(super) fn print(common: &CommonArgs, admin: &Value) -> Result<ExitCode, Failure> {
    if common.json {
        return say_json(admin);
    }
    show::object(admin, FIRST);
    warn_of_idle_limits(admin);
    Ok(ExitCode::SUCCESS)
}
