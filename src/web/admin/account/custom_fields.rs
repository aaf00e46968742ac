//! The custom fields that people in an account's address book have: `/admin/settings/fields/`.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use crate::locale::text;
use crate::model::CustomField;
use crate::ops::OpError;
use crate::ops::accounts::fields::{self as ops, FieldChange};
use crate::ops::people::contacts::account_of;
use crate::web::admin::parts::fields::refusal;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

/// The path of the page.
const PATH: &str = "/admin/settings/fields/";

#[derive(Template)]
#[template(path = "admin_fields.html", config = "src/web/askama.toml")]
struct FieldsPage {
    frame: Frame,
    csrf: String,
    action: String,
    settings: String,
    domains: String,
    problems: FieldProblems,
    told: Option<String>,
    rows: Vec<FieldRow>,
    name: String,
    identifier: String,
}

struct FieldRow {
    /// The number of the field, for the `id`s of its controls.
    number: u32,
    /// The key by which the form names it.
    key: String,
    name: String,
    identifier: String,
    members_edit: bool,
}

/// `GET /admin/settings/fields/`
pub(in crate::web) fn page(context: &Context) -> PageResult {
    let language = context.language;
    let told = match context.query.get("done") {
        "added" => Some(text!(language, "fields-added")),
        "saved" => Some(text!(language, "fields-saved")),
        "deleted" => Some(text!(language, "fields-deleted")),
        _ => None,
    };
    show(context, StatusCode::OK, told, FieldProblems::default())
}

/// `POST /admin/settings/fields/`
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let (core, caller, form) = (&context.core, context.administrator()?, &context.form);
    let name = form.get("name").trim().to_owned();
    let identifier = Some(form.get("id").trim().to_owned()).filter(|id| !id.is_empty());
    let field = form.get("field").to_owned();
    let (done, changed): (&str, Result<CustomField, OpError>) = match form.get("action") {
        "" | "add" if field.is_empty() => {
            let job = core.perform(caller, move |tx, by| {
                ops::add(tx, &by.caller, &name, identifier.as_deref(), by.now)
            });
            ("added", job.await)
        }
        "" | "save" => {
            let change = FieldChange {
                name: Some(name),
                identifier: Some(identifier),
                members_edit: Some(!form.get("members_edit").is_empty()),
            };
            let job = core.perform(caller, move |tx, by| ops::change(tx, &by.caller, &field, change, by.now));
            ("saved", job.await)
        }
        "delete" => {
            let job =
                core.perform_reserved(caller, move |tx, by| ops::delete(tx, &by.caller, &field, by.now));
            let deleted = job.await;
            // The values that people have of it are removed in the background.
            tokio::spawn(core.clone().remove_field_values());
            ("deleted", deleted)
        }
        _ => return Err(PageError::BadRequest),
    };
    match changed {
        Ok(_) => Ok(context.see_other(&format!("{PATH}?done={done}"))),
        Err(error) => refuse(&context, error),
    }
}

fn refuse(context: &Context, error: OpError) -> PageResult {
    let (status, found) = refusal(error)?;
    let mut problems = FieldProblems::default();
    let language = context.language;
    for problem in found.iter() {
        let (field, label) = match problem.field.as_str() {
            "id" => ("id", text!(language, "fields-id")),
            _ => ("name", text!(language, "fields-name")),
        };
        problems.add_named(language, field, label, &problem.problem);
    }
    show(context, status, None, problems)
}

fn show(context: &Context, status: StatusCode, told: Option<String>, problems: FieldProblems) -> PageResult {
    let tx = context.read()?;
    let account = account_of(&tx, context.administrator()?)?;
    let editable = ops::members_edit(&tx, account.id)?;
    let row = |field: &CustomField| FieldRow {
        number: field.id.0,
        key: field.key().to_owned(),
        name: field.name.clone(),
        identifier: field.identifier.clone().unwrap_or_default(),
        members_edit: editable.contains(&field.id),
    };
    let is_new = context.form.get("field").is_empty();
    let typed = |name: &str| if is_new { context.form.get(name).to_owned() } else { String::new() };
    let page = FieldsPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(PATH),
        settings: context.href("/admin/settings/"),
        domains: context.href("/admin/settings/domains/"),
        problems,
        told,
        rows: account.custom_fields.iter().map(row).collect(),
        name: typed("name"),
        identifier: typed("id"),
    };
    context.html(status, &page)
}
