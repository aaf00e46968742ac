//! Makes a segment of others, in steps that are read from a snapshot and written in jobs of bounded size.
//!
//! First the messages that are not gone get their numbers in the new segment, then the postings follow term by term; the
//! segment says how far that has come. With the last of them the new segment is read instead of the others. Messages that
//! went meanwhile are marked in it by then.

use std::ops::ControlFlow;

use crate::model::{Segment, SegmentId, SegmentState};
use crate::schema::SEARCH_BLOCKS;
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

use super::documents::{self, Documents, Gone, mark_gone};
use super::draft::{span, write_pages};
use super::page::{DraftPage, PageReader, PageWriter, Posting, damaged, page_key};
use super::{BlockKind, Document, Place, of_kind, segments};

/// Bytes of postings that one step writes.
const BYTES_PER_STEP: usize = 4 * 1024 * 1024;

/// A part of the way from segments to the one that is made of them.
#[derive(Debug)]
pub(in crate::ops::archive) struct MergeStep {
    /// The segment as it was when the step was read.
    target: Segment,
    work: Work,
}

#[derive(Debug)]
enum Work {
    /// A segment that it is made of is no longer read: its list was deleted, or all of its messages.
    GiveUp,
    /// The messages get their numbers.
    Documents(Vec<Place>),
    /// Some terms are written, the last of them this one.
    Pages { pages: Vec<DraftPage>, after: String },
    /// The last terms are written; these messages are gone, if the other segments have as many marks as they had.
    End { pages: Vec<DraftPage>, gone: Vec<Document>, marks: Vec<u32> },
}

/// Reads the next step of making a segment.
pub(in crate::ops::archive) fn read(tx: &impl Read, target: Segment) -> Result<MergeStep, StoreError> {
    let SegmentState::Building { sources, has_documents, after } = target.state.clone() else {
        return Ok(MergeStep { target, work: Work::GiveUp });
    };
    let mut live = Vec::with_capacity(sources.len());
    for id in sources {
        match tx.get::<Segment>(id.0)?.filter(Segment::is_live) {
            Some(segment) => live.push(segment),
            None => return Ok(MergeStep { target, work: Work::GiveUp }),
        }
    }
    let work = if has_documents {
        read_pages(tx, &target, &live, after.as_deref())?
    } else {
        Work::Documents(places_of(tx, &live)?)
    };
    Ok(MergeStep { target, work })
}

/// The places of the messages that are not gone, the newest first.
fn places_of(tx: &impl Read, sources: &[Segment]) -> Result<Vec<Place>, StoreError> {
    let mut places = Vec::new();
    for segment in sources {
        let mut gone = Gone::new(tx, segment.id, 0 < segment.gone);
        let all = Documents::new(tx, segment.id, segment.documents).all()?;
        for (document, place) in (0..).zip(all) {
            if !gone.has(document)? {
                places.push(place);
            }
        }
    }
    places.sort_unstable_by(|one, other| other.cmp(one));
    places.dedup();
    Ok(places)
}

/// A segment that others are made of, as it is walked.
struct Source<'tx, R> {
    terms: TermReader<'tx, R>,
    /// The new number of each message; `None` for those that are gone.
    numbers: Vec<Option<Document>>,
}

fn read_pages(
    tx: &impl Read,
    target: &Segment,
    live: &[Segment],
    after: Option<&str>,
) -> Result<Work, StoreError> {
    let places = Documents::new(tx, target.id, target.documents).all()?;
    let mut is_there = vec![false; places.len()];
    let mut sources = Vec::with_capacity(live.len());
    for segment in live {
        let numbers = new_numbers(tx, segment, &places, &mut is_there)?;
        sources.push(Source { terms: TermReader::after(tx, segment.id, after)?, numbers });
    }
    let mut writer = PageWriter::default();
    let mut last = String::new();
    let mut postings = Vec::new();
    while writer.bytes() < BYTES_PER_STEP {
        let Some(term) = sources.iter().filter_map(|source| source.terms.term()).min() else {
            let gone = (0..).zip(&is_there).filter(|(_, is_there)| !**is_there).map(|(document, _)| document);
            let marks = live.iter().map(|segment| segment.gone).collect();
            return Ok(Work::End { pages: writer.finish(), gone: gone.collect(), marks });
        };
        str::from_utf8(term).map_err(|_| damaged("a term is no text"))?.clone_into(&mut last);
        postings.clear();
        for source in sources.iter_mut().filter(|source| source.terms.term() == Some(last.as_bytes())) {
            source.take(&mut postings)?;
        }
        postings.sort_unstable_by_key(|(document, _)| *document);
        writer.add(&last, &postings);
    }
    Ok(Work::Pages { pages: writer.finish(), after: last })
}

/// The numbers that the messages of a segment have among `places`; notes which of these are there.
fn new_numbers(
    tx: &impl Read,
    segment: &Segment,
    places: &[Place],
    is_there: &mut [bool],
) -> Result<Vec<Option<Document>>, StoreError> {
    let mut gone = Gone::new(tx, segment.id, 0 < segment.gone);
    let mut numbers = Vec::with_capacity(segment.documents as usize);
    let mut at = 0;
    for (document, place) in (0..).zip(Documents::new(tx, segment.id, segment.documents).all()?) {
        while places.get(at).is_some_and(|known| place < *known) {
            at += 1;
        }
        let is_known = places.get(at) == Some(&place) && !gone.has(document)?;
        if is_known {
            is_there[at] = true;
        }
        numbers.push(is_known.then(|| Document::try_from(at)).transpose().ok().flatten());
    }
    Ok(numbers)
}

