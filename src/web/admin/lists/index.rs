//! The lists of an account, those that wait for approval, and new ones: `/admin/lists/` and `/admin/lists/new/`.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::list_table::Part;
pub(super) use super::paths::{PATH, home_of, path_of};
use crate::locale::text;
use crate::model::pending::{PendingKind, PendingState};
use crate::model::{EmailAddress, HeldAction, Language, List, Moderate, Pending, PendingId, Permission};
use crate::ops::lists::kinds::{Beginning, ListKind};
use crate::ops::lists::{self as ops, ListChanges, ListFilter, Members, pending};
use crate::ops::{Caller, OpError, PageRequest, Said, domains};
use crate::params::{Params, ReadError, lists as reader};
use crate::store::ReadTx;
use crate::web::admin::approvals::index as approvals;
use crate::web::admin::parts::csv;
use crate::web::admin::parts::fields::{label_in, refusal};
use crate::web::admin::parts::listing::{Listing, ListingView};
use crate::web::assets;
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

const LISTING: Listing = Listing { filters: &[], sorts: &["made"] };

#[derive(Template)]
#[template(path = "admin_lists.html", config = "src/web/askama.toml")]
struct ListsPage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    told: Option<String>,
    listing: ListingView,
    rows: Vec<Row>,
    /// The lists that the reader may approve.
    waiting: Vec<WaitingRow>,
    /// The page of new lists, if the reader may make any.
    new: Option<String>,
}

struct Row {
    href: String,
    title: String,
    name: String,
    members: String,
    members_href: String,
    /// Who may write, in words.
    posting: String,
    is_pending: bool,
}

struct WaitingRow {
    id: u64,
    name: String,
    title: String,
    since: String,
}

/// `GET /admin/lists/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    if LISTING.read(&context)?.is_csv {
        return file(&context).await;
    }
    blocking(&context, |context| {
        let told = told(context);
        show(context, StatusCode::OK, told, &FieldProblems::default())
    })
    .await
}

/// `POST /admin/lists/`: decides about lists that wait for approval.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let caller = context.administrator()?;
    let language = context.language;
    let (action, done) = match context.form.get("action") {
        "approve" => (HeldAction::Approve, "approved"),
        "reject" => (HeldAction::Reject, "rejected"),
        "discard" => (HeldAction::Discard, "discarded"),
        _ => {
            let problems = FieldProblems::one("waiting", text!(language, "problem-no-button"));
            return show(&context, StatusCode::BAD_REQUEST, None, &problems);
        }
    };
    let id = context.form.get("id").parse().map(PendingId).map_err(|_| PageError::NotFound)?;
    let found = pending::get(&context.read()?, caller, id)?;
    if found.kind != PendingKind::List {
        return Err(PageError::NotFound);
    }
    let outcome = approvals::decide_requests(&context, &[id.0], action).await?;
    if outcome.refused.is_empty() {
        return Ok(context.see_other(&format!("{PATH}?done={done}")));
    }
    let (status, problems) = outcome.refusal("waiting");
    show(&context, status, None, &problems)
}

fn told(context: &Context) -> Option<String> {
    let language = context.language;
    Some(match context.query.get("done") {
        "approved" => text!(language, "lists-approved"),
        "rejected" => text!(language, "lists-rejected"),
        "discarded" => text!(language, "lists-discarded"),
        "deleted" => text!(language, "lists-deleted"),
        _ => return None,
    })
}

