//! Keeps the search index of archives, in a background job that follows them.
//!
//! Accepting a post writes no words. Messages are numbered in the order in which they are stored, so one number, the
//! last indexed message, tells what is left to do. It is updated in the same job as the terms, so a crash loses none
//! and repeats none. The terms of a few new posts share the commit that claims their first copies ([`read_few`]);
//! all others wait for a step of their own, and whichever comes first counts. Terms are read from a snapshot, outside the writer, and written in jobs of bounded size: many
//! messages of a list become a segment at once, as when archives are imported or indexed anew; a few are kept by
//! themselves until there are enough of them ([`super::postings`]).
//!
//! The same steps merge segments, delete the blocks of those that are no longer read, delete the words of an older form of
//! the index, and index anew what older versions found in another way ([`super::reindexing`]). A message that is taken out of the archive is found no more from the same job on ([`forget`]).

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::mail;
use crate::model::search::TEXT_BYTES_MAX;
use crate::model::terms::Terms;
use crate::model::{
    AccountId, BlobId, List, ListId, Message, MessageId, MessageWords, PartNotes, RecentTerms, Segment,
    SegmentId, SegmentState,
};
use crate::ops::archive::kept_months;
use crate::ops::archive::messages::stored_mail;
use crate::ops::archive::postings::draft::Draft;
use crate::ops::archive::postings::merge::{self, MergeStep};
use crate::ops::archive::postings::segments;
use crate::ops::archive::reindexing::{self, Reindexed};
use crate::schema::{RECENT_TERMS_BY_LIST, SEGMENT_UNFINISHED};
use crate::store::{self, IndexRange, Key, Read, StoreError, WriteTx};

pub use crate::ops::archive::postings::check::problems;

/// The form of the index: a file of the form before has no segments, and all of its messages are indexed again.
const TERMS_VERSION: u32 = 2;
/// The name in the data file of [`TERMS_VERSION`] and the last indexed message.
const META_CURSOR: &str = "message words";
/// Messages that one step reads.
const MESSAGES_PER_STEP: usize = 4096;
/// Terms after which a step ends.
const TERMS_PER_STEP: usize = 600_000;
/// Octets of messages after which a step ends.
const BYTES_PER_STEP: u64 = 16 * 1024 * 1024;
/// Messages that are read at a time.
const MESSAGES_PER_PAGE: usize = 64;
/// New messages of a list that become a segment at once.
const SEGMENT_MIN: usize = 64;
/// Messages of a list that are in no segment, at most.
const RECENT_MAX: usize = 128;
/// Rows that a step deletes.
const ROWS_PER_STEP: usize = 1000;
/// New messages whose terms are written along with other work, at most. Of more, a step makes less to write.
const FEW_MAX: usize = 4;
/// Rows of an older index that a step deletes: each is at a different place in the file.
const OLD_ROWS_PER_STEP: usize = 5000;
/// Bytes of a message that a search reads for what the index cannot tell.
pub(super) const SEARCHED_BYTES: u64 = 1024 * 1024;
/// Media types of files that mail programs make, and that nobody takes for one.
const NO_ATTACHMENTS: &[&str] = &["application/pgp-signature", "application/pkcs7-signature"];

/// A step of the work on the index.
#[derive(Debug)]
pub struct Step(Work);

#[derive(Debug)]
enum Work {
    Index(NewTerms),
    Merge(Box<MergeStep>),
    Drop(SegmentId),
    OldWords,
    Reindex(Reindexed),
}

/// The terms of the next messages.
#[derive(Debug)]
struct NewTerms {
    /// Messages of which each list has many, laid out as segments, with the bytes that their terms are of.
    drafts: Vec<(Draft, Vec<(MessageId, BlobId)>)>,
    /// The others, with the bytes that their terms are of.
    recent: Vec<(BlobId, RecentTerms)>,
    /// The last indexed message when they were read: they are of all messages behind it, up to `last`.
    begin: MessageId,
    last: MessageId,
}

/// The terms of a few new messages, which a commit that is made anyway takes along.
#[derive(Debug)]
pub struct FewTerms(NewTerms);

