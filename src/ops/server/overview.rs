//! The first page of administrators: the things that wait for them, and how posts and people have become more or fewer.
//!
//! Every figure is a count, or a bounded number of rows, so the page costs the same in a large account. What the caller
//! may not see is left out.

use crate::clock::Timestamp;
use crate::model::figures::DayFigures;
use crate::model::pending::PendingState;
use crate::model::{AccountFigures, HeldState, List, Permission};
use crate::ops::archive::months::{self, Month};
use crate::ops::people::browse::{self, PausedBy};
use crate::ops::server::figures;
use crate::ops::{Caller, OpError, PageRequest, lists, locales, moderation};
use crate::schema::LIST_BY_ACCOUNT;
use crate::store::{IndexRange, Key, Read, StoreError};

/// Lists whose posts are counted.
const LISTS_MAX: usize = 2000;
/// Months that are shown.
const MONTHS: u64 = 12;

/// Messages or requests that wait for a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// How many there are.
    pub count: u64,
    /// When the oldest came.
    pub oldest: Timestamp,
}

/// The posts of one month, in the zone of the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MonthPosts {
    /// The month.
    pub month: Month,
    /// The posts.
    pub posts: u64,
}

/// The facts on the first page of an account.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overview {
    /// Messages that wait for a decision, if the caller decides.
    pub held: Option<Waiting>,
    /// Requests that wait for a decision, if the caller decides.
    pub pending: Option<Waiting>,
    /// Addresses that the server paused, if the caller sees all people.
    pub bouncing: u64,
    /// The posts of the last months, the oldest first.
    pub posts: Vec<MonthPosts>,
    /// People and memberships, the oldest day first and now last; empty if the caller does not see all people.
    pub people: Vec<DayFigures>,
}

/// Reads the facts on the first page of an account.
pub fn of_account(tx: &impl Read, caller: &Caller, now: Timestamp) -> Result<Overview, OpError> {
    caller.require_read()?;
    let mut overview = Overview { posts: posts(tx, caller, now)?, ..Overview::default() };
    let first = PageRequest::Page { page: 1, limit: 1 };
    if caller.holds(Permission::ApproveMessages) {
        let held = moderation::list(tx, caller, HeldState::Held, first)?;
        overview.held =
            held.rows.first().map(|oldest| Waiting { count: held.count, oldest: oldest.received });
        let pending = lists::pending::list(tx, caller, PendingState::Pending, first)?;
        overview.pending =
            pending.rows.first().map(|oldest| Waiting { count: pending.count, oldest: oldest.requested });
    }
    if caller.limits.lists().is_none() {
        overview.bouncing = browse::count_paused(tx, caller, PausedBy::Server)?;
        let known: Option<AccountFigures> = tx.get(caller.account.0)?;
        overview.people = known.map(|figures| figures.days).unwrap_or_default();
        overview.people.push(figures::present(tx, caller.account, now)?);
    }
    Ok(overview)
}

/// The posts of the last months in the lists that the caller sees, the oldest first.
fn posts(tx: &impl Read, caller: &Caller, now: Timestamp) -> Result<Vec<MonthPosts>, StoreError> {
    let of_account = IndexRange::prefix(Key::new().u64(caller.account.0));
    let lists: Vec<List> = tx.page(&LIST_BY_ACCOUNT, &of_account, LISTS_MAX)?;
    let zone = locales::locale(tx, caller.account)?.zone;
    let mut month = Month::of(now, &zone);
    let mut found = Vec::new();
    for _ in 0..MONTHS {
        let mut posts = 0;
        for list in lists.iter().filter(|list| caller.sees_list(list)) {
            posts += months::count(tx, list, month, &zone)?;
        }
        found.push(MonthPosts { month, posts });
        month = month.previous();
    }
    found.reverse();
    Ok(found)
}