fn show(context: &Context, status: StatusCode, told: Option<String>, problems: &FieldProblems) -> PageResult {
    let (caller, language) = (context.administrator()?, context.language);
    let asked = LISTING.read(context)?;
    let tx = context.read()?;
    let search = Some(asked.search.clone()).filter(|search| !search.is_empty());
    let filter = ListFilter { search, ..ListFilter::default() };
    let found = ops::list(&tx, caller, &filter, Members::Skip, asked.window())?;
    let mut rows = Vec::with_capacity(found.rows.len());
    for detail in &found.rows {
        rows.push(row(context, &tx, &detail.list)?);
    }
    let mut listing = asked.view_by_number(context, found.count);
    listing.search_label = text!(language, "lists-search");
    let may_make = caller.holds(Permission::ManageSettings) && caller.limits.lists().is_none();
    let page = ListsPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(PATH),
        problems: problems.clone(),
        told,
        listing,
        rows,
        waiting: waiting(context, &tx, caller)?,
        new: may_make.then(|| context.href("/admin/lists/new/")),
    };
    context.html(status, &page).map(assets::with_script)
}

fn row(context: &Context, tx: &ReadTx, list: &List) -> Result<Row, PageError> {
    let path = path_of(list.name.as_str());
    Ok(Row {
        href: context.href(&home_of(context.administrator()?, list.name.as_str())),
        members_href: context.href(&format!("{path}members/")),
        title: list.title().to_owned(),
        name: list.name.to_string(),
        members: crate::locale::number(context.language, ops::member_count(tx, list)?),
        posting: posting(context.language, list.moderate),
        is_pending: list.pending,
    })
}

/// Who may write to a list, in words.
fn posting(language: Language, moderate: Moderate) -> String {
    if moderate.has(Moderate::HOLD_ALL) {
        text!(language, "lists-posting-held")
    } else if moderate.has(Moderate::LISTS) {
        text!(language, "lists-posting-members")
    } else if moderate.has(Moderate::ALLOWED_EMAILS) {
        text!(language, "lists-posting-some")
    } else {
        text!(language, "lists-posting-all")
    }
}

/// The lists that wait, for readers who decide about them.
fn waiting(context: &Context, tx: &ReadTx, caller: &Caller) -> Result<Vec<WaitingRow>, PageError> {
    if !caller.holds(Permission::AccountAdmin) {
        return Ok(Vec::new());
    }
    let found = pending::list(tx, caller, PendingState::Pending, PageRequest::All)?;
    let lists = found.rows.into_iter().filter(|pending| pending.kind == PendingKind::List);
    let row = |pending: Pending| WaitingRow {
        id: pending.id.0,
        name: pending.list_name,
        title: pending.name,
        since: context.locale().moment(pending.requested),
    };
    Ok(lists.map(row).collect())
}

/// The lists as a CSV file.
async fn file(context: &Arc<Context>) -> PageResult {
    blocking(context, |context| {
        let (caller, asked) = (context.administrator()?, LISTING.read(context)?);
        let tx = context.read()?;
        let search = Some(asked.search).filter(|search| !search.is_empty());
        let filter = ListFilter { search, ..ListFilter::default() };
        let found = ops::list(&tx, caller, &filter, Members::Skip, PageRequest::All)?;
        let mut rows = Vec::with_capacity(found.rows.len());
        for detail in &found.rows {
            let list = &detail.list;
            rows.push([
                list.name.to_string(),
                list.description.clone(),
                ops::member_count(&tx, list)?.to_string(),
                list.moderate.bits().to_string(),
                list.pending.to_string(),
            ]);
        }
        Ok(csv::file("lists", &["name", "description", "members", "moderate", "pending"], rows))
    })
    .await
}

#[derive(Template)]
#[template(path = "admin_list_new.html", config = "src/web/askama.toml")]
struct NewPage {
    frame: Frame,
    csrf: String,
    action: String,
    lists: String,
    problems: FieldProblems,
    domain: String,
    name: String,
    description: String,
    kinds: Vec<KindRow>,
}

struct KindRow {
    word: &'static str,
    label: String,
    hint: String,
    is_chosen: bool,
}

/// `GET /admin/lists/new/`
pub(in crate::web) fn new_page(context: &Context) -> PageResult {
    show_new(context, StatusCode::OK, FieldProblems::default())
}

