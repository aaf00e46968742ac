//! Imports of contacts: reads rows, and has [`service::rows`](crate::service::rows) take them in.
//!
//! Through the socket an import is one request, then frames of rows, each answered with its results, in order. A few
//! frames are in progress at a time: the rows of one become durable while the next is read. `socket` calls it in a
//! server, `carrier` on the store of a stopped one.
//!
//! A list is made the same as a file ([`ImportMode::Synchronize`]) in four steps: rows that are only looked at, a frame
//! in which it is decided whether so many may leave, the rows once more, which are taken in, and frames in which members
//! leave.

pub mod mail_carrier;
mod mail_stream;
pub mod mails;
pub mod put_back;
mod synchronizing;

use std::collections::{BTreeMap, HashSet};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::CommandError;
use super::host::{Host, find_account};
use crate::clock::Timestamp;
use crate::model::{Account, EmailAddress};
use crate::ops::people::contacts::ContactInput;
use crate::ops::people::imports::{self, Counts, Existing, Row};
use crate::ops::people::refusals::Refusal;
use crate::ops::{Caller, OpError, Wrong};
pub use crate::params::columns::REASON_COLUMN;
use crate::params::columns::{Column, Columns, columns};
use crate::params::left_behind::{self, LeftBehind};
pub use crate::params::objects;
pub use crate::params::origins::Origin;
use crate::params::people;
pub use crate::params::sheet;
use crate::service::rows::Keeping;
use crate::service::rows::people::{KnownRow, PeopleTaken, Taking, Work};
pub(super) use mail_stream::serve as serve_mails;
use synchronizing::Synchronizing;

/// Most rows of a frame.
pub const ROWS_PER_FRAME: usize = 500;
/// Most frames in progress at a time.
pub const FRAMES_MAX: usize = 4;
/// Names of what is left behind that a frame counts one by one.
const LEFT_BEHIND_MAX: usize = 300;
/// The name under which the rest of them is counted.
const LEFT_BEHIND_REST: &str = "others";

/// What an import does with its rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportMode {
    /// It takes the people in.
    #[default]
    TakeIn,
    /// It notes that the people opted out elsewhere.
    KeepOut,
    /// It makes the members of the list those of the rows.
    Synchronize {
        /// Whether more members may leave than a fifth.
        is_forced: bool,
    },
}

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
    /// What is done with the rows.
    pub mode: ImportMode,
}

/// Whether one of the columns has addresses.
#[must_use]
pub fn names_addresses(columns: &[String]) -> bool {
    let is_it =
        |name: &String| matches!(Column::of(name, &[], None), Some(Column::Emails | Column::MoreEmails));
    columns.iter().any(is_it)
}

/// One row: the line on which it begins, and its cells.
pub type ImportRow = (u64, Vec<String>);

/// Rows that are sent together; an empty frame ends the import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// At most [`ROWS_PER_FRAME`].
    pub rows: Vec<ImportRow>,
    /// What is done with them; others than the first belong to [`ImportMode::Synchronize`].
    #[serde(default)]
    pub step: FrameStep,
}

/// What is done in a frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FrameStep {
    /// Its rows are taken.
    #[default]
    Take,
    /// Its rows are read, and whom they name is remembered.
    Look,
    /// It is found out who is a member and was not named; more than a fifth of all end the import.
    Decide,
    /// Some of those leave; [`FrameReply::left`] is 0 when all have.
    Leave,
}

/// The result of a frame, once it is durable; or why the import ends.
pub type RowsDone = Pin<Box<dyn Future<Output = Result<FrameReply, String>> + Send>>;

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
    /// Members who left.
    pub left: u64,
    /// What the rows say that has no place here, with the number of people.
    pub left_behind: BTreeMap<String, u64>,
    /// People who have a part in running the list where they come from: line, role, address.
    pub roles: Vec<(u64, String, String)>,
}

/// An import in progress.
#[derive(Debug)]
pub struct Import {
    host: Host,
    account: Account,
    caller: Arc<Caller>,
    columns: Vec<Column>,
    /// Their names.
    names: Vec<String>,
    origin: Option<Origin>,
    lists: Vec<String>,
    existing: Existing,
    overrides_opt_out: bool,
    mode: ImportMode,
    synchronizing: Option<Synchronizing>,
    now: Timestamp,
    /// In a dry run, the addresses of the rows so far, none of which is stored.
    rehearsed: Option<HashSet<String>>,
}

impl Import {
    /// Begins an import after checking everything that can be wrong before the first row.
    pub(super) fn begin(host: &Host, request: &ImportRequest) -> Result<Import, CommandError> {
        let tx = host.core.store.read()?;
        let account = find_account(&tx, request.account.as_deref())?;
        let Columns { columns, origin } =
            columns(&request.columns, request.ignore_unknown, &account).map_err(CommandError::Told)?;
        for name in &request.lists {
            imports::check_list(&tx, account.id, name)?;
        }
        let caller = Arc::new(Caller::operator(account.id));
        let synchronizing = match request.mode {
            ImportMode::Synchronize { is_forced } => {
                Some(Synchronizing::begin(&tx, account.id, &request.lists, is_forced)?)
            }
            ImportMode::TakeIn | ImportMode::KeepOut => None,
        };
        Ok(Import {
            host: host.clone(),
            caller,
            account,
            columns,
            names: request.columns.clone(),
            origin,
            lists: request.lists.clone(),
            existing: request.existing,
            mode: request.mode,
            synchronizing,
            overrides_opt_out: request.override_opt_out,
            now: host.core.now(),
            rehearsed: request.dry_run.then(HashSet::new),
        })
    }

