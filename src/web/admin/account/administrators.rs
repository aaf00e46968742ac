//! Administrators of an account and their keys: `/admin/administrators/` and `/admin/administrators/{id}/`.

use std::collections::BTreeSet;
use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

use super::administrator_table::{KEY, PERSON, permission_words, values_of};
use crate::clock::Timestamp;
use crate::locale::text;
use crate::model::{Admin, EmailAddress, Language, ListName, OauthGrantId, Permission};
use crate::ops::accounts::admins::manage::{self as ops, AdminDetail, AdminInput};
use crate::ops::accounts::admins::{KEY_API, expiry_after, key_of};
use crate::ops::authority::is_limit;
use crate::ops::lists::{self, ListFilter, Members};
use crate::ops::oauth::grants;
use crate::ops::{Caller, OpError, PageRequest, Problems, Wrong};
use crate::params::{Params, admins as reader};
use crate::secret::sha256;
use crate::store::ReadTx;
use crate::web::admin::parts::csv;
use crate::web::admin::parts::fields::{ControlView, GroupView, Sheet, Table, Values, refusal};
use crate::web::assets;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;
use crate::web::oauth::scope_words;

/// The path of the page.
const PATH: &str = "/admin/administrators/";

#[derive(Template)]
#[template(path = "admin_administrators.html", config = "src/web/askama.toml")]
struct AdminsPage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    told: Option<String>,
    people: Vec<PersonRow>,
    keys: Vec<KeyRow>,
    grants: Vec<GrantRow>,
    /// The form of a new person.
    person: Vec<GroupView>,
    /// The form of a new key.
    key: Vec<GroupView>,
    /// Whether the form of a key was sent, so that it is shown open.
    is_key: bool,
    is_person: bool,
}

struct PersonRow {
    href: String,
    name: String,
    address: String,
    rights: String,
    state: String,
    is_reader: bool,
}

struct KeyRow {
    href: String,
    description: String,
    rights: String,
    networks: String,
    expiry: String,
    last_use: String,
}

/// The permissions that somebody gave an application.
struct GrantRow {
    id: u64,
    application: String,
    person: String,
    scopes: String,
    made: String,
    last_use: String,
}

#[derive(Template)]
#[template(path = "admin_administrator.html", config = "src/web/askama.toml")]
struct AdminPage {
    frame: Frame,
    csrf: String,
    action: String,
    all: String,
    title: String,
    is_key: bool,
    is_reader: bool,
    problems: FieldProblems,
    told: Option<String>,
    groups: Vec<GroupView>,
    facts: Vec<(String, String)>,
    /// The key that was just made.
    key: Option<String>,
    /// Whether the person has chosen a password yet.
    has_password: bool,
}

/// `GET /admin/administrators/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    if context.query.get("format") == "csv" {
        return file(&context).await;
    }
    let told = match context.query.get("done") {
        "deleted" => Some(text!(context.language, "admins-deleted")),
        "revoked" => Some(text!(context.language, "admins-revoked")),
        _ => None,
    };
    show(&context, StatusCode::OK, told, None)
}

/// The head of the file of administrators: names of the API.
const COLUMNS: [&str; 9] =
    ["id", "api", "username", "firstname", "surname", "description", "permissions", "limit_lists", "cidr"];

/// The people and the keys as a file. It has no secret.
async fn file(context: &Context) -> PageResult {
    let all = ops::list(&context.read()?, context.administrator()?, PageRequest::All)?;
    csv::note_export(context, "administrators", "").await?;
    let rows = all.rows.iter().map(|detail| {
        let admin = &detail.admin;
        let words = |words: Vec<String>| words.join(", ");
        [
            admin.id.0.to_string(),
            admin.api.to_string(),
            admin.username.as_ref().map(ToString::to_string).unwrap_or_default(),
            admin.firstname.clone(),
            admin.surname.clone(),
            admin.description.clone(),
            words(admin.permissions.iter().map(|right| right.word().to_owned()).collect()),
            words(detail.limit_lists.iter().map(ToString::to_string).collect()),
            words(admin.cidr.iter().map(ToString::to_string).collect()),
        ]
    });
    Ok(csv::file("administrators", &COLUMNS, rows))
}

