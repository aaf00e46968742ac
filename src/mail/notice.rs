//! The texts of mails that the server writes itself: those that administrators set, and the built-in ones in the
//! language of the account (`spec/mail.md` 8).
//!
//! `ops` calls it with all values as arguments; `compose` makes the mails of the texts.

use std::borrow::Cow;

use super::header::one_line;
use super::notice_html::Button;
use super::template::{Place, Template, Variable};
use crate::locale::text;
use crate::model::Language;

/// Longest text of a notice, and longest subject, with their values.
const TEXT_BYTES_MAX: usize = 256 * 1024;
const SUBJECT_BYTES_MAX: usize = 4096;

/// A subject and a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltIn {
    /// One line.
    pub subject: String,
    /// Plain text.
    pub text: String,
}

impl BuiltIn {
    /// Write jobs make notices, so the work behind is limited, however long the values are.
    fn new(mut subject: String, mut text: String) -> BuiltIn {
        text.push('\n');
        subject.truncate(subject.floor_char_boundary(SUBJECT_BYTES_MAX));
        text.truncate(text.floor_char_boundary(TEXT_BYTES_MAX));
        BuiltIn { subject, text }
    }

    /// To the sender of a message that is held.
    #[must_use]
    pub fn held(language: Language, values: &Values<'_>) -> BuiltIn {
        let Values { title, reason, .. } = *values;
        let subject = one_line(values.subject);
        BuiltIn::new(
            text!(language, "hold-subject", list = title),
            text!(language, "hold-text", list = title, subject = subject, reason = reason),
        )
    }

    /// To the sender of a message that goes back.
    #[must_use]
    pub fn rejected(language: Language, values: &Values<'_>) -> BuiltIn {
        let Values { title, reason, .. } = *values;
        let subject = one_line(values.subject);
        BuiltIn::new(
            text!(language, "reject-subject", list = title),
            text!(language, "reject-text", list = title, subject = subject, reason = reason),
        )
    }

    /// To a new contact of an account that welcomes its contacts; there, the title is the account's.
    #[must_use]
    pub fn welcome(language: Language, values: &Values<'_>) -> BuiltIn {
        BuiltIn::new(
            text!(language, "welcome-subject", list = values.title),
            text!(language, "welcome-text", email = values.email, list = values.title),
        )
    }
}

/// A value on a line of its own, set off from the text around it. Catalogues cannot: a line that begins with a value
/// loses the spaces before it.
#[must_use]
pub fn indented(value: &str) -> String {
    format!("    {value}")
}

/// The subject of a moderator's decision.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// Address of the list.
    pub list_address: &'a str,
    /// Name and address in From.
    pub sender: &'a str,
    /// Its subject.
    pub subject: &'a str,
    /// When it came in, in words.
    pub received: &'a str,
    /// Its size, in words.
    pub size: &'a str,
    /// Why it was held.
    pub reason: &'a str,
    /// The moderator's page of this message.
    pub link: &'a str,
    /// When it is discarded, in words.
    pub due: &'a str,
    /// The beginning of its text, where it has any.
    pub preview: Option<&'a str>,
}

impl Request<'_> {
    /// The text of the mail that asks.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        let Request { list_address, sender, subject, received, size, reason, link, due, preview } = *self;
        let mut text = text!(
            language,
            "moderate-text",
            list_address = list_address,
            sender = sender,
            subject = subject,
            received = received,
            size = size,
            reason = reason,
            link = indented(link),
            due = due,
        );
        text.push('\n');
        if let Some(preview) = preview {
            text.extend(["\n", &text!(language, "moderate-preview"), "\n\n"]);
            for line in preview.trim_end().lines() {
                text.push_str(if line.is_empty() { ">" } else { "> " });
                text.push_str(line);
                text.push('\n');
            }
        }
        text
    }
}

