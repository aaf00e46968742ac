//! Lists the pages that search engines are told of: the public archives of an account, month by month, and the threads
//! that began in each.
//!
//! A file of the map covers so many messages of a month, so that each costs the same, however large the archive is.

use jiff::tz::TimeZone;

use crate::model::{AccountId, List, ListId, Message, MessageId};
use crate::ops::archive::access;
use crate::ops::archive::months::{self, Month};
use crate::schema::{LIST_BY_ACCOUNT, MESSAGE_BY_TIME, archive_of};
use crate::store::{IndexRange, Key, Read, StoreError};

/// Files that a map has at most, and pages of lists in one (the protocol of sitemaps has 50,000).
pub const FILES_MAX: usize = 50_000;
/// Messages that a file covers.
pub const MESSAGES_PER_FILE: u64 = 5000;
/// Lists that are read at a time.
const LISTS_PER_STEP: usize = 100;

/// A file of the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapFile {
    /// The list.
    pub list: ListId,
    /// The month of its messages.
    pub month: Month,
    /// How many files of this month come before it.
    pub part: u64,
}

/// Whether search engines are told of the archive of a list.
#[must_use]
pub fn is_told_of(list: &List) -> bool {
    access::is_public(list) && !list.archive_index_noshow
}

/// The lists of an account of whose archives search engines are told.
///
/// # Errors
/// If they cannot be read.
pub fn lists(tx: &impl Read, account: AccountId, limit: usize) -> Result<Vec<List>, StoreError> {
    let mut lists = Vec::new();
    let mut after = 0;
    while lists.len() < limit {
        let range = IndexRange::prefix(Key::new().u64(account.0)).after_id(after);
        let page: Vec<List> = tx.page(&LIST_BY_ACCOUNT, &range, LISTS_PER_STEP)?;
        let Some(last) = page.last() else { break };
        after = last.id.0;
        lists.extend(page.into_iter().filter(is_told_of));
    }
    lists.truncate(limit);
    Ok(lists)
}

/// A list of an account, if search engines are told of its archive.
///
/// # Errors
/// If it cannot be read.
pub fn list(tx: &impl Read, account: AccountId, id: ListId) -> Result<Option<List>, StoreError> {
    Ok(tx.get::<List>(id.0)?.filter(|list| list.account == account && is_told_of(list)))
}

/// The files of the map of an account, whose dates are shown in a zone.
///
/// # Errors
/// If they cannot be counted.
pub fn files(tx: &impl Read, account: AccountId, zone: &TimeZone) -> Result<Vec<MapFile>, StoreError> {
    let mut files = Vec::new();
    for list in lists(tx, account, FILES_MAX)? {
        for year in months::years(tx, &list, zone)? {
            for (at, count) in (1..).zip(year.months) {
                let month = Month::new(year.year, at);
                let parts = 0..count.div_ceil(MESSAGES_PER_FILE);
                files.extend(parts.map(|part| MapFile { list: list.id, month, part }));
            }
        }
        if FILES_MAX <= files.len() {
            break;
        }
    }
    files.truncate(FILES_MAX);
    Ok(files)
}

/// The threads that began with a message that a file covers.
///
/// # Errors
/// If they cannot be read.
pub fn threads(
    tx: &impl Read,
    list: &List,
    file: MapFile,
    zone: &TimeZone,
) -> Result<Vec<MessageId>, StoreError> {
    let key = archive_of(list.account, list.id);
    let from = key.clone().u64(file.month.start(zone).key());
    let end = key.clone().u64(file.month.next().start(zone).key());
    let range = IndexRange::prefix(key).from(from);
    let first = file.part.saturating_mul(MESSAGES_PER_FILE);
    let (mut place, mut ids) = (0, Vec::new());
    tx.scan(&MESSAGE_BY_TIME, &range, |row, id| {
        if end.as_bytes() <= row || first.saturating_add(MESSAGES_PER_FILE) <= place {
            return std::ops::ControlFlow::Break(());
        }
        if first <= place {
            ids.push(id);
        }
        place += 1;
        std::ops::ControlFlow::Continue(())
    })?;
    let messages: Vec<Message> = crate::ops::records(tx, &ids)?;
    let begins = messages.iter().filter(|message| message.thread == message.id);
    Ok(begins.map(|message| message.id).collect())
}
