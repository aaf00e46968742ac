//! The helpers of a list, who look after it: who they are, and what the reader may give others. `ops` decides who may.
//! `/admin/lists/{name}/helpers/`; its forms are in [`delegation`](super::delegation).

use askama::Template;
use axum::http::StatusCode;

use super::head::{self, Head, Tab};
use super::index;
use super::loading::load;
use crate::locale::text;
use crate::model::{Admin, EmailAddress, Language, List, Permission};
use crate::ops::accounts::admins::delegation as ops;
use crate::ops::authority::is_limit;
use crate::web::admin::account::administrator_table::{permission_choices, permission_words};
use crate::web::admin::parts::fields::Choice;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

#[derive(Template)]
#[template(path = "admin_list_helpers.html", config = "src/web/askama.toml")]
struct HelpersPage {
    frame: Frame,
    csrf: String,
    action: String,
    head: Head,
    problems: FieldProblems,
    told: Option<String>,
    helpers: Helpers,
}

/// The people of the page, and the values of its form.
struct Helpers {
    people: Vec<Helper>,
    /// The rights that the reader may give: the word, its name, and whether it is ticked.
    rights: Vec<(&'static str, String, bool)>,
    /// The values that were sent.
    username: String,
    firstname: String,
    surname: String,
}

/// Somebody who looks after a list.
struct Helper {
    id: u64,
    name: String,
    address: String,
    /// The person's rights, in words.
    rights: Vec<String>,
    is_reader: bool,
}

/// The path of the page.
pub(super) fn path_of(list: &List) -> String {
    format!("{}helpers/", index::path_of(list.name.as_str()))
}

/// `GET /admin/lists/{name}/helpers/`
pub(in crate::web) fn page(context: &Context) -> PageResult {
    let told = told(context.language, context.query.get("done"));
    show(context, StatusCode::OK, told, FieldProblems::default())
}

/// Shows the page to readers who may delegate the list.
pub(super) fn show(
    context: &Context,
    status: StatusCode,
    told: Option<String>,
    problems: FieldProblems,
) -> PageResult {
    let (detail, caller) = load(context)?;
    if !ops::may_delegate(context.site_account()?, caller) {
        return Err(PageError::Forbidden);
    }
    let page = HelpersPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(&path_of(&detail.list)),
        head: head::of(context, &detail.list, Tab::Helpers)?,
        problems,
        told,
        helpers: view(context, &detail.list)?,
    };
    context.html(status, &page)
}

fn view(context: &Context, list: &List) -> Result<Helpers, PageError> {
    let (caller, language) = (context.administrator()?, context.language);
    let helper = |admin: Admin| Helper {
        id: admin.id.0,
        name: [&*admin.firstname, &*admin.surname].join(" ").trim().to_owned(),
        address: admin.username.as_ref().map(EmailAddress::to_string).unwrap_or_default(),
        rights: admin
            .permissions
            .iter()
            .filter(|right| !is_limit(**right))
            .map(|right| permission_words(language, *right))
            .collect(),
        is_reader: caller.is_admin(admin.id),
    };
    let is_sent = context.form.get("action") == "invite";
    let sent: Vec<&str> = context.form.all("permissions").collect();
    // Most who look after a list approve; more than that is given on purpose.
    let first = Permission::ApproveMessages.word();
    let is_on = |word: &str| if is_sent { sent.contains(&word) } else { word == first };
    let right = |choice: &Choice| (choice.value, (choice.label)(language), is_on(choice.value));
    let allowed = ops::to_give(caller);
    let is_allowed = |choice: &&Choice| allowed.iter().any(|right| right.word() == choice.value);
    let typed = |name: &str| if is_sent { context.form.get(name).to_owned() } else { String::new() };
    Ok(Helpers {
        people: ops::of_list(&context.read()?, list)?.into_iter().map(helper).collect(),
        rights: permission_choices().iter().filter(is_allowed).map(right).collect(),
        username: typed("username"),
        firstname: typed("firstname"),
        surname: typed("surname"),
    })
}

/// The message about a change that was just made.
fn told(language: Language, word: &str) -> Option<String> {
    match word {
        "invited" => Some(text!(language, "helpers-invited")),
        "taken-out" => Some(text!(language, "helpers-taken-out")),
        _ => None,
    }
}
