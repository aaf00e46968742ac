//! Aliases of an account: `/admin/aliases/` and `/admin/aliases/{source}/`.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use crate::locale::text;
use crate::model::{Alias, Permission};
use crate::ops::lists::aliases as ops;
use crate::ops::undo::actions;
use crate::ops::{OpError, PageRequest};
use crate::params::aliases as reader;
use crate::web::admin::parts::csv;
use crate::web::admin::parts::fields::{ControlView, Group, GroupView, Row, Sheet, Table, Values, refusal};
use crate::web::admin::parts::listing::{Listing, ListingView};
use crate::web::admin::parts::undo::{self, UndoView};
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

/// The path of the page.
const PATH: &str = "/admin/aliases/";

const LISTING: Listing = Listing { filters: &[], sorts: &["made"] };

const TABLE: Table = Table {
    groups: &[Group {
        id: "alias",
        title: |language| text!(language, "aliases-group"),
        hint: |language| text!(language, "aliases-group-hint"),
    }],
    rows: &[&[
        Row::new(
            ("alias", 1),
            "source",
            |language| text!(language, "aliases-source"),
            |language| text!(language, "aliases-source-help"),
        ),
        Row::new(
            ("alias", 2),
            "destination",
            |language| text!(language, "aliases-destination"),
            |language| text!(language, "aliases-destination-help"),
        ),
    ]],
};

#[derive(Template)]
#[template(path = "admin_aliases.html", config = "src/web/askama.toml")]
struct AliasesPage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    told: Option<String>,
    undo: Option<UndoView>,
    listing: ListingView,
    rows: Vec<AliasRow>,
    /// The form of a new alias, if the reader may make one.
    groups: Vec<GroupView>,
    is_sent: bool,
}

struct AliasRow {
    href: String,
    source: String,
    destination: Vec<String>,
}

#[derive(Template)]
#[template(path = "admin_alias.html", config = "src/web/askama.toml")]
struct AliasPage {
    frame: Frame,
    csrf: String,
    action: String,
    all: String,
    title: String,
    problems: FieldProblems,
    told: Option<String>,
    groups: Vec<GroupView>,
    may_change: bool,
}

fn sheet() -> Sheet {
    Sheet::new(&TABLE, reader::fields)
}

fn path_of(source: &str) -> String {
    let source = percent_encoding::utf8_percent_encode(source, percent_encoding::NON_ALPHANUMERIC);
    format!("{PATH}{source}/")
}

/// `GET /admin/aliases/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    blocking(&context, |context| {
        if LISTING.read(context)?.is_csv {
            let tx = context.read()?;
            let all = ops::list(&tx, context.administrator()?, PageRequest::All)?;
            let rows = all.rows.iter().map(|alias| {
                let to: Vec<String> = alias.destination.iter().map(ToString::to_string).collect();
                [alias.source.to_string(), to.join(" ")]
            });
            return Ok(csv::file("aliases", &["source", "destination"], rows));
        }
        let told = match context.query.get("done") {
            "made" => Some(text!(context.language, "aliases-made")),
            "deleted" => Some(text!(context.language, "aliases-deleted")),
            _ => None,
        };
        show(context, StatusCode::OK, told, None)
    })
    .await
}

/// `POST /admin/aliases/`
pub(in crate::web) async fn make(context: Arc<Context>) -> PageResult {
    let (caller, sheet) = (context.administrator()?, sheet());
    let input = reader::input(&mut sheet.params(&context.form)?);
    match context.core.perform(caller, move |tx, by| ops::create(tx, &by.caller, input, by.now)).await {
        Ok(_) => Ok(context.see_other(&format!("{PATH}?done=made"))),
        Err(error) => {
            let (status, found) = refusal(error)?;
            let problems = sheet.problems(context.language, &found);
            show(&context, status, None, Some((sheet.sent(&context.form), problems)))
        }
    }
}

fn show(
    context: &Context,
    status: StatusCode,
    told: Option<String>,
    sent: Option<(Values, FieldProblems)>,
) -> PageResult {
    let caller = context.administrator()?;
    let asked = LISTING.read(context)?;
    let tx = context.read()?;
    let found = ops::list(&tx, caller, asked.window())?;
    let rows = found.rows.iter().map(|alias| AliasRow {
        href: context.href(&path_of(alias.source.as_str())),
        source: alias.source.to_string(),
        destination: alias.destination.iter().map(ToString::to_string).collect(),
    });
    let undo = UndoView::read(context, &tx)?;
    let is_sent = sent.is_some();
    let (values, problems) = sent.unwrap_or_default();
    let may_change = caller.holds(Permission::ManageSettings);
    let page = AliasesPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(PATH),
        rows: rows.collect(),
        listing: asked.view_by_number(context, found.count),
        groups: if may_change { sheet().view(context.language, &values, &problems) } else { Vec::new() },
        problems,
        told: told.filter(|_| undo.is_none()),
        undo,
        is_sent,
    };
    context.html(status, &page)
}

/// `GET /admin/aliases/{source}/`
pub(in crate::web) fn one(context: &Context) -> PageResult {
    let told = (context.query.get("done") == "saved").then(|| text!(context.language, "set-saved"));
    let alias = load(context)?;
    show_one(context, StatusCode::OK, told, &values_of(&alias), FieldProblems::default())
}

/// `POST /admin/aliases/{source}/`
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let (alias, caller, sheet) = (load(&context)?, context.administrator()?, sheet());
    let source = alias.source.to_string();
    if context.form.get("action") == "delete" {
        let job = context
            .core
            .perform_reserved(caller, move |tx, by| actions::delete_alias(tx, &by.caller, &source, by.now));
        let undo = undo::field(job.await?.action);
        return Ok(context.see_other(&format!("{PATH}?done=deleted{undo}")));
    }
    let input = reader::input(&mut sheet.params(&context.form)?);
    let job = context.core.perform(caller, move |tx, by| ops::update(tx, &by.caller, &source, input, by.now));
    let changed: Result<Alias, OpError> = job.await;
    match changed {
        Ok(alias) => Ok(context.see_other(&format!("{}?done=saved", path_of(alias.source.as_str())))),
        Err(error) => {
            let (status, found) = refusal(error)?;
            let problems = sheet.problems(context.language, &found);
            show_one(&context, status, None, &sheet.sent(&context.form), problems)
        }
    }
}

fn load(context: &Context) -> Result<Alias, PageError> {
    let caller = context.administrator()?;
    Ok(ops::get(&context.read()?, caller, context.param("source"))?)
}

fn values_of(alias: &Alias) -> Values {
    // No `..`: a new field is shown or left out on purpose.
    let Alias { id: _, account: _, source, destination } = alias;
    let mut values = Values::default();
    values.text("source", source);
    values.many("destination", destination);
    values
}

fn show_one(
    context: &Context,
    status: StatusCode,
    told: Option<String>,
    values: &Values,
    problems: FieldProblems,
) -> PageResult {
    let alias = load(context)?;
    let page = AliasPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(&path_of(alias.source.as_str())),
        all: context.href(PATH),
        title: alias.source.to_string(),
        groups: sheet().view(context.language, values, &problems),
        problems,
        told,
        may_change: context.administrator()?.holds(Permission::ManageSettings),
    };
    context.html(status, &page)
}
