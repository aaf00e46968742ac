//! Sends the messages of a month as a compressed mailbox file, which is made while it is sent.

use std::io;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::IntoResponse as _;
use tokio::sync::mpsc;

use super::access;
use super::download::{self, Disposition, content_disposition, with};
use super::part::SANDBOX;
use crate::http::chunks;
use crate::ops::Core;
use crate::ops::archive::mbox::{MonthFile, NextPiece};
use crate::ops::archive::months::Month;
use crate::store::StoreError;
use crate::web::context::Context;
use crate::web::error::PageError;
use crate::web::table::PageResult;

/// The end of the name of a month's file.
const SUFFIX: &str = ".mbox.gz";
/// Compressed bytes that are sent at a time, so that small messages cost no chunk each.
const CHUNK_BYTES: usize = 32 << 10;

/// `GET /lists/{name}/{file}`: `2026-11.mbox.gz`
pub(in crate::web) fn file(context: &Context) -> PageResult {
    let (list_name, month_file) = {
        let tx = context.core.store.read()?;
        let open = access::open(context, &tx)?;
        let month =
            context.param("file").strip_suffix(SUFFIX).and_then(Month::parse).ok_or(PageError::NotFound)?;
        // The file is full of addresses: in an archive that hides them it is for those alone who see them.
        if !open.shows_addresses {
            return Err(PageError::NotFound);
        }
        let links = context.core.links.of(&tx, open.account.id)?;
        let (name, file) =
            (open.list.name.clone(), MonthFile::new(open.list, links, month, context.locale().zone));
        if file.is_empty(&tx)? {
            return Err(PageError::NotFound);
        }
        (name, file)
    };
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/gzip"));
    headers.insert(header::CONTENT_SECURITY_POLICY, SANDBOX);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    let name = format!("{list_name}-{}", context.param("file"));
    let disposition = content_disposition(Disposition::Attachment, &name);
    download::insert(&mut headers, header::CONTENT_DISPOSITION, &disposition);
    let body = if context.is_head {
        ().into_response()
    } else {
        let (sender, receiver) = mpsc::channel(1);
        tokio::task::spawn(send(context.core.clone(), month_file, sender));
        chunks::streamed_or_cut(receiver).into_response()
    };
    Ok(with(body, StatusCode::OK, headers))
}

/// Makes the file, each step in a snapshot of its own, as far as the client takes it.
async fn send(core: Core, mut file: MonthFile, sender: mpsc::Sender<io::Result<Bytes>>) {
    let mut chunk = Vec::new();
    loop {
        match step(&core, file).await {
            Some((next, Some(bytes))) => {
                file = next;
                chunk.extend(bytes);
                if CHUNK_BYTES <= chunk.len()
                    && sender.send(Ok(std::mem::take(&mut chunk).into())).await.is_err()
                {
                    return;
                }
            }
            Some((_, None)) => {
                // The client may be gone.
                let _ = sender.send(Ok(chunk.into())).await;
                return;
            }
            None => {
                let _ = sender.send(Err(io::ErrorKind::Other.into())).await;
                return;
            }
        }
    }
}

/// The next bytes of the file; no bytes behind its end, and `None` if it cannot be made.
async fn step(core: &Core, mut file: MonthFile) -> Option<(MonthFile, Option<Vec<u8>>)> {
    let store = core.store.clone();
    let (mut file, next) = blocking(move || (store.read().and_then(|tx| file.next(&tx)), file)).await?;
    let next = match next {
        NextPiece::Message(message) => {
            let memory = core.reading_memory.take(message.size_bytes).await;
            let store = core.store.clone();
            let begun = blocking(move || {
                let _memory = memory;
                (store.read().and_then(|tx| file.begin(&tx, &message)), file)
            });
            let (begun, next) = begun.await?;
            file = begun;
            next
        }
        next => next,
    };
    match next {
        NextPiece::Bytes(bytes) => Some((file, Some(bytes))),
        NextPiece::End | NextPiece::Message(_) => Some((file, None)),
    }
}

async fn blocking(
    work: impl FnOnce() -> (Result<NextPiece, StoreError>, MonthFile) + Send + 'static,
) -> Option<(MonthFile, NextPiece)> {
    let (next, file) = tokio::task::spawn_blocking(work).await.ok()?;
    match next {
        Ok(next) => Some((file, next)),
        Err(error) => {
            tracing::error!(error = %error, "The mailbox file of a month could not be read to its end");
            None
        }
    }
}
