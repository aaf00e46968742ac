//! Corrects body hashes that `mail-auth` 0.13 computes wrongly.
//!
//! The relaxed form of a body has no empty lines at its end, and a line of blanks alone is an empty one (RFC 6376
//! 3.4.4). `mail-auth` keeps such lines, so the valid signature of a message that ends in them would fail, and if
//! nothing else proves the author, a policy of `reject` would refuse the message.

use mail_auth::AuthenticatedMessage;
use mail_auth::common::crypto::HashAlgorithm;
use mail_auth::dkim::Canonicalization;

use crate::mail;

/// Corrects the hashes that signatures over the whole body are compared with. Signatures over its beginning alone
/// (`l=`) are left as they are, and those with SHA-1 prove nothing.
pub(super) fn correct(message: &mut AuthenticatedMessage<'_>) {
    let body = message.raw_message.get(message.body_offset as usize..).unwrap_or_default();
    if !ends_in_blank_lines(body) {
        return;
    }
    for (form, algorithm, length_max, hash) in &mut message.body_hashes {
        if (*form, *algorithm, *length_max) == (Canonicalization::Relaxed, HashAlgorithm::Sha256, 0) {
            *hash = mail::body_hash(body).as_bytes().to_vec();
        }
    }
}

/// Whether the last lines are empty or contain only blanks.
fn ends_in_blank_lines(body: &[u8]) -> bool {
    let text_end = body.iter().rposition(|byte| !byte.is_ascii_whitespace()).map_or(0, |last| last + 1);
    // The part after the last line end is no line.
    let line_end = body[text_end..].iter().position(|byte| *byte == b'\n');
    let lines_start = if text_end == 0 { Some(0) } else { line_end.map(|end| text_end + end + 1) };
    lines_start.is_some_and(|start| body[start..].iter().any(|byte| matches!(byte, b' ' | b'\t')))
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::digest::{SHA256, digest};

    use super::*;

    /// Checks that a relaxed signature over `body` is compared with the hash of `canonical`.
    #[track_caller]
    fn check(body: &str, canonical: &str) {
        let raw = format!(
            "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=x.example; s=s; h=from; bh=eA==; b=eA==\r\n\
             From: a@x.example\r\n\r\n{body}"
        );
        let mut message = AuthenticatedMessage::parse(raw.as_bytes()).expect("a message");
        correct(&mut message);
        let [(_, _, _, hash)] = message.body_hashes.as_slice() else { panic!("one form is asked for") };
        assert_eq!(hash, digest(&SHA256, canonical.as_bytes()).as_ref(), "{body:?}");
    }

    #[test]
    fn lines_of_blanks_at_the_end_of_a_body_do_not_count() {
        check("a\r\n", "a\r\n");
        check("a  \r\n\t\r\n\r\n \r\n", "a\r\n");
        check("a\r\n \r\nb\r\n", "a\r\n\r\nb\r\n");
        check("a \r\n\r\n", "a\r\n");
        check("a\r\n ", "a\r\n");
        check(" \r\n\t\r\n", "");
        check("", "");
    }
}