/// `POST /admin/lists/new/`
pub(in crate::web) async fn make(context: Arc<Context>) -> PageResult {
    let (caller, language) = (context.administrator()?, context.language);
    let Some(kind) = ListKind::from_word(context.form.get("kind")) else {
        let problems = FieldProblems::one("kind", text!(language, "lists-kind-missing"));
        return show_new(&context, StatusCode::BAD_REQUEST, problems);
    };
    let account = context.account.as_ref().ok_or(PageError::NotFound)?;
    let name = context.form.get("name").trim().to_owned();
    let domain = domains::main_domain(&context.read()?, account.id)?.name;
    let beginning = Beginning {
        language: account.settings.language,
        address: EmailAddress::parse(&format!("{name}@{domain}")).ok(),
        writers: EmailAddress::parse(caller.name()).into_iter().collect(),
    };
    let pairs = vec![
        ("name".to_owned(), name),
        ("description".to_owned(), context.form.get("description").trim().to_owned()),
    ];
    let mut params = Params::from_pairs(pairs).map_err(|_| PageError::BadRequest)?;
    let made = async {
        let mut input = reader::input(&context.core, caller, account, &mut params, None).await?;
        let ListChanges { name, description, .. } = input.changes;
        input.changes = ListChanges { name, description, ..kind.changes(beginning) };
        let job = context.core.perform(caller, move |tx, by| ops::create(tx, &by.caller, input, by.now));
        job.await.map_err(ReadError::from)
    };
    match made.await {
        Ok(detail) => {
            let path = path_of(detail.list.name.as_str());
            Ok(context.see_other(&format!("{path}?done=made")))
        }
        Err(ReadError::Op(error)) => refuse_new(&context, error),
        Err(error) => Err(error.into()),
    }
}

fn refuse_new(context: &Context, error: OpError) -> PageResult {
    let (status, found) = refusal(error)?;
    let mut problems = FieldProblems::default();
    for problem in found.iter().filter(|problem| problem.field == "name" || problem.field == "description") {
        problems.add(problem.field.clone(), problem.problem.say(context.language));
    }
    // An address that cannot be made of a wrong name is no problem of its own.
    if problems.all().is_empty() {
        for problem in found.iter() {
            let language = context.language;
            let label = label_in(&Part::Basics.table(), language, &problem.field);
            problems.add_named(language, "kind", label, &problem.problem);
        }
    }
    show_new(context, status, problems)
}

fn show_new(context: &Context, status: StatusCode, problems: FieldProblems) -> PageResult {
    let language = context.language;
    let account = context.account.as_ref().ok_or(PageError::NotFound)?;
    let domain = domains::main_domain(&context.read()?, account.id)?.name;
    let chosen = ListKind::from_word(context.form.get("kind")).unwrap_or(ListKind::USUAL);
    let kind = |kind: ListKind| {
        let (label, hint) = kind_words(language, kind);
        KindRow { word: kind.word(), label, hint, is_chosen: kind == chosen }
    };
    let page = NewPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href("/admin/lists/new/"),
        lists: context.href(PATH),
        problems,
        domain: domain.to_string(),
        name: context.form.get("name").to_owned(),
        description: context.form.get("description").to_owned(),
        kinds: ListKind::ALL.iter().copied().map(kind).collect(),
    };
    context.html(status, &page)
}

/// The name of a kind, and what follows from it.
fn kind_words(language: Language, kind: ListKind) -> (String, String) {
    match kind {
        ListKind::Announcements => {
            (text!(language, "lists-kind-announcements"), text!(language, "lists-kind-announcements-hint"))
        }
        ListKind::Discussion => {
            (text!(language, "lists-kind-discussion"), text!(language, "lists-kind-discussion-hint"))
        }
        ListKind::Moderated => {
            (text!(language, "lists-kind-moderated"), text!(language, "lists-kind-moderated-hint"))
        }
        ListKind::Private => {
            (text!(language, "lists-kind-private"), text!(language, "lists-kind-private-hint"))
        }
    }
}
