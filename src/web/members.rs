//! What members do by themselves: leaving by the link in every copy, coming back, and saying that mail reaches
//! them again.
//!
//! The token is the proof, so the form needs no session and no other token: mail programs press the button
//! for their users (RFC 8058), without cookies.

use std::net::SocketAddr;

use askama::Template;
use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{ConnectInfo, Path, State};
use serde::Deserialize;

use super::{PageError, PageResult, page};
use crate::model::{ContactId, EmailId, ListId};
use crate::ops::{Core, bounces, subscribe};
use crate::secret::Purpose;

#[derive(Template)]
#[template(path = "unsubscribe.html", config = "src/web/askama.toml")]
struct UnsubscribePage {
    list: String,
}

#[derive(Template)]
#[template(path = "goodbye.html", config = "src/web/askama.toml")]
struct GoodbyePage {
    list: String,
}

#[derive(Template)]
#[template(path = "welcome_back.html", config = "src/web/askama.toml")]
struct WelcomeBackPage {
    list: String,
}

#[derive(Template)]
#[template(path = "resume.html", config = "src/web/askama.toml")]
struct ResumePage {
    address: String,
    is_paused: bool,
}

/// What a form sends. A mail program's `List-Unsubscribe=One-Click` has no `action`, may be
/// `multipart/form-data` (RFC 8058 3.2), and leaves.
#[derive(Deserialize)]
pub(super) struct Press {
    #[serde(default)]
    action: String,
}

/// `GET /unsubscribe/{token}/`: changes nothing, since link checkers follow every link.
pub(super) async fn unsubscribe_page(State(core): State<Core>, Path(token): Path<String>) -> PageResult {
    let (contact, list) = open(&core, &token)?;
    let place = subscribe::place(&core.store.read()?, contact, list)?.ok_or(PageError::DeadLink)?;
    let list = place.list.title().to_owned();
    if place.is_member { page(&UnsubscribePage { list }) } else { page(&GoodbyePage { list }) }
}

/// `POST /unsubscribe/{token}/`: leaves at once, or joins again with `action=rejoin`.
pub(super) async fn unsubscribe(
    State(core): State<Core>,
    Path(token): Path<String>,
    ConnectInfo(client): ConnectInfo<SocketAddr>,
    press: Result<Form<Press>, FormRejection>,
) -> PageResult {
    let (contact, list) = open(&core, &token)?;
    let place = subscribe::place(&core.store.read()?, contact, list)?.ok_or(PageError::DeadLink)?;
    let title = place.list.title().to_owned();
    if press.is_ok_and(|Form(press)| press.action == "rejoin") {
        let now = core.now();
        core.store.write(move |tx| subscribe::rejoin(tx, contact, list, client.ip(), now)).await?;
        return page(&WelcomeBackPage { list: title });
    }
    core.store.write_ending(move |tx| subscribe::leave(tx, contact, list)).await?;
    page(&GoodbyePage { list: title })
}

/// `GET /resume/{token}/`: changes nothing.
pub(super) async fn resume_page(State(core): State<Core>, Path(token): Path<String>) -> PageResult {
    let (email, contact) = open_resume(&core, &token)?;
    let email = bounces::find_paused(&core.store.read()?, email, contact)?.ok_or(PageError::DeadLink)?;
    page(&ResumePage { address: email.address.as_str().to_owned(), is_paused: email.paused })
}

/// `POST /resume/{token}/`: the reader of a probe says that mail arrives.
pub(super) async fn resume(State(core): State<Core>, Path(token): Path<String>) -> PageResult {
    let (email, contact) = open_resume(&core, &token)?;
    core.store.write_ending(move |tx| bounces::resume(tx, email, contact)).await?;
    resume_page(State(core), Path(token)).await
}

fn open_resume(core: &Core, token: &str) -> Result<(EmailId, ContactId), PageError> {
    let [email, contact] = core.signer.open(Purpose::Resume, token).ok_or(PageError::DeadLink)?;
    Ok((EmailId(email), ContactId(contact)))
}

fn open(core: &Core, token: &str) -> Result<(ContactId, ListId), PageError> {
    let [contact, list] = core.signer.open(Purpose::Unsubscribe, token).ok_or(PageError::DeadLink)?;
    Ok((ContactId(contact), ListId(list)))
}
