//! Keeps idle connections for a while for the next batch to the same destination.
//!
//! The scheduler decides how many connections a destination may have at a time; the pool only keeps returned ones.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;

use super::client::Connection;

/// The limits of the pool.
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
        // Postfix lets a client idle for 10 s under stress; using a connection that was just closed costs an attempt.
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

    /// A usable connection to `destination`. The one that was idle for the shortest time comes first, so that the
    /// others may expire.
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

    /// Keeps a connection if it can be used again; otherwise sends QUIT in the background.
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

    /// Sends QUIT on all idle connections at once, and waits a short time for the replies.
    pub async fn close(&self) {
        let mut farewells: JoinSet<()> = self.take(|_| true).into_iter().map(Connection::quit).collect();
        while farewells.join_next().await.is_some() {}
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Vec<Idle>>> {
        self.idle.lock().expect("no holder of this lock panics")
    }

    /// Returns the connection if it is not kept.
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