/// `POST /admin/administrators/`: makes a person or a key.
pub(in crate::web) async fn make(context: Arc<Context>) -> PageResult {
    let caller = context.administrator()?;
    if let Some(response) = context.ask_again(PATH)? {
        return Ok(response);
    }
    if context.form.get("action") == "revoke" {
        return revoke(&context).await;
    }
    let is_key = match context.form.get("api") {
        "" => context.form.get("username").trim().is_empty(),
        api => api == "2",
    };
    let sheet = new_sheet(&context, is_key)?;
    let language = context.language;
    if sheet.is_missing(&context.form) {
        let problems = FieldProblems::one("people", text!(context.language, "problem-no-button"));
        let sent = Some((is_key, Values::default(), problems));
        return show(&context, StatusCode::BAD_REQUEST, None, sent);
    }
    let mut input = reader::input(&mut sheet.params(&context.form)?);
    input.api = Some(if is_key { KEY_API } else { 0 });
    limit_as_ticked(&mut input, None);
    let may_something = |rights: &BTreeSet<Permission>| rights.iter().any(|right| !is_limit(*right));
    if is_key && !input.permissions.as_ref().is_some_and(may_something) {
        input.problems.add("permissions", Wrong::KeyOfNothing);
    }
    // A new key may be shown at once.
    let new = if is_key && context.form.has("get_key") { Some(NewKey::read(&context)?) } else { None };
    let (key, hash) = new.map(|new| (new.key, (new.hash, new.expiry, new.problems))).unzip();
    let making = context.core.perform(caller, move |tx, by| {
        let made = ops::create(tx, &by.caller, input, &by.mail_context, by.now)?;
        if let Some((hash, expiry, problems)) = hash {
            problems.into_result()?;
            ops::get_key(tx, &by.caller, &made.admin.id.0.to_string(), hash, expiry, by.now)?;
        }
        Ok::<_, OpError>(made)
    });
    match (making.await, key) {
        (Ok(detail), Some(key)) => {
            let told = format!("{} {}", text!(language, "admins-key-new"), given(language, &detail));
            let told = Some(told);
            show_one(&context, &detail, StatusCode::OK, Shown { told, key: Some(key), ..Shown::default() })
        }
        (Ok(detail), None) => {
            let done = if is_key { "key-made" } else { "invited" };
            Ok(context.see_other(&format!("{PATH}{}/?done={done}", detail.admin.id.0)))
        }
        (Err(error), _) => {
            let (status, found) = refusal(error)?;
            let problems = sheet.problems(context.language, &found);
            show(&context, status, None, Some((is_key, sheet.sent(&context.form), problems)))
        }
    }
}

/// Takes back what somebody allowed an application.
async fn revoke(context: &Context) -> PageResult {
    let caller = context.administrator()?;
    let id = context.form.get("id").parse().map(OauthGrantId).map_err(|_| PageError::NotFound)?;
    let job = context.core.perform_reserved(caller, move |tx, by| grants::revoke(tx, &by.caller, id, by.now));
    job.await?;
    Ok(context.see_other(&format!("{PATH}?done=revoked")))
}

/// The permissions that the administrators whom the reader sees gave applications.
fn grant_rows(context: &Context, tx: &ReadTx, seen: &[AdminDetail]) -> Result<Vec<GrantRow>, PageError> {
    let (caller, language, locale) = (context.administrator()?, context.language, context.locale());
    let mut rows = Vec::new();
    for (admin, grant) in grants::of_account(tx, caller.account, context.core.now())? {
        if !seen.iter().any(|detail| detail.admin.id == admin.id) {
            continue;
        }
        let scopes: Vec<String> = grant.scopes.iter().map(|scope| scope_words(language, *scope)).collect();
        rows.push(GrantRow {
            id: grant.id.0,
            application: grant.application,
            person: admin.username.as_ref().map(EmailAddress::to_string).unwrap_or_default(),
            scopes: scopes.join(", "),
            made: locale.day(grant.made),
            last_use: locale.day(grant.last_use),
        });
    }
    Ok(rows)
}

/// A key that is about to be made.
struct NewKey {
    key: String,
    hash: [u8; 32],
    expiry: Option<Timestamp>,
    problems: Problems,
}

