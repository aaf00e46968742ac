//! The languages in which people are written to.
//!
//! The text catalogues of `locale` are complete in each of them.

use super::words;

words! {
    /// A language in which the texts of pages and mails are complete. Its word is its BCP 47 tag.
    ///
    /// Records store it by its position in this list, so a new language is added at the end.
    Language {
        /// English.
        English = "en",
        /// German.
        German = "de",
        /// French.
        French = "fr",
        /// Spanish.
        Spanish = "es",
    }
}

impl Default for Language {
    /// The language of an account that sets none.
    fn default() -> Language {
        Language::English
    }
}
