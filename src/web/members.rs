//! What members do by themselves: leaving by the link in every copy, undoing that, and saying that mail reaches
//! them again.
//!
//! The token is the proof, so the form needs no session and no other token: mail programs press the button
//! for their users (RFC 8058), without cookies.

use std::net::IpAddr;
use std::sync::Arc;

use askama::Template;
use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Deserialize;

use super::{Client, PageError, PageResult, page, respond};
use crate::model::{ContactId, EmailId, ListId, Via};
use crate::ops::delivery::bounces;
use crate::ops::people::subscribe::{self, Place, Standing};
use crate::ops::{Caller, Core};
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
    can_undo: bool,
}

#[derive(Template)]
#[template(path = "not_a_member.html", config = "src/web/askama.toml")]
struct NotMemberPage {
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
    let place = subscribe::place(&core.store.read()?, contact, list, core.now())?;
    let Place { list, standing } = place.ok_or(PageError::DeadLink)?;
    let list = list.title().to_owned();
    match standing {
        Standing::Member => page(&UnsubscribePage { list }),
        Standing::Left => page(&GoodbyePage { list, can_undo: true }),
        Standing::Gone => page(&NotMemberPage { list }),
    }
}

/// `POST /unsubscribe/{token}/`: leaves at once, or undoes that with `action=rejoin`.
pub(super) async fn unsubscribe(
    State(core): State<Core>,
    Path(token): Path<String>,
    Client(client): Client,
    press: Result<Form<Press>, FormRejection>,
) -> PageResult {
    let (contact, list) = open(&core, &token)?;
    let now = core.now();
    let place = subscribe::place(&core.store.read()?, contact, list, now)?.ok_or(PageError::DeadLink)?;
    let title = place.list.title().to_owned();
    let caller = person(&core, contact, client)?;
    if press.is_ok_and(|Form(press)| press.action == "rejoin") {
        let undone =
            core.perform(&caller, move |tx, by| subscribe::undo_leave(tx, &by.caller, list, by.now)).await?;
        return match undone {
            Standing::Member => page(&WelcomeBackPage { list: title }),
            Standing::Left | Standing::Gone => respond(StatusCode::GONE, &NotMemberPage { list: title }),
        };
    }
    core.perform_reserved(&caller, move |tx, by| subscribe::leave(tx, &by.caller, list, by.now)).await?;
    let place = subscribe::place(&core.store.read()?, contact, list, now)?;
    let can_undo = place.is_some_and(|place| place.standing == Standing::Left);
    page(&GoodbyePage { list: title, can_undo })
}

/// `GET /resume/{token}/`: changes nothing.
pub(super) async fn resume_page(State(core): State<Core>, Path(token): Path<String>) -> PageResult {
    let (email, contact) = open_resume(&core, &token)?;
    let email = bounces::find_paused(&core.store.read()?, email, contact)?.ok_or(PageError::DeadLink)?;
    page(&ResumePage { address: email.address.as_str().to_owned(), is_paused: email.paused })
}

/// `POST /resume/{token}/`: the reader of a probe says that mail arrives.
pub(super) async fn resume(
    State(core): State<Core>,
    Path(token): Path<String>,
    Client(client): Client,
) -> PageResult {
    let (email, contact) = open_resume(&core, &token)?;
    let caller = person(&core, contact, client)?;
    core.perform_reserved(&caller, move |tx, by| bounces::resume(tx, &by.caller, email)).await?;
    resume_page(State(core), Path(token)).await
}

/// The person of a link, as whom its holder acts.
fn person(core: &Core, contact: ContactId, client: IpAddr) -> Result<Arc<Caller>, PageError> {
    let found = subscribe::person(&core.store.read()?, contact, (Via::Link, Some(client)))?;
    found.map(Arc::new).ok_or(PageError::DeadLink)
}

fn open_resume(core: &Core, token: &str) -> Result<(EmailId, ContactId), PageError> {
    let [email, contact] = core.signer.open(Purpose::Resume, token).ok_or(PageError::DeadLink)?;
    Ok((EmailId(email), ContactId(contact)))
}

fn open(core: &Core, token: &str) -> Result<(ContactId, ListId), PageError> {
    let [contact, list] = core.signer.open(Purpose::Unsubscribe, token).ok_or(PageError::DeadLink)?;
    Ok((ContactId(contact), ListId(list)))
}
