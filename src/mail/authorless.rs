//! Makes a post anonymous, for a person who asked to be forgotten.
//!
//! The header keeps what a thread needs, and nothing that was added on the way. In texts, the person's addresses and
//! names are replaced, and a first name that stands alone on a line, as at the end of a mail. Signatures, keys and
//! visiting cards are emptied. Other files stay as they are, as does encrypted content.

use crate::model::EmailAddress;

use super::header;
use super::parse::Inbound;
use super::person_words::PersonWords;
use super::redaction::{Rewriting, rewritten_message};

/// Fields of a message that stay, unless they name the person.
const KEPT: &[&str] = &[
    "date",
    "subject",
    "to",
    "cc",
    "in-reply-to",
    "references",
    "mime-version",
    "importance",
    "auto-submitted",
    "precedence",
];
/// The new identity of a post whose author is erased.
#[derive(Debug, Clone, Copy)]
pub struct Authorless<'a> {
    /// The words to take out.
    pub words: &'a PersonWords,
    /// The words that replace them.
    pub name: &'a str,
    /// The address in From, which a message needs.
    pub address: &'a EmailAddress,
    /// The Message-ID.
    pub message_id: &'a str,
}

/// The bytes of a post without its author.
#[must_use]
pub fn authorless(inbound: &Inbound, new: &Authorless<'_>) -> Vec<u8> {
    let mut head = Vec::new();
    header::write_mailboxes(&mut head, "From", &[(new.name, new.address.as_str())]);
    head.extend_from_slice(format!("Message-ID: <{}>\r\n", new.message_id).as_bytes());
    rewritten_message(inbound, head, &Rewriting { words: new.words, instead: new.name, kept: KEPT })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ada() -> PersonWords {
        let addresses = [EmailAddress::parse("Ada.L@Example.org").unwrap()];
        PersonWords::new(
            &addresses,
            &[("Ada".to_owned(), "Lovelace".to_owned())],
            &["Countess Ada".to_owned()],
        )
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(ada().redacted(text, "X").as_deref().unwrap_or(text), expected, "{text}");
    }

    #[test]
    fn names_and_addresses_are_replaced_and_other_words_stay() {
        check("Write to ADA.L@example.ORG, or <ada.l@example.org>.", "Write to X, or <X>.");
        check("I, ada\n  lovelace, and Lovelace, Ada", "I, X, and X");
        check(
            "Lovelace is a name, lovelace is a word, Lovelaces are many",
            "X is a name, lovelace is a word, Lovelaces are many",
        );
        check("Countess  Ada wrote to Ada", "X wrote to Ada");
        check("Dear Bob,\r\nAda says hi\r\n-- \r\n  Ada.\r\n", "Dear Bob,\r\nAda says hi\r\n-- \r\n  X.\r\n");
        check("<p>Yours<br>Ada</p><b>not Ada</b>", "<p>Yours<br>X</p><b>not Ada</b>");
        check("Hadada.l@example.org", "Hadada.l@example.org");
        check("写给ada.l@example.org的信", "写给X的信");
    }

    #[test]
    fn a_post_keeps_its_content_and_loses_its_author() {
        let raw = "Received: from ada.home by x\r\nFrom: Ada Lovelace <ada.l@example.org>\r\n\
            To: news@x.org, ada.l@example.org\r\nSubject: =?utf-8?q?From_Ada_Lovelace?=\r\nMessage-ID: <1@ada.home>\r\n\
            References: <0@bob> <ada.l-9@home>\r\nDate: Mon, 05 Jan 2026 10:00:00 +0000\r\n\
            DKIM-Signature: v=1; d=example.org\r\nMIME-Version: 1.0\r\n\
            Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n\
            Content-Transfer-Encoding: base64\r\n\r\nVGVhIGF0IGZpdmUuCkFkYSBMb3ZlbGFjZQo=\r\n--b\r\n\
            Content-Type: image/png; name=\"lovelace.png\"\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n\
            --b\r\nContent-Type: text/x-vcard\r\n\r\nTEL:1\r\n--b--\r\n";
        let inbound = crate::mail::parse(raw.as_bytes().to_vec()).unwrap();
        let address = EmailAddress::parse("former-member@x.org").unwrap();
        let (words, message_id) = (ada(), "2@x.org");
        let new = Authorless { words: &words, name: "former member", address: &address, message_id };
        let made = String::from_utf8(authorless(&inbound, &new)).unwrap();
        let expected = "From: former member <former-member@x.org>\r\nMessage-ID: <2@x.org>\r\n\
            Subject: From former member\r\nReferences: <0@bob>\r\nDate: Mon, 05 Jan 2026 10:00:00 +0000\r\n\
            MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\
            Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
            Tea at five.\r\nformer member\r\n\r\n--b\r\n\
            Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n\
            --b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\r\n--b--\r\n";
        assert_eq!(made, expected);
        let again = crate::mail::parse(made.into_bytes()).unwrap();
        assert_eq!(again.content().plain.as_deref(), Some("Tea at five.\nformer member\n"));
    }
}
