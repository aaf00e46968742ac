//! What the forms on the page of a list do: save its settings, show a preview or what would happen to a mail, invite
//! people who look after it, and delete it.

use std::sync::Arc;

use axum::http::StatusCode;

use super::list::{Shown, load, sheet, show};
use super::{delegation, index, list, preview, simulation};
use crate::locale::text;
use crate::model::Permission;
use crate::ops::audit::Step;
use crate::ops::lists::{self as ops, Deletion, ListInput};
use crate::ops::{Caller, OpError};
use crate::params::{Params, ReadError, lists as reader};
use crate::web::admin::parts::fields::{Sheet, refusal};
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;

/// The box that takes the password of the archive away.
const NO_PASSWORD: &str = "no_archive_password";

/// `POST /admin/lists/{name}/`
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    match context.form.get("action") {
        "preview" => show_preview(&context).await,
        "simulate" => try_message(&context).await,
        "invite" => delegation::invite(&context).await,
        "take-out" => delegation::take_out(&context).await,
        "delete" => delete(&context).await,
        "" if context.form.has("message") => try_message(&context).await,
        "" | "save" => save(&context).await,
        _ => Err(PageError::BadRequest),
    }
}

/// Reads the settings that were sent as a call of the API has them.
async fn input(context: &Context, name: &str, mut params: Params) -> Result<ListInput, ReadError> {
    let caller = context.administrator().map_err(|_| OpError::NotFound { what: "list" })?;
    let account = context.account.as_ref().ok_or(OpError::NotFound { what: "account" })?;
    reader::input(&context.core, caller, account, &mut params, Some(name)).await
}

async fn save(context: &Context) -> PageResult {
    let (detail, caller) = load(context)?;
    let name = detail.list.name.to_string();
    let sheet = sheet(context)?;
    if sheet.is_missing(&context.form) {
        let problems = FieldProblems::one("fields", text!(context.language, "problem-no-button"));
        return show(context, Shown { status: StatusCode::BAD_REQUEST, problems, ..Shown::default() });
    }
    let params = sheet.params(&context.form)?;
    let forgets = context.form.has(NO_PASSWORD) && context.form.get("archive_password").is_empty();
    let saved = async {
        let mut input = input(context, &name, params).await?;
        if forgets {
            input.archive_password_hash = Some(None);
        }
        let name = name.clone();
        let job =
            context.core.perform(caller, move |tx, by| ops::update(tx, &by.caller, &name, input, by.now));
        job.await.map_err(ReadError::from)
    };
    match saved.await {
        Ok(detail) => {
            Ok(context.see_other(&format!("{}?done=saved", index::path_of(detail.list.name.as_str()))))
        }
        Err(ReadError::Op(error)) => refuse(context, &sheet, error),
        Err(error) => Err(error.into()),
    }
}

fn refuse(context: &Context, sheet: &Sheet, error: OpError) -> PageResult {
    let (status, found) = refusal(error)?;
    let problems = sheet.problems(context.language, &found);
    let values = Some(sheet.sent(&context.form));
    show(context, Shown { status, problems, values, ..Shown::default() })
}

/// Shows the newest message of the list with what the form has above and below it; stores nothing.
async fn show_preview(context: &Arc<Context>) -> PageResult {
    let (detail, _) = load(context)?;
    let sheet = sheet(context)?;
    let mut bare = list::sheet(context)?;
    // A password would be hashed for nothing.
    bare.leave_out("archive_password");
    let read = input(context, detail.list.name.as_str(), bare.params(&context.form)?).await;
    let ListInput { changes, problems, .. } = read?;
    if let Err(error) = problems.into_result() {
        return refuse(context, &sheet, error);
    }
    let list = ops::with_changes(&detail.list, changes);
    let newest = preview::newest(context, &detail.list)?;
    let memory = context.reading(newest.as_ref().map_or(0, |message| message.size_bytes)).await?;
    let stored = detail.list;
    let preview = blocking(context, move |context| {
        let _memory = memory;
        preview::of(context, &stored, &list, newest.as_ref()).map(Some)
    });
    let preview = preview.await?;
    let values = Some(sheet.sent(&context.form));
    show(context, Shown { values, preview, ..Shown::default() })
}

/// Says what would happen to a mail; nothing happens.
async fn try_message(context: &Context) -> PageResult {
    let (detail, _) = load(context)?;
    match simulation::run(context, &detail.list).await? {
        Ok(outcome) => show(context, Shown { outcome: Some(outcome), ..Shown::default() }),
        Err(problems) => {
            show(context, Shown { status: StatusCode::BAD_REQUEST, problems, ..Shown::default() })
        }
    }
}

async fn delete(context: &Context) -> PageResult {
    let (detail, caller) = load(context)?;
    let name = detail.list.name.to_string();
    caller.require(Permission::ManageSettings)?;
    if !context.form.get("confirm").trim().eq_ignore_ascii_case(&name) {
        let words = text!(context.language, "list-delete-wrong", name = &name);
        let problems = FieldProblems::one("confirm", words);
        return show(context, Shown { status: StatusCode::BAD_REQUEST, problems, ..Shown::default() });
    }
    let mut step = Step::First;
    loop {
        // Noted by the first step: what is left is the server's to finish.
        let performer = if step == Step::First { Arc::clone(caller) } else { Caller::of_server() };
        let (caller, name) = (Arc::clone(caller), name.clone());
        let job = context
            .core
            .perform_reserved(&performer, move |tx, by| ops::delete(tx, &caller, &name, step, by.now));
        if job.await? == Deletion::Done {
            return Ok(context.see_other(&format!("{}?done=deleted", index::PATH)));
        }
        step = Step::Later;
    }
}
