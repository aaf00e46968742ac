//! The page on which a moderator decides about one held message, reached by the link in the request to decide.
//!
//! The token is the proof, as for leaving a list: opening the page changes nothing, its buttons act.

use askama::Template;
use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Deserialize;

use super::{Client, PageError, PageResult, page, respond};
use crate::model::{Held, HeldAction, HeldState, Via};
use crate::ops::envelope::ModerationToken;
use crate::ops::moderation::moderators::{self, ModerationGrant, REASON_CHARS_MAX};
use crate::ops::{Core, OpError, moderation};
use crate::store::StoreError;

#[derive(Template)]
#[template(path = "moderate.html", config = "src/web/askama.toml")]
struct ModeratePage {
    list: String,
    from: String,
    subject: String,
    received: String,
    due: String,
    size_kb: u64,
    reason: String,
    preview: Option<String>,
    tells_sender: bool,
}

#[derive(Template)]
#[template(path = "moderated.html", config = "src/web/askama.toml")]
struct ModeratedPage {
    title: &'static str,
    subject: String,
    what: String,
}

/// What the form sends.
#[derive(Deserialize)]
pub(super) struct Press {
    #[serde(default)]
    action: String,
    #[serde(default)]
    reason: String,
}

/// `GET /moderate/{token}/`: the message and the buttons, or what was decided.
pub(super) async fn moderation_page(State(core): State<Core>, Path(token): Path<String>) -> PageResult {
    let moderation_token = ModerationToken::open(&core.signer, &token).ok_or(PageError::DeadLink)?;
    // A message can be megabytes: it is read where nobody waits for it.
    let reading = tokio::task::spawn_blocking(move || show(&core, moderation_token));
    reading.await.map_err(|_| PageError::Internal)?
}

fn show(core: &Core, moderation_token: ModerationToken) -> PageResult {
    let tx = core.store.read()?;
    let ModerationGrant { held, list, .. } =
        moderators::moderation_grant(&tx, moderation_token, (Via::Link, None))?.ok_or(PageError::DeadLink)?;
    if held.state != HeldState::Held {
        let what = moderation::told_already(&tx, &held)?;
        return page(&ModeratedPage {
            title: title(held.state),
            subject: held.subject,
            what: sentence(&what),
        });
    }
    let preview = moderation::preview(&tx, &held)?;
    page(&ModeratePage {
        list: list.title().to_owned(),
        from: if held.from_phrase.is_empty() {
            held.from.clone()
        } else {
            format!("{} <{}>", held.from_phrase, held.from)
        },
        received: held.received.rfc2822(),
        due: held.due().rfc2822(),
        size_kb: held.size_bytes.div_ceil(1024),
        subject: held.subject,
        reason: held.reason,
        preview,
        tells_sender: list.send_reject_message && held.reverse_path.is_some(),
    })
}

/// `POST /moderate/{token}/`: decides; of two moderators the second is told who came first.
pub(super) async fn moderate(
    State(core): State<Core>,
    Path(token): Path<String>,
    Client(client): Client,
    press: Result<Form<Press>, FormRejection>,
) -> PageResult {
    let moderation_token = ModerationToken::open(&core.signer, &token).ok_or(PageError::DeadLink)?;
    let press = press.map(|Form(press)| press).ok();
    let Some((action, reason)) =
        press.and_then(|press| Some((HeldAction::from_word(&press.action)?, press.reason)))
    else {
        return moderation_page(State(core), Path(token)).await;
    };
    let reason: String = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    let reason =
        Some(reason.chars().take(REASON_CHARS_MAX).collect::<String>()).filter(|text| !text.is_empty());
    match core.moderate(moderation_token, (Via::Link, Some(client)), action, reason).await {
        Ok(held) => page(&decided(&held)),
        Err(OpError::Conflict { field: _, problem }) => {
            let moderation_grant = find(&core, moderation_token)?;
            let (title, subject) = (title(moderation_grant.held.state), moderation_grant.held.subject);
            let what = format!("Nothing was changed: {problem}.");
            respond(StatusCode::CONFLICT, &ModeratedPage { title, subject, what })
        }
        Err(error) => Err(error.into()),
    }
}

fn find(core: &Core, moderation_token: ModerationToken) -> Result<ModerationGrant, PageError> {
    let found: Result<Option<ModerationGrant>, StoreError> =
        moderators::moderation_grant(&core.store.read()?, moderation_token, (Via::Link, None));
    found?.ok_or(PageError::DeadLink)
}

fn decided(held: &Held) -> ModeratedPage {
    let what = match held.state {
        HeldState::Approved => "It is on its way to the members.",
        HeldState::Rejected => "The members do not get it.",
        HeldState::Discarded => "The members do not get it, and nobody is told.",
        HeldState::Held => "It still waits.",
    };
    ModeratedPage { title: title(held.state), subject: held.subject.clone(), what: what.to_owned() }
}

fn title(state: HeldState) -> &'static str {
    match state {
        HeldState::Held => "The message waits",
        HeldState::Approved => "The message is approved",
        HeldState::Rejected => "The message is rejected",
        HeldState::Discarded => "The message is discarded",
    }
}

/// With a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}
