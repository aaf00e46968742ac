//! Sends a stored message as it is: a piece at a time, each read in a snapshot of its own, so that a slow client holds
//! neither memory nor a snapshot.

use std::io;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Response, header};
use tokio::sync::mpsc;

use super::view::StoredMail;
use crate::http::chunks;
use crate::store::{Read as _, Store};

/// Bytes that are read at a time.
const PIECE_BYTES: u64 = 128 << 10;

/// Makes a response one with a message, which browsers save as a file: shown, it would be a stranger's page under this
/// server's name.
pub(super) fn send(store: &Store, mail: StoredMail, response: &mut Response<Body>) {
    let (sender, receiver) = mpsc::channel(1);
    tokio::task::spawn(read(store.clone(), mail, sender));
    *response.body_mut() = chunks::streamed_or_cut(receiver);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("message/rfc822"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(mail.length));
    let disposition = HeaderValue::from_static("attachment; filename=\"message.eml\"");
    headers.insert(header::CONTENT_DISPOSITION, disposition);
}

async fn read(store: Store, mail: StoredMail, sender: mpsc::Sender<io::Result<Bytes>>) {
    let mut start = 0;
    while start < mail.length {
        // Nothing is read for a client that has not taken what was read before.
        let Ok(place) = sender.reserve().await else { return };
        let end = mail.length.min(start + PIECE_BYTES);
        let store = store.clone();
        let reading = move || store.read()?.blob_range(mail.blob, start..end);
        match tokio::task::spawn_blocking(reading).await {
            Ok(Ok(piece)) if !piece.is_empty() => place.send(Ok(piece.into())),
            // The message was deleted meanwhile, or cannot be read: the connection is cut.
            _ => return place.send(Err(io::ErrorKind::Other.into())),
        }
        start = end;
    }
}
