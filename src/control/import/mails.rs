//! Imports of messages: takes them in frames, writes each frame in one job, and puts replies into their threads at the
//! end.
//!
//! Through the socket an import is one request, then frames: a line of JSON, followed by the bytes of its messages. Each
//! is answered with its results, in order; a frame without messages ends the import. A few frames are in progress at a
//! time, so that reading the source, parsing and writing overlap. `socket` calls it in a server, `mail_carrier` on the
//! store of a stopped one.

use std::collections::HashSet;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::control::error::CommandError;
use crate::control::host::{Host, find_account};
use crate::model::{AuditId, List};
use crate::ops::archive::import::gmail::{self, Batch, GmailThreads};
use crate::ops::archive::import::joining::{self, Progress, SameSubject, Step, SubjectSearch};
use crate::ops::archive::import::reading::{self, DateOrigin, ImportedMail, MailboxMail};
use crate::ops::archive::import::{self, Outcome};
use crate::ops::{Caller, OpContext, OpError, audit};
use crate::store::{StoreError, WriteTx};

pub use crate::ops::archive::import::{BYTES_PER_STEP, MESSAGE_BYTES_MAX, MESSAGES_PER_STEP};

/// Most bytes of the frames that are in progress: a frame beyond it waits for the others.
pub const BYTES_UNDER_WAY_MAX: usize = 64 << 20;
/// `crier import mbox`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailsRequest {
    /// Name of the account; the server's only one if unset.
    pub account: Option<String>,
    /// Name of the list whose archive takes the messages.
    pub list: String,
    /// Whether messages are only checked and nothing is stored.
    pub dry_run: bool,
    /// Whether the times of the mailbox are those of the messages, as in an export of this program.
    #[serde(default)]
    pub is_dated: bool,
}

/// A description of a message, which precedes its bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailHead {
    /// The number of its bytes.
    pub size_bytes: usize,
    /// When it was delivered, in milliseconds since 1970.
    pub delivered_ms: Option<i64>,
    /// Its envelope sender.
    pub sender: String,
}

/// The line in front of the bytes of messages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailFrame {
    /// At most [`MESSAGES_PER_STEP`]; none ends the import.
    pub mails: Vec<MailHead>,
    /// Whether they are the first ones of another mailbox.
    pub is_new_source: bool,
}

impl MailFrame {
    /// The number of the bytes that follow; `None` if there are more than a frame may have.
    #[must_use]
    pub fn size_bytes(&self) -> Option<usize> {
        let sizes = || self.mails.iter().map(|mail| mail.size_bytes);
        let is_sound = self.mails.len() <= MESSAGES_PER_STEP && sizes().all(|size| size <= MESSAGE_BYTES_MAX);
        let total = sizes().try_fold(0_usize, usize::checked_add)?;
        (is_sound && total <= BYTES_PER_STEP + MESSAGE_BYTES_MAX).then_some(total)
    }
}

/// Something to be told of one message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MailRemark {
    /// It is there already.
    Known,
    /// It is not taken.
    Refused,
    /// It is taken, and something was made up for it.
    Mended,
}

/// The results of the messages of a frame.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailsReply {
    /// Messages that are in the archive now.
    pub created: u64,
    /// Messages that were there already.
    pub skipped: u64,
    /// Messages that were refused.
    pub rejected: u64,
    /// Remarks about single messages, by their places in the frame.
    pub remarks: Vec<(usize, MailRemark, String)>,
    /// The times of the oldest and the newest message that is taken, in milliseconds since 1970.
    pub span_ms: Option<(i64, i64)>,
}

/// The result of the end of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailsDone {
    /// Replies that were put into their threads after everything was stored.
    pub joined: u64,
}

/// The result of a frame, once it is durable.
pub type FrameDone = Pin<Box<dyn Future<Output = Result<MailsReply, OpError>> + Send>>;

