//! Where hits come from: the segments of each list, and the messages that are in none yet.

use crate::model::terms::{ATTACHMENT_MARK, Fields, TermKind};
use crate::model::{ListId, Message, MessageId, RecentTerms, Segment, Thread};
use crate::ops::archive::postings::cursor::{BEGINNING_POSTINGS_MAX, Cursor, meet};
use crate::ops::archive::postings::documents::{Documents, Gone};
use crate::ops::archive::postings::draft::place_of;
use crate::ops::archive::postings::{Document, Place, segments};
use crate::ops::archive::query::{Beginnings, Condition, Query, Test};
use crate::schema::{MESSAGE_BY_THREAD, RECENT_TERMS_BY_LIST};
use crate::store::{IndexRange, Key, Read, StoreError};

use super::scope::{SearchScope, has_phrase};

/// Messages of a thread that a search looks through, the newest.
const THREAD_MAX: usize = 5000;

/// A message that answers a query, as far as the index tells.
#[derive(Debug, Clone, Copy)]
pub(in crate::ops::archive) struct Hit {
    /// Where it stands in time. Where hits come in any order, this is not told.
    pub(in crate::ops::archive) place: Place,
    /// How well it answers.
    pub(super) points: u32,
    /// Whether its text must be read.
    pub(super) needs_text: bool,
}

/// The hits of all lists.
pub(super) struct Sources<'a, R> {
    sources: Vec<Source<'a, R>>,
    /// Whether there were more postings than are read.
    pub(super) is_cut: bool,
}

/// The hits of a segment, or of the messages in none.
struct Source<'a, R> {
    hits: SourceHits<'a, R>,
    next: Next,
}

/// The next hit of a source.
#[derive(Clone, Copy)]
enum Next {
    /// It was not looked for.
    Unknown,
    /// It was looked for; `None` behind the last.
    Known(Option<Hit>),
}

enum SourceHits<'a, R> {
    Segment(Box<SegmentHits<'a, R>>),
    Recent(std::vec::IntoIter<Hit>),
}

impl<'a, R: Read> Sources<'a, R> {
    pub(super) fn new(
        tx: &'a R,
        scope: &SearchScope<'_>,
        query: &Query,
        behind: Option<Place>,
    ) -> Result<Sources<'a, R>, StoreError> {
        let mut asked = Asked::new(tx, scope, query, behind)?;
        let mut sources = Vec::new();
        for list in scope.lists {
            asked.searched = scope.searched(*list);
            let recent = asked.recent(tx, *list)?;
            sources.push(Source { hits: SourceHits::Recent(recent.into_iter()), next: Next::Unknown });
            let mut segments = segments::live(tx, scope.account, *list)?;
            segments.sort_by_key(|segment| std::cmp::Reverse(segment.newest));
            for segment in segments {
                if let Some(hits) = asked.segment(tx, &segment)? {
                    sources.push(Source { hits: SourceHits::Segment(Box::new(hits)), next: Next::Unknown });
                }
            }
        }
        Ok(Sources { sources, is_cut: asked.room == 0 || asked.is_thread_cut })
    }

    /// The next hit of all in the order of time.
    pub(super) fn next(&mut self) -> Result<Option<Hit>, StoreError> {
        let mut newest: Option<(Place, usize)> = None;
        for (number, source) in self.sources.iter_mut().enumerate() {
            let place = source.peek()?.map(|hit| hit.place);
            newest = newest.max(place.map(|place| (place, number)));
        }
        let Some((_, number)) = newest else { return Ok(None) };
        match std::mem::replace(&mut self.sources[number].next, Next::Unknown) {
            Next::Known(hit) => Ok(hit),
            Next::Unknown => Ok(None),
        }
    }

    /// The next hit in any order.
    pub(super) fn next_of_any(&mut self) -> Result<Option<Hit>, StoreError> {
        while let Some(source) = self.sources.last_mut() {
            let hit = match &mut source.hits {
                SourceHits::Recent(hits) => hits.next(),
                SourceHits::Segment(hits) => hits.next()?.map(|(_, hit)| hit),
            };
            match hit {
                Some(mut hit) => {
                    if hit.needs_text
                        && let SourceHits::Segment(hits) = &source.hits
                    {
                        hit.place = hits.documents.place(hits.last)?;
                    }
                    return Ok(Some(hit));
                }
                None => self.sources.pop(),
            };
        }
        Ok(None)
    }
}

