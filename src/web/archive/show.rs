//! A message as pages show it: who wrote it, when, in reply to whom, its text and its attachments.

use std::fmt::Write as _;

use super::access::OpenArchive;
use super::threads::PAGE_MESSAGES;
use crate::locale::{Locale, text};
use crate::model::{EmailAddress, Links, Message, MessageId};
use crate::ops::archive::outline::Place;
use crate::ops::archive::{browse, messages};
use crate::store::ReadTx;
use crate::web::context::Context;
use crate::web::directory::Address;
use crate::web::error::PageError;

/// The depth from which on replies are not set further in.
const DEPTH_SHOWN_MAX: usize = 5;

/// A message on a page.
pub(in crate::web) struct MessageView {
    /// Its number.
    pub(in crate::web) id: MessageId,
    /// The depth of the reply.
    pub(in crate::web) depth: usize,
    /// The classes of its element.
    pub(in crate::web) class: String,
    /// Whether it was taken out of the archive: then nothing below is shown.
    pub(in crate::web) is_gone: bool,
    /// The name of its author.
    pub(in crate::web) by: String,
    /// The author's address, if the visitor may see it or a shortened form of it, and the name does not say it.
    pub(in crate::web) address: Option<Address>,
    /// Its subject.
    pub(in crate::web) subject: String,
    /// Whether its subject is not the one of the thread.
    pub(in crate::web) has_own_subject: bool,
    /// When it was written, for people.
    pub(in crate::web) time: String,
    /// When it was written, for machines.
    pub(in crate::web) datetime: String,
    /// The path of its own page.
    pub(in crate::web) href: String,
    /// The link to the message that it answers, and who wrote that.
    pub(in crate::web) parent: Option<(String, String)>,
    /// Its text as safe HTML.
    pub(in crate::web) html: String,
    /// The link that begins a reply in a mail program.
    pub(in crate::web) reply_mail: String,
}

/// A message in the outline of a thread.
pub(in crate::web) struct OutlineRow {
    pub(in crate::web) href: String,
    pub(in crate::web) class: String,
    pub(in crate::web) by: String,
    pub(in crate::web) day: String,
    pub(in crate::web) is_current: bool,
    pub(in crate::web) is_gone: bool,
}

/// Shows the messages of one archive to one visitor.
pub(in crate::web) struct Shower<'a> {
    pub(in crate::web) context: &'a Context,
    pub(in crate::web) archive: &'a OpenArchive,
    /// The address of the list.
    pub(in crate::web) address: EmailAddress,
    pub(in crate::web) locale: Locale,
    pub(in crate::web) links: Links,
}

