//! A message as pages show it: who wrote it, when, in reply to whom, its text and its attachments.

use super::access::OpenArchive;
use super::face::Face;
use super::part;
use crate::clock::Timestamp;
use crate::locale::{self, Locale, text};
use crate::mail::Inbound;
use crate::mail::reading::{SHOWN_BYTES_MAX, ShownPart, hide_addresses};
use crate::model::{EmailAddress, Language, Links, Message, MessageId};
use crate::ops::archive::outline::Place;
use crate::ops::archive::{browse, messages, shown};
use crate::store::ReadTx;
use crate::web::context::Context;
use crate::web::error::PageError;
use crate::web::heading::Address;
use crate::web::reading::{Body, Quotes, ReadingOptions};

/// Messages on one page of a thread.
pub(super) const PAGE_MESSAGES: usize = 200;
/// Bytes of the text of one message on the page of its thread.
const IN_THREAD_BYTES_MAX: usize = 64 * 1024;
/// Bytes of a message that are read for its first words.
const FIRST_WORDS_OF_BYTES: u64 = 128 * 1024;
/// Bytes of a message that are read for its subject.
const SUBJECT_OF_BYTES: u64 = 32 * 1024;

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
    /// The picture of its author.
    pub(in crate::web) face: Face,
    /// The author's address, if the visitor may see it or a shortened form of it, and the name does not say it.
    pub(in crate::web) address: Option<Address>,
    /// Its subject.
    pub(in crate::web) subject: String,
    /// Whether its subject is not the one of the thread.
    pub(in crate::web) has_own_subject: bool,
    /// When it was written, for people.
    pub(in crate::web) time: String,
    /// The same exactly.
    pub(in crate::web) exactly: String,
    /// When it was written, for machines.
    pub(in crate::web) datetime: String,
    /// The path of its own page.
    pub(in crate::web) href: String,
    /// The link to the message that it answers, and who wrote that.
    pub(in crate::web) parent: Option<(String, String)>,
    /// Its text and files; nothing where the page has no room for it, and the message stands on its own page alone.
    pub(in crate::web) body: Option<BodyView>,
    /// The link that begins a reply in a mail program.
    pub(in crate::web) reply_mail: String,
    /// The path on which a reply is written.
    pub(in crate::web) reply_here: String,
}

/// The text and the files of a message.
pub(in crate::web) struct BodyView {
    /// The text as safe HTML.
    pub(in crate::web) html: String,
    pub(in crate::web) files: Vec<FileView>,
    /// Whether it has images on other servers.
    pub(in crate::web) has_remote_images: bool,
}

/// An attachment.
pub(in crate::web) struct FileView {
    pub(in crate::web) href: String,
    pub(in crate::web) name: String,
    /// Its kind and its size.
    pub(in crate::web) facts: String,
}

