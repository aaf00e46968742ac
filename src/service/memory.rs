//! Shares out the memory in which stored mail is read, and the places of work that lasts.
//!
//! Whatever reads a message that somebody else wrote takes its share here first: pages, files, feeds, downloads,
//! searches, previews, replies and the API. Shares are charged to the client and to the account. Small messages have
//! memory of their own, so that none of them waits behind a large one. Nobody waits longer than some seconds for an
//! answer, and a caller that is gone waits no more.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::HttpLimits;
use crate::model::AccountId;
use crate::model::network::host_network;
use crate::shares::{Owner, Pool, Share};

/// Messages from this size on are large.
pub const LARGE_BYTES: u64 = 1 << 20;
/// How many times its size a message takes while it is read: as stored, as shown, and on the way from one to the other.
const COPIES: usize = 4;
/// The unit in which memory is counted.
const UNIT_BYTES: usize = 1024;
/// Searches at a time: each has an eighth of the memory for searches.
const SEARCHES: u32 = 8;
/// Searches at a time for one client.
const SEARCHES_OF_CLIENT: u32 = 4;
/// Searches at a time for one account.
const SEARCHES_OF_ACCOUNT: u32 = 6;
/// Downloads that are made while they are sent, at a time.
const DOWNLOADS: u32 = 32;
/// Such downloads for one client.
const DOWNLOADS_OF_CLIENT: u32 = 2;
/// Such downloads for one account.
const DOWNLOADS_OF_ACCOUNT: u32 = 8;
/// The owner that stands for the server itself: no account has this number.
const SERVER: u64 = u64::MAX;
/// Files of months that are held in memory at a time.
const KEEPERS: usize = 2;
/// Seconds after which a caller who waited too long should try again.
pub const RETRY_SECS: u64 = 5;

/// Too many others are reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Too much is being read at the moment, try again later")]
pub struct ReadingBusy;

/// The owners to whom a share is charged: the client, and the account that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owners([Owner; 2]);

impl Owners {
    /// The server itself, which reads one message at a time and waits for no account's own part.
    #[must_use]
    pub fn server() -> Owners {
        Owners([Owner::Client(Ipv4Addr::UNSPECIFIED.into()), Owner::Account(SERVER)])
    }

    /// A client that reads something of an account.
    #[must_use]
    pub fn of(client: IpAddr, account: AccountId) -> Owners {
        // A client that waits for its own part keeps nobody else from the account's.
        Owners([Owner::Client(host_network(client)), Owner::Account(account.0)])
    }
}

/// Shares out the memory for stored mail.
#[derive(Debug)]
pub struct ReadingMemory {
    small: Pool,
    large: Pool,
    searches: Pool,
    downloads: Pool,
    /// The files of months that are held in memory at a time, to be kept.
    keepers: Arc<Semaphore>,
    wait_max: Duration,
}

impl ReadingMemory {
    /// The memory that the operator's limits give.
    #[must_use]
    pub fn new(limits: &HttpLimits) -> ReadingMemory {
        // Of 128 MiB large messages have 88, small ones 24, and searches 16.
        let part = limits.reading_bytes_max / 16;
        ReadingMemory {
            small: Pool::new(units_of(3 * part)),
            large: Pool::new(units_of(11 * part)),
            searches: Pool::with_limits(SEARCHES, SEARCHES_OF_CLIENT, SEARCHES_OF_ACCOUNT),
            downloads: Pool::with_limits(DOWNLOADS, DOWNLOADS_OF_CLIENT, DOWNLOADS_OF_ACCOUNT),
            keepers: Arc::new(Semaphore::new(KEEPERS)),
            wait_max: limits.reading_wait_max,
        }
    }

    /// Waits for the memory to read a message of this size, or several one after the other of which it is the largest.
    ///
    /// # Errors
    /// If there is none within some seconds.
    pub async fn take(&self, owners: Owners, size_bytes: u64) -> Result<Share, ReadingBusy> {
        self.in_time(self.take_in_stream(owners, size_bytes)).await
    }

    /// Waits for that memory as long as it takes: for a download that has begun, and would be cut otherwise.
    pub async fn take_in_stream(&self, owners: Owners, size_bytes: u64) -> Share {
        let pool = if size_bytes < LARGE_BYTES { &self.small } else { &self.large };
        let bytes = usize::try_from(size_bytes).unwrap_or(usize::MAX).saturating_mul(COPIES);
        pool.take(&owners.0, units_of(bytes)).await
    }

    /// Waits for the place of a search.
    ///
    /// # Errors
    /// If there is none within some seconds.
    pub async fn search(&self, owners: Owners) -> Result<Share, ReadingBusy> {
        self.in_time(self.searches.take(&owners.0, 1)).await
    }

    /// Waits for the place of a download that is made while it is sent.
    ///
    /// # Errors
    /// If there is none within some seconds.
    pub async fn download(&self, owners: Owners) -> Result<Share, ReadingBusy> {
        self.in_time(self.downloads.take(&owners.0, 1)).await
    }

    /// The place to hold a file of a month in memory until it is kept, if one is free.
    #[must_use]
    pub fn keeper(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.keepers).try_acquire_owned().ok()
    }

    async fn in_time(&self, taking: impl Future<Output = Share>) -> Result<Share, ReadingBusy> {
        tokio::time::timeout(self.wait_max, taking).await.map_err(|_| ReadingBusy)
    }
}

/// A number of bytes in units, at least one.
fn units_of(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT_BYTES)).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn memory() -> ReadingMemory {
        ReadingMemory::new(&HttpLimits { reading_wait_max: Duration::ZERO, ..HttpLimits::default() })
    }

    fn owners(client: u8, account: u64) -> Owners {
        Owners::of(Ipv4Addr::new(10, 0, 0, client).into(), AccountId(account))
    }

    #[tokio::test]
    async fn a_small_message_waits_behind_no_large_one() {
        let memory = memory();
        let large = memory.take(owners(1, 1), 50 * MIB).await;
        assert!(large.is_ok() && memory.take(owners(2, 2), 2 * MIB).await.is_err());
        assert!(memory.take(owners(1, 1), 100).await.is_ok());
    }

    #[tokio::test]
    async fn neither_a_client_nor_an_account_takes_all_of_the_memory() {
        for others in [owners(1, 2), owners(2, 1)] {
            let memory = memory();
            let shares = [memory.take(owners(1, 1), 11 * MIB).await, memory.take(owners(1, 1), 100).await];
            assert!(shares.iter().all(Result::is_ok));
            assert!(memory.take(others, 11 * MIB).await.is_err(), "{others:?}");
            assert!(memory.take(owners(3, 3), 11 * MIB).await.is_ok());
        }
    }

    #[tokio::test]
    async fn a_client_has_four_searches_and_two_downloads_at_a_time() {
        let memory = memory();
        let mut shares = Vec::new();
        for _ in 0..4 {
            shares.push(memory.search(owners(1, 1)).await.unwrap());
        }
        assert!(memory.search(owners(1, 2)).await.is_err());
        assert!(memory.search(owners(2, 1)).await.is_ok());
        for _ in 0..2 {
            shares.push(memory.download(owners(1, 1)).await.unwrap());
        }
        assert!(memory.download(owners(1, 2)).await.is_err());
        assert!(memory.download(owners(2, 1)).await.is_ok());
    }
}
