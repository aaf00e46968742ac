//! Idle connections, kept for a while for the next batch to the same destination.
//!
//! How many connections a destination may have at a time is the scheduler's to say; this only keeps what
//! it gives back.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;

use super::client::Connection;

/// What is kept, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct PoolLimits {
    /// How long a connection may idle.
    pub idle_max: Duration,
    /// Copies after which a connection is not used again.
    pub copies_max: usize,
    /// Idle connections over all destinations.
    pub connections_max: usize,
}

impl Default for PoolLimits {
    fn default() -> PoolLimits {
        // Postfix lets a client idle for 10 s under stress; a connection that it just closed costs an attempt.
        PoolLimits { idle_max: Duration::from_secs(8), copies_max: 5000, connections_max: 200 }
    }
}

/// Idle connections by destination.
#[derive(Debug, Default)]
pub struct Pool {
    limits: PoolLimits,
    idle: Mutex<HashMap<String, Vec<Idle>>>,
}

#[derive(Debug)]
struct Idle {
    connection: Connection,
    since: Instant,
}

impl Pool {
    /// An empty pool.
    #[must_use]
    pub fn new(limits: PoolLimits) -> Pool {
        Pool { limits, idle: Mutex::default() }
    }

    /// A connection to `destination` that can be used at once. The one that idled least is first: the others
    /// may then grow old.
    pub fn get(&self, destination: &str) -> Option<Connection> {
        let mut idle = self.lock();
        let connections = idle.get_mut(destination)?;
        let found = std::iter::from_fn(|| connections.pop())
            .find(|idle| idle.since.elapsed() < self.limits.idle_max && idle.connection.is_usable());
        if connections.is_empty() {
            idle.remove(destination);
        }
        found.map(|idle| idle.connection)
    }

    /// Keeps a connection, if it can be used again; otherwise says goodbye, which nobody waits for.
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    pub fn put(&self, destination: &str, connection: Connection) {
        if let Some(connection) = self.keep(destination, connection) {
            tokio::spawn(connection.quit());
        }
        for connection in self.take(|idle| self.limits.idle_max <= idle.since.elapsed()) {
            tokio::spawn(connection.quit());
        }
    }

    /// Says goodbye to all that is idle, at once: who does not answer keeps nobody waiting but us, and not for long.
    pub async fn close(&self) {
        let mut farewells: JoinSet<()> = self.take(|_| true).into_iter().map(Connection::quit).collect();
        while farewells.join_next().await.is_some() {}
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Vec<Idle>>> {
        self.idle.lock().expect("no holder of this lock panics")
    }

    /// Gives back what is not kept.
    fn keep(&self, destination: &str, connection: Connection) -> Option<Connection> {
        let mut idle = self.lock();
        let kept: usize = idle.values().map(Vec::len).sum();
        let is_spent = self.limits.copies_max <= connection.sent();
        if is_spent || self.limits.connections_max <= kept || !connection.is_usable() {
            return Some(connection);
        }
        let since = Instant::now();
        idle.entry(destination.to_owned()).or_default().push(Idle { connection, since });
        None
    }

    fn take(&self, is_taken: impl Fn(&Idle) -> bool) -> Vec<Connection> {
        let mut idle = self.lock();
        let taken = idle
            .values_mut()
            .flat_map(|connections| connections.extract_if(.., |idle| is_taken(idle)))
            .map(|idle| idle.connection)
            .collect();
        idle.retain(|_, connections| !connections.is_empty());
        taken
    }
}
