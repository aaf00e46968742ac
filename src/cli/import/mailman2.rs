//! `crier import mailman2`: brings lists of Mailman 2 in, with their settings, people and archives.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::lists::{self, ListsArgs};
use crate::cli::Failure;
use crate::cli::terminal::tell;
use crate::sources::mailman2;

pub(super) const AFTER_HELP: &str = "\
A PATH is a config.pck, the folder of a list (lists/NAME), or the folder that has lists and archives, often \
/var/lib/mailman. The file is read without executing anything of it. Passwords are dropped.

--settings shows what each setting becomes, and imports nothing. --dry-run says what an import would do. Members keep \
digests and pauses; addresses at which mail failed are probed later. Addresses in ban_list are kept off the list. The \
mailbox in archives/private/LIST.mbox is imported as well, and links to old pages lead here. What has no place here is \
named at the end.

Nobody is mailed. A list that is there already keeps its settings and gets the people who are missing, so an import \
that was cut short is finished by running it again. Whoever left a list here is not added to it.";

/// The flags of `import mailman2` as they are typed.
#[derive(Debug, Args)]
pub(in crate::cli) struct Mailman2Args {
    #[command(flatten)]
    lists: ListsArgs,
    /// Files and folders of lists
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
}

impl Mailman2Args {
    pub(super) fn of(lists: ListsArgs, paths: Vec<PathBuf>) -> Mailman2Args {
        Mailman2Args { lists, paths }
    }
}

/// Runs the command.
pub(super) fn run(args: Mailman2Args) -> Result<ExitCode, Failure> {
    let Mailman2Args { lists, paths } = args;
    let mut found = Vec::new();
    for path in &paths {
        found.extend(mailman2::find(path).map_err(Failure::failed)?);
    }
    let is_named = |config: &mailman2::FoundList| config.is_own && !lists.names("mailman");
    if 1 < found.len() && found.iter().any(is_named) {
        found.retain(|config| !is_named(config));
        tell("the list mailman is passed over: Mailman needs it for itself; --list mailman takes it");
    }
    let read = found.iter().map(|found| mailman2::read(found, lists.charset()).map_err(Failure::failed));
    let read = read.collect::<Result<Vec<_>, Failure>>()?;
    lists::take(lists, read)
}
