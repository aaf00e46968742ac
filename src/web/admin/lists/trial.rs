//! "Try a message": what would happen to a mail to a list. Nothing is sent, and nothing is kept:
//! `/admin/lists/{name}/try/`.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::head::{self, Head, Tab};
use super::index;
use super::loading::load;
use super::simulation::{self, Outcome};
use crate::locale::text;
use crate::model::List;
use crate::ops::posting::simulate;
use crate::web::context::Context;
use crate::web::error::PageResult;
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

#[derive(Template)]
#[template(path = "admin_list_trial.html", config = "src/web/askama.toml")]
struct TrialPage {
    frame: Frame,
    csrf: String,
    action: String,
    head: Head,
    problems: FieldProblems,
    told: Option<String>,
    /// The mail that was tried, and what would happen to it.
    message: String,
    outcome: Option<Outcome>,
}

fn path_of(list: &List) -> String {
    format!("{}try/", index::path_of(list.name.as_str()))
}

/// `GET /admin/lists/{name}/try/`
pub(in crate::web) fn page(context: &Context) -> PageResult {
    show(context, StatusCode::OK, FieldProblems::default(), None)
}

/// `POST /admin/lists/{name}/try/`
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let (detail, _) = load(&context)?;
    match simulation::run(&context, &detail.list).await? {
        Ok(outcome) => show(&context, StatusCode::OK, FieldProblems::default(), Some(outcome)),
        Err(problems) => show(&context, StatusCode::BAD_REQUEST, problems, None),
    }
}

fn show(
    context: &Context,
    status: StatusCode,
    problems: FieldProblems,
    outcome: Option<Outcome>,
) -> PageResult {
    let (detail, caller) = load(context)?;
    simulate::require(caller)?;
    let head = head::of(context, &detail.list, Tab::Trial)?;
    let page = TrialPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(&path_of(&detail.list)),
        head,
        problems,
        told: None,
        message: context.form.get("message").replace("\r\n", "\n"),
        outcome,
    };
    context.html(status, &page)
}
