//! The only writer: a thread that runs jobs and makes many of them durable with one commit.
//!
//! Jobs that queue up during a commit share the next one; there is no timer. A job that fails or panics is undone
//! alone. No caller is told of its job before the commit. After a commit that failed, the content of the file is only
//! known when it has been opened again: until that is done and a write succeeds, every job is refused. The function of
//! [`Store::on_commit`](super::Store::on_commit) may write as part of commits that happen anyway.

use std::collections::VecDeque;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::error::TryRecvError;
use tokio::sync::{mpsc, oneshot};
use tracing::Span;

use super::health::Purpose;
use super::tx::{META_TABLE, WriteTx, definition};
use super::{Committed, FileCopy, Shared, StoreError};

/// Most jobs in one commit.
const JOBS_PER_COMMIT_MAX: usize = 1024;

/// A commit takes no further job after this many rows, so that nobody waits long for it.
const COMMIT_ROWS_MAX: usize = 50_000;

/// A commit takes no further job after this many bytes.
const COMMIT_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Jobs of one commit from which on rows go to their places at once: together they write about as much as with the log, and
/// are spared the way through memory.
const JOBS_IN_PLACE: usize = 12;

/// How often waiting callers are refused while the disk fails.
const REFUSE_EVERY: Duration = Duration::from_millis(20);

/// How many times callers are refused before the first and before a later attempt to write again: 20 ms, then twice as
/// long each time, up to 10 s.
const REFUSALS_BETWEEN_ATTEMPTS: (u32, u32) = (1, 500);

/// Written to find out whether the file can be written, and deleted at once.
const PROBE: &[u8] = b"probe";

/// A request to the writer.
pub(super) enum Request {
    /// Run this job.
    Run(Box<dyn Job>),
    /// Begin a copy of the file.
    Copy {
        /// Where pages are kept that change before they are copied.
        scratch: File,
        /// Gets the copy.
        caller: oneshot::Sender<Result<FileCopy, StoreError>>,
    },
    /// Check whether the disk works: a reader met an error.
    Examine,
    /// Finish what came before, close the file and end.
    Close,
}

/// A write job on its way: run inside the transaction, answered after the commit.
pub(super) trait Job: Send {
    /// The job's purpose.
    fn purpose(&self) -> Purpose;

