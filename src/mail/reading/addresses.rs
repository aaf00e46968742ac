//! Hides mail addresses in text: `ada@example.org` becomes `ada@…`.
//!
//! Archives with `archive_spammode` call it for everything that they show to strangers. It keeps the part before the
//! at sign, by which people know each other, and takes away the domain. What an address is, [`hidden_domains`] says
//! alone.

use crate::model::hiding::hidden_domains;

/// Stands for the domain of a hidden address.
const HIDDEN: &str = "…";
/// Bytes of the text before a piece that are looked at together with it. A longer link is taken for text.
const BEFORE_BYTES: usize = 512;
/// Bytes of the text behind a piece that can tell whether an address ends in it: a domain has at most 253.
pub const BEHIND_BYTES: usize = 300;

/// `text` with the domain of each address hidden.
#[must_use]
pub fn hide_addresses(text: &str) -> String {
    AddressHider::default().hide(text, "")
}

/// Hides addresses in a text that comes in pieces, also those that a border between pieces splits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddressHider {
    /// The end of the text before, as it was written.
    before: String,
}

impl AddressHider {
    /// The next piece of the text with the domain of each address hidden. `behind` is the beginning of what follows it,
    /// at least [`BEHIND_BYTES`] of it if there are as many.
    pub fn hide(&mut self, piece: &str, behind: &str) -> String {
        let start = self.before.len();
        let end = start + piece.len();
        let mut all = std::mem::take(&mut self.before);
        all.push_str(piece);
        let known = all.len();
        all.push_str(behind);
        let mut shown = String::with_capacity(piece.len());
        let mut at = start;
        for domain in hidden_domains(&all) {
            if domain.end <= start || end <= domain.start {
                continue;
            }
            shown.push_str(&all[at..domain.start.max(at)]);
            // The mark stands where the domain begins, and once.
            shown.push_str(if start <= domain.start { HIDDEN } else { "" });
            at = domain.end.min(end);
        }
        shown.push_str(&all[at..end]);
        all.truncate(known);
        let kept = all.ceil_char_boundary(known.saturating_sub(BEFORE_BYTES));
        self.before = all.split_off(kept);
        shown
    }

    /// Whether `piece` may end within an address, so that what follows it counts.
    #[must_use]
    pub fn needs_behind(&self, piece: &str) -> bool {
        let last = |text: &str| text.split_whitespace().next_back().unwrap_or_default().to_owned();
        if piece.ends_with(char::is_whitespace) {
            return false;
        }
        let word = last(piece);
        let has_sign = |text: &str| text.contains(['@', '%', '\u{ff20}', '\u{fe6b}']);
        has_sign(&word) || (word.len() == piece.len() && has_sign(&last(&self.before)))
    }

    /// Forgets the text before: the next piece stands apart from it.
    pub fn break_off(&mut self) {
        self.before.clear();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(hide_addresses(text), expected);
        // Wherever it is split.
        for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
            let (first, second) = text.split_at(at);
            let mut hider = AddressHider::default();
            let pieces = [hider.hide(first, second), hider.hide(second, "")];
            assert_eq!(pieces.concat(), expected, "{text} split at {at}");
        }
    }

    #[test]
    fn the_domain_of_an_address_is_hidden() {
        check("Ada <ada@example.org> wrote", "Ada <ada@…> wrote");
        check("mail ada@example.org.", "mail ada@….");
        check("ada@example.org, bob.b@sub.example-two.co.uk: hi", "ada@…, bob.b@…: hi");
        check("ada@[192.0.2.1] and ada@example.org", "ada@… and ada@…");
        check("https://x.org/?u=ada%40example.org&x=1", "https://x.org/?u=ada%40…&x=1");
        check("ada\u{ff20}example.org", "ada\u{ff20}…");
        check("süß@exämple.example", "süß@…");
        check("\"ada l\"@example.org", "\"ada l\"@…");
    }

    #[test]
    fn text_without_addresses_stays() {
        for text in
            ["@media print", "a @b", "10 @ 3 euro", "git reset HEAD@{1}", "x@ y", "", "a@", "lit@2.0.0 is"]
        {
            check(text, text);
        }
        check(
            "https://x.org/@name and https://y.org/lit@2.0.0/",
            "https://x.org/@name and https://y.org/lit@2.0.0/",
        );
    }

    proptest! {
        #[test]
        fn nothing_is_left_of_a_domain(before in "[a-z<( ]{0,5}", local in "[a-z.+]{1,8}", behind in "[ ,>)a-z]{0,5}") {
            let text = format!("{before}{local}@secret.example{behind}");
            let hidden = hide_addresses(&text);
            prop_assert!(!hidden.contains("secret") && hidden.contains('@'), "{hidden}");
        }
    }
}
