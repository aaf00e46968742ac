//! Sends the messages of a month as a compressed mailbox file, which is made while it is sent, and kept if the month is
//! over.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use jiff::tz::TimeZone;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use super::access;
use super::download::{self, Disposition, content_disposition, with};
use super::part::SANDBOX;
use crate::http::chunks;
use crate::model::{KeptFile, Links, List};
use crate::ops::archive::kept_months::{self, KEPT_BYTES_MAX};
use crate::ops::archive::mbox::{MonthFile, MonthStep, Then};
use crate::ops::archive::months::Month;
use crate::service;
use crate::service::Core;
use crate::service::memory::{LARGE_BYTES, Owners};
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};

/// The end of the name of a month's file.
const SUFFIX: &str = ".mbox.gz";
/// Bytes of a kept file that are read at a time.
const PIECE_BYTES: u64 = 128 << 10;

/// `GET /lists/{name}/{file}`: `2026-11.mbox.gz`
pub(in crate::web) async fn file(context: Arc<Context>) -> PageResult {
    let file = context.param("file");
    let zone = context.locale().zone;
    let (name, links, list, month, kept) = {
        let tx = context.read()?;
        let open = access::open(&context, &tx)?;
        let month = file.strip_suffix(SUFFIX).and_then(Month::parse).ok_or(PageError::NotFound)?;
        // The file is full of addresses: in an archive that hides them it is for those alone who see them.
        if !open.shows_addresses {
            return Err(PageError::NotFound);
        }
        let links = context.core.links.of(&tx, open.account.id)?;
        if MonthFile::new(open.list.clone(), links.clone(), month, zone.clone()).is_empty(&tx)? {
            return Err(PageError::NotFound);
        }
        let kept = kept_months::find(&tx, &links, &open.list, (month, &zone))?;
        (format!("{}-{file}", open.list.name), links, open.list, month, kept)
    };
    let (status, mut headers, body) = match kept {
        Some(kept) => of_kept(&context, &kept),
        None if context.is_head => (StatusCode::OK, HeaderMap::new(), ().into_response()),
        None => {
            let body = of_new(&context, links, list, (month, zone)).await?;
            (StatusCode::OK, HeaderMap::new(), body)
        }
    };
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/gzip"));
    headers.insert(header::CONTENT_SECURITY_POLICY, SANDBOX);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    let disposition = content_disposition(Disposition::Attachment, &name);
    download::insert(&mut headers, header::CONTENT_DISPOSITION, &disposition);
    Ok(with(body, status, headers))
}

/// The file that is kept, a piece at a time.
fn of_kept(context: &Context, kept: &KeptFile) -> (StatusCode, HeaderMap, Response) {
    let (status, headers, range) = download::head(context, &download::etag(&kept.tag), kept.length);
    let blob = kept.blob;
    let body = match range {
        Some(Range { mut start, end }) => download::streamed(&context.core.store, move |tx| {
            let piece = kept_months::piece(tx, blob, start..end.min(start + PIECE_BYTES))?;
            start += piece.len() as u64;
            Ok(Some(piece).filter(|piece| !piece.is_empty()))
        }),
        None => ().into_response(),
    };
    (status, headers, body)
}

/// The file as it is made; it is kept if its month is over.
async fn of_new(
    context: &Context,
    links: Links,
    list: List,
    (month, zone): (Month, TimeZone),
) -> Result<Response, PageError> {
    let core = &context.core;
    let place = core.reading_memory.download(context.owners()).await?;
    let is_over = kept_months::is_over(month, core.now(), &zone);
    let keeping = match core.reading_memory.keeper().filter(|_| is_over) {
        Some(place) => {
            let begun =
                service::kept_months::begin(core, links.clone(), list.clone(), (month, zone.clone())).await;
            begun.map(|id| Keeping { id, bytes: Vec::new(), _place: place })
        }
        None => None,
    };
    let (sender, receiver) = mpsc::channel(1);
    let making =
        send(core.clone(), context.owners(), MonthFile::new(list, links, month, zone), keeping, sender);
    tokio::task::spawn(async move {
        let _place = place;
        making.await;
    });
    Ok(chunks::streamed_or_cut(receiver).into_response())
}

/// A file that is kept when it is whole.
struct Keeping {
    /// Its number.
    id: u64,
    bytes: Vec<u8>,
    _place: OwnedSemaphorePermit,
}

impl Keeping {
    /// Adds the next bytes; `None` if the file gets too large to be kept.
    fn with(mut self, bytes: &[u8]) -> Option<Keeping> {
        self.bytes.extend_from_slice(bytes);
        (self.bytes.len() <= KEPT_BYTES_MAX).then_some(self)
    }
}

/// Makes the file, each step in a snapshot of its own, as far as the client takes it.
async fn send(
    core: Core,
    owners: Owners,
    mut file: MonthFile,
    mut keeping: Option<Keeping>,
    sender: mpsc::Sender<io::Result<Bytes>>,
) {
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
        keeping = keeping.and_then(|keeping| keeping.with(&bytes));
        if then == Then::End
            && let Some(keeping) = keeping.take()
        {
            service::kept_months::finish(&core, keeping.id, keeping.bytes).await;
        }
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
