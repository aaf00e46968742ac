//! Sends the messages of a month as a compressed mailbox file, which is made while it is sent.

use std::io;
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::IntoResponse as _;
use tokio::sync::mpsc;

use super::access;
use super::download::{self, Disposition, content_disposition, with};
use super::part::{PRIVATE_CACHE, SANDBOX};
use crate::http::chunks;
use crate::model::List;
use crate::ops::Core;
use crate::ops::archive::mbox::{MonthFile, NextPiece};
use crate::schema::{MESSAGE_COUNT_BY_MONTH, archive_of};
use crate::store::{Read as _, ReadTx, StoreError};
use crate::web::context::Context;
use crate::web::error::PageError;
use crate::web::table::PageResult;

/// What the name of a month's file ends with.
const SUFFIX: &str = ".mbox.gz";
/// Compressed bytes that are sent at a time, so that small messages cost no chunk each.
const CHUNK_BYTES: usize = 32 << 10;

/// `GET /lists/{name}/{file}`: `2026-11.mbox.gz`
pub(in crate::web) async fn file(context: Arc<Context>) -> PageResult {
    let file = context.param("file");
    let month = file.strip_suffix(SUFFIX).and_then(month_of).ok_or(PageError::NotFound)?;
    let list = {
        let tx = context.core.store.read()?;
        let open = access::open(&context, &tx)?;
        // The file is full of addresses: in an archive that hides them it is for those alone who see them.
        if !open.shows_addresses || is_empty(&tx, &open.list, month)? {
            return Err(PageError::NotFound);
        }
        open.list
    };
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/gzip"));
    headers.insert(header::CONTENT_SECURITY_POLICY, SANDBOX);
    headers.insert(header::CACHE_CONTROL, PRIVATE_CACHE);
    let name = format!("{}-{file}", list.name);
    let disposition = content_disposition(Disposition::Attachment, &name);
    download::insert(&mut headers, header::CONTENT_DISPOSITION, &disposition);
    let body = if context.is_head {
        ().into_response()
    } else {
        let (sender, receiver) = mpsc::channel(1);
        tokio::task::spawn(send(context.core.clone(), MonthFile::new(list, month), sender));
        chunks::streamed_or_cut(receiver).into_response()
    };
    with(body, StatusCode::OK, headers)
}

fn is_empty(tx: &ReadTx, list: &List, month: u64) -> Result<bool, StoreError> {
    Ok(tx.count(&MESSAGE_COUNT_BY_MONTH, &archive_of(list.account, list.id).u64(month))? == 0)
}

/// The month of `2026-11`, as [`Timestamp::month`](crate::clock::Timestamp::month) counts them.
pub(super) fn month_of(text: &str) -> Option<u64> {
    let (year, month) = text.split_once('-').filter(|(year, month)| year.len() == 4 && month.len() == 2)?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let number = |text: &str| text.parse::<u64>().ok().filter(|_| digits(text));
    let month = number(month).filter(|month| (1..=12).contains(month))?;
    Some(number(year)? * 12 + month - 1)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_a_year_and_a_number() {
        assert_eq!(month_of("2026-11"), Some(2026 * 12 + 10));
        for text in ["2026-13", "2026-00", "26-11", "2026-1", "2026-11-1", "+026-11", "2026", ""] {
            assert_eq!(month_of(text), None, "{text}");
        }
    }
}
