//! The pages of a list's settings: `/admin/lists/{name}/` and those below it. Their forms are in
//! [`list_forms`](super::list_forms).

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::head::{self, Head, Tab};
use super::list_table::{FOLDED, Part};
use super::loading::load;
use super::preview::{self, Preview};
use super::questions::{self, Asked};
use super::{deletion, index, summary};
use crate::locale::text;
use crate::model::{EmailAddress, Language, List, Permission};
use crate::ops::lists::{self as ops, ListFilter, Members};
use crate::ops::{PageRequest, domains};
use crate::params::lists as reader;
use crate::web::admin::account::export;
use crate::web::admin::parts::fields::{ControlView, FieldView, Fold, GroupView, Sheet, Values};
use crate::web::admin::parts::undo::UndoView;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

/// Most lists that are offered as boxes; the names of more are typed.
const LISTS_OFFERED_MAX: usize = 8;

#[derive(Template)]
#[template(path = "admin_list.html", config = "src/web/askama.toml")]
struct ListPage {
    frame: Frame,
    csrf: String,
    action: String,
    head: Head,
    parts: Vec<PartView>,
    search: String,
    problems: FieldProblems,
    told: Option<String>,
    undo: Option<UndoView>,
    /// What is set now, in sentences.
    now: String,
    groups: Vec<GroupView>,
    /// The same for somebody who may only look.
    facts: Vec<FactsView>,
    /// Whether the archive has a password that this page can take away.
    has_password: bool,
    may_change: bool,
    /// Whether the page can show a preview, and what it shows.
    has_preview: bool,
    preview: Option<Preview>,
    /// Whether what the preview shows is not saved yet.
    is_unsaved: bool,
    /// The page that asks before the list is deleted.
    delete: Option<String>,
    may_export: bool,
}

/// A group of settings as facts.
struct FactsView {
    id: String,
    title: String,
    facts: Vec<FactView>,
}

/// A setting as a fact.
struct FactView {
    id: String,
    label: String,
    told: String,
}

/// A page of the settings in the navigation.
pub(super) struct PartView {
    pub(super) href: String,
    pub(super) title: String,
    pub(super) is_current: bool,
}

/// The facts on a page beside the stored settings.
#[derive(Default)]
pub(super) struct Shown {
    pub(super) status: StatusCode,
    pub(super) problems: FieldProblems,
    pub(super) told: Option<String>,
    pub(super) values: Option<Values>,
    pub(super) preview: Option<Preview>,
    pub(super) is_unsaved: bool,
}

/// `GET /admin/lists/{name}/` and the pages below it
pub(in crate::web) async fn page(context: Arc<Context>, part: Part) -> PageResult {
    let language = context.language;
    let told = match context.query.get("done") {
        "saved" => Some(text!(language, "set-saved")),
        "made" => Some(text!(language, "list-made")),
        _ => None,
    };
    let (detail, caller) = load(&context)?;
    let preview = if part == Part::Texts && caller.holds(Permission::ManageSettings) {
        // A page without its preview is better than none, when there is no memory for it.
        preview::shown(&context, detail.list.clone(), detail.list).await.ok().flatten()
    } else {
        None
    };
    show(&context, part, Shown { told, preview, ..Shown::default() })
}

/// The form of a page, which offers the lists that the reader sees where they are few.
pub(super) fn sheet(context: &Context, part: Part) -> Result<Sheet, PageError> {
    let mut sheet = Sheet::new(&part.table(), reader::fields);
    if part != Part::Advanced {
        return Ok(sheet);
    }
    let caller = context.administrator()?;
    let few = PageRequest::Page { page: 1, limit: LISTS_OFFERED_MAX };
    let found = ops::list(&context.read()?, caller, &ListFilter::default(), Members::Skip, few)?;
    if found.count == u64::try_from(found.rows.len()).unwrap_or(u64::MAX) {
        let offered = found.rows.iter().map(|detail| {
            let List { name, .. } = &detail.list;
            let title = detail.list.title();
            let label = if title == name.as_str() { title.to_owned() } else { format!("{name} – {title}") };
            (name.to_string(), label)
        });
        sheet.offer("restrict_post_lists", offered.collect());
    }
    Ok(sheet)
}

/// A list with its own address.
pub(super) fn asked<'a>(context: &Context, list: &'a List) -> Result<Asked<'a>, PageError> {
    let domain = domains::main_domain(&context.read()?, list.account)?.name;
    Ok(Asked { list, address: EmailAddress::parse(&format!("{}@{domain}", list.name)).ok() })
}

/// The pages of the settings, as their navigation shows them.
pub(super) fn parts(context: &Context, list: &List, current: Option<Part>) -> Vec<PartView> {
    let path = index::path_of(list.name.as_str());
    let view = |part: Part| PartView {
        href: context.href(&format!("{path}{}", part.path())),
        title: part.title(context.language),
        is_current: Some(part) == current,
    };
    Part::ALL.into_iter().map(view).collect()
}

/// The settings of a group as facts, without those that nobody sees.
fn facts(language: Language, group: &GroupView) -> FactsView {
    let fact = |field: &FieldView| {
        let told = field.control.told(language)?;
        Some(FactView { id: field.id.clone(), label: field.label.clone(), told })
    };
    FactsView {
        id: group.id.clone(),
        title: group.title.clone(),
        facts: group.fields.iter().filter_map(fact).collect(),
    }
}

/// Shows a page.
pub(super) fn show(context: &Context, part: Part, shown: Shown) -> PageResult {
    let language = context.language;
    let (detail, caller) = load(context)?;
    let Shown { status, problems, told, values, preview, is_unsaved } = shown;
    let list = &detail.list;
    let path = index::path_of(list.name.as_str());
    let values = values.unwrap_or_else(|| Values::of(detail.settings()));
    let asked = asked(context, list)?;
    let mut groups = sheet(context, part)?.view(language, &values, &problems);
    questions::add(part, language, &context.form, &asked, &mut groups);
    for group in groups.iter_mut().filter(|group| FOLDED.contains(&&*group.id)) {
        group.fold = if context.query.get("open") == group.id { Fold::Open } else { Fold::Closed };
    }
    let undo = UndoView::read(context, &context.read()?)?;
    let may_change = caller.holds(Permission::ManageSettings);
    let facts =
        if may_change { Vec::new() } else { groups.iter().map(|group| facts(language, group)).collect() };
    let page = ListPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(&format!("{path}{}", part.path())),
        head: head::of(context, list, Tab::Settings)?,
        parts: parts(context, list, Some(part)),
        search: context.href(&format!("{path}settings/")),
        now: summary::of(language, part, &asked, context.site_account()?),
        groups,
        facts,
        problems,
        told: told.filter(|_| undo.is_none()),
        undo,
        has_password: part == Part::Archive && list.archive_password_hash.is_some(),
        may_change,
        has_preview: part == Part::Texts && may_change,
        preview,
        is_unsaved,
        delete: (part == Part::Advanced && may_change).then(|| context.href(&deletion::path_of(list))),
        may_export: part == Part::Advanced && export::may_take(caller),
    };
    context.html(status, &page)
}