impl Step {
    /// The messages that it indexes.
    #[must_use]
    pub fn messages(&self) -> Vec<MessageId> {
        let Work::Index(terms) = &self.0 else { return Vec::new() };
        let drafts = terms.drafts.iter().flat_map(|(_, blobs)| blobs.iter().map(|(id, _)| *id));
        drafts.chain(terms.recent.iter().map(|(_, recent)| recent.id)).collect()
    }
}

/// Reads the next step; `None` if there is nothing to do.
pub fn read(tx: &impl Read) -> Result<Option<Step>, StoreError> {
    let unfinished = tx.page(&SEGMENT_UNFINISHED, &IndexRange::prefix(Key::new()), 1)?.pop();
    let work = match unfinished {
        Some(Segment { id, state: SegmentState::Dropped, .. }) => Some(Work::Drop(id)),
        Some(target) => Some(Work::Merge(Box::new(merge::read(tx, target)?))),
        None => match read_terms(tx)? {
            Some(terms) => Some(Work::Index(terms)),
            None if tx.last_id::<MessageWords>(u64::MAX)?.is_some() => Some(Work::OldWords),
            None => reindexing::read(tx)?.map(Work::Reindex),
        },
    };
    Ok(work.map(Step))
}

/// Reads the terms of the next messages; `None` if all are indexed.
fn read_terms(tx: &impl Read) -> Result<Option<NewTerms>, StoreError> {
    let begin = cursor(tx)?;
    let mut last = begin;
    let mut of_lists: BTreeMap<(AccountId, ListId), Vec<(BlobId, RecentTerms)>> = BTreeMap::new();
    let (mut messages, mut terms, mut bytes) = (0, 0, 0);
    'step: loop {
        let page: Vec<Message> = tx.all(last.0, MESSAGES_PER_PAGE)?;
        let is_last = page.len() < MESSAGES_PER_PAGE;
        for message in page {
            if MESSAGES_PER_STEP <= messages || TERMS_PER_STEP <= terms || BYTES_PER_STEP <= bytes {
                break 'step;
            }
            last = message.id;
            if message.deleted {
                continue;
            }
            let found = terms_of(tx, &message)?;
            messages += 1;
            terms += found.len();
            bytes += message.size_bytes;
            of_lists.entry((message.account, message.list)).or_default().push((message.blob, found));
        }
        if is_last {
            break;
        }
    }
    if last == begin {
        return Ok(None);
    }
    let mut new = NewTerms { drafts: Vec::new(), recent: Vec::new(), begin, last };
    for ((account, list), messages) in of_lists {
        if messages.len() < SEGMENT_MIN {
            new.recent.extend(messages);
            continue;
        }
        let blobs = messages.iter().map(|(blob, recent)| (recent.id, *blob)).collect();
        let recent = messages.into_iter().map(|(_, recent)| recent).collect();
        new.drafts.push((Draft::new(account, list, recent), blobs));
    }
    Ok(Some(new))
}

/// Reads the terms of the new messages if they are few, and if writing them is all that there is to do: no segment is
/// to be made of them, and no notes of their parts. `None` if they are left to a step, or if there are none.
pub fn read_few(tx: &impl Read) -> Result<Option<FewTerms>, StoreError> {
    let begin = cursor(tx)?;
    let messages: Vec<Message> = tx.all(begin.0, FEW_MAX + 1)?;
    let Some(last) = messages.last().map(|message| message.id) else { return Ok(None) };
    if FEW_MAX < messages.len()
        || messages.iter().any(|message| PartNotes::MESSAGE_BYTES_MIN <= message.size_bytes)
    {
        return Ok(None);
    }
    let mut recent = Vec::with_capacity(messages.len());
    for message in messages.iter().filter(|message| !message.deleted) {
        let range = IndexRange::prefix(Key::new().u64(message.account.0).u64(message.list.0));
        if RECENT_MAX <= tx.ids(&RECENT_TERMS_BY_LIST, &range, RECENT_MAX)?.len() + FEW_MAX {
            return Ok(None);
        }
        recent.push((message.blob, terms_of(tx, message)?));
    }
    Ok(Some(FewTerms(NewTerms { drafts: Vec::new(), recent, begin, last })))
}

/// Writes the terms of a few messages, unless a step wrote them meanwhile.
pub fn write_few(tx: &mut WriteTx<'_>, few: FewTerms) -> Result<(), StoreError> {
    write_terms(tx, few.0)
}

