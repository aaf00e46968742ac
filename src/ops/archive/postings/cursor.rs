//! Walks the messages of a segment that have what a query asks, from the newest on.
//!
//! A cursor is told from which message on, and answers the next one; it is never told to go back. What it skips costs
//! one look at the tree of the file.

use crate::model::SegmentId;
use crate::model::terms::Fields;
use crate::store::{IndexRange, Read, StoreError};

use super::merge::first_page;
use super::page::{PageReader, Posting, page_key};
use super::{BlockKind, Document, of_kind};

/// Postings of words with one beginning that one query reads, at most.
pub(in crate::ops::archive) const BEGINNING_POSTINGS_MAX: usize = 16_000_000;
/// One in so many messages: with more, a field for each is smaller than a list.
const SPARSE_PART: usize = 16;

/// The messages of a segment that have something.
pub(in crate::ops::archive) enum Cursor<'tx, R> {
    /// All of so many.
    All(Document),
    /// Those that have a term.
    Term(TermCursor<'tx, R>),
    /// Those that any of these has.
    Either(Vec<Cursor<'tx, R>>),
    /// Those that all of these have.
    Both(Vec<Cursor<'tx, R>>),
    /// Those that this one has in these fields.
    Within(Box<Cursor<'tx, R>>, Fields),
    /// These.
    Listed { postings: Vec<Posting>, at: usize },
    /// Those that have any fields here.
    Marked(Vec<u8>),
}

impl<'tx, R: Read> Cursor<'tx, R> {
    /// The messages that have a term.
    pub(in crate::ops::archive) fn term(tx: &'tx R, segment: SegmentId, term: String) -> Cursor<'tx, R> {
        Cursor::Term(TermCursor { tx, segment, term, block: Vec::new(), at: 0, is_at_end: false })
    }

    /// These messages, which are in order.
    pub(in crate::ops::archive) fn listed(postings: Vec<Posting>) -> Cursor<'tx, R> {
        Cursor::Listed { postings, at: 0 }
    }

    /// The messages, of so many, that have a term that begins with one of these. Takes the postings that it reads off
    /// `room`, and stops when there is none.
    pub(in crate::ops::archive) fn beginnings(
        tx: &'tx R,
        (segment, documents): (SegmentId, Document),
        beginnings: &[String],
        room: &mut usize,
    ) -> Result<Cursor<'tx, R>, StoreError> {
        let mut found = Beginnings { sparse: Vec::new(), marked: Vec::new(), documents };
        for beginning in beginnings {
            read_beginning(tx, segment, beginning.as_bytes(), room, &mut found)?;
        }
        Ok(found.cursor())
    }

    /// The next message that is not before this one, with the fields that have what was asked for.
    pub(in crate::ops::archive) fn seek(&mut self, from: Document) -> Result<Option<Posting>, StoreError> {
        match self {
            Cursor::All(documents) => Ok((from < *documents).then_some((from, Fields::ANY))),
            Cursor::Term(term) => term.seek(from),
            Cursor::Either(cursors) => {
                let mut first: Option<Posting> = None;
                for cursor in cursors {
                    let found = cursor.seek(from)?;
                    first = match (first, found) {
                        (Some((one, fields)), Some((other, more))) if one == other => {
                            Some((one, fields | more))
                        }
                        (Some(one), found) if found.is_none_or(|found| one.0 < found.0) => Some(one),
                        (_, found) => found,
                    };
                }
                Ok(first)
            }
            Cursor::Both(cursors) => Ok(meet(cursors, from)?.map(|document| (document, Fields::ANY))),
            Cursor::Within(cursor, within) => {
                let mut from = from;
                loop {
                    match cursor.seek(from)? {
                        Some((document, fields)) if !fields.meets(*within) => from = document + 1,
                        found => return Ok(found),
                    }
                }
            }
            Cursor::Listed { postings, at } => {
                *at += postings[*at..].partition_point(|(document, _)| *document < from);
                Ok(postings.get(*at).copied())
            }
            Cursor::Marked(fields) => {
                let rest = fields.get(from as usize..).unwrap_or_default();
                let next = (from..).zip(rest).find(|(_, fields)| **fields != 0);
                Ok(next.map(|(document, fields)| (document, Fields::from_bits(*fields))))
            }
        }
    }
}

/// The next message, not before `from`, that all cursors have.
pub(in crate::ops::archive) fn meet<R: Read>(
    cursors: &mut [Cursor<'_, R>],
    from: Document,
) -> Result<Option<Document>, StoreError> {
    let (mut document, mut agreed, mut next) = (from, 0, 0);
    while agreed < cursors.len() {
        match cursors[next].seek(document)? {
            None => return Ok(None),
            Some((found, _)) if found == document => agreed += 1,
            Some((found, _)) => (document, agreed) = (found, 1),
        }
        next = (next + 1) % cursors.len();
    }
    Ok(Some(document))
}

/// The messages that have a term, a page of them at a time.
pub(in crate::ops::archive) struct TermCursor<'tx, R> {
    tx: &'tx R,
    segment: SegmentId,
    term: String,
    /// Messages in order, from one page.
    block: Vec<Posting>,
    at: usize,
    is_at_end: bool,
}

impl<R: Read> TermCursor<'_, R> {
    fn seek(&mut self, from: Document) -> Result<Option<Posting>, StoreError> {
        if self.block.last().is_none_or(|(last, _)| *last < from) {
            if self.is_at_end {
                return Ok(None);
            }
            self.load(from)?;
        }
        let rest = &self.block[self.at..];
        // Mostly the next one, or one close to it.
        let near = rest.iter().take(8).position(|(document, _)| from <= *document);
        self.at += near.unwrap_or_else(|| rest.partition_point(|(document, _)| *document < from));
        Ok(self.block.get(self.at).copied())
    }

    /// Reads the page with the next message that is not before `from`.
    fn load(&mut self, from: Document) -> Result<(), StoreError> {
        self.at = 0;
        let of_segment = IndexRange::prefix(of_kind(self.segment, BlockKind::Postings));
        let key = page_key(self.segment, self.term.as_bytes(), from);
        if let Some((_, page)) = first_page(self.tx, &of_segment.clone().backward().from(key.clone()))? {
            self.read(&page, from)?;
            if self.block.last().is_some_and(|(last, _)| from <= *last) {
                return Ok(());
            }
        }
        match first_page(self.tx, &of_segment.after(key))? {
            Some((_, page)) => self.read(&page, from)?,
            None => self.block.clear(),
        }
        self.is_at_end = self.block.is_empty();
        Ok(())
    }

    /// Takes the messages of the term out of a page, from the entry that may have `from`.
    fn read(&mut self, page: &[u8], from: Document) -> Result<(), StoreError> {
        self.block.clear();
        let mut reader = PageReader::default();
        let mut entries = Vec::new();
        while let Some(entry) = reader.next(page)? {
            if self.term.as_bytes() < reader.term() {
                break;
            }
            if self.term.as_bytes() == reader.term() {
                if entry.first <= from {
                    entries.clear();
                }
                entries.push(entry);
            }
        }
        entries.iter().try_for_each(|entry| entry.append_to(page, &mut self.block))
    }
}

/// The messages that have terms that begin alike.
struct Beginnings {
    sparse: Vec<Posting>,
    /// The fields of each message, once there are many.
    marked: Vec<u8>,
    documents: Document,
}

impl Beginnings {
    fn put(&mut self, postings: &[Posting]) {
        let documents = self.documents as usize;
        if self.marked.is_empty() && documents / SPARSE_PART < self.sparse.len() + postings.len() {
            self.marked = vec![0; documents];
            let sparse = std::mem::take(&mut self.sparse);
            self.mark(&sparse);
        }
        if self.marked.is_empty() {
            self.sparse.extend_from_slice(postings);
        } else {
            self.mark(postings);
        }
    }

    fn mark(&mut self, postings: &[Posting]) {
        for (document, fields) in postings {
            if let Some(place) = self.marked.get_mut(*document as usize) {
                *place |= fields.bits();
            }
        }
    }

    fn cursor<'tx, R>(mut self) -> Cursor<'tx, R> {
        if !self.marked.is_empty() {
            return Cursor::Marked(self.marked);
        }
        self.sparse.sort_unstable();
        self.sparse.dedup_by(|next, one| {
            let is_same = next.0 == one.0;
            if is_same {
                one.1 = one.1 | next.1;
            }
            is_same
        });
        Cursor::Listed { postings: self.sparse, at: 0 }
    }
}

fn read_beginning(
    tx: &impl Read,
    segment: SegmentId,
    beginning: &[u8],
    room: &mut usize,
    found: &mut Beginnings,
) -> Result<(), StoreError> {
    let of_segment = IndexRange::prefix(of_kind(segment, BlockKind::Postings));
    let key = page_key(segment, beginning, 0);
    let mut next = first_page(tx, &of_segment.clone().backward().from(key))?;
    if next.is_none() {
        next = first_page(tx, &of_segment)?;
    }
    let mut postings = Vec::new();
    while let Some((key, page)) = next {
        let mut reader = PageReader::default();
        while let Some(entry) = reader.next(&page)? {
            if reader.term().starts_with(beginning) {
                if *room == 0 {
                    return Ok(());
                }
                postings.clear();
                entry.append_to(&page, &mut postings)?;
                *room = room.saturating_sub(postings.len());
                found.put(&postings);
            } else if beginning < reader.term() {
                return Ok(());
            }
        }
        next = first_page(tx, &of_segment.clone().after(key))?;
    }
    Ok(())
}
