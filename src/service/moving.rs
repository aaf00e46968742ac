//! Moves accounts out and in: waits for the index of the archives, reads the items of a move, and writes them in jobs.
//!
//! The edge turns items into the values of a file and back. A move in reads its items twice: first everything is looked
//! at, so that a file that is damaged or does not fit here changes nothing.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use super::Core;
use crate::model::{Account, AccountId, AuditAction};
use crate::ops::Caller;
use crate::ops::accounts::account_deletion::{self, Progress};
use crate::ops::accounts::moving::arriving::{self, Checked, NotTaken, Taker};
use crate::ops::accounts::moving::leaving::{self, Sink};
use crate::ops::accounts::moving::{Head, Item};
use crate::ops::archive::indexing;
use crate::ops::audit::{self, Note};
use crate::ops::delivery::outbound;
use crate::schema::META_SCHEMA;
use crate::store::{Read as _, ReadTx, StoreError, WriteTx};

/// How long a move waits until a running server has indexed its messages.
const INDEXED_WITHIN: Duration = Duration::from_mins(1);
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Records that one job writes.
const RECORDS_PER_JOB: usize = 200;
/// Bytes of messages and records after which a job ends.
const BYTES_PER_JOB: usize = 4 * 1024 * 1024;
/// Most bytes of what is written in the last job, which is in memory until then.
const LAST_BYTES_MAX: usize = 256 * 1024 * 1024;
/// Most records of the last job: each makes some twenty changes.
const LAST_RECORDS_MAX: usize = 40_000;
/// Batches that are moved to the way out of this server at a time.
const BATCHES_PER_STEP: usize = 100;
/// Records between two lines of progress.
const RECORDS_PER_LINE: u64 = 20_000;

/// The items of a move, read from their beginning.
pub type Items<'a> = Box<dyn FnMut() -> Result<Option<Item>, String> + 'a>;

/// Where the items of a move come from.
pub trait Source {
    /// Begins to read them.
    ///
    /// # Errors
    /// The reason in words.
    fn open(&self) -> Result<Items<'_>, String>;
}

/// An account that was taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrived {
    /// The account.
    pub account: AccountId,
    /// Its name.
    pub name: String,
    /// How many records it has.
    pub records: u64,
}

/// The schema of the data file, which is the newest that this program knows.
fn schema_of(tx: &ReadTx) -> Result<u32, StoreError> {
    let number = tx.meta(META_SCHEMA)?.and_then(|number| number.try_into().ok());
    Ok(number.map_or(0, u32::from_be_bytes))
}

/// A snapshot in which every message is indexed. `is_running` says whether a scheduler does that.
fn settled(core: &Core, is_running: bool) -> Result<ReadTx, NotTaken> {
    let mut waited = Duration::ZERO;
    loop {
        let tx = core.store.read()?;
        if indexing::is_settled(&tx)? {
            return Ok(tx);
        }
        if is_running {
            drop(tx);
            if INDEXED_WITHIN < waited {
                let text = "the archives are still being indexed: try again in a few minutes";
                return Err(NotTaken::Source(text.to_owned()));
            }
            std::thread::sleep(LOOK_EVERY);
            waited += LOOK_EVERY;
        } else if let Some(step) = indexing::read(&tx)? {
            drop(tx);
            core.store.write_blocking(move |tx| indexing::write(tx, step))?;
        } else {
            return Ok(tx);
        }
    }
}

/// Hands everything that belongs to an account to `sink`, as it was in one moment. Blocks.
///
/// # Errors
/// Those of the store, and the first of `sink`.
pub fn leave<E: From<StoreError> + From<NotTaken>>(
    core: &Core,
    is_running: bool,
    account: &Account,
    sink: Sink<'_, E>,
) -> Result<u64, E> {
    let tx = settled(core, is_running)?;
    leaving::read(&tx, account, schema_of(&tx)?, core.now(), sink)
}

/// Takes back an arrival that a process before left unfinished.
///
/// # Errors
/// If the store fails.
pub fn take_back_broken_off(core: &Core) -> Result<Option<AccountId>, StoreError> {
    if arriving::under_way(&core.store.read()?)?.is_none() {
        return Ok(None);
    }
    let now = core.now();
    core.store.write_reserved_blocking(move |tx| arriving::take_back(tx, now))
}

/// Removes what is left of deleted accounts.
fn remove_deleted(core: &Core) -> Result<(), StoreError> {
    while core.store.write_reserved_blocking(account_deletion::step)? == Progress::Unfinished {}
    Ok(())
}