/// An import in progress.
#[derive(Debug)]
pub struct MailImport {
    host: Host,
    list: List,
    caller: Arc<Caller>,
    now: Timestamp,
    is_dated: bool,
    /// The time of the last message of the present mailbox.
    neighbour: Option<Timestamp>,
    /// In a dry run, the Message-IDs of the messages so far, none of which is stored.
    rehearsed: Option<HashSet<u128>>,
    noted: Option<AuditId>,
    totals: Arc<Totals>,
    stage: Stage,
    joining: Progress,
    /// Threads that the messages themselves name.
    gmail: GmailThreads,
}

#[derive(Debug, Default)]
struct Totals {
    created: AtomicU64,
    skipped: AtomicU64,
    rejected: AtomicU64,
}

/// How far replies have been put into their threads.
#[derive(Debug)]
enum Stage {
    References,
    /// Threads that messages of Google name, the ones that are being joined.
    Gmail(Batch),
    Subjects(SubjectSearch, Vec<SameSubject>, Step),
    Done,
}

impl MailImport {
    /// Begins an import after checking everything that can be wrong before the first message.
    pub(in crate::control) fn begin(host: &Host, request: &MailsRequest) -> Result<MailImport, CommandError> {
        let MailsRequest { account, list, dry_run, is_dated } = request;
        let tx = host.core.store.read()?;
        let account = find_account(&tx, account.as_deref())?;
        let caller = Arc::new(Caller::operator(account.id));
        let list = import::target(&tx, &caller, list)?;
        Ok(MailImport {
            host: host.clone(),
            list,
            caller,
            now: host.core.now(),
            is_dated: *is_dated,
            neighbour: None,
            rehearsed: dry_run.then(HashSet::new),
            noted: None,
            totals: Arc::default(),
            stage: if *dry_run { Stage::Done } else { Stage::References },
            joining: Progress::default(),
            gmail: GmailThreads::default(),
        })
    }

