//! The page of a list: its settings, a preview of what stands above and below its messages, what would happen to a mail,
//! the people who look after it, and its deletion: `/admin/lists/{name}/`. Its forms are in [`list_forms`](super::list_forms).

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::helpers::{self, Helpers};
use super::index;
use super::list_table::TABLE;
use super::preview::Preview;
use super::simulation::Outcome;
use crate::locale::text;
use crate::model::{List, Permission};
use crate::ops::lists::{self as ops, ListDetail, ListFilter, Members};
use crate::ops::posting::simulate;
use crate::ops::{Caller, PageRequest};
use crate::params::lists as reader;
use crate::web::admin::parts::fields::{ControlView, GroupView, Sheet, Values};
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

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
        word => helpers::told(language, word),
    };
    show(context, Shown { told, ..Shown::default() })
}

/// The list of the path.
pub(super) fn load(context: &Context) -> Result<(ListDetail, &Arc<Caller>), PageError> {
    let caller = context.administrator()?;
    let tx = context.read()?;
    Ok((ops::get(&tx, caller, context.param("name"), Members::Skip)?, caller))
}

/// The form, which offers the lists that the reader sees.
pub(super) fn sheet(context: &Context) -> Result<Sheet, PageError> {
    let mut sheet = Sheet::new(&TABLE, reader::fields);
    let caller = context.administrator()?;
    let tx = context.read()?;
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

/// Shows the page.
pub(super) fn show(context: &Context, shown: Shown) -> PageResult {
    let language = context.language;
    let (detail, caller) = load(context)?;
    let Shown { status, problems, told, values, preview, outcome } = shown;
    let list = &detail.list;
    let path = index::path_of(list.name.as_str());
    let values = values.unwrap_or_else(|| Values::of(detail.settings()));
    let helpers = {
        let tx = context.read()?;
        helpers::view(context, &tx, context.site_account()?, list)?
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
