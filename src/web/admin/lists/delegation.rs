//! "People who look after this list" on the page of a list: who they are, how others are invited, and how they are taken
//! out. `ops` decides who may.

use std::collections::BTreeSet;

use axum::http::StatusCode;

use super::index;
use super::list::{Shown, load, show};
use crate::locale::text;
use crate::model::{Account, Admin, AdminId, EmailAddress, Language, List, Permission};
use crate::ops::accounts::admins::delegation::{self as ops, Invited};
use crate::ops::authority::is_limit;
use crate::ops::{OpError, Problems};
use crate::store::ReadTx;
use crate::web::admin::account::administrator_table::{permission_choices, permission_words};
use crate::web::admin::parts::fields::{Choice, refusal};
use crate::web::context::Context;
use crate::web::error::PageError;
use crate::web::form::FieldProblems;
use crate::web::table::PageResult;

/// The section of a list's page.
pub(super) struct Helpers {
    pub(super) people: Vec<Helper>,
    /// The rights that the reader may give: the word, its name, and whether it is ticked.
    pub(super) rights: Vec<(&'static str, String, bool)>,
    /// The values that were sent.
    pub(super) username: String,
    pub(super) firstname: String,
    pub(super) surname: String,
}

/// Somebody who looks after a list.
pub(super) struct Helper {
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) address: String,
    /// The person's rights, in words.
    pub(super) rights: Vec<String>,
    pub(super) is_reader: bool,
}

/// The section, for readers who may delegate the list.
pub(super) fn view(
    context: &Context,
    tx: &ReadTx,
    account: &Account,
    list: &List,
) -> Result<Option<Helpers>, PageError> {
    let (caller, language) = (context.administrator()?, context.language);
    if !ops::may_delegate(account, caller) {
        return Ok(None);
    }
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
    Ok(Some(Helpers {
        people: ops::of_list(tx, list)?.into_iter().map(helper).collect(),
        rights: permission_choices().iter().filter(is_allowed).map(right).collect(),
        username: typed("username"),
        firstname: typed("firstname"),
        surname: typed("surname"),
    }))
}

/// The message about a change that was just made.
pub(super) fn told(language: Language, word: &str) -> Option<String> {
    match word {
        "invited" => Some(text!(language, "helpers-invited")),
        "taken-out" => Some(text!(language, "helpers-taken-out")),
        _ => None,
    }
}

/// Invites somebody to the list.
pub(super) async fn invite(context: &Context) -> PageResult {
    let (detail, caller) = load(context)?;
    let name = detail.list.name.to_string();
    let path = index::path_of(&name);
    if let Some(response) = context.ask_again(&path)? {
        return Ok(response);
    }
    let mut problems = Problems::default();
    let typed = context.form.get("username").trim();
    let username = match EmailAddress::parse(typed) {
        Ok(address) => Some(address),
        Err(_) if typed.is_empty() => None,
        Err(problem) => {
            problems.add("username", problem);
            None
        }
    };
    let words = context.form.all("permissions").filter_map(Permission::from_word);
    let invited = Invited {
        username,
        firstname: context.form.get("firstname").trim().to_owned(),
        surname: context.form.get("surname").trim().to_owned(),
        permissions: words.collect::<BTreeSet<_>>(),
        problems,
    };
    let job = context.core.perform(caller, move |tx, by| ops::invite_to(tx, by, &name, invited));
    match job.await {
        Ok(_) => Ok(context.see_other(&format!("{path}?done=invited"))),
        Err(error) => refuse(context, error),
    }
}

/// Takes somebody out of the list.
pub(super) async fn take_out(context: &Context) -> PageResult {
    let (detail, caller) = load(context)?;
    let name = detail.list.name.to_string();
    let path = index::path_of(&name);
    if let Some(response) = context.ask_again(&path)? {
        return Ok(response);
    }
    let id = context.form.get("id").parse().map(AdminId).map_err(|_| PageError::NotFound)?;
    let is_self = caller.is_admin(id);
    let job =
        context.core.perform_reserved(caller, move |tx, by| ops::take_out(tx, &by.caller, &name, id, by.now));
    match job.await {
        // Who takes itself out sees the list no more.
        Ok(_) if is_self => Ok(context.see_other("/admin/")),
        Ok(_) => Ok(context.see_other(&format!("{path}?done=taken-out"))),
        Err(error) => refuse(context, error),
    }
}

fn refuse(context: &Context, error: OpError) -> PageResult {
    let (status, found) = refusal(error)?;
    let mut problems = FieldProblems::default();
    for problem in found.iter() {
        let (field, label) = match problem.field.as_str() {
            "username" => ("username", text!(context.language, "helpers-address")),
            _ => ("permissions", text!(context.language, "helpers-rights")),
        };
        problems.add_named(context.language, field, label, &problem.problem);
    }
    let status = if status.is_success() { StatusCode::BAD_REQUEST } else { status };
    show(context, Shown { status, problems, ..Shown::default() })
}
