//! Checks that the index has every message of the archive that it should have, once, and that its blocks can be read.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use crate::model::{AccountId, ListId, Message, MessageId, RecentTerms, Segment, SegmentId};
use crate::ops::archive::indexing::cursor;
use crate::schema::SEARCH_BLOCKS;
use crate::store::{IndexRange, Key, KeyReader, Read, StoreError};

use super::documents::{Documents, Gone};
use super::draft::place_of;
use super::merge::TermReader;
use super::{Document, Place};

/// Records that are read at a time.
const RECORDS_PER_PAGE: usize = 500;

/// A message as the index has it.
type Indexed = (AccountId, ListId, Place);

/// The messages that lack terms, terms without a message, and blocks that are damaged: one sentence each.
pub fn problems(tx: &impl Read) -> Result<Vec<String>, StoreError> {
    let mut problems = Vec::new();
    let mut indexed: HashMap<MessageId, Indexed> = HashMap::new();
    let mut segments = BTreeSet::new();
    let mut twice = Vec::new();
    let mut put = |id: MessageId, message: Indexed| {
        if indexed.insert(id, message).is_some() {
            twice.push(format!("search: message {id} is indexed twice"));
        }
    };
    let mut after = 0;
    loop {
        let page: Vec<RecentTerms> = tx.all(after, RECORDS_PER_PAGE)?;
        let Some(last) = page.last() else { break };
        after = last.id.0;
        for recent in &page {
            put(recent.id, (recent.account, recent.list, place_of(recent)));
        }
    }
    after = 0;
    while let Some(segment) = tx.all::<Segment>(after, 1)?.pop() {
        after = segment.id.0;
        segments.insert(segment.id);
        if segment.is_live() {
            match places(tx, &segment).and_then(|places| check_postings(tx, &segment).map(|()| places)) {
                Ok(places) => places
                    .into_iter()
                    .for_each(|place| put(MessageId(place.1), (segment.account, segment.list, place))),
                Err(error @ StoreError::Corrupt { .. }) => {
                    problems.push(format!("search: segment {}: {error}", segment.id));
                }
                Err(error) => return Err(error),
            }
        }
    }
    problems.extend(twice);
    problems.extend(strays(tx, &segments)?);
    check_messages(tx, indexed, &mut problems)?;
    Ok(problems)
}

/// The places of the messages of a segment that are not gone.
fn places(tx: &impl Read, segment: &Segment) -> Result<Vec<Place>, StoreError> {
    let mut gone = Gone::new(tx, segment.id, true);
    let all = Documents::new(tx, segment.id, segment.documents).all()?;
    let corrupt = |reason: &str| Err(super::page::damaged(reason));
    if !all.is_sorted_by(|place, next| next < place) {
        return corrupt("its messages are not in order");
    }
    let mut places = Vec::new();
    for (document, place) in (0..).zip(&all) {
        if !gone.has(document)? {
            places.push(*place);
        }
    }
    if all.len() != places.len() + segment.gone as usize {
        return corrupt("it has another number of messages that are gone");
    }
    Ok(places)
}

/// Reads all postings of a segment.
fn check_postings(tx: &impl Read, segment: &Segment) -> Result<(), StoreError> {
    let corrupt = |reason: &str| Err(super::page::damaged(reason));
    let mut terms = TermReader::after(tx, segment.id, None)?;
    let mut before: Vec<u8> = Vec::new();
    let mut postings: Vec<super::page::Posting> = Vec::new();
    while let Some(term) = terms.term().map(<[u8]>::to_vec) {
        if term <= before {
            return corrupt("its terms are not in order");
        }
        before = term;
        postings.clear();
        terms.take(&mut postings)?;
        let numbers = || postings.iter().map(|(document, _)| *document);
        let is_sorted = numbers().is_sorted_by(|one: &Document, next| one < next);
        if !is_sorted || postings.last().is_some_and(|(last, _)| segment.documents <= *last) {
            return corrupt("the messages of a term are not in order, or not there");
        }
    }
    Ok(())
}

/// Blocks of segments that do not exist.
fn strays(tx: &impl Read, segments: &BTreeSet<SegmentId>) -> Result<Vec<String>, StoreError> {
    let mut strays = BTreeSet::new();
    tx.blocks(&SEARCH_BLOCKS, &IndexRange::prefix(Key::new()), |key, _| {
        let segment = KeyReader::new(key).u64().map(SegmentId);
        strays.extend(segment.filter(|segment| !segments.contains(segment)));
        ControlFlow::<()>::Continue(())
    })?;
    Ok(strays.iter().map(|id| format!("search: {id} is no segment")).collect())
}

fn check_messages(
    tx: &impl Read,
    mut indexed: HashMap<MessageId, Indexed>,
    problems: &mut Vec<String>,
) -> Result<(), StoreError> {
    let cursor = cursor(tx)?;
    let mut after = 0;
    loop {
        let page: Vec<Message> = tx.all(after, RECORDS_PER_PAGE)?;
        let Some(last) = page.last() else { break };
        after = last.id.0;
        for message in page {
            let found = indexed.remove(&message.id);
            let expected = (message.account, message.list, (message.time.key(), message.id.0));
            if found.is_some() && message.deleted {
                problems.push(format!("search: the deleted message {} is indexed", message.id));
            } else if found.is_some_and(|found| found != expected) {
                problems.push(format!("search: message {} is indexed elsewhere", message.id));
            } else if found.is_none() && !message.deleted && message.id <= cursor {
                problems.push(format!("search: message {} is not indexed", message.id));
            }
        }
    }
    let mut strays: Vec<MessageId> = indexed.into_keys().collect();
    strays.sort_unstable();
    problems.extend(strays.iter().map(|id| format!("search: {id} is no message")));
    Ok(())
}
