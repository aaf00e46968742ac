//! The settings of an account: `/admin/settings/`.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use crate::locale::{self, text};
use crate::model::account::{Subscriptions, account_fields};
use crate::model::{Account, Language};
use crate::ops::Caller;
use crate::ops::accounts::manage;
use crate::ops::undo::settings;
use crate::params::{ReadError, accounts};
use crate::web::admin::account::export;
use crate::web::admin::parts::fields::{
    Choice, ControlView, Group, GroupView, Row, Sheet, Table, Values, refusal, rows,
};
use crate::web::admin::parts::undo::{self, UndoView};
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

/// The path of the page.
const PATH: &str = "/admin/settings/";

#[derive(Template)]
#[template(path = "admin_settings.html", config = "src/web/askama.toml")]
struct SettingsPage {
    frame: Frame,
    csrf: String,
    title: String,
    action: String,
    problems: FieldProblems,
    /// The message about a change that was just made.
    told: Option<String>,
    undo: Option<UndoView>,
    groups: Vec<GroupView>,
    fields: String,
    domains: String,
    may_export: bool,
}

/// `GET /admin/settings/`
pub(in crate::web) fn page(context: &Context) -> PageResult {
    let (account, _) = load(context)?;
    let values = values_of(&account);
    let told = (context.query.get("done") == "saved").then(|| text!(context.language, "set-saved"));
    show(context, StatusCode::OK, &account, &values, told, &FieldProblems::default())
}

/// `POST /admin/settings/`, with the settings or with `action=export`.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    if context.form.get("action") == "export" {
        return export::account(&context).await;
    }
    let (account, caller) = load(&context)?;
    let sheet = sheet(caller);
    if sheet.is_missing(&context.form) {
        let problems = FieldProblems::one("fields", text!(context.language, "problem-no-button"));
        return show(&context, StatusCode::BAD_REQUEST, &account, &values_of(&account), None, &problems);
    }
    let mut params = sheet.params(&context.form)?;
    let mut input = accounts::changes(&mut params, caller);
    let (core, name) = (&context.core, account.id.0.to_string());
    let changed = async {
        accounts::check_patterns(core, caller, Some(&name), &mut input).await?;
        let new = accounts::new_domains(core, caller, &name, &input).await?;
        let name = name.clone();
        let job = core.perform(caller, move |tx, by| {
            settings::change_account(tx, &by.caller, &name, (input, new), by.now)
        });
        job.await.map_err(ReadError::from)
    };
    match changed.await {
        Ok((_, action)) => {
            let undo = undo::field(action);
            Ok(context.see_other(&format!("{PATH}?done=saved{undo}")))
        }
        Err(ReadError::Op(error)) => {
            let (status, found) = refusal(error)?;
            let problems = sheet.problems(context.language, &found);
            show(&context, status, &account, &sheet.sent(&context.form), None, &problems)
        }
        Err(error) => Err(error.into()),
    }
}

fn load(context: &Context) -> Result<(Account, &Arc<Caller>), PageError> {
    let caller = context.administrator()?;
    let detail = manage::get(&context.core.store.read()?, caller, &caller.account.0.to_string())?;
    Ok((detail.account, caller))
}

fn sheet(caller: &Caller) -> Sheet {
    Sheet::new(&TABLE, |params| {
        accounts::changes(params, caller);
    })
}

fn show(
    context: &Context,
    status: StatusCode,
    account: &Account,
    values: &Values,
    told: Option<String>,
    problems: &FieldProblems,
) -> PageResult {
    let language = context.language;
    let undo = UndoView::read(context, &context.read()?)?;
    let page = SettingsPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        title: text!(language, "set-account-title", account = account.title()),
        action: context.href(PATH),
        told: told.filter(|_| undo.is_none()),
        undo,
        groups: sheet(context.administrator()?).view(language, values, problems),
        problems: problems.clone(),
        fields: context.href("/admin/settings/fields/"),
        domains: context.href("/admin/settings/domains/"),
        may_export: export::may_take(context.administrator()?),
    };
    context.html(status, &page)
}

/// The values of every field of the table.
fn values_of(account: &Account) -> Values {
    let mut values = Values::of(account.settings.values());
    values.text("name", &account.name);
    values.text("description", &account.description);
    values
}

/// The names of all time zones.
fn zones() -> Vec<String> {
    jiff::tz::db().available().map(|zone| zone.as_str().to_owned()).collect()
}

/// The languages, each by its own name.
const LANGUAGES: &[Choice] = &[
    Choice { value: "en", label: |_| locale::name(Language::English), hint: None },
    Choice { value: "de", label: |_| locale::name(Language::German), hint: None },
    Choice { value: "fr", label: |_| locale::name(Language::French), hint: None },
    Choice { value: "es", label: |_| locale::name(Language::Spanish), hint: None },
];

/// The ways to join.
pub(in crate::web::admin) const JOINING: &[Choice] = &[
    Choice {
        value: Subscriptions::Open.word(),
        label: |language| text!(language, "set-open"),
        hint: Some(|language| text!(language, "set-open-hint")),
    },
    Choice {
        value: Subscriptions::OpenConfirm.word(),
        label: |language| text!(language, "set-open-confirm"),
        hint: Some(|language| text!(language, "set-open-confirm-hint")),
    },
    Choice {
        value: Subscriptions::Closed.word(),
        label: |language| text!(language, "set-closed"),
        hint: Some(|language| text!(language, "set-closed-join-hint")),
    },
];

/// The ways to leave.
pub(in crate::web::admin) const LEAVING: &[Choice] = &[
    JOINING[0],
    JOINING[1],
    Choice {
        label: |language| text!(language, "set-closed-leave"),
        hint: Some(|language| text!(language, "set-closed-leave-hint")),
        ..JOINING[2]
    },
];

/// When administrators are told of what waits for approval.
pub(in crate::web::admin) const NOTICES: &[Choice] = &[
    Choice { value: "each", label: |language| text!(language, "set-notify-each"), hint: None },
    Choice { value: "daily", label: |language| text!(language, "set-notify-daily"), hint: None },
    Choice { value: "none", label: |language| text!(language, "set-notify-none"), hint: None },
];

account_fields! { rows SETTINGS }

/// What the account is called.
const NAMES: &[Row] = &[
    Row::new(
        ("identity", 1),
        "description",
        |language| text!(language, "set-acc-description"),
        |language| text!(language, "set-acc-description-help"),
    ),
    Row::new(
        ("identity", 2),
        "name",
        |language| text!(language, "set-acc-name"),
        |language| text!(language, "set-acc-name-help"),
    ),
];

/// The fields of an account.
pub(in crate::web) const TABLE: Table = Table { groups: GROUPS, rows: &[NAMES, SETTINGS] };

const GROUPS: &[Group] = &[
    Group {
        id: "identity",
        title: |language| text!(language, "set-group-identity"),
        hint: |language| text!(language, "set-group-identity-hint"),
    },
    Group {
        id: "joining",
        title: |language| text!(language, "set-group-joining"),
        hint: |language| text!(language, "set-group-joining-hint"),
    },
    Group {
        id: "welcome",
        title: |language| text!(language, "set-group-welcome"),
        hint: |language| text!(language, "set-group-welcome-hint"),
    },
    Group {
        id: "admins",
        title: |language| text!(language, "set-group-admins"),
        hint: |language| text!(language, "set-group-admins-hint"),
    },
];

#[cfg(test)]
mod tests {
    #[test]
    fn every_setting_has_a_place_on_the_page() {
        super::TABLE.check();
    }
}
