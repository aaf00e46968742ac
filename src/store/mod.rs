//! The storage engine: typed records with secondary indexes in one file, one writer, any number of readers.
//!
//! It knows no entity and no clock: `schema` declares the entities, `ops` the operations. It promises:
//!
//! - [`Store::write`] resolves when the job's changes are durable, or when none of them remain. Jobs never see
//!   half of each other, and a job that fails or panics undoes only itself.
//! - Index rows, counts and blob references move in the same job as the record, derived by one function from
//!   what the [`Entity`] declares; there is no other way to write them.
//! - A record of an older version reads as the newest, and keeps its bytes until it is next written; its rows are those
//!   of the newest version.
//! - The rows of all entities share one table of the engine underneath, and small commits write their changes together,
//!   into a log that is merged into that table when it is long; so a commit writes few pages.
//! - What is derived from many records together is kept in tables of blocks ([`BlockTable`]), which change in the same
//!   jobs; the module that keeps them checks them.
//! - Readers see one moment of the data and never wait for the writer.
//! - When a commit fails, its jobs get an error, and so does every later request until the file has been opened again
//!   from the disk and can be written. Nothing that was confirmed before is lost.
//! - Before the disk is full, new work is refused, so that work that ends something still has room: [`Condition`].
//! - Damaged bytes are an error that names the table, never a panic.

mod blob;
mod check;
mod copy;
mod disk;
mod entity;
mod error;
pub mod fault;
mod generation;
mod health;
mod key;
mod ownership;
mod preallocate;
mod sample;
mod sharing;
mod snapshot;
mod staged;
mod tx;
mod writer;

use std::convert::Infallible;
use std::fs::{File, OpenOptions};
use std::future::Future;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;

use redb::ReadableDatabase;
use redb::backends::FileBackend;
use tokio::sync::{mpsc, oneshot, watch};

pub use blob::BlobId;
pub use check::{
    ENGINE_TABLES, EntityInfo, Problem, SampleRecord, check, check_shared, dump, fingerprint, rebuild,
};
pub use copy::FileCopy;
pub use disk::Disk;
pub use entity::{
    BlockTable, Count, Entity, Index, OldRecord, Older, RECORD_BYTES_MAX, Reread, is_stored_alike,
    record_from_bytes, record_to_bytes, sample, stored,
};
pub use error::StoreError;
pub use health::Condition;
pub use key::{Key, KeyReader};
pub use ownership::give_to_owner_of_folder;
pub use sample::Draw;
pub use sharing::share_rows;
pub use tx::{IndexRange, JobEnd, Read, ReadTx, Row, WriteTx, row_prefix, runs};

use copy::CopyableFile;
use disk::{OpenFile, Opening};
use generation::Generations;
use health::{Health, Purpose};
use snapshot::Newest;
use tx::Layout;
use writer::Request;

/// Most rows and numbers that one job may change; larger work goes in several jobs.
pub const JOB_CHANGES_MAX: usize = 100_000;

/// Most rows and numbers that a job changes which expects many ([`WriteTx::expect_many_changes`]): some 200 MB of memory.
pub const LARGE_JOB_CHANGES_MAX: usize = 1_000_000;

/// Jobs that may wait for the writer before their callers wait for a place in the queue.
const QUEUE_MAX: usize = 4096;

/// The error for a file of zero bytes. A file that this server creates gets its name only when it is complete.
const EMPTY: &str =
    "it is empty, so it is no data file: restore it from a copy, or remove it to start with no data";

/// How often a full disk is checked for room.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The options with which a file is opened.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// Memory for pages of the file, read or about to be written.
    pub cache_bytes: usize,
    /// Room on the disk, in bytes, below which new work is refused.
    pub reserve_bytes: u64,
    /// Changes of rows that small commits keep together before they are brought to their places.
    pub log_changes: usize,
    /// The disk that the file is on.
    pub disk: Disk,
}

impl StoreOptions {
    /// Enough for the inner pages of a large file.
    pub const CACHE_BYTES_DEFAULT: usize = 64 * 1024 * 1024;
    /// As many as are brought to their places within some milliseconds.
    pub const LOG_CHANGES_DEFAULT: usize = 4096;
    /// More room than one commit takes, with the largest message in it.
    pub const RESERVE_BYTES_DEFAULT: u64 = 128 * 1024 * 1024;
}