/// The terms of a message.
pub(super) fn terms_of(tx: &impl Read, message: &Message) -> Result<RecentTerms, StoreError> {
    let (text, has_attachment) = text_of(tx, message)?;
    Ok(RecentTerms::new(message, &Terms::of_message(message, &text, has_attachment)))
}

/// Writes a step that was read.
pub fn write(tx: &mut WriteTx<'_>, step: Step) -> Result<(), StoreError> {
    match step.0 {
        Work::Index(terms) => write_terms(tx, terms),
        Work::Merge(step) => merge::write(tx, *step),
        Work::Drop(segment) => segments::delete(tx, segment, ROWS_PER_STEP).map(drop),
        Work::OldWords => delete_old_words(tx),
        Work::Reindex(step) => reindexing::write(tx, step),
    }
}

/// Whether every message is indexed and every segment is whole, so that the index of an account can go along with it.
///
/// # Errors
/// If the store fails.
pub fn is_settled(tx: &impl Read) -> Result<bool, StoreError> {
    let is_whole = tx.page(&SEGMENT_UNFINISHED, &IndexRange::prefix(Key::new()), 1)?.is_empty();
    let newest = tx.last_id::<Message>(u64::MAX)?.unwrap_or(0);
    Ok(is_whole && newest <= cursor(tx)?.0)
}

/// Takes all messages up to this one as indexed: those of an account that brings its index along.
///
/// # Errors
/// If the store fails.
pub(in crate::ops) fn skip_to(tx: &mut WriteTx<'_>, last: MessageId) -> Result<(), StoreError> {
    reindexing::begin(tx)?;
    if cursor(tx)? < last { set_cursor(tx, last) } else { Ok(()) }
}

fn set_cursor(tx: &mut WriteTx<'_>, last: MessageId) -> Result<(), StoreError> {
    let mut value = TERMS_VERSION.to_be_bytes().to_vec();
    value.extend_from_slice(&last.0.to_be_bytes());
    tx.set_meta(META_CURSOR, Some(&value))
}

/// Writes the terms of messages, except those of messages that were taken out or written anew since. Writes none if the
/// first of them are indexed by now: who reads on finds the others.
fn write_terms(tx: &mut WriteTx<'_>, terms: NewTerms) -> Result<(), StoreError> {
    let NewTerms { drafts, recent, begin, last } = terms;
    if cursor(tx)? != begin {
        return Ok(());
    }
    for (draft, blobs) in drafts {
        let (account, list) = draft.list();
        let mut messages = Vec::with_capacity(blobs.len());
        for (id, blob) in &blobs {
            messages.extend(tx.get::<Message>(id.0)?.map(|message| (*blob, message)));
        }
        if messages.len() < blobs.len() {
            // Their account is being deleted.
            continue;
        }
        draft.write(tx)?;
        for (blob, message) in messages {
            if message.deleted || message.blob != blob {
                segments::forget(tx, &message)?;
            }
            if !message.deleted && message.blob != blob {
                put_recent(tx, &terms_of(tx, &message)?)?;
            }
        }
        segments::plan_merge(tx, account, list)?;
    }
    for (blob, recent) in recent {
        match tx.get::<Message>(recent.id.0)?.filter(|message| !message.deleted) {
            None => {}
            Some(message) if message.blob == blob => put_recent(tx, &recent)?,
            // It was written anew since.
            Some(message) => put_recent(tx, &terms_of(tx, &message)?)?,
        }
    }
    reindexing::begin(tx)?;
    set_cursor(tx, last)
}

/// Keeps the terms of a message by themselves, or makes a segment of all such messages of its list.
pub(super) fn put_recent(tx: &mut WriteTx<'_>, recent: &RecentTerms) -> Result<(), StoreError> {
    tx.put(recent)?;
    let range = IndexRange::prefix(Key::new().u64(recent.account.0).u64(recent.list.0));
    let ids = tx.ids(&RECENT_TERMS_BY_LIST, &range, RECENT_MAX)?;
    if ids.len() < RECENT_MAX {
        return Ok(());
    }
    let mut all = Vec::with_capacity(ids.len());
    for id in ids {
        all.extend(tx.delete::<RecentTerms>(id)?);
    }
    Draft::new(recent.account, recent.list, all).write(tx)?;
    segments::plan_merge(tx, recent.account, recent.list)
}

