//! Hashes the passwords of people, and compares them with their hashes. It is the only module that does, since each
//! hash takes about 19 MB and tens of milliseconds of a core.
//!
//! As many hashes are computed at a time as the machine has cores. A limited number waits and the rest are refused, so
//! neither memory nor waiting grows with the requests of strangers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::available_parallelism;

use tokio::sync::{Mutex, MutexGuard, Semaphore};

use crate::secret::{self, Secrets, is_password_of};

/// Seconds after which a refused caller should try again.
pub const RETRY_SECS: u64 = 10;

/// The hash of a password that nobody has, with the costs of [`Secrets::hash_password`]. It is computed for whoever has
/// no password, so that this takes as long as for anybody else.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
/// Addresses that take turns with one another, by chance: enough that they seldom wait, and a bounded number of locks.
const TURNS: usize = 64;

/// The reason why a password was not hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HashError {
    /// Too many other passwords wait to be hashed.
    #[error("too many passwords are being hashed")]
    Busy,
    /// The computation panicked: a defect of this program.
    #[error("the hash could not be computed")]
    Failed,
}

/// Computes hashes, a few at a time.
#[derive(Debug)]
pub struct Passwords {
    cores: Arc<Semaphore>,
    waiting: AtomicUsize,
    waiting_max: usize,
    turns: Vec<Mutex<()>>,
    compared: AtomicU64,
    running: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl Passwords {
    /// Computes as many hashes at a time as there are cores; up to `waiting_max` more wait.
    #[must_use]
    pub fn new(waiting_max: usize) -> Passwords {
        Passwords::at_a_time(available_parallelism().map_or(1, Into::into), waiting_max)
    }

    fn at_a_time(cores: usize, waiting_max: usize) -> Passwords {
        let cores = Arc::new(Semaphore::new(cores));
        Passwords {
            cores,
            waiting: AtomicUsize::new(0),
            waiting_max,
            turns: (0..TURNS).map(|_| Mutex::new(())).collect(),
            compared: AtomicU64::new(0),
            running: Arc::default(),
            most: Arc::default(),
        }
    }

    /// The Argon2id hash of a password, with its salt and costs. Refused if too many others wait.
    pub async fn hash(&self, secrets: &Secrets, password: String) -> Result<String, HashError> {
        let secrets = secrets.clone();
        self.compute(move || secrets.hash_password(&password)).await
    }

    /// Whether a password is the one of an Argon2 hash. Refused if too many others wait.
    pub async fn is_right(&self, hash: String, password: String) -> Result<bool, HashError> {
        self.compared.fetch_add(1, Ordering::Relaxed);
        self.compute(move || is_password_of(&hash, &password)).await
    }

    /// Whether a password is the one of a hash. Where there is no hash, one of equal cost is computed all the same, and
    /// no password is right.
    pub async fn is_somebodys(&self, hash: Option<String>, password: String) -> Result<bool, HashError> {
        let is_known = hash.is_some();
        let is_right = self.is_right(hash.unwrap_or_else(|| NOBODYS.to_owned()), password).await?;
        Ok(is_known && is_right)
    }

    /// The hash of a right password with today's costs, if its hash has others.
    pub async fn renewed(
        &self,
        secrets: &Secrets,
        hash: &str,
        password: String,
    ) -> Result<Option<String>, HashError> {
        if secret::is_outdated(hash) { self.hash(secrets, password).await.map(Some) } else { Ok(None) }
    }

    /// Waits for the turn of an address, given as a hash of it: guesses at one address are made one after the other, so
    /// that none is begun before those before it are counted.
    ///
    /// # Panics
    /// Never: there is a turn for every byte.
    pub async fn turn(&self, subject: &[u8; 32]) -> MutexGuard<'_, ()> {
        self.turns[usize::from(subject[0]) % TURNS].lock().await
    }

    /// How many passwords were compared with a hash since the start.
    #[must_use]
    pub fn compared(&self) -> u64 {
        self.compared.load(Ordering::Relaxed)
    }

