//! Takes in the rows of an import of people, and counts them: for the command line, and for imports that are stored.

use std::sync::Arc;

use super::{Keeping, RowResult, RowResults};
use crate::clock::Timestamp;
use crate::model::ImportId;
use crate::ops::people::imports::{self, Counts, Existing, Outcome, Row};
use crate::ops::people::refusals::Refusal;
use crate::ops::people::synchronizing;
use crate::ops::undo::actions;
use crate::ops::{Caller, OpError, Wrong};
use crate::service::Core;
use crate::store::StoreError;

/// The result of a row that is known before it is taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KnownRow {
    /// It cannot be read.
    Unreadable(Wrong),
    /// An earlier row of a rehearsal has its address, which a real import would find in the address book.
    Repeated,
}

/// The results of some rows.
#[derive(Debug, Default)]
pub struct PeopleTaken {
    /// The numbers of rows.
    pub counts: Counts,
    /// The places of the refused rows among them, and why each was refused.
    pub refused: Vec<(usize, Refusal)>,
}

impl PeopleTaken {
    fn of(rows: Vec<RowResult<Outcome, KnownRow>>) -> PeopleTaken {
        let mut taken = PeopleTaken::default();
        for (place, row) in rows.into_iter().enumerate() {
            let row = match row {
                RowResult::Known(KnownRow::Repeated) => Ok(Outcome::Skipped),
                RowResult::Known(KnownRow::Unreadable(problem)) => Err(Refusal::Unreadable(problem)),
                RowResult::Done(done) => Outcome::of(done),
            };
            let refusal = taken.counts.add(row);
            taken.refused.extend(refusal.map(|refusal| (place, refusal)));
        }
        taken
    }

    /// The error of the store, if one kept a row from being taken in.
    #[must_use]
    pub fn store_error(&self) -> Option<StoreError> {
        self.refused.iter().find_map(|(_, refusal)| match refusal {
            Refusal::Refused(OpError::Store(error)) => Some(error.clone()),
            Refusal::Refused(_) | Refusal::Unreadable(_) | Refusal::OptedOut(_) => None,
        })
    }
}

/// How people are taken in.
#[derive(Debug, Clone, Copy)]
pub struct Taking {
    /// Whether rows are kept, and how the audit log has them.
    pub keeping: Keeping,
    /// The treatment of contacts that exist already.
    pub existing: Existing,
    /// The time that the rows count as taken in at; each row's own if unset.
    pub now: Option<Timestamp>,
    /// What is done with the rows.
    pub work: Work,
}

/// What is done with rows of people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// They are taken in, and cannot be undone.
    TakeIn,
    /// They are taken in, so that the import can be undone.
    TakeInFor(ImportId),
    /// They are noted as people who opted out elsewhere.
    KeepOut,
    /// They are the members that a list shall have; each change is noted by itself.
    Synchronize,
}

impl Core {
    /// Hands rows of an import to the writer; the returned future resolves once they are durable and noted.
    pub async fn take_people(
        &self,
        caller: &Arc<Caller>,
        taking: Taking,
        rows: Vec<Result<Row, KnownRow>>,
    ) -> impl Future<Output = PeopleTaken> + Send + use<> {
        let Taking { keeping, existing, now: fixed, work } = taking;
        let rows = self.submit_rows(caller, keeping, rows, move |tx, caller, row, now| {
            let now = fixed.unwrap_or(now);
            match work {
                Work::TakeIn => imports::take(tx, caller, row, existing, now),
                Work::TakeInFor(import) => actions::import_row(tx, caller, row, existing, import, now),
                Work::KeepOut => imports::take_opted_out(tx, caller, row, now),
                Work::Synchronize => synchronizing::take(tx, caller, row, now),
            }
        });
        let (rows, core) = (rows.await, self.clone());
        async move {
            let mut results: RowResults<Outcome, KnownRow> = rows.await;
            let taken = PeopleTaken::of(std::mem::take(&mut results.rows));
            if let Err(error) = results.settle(&core, taken.counts.detail()).await {
                tracing::error!(error = %error, "The audit log does not have what became of an import's rows");
            }
            taken
        }
    }
}
