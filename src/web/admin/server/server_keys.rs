//! Keys of the server, which work in every account: made, shown once, and deleted.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::overview::of_server;
use crate::locale::text;
use crate::model::{AccountId, Admin};
use crate::ops::accounts::admins::manage::{self, AdminInput};
use crate::ops::accounts::admins::{self, KEY_API, all_grants};
use crate::secret::sha256;
use crate::web::admin::account::administrators::KeyTimes;
use crate::web::assets;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

const PATH: &str = "/admin/server/keys/";

#[derive(Template)]
#[template(path = "admin_server_keys.html", config = "src/web/askama.toml")]
struct KeysPage {
    frame: Frame,
    csrf: String,
    problems: FieldProblems,
    told: Option<String>,
    server: String,
    /// The key that was just made, shown this once.
    key: Option<String>,
    rows: Vec<Row>,
    description: String,
}

/// A key.
struct Row {
    id: u64,
    description: String,
    made: String,
    last_use: String,
}

/// `GET /admin/server/keys/`
pub(in crate::web) fn page(context: &Context) -> PageResult {
    let told = (context.query.get("done") == "delete").then(|| text!(context.language, "desk-key-deleted"));
    show(context, StatusCode::OK, FieldProblems::default(), told, None)
}

fn show(
    context: &Context,
    status: StatusCode,
    problems: FieldProblems,
    told: Option<String>,
    key: Option<String>,
) -> PageResult {
    let tx = context.read()?;
    let holders = admins::of_account(&tx, None)?.into_iter().filter(|admin| admin.api == KEY_API);
    let row = |admin: Admin| -> Result<Row, PageError> {
        Ok(Row {
            id: admin.id.0,
            made: context.locale().moment(admin.created),
            last_use: KeyTimes::of(context, &tx, &admin)?.last_use,
            description: admin.description,
        })
    };
    let rows = holders.map(row).collect::<Result<_, PageError>>()?;
    let page = KeysPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        problems,
        told,
        server: context.href("/admin/server/"),
        key,
        rows,
        description: context.form.get("description").to_owned(),
    };
    context.html(status, &page).map(assets::with_script)
}

/// `POST /admin/server/keys/`: makes a key, or deletes one.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let language = context.language;
    let wrong = |field: &'static str, problem: String| {
        show(&context, StatusCode::BAD_REQUEST, FieldProblems::one(field, problem), None, None)
    };
    let action = context.form.get("action");
    if action != "create" && action != "delete" {
        return wrong("description", text!(language, "problem-no-button"));
    }
    if let Some(response) = context.ask_again(PATH)? {
        return Ok(response);
    }
    let caller = of_server(&context)?;
    if action == "delete" {
        let id = context.form.get("id").to_owned();
        let deleting =
            context.core.perform(&caller, move |tx, by| manage::delete(tx, &by.caller, &id, by.now));
        deleting.await?;
        return Ok(context.see_other(&format!("{PATH}?done=delete")));
    }
    let description = context.form.get("description").trim().to_owned();
    if description.is_empty() {
        return wrong("description", text!(language, "desk-key-needs-purpose"));
    }
    let key = context.core.secrets.api_key();
    let hash = sha256(key.as_bytes());
    let making = context.core.perform(&caller, move |tx, by| {
        let input = AdminInput {
            api: Some(KEY_API),
            description: Some(description),
            permissions: Some(all_grants()),
            welcome_email: Some(false),
            ..AdminInput::default()
        };
        let made = manage::create(tx, &by.caller, input, &by.mail_context, by.now)?;
        manage::get_key(tx, &by.caller, &made.admin.id.to_string(), hash, None, by.now)
    });
    making.await?;
    debug_assert_eq!(caller.account, AccountId::SERVER);
    show(
        &context,
        StatusCode::OK,
        FieldProblems::default(),
        Some(text!(language, "desk-key-made")),
        Some(key),
    )
}