/// Takes an account in. Blocks. What fails leaves nothing of it.
///
/// # Errors
/// The reason.
pub fn arrive(
    core: &Core,
    is_running: bool,
    source: &dyn Source,
    progress: &mut dyn FnMut(String),
) -> Result<Arrived, NotTaken> {
    if !is_running {
        take_back_broken_off(core)?;
        remove_deleted(core)?;
    }
    let schema = schema_of(&core.store.read()?)?;
    let mut taking = Taking { core, schema, takers: arriving::takers(), progress };
    let head = Arc::new(taking.check(source)?);
    taking.begin(is_running, &head)?;
    match taking.write(source, &head, is_running) {
        Ok(records) => Ok(Arrived { account: head.account, name: head.name.clone(), records }),
        Err(error) => {
            take_back_broken_off(core)?;
            if !is_running {
                remove_deleted(core)?;
            }
            Err(error)
        }
    }
}

struct Taking<'a> {
    core: &'a Core,
    schema: u32,
    takers: HashMap<&'static str, Taker>,
    progress: &'a mut dyn FnMut(String),
}

fn damaged<T>(text: &str) -> Result<T, NotTaken> {
    Err(NotTaken::Damaged(text.to_owned()))
}

fn open(source: &dyn Source) -> Result<(Items<'_>, Head), NotTaken> {
    let mut items = source.open().map_err(NotTaken::Source)?;
    match items().map_err(NotTaken::Source)? {
        Some(Item::Head(head)) => Ok((items, head)),
        _ => damaged("it has no head"),
    }
}

impl Taking<'_> {
    fn taker(&self, table: &str) -> Result<Taker, NotTaken> {
        let taker = self.takers.get(table).copied();
        taker.ok_or_else(|| NotTaken::Damaged(format!("there is no table {table}")))
    }

    fn tell(&mut self, records: u64, what: &str) {
        if records.is_multiple_of(RECORDS_PER_LINE) {
            (self.progress)(format!("{records} records are {what}"));
        }
    }

    /// Reads everything, and looks whether it fits here.
    fn check(&mut self, source: &dyn Source) -> Result<Head, NotTaken> {
        let (mut items, head) = open(source)?;
        arriving::check_head(&self.core.store.read()?, &head, self.schema)?;
        let (mut whole, mut segments) = (HashSet::new(), HashSet::new());
        let (mut records, mut last, mut part) = (0_u64, 0, None);
        while let Some(item) = items().map_err(NotTaken::Source)? {
            match item {
                Item::Head(_) => return damaged("it has two heads"),
                Item::Blob { id, is_last, .. } => {
                    if part.is_some_and(|part| part != id) {
                        return damaged("a message is not whole");
                    }
                    part = (!is_last).then_some(id);
                    if is_last {
                        whole.insert(id);
                    }
                }
                Item::Client { bytes } => arriving::check_client(&self.core.store.read()?, &bytes)?,
                Item::Record { table, bytes } => {
                    let tx = self.core.store.read()?;
                    let Checked { is_last, blobs, segment } =
                        self.taker(&table)?.check(&tx, &bytes, head.account)?;
                    if part.is_some() || !blobs.iter().all(|blob| whole.contains(blob)) {
                        return damaged("a message is missing");
                    }
                    segments.extend(segment);
                    records += 1;
                    last += usize::from(is_last);
                    self.tell(records, "looked at");
                }
                Item::Block { key, .. } => {
                    if !arriving::segment_of(&key).is_some_and(|id| segments.contains(&id)) {
                        return damaged("a block of the search index is of no segment");
                    }
                }
                Item::End { records: told }
                    if told == records && items().map_err(NotTaken::Source)?.is_none() =>
                {
                    if LAST_RECORDS_MAX < last {
                        let text = format!(
                            "{last} batches of mail are waiting to be sent, more than {LAST_RECORDS_MAX}, which cannot \
                             move at once: let the old server send for a while, and export again"
                        );
                        return Err(NotTaken::Source(text));
                    }
                    return Ok(head);
                }
                Item::End { .. } => return damaged("it has another number of records than it says"),
            }
        }
        damaged("it has no end")
    }

    fn begin(&self, is_running: bool, head: &Arc<Head>) -> Result<(), NotTaken> {
        loop {
            drop(settled(self.core, is_running)?);
            let (head, schema) = (Arc::clone(head), self.schema);
            if self.core.store.write_blocking(move |tx| arriving::begin(tx, &head, schema))? {
                return Ok(());
            }
        }
    }

    /// Writes everything; returns how many records.
    fn write(&mut self, source: &dyn Source, head: &Arc<Head>, is_running: bool) -> Result<u64, NotTaken> {
        let (mut items, again) = open(source)?;
        if again != **head {
            return damaged("it changed while it was read");
        }
        let mut jobs = Jobs::default();
        let mut records = 0;
        while let Some(item) = items().map_err(NotTaken::Source)? {
            match item {
                Item::Head(_) => return damaged("it has two heads"),
                Item::Blob { id, bytes, .. } => jobs.blobs.entry(id).or_default().extend(bytes),
                Item::Client { bytes } => jobs.add(Step::Client(bytes), &[], true)?,
                Item::Record { table, bytes } => {
                    let taker = self.taker(&table)?;
                    // What is taken meanwhile is found when the record is written.
                    let Checked { is_last, blobs, .. } = taker.plan(&bytes)?;
                    jobs.add(Step::Record(taker, bytes), &blobs, is_last)?;
                    records += 1;
                    self.tell(records, "written");
                }
                Item::Block { key, bytes } => jobs.add(Step::Block(key, bytes), &[], false)?,
                Item::End { .. } => {}
            }
            if jobs.next.is_full() {
                self.write_job(&mut jobs, head)?;
            }
        }
        self.write_job(&mut jobs, head)?;
        self.write_last(jobs, head, is_running)?;
        Ok(records)
    }

    fn write_job(&self, jobs: &mut Jobs, head: &Arc<Head>) -> Result<(), NotTaken> {
        let (job, account) = (std::mem::take(&mut jobs.next), head.account);
        let mut numbers = std::mem::take(&mut jobs.numbers);
        jobs.numbers = self.core.store.write_blocking(move |tx| {
            job.write(tx, account, &mut numbers)?;
            Ok::<_, NotTaken>(numbers)
        })?;
        Ok(())
    }

    fn write_last(&self, jobs: Jobs, head: &Arc<Head>, is_running: bool) -> Result<(), NotTaken> {
        let Jobs { last, mut numbers, .. } = jobs;
        let (head, by) = (Arc::clone(head), Caller::operator(head.account));
        let (now, routing) = (self.core.now(), self.core.config.routing());
        // Nobody is told of what comes along, as would be of what an operation did: it happened at the other server.
        let secrets = self.core.store.write_blocking(move |tx| {
            tx.expect_many_changes();
            last.write(tx, head.account, &mut numbers)?;
            if is_running {
                // Only what came along can have another way out than this server's; a start does the same.
                while outbound::reroute(tx, routing, now, BATCHES_PER_STEP)? {}
            }
            let arrived = Note::new(AuditAction::AccountCreated, head.account.0).named(&head.name);
            audit::note(tx, &by, arrived.detail("moved in"), now)?;
            arriving::finish(tx, &head, now)
        })?;
        self.core.signer.install(&secrets);
        self.core.wake.notify_one();
        Ok(())
    }
}

