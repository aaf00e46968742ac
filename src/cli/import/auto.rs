//! `crier import auto`: looks at files and folders, says what they are and how that was recognised, and goes on as the
//! command for their kind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::common::CommonArgs;
use super::contacts::{self, ContactsArgs};
use super::lists::ListsArgs;
use super::mailman2::{self, Mailman2Args};
use super::mbox::{self, MboxArgs};
use super::sheet::SheetSource;
use super::sources::Sources;
use crate::cli::Failure;
use crate::cli::terminal::tell;
use crate::control::import::{Origin, names_addresses};
use crate::sources;

pub(super) const AFTER_HELP: &str = "\
Known are tables of people (CSV, JSON and zip, also those of hosted services), archives (mbox, Maildir, pipermail, \
Google Takeout, zip), and lists of Mailman 2. Lists of Sympa and mlmmj are recognised, but cannot be read as a whole \
yet. What could be several kinds, or none, is not imported: the command ends and names the kinds to choose from.

Flags that one kind alone has are given to its own command.";

/// The flags of `import auto` as they are typed.
#[derive(Debug, Args)]
pub(in crate::cli) struct AutoArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Files and folders of one kind
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// List that people join, or whose archive takes the messages
    #[arg(long, env = "CRIER_LIST", value_name = "LIST")]
    list: Option<String>,
}

/// The kinds of sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Contacts,
    Mbox,
    Mailman2,
    Sympa,
    Mlmmj,
}

impl Kind {
    /// Its name for people.
    fn noun(self) -> &'static str {
        match self {
            Kind::Contacts => "a table of people",
            Kind::Mbox => "an archive of messages",
            Kind::Mailman2 => "a list of Mailman 2",
            Kind::Sympa => "a list of Sympa",
            Kind::Mlmmj => "a list of mlmmj",
        }
    }
}

/// Runs the command.
pub(super) fn run(args: AutoArgs) -> Result<ExitCode, Failure> {
    let AutoArgs { common, paths, list } = args;
    let mut kind = None;
    for path in &paths {
        let (found, how) = look_at(path)?;
        tell(format_args!("{} is {}: {how}", path.display(), found.noun()));
        if kind.is_some_and(|kind| kind != found) {
            let problem = "these are of different kinds: import each kind by a command of its own";
            return Err(Failure::Failed(problem.to_owned()));
        }
        kind = Some(found);
    }
    match kind {
        None => Ok(ExitCode::SUCCESS),
        Some(Kind::Contacts) => {
            let [path] = paths.as_slice() else {
                let problem = "crier import contacts takes one table of people at a time: name one of them";
                return Err(Failure::Failed(problem.to_owned()));
            };
            contacts::run(ContactsArgs::of(common, path.clone(), list.into_iter().collect()))
        }
        Some(Kind::Mbox) => {
            let problem = "the list is missing whose archive takes the messages: add --list LIST";
            let list = list.ok_or_else(|| Failure::Failed(problem.to_owned()))?;
            mbox::run(MboxArgs::of(common, paths, list))
        }
        Some(Kind::Mailman2) => {
            let lists = ListsArgs::of(common, list.into_iter().collect());
            mailman2::run(Mailman2Args::of(lists, paths))
        }
        Some(kind @ (Kind::Sympa | Kind::Mlmmj)) => Err(Failure::Failed(format!(
            "{} cannot be read as a whole yet: write its members into a file, one address a line or as CSV, for \
             crier import contacts, and give its archive to crier import mbox",
            kind.noun()
        ))),
    }
}

/// The kind of what stands at a path, and how it was recognised.
fn look_at(path: &Path) -> Result<(Kind, String), Failure> {
    let failed = |reason: String| Failure::Failed(format!("{}: {reason}", path.display()));
    let metadata = fs::metadata(path).map_err(|error| failed(format!("it cannot be read: {error}")))?;
    if let Some(known) = list_server(path, metadata.is_dir()) {
        return Ok(known);
    }
    let mailboxes = Sources::find(&[path.to_owned()]);
    let archive = (!mailboxes.all.is_empty()).then(|| match mailboxes.groups().as_slice() {
        [] => format!("it has {}", count(mailboxes.all.len(), "mailbox", "mailboxes")),
        groups => format!("it has the folder of a group of Google ({})", groups.join(", ")),
    });
    let table = if metadata.is_dir() { None } else { table(path) };
    match (archive, table) {
        (Some(how), None) => Ok((Kind::Mbox, how)),
        (None, Some(how)) => Ok((Kind::Contacts, how)),
        (Some(archive), Some(table)) => Err(failed(format!(
            "this can be {} ({archive}) or {} ({table}): say which by crier import mbox or crier import contacts",
            Kind::Mbox.noun(),
            Kind::Contacts.noun(),
        ))),
        (None, None) => {
            let (people, mails) = (Kind::Contacts.noun(), Kind::Mbox.noun());
            Err(failed(format!(
                "it is not known what this is; choose one of crier import contacts ({people}), crier import mbox ({mails})"
            )))
        }
    }
}

fn count(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

/// The list server whose list this is.
fn list_server(path: &Path, is_folder: bool) -> Option<(Kind, String)> {
    let has = |name: &str| path.join(name).exists();
    let known = |kind, how: &str| Some((kind, how.to_owned()));
    match () {
        () if is_folder && has("config.pck") => {
            known(Kind::Mailman2, "it has the settings of a list, config.pck")
        }
        () if !is_folder && path.file_name().is_some_and(|name| name == "config.pck") => {
            known(Kind::Mailman2, "config.pck has the settings of a list")
        }
        () if is_folder && sources::mailman2::is_here(path) => {
            known(Kind::Mailman2, "it has folders of lists with their settings, config.pck")
        }
        () if is_folder && has("subscribers.d") && has("control") => {
            known(Kind::Mlmmj, "it has the folders subscribers.d and control")
        }
        () if is_folder && has("config") && (has("member.dump") || has("subscribers.db.dump")) => {
            known(Kind::Sympa, "it has the settings and the dump of a list's members")
        }
        () => None,
    }
}

/// How a table of people was recognised; `None` if it is none.
fn table(path: &Path) -> Option<String> {
    let mut found = None;
    for source in SheetSource::find(path).ok()? {
        let columns = source.open().ok()?.columns();
        if let Some(origin) = Origin::of(&columns) {
            return Some(format!("its columns are those of {}", origin.name()));
        }
        found =
            found.or_else(|| names_addresses(&columns).then(|| "it has a column of addresses".to_owned()));
    }
    found
}
