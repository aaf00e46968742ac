//! `crier oauth-client …`: manages the applications that may ask administrators for permission (OAuth 2.0).

use std::process::ExitCode;

use clap::builder::BoolishValueParser;
use clap::{Args, Subcommand};

use super::{CommonArgs, YesArgs, request_naming, say_json};
use crate::cli::show;
use crate::cli::terminal::{say, tell};
use crate::cli::{Failure, unexpected};
use crate::control::oauth_clients::{OauthClientAction, OauthClientReply, OauthClientsRequest};
use crate::control::{Reply, Request};

/// `crier oauth-client …`
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum OauthClientCommand {
    /// Make an application known, and print its identifier and secret
    Create(CreateArgs),
    /// List the applications
    List(ListArgs),
    /// Delete an application, and with it everything that people allowed it
    Delete(DeleteArgs),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct CreateArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Name of the application, as people see it when they are asked for permission
    #[arg(long, env = "CRIER_NAME", value_name = "APP", allow_hyphen_values = true)]
    name: String,
    /// Where browsers are sent back to; several flags for several addresses
    #[arg(long = "redirect-uri", env = "CRIER_REDIRECT_URI", value_name = "URI", required = true)]
    redirect_uris: Vec<String>,
    /// The application runs in browsers or on telephones and cannot keep a secret: it gets none, and must use PKCE
    #[arg(long, env = "CRIER_PUBLIC", value_parser = BoolishValueParser::new())]
    public: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ListArgs {
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct DeleteArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Identifier of the application
    #[arg(value_name = "CLIENT_ID")]
    client_id: String,
    #[command(flatten)]
    yes: YesArgs,
}

fn perform(common: &CommonArgs, action: OauthClientAction) -> Result<Vec<OauthClientReply>, Failure> {
    let request = Request::OauthClients(OauthClientsRequest { action });
    match request_naming(common, &request, &[("name", "--name"), ("client_id", "CLIENT_ID")])? {
        Reply::OauthClients { clients } => Ok(clients),
        other => Err(unexpected(&other)),
    }
}

fn perform_on_one(common: &CommonArgs, action: OauthClientAction) -> Result<OauthClientReply, Failure> {
    perform(common, action)?.pop().ok_or_else(|| Failure::failed("the server told no application"))
}

/// Runs the command.
pub(in crate::cli) fn run(command: OauthClientCommand) -> Result<ExitCode, Failure> {
    match command {
        OauthClientCommand::Create(args) => create(args),
        OauthClientCommand::List(args) => list(&args),
        OauthClientCommand::Delete(args) => delete(args),
    }
}

fn create(args: CreateArgs) -> Result<ExitCode, Failure> {
    let CreateArgs { common, name, redirect_uris, public } = args;
    let made = perform_on_one(&common, OauthClientAction::Create { name, redirect_uris, public })?;
    let OauthClientReply { client_id, client_secret, .. } = made;
    if common.json {
        return say_json(&serde_json::json!({"client_id": client_id, "client_secret": client_secret}));
    }
    say(format_args!("client_id      {client_id}"));
    match client_secret {
        Some(secret) => {
            say(format_args!("client_secret  {secret}"));
            tell("The secret is shown this once. Give both to the application, and to nobody else.");
        }
        None => tell("The application has no secret: it proves each request by PKCE (S256)."),
    }
    Ok(ExitCode::SUCCESS)
}

fn list(args: &ListArgs) -> Result<ExitCode, Failure> {
    let clients = perform(&args.common, OauthClientAction::List)?;
    if args.common.json {
        return say_json(&show::envelope(&clients));
    }
    let row = |client: &OauthClientReply| {
        let kind = if client.public { "public" } else { "with a secret" };
        vec![client.client_id.clone(), client.name.clone(), kind.to_owned(), client.redirect_uris.join(" ")]
    };
    let rows: Vec<Vec<String>> = clients.iter().map(row).collect();
    show::table(
        &["client_id", "name", "kind", "leads back to"],
        &rows,
        "No application is known; crier oauth-client create makes one known",
    );
    Ok(ExitCode::SUCCESS)
}

fn delete(args: DeleteArgs) -> Result<ExitCode, Failure> {
    let DeleteArgs { common, client_id, yes } = args;
    let known = perform_on_one(&common, OauthClientAction::Show { client_id })?;
    yes.confirm(&format!("Delete the application {:?}, and end what people allowed it?", known.name))?;
    perform_on_one(&common, OauthClientAction::Delete { client_id: known.client_id })?;
    if common.json {
        return say_json(&serde_json::json!({"success": true}));
    }
    say(format_args!("The application {:?} is gone, and its tokens have ended", known.name));
    Ok(ExitCode::SUCCESS)
}
