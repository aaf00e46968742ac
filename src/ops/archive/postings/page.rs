//! The form of pages of postings.
//!
//! A page is a row of entries. An entry is a term, of which only the end stands there that differs from the term before
//! it, and its next messages: the number of the first, and of each further one the difference to the one before it. A
//! term with more messages than a page has room for goes on in the next one.

use crate::model::SegmentId;
use crate::model::terms::Fields;
use crate::schema::SEARCH_BLOCKS;
use crate::store::{Key, StoreError};

use super::{BlockKind, Document, of_kind};

/// A message that has a term, and the fields that have it.
pub(in crate::ops::archive) type Posting = (Document, Fields);

/// Bytes of a page of the file that key and value fill together; the file needs the rest.
const PAGE_BYTES: usize = 4096 - 12;
/// Postings of an entry, at most.
const ENTRY_POSTINGS_MAX: usize = 1024;
/// Bytes that the numbers of an entry take, at most.
const NUMBERS_BYTES_MAX: usize = 5 * 5;
/// Bytes that a posting takes, at most.
const POSTING_BYTES_MAX: usize = 6;

/// The key of the page whose first entry has this term and this message.
pub(super) fn page_key(segment: SegmentId, term: &[u8], first: Document) -> Key {
    of_kind(segment, BlockKind::Postings).bytes(term).u64(u64::from(first))
}

/// Lays postings out in pages. Terms come in order.
#[derive(Debug, Default)]
pub(super) struct PageWriter {
    /// Pages that are full, by the term and the message with which they begin.
    pages: Vec<DraftPage>,
    open: Option<DraftPage>,
    /// The last term in the open page.
    term: Vec<u8>,
    bytes: usize,
}

/// A page without its segment.
#[derive(Debug)]
pub(super) struct DraftPage {
    term: Vec<u8>,
    first: Document,
    bytes: Vec<u8>,
}

impl DraftPage {
    /// The key in a segment, and the value.
    pub(super) fn block(&self, segment: SegmentId) -> (Key, &[u8]) {
        (page_key(segment, &self.term, self.first), &self.bytes)
    }

    fn room(&self) -> usize {
        let key = size_of::<u64>() * 2 + 1 + self.term.len() + 2;
        PAGE_BYTES.saturating_sub(key + self.bytes.len())
    }
}

impl PageWriter {
    /// Adds a term, which comes after the one before, with its messages in order.
    pub(super) fn add(&mut self, term: &str, postings: &[Posting]) {
        let term = term.as_bytes();
        let mut rest = postings;
        while let Some((first, _)) = rest.first() {
            let needed = NUMBERS_BYTES_MAX + term.len() + POSTING_BYTES_MAX;
            if self.open.as_ref().is_some_and(|page| page.room() < needed) {
                self.close();
            }
            let page = self.open.get_or_insert_with(|| DraftPage {
                term: term.to_vec(),
                first: *first,
                bytes: Vec::with_capacity(PAGE_BYTES),
            });
            let room = page.room().saturating_sub(NUMBERS_BYTES_MAX + term.len());
            let shared = self.term.iter().zip(term).take_while(|(one, other)| one == other).count();
            let shared = if page.bytes.is_empty() { 0 } else { shared };
            let taken = put_entry(&mut page.bytes, (shared, &term[shared..]), rest, room);
            rest = &rest[taken..];
            self.term.clear();
            self.term.extend_from_slice(term);
        }
    }

    /// Ends the open page.
    pub(super) fn close(&mut self) {
        if let Some(page) = self.open.take() {
            self.bytes += page.bytes.len();
            self.pages.push(page);
        }
    }

    /// Bytes of the pages that are full.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// All pages.
    pub(super) fn finish(mut self) -> Vec<DraftPage> {
        self.close();
        self.pages
    }
}

/// Appends an entry with as many postings as fit into `room`, and at least one; returns how many.
fn put_entry(out: &mut Vec<u8>, (shared, end): (usize, &[u8]), postings: &[Posting], room: usize) -> usize {
    let mut body = Vec::with_capacity(room.min(ENTRY_POSTINGS_MAX * 2));
    let mut before = postings.first().map_or(0, |(first, _)| *first);
    let mut taken = 0;
    for (document, fields) in postings.iter().take(ENTRY_POSTINGS_MAX) {
        if 0 < taken && room < body.len() + POSTING_BYTES_MAX {
            break;
        }
        let is_plain = *fields == Fields::TEXT;
        put_number(&mut body, u64::from(document - before) << 1 | u64::from(!is_plain));
        if !is_plain {
            body.push(fields.bits());
        }
        before = *document;
        taken += 1;
    }
    put_number(out, shared as u64);
    put_number(out, end.len() as u64);
    out.extend_from_slice(end);
    put_number(out, taken as u64);
    put_number(out, postings.first().map_or(0, |(first, _)| u64::from(*first)));
    if taken != 1 {
        put_number(out, body.len() as u64);
    }
    out.extend_from_slice(&body);
    taken
}

fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while 0x7f < number {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push((number & 0x7f) as u8);
}

/// Walks the entries of a page.
#[derive(Debug, Clone, Default)]
pub(super) struct PageReader {
    at: usize,
    /// The term of the last entry that was read.
    term: Vec<u8>,
}

/// An entry of a page without its term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) first: Document,
    count: usize,
    body: std::ops::Range<usize>,
}

