//! The texts of mails that the server writes itself: those that administrators set, and the built-in ones
//! (`spec/mail.md` 8).
//!
//! `ops` calls it with all values as arguments; `compose` makes the mails of the texts.

use std::borrow::Cow;

use super::template::{Place, Template, Variable};

/// Longest text or subject of a notice, with its values filled in.
const TEXT_BYTES_MAX: usize = 256 * 1024;
const SUBJECT_BYTES_MAX: usize = 4096;

/// Subject of [`HOLD_MESSAGE`].
pub const HOLD_SUBJECT: &str = "Your message to $LIST waits for approval";
/// Text for the sender of a held message.
pub const HOLD_MESSAGE: &str = "\
Your message to $LISTADDRESS has arrived and waits for approval:

    Subject: $SUBJECT
    Reason: $REASON

It has not been sent to the members yet. Whoever looks after the list will
decide; there is nothing that you need to do.
";
/// Subject of [`REJECT_MESSAGE`].
pub const REJECT_SUBJECT: &str = "Your message to $LIST was not sent";
/// Text for the sender of a rejected message.
pub const REJECT_MESSAGE: &str = "\
Your message to $LISTADDRESS was not sent to the members of the list:

    Subject: $SUBJECT
    Reason: $REASON

If you think that this is a mistake, please answer this mail: it reaches
whoever looks after the list.
";

/// Subject of welcome messages.
pub const WELCOME_SUBJECT: &str = "Welcome to $LIST";
/// Text for a new contact of an account that welcomes its contacts; there, `$LIST` is the account.
pub const WELCOME_MESSAGE: &str = "\
Welcome! Your address $EMAIL was added to the mailing lists of $LIST.

Every mail of a list has a link with which you can leave that list.
";

/// A request that asks a moderator to decide on a held message.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// Address of the list.
    pub list_address: &'a str,
    /// Name and address in the message's From.
    pub sender: &'a str,
    /// The message's subject.
    pub subject: &'a str,
    /// When the message came in, in words.
    pub received: &'a str,
    /// The message's size in bytes.
    pub size_bytes: u64,
    /// The reason why it was held.
    pub reason: &'a str,
    /// The moderator's page for this message.
    pub link: &'a str,
    /// When the message is discarded, in words.
    pub due: &'a str,
    /// The beginning of the message's text, if it has any.
    pub preview: Option<&'a str>,
}

impl Request<'_> {
    /// The text of the request mail.
    #[must_use]
    pub fn text(&self) -> String {
        let Request { list_address, sender, subject, received, size_bytes, reason, link, due, preview } =
            self;
        let size_kb = size_bytes.div_ceil(1024);
        let mut text = format!(
            "A message to {list_address} waits for your approval:\n\n    \
             From:     {sender}\n    Subject:  {subject}\n    Received: {received}\n    Size:     {size_kb} KB\n    \
             Reason:   {reason}\n\n\
             To decide, open\n\n    {link}\n\n\
             or answer this mail with one of these as the first line:\n\n    \
             approve\n    reject and your reason\n    discard\n\n\
             If nobody decides, it is discarded on {due}.\n"
        );
        if let Some(preview) = preview {
            text.push_str("\nThe message begins:\n\n");
            for line in preview.trim_end().lines() {
                text.push_str(if line.is_empty() { ">" } else { "> " });
                text.push_str(line);
                text.push('\n');
            }
        }
        text
    }
}

/// A report that the server failed on a message.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// Address of the list.
    pub list_address: &'a str,
    /// Name and address in the message's From.
    pub sender: &'a str,
    /// The message's subject.
    pub subject: &'a str,
    /// The error.
    pub reason: &'a str,
    /// The administrator's page for this message.
    pub link: &'a str,
}

impl Problem<'_> {
    /// The text of the report mail.
    #[must_use]
    pub fn text(&self) -> String {
        let Problem { list_address, sender, subject, reason, link } = self;
        format!(
            "A message to {list_address} was put aside. Everything else goes on.\n\n    \
             From:    {sender}\n    Subject: {subject}\n    Reason:  {reason}\n\n\
             Members who have not got it yet wait for it. Once the cause is removed, approve it, and\n\
             they get it; or discard it:\n\n    {link}\n"
        )
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
    /// Name of the list.
    pub list: &'a str,
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
    fn the_built_in_texts_are_templates() {
        let texts =
            [HOLD_SUBJECT, HOLD_MESSAGE, REJECT_SUBJECT, REJECT_MESSAGE, WELCOME_SUBJECT, WELCOME_MESSAGE];
        for template in texts {
            assert_eq!(Template::parse(template, &[]).err(), None, "{template}");
        }
        let values = Values { subject: "Tea", ..VALUES };
        insta::assert_snapshot!(values.fill_text(HOLD_MESSAGE), @r"
        Your message to news@lists.example.org has arrived and waits for approval:

            Subject: Tea
            Reason: every message to this list needs approval

        It has not been sent to the members yet. Whoever looks after the list will
        decide; there is nothing that you need to do.
        ");
    }
}
