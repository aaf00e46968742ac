//! `crier import mlmmj` and `crier import sympa`: lists that other list servers keep as folders of files.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::lists::{self, ListsArgs};
use crate::cli::Failure;
use crate::cli::terminal::tell;
use crate::clock::Clock;
use crate::sources::{self, SourceList, mlmmj, sympa};

pub(super) const MLMMJ_AFTER_HELP: &str = "\
FOLDER is a list, such as /var/spool/mlmmj/choir, or has all lists, such as /var/spool/mlmmj. Lists come with their \
settings, members, digests and archives. Whoever gets no mail there is paused here, addresses that bounced are paused \
as bouncing, and requests that wait are named. --settings shows what each file of control becomes. Rules of access \
that refuse become patterns that hold; where that cannot be said, every message of the list is held.

Nobody is mailed. What is here already stays as it is, and running it again adds nothing twice.";

pub(super) const SYMPA_AFTER_HELP: &str = "\
FOLDER is a list, such as /var/lib/sympa/list_data/lists.example.org/choir, or has all lists. Sympa keeps members in \
its database: have it write them first, with

  sympa dump --roles=member,owner,editor '*'

(before Sympa 6.2.31: sympa.pl --dump=ALL). Lists come with their settings, members, digests, holidays and bounces, and \
with the archive in arc/LIST@HOST, whose old links lead here. Scenarios are understood by their names; one of your own \
becomes what opens least, and is named. --settings shows what each setting becomes. Addresses in a file called exclude \
beside the dump, one a line, are kept off the list: Sympa has them in its table exclusion_table.

Nobody is mailed. What is here already stays as it is, and running it again adds nothing twice.";

/// The flags of `import mlmmj` and `import sympa` as they are typed.
#[derive(Debug, Args)]
pub(in crate::cli) struct ListFoldersArgs {
    #[command(flatten)]
    lists: ListsArgs,
    /// Folder of a list, or of all lists; may be repeated
    #[arg(value_name = "FOLDER", required = true)]
    folders: Vec<PathBuf>,
}

impl ListFoldersArgs {
    /// The flags for folders of which only the common flags were typed.
    pub(super) fn of(lists: ListsArgs, folders: Vec<PathBuf>) -> ListFoldersArgs {
        ListFoldersArgs { lists, folders }
    }
}

/// The list server whose folders are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Program {
    /// mlmmj.
    Mlmmj,
    /// Sympa.
    Sympa,
}

/// Runs the command.
pub(super) fn run(program: Program, args: ListFoldersArgs) -> Result<ExitCode, Failure> {
    let ListFoldersArgs { lists, folders } = args;
    let charset = sources::charset(lists.charset()).map_err(Failure::Usage)?;
    let now = Clock::system().now();
    let read = |path: &Path| match program {
        Program::Mlmmj => mlmmj::read(path, charset),
        Program::Sympa => sympa::read(path, charset, now),
    };
    let (mut found, mut problems): (Vec<SourceList>, Vec<String>) = (Vec::new(), Vec::new());
    for folder in &folders {
        let all = match program {
            Program::Mlmmj => mlmmj::folders(folder),
            Program::Sympa => sympa::folders(folder),
        };
        for path in all.map_err(Failure::Failed)? {
            match read(&path) {
                Ok(list) => found.push(list),
                Err(problem) => problems.push(problem),
            }
        }
    }
    // Whoever names lists may want those alone that can be read.
    if lists.names_lists() {
        problems.drain(..).for_each(|problem| tell(format_args!("passed over: {problem}")));
    }
    if !problems.is_empty() {
        return Err(Failure::Failed(problems.join("\n")));
    }
    lists::take(lists, found)
}
