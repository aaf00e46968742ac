//! A part of a message, as [`mime`](super::mime) finds it.

use std::ops::Range;

/// The transfer encoding of a part (RFC 2045 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// 7bit, or none stated.
    SevenBit,
    /// 8bit or binary.
    EightBit,
    QuotedPrintable,
    Base64,
    /// An unknown encoding, which is never touched.
    Other,
}

/// One part of a message; the message itself is the first.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    /// The part that contains it; `None` for the message itself.
    pub(crate) parent: Option<usize>,
    pub(crate) depth: usize,
    /// The header block, including the empty line after it.
    pub(crate) header: Range<usize>,
    /// The content, without the line end that belongs to the boundary after it.
    pub(crate) body: Range<usize>,
    /// The media type in lower case, such as `text/plain`.
    pub(crate) media_type: String,
    pub(crate) charset: Option<String>,
    /// Whether it is `format=flowed` (RFC 3676).
    pub(crate) is_flowed: bool,
    pub(crate) encoding: Encoding,
    pub(crate) is_attachment: bool,
    pub(crate) filename: Option<String>,
    /// The boundary of a multipart, empty once its closing boundary has passed; `None` for any other part.
    pub(super) boundary: Option<Vec<u8>>,
}

impl Part {
    pub(crate) fn is_multipart(&self) -> bool {
        self.boundary.is_some()
    }

    /// Whether it is a message that can be read as it stands.
    pub(super) fn is_message(&self) -> bool {
        matches!(self.media_type.as_str(), "message/rfc822" | "message/global")
            && matches!(self.encoding, Encoding::SevenBit | Encoding::EightBit)
    }

    /// Whether it is a text or HTML part that is displayed and not offered as a file.
    pub(crate) fn is_shown_text(&self) -> bool {
        !self.is_attachment && matches!(self.media_type.as_str(), "text/plain" | "text/html")
    }
}