impl Default for StoreOptions {
    fn default() -> StoreOptions {
        StoreOptions {
            cache_bytes: StoreOptions::CACHE_BYTES_DEFAULT,
            reserve_bytes: StoreOptions::RESERVE_BYTES_DEFAULT,
            log_changes: StoreOptions::LOG_CHANGES_DEFAULT,
            disk: Disk::SYSTEM,
        }
    }
}

/// An open data file. Clones share it; it is closed by [`close`](Store::close) or with the last clone.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
    queue: mpsc::Sender<Request>,
    writer: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Store")
    }
}

/// A data file that was refused; see [`Store::open_checked`].
#[derive(Debug)]
pub struct Refused<R> {
    /// The reason.
    pub reason: R,
    /// Keeps others from opening the file.
    pub held: HeldFile,
}

/// A data file that does not change, because nobody else opens it as long as this lives.
pub struct HeldFile {
    _opening: Opening,
}

impl std::fmt::Debug for HeldFile {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("HeldFile")
    }
}

/// A function that writes as part of commits that other jobs caused; see [`Store::on_commit`].
pub type OnCommit = Box<dyn Fn(&mut WriteTx<'_>) -> Result<(), StoreError> + Send + Sync>;

/// A commit that has become durable.
#[derive(Debug, Clone, Copy)]
pub struct Committed {
    /// The number of its jobs.
    pub jobs: u32,
    /// How long the jobs and the flush to the disk took.
    pub duration: Duration,
}

/// A function that is told of every commit; see [`Store::observe`].
pub type Observer = Box<dyn Fn(Committed) + Send + Sync>;

/// The state that the handles share with the writer thread.
struct Shared {
    /// The engine underneath; `None` once the file is closed, and while it cannot be opened again.
    db: RwLock<Option<redb::Database>>,
    /// The file that the engine reads and writes.
    file: Mutex<Arc<CopyableFile>>,
    /// Where the file is; `None` if it cannot be opened again.
    source: Option<Source>,
    health: Health,
    newest: Newest,
    layout: Arc<Layout>,
    generations: Generations,
    on_commit: OnceLock<OnCommit>,
    job_end: OnceLock<Arc<JobEnd>>,
    observer: OnceLock<Observer>,
    /// The failure that ended writing, if one did.
    failure: watch::Sender<Option<StoreError>>,
}

/// A file that can be opened again.
struct Source {
    path: PathBuf,
    options: StoreOptions,
}

impl Source {
    fn open(&self) -> Result<Opening, StoreError> {
        self.options.disk.open(&self.path, self.options.cache_bytes)
    }
}

impl Store {
    /// Opens the file, and creates it, readable by its owner only, if there is none. Blocks; after a crash for as long
    /// as it takes to walk the file.
    pub fn open(path: &Path, options: StoreOptions) -> Result<Store, StoreError> {
        match Store::open_checked(path, options, |_| Ok(None::<Infallible>))? {
            Ok(store) => Ok(store),
            Err(Refused { reason, held: _ }) => match reason {},
        }
    }

    /// Like [`open`](Store::open), but if `refuse` returns a reason to refuse the file, no byte of it changes, whether
    /// it was closed properly or left by a crash; nobody else opens it as long as the answer is held.
    pub fn open_checked<R>(
        path: &Path,
        options: StoreOptions,
        refuse: impl FnOnce(&ReadTx) -> Result<Option<R>, StoreError>,
    ) -> Result<Result<Store, Refused<R>>, StoreError> {
        match path.metadata() {
            // The engine would take it for a new file, and all that was in it for gone.
            Ok(found) if found.len() == 0 => {
                return Err(StoreError::unusable(EMPTY));
            }
            Ok(_) => {}
            Err(_) => create(path, options.cache_bytes)?,
        }
        let source = Source { path: path.to_owned(), options };
        let expected = inode(path)?;
        let opening = source.open()?;
        // Another process may have put another file in its place before this one was locked.
        if inode(path)? != expected {
            return Err(StoreError::Locked);
        }
        let tx = ReadTx::new(Newest::default().get(&Arc::default(), || opening.begin_read())?);
        let refused = refuse(&tx)?;
        drop(tx);
        match refused {
            None => Store::start(opening.release()?, &source.options.clone(), Some(source)).map(Ok),
            Some(reason) => Ok(Err(Refused { reason, held: HeldFile { _opening: opening } })),
        }
    }

    /// Opens the content of a backend; see [`fault`]. It cannot be opened again after a failure.
    pub fn open_with_backend(
        backend: impl redb::StorageBackend,
        options: &StoreOptions,
    ) -> Result<Store, StoreError> {
        Store::start(OpenFile::of(backend, options.cache_bytes)?, options, None)
    }

    fn start(open: OpenFile, options: &StoreOptions, source: Option<Source>) -> Result<Store, StoreError> {
        let reserve_bytes = source.as_ref().map_or(0, |source| source.options.reserve_bytes);
        let shared = Arc::new(Shared {
            db: RwLock::new(Some(open.db)),
            file: Mutex::new(open.file),
            source,
            health: Health::new(reserve_bytes),
            newest: Newest::default(),
            layout: Arc::new(Layout::new(options.log_changes)),
            generations: Generations::new(),
            on_commit: OnceLock::new(),
            job_end: OnceLock::new(),
            observer: OnceLock::new(),
            failure: watch::Sender::new(None),
        });
        let (queue, requests) = mpsc::channel(QUEUE_MAX);
        let writer_shared = Arc::clone(&shared);
        let writer = std::thread::Builder::new()
            .name("store".into())
            .spawn(move || writer::run(&writer_shared, requests))
            .map_err(StoreError::unusable)?;
        Ok(Store { shared, queue, writer: Arc::new(Mutex::new(Some(writer))) })
    }

    /// A snapshot of this moment. Cheap enough to take for every request; drop it before waiting for anything.
    pub fn read(&self) -> Result<ReadTx, StoreError> {
        let snapshot = self.shared.newest.get(&self.shared.layout, || self.shared.begin_read())?;
        if snapshot.has_failed() {
            // The engine reads nothing more until the file is opened again. If the queue is full, its jobs will make
            // the writer notice.
            let _ = self.queue.try_send(Request::Examine);
        }
        Ok(ReadTx::new(snapshot))
    }

    /// The condition for new work now. As cheap as a read.
    #[must_use]
    pub fn condition(&self) -> Condition {
        self.shared.look();
        self.shared.health.condition()
    }

    /// A channel with the condition; it changes when a write or a call of `condition` notices a change.
    #[must_use]
    pub fn conditions(&self) -> watch::Receiver<Condition> {
        self.shared.health.watch()
    }

    /// Resolves when new work is accepted, which may be at once, or when the store is closed.
    pub async fn wait_until_writable(&self) {
        let mut conditions = self.conditions();
        while self.condition() != Condition::Healthy && !self.queue.is_closed() {
            // Whether there is room again is only known by measuring.
            let _ = tokio::time::timeout(LOOK_EVERY, conditions.changed()).await;
        }
    }

    /// Runs `work` on the writer thread; resolves when its changes are durable, or when it failed and none of
    /// its changes remain. If the caller stops waiting, the job runs all the same. It is refused while the disk is
    /// nearly full.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut WriteTx<'_>) -> Result<T, E> + Send + 'static,
    {
        self.submit(work).await.await
    }

    /// Like [`write`](Store::write), for work that ends something or makes room: it goes on when the disk is nearly
    /// full.
    pub async fn write_reserved<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut WriteTx<'_>) -> Result<T, E> + Send + 'static,
    {
        self.submit_reserved(work).await.await
    }

    /// Hands a job to the writer; the returned future resolves as [`write`](Store::write) does. Jobs that are handed
    /// over one after the other run in that order and share commits.
    pub async fn submit<T, E, F>(&self, work: F) -> impl Future<Output = Result<T, E>> + Send + use<T, E, F>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut WriteTx<'_>) -> Result<T, E> + Send + 'static,
    {
        self.enqueue(work, Purpose::New).await
    }

    /// Like [`submit`](Store::submit), for work that ends something or makes room.
    pub async fn submit_reserved<T, E, F>(
        &self,
        work: F,
    ) -> impl Future<Output = Result<T, E>> + Send + use<T, E, F>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut WriteTx<'_>) -> Result<T, E> + Send + 'static,
    {
        self.enqueue(work, Purpose::Ending).await
    }

    async fn enqueue<T, E, F>(
        &self,
        work: F,
        purpose: Purpose,
    ) -> impl Future<Output = Result<T, E>> + Send + use<T, E, F>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut WriteTx<'_>) -> Result<T, E> + Send + 'static,
    {
        let (job, answer) = writer::job(work, purpose);
        // Refused only if the writer has ended; it then drops the sender of the answer, too.
        let _ = self.queue.send(Request::Run(job)).await;
        let shared = Arc::clone(&self.shared);
        async move { answer.await.unwrap_or_else(|_| Err(shared.refusal().into())) }
    }

    /// Like [`write`](Store::write), for threads that may block.
    ///
    /// # Panics
    /// In asynchronous code, which must not block.
    pub fn write_blocking<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut WriteTx<'_>) -> Result<T, E> + Send + 'static,
    {
        self.run_blocking(work, Purpose::New)
    }

    /// Like [`write_reserved`](Store::write_reserved), for threads that may block.
    ///
    /// # Panics
    /// In asynchronous code, which must not block.
    pub fn write_reserved_blocking<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut WriteTx<'_>) -> Result<T, E> + Send + 'static,
    {
        self.run_blocking(work, Purpose::Ending)
    }

    fn run_blocking<T, E, F>(&self, work: F, purpose: Purpose) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnOnce(&mut WriteTx<'_>) -> Result<T, E> + Send + 'static,
    {
        let (job, answer) = writer::job(work, purpose);
        if self.queue.blocking_send(Request::Run(job)).is_err() {
            return Err(self.shared.refusal().into());
        }
        answer.blocking_recv().unwrap_or_else(|_| Err(self.shared.refusal().into()))
    }

    /// Begins a copy of the file as it is between two commits: it has every write that was confirmed before, and is
    /// opened like a file after a crash. Blocks for at most a commit; the writer goes on while the copy is read. What
    /// it overwrites meanwhile is kept in a file without a name beside the data file, of at most its size.
    ///
    /// # Panics
    /// In asynchronous code, which must not block.
    pub fn copy_file(&self) -> Result<FileCopy, StoreError> {
        let source = self.shared.source.as_ref().ok_or(StoreError::Closed)?;
        let scratch = copy::scratch_beside(&source.path).map_err(StoreError::unavailable)?;
        let (caller, answer) = oneshot::channel();
        if self.queue.blocking_send(Request::Copy { scratch, caller }).is_err() {
            return Err(self.shared.refusal());
        }
        answer.blocking_recv().unwrap_or_else(|_| Err(self.shared.refusal()))
    }

    /// Has a function run at the end of every commit from now on: for changes that should become durable at some time
    /// and are worth no commit of their own. A store has one; a second is dropped.
    pub fn on_commit(&self, on_commit: OnCommit) {
        // Refused if there is one already.
        let _ = self.shared.on_commit.set(on_commit);
    }

    /// Has a function run as the last part of every job that noted a fact ([`WriteTx::note`]), from now on. What it writes
    /// is part of the job; if it fails, the job fails. A store has one; a second is dropped.
    pub fn on_job_end(&self, job_end: Arc<JobEnd>) {
        // Refused if there is one already.
        let _ = self.shared.job_end.set(job_end);
    }

    /// Has `observer` be told of every commit from now on, on the writer's thread: it must be quick. A store has one; a
    /// second is dropped.
    pub fn observe(&self, observer: Observer) {
        // Refused if there is one already.
        let _ = self.shared.observer.set(observer);
    }

    /// A number that grows with every commit that put or deleted a record of this scope: a value computed from a
    /// snapshot is still true while the number is the same.
    ///
    /// Take the number *before* the snapshot. It is raised after the commit is visible and before the writer's caller
    /// is told, so a caller that was told of a change sees a new number.
    #[must_use]
    pub fn generation(&self, scope: u64) -> u64 {
        self.shared.generations.get(scope)
    }

    /// Resolves when writing has failed for good because the file cannot be opened again, which must stop the process;
    /// never otherwise. The future does not keep the store open.
    pub fn failed(&self) -> impl Future<Output = StoreError> + Send + 'static {
        let mut failure = self.shared.failure.subscribe();
        async move {
            if let Ok(failure) = failure.wait_for(Option::is_some).await
                && let Some(error) = failure.clone()
            {
                return error;
            }
            std::future::pending().await
        }
    }

    /// Finishes every job that was accepted before, then closes the file; when this returns, it can be opened
    /// again. Other handles get [`StoreError::Closed`] from then on, also from snapshots they still hold as far as
    /// they need the file.
    pub async fn close(&self) {
        let store = self.clone();
        // The pool thread only waits; a panic in it is impossible, and the runtime's end closes the file anyway.
        let _ = tokio::task::spawn_blocking(move || store.close_blocking()).await;
    }

    /// Like [`close`](Store::close), for threads that may block.
    ///
    /// # Panics
    /// In asynchronous code, which must not block.
    pub fn close_blocking(&self) {
        // Refused only if the writer is already ending.
        let _ = self.queue.blocking_send(Request::Close);
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(writer) = writer.take() {
            // The thread catches its own panics.
            let _ = writer.join();
        }
    }
}

impl Shared {
    fn begin_read(&self) -> Result<redb::ReadTransaction, StoreError> {
        self.with_db(|db| Ok(db.begin_read()?))
    }

    fn begin_write(&self) -> Result<redb::WriteTransaction, StoreError> {
        self.with_db(|db| db.begin_write().map_err(|error| self.failed_commit(error)))
    }

    fn with_db<T>(
        &self,
        work: impl FnOnce(&redb::Database) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let db = self.db.read().unwrap_or_else(PoisonError::into_inner);
        db.as_ref().map_or_else(|| Err(self.refusal()), work)
    }

    /// The error for requests that cannot be served now.
    fn refusal(&self) -> StoreError {
        let ended = self.failure.borrow().clone();
        ended.or_else(|| self.health.failure()).unwrap_or(StoreError::Closed)
    }

    /// The error for a commit that failed.
    fn failed_commit(&self, reason: impl std::fmt::Display) -> StoreError {
        if self.source.is_some() { StoreError::unavailable(reason) } else { StoreError::fatal(reason) }
    }

    /// The error for a commit that failed with one of the engine's.
    fn failed_job(&self, error: StoreError) -> StoreError {
        if error.is_outage() && self.source.is_some() { error } else { self.failed_commit(error) }
    }

    /// Records the free space of the disk; returns whether it suffices to write anything.
    fn look(&self) -> bool {
        let Some(Source { path, options }) = &self.source else { return true };
        if options.disk.fills_slowly() && self.health.was_healthy_lately() {
            return true;
        }
        let Some(free_bytes) = options.disk.free_bytes(path) else { return true };
        self.health.note_room(free_bytes);
        self.health.has_rest(free_bytes)
    }

    fn fail(&self, error: &StoreError) {
        tracing::error!(error = %error, "The data file failed; nothing can be written any more");
        self.failure.send_replace(Some(error.clone()));
    }

    /// Closes the file, if it is open, and opens it again: the engine forgets what it knew of it.
    fn reopen(&self) -> Result<(), StoreError> {
        let source = self.source.as_ref().ok_or(StoreError::Closed)?;
        self.close_file();
        let OpenFile { db, file } = source.open()?.release()?;
        self.layout.recent.forget();
        *self.file.lock().unwrap_or_else(PoisonError::into_inner) = file;
        *self.db.write().unwrap_or_else(PoisonError::into_inner) = Some(db);
        // The failed commit may have reached the disk all the same.
        self.generations.grow_all();
        Ok(())
    }

    /// Begins a copy; to be called while no transaction is open.
    fn begin_copy(&self, scratch: File) -> Result<FileCopy, StoreError> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).begin(scratch)
    }

    fn close_file(&self) {
        let db = self.db.write().unwrap_or_else(PoisonError::into_inner).take();
        // A snapshot keeps the file open.
        self.newest.forget();
        drop(db);
    }
}

