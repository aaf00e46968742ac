//! Limits the memory that all request bodies in progress share.
//!
//! A body takes its [`Share`] before its first byte is read and holds it until its request is answered. While it waits
//! for the share it holds nothing. Small and large bodies have a part of the memory each, so that no small call waits
//! behind large ones, and one owner gets at most half of a part, so that others get the rest.

use std::time::Duration;

use crate::shares::Pool;
pub use crate::shares::{Owner, Share};

/// Bodies of up to this many bytes are small.
pub const SMALL_BYTES_MAX: usize = 64 << 10;
/// The unit in which memory is counted.
const UNIT_BYTES: usize = 1024;

/// The memory for bodies.
#[derive(Debug)]
pub(super) struct Budget {
    small: Pool,
    large: Pool,
    wait_max: Duration,
}

impl Budget {
    /// A budget of `bytes` in all; a body waits for its share for up to `wait_max`.
    pub(super) fn new(bytes: usize, wait_max: Duration) -> Budget {
        // Of 64 MiB the large bodies have 52: room for the largest message there is, and for the fields beside it.
        let small = bytes / 16 * 3;
        Budget { small: Pool::new(units_of(small)), large: Pool::new(units_of(bytes - small)), wait_max }
    }

    /// The share of a body of up to `bytes`; `None` if the wait was too long.
    pub(super) async fn take(&self, owner: Owner, bytes: usize) -> Option<Share> {
        let pool = if SMALL_BYTES_MAX < bytes { &self.large } else { &self.small };
        tokio::time::timeout(self.wait_max, pool.take(&[owner], units_of(bytes))).await.ok()
    }
}

/// A number of bytes in units, at least one.
fn units_of(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT_BYTES)).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1 << 20;

    #[tokio::test]
    async fn small_bodies_do_not_wait_behind_large_ones() {
        let budget = Budget::new(64 * MIB, Duration::ZERO);
        let largest = budget.take(Owner::Account(1), 51 * MIB).await;
        assert!(largest.is_some() && budget.take(Owner::Account(2), 51 * MIB).await.is_none());
        assert!(budget.take(Owner::Account(2), SMALL_BYTES_MAX).await.is_some());
    }
}