    /// Runs the work; returns whether its changes are to be kept.
    fn run(&mut self, tx: &mut WriteTx<'_>) -> bool;

    /// Notes that the work panicked.
    fn note_panic(&mut self);

    /// Tells the caller the result. A job that succeeded has only done so if the commit did, too.
    fn answer(self: Box<Self>, committed: Result<(), StoreError>);
}

/// Wraps work as a job, with the channel on which its caller waits.
pub(super) fn job<T, E, F>(work: F, purpose: Purpose) -> (Box<dyn Job>, oneshot::Receiver<Result<T, E>>)
where
    T: Send + 'static,
    E: From<StoreError> + Send + 'static,
    F: FnOnce(&mut WriteTx<'_>) -> Result<T, E> + Send + 'static,
{
    let (caller, answer) = oneshot::channel();
    (Box::new(Task { purpose, work: Some(work), outcome: None, caller, span: Span::current() }), answer)
}

struct Task<T, E, F> {
    purpose: Purpose,
    work: Option<F>,
    outcome: Option<Result<T, E>>,
    caller: oneshot::Sender<Result<T, E>>,
    /// The span of the caller's log lines, to which those of the work belong, too.
    span: Span,
}

impl<T, E, F> Job for Task<T, E, F>
where
    T: Send,
    E: From<StoreError> + Send,
    F: FnOnce(&mut WriteTx<'_>) -> Result<T, E> + Send,
{
    fn purpose(&self) -> Purpose {
        self.purpose
    }

    fn run(&mut self, tx: &mut WriteTx<'_>) -> bool {
        let work = self.work.take().expect("a job is run once");
        let _logged = self.span.enter();
        let outcome = work(tx).and_then(|value| {
            tx.keep_job()?;
            Ok(value)
        });
        let is_good = outcome.is_ok();
        self.outcome = Some(outcome);
        is_good
    }

    fn note_panic(&mut self) {
        self.outcome = Some(Err(E::from(StoreError::Panicked)));
    }

    fn answer(self: Box<Self>, committed: Result<(), StoreError>) {
        let answer = match (committed, self.outcome) {
            (Ok(()), Some(outcome)) => outcome,
            (Ok(()), None) => Err(E::from(StoreError::Closed)),
            // Even a refusal was decided on changes of other jobs in this transaction, whose fate is now unknown.
            (Err(error), _) => Err(E::from(error)),
        };
        // A caller that went away needs no answer; its job stands all the same.
        let _ = self.caller.send(answer);
    }
}

/// Works until the store is closed, its last handle is dropped, or the file fails for good. It is closed then.
pub(super) fn run(shared: &Arc<Shared>, queue: mpsc::Receiver<Request>) {
    let writer = Writer { shared, queue, jobs: VecDeque::new(), ran: Vec::new(), is_closing: false };
    // Jobs cannot end the thread by a panic, so this would be a fault of the engine: as bad as a lost file.
    let ended = catch_unwind(AssertUnwindSafe(|| writer.run()));
    if ended.is_err() {
        shared.fail(&StoreError::fatal("the writer panicked"));
    }
    shared.close_file();
    // Callers that wait for the end of an outage are told that the store is closed.
    shared.health.end();
}

struct Writer<'a> {
    shared: &'a Shared,
    queue: mpsc::Receiver<Request>,
    /// Jobs that wait for their transaction.
    jobs: VecDeque<Box<dyn Job>>,
    /// Jobs that ran in the transaction under way and wait for its commit.
    ran: Vec<Box<dyn Job>>,
    is_closing: bool,
}

impl Writer<'_> {
    fn run(mut self) {
        let mut requests = Vec::with_capacity(JOBS_PER_COMMIT_MAX);
        while !self.is_closing && self.queue.blocking_recv_many(&mut requests, JOBS_PER_COMMIT_MAX) != 0 {
            let mut examined = Ok(());
            for request in requests.drain(..) {
                match request {
                    Request::Run(job) => self.jobs.push_back(job),
                    Request::Examine if examined.is_ok() => examined = self.probe(),
                    Request::Examine => {}
                    // No transaction is open here. A caller that went away needs no copy.
                    Request::Copy { scratch, caller } => drop(caller.send(self.shared.begin_copy(scratch))),
                    Request::Close => self.is_closing = true,
                }
            }
            if let Err(error) = examined.and_then(|()| self.work()) {
                if self.shared.source.is_none() {
                    self.shared.fail(&error);
                    self.answer_ran(&Err(error.clone()));
                    return self.refuse_all(&error);
                }
                self.wait_until_writable(error);
            }
        }
        if let Err(error) = self.merge() {
            tracing::warn!(%error, "What was changed last stays in the log of the data file until it is opened again");
        }
        self.refuse_all(&StoreError::Closed);
    }

    /// Brings all rows to their places, so that a file that is closed needs no log.
    fn merge(&self) -> Result<(), StoreError> {
        let transaction = self.shared.begin_write()?;
        let failed = |error: &dyn std::fmt::Display| self.shared.failed_commit(error);
        if WriteTx::new(&transaction, &self.shared.layout).merge()? {
            transaction.commit().map_err(|error| failed(&error))
        } else {
            transaction.abort().map_err(|error| failed(&error))
        }
    }

    /// Runs the waiting jobs, one transaction after the other, until one fails. The jobs of that one still wait for
    /// their answer.
    fn work(&mut self) -> Result<(), StoreError> {
        loop {
            self.refuse_what_has_no_room();
            if self.jobs.is_empty() {
                return Ok(());
            }
            self.commit()?;
            self.answer_ran(&Ok(()));
        }
    }

    fn answer_ran(&mut self, committed: &Result<(), StoreError>) {
        for job in self.ran.drain(..) {
            job.answer(committed.clone());
        }
    }

    /// Refuses the waiting jobs for which a nearly full disk has no room.
    fn refuse_what_has_no_room(&mut self) {
        self.shared.look();
        let health = &self.shared.health;
        if health.refusal(Purpose::New).is_none() {
            return;
        }
        for job in std::mem::take(&mut self.jobs) {
            match health.refusal(job.purpose()) {
                Some(error) => job.answer(Err(error)),
                None => self.jobs.push_back(job),
            }
        }
    }

    /// Refuses everything until the file, opened again, can be written, or the store is closed.
    fn wait_until_writable(&mut self, mut error: StoreError) {
        // Before any job is answered: a caller that gets an error finds the store's condition set.
        self.shared.health.note_failure(&error);
        self.answer_ran(&Err(error.clone()));
        let (mut refusals, refusals_max) = REFUSALS_BETWEEN_ATTEMPTS;
        // Meanwhile at least the content of the disk can be read.
        let mut opened = self.shared.reopen();
        loop {
            for _ in 0..refusals {
                self.refuse_waiting(&error);
                if self.is_closing {
                    return;
                }
                std::thread::sleep(REFUSE_EVERY);
            }
            refusals = refusals_max.min(refusals * 2);
            if !self.shared.look() {
                // An attempt would fail, and cost another walk of the file.
                continue;
            }
            let attempt =
                if opened.is_ok() { self.probe() } else { self.shared.reopen().and_then(|()| self.probe()) };
            match attempt {
                Ok(()) => return self.shared.health.note_recovery(),
                Err(newer) => error = newer,
            }
            self.shared.health.note_failure(&error);
            opened = self.shared.reopen();
        }
    }

    /// Refuses all waiting jobs, and notes whether the store is to be closed.
    fn refuse_waiting(&mut self, error: &StoreError) {
        for job in self.jobs.drain(..) {
            job.answer(Err(error.clone()));
        }
        loop {
            match self.queue.try_recv() {
                Ok(Request::Run(job)) => job.answer(Err(error.clone())),
                // Without an answer the caller gets the reason from the store.
                Ok(Request::Examine | Request::Copy { .. }) => {}
                Ok(Request::Close) | Err(TryRecvError::Disconnected) => self.is_closing = true,
                Err(TryRecvError::Empty) => return,
            }
            if self.is_closing {
                return;
            }
        }
    }

    /// Writes and deletes a row to find out whether the file can be written.
    fn probe(&self) -> Result<(), StoreError> {
        let transaction = self.shared.begin_write()?;
        let failed = |error: &dyn std::fmt::Display| self.shared.failed_commit(error);
        {
            let mut table = transaction.open_table(definition(META_TABLE)).map_err(|error| failed(&error))?;
            table.insert(PROBE, PROBE).map_err(|error| failed(&error))?;
            table.remove(PROBE).map_err(|error| failed(&error))?;
        }
        transaction.commit().map_err(|error| failed(&error))?;
        self.shared.newest.forget();
        Ok(())
    }

    /// Runs waiting jobs in one transaction and commits it.
    fn commit(&mut self) -> Result<(), StoreError> {
        let begun = Instant::now();
        let failed = |error: StoreError| self.shared.failed_job(error);
        let transaction = self.shared.begin_write()?;
        let mut tx = WriteTx::new(&transaction, &self.shared.layout);
        tx.end_jobs_with(self.shared.job_end.get().cloned());
        if JOBS_IN_PLACE <= self.jobs.len() {
            tx.write_in_place();
        }
        while let Some(mut job) = self.jobs.pop_front() {
            let ran = run_job(&mut tx, job.as_mut());
            self.ran.push(job);
            ran.map_err(failed)?;
            if COMMIT_ROWS_MAX <= tx.rows_written() || COMMIT_BYTES_MAX <= tx.bytes_written() {
                break;
            }
        }
        if 0 < tx.rows_written() {
            self.on_commit(&mut tx)?;
        }
        let finished = tx.finish().map_err(failed)?;
        if !finished.has_changes {
            return transaction.abort().map_err(|error| self.shared.failed_commit(error));
        }
        transaction.commit().map_err(|error| self.shared.failed_commit(error))?;
        // Readers see the commit from here on, and no caller has been told of it yet.
        self.shared.newest.forget();
        self.shared.generations.grow(&finished.scopes);
        if let Some(observer) = self.shared.observer.get() {
            let jobs = u32::try_from(self.ran.len()).unwrap_or(u32::MAX);
            observer(Committed { jobs, duration: begun.elapsed() });
        }
        Ok(())
    }

    /// Lets the function of `on_commit` write as part of the commit. If it fails, its changes are undone and the failure is logged.
    fn on_commit(&self, tx: &mut WriteTx<'_>) -> Result<(), StoreError> {
        let Some(on_commit) = self.shared.on_commit.get() else { return Ok(()) };
        let ran = catch_unwind(AssertUnwindSafe(|| on_commit(tx).and_then(|()| tx.keep_job())));
        if let Ok(Ok(())) = ran {
            return Ok(());
        }
        tracing::error!(outcome = ?ran.ok(), "A write that joins every commit failed and was undone");
        tx.take_back_job().map_err(|error| self.shared.failed_job(error))
    }

    /// Refuses all waiting jobs, once no job will be run any more.
    fn refuse_all(mut self, error: &StoreError) {
        self.queue.close();
        for job in self.jobs.drain(..) {
            job.answer(Err(error.clone()));
        }
        while let Ok(request) = self.queue.try_recv() {
            match request {
                Request::Run(job) => job.answer(Err(error.clone())),
                Request::Examine | Request::Copy { .. } | Request::Close => {}
            }
        }
    }
}

/// Runs one job, and undoes it if it failed. An error means that it could not be undone.
fn run_job(tx: &mut WriteTx<'_>, job: &mut dyn Job) -> Result<(), StoreError> {
    // A panic leaves nothing half-done behind: the rows it changed are in the undo log.
    let is_good = catch_unwind(AssertUnwindSafe(|| job.run(tx))).unwrap_or_else(|_| {
        tracing::error!("A write job panicked and was undone");
        job.note_panic();
        false
    });
    if is_good { Ok(()) } else { tx.take_back_job() }
}
