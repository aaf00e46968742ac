//! Makes digests: one mail with a part of contents and the messages of a day (`spec/mail.md` 9).
//!
//! `ops::digests` calls [`compose_digest`] once for a list and day and keeps the result. [`digest_form`] makes of it the
//! form of which members' copies are rendered, with the header fields, fronter and footer of the list, which the
//! messages inside do not have. The messages are bytes that all copies share, and are not looked at again.

mod contents;
mod facts;
mod posts;

use std::ops::Range;

use super::rewrite::{RewriteContext, SharedForm, rewrite};
use super::{ParseError, header, parse, text};

pub use contents::day_in_words;
pub use facts::{DigestEntry, NewDigest};
pub use posts::{kept_part, without_attachments};

use facts::ascii;
use posts::Boundaries;

/// Octets of all messages together beyond which attachments become links.
pub const DIGEST_BYTES_MAX: u64 = 10 * 1024 * 1024;
/// Characters of a message's beginning that the contents show.
const FIRST_WORDS_CHARS: usize = 240;

/// A digest as it is kept.
#[derive(Debug, Clone)]
pub struct ComposedDigest {
    /// The mail.
    pub raw: Vec<u8>,
    /// Where the part with the messages stands in it.
    pub posts: Range<usize>,
}

/// Composes the mail that all members share. Places for their own links are variables of templates.
#[must_use]
pub fn compose_digest(digest: &NewDigest<'_>) -> ComposedDigest {
    let mails: Vec<&[u8]> = digest.entries.iter().filter_map(|entry| entry.mail.as_deref()).collect();
    let (plain, html) = (contents::text(digest), contents::html(digest));
    let boundaries = Boundaries::of(digest, &mails);
    let is_eight_bit = !mails.iter().all(|mail| mail.is_ascii());
    let mut raw = Vec::with_capacity(mails.iter().map(|mail| mail.len() + 256).sum::<usize>() + 64 * 1024);
    write_header(digest, &boundaries.mixed, is_eight_bit, &mut raw);
    let line = |raw: &mut Vec<u8>, text: &str| raw.extend([text.as_bytes(), b"\r\n"].concat());
    line(&mut raw, "");
    line(&mut raw, &format!("--{}", boundaries.mixed));
    line(&mut raw, &format!("Content-Type: multipart/alternative; boundary=\"{}\"", boundaries.alternative));
    for (media_type, content) in [("text/plain", plain), ("text/html", html)] {
        line(&mut raw, "");
        line(&mut raw, &format!("--{}", boundaries.alternative));
        line(&mut raw, &format!("Content-Type: {media_type}; charset=utf-8"));
        line(&mut raw, "Content-Transfer-Encoding: quoted-printable");
        line(&mut raw, "");
        text::encode_qp(text::with_crlf(&content).as_bytes(), &mut raw);
    }
    line(&mut raw, "");
    line(&mut raw, &format!("--{}--", boundaries.alternative));
    let start = raw.len();
    if !mails.is_empty() {
        posts::write(digest.entries, &boundaries, is_eight_bit, &mut raw);
    }
    let end = raw.len();
    line(&mut raw, "");
    line(&mut raw, &format!("--{}--", boundaries.mixed));
    ComposedDigest { raw, posts: start..end }
}

fn write_header(digest: &NewDigest<'_>, boundary: &str, is_eight_bit: bool, raw: &mut Vec<u8>) {
    let NewDigest { message_id, made, list_title, list_address, locale, subject, .. } = *digest;
    let address = ascii(list_address);
    header::write_mailboxes(raw, "From", &[(&header::one_line(list_title), &address)]);
    header::write_mailboxes(raw, "To", &[("", &address)]);
    header::write_text(raw, "Subject", subject);
    let mut fields = vec![
        ("Date", made.rfc2822()),
        ("Message-ID", format!("<{message_id}>")),
        ("MIME-Version", "1.0".to_owned()),
        ("Auto-Submitted", "auto-generated".to_owned()),
        ("X-Auto-Response-Suppress", "All".to_owned()),
        ("Content-Language", locale.language.word().to_owned()),
        ("Content-Type", format!("multipart/mixed; boundary=\"{boundary}\"")),
    ];
    if is_eight_bit {
        fields.push(("Content-Transfer-Encoding", "8bit".to_owned()));
    }
    for (name, value) in fields {
        raw.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    }
}

/// The form that the copies of a digest share. `raw` is as [`compose_digest`] made it, with the messages at `posts`; the
/// author of the context's content is [`Digest`](super::ContentAuthor::Digest).
pub fn digest_form(
    raw: &[u8],
    posts: Range<usize>,
    context: &RewriteContext<'_>,
) -> Result<SharedForm, ParseError> {
    let (before, behind) = (&raw[..posts.start], &raw[posts.end..]);
    let frame = parse([before, behind].concat())?;
    let mut form = rewrite(&frame, context);
    form.insert_before_end(behind.len(), &raw[posts]);
    Ok(form)
}

/// The beginning of a message's text for the contents: what its author wrote, on one line.
#[must_use]
pub fn first_words(text: &str) -> String {
    let own = text.lines().map(str::trim_end).take_while(|line| *line != "--");
    let own = own.filter(|line| !line.trim_start().starts_with('>') && !line.starts_with("-----BEGIN PGP"));
    let words = own.flat_map(str::split_whitespace);
    let mut shown = String::new();
    let mut chars = 0;
    for word in words {
        let length = word.chars().count() + 1;
        if FIRST_WORDS_CHARS < chars + length {
            if shown.is_empty() {
                shown.extend(word.chars().take(FIRST_WORDS_CHARS));
            }
            shown.push('…');
            break;
        }
        if !shown.is_empty() {
            shown.push(' ');
        }
        shown.push_str(word);
        chars += length;
    }
    header::one_line(&shown)
}

#[cfg(test)]
mod tests;
