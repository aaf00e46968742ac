//! The page of a list: its settings, a preview of what stands above and below its messages, what would happen to a mail,
//! the people who look after it, and its deletion: `/admin/lists/{name}/`.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::delegation::{self, Helpers};
use super::index;
use super::list_table::{TABLE, values_of};
use super::preview::{self, Preview};
use super::simulation::{self, Outcome};
use crate::locale::text;
use crate::model::{Account, List, Permission};
use crate::ops::audit::Step;
use crate::ops::lists::{self as ops, Deletion, ListDetail, ListFilter, ListInput, Members};
use crate::ops::posting::simulate;
use crate::ops::{Caller, OpError, PageRequest};
use crate::params::{Params, ReadError, lists as reader};
use crate::web::admin::parts::fields::{ControlView, GroupView, Sheet, Values, refusal};
use crate::web::context::{Context, blocking};
use crate::web::error::PageError;
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;
use crate::web::table::PageResult;

/// The box that takes the password of the archive away.
const NO_PASSWORD: &str = "no_archive_password";

#[derive(Template)]
#[template(path = "admin_list.html", config = "src/web/askama.toml")]
struct ListPage {
    frame: Frame,
    csrf: String,
    action: String,
    lists: String,
    members: String,
    /// The page of the list for everybody.
    public: String,
    title: String,
    name: String,
    is_pending: bool,
    problems: FieldProblems,
    told: Option<String>,
    groups: Vec<GroupView>,
    has_password: bool,
    may_change: bool,
    may_simulate: bool,
    preview: Option<Preview>,
    /// The mail that was tried, and what would happen to it.
    message: String,
    outcome: Option<Outcome>,
    helpers: Option<Helpers>,
}

/// The facts on a page beside the stored settings.
#[derive(Default)]
pub(super) struct Shown {
    pub(super) status: StatusCode,
    pub(super) problems: FieldProblems,
    pub(super) told: Option<String>,
    pub(super) values: Option<Values>,
    pub(super) preview: Option<Preview>,
    pub(super) outcome: Option<Outcome>,
}

/// `GET /admin/lists/{name}/`
pub(in crate::web) fn page(context: &Context) -> PageResult {
    let language = context.language;
    let told = match context.query.get("done") {
        "saved" => Some(text!(language, "set-saved")),
        "made" => Some(text!(language, "list-made")),
        word => delegation::told(language, word),
    };
    show(context, Shown { told, ..Shown::default() })
}

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

/// The list of the path.
pub(super) fn load(context: &Context) -> Result<(ListDetail, &Arc<Caller>), PageError> {
    let caller = context.administrator()?;
    let tx = context.core.store.read()?;
    Ok((ops::get(&tx, caller, context.param("name"), Members::Skip)?, caller))
}

fn account(context: &Context) -> Result<&Account, PageError> {
    context.account.as_ref().ok_or(PageError::NotFound)
}

/// The form, which offers the lists that the reader sees.
fn sheet(context: &Context) -> Result<Sheet, PageError> {
    let mut sheet = Sheet::new(TABLE, reader::fields);
    let caller = context.administrator()?;
    let tx = context.core.store.read()?;
    let all = ops::list(&tx, caller, &ListFilter::default(), Members::Skip, PageRequest::All)?;
    let offered = all.rows.iter().map(|detail| {
        let List { name, .. } = &detail.list;
        let title = detail.list.title();
        let label = if title == name.as_str() { title.to_owned() } else { format!("{name} – {title}") };
        (name.to_string(), label)
    });
    sheet.offer("restrict_post_lists", offered.collect());
    Ok(sheet)
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
            input.changes.archive_password_hash = Some(None);
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
    let mut bare = self::sheet(context)?;
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

pub(super) fn show(context: &Context, shown: Shown) -> PageResult {
    let language = context.language;
    let (detail, caller) = load(context)?;
    let Shown { status, problems, told, values, preview, outcome } = shown;
    let list = &detail.list;
    let path = index::path_of(list.name.as_str());
    let values = values.unwrap_or_else(|| values_of(&detail));
    let helpers = {
        let tx = context.core.store.read()?;
        delegation::view(context, &tx, account(context)?, list)?
    };
    let page = ListPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        lists: context.href(index::PATH),
        members: context.href(&format!("{path}members/")),
        public: context.href(&format!("/lists/{}/", list.name)),
        action: context.href(&path),
        title: list.title().to_owned(),
        name: list.name.to_string(),
        is_pending: list.pending,
        groups: sheet(context)?.view(language, &values, &problems),
        problems,
        told,
        has_password: list.archive_password_hash.is_some(),
        may_change: caller.holds(Permission::ManageSettings),
        may_simulate: simulate::require(caller).is_ok(),
        preview,
        message: context.form.get("message").replace("\r\n", "\n"),
        outcome,
        helpers,
    };
    context.html(status, &page)
}