/// Something to write.
enum Step {
    Record(Taker, Vec<u8>),
    Client(Vec<u8>),
    Block(Vec<u8>, Vec<u8>),
}

/// The steps of one job, with the messages that it keeps first.
#[derive(Default)]
struct Job {
    steps: Vec<Step>,
    blobs: Vec<(u64, Vec<u8>)>,
    bytes: usize,
}

#[derive(Default)]
struct Jobs {
    next: Job,
    last: Job,
    /// Messages that came and whose record has not.
    blobs: HashMap<u64, Vec<u8>>,
    /// The numbers here of messages that were kept, by those of the other server.
    numbers: BTreeMap<u64, u64>,
}

impl Jobs {
    /// Puts a step into the next job, or into the last one, with the messages to which it refers. A message that the last
    /// job would bring is brought by the first record that needs it.
    fn add(&mut self, step: Step, blobs: &[u64], is_last: bool) -> Result<(), NotTaken> {
        for id in blobs {
            if let Some(bytes) = self.blobs.remove(id) {
                let job = if is_last { &mut self.last } else { &mut self.next };
                job.bytes += bytes.len();
                job.blobs.push((*id, bytes));
            } else if !is_last && let Some(at) = self.last.blobs.iter().position(|(kept, _)| kept == id) {
                let moved = self.last.blobs.swap_remove(at);
                self.next.blobs.push(moved);
            }
        }
        let job = if is_last { &mut self.last } else { &mut self.next };
        job.bytes += match &step {
            Step::Record(_, bytes) | Step::Client(bytes) | Step::Block(_, bytes) => bytes.len(),
        };
        job.steps.push(step);
        if is_last && LAST_BYTES_MAX < job.bytes {
            let text = "what is waiting to be sent is too large to move at once: let the old server send for a while";
            return Err(NotTaken::Source(text.to_owned()));
        }
        Ok(())
    }
}

impl Job {
    fn is_full(&self) -> bool {
        RECORDS_PER_JOB <= self.steps.len() || BYTES_PER_JOB <= self.bytes
    }

    fn write(
        self,
        tx: &mut WriteTx<'_>,
        account: AccountId,
        numbers: &mut BTreeMap<u64, u64>,
    ) -> Result<(), NotTaken> {
        for (id, bytes) in self.blobs {
            numbers.insert(id, tx.put_blob(&bytes)?.0);
        }
        for step in self.steps {
            match step {
                Step::Record(taker, bytes) => taker.put(tx, &bytes, numbers)?,
                Step::Client(bytes) => arriving::put_client(tx, &bytes)?,
                Step::Block(key, bytes) => arriving::put_block(tx, account, &key, &bytes)?,
            }
        }
        // Programs were told of all this at the other server, and the events come along.
        drop(tx.take_notes());
        Ok(())
    }
}