    /// Words for the operator about the whole import.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let name = &self.list.name;
        let note = format!(
            "The list {name} keeps no archive: nobody can read the messages before crier list set {name} \
             --archive-enabled true"
        );
        if self.list.archive_enabled { Vec::new() } else { vec![note] }
    }

    /// Closes the file that it works on.
    pub(in crate::control) fn close(self) {
        self.host.core.store.close_blocking();
    }

    /// Submits the messages of a frame, whose bytes stand one after the other; the returned future resolves once they
    /// are durable.
    pub async fn submit(&mut self, frame: MailFrame, bytes: Vec<u8>) -> Result<FrameDone, OpError> {
        if frame.is_new_source {
            self.neighbour = None;
        }
        let (mut neighbour, now, is_dated) = (self.neighbour, self.now, self.is_dated);
        let read = tokio::task::spawn_blocking(move || {
            let mut mails = reading::read(mails_of(&frame, &bytes), &mut neighbour, now);
            if is_dated {
                date(&mut mails, &frame.mails);
            }
            (mails, neighbour)
        });
        let (mut mails, neighbour) = read.await.map_err(|_| StoreError::Panicked)?;
        self.neighbour = neighbour;
        self.gmail.note(&mut mails);
        let facts: Vec<Option<Facts>> = mails.iter().map(|mail| mail.as_ref().ok().map(Facts::of)).collect();
        let totals = Arc::clone(&self.totals);
        if let Some(seen) = &mut self.rehearsed {
            let tx = self.host.core.store.read()?;
            let outcomes = import::rehearse(&tx, &self.list, mails, seen)?;
            return Ok(Box::pin(async move { Ok(totals.count(&outcomes, &facts)) }));
        }
        self.note_begin().await?;
        let list = self.list.clone();
        // The audit log gets one entry for all messages, so they are stored in the server's name.
        let job = move |tx: &mut WriteTx<'_>, _: &OpContext| import::store(tx, &list, mails);
        let core = self.host.core.clone();
        let stored = core.perform_in_order(&Caller::of_server(), job).await;
        Ok(Box::pin(async move {
            let outcomes = stored.await?;
            // The search follows the archive.
            core.wake.notify_one();
            Ok(totals.count(&outcomes, &facts))
        }))
    }

    async fn note_begin(&mut self) -> Result<(), OpError> {
        if self.noted.is_none() {
            let list = self.list.clone();
            let noted = self
                .host
                .core
                .perform(&self.caller, move |tx, by| import::begin(tx, &by.caller, &list, by.now));
            self.noted = Some(noted.await?);
        }
        Ok(())
    }

    /// Puts the next replies into their threads; returns the number of all that were, or `None` when all are.
    pub async fn join_step(&mut self) -> Result<Option<u64>, OpError> {
        let (core, list) = (self.host.core.clone(), self.list.clone());
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Done => return Ok(None),
            Stage::References => {
                let mut progress = self.joining.clone();
                let job = move |tx: &mut WriteTx<'_>, _: &OpContext| {
                    joining::join(tx, &list, &mut progress).map(|step| (step, progress))
                };
                let (step, progress) =
                    core.perform(&Caller::of_server(), job).await.map_err(OpError::Store)?;
                self.joining = progress;
                self.stage = match step {
                    Step::More => Stage::References,
                    Step::Done => Stage::Gmail(Batch::default()),
                };
            }
            Stage::Gmail(batch) => self.stage = self.join_gmail(batch).await?,
            Stage::Subjects(mut search, found, step) if found.is_empty() => {
                if step == Step::Done {
                    return Ok(None);
                }
                let progress = self.joining.clone();
                let work = move || {
                    let tx = core.store.read()?;
                    let found = joining::find_by_subject(&tx, &list, &progress, &mut search)?;
                    Ok::<_, StoreError>((search, found))
                };
                let done = tokio::task::spawn_blocking(work).await.map_err(|_| StoreError::Panicked)?;
                let (search, (found, step)) = done?;
                self.stage = Stage::Subjects(search, found, step);
            }
            Stage::Subjects(search, mut found, step) => {
                let job = move |tx: &mut WriteTx<'_>, _: &OpContext| {
                    joining::attach(tx, &mut found).map(|joined| (joined, found))
                };
                let (joined, found) =
                    core.perform(&Caller::of_server(), job).await.map_err(OpError::Store)?;
                self.joining.joined += joined;
                self.stage = Stage::Subjects(search, found, step);
            }
        }
        Ok(Some(self.joining.joined))
    }

    /// Puts replies into the threads that Google says, and closes those that were locked; returns the next stage.
    async fn join_gmail(&mut self, batch: Batch) -> Result<Stage, OpError> {
        let (core, list) = (self.host.core.clone(), self.list.clone());
        let Batch { mut replies, locked } = batch;
        if !replies.is_empty() {
            let job = move |tx: &mut WriteTx<'_>, _: &OpContext| {
                joining::attach(tx, &mut replies).map(|joined| (joined, replies))
            };
            let (joined, replies) = core.perform(&Caller::of_server(), job).await.map_err(OpError::Store)?;
            self.joining.joined += joined;
            return Ok(Stage::Gmail(Batch { replies, locked }));
        }
        if !locked.is_empty() {
            let job = move |tx: &mut WriteTx<'_>, by: &OpContext| {
                gmail::close(tx, &by.caller, &list, &locked, by.now)
            };
            core.perform(&self.caller, job).await?;
        }
        let next = self.gmail.next(&core.store.read()?, &self.list)?;
        Ok(match next {
            Some(batch) => Stage::Gmail(batch),
            None => Stage::Subjects(SubjectSearch::default(), Vec::new(), Step::More),
        })
    }

    /// Notes the numbers of created, skipped and refused messages in the audit log.
    pub async fn settle(&mut self) {
        let Some(noted) = self.noted.take() else { return };
        let told = self.totals.words();
        let job = move |tx: &mut WriteTx<'_>, _: &OpContext| audit::settle(tx, noted, &told);
        let settled: Result<(), StoreError> =
            self.host.core.perform_reserved(&Caller::of_server(), job).await;
        if let Err(error) = settled {
            tracing::error!(error = %error, "The results of an import of messages could not be noted in the audit log");
        }
    }
}