impl NewKey {
    fn read(context: &Context) -> Result<NewKey, PageError> {
        let pair = ("expiry_months".to_owned(), context.form.get("expiry_months").to_owned());
        let mut params = Params::from_pairs(vec![pair]).map_err(|_| PageError::BadRequest)?;
        let months = reader::expiry_months(&mut params);
        let key = context.core.secrets.api_key();
        let expiry = months.map(|months| expiry_after(context.core.now(), months));
        Ok(NewKey { hash: sha256(key.as_bytes()), key, expiry, problems: params.take_problems() })
    }
}

/// The facts that an administrator's page shows beside its stored fields.
#[derive(Default)]
struct Shown {
    told: Option<String>,
    /// The key that was just made.
    key: Option<String>,
    /// The values that were sent, with their problems.
    sent: Option<(Values, FieldProblems)>,
}

/// The form of a new person, or of a new key, which stand on one page.
fn new_sheet(context: &Context, is_key: bool) -> Result<Sheet, PageError> {
    let (table, prefix) = if is_key { (&KEY, "key-") } else { (&PERSON, "") };
    Ok(sheet(context, table, None)?.prefixed(prefix))
}

/// The form of a table, which offers the lists and the fields that exist for the reader.
fn sheet(context: &Context, table: &Table, admin: Option<&Admin>) -> Result<Sheet, PageError> {
    let mut sheet = Sheet::new(table, reader::fields);
    let (caller, tx) = (context.administrator()?, context.read()?);
    let all = lists::list(&tx, caller, &ListFilter::default(), Members::Skip, PageRequest::All)?;
    let names = all.rows.iter().map(|detail| {
        let name = detail.list.name.to_string();
        (name.clone(), name)
    });
    sheet.offer("limit_lists", names.collect());
    let fields = context.account.iter().flat_map(|account| &account.custom_fields);
    let seen = fields.filter(|field| caller.limits.sees_field(field.id));
    let offered: Vec<(String, String)> =
        seen.map(|field| (field.key().to_owned(), field.name.clone())).collect();
    // A limit that is on can be seen, whatever else there is to choose.
    let is_limited = admin.is_some_and(|admin| admin.permissions.contains(&Permission::LimitMetadata));
    if offered.is_empty() && !is_limited {
        sheet.leave_out("limit_metadata");
    }
    sheet.offer("limit_metadata", offered);
    if context.core.config.oidc.is_empty() {
        sheet.leave_out("authn_provider");
    }
    Ok(sheet)
}

type Sent = (bool, Values, FieldProblems);

fn show(context: &Context, status: StatusCode, told: Option<String>, sent: Option<Sent>) -> PageResult {
    let (caller, language) = (context.administrator()?, context.language);
    let tx = context.read()?;
    let all = ops::list(&tx, caller, PageRequest::All)?;
    let (mut people, mut keys) = (Vec::new(), Vec::new());
    for detail in &all.rows {
        if detail.admin.api == KEY_API {
            keys.push(key_row(context, &tx, detail)?);
        } else {
            people.push(person_row(context, caller, detail));
        }
    }
    let (is_key, values, problems) = match sent {
        Some((is_key, values, problems)) => (Some(is_key), values, problems),
        None => (None, Values::default(), FieldProblems::default()),
    };
    let (none, no_problems) = (Values::default(), FieldProblems::default());
    let form = |is_of_key: bool| -> Result<Vec<GroupView>, PageError> {
        let is_sent = is_key == Some(is_of_key);
        let (values, problems) = if is_sent { (&values, &problems) } else { (&none, &no_problems) };
        Ok(new_sheet(context, is_of_key)?.view(language, values, problems))
    };
    let page = AdminsPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(PATH),
        person: form(false)?,
        key: form(true)?,
        is_key: is_key == Some(true),
        is_person: is_key == Some(false),
        problems,
        told,
        grants: grant_rows(context, &tx, &all.rows)?,
        people,
        keys,
    };
    context.html(status, &page)
}

