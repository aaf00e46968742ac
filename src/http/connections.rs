//! Limits the open HTTP connections, in all and from one client, and closes one to make room for another.
//!
//! A connection is idle while the server waits for its client: for a request, for the rest of a body, or for the client
//! to read a response. At a limit, the connection that has been idle for longest is closed. A connection whose request
//! is being processed is never closed.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::model::network::host_network;

/// How long to wait before looking again for a connection to close.
const ROOM_PAUSE: Duration = Duration::from_millis(100);

/// When a connection last moved a byte, and whether its request is being processed.
#[derive(Debug)]
pub(super) struct Activity {
    opened: Instant,
    /// Milliseconds from `opened` to the last byte in either direction.
    last_ms: AtomicU64,
    is_answering: AtomicBool,
    close: Notify,
}

impl Activity {
    pub(super) fn new() -> Activity {
        Activity {
            opened: Instant::now(),
            last_ms: AtomicU64::new(0),
            is_answering: AtomicBool::new(false),
            close: Notify::new(),
        }
    }

    /// Notes that a byte was received or sent.
    pub(super) fn touch(&self) {
        let ms = u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.last_ms.store(ms, Ordering::Relaxed);
    }

    /// Notes whether the server is processing a request, and not waiting for the client.
    pub(super) fn set_answering(&self, is_answering: bool) {
        self.is_answering.store(is_answering, Ordering::Relaxed);
    }

    /// When the last byte was received or sent; `None` while a request is being processed.
    fn idle_since(&self) -> Option<Instant> {
        let last = Duration::from_millis(self.last_ms.load(Ordering::Relaxed));
        (!self.is_answering.load(Ordering::Relaxed)).then(|| self.opened + last)
    }

    /// Resolves when the connection must make room for another.
    pub(super) async fn closed(&self) {
        self.close.notified().await;
    }
}

/// The limits and the connections under them.
#[derive(Debug)]
pub(super) struct Connections {
    all_max: usize,
    per_client_max: usize,
    open: Mutex<Open>,
    freed: Notify,
}

#[derive(Debug, Default)]
struct Open {
    next_id: u64,
    by_id: HashMap<u64, Connection>,
    by_client: HashMap<IpAddr, usize>,
    /// Connections that were told to close and still hold their file descriptor.
    closing: usize,
}

#[derive(Debug)]
struct Connection {
    client: Option<IpAddr>,
    activity: Arc<Activity>,
}

impl Open {
    fn remove(&mut self, id: u64) -> Option<Connection> {
        let connection = self.by_id.remove(&id)?;
        if let Some(client) = connection.client {
            self.forget(client);
        }
        Some(connection)
    }

    /// Counts one less for `client`.
    fn forget(&mut self, client: IpAddr) {
        match self.by_client.get_mut(&client) {
            Some(count) if 1 < *count => *count -= 1,
            _ => drop(self.by_client.remove(&client)),
        }
    }

    /// Tells the connection that has been idle for longest, of `client` or of all, to close. False if none is idle.
    fn close_idlest(&mut self, client: Option<IpAddr>) -> bool {
        let of_client = self.by_id.iter().filter(|(_, open)| client.is_none() || open.client == client);
        let idle = of_client.filter_map(|(id, open)| Some((open.activity.idle_since()?, *id)));
        let Some((_, id)) = idle.min() else { return false };
        if let Some(connection) = self.remove(id) {
            connection.activity.close.notify_one();
            self.closing += 1;
        }
        true
    }
}

/// The reason why a connection is not admitted.
#[derive(Debug, PartialEq, Eq)]
enum NoRoom {
    /// The client has its maximum of connections, and a request of each is being processed.
    Client,
    /// All connections are taken; one of them may be about to close.
    All,
}

/// One open connection; dropping it makes room for another.
#[derive(Debug)]
pub(super) struct Slot {
    connections: Arc<Connections>,
    id: u64,
    activity: Arc<Activity>,
}

impl Slot {
    pub(super) fn activity(&self) -> Arc<Activity> {
        Arc::clone(&self.activity)
    }

    /// All connections of the listener.
    pub(super) fn connections(&self) -> Arc<Connections> {
        Arc::clone(&self.connections)
    }
}

/// A request under way that a proxy passed on; dropping it makes room for another of its client.
#[derive(Debug)]
pub(super) struct PassedOn {
    connections: Arc<Connections>,
    client: IpAddr,
}

impl Drop for PassedOn {
    fn drop(&mut self) {
        self.connections.lock().forget(self.client);
    }
}

impl Connections {
    /// Limits without a connection yet.
    pub(super) fn new(all_max: usize, per_client_max: usize) -> Arc<Connections> {
        let (open, freed) = (Mutex::default(), Notify::new());
        Arc::new(Connections { all_max, per_client_max, open, freed })
    }

