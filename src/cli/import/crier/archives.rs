//! Brings the archives of an export in, each into the list after which it is named.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::{Count, Run};
use crate::cli::Failure;
use crate::cli::import::mbox;
use crate::cli::import::sources::Sources;
use crate::control::export::{ARCHIVE_ENDING, ARCHIVES_FOLDER};
use crate::control::import::mails::MailsRequest;
use crate::mail::mbox::Quoting;

impl Run {
    /// Brings the archives in. In a dry run the messages of lists that are coming are only counted.
    pub(super) fn archives(
        &mut self,
        directory: &Path,
        lists: &[Map<String, Value>],
        coming: &[String],
    ) -> Result<(), Failure> {
        for list in lists {
            let name = list.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
            let file = format!("{ARCHIVES_FOLDER}/{name}{ARCHIVE_ENDING}");
            let path = directory.join(&file);
            let found = path.metadata().map_err(|error| {
                Failure::Failed(format!(
                    "the export is not whole: {} cannot be read: {error}",
                    path.display()
                ))
            })?;
            if found.len() == 0 {
                continue;
            }
            let is_coming = self.is_rehearsed && coming.contains(&name);
            self.archive(path, Quoting::Mboxrd, &name, (is_coming, true))?;
        }
        Ok(())
    }

    /// Brings a mailbox, or a folder of them, into the archive of a list. If the list is only coming, its messages are
    /// counted. The times of the mailbox are those of the messages if it is dated.
    pub(in crate::cli::import) fn archive(
        &mut self,
        path: PathBuf,
        quoting: Quoting,
        list: &str,
        (is_coming, is_dated): (bool, bool),
    ) -> Result<(), Failure> {
        let sources = Sources::find(&[path]);
        if !sources.problems.is_empty() {
            return Err(Failure::Failed(sources.problems.join("\n")));
        }
        let [created, skipped, rejected] = if is_coming {
            mbox::count(&sources, quoting)?
        } else {
            let request = MailsRequest {
                account: self.account.clone(),
                list: list.to_owned(),
                dry_run: self.is_rehearsed,
                is_dated,
            };
            mbox::take(self.reached.mails(&request)?, &sources, quoting, &mut self.report)?
        };
        let all = &mut self.summary.messages;
        *all = Count {
            created: all.created + created,
            skipped: all.skipped + skipped,
            rejected: all.rejected + rejected,
        };
        Ok(())
    }
}
