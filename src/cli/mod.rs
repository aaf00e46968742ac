//! The command line: flags as they are typed, their help, and what each command prints.
//!
//! Values come in as texts and are checked by hand, so that everything that is wrong with a command line is
//! told at once; see `values`. Results go to standard output, everything else to standard error. A command
//! ends with 0, with 1 when it failed or found problems, or with 2 when it was not understood; `inject` has codes
//! of its own, which mail servers know.

mod demo;
mod import;
mod inject;
mod logging;
mod manage;
mod serve;
mod setup;
mod simulate;
mod terminal;
mod values;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::app;
use crate::control::execute::{Host, execute};
use crate::control::socket::{self, Asked};
use crate::control::{Reply, Request};
use crate::migrate::FILE_NAME;
use crate::ops::Problem;

use terminal::{complain, tell};
use values::Problems;

/// Shown at the end of `crier --help`.
const AFTER_HELP: &str = "\
Begin with `crier demo`, which needs nothing. A real server is `crier setup`, then `crier serve`.

Every flag can be given in the environment too: --http-listen is CRIER_HTTP_LISTEN.
Commands that change data work on a running server, through a socket in its data folder, and on
the file of a stopped one.";

/// A mailing-list server in one executable: HTTP API, mail in and out, all in one data file.
#[derive(Debug, Parser)]
#[command(name = "crier", version, after_help = AFTER_HELP, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show the whole product on this machine alone: a server with a sample list, and the mail it sends
    Demo(demo::DemoArgs),
    /// Make the first account, with its domain, administrator and API key; print the DNS records it needs
    Setup(setup::SetupArgs),
    /// Run the server until it is told to stop (SIGTERM or Ctrl-C)
    Serve(Box<serve::ServeArgs>),
    /// Make, list, change and delete accounts
    #[command(subcommand)]
    Account(manage::account::AccountCommand),
    /// Give accounts domains, and show the DNS records to publish
    #[command(subcommand)]
    Domain(manage::domain::DomainCommand),
    /// Make, list, change and delete administrators
    #[command(subcommand)]
    Admin(manage::admin::AdminCommand),
    /// Make, list, change and revoke API keys
    #[command(subcommand)]
    Key(manage::key::KeyCommand),
    /// Give contacts fields of their own
    #[command(subcommand)]
    Field(manage::field::FieldCommand),
    /// Import contacts from elsewhere
    #[command(subcommand)]
    Import(import::ImportCommand),
    /// Show what waits to be delivered and why, try it again, hold it or drop it
    #[command(subcommand)]
    Queue(manage::queue::QueueCommand),
    /// Show what the DNS has to say of your domains: what is right there, and what to paste
    Dns(manage::dns::DnsArgs),
    /// Give domains new keys for their DKIM signatures
    #[command(subcommand)]
    Keys(manage::dns::KeysCommand),
    /// Sign the links in mail with a new secret
    #[command(subcommand)]
    Links(manage::links::LinksCommand),
    /// Hand over a message on standard input, as a member would send it; durable once this ends with 0
    Inject(inject::InjectArgs),
    /// Check every invariant of the data file; exit with 1 if something is wrong
    Verify(manage::VerifyArgs),
    /// Say what would become of a message on standard input that is posted to a list; nothing is sent or kept
    Simulate(simulate::SimulateArgs),
}

