//! Finds the messages of the archive that answer a [`Query`], newest first or best first, a page at a time.
//!
//! Who may read the lists is decided before ([`super::access`]). Newest first is by time, then by id, so that imported
//! messages stand where they belong.

use std::cmp::Reverse;

use crate::clock::Timestamp;
use crate::model::terms::{ATTACHMENT_MARK, Fields, TermKind, Terms, placed_words};
use crate::model::{AccountId, ListId, Message, MessageId};
use crate::ops::archive::messages::stored_mail;
use crate::ops::archive::query::{Beginnings, Condition, Query, Test};
use crate::schema::MESSAGE_BY_LIST;
use crate::store::{IndexRange, Key, Read, StoreError};

/// Hits that are counted exactly.
pub const COUNT_MAX: u64 = 10_000;

/// What is searched, and by whom.
#[derive(Debug, Clone, Copy)]
pub struct SearchScope<'a> {
    /// The account of the lists.
    pub account: AccountId,
    /// The lists that are searched.
    pub lists: &'a [ListId],
    /// Whether who asks may see addresses: what is hidden finds nothing for others.
    pub shows_addresses: bool,
}

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
    let mut found = Vec::new();
    for list in scope.lists {
        let rows = IndexRange::prefix(Key::new().u64(scope.account.0).u64(list.0));
        for id in tx.ids(&MESSAGE_BY_LIST, &rows, usize::MAX)? {
            let Some(message) = tx.get::<Message>(id)? else { continue };
            let mail = stored_mail(tx, message.blob)?.content();
            let terms = Terms::of_message(&message, &mail.text(), !mail.attachments.is_empty());
            let candidate = Candidate { message: &message, terms, text: mail.text().into_owned(), scope };
            if query.conditions().iter().all(|condition| candidate.meets(condition)) {
                found.push((Reverse(candidate.points(query)), Reverse(message.time), Reverse(message.id)));
            }
        }
    }
    let count = found.len() as u64;
    let mut hits = Hits { count, ..Hits::default() };
    match order {
        Order::Best => {
            found.sort_unstable();
            let Some(Position::Best(skipped)) = position.or(Some(Position::Best(0))) else { return Ok(hits) };
            let from = usize::try_from(skipped).unwrap_or(usize::MAX).min(found.len());
            let to = from.saturating_add(limit).min(found.len());
            hits.ids = found[from..to].iter().map(|(_, _, id)| id.0).collect();
            hits.next = (to < found.len()).then_some(Position::Best(to as u64));
        }
        Order::Newest => {
            let mut found: Vec<_> = found.into_iter().map(|(_, time, id)| (time, id)).collect();
            found.sort_unstable();
            if let Some(Position::Newest(time, id)) = position {
                found.retain(|hit| (Reverse(time), Reverse(id)) < *hit);
            }
            let is_more = limit < found.len();
            found.truncate(limit);
            hits.next = found.last().filter(|_| is_more).map(|(time, id)| Position::Newest(time.0, id.0));
            hits.ids = found.into_iter().map(|(_, id)| id.0).collect();
        }
    }
    Ok(hits)
}

/// A message that may answer a query.
struct Candidate<'a> {
    message: &'a Message,
    terms: Terms,
    text: String,
    scope: &'a SearchScope<'a>,
}

impl Candidate<'_> {
    fn meets(&self, condition: &Condition) -> bool {
        let is_met = match &condition.test {
            Test::Words { words, beginnings, fields } => words.iter().enumerate().all(|(place, word)| {
                self.fields_of(word, beginnings.has(place, words.len()))
                    .is_some_and(|found| found.meets(*fields))
            }),
            Test::Phrase { words, fields } => self.has_phrase(words, *fields),
            Test::Sender(address) => {
                self.scope.shows_addresses && self.terms.fields(&TermKind::Address.term(address)).is_some()
            }
            Test::Before(time) => self.message.time < *time,
            Test::Since(time) => *time <= self.message.time,
            Test::Attachment => self.terms.fields(&TermKind::Mark.term(ATTACHMENT_MARK)).is_some(),
            Test::Thread(thread) => self.message.thread == *thread,
        };
        is_met != condition.is_negated
    }

    /// The fields that have a word, or one that begins with it.
    fn fields_of(&self, word: &str, is_beginning: bool) -> Option<Fields> {
        let kinds: &[TermKind] =
            if self.scope.shows_addresses { &[TermKind::Word, TermKind::Hidden] } else { &[TermKind::Word] };
        let mut found: Option<Fields> = None;
        for kind in kinds {
            let term = kind.term(word);
            let beginning = self.terms.beginning(&term);
            for (_, fields) in beginning.filter(|(known, _)| is_beginning || *known == term) {
                found = Some(found.map_or(fields, |found| found | fields));
            }
        }
        found
    }

    fn has_phrase(&self, words: &[String], fields: Fields) -> bool {
        let message = self.message;
        let parts = [
            (Fields::SUBJECT, message.subject.as_str()),
            (Fields::SENDER, &message.from_phrase),
            (Fields::SENDER, &message.from_address),
            (Fields::TEXT, &self.text),
        ];
        parts.iter().filter(|(field, _)| field.meets(fields)).any(|(_, text)| {
            let placed = placed_words(text);
            placed.windows(words.len()).any(|window| {
                window.iter().zip(words).all(|(placed, word)| {
                    placed.word == *word && (self.scope.shows_addresses || !placed.is_hidden)
                })
            })
        })
    }

    /// How well a message answers: more for words in its subject than in its sender, and more there than in its text.
    fn points(&self, query: &Query) -> u64 {
        let mut points = 0;
        for condition in query.conditions().iter().filter(|condition| !condition.is_negated) {
            let (words, beginnings) = match &condition.test {
                Test::Words { words, beginnings, fields: _ } => (words, *beginnings),
                Test::Phrase { words, fields: _ } => (words, Beginnings::None),
                _ => continue,
            };
            for (place, word) in words.iter().enumerate() {
                let fields = self.fields_of(word, beginnings.has(place, words.len()));
                points += fields.map_or(0, points_of);
            }
        }
        points
    }
}

/// What a word is worth in these fields.
fn points_of(fields: Fields) -> u64 {
    if fields.meets(Fields::SUBJECT) {
        4
    } else if fields.meets(Fields::SENDER) {
        2
    } else {
        1
    }
}
