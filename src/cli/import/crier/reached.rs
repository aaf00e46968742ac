//! The data that an import of many requests works on: the server that runs, or the file of a stopped one, which stays
//! open meanwhile.

use std::path::{Path, PathBuf};

use crate::cli::import::words::{cut_short, refusal_of};
use crate::cli::sentences::describe;
use crate::cli::terminal::tell;
use crate::cli::{Absent, Failure, File, open_file, unreachable};
use crate::control::client::{self, Asked};
use crate::control::execute::execute;
use crate::control::import::mail_carrier::MailCarrier;
use crate::control::import::mails::MailsRequest;
use crate::control::{Reply, Request};

/// Where requests are carried out.
pub(in crate::cli::import) struct Reached {
    data_dir: PathBuf,
    /// The file; `None` if a server has it.
    file: Option<File>,
}

impl Reached {
    pub(in crate::cli::import) fn open(data_dir: &Path) -> Result<Reached, Failure> {
        let file =
            if client::is_running(data_dir) { None } else { Some(open_file(data_dir, Absent::Refuse)?) };
        Ok(Reached { data_dir: data_dir.to_owned(), file })
    }

    /// Has a request carried out; a reply that refuses it is returned as any other.
    pub(in crate::cli::import) fn ask(&self, request: Request) -> Result<Reply, Failure> {
        let progress = &mut |text: String| tell(&text);
        if let Some(File { host, runtime }) = &self.file {
            let command = request.parse().map_err(|problems| Failure::Failed(describe(problems)))?;
            // The API's work is asynchronous.
            let _inside = runtime.enter();
            return Ok(execute(host, command, progress));
        }
        let asked = client::ask(&self.data_dir, &request, progress);
        match asked.map_err(|error| unreachable(&self.data_dir, &error))? {
            Asked::Server(reply) => Ok(reply),
            Asked::Nobody => Err(cut_short("the server was stopped")),
        }
    }

    /// Begins an import of messages.
    pub(in crate::cli::import) fn mails(&self, request: &MailsRequest) -> Result<MailCarrier, Failure> {
        let begun = if let Some(File { host, .. }) = &self.file {
            let runtime = tokio::runtime::Runtime::new().map_err(Failure::failed)?;
            MailCarrier::to_file(host, request, runtime)
        } else {
            let begun = MailCarrier::to_server(&self.data_dir, request);
            let begun = begun.map_err(|error| unreachable(&self.data_dir, &error))?;
            begun.ok_or_else(|| cut_short("the server was stopped"))?
        };
        let (carrier, _) = begun.map_err(|refusal| refusal_of(*refusal))?;
        Ok(carrier)
    }

    /// Closes the file.
    pub(in crate::cli::import) fn close(self) {
        if let Some(File { host, runtime: _ }) = self.file {
            host.core.store.close_blocking();
        }
    }
}
