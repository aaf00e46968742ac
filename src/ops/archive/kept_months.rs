//! Keeps the mailbox files of months that are over, so that each is made once.
//!
//! The first download of such a month makes its file while it is sent, and keeps it if it is not too large. A kept file is
//! deleted with the first message of its month that is taken out, written anew or restored ([`forget`]), and is not used
//! when the settings by which messages are shown, or the number of its messages, are not those of which it was made.

use std::ops::Range;
use std::time::Duration;

use jiff::tz::TimeZone;

use crate::clock::Timestamp;
use crate::model::{BlobId, KeptFile, KeptMonth, Links, List, Message};
use crate::ops::archive::months::{self, Month};
use crate::ops::archive::shown;
use crate::schema::{KEPT_MONTH_BY_LIST, archive_of};
use crate::secret::sha256;
use crate::store::{self, IndexRange, Key, Read, StoreError, WriteTx};

/// Bytes of a compressed file up to which it is kept.
pub const KEPT_BYTES_MAX: usize = 8 << 20;

/// The farthest that a zone is from UTC, rounded up.
const ZONE_MAX: Duration = Duration::from_hours(27);

/// Whether the file of a month may be kept: nothing is added any more but by imports.
#[must_use]
pub fn is_over(month: Month, now: Timestamp, zone: &TimeZone) -> bool {
    month < Month::of(now, zone)
}

/// The kept file of a month; `None` if there is none that is up to date.
///
/// # Errors
/// If it cannot be read.
pub fn find(
    tx: &impl Read,
    links: &Links,
    list: &List,
    (month, zone): (Month, &TimeZone),
) -> Result<Option<KeptFile>, StoreError> {
    let Some(kept) = record(tx, list_key(list), month)? else { return Ok(None) };
    let is_its = kept.facts == facts(tx, links, list, (month, zone))?;
    Ok(kept.file.filter(|_| is_its))
}

/// A piece of a kept file; shorter than asked for where the file ends.
///
/// # Errors
/// If it cannot be read.
pub fn piece(tx: &impl Read, blob: BlobId, range: Range<u64>) -> Result<Vec<u8>, StoreError> {
    tx.blob_range(store::BlobId(blob.0), range)
}

/// Notes that the file of a month is being made, in place of an earlier one; the number under which it is kept.
pub(crate) fn note(
    tx: &mut WriteTx<'_>,
    links: &Links,
    list: &List,
    (month, zone): (Month, &TimeZone),
) -> Result<u64, StoreError> {
    if let Some(before) = record(tx, list_key(list), month)? {
        tx.delete::<KeptMonth>(before.id)?;
    }
    let facts = facts(tx, links, list, (month, zone))?;
    let (account, list) = (list.account, list.id);
    let id = tx.next_id::<KeptMonth>()?;
    tx.put(&KeptMonth { id, account, list, month: month.number_in_all(), facts, file: None })?;
    Ok(id)
}

/// Keeps the file of a month that was made, unless something of the month changed meanwhile.
pub(crate) fn keep(tx: &mut WriteTx<'_>, id: u64, bytes: &[u8]) -> Result<(), StoreError> {
    let Some(kept) = tx.get::<KeptMonth>(id)?.filter(|kept| kept.file.is_none()) else { return Ok(()) };
    let tag = data_encoding::HEXLOWER.encode(&sha256(bytes)[..12]);
    let file = KeptFile { blob: BlobId(tx.put_blob(bytes)?.0), length: bytes.len() as u64, tag };
    tx.put(&KeptMonth { file: Some(file), ..kept })
}

/// Deletes the kept file of the month of a message that changes.
pub(super) fn forget(tx: &mut WriteTx<'_>, message: &Message) -> Result<(), StoreError> {
    // In some zone it is of the month before or behind.
    let around = [message.time.before(ZONE_MAX), message.time, message.time + ZONE_MAX];
    for month in around.map(|time| Month::of(time, &TimeZone::UTC)) {
        if let Some(kept) = record(tx, archive_of(message.account, message.list), month)? {
            tx.delete::<KeptMonth>(kept.id)?;
        }
    }
    Ok(())
}

fn list_key(list: &List) -> Key {
    archive_of(list.account, list.id)
}

fn record(tx: &impl Read, list: Key, month: Month) -> Result<Option<KeptMonth>, StoreError> {
    let range = IndexRange::prefix(list.u64(month.number_in_all()));
    Ok(tx.page(&KEPT_MONTH_BY_LIST, &range, 1)?.pop())
}

fn facts(
    tx: &impl Read,
    links: &Links,
    list: &List,
    (month, zone): (Month, &TimeZone),
) -> Result<[u8; 16], StoreError> {
    let messages = months::count(tx, list, month, zone)?;
    let settings = shown::settings(tx, links, list)?;
    let zone = zone.iana_name().unwrap_or_default();
    let hash = sha256(format!("{messages} {zone} {settings:?}").as_bytes());
    Ok(hash.first_chunk().copied().unwrap_or_default())
}
