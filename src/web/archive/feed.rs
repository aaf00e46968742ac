//! Atom feeds (RFC 4287) of an archive and of its threads: the newest messages, whole where everybody may read them.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::access::{self, OpenArchive};
use super::download::{number, set_cache};
use super::part;
use super::show::Shower;
use super::threads;
use crate::clock::Timestamp;
use crate::locale::text;
use crate::model::{Message, MessageId, Thread};
use crate::ops::archive::{browse, feeds, shown};
use crate::ops::domains::main_domain;
use crate::secret::sha256;
use crate::store::ReadTx;
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::heading::heading_and_text;
use crate::web::reading::{Body, Quotes, ReadingOptions};

/// Messages in a feed.
const MESSAGES: usize = 30;
/// Bytes of one message that are read. What stands behind them, such as large files, is no text of a feed.
const MESSAGE_BYTES_MAX: u64 = 512 << 10;
/// Bytes of the text of one message.
const TEXT_BYTES_MAX: usize = 64 << 10;
/// Bytes of a feed after which messages have their first words alone.
const FEED_BYTES_MAX: usize = 1 << 20;

/// `GET /lists/{name}/feed.atom`
pub(in crate::web) async fn of_list(context: Arc<Context>) -> PageResult {
    answer(context).await
}

/// `GET /lists/{name}/threads/{id}/feed.atom`
pub(in crate::web) async fn of_thread(context: Arc<Context>) -> PageResult {
    answer(context).await
}

async fn answer(context: Arc<Context>) -> PageResult {
    // One message after the other is read, and of a large one the beginning.
    let memory = context.reading(MESSAGE_BYTES_MAX).await?;
    blocking(&context, move |context| {
        // Kept until the work ends, even if the reader does not wait for it any more.
        let _memory = memory;
        feed(context)
    })
    .await
}

/// The thread that the path names, if it names one, and the newest messages.
fn messages(
    context: &Context,
    tx: &ReadTx,
    open: &OpenArchive,
) -> Result<(Option<Thread>, Vec<Message>), PageError> {
    let thread = match context.param("id") {
        "" => None,
        id => {
            let id = number(id)?;
            match feeds::thread(tx, &open.list, MessageId(id))? {
                Some(thread) => Some(thread),
                None => return Err(threads::moved(context, tx, open, MessageId(id))?),
            }
        }
    };
    let messages = match &thread {
        None => feeds::newest(tx, &open.list, MESSAGES)?,
        Some(thread) => feeds::newest_of_thread(tx, thread, MESSAGES)?,
    };
    Ok((thread, messages))
}

fn feed(context: &Context) -> PageResult {
    let tx = context.read()?;
    let open = access::open(context, &tx)?;
    let (thread, messages) = messages(context, &tx, &open)?;
    let shower = Shower::new(context, &tx, &open)?;
    let writer = Writer {
        list: format!("{}/lists/{}/", shower.links.base(), open.list.name),
        authority: main_domain(&tx, open.account.id)?.name.to_string(),
        context,
        tx: &tx,
        shower: &shower,
    };
    let xml = writer.feed(thread.as_ref(), &messages)?;
    Ok(respond(context, &open, xml))
}

fn respond(context: &Context, open: &OpenArchive, xml: String) -> Response {
    let etag = format!("\"{}\"", data_encoding::HEXLOWER.encode(&sha256(xml.as_bytes())[..12]));
    let mut response = if context.has_version(&etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        xml.into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/atom+xml; charset=utf-8"));
    set_cache(headers, context, open);
    headers.extend(HeaderValue::from_str(&etag).map(|etag| (header::ETAG, etag)));
    response
}

struct Writer<'a> {
    context: &'a Context,
    tx: &'a ReadTx,
    shower: &'a Shower<'a>,
    /// The absolute address of the list's page.
    list: String,
    /// The account's main domain, which its identifiers name.
    authority: String,
}

