//! The accounts of the server, for its administrators: they are made, renamed, suspended, deleted and restored.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::overview::of_server;
use crate::locale::text;
use crate::model::{AccountId, Language, Suspension};
use crate::ops::accounts::manage::{self, AccountDetail};
use crate::ops::accounts::suspension::{self, Order};
use crate::ops::domains::new_dkim_keys;
use crate::ops::{OpError, Problem, Problems};
use crate::params::{Params, ReadError, accounts};
use crate::store::ReadTx;
use crate::web::admin::parts::fields::refusal;
use crate::web::admin::parts::listing::{Listing, ListingView};
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

const PATH: &str = "/admin/server/accounts/";
const WHAT: Listing = Listing { filters: &[], sorts: &["id"] };

#[derive(Template)]
#[template(path = "admin_accounts.html", config = "src/web/askama.toml")]
struct AccountsPage {
    frame: Frame,
    csrf: String,
    problems: FieldProblems,
    told: Option<String>,
    server: String,
    listing: ListingView,
    rows: Vec<Row>,
    name: String,
    domain: String,
    administrator: String,
    description: String,
}

/// An account in the listing.
struct Row {
    href: String,
    pages: String,
    name: String,
    description: String,
    lists: usize,
    contacts: u64,
    state: State,
}

/// Whether an account works.
struct State {
    words: String,
    class: &'static str,
}

/// `GET /admin/server/accounts/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    blocking(&context, |context| show_all(context, StatusCode::OK, FieldProblems::default())).await
}

fn told(context: &Context) -> Option<String> {
    let language = context.language;
    Some(match context.query.get("done") {
        "made" => text!(language, "desk-account-made"),
        "saved" => text!(language, "desk-account-saved"),
        "suspend" => text!(language, "desk-account-suspended"),
        "resume" => text!(language, "desk-account-resumed"),
        "delete" => text!(language, "desk-account-deleted"),
        "restore" => text!(language, "desk-account-restored"),
        _ => return None,
    })
}

fn state_of(context: &Context, suspension: Option<&Suspension>) -> State {
    let (locale, language) = (context.locale(), context.language);
    let Some(of) = suspension else {
        return State { words: text!(language, "desk-account-works"), class: "good" };
    };
    if let Some(due) = of.due() {
        let words = text!(language, "desk-account-deleted-on", day = locale.day(due));
        return State { words, class: "bad" };
    }
    let words = text!(language, "desk-account-suspended-since", day = locale.day(of.since));
    State { words, class: "warn" }
}

fn show_all(context: &Context, status: StatusCode, problems: FieldProblems) -> PageResult {
    let tx = context.read()?;
    let caller = of_server(context)?;
    let asked = WHAT.read(context)?;
    let page = manage::list(&tx, &caller, asked.window())?;
    let mut listing = asked.view_by_number(context, page.count);
    listing.csv.clear();
    let text = |name: &str| context.form.get(name).to_owned();
    let rows = page.rows.iter().map(|detail| row(context, &tx, detail));
    let shown = AccountsPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        problems,
        told: told(context),
        server: context.href("/admin/server/"),
        listing,
        rows: rows.collect::<Result<Vec<_>, PageError>>()?,
        name: text("name"),
        domain: text("domain"),
        administrator: text("administrator"),
        description: text("description"),
    };
    context.html(status, &shown)
}

fn row(context: &Context, tx: &ReadTx, detail: &AccountDetail) -> Result<Row, PageError> {
    let account = &detail.account;
    Ok(Row {
        href: context.href(&format!("{PATH}{}/", account.id)),
        pages: format!("/~{}/admin/", account.name),
        name: account.name.clone(),
        description: account.description.clone(),
        lists: detail.lists.len(),
        contacts: detail.contacts,
        state: state_of(context, suspension::of(tx, account.id)?.as_ref()),
    })
}

/// The fields of the form, for a reader of parameters.
fn params(context: &Context, names: &[&str]) -> Result<Params, PageError> {
    let pairs = names.iter().filter(|name| context.form.has(name));
    let pairs = pairs.map(|name| ((*name).to_owned(), context.form.get(name).to_owned()));
    Params::from_pairs(pairs.collect()).map_err(|_| PageError::BadRequest)
}

/// The problems of a form, each with the name of its field.
fn field_problems(language: Language, problems: &Problems) -> FieldProblems {
    let mut found = FieldProblems::default();
    for Problem { field, problem } in problems.iter() {
        let label = match field.as_str() {
            "name" => text!(language, "desk-account-name"),
            "domain" => text!(language, "desk-account-domain"),
            "administrator" => text!(language, "desk-account-administrator"),
            "description" => text!(language, "approval-description"),
            other => other.to_owned(),
        };
        found.add_named(language, field.clone(), label, problem);
    }
    found
}

