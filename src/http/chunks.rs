//! Bodies of responses that are made while they are sent, and objects as JSON files.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::body::Bytes;
use hyper::body::Frame;
use serde::Serialize;
use tokio::sync::mpsc;

/// A body whose chunks come from a task; the task learns by a closed channel that the client is gone.
pub fn streamed(chunks: mpsc::Receiver<Bytes>) -> Body {
    Body::new(Chunks(chunks))
}

struct Chunks(mpsc::Receiver<Bytes>);

impl hyper::body::Body for Chunks {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|chunk| chunk.map(|chunk| Ok(Frame::data(chunk))))
    }
}

/// An object as a JSON file for people: with a line for each value.
pub fn json_file(object: &impl Serialize) -> Result<Vec<u8>, String> {
    serde_json::to_vec_pretty(object).map_err(|error| error.to_string())
}
