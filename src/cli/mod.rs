//! The command line: flags as they are typed, their help, and the output of each command.
//!
//! Values are read as texts and checked by hand, so that everything that is wrong with a command line is reported at
//! once; see `values`. Results go to standard output, everything else to standard error. A command exits with 0, with
//! 1 if it failed or found problems, or with 2 if it was not understood; `serve` with 78 if its data file cannot be
//! brought up to date; `inject` has other codes, which mail servers know.

mod backup;
mod demo;
mod doctor;
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
mod records;
mod s3;
mod serve;
mod setup;
mod show;
mod simulate;
mod status;
mod temporary;
mod terminal;
mod values;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, FromArgMatches as _, Parser, Subcommand};

use crate::app;
use crate::control::client::{self, Asked, SOCKET_NAME};
use crate::control::execute::execute;
use crate::control::host::Host;
use crate::control::values::Problem;
use crate::control::{Reply, Request};
use crate::migrate::FILE_NAME;

use terminal::{complain, tell};
use values::Problems;

/// The settings of the service that a package installs.
const ENVIRONMENT_FILE: &str = "/etc/crier/crier.env";

/// Shown at the end of `crier --help`.
const AFTER_HELP: &str = "\
Begin with crier demo, which needs nothing. A real server begins with crier setup, then crier serve. \
crier help COMMAND tells more of a command.

Every flag can be given in the environment too: --http-listen is CRIER_HTTP_LISTEN. Commands that change \
data work on a running server, through a socket in its data folder, and on the file of a stopped one.";

/// A mailing-list server in one executable: HTTP API, mail in and out, all in one data file
#[derive(Debug, Parser)]
#[command(name = "crier", version, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The commands that are written by hand; the others are made by `objects`.
#[derive(Debug, Subcommand)]
enum Command {
    /// Try the whole product on this machine: a server with a sample list, and the mail it sends
    Demo(demo::DemoArgs),
    /// Make the first account with its domain, administrator and API key, and print its DNS records
    Setup(setup::SetupArgs),
    /// Run the server until it is told to stop (SIGTERM or Ctrl-C)
    Serve(Box<serve::ServeArgs>),
    /// Import contacts and archives from elsewhere
    #[command(subcommand)]
    Import(import::ImportCommand),
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

/// Where the data file is.
#[derive(Debug, Args)]
struct DataArgs {
    /// Folder of crier.redb, the one data file
    #[arg(long, env = "CRIER_DATA", value_name = "DIR", default_value = "/var/lib/crier")]
    data: PathBuf,
}

/// The failure of a command.
#[derive(Debug)]
enum Failure {
    /// The command line was not understood: exit code 2.
    Usage(String),
    /// The command could not be carried out: exit code 1.
    Failed(String),
}

impl Failure {
    fn failed(reason: impl std::fmt::Display) -> Failure {
        Failure::Failed(reason.to_string())
    }
}

impl From<Problems> for Failure {
    fn from(problems: Problems) -> Failure {
        Failure::Usage(problems.to_string())
    }
}

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
        Command::Domain(command) => objects::run_domains(command),
        Command::Field(command) => manage::field::run(command),
        Command::OauthClient(command) => manage::oauth_client::run(command),
        Command::Dns(args) => manage::dns::run(args),
        Command::Dkim(command) => manage::dns::run_keys(command),
        Command::Links(command) => manage::links::run(command),
        Command::Queue(command) => manage::queue::run(command),
        Command::Audit(args) => manage::audit::run(args),
        Command::Simulate(args) => simulate::run(args),
        Command::Inject(args) => Ok(inject::run(args)),
        Command::Backup(args) => backup::run(&args),
        Command::Restore(args) => backup::restore::run(&args),
        Command::Drill(args) => backup::drill::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Verify(args) => manage::run_verify(&args),
        Command::Completions(args) => generate::run_completions(&args),
        Command::Man(args) => generate::run_man(&args),
    }
}

/// Whether a command may create a missing data file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Absent {
    Create,
    Refuse,
}

/// Has a request carried out by the server that runs on the data folder, else on the store itself. A reply that
/// refuses it is an error.
fn perform(data_dir: &Path, request: &Request, absent: Absent) -> Result<Reply, Failure> {
    told(carry_out(data_dir, request, absent)?)
}

/// Has a request carried out; a reply that refuses it is returned as any other.
fn carry_out(data_dir: &Path, request: &Request, absent: Absent) -> Result<Reply, Failure> {
    let command = request.clone().parse().map_err(|problems| Failure::Usage(describe(problems)))?;
    let asked = client::ask(data_dir, request, &mut |text| tell(&text));
    match asked.map_err(|error| unreachable(data_dir, &error))? {
        Asked::Server(reply) => Ok(reply),
        Asked::Nobody => {
            let File { host, runtime } = open_file(data_dir, absent)?;
            // The API's work is asynchronous.
            let _inside = runtime.enter();
            let reply = execute(&host, command, &mut |text| tell(&text));
            host.core.store.close_blocking();
            Ok(reply)
        }
    }
}