impl<R: Read> Source<'_, R> {
    fn peek(&mut self) -> Result<Option<Hit>, StoreError> {
        if let Next::Known(hit) = self.next {
            return Ok(hit);
        }
        let hit = match &mut self.hits {
            SourceHits::Recent(hits) => hits.next(),
            SourceHits::Segment(hits) => match hits.next()? {
                Some((document, hit)) => Some(Hit { place: hits.documents.place(document)?, ..hit }),
                None => None,
            },
        };
        self.next = Next::Known(hit);
        Ok(hit)
    }
}

/// The hits of a segment, the newest first.
struct SegmentHits<'a, R> {
    documents: Documents<'a, R>,
    gone: Gone<'a, R>,
    /// Postings of the terms that a message must have; the first of them tell how well it answers.
    needed: Vec<Cursor<'a, R>>,
    words: usize,
    /// Postings of the terms that it must not have.
    refused: Vec<Cursor<'a, R>>,
    /// Phrases that it must not have, as far as the index tells.
    doubtful: Vec<Cursor<'a, R>>,
    has_phrase: bool,
    /// The parts of messages that are searched.
    searched: Fields,
    next: Document,
    end: Document,
    last: Document,
}

impl<R: Read> SegmentHits<'_, R> {
    /// The next hit without its place.
    fn next(&mut self) -> Result<Option<(Document, Hit)>, StoreError> {
        'documents: while self.next < self.end {
            let Some(document) = meet(&mut self.needed, self.next)?.filter(|found| *found < self.end) else {
                self.next = self.end;
                break;
            };
            self.next = document + 1;
            if self.gone.has(document)? {
                continue;
            }
            for refused in &mut self.refused {
                if refused.seek(document)?.is_some_and(|(found, _)| found == document) {
                    continue 'documents;
                }
            }
            let mut needs_text = self.has_phrase;
            for doubtful in &mut self.doubtful {
                needs_text |= doubtful.seek(document)?.is_some_and(|(found, _)| found == document);
            }
            let mut points = 0;
            for word in &mut self.needed[..self.words] {
                points += word.seek(document)?.map_or(0, |(_, fields)| points_of(fields & self.searched));
            }
            self.last = document;
            return Ok(Some((document, Hit { place: (0, 0), points, needs_text })));
        }
        Ok(None)
    }
}

/// The points for a word in these fields.
fn points_of(fields: Fields) -> u32 {
    if fields.meets(Fields::SUBJECT) {
        4
    } else if fields.meets(Fields::SENDER) {
        2
    } else {
        1
    }
}

/// A query, as it is asked of segments.
struct Asked<'q> {
    query: &'q Query,
    account: crate::model::AccountId,
    kinds: &'static [TermKind],
    shows_addresses: bool,
    /// The parts of the messages of the present list that are searched.
    searched: Fields,
    behind: Option<Place>,
    /// The messages that the conditions of time leave: not before the first, and before the second.
    since: u64,
    before: u64,
    /// The places of the messages of each thread that is asked for, the newest first.
    threads: Vec<(MessageId, Vec<Place>)>,
    /// How many postings may still be read for beginnings of words.
    room: usize,
    is_thread_cut: bool,
}

