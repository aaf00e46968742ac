//! What the forms of a list's settings do: save what is on their page, and show a preview.

use std::sync::Arc;

use axum::http::StatusCode;

use super::list::{Shown, asked, sheet, show};
use super::list_table::Part;
use super::loading::load;
use super::{index, preview, questions};
use crate::locale::text;
use crate::ops::OpError;
use crate::ops::lists::{self as ops, ListInput};
use crate::ops::undo::settings;
use crate::params::{Params, ReadError, lists as reader};
use crate::web::admin::account::export;
use crate::web::admin::parts::fields::{Sheet, refusal};
use crate::web::admin::parts::undo;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;

/// The box that takes the password of the archive away.
const NO_PASSWORD: &str = "no_archive_password";

/// `POST /admin/lists/{name}/` and the pages below it
pub(in crate::web) async fn act(context: Arc<Context>, part: Part) -> PageResult {
    match context.form.get("action") {
        "preview" if part == Part::Texts => show_preview(&context).await,
        "export" if part == Part::Advanced => {
            let (detail, _) = load(&context)?;
            export::list(&context, &detail.list).await
        }
        "" | "save" => save(&context, part).await,
        _ => Err(PageError::BadRequest),
    }
}

/// Reads the settings that were sent as a call of the API has them.
async fn input(context: &Context, name: &str, mut params: Params) -> Result<ListInput, ReadError> {
    let caller = context.administrator().map_err(|_| OpError::NotFound { what: "list" })?;
    let account = context.account.as_ref().ok_or(OpError::NotFound { what: "account" })?;
    reader::input(&context.core, caller, account, &mut params, Some(name)).await
}

async fn save(context: &Context, part: Part) -> PageResult {
    let (detail, caller) = load(context)?;
    let name = detail.list.name.to_string();
    let sheet = sheet(context, part)?;
    let form = &context.form;
    if sheet.is_missing(form) {
        let problems = FieldProblems::one("fields", text!(context.language, "problem-no-button"));
        return show(context, part, Shown { status: StatusCode::BAD_REQUEST, problems, ..Shown::default() });
    }
    if let Some(problems) = questions::problem(context.language, form).filter(|_| part == Part::Basics) {
        let values = Some(sheet.sent(form));
        let status = StatusCode::BAD_REQUEST;
        return show(context, part, Shown { status, problems, values, ..Shown::default() });
    }
    let mut pairs = sheet.pairs(form);
    questions::carry_over(part, form, &asked(context, &detail.list)?, &mut pairs);
    let params = Params::from_pairs(pairs).map_err(|_| PageError::BadRequest)?;
    let forgets = part == Part::Archive && form.has(NO_PASSWORD) && form.get("archive_password").is_empty();
    let saved = async {
        let mut input = input(context, &name, params).await?;
        if forgets {
            input.archive_password_hash = Some(None);
        }
        let name = name.clone();
        let job = context
            .core
            .perform(caller, move |tx, by| settings::change_list(tx, &by.caller, &name, input, by.now));
        job.await.map_err(ReadError::from)
    };
    match saved.await {
        Ok((detail, action)) => {
            let (path, undo) = (index::path_of(detail.list.name.as_str()), undo::field(action));
            Ok(context.see_other(&format!("{path}{}?done=saved{undo}", part.path())))
        }
        Err(ReadError::Op(error)) => refuse(context, part, &sheet, error),
        Err(error) => Err(error.into()),
    }
}

fn refuse(context: &Context, part: Part, sheet: &Sheet, error: OpError) -> PageResult {
    let (status, found) = refusal(error)?;
    let problems = sheet.problems(context.language, &found);
    let values = Some(sheet.sent(&context.form));
    show(context, part, Shown { status, problems, values, ..Shown::default() })
}

/// Shows the newest message of the list with what the form has above and below it; stores nothing.
async fn show_preview(context: &Arc<Context>) -> PageResult {
    let part = Part::Texts;
    let (detail, _) = load(context)?;
    let sheet = sheet(context, part)?;
    let read = input(context, detail.list.name.as_str(), sheet.params(&context.form)?).await;
    let ListInput { changes, problems, .. } = read?;
    if let Err(error) = problems.into_result() {
        return refuse(context, part, &sheet, error);
    }
    let list = ops::with_changes(&detail.list, changes);
    let preview = preview::shown(context, detail.list, list).await?.ok_or(PageError::NotFound)?;
    let values = Some(sheet.sent(&context.form));
    show(context, part, Shown { values, preview: Some(preview), is_unsaved: true, ..Shown::default() })
}
