//! Cache of answers to GET requests, in a bounded number of bytes.
//!
//! No stale answer can follow an acknowledged write. An answer is kept with the account's generation as it was
//! *before* the snapshot from which it was made, and is used again only while that number is the same. The store
//! raises the number after a commit is visible and before the writer gets its acknowledgement. So a request that
//! comes after an acknowledgement sees a higher number, and an answer that was made of the new snapshot but kept
//! under the old number is merely lost.
//!
//! The caller is part of the key: answers belong to one [`Principal`], which is itself made anew whenever its
//! account's generation, its rights or its key change.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, PoisonError, RwLock};

use super::auth::Principal;
use super::view::Answer;

/// Memory that answers and the entries around them may take.
const BYTES_MAX: usize = 8 << 20;
/// Largest answer that is kept.
const ANSWER_BYTES_MAX: usize = 256 << 10;
/// Memory of an entry beside its texts.
const ENTRY_BYTES: usize = 160;

/// The cache.
///
/// It has two generations of entries. New entries and those that are used go into the first; when that is full it
/// becomes the second, and the entries of the old second are dropped. So entries in use stay, without a list of uses.
#[derive(Debug, Default)]
pub(super) struct Answers {
    hasher: RandomState,
    shelves: RwLock<Shelves>,
}

#[derive(Debug, Default)]
struct Shelves {
    first: HashMap<u64, Entry>,
    first_bytes: usize,
    second: HashMap<u64, Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    principal: Arc<Principal>,
    path: Box<str>,
    generation: u64,
    answer: Answer,
}

impl Entry {
    fn answers(&self, principal: &Arc<Principal>, path: &str, generation: u64) -> bool {
        // The entry keeps the principal alive, so no other one can have its address.
        self.generation == generation && Arc::ptr_eq(&self.principal, principal) && *self.path == *path
    }

    fn bytes(&self) -> usize {
        self.answer.body.len() + self.path.len() + ENTRY_BYTES
    }
}

impl Answers {
    fn hash(&self, principal: &Arc<Principal>, path: &str) -> u64 {
        self.hasher.hash_one((Arc::as_ptr(principal).addr(), path))
    }

    /// Returns the answer to the same request of the same principal, if nothing of the account has changed since.
    pub(super) fn get(&self, principal: &Arc<Principal>, path: &str, generation: u64) -> Option<Answer> {
        let hash = self.hash(principal, path);
        let shelves = self.shelves.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = shelves.first.get(&hash) {
            return entry.answers(principal, path, generation).then(|| entry.answer.clone());
        }
        let entry =
            shelves.second.get(&hash).filter(|entry| entry.answers(principal, path, generation))?.clone();
        drop(shelves);
        let answer = entry.answer.clone();
        self.put(hash, entry);
        Some(answer)
    }

    /// Keeps an answer; `generation` was read before the snapshot from which it was made.
    pub(super) fn keep(&self, principal: &Arc<Principal>, path: &str, generation: u64, answer: &Answer) {
        if answer.body.len() <= ANSWER_BYTES_MAX {
            let hash = self.hash(principal, path);
            let principal = Arc::clone(principal);
            self.put(hash, Entry { principal, path: path.into(), generation, answer: answer.clone() });
        }
    }

    fn put(&self, hash: u64, entry: Entry) {
        let mut shelves = self.shelves.write().unwrap_or_else(PoisonError::into_inner);
        let bytes = entry.bytes();
        if BYTES_MAX / 2 < shelves.first_bytes + bytes {
            shelves.second = std::mem::take(&mut shelves.first);
            shelves.first_bytes = 0;
        }
        shelves.first_bytes += bytes;
        if let Some(old) = shelves.first.insert(hash, entry) {
            shelves.first_bytes -= old.bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Bytes;

    #[test]
    fn an_answer_is_given_again_to_the_same_principal_at_the_same_generation_alone() {
        let answers = Answers::default();
        let (ada, other) = (Arc::new(Principal::for_tests()), Arc::new(Principal::for_tests()));
        let answer = Answer { body: Bytes::from_static(b"{}"), objects: 7, stored: None };
        answers.keep(&ada, "/a/", 5, &answer);
        assert_eq!(answers.get(&ada, "/a/", 5), Some(answer));
        assert_eq!(answers.get(&ada, "/a/", 6), None);
        assert_eq!(answers.get(&ada, "/b/", 5), None);
        assert_eq!(answers.get(&other, "/a/", 5), None);
    }

    #[test]
    fn answers_never_take_more_than_their_room() {
        let answers = Answers::default();
        let ada = Arc::new(Principal::for_tests());
        let answer = Answer::one(Bytes::from(vec![b'x'; 100_000]));
        for number in 0..500 {
            answers.keep(&ada, &format!("/{number}/"), 1, &answer);
            assert!(answers.get(&ada, "/0/", 1).is_some(), "what is in use stays: {number}");
        }
        let shelves = answers.shelves.read().unwrap();
        let kept: usize = shelves.first.values().chain(shelves.second.values()).map(Entry::bytes).sum();
        assert!(kept <= BYTES_MAX, "{kept}");
    }
}