impl<R: Read> Source<'_, R> {
    /// Appends the messages of the present term under their new numbers, and goes on to the next term.
    fn take(&mut self, out: &mut Vec<Posting>) -> Result<(), StoreError> {
        let mut postings = Vec::new();
        self.terms.take(&mut postings)?;
        for (document, fields) in postings {
            let number = self.numbers.get(document as usize).copied();
            let number = number.ok_or_else(|| damaged("a posting has a message that is not there"))?;
            out.extend(number.map(|number| (number, fields)));
        }
        Ok(())
    }
}

/// Writes a step.
pub(in crate::ops::archive) fn write(tx: &mut WriteTx<'_>, step: MergeStep) -> Result<(), StoreError> {
    let MergeStep { target, work } = step;
    // The list may have been deleted since.
    if tx.get::<Segment>(target.id.0)?.as_ref() != Some(&target) {
        return Ok(());
    }
    let SegmentState::Building { sources, has_documents: _, after: _ } = target.state.clone() else {
        return Ok(());
    };
    let (account, list) = (target.account, target.list);
    let building = |after| SegmentState::Building { sources: sources.clone(), has_documents: true, after };
    match work {
        Work::GiveUp => tx.put(&Segment { state: SegmentState::Dropped, ..target }),
        Work::Documents(places) => {
            documents::write(tx, target.id, &documents::blocks(&places), account.0)?;
            let (newest, oldest) = span(&places);
            let documents = Document::try_from(places.len()).unwrap_or(Document::MAX);
            tx.put(&Segment { documents, newest, oldest, state: building(None), ..target })
        }
        Work::Pages { pages, after } => {
            write_pages(tx, target.id, &pages, account)?;
            tx.put(&Segment { state: building(Some(after)), ..target })
        }
        Work::End { pages, gone, marks } => {
            let mut read = Vec::with_capacity(sources.len());
            for (id, marks) in sources.iter().zip(marks) {
                match tx.get::<Segment>(id.0)? {
                    Some(segment) if segment.is_live() && segment.gone == marks => read.push(segment),
                    // The step is read once more.
                    Some(_) | None => return Ok(()),
                }
            }
            for segment in read {
                tx.put(&Segment { state: SegmentState::Dropped, ..segment })?;
            }
            write_pages(tx, target.id, &pages, account)?;
            let gone = mark_gone(tx, target.id, &gone, account.0)?;
            let is_empty = target.documents <= gone;
            let state = if is_empty { SegmentState::Dropped } else { SegmentState::Live };
            tx.put(&Segment { gone, state, ..target })?;
            segments::plan_merge(tx, account, list)
        }
    }
}

/// Walks the terms of a segment in order.
pub(super) struct TermReader<'tx, R> {
    tx: &'tx R,
    segment: SegmentId,
    /// The page that is being read, with its key.
    page: Option<(Key, Vec<u8>)>,
    reader: PageReader,
    /// The messages of the present entry.
    entry: Option<super::page::Entry>,
}

impl<'tx, R: Read> TermReader<'tx, R> {
    /// Begins with the first term behind this one.
    pub(super) fn after(
        tx: &'tx R,
        segment: SegmentId,
        after: Option<&str>,
    ) -> Result<TermReader<'tx, R>, StoreError> {
        let of_segment = IndexRange::prefix(of_kind(segment, BlockKind::Postings));
        let mut terms = TermReader { tx, segment, page: None, reader: PageReader::default(), entry: None };
        if let Some(after) = after {
            let from = page_key(segment, after.as_bytes(), Document::MAX);
            terms.page = first_page(tx, &of_segment.clone().backward().from(from))?;
        }
        if terms.page.is_none() {
            terms.page = first_page(tx, &of_segment)?;
        }
        terms.advance()?;
        while terms.term().is_some_and(|term| after.is_some_and(|after| term <= after.as_bytes())) {
            terms.advance()?;
        }
        Ok(terms)
    }

    /// The present term; `None` behind the last.
    pub(super) fn term(&self) -> Option<&[u8]> {
        self.entry.as_ref().map(|_| self.reader.term())
    }

    /// Appends the messages of the present term, and goes on to the next.
    pub(super) fn take(&mut self, out: &mut Vec<Posting>) -> Result<(), StoreError> {
        let Some(term) = self.term().map(<[u8]>::to_vec) else { return Ok(()) };
        while self.term() == Some(&term) {
            if let (Some(entry), Some((_, page))) = (&self.entry, &self.page) {
                entry.append_to(page, out)?;
            }
            self.advance()?;
        }
        Ok(())
    }

    /// Goes on to the next entry.
    pub(super) fn advance(&mut self) -> Result<(), StoreError> {
        loop {
            let Some((key, page)) = &self.page else {
                self.entry = None;
                return Ok(());
            };
            self.entry = self.reader.next(page)?;
            if self.entry.is_some() {
                return Ok(());
            }
            let of_segment = IndexRange::prefix(of_kind(self.segment, BlockKind::Postings));
            self.page = first_page(self.tx, &of_segment.after(key.clone()))?;
            self.reader = PageReader::default();
        }
    }
}

/// The first page of a range, with its key.
pub(super) fn first_page(tx: &impl Read, range: &IndexRange) -> Result<Option<(Key, Vec<u8>)>, StoreError> {
    tx.blocks(&SEARCH_BLOCKS, range, |key, page| ControlFlow::Break((Key::from_row(key), page.to_vec())))
}
