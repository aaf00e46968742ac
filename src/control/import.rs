//! Imports of contacts: parses rows, and writes each as a job of its own.
//!
//! Through the socket an import is one request, then frames of rows, each answered with its results, in order. A few
//! frames are in progress at a time: the rows of one become durable while the next is read. `socket` calls it in a
//! server, `carrier` on the store of a stopped one.

pub mod mail_carrier;
mod mail_stream;
pub mod mails;

use std::collections::HashSet;
use std::future::Future;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::CommandError;
use super::host::{Host, find_account};
use crate::api::operator;
use crate::clock::Timestamp;
use crate::model::{Account, AuditAction, AuditId};
use crate::ops::audit::{self, Note};
use crate::ops::people::contacts::ContactInput;
use crate::ops::people::imports::{self, Existing, Outcome, Row};
use crate::ops::{Caller, OpError, Wrong};
pub use crate::params::columns::REASON_COLUMN;
use crate::params::columns::{self, Column, Columns, columns};
pub use crate::params::sheet;
use crate::service::Core;
use crate::store::{Read as _, StoreError};
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

/// The end of a row's job. A dry run is rolled back like a refusal.
enum RowEnd {
    Refused(OpError),
    Rehearsed(Outcome),
}

impl From<StoreError> for RowEnd {
    fn from(error: StoreError) -> RowEnd {
        RowEnd::Refused(error.into())
    }
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
        let mut inputs: Vec<(u64, Row)> =
            frame.rows.into_iter().map(|(line, cells)| (line, self.input(&cells))).collect();
        let patterns = self.restrict_contact();
        let addresses = inputs.iter_mut().flat_map(|(_, row)| row.contact.emails.iter_mut().flatten());
        self.host.core.judge_addresses(self.account.id, &patterns, addresses).await;
        let (core, server) = (self.host.core.clone(), Caller::of_server());
        let begun = Note::new(AuditAction::ContactImported, 0).detail(&format!("{} rows", inputs.len()));
        let begun = match self.rehearsed {
            Some(_) => None,
            None => Some(
                core.perform_in_order(&self.caller, move |tx, by| audit::note(tx, &by.caller, begun, by.now))
                    .await,
            ),
        };
        let mut rows = Vec::with_capacity(inputs.len());
        for (line, input) in inputs {
            let is_repeated = self.is_repeated(&input.contact);
            let refusal = input.standing.refusal();
            let (existing, now) = (self.existing, self.now);
            let is_rehearsal = self.rehearsed.is_some();
            let caller = Arc::clone(&self.caller);
            // The audit log gets one entry for all rows, so each row is carried out in the server's name.
            let job = core.perform_in_order(&server, move |tx, _| {
                if is_repeated {
                    return Err(RowEnd::Rehearsed(Outcome::Skipped));
                }
                let outcome = imports::take(tx, &caller, input, existing, now).map_err(RowEnd::Refused)?;
                if is_rehearsal { Err(RowEnd::Rehearsed(outcome)) } else { Ok(outcome) }
            });
            rows.push((line, refusal, job.await));
        }
        async move {
            let mut reply = FrameReply::default();
            for (line, refusal, row) in rows {
                reply.count(line, refusal, row.await);
            }
            if let Some(begun) = begun
                && let Err(error) = settle(&core, begun.await, &reply).await
            {
                tracing::error!(error = %error, "The audit log does not have what became of an import's rows");
            }
            reply
        }
    }

    /// The patterns that new addresses must match now: they can change during a long import.
    fn restrict_contact(&self) -> Vec<String> {
        let account = self.host.core.store.read().and_then(|tx| tx.get::<Account>(self.account.id.0));
        // An error of the store, or a missing account, is reported by the rows.
        account.ok().flatten().map(|account| account.settings.restrict_contact).unwrap_or_default()
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

    fn input(&self, cells: &[String]) -> Row {
        let fields = columns::pairs(&self.columns, cells.to_vec(), &self.lists, &self.account.custom_fields);
        let contact = operator::contact(fields, &self.account);
        let overrides_opt_out = self.overrides_opt_out;
        columns::row(&self.columns, cells, ContactInput { overrides_opt_out, ..contact })
    }
}

/// Notes what became of the rows of a frame.
async fn settle(
    core: &Core,
    noted: Result<AuditId, StoreError>,
    reply: &FrameReply,
) -> Result<(), StoreError> {
    let FrameReply { created, updated, skipped, rejected, opted_out: _, full: _ } = reply;
    let told = format!("{created} made, {updated} changed, {skipped} skipped, {} refused", rejected.len());
    let noted = noted?;
    core.perform_reserved(&Caller::of_server(), move |tx, _| audit::settle(tx, noted, &told)).await
}

impl FrameReply {
    fn count(&mut self, line: u64, refusal: Option<Wrong>, row: Result<Outcome, RowEnd>) {
        match row {
            Ok(Outcome::Created) | Err(RowEnd::Rehearsed(Outcome::Created)) => self.created += 1,
            Ok(Outcome::Updated) | Err(RowEnd::Rehearsed(Outcome::Updated)) => self.updated += 1,
            Ok(Outcome::Skipped) | Err(RowEnd::Rehearsed(Outcome::Skipped)) => self.skipped += 1,
            Ok(Outcome::OptedOut) | Err(RowEnd::Rehearsed(Outcome::OptedOut)) => {
                self.opted_out += 1;
                self.rejected.push((line, refusal.map(|reason| reason.to_string()).unwrap_or_default()));
            }
            Err(RowEnd::Refused(error)) => {
                self.opted_out += u64::from(matches!(error, OpError::OptedOut { .. }));
                if let OpError::AddressBookFull { contacts_max } = error {
                    self.full = Some(contacts_max);
                }
                self.rejected.push((line, error.to_string()));
            }
        }
    }
}
