//! The languages that people are written to in.

use super::words;

words! {
    /// A language that the texts of pages and mails are complete in. Its word is its BCP 47 tag.
    ///
    /// Records keep it by its place in this list, so a new language goes to the end.
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
    /// The language of an account that says nothing.
    fn default() -> Language {
        Language::English
    }
}