impl PageReader {
    /// The next entry; `None` behind the last. The same page is handed over each time.
    pub(super) fn next(&mut self, page: &[u8]) -> Result<Option<Entry>, StoreError> {
        if self.at == page.len() {
            return Ok(None);
        }
        self.read(page).map(Some).ok_or_else(|| damaged("a page of postings is cut short"))
    }

    fn read(&mut self, page: &[u8]) -> Option<Entry> {
        let shared = usize::try_from(take_number(page, &mut self.at)?).ok()?;
        let end = self.take_bytes(page)?;
        if self.term.len() < shared {
            return None;
        }
        self.term.truncate(shared);
        self.term.extend_from_slice(&page[end]);
        let count = usize::try_from(take_number(page, &mut self.at)?).ok()?;
        let first = Document::try_from(take_number(page, &mut self.at)?).ok()?;
        let body = if count == 1 {
            let start = self.at;
            let number = take_number(page, &mut self.at)?;
            self.at += usize::from(number & 1 == 1);
            (self.at <= page.len()).then_some(start..self.at)?
        } else {
            self.take_bytes(page)?
        };
        (0 < count && count <= body.len()).then_some(Entry { first, count, body })
    }

    fn take_bytes(&mut self, page: &[u8]) -> Option<std::ops::Range<usize>> {
        let len = usize::try_from(take_number(page, &mut self.at)?).ok()?;
        let end = self.at.checked_add(len).filter(|end| *end <= page.len())?;
        let range = self.at..end;
        self.at = end;
        Some(range)
    }

    /// The term of the entry that was read last.
    pub(super) fn term(&self) -> &[u8] {
        &self.term
    }
}

impl Entry {
    /// How many messages the entry has.
    pub(super) fn messages(&self) -> usize {
        self.count
    }

    /// Appends the messages of the entry.
    pub(super) fn append_to(&self, page: &[u8], out: &mut Vec<Posting>) -> Result<(), StoreError> {
        let body = page.get(self.body.clone()).unwrap_or_default();
        let mut at = 0;
        let mut document = self.first;
        out.reserve(self.count);
        for _ in 0..self.count {
            let cut = || damaged("an entry of postings is cut short");
            let number = take_number(body, &mut at).ok_or_else(cut)?;
            let step = Document::try_from(number >> 1).ok();
            document = step.and_then(|step| document.checked_add(step)).ok_or_else(cut)?;
            let fields = if number & 1 == 0 {
                Fields::TEXT
            } else {
                at += 1;
                Fields::from_bits(*body.get(at - 1).ok_or_else(cut)?)
            };
            out.push((document, fields));
        }
        Ok(())
    }
}

fn take_number(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.get(*at)?;
        *at += 1;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// The error for a block that cannot be read.
pub(super) fn damaged(reason: &str) -> StoreError {
    StoreError::corrupt(SEARCH_BLOCKS.name(), reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Lists = Vec<(String, Vec<Posting>)>;

    /// Terms of all lengths, with one message, with a few and with very many.
    fn lists() -> Lists {
        let fields = |number: u32| [Fields::TEXT, Fields::SUBJECT, Fields::ANY][number as usize % 3];
        let mut lists: Lists = (0..3000)
            .map(|number: u32| {
                let postings =
                    (0..=number % 5).map(|step| (number + step * step * 1000, fields(number + step)));
                (format!("w{}{number:05}", "x".repeat(number as usize % 60)), postings.collect())
            })
            .collect();
        lists.push(("wall".to_owned(), (0..50_000).map(|document| (document, Fields::TEXT)).collect()));
        lists.push((
            "wmost".to_owned(),
            (0..50_000).map(|document| (document * 9, fields(document))).collect(),
        ));
        lists.sort();
        lists
    }

    fn write(lists: &Lists) -> Vec<DraftPage> {
        let mut writer = PageWriter::default();
        for (term, postings) in lists {
            writer.add(term, postings);
        }
        writer.finish()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let expected = lists();
        let mut found: Lists = Vec::new();
        let mut keys = Vec::new();
        for page in write(&expected) {
            let (key, bytes) = page.block(SegmentId(1));
            assert!(key.as_bytes().len() + bytes.len() <= PAGE_BYTES, "{} bytes", bytes.len());
            keys.push(key);
            let mut reader = PageReader::default();
            while let Some(entry) = reader.next(bytes).unwrap() {
                let term = String::from_utf8(reader.term().to_vec()).unwrap();
                if found.last().is_none_or(|(last, _)| *last != term) {
                    found.push((term, Vec::new()));
                }
                entry.append_to(bytes, &mut found.last_mut().unwrap().1).unwrap();
            }
        }
        assert!(found == expected);
        assert!(keys.is_sorted_by(|key, next| key < next));
    }

    #[test]
    fn a_damaged_page_is_an_error_and_never_a_panic() {
        for page in write(&lists()).into_iter().step_by(17) {
            let (_, bytes) = page.block(SegmentId(1));
            for cut in (0..bytes.len()).step_by(13) {
                for damage in [0x00, 0xff, 0x81] {
                    let mut bytes = bytes.to_vec();
                    bytes[cut] = damage;
                    read_all(&bytes);
                    read_all(&bytes[..cut]);
                }
            }
        }
    }

    /// Reads as far as it goes.
    fn read_all(bytes: &[u8]) {
        let mut reader = PageReader::default();
        while let Ok(Some(entry)) = reader.next(bytes) {
            if entry.append_to(bytes, &mut Vec::new()).is_err() {
                return;
            }
        }
    }
}
