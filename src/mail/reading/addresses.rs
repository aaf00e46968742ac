//! Hides mail addresses in text: `ada@example.org` becomes `ada@…`.
//!
//! Archives with `archive_spammode` call it for everything that they show to strangers. It keeps the part before the
//! at sign, by which people know each other, and takes away the domain.

/// Stands for the domain of a hidden address.
const HIDDEN: &str = "…";

/// `text` with the domain of each address hidden.
#[must_use]
pub fn hide_addresses(text: &str) -> String {
    AddressHider::default().hide(text)
}

/// Hides addresses in a text that comes in pieces, also those that a border between pieces splits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AddressHider {
    state: State,
}

/// The kind of text that the pieces so far end with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// Nothing that an address could go on from.
    #[default]
    Other,
    /// A character of a local part.
    Local,
    /// A local part and an at sign: what follows is a domain.
    At,
    /// A domain, whose beginning was hidden.
    Domain,
    /// A mark behind a domain at the end of a piece, which may join it with the next one.
    Mark,
}

impl AddressHider {
    /// The next piece of the text with the domain of each address hidden.
    pub fn hide(&mut self, text: &str) -> String {
        let mut shown = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let at = at_sign(rest);
            if let (State::Local, Some(length)) = (self.state, at) {
                shown.push_str(&rest[..length]);
                rest = &rest[length..];
                self.state = State::At;
                continue;
            }
            let behind = rest[c.len_utf8()..].chars().next();
            let is_hidden = match self.state {
                State::At if is_of_domain(c) || matches!(c, '[' | '"') => {
                    shown.push_str(HIDDEN);
                    true
                }
                State::Domain if is_of_domain(c) => true,
                State::Domain => matches!(c, '.' | '-' | ':' | ']') && behind.is_some_and(is_of_domain),
                State::Mark => is_of_domain(c),
                State::Other | State::Local | State::At => false,
            };
            if is_hidden {
                self.state = State::Domain;
            } else {
                shown.push(c);
                self.state = match self.state {
                    State::Domain if matches!(c, '.' | '-') && behind.is_none() => State::Mark,
                    _ if is_of_local(c) => State::Local,
                    _ => State::Other,
                };
            }
            rest = &rest[c.len_utf8()..];
        }
        shown
    }

    /// Forgets the text before: the next piece stands apart from it.
    pub fn break_off(&mut self) {
        self.state = State::Other;
    }
}

/// The length of the at sign at the beginning of `text`, as itself, in its wide form, or percent-encoded.
fn at_sign(text: &str) -> Option<usize> {
    let encoded = |prefix: &str| text.get(..prefix.len()).is_some_and(|start| start == prefix);
    ["@", "\u{ff20}", "\u{fe6b}", "%40", "%2540"].into_iter().find(|sign| encoded(sign)).map(str::len)
}

fn is_of_local(c: char) -> bool {
    c.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.\"".contains(c)
}

/// Whether a character can stand in a domain. A dot counts if a label follows.
fn is_of_domain(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(hide_addresses(text), expected);
        // Wherever it is split.
        for at in
            (0..text.len()).filter(|at| text.is_char_boundary(*at) && !text[..*at].ends_with(['%', '4']))
        {
            let mut hider = AddressHider::default();
            let pieces = [hider.hide(&text[..at]), hider.hide(&text[at..])];
            assert!(!pieces.concat().contains("example"), "{text} split at {at}: {pieces:?}");
        }
    }

    #[test]
    fn the_domain_of_an_address_is_hidden() {
        check("Ada <ada@example.org> wrote", "Ada <ada@…> wrote");
        check("mail ada@example.org.", "mail ada@….");
        check("ada@example.org, bob.b@sub.example-two.co.uk: hi", "ada@…, bob.b@…: hi");
        check("ada@[192.0.2.1] and ada@example", "ada@…] and ada@…");
        check("https://x.org/?u=ada%40example.org&x=1", "https://x.org/?u=ada%40…&x=1");
        check("ada\u{ff20}example.org", "ada\u{ff20}…");
        check("süß@exämple.example", "süß@…");
        check("\"ada l\"@example.org", "\"ada l\"@…");
    }

    #[test]
    fn text_without_addresses_stays() {
        for text in ["@media print", "a @b", "10 @ 3 euro", "git reset HEAD@{1}", "x@ y", "", "a@"] {
            assert_eq!(hide_addresses(text), text);
        }
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
