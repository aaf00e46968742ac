//! Reaches the data: asks the server that runs on the data folder, or opens the file of a stopped one.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use super::folder;
use super::sentences::{describe, flag_of, problems_told};
use super::terminal::{Patient, tell};
use crate::app;
use crate::control::client::{self, Asked, SOCKET_NAME};
use crate::control::execute::execute;
use crate::control::host::Host;
use crate::control::{Reply, Request};
use crate::migrate::FILE_NAME;

/// The settings of the service that a package installs.
pub(super) const ENVIRONMENT_FILE: &str = "/etc/crier/crier.env";

/// Where the data file is.
#[derive(Debug, Args)]
pub(super) struct DataArgs {
    /// Folder of crier.redb, the one data file
    #[arg(long, env = "CRIER_DATA", value_name = "DIR", default_value = "/var/lib/crier")]
    pub(super) data: PathBuf,
}

/// Whether a command may create a missing data file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Absent {
    Create,
    Refuse,
}

/// Has a request carried out by the server that runs on the data folder, else on the store itself. A reply that
/// refuses it is an error.
pub(super) fn perform(data_dir: &Path, request: &Request, absent: Absent) -> Result<Reply, Failure> {
    told(carry_out(data_dir, request, absent)?)
}

/// Has a request carried out; a reply that refuses it is returned as any other.
pub(super) fn carry_out(data_dir: &Path, request: &Request, absent: Absent) -> Result<Reply, Failure> {
    let command = request.clone().parse().map_err(|problems| Failure::Usage(describe(problems)))?;
    let progress = Patient::start();
    // What is checked in a moment needs no lines about how far it is.
    let is_quick = matches!(request, Request::Verify);
    let told = |text: &str| if is_quick { progress.tell(text) } else { tell(text) };
    let asked = client::ask(data_dir, request, &mut |text| told(&text));
    match asked.map_err(|error| unreachable(data_dir, &error))? {
        Asked::Server(reply) => Ok(reply),
        Asked::Nobody => {
            let File { host, runtime } = open_file(data_dir, absent)?;
            // The API's work is asynchronous.
            let _inside = runtime.enter();
            let reply = execute(&host, command, &mut |text| told(&text));
            host.core.store.close_blocking();
            Ok(reply)
        }
    }
}

/// The open store of a stopped server, and the runtime for its work.
pub(super) struct File {
    pub(super) host: Host,
    pub(super) runtime: tokio::runtime::Runtime,
}

/// Opens the store of a stopped server.
pub(super) fn open_file(data_dir: &Path, absent: Absent) -> Result<File, Failure> {
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
pub(super) fn told(reply: Reply) -> Result<Reply, Failure> {
    match reply {
        Reply::Invalid { problems } => Err(Failure::Failed(problems_told(problems, flag_of))),
        Reply::Missing { text } | Reply::Failed { text } => Err(Failure::Failed(text)),
        other => Ok(other),
    }
}

/// Words the error of a server that runs, or may run, and cannot be reached.
pub(super) fn unreachable(data_dir: &Path, error: &std::io::Error) -> Failure {
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
pub(super) fn unexpected(reply: &Reply) -> Failure {
    Failure::Failed(format!("the running server gave an answer that this version does not know: {reply:?}"))
}