fn builder(cache_bytes: usize) -> redb::Builder {
    let mut builder = redb::Builder::new();
    builder.set_cache_size(cache_bytes);
    builder
}

/// Creates an empty data file, all or nothing: a file whose creation was cut short cannot be opened by anyone, so it
/// gets its name only when it is complete.
fn create(path: &Path, cache_bytes: usize) -> Result<(), StoreError> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(".new");
    let draft = PathBuf::from(draft);
    if draft.exists() {
        std::fs::remove_file(&draft).map_err(StoreError::unusable)?;
    }
    let mut how = OpenOptions::new();
    how.read(true).write(true).create_new(true).mode(0o600);
    let file = how.open(&draft).map_err(StoreError::unusable)?;
    give_to_owner_of_folder(&file, &draft).map_err(StoreError::unusable)?;
    drop(builder(cache_bytes).create_with_backend(FileBackend::new(file)?)?);
    // A link: a rename would replace the file of a process that was faster.
    let linked = std::fs::hard_link(&draft, path);
    std::fs::remove_file(&draft).map_err(StoreError::unusable)?;
    match linked {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(StoreError::unusable(error)),
        Ok(()) | Err(_) => sync_folder_of(path),
    }
}

/// The number of the file that has this name now.
fn inode(path: &Path) -> Result<u64, StoreError> {
    path.metadata().map(|found| found.ino()).map_err(StoreError::unusable)
}

/// Makes a new file's name durable: the file's own sync does not cover its folder.
pub fn sync_folder_of(path: &Path) -> Result<(), StoreError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = File::open(folder.unwrap_or(Path::new("."))).map_err(StoreError::unusable)?;
    folder.sync_all().map_err(StoreError::unusable)
}
