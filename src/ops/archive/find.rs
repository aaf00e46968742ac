//! Finds the messages of the archive that answer a [`Query`], newest first or best first, a page at a time.
//!
//! Access to the lists is decided before ([`super::access`]). Newest first is by time, then by id, so that imported
//! messages stand where they belong. The postings of every segment, and the newest messages, which are in none, give
//! their hits in this order, and the next hit is the newest of theirs. So a page costs what it shows, at any depth.
//!
//! What the index cannot tell is bounded: the text of a message is read only to look for a phrase in it, and of so many
//! messages at most; a page may then end early, and the next one goes on. Hits are counted up to [`COUNT_MAX`].

mod candidate;
mod phrases;
mod scope;
mod sources;

use std::cmp::Reverse;

use crate::clock::Timestamp;
use crate::model::{MessageId, MessageWords};
use crate::ops::archive::postings::Place;
use crate::ops::archive::query::Query;
use crate::store::{Read, StoreError};

pub(super) use candidate::Texts;
pub use scope::SearchScope;

use sources::{Hit, Sources};

/// Hits that are counted exactly.
pub const COUNT_MAX: u64 = 10_000;
/// Hits that are put into another order than that of time, at most.
const RANKED_MAX: usize = 10_000;

/// The order of hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// By time, then by id, the newest first.
    #[default]
    Newest,
    /// Those with more of the words in their subjects first, then in their senders, then the newest. Of very many hits,
    /// the newest are put into this order.
    Best,
}

/// A place in a list of hits, behind one of them. Its text can stand in a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// Behind the message of this time and id.
    Newest(Timestamp, MessageId),
    /// Behind so many hits.
    Best(u64),
}

impl Position {
    /// The position as a link has it.
    #[must_use]
    pub fn render(&self) -> String {
        match self {
            Position::Newest(time, id) => format!("{}-{}", time.ms(), id.0),
            Position::Best(hits) => hits.to_string(),
        }
    }

    /// Reads what [`render`](Position::render) wrote; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Position> {
        match text.rsplit_once('-') {
            Some((time, id)) => {
                Some(Position::Newest(Timestamp::from_ms(time.parse().ok()?), MessageId(id.parse().ok()?)))
            }
            None => text.parse().ok().map(Position::Best),
        }
    }
}

/// A page of hits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hits {
    /// The messages. There may be fewer than were asked for although others follow.
    pub ids: Vec<MessageId>,
    /// Where the next page begins; `None` behind the last hit.
    pub next: Option<Position>,
    /// How many messages answer the query, on all pages.
    pub count: u64,
    /// Whether there may be more than `count`.
    pub count_is_minimum: bool,
}

/// Finds a page of hits behind `position`, or the first.
///
/// # Errors
/// If the file cannot be read.
pub fn find(
    tx: &impl Read,
    scope: &SearchScope<'_>,
    query: &Query,
    order: Order,
    position: Option<Position>,
    limit: usize,
) -> Result<Hits, StoreError> {
    match order {
        Order::Newest => newest(tx, scope, query, position, limit),
        Order::Best => best(tx, scope, query, position, limit),
    }
}

/// Whether any message answers a query, as far as one page looks.
///
/// # Errors
/// If the file cannot be read.
pub fn is_any(tx: &impl Read, scope: &SearchScope<'_>, query: &Query) -> Result<bool, StoreError> {
    Search::new(tx, scope, query, None, Texts::default())?.has_more()
}

fn newest(
    tx: &impl Read,
    scope: &SearchScope<'_>,
    query: &Query,
    position: Option<Position>,
    limit: usize,
) -> Result<Hits, StoreError> {
    let behind = match position {
        Some(Position::Newest(time, id)) => Some((time.key(), id.0)),
        Some(Position::Best(_)) | None => None,
    };
    let mut texts = Texts::default();
    let mut search = Search::new(tx, scope, query, behind, texts)?;
    let mut hits = Hits::default();
    let mut last = None;
    while hits.ids.len() < limit {
        match search.next()? {
            Next::Hit(hit) => {
                last = Some(hit.place);
                hits.ids.push(MessageId(hit.place.1));
            }
            Next::Stopped(place) => {
                hits.next = Some(position_of(place));
                break;
            }
            Next::End => {
                last = None;
                break;
            }
        }
    }
    if hits.ids.len() == limit && search.has_more()? {
        hits.next = last.map(position_of);
    }
    texts = search.texts;
    texts.refill();
    (hits.count, hits.count_is_minimum) = count(tx, scope, query, texts)?;
    Ok(hits)
}

fn position_of((time, id): Place) -> Position {
    Position::Newest(Timestamp::from_ms(i64::try_from(time).unwrap_or(i64::MAX)), MessageId(id))
}