impl Writer<'_> {
    fn feed(&self, thread: Option<&Thread>, messages: &[Message]) -> Result<String, PageError> {
        let list = &self.shower.archive.list;
        let (heading, _) = heading_and_text(&list.description);
        let heading = heading.unwrap_or_else(|| list.name.to_string());
        let (title, id, page) = match thread {
            None => {
                let title = text!(self.context.language, "feed-title", list = heading);
                (title, format!("lists/{}", list.id), self.list.clone())
            }
            Some(thread) => {
                let first = browse::message(self.tx, list, thread.id)?;
                let named = first.as_ref().or(messages.last());
                let title = match named {
                    Some(message) => self.shower.subject(self.tx, message)?,
                    None => String::new(),
                };
                (title, format!("threads/{}", thread.id), format!("{}threads/{}/", self.list, thread.id))
            }
        };
        let updated = messages.iter().map(|message| message.time).max().unwrap_or_default();
        let mut xml = String::from(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n",
        );
        element(&mut xml, "title", &title);
        element(&mut xml, "id", &format!("tag:{},2026:{id}", self.authority));
        link(&mut xml, "self", "application/atom+xml", &format!("{page}feed.atom"));
        link(&mut xml, "alternate", "text/html", &page);
        element(&mut xml, "updated", &updated.rfc3339());
        for message in messages {
            self.entry(message, &mut xml)?;
        }
        xml.push_str("</feed>\n");
        Ok(xml)
    }

    fn entry(&self, message: &Message, xml: &mut String) -> Result<(), PageError> {
        let page = format!("{}messages/{}/", self.list, message.id);
        xml.push_str("<entry>\n");
        element(xml, "title", &self.shower.subject(self.tx, message)?);
        element(xml, "id", &format!("tag:{},2026:messages/{}", self.authority, message.id));
        link(xml, "alternate", "text/html", &page);
        let day: Timestamp = message.time;
        element(xml, "published", &day.rfc3339());
        element(xml, "updated", &day.rfc3339());
        xml.push_str("<author>");
        element(xml, "name", &self.shower.author(message));
        xml.push_str("</author>\n");
        let has_room = self.shower.archive.is_public && xml.len() < FEED_BYTES_MAX;
        let content = if has_room { self.content(message, &page)? } else { None };
        if let Some(html) = content.filter(|html| xml.len() + html.len() <= FEED_BYTES_MAX) {
            xml.push_str("<content type=\"html\">");
            escape(&html, xml);
            xml.push_str("</content>\n");
        } else {
            element(xml, "summary", &self.shower.first_words(self.tx, message)?);
        }
        xml.push_str("</entry>\n");
        Ok(())
    }

    /// The text of a message as HTML, whose page is at `page`; `None` if its account is gone.
    fn content(&self, message: &Message, page: &str) -> Result<Option<String>, PageError> {
        let archive = self.shower.archive;
        let (links, list) = (&self.shower.links, &archive.list);
        let mail = shown::beginning(self.tx, links, list, message, MESSAGE_BYTES_MAX)?;
        let options = ReadingOptions {
            hides_addresses: !archive.shows_addresses,
            remote_images: false,
            part_href: &|number, name| part::path(page, number, name),
            raw_href: "",
            images_href: "",
            quotes: Quotes::Fitting,
            language: self.context.language,
            bytes_max: TEXT_BYTES_MAX,
        };
        Ok(mail.map(|mail| Body::of(&mail, &options).html))
    }
}

fn element(xml: &mut String, name: &str, content: &str) {
    // Writing to a `String` cannot fail.
    let _ = write!(xml, "<{name}>");
    escape(content, xml);
    let _ = writeln!(xml, "</{name}>");
}

fn link(xml: &mut String, rel: &str, kind: &str, href: &str) {
    let _ = write!(xml, "<link rel=\"{rel}\" type=\"{kind}\" href=\"");
    escape(href, xml);
    xml.push_str("\"/>\n");
}

/// Appends a text as XML 1.0 has it, which has no name for some characters at all.
pub(super) fn escape(text: &str, xml: &mut String) {
    for c in text.chars() {
        match c {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\'' => xml.push_str("&#39;"),
            '\t' | '\n' => xml.push(c),
            // A carriage return that stands for itself is read as a line end.
            '\r' => xml.push_str("&#13;"),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {}
            _ => xml.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_xml_has_no_character_that_xml_has_not() {
        let all: String = ('\u{0}'..='\u{a0}').chain("<&>\"'\u{fffe}\u{ffff}\u{1f600}".chars()).collect();
        let mut xml = String::new();
        escape(&all, &mut xml);
        assert!(!xml.contains(|c: char| c.is_control() && c != '\t' && c != '\n'), "{xml:?}");
        assert!(xml.ends_with("&lt;&amp;&gt;&quot;&#39;\u{1f600}"), "{xml}");
    }
}
