//! Offers everything that is kept about a member as files: the data about the person as JSON, and the own posts as a
//! mailbox file, which is made while it is sent.

use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use tokio::sync::mpsc;

use crate::http::chunks;
use crate::model::{Contact, ContactId, Person};
use crate::ops::archive::own_posts::OwnPosts;
use crate::ops::people::{contacts, download};
use crate::store::{Read as _, Store};
use crate::web::context::{Context, blocking};
use crate::web::error::PageError;
use crate::web::table::PageResult;

/// Posts that are read ahead of the browser.
const READ_AHEAD: usize = 1;

/// `GET /members/download/`: what is kept about the member; with `?format=mbox`, the member's posts.
pub(in crate::web) async fn file(context: Arc<Context>) -> PageResult {
    match context.query.get("format") {
        "" | "json" => blocking(&context, record).await,
        "mbox" => posts(&context),
        _ => Err(PageError::BadRequest),
    }
}

fn member(context: &Context) -> Result<ContactId, PageError> {
    match context.session()?.person {
        Person::Member(contact) => Ok(contact),
        Person::Admin(_) => Err(PageError::SignInNeeded),
    }
}

fn record(context: &Context) -> PageResult {
    let kept = download::everything(&context.core.store.read()?, member(context)?)?;
    let json = chunks::json_file(&kept).map_err(PageError::Internal)?;
    let (kind, name) = ("application/json", "attachment; filename=\"my-data.json\"");
    Ok(attached(json.into_response(), kind, name))
}

fn posts(context: &Context) -> PageResult {
    let tx = context.core.store.read()?;
    let contact = tx.get::<Contact>(member(context)?.0)?.ok_or(PageError::SignInNeeded)?;
    let emails = contacts::emails_of(&tx, &contact)?;
    let addresses = emails.into_iter().rev().map(|email| email.address).collect();
    drop(tx);
    let (sender, receiver) = mpsc::channel(READ_AHEAD);
    tokio::task::spawn(send(context.core.store.clone(), OwnPosts::new(contact.account, addresses), sender));
    let (kind, name) = ("application/mbox", "attachment; filename=\"my-posts.mbox\"");
    Ok(attached(chunks::streamed(receiver).into_response(), kind, name))
}

/// Reads post after post, each in a snapshot that ends before the browser is waited for.
async fn send(store: Store, mut posts: OwnPosts, sender: mpsc::Sender<Bytes>) {
    loop {
        let store = store.clone();
        let read = tokio::task::spawn_blocking(move || {
            let post = store.read().and_then(|tx| posts.next(&tx));
            (posts, post)
        });
        let Ok((next, post)) = read.await else { return };
        posts = next;
        match post {
            Ok(Some(post)) => {
                // The browser may be gone.
                if sender.send(post.into()).await.is_err() {
                    return;
                }
            }
            Ok(None) => return,
            Err(error) => {
                tracing::error!(error = %error, "The posts of a member could not be read to their end");
                return;
            }
        }
    }
}

fn attached(mut response: Response, kind: &'static str, name: &'static str) -> Response {
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response.headers_mut().insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(name));
    response
}
