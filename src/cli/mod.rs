//! The command line: flags as they are typed, their help, and the output of each command.
//!
//! Values are read as texts and checked by hand, so that everything that is wrong with a command line is reported at
//! once; see `values`. `commands` is the table of all commands; what they share is in `reach`, `failure` and `sentences`.
//! Results go to standard output, everything else to standard error. A command exits with 0, with
//! 1 if it failed or found problems, or with 2 if it was not understood; `serve` with 78 if its data file cannot be
//! brought up to date; `inject` has other codes, which mail servers know.

mod backup;
mod commands;
mod demo;
mod doctor;
mod export;
mod failure;
mod folder;
mod generate;
mod help;
mod import;
mod inject;
mod logging;
mod manage;
mod objects;
mod oidc;
mod previous;
mod reach;
mod records;
mod s3;
mod sentences;
mod serve;
mod setup;
mod show;
mod simulate;
mod status;
mod temporary;
mod terminal;
mod values;

use std::process::ExitCode;

use clap::FromArgMatches as _;

use commands::{Cli, Command};
use terminal::complain;

pub(in crate::cli) use failure::Failure;
pub(in crate::cli) use reach::{
    Absent, DataArgs, ENVIRONMENT_FILE, File, carry_out, open_file, perform, told, unexpected, unreachable,
};
pub(in crate::cli) use sentences::{flag_of, problems_told};

/// Runs the command that this process's arguments name.
#[must_use]
pub fn run() -> ExitCode {
    let matches = help::command().try_get_matches();
    let matches = match matches {
        Ok(matches) => matches,
        // Mail programs expect the codes of `sysexits.h`.
        Err(error) if error.use_stderr() && inject::is_meant() => return inject::misunderstood(&error),
        Err(error) => help::with_plain_usage(error).exit(),
    };
    let kind = matches.subcommand().and_then(|(word, matches)| Some((objects::kind_of(word)?, matches)));
    let done = match kind {
        Some((kind, matches)) => objects::run(kind, matches),
        None => match Cli::from_arg_matches(&matches) {
            Ok(Cli { command }) => run_command(command),
            Err(error) => error.exit(),
        },
    };
    match done {
        Ok(code) => code,
        Err(Failure::Usage(text)) => {
            complain(format_args!("error: {text}\n\nFor more information, try '--help'."));
            ExitCode::from(2)
        }
        Err(Failure::Failed(text)) => {
            complain(format_args!("error: {text}"));
            ExitCode::FAILURE
        }
    }
}

fn run_command(command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Demo(args) => demo::run(&args),
        Command::Setup(args) => setup::run(args),
        Command::Serve(args) => serve::run(&args),
        Command::Import(command) => import::run(command),
        Command::Export(args) => export::run(args),
        Command::Domain(command) => objects::run_domains(command),
        Command::Field(command) => manage::field::run(command),
        Command::OauthClient(command) => manage::oauth_client::run(command),
        Command::Dns(args) => manage::dns::run(args),
        Command::Dkim(command) => manage::dns::run_keys(command),
        Command::Link(command) => manage::old_link::run(command),
        Command::Links(command) => manage::links::run(command),
        Command::Queue(command) => manage::queue::run(command),
        Command::Audit(args) => manage::audit::run(args),
        Command::Events(args) => manage::events::run(args),
        Command::Simulate(args) => simulate::run(args),
        Command::Inject(args) => Ok(inject::run(args)),
        Command::Backup(args) => backup::run(&args),
        Command::Restore(args) => backup::restore::run(&args),
        Command::Drill(args) => backup::drill::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Verify(args) => manage::run_verify(&args),
        Command::Completions(args) => generate::run_completions(&args, help::command()),
        Command::Man(args) => generate::run_man(&args, help::command()),
    }
}
