//! What may be different about a mail on a page.

use crate::model::Language;

/// How a mail is shown.
pub struct ReadingOptions<'a> {
    /// Whether addresses are hidden, in the text, in links and in names of files.
    pub hides_addresses: bool,
    /// Whether images of other servers are shown; the page must then allow them ([`IMAGES_POLICY`](super::IMAGES_POLICY)).
    pub remote_images: bool,
    /// The address of a part, by its number and the name of its file.
    pub part_href: &'a dyn Fn(usize, &str) -> String,
    /// The address of the whole message as it came, for what is too long to be shown; blank if there is none.
    pub raw_href: &'a str,
    /// The address of this page with the images of other servers; blank if the page does not offer that.
    pub images_href: &'a str,
    /// Which quotes are open.
    pub quotes: Quotes,
    /// The language of the page.
    pub language: Language,
    /// The most bytes of text that are shown; [`SHOWN_BYTES_MAX`](crate::mail::reading::SHOWN_BYTES_MAX) for a message alone.
    pub bytes_max: usize,
}

/// Which quotes of a mail are open on a page; the others are folded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Quotes {
    /// Those that are short and answered below, and all if the mail has nothing else.
    #[default]
    Fitting,
    /// All.
    Open,
    /// None.
    Folded,
}

impl Quotes {
    /// Whether a quote is open; `fits` says whether it is one that fits.
    pub(super) fn is_open(self, fits: bool) -> bool {
        match self {
            Quotes::Fitting => fits,
            Quotes::Open => true,
            Quotes::Folded => false,
        }
    }
}