impl<'a> Shower<'a> {
    /// What the pages of an archive need to show its messages.
    pub(in crate::web) fn new(
        context: &'a Context,
        tx: &ReadTx,
        archive: &'a OpenArchive,
    ) -> Result<Shower<'a>, PageError> {
        let domain = crate::ops::domains::main_domain(tx, archive.account.id)?;
        Ok(Shower {
            context,
            archive,
            address: messages::list_address(&archive.list, &domain),
            locale: context.locale(),
            links: context.core.links.of(tx, archive.account.id)?,
        })
    }

    /// A text of a message, such as its subject, with the addresses in it hidden from whoever may not see them.
    pub(in crate::web) fn words(&self, text: &str) -> String {
        if self.archive.shows_addresses { text.to_owned() } else { hide_addresses(text) }
    }

    /// The subject of a message, or the words for none.
    pub(in crate::web) fn subject(&self, message: &Message) -> String {
        let subject = self.words(message.subject.trim());
        if subject.is_empty() { text!(self.context.language, "archive-no-subject") } else { subject }
    }

    /// The name of the author of a message; the address where there is no name.
    pub(in crate::web) fn author(&self, message: &Message) -> String {
        let name = message.from_phrase.trim();
        self.words(if name.is_empty() { &message.from_address } else { name })
    }

    /// A message of a thread with this subject.
    pub(in crate::web) fn message(
        &self,
        tx: &ReadTx,
        place: &Place,
        parent: Option<(String, String)>,
        thread_subject: Option<&str>,
    ) -> Result<MessageView, PageError> {
        let message = &place.message;
        let address = (!message.from_phrase.trim().is_empty() && !message.from_address.is_empty())
            .then(|| Address::new(self.words(&message.from_address)));
        Ok(MessageView {
            id: message.id,
            depth: place.depth,
            class: class_of("msg", place.depth),
            is_gone: message.deleted,
            by: self.author(message),
            address,
            subject: self.subject(message),
            has_own_subject: thread_subject.is_some_and(|subject| bare(subject) != bare(&message.subject)),
            time: self.locale.moment(message.time),
            datetime: message.time.rfc3339(),
            href: self.archive.href(self.context, &format!("messages/{}/", message.id)),
            parent,
            html: if message.deleted { String::new() } else { self.html(tx, message)? },
            reply_mail: self.reply_mail(message),
        })
    }

    fn html(&self, tx: &ReadTx, message: &Message) -> Result<String, PageError> {
        let content = messages::content(tx, message)?;
        let mut html = String::new();
        for paragraph in self.words(&content.plain.unwrap_or_default()).split("\n\n") {
            let Ok(paragraph) = askama::filters::escape(paragraph, askama::filters::Html);
            // Writing to a `String` cannot fail.
            let _ = write!(html, "<p dir=\"auto\">{paragraph}</p>");
        }
        Ok(html)
    }

    /// A link that opens a mail program with a reply to the list (RFC 6068).
    fn reply_mail(&self, message: &Message) -> String {
        let encode = |text: &str| {
            percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
        };
        let subject = format!("Re: {}", bare(&self.words(&message.subject)));
        let id = format!("<{}>", message.message_id);
        format!("mailto:{}?subject={}&In-Reply-To={}", self.address.as_str(), encode(&subject), encode(&id))
    }

    /// The path of a message on the page of its thread, which has this many messages.
    pub(in crate::web) fn thread_href(&self, thread: MessageId, message: MessageId, count: usize) -> String {
        // Only a long thread has several pages.
        let at = if PAGE_MESSAGES < count { format!("?at={message}") } else { String::new() };
        self.archive.href(self.context, &format!("threads/{thread}/{at}#m{message}"))
    }

    /// The path of a message on the page of its thread.
    pub(in crate::web) fn thread_href_of(&self, tx: &ReadTx, message: &Message) -> Result<String, PageError> {
        let count = browse::length(tx, message.thread)?;
        Ok(self.thread_href(message.thread, message.id, count))
    }

    /// The first words of a message.
    pub(in crate::web) fn first_words(&self, tx: &ReadTx, message: &Message) -> Result<String, PageError> {
        let content = messages::content(tx, message)?;
        Ok(self.words(&content.plain.unwrap_or_default()).chars().take(300).collect())
    }

    /// The link from a page of a thread to one of the messages of the thread.
    pub(in crate::web) fn in_thread(&self, places: &[Place], message: MessageId, page: usize) -> String {
        let shown = places.chunks(PAGE_MESSAGES).nth(page - 1).unwrap_or_default();
        if shown.iter().any(|place| place.message.id == message) {
            return format!("#m{message}");
        }
        let thread = shown.first().map_or(message, |place| place.message.thread);
        self.thread_href(thread, message, places.len())
    }

    /// A message in the outline of its thread.
    pub(in crate::web) fn outline_row(
        &self,
        place: &Place,
        href: String,
        current: Option<MessageId>,
    ) -> OutlineRow {
        OutlineRow {
            href,
            class: class_of("", place.depth),
            by: self.author(&place.message),
            day: self.locale.day(place.message.time),
            is_current: Some(place.message.id) == current,
            is_gone: place.message.deleted,
        }
    }
}

/// Classes of the element of a message with this depth in its thread.
fn class_of(base: &str, depth: usize) -> String {
    match depth.min(DEPTH_SHOWN_MAX) {
        0 => base.to_owned(),
        depth => format!("{base} d{depth}").trim_start().to_owned(),
    }
}

/// A subject without the marks of replies.
pub(in crate::web) fn bare(subject: &str) -> &str {
    let mut bare = subject.trim();
    loop {
        let mark = ["re:", "aw:", "antw:", "sv:", "vs:"]
            .into_iter()
            .find(|mark| bare.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark)));
        match mark {
            Some(mark) => bare = bare[mark.len()..].trim_start(),
            None => return bare,
        }
    }
}

fn hide_addresses(text: &str) -> String {
    text.to_owned()
}
