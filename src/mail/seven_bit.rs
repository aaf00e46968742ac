//! Converts a message for a server that takes ASCII alone, one without 8BITMIME (RFC 6152 3).
//!
//! The sending of copies calls it for such a server, before the copy is signed. Texts become quoted-printable and files
//! base64; signed and encrypted content is never changed, so a message that has 8-bit octets there cannot be converted.
//! Signatures of others are left out of what was converted, as they no longer hold.

use mail_parser::{Address, HeaderValue};

use super::charset::Charset;
use super::header::{self, Field, Form};
use super::mime::{Encoding, Part};
use super::parse::{Inbound, parse_leniently};
use super::text;

/// A message in ASCII, and where its body begins; `None` if it cannot be converted.
#[must_use]
pub fn seven_bit(message: &[u8]) -> Option<(Vec<u8>, usize)> {
    let inbound = parse_leniently(message);
    let mut converter = Converter { inbound: &inbound, hint: inbound.header_hint(), out: Vec::new() };
    converter.out.reserve(inbound.raw.len() * 5 / 4);
    let body_start = converter.convert()?;
    Some((converter.out, body_start))
}

/// How the content of a part is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    /// As it is.
    None,
    /// As it is, and no longer labelled as 8-bit: a container whose parts change.
    Label,
    /// Encoded, as this.
    Encode(Encoding),
    /// With its 8-bit octets as escapes, in a part that is quoted-printable already.
    Escape,
}

struct Converter<'a> {
    inbound: &'a Inbound,
    hint: Option<Charset>,
    out: Vec<u8>,
}

impl Converter<'_> {
    fn convert(&mut self) -> Option<usize> {
        let (raw, parts) = (&self.inbound.raw, &self.inbound.parts);
        let (mut copied, mut body_start) = (0, 0);
        for (index, part) in parts.iter().enumerate() {
            let is_leaf = parts.get(index + 1).is_none_or(|next| next.parent != Some(index));
            let change = self.change(part, is_leaf)?;
            self.copy_between(copied, part.header.start);
            self.write_header(index, change);
            copied = part.header.end;
            if index == 0 {
                body_start = self.out.len();
            }
            if is_leaf {
                self.write_body(&raw[part.body.clone()], change);
                copied = part.body.end;
            }
        }
        self.copy_between(copied, raw.len());
        Some(body_start)
    }

    /// Copies delimiters, and what stands before and behind them for programs without MIME.
    fn copy_between(&mut self, start: usize, end: usize) {
        let bytes = self.inbound.raw[start..end].iter();
        self.out.extend(bytes.map(|byte| if byte.is_ascii() { *byte } else { b'?' }));
    }

    /// How a part changes; `None` if it has to and must not.
    fn change(&self, part: &Part, is_leaf: bool) -> Option<Change> {
        let is_ascii = self.inbound.raw[part.body.clone()].is_ascii();
        if !is_leaf {
            return Some(if part.encoding == Encoding::EightBit { Change::Label } else { Change::None });
        }
        if is_ascii {
            return Some(Change::None);
        }
        let outer = |part: &&Part| part.parent.map(|parent| &self.inbound.parts[parent]);
        if std::iter::successors(Some(part), outer).any(is_sealed) {
            return None;
        }
        match part.encoding {
            Encoding::SevenBit | Encoding::EightBit if part.media_type.starts_with("text/") => {
                Some(Change::Encode(Encoding::QuotedPrintable))
            }
            // A message inside another may only be of 7 or 8 bits (RFC 2046 5.2.1).
            Encoding::SevenBit | Encoding::EightBit if !part.media_type.starts_with("message/") => {
                Some(Change::Encode(Encoding::Base64))
            }
            Encoding::QuotedPrintable => Some(Change::Escape),
            Encoding::SevenBit | Encoding::EightBit | Encoding::Base64 | Encoding::Other => None,
        }
    }

    fn write_header(&mut self, index: usize, change: Change) {
        let part = &self.inbound.parts[index];
        let block = &self.inbound.raw[part.header.clone()];
        let encoding = match change {
            Change::None | Change::Escape => None,
            Change::Label => Some("7bit"),
            Change::Encode(Encoding::Base64) => Some("base64"),
            Change::Encode(_) => Some("quoted-printable"),
        };
        if index != 0 && encoding.is_none() && block.is_ascii() {
            self.out.extend_from_slice(block);
            return;
        }
        for field in header::fields(block) {
            let is_replaced = encoding.is_some() && field.is("Content-Transfer-Encoding");
            let is_broken = index == 0 && field.is("DKIM-Signature");
            if !is_replaced && !is_broken {
                write_field(&field, self.hint, &mut self.out);
            }
        }
        if let Some(encoding) = encoding {
            let is_described = header::fields(block).any(|field| field.is("MIME-Version"));
            if index == 0 && !is_described {
                self.out.extend_from_slice(b"MIME-Version: 1.0\r\n");
            }
            self.out.extend_from_slice(format!("Content-Transfer-Encoding: {encoding}\r\n").as_bytes());
        }
        self.out.extend_from_slice(b"\r\n");
    }

    fn write_body(&mut self, body: &[u8], change: Change) {
        match change {
            Change::None | Change::Label => self.out.extend_from_slice(body),
            Change::Encode(Encoding::Base64) => {
                text::encode_base64(body, &mut self.out);
                self.out.truncate(self.out.trim_ascii_end().len());
                if body.ends_with(b"\n") {
                    self.out.extend_from_slice(b"\r\n");
                }
            }
            Change::Encode(_) => text::encode_qp(body, &mut self.out),
            Change::Escape => {
                for line in body.split_inclusive(|byte| *byte == b'\n') {
                    if line.is_ascii() {
                        self.out.extend_from_slice(line);
                    } else {
                        // What is escaped already stays so; the line may grow.
                        text::encode_qp(&text::decode_qp(line), &mut self.out);
                        if line.ends_with(b"=\r\n") {
                            self.out.extend_from_slice(b"=\r\n");
                        }
                    }
                }
            }
        }
    }
}

