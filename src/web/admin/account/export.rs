//! Takes an account or a list along: the buttons on the pages of settings that make a zip file with everything.
//!
//! The file is made while it is sent, so nothing of it is kept on this server, however large it is.

use std::io;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use tokio::sync::mpsc;

use crate::http::chunks;
use crate::model::{List, Permission};
use crate::ops::{Caller, OpError};
use crate::service::exports::ZippedExport;
use crate::web::admin::parts::csv::note_export;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};

/// Parts of a file that are made ahead of the client.
const MADE_AHEAD: usize = 1;

/// Whether an administrator may take an account or a list along: only who sees all lists and all fields of people.
pub(in crate::web::admin) fn may_take(caller: &Caller) -> bool {
    caller.holds(Permission::AccountAdmin) && caller.limits.lists().is_none() && !caller.limits.hide_fields()
}

fn require_may_take(context: &Context) -> Result<(), PageError> {
    if may_take(context.administrator()?) {
        return Ok(());
    }
    Err(OpError::Forbidden { permission: Permission::AccountAdmin }.into())
}

/// The button on the page of the account's settings.
pub(in crate::web::admin) async fn account(context: &Context) -> PageResult {
    require_may_take(context)?;
    if let Some(asking) = context.ask_again("/admin/settings/")? {
        return Ok(asking);
    }
    note_export(context, "account", "").await?;
    file(context, None)
}

/// The button on a page of a list's settings.
pub(in crate::web::admin) async fn list(context: &Context, list: &List) -> PageResult {
    let name = list.name.as_str();
    require_may_take(context)?;
    if let Some(asking) = context.ask_again(&format!("/admin/lists/{name}/advanced/"))? {
        return Ok(asking);
    }
    note_export(context, name, "list").await?;
    file(context, Some(name))
}

fn file(context: &Context, list: Option<&str>) -> PageResult {
    let core = &context.core;
    let export = core.exports.begin(core, context.administrator()?.account, list)?;
    let (sender, receiver) = mpsc::channel(MADE_AHEAD);
    let permit = context.permit();
    let sending = send(ZippedExport::new(export), sender);
    tokio::task::spawn(async move {
        // The file counts until it is sent.
        let _permit = permit;
        sending.await;
    });
    let mut response = chunks::streamed_or_cut(receiver).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    let name = list.unwrap_or("account");
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}.zip\""));
    let plain = || HeaderValue::from_static("attachment; filename=\"export.zip\"");
    headers.insert(header::CONTENT_DISPOSITION, disposition.unwrap_or_else(|_| plain()));
    Ok::<Response, _>(response)
}

/// Makes each part when the client took the one before. After an error the connection is cut, so that no client takes
/// what it has for the whole.
async fn send(mut zipped: ZippedExport, sender: mpsc::Sender<io::Result<axum::body::Bytes>>) {
    loop {
        let making = tokio::task::spawn_blocking(move || {
            let made = zipped.next_part();
            (zipped, made)
        });
        let Ok((again, made)) = making.await else { return };
        zipped = again;
        let part = match made {
            Ok(Some(bytes)) => Ok(bytes.into()),
            Ok(None) => return,
            Err(error) => {
                tracing::error!(error, "An export could not be made to its end");
                Err(io::Error::other("the export could not be made to its end"))
            }
        };
        let is_end = part.is_err();
        // The client may be gone.
        if sender.send(part).await.is_err() || is_end {
            return;
        }
    }
}
