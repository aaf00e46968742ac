//! Sends the messages of a month as a compressed mailbox file, which is made while it is sent.

use std::io;
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::IntoResponse as _;
use tokio::sync::mpsc;

use super::access;
use super::download::{self, Disposition, content_disposition, with};
use super::part::SANDBOX;
use crate::http::chunks;
use crate::ops::Core;
use crate::ops::archive::mbox::{MonthFile, MonthStep, Then};
use crate::ops::archive::memory::{LARGE_BYTES, Owners};
use crate::ops::archive::months::Month;
use crate::web::context::Context;
use crate::web::error::PageError;
use crate::web::table::PageResult;

/// The end of the name of a month's file.
const SUFFIX: &str = ".mbox.gz";

/// `GET /lists/{name}/{file}`: `2026-11.mbox.gz`
pub(in crate::web) async fn file(context: Arc<Context>) -> PageResult {
    let file = context.param("file");
    let (list_name, month_file) = {
        let tx = context.core.store.read()?;
        let open = access::open(&context, &tx)?;
        let month = file.strip_suffix(SUFFIX).and_then(Month::parse).ok_or(PageError::NotFound)?;
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
        let place = context.core.reading_memory.download(context.owners()).await?;
        let (sender, receiver) = mpsc::channel(1);
        let making = send(context.core.clone(), context.owners(), month_file, sender);
        tokio::task::spawn(async move {
            let _place = place;
            making.await;
        });
        chunks::streamed_or_cut(receiver).into_response()
    };
    Ok(with(body, StatusCode::OK, headers))
}

/// Makes the file, each step in a snapshot of its own, as far as the client takes it.
async fn send(core: Core, owners: Owners, mut file: MonthFile, sender: mpsc::Sender<io::Result<Bytes>>) {
    let mut size_bytes = LARGE_BYTES - 1;
    loop {
        // Nothing is made for a client that has not taken what was made before.
        let Ok(place) = sender.reserve().await else { return };
        let memory = tokio::select! {
            memory = core.reading_memory.take_in_stream(owners, size_bytes) => memory,
            () = sender.closed() => return,
        };
        let store = core.store.clone();
        let making = tokio::task::spawn_blocking(move || {
            let _memory = memory;
            let step = store.read().and_then(|tx| file.step(&tx, size_bytes));
            (file, step)
        });
        let Ok((next, step)) = making.await else {
            place.send(Err(io::ErrorKind::Other.into()));
            return;
        };
        file = next;
        let MonthStep { bytes, then } = match step {
            Ok(step) => step,
            Err(error) => {
                tracing::error!(error = %error, "The mailbox file of a month could not be read to its end");
                place.send(Err(io::ErrorKind::Other.into()));
                return;
            }
        };
        if !bytes.is_empty() {
            place.send(Ok(bytes.into()));
        }
        size_bytes = match then {
            Then::More => LARGE_BYTES - 1,
            Then::Message(size_bytes) => size_bytes,
            Then::End => return,
        };
    }
}