fn best(
    tx: &impl Read,
    scope: &SearchScope<'_>,
    query: &Query,
    position: Option<Position>,
    limit: usize,
) -> Result<Hits, StoreError> {
    let mut search = Search::new(tx, scope, query, None, Texts::default())?;
    let mut ranked = Vec::new();
    let mut is_cut = search.is_incomplete;
    loop {
        match search.next()? {
            Next::Hit(hit) if ranked.len() < RANKED_MAX => {
                ranked.push((Reverse(hit.points), Reverse(hit.place)));
            }
            Next::Hit(_) | Next::Stopped(_) => {
                is_cut = true;
                break;
            }
            Next::End => break,
        }
    }
    ranked.sort_unstable();
    let skipped = match position {
        Some(Position::Best(skipped)) => usize::try_from(skipped).unwrap_or(usize::MAX),
        Some(Position::Newest(..)) | None => 0,
    };
    let from = skipped.min(ranked.len());
    let to = from.saturating_add(limit).min(ranked.len());
    Ok(Hits {
        ids: ranked[from..to].iter().map(|(_, place)| MessageId(place.0.1)).collect(),
        next: (to < ranked.len()).then_some(Position::Best(to as u64)),
        count: ranked.len() as u64,
        count_is_minimum: is_cut,
    })
}

/// How many messages answer a query, and whether there may be more.
fn count(
    tx: &impl Read,
    scope: &SearchScope<'_>,
    query: &Query,
    texts: Texts,
) -> Result<(u64, bool), StoreError> {
    let mut search = Search::new(tx, scope, query, None, texts)?;
    let mut count = 0;
    loop {
        match search.next_of_any()? {
            Next::Hit(_) if count < COUNT_MAX => count += 1,
            Next::Hit(_) | Next::Stopped(_) => return Ok((count, true)),
            Next::End => return Ok((count, search.is_incomplete)),
        }
    }
}

/// The next step of a search.
pub(super) enum Next {
    /// A hit.
    Hit(Hit),
    /// No more may be looked at now; the last one that was looked at is at this place.
    Stopped(Place),
    /// Nothing.
    End,
}

/// A search that is under way.
pub(super) struct Search<'a, R> {
    tx: &'a R,
    scope: &'a SearchScope<'a>,
    query: &'a Query,
    sources: Sources<'a, R>,
    texts: Texts,
    /// The place of the last message that was looked at.
    last: Option<Place>,
    /// Whether the index has not all messages yet, or more of them than may be read.
    is_incomplete: bool,
}

impl<'a, R: Read> Search<'a, R> {
    /// Begins behind a place, or with the newest message.
    pub(super) fn new(
        tx: &'a R,
        scope: &'a SearchScope<'a>,
        query: &'a Query,
        behind: Option<Place>,
        texts: Texts,
    ) -> Result<Search<'a, R>, StoreError> {
        let sources = Sources::new(tx, scope, query, behind)?;
        // Messages of an older index are indexed anew, and lose their old words at the end of it.
        let is_incomplete = sources.is_cut || tx.last_id::<MessageWords>(u64::MAX)?.is_some();
        Ok(Search { tx, scope, query, sources, texts, last: behind, is_incomplete })
    }

    /// The next hit in the order of time.
    pub(super) fn next(&mut self) -> Result<Next, StoreError> {
        while let Some(hit) = self.sources.next()? {
            match self.look(&hit)? {
                Some(true) => return Ok(Next::Hit(hit)),
                Some(false) => {}
                None => return Ok(self.last.map_or(Next::End, Next::Stopped)),
            }
        }
        Ok(Next::End)
    }

    /// The next hit in any order, which is found faster.
    fn next_of_any(&mut self) -> Result<Next, StoreError> {
        while let Some(hit) = self.sources.next_of_any()? {
            match self.look(&hit)? {
                Some(true) => return Ok(Next::Hit(hit)),
                Some(false) => {}
                None => return Ok(Next::Stopped(hit.place)),
            }
        }
        Ok(Next::End)
    }

    /// Whether messages that answer may have been left out.
    pub(super) fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }

    /// Whether anything may follow.
    fn has_more(&mut self) -> Result<bool, StoreError> {
        Ok(!matches!(self.next()?, Next::End))
    }

    /// Whether a hit of the index has the phrases; `None` if its text cannot be read any more now.
    fn look(&mut self, hit: &Hit) -> Result<Option<bool>, StoreError> {
        let is_hit = if hit.needs_text {
            self.texts.answer(self.tx, self.scope, self.query, MessageId(hit.place.1))?
        } else {
            Some(true)
        };
        if is_hit.is_some() {
            self.last = Some(hit.place);
        }
        Ok(is_hit)
    }
}
