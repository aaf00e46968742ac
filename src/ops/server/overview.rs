//! The first page of administrators: the things that wait for them, and how posts and people have become more or fewer.
//!
//! Every figure is a count, or a bounded number of rows, so the page costs the same in a large account. What the caller
//! may not see is left out.

use crate::clock::Timestamp;
use crate::model::figures::DayFigures;
use crate::model::pending::PendingState;
use crate::model::{AccountFigures, ActorKind, Admin, HeldState, List, Message, Permission};
use crate::ops::accounts::{admins, factors};
use crate::ops::archive::months::{self, Month};
use crate::ops::moderation::waiting;
use crate::ops::people::browse::{self, PausedBy};
use crate::ops::server::figures;
use crate::ops::{Caller, OpError, PageRequest, lists, locales, moderation};
use crate::schema::{CONTACT_COUNT, LIST_BY_ACCOUNT, LIST_COUNT, MESSAGE_BY_TIME, MESSAGE_COUNT, archive_of};
use crate::store::{IndexRange, Key, Read, StoreError};

/// Lists whose posts are counted.
const LISTS_MAX: usize = 2000;
/// Months that are shown.
const MONTHS: u64 = 12;
/// Lists among which those with the newest posts are looked for, and lists of the table.
const TABLE_AMONG_MAX: usize = 200;
const TABLE_MAX: usize = 12;

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
    /// The lists with the newest posts.
    pub lists: Vec<ListFacts>,
    /// Whether the caller sees further lists.
    pub has_more_lists: bool,
    /// The first steps that are still to be taken, for whoever administers the whole account.
    pub steps: Vec<FirstStep>,
}

/// The facts about one list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListFacts {
    /// The list.
    pub list: List,
    /// Its members.
    pub members: u64,
    /// Its posts of this month, in the zone of the account.
    pub posts: u64,
    /// When its newest post came.
    pub last: Option<Timestamp>,
    /// Messages and requests of people that wait for a decision; `None` if the caller does not decide.
    pub waiting: Option<u64>,
}

/// Something that a new account has yet to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstStep {
    /// It has no list.
    List,
    /// Its address book is empty.
    People,
    /// Nobody wrote a message.
    Message,
    /// It has one administrator alone.
    Helper,
    /// The caller has no second factor.
    Factor,
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
    (overview.lists, overview.has_more_lists) = table(tx, caller, now)?;
    overview.steps = steps(tx, caller)?;
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

/// The lists that the caller sees, those with the newest posts first, and whether there are more.
fn table(tx: &impl Read, caller: &Caller, now: Timestamp) -> Result<(Vec<ListFacts>, bool), StoreError> {
    let of_account = IndexRange::prefix(Key::new().u64(caller.account.0));
    let mut lists: Vec<List> = tx.page(&LIST_BY_ACCOUNT, &of_account, TABLE_AMONG_MAX + 1)?;
    lists.retain(|list| caller.sees_list(list));
    let mut dated = Vec::with_capacity(lists.len());
    for list in lists {
        dated.push((last_post(tx, &list)?, list));
    }
    dated.sort_by_key(|(last, list)| (std::cmp::Reverse(*last), list.id));
    let has_more = TABLE_MAX < dated.len();
    let decides = caller.holds(Permission::ApproveMessages);
    let zone = locales::locale(tx, caller.account)?.zone;
    let month = Month::of(now, &zone);
    let mut rows = Vec::new();
    for (last, list) in dated.into_iter().take(TABLE_MAX) {
        rows.push(ListFacts {
            members: lists::member_count(tx, &list)?,
            posts: months::count(tx, &list, month, &zone)?,
            waiting: if decides { Some(waiting::of_list(tx, &list)?) } else { None },
            last,
            list,
        });
    }
    Ok((rows, has_more))
}

/// When the newest post of a list came.
fn last_post(tx: &impl Read, list: &List) -> Result<Option<Timestamp>, StoreError> {
    let newest = IndexRange::prefix(archive_of(list.account, list.id)).backward();
    let newest: Vec<Message> = tx.page(&MESSAGE_BY_TIME, &newest, 1)?;
    Ok(newest.first().map(|message| message.time))
}

/// The first steps that are still to be taken.
fn steps(tx: &impl Read, caller: &Caller) -> Result<Vec<FirstStep>, StoreError> {
    if !caller.holds(Permission::AccountAdmin) || caller.limits.lists().is_some() {
        return Ok(Vec::new());
    }
    let ActorKind::Admin(own) = caller.actor().kind else { return Ok(Vec::new()) };
    let of_account = Key::new().u64(caller.account.0);
    let mut steps = Vec::new();
    for (count, step) in [
        (tx.count(&LIST_COUNT, &of_account)?, FirstStep::List),
        (tx.count(&CONTACT_COUNT, &of_account)?, FirstStep::People),
        (tx.count(&MESSAGE_COUNT, &of_account)?, FirstStep::Message),
    ] {
        if count == 0 {
            steps.push(step);
        }
    }
    let admins = admins::of_account(tx, Some(caller.account))?;
    if admins.iter().filter(|admin| admin.username.is_some()).count() < 2 {
        steps.push(FirstStep::Helper);
    }
    // Who signs in at a provider has its second factor there.
    let is_here = tx.get::<Admin>(own.0)?.is_some_and(|admin| admin.authn_provider.is_none());
    if is_here && factors::kind_of(tx, own)?.is_none() {
        steps.push(FirstStep::Factor);
    }
    Ok(steps)
}
