//! Files in messages: finds where the bytes of a part stand in the stored message, and reads them in pieces.
//!
//! Readers get what the archive shows ([`shown`]). What of it stands in the stored message byte for byte is read from
//! there; the rest, such as a header without what is personal, is kept in memory while it is sent.
//!
//! To find a part, the message is read once, within what [`memory`](crate::service::memory) shares out. From then on a part
//! is read a piece at a time, each in a snapshot of its own, so that a slow or a large download holds neither a snapshot
//! nor memory.

use std::collections::VecDeque;
use std::ops::Range;

use crate::mail::Inbound;
use crate::mail::mime::{Encoding, Part};
use crate::mail::reading::hide_addresses;
use crate::mail::text::{decode_part, decode_transfer};
use crate::mail::transfer::TransferDecoder;
use crate::model::{HiddenText, Links, List, Message, PartEncoding, PartNote, TextCharset};
use crate::ops::archive::hidden_text::{HiddenReader, charset_of};
use crate::ops::archive::shown;
use crate::secret::sha256;
use crate::store::{self, Read, StoreError};

/// Encoded bytes that are read at a time.
const PIECE_BYTES: usize = 128 << 10;
/// Bytes of a message of which an excerpt is made.
const BEGINNING_BYTES: u64 = 128 << 10;
/// Parts of a message that are noted; one with more is read each time.
const NOTED_PARTS_MAX: usize = 200;
/// Bytes from which on a part of a whole message is looked for in the stored one.
const LARGE_BYTES: usize = 16 << 10;

/// A part of a message that can be read as a file.
#[derive(Debug)]
pub struct FilePart {
    /// Its name in the mail; blank if it has none.
    pub name: String,
    /// Its media type, such as `image/png`.
    pub media_type: String,
    /// The number of its bytes without the transfer encoding.
    pub length: u64,
    /// Identifies its bytes: other bytes have another tag.
    pub tag: String,
    content: Content,
}

/// The bytes of a file.
#[derive(Debug)]
struct Content {
    blob: store::BlobId,
    pieces: VecDeque<Piece>,
    encoding: Encoding,
    /// The character set of a text in which addresses are hidden as it is read.
    hidden: Option<TextCharset>,
}

/// Bytes that follow one another, before their transfer encoding is removed.
#[derive(Debug)]
enum Piece {
    /// They stand in the stored message.
    Stored(Range<u64>),
    /// They stand nowhere else.
    Made(Vec<u8>),
}

/// The part of this number of a message, as readers of the archive get it; `None` if there is none, or none that this
/// reader may have: of attached messages, no reader from whom addresses are hidden.
///
/// # Errors
/// If the message cannot be read.
pub fn find(
    tx: &impl Read,
    links: &Links,
    list: &List,
    message: &Message,
    number: usize,
    shows_addresses: bool,
) -> Result<Option<FilePart>, StoreError> {
    let Some(shown) = shown::mail(tx, links, list, message)? else { return Ok(None) };
    let Some(part) = shown.parts.get(number).filter(|part| !part.is_multipart()) else { return Ok(None) };
    let media_type = part.media_type.clone();
    if !shows_addresses && media_type.starts_with("message/") {
        return Ok(None);
    }
    let name = part.filename.as_deref().unwrap_or_default();
    let name = if shows_addresses { name.to_owned() } else { hide_addresses(name) };
    let blob = store::BlobId(message.blob.0);
    let content = if !shows_addresses && is_text(&media_type) {
        Content::made(blob, hide_addresses(&decode_part(&shown.raw, part)).into_bytes())
    } else {
        let stored = tx.blob(blob)?;
        let range = find_stored(&stored, &shown.raw, &part.body, Effort::All);
        Content::of_part(blob, &shown.raw, part, range)
    };
    let length = content.length(&shown.raw, part);
    Ok(Some(FilePart { name, media_type, length, tag: content.tag(), content }))
}