impl<'q> Asked<'q> {
    fn new(
        tx: &impl Read,
        scope: &SearchScope<'_>,
        query: &'q Query,
        behind: Option<Place>,
    ) -> Result<Asked<'q>, StoreError> {
        let kinds: &[TermKind] =
            if scope.shows_addresses { &[TermKind::Word, TermKind::Hidden] } else { &[TermKind::Word] };
        let (mut since, mut before) = (0, u64::MAX);
        let mut asked = Asked {
            query,
            account: scope.account,
            kinds,
            shows_addresses: scope.shows_addresses,
            searched: Fields::ANY,
            behind,
            since,
            before,
            threads: Vec::new(),
            room: BEGINNING_POSTINGS_MAX,
            is_thread_cut: false,
        };
        for Condition { is_negated, test } in query.conditions() {
            match (test, is_negated) {
                (Test::Since(time), false) | (Test::Before(time), true) => since = since.max(time.key()),
                (Test::Before(time), false) | (Test::Since(time), true) => before = before.min(time.key()),
                (Test::Thread(thread), _) => asked.note_thread(tx, scope.lists, *thread)?,
                _ => {}
            }
        }
        Ok(Asked { since, before, ..asked })
    }

    /// Reads where the messages of a thread stand, once; of a thread of another list nothing, not even its length.
    fn note_thread(&mut self, tx: &impl Read, lists: &[ListId], thread: MessageId) -> Result<(), StoreError> {
        let is_searched = |thread: &Thread| lists.contains(&thread.list);
        let is_known = self.threads.iter().any(|(known, _)| *known == thread);
        if is_known || !tx.get::<Thread>(thread.0)?.is_some_and(|thread| is_searched(&thread)) {
            return Ok(());
        }
        let replies = IndexRange::prefix(Key::new().u64(self.account.0).u64(thread.0)).backward();
        let mut ids = tx.ids(&MESSAGE_BY_THREAD, &replies, THREAD_MAX)?;
        self.is_thread_cut |= ids.len() == THREAD_MAX;
        ids.push(thread.0);
        let messages = tx.records::<Message>(&ids)?.into_iter().flatten();
        let messages = messages.filter(|message| message.thread == thread && message.account == self.account);
        let mut places: Vec<Place> = messages.map(|message| (message.time.key(), message.id.0)).collect();
        places.sort_unstable_by(|one, other| other.cmp(one));
        self.threads.push((thread, places));
        Ok(())
    }

    fn thread(&self, thread: MessageId) -> &[Place] {
        self.threads.iter().find(|(known, _)| *known == thread).map_or(&[], |(_, places)| places)
    }

    /// Whether messages are found by the addresses of their senders.
    fn finds_senders(&self) -> bool {
        self.shows_addresses && self.searched.meets(Fields::SENDER)
    }

    /// Whether the conditions of time leave a place, and it is behind the position.
    fn is_in_time(&self, place: Place) -> bool {
        (self.since..self.before).contains(&place.0) && self.behind.is_none_or(|behind| place < behind)
    }

    /// The hits in a segment; `None` if it has none of the right time.
    fn segment<'a, R: Read>(
        &mut self,
        tx: &'a R,
        segment: &Segment,
    ) -> Result<Option<SegmentHits<'a, R>>, StoreError> {
        let documents = Documents::new(tx, segment.id, segment.documents);
        let mut next = 0;
        if let Some((time, id)) = self.behind {
            next = documents.newer_than((time, id.saturating_sub(1)))?;
        }
        if self.before < u64::MAX {
            next = next.max(documents.newer_than((self.before, 0))?);
        }
        let end = if 0 < self.since { documents.newer_than((self.since, 0))? } else { segment.documents };
        if end <= next {
            return Ok(None);
        }
        let mut hits = SegmentHits {
            documents,
            gone: Gone::new(tx, segment.id, 0 < segment.gone),
            needed: Vec::new(),
            words: 0,
            refused: Vec::new(),
            doubtful: Vec::new(),
            has_phrase: has_phrase(self.query),
            searched: self.searched,
            next,
            end,
            last: 0,
        };
        for condition in self.query.conditions() {
            self.add(tx, segment, condition, &mut hits)?;
        }
        if hits.needed.is_empty() {
            hits.needed.push(Cursor::All(segment.documents));
        }
        Ok(Some(hits))
    }

    /// Adds the cursors of a condition.
    fn add<'a, R: Read>(
        &mut self,
        tx: &'a R,
        segment: &Segment,
        Condition { is_negated, test }: &Condition,
        hits: &mut SegmentHits<'a, R>,
    ) -> Result<(), StoreError> {
        match test {
            Test::Words { words, beginnings, fields } => {
                let cursors = self.words(tx, segment, words, (*beginnings, *fields))?;
                if *is_negated {
                    hits.refused.push(Cursor::Both(cursors));
                } else {
                    // Behind the words of other conditions, and before everything else.
                    let at = hits.words;
                    hits.words += cursors.len();
                    hits.needed.splice(at..at, cursors);
                }
            }
            Test::Phrase { words, fields } => {
                let cursors = self.words(tx, segment, words, (Beginnings::of_phrase(words), *fields))?;
                if *is_negated {
                    hits.doubtful.push(Cursor::Both(cursors));
                } else {
                    let at = hits.words;
                    hits.words += cursors.len();
                    hits.needed.splice(at..at, cursors);
                }
            }
            Test::Sender(address) => {
                let cursor = if self.finds_senders() {
                    Cursor::term(tx, segment.id, TermKind::Address.term(address))
                } else {
                    Cursor::listed(Vec::new())
                };
                hits.put(cursor, *is_negated);
            }
            Test::Attachment => {
                hits.put(Cursor::term(tx, segment.id, TermKind::Mark.term(ATTACHMENT_MARK)), *is_negated);
            }
            Test::Thread(thread) => {
                let mut postings = Vec::new();
                for place in self.thread(*thread) {
                    if (segment.oldest.key()..=segment.newest.key()).contains(&place.0)
                        && let Some(document) = hits.documents.find(*place)?
                    {
                        postings.push((document, Fields::ANY));
                    }
                }
                hits.put(Cursor::listed(postings), *is_negated);
            }
            Test::Before(_) | Test::Since(_) => {}
        }
        Ok(())
    }

    /// A cursor for each word.
    fn words<'a, R: Read>(
        &mut self,
        tx: &'a R,
        segment: &Segment,
        words: &[String],
        (beginnings, fields): (Beginnings, Fields),
    ) -> Result<Vec<Cursor<'a, R>>, StoreError> {
        let mut cursors = Vec::with_capacity(words.len());
        for (place, word) in words.iter().enumerate() {
            let terms: Vec<String> = self.kinds.iter().map(|kind| kind.term(word)).collect();
            let mut cursor = if beginnings.has(place, words.len()) {
                Cursor::beginnings(tx, (segment.id, segment.documents), &terms, &mut self.room)?
            } else {
                let mut cursors: Vec<_> =
                    terms.into_iter().map(|term| Cursor::term(tx, segment.id, term)).collect();
                if cursors.len() == 1 { cursors.remove(0) } else { Cursor::Either(cursors) }
            };
            let fields = fields & self.searched;
            if fields != Fields::ANY {
                cursor = Cursor::Within(Box::new(cursor), fields);
            }
            cursors.push(cursor);
        }
        Ok(cursors)
    }

    /// The hits among the messages of a list that are in no segment, the newest first.
    fn recent(&self, tx: &impl Read, list: ListId) -> Result<Vec<Hit>, StoreError> {
        let range = IndexRange::prefix(Key::new().u64(self.account.0).u64(list.0));
        let mut hits = Vec::new();
        for recent in tx.page::<RecentTerms>(&RECENT_TERMS_BY_LIST, &range, usize::MAX)? {
            hits.extend(self.look_at(&recent));
        }
        hits.sort_unstable_by_key(|hit| std::cmp::Reverse(hit.place));
        Ok(hits)
    }

    fn look_at(&self, recent: &RecentTerms) -> Option<Hit> {
        let place = place_of(recent);
        if !self.is_in_time(place) {
            return None;
        }
        let mut hit = Hit { place, points: 0, needs_text: has_phrase(self.query) };
        for Condition { is_negated, test } in self.query.conditions() {
            let is_met = match test {
                Test::Words { words, beginnings, fields } => {
                    let points = self.points(recent, words, (*beginnings, *fields));
                    hit.points += points.filter(|_| !is_negated).unwrap_or(0);
                    points.is_some()
                }
                Test::Phrase { words, fields } => {
                    let points = self.points(recent, words, (Beginnings::of_phrase(words), *fields));
                    if *is_negated {
                        hit.needs_text |= points.is_some();
                        continue;
                    }
                    hit.points += points.unwrap_or(0);
                    points.is_some()
                }
                Test::Sender(address) => {
                    self.finds_senders() && recent.fields(&TermKind::Address.term(address)).is_some()
                }
                Test::Attachment => recent.fields(&TermKind::Mark.term(ATTACHMENT_MARK)).is_some(),
                Test::Thread(thread) => self.thread(*thread).contains(&place),
                Test::Before(_) | Test::Since(_) => continue,
            };
            if is_met == *is_negated {
                return None;
            }
        }
        Some(hit)
    }

    /// The points of a message for the words; `None` if it lacks one.
    fn points(
        &self,
        recent: &RecentTerms,
        words: &[String],
        (beginnings, fields): (Beginnings, Fields),
    ) -> Option<u32> {
        let mut points = 0;
        for (place, word) in words.iter().enumerate() {
            let is_beginning = beginnings.has(place, words.len());
            let terms = self.kinds.iter().map(|kind| kind.term(word));
            let found = terms.filter_map(|term| {
                if is_beginning { recent.fields_of_beginning(&term) } else { recent.fields(&term) }
            });
            let found = found.reduce(|all, fields| all | fields)? & self.searched;
            points += found.meets(fields).then(|| points_of(found))?;
        }
        Some(points)
    }
}

impl<'a, R> SegmentHits<'a, R> {
    fn put(&mut self, cursor: Cursor<'a, R>, is_negated: bool) {
        if is_negated { self.refused.push(cursor) } else { self.needed.push(cursor) }
    }
}
