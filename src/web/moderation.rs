//! The page on which a moderator decides about one held message, reached by the link in the request to decide.
//!
//! The token in the link is the proof, as for leaving a list: opening the page changes nothing, sending its form
//! decides.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::context::{Context, blocking};
use super::error::PageError;
use super::form::FieldProblems;
use super::frame::Frame;
use super::table::PageResult;
use crate::locale::{self, text};
use crate::model::{Held, HeldAction, HeldState, Language, Via};
use crate::ops::envelope::ModerationToken;
use crate::ops::moderation::moderators::{self, ModerationGrant, REASON_CHARS_MAX};
use crate::ops::moderation::notices::display;
use crate::ops::{OpError, moderation};
use crate::store::ReadTx;

#[derive(Template)]
#[template(path = "moderate.html", config = "src/web/askama.toml")]
struct ModeratePage {
    frame: Frame,
    problems: FieldProblems,
    list: String,
    from: String,
    subject: String,
    received: String,
    due: String,
    size: String,
    held_because: String,
    preview: Option<String>,
    tells_sender: bool,
    reason: String,
    reason_chars_max: usize,
}

#[derive(Template)]
#[template(path = "moderated.html", config = "src/web/askama.toml")]
struct ModeratedPage {
    frame: Frame,
    title: String,
    subject: String,
    what: String,
    /// Whether the visitor has just decided.
    is_done: bool,
}

/// `GET /moderate/{token}/`: shows the message and the buttons, or the decision if there is one.
pub(super) async fn moderation_page(context: Arc<Context>) -> PageResult {
    // Reading a message of megabytes must not block other requests.
    blocking(&context, |context| show(context, StatusCode::OK, FieldProblems::default())).await
}

fn show(context: &Context, status: StatusCode, problems: FieldProblems) -> PageResult {
    let tx = context.core.store.read()?;
    let ModerationGrant { held, list, .. } = find(context, &tx)?;
    if held.state != HeldState::Held {
        let what = told_already(context, &tx, &held)?;
        return context.show(&decided_page(context, &held, what, false));
    }
    let locale = context.locale();
    let page = ModeratePage {
        frame: Frame::of(context),
        problems,
        list: list.title().to_owned(),
        from: display(&held.from_phrase, &held.from),
        received: locale.moment(held.received),
        due: locale.moment(held.due()),
        size: locale::size(locale.language, held.size_bytes),
        preview: moderation::preview(&tx, &held)?,
        subject: held.subject,
        held_because: held.reason,
        tells_sender: list.send_reject_message && held.reverse_path.is_some(),
        reason: context.form.get("reason").to_owned(),
        reason_chars_max: REASON_CHARS_MAX,
    };
    context.html(status, &page)
}

/// `POST /moderate/{token}/`: decides. The second of two moderators is told who decided first.
pub(super) async fn moderate(context: Arc<Context>) -> PageResult {
    let token = token(&context)?;
    find(&context, &context.core.store.read()?)?;
    let Some(action) = HeldAction::from_word(context.form.get("action")) else {
        let problem = text!(context.language, "problem-no-button");
        let problems = FieldProblems::one("buttons", problem);
        return blocking(&context, |context| show(context, StatusCode::BAD_REQUEST, problems)).await;
    };
    let reason = context.form.get("reason").split_whitespace().collect::<Vec<_>>().join(" ");
    let (source, reason) = ((Via::Link, Some(context.site.client)), moderators::reason_of(&reason));
    match context.core.moderate(token, source, action, reason).await {
        Ok(held) => {
            let what = what_follows(context.language, held.state);
            context.show(&decided_page(&context, &held, what, true))
        }
        Err(OpError::Conflict { .. }) => {
            let tx = context.core.store.read()?;
            let held = find(&context, &tx)?.held;
            let already = told_already(&context, &tx, &held)?;
            let what = text!(context.language, "moderated-unchanged", already = already);
            context.html(StatusCode::CONFLICT, &decided_page(&context, &held, what, false))
        }
        Err(error) => Err(error.into()),
    }
}

fn token(context: &Context) -> Result<ModerationToken, PageError> {
    ModerationToken::open(&context.core.signer, context.token()).ok_or(PageError::DeadLink)
}

/// The moderation that the link permits, if it belongs to this site.
fn find(context: &Context, tx: &ReadTx) -> Result<ModerationGrant, PageError> {
    let grant = moderators::moderation_grant(tx, token(context)?, (Via::Link, Some(context.site.client)))?;
    grant.filter(|grant| context.site.answers_for(Some(grant.list.account))).ok_or(PageError::DeadLink)
}

fn decided_page(context: &Context, held: &Held, what: String, is_done: bool) -> ModeratedPage {
    let title = title(context.language, held.state);
    ModeratedPage { frame: Frame::of(context), title, subject: held.subject.clone(), what, is_done }
}

fn what_follows(language: Language, state: HeldState) -> String {
    match state {
        HeldState::Approved => text!(language, "moderated-approved-next"),
        HeldState::Rejected => text!(language, "moderated-rejected-next"),
        HeldState::Discarded => text!(language, "moderated-discarded-next"),
        HeldState::Held => text!(language, "moderated-held-next"),
    }
}

fn title(language: Language, state: HeldState) -> String {
    match state {
        HeldState::Held => text!(language, "moderated-held"),
        HeldState::Approved => text!(language, "moderated-approved"),
        HeldState::Rejected => text!(language, "moderated-rejected"),
        HeldState::Discarded => text!(language, "moderated-discarded"),
    }
}

/// The decision that was made before, with its moderator and time.
fn told_already(context: &Context, tx: &ReadTx, held: &Held) -> Result<String, PageError> {
    let language = context.language;
    let Some(decision) = moderation::decision(tx, held)? else {
        return Ok(what_follows(language, held.state));
    };
    let moderation::DecisionFacts { by, time } = decision;
    let Some(by) = by else { return Ok(text!(language, "moderated-already-by-time")) };
    let time = context.locale().moment(time);
    Ok(match held.state {
        HeldState::Held => text!(language, "moderated-held-next"),
        HeldState::Approved => text!(language, "moderated-already-approved", by = by, time = time),
        HeldState::Rejected => text!(language, "moderated-already-rejected", by = by, time = time),
        HeldState::Discarded => text!(language, "moderated-already-discarded", by = by, time = time),
    })
}
