//! The server's side of an export through the socket.

use tokio::io::AsyncWriteExt as _;
use tokio::net::unix::OwnedWriteHalf;
use tokio::sync::watch;

use super::exporter::Exporter;
use super::{ExportRequest, PieceHead};
use crate::control::error::CommandError;
use crate::control::host::Host;
use crate::control::protocol::Reply;
use crate::control::socket::send;
use crate::service::exports::Piece;
use crate::store::StoreError;

/// Sends the pieces of an export, one after the other: none is made before the one before it was taken.
pub(in crate::control) async fn serve(
    mut write: OwnedWriteHalf,
    host: &Host,
    request: ExportRequest,
    stop: watch::Receiver<bool>,
) {
    let host = host.clone();
    let begun = tokio::task::spawn_blocking(move || Exporter::begin(&host, &request)).await;
    let mut exporter = match flat(begun) {
        Ok(exporter) => exporter,
        // Whoever is gone needs no answer.
        Err(error) => return drop(send(&mut write, &Reply::from(error)).await),
    };
    loop {
        if *stop.borrow() {
            let text = "the server stops".to_owned();
            return drop(send(&mut write, &Reply::Failed { text }).await);
        }
        let made =
            tokio::task::spawn_blocking(move || exporter.next_piece().map(|piece| (piece, exporter))).await;
        let piece = match flat(made) {
            Ok((Some(piece), rest)) => {
                exporter = rest;
                piece
            }
            Ok((None, rest)) => {
                return drop(send(&mut write, &Reply::Exported { counts: rest.counts() }).await);
            }
            Err(error) => return drop(send(&mut write, &Reply::from(error)).await),
        };
        let Piece { file, bytes, is_last } = piece;
        let head = PieceHead { file, size_bytes: bytes.len(), is_last, so_far: exporter.counts() };
        if send(&mut write, &Reply::Piece(head)).await.is_err() || write.write_all(&bytes).await.is_err() {
            return;
        }
    }
}

/// The result of blocking work.
fn flat<T>(done: Result<Result<T, CommandError>, tokio::task::JoinError>) -> Result<T, CommandError> {
    done.unwrap_or_else(|_| Err(StoreError::Panicked.into()))
}