    /// Admits a connection once there is room for it. `client` is the address under which it is counted; `None` if it
    /// is not limited by address. Returns `None` if its client has too many.
    pub(super) async fn admit(self: &Arc<Connections>, client: Option<IpAddr>) -> Option<Slot> {
        let client = client.map(host_network);
        loop {
            match self.try_admit(client) {
                Ok(slot) => return Some(slot),
                Err(NoRoom::Client) => return None,
                // One of the busy connections may be idle by then, and nothing signals that.
                Err(NoRoom::All) => drop(tokio::time::timeout(ROOM_PAUSE, self.freed.notified()).await),
            }
        }
    }

    /// Counts a request that a proxy passed on like a connection of its client; `None` if the client has as many as it
    /// may have. The proxy's own connection is not closed for it: the requests of others come by it.
    pub(super) fn begin_request(self: &Arc<Connections>, client: IpAddr) -> Option<PassedOn> {
        let client = host_network(client);
        let mut open = self.lock();
        let count = open.by_client.entry(client).or_default();
        if self.per_client_max <= *count {
            return None;
        }
        *count += 1;
        Some(PassedOn { connections: Arc::clone(self), client })
    }

    fn try_admit(self: &Arc<Connections>, client: Option<IpAddr>) -> Result<Slot, NoRoom> {
        let mut open = self.lock();
        let of_client = client.and_then(|client| open.by_client.get(&client)).copied().unwrap_or(0);
        if self.per_client_max <= of_client && !open.close_idlest(client) {
            return Err(NoRoom::Client);
        }
        if self.all_max <= open.by_id.len() + open.closing {
            if open.closing == 0 {
                open.close_idlest(None);
            }
            return Err(NoRoom::All);
        }
        let id = open.next_id;
        open.next_id += 1;
        if let Some(client) = client {
            *open.by_client.entry(client).or_default() += 1;
        }
        let activity = Arc::new(Activity::new());
        open.by_id.insert(id, Connection { client, activity: Arc::clone(&activity) });
        Ok(Slot { connections: Arc::clone(self), id, activity })
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut open = self.connections.lock();
        if open.remove(self.id).is_none() {
            open.closing -= 1;
        }
        drop(open);
        self.connections.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(text: &str) -> IpAddr {
        host_network(text.parse().unwrap())
    }

    /// Says that the connection's last byte came this long after it was opened.
    fn last_byte(slot: &Slot, ms: u64) {
        slot.activity.last_ms.store(ms, Ordering::Relaxed);
    }

    fn is_told_to_close(slot: &Slot) -> bool {
        !slot.connections.lock().by_id.contains_key(&slot.id)
    }

    #[test]
    fn the_idlest_connection_makes_room_at_the_limit() {
        let connections = Connections::new(3, 100);
        let slots: Vec<Slot> = (0..3).map(|_| connections.try_admit(None).unwrap()).collect();
        last_byte(&slots[0], 5000);
        last_byte(&slots[1], 3000);
        last_byte(&slots[2], 4000);
        assert_eq!(connections.try_admit(None).unwrap_err(), NoRoom::All);
        assert_eq!([0, 1, 2].map(|n| is_told_to_close(&slots[n])), [false, true, false]);
        assert_eq!(connections.try_admit(None).unwrap_err(), NoRoom::All, "its descriptor is still in use");
        assert!(!is_told_to_close(&slots[2]), "one is enough");
        let mut slots = slots.into_iter();
        let first = slots.next();
        drop(slots.next());
        assert!(connections.try_admit(None).is_ok());
        drop((first, slots));
        let open = connections.lock();
        assert!(open.by_id.is_empty() && open.by_client.is_empty() && open.closing == 0, "{open:?}");
    }

    #[test]
    fn a_connection_whose_request_is_being_answered_is_not_closed() {
        let connections = Connections::new(2, 100);
        let [first, second] = [(); 2].map(|()| connections.try_admit(None).unwrap());
        last_byte(&second, 9000);
        first.activity.set_answering(true);
        assert!(connections.try_admit(None).is_err());
        assert!(!is_told_to_close(&first) && is_told_to_close(&second));
    }

    #[test]
    fn connections_of_one_client_are_limited_and_of_ipv6_a_network_is_one_client() {
        let connections = Connections::new(100, 2);
        for text in ["192.0.2.1", "2001:db8::1"] {
            let slots: Vec<Slot> =
                (0..2).map(|_| connections.try_admit(Some(client(text))).unwrap()).collect();
            last_byte(&slots[0], 1000);
            let other = connections.try_admit(Some(client("198.51.100.7"))).unwrap();
            let third =
                connections.try_admit(Some(client(if text.contains(':') { "2001:db8::2" } else { text })));
            assert!(third.is_ok() && is_told_to_close(&slots[1]) && !is_told_to_close(&other));
            slots[0].activity.set_answering(true);
            third.as_ref().unwrap().activity.set_answering(true);
            assert_eq!(connections.try_admit(Some(client(text))).unwrap_err(), NoRoom::Client);
        }
        assert!(connections.try_admit(Some(client("2001:db8:0:1::1"))).is_ok());
        let local: Vec<_> = (0..50).map(|_| connections.try_admit(None).unwrap()).collect();
        assert_eq!(local.len(), 50, "whoever is not counted by address is not limited by it");
    }
}