/// The notes of all parts of a message that are files; `None` if its account is gone, or it has too many of them.
pub(crate) fn notes(
    tx: &impl Read,
    links: &Links,
    list: &List,
    message: &Message,
) -> Result<Option<Vec<PartNote>>, StoreError> {
    let Some(shown) = shown::mail(tx, links, list, message)? else { return Ok(None) };
    let blob = store::BlobId(message.blob.0);
    let stored = tx.blob(blob)?;
    let parts = || shown.parts.iter().zip(0_u32..).filter(|(part, _)| !part.is_multipart());
    if NOTED_PARTS_MAX < parts().count() {
        return Ok(None);
    }
    let note = |(part, number): (&Part, u32)| {
        let range = find_stored(&stored, &shown.raw, &part.body, Effort::Little);
        let content = Content::of_part(blob, &shown.raw, part, range.clone());
        PartNote {
            number,
            name: part.filename.clone().unwrap_or_default(),
            media_type: part.media_type.clone(),
            encoding: noted_encoding(part.encoding),
            stored: range.map(|range| (range.start, range.end)),
            length: content.length(&shown.raw, part),
            tag: content.tag(),
            hidden: is_text(&part.media_type).then(|| hidden_text(blob, &shown.raw, part)),
        }
    };
    Ok(Some(parts().map(note).collect()))
}

/// The note of the text of a part with the addresses in it hidden.
fn hidden_text(blob: store::BlobId, raw: &[u8], part: &Part) -> HiddenText {
    let text = hide_addresses(&decode_part(raw, part));
    let charset = charset_of(&decode_transfer(&raw[part.body.clone()], part.encoding), part);
    // Read in pieces, it must be the same.
    let mut reader = HiddenReader::new(charset.clone());
    let (mut decoder, mut left) = (TransferDecoder::new(part.encoding), Some(text.as_bytes()));
    let mut compare = |bytes: &[u8]| left = left.and_then(|left| left.strip_prefix(bytes));
    let mut bytes = Vec::new();
    for piece in raw[part.body.clone()].chunks(PIECE_BYTES) {
        decoder.push(piece, &mut bytes);
        compare(&reader.push(&bytes));
        bytes.clear();
    }
    decoder.finish(&mut bytes);
    compare(&reader.push(&bytes));
    compare(&reader.finish());
    let charset = Some(charset).filter(|_| left == Some(&[][..]));
    let length = text.len() as u64;
    HiddenText { length, tag: Content::made(blob, text.into_bytes()).tag(), charset }
}

/// The part of a note, as readers of the archive get it; `None` if this reader may not have it.
#[must_use]
pub fn of_note(message: &Message, note: &PartNote, shows_addresses: bool) -> Option<FilePart> {
    let PartNote { number: _, name, media_type, encoding, stored, length, tag, hidden } = note;
    if !shows_addresses && media_type.starts_with("message/") {
        return None;
    }
    let hidden = hidden.as_ref().filter(|_| !shows_addresses);
    let (length, tag) = hidden.map_or((*length, tag), |hidden| (hidden.length, &hidden.tag));
    let charset = hidden.map(|hidden| hidden.charset.clone());
    let is_readable = charset != Some(None);
    let pieces = stored.filter(|_| is_readable).map(|(start, end)| Piece::Stored(start..end));
    let content = Content {
        blob: store::BlobId(message.blob.0),
        pieces: pieces.into_iter().collect(),
        encoding: encoding_of(*encoding),
        hidden: charset.flatten(),
    };
    let name = if shows_addresses { name.clone() } else { hide_addresses(name) };
    Some(FilePart { name, media_type: media_type.clone(), length, tag: tag.clone(), content })
}

fn noted_encoding(encoding: Encoding) -> PartEncoding {
    match encoding {
        Encoding::QuotedPrintable => PartEncoding::QuotedPrintable,
        Encoding::Base64 => PartEncoding::Base64,
        Encoding::SevenBit | Encoding::EightBit | Encoding::Other => PartEncoding::Plain,
    }
}

fn encoding_of(noted: PartEncoding) -> Encoding {
    match noted {
        PartEncoding::Plain => Encoding::EightBit,
        PartEncoding::QuotedPrintable => Encoding::QuotedPrintable,
        PartEncoding::Base64 => Encoding::Base64,
    }
}

/// A message as a file.
#[derive(Debug)]
pub struct WholeMessage {
    /// The message.
    pub file: FilePart,
    /// The address of its author, if members got to know it.
    pub from: Option<String>,
}

/// A whole message, as readers of the archive get it who see addresses; `None` if its account is gone.
///
/// # Errors
/// If it cannot be read.
pub fn whole(
    tx: &impl Read,
    links: &Links,
    list: &List,
    message: &Message,
) -> Result<Option<WholeMessage>, StoreError> {
    let Some(shown) = shown::mail(tx, links, list, message)? else { return Ok(None) };
    let from = shown.from.as_ref().map(|from| from.address.to_string());
    let blob = store::BlobId(message.blob.0);
    let pieces = pieces_of(&tx.blob(blob)?, &shown);
    let content = Content { blob, pieces, encoding: Encoding::EightBit, hidden: None };
    let file = FilePart {
        name: String::new(),
        media_type: "message/rfc822".to_owned(),
        length: shown.raw.len() as u64,
        tag: content.tag(),
        content,
    };
    Ok(Some(WholeMessage { file, from }))
}