/// The open store of a stopped server, and the runtime for its work.
struct File {
    host: Host,
    runtime: tokio::runtime::Runtime,
}

/// Opens the store of a stopped server.
fn open_file(data_dir: &Path, absent: Absent) -> Result<File, Failure> {
    match folder::check(data_dir) {
        Err(problem) if absent == Absent::Refuse || problem.is_forbidden => {
            return Err(Failure::Failed(problem.text));
        }
        _ => {}
    }
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::failed)?;
    let host = app::open_stopped(data_dir, &mut |text| tell(&text)).map_err(Failure::failed)?;
    Ok(File { host, runtime })
}

/// Returns the reply, or an error if it is a refusal.
fn told(reply: Reply) -> Result<Reply, Failure> {
    match reply {
        Reply::Invalid { problems } => Err(Failure::Failed(problems_told(problems, flag_of))),
        Reply::Missing { text } | Reply::Failed { text } => Err(Failure::Failed(text)),
        other => Ok(other),
    }
}

/// Words the error of a server that runs, or may run, and cannot be reached.
fn unreachable(data_dir: &Path, error: &std::io::Error) -> Failure {
    let place = data_dir.display();
    match error.kind() {
        ErrorKind::PermissionDenied => {
            let owner = folder::owner(&data_dir.join(SOCKET_NAME), data_dir);
            Failure::Failed(folder::forbidden(data_dir, owner, folder::own_user()))
        }
        ErrorKind::NotADirectory => {
            Failure::Failed(format!("{place} is not a folder: name the folder of {FILE_NAME} with --data"))
        }
        _ => Failure::Failed(format!("the server that runs on {place} does not answer: {error}")),
    }
}

/// Words the error of a reply to another kind of request: client and server are of different versions.
fn unexpected(reply: &Reply) -> Failure {
    Failure::Failed(format!("the running server gave an answer that this version does not know: {reply:?}"))
}

/// Words the problems of a request for the command line.
fn describe(problems: Vec<Problem>) -> String {
    let pair = |Problem { field, problem }| (field, problem);
    problems_told(problems.into_iter().map(pair).collect(), flag_of)
}

/// Words problems, each with the flag that `flag_of` makes of the API's field.
fn problems_told(problems: Vec<(String, String)>, flag_of: impl Fn(&str) -> Option<String>) -> String {
    let mut told = Problems::default();
    for (field, problem) in problems {
        told.note(sentence(flag_of(&field).as_deref(), &field, &problem));
    }
    told.to_string()
}

/// Words a problem as a sentence about a flag, or about an argument without one.
///
/// The API's problem is either the predicate of a sentence ("must be a zone"), which follows the flag's name, or a
/// sentence by itself ("there is no list x").
fn sentence(flag: Option<&str>, field: &str, problem: &str) -> String {
    const VERBS: [&str; 9] = ["must ", "may ", "has ", "have ", "is ", "are ", "names ", "needs ", "cannot "];
    let goes_on = |text: &str| VERBS.iter().any(|verb| text.starts_with(verb));
    // `fly: must be one of` is about one of several values.
    if let (Some(flag), Some((value, rest))) = (flag, problem.split_once(": "))
        && goes_on(rest)
        && !goes_on(problem)
    {
        return format!("{flag} {value:?} {rest}");
    }
    match flag {
        Some(flag) if goes_on(problem) => format!("{flag} {problem}"),
        Some(flag) => format!("{flag}: {problem}"),
        None if goes_on(problem) => format!("the {} {problem}", noun_of(field)),
        None => problem.to_owned(),
    }
}

/// The noun for a field that has no flag.
fn noun_of(field: &str) -> String {
    match field {
        "username" | "emails" => "address".to_owned(),
        field => field.replace('_', " "),
    }
}

/// The flag of a request's field; `None` for an argument without a flag.
fn flag_of(field: &str) -> Option<String> {
    let flag = match field {
        "name" | "message" | "id" | "username" | "api" | "account" | "emails" | "contact" => return None,
        "administrator" => "admin".to_owned(),
        "domains" => "domain".to_owned(),
        "permissions" => "permission".to_owned(),
        "notifications" => "notification".to_owned(),
        "limit_lists" => "limit-list".to_owned(),
        "limit_metadata" => "limit-field".to_owned(),
        field => field.replace('_', "-"),
    };
    Some(format!("--{flag}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_told_as_a_sentence() {
        for (flag, field, problem, expected) in [
            (Some("--timezone"), "timezone", "must be a zone", "--timezone must be a zone"),
            (Some("--limit-list"), "limit_lists", "there is no list x", "--limit-list: there is no list x"),
            (
                Some("--permission"),
                "permissions",
                "fly: must be one of a, b",
                "--permission \"fly\" must be one of a, b",
            ),
            (None, "name", "another list has this name", "another list has this name"),
            (None, "username", "must be one address", "the address must be one address"),
        ] {
            assert_eq!(sentence(flag, field, problem), expected);
        }
    }
}