/// The rights of an administrator in words, with the lists that it is limited to.
fn rights(language: Language, detail: &AdminDetail) -> String {
    let may_all = detail.admin.permissions.contains(&Permission::AccountAdmin);
    // "Everything" has all others within it.
    let is_told =
        |right: &&Permission| !is_limit(**right) && (!may_all || **right == Permission::AccountAdmin);
    let granted = detail.admin.permissions.iter().filter(is_told);
    let words: Vec<String> = granted.map(|right| permission_words(language, *right)).collect();
    let words = if words.is_empty() { text!(language, "admins-nothing") } else { words.join(", ") };
    if !detail.admin.permissions.contains(&Permission::LimitLists) {
        return words;
    }
    let lists: Vec<&str> = detail.limit_lists.iter().map(ListName::as_str).collect();
    if lists.is_empty() {
        text!(language, "admins-no-list", rights = words)
    } else {
        text!(language, "admins-only-lists", rights = words, lists = lists.join(", "))
    }
}

/// A sentence that says what an administrator may do, and for which lists.
fn given(language: Language, detail: &AdminDetail) -> String {
    let mut rights = rights(language, detail);
    if !detail.admin.permissions.iter().any(|right| !is_limit(*right)) {
        return text!(language, "admins-given-nothing", who = title_of(language, &detail.admin));
    }
    if !detail.admin.permissions.contains(&Permission::LimitLists) {
        rights = text!(language, "admins-all-lists", rights = rights);
    }
    text!(language, "admins-given", who = title_of(language, &detail.admin), rights = rights)
}

/// Limits an administrator to the lists, and to the fields, that a form ticked, unless the form switches off a limit that
/// the administrator has. A limit to nothing is a problem, since nobody means it.
fn limit_as_ticked(input: &mut AdminInput, before: Option<&Admin>) {
    let Some(permissions) = &mut input.permissions else { return };
    let had_lists = before.is_some_and(|admin| !admin.limit_lists.is_empty());
    let had_fields = before.is_some_and(|admin| !admin.limit_metadata.is_empty());
    let lists = (Permission::LimitLists, &mut input.limit_lists, had_lists);
    let fields = (Permission::LimitMetadata, &mut input.limit_metadata, had_fields);
    for (right, names, had_some) in [lists, fields] {
        let Some(names) = names else { continue };
        let was_limited = before.is_some_and(|admin| admin.permissions.contains(&right));
        match (names.is_empty(), permissions.contains(&right)) {
            (false, false) if was_limited => names.clear(),
            (false, false) => {
                permissions.insert(right);
            }
            // Who lost the last list stays as it is while something else is changed.
            (true, true) if !was_limited || had_some => {
                let (field, problem) = match right {
                    Permission::LimitLists => ("limit_lists", Wrong::NoListChosen),
                    _ => ("limit_metadata", Wrong::NoFieldChosen),
                };
                input.problems.add(field, problem);
            }
            _ => {}
        }
    }
}

fn person_row(context: &Context, caller: &Caller, detail: &AdminDetail) -> PersonRow {
    let admin = &detail.admin;
    PersonRow {
        href: context.href(&format!("{PATH}{}/", admin.id.0)),
        name: name_of(admin),
        address: admin.username.as_ref().map(EmailAddress::to_string).unwrap_or_default(),
        rights: rights(context.language, detail),
        state: if admin.password_hash.is_none()
            && admin.authn_provider.is_none()
            && !caller.is_admin(admin.id)
        {
            text!(context.language, "admins-invited")
        } else {
            String::new()
        },
        is_reader: caller.is_admin(admin.id),
    }
}

fn name_of(admin: &Admin) -> String {
    [&*admin.firstname, &*admin.surname].join(" ").trim().to_owned()
}

/// The title of an administrator's page.
fn title_of(language: Language, admin: &Admin) -> String {
    match (name_of(admin).as_str(), &admin.username) {
        ("", Some(address)) => address.to_string(),
        ("", None) if admin.description.is_empty() => text!(language, "admins-key"),
        ("", None) => admin.description.clone(),
        (name, _) => name.to_owned(),
    }
}

fn key_row(context: &Context, tx: &ReadTx, detail: &AdminDetail) -> Result<KeyRow, PageError> {
    let admin = &detail.admin;
    let language = context.language;
    let networks: Vec<String> = admin.cidr.iter().map(ToString::to_string).collect();
    let KeyTimes { expiry, last_use } = KeyTimes::of(context, tx, admin)?;
    Ok(KeyRow {
        href: context.href(&format!("{PATH}{}/", admin.id.0)),
        description: admin.description.clone(),
        rights: rights(language, detail),
        networks: if networks.is_empty() { text!(language, "admins-anywhere") } else { networks.join(", ") },
        expiry,
        last_use,
    })
}