/// A message on which the server failed.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// Address of the list.
    pub list_address: &'a str,
    /// Name and address in From.
    pub sender: &'a str,
    /// Its subject.
    pub subject: &'a str,
    /// The failure.
    pub reason: &'a str,
    /// The administrator's page of this message.
    pub link: &'a str,
}

impl Problem<'_> {
    /// The text of the mail that tells of it.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        let Problem { list_address, sender, subject, reason, link } = *self;
        text!(
            language,
            "problem-text",
            list_address = list_address,
            sender = sender,
            subject = subject,
            reason = reason,
            link = indented(link),
        ) + "\n"
    }
}

/// The values of a notice's variables; values that do not apply are blank.
#[derive(Debug, Clone, Copy, Default)]
pub struct Values<'a> {
    /// First name of the recipient.
    pub first_name: &'a str,
    /// Surname of the recipient.
    pub surname: &'a str,
    /// Replaces a name that is blank.
    pub default_name: &'a str,
    /// The recipient's address.
    pub email: &'a str,
    /// Name of the list, for templates.
    pub list: &'a str,
    /// The list's name as people see it, for built-in texts.
    pub title: &'a str,
    /// Address of the list.
    pub list_address: &'a str,
    /// Description of the list.
    pub description: &'a str,
    /// The recipient's own link to leave.
    pub unsubscribe: &'a str,
    /// The recipient's own link to its settings.
    pub manage: &'a str,
    /// The list's archive.
    pub archive: &'a str,
    /// Subject of the message that the notice is about.
    pub subject: &'a str,
    /// Author of that message.
    pub sender: &'a str,
    /// The reason why the message was held or rejected.
    pub reason: &'a str,
    /// The link that confirms a request.
    pub confirm: &'a str,
    /// The day on which the notice is written.
    pub date: &'a str,
    /// Custom fields of the recipient, by the names that templates use.
    pub custom: &'a [(&'a str, &'a str)],
}

impl<'a> Values<'a> {
    /// The links among them, with their words: a text may have any of them.
    #[must_use]
    pub fn buttons(&self, language: Language) -> Vec<Button> {
        let links = [
            (self.confirm, text!(language, "mail-button-confirm")),
            (self.unsubscribe, text!(language, "mail-button-leave")),
            (self.manage, text!(language, "mail-button-manage")),
            (self.archive, text!(language, "mail-button-archive")),
        ];
        let mut buttons: Vec<Button> = Vec::new();
        for (link, words) in links {
            // A person who has no page of settings manages lists where they are left.
            if !link.is_empty() && buttons.iter().all(|button| button.link != link) {
                buttons.push(Button::new(link, words));
            }
        }
        buttons
    }

