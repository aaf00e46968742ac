//! `crier import server`: takes an account over from another server of this API, while that one runs.
//!
//! Lists come first, then people with their memberships, aliases, administrators and the messages of the archives. What
//! is there already stays as it is, so an import that was cut short is finished by running it again. Nothing is written
//! at the other server, and nobody is mailed.

mod messages;
mod objects;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use serde_json::Value;

use super::common::CommonArgs;
use super::crier::{Reached, Run, print};
use super::report::ImportReport;
use crate::cli::Failure;
use crate::cli::terminal::{say, tell};
use crate::cli::values::{Problems, parse_secret_file};
use crate::clock::{Clock, Timestamp};
use crate::remote::client::{Remote, RemoteError, base_of};
use crate::remote::listing::Object;

pub(super) const AFTER_HELP: &str = "\
URL is the address of another server of this API, where /api/2/ begins. The file holds a key of the account there, with \
the permission account_admin; nothing is written there. With --account-id the settings of the account come, too.

Lists come with their settings, people with their addresses, memberships, digests and pauses, aliases, administrators, \
and the messages of the archives, whole where the server gives them whole. Lists that are there already keep their \
settings, and whoever left a list here is not added to it. What the API does not tell is named at the end: who opted \
out there, the passwords of archives, what waits for approval.

The server counts requests by the hour. When it says that there were too many, the import waits as long as it says, and \
goes on. Nobody is mailed: administrators get no link to choose a password, which crier admin link makes. An import that \
was cut short is finished by running it again.";

/// The flags of `import server` as they are typed.
#[derive(Debug, Args)]
pub(in crate::cli) struct ServerArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Address of the other server, such as `https://lists.example.org`
    #[arg(value_name = "URL")]
    url: String,
    /// File that holds a key of the account there
    #[arg(long, env = "CRIER_KEY_FILE", value_name = "FILE", required = true)]
    key_file: String,
    /// Take this list alone, with its members; may be repeated
    #[arg(long = "list", env = "CRIER_LIST", value_name = "LIST", value_delimiter = ',')]
    lists: Vec<String>,
    /// Number of the account there: a global key needs it, and any key for the settings of the account
    #[arg(long, env = "CRIER_ACCOUNT_ID", value_name = "ID")]
    account_id: Option<u64>,
}

/// Runs the command.
pub(super) fn run(args: ServerArgs) -> Result<ExitCode, Failure> {
    let ServerArgs { common, url, key_file, lists, account_id } = args;
    let CommonArgs { data, account, dry_run, report, json } = common;
    let mut problems = Problems::default();
    let base = problems.read("URL", &url, base_of);
    let key = problems.read("--key-file", &key_file, |file: &str| parse_secret_file(file, None));
    let (Some(base), Some(key)) = (base, key) else { return Err(problems.into()) };
    let remote = Remote::new(base, format!("Bearer {key}"), |text| tell(text)).map_err(Failure::failed)?;
    let remote = match account_id {
        Some(id) => remote.with_parameter("account_id", id),
        None => remote,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Failure::failed)?;
    let report = report.map(|path| ImportReport::create(&path)).transpose()?;
    let mut run = Run::new(Reached::open(&data.data)?, account.name(), report, dry_run);
    run.is_foreign = true;
    let now = Clock::system().now();
    let mut import = ServerImport {
        remote: Arc::new(remote),
        runtime,
        run,
        lists,
        account_id,
        now,
        left: BTreeMap::new(),
    };
    let done = import.all();
    let ServerImport { run: Run { reached, report, summary, .. }, left, .. } = import;
    reached.close();
    report.map_or(Ok(()), ImportReport::finish)?;
    done?;
    if !json {
        for (what, (count, instead)) in &left {
            say(format_args!("Not taken: {count} {what}. {instead}"));
        }
    }
    print(&summary, json)
}

/// An import in progress.
struct ServerImport {
    remote: Arc<Remote>,
    runtime: tokio::runtime::Runtime,
    run: Run,
    /// The only lists that are taken; all if none is named.
    lists: Vec<String>,
    account_id: Option<u64>,
    now: Timestamp,
    /// What is not taken, with how many there are of it, and what is to be done instead.
    left: BTreeMap<String, (u64, &'static str)>,
}

impl ServerImport {
    fn all(&mut self) -> Result<(), Failure> {
        let lists = self.read_lists()?;
        let coming = self.run.lists(&lists)?;
        let names: Vec<String> = lists.iter().map(name_of).collect();
        self.people(&names, &coming)?;
        if self.is_whole() {
            let aliases = self.kept("aliases")?;
            self.run.aliases(aliases)?;
            self.admins()?;
        }
        for list in &names {
            self.messages(list, coming.contains(list))?;
        }
        if self.is_whole() {
            self.settings()?;
        }
        self.name_the_rest(&lists);
        for (what, (count, instead)) in &self.left {
            self.run.note(self.remote.base(), what, "not taken", &format!("{count}: {instead}"))?;
        }
        Ok(())
    }

    /// Whether the whole account is taken.
    fn is_whole(&self) -> bool {
        self.lists.is_empty()
    }

    fn is_taken(&self, list: &str) -> bool {
        self.is_whole() || self.lists.iter().any(|name| name.eq_ignore_ascii_case(list))
    }

    fn leave(&mut self, what: &str, count: u64, instead: &'static str) {
        if 0 < count {
            self.left.entry(what.to_owned()).or_insert((0, instead)).0 += count;
        }
    }
}

/// The name of a list.
fn name_of(list: &Object) -> String {
    list.get("name").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Words the error of the other server.
#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
fn unread(error: RemoteError) -> Failure {
    let hint = match error.status() {
        Some(401) => ". Is the key right, not expired, and allowed from this machine's address?",
        Some(403) => ". The key needs the permission account_admin",
        Some(404) => ". Is this the address of a server of this API?",
        _ => ". What was taken stays; run the command again to go on",
    };
    Failure::Failed(format!("{error}{hint}"))
}
