//! Proofs for the authority, as the listener of plain HTTP shows them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The proofs that an authority may ask for by HTTP, by their tokens.
#[derive(Debug, Default)]
pub struct Tokens(Mutex<HashMap<String, String>>);

impl Tokens {
    /// The proof of a token.
    #[must_use]
    pub fn find(&self, token: &str) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(token).cloned()
    }

    /// Shows the proof of a token from now on; `None` ends that.
    pub(super) fn set(&self, token: &str, proof: Option<String>) {
        let mut proofs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match proof {
            Some(proof) => drop(proofs.insert(token.to_owned(), proof)),
            None => drop(proofs.remove(token)),
        }
    }
}
