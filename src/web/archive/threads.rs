//! The page of a thread: all of its messages, in the order of the conversation.

use std::collections::HashMap;
use std::sync::Arc;

use askama::Template;
use axum::response::Response;

use super::access::{self, OpenArchive};
use super::moderate::{self, ModeratorView};
use super::page::{self, ArchiveHead};
use super::show::{Extent, MessageView, OutlineRow, PAGE_MESSAGES, Shower};
use crate::locale::{self, text};
use crate::model::MessageId;
use crate::ops::archive::browse::{self, Place, THREAD_MESSAGES_MAX, ThreadRow};
use crate::service::memory::{LARGE_BYTES, ReadingBusy};
use crate::store::ReadTx;
use crate::web::context::{self, Context};
use crate::web::error::{PageError, PageResult};
use crate::web::frame::Frame;

/// Bytes of messages with their attachments that are read for one page; further messages are shown on their own pages.
const PAGE_BYTES_MAX: u64 = 16 * 1024 * 1024;

#[derive(Template)]
#[template(path = "archive_thread.html", config = "src/web/askama.toml")]
struct ThreadPage {
    frame: Frame,
    archive: ArchiveHead,
    title: String,
    /// How many messages by how many people, and from when to when.
    facts: Vec<String>,
    messages: Vec<MessageView>,
    outline: Vec<OutlineRow>,
    /// The paths of the pages of the thread before and behind this one.
    earlier: Option<String>,
    later: Option<String>,
    /// The threads before and behind this one in the order of activity: their paths and subjects.
    older: Option<(String, String)>,
    newer: Option<(String, String)>,
    /// The path of this page with all quotes open, or with all of them folded.
    quotes_href: String,
    /// Whether all quotes are open.
    quotes_open: bool,
    /// The path of the feed of this thread.
    feed: String,
    /// Whether the thread has more messages than its pages show.
    is_cut: bool,
    /// Whether replies wait for approval.
    is_closed: bool,
    /// The moderator's buttons, if the visitor is one.
    moderator: Option<ModeratorView>,
}

/// `GET /lists/{name}/threads/{id}/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    // Few pages have a large message, and none is read before its memory is there.
    match show_within(&context, LARGE_BYTES - 1).await? {
        Made::Page(response) => Ok(response),
        Made::Needs(size_bytes) => match show_within(&context, size_bytes).await? {
            Made::Page(response) => Ok(response),
            // A message came meanwhile.
            Made::Needs(_) => Err(ReadingBusy.into()),
        },
    }
}

/// The answer about a thread that has no messages: it may be a part of another one now.
pub(in crate::web) fn moved(
    context: &Context,
    tx: &ReadTx,
    archive: &OpenArchive,
    id: MessageId,
) -> Result<PageError, PageError> {
    let Some(thread) = browse::joined_into(tx, &archive.list, id)? else { return Ok(PageError::NotFound) };
    // `/lists/NAME/threads/ID/rest`
    let rest = context.path.splitn(6, '/').nth(5).unwrap_or_default();
    Ok(PageError::Moved(archive.href(context, &format!("threads/{thread}/{rest}"))))
}

/// The result of making a page.
enum Made {
    Page(Response),
    /// It has a message of this size, for which there was not enough memory.
    Needs(u64),
}

/// Makes the page in the memory that messages of up to this size need.
async fn show_within(context: &Arc<Context>, size_bytes: u64) -> Result<Made, PageError> {
    let memory = context.reading(size_bytes).await?;
    context::blocking(context, move |context| {
        // Kept until the work ends, even if the visitor does not wait for it any more.
        let _memory = memory;
        show_page(context, size_bytes)
    })
    .await
}

