//! Imports: rows of contacts that a command reads and a server, or the command itself, takes.
//!
//! Through the socket an import is one request, then frames of rows, each answered by what came of it, in order.
//! A few frames are under way at a time: the rows of one are made durable while the next is read, and every row
//! is a job of its own that shares commits with whatever else is written.

mod columns;

use std::collections::{HashSet, VecDeque};
use std::future::Future;
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::execute::{Host, find_account};
use super::socket::{self, LINE_BYTES_MAX};
use super::{Reply, Request};
use crate::api::operator;
use crate::clock::Timestamp;
use crate::model::Account;
use crate::ops::people::contacts::ContactInput;
use crate::ops::people::imports::{self, Existing, Outcome};
use crate::ops::{Caller, OpError};
use crate::store::{Read as _, StoreError};
pub use columns::REASON_COLUMN;
use columns::{Column, Columns, columns, mailbox, split_name};

/// Rows of a frame, at most.
pub const ROWS_PER_FRAME: usize = 500;
/// Frames that are under way at a time.
pub const FRAMES_MAX: usize = 4;

/// `crier import contacts`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportRequest {
    /// Name of the account; the server's only one where unset.
    pub account: Option<String>,
    /// What the file's columns are called.
    pub columns: Vec<String>,
    /// Lists that every contact joins, beside those of its row.
    pub lists: Vec<String>,
    /// What becomes of contacts that are there already.
    pub existing: Existing,
    /// Whether nothing is kept.
    pub dry_run: bool,
    /// Whether columns that mean nothing are passed over.
    pub ignore_unknown: bool,
}

/// One row: the line on which it begins, and its cells.
pub type ImportRow = (u64, Vec<String>);

/// Rows that travel together; none for the end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// At most [`ROWS_PER_FRAME`].
    pub rows: Vec<ImportRow>,
}

/// What came of the rows of a frame.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameReply {
    /// Contacts that were made.
    pub created: u64,
    /// Contacts that were changed.
    pub updated: u64,
    /// Rows that left everything as it is.
    pub skipped: u64,
    /// Rows that were refused: their lines and why.
    pub rejected: Vec<(u64, String)>,
    /// Size of the address book, where a row found it full.
    pub full: Option<u64>,
}

/// An import under way, beside the data file.
#[derive(Debug)]
pub struct Import {
    host: Host,
    account: Account,
    caller: Arc<Caller>,
    columns: Vec<Column>,
    /// Names of the columns that are passed over.
    ignored: Vec<String>,
    lists: Vec<String>,
    existing: Existing,
    now: Timestamp,
    /// Of a rehearsal: the addresses of its rows, none of which is kept.
    rehearsed: Option<HashSet<String>>,
}

