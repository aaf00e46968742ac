//! Makes a segment of messages whose terms are in memory.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::clock::Timestamp;
use crate::model::terms::Fields;
use crate::model::{AccountId, ListId, RecentTerms, Segment, SegmentId, SegmentState};
use crate::schema::SEARCH_BLOCKS;
use crate::store::{StoreError, WriteTx};

use super::page::{DraftPage, PageWriter, Posting};
use super::{Document, Place, documents};

/// A segment that is not written yet.
#[derive(Debug)]
pub(in crate::ops::archive) struct Draft {
    account: AccountId,
    list: ListId,
    places: Vec<Place>,
    pages: Vec<DraftPage>,
}

/// Where a message stands in the order of time.
pub(in crate::ops::archive) fn place_of(recent: &RecentTerms) -> Place {
    (recent.time.key(), recent.id.0)
}

impl Draft {
    /// Lays out the terms of messages of one list.
    pub(in crate::ops::archive) fn new(
        account: AccountId,
        list: ListId,
        mut messages: Vec<RecentTerms>,
    ) -> Draft {
        messages.sort_unstable_by_key(|recent| Reverse(place_of(recent)));
        let mut postings: HashMap<&str, Vec<Posting>> = HashMap::new();
        for (document, recent) in (0..).zip(&messages) {
            for (term, fields) in recent.iter() {
                postings.entry(term).or_default().push((document, fields));
            }
        }
        let mut postings: Vec<(&str, Vec<(Document, Fields)>)> = postings.into_iter().collect();
        postings.sort_unstable_by_key(|(term, _)| *term);
        let mut writer = PageWriter::default();
        for (term, postings) in &postings {
            writer.add(term, postings);
        }
        let places = messages.iter().map(place_of).collect();
        Draft { account, list, places, pages: writer.finish() }
    }

    /// The account and the list of its messages.
    pub(in crate::ops::archive) fn list(&self) -> (AccountId, ListId) {
        (self.account, self.list)
    }

    /// Writes the segment, which searches read from then on.
    pub(in crate::ops::archive) fn write(self, tx: &mut WriteTx<'_>) -> Result<SegmentId, StoreError> {
        let Draft { account, list, places, pages } = self;
        let id = SegmentId(tx.next_id::<Segment>()?);
        documents::write(tx, id, &documents::blocks(&places), account.0)?;
        write_pages(tx, id, &pages, account)?;
        let (newest, oldest) = span(&places);
        let documents = Document::try_from(places.len()).unwrap_or(Document::MAX);
        let state = SegmentState::Live;
        tx.put(&Segment { id, account, list, documents, gone: 0, newest, oldest, state })?;
        Ok(id)
    }
}

/// The times of the newest and the oldest message.
pub(super) fn span(places: &[Place]) -> (Timestamp, Timestamp) {
    let time = |place: Option<&Place>| {
        Timestamp::from_ms(place.map_or(0, |(time, _)| i64::try_from(*time).unwrap_or(i64::MAX)))
    };
    (time(places.first()), time(places.last()))
}

/// Writes pages of postings.
pub(super) fn write_pages(
    tx: &mut WriteTx<'_>,
    segment: SegmentId,
    pages: &[DraftPage],
    account: AccountId,
) -> Result<(), StoreError> {
    for page in pages {
        let (key, bytes) = page.block(segment);
        tx.set_block(&SEARCH_BLOCKS, &key, Some(bytes), account.0)?;
    }
    Ok(())
}