/// Gives messages the times of their mailbox.
fn date<E>(mails: &mut [Result<ImportedMail, E>], heads: &[MailHead]) {
    for (mail, head) in mails.iter_mut().zip(heads) {
        if let (Ok(mail), Some(delivered_ms)) = (mail, head.delivered_ms) {
            (mail.time, mail.date) = (Timestamp::from_ms(delivered_ms), DateOrigin::Date);
        }
    }
}

/// The messages of a frame.
fn mails_of(frame: &MailFrame, bytes: &[u8]) -> Vec<MailboxMail> {
    let mut rest = bytes;
    let mut mails = Vec::with_capacity(frame.mails.len());
    for MailHead { size_bytes, delivered_ms, sender } in &frame.mails {
        let (message, behind) = rest.split_at((*size_bytes).min(rest.len()));
        rest = behind;
        mails.push(MailboxMail {
            bytes: message.to_vec(),
            delivered: delivered_ms.map(Timestamp::from_ms),
            sender: sender.clone(),
        });
    }
    mails
}

/// The facts of a message that its result tells.
struct Facts {
    time: Timestamp,
    date: DateOrigin,
    has_made_id: bool,
}

impl Facts {
    fn of(mail: &ImportedMail) -> Facts {
        Facts { time: mail.time, date: mail.date, has_made_id: mail.has_made_id }
    }

    /// The parts of the message that were made up, in words.
    fn mended(&self) -> Option<String> {
        let date = match self.date {
            DateOrigin::Date => None,
            DateOrigin::Mailbox => Some("that of its mailbox"),
            DateOrigin::Received => Some("that of its Received field"),
            DateOrigin::Neighbour => Some("that of the message beside it"),
        };
        let date = date.map(|date| {
            format!("its Date is missing or impossible, so its time is {date}: {}", self.time.rfc3339())
        });
        let id = self.has_made_id.then(|| "it has no Message-ID, so one was made of its bytes".to_owned());
        let words: Vec<String> = date.into_iter().chain(id).collect();
        (!words.is_empty()).then(|| words.join("; "))
    }
}

impl Totals {
    fn count(&self, outcomes: &[Outcome], facts: &[Option<Facts>]) -> MailsReply {
        let mut reply = MailsReply::default();
        for (place, (outcome, facts)) in outcomes.iter().zip(facts).enumerate() {
            match outcome {
                Outcome::Made => {
                    reply.created += 1;
                    let Some(facts) = facts else { continue };
                    let ms = facts.time.ms();
                    let (first, last) = reply.span_ms.unwrap_or((ms, ms));
                    reply.span_ms = Some((first.min(ms), last.max(ms)));
                    reply.remarks.extend(facts.mended().map(|text| (place, MailRemark::Mended, text)));
                }
                Outcome::Known => {
                    reply.skipped += 1;
                    let text = "a message with this Message-ID is there already".to_owned();
                    reply.remarks.push((place, MailRemark::Known, text));
                }
                Outcome::Refused(problem) => {
                    reply.rejected += 1;
                    reply.remarks.push((place, MailRemark::Refused, problem.to_string()));
                }
            }
        }
        self.created.fetch_add(reply.created, Ordering::Relaxed);
        self.skipped.fetch_add(reply.skipped, Ordering::Relaxed);
        self.rejected.fetch_add(reply.rejected, Ordering::Relaxed);
        reply
    }

    fn words(&self) -> String {
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        format!("{} made, {} skipped, {} refused", of(&self.created), of(&self.skipped), of(&self.rejected))
    }
}
