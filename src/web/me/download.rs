//! Offers everything that is kept about a member as files: the data about the person as JSON, and the own posts as a
//! mailbox file, which is made while it is sent.

use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use tokio::sync::mpsc;

use crate::http::chunks;
use crate::model::{AccountId, ContactId, EmailAddress, Person};
use crate::ops::archive::own_posts::OwnPosts;
use crate::ops::people::{contacts, download};
use crate::ops::sessions;
use crate::store::Store;
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};

/// Pieces that are read ahead of the browser.
const READ_AHEAD: usize = 1;

/// `GET /members/download/`: what is kept about the member; with `?format=mbox`, the member's posts.
pub(in crate::web) async fn file(context: Arc<Context>) -> PageResult {
    match context.query.get("format") {
        "" | "json" => blocking(&context, record).await,
        "mbox" => posts(&context).await,
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
    let kept = download::everything(&context.read()?, member(context)?)?;
    let json = chunks::json_file(&kept).map_err(PageError::Internal)?;
    Ok(attached(json.into_response(), "application/json", "my-data.json"))
}

async fn posts(context: &Context) -> PageResult {
    let (account, addresses) = {
        let tx = context.read()?;
        let contact = sessions::member_of(&tx, context.session()?)?.ok_or(PageError::SignInNeeded)?;
        let emails = contacts::emails_of(&tx, &contact)?;
        (contact.account, emails.into_iter().rev().map(|email| email.address).collect())
    };
    let posts = posts_of(context, account, addresses).await?;
    Ok(attached(posts, "application/mbox", "my-posts.mbox"))
}

/// The posts of these addresses as a mailbox file, the last address first.
pub(in crate::web) async fn posts_of(
    context: &Context,
    account: AccountId,
    addresses: Vec<EmailAddress>,
) -> PageResult {
    let place = context.core.reading_memory.download(context.owners()).await?;
    let (sender, receiver) = mpsc::channel(READ_AHEAD);
    let sending = send(context.core.store.clone(), OwnPosts::new(account, addresses), sender);
    tokio::task::spawn(async move {
        let _place = place;
        sending.await;
    });
    Ok(chunks::streamed(receiver).into_response())
}

/// Reads piece after piece, each in a snapshot that ends before the browser is waited for.
async fn send(store: Store, mut posts: OwnPosts, sender: mpsc::Sender<Bytes>) {
    loop {
        let store = store.clone();
        let read = tokio::task::spawn_blocking(move || {
            let piece = store.read().and_then(|tx| posts.next(&tx));
            (posts, piece)
        });
        let Ok((next, piece)) = read.await else { return };
        posts = next;
        match piece {
            Ok(Some(piece)) => {
                // The browser may be gone.
                if sender.send(piece.into()).await.is_err() {
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

/// The response as a file of this kind and name.
pub(in crate::web) fn attached(mut response: Response, kind: &'static str, name: &'static str) -> Response {
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}\""));
    let disposition = disposition.unwrap_or_else(|_| HeaderValue::from_static("attachment"));
    response.headers_mut().insert(header::CONTENT_DISPOSITION, disposition);
    response
}