/// `POST /admin/server/accounts/`: makes an account.
pub(in crate::web) async fn create(context: Arc<Context>) -> PageResult {
    if context.form.get("action") != "create" {
        let problems = FieldProblems::one("name", text!(context.language, "problem-no-button"));
        return blocking(&context, |context| show_all(context, StatusCode::BAD_REQUEST, problems)).await;
    }
    let caller = of_server(&context)?;
    let mut params = params(&context, &["name", "domain", "administrator", "description"])?;
    let input = accounts::new(&mut params, &caller);
    let core = &context.core;
    let dkim = core.passwords.compute(new_dkim_keys).await?;
    let creating = core.perform(&caller, move |tx, by| {
        manage::create(tx, &by.caller, input, dkim, &by.mail_context, by.now)
    });
    match creating.await {
        Ok(_) => Ok(context.see_other(&format!("{PATH}?done=made"))),
        Err(error) => {
            let (status, found) = refusal(error)?;
            let problems = field_problems(context.language, &found);
            blocking(&context, move |context| show_all(context, status, problems)).await
        }
    }
}

#[derive(Template)]
#[template(path = "admin_account.html", config = "src/web/askama.toml")]
struct AccountPage {
    frame: Frame,
    csrf: String,
    problems: FieldProblems,
    told: Option<String>,
    back: String,
    pages: String,
    title: String,
    name: String,
    description: String,
    domains: Vec<String>,
    administrators: Vec<String>,
    lists: usize,
    contacts: u64,
    state: State,
    is_suspended: bool,
    is_deleted: bool,
}

/// The number in the path.
fn id_of(context: &Context) -> Result<AccountId, PageError> {
    context.param("id").parse().map(AccountId).map_err(|_| PageError::NotFound)
}

/// `GET /admin/server/accounts/{id}/`
pub(in crate::web) async fn one(context: Arc<Context>) -> PageResult {
    blocking(&context, |context| show_one(context, StatusCode::OK, FieldProblems::default())).await
}

fn show_one(context: &Context, status: StatusCode, problems: FieldProblems) -> PageResult {
    let id = id_of(context)?;
    let tx = context.read()?;
    let caller = of_server(context)?;
    let detail = manage::get(&tx, &caller, &id.to_string())?;
    let present = suspension::of(&tx, id)?;
    let account = &detail.account;
    let sent = |name: &str, stored: &str| {
        if context.form.has(name) { context.form.get(name).to_owned() } else { stored.to_owned() }
    };
    let administrators = detail.admins.iter().filter_map(|admin| admin.username.as_ref());
    let page = AccountPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        problems,
        told: told(context),
        back: context.href(PATH),
        pages: format!("/~{}/admin/", account.name),
        title: account.name.clone(),
        name: sent("name", &account.name),
        description: sent("description", &account.description),
        domains: detail.domains.iter().map(|domain| domain.name.to_string()).collect(),
        administrators: administrators.map(ToString::to_string).collect(),
        lists: detail.lists.len(),
        contacts: detail.contacts,
        state: state_of(context, present.as_ref()),
        is_suspended: present.is_some(),
        is_deleted: present.as_ref().is_some_and(|present| present.deleted.is_some()),
    };
    context.html(status, &page)
}

/// `POST /admin/server/accounts/{id}/`: renames, suspends, resumes, deletes or restores it.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let id = id_of(&context)?;
    let caller = of_server(&context)?;
    manage::get(&context.read()?, &caller, &id.to_string())?;
    let word = context.form.get("action");
    let order = match word {
        "save" => return save(&context, id).await,
        "suspend" => Order::Suspend,
        "resume" => Order::Resume,
        "delete" => Order::Delete,
        "restore" => Order::Restore,
        _ => {
            let problems = FieldProblems::one("buttons", text!(context.language, "problem-no-button"));
            return blocking(&context, |context| show_one(context, StatusCode::BAD_REQUEST, problems)).await;
        }
    };
    let ordering = context
        .core
        .perform_reserved(&caller, move |tx, by| suspension::order(tx, &by.caller, id, order, by.now));
    match ordering.await {
        Ok(()) => Ok(context.see_other(&format!("{PATH}{id}/?done={word}"))),
        Err(OpError::Conflict { .. }) => {
            let problems = FieldProblems::one("buttons", text!(context.language, "desk-account-changed"));
            blocking(&context, |context| show_one(context, StatusCode::CONFLICT, problems)).await
        }
        Err(error) => Err(error.into()),
    }
}

async fn save(context: &Arc<Context>, id: AccountId) -> PageResult {
    let caller = of_server(context)?;
    let mut params = params(context, &["name", "description"])?;
    let input = accounts::changes(&mut params, &caller);
    let (core, name) = (&context.core, id.to_string());
    let changed = async {
        let new = accounts::new_domains(core, &caller, &name, &input).await?;
        let name = name.clone();
        core.perform(&caller, move |tx, by| manage::update(tx, &by.caller, &name, input, new, by.now))
            .await
            .map_err(ReadError::from)
    };
    match changed.await {
        Ok(_) => Ok(context.see_other(&format!("{PATH}{id}/?done=saved"))),
        Err(ReadError::Op(error)) => {
            let (status, found) = refusal(error)?;
            let problems = field_problems(context.language, &found);
            blocking(context, move |context| show_one(context, status, problems)).await
        }
        Err(error) => Err(error.into()),
    }
}
