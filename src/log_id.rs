//! Short ids by which the lines of the log are found that belong together: to one request, or to one connection.
//!
//! They are no secrets.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

/// A new id: eight characters that cannot be mistaken for one another when read aloud over a telephone.
#[must_use]
pub fn new() -> String {
    // Each state has keys of its own.
    let bytes = RandomState::new().build_hasher().finish().to_le_bytes();
    let text = data_encoding::HEXLOWER.encode(&bytes[..4]);
    format!("{}-{}", &text[..4], &text[4..])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn ids_differ_and_are_short() {
        let ids: BTreeSet<String> = (0..1000).map(|_| super::new()).collect();
        assert!(990 < ids.len());
        assert!(ids.iter().all(|id| id.len() == 9 && id.as_bytes()[4] == b'-'), "{ids:?}");
    }
}
