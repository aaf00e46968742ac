//! A stream of events that a client follows (server-sent events): what is new, as it happens.
//!
//! The router begins one for a GET of `/events/` that accepts no other form. The key is looked at anew for everything that is
//! sent, so that a stream ends with the right to read.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Response, header};
use tokio::sync::mpsc;

use super::auth::{Keys, Principal};
use super::error::ApiError;
use super::events::{self, STREAM_BEGIN, STREAM_COMMENT};
use super::rate::Rate;
use crate::http::chunks;
use crate::model::EventType;
use crate::ops::events as ops;
use crate::params::Params;
use crate::service::Core;
use crate::store::ReadTx;

/// How long nothing is sent before a comment keeps the connection open.
const COMMENT_EVERY: Duration = Duration::from_secs(15);
/// Events that are read at a time.
const EVENTS_PER_STEP: usize = 100;
/// Pieces that wait for a slow client.
const PIECES_MAX: usize = 2;
/// The type of the answer.
const EVENT_STREAM: &str = "text/event-stream";

/// Whether a client asks for a stream.
pub(super) fn is_wanted(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|kind| kind.split(';').next().is_some_and(|kind| kind.trim() == EVENT_STREAM))
}

/// Begins a stream.
pub(super) fn begin(
    (core, keys): (&Core, &Arc<Keys>),
    parts: &Parts,
    mut params: Params,
    principal: &Arc<Principal>,
    client: IpAddr,
) -> Result<Response<Body>, ApiError> {
    principal.caller.require_read()?;
    let account_id = params.text("account_id");
    let (types, after) = events::stream_params(&mut params)?;
    let last = parts.headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let last = last.and_then(|id| id.trim().parse().ok());
    let position = match last.or(after) {
        Some(position) => position,
        None => ops::newest(&core.store.read()?)?.0,
    };
    let (sender, pieces) = mpsc::channel(PIECES_MAX);
    let follower = Follower {
        core: core.clone(),
        keys: Arc::clone(keys),
        headers: parts.headers.clone(),
        account_id,
        client,
        types,
        position,
    };
    tokio::spawn(follower.run(sender));
    let mut response = Response::new(chunks::streamed(pieces));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(EVENT_STREAM));
    Ok(response)
}

/// One client that follows.
struct Follower {
    core: Core,
    keys: Arc<Keys>,
    headers: HeaderMap,
    account_id: Option<String>,
    client: IpAddr,
    types: Vec<EventType>,
    /// The last event that was looked at.
    position: u64,
}

impl Follower {
    async fn run(mut self, sender: mpsc::Sender<Bytes>) {
        let mut news = self.core.event_bell.follow();
        if sender.send(Bytes::from_static(STREAM_BEGIN)).await.is_err() {
            return;
        }
        loop {
            news.borrow_and_update();
            let Ok((text, is_more)) = self.step() else { return };
            if !text.is_empty() && sender.send(Bytes::from(text)).await.is_err() {
                return;
            }
            if is_more {
                continue;
            }
            let piece = tokio::select! {
                changed = news.changed() => match changed {
                    Ok(()) => continue,
                    Err(_) => return,
                },
                () = tokio::time::sleep(COMMENT_EVERY) => STREAM_COMMENT,
                () = sender.closed() => return,
            };
            if sender.send(piece).await.is_err() {
                return;
            }
        }
    }

    /// The next events as text, and whether there are more.
    fn step(&mut self) -> Result<(String, bool), ApiError> {
        let core = &self.core;
        let principal = self.keys.principal(core, &self.headers, self.client, self.account_id.as_deref())?;
        principal.caller.require_read()?;
        let tx: ReadTx = core.store.read()?;
        let (text, last, is_more) =
            events::streamed(&tx, &principal, &self.types, self.position, EVENTS_PER_STEP)?;
        let shown = text.matches("\ndata: ").count() as u64;
        if 0 < shown {
            Rate::of(&principal, core.now()).take(shown)?;
        }
        self.position = last;
        Ok((text, is_more))
    }
}
