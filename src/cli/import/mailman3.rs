//! `crier import mailman3`: takes lists over from a running Mailman 3, by the REST API of its core.

use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use data_encoding::BASE64;

use super::lists::{self, ListsArgs};
use super::progress::Progress;
use crate::cli::Failure;
use crate::cli::terminal::tell;
use crate::cli::values::{Problems, parse_secret_file};
use crate::remote::client::{Remote, RemoteError, base_of};
use crate::remote::mailman3;
use crate::sources::mailman3::list_of;

pub(super) const AFTER_HELP: &str = "\
URL is the REST API of Mailman's core with its version, such as http://127.0.0.1:8001/3.1; user and password stand in \
mailman.cfg under [webservice]. Mailman listens on its own machine alone: run this there, or through ssh -L \
8001:127.0.0.1:8001 old.example. Nothing is written there.

Lists come with their settings and the people who are on them: digests, pauses, bounces, bans. Who asked to join and was \
not let in yet is no member. --settings shows what each setting becomes, and --administrators makes owners and \
moderators administrators. Nobody is mailed. What has no place here is named, with the number of people whom it \
concerns. The archive is in HyperKitty, whose mailbox crier import mbox takes.

An import that was cut short is finished by running it again.";

/// The flags of `import mailman3` as they are typed.
#[derive(Debug, Args)]
pub(in crate::cli) struct Mailman3Args {
    #[command(flatten)]
    lists: ListsArgs,
    /// Address of the REST API, such as `http://127.0.0.1:8001/3.1`
    #[arg(value_name = "URL")]
    url: String,
    /// User of the REST API
    #[arg(long, env = "CRIER_USER", value_name = "NAME", default_value = "restadmin")]
    user: String,
    /// File that holds the password of the user
    #[arg(long, env = "CRIER_PASSWORD_FILE", value_name = "FILE", required = true)]
    password_file: String,
}

/// Runs the command.
pub(super) fn run(args: Mailman3Args) -> Result<ExitCode, Failure> {
    let Mailman3Args { lists, url, user, password_file } = args;
    let mut problems = Problems::default();
    let base = problems.read("URL", &url, base_of);
    let password =
        problems.read("--password-file", &password_file, |file: &str| parse_secret_file(file, None));
    let (Some(base), Some(password)) = (base, password) else { return Err(problems.into()) };
    let authorization = format!("Basic {}", BASE64.encode(format!("{user}:{password}").as_bytes()));
    let remote = Arc::new(Remote::new(base, authorization, |text| tell(text)).map_err(Failure::failed)?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Failure::failed)?;
    let all = runtime.block_on(mailman3::lists(&remote)).map_err(unread)?;
    // The only list that there is may be called by a name that it has not yet.
    let is_only = all.len() == 1;
    if !is_only && !all.iter().any(|(_, address)| lists.wants(address)) {
        let addresses: Vec<String> = all.into_iter().map(|(_, address)| address).collect();
        return Err(Failure::Failed(format!("there is no such list; there are {}", addresses.join(", "))));
    }
    let mut found = Vec::new();
    for (id, address) in all.into_iter().filter(|(_, address)| is_only || lists.wants(address)) {
        let mut progress = Progress::start("members", None);
        progress.tell(&format!("Reading {address}"));
        let mut show = |members| progress.at(0, members);
        let read = runtime.block_on(mailman3::read(&remote, &id, &mut show)).map_err(unread);
        progress.finish();
        found.push(list_of(&read?));
    }
    lists::take(lists, found)
}

/// Words the error of Mailman.
#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
fn unread(error: RemoteError) -> Failure {
    let hint = match error.status() {
        Some(401) => ". Are user and password those under [webservice] in mailman.cfg?",
        Some(404) => ". The address ends with a version of the API, such as /3.1",
        _ => "",
    };
    Failure::Failed(format!("{error}{hint}"))
}
