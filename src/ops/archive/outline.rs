//! Puts the messages of a thread in the order of a conversation: each behind the one that it answers, with the depth of
//! the reply.
//!
//! It reads no storage and does not recurse. Whatever the messages claim to answer, each stands in the outline once: a
//! message whose parent is unknown answers the thread, and a circle of answers is cut.

use std::collections::{HashMap, HashSet};

use crate::model::{Message, MessageId};

/// A place in the outline of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The message.
    pub message: Message,
    /// How many answers lead from the beginning of the thread to this message.
    pub depth: usize,
    /// The message that it answers, if that is in the outline.
    pub parent: Option<MessageId>,
}

/// The outline of a thread: answers stand behind what they answer, and answers to the same message in the order of
/// time.
#[must_use]
pub fn outline(mut messages: Vec<Message>) -> Vec<Place> {
    messages.sort_unstable_by_key(|message| (message.time, message.id));
    let known: HashSet<MessageId> = messages.iter().map(|message| message.id).collect();
    let mut answers: HashMap<MessageId, Vec<usize>> = HashMap::new();
    let mut roots = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        match parent_of(message, &known) {
            Some(parent) => answers.entry(parent).or_default().push(at),
            None => roots.push(at),
        }
    }
    // The first message of the thread comes first, even if the clock of an answer was slow.
    roots.sort_by_key(|at| messages[*at].id != messages[*at].thread);
    let mut walk = Walk { answers, messages: messages.into_iter().map(Some).collect(), places: Vec::new() };
    let head = roots.first().copied();
    for root in roots {
        // An answer to a message that nobody knows answers the thread, if the thread has a beginning.
        let depth = usize::from(Some(root) != head && walk.answers_something(root));
        walk.descend(root, depth);
    }
    // What is left are circles, entered at their oldest message.
    for at in 0..walk.messages.len() {
        walk.descend(at, 1);
    }
    walk.places
}

/// The message that this one answers, if that is in the thread.
fn parent_of(message: &Message, known: &HashSet<MessageId>) -> Option<MessageId> {
    message.parent.filter(|parent| *parent != message.id && known.contains(parent))
}

struct Walk {
    /// The places of the answers to each message.
    answers: HashMap<MessageId, Vec<usize>>,
    /// The messages that have no place yet.
    messages: Vec<Option<Message>>,
    places: Vec<Place>,
}

impl Walk {
    fn answers_something(&self, at: usize) -> bool {
        self.messages[at].as_ref().is_some_and(|message| message.id != message.thread)
    }

    /// Gives a message and all answers below it their places.
    fn descend(&mut self, root: usize, depth: usize) {
        let mut open = vec![(root, depth, None)];
        while let Some((at, depth, parent)) = open.pop() {
            let Some(message) = self.messages[at].take() else { continue };
            let id = message.id;
            self.places.push(Place { message, depth, parent });
            let answers = self.answers.remove(&id).unwrap_or_default();
            // The last one in is the first one out.
            open.extend(answers.into_iter().rev().map(|answer| (answer, depth + 1, Some(id))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;
    use crate::model::{AccountId, BlobId, ListId};

    fn message(id: u64, parent: Option<u64>, time: i64) -> Message {
        Message {
            id: MessageId(id),
            account: AccountId(1),
            list: ListId(1),
            subject: String::new(),
            from_phrase: String::new(),
            from_address: String::new(),
            time: Timestamp::from_ms(time),
            message_id: format!("{id}@example.org"),
            thread: MessageId(1),
            parent: parent.map(MessageId),
            blob: BlobId(1),
            size_bytes: 0,
            deleted: false,
            changes: None,
            authentication: None,
            requires_tls: false,
        }
    }

    #[track_caller]
    fn check(messages: &[(u64, Option<u64>, i64)], expected: &[(u64, usize)]) {
        let messages = messages.iter().map(|(id, parent, time)| message(*id, *parent, *time)).collect();
        let places: Vec<(u64, usize)> =
            outline(messages).into_iter().map(|place| (place.message.id.0, place.depth)).collect();
        assert_eq!(places, expected);
    }

    #[test]
    fn answers_stand_behind_what_they_answer() {
        let thread = [(1, None, 1), (2, Some(1), 2), (3, Some(1), 3), (4, Some(2), 4), (5, Some(4), 5)];
        check(&thread, &[(1, 0), (2, 1), (4, 2), (5, 3), (3, 1)]);
    }

    #[test]
    fn answers_to_nothing_known_answer_the_thread() {
        check(&[(1, None, 5), (2, Some(99), 2), (3, Some(2), 3)], &[(1, 0), (2, 1), (3, 2)]);
        check(&[(3, Some(2), 3), (4, Some(2), 4)], &[(3, 0), (4, 1)]);
    }

    #[test]
    fn a_circle_of_answers_is_cut() {
        check(&[(1, Some(1), 1)], &[(1, 0)]);
        check(&[(1, None, 1), (2, Some(3), 2), (3, Some(2), 3)], &[(1, 0), (2, 1), (3, 2)]);
        check(&[(1, Some(3), 1), (2, Some(1), 2), (3, Some(2), 3)], &[(1, 1), (2, 2), (3, 3)]);
    }

    #[test]
    fn every_message_has_one_place_behind_its_parent_whatever_it_claims_to_answer() {
        // A simple generator: the same numbers in every run.
        let mut state = 7_u64;
        let mut number = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..300 {
            let count = number(60) + 1;
            let messages: Vec<Message> = (1..=count)
                .map(|id| {
                    let parent = number(count + 20);
                    message(id, (0 < parent).then_some(parent), i64::try_from(number(9)).unwrap())
                })
                .collect();
            let places = outline(messages);
            let mut ids: Vec<u64> = places.iter().map(|place| place.message.id.0).collect();
            let mut depths = HashMap::new();
            for place in &places {
                if let Some(parent) = place.parent {
                    assert_eq!(
                        depths.get(&parent),
                        Some(&(place.depth - 1)),
                        "behind its parent, one deeper"
                    );
                }
                depths.insert(place.message.id, place.depth);
            }
            ids.sort_unstable();
            assert_eq!(ids, (1..=count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_answers_is_no_deeper_than_the_stack() {
        let chain = (1..=100_000).map(|id| message(id, (1 < id).then(|| id - 1), 0)).collect();
        let places = outline(chain);
        assert_eq!(places.len(), 100_000);
        assert_eq!(places.last().map(|place| place.depth), Some(99_999));
    }
}