/// How a row's job ends: a rehearsal is taken back like a refusal.
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
    /// Looks at everything that can be wrong before the first row.
    pub fn begin(host: &Host, request: &ImportRequest) -> Result<Import, Box<Reply>> {
        let refuse = |error: OpError| Box::new(Reply::refusal(error));
        let tx = host.core.store.read().map_err(|error| refuse(error.into()))?;
        let account = find_account(&tx, request.account.as_deref()).map_err(refuse)?;
        let Columns { columns, ignored } =
            columns(request, &account).map_err(|text| Box::new(Reply::Failed { text }))?;
        for name in &request.lists {
            imports::check_list(&tx, account.id, name).map_err(refuse)?;
        }
        Ok(Import {
            host: host.clone(),
            caller: Arc::new(Caller::operator(account.id)),
            account,
            columns,
            ignored,
            lists: request.lists.clone(),
            existing: request.existing,
            now: host.core.now(),
            rehearsed: request.dry_run.then(HashSet::new),
        })
    }

    /// Names of the columns that are passed over.
    #[must_use]
    pub fn ignored(&self) -> &[String] {
        &self.ignored
    }

    /// Hands the rows of a frame over; the future that comes of it resolves once they are durable.
    pub async fn submit(&mut self, frame: Frame) -> impl Future<Output = FrameReply> + Send + use<> {
        let mut inputs: Vec<(u64, ContactInput)> =
            frame.rows.into_iter().map(|(line, cells)| (line, self.input(cells))).collect();
        let patterns = self.restrict_contact();
        let addresses = inputs.iter_mut().flat_map(|(_, input)| input.emails.iter_mut().flatten());
        self.host.core.judge_addresses(self.account.id, &patterns, addresses).await;
        let mut rows = Vec::with_capacity(inputs.len());
        for (line, input) in inputs {
            let is_repeated = self.is_repeated(&input);
            let (existing, now) = (self.existing, self.now);
            let is_rehearsal = self.rehearsed.is_some();
            let job = self.host.core.perform_in_order(&self.caller, move |tx, by| {
                if is_repeated {
                    return Err(RowEnd::Rehearsed(Outcome::Skipped));
                }
                let outcome = imports::take(tx, &by.caller, input, existing, now).map_err(RowEnd::Refused)?;
                if is_rehearsal { Err(RowEnd::Rehearsed(outcome)) } else { Ok(outcome) }
            });
            rows.push((line, job.await));
        }
        async move {
            let mut reply = FrameReply::default();
            for (line, row) in rows {
                reply.count(line, row.await);
            }
            reply
        }
    }

    /// The patterns that new addresses must match now: an import can take long.
    fn restrict_contact(&self) -> Vec<String> {
        let account = self.host.core.store.read().and_then(|tx| tx.get::<Account>(self.account.id.0));
        // What is wrong with the store, or with the account, the rows will say.
        account.ok().flatten().map(|account| account.settings.restrict_contact).unwrap_or_default()
    }

    /// Whether a rehearsal has had one of these addresses before, which a real run would find in the file.
    fn is_repeated(&mut self, input: &ContactInput) -> bool {
        let Some(seen) = &mut self.rehearsed else { return false };
        let addresses = input.emails.iter().flatten().filter_map(|email| email.address.as_ref());
        let mut is_fresh = true;
        for address in addresses {
            is_fresh &= seen.insert(address.folded());
        }
        !is_fresh && self.existing == Existing::Skip
    }

    fn input(&self, cells: Vec<String>) -> ContactInput {
        let mut fields: Vec<(String, String)> = Vec::with_capacity(cells.len() + self.lists.len());
        for list in &self.lists {
            fields.push(("lists".to_owned(), list.clone()));
        }
        let mut full_name = None;
        for (column, cell) in self.columns.iter().zip(cells) {
            match column {
                Column::Field(name) if !cell.trim().is_empty() => fields.push((name.clone(), cell)),
                Column::Emails | Column::MoreEmails => match mailbox(&cell) {
                    Some((name, address)) => {
                        full_name = full_name.or_else(|| Some(name.to_owned()));
                        fields.push(("emails".to_owned(), address.to_owned()));
                    }
                    None => fields.extend(parts(&cell).map(|part| ("emails".to_owned(), part))),
                },
                Column::FullName => full_name = Some(cell).filter(|cell| !cell.trim().is_empty()),
                Column::Lists => fields.extend(parts(&cell).map(|part| ("lists".to_owned(), part))),
                Column::Field(_) | Column::Ignored => {}
            }
        }
        let has_name = fields.iter().any(|(name, _)| name == "firstname" || name == "surname");
        if let Some(name) = full_name.filter(|_| !has_name) {
            let (firstname, surname) = split_name(&name);
            let named = [("firstname", firstname), ("surname", surname)];
            let named = named.into_iter().filter(|(_, value)| !value.is_empty());
            fields.extend(named.map(|(name, value)| (name.to_owned(), value)));
        }
        operator::contact(fields, &self.account)
    }
}

/// The parts of a cell that holds several.
fn parts(cell: &str) -> impl Iterator<Item = String> {
    cell.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned)
}

