//! Messages of the API, as mails: the mail itself where the server gives it, else one made of what the API shows.

use mail_builder::MessageBuilder;
use mail_builder::headers::date::Date;

use super::listing::Object;
use super::person::{text_of, time_of};
use crate::clock::Timestamp;

/// A message of a listing, before its mail is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posted {
    /// Its identifier at the server.
    pub id: u64,
    /// Its Message-ID without brackets; blank if it is not told.
    pub message_id: String,
    /// When it was sent, if that is told.
    pub time: Option<Timestamp>,
    /// The address of its sender.
    pub sender: String,
}

/// Reads what a listing tells of a message; `None` without an identifier.
#[must_use]
pub fn posted_of(message: &Object) -> Option<Posted> {
    Some(Posted {
        id: message.get("id")?.as_u64()?,
        message_id: bare(&text(message, "message_id")),
        time: time_of(message.get("time")).or_else(|| time_of(message.get("datetime"))),
        sender: text(message, "from_address"),
    })
}

/// A Message-ID without its brackets.
#[must_use]
pub fn bare(message_id: &str) -> String {
    message_id.trim().trim_start_matches('<').trim_end_matches('>').to_owned()
}

/// Makes a mail of a message that the API shows, which replies to the message with the Message-ID `parent`.
///
/// # Errors
/// If it cannot be written.
pub fn rebuilt(message: &Object, posted: &Posted, parent: Option<&str>) -> std::io::Result<Vec<u8>> {
    let mut mail = MessageBuilder::new()
        .from((text(message, "from_phrase"), posted.sender.clone()))
        .subject(text(message, "subject"));
    if let Some(time) = posted.time {
        mail = mail.date(Date::new(time.ms().div_euclid(1000)));
    }
    if !posted.message_id.is_empty() {
        mail = mail.message_id(posted.message_id.clone());
    }
    if let Some(parent) = parent {
        mail = mail.in_reply_to(parent.to_owned());
    }
    let (plain, html) = (text(message, "content_plain"), text(message, "content_html"));
    if !html.is_empty() {
        mail = mail.html_body(html.clone());
    }
    if !plain.is_empty() || html.is_empty() {
        mail = mail.text_body(plain);
    }
    mail.write_to_vec()
}

fn text(message: &Object, name: &str) -> String {
    message.get(name).cloned().map(text_of).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_mail_is_made_of_what_the_api_shows() {
        let Value::Object(message) = json!({
            "id": 7, "subject": "Größe", "from_phrase": "Ada", "from_address": "ada@x.org", "time": 1_000_000_000,
            "message_id": "<b@x.org>", "content_plain": "Hello", "content_html": null,
        }) else {
            panic!("no object")
        };
        let posted = posted_of(&message).expect("it has an id");
        assert_eq!((posted.id, posted.message_id.as_str()), (7, "b@x.org"));
        let mail = rebuilt(&message, &posted, Some("a@x.org")).expect("it can be written");
        let mail = String::from_utf8(mail).expect("it is ASCII");
        for part in
            ["Message-ID: <b@x.org>", "In-Reply-To: <a@x.org>", "ada@x.org", "9 Sep 2001 01:46:40", "Hello"]
        {
            assert!(mail.contains(part), "{part} is not in {mail}");
        }
    }
}