/// How much of a message a page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::web) enum Extent {
    /// As much as there is room for among other messages.
    InThread,
    /// All of it.
    Alone {
        /// Whether images of other servers are shown.
        remote_images: bool,
    },
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
    /// Collects the facts that are needed to show messages of an archive.
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

    /// A text of a message, such as its subject, with the addresses in it hidden from visitors who may not see them.
    pub(in crate::web) fn words(&self, text: &str) -> String {
        if self.archive.shows_addresses { text.to_owned() } else { hide_addresses(text) }
    }

    /// The subject of a message as members got it, or the words for none.
    pub(in crate::web) fn subject(&self, tx: &ReadTx, message: &Message) -> Result<String, PageError> {
        // Only what may be a merge tag differs from what the author wrote.
        let has_tags = self.archive.list.merge_tags_enabled && message.subject.contains('$');
        let subject = if has_tags && !message.deleted {
            // Pages name many messages, which may be large: the beginning has the subject.
            let (links, list) = (&self.links, &self.archive.list);
            let mail = shown::beginning(tx, links, list, message, SUBJECT_OF_BYTES)?;
            mail.ok_or(PageError::NotFound)?.subject
        } else {
            message.subject.clone()
        };
        let subject = self.words(subject.trim());
        Ok(if subject.is_empty() { text!(self.context.language, "archive-no-subject") } else { subject })
    }

    /// The name of the author of a message; the address where there is no name, and the list where it hides its authors.
    pub(in crate::web) fn author(&self, message: &Message) -> String {
        if browse::hides_author(&self.archive.list, message) {
            return self.archive.list.title().to_owned();
        }
        let name = message.from_phrase.trim();
        self.words(if name.is_empty() { &message.from_address } else { name })
    }

    /// The picture of the author of a message; all authors of a list that hides them have one.
    pub(in crate::web) fn face(&self, message: &Message) -> Face {
        let name = self.author(message);
        let is_hidden = browse::hides_author(&self.archive.list, message);
        let key = if is_hidden || message.from_address.is_empty() { &name } else { &message.from_address };
        Face::of(&name, key)
    }

    /// A message of a thread with this subject.
    pub(in crate::web) fn message(
        &self,
        tx: &ReadTx,
        place: &Place,
        parent: Option<(String, String)>,
        thread_subject: Option<&str>,
        extent: Option<Extent>,
    ) -> Result<MessageView, PageError> {
        let message = &place.message;
        let has_name = !message.from_phrase.trim().is_empty() && !message.from_address.is_empty();
        let address = (has_name && !browse::hides_author(&self.archive.list, message))
            .then(|| Address::new(self.words(&message.from_address)));
        let extent = extent.filter(|_| !message.deleted);
        Ok(MessageView {
            id: message.id,
            depth: place.depth,
            class: class_of("msg", place.depth),
            is_gone: message.deleted,
            by: self.author(message),
            face: self.face(message),
            address,
            subject: self.subject(tx, message)?,
            has_own_subject: thread_subject.is_some_and(|subject| bare(subject) != bare(&message.subject)),
            time: self.locale.near(message.time, self.context.core.now()),
            exactly: self.locale.moment(message.time),
            datetime: message.time.rfc3339(),
            href: self.archive.href(self.context, &format!("messages/{}/", message.id)),
            parent,
            body: extent.map(|extent| self.body(tx, message, extent)).transpose()?,
            reply_mail: self.reply_mail(message),
            reply_here: self.archive.href(self.context, &format!("write/?reply={}", message.id)),
        })
    }

    /// A message as members got it, less what is personal.
    fn mail(&self, tx: &ReadTx, message: &Message) -> Result<Inbound, PageError> {
        let mail = shown::mail(tx, &self.links, &self.archive.list, message)?;
        mail.ok_or(PageError::NotFound)
    }

    /// The text and the files of a message; where images of other servers are shown, its page says so.
    fn body(&self, tx: &ReadTx, message: &Message, extent: Extent) -> Result<BodyView, PageError> {
        let (context, archive) = (self.context, self.archive);
        let path = format!("messages/{}/", message.id);
        let page = archive.href(context, &path);
        let part_href = |number: usize, name: &str| part::path(&page, number, name);
        let raw = archive.href(context, &format!("{path}raw"));
        let raw_href = match extent {
            Extent::InThread => page.as_str(),
            Extent::Alone { .. } if archive.shows_addresses => &raw,
            Extent::Alone { .. } => "",
        };
        let body = Body::of(
            &self.mail(tx, message)?,
            &ReadingOptions {
                hides_addresses: !archive.shows_addresses,
                remote_images: matches!(extent, Extent::Alone { remote_images: true }),
                part_href: &part_href,
                raw_href,
                images_href: &format!("{page}?images=1"),
                quotes: quotes(context),
                language: context.language,
                bytes_max: match extent {
                    Extent::InThread => IN_THREAD_BYTES_MAX,
                    Extent::Alone { .. } => SHOWN_BYTES_MAX,
                },
            },
        );
        let files = body
            .attachments
            .iter()
            .map(|part| file_view(context.language, part, part_href(part.number, &part.name)));
        Ok(BodyView { html: body.html, files: files.collect(), has_remote_images: body.has_remote_images })
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
        let list = &self.archive.list;
        let mail = shown::beginning(tx, &self.links, list, message, FIRST_WORDS_OF_BYTES)?;
        Ok(mail.ok_or(PageError::NotFound)?.first_words(!self.archive.shows_addresses))
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

    /// A day without its year: "23 Nov".
    fn short_day(&self, time: Timestamp) -> String {
        let (language, date) = (self.context.language, time.in_zone(self.locale.zone.clone()).date());
        let month = text!(language, "archive-month-short", month = date.month());
        text!(language, "archive-day-short", day = date.day(), month = month)
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
            day: self.short_day(place.message.time),
            is_current: Some(place.message.id) == current,
            is_gone: place.message.deleted,
        }
    }
}

/// An attachment as pages list it.
pub(in crate::web) fn file_view(language: Language, part: &ShownPart, href: String) -> FileView {
    let kind = match part.media_type.split('/').next().unwrap_or_default() {
        "image" => text!(language, "archive-file-picture"),
        "audio" => text!(language, "archive-file-sound"),
        "video" => text!(language, "archive-file-film"),
        "text" => text!(language, "archive-file-text"),
        "message" => text!(language, "archive-file-message"),
        _ if part.media_type == "application/pdf" => "PDF".to_owned(),
        _ => text!(language, "archive-file"),
    };
    let facts = format!("{kind}, {}", locale::size(language, part.bytes));
    FileView { href, name: part.name.clone(), facts }
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

/// The quotes that are open, as the address of the page says.
fn quotes(context: &Context) -> Quotes {
    match context.query.get("quotes") {
        "open" => Quotes::Open,
        "folded" => Quotes::Folded,
        _ => Quotes::Fitting,
    }
}