fn delete_old_words(tx: &mut WriteTx<'_>) -> Result<(), StoreError> {
    let mut rows = 0;
    while rows < OLD_ROWS_PER_STEP {
        let Some(words) = tx.all::<MessageWords>(0, 1)?.pop() else { return Ok(()) };
        rows += words.rows();
        tx.delete::<MessageWords>(words.id.0)?;
    }
    Ok(())
}

/// Removes a message from the index, and what was made of it: the notes of its parts, and the kept file of its month. Its
/// record is still there. Returns the number of rows that changed.
pub(in crate::ops) fn forget(tx: &mut WriteTx<'_>, id: MessageId) -> Result<usize, StoreError> {
    tx.delete::<PartNotes>(id.0)?;
    let old = tx.delete::<MessageWords>(id.0)?.map_or(0, |words| words.rows());
    let Some(message) = tx.get::<Message>(id.0)? else { return Ok(old) };
    kept_months::forget(tx, &message)?;
    if tx.delete::<RecentTerms>(id.0)?.is_some() {
        return Ok(old + 1);
    }
    segments::forget(tx, &message)?;
    Ok(old + 2)
}

/// Indexes a message anew: it was written anew, or put back into the archive. Its record is written already.
pub(in crate::ops) fn renew(tx: &mut WriteTx<'_>, message: &Message) -> Result<(), StoreError> {
    forget(tx, message.id)?;
    if message.deleted || cursor(tx)? < message.id {
        return Ok(());
    }
    put_recent(tx, &terms_of(tx, message)?)
}

/// Removes all messages of a list from the index. Those that are in no segment go with the message.
pub(in crate::ops) fn forget_list(tx: &mut WriteTx<'_>, list: &List) -> Result<(), StoreError> {
    segments::drop_list(tx, list.account, list.id)
}

/// Deletes rows of a segment, at most so many; returns how many. Nobody searches its list any more.
pub(in crate::ops) fn delete_segment(
    tx: &mut WriteTx<'_>,
    id: SegmentId,
    rows_max: usize,
) -> Result<usize, StoreError> {
    segments::delete(tx, id, rows_max)
}

/// The last indexed message; 0 if there is none, or only by another version.
pub(super) fn cursor(tx: &impl Read) -> Result<MessageId, StoreError> {
    let value = tx.meta(META_CURSOR)?.unwrap_or_default();
    let last = value.strip_prefix(&TERMS_VERSION.to_be_bytes()).and_then(|last| last.try_into().ok());
    Ok(MessageId(last.map_or(0, u64::from_be_bytes)))
}

/// The beginning of a message's text, as much as is indexed, and whether it has files. A message that cannot be read any
/// more is indexed by subject and sender, so that it blocks none of those after it.
fn text_of(tx: &impl Read, message: &Message) -> Result<(String, bool), StoreError> {
    let found = guarded(message, || {
        let inbound = stored_mail(tx, message.blob)?;
        let mut types = inbound.file_types();
        let has_attachment = types.any(|media_type| !NO_ATTACHMENTS.contains(&media_type));
        Ok((inbound.text_beginning(TEXT_BYTES_MAX), has_attachment))
    });
    Ok(found?.unwrap_or_default())
}

/// The same text, for a search that looks for what the index cannot tell. Of a large message, the beginning alone is
/// read.
pub(super) fn text_to_search(tx: &impl Read, message: &Message) -> Result<String, StoreError> {
    let found = guarded(message, || {
        let bytes = tx.blob_range(store::BlobId(message.blob.0), 0..SEARCHED_BYTES)?;
        Ok(mail::parse_leniently(bytes).text_beginning(TEXT_BYTES_MAX))
    });
    Ok(found?.unwrap_or_default())
}

/// Reads something of a message; `None` if it cannot be read any more.
fn guarded<T>(
    message: &Message,
    read: impl FnOnce() -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    let error = match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(found)) => return Ok(Some(found)),
        Ok(Err(error @ (StoreError::Corrupt { .. } | StoreError::UnknownBlob { .. }))) => error,
        Ok(Err(error)) => return Err(error),
        Err(_) => StoreError::Panicked,
    };
    let id = message.id;
    tracing::error!(message.id = id.0, error = %error, "The words of message {id} cannot be read");
    Ok(None)
}
