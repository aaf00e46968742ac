//! `crier admin unlock`: lets an administrator sign in whose address is locked after wrong passwords.

use std::process::ExitCode;

use clap::{ArgMatches, Args, FromArgMatches as _};

use super::{CommonArgs, ScopeArgs, say_json};
use crate::cli::objects::calls::{Meant, no_object};
use crate::cli::terminal::say;
use crate::cli::{Absent, Failure, carry_out, told, unexpected};
use crate::control::admin_link::AdminUnlockRequest;
use crate::control::{Reply, Request};

/// Let an administrator sign in again at once whose address is locked after wrong passwords
#[derive(Debug, Args)]
pub(in crate::cli) struct UnlockArgs {
    /// Address or number of the administrator
    #[arg(value_name = "ADMIN")]
    admin: String,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    common: CommonArgs,
}

/// Runs the command.
pub(in crate::cli) fn run(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let args = UnlockArgs::from_arg_matches(matches).map_err(|error| Failure::Usage(error.to_string()))?;
    let UnlockArgs { admin, scope, common } = args;
    let scope = scope.scope();
    let wanted = AdminUnlockRequest { scope: scope.clone(), admin: admin.clone() };
    match carry_out(common.data_dir(), &Request::AdminUnlock(wanted), Absent::Refuse)? {
        Reply::Missing { .. } => {
            Err(no_object(&common, &scope, Meant::People, ("admins", "administrator", &admin))?)
        }
        Reply::AdminUnlocked { username } if common.json => {
            say_json(&serde_json::json!({ "username": username }))
        }
        Reply::AdminUnlocked { username } => {
            say(format_args!("{username} is not locked any more, and no wrong passwords are counted"));
            Ok(ExitCode::SUCCESS)
        }
        other => told(other).and_then(|reply| Err(unexpected(&reply))),
    }
}