impl FrameReply {
    fn count(&mut self, line: u64, row: Result<Outcome, RowEnd>) {
        match row {
            Ok(Outcome::Created) | Err(RowEnd::Rehearsed(Outcome::Created)) => self.created += 1,
            Ok(Outcome::Updated) | Err(RowEnd::Rehearsed(Outcome::Updated)) => self.updated += 1,
            Ok(Outcome::Skipped) | Err(RowEnd::Rehearsed(Outcome::Skipped)) => self.skipped += 1,
            Err(RowEnd::Refused(error)) => {
                if let OpError::AddressBookFull { contacts_max } = error {
                    self.full = Some(contacts_max);
                }
                self.rejected.push((line, error.to_string()));
            }
        }
    }
}

/// An import from the side of the command.
pub enum Carrier {
    /// A server runs, and takes the rows through its socket.
    Server {
        /// What it answers.
        replies: io::BufReader<UnixStream>,
    },
    /// No server runs: the rows go into the file.
    File {
        /// What takes them.
        import: Box<Import>,
        /// Carries its work.
        runtime: tokio::runtime::Runtime,
        /// Frames that are under way, the earliest first.
        pending: VecDeque<std::pin::Pin<Box<dyn Future<Output = FrameReply> + Send>>>,
    },
}

/// An import that has begun with the names of the columns that it passes over, or what is wrong with it.
pub type Begun = Result<(Carrier, Vec<String>), Box<Reply>>;

impl Carrier {
    /// Begins an import on the server that runs on `data_dir`; returns `None` where no server does.
    pub fn to_server(data_dir: &Path, request: &ImportRequest) -> io::Result<Option<Begun>> {
        let Some(stream) = socket::connect(data_dir)? else { return Ok(None) };
        let mut line = serde_json::to_vec(&Request::Import(request.clone()))?;
        line.push(b'\n');
        (&stream).write_all(&line)?;
        let mut replies = io::BufReader::new(stream);
        match read_reply(&mut replies)? {
            Reply::Ready { ignored } => Ok(Some(Ok((Carrier::Server { replies }, ignored)))),
            refusal => Ok(Some(Err(Box::new(refusal)))),
        }
    }

    /// An import into a file that this process has open.
    #[must_use]
    pub fn to_file(import: Import, runtime: tokio::runtime::Runtime) -> Carrier {
        Carrier::File { import: Box::new(import), runtime, pending: VecDeque::new() }
    }

    /// Sends rows on their way. At most [`FRAMES_MAX`] frames may be under way.
    pub fn send(&mut self, rows: Vec<ImportRow>) -> io::Result<()> {
        match self {
            Carrier::Server { replies } => {
                let mut line = serde_json::to_vec(&Frame { rows })?;
                line.push(b'\n');
                replies.get_mut().write_all(&line)
            }
            Carrier::File { import, runtime, pending } => {
                let frame = runtime.block_on(import.submit(Frame { rows }));
                pending.push_back(Box::pin(frame));
                Ok(())
            }
        }
    }

    /// What came of the earliest frame that is under way.
    pub fn receive(&mut self) -> io::Result<Reply> {
        match self {
            Carrier::Server { replies } => read_reply(replies),
            Carrier::File { import: _, runtime, pending } => {
                let frame = pending.pop_front().ok_or_else(|| io::Error::other("no rows are under way"))?;
                Ok(Reply::Rows(runtime.block_on(frame)))
            }
        }
    }

    /// Ends the import; the file is closed when this returns.
    pub fn finish(self) {
        if let Carrier::File { import, runtime: _, pending: _ } = self {
            import.host.core.store.close_blocking();
        }
    }
}

fn read_reply(replies: &mut io::BufReader<UnixStream>) -> io::Result<Reply> {
    let mut line = String::new();
    if replies.take(LINE_BYTES_MAX).read_line(&mut line)? == 0 {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the server ended before it answered"));
    }
    Ok(serde_json::from_str(&line)?)
}