fn show_page(context: &Context, size_bytes_max: u64) -> Result<Made, PageError> {
    let tx = context.read()?;
    let archive = access::open(context, &tx)?;
    let id = context.param("id").parse().map(MessageId).map_err(|_| PageError::NotFound)?;
    let places = browse::thread(&tx, &archive.list, id)?;
    let Some(first) = places.iter().find(|place| !place.message.deleted) else {
        return Err(moved(context, &tx, &archive, id)?);
    };
    let shower = Shower::new(context, &tx, &archive)?;
    let subject = first.message.subject.clone();
    let number = page_number(context, &places)?;
    let shown = places.chunks(PAGE_MESSAGES).nth(number - 1).ok_or(PageError::NotFound)?;
    let authors: HashMap<MessageId, &Place> = places.iter().map(|place| (place.message.id, place)).collect();
    let sizes = shown.iter().map(|place| place.message.size_bytes);
    if let Some(largest) = sizes.filter(|size| size_bytes_max < *size && *size <= PAGE_BYTES_MAX).max() {
        return Ok(Made::Needs(largest));
    }
    let (mut messages, mut room) = (Vec::with_capacity(shown.len()), PAGE_BYTES_MAX);
    for place in shown {
        let parent = place.parent.and_then(|parent| authors.get(&parent));
        let parent = parent.filter(|parent| !parent.message.deleted).map(|parent| {
            (shower.in_thread(&places, parent.message.id, number), shower.author(&parent.message))
        });
        let is_room = place.message.size_bytes <= room;
        room = room.saturating_sub(place.message.size_bytes);
        let extent = is_room.then_some(Extent::InThread);
        messages.push(shower.message(&tx, place, parent, Some(&subject), extent)?);
    }
    let row = |place: &Place| shower.outline_row(place, format!("#m{}", place.message.id), None);
    let path = archive.href(context, &format!("threads/{id}/"));
    let quotes_open = context.query.get("quotes") == "open";
    let page_path = |number: usize| if number == 1 { path.clone() } else { format!("{path}?page={number}") };
    let canonical = match number {
        1 => format!("threads/{id}/"),
        number => format!("threads/{id}/?page={number}"),
    };
    let (newer, older) = browse::neighbours(&tx, &archive.list, id)?;
    let neighbour = |row: Option<ThreadRow>| -> Result<Option<(String, String)>, PageError> {
        let Some(ThreadRow { thread, first, .. }) = row else { return Ok(None) };
        let path = archive.href(context, &format!("threads/{}/", thread.id));
        Ok(Some((path, shower.subject(&tx, &first)?)))
    };
    let page = ThreadPage {
        frame: Frame::of(context),
        archive: ArchiveHead::of(context, &archive, &shower.links, &canonical),
        title: shower.subject(&tx, &first.message)?,
        facts: facts(&shower, &places),
        messages,
        outline: shown.iter().map(row).collect(),
        earlier: (1 < number).then(|| page_path(number - 1)),
        older: neighbour(older)?,
        newer: neighbour(newer)?,
        quotes_href: quotes_href(&page_path(number), quotes_open),
        quotes_open,
        feed: format!("{path}feed.atom"),
        is_cut: THREAD_MESSAGES_MAX < browse::length(&tx, id)?,
        is_closed: browse::is_closed(&tx, id)?,
        later: (number * PAGE_MESSAGES < places.len()).then(|| page_path(number + 1)),
        moderator: moderate::view(context, &tx, &archive, id, None)?,
    };
    drop(tx);
    page::show(context, &archive, &page).map(Made::Page)
}

/// The path of the same page with its quotes folded where they are open, and open otherwise.
fn quotes_href(path: &str, are_open: bool) -> String {
    let mark = if path.contains('?') { '&' } else { '?' };
    format!("{path}{mark}quotes={}", if are_open { "folded" } else { "open" })
}

/// The number of the page that the address asks for: by `page`, or by a message that must be on it, `at`.
fn page_number(context: &Context, places: &[Place]) -> Result<usize, PageError> {
    let at = context.query.get("at").parse().ok().map(MessageId);
    if let Some(at) = at.and_then(|at| places.iter().position(|place| place.message.id == at)) {
        return Ok(at / PAGE_MESSAGES + 1);
    }
    match context.query.get("page") {
        "" => Ok(1),
        number => number.parse().ok().filter(|number| 0 < *number).ok_or(PageError::NotFound),
    }
}

fn facts(shower: &Shower<'_>, places: &[Place]) -> Vec<String> {
    let language = shower.context.language;
    let present = || places.iter().map(|place| &place.message).filter(|message| !message.deleted);
    let count = present().count();
    let mut people: Vec<String> = present().map(|message| message.from_address.to_lowercase()).collect();
    people.sort_unstable();
    people.dedup();
    let mut facts = vec![
        text!(language, "archive-messages", count = count, number = locale::number(language, count as u64)),
        text!(language, "archive-people", count = people.len()),
    ];
    if let (Some(first), Some(last)) =
        (present().map(|message| message.time).min(), present().map(|message| message.time).max())
    {
        let (first, last) = (shower.locale.day(first), shower.locale.day(last));
        facts.push(if first == last {
            first
        } else {
            text!(language, "archive-days", first = first, last = last)
        });
    }
    facts
}
