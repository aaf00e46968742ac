//! Serves a message as a file, as members got it.

use std::sync::Arc;

use axum::http::{HeaderValue, header};
use axum::response::IntoResponse as _;

use super::access;
use super::download::{self, Disposition, content_disposition, with};
use super::part::{SANDBOX, message};
use crate::ops::archive::parts;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};

/// `GET /lists/{name}/messages/{id}/raw`
pub(in crate::web) async fn file(context: Arc<Context>) -> PageResult {
    let size_bytes = {
        let tx = context.read()?;
        let open = access::open(&context, &tx)?;
        // A message is full of addresses: in an archive that hides them it is for those alone who see them.
        if !open.shows_addresses {
            return Err(PageError::NotFound);
        }
        message(&context, &tx, &open.list)?.size_bytes
    };
    let memory = context.reading(size_bytes).await?;
    let finding = Arc::clone(&context);
    let found = tokio::task::spawn_blocking(move || {
        let _memory = memory;
        let tx = finding.read()?;
        let open = access::open(&finding, &tx)?;
        let message = message(&finding, &tx, &open.list)?;
        let links = finding.core.links.of(&tx, open.account.id)?;
        let whole = parts::whole(&tx, &links, &open.list, &message)?.ok_or(PageError::NotFound)?.file;
        Ok::<_, PageError>((open, message, whole))
    });
    let (open, message, whole) = found.await.map_err(|error| PageError::Internal(error.to_string()))??;
    let etag = format!("\"{}\"", whole.tag);
    let (status, mut headers, range) = download::head(&context, &etag, whole.length);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("message/rfc822"));
    headers.insert(header::CONTENT_SECURITY_POLICY, SANDBOX);
    download::set_cache(&mut headers, &context, &open);
    let name = format!("{}-{}.eml", open.list.name, message.id);
    let disposition = content_disposition(Disposition::Attachment, &name);
    download::insert(&mut headers, header::CONTENT_DISPOSITION, &disposition);
    let body = match range {
        Some(range) => {
            let mut reader = whole.read(range);
            download::streamed(&context.core.store, move |tx| reader.next(tx))
        }
        None => ().into_response(),
    };
    Ok(with(body, status, headers))
}
