//! Bodies of responses that are made while they are sent, and objects as JSON files.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::body::Bytes;
use hyper::body::Frame;
use serde::Serialize;
use tokio::sync::mpsc;

/// A body whose chunks come from a task; the task learns by a closed channel that the client is gone.
pub fn streamed(chunks: mpsc::Receiver<Bytes>) -> Body {
    Body::new(Chunks(chunks, Ok))
}

/// Like [`streamed`], of a task that can fail: the connection is cut then, so that no client takes what it has for the
/// whole.
pub fn streamed_or_cut(chunks: mpsc::Receiver<io::Result<Bytes>>) -> Body {
    Body::new(Chunks(chunks, |chunk| chunk))
}

struct Chunks<T>(mpsc::Receiver<T>, fn(T) -> io::Result<Bytes>);

impl<T> hyper::body::Body for Chunks<T> {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let read = self.1;
        self.0.poll_recv(context).map(|chunk| chunk.map(|chunk| read(chunk).map(Frame::data)))
    }
}

/// An object as a JSON file for people: with a line for each value.
pub fn json_file(object: &impl Serialize) -> Result<Vec<u8>, String> {
    serde_json::to_vec_pretty(object).map_err(|error| error.to_string())
}
