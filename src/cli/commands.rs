//! The commands, each with its arguments and the line of help that says what it is for.

use clap::{Parser, Subcommand};

use super::{
    backup, demo, doctor, export, generate, import, inject, manage, objects, serve, setup, simulate, status,
};

/// Shown at the end of `crier --help`.
const AFTER_HELP: &str = "\
Begin with crier demo, which needs nothing. A real server begins with crier setup, then crier serve. \
crier help COMMAND tells more of a command.

Every flag can be given in the environment too: --http-listen is CRIER_HTTP_LISTEN. Commands that change \
data work on a running server, through a socket in its data folder, and on the file of a stopped one.";

/// Shown at the beginning of `crier serve --help`.
const SERVE_NEEDS: &str = "\
A server that others reach needs four settings; all others have defaults:
  --hostname mx.example.org             its name, to which the MX record points
  --base-url https://lists.example.org  what its pages and links begin with
  --https-listen [::]:443               where browsers reach its pages
  --acme                                orders and renews its certificates
";

/// A mailing-list server in one executable: HTTP API, mail in and out, all in one data file
#[derive(Debug, Parser)]
#[command(name = "crier", version, after_help = AFTER_HELP)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

/// The commands that are written by hand; the others are made by `objects`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Try the whole product on this machine: a server with a sample list, and the mail it sends
    Demo(demo::DemoArgs),
    /// Make the first account with its domain, administrator and API key, and print its DNS records
    Setup(setup::SetupArgs),
    /// Run the server until it is told to stop (SIGTERM or Ctrl-C)
    #[command(before_help = SERVE_NEEDS)]
    Serve(Box<serve::ServeArgs>),
    /// Import contacts and archives from elsewhere
    #[command(subcommand)]
    Import(import::ImportCommand),
    /// Write an account, or a list, into a folder in open formats: people, settings and archives
    Export(export::ExportArgs),
    /// Give accounts domains, and show the DNS records to publish
    #[command(subcommand)]
    Domain(objects::DomainCommand),
    /// Give contacts fields of their own
    #[command(subcommand)]
    Field(manage::field::FieldCommand),
    /// Make applications known that may ask administrators for permission (OAuth 2.0)
    #[command(subcommand)]
    OauthClient(manage::oauth_client::OauthClientCommand),
    /// Check the DNS records of your domains: which are right, and what to publish
    Dns(manage::dns::DnsArgs),
    /// Give domains new keys for the DKIM signatures of their mail
    // Its older name was mistaken for API keys, but still works.
    #[command(subcommand, alias = "keys")]
    Dkim(manage::dns::KeysCommand),
    /// Show what waits to be delivered and why, try it again, hold it or drop it
    #[command(subcommand)]
    Queue(manage::queue::QueueCommand),
    /// Show who changed what, by which way and from where
    Audit(manage::audit::AuditArgs),
    /// Print what happens, a line for each event, and follow it
    Events(manage::events::EventsArgs),
    /// Have addresses of pages that another server had lead to this one's
    #[command(subcommand)]
    Link(manage::old_link::OldLinkCommand),
    /// Sign the links in mail with a new secret
    #[command(subcommand)]
    Links(manage::links::LinksCommand),
    /// Say what would happen to a message on standard input that is posted to a list; nothing is sent or kept
    Simulate(simulate::SimulateArgs),
    /// Hand over a message on standard input, as a member would send it
    Inject(inject::InjectArgs),
    /// Back up the data file while the server runs: to a folder that keeps many backups, or to one file
    Backup(backup::BackupArgs),
    /// Put a backup, or the data file as it was before the last upgrade, into the place of the data file
    Restore(backup::restore::RestoreArgs),
    /// Restore a backup into a temporary folder, verify it, and say how long that took
    Drill(backup::drill::DrillArgs),
    /// Examine the server and its machine: what is wrong, and how to mend it
    Doctor(doctor::DoctorArgs),
    /// Say how the server is: what it holds, what waits, what was sent, what is wrong, what to do next
    Status(status::StatusArgs),
    /// Check every invariant of the data file
    Verify(manage::VerifyArgs),
    /// Print the completions of a shell, which package managers install
    Completions(generate::CompletionsArgs),
    /// Write the manual, a page for each command
    Man(generate::ManArgs),
}
