//! The page of the applications that may ask administrators for permission. Global administrators make them known and
//! delete them; the secret of a new one is shown in the answer alone.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use crate::locale::text;
use crate::model::OauthClient;
use crate::ops::OpError;
use crate::ops::oauth::clients::{self, ClientInput, NewCredentials};
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

/// The path of the page.
const PATH: &str = "/admin/server/oauth-clients/";

#[derive(Template)]
#[template(path = "oauth_clients.html", config = "src/web/askama.toml")]
struct ClientsPage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    is_deleted: bool,
    made: Option<Made>,
    clients: Vec<ClientRow>,
    /// The form as it was sent.
    entered: Entered,
}

/// An application that was just made known.
struct Made {
    name: String,
    client_id: String,
    secret: Option<String>,
}

struct ClientRow {
    client_id: String,
    name: String,
    redirect_uris: Vec<String>,
    is_public: bool,
    since: String,
}

/// The entries of the form for a new application.
#[derive(Debug, Default)]
struct Entered {
    name: String,
    redirect_uri: String,
    is_public: bool,
}

/// `GET /admin/server/oauth-clients/`
pub(in crate::web) fn page(context: &Context) -> PageResult {
    let is_deleted = context.query.get("done") == "delete";
    let page = clients_page(context, FieldProblems::default(), None, Entered::default())?;
    context.show(&ClientsPage { is_deleted, ..page })
}

/// `POST /admin/server/oauth-clients/`: `action=create` with the fields of an application, or `delete` with its
/// `client_id`.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    if let Some(response) = context.ask_again(PATH)? {
        return Ok(response);
    }
    match context.form.get("action") {
        "create" => create(&context).await,
        "delete" => {
            let (caller, client_id) = (context.administrator()?, context.form.get("client_id").to_owned());
            let deleting = context
                .core
                .perform_reserved(caller, move |tx, by| clients::delete(tx, &by.caller, &client_id, by.now));
            deleting.await?;
            Ok(context.see_other(&format!("{PATH}?done=delete")))
        }
        _ => {
            let problems = FieldProblems::one("clients", text!(context.language, "problem-no-button"));
            let page = clients_page(&context, problems, None, Entered::default())?;
            context.html(StatusCode::BAD_REQUEST, &page)
        }
    }
}

async fn create(context: &Context) -> PageResult {
    let form = &context.form;
    let (name, is_public) = (form.get("name").to_owned(), !matches!(form.get("public"), "" | "0" | "false"));
    // One address a line, or one field for each.
    let lines: Vec<&str> = form.all("redirect_uri").flat_map(str::lines).collect();
    let redirect_uris = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty());
    let input = ClientInput { name, redirect_uris: redirect_uris.map(str::to_owned).collect(), is_public };
    let entered =
        Entered { name: input.name.clone(), redirect_uri: lines.join("\n"), is_public: input.is_public };
    let new = NewCredentials::draw(&context.core.secrets);
    let (drawn, caller) = (new.clone(), context.administrator()?);
    let creating =
        context.core.perform(caller, move |tx, by| clients::create(tx, &by.caller, input, &drawn, by.now));
    match creating.await {
        Ok(client) => {
            let secret = client.secret_hash.is_some().then_some(new.secret);
            let made = Made { name: client.name, client_id: client.client_id, secret };
            let page = clients_page(context, FieldProblems::default(), Some(made), Entered::default())?;
            context.show(&page)
        }
        Err(OpError::Invalid { problems }) => {
            let mut found = FieldProblems::default();
            for problem in problems {
                let label = match problem.field.as_str() {
                    "name" => text!(context.language, "oauth-clients-name"),
                    "redirect_uri" => text!(context.language, "oauth-clients-redirect"),
                    other => other.to_owned(),
                };
                found.add_named(context.language, problem.field, label, &problem.problem);
            }
            context.html(StatusCode::BAD_REQUEST, &clients_page(context, found, None, entered)?)
        }
        Err(error) => Err(error.into()),
    }
}

fn clients_page(
    context: &Context,
    problems: FieldProblems,
    made: Option<Made>,
    entered: Entered,
) -> Result<ClientsPage, PageError> {
    let known = clients::list(&context.read()?, context.administrator()?)?;
    Ok(ClientsPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(PATH),
        problems,
        is_deleted: false,
        made,
        clients: known.into_iter().map(|client| row(context, client)).collect(),
        entered,
    })
}

fn row(context: &Context, client: OauthClient) -> ClientRow {
    let OauthClient { id: _, client_id, name, redirect_uris, secret_hash, created } = client;
    let since = context.locale().day(created);
    ClientRow { client_id, name, redirect_uris, is_public: secret_hash.is_none(), since }
}