    fn of(&self, variable: &Variable) -> Cow<'a, str> {
        let named = |name: &'a str| if name.trim().is_empty() { self.default_name } else { name };
        Cow::Borrowed(match variable {
            Variable::Name => {
                let name = format!("{} {}", self.first_name, self.surname);
                return match name.trim() {
                    "" => Cow::Borrowed(self.default_name),
                    name => Cow::Owned(name.to_owned()),
                };
            }
            Variable::FirstName => named(self.first_name),
            Variable::Surname => named(self.surname),
            Variable::Email => self.email,
            Variable::List => self.list,
            Variable::ListAddress => self.list_address,
            Variable::Description => self.description,
            Variable::Unsubscribe => self.unsubscribe,
            Variable::Manage => self.manage,
            Variable::Archive => self.archive,
            // The message that the notice is about is not in the archive yet.
            Variable::MessageUrl => "",
            Variable::Subject => self.subject,
            Variable::Sender => self.sender,
            Variable::Reason => self.reason,
            Variable::Confirm => self.confirm,
            Variable::Date => self.date,
            Variable::Custom(name) => {
                self.custom.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
            }
        })
    }

    /// A template with these values, as the text of a mail.
    #[must_use]
    pub fn fill_text(&self, template: &str) -> String {
        self.fill(template, Place::Text)
    }

    /// A template with these values, on one line.
    #[must_use]
    pub fn fill_header(&self, template: &str) -> String {
        self.fill(template, Place::Header)
    }

    fn fill(&self, template: &str, place: Place) -> String {
        let fields: Vec<&str> = self.custom.iter().map(|(name, _)| *name).collect();
        let bytes_max = if place == Place::Header { SUBJECT_BYTES_MAX } else { TEXT_BYTES_MAX };
        // Write jobs fill notices in, so the work is limited, however long the template and its values are.
        let template = &template[..template.floor_char_boundary(bytes_max)];
        // It was checked when it was saved; a field that it names may have been removed since.
        let template = Template::parse(template, &fields)
            .unwrap_or_else(|_| Template::parse_leniently(template, &fields));
        template.expand_up_to(bytes_max, place, |variable| self.of(variable))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_ends_at_its_limit_however_often_it_names_a_value() {
        let long = "ü".repeat(100_000);
        let values = Values { custom: &[("x", &long)], ..VALUES };
        let template = "${x}".repeat(10_000);
        assert_eq!(values.fill_text(&template).len(), TEXT_BYTES_MAX);
        assert_eq!(values.fill_header(&template).len(), SUBJECT_BYTES_MAX);
        assert_eq!(values.fill_text(&"x".repeat(TEXT_BYTES_MAX + 1)).len(), TEXT_BYTES_MAX);
    }

    const VALUES: Values<'_> = Values {
        first_name: "",
        surname: "Lovelace",
        default_name: "friend",
        email: "ada@x.org",
        list: "news",
        title: "The News",
        list_address: "news@lists.example.org",
        description: "The News",
        unsubscribe: "https://x/u/",
        manage: "https://x/m/",
        archive: "https://x/news/",
        subject: "Tea\r\nBcc: eve@x.org",
        sender: "Ada",
        reason: "every message to this list needs approval",
        confirm: "https://x/c/",
        date: "2026-11-20",
        custom: &[("Shoe size", "38")],
    };

    #[track_caller]
    fn check(template: &str, expected: &str) {
        assert_eq!(VALUES.fill_header(template), expected);
    }

    #[test]
    fn every_variable_has_its_value() {
        check("$NAME, $FIRSTNAME $SURNAME <$EMAIL>", "Lovelace, friend Lovelace <ada@x.org>");
        check("$LIST $LISTADDRESS $DESCRIPTION", "news news@lists.example.org The News");
        check(
            "$UNSUBSCRIBE $MANAGE $ARCHIVE $CONFIRM",
            "https://x/u/ https://x/m/ https://x/news/ https://x/c/",
        );
        check("$SENDER on $DATE: $REASON", "Ada on 2026-11-20: every message to this list needs approval");
        check("size ${Shoe size}, $$5$MESSAGE_URL", "size 38, $5");
    }

    #[test]
    fn a_header_stays_one_line_and_a_field_that_is_gone_stays_as_it_was_written() {
        check("Held: $SUBJECT", "Held: Tea Bcc: eve@x.org");
        check("${Hat size} of $SURNAME", "${Hat size} of Lovelace");
    }

    #[test]
    fn built_in_texts_show_their_values_on_one_line_each_and_end_at_their_limit() {
        let BuiltIn { subject, text } = BuiltIn::held(Language::English, &VALUES);
        assert_eq!(subject, "Your message to The News waits for approval");
        insta::assert_snapshot!(text, @r"
        Your message to The News has arrived and waits for approval:

            Subject: Tea Bcc: eve@x.org
            Reason:  every message to this list needs approval

        Nobody has got it yet. What happens next: the people who look after the
        list read it and decide. You need not send it again.
        ");
        let long = "ü".repeat(TEXT_BYTES_MAX);
        let BuiltIn { subject, text } =
            BuiltIn::rejected(Language::German, &Values { title: &long, reason: &long, ..VALUES });
        assert!(subject.len() <= SUBJECT_BYTES_MAX && text.len() <= TEXT_BYTES_MAX);
    }
}
