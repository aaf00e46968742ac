//! The page of one message, which is its permalink, and the page that finds a message by its Message-ID.

use std::sync::Arc;

use askama::Template;
use axum::http::{HeaderValue, header};

use super::access;
use super::moderate::{self, ModeratorView};
use super::page::{self, ArchiveHead};
use super::show::{Extent, MessageView, OutlineRow, Shower};
use crate::locale::text;
use crate::model::MessageId;
use crate::ops::archive::browse::{self, Place};
use crate::web::context::{self, Context};
use crate::web::error::{PageError, PageResult};
use crate::web::frame::Frame;
use crate::web::reading;

/// The policy of a page that shows images of other servers.
const IMAGES_POLICY: HeaderValue = HeaderValue::from_static(reading::IMAGES_POLICY);
/// Messages of the thread that the outline beside a message names.
const OUTLINE_MAX: usize = 100;

#[derive(Template)]
#[template(path = "archive_message.html", config = "src/web/askama.toml")]
struct MessagePage {
    frame: Frame,
    archive: ArchiveHead,
    title: String,
    message: MessageView,
    /// The name of the list, to which the message was written.
    to: String,
    /// The path of the message as mail.
    raw: Option<String>,
    /// The path of the thread, at this message.
    thread_href: String,
    outline: Vec<OutlineRow>,
    /// The message before it in the thread: its path and its author.
    previous: Option<(String, String)>,
    /// The message behind it in the thread.
    next: Option<(String, String)>,
    /// The moderator's buttons, if the visitor is one.
    moderator: Option<ModeratorView>,
}

/// `GET /lists/{name}/messages/{id}/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    let size_bytes = {
        let tx = context.read()?;
        let archive = access::open(&context, &tx)?;
        let id = number(&context)?;
        // One that was taken out has a page for those who may restore it.
        browse::message(&tx, &archive.list, id)?.map_or(0, |message| message.size_bytes)
    };
    let memory = context.reading(size_bytes).await?;
    context::blocking(&context, move |context| {
        // Kept until the work ends, even if the visitor does not wait for it any more.
        let _memory = memory;
        show_page(context)
    })
    .await
}

fn show_page(context: &Context) -> PageResult {
    let tx = context.read()?;
    let archive = access::open(context, &tx)?;
    let id = number(context)?;
    let Some(message) = browse::message(&tx, &archive.list, id)? else {
        return moderate::gone(context, &tx, &archive, id)?.unwrap_or(Err(PageError::NotFound));
    };
    let mut places = browse::thread(&tx, &archive.list, message.thread)?;
    if !places.iter().any(|place| place.message.id == id) {
        // The thread is too long to be put in order.
        places = vec![Place { message: message.clone(), depth: 0, parent: None }];
    }
    let shower = Shower::new(context, &tx, &archive)?;
    let at = places.iter().position(|place| place.message.id == id).ok_or(PageError::NotFound)?;
    let href = |id: MessageId| archive.href(context, &format!("messages/{id}/"));
    let neighbour = |place: &Place| (href(place.message.id), shower.author(&place.message));
    let parent = places[at].parent.and_then(|parent| places.iter().find(|place| place.message.id == parent));
    let parent = parent.filter(|parent| !parent.message.deleted).map(&neighbour);
    let first = at.saturating_sub(OUTLINE_MAX / 2);
    let outline = places.iter().skip(first).take(OUTLINE_MAX);
    let outline = outline.map(|place| shower.outline_row(place, href(place.message.id), Some(id)));
    let remote_images = context.query.get("images") == "1";
    let extent = Some(Extent::Alone { remote_images });
    let view = shower.message(&tx, &places[at], parent, None, extent)?;
    let has_remote_images = view.body.as_ref().is_some_and(|body| body.has_remote_images);
    let page = MessagePage {
        frame: Frame::of(context),
        archive: ArchiveHead::of(context, &archive, &shower.links, &format!("messages/{id}/")),
        title: shower.subject(&tx, &message)?,
        message: view,
        raw: archive.shows_addresses.then(|| archive.href(context, &format!("messages/{id}/raw"))),
        to: archive.list.title().to_owned(),
        thread_href: shower.thread_href_of(&tx, &message)?,
        outline: outline.collect(),
        previous: places[..at].iter().rev().find(|place| !place.message.deleted).map(neighbour),
        next: places[at + 1..].iter().find(|place| !place.message.deleted).map(neighbour),
        moderator: moderate::view(context, &tx, &archive, message.thread, Some(id))?,
    };
    drop(tx);
    let mut response = page::show(context, &archive, &page)?;
    if remote_images && has_remote_images {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, IMAGES_POLICY);
    }
    Ok(response)
}

/// The number of the message in the path.
fn number(context: &Context) -> Result<MessageId, PageError> {
    context.param("id").parse().map(MessageId).map_err(|_| PageError::NotFound)
}

/// `GET /lists/{name}/messages/?id=<Message-ID>`: leads to the page of the message.
pub(in crate::web) fn find(context: &Context) -> PageResult {
    let tx = context.read()?;
    let archive = access::open(context, &tx)?;
    let found = browse::by_message_id(&tx, &archive.list, context.query.get("id"))?;
    let message = found.ok_or(PageError::NotFound)?;
    Ok(context.lead_to(&archive.href(context, &format!("messages/{}/", message.id))))
}