/// A shown message as pieces, of which large parts are read from the stored one.
fn pieces_of(stored: &[u8], shown: &Inbound) -> VecDeque<Piece> {
    let mut pieces = VecDeque::new();
    let mut at = 0;
    let is_leaf = |part: &&Part| !part.is_multipart() && !part.media_type.starts_with("message/");
    let mut bodies: Vec<&Range<usize>> = shown.parts.iter().filter(is_leaf).map(|part| &part.body).collect();
    bodies.sort_unstable_by_key(|body| body.start);
    for body in bodies.into_iter().filter(|body| LARGE_BYTES <= body.len()) {
        let range = find_stored(stored, &shown.raw, body, Effort::All).filter(|_| at <= body.start);
        if let Some(range) = range {
            pieces.push_back(Piece::Made(shown.raw[at..body.start].to_vec()));
            pieces.push_back(Piece::Stored(range));
            at = body.end;
        }
    }
    pieces.push_back(Piece::Made(shown.raw[at..].to_vec()));
    pieces
}

/// How hard the place of a part is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// Where it is nearly always, and elsewhere if it is large.
    Little,
    /// Everywhere.
    All,
}

/// Where the bytes of a part stand in the stored message. Whatever stands around them: equal bytes are equal files.
fn find_stored(stored: &[u8], shown: &[u8], body: &Range<usize>, effort: Effort) -> Option<Range<u64>> {
    let bytes = &shown[body.clone()];
    // A shown message differs from the stored one in its header more often than behind it.
    let from_end = stored.len().checked_sub(shown.len() - body.start);
    let is_there = |start: &usize| stored.get(*start..start + bytes.len()) == Some(bytes);
    let is_sought = || effort == Effort::All || NOTED_PARTS_MAX * bytes.len() >= stored.len();
    let start = from_end
        .filter(is_there)
        .or_else(|| Some(()).filter(|()| is_sought()).and_then(|()| memchr::memmem::find(stored, bytes)))?;
    Some(start as u64..(start + bytes.len()) as u64)
}

/// The beginning of the text of a message, for an excerpt. Little of the message is read.
///
/// # Errors
/// If it cannot be read.
pub fn beginning(
    tx: &impl Read,
    links: &Links,
    list: &List,
    message: &Message,
) -> Result<String, StoreError> {
    let mail = shown::beginning(tx, links, list, message, BEGINNING_BYTES)?;
    Ok(mail.map(|mail| mail.content().text().into_owned()).unwrap_or_default())
}

/// Whether a file of this type is text in which addresses can be read.
fn is_text(media_type: &str) -> bool {
    const OTHERS: [&str; 5] =
        ["application/json", "application/xml", "application/xhtml+xml", "application/rtf", "image/svg+xml"];
    media_type.starts_with("text/") || OTHERS.contains(&media_type)
}

fn decoded_length(body: &[u8], encoding: Encoding) -> u64 {
    let mut decoder = TransferDecoder::new(encoding);
    if decoder.is_plain() {
        return body.len() as u64;
    }
    let (mut length, mut out) = (0, Vec::new());
    for piece in body.chunks(PIECE_BYTES) {
        decoder.push(piece, &mut out);
        length += out.len() as u64;
        out.clear();
    }
    decoder.finish(&mut out);
    length + out.len() as u64
}

impl Content {
    /// Bytes that stand nowhere else.
    fn made(blob: store::BlobId, bytes: Vec<u8>) -> Content {
        let pieces = VecDeque::from([Piece::Made(bytes)]);
        Content { blob, pieces, encoding: Encoding::EightBit, hidden: None }
    }

    /// The bytes of a part, which may stand in the stored message.
    fn of_part(blob: store::BlobId, raw: &[u8], part: &Part, stored: Option<Range<u64>>) -> Content {
        match stored {
            Some(range) => {
                let pieces = VecDeque::from([Piece::Stored(range)]);
                Content { blob, pieces, encoding: part.encoding, hidden: None }
            }
            None => Content::made(blob, decode_transfer(&raw[part.body.clone()], part.encoding).into_owned()),
        }
    }

