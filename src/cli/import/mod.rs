//! `crier import …`: imports what an account had in another program: people ([`contacts`]), and the archives of its lists
//! ([`mbox`]), whole lists of other list servers ([`mailman2`], and [`mailman3`] while it runs, by way of [`lists`]), or a
//! whole account of another server of this API ([`server`]). [`auto`] finds out which of them a file is.

mod auto;
mod common;
mod contacts;
mod crier;
mod list_folders;
mod lists;
mod mailman2;
mod mailman3;
mod mbox;
mod old_page;
mod old_pages;
pub(in crate::cli) mod progress;
mod report;
mod server;
mod sheet;
mod sources;
mod words;
mod zips;

use std::process::ExitCode;

use clap::Subcommand;

use super::Failure;
use list_folders::Program;

/// `crier import …`
#[derive(Debug, Subcommand)]
pub(super) enum ImportCommand {
    /// Find out what files and folders are, and import them
    #[command(after_help = auto::AFTER_HELP)]
    Auto(auto::AutoArgs),
    /// Import contacts from a CSV or JSON file
    #[command(after_help = contacts::AFTER_HELP)]
    Contacts(contacts::ContactsArgs),
    /// Import messages of an mbox, Maildir or pipermail archive into the archive of a list
    #[command(after_help = mbox::AFTER_HELP)]
    Mbox(mbox::MboxArgs),
    /// Import lists of Mailman 2 with their settings, members and archives
    #[command(after_help = mailman2::AFTER_HELP)]
    Mailman2(mailman2::Mailman2Args),
    /// Import what crier export wrote: lists with their settings, people, aliases, administrators and archives
    #[command(after_help = crier::AFTER_HELP)]
    Crier(crier::CrierArgs),
    /// Import lists of mlmmj from their folders: settings, members and archives
    #[command(after_help = list_folders::MLMMJ_AFTER_HELP)]
    Mlmmj(list_folders::ListFoldersArgs),
    /// Import lists of Sympa from their folders: settings, members and archives
    #[command(after_help = list_folders::SYMPA_AFTER_HELP)]
    Sympa(list_folders::ListFoldersArgs),
    /// Take lists over from a running Mailman 3
    #[command(after_help = mailman3::AFTER_HELP)]
    Mailman3(mailman3::Mailman3Args),
    /// Take an account over from another server of this API
    #[command(after_help = server::AFTER_HELP)]
    Server(server::ServerArgs),
    /// Have the addresses of messages in an old archive of pipermail or Sympa lead to the messages here
    #[command(after_help = old_pages::AFTER_HELP)]
    PipermailLinks(old_pages::OldPagesArgs),
}

/// Runs the command.
pub(super) fn run(command: ImportCommand) -> Result<ExitCode, Failure> {
    match command {
        ImportCommand::Auto(args) => auto::run(args),
        ImportCommand::Contacts(args) => contacts::run(args),
        ImportCommand::Mbox(args) => mbox::run(args),
        ImportCommand::Mailman2(args) => mailman2::run(args),
        ImportCommand::Crier(args) => crier::run(args),
        ImportCommand::Mlmmj(args) => list_folders::run(Program::Mlmmj, args),
        ImportCommand::Sympa(args) => list_folders::run(Program::Sympa, args),
        ImportCommand::Mailman3(args) => mailman3::run(args),
        ImportCommand::Server(args) => server::run(args),
        ImportCommand::PipermailLinks(args) => old_pages::run(args),
    }
}