    /// How many computations ran at the same time at most, and how many may.
    #[must_use]
    pub fn most_at_a_time(&self) -> (usize, usize) {
        let may = self.cores.available_permits() + self.running.load(Ordering::Relaxed);
        (self.most.load(Ordering::Relaxed), may)
    }

    /// Runs a computation that takes long, such as Argon2 or the making of a key, on the blocking pool once a core is
    /// free for it. Refused if too many others wait.
    pub async fn compute<T: Send + 'static>(
        &self,
        computation: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, HashError> {
        let waiting = Waiting::begin(self).ok_or(HashError::Busy)?;
        let core = Arc::clone(&self.cores).acquire_owned().await.map_err(|_| HashError::Failed)?;
        drop(waiting);
        let running = Running::begin(&self.running, &self.most);
        let computing = tokio::task::spawn_blocking(move || {
            // Held until the computation ends, even if nobody waits for its result any more.
            let (_core, _running) = (core, running);
            computation()
        });
        computing.await.map_err(|error| {
            tracing::error!(error = %error, "A password could not be hashed");
            HashError::Failed
        })
    }
}

/// A computation that runs.
struct Running(Arc<AtomicUsize>);

impl Running {
    fn begin(running: &Arc<AtomicUsize>, most: &AtomicUsize) -> Running {
        most.fetch_max(running.fetch_add(1, Ordering::AcqRel) + 1, Ordering::AcqRel);
        Running(Arc::clone(running))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A caller that waits for a core.
struct Waiting<'passwords>(&'passwords AtomicUsize);

impl<'passwords> Waiting<'passwords> {
    /// Counts a caller as waiting; `None` if too many wait.
    fn begin(passwords: &'passwords Passwords) -> Option<Waiting<'passwords>> {
        // A caller that gets a core at once is counted too, although it does not wait.
        let places = passwords.waiting_max + passwords.cores.available_permits();
        let waiting = Waiting(&passwords.waiting);
        (waiting.0.fetch_add(1, Ordering::AcqRel) < places).then_some(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn the_hash_of_nobody_costs_as_much_as_that_of_anybody() {
        let costs = |hash: &str| hash.rsplit_once('$').unwrap().0.rsplit_once('$').unwrap().0.to_owned();
        assert_eq!(costs(NOBODYS), costs(&Secrets::seeded(7).hash_password("open")));
        assert!(!secret::is_outdated(NOBODYS));
        assert!(secret::is_outdated(&NOBODYS.replace("m=19456", "m=4096")));
        assert!(secret::is_outdated(&NOBODYS.replace("argon2id", "argon2i")));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn no_more_are_computed_at_a_time_than_there_are_cores_and_no_more_wait_than_may() {
        let passwords = Arc::new(Passwords::at_a_time(2, 3));
        let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (started, starts) = mpsc::channel();
        let (go, gate) = mpsc::channel::<()>();
        let gate = Arc::new(std::sync::Mutex::new(gate));
        let begin = || {
            let (passwords, running, most) =
                (Arc::clone(&passwords), Arc::clone(&running), Arc::clone(&most));
            let (started, gate) = (started.clone(), Arc::clone(&gate));
            let work = move || {
                most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                started.send(()).unwrap();
                gate.lock().unwrap().recv().unwrap();
                running.fetch_sub(1, Ordering::SeqCst);
            };
            tokio::spawn(async move { passwords.compute(work).await })
        };
        let first: Vec<_> = (0..2).map(|_| begin()).collect();
        for _ in 0..2 {
            tokio::task::block_in_place(|| starts.recv().unwrap());
        }
        let more: Vec<_> = (0..3).map(|_| begin()).collect();
        while passwords.waiting.load(Ordering::SeqCst) < 3 {
            tokio::task::yield_now().await;
        }
        assert_eq!(begin().await.unwrap(), Err(HashError::Busy));
        for _ in 0..5 {
            go.send(()).unwrap();
        }
        for task in first.into_iter().chain(more) {
            assert_eq!(task.await.unwrap(), Ok(()));
        }
        assert_eq!(most.load(Ordering::SeqCst), 2);
        assert_eq!(passwords.waiting.load(Ordering::SeqCst), 0);
    }
}