/// Where the data file is.
#[derive(Debug, Args)]
struct DataArgs {
    /// Folder of crier.redb, the one data file
    #[arg(long, env = "CRIER_DATA", value_name = "DIR", default_value = "/var/lib/crier")]
    data: PathBuf,
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
enum Failure {
    /// It was not understood: exit code 2.
    Usage(String),
    /// It could not be done: exit code 1.
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

/// Runs the command of this process's arguments.
#[must_use]
pub fn run() -> ExitCode {
    let Cli { command } = match Cli::try_parse() {
        Ok(cli) => cli,
        // Mail programs know other codes than people.
        Err(error) if error.use_stderr() && inject::is_meant() => return inject::misunderstood(&error),
        Err(error) => error.exit(),
    };
    let done = match command {
        Command::Demo(args) => demo::run(&args),
        Command::Setup(args) => setup::run(args),
        Command::Serve(args) => serve::run(&args),
        Command::Account(command) => manage::account::run(command),
        Command::Domain(command) => manage::domain::run(command),
        Command::Admin(command) => manage::admin::run(command),
        Command::Key(command) => manage::key::run(command),
        Command::Field(command) => manage::field::run(command),
        Command::Import(command) => import::run(command),
        Command::Queue(command) => manage::queue::run(command),
        Command::Dns(args) => manage::dns::run(args),
        Command::Keys(command) => manage::dns::run_keys(command),
        Command::Links(command) => manage::links::run(command),
        Command::Inject(args) => return inject::run(args),
        Command::Verify(args) => manage::run_verify(&args),
        Command::Simulate(args) => simulate::run(args),
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

/// Whether a command may make a data file where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Absent {
    Create,
    Refuse,
}

/// Has a request carried out: by the server that runs on the data folder, else on the file itself.
fn perform(data_dir: &Path, request: &Request, absent: Absent) -> Result<Reply, Failure> {
    let command = request.clone().parse().map_err(|problems| Failure::Usage(describe(problems)))?;
    let asked = socket::ask(data_dir, request, &mut |text| tell(&text));
    let reply = match asked.map_err(|error| unreachable(data_dir, &error))? {
        Asked::Server(reply) => reply,
        Asked::Nobody => {
            let File { host, runtime } = open_file(data_dir, absent)?;
            // What the API does is asynchronous.
            let _inside = runtime.enter();
            let reply = execute(&host, command, &mut |text| tell(&text));
            host.core.store.close_blocking();
            reply
        }
    };
    told(reply)
}

/// The open file of a server that does not run, and what carries its work.
struct File {
    host: Host,
    runtime: tokio::runtime::Runtime,
}

/// Opens the file of a server that does not run.
fn open_file(data_dir: &Path, absent: Absent) -> Result<File, Failure> {
    if absent == Absent::Refuse && !data_dir.join(FILE_NAME).exists() {
        let place = data_dir.display();
        return Err(Failure::Failed(format!(
            "there is no {FILE_NAME} in {place}: name the folder with --data, or begin with crier setup"
        )));
    }
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::failed)?;
    let host = app::open_stopped(data_dir).map_err(Failure::failed)?;
    Ok(File { host, runtime })
}

/// What was answered, unless that is a refusal.
fn told(reply: Reply) -> Result<Reply, Failure> {
    match reply {
        Reply::Invalid { problems } => {
            let problem = |(field, problem)| Problem { field, problem };
            Err(Failure::Failed(describe(problems.into_iter().map(problem).collect())))
        }
        Reply::Failed { text } => Err(Failure::Failed(text)),
        other => Ok(other),
    }
}

/// A server runs, and does not answer.
fn unreachable(data_dir: &Path, error: &std::io::Error) -> Failure {
    Failure::Failed(format!("the server that runs on {} does not answer: {error}", data_dir.display()))
}

/// An answer that belongs to another request: client and server are of different versions.
fn unexpected(reply: &Reply) -> Failure {
    Failure::Failed(format!("the running server gave an answer that this version does not know: {reply:?}"))
}

/// Problems of a request in the words of the command line.
fn describe(problems: Vec<Problem>) -> String {
    let mut told = Problems::default();
    for Problem { field, problem } in problems {
        told.note(format!("{} {problem}", flag_of(&field)));
    }
    told.to_string()
}

/// What people type for a field of the API.
fn flag_of(field: &str) -> String {
    match field {
        "name" | "message" | "id" => format!("the {field}"),
        "username" => "the address".to_owned(),
        "administrator" => "--admin".to_owned(),
        "domains" => "--domain".to_owned(),
        "permissions" => "--permission".to_owned(),
        "notifications" => "--notification".to_owned(),
        "limit_lists" => "--limit-list".to_owned(),
        "limit_metadata" => "--limit-field".to_owned(),
        field => format!("--{}", field.replace('_', "-")),
    }
}