/// The facts about an administrator's key.
pub(in crate::web::admin) struct KeyTimes {
    /// When it stops working.
    expiry: String,
    /// When it was last used.
    pub(in crate::web::admin) last_use: String,
}

impl KeyTimes {
    pub(in crate::web::admin) fn of(
        context: &Context,
        tx: &ReadTx,
        admin: &Admin,
    ) -> Result<KeyTimes, PageError> {
        let (language, locale) = (context.language, context.locale());
        let key = key_of(tx, admin.account_or_server(), admin.id.0)?;
        let last_use = key.as_ref().and_then(|key| context.core.key_uses.last(key.id));
        Ok(KeyTimes {
            expiry: match key {
                None => text!(language, "admins-no-key"),
                Some(key) => key
                    .expiry
                    .map_or_else(|| text!(language, "admins-no-expiry"), |expiry| locale.day(expiry)),
            },
            last_use: last_use
                .map_or_else(|| text!(language, "admins-never-used"), |last| locale.moment(last)),
        })
    }
}

/// `GET /admin/administrators/{id}/`
pub(in crate::web) fn one(context: &Context) -> PageResult {
    let language = context.language;
    let detail = load(context)?;
    let done = match context.query.get("done") {
        "saved" => Some(text!(language, "set-saved")),
        // Whoever signs in elsewhere gets no mail.
        "invited" if detail.admin.authn_provider.is_some() => Some(String::new()),
        "invited" => Some(text!(language, "admins-invited-done")),
        "key-made" => Some(text!(language, "admins-key-made")),
        _ => None,
    };
    let told = done.map(|done| format!("{} {done}", given(language, &detail)).trim_end().to_owned());
    show_one(context, &detail, StatusCode::OK, Shown { told, ..Shown::default() })
}

/// `POST /admin/administrators/{id}/`
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let detail = load(&context)?;
    if let Some(response) = context.ask_again(&format!("{PATH}{}/", detail.admin.id.0))? {
        return Ok(response);
    }
    match context.form.get("action") {
        _ if context.form.has("get_key") => get_key(&context, &detail).await,
        "delete" => delete(&context, &detail.admin).await,
        "invite" => invite(&context, &detail.admin).await,
        "" | "save" => save(&context, &detail.admin).await,
        _ => Err(PageError::BadRequest),
    }
}

/// The administrator of the path.
fn load(context: &Context) -> Result<AdminDetail, PageError> {
    let caller = context.administrator()?;
    let id = context.param("id");
    // A username in the path would be a second address of the same page.
    if id.contains('@') {
        return Err(PageError::NotFound);
    }
    Ok(ops::get(&context.read()?, caller, id)?)
}

fn table_of(admin: &Admin) -> &'static Table {
    if admin.api == KEY_API { &KEY } else { &PERSON }
}

async fn save(context: &Context, admin: &Admin) -> PageResult {
    let caller = context.administrator()?;
    let sheet = sheet(context, table_of(admin), Some(admin))?;
    if sheet.is_missing(&context.form) {
        return Err(PageError::BadRequest);
    }
    let mut input = reader::input(&mut sheet.params(&context.form)?);
    limit_as_ticked(&mut input, Some(admin));
    let id = admin.id.0.to_string();
    let saving = context
        .core
        .perform(caller, move |tx, by| ops::update(tx, &by.caller, &id, input, &by.mail_context, by.now));
    match saving.await {
        Ok(_) => Ok(context.see_other(&format!("{PATH}{}/?done=saved", admin.id.0))),
        Err(error) => refuse(context, &sheet, error),
    }
}

fn refuse(context: &Context, sheet: &Sheet, error: OpError) -> PageResult {
    let (status, found) = refusal(error)?;
    let problems = sheet.problems(context.language, &found);
    let sent = Some((sheet.sent(&context.form), problems));
    show_one(context, &load(context)?, status, Shown { sent, ..Shown::default() })
}

