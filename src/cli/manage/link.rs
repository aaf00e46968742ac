//! `crier admin link`: prints the link by which an administrator chooses a password.

use std::process::ExitCode;

use clap::{ArgMatches, Args, FromArgMatches as _};

use super::{CommonArgs, ScopeArgs, say_json};
use crate::cli::objects::calls::{Meant, no_object};
use crate::cli::terminal::{say, tell};
use crate::cli::{Absent, Failure, carry_out, told, unexpected};
use crate::control::admin_link::AdminLinkRequest;
use crate::control::{Reply, Request};

/// Print the link by which an administrator chooses a password, so that no mail is needed
#[derive(Debug, Args)]
pub(in crate::cli) struct LinkArgs {
    /// Address or number of the administrator
    #[arg(value_name = "ADMIN")]
    admin: String,
    /// What the link begins with [default: the running server's, else https:// and the domain]
    #[arg(long, env = "CRIER_BASE_URL", value_name = "URL")]
    base_url: Option<String>,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    common: CommonArgs,
}

/// Runs the command.
pub(in crate::cli) fn run(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let args = LinkArgs::from_arg_matches(matches).map_err(|error| Failure::Usage(error.to_string()))?;
    let LinkArgs { admin, base_url, scope, common } = args;
    let base_url = base_url.filter(|url| !url.trim().is_empty());
    let scope = scope.scope();
    let wanted = AdminLinkRequest { scope: scope.clone(), admin: admin.clone(), base_url };
    match carry_out(common.data_dir(), &Request::AdminLink(wanted), Absent::Refuse)? {
        Reply::Missing { .. } => {
            Err(no_object(&common, &scope, Meant::People, ("admins", "administrator", &admin))?)
        }
        Reply::AdminLink { link } if common.json => say_json(&serde_json::json!({ "link": link })),
        Reply::AdminLink { link } => {
            say(link);
            tell("The link works once, for 7 days. Give it to nobody else.");
            Ok(ExitCode::SUCCESS)
        }
        other => told(other).and_then(|reply| Err(unexpected(&reply))),
    }
}