    /// The number of its bytes, of which it is the content.
    fn length(&self, raw: &[u8], part: &Part) -> u64 {
        match self.pieces.front() {
            Some(Piece::Made(bytes)) => bytes.len() as u64,
            Some(Piece::Stored(_)) | None => decoded_length(&raw[part.body.clone()], part.encoding),
        }
    }

    fn tag(&self) -> String {
        let mut facts = format!("{} {:?}", self.blob, self.encoding).into_bytes();
        for piece in &self.pieces {
            match piece {
                Piece::Stored(range) => facts.extend(format!(" {range:?}").into_bytes()),
                Piece::Made(bytes) => facts.extend(sha256(bytes)),
            }
        }
        data_encoding::HEXLOWER.encode(&sha256(&facts)[..12])
    }
}

impl FilePart {
    /// Reads a range of the part.
    #[must_use]
    pub fn read(self, range: Range<u64>) -> PartReader {
        let end = range.end.min(self.length);
        let mut skip = range.start.min(end);
        let left = end - skip;
        let decoder = TransferDecoder::new(self.content.encoding);
        let Content { blob, mut pieces, encoding: _, hidden } = self.content;
        if decoder.is_plain() && hidden.is_none() {
            skip = skip_bytes(&mut pieces, skip);
        }
        PartReader { blob, pieces, decoder, hidden: hidden.map(HiddenReader::new), skip, left }
    }

    /// Whether its bytes can be read; else only what it is called and how long it is is known.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        !self.content.pieces.is_empty()
    }
}

/// Takes so many bytes off the front of pieces; returns how many there were too few.
fn skip_bytes(pieces: &mut VecDeque<Piece>, mut skip: u64) -> u64 {
    while let Some(piece) = pieces.front_mut() {
        let length = match piece {
            Piece::Stored(range) => range.end - range.start,
            Piece::Made(bytes) => bytes.len() as u64,
        };
        if skip < length {
            match piece {
                Piece::Stored(range) => range.start += skip,
                Piece::Made(bytes) => drop(bytes.drain(..usize::try_from(skip).unwrap_or(bytes.len()))),
            }
            return 0;
        }
        skip -= length;
        pieces.pop_front();
    }
    skip
}

/// A part that is being read.
#[derive(Debug)]
pub struct PartReader {
    blob: store::BlobId,
    /// The pieces that are still to be read.
    pieces: VecDeque<Piece>,
    decoder: TransferDecoder,
    /// Hides the addresses in a text, if they are hidden.
    hidden: Option<HiddenReader>,
    /// Decoded bytes that stand before the wanted ones.
    skip: u64,
    /// Bytes that are still to be returned.
    left: u64,
}

impl PartReader {
    /// The next bytes; `None` behind the last.
    ///
    /// # Errors
    /// If they cannot be read, or the message was deleted meanwhile.
    pub fn next(&mut self, tx: &impl Read) -> Result<Option<Vec<u8>>, StoreError> {
        if self.left == 0 {
            return Ok(None);
        }
        let mut decoded = Vec::new();
        while decoded.is_empty() {
            let Some(encoded) = self.next_encoded(tx)? else { break };
            self.decoder.push(&encoded, &mut decoded);
            if self.pieces.is_empty() {
                self.decoder.finish(&mut decoded);
            }
            if let Some(hidden) = &mut self.hidden {
                let mut shown = hidden.push(&decoded);
                if self.pieces.is_empty() {
                    shown.extend(hidden.finish());
                }
                decoded = shown;
            }
            let skipped = self.skip.min(decoded.len() as u64);
            decoded.drain(..usize::try_from(skipped).unwrap_or(decoded.len()));
            self.skip -= skipped;
        }
        decoded.truncate(usize::try_from(self.left).unwrap_or(usize::MAX));
        self.left -= decoded.len() as u64;
        if decoded.is_empty() {
            let words = format_args!("blob {} is shorter than its part", self.blob);
            return Err(StoreError::corrupt("blob", words));
        }
        Ok(Some(decoded))
    }

    /// The next bytes before their transfer encoding is removed.
    fn next_encoded(&mut self, tx: &impl Read) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(piece) = self.pieces.pop_front() else { return Ok(None) };
        match piece {
            Piece::Made(bytes) => Ok(Some(bytes)),
            Piece::Stored(range) => {
                let end = range.end.min(range.start + PIECE_BYTES as u64);
                let bytes = tx.blob_range(self.blob, range.start..end)?;
                if end < range.end {
                    self.pieces.push_front(Piece::Stored(end..range.end));
                }
                Ok(Some(bytes))
            }
        }
    }
}
