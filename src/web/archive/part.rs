//! Serves the files of a message.
//!
//! They come from strangers and have the origin of this site, so a browser stores them and never takes them for a page:
//! only images and PDF keep their type, and whatever is opened has no origin and runs nothing.

use std::sync::Arc;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};

use super::access::{self, OpenArchive};
use super::download::{self, Disposition, content_disposition, file_name, number, segment, streamed, with};
use crate::model::{List, Message};
use crate::ops::archive::parts::{self, FilePart};
use crate::store::{Read as _, ReadTx};
use crate::web::context::Context;
use crate::web::error::PageError;
use crate::web::table::PageResult;

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
    let id: u64 = number(context.param("id"))?;
    let message = tx.get::<Message>(id)?.filter(|message| message.list == list.id && !message.deleted);
    message.ok_or(PageError::NotFound)
}

/// `GET /lists/{name}/messages/{id}/parts/{part}/{file}`
pub(in crate::web) async fn file(context: Arc<Context>) -> PageResult {
    let size_bytes = {
        let tx = context.core.store.read()?;
        let open = access::open(&context, &tx)?;
        message(&context, &tx, &open.list)?.size_bytes
    };
    let memory = context.core.reading_memory.take(size_bytes).await;
    let finding = Arc::clone(&context);
    let found = tokio::task::spawn_blocking(move || {
        let _memory = memory;
        find(&finding)
    });
    let (open, part) = found.await.map_err(|error| PageError::Internal(error.to_string()))??;
    Ok(respond(&context, &open, part))
}

fn find(context: &Context) -> Result<(OpenArchive, FilePart), PageError> {
    let tx = context.core.store.read()?;
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
    let etag = format!("\"{}\"", part.tag);
    let (status, mut headers, range) = download::head(context, &etag, part.length);
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
