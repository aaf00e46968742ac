//! Answers questions about a parsed message with bounded work, however large it is: the beginning of its text for
//! moderators, and the addresses that forwarded it before.

use super::mime::Part;
use super::parse::Inbound;
use super::text;
use crate::model::EmailAddress;

/// Encoded octets of a part that are decoded at most.
const ENCODED_BYTES_MAX: usize = 64 * 1024;

impl Inbound {
    /// The first `chars_max` characters of its text, else of its HTML as text; `None` if it has neither. Lines end in
    /// `\n`.
    #[must_use]
    pub fn preview(&self, chars_max: usize) -> Option<String> {
        let first = |media_type: &str| {
            let mut parts = self.parts.iter();
            parts.find(|part| {
                part.media_type == media_type && !part.is_attachment && !self.is_inside_message(part)
            })
        };
        let text = match (first("text/plain"), first("text/html")) {
            (Some(part), _) => self.beginning(part, ENCODED_BYTES_MAX),
            (None, Some(part)) => text::text_from_html(&self.beginning(part, ENCODED_BYTES_MAX)),
            (None, None) => return None,
        };
        Some(text.replace("\r\n", "\n").chars().take(chars_max).collect())
    }

    /// The beginning of a part, decoded; cut at a line end, so that no encoding is cut within a group. At most
    /// `bytes_max` encoded bytes of the part are decoded.
    pub(super) fn beginning(&self, part: &Part, bytes_max: usize) -> String {
        let mut part = part.clone();
        if bytes_max < part.body.len() {
            let start = part.body.start;
            let window = &self.raw[start..start + bytes_max];
            let cut = window.iter().rposition(|byte| *byte == b'\n').map_or(window.len(), |last| last + 1);
            part.body.end = start + cut;
        }
        text::decode_part(&self.raw, &part)
    }

    /// Whether this address forwarded it before, according to its `Delivered-To` fields.
    #[must_use]
    pub fn was_delivered_to(&self, address: &EmailAddress) -> bool {
        let mut fields = self.fields().filter(|field| field.is("Delivered-To"));
        fields.any(|field| EmailAddress::parse(&field.text()).is_ok_and(|to| to.folded() == address.folded()))
    }
}

#[cfg(test)]
mod tests {
    use crate::mail::parse;

    fn preview(message: &str, chars_max: usize) -> Option<String> {
        parse(message.replace('\n', "\r\n").into_bytes()).unwrap().preview(chars_max)
    }

    #[test]
    fn text_comes_before_html_and_a_nested_message_is_not_its_text() {
        let both = "Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>H</p>\n\
            --b\nContent-Type: text/plain\n\nT\n--b--\n";
        assert_eq!(preview(both, 10).as_deref(), Some("T"));
        assert_eq!(preview("Content-Type: text/html\n\n<p>Hi <b>you</b></p>\n", 5).as_deref(), Some("Hi yo"));
        let nested = "Content-Type: message/rfc822\n\nSubject: x\n\ntext\n";
        assert_eq!(preview(nested, 10), None);
    }

    #[test]
    fn the_beginning_of_a_large_part_is_enough_in_any_encoding() {
        let line = data_encoding::BASE64
            .encode("a line of seventy-six characters in base64, whole.......".as_bytes());
        let large = format!(
            "Content-Transfer-Encoding: base64\nContent-Type: text/plain\n\n{}",
            format!("{line}\n").repeat(5000)
        );
        let text = preview(&large, 100_000).unwrap();
        assert!(text.starts_with("a line of") && text.ends_with("whole......."), "{}", text.len());
        assert!(text.len() < 64 * 1024);
    }
}
