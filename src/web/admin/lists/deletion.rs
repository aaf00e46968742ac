//! The page that asks before a list is deleted, and says what goes with it: `/admin/lists/{name}/delete/`.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::head::{self, Head, Tab};
use super::index;
use super::loading::load;
use crate::locale::text;
use crate::model::{List, Permission};
use crate::ops::Caller;
use crate::ops::archive::browse;
use crate::ops::audit::Step;
use crate::ops::lists::{self as ops, Deletion};
use crate::ops::moderation::waiting;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

#[derive(Template)]
#[template(path = "admin_list_delete.html", config = "src/web/askama.toml")]
struct DeletionPage {
    frame: Frame,
    csrf: String,
    action: String,
    /// The page of settings from which one comes.
    back: String,
    head: Head,
    problems: FieldProblems,
    told: Option<String>,
    /// What goes with the list, and what stays, each as a sentence.
    goes: Vec<String>,
}

/// The path of the page of a list.
pub(super) fn path_of(list: &List) -> String {
    format!("{}delete/", index::path_of(list.name.as_str()))
}

/// `GET /admin/lists/{name}/delete/`
pub(in crate::web) fn page(context: &Context) -> PageResult {
    show(context, StatusCode::OK, FieldProblems::default())
}

fn show(context: &Context, status: StatusCode, problems: FieldProblems) -> PageResult {
    let language = context.language;
    let (detail, caller) = load(context)?;
    caller.require(Permission::ManageSettings)?;
    let (list, tx) = (&detail.list, context.read()?);
    let mut goes = vec![
        text!(language, "list-delete-members", count = ops::member_count(&tx, list)?),
        text!(language, "list-delete-messages", count = browse::count(&tx, list)?),
    ];
    let waits = waiting::of_list(&tx, list)?;
    if 0 < waits {
        goes.push(text!(language, "list-delete-waiting", count = waits));
    }
    goes.push(text!(language, "list-delete-address"));
    let page = DeletionPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(&path_of(list)),
        back: context.href(&format!("{}advanced/", index::path_of(list.name.as_str()))),
        head: head::of(context, list, Tab::Settings)?,
        problems,
        told: None,
        goes,
    };
    context.html(status, &page)
}

/// `POST /admin/lists/{name}/delete/`
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    if context.form.get("action") != "delete" {
        let problems = FieldProblems::one("delete", text!(context.language, "problem-no-button"));
        return show(&context, StatusCode::BAD_REQUEST, problems);
    }
    let (detail, caller) = load(&context)?;
    caller.require(Permission::ManageSettings)?;
    let name = detail.list.name.to_string();
    let mut step = Step::First;
    loop {
        // Noted by the first step: what is left is the server's to finish.
        let performer = if step == Step::First { Arc::clone(caller) } else { Caller::of_server() };
        let (caller, name) = (Arc::clone(caller), name.clone());
        let job = context
            .core
            .perform_reserved(&performer, move |tx, by| ops::delete(tx, &caller, &name, step, by.now));
        if job.await.map_err(PageError::from)? == Deletion::Done {
            return Ok(context.see_other(&format!("{}?done=deleted", index::PATH)));
        }
        step = Step::Later;
    }
}
