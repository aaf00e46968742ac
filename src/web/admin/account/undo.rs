//! Undoing what an administrator did: `/admin/undo/{id}/`.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use crate::locale::text;
use crate::model::{Language, UndoId};
use crate::ops::OpError;
use crate::ops::undo::carry_out;
use crate::ops::undo::outcome::{Left, Undone};
use crate::web::admin::parts::undo::{UndoView, who};
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

/// People whom the answer names.
const NAMED_MAX: usize = 20;

#[derive(Template)]
#[template(path = "admin_undo_page.html", config = "src/web/askama.toml")]
struct UndoPage {
    frame: Frame,
    problems: FieldProblems,
    title: String,
    /// The action, if it can be undone.
    undo: Option<UndoView>,
    /// What was undone, or why nothing is.
    lede: String,
    /// What stays as it is, and why.
    left: Vec<String>,
    /// The number of the request, where the page stands for an error.
    request_id: Option<String>,
}

/// The number in the path.
fn number(context: &Context) -> Result<UndoId, PageError> {
    context.param("id").parse().map(UndoId).map_err(|_| PageError::NotFound)
}

/// `GET /admin/undo/{id}/`
pub(in crate::web) fn page(context: &Context) -> PageResult {
    show(context, StatusCode::OK, FieldProblems::default())
}

fn show(context: &Context, status: StatusCode, problems: FieldProblems) -> PageResult {
    let (id, language) = (number(context)?, context.language);
    let tx = context.read()?;
    let found = crate::ops::undo::action(&tx, context.administrator()?, id, context.core.now())?;
    let Some(action) = found else { return over(context) };
    let page = UndoPage {
        frame: Frame::of(context),
        problems,
        title: text!(language, "undo-title"),
        undo: Some(UndoView::of(context, &action)),
        lede: text!(language, "undo-next"),
        left: Vec::new(),
        request_id: None,
    };
    context.html(status, &page)
}

/// The page in place of an action that cannot be undone any more.
fn over(context: &Context) -> PageResult {
    tracing::info!(http.status = 410, page = "undo", client = %context.site.client, "A page answered 410");
    let page = UndoPage {
        frame: Frame::of(context),
        problems: FieldProblems::default(),
        title: text!(context.language, "undo-over"),
        undo: None,
        lede: text!(context.language, "undo-over-next"),
        left: Vec::new(),
        request_id: Some(context.request_id.clone()),
    };
    context.html(StatusCode::GONE, &page)
}

/// `POST /admin/undo/{id}/`
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let (id, language) = (number(&context)?, context.language);
    if context.form.get("action") != "undo" {
        let problems = FieldProblems::one("undo", text!(language, "problem-no-button"));
        return show(&context, StatusCode::BAD_REQUEST, problems);
    }
    let caller = context.administrator()?;
    let undoing = context.core.perform(caller, move |tx, by| carry_out::undo(tx, &by.caller, id, by.now));
    let Undone { done, left } = match undoing.await {
        Err(OpError::NotFound { .. }) => return over(&context),
        undone => undone?,
    };
    let named = &done[..done.len().min(NAMED_MAX)];
    let (title, lede) = if done.is_empty() {
        (text!(language, "undo-none-title"), String::new())
    } else {
        let who = who(language, named, done.len());
        (text!(language, "undo-done-title"), text!(language, "undo-done", who = who))
    };
    let left = left.iter().take(NAMED_MAX).map(|(who, why)| left_words(language, who, *why));
    let page = UndoPage {
        frame: Frame::of(&context),
        problems: FieldProblems::default(),
        title,
        undo: None,
        lede,
        left: left.collect(),
        request_id: None,
    };
    context.show(&page)
}

fn left_words(language: Language, who: &str, why: Left) -> String {
    match why {
        Left::OptedOut => text!(language, "undo-left-opted-out", who = who),
        Left::Changed => text!(language, "undo-left-changed", who = who),
        Left::There => text!(language, "undo-left-there", who = who),
        Left::Gone => text!(language, "undo-left-gone", who = who),
        Left::Taken => text!(language, "undo-left-taken", who = who),
        Left::Full => text!(language, "undo-left-full", who = who),
    }
}
