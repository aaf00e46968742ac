//! Serves the files of a message.
//!
//! They come from strangers and have the origin of this site, so a browser stores them and never takes them for a page:
//! only images and PDF keep their type, and whatever is opened has no origin and runs nothing.

use std::sync::Arc;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};

use super::access::{self, OpenArchive};
use super::download::{self, Disposition, content_disposition, file_name, number, segment, streamed, with};
use crate::model::{List, Message, MessageId};
use crate::ops::archive::parts::{self, FilePart};
use crate::ops::archive::{browse, part_notes};
use crate::service;
use crate::store::ReadTx;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};

/// The policy of a file that a browser opens: it has no origin, runs nothing and loads nothing.
pub(super) const SANDBOX: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
);
/// The type of files that a browser shall not look into.
const ANY_FILE: &str = "application/octet-stream";

/// The address of a part of the message whose page is at `page`.
pub(in crate::web) fn path(page: &str, part: usize, name: &str) -> String {
    let name = file_name(name);
    let name = if name.is_empty() { "file" } else { &name };
    format!("{page}parts/{part}/{}", segment(name))
}

/// The message of the path, if it is in this archive.
pub(super) fn message(context: &Context, tx: &ReadTx, list: &List) -> Result<Message, PageError> {
    let id = MessageId(number(context.param("id"))?);
    browse::message(tx, list, id)?.ok_or(PageError::NotFound)
}

/// `GET /lists/{name}/messages/{id}/parts/{part}/{file}`
pub(in crate::web) async fn file(context: Arc<Context>) -> PageResult {
    let (id, size_bytes) = match by_notes(&context)? {
        Noted::Answer(response) => return Ok(response),
        Noted::Unknown { message, size_bytes } => (message, size_bytes),
    };
    let memory = context.reading(size_bytes).await?;
    let finding = Arc::clone(&context);
    let found = tokio::task::spawn_blocking(move || {
        let _memory = memory;
        // It may have been noted while others were read.
        match by_notes(&finding)? {
            Noted::Answer(response) => Ok(response),
            Noted::Unknown { .. } => find(&finding).map(|(open, part)| respond(&finding, &open, part)),
        }
    });
    let found = found.await.map_err(|error| PageError::Internal(error.to_string()))?;
    let core = context.core.clone();
    tokio::task::spawn(async move {
        if let Err(error) = service::part_notes::make(&core, id).await {
            tracing::debug!(message.id = id.0, error = %error, "The parts of a message are not noted");
        }
    });
    found
}

/// The answer that the notes of a message give.
enum Noted {
    /// The answer, for which the message was not read.
    Answer(Response),
    /// The message must be read.
    Unknown { message: MessageId, size_bytes: u64 },
}

fn by_notes(context: &Context) -> Result<Noted, PageError> {
    let tx = context.read()?;
    let open = access::open(context, &tx)?;
    let message = message(context, &tx, &open.list)?;
    let number: u32 = number(context.param("part"))?;
    let unknown = Noted::Unknown { message: message.id, size_bytes: message.size_bytes };
    let links = context.core.links.of(&tx, open.account.id)?;
    let Some(notes) = part_notes::find(&tx, &links, &open.list, &message)? else { return Ok(unknown) };
    let note = notes.parts.iter().find(|note| note.number == number).ok_or(PageError::NotFound)?;
    let part = parts::of_note(&message, note, open.shows_addresses).ok_or(PageError::NotFound)?;
    let is_known = part.is_readable() || !download::has_body(context, &part.tag, part.length);
    Ok(if is_known { Noted::Answer(respond(context, &open, part)) } else { unknown })
}

fn find(context: &Context) -> Result<(OpenArchive, FilePart), PageError> {
    let tx = context.read()?;
    let open = access::open(context, &tx)?;
    let message = message(context, &tx, &open.list)?;
    let links = context.core.links.of(&tx, open.account.id)?;
    let part = number(context.param("part"))?;
    let part = parts::find(&tx, &links, &open.list, &message, part, open.shows_addresses)?;
    Ok((open, part.ok_or(PageError::NotFound)?))
}

fn respond(context: &Context, open: &OpenArchive, part: FilePart) -> Response {
    let mut response = respond_privately(context, part);
    download::set_cache(response.headers_mut(), context, open);
    response
}

/// The answer with a file that is kept nowhere.
pub(in crate::web) fn respond_privately(context: &Context, part: FilePart) -> Response {
    let (kind, disposition) = shown_as(&part.media_type);
    let (status, mut headers, range) = download::head(context, &download::etag(&part.tag), part.length);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_SECURITY_POLICY, SANDBOX);
    let name = file_name(&part.name);
    download::insert(&mut headers, header::CONTENT_DISPOSITION, &content_disposition(disposition, &name));
    let body = match range {
        Some(range) => {
            let mut reader = part.read(range);
            streamed(&context.core.store, move |tx| reader.next(tx))
        }
        None => ().into_response(),
    };
    with(body, status, headers)
}

/// The type under which a file is sent, and whether a browser may show it: images of pixels and PDF alone.
fn shown_as(media_type: &str) -> (&'static str, Disposition) {
    let kind = match media_type {
        "image/png" | "image/x-png" => "image/png",
        "image/jpeg" | "image/jpg" | "image/pjpeg" => "image/jpeg",
        "image/gif" => "image/gif",
        "image/webp" => "image/webp",
        "image/avif" => "image/avif",
        "image/bmp" | "image/x-ms-bmp" => "image/bmp",
        "application/pdf" | "application/x-pdf" => "application/pdf",
        _ => return (ANY_FILE, Disposition::Attachment),
    };
    (kind, Disposition::Inline)
}