/// Whether nothing in a part may change.
fn is_sealed(part: &Part) -> bool {
    matches!(part.media_type.as_str(), "multipart/signed" | "multipart/encrypted")
}

/// A field in ASCII: free text and names as encoded words. What is 8-bit in a syntax of another kind stays, which
/// practically every server takes.
fn write_field(field: &Field<'_>, hint: Option<Charset>, out: &mut Vec<u8>) {
    let name = String::from_utf8_lossy(field.name()).into_owned();
    if field.raw.is_ascii() {
        out.extend_from_slice(field.raw);
    } else if ["Subject", "Comments", "Organization", "Thread-Topic"].iter().any(|known| field.is(known)) {
        header::write_text(out, &name, &field.decoded(hint));
        return;
    } else {
        let is_of_addresses = ["From", "To", "Cc", "Reply-To", "Sender"].iter().any(|known| field.is(known));
        let mailboxes = is_of_addresses.then(|| mailboxes(field, hint)).flatten();
        if let Some(mailboxes) = mailboxes {
            let mailboxes: Vec<(&str, &str)> =
                mailboxes.iter().map(|(phrase, address)| (phrase.as_str(), address.as_str())).collect();
            header::write_mailboxes(out, &name, &mailboxes);
            return;
        }
        out.extend_from_slice(field.raw);
    }
    if !field.raw.ends_with(b"\n") {
        out.extend_from_slice(b"\r\n");
    }
}

/// The names and addresses of a field; `None` if not all can be written in ASCII.
fn mailboxes(field: &Field<'_>, hint: Option<Charset>) -> Option<Vec<(String, String)>> {
    let HeaderValue::Address(Address::List(addresses)) = field.parsed(Form::Addresses, hint) else {
        return None;
    };
    let mailbox = |address: &mail_parser::Addr<'_>| {
        let found =
            address.address.as_deref().filter(|address| address.is_ascii() && address.contains('@'))?;
        Some((address.name.as_deref().unwrap_or_default().to_owned(), found.trim().to_owned()))
    };
    addresses.iter().map(mailbox).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn converted(message: &str) -> Option<String> {
        let (bytes, body_start) = seven_bit(message.replace('\n', "\r\n").as_bytes())?;
        assert!(body_start == 0 || bytes[..body_start].ends_with(b"\r\n"));
        Some(String::from_utf8(bytes).unwrap().replace("\r\n", "\n"))
    }

    #[test]
    fn texts_become_quoted_printable_and_files_base64() {
        let message = "From: Jörg <j@x.org>\nSubject: für\nDKIM-Signature: v=1\nContent-Type: multipart/mixed; boundary=b\n\
             Content-Transfer-Encoding: 8bit\n\nprä\n--b\nContent-Type: text/plain; charset=utf-8\n\
             Content-Transfer-Encoding: 8bit\n\nGrüße\n--b\nContent-Type: image/x\n\nü\n--b--\n";
        let expected = "From: =?utf-8?Q?J=C3=B6rg?= <j@x.org>\nSubject: =?utf-8?Q?f=C3=BCr?=\n\
             Content-Type: multipart/mixed; boundary=b\nMIME-Version: 1.0\nContent-Transfer-Encoding: 7bit\n\npr??\n--b\n\
             Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nGr=C3=BC=C3=9Fe\n\
             --b\nContent-Type: image/x\nContent-Transfer-Encoding: base64\n\nw7w=\n--b--\n";
        assert_eq!(converted(message).unwrap(), expected);
    }

    #[test]
    fn signed_content_cannot_be_converted() {
        let signed = "Subject: a\nContent-Type: multipart/signed; boundary=b\n\n--b\n\nGrüße\n--b\nContent-Type: application/pgp-signature\n\nx\n--b--\n";
        assert_eq!(converted(signed), None);
        let ascii = signed.replace("Grüße", "hello");
        assert!(converted(&ascii).unwrap().ends_with(ascii.split_once("\n\n").unwrap().1));
    }

    #[test]
    fn escapes_that_are_there_stay() {
        let message =
            "Subject: a\nMIME-Version: 1.0\nContent-Transfer-Encoding: quoted-printable\n\n=C3=BC ü=\nx\n";
        let expected = "Subject: a\nMIME-Version: 1.0\nContent-Transfer-Encoding: quoted-printable\n\n=C3=BC =C3=BC=\nx\n";
        assert_eq!(converted(message).unwrap(), expected);
    }

    proptest! {
        #[test]
        fn what_is_converted_is_ascii_and_says_the_same(text in "[a-zäöü漢 .=\n]{0,200}") {
            let message = format!("Subject: {}\n\n{text}", text.replace('\n', " "));
            let raw = message.replace('\n', "\r\n");
            let (bytes, _) = seven_bit(raw.as_bytes()).unwrap();
            prop_assert!(bytes.is_ascii());
            let content = |raw: &[u8]| parse_leniently(raw).content().plain;
            prop_assert_eq!(content(&bytes), content(raw.as_bytes()));
        }

        #[test]
        fn any_bytes_are_converted_or_not(raw in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = seven_bit(&raw);
        }
    }
}
