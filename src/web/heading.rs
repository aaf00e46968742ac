//! The heading that a description makes, the name by which an account goes, and an address that fits narrow screens.

use crate::model::Account;

/// Longest description that is a heading, in characters; a longer one is a text.
const HEADING_CHARS_MAX: usize = 80;

/// The name that an account calls itself by: its description, if that is short, else its name.
pub(super) fn title_of(account: &Account) -> String {
    heading_and_text(&account.description).0.unwrap_or_else(|| account.name.clone())
}

/// A description as a heading, if it is one short line, and as a text otherwise.
pub(super) fn heading_and_text(description: &str) -> (Option<String>, String) {
    let description = description.trim();
    let is_heading = description.chars().count() <= HEADING_CHARS_MAX && !description.contains('\n');
    match description {
        "" => (None, String::new()),
        _ if is_heading => (Some(description.to_owned()), String::new()),
        _ => (None, description.to_owned()),
    }
}

/// An address of which lines may break behind the `@` and behind dots.
pub(super) struct Address {
    /// The whole address.
    pub(super) text: String,
    /// Its parts that do not break.
    pub(super) parts: Vec<String>,
}

impl Address {
    pub(super) fn new(text: String) -> Address {
        let parts = text.split_inclusive(['@', '.']).map(str::to_owned).collect();
        Address { text, parts }
    }
}
