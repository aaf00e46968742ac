//! The page on which a new administrator chooses a password, by the link that was mailed.
//!
//! The token in the link is the proof, so the form needs no session and no other token.

use std::sync::Arc;

use askama::Template;
use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Deserialize;

use super::{Client, PageError, PageResult, page, respond};
use crate::model::{AccountId, Admin, EmailAddress, Via};
use crate::ops::accounts::admins::invite::{self, Invitation, PASSWORD_CHARS_MIN};
use crate::ops::{Caller, Core};

#[derive(Template)]
#[template(path = "choose_password.html", config = "src/web/askama.toml")]
struct ChoosePage {
    username: String,
    chars_min: usize,
    problem: Option<String>,
}

#[derive(Template)]
#[template(path = "password_chosen.html", config = "src/web/askama.toml")]
struct ChosenPage {
    username: String,
}

/// What the form sends.
#[derive(Deserialize)]
pub(super) struct Choice {
    #[serde(default)]
    password: String,
}

/// `GET /password/{token}/`: changes nothing, since link checkers follow every link.
pub(super) async fn choose_page(State(core): State<Core>, Path(token): Path<String>) -> PageResult {
    let invitation = invite::open(&core.store.read()?, &core.signer, &token, core.now())?;
    let username = username(&invited(invitation)?);
    page(&ChoosePage { username, chars_min: PASSWORD_CHARS_MIN, problem: None })
}

/// `POST /password/{token}/`: sets the password.
pub(super) async fn choose(
    State(core): State<Core>,
    Path(token): Path<String>,
    Client(client): Client,
    choice: Result<Form<Choice>, FormRejection>,
) -> PageResult {
    let now = core.now();
    // Nothing is hashed for a link that is good for nothing: it takes long on purpose.
    let invitation = invite::open(&core.store.read()?, &core.signer, &token, now)?;
    let admin = invited(invitation)?;
    let account = admin.account.unwrap_or(AccountId::SERVER);
    let caller = Arc::new(Caller::admin(&admin, account, Via::Link, Some(client)));
    let username = username(&admin);
    let password = choice.map_or_else(|_| String::new(), |Form(choice)| choice.password);
    if let Err(error) = invite::check_password(&password) {
        let problem = Some(error.to_string());
        let form = ChoosePage { username, chars_min: PASSWORD_CHARS_MIN, problem };
        return respond(StatusCode::UNPROCESSABLE_ENTITY, &form);
    }
    let hash = core.passwords.hash(&core.secrets, password).await?;
    let chosen = core
        .perform(&caller, move |tx, by| invite::choose(tx, &by.mail_context.signer, &token, hash, by.now))
        .await?;
    invited(chosen)?;
    page(&ChosenPage { username })
}

/// Whose password is chosen, or why none is.
fn invited(invitation: Invitation) -> Result<Admin, PageError> {
    match invitation {
        Invitation::Open(admin) => Ok(*admin),
        Invitation::Spent => Err(PageError::SpentLink),
        Invitation::Expired => Err(PageError::ExpiredLink),
        Invitation::Dead => Err(PageError::DeadLink),
    }
}

fn username(admin: &Admin) -> String {
    admin.username.as_ref().map(EmailAddress::to_string).unwrap_or_default()
}
