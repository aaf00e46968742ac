//! Imports of contacts: reads rows, and has [`service::rows`](crate::service::rows) take them in.
//!
//! Through the socket an import is one request, then frames of rows, each answered with its results, in order. A few
//! frames are in progress at a time: the rows of one become durable while the next is read. `socket` calls it in a
//! server, `carrier` on the store of a stopped one.

pub mod mail_carrier;
mod mail_stream;
pub mod mails;
pub mod put_back;

use std::collections::HashSet;
use std::future::Future;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::CommandError;
use super::host::{Host, find_account};
use crate::clock::Timestamp;
use crate::model::Account;
use crate::ops::people::contacts::ContactInput;
use crate::ops::people::imports::{self, Counts, Existing, Row};
use crate::ops::people::refusals::Refusal;
use crate::ops::{Caller, OpError, Wrong};
pub use crate::params::columns::REASON_COLUMN;
use crate::params::columns::{Column, Columns, columns};
use crate::params::people;
pub use crate::params::sheet;
use crate::service::rows::Keeping;
use crate::service::rows::people::{KnownRow, PeopleTaken, Taking};
pub(super) use mail_stream::serve as serve_mails;

/// Most rows of a frame.
pub const ROWS_PER_FRAME: usize = 500;
/// Most frames in progress at a time.
pub const FRAMES_MAX: usize = 4;

/// `crier import contacts`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportRequest {
    /// Name of the account; the server's only one if unset.
    pub account: Option<String>,
    /// The names of the file's columns.
    pub columns: Vec<String>,
    /// Lists that every contact joins, beside those of its row.
    pub lists: Vec<String>,
    /// The treatment of contacts that exist already.
    pub existing: Existing,
    /// Whether rows are only checked and nothing is stored.
    pub dry_run: bool,
    /// Whether unknown columns are ignored; otherwise they are an error.
    pub ignore_unknown: bool,
    /// Whether people are added who opted out of a list.
    pub override_opt_out: bool,
}

/// One row: the line on which it begins, and its cells.
pub type ImportRow = (u64, Vec<String>);

/// Rows that are sent together; an empty frame ends the import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// At most [`ROWS_PER_FRAME`].
    pub rows: Vec<ImportRow>,
}

/// The results of the rows of a frame.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameReply {
    /// Contacts that were made.
    pub created: u64,
    /// Contacts that were changed.
    pub updated: u64,
    /// Rows that left everything as it is.
    pub skipped: u64,
    /// Rows that were refused: their lines and the reasons.
    pub rejected: Vec<(u64, String)>,
    /// Those of them that were refused because the person opted out.
    pub opted_out: u64,
    /// Size of the address book, if a row found it full.
    pub full: Option<u64>,
}

/// An import in progress.
#[derive(Debug)]
pub struct Import {
    host: Host,
    account: Account,
    caller: Arc<Caller>,
    columns: Vec<Column>,
    /// Names of the columns that are ignored.
    ignored: Vec<String>,
    lists: Vec<String>,
    existing: Existing,
    overrides_opt_out: bool,
    now: Timestamp,
    /// In a dry run, the addresses of the rows so far, none of which is stored.
    rehearsed: Option<HashSet<String>>,
}

impl Import {
    /// Begins an import after checking everything that can be wrong before the first row.
    pub(super) fn begin(host: &Host, request: &ImportRequest) -> Result<Import, CommandError> {
        let tx = host.core.store.read()?;
        let account = find_account(&tx, request.account.as_deref())?;
        let Columns { columns, ignored } =
            columns(&request.columns, request.ignore_unknown, &account).map_err(CommandError::Told)?;
        for name in &request.lists {
            imports::check_list(&tx, account.id, name)?;
        }
        Ok(Import {
            host: host.clone(),
            caller: Arc::new(Caller::operator(account.id)),
            account,
            columns,
            ignored,
            lists: request.lists.clone(),
            existing: request.existing,
            overrides_opt_out: request.override_opt_out,
            now: host.core.now(),
            rehearsed: request.dry_run.then(HashSet::new),
        })
    }

    /// Names of the columns that are ignored.
    #[must_use]
    pub fn ignored(&self) -> &[String] {
        &self.ignored
    }

    /// Ends it; the file is closed when this returns.
    pub(super) fn close(self) {
        self.host.core.store.close_blocking();
    }

    /// Submits the rows of a frame; the returned future resolves once they are durable.
    pub async fn submit(&mut self, frame: Frame) -> impl Future<Output = FrameReply> + Send + use<> {
        let (mut lines, mut rows) = (Vec::new(), Vec::new());
        for (line, cells) in frame.rows {
            lines.push(line);
            rows.push(match self.person(&cells) {
                Ok(row) if self.is_repeated(&row.contact) => Err(KnownRow::Repeated),
                Ok(row) => Ok(row),
                Err(problem) => Err(KnownRow::Unreadable(problem)),
            });
        }
        let keeping = if self.rehearsed.is_some() { Keeping::Rehearsed } else { Keeping::OneEntry };
        let taking = Taking { keeping, existing: self.existing, now: Some(self.now), undo: None };
        let taken = self.host.core.take_people(&self.caller, taking, rows).await;
        async move { FrameReply::new(&lines, taken.await) }
    }

    /// Whether an earlier row of a dry run had one of these addresses, which a real import would find in the store.
    fn is_repeated(&mut self, input: &ContactInput) -> bool {
        let Some(seen) = &mut self.rehearsed else { return false };
        let addresses = input.emails.iter().flatten().filter_map(|email| email.address.as_ref());
        let mut is_fresh = true;
        for address in addresses {
            is_fresh &= seen.insert(address.folded());
        }
        !is_fresh && self.existing == Existing::Skip
    }

    fn person(&self, cells: &[String]) -> Result<Row, Wrong> {
        people::person(&self.columns, cells, (&self.account, &self.lists), self.overrides_opt_out)
    }
}

impl FrameReply {
    fn new(lines: &[u64], taken: PeopleTaken) -> FrameReply {
        let Counts { created, updated, unchanged, refused: _, opted_out } = taken.counts;
        let mut reply =
            FrameReply { created, updated, skipped: unchanged, opted_out, ..FrameReply::default() };
        for (place, refusal) in taken.refused {
            if let Refusal::Refused(OpError::AddressBookFull { contacts_max }) = &refusal {
                reply.full = Some(*contacts_max);
            }
            reply.rejected.push((lines.get(place).copied().unwrap_or_default(), refusal.to_string()));
        }
        reply
    }
}
