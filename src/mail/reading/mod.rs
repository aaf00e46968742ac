//! Reads a message for people: which of its parts are shown and in which order, what its text is made of, and which
//! parts are files.
//!
//! Pages, feeds, downloads and digests call it; `web` makes HTML of the result and cleans the HTML of others. Nothing
//! here makes HTML. All work is bounded, whatever the bytes: text beyond a limit is cut, and parts beyond a depth or a
//! number are files.

mod addresses;
mod attribution;
mod blocks;
mod charset;
mod diff;
mod flowed;
mod layout;
mod names;
mod parts;
mod spans;

pub use addresses::{AddressHider, BEHIND_BYTES, hide_addresses};
pub use blocks::{Block, Quote};
pub use diff::DiffLine;
pub use names::clean_name;
pub use parts::{Fact, Image, Reading, Section, ShownPart};
pub use spans::{Span, spans};

use super::parse::Inbound;
use super::visible;

/// Bytes of a message that are shown at most.
pub const SHOWN_BYTES_MAX: usize = 512 * 1024;
/// Bytes of a message of which the first words are taken.
const FIRST_BYTES_MAX: usize = 16 * 1024;

impl Inbound {
    /// The parts that are shown, and the files. At most `bytes_max` bytes of text are read.
    #[must_use]
    pub fn reading(&self, bytes_max: usize) -> Reading {
        parts::read(self, bytes_max)
    }

    /// The beginning of what its author wrote, on one line. Little of the message is read.
    #[must_use]
    pub fn first_words(&self, hides_addresses: bool) -> String {
        let words = parts::first_words(&self.reading(FIRST_BYTES_MAX).sections);
        if hides_addresses { hide_addresses(&words) } else { words }
    }
}

/// The number of lines at the end of `lines` that introduce a quote behind them: "On Monday, Ada wrote:".
pub(super) fn attribution_lines(lines: &[&str]) -> usize {
    attribution::at_end(lines).map_or(0, |attribution| attribution.lines)
}

/// The text of HTML as a reader sees it, without what its author quotes.
#[must_use]
pub fn unquoted_text(html: &str) -> String {
    visible::unquoted_text(html)
}
