//! Carries out calls of many rows: batches of the API, imports of the command line and of pages, people who are added
//! to a list.
//!
//! All of them are one flow: the addresses in the rows are matched against the patterns of the account outside of the
//! writer, the call is noted in the audit log, each row is handed to the writer as a job of its own, in their order, so
//! that the jobs share commits, and the counts are written into the entry when all of them are durable. A row that is
//! refused undoes no other. An edge reads its own form into rows and shows the results; it never writes rows itself.
//!
//! The rows of one flow are in memory at once: an edge hands over at most some hundred or a thousand at a time.
//! [`people`] counts the rows of imports, and [`stored`] runs imports that are kept with their text.

pub mod people;
pub mod stored;

use std::convert::Infallible;
use std::iter;
use std::sync::Arc;

use crate::clock::Timestamp;
use crate::model::{AuditAction, AuditId};
use crate::ops::audit::{self, Note};
use crate::ops::people::adding::NewMember;
use crate::ops::people::contacts::ContactInput;
use crate::ops::people::emails::EmailInput;
use crate::ops::people::imports::Row;
use crate::ops::{Caller, OpError, events};
use crate::service::Core;
use crate::store::{StoreError, WriteTx};

/// A row that brings addresses.
pub trait RowInput: Send + 'static {
    /// Its addresses, which the patterns of the account may refuse.
    fn emails(&mut self) -> impl Iterator<Item = &mut EmailInput> + Send;
}

impl RowInput for ContactInput {
    fn emails(&mut self) -> impl Iterator<Item = &mut EmailInput> + Send {
        self.emails.iter_mut().flatten()
    }
}

impl RowInput for Row {
    fn emails(&mut self) -> impl Iterator<Item = &mut EmailInput> + Send {
        self.contact.emails()
    }
}

impl RowInput for NewMember {
    fn emails(&mut self) -> impl Iterator<Item = &mut EmailInput> + Send {
        iter::once(&mut self.email)
    }
}

/// Whether rows are kept, and how the audit log has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeping {
    /// Each row has an entry of its own, like a call of its own.
    EachNoted,
    /// One entry for all rows, which [`RowResults::settle`] gives the counts.
    OneEntry,
    /// There is an entry for them already, which somebody else settles.
    Noted,
    /// Nothing is kept and nothing noted: each row's job is undone once its result is known.
    Rehearsed,
}

/// The result of a row.
#[derive(Debug)]
pub enum RowResult<T, K> {
    /// It was known beforehand, so that the row was not handed to the writer.
    Known(K),
    /// The result of its job.
    Done(Result<T, OpError>),
}

impl<T> RowResult<T, Infallible> {
    /// The result of the job, where every row has one.
    pub fn done(self) -> Result<T, OpError> {
        match self {
            RowResult::Done(done) => done,
            RowResult::Known(never) => match never {},
        }
    }
}

/// The results of the rows of a call.
#[derive(Debug)]
#[must_use = "`settle` writes the counts into the audit log"]
pub struct RowResults<T, K> {
    /// In the order of the rows.
    pub rows: Vec<RowResult<T, K>>,
    /// The entry of the audit log that waits for the counts.
    noted: Option<Result<AuditId, StoreError>>,
}

impl<T, K> RowResults<T, K> {
    /// Writes the counts into the entry of the audit log, if the flow made one.
    ///
    /// # Errors
    /// If the entry could not be made, or the store fails.
    pub async fn settle(&mut self, core: &Core, counts: String) -> Result<(), StoreError> {
        let Some(noted) = self.noted.take() else { return Ok(()) };
        let noted = noted?;
        core.perform_reserved(&Caller::of_server(), move |tx, _| audit::settle(tx, noted, &counts)).await
    }
}

/// Why the job of a row is undone.
enum Undone<T> {
    Refused(OpError),
    Rehearsed(T),
}

impl<T> From<StoreError> for Undone<T> {
    fn from(error: StoreError) -> Undone<T> {
        Undone::Refused(error.into())
    }
}

impl Core {
    /// Hands the rows of a call of `caller` to the writer, in their order; the returned future resolves once all of
    /// them are durable. `carry_out` is what is done with each. A row that is an `Err` has its result already.
    pub async fn submit_rows<R, K, T, F>(
        &self,
        caller: &Arc<Caller>,
        keeping: Keeping,
        mut rows: Vec<Result<R, K>>,
        carry_out: F,
    ) -> impl Future<Output = RowResults<T, K>> + Send + use<R, K, T, F>
    where
        R: RowInput,
        K: Send + 'static,
        T: Send + 'static,
        F: Fn(&mut WriteTx<'_>, &Caller, R, Timestamp) -> Result<T, OpError> + Clone + Send + 'static,
    {
        self.judge_inputs(caller, rows.iter_mut().flatten().flat_map(RowInput::emails)).await;
        let noted = match keeping {
            Keeping::OneEntry => Some(self.note_rows(caller, rows.len()).await),
            Keeping::EachNoted | Keeping::Noted | Keeping::Rehearsed => None,
        };
        // With one entry for all rows, each is carried out in the server's name.
        let performer = if keeping == Keeping::EachNoted { Arc::clone(caller) } else { Caller::of_server() };
        let is_rehearsed = keeping == Keeping::Rehearsed;
        let mut jobs = Vec::with_capacity(rows.len());
        for row in rows {
            let row = match row {
                Ok(row) => row,
                Err(known) => {
                    jobs.push(Err(known));
                    continue;
                }
            };
            let (caller, carry_out) = (Arc::clone(caller), carry_out.clone());
            let job = self.perform_in_order(&performer, move |tx, by| {
                events::act(tx, &caller);
                let done = carry_out(tx, &caller, row, by.now).map_err(Undone::Refused)?;
                if is_rehearsed { Err(Undone::Rehearsed(done)) } else { Ok(done) }
            });
            jobs.push(Ok(job.await));
        }
        async move {
            let mut rows = Vec::with_capacity(jobs.len());
            for job in jobs {
                rows.push(match job {
                    Err(known) => RowResult::Known(known),
                    Ok(job) => RowResult::Done(match job.await {
                        Ok(done) | Err(Undone::Rehearsed(done)) => Ok(done),
                        Err(Undone::Refused(error)) => Err(error),
                    }),
                });
            }
            let noted = match noted {
                Some(noted) => Some(noted.await),
                None => None,
            };
            RowResults { rows, noted }
        }
    }

    /// Notes the call in the audit log, in front of its rows.
    async fn note_rows(
        &self,
        caller: &Arc<Caller>,
        count: usize,
    ) -> impl Future<Output = Result<AuditId, StoreError>> + Send + use<> {
        let begun = Note::new(AuditAction::ContactImported, 0).detail(&format!("{count} rows"));
        self.perform_in_order(caller, move |tx, by| audit::note(tx, &by.caller, begun, by.now)).await
    }
}
