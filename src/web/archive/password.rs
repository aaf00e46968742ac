//! The page that asks for the password of a protected archive. The right one sets a cookie that opens this archive
//! alone; a client that gives too many wrong ones must wait.

use std::sync::Arc;

use askama::Template;
use axum::http::{StatusCode, header};

use super::closed::password_path;
use crate::locale::text;
use crate::model::List;
use crate::ops::archive::passwords::{self, PASSWORD_BYTES_MAX};
use crate::store::StoreError;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;
use crate::web::heading::heading_and_text;

#[derive(Template)]
#[template(path = "archive_password.html", config = "src/web/askama.toml")]
struct PasswordPage {
    frame: Frame,
    list: String,
    csrf: String,
    problems: FieldProblems,
    /// The path behind the page, of the list's archive; blank for its first page.
    next: String,
}

/// `GET /lists/{name}/password/`
pub(in crate::web) fn page(context: &Context) -> PageResult {
    let list = find(context)?;
    if list.name.as_str() != context.param("name") {
        return Err(PageError::Moved(password_path(context, &list)));
    }
    context.show(&asking(context, &list, context.query.get("next"), FieldProblems::default()))
}

/// `POST /lists/{name}/password/`: opens the archive for this browser.
pub(in crate::web) async fn open(context: Arc<Context>) -> PageResult {
    let list = find(&context)?;
    let (core, now) = (&context.core, context.core.now());
    let (id, client, caller) = (list.id, context.site.client, context.caller());
    let counted = core.perform(&caller, move |tx, _| passwords::count_attempt(tx, id, client, now)).await;
    if let Err(until) = counted.map_err(|error: StoreError| PageError::from(error))? {
        return Err(PageError::TooMany { retry_secs: until.since(now).as_secs() + 1 });
    }
    let given = context.form.get("password").to_owned();
    let hash = list.archive_password_hash.clone().filter(|_| given.len() <= PASSWORD_BYTES_MAX);
    let is_right = match hash {
        Some(hash) => core.passwords.is_right(hash, given).await?,
        None => false,
    };
    let pass = passwords::pass(&core.signer, &list, now).filter(|_| is_right);
    let Some(pass) = pass else {
        let problems = FieldProblems::one("password", text!(context.language, "archive-password-wrong"));
        let next = context.form.get("next");
        return context.html(StatusCode::BAD_REQUEST, &asking(&context, &list, next, problems));
    };
    let forgiven = core.perform(&caller, move |tx, _| passwords::forgive_attempt(tx, id, client, now)).await;
    forgiven.map_err(|error: StoreError| PageError::from(error))?;
    let root = context.list_path(&list);
    let next = context.form.get("next");
    // Only pages of this archive: anything else could lead astray.
    let is_within = next.starts_with(&root)
        && !next.contains(|c: char| c == '\\' || c.is_control())
        && !next.contains("..");
    let mut response = context.lead_to(if is_within { next } else { &root });
    response.headers_mut().append(header::SET_COOKIE, context.set_pass(list.id, &pass));
    Ok(response)
}

fn asking(context: &Context, list: &List, next: &str, problems: FieldProblems) -> PasswordPage {
    let title = heading_and_text(&list.description).0;
    PasswordPage {
        frame: Frame::of(context),
        list: title.unwrap_or_else(|| list.name.to_string()),
        csrf: context.csrf(),
        problems,
        next: next.to_owned(),
    }
}

/// The list of the path, if a password opens its archive.
fn find(context: &Context) -> Result<List, PageError> {
    let tx = context.read()?;
    let list =
        crate::ops::archive::access::find_list(&tx, context.site_account()?.id, context.param("name"))?;
    let asks = crate::ops::archive::access::asks_password;
    list.filter(asks).ok_or(PageError::NotFound)
}