    /// The service or program that the file comes from, if its columns tell.
    #[must_use]
    pub fn origin(&self) -> Option<String> {
        self.origin.map(|origin| origin.name().to_owned())
    }

    /// Ends it; the file is closed when this returns.
    pub(super) fn close(self) {
        self.host.core.store.close_blocking();
    }

    /// Submits a frame; the returned future resolves once its result is durable.
    pub async fn submit(&mut self, frame: Frame) -> RowsDone {
        match frame.step {
            FrameStep::Take => self.take(frame.rows).await,
            FrameStep::Look => {
                let rows: Vec<Row> =
                    frame.rows.iter().filter_map(|(_, cells)| self.person(cells).ok()).collect();
                if let Some(synchronizing) = &mut self.synchronizing {
                    for row in &rows {
                        synchronizing.look(row);
                    }
                }
                ready(Ok(0))
            }
            FrameStep::Decide => match &mut self.synchronizing {
                Some(synchronizing) => ready(synchronizing.decide(&self.host.core).await.map(|()| 0)),
                None => ready(Ok(0)),
            },
            FrameStep::Leave => match &mut self.synchronizing {
                Some(synchronizing) => {
                    let is_dry_run = self.rehearsed.is_some();
                    ready(synchronizing.leave(&self.host.core, &self.caller, is_dry_run).await)
                }
                None => ready(Ok(0)),
            },
        }
    }

    async fn take(&mut self, frame: Vec<ImportRow>) -> RowsDone {
        let (mut lines, mut rows, mut left_behind) = (Vec::new(), Vec::new(), Vec::new());
        for (line, cells) in frame {
            lines.push(line);
            let row = self.person(&cells);
            let left = if self.mode == ImportMode::KeepOut {
                LeftBehind::default()
            } else {
                left_behind::of_row(&self.columns, &self.names, &cells, &self.account.custom_fields)
            };
            left_behind.push((left, row.as_ref().map(address_of).unwrap_or_default()));
            rows.push(match row {
                Ok(row) if self.is_repeated(&row.contact) => Err(KnownRow::Repeated),
                Ok(row) => Ok(row),
                Err(problem) => Err(KnownRow::Unreadable(problem)),
            });
        }
        let is_dry_run = self.rehearsed.is_some();
        let (work, kept) = match self.mode {
            ImportMode::TakeIn => (Work::TakeIn, Keeping::OneEntry),
            ImportMode::KeepOut => (Work::KeepOut, Keeping::OneEntry),
            ImportMode::Synchronize { .. } => (Work::Synchronize, Keeping::EachNoted),
        };
        let keeping = if is_dry_run { Keeping::Rehearsed } else { kept };
        let taking = Taking { keeping, existing: self.existing, now: Some(self.now), work };
        let taken = self.host.core.take_people(&self.caller, taking, rows).await;
        Box::pin(async move { Ok(FrameReply::new(&lines, left_behind, taken.await)) })
    }

    /// Whether an earlier row of a dry run had one of these addresses, which a real import would find in the store.
    fn is_repeated(&mut self, input: &ContactInput) -> bool {
        let Some(seen) = &mut self.rehearsed else { return false };
        let addresses = input.emails.iter().flatten().filter_map(|email| email.address.as_ref());
        let mut is_fresh = true;
        for address in addresses {
            is_fresh &= seen.insert(address.folded());
        }
        !is_fresh && (self.existing == Existing::Skip || self.mode == ImportMode::KeepOut)
    }

    fn person(&self, cells: &[String]) -> Result<Row, Wrong> {
        people::person(&self.columns, cells, (&self.account, &self.lists), self.overrides_opt_out)
    }
}

/// The result of a frame without rows: how many members left.
fn ready(left: Result<u64, String>) -> RowsDone {
    let reply = left.map(|left| FrameReply { left, ..FrameReply::default() });
    Box::pin(std::future::ready(reply))
}

/// The first address of a row; blank if it has none.
fn address_of(row: &Row) -> String {
    let mut addresses = row.contact.emails.iter().flatten().filter_map(|email| email.address.as_ref());
    addresses.next().map(EmailAddress::as_str).unwrap_or_default().to_owned()
}

impl FrameReply {
    /// The results of rows. What a row leaves behind counts if the row is not refused.
    fn new(lines: &[u64], left_behind: Vec<(LeftBehind, String)>, taken: PeopleTaken) -> FrameReply {
        let Counts { created, updated, unchanged, refused: _, opted_out } = taken.counts;
        let mut reply =
            FrameReply { created, updated, skipped: unchanged, opted_out, ..FrameReply::default() };
        let mut refused = HashSet::new();
        for (place, refusal) in taken.refused {
            if let Refusal::Refused(OpError::AddressBookFull { contacts_max }) = &refusal {
                reply.full = Some(*contacts_max);
            }
            refused.insert(place);
            reply.rejected.push((lines.get(place).copied().unwrap_or_default(), refusal.to_string()));
        }
        for (place, (LeftBehind { said, role }, address)) in left_behind.into_iter().enumerate() {
            if refused.contains(&place) {
                continue;
            }
            for name in said {
                let is_room =
                    reply.left_behind.len() < LEFT_BEHIND_MAX || reply.left_behind.contains_key(&name);
                let name = if is_room { name } else { LEFT_BEHIND_REST.to_owned() };
                *reply.left_behind.entry(name).or_default() += 1;
            }
            let line = lines.get(place).copied().unwrap_or_default();
            reply.roles.extend(role.map(|role| (line, role, address)));
        }
        reply
    }
}
