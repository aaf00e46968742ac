//! The forms of the helpers of a list: others are invited, and taken out. `ops` decides who may.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::http::StatusCode;

use super::helpers::{path_of, show};
use super::loading::load;
use crate::locale::text;
use crate::model::{AdminId, EmailAddress, Permission};
use crate::ops::accounts::admins::delegation::{self as ops, Invited};
use crate::ops::{OpError, Problems};
use crate::web::admin::parts::fields::refusal;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;

/// `POST /admin/lists/{name}/helpers/`
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    load(&context)?;
    match context.form.get("action") {
        "invite" => invite(&context).await,
        "take-out" => take_out(&context).await,
        _ => {
            let problems = FieldProblems::one("username", text!(context.language, "problem-no-button"));
            show(&context, StatusCode::BAD_REQUEST, None, problems)
        }
    }
}

/// Invites somebody to the list.
async fn invite(context: &Context) -> PageResult {
    let (detail, caller) = load(context)?;
    let name = detail.list.name.to_string();
    let path = path_of(&detail.list);
    if let Some(response) = context.ask_again(&path)? {
        return Ok(response);
    }
    let mut problems = Problems::default();
    let typed = context.form.get("username").trim();
    let username = match EmailAddress::parse(typed) {
        Ok(address) => Some(address),
        Err(_) if typed.is_empty() => None,
        Err(problem) => {
            problems.add("username", problem);
            None
        }
    };
    let words = context.form.all("permissions").filter_map(Permission::from_word);
    let invited = Invited {
        username,
        firstname: context.form.get("firstname").trim().to_owned(),
        surname: context.form.get("surname").trim().to_owned(),
        permissions: words.collect::<BTreeSet<_>>(),
        problems,
    };
    let job = context.core.perform(caller, move |tx, by| ops::invite_to(tx, by, &name, invited));
    match job.await {
        Ok(_) => Ok(context.see_other(&format!("{path}?done=invited"))),
        Err(error) => refuse(context, error),
    }
}

/// Takes somebody out of the list.
async fn take_out(context: &Context) -> PageResult {
    let (detail, caller) = load(context)?;
    let name = detail.list.name.to_string();
    let path = path_of(&detail.list);
    if let Some(response) = context.ask_again(&path)? {
        return Ok(response);
    }
    let id = context.form.get("id").parse().map(AdminId).map_err(|_| PageError::NotFound)?;
    let is_self = caller.is_admin(id);
    let job =
        context.core.perform_reserved(caller, move |tx, by| ops::take_out(tx, &by.caller, &name, id, by.now));
    match job.await {
        // Who takes itself out sees the list no more.
        Ok(_) if is_self => Ok(context.see_other("/admin/")),
        Ok(_) => Ok(context.see_other(&format!("{path}?done=taken-out"))),
        Err(error) => refuse(context, error),
    }
}

fn refuse(context: &Context, error: OpError) -> PageResult {
    let (status, found) = refusal(error)?;
    let mut problems = FieldProblems::default();
    for problem in found.iter() {
        let (field, label) = match problem.field.as_str() {
            "username" => ("username", text!(context.language, "helpers-address")),
            _ => ("permissions", text!(context.language, "helpers-rights")),
        };
        problems.add_named(context.language, field, label, &problem.problem);
    }
    let status = if status.is_success() { StatusCode::BAD_REQUEST } else { status };
    show(context, status, None, problems)
}
