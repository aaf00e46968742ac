//! `crier links …`: rotates the secret that signs the links in mail.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::json;

use super::{CommonArgs, request, say_json};
use crate::cli::terminal::say;
use crate::cli::{Failure, unexpected};
use crate::control::{Reply, Request};

/// Shown at the end of `crier links rotate --help`.
const ROTATE_AFTER_HELP: &str = "\
Mail that this server sends has links in it that work without a password: to
leave a list, to decide about a message, to choose a password. A secret in the
data file signs them, and the addresses that bounces go to. Make a new one if
somebody may have read that file or a backup of it.

New mail is signed with the new secret at once; a running server needs no
restart. Links in mail that was sent before work for 30 days more, and bounces
of it are understood as long. Then the old secret is forgotten.";

/// `crier links …`
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum LinksCommand {
    /// Sign the links in mail with a new secret; old links work for 30 days more
    Rotate(RotateArgs),
}

/// `crier links rotate`
#[derive(Debug, Args)]
#[command(after_help = ROTATE_AFTER_HELP)]
pub(in crate::cli) struct RotateArgs {
    #[command(flatten)]
    common: CommonArgs,
}

/// Runs `crier links …`.
pub(in crate::cli) fn run(command: LinksCommand) -> Result<ExitCode, Failure> {
    let LinksCommand::Rotate(RotateArgs { common }) = command;
    match request(&common, &Request::LinksRotate)? {
        Reply::LinksRotated { old_links_until, old_secrets } if common.json => {
            say_json(&json!({"old_links_until": old_links_until, "old_secrets": old_secrets}))
        }
        Reply::LinksRotated { old_links_until, old_secrets: _ } => {
            say("Links in new mail are signed with a new secret.");
            say(format_args!("Links in mail that was sent before work until {old_links_until}."));
            Ok(ExitCode::SUCCESS)
        }
        other => Err(unexpected(&other)),
    }
}