#[derive(Template)]
#[template(path = "admin_key_again.html", config = "src/web/askama.toml")]
struct KeyAgainPage {
    frame: Frame,
    csrf: String,
    action: String,
    title: String,
    /// When the key that would end was last used.
    last_use: String,
    expiry_months: String,
}

/// The page that asks before a key ends; `None` if there is none, or if the form says that it shall.
fn asks_again(context: &Context, admin: &Admin) -> Result<Option<Response>, PageError> {
    let tx = context.read()?;
    if context.form.has("ends") || key_of(&tx, admin.account_or_server(), admin.id.0)?.is_none() {
        return Ok(None);
    }
    let page = KeyAgainPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(&format!("{PATH}{}/", admin.id.0)),
        title: title_of(context.language, admin),
        last_use: KeyTimes::of(context, &tx, admin)?.last_use,
        expiry_months: context.form.get("expiry_months").to_owned(),
    };
    context.show(&page).map(Some)
}

/// Makes a key and shows it this once. It ends the key that there is, so that is asked first.
async fn get_key(context: &Context, detail: &AdminDetail) -> PageResult {
    if let Some(asked) = asks_again(context, &detail.admin)? {
        return Ok(asked);
    }
    let (caller, language) = (context.administrator()?, context.language);
    let NewKey { key, hash, expiry, problems } = NewKey::read(context)?;
    let id = detail.admin.id.0.to_string();
    let making = context.core.perform(caller, move |tx, by| {
        problems.into_result()?;
        ops::get_key(tx, &by.caller, &id, hash, expiry, by.now)
    });
    match making.await {
        Ok(_) => {
            let told = Some(text!(language, "admins-key-new"));
            show_one(context, detail, StatusCode::OK, Shown { told, key: Some(key), ..Shown::default() })
        }
        Err(error) => {
            let (status, found) = refusal(error)?;
            let mut problems = FieldProblems::default();
            for problem in found.iter() {
                let label = text!(language, "admins-expiry");
                problems.add_named(language, "expiry_months", label, &problem.problem);
            }
            let sent = Some((values_of(detail), problems));
            show_one(context, detail, status, Shown { sent, ..Shown::default() })
        }
    }
}

async fn delete(context: &Context, admin: &Admin) -> PageResult {
    let (caller, id) = (context.administrator()?, admin.id.0.to_string());
    let deleting =
        context.core.perform_reserved(caller, move |tx, by| ops::delete(tx, &by.caller, &id, by.now));
    match deleting.await {
        Ok(()) => Ok(context.see_other(&format!("{PATH}?done=deleted"))),
        Err(error) => refuse(context, &sheet(context, table_of(admin), Some(admin))?, error),
    }
}

/// Mails the link to choose a password once more.
async fn invite(context: &Context, admin: &Admin) -> PageResult {
    let (caller, id) = (context.administrator()?, admin.id.0.to_string());
    context.core.perform(caller, move |tx, by| ops::invite_again(tx, by, &id)).await?;
    Ok(context.see_other(&format!("{PATH}{}/?done=invited", admin.id.0)))
}

fn show_one(context: &Context, detail: &AdminDetail, status: StatusCode, shown: Shown) -> PageResult {
    let (caller, language) = (context.administrator()?, context.language);
    let Shown { told, key, sent } = shown;
    let admin = &detail.admin;
    let is_key = admin.api == KEY_API;
    let (values, problems) = sent.unwrap_or_else(|| (values_of(detail), FieldProblems::default()));
    let mut facts = vec![(text!(language, "admins-since"), context.locale().day(admin.created))];
    if is_key {
        let KeyTimes { expiry, last_use } = KeyTimes::of(context, &context.read()?, admin)?;
        facts.push((text!(language, "admins-expiry"), expiry));
        facts.push((text!(language, "admins-last-use"), last_use));
    }
    let page = AdminPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(&format!("{PATH}{}/", admin.id.0)),
        all: context.href(PATH),
        title: title_of(language, admin),
        is_key,
        is_reader: caller.is_admin(admin.id),
        groups: sheet(context, table_of(admin), Some(admin))?.view(language, &values, &problems),
        problems,
        told,
        facts,
        key,
        has_password: admin.password_hash.is_some() || admin.authn_provider.is_some(),
    };
    context.html(status, &page).map(assets::with_script)
}
