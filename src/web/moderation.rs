//! The page on which a moderator decides about one held message, or about one request that waits for approval, reached
//! by the link in the mail that asks to decide.
//!
//! The token in the link is the proof, as for leaving a list: opening the page changes nothing, sending its form
//! decides. What the page shows of a request is in `approval`.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::approval;
use super::context::{Context, blocking};
use super::decision_form::DecisionForm;
use super::error::{PageError, PageResult};
use super::form::FieldProblems;
use super::frame::Frame;
use crate::locale::{self, text};
use crate::mail::envelope::ModerationToken;
use crate::model::pending::PendingState;
use crate::model::{Held, HeldAction, HeldState, Language, List, Via};
use crate::ops::decisions::DecisionFacts;
use crate::ops::moderation::moderators::{self, Case, ModerationGrant};
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
    form: DecisionForm,
}

#[derive(Template)]
#[template(path = "moderated.html", config = "src/web/askama.toml")]
struct ModeratedPage {
    frame: Frame,
    title: String,
    what: String,
    /// The object of the decision, as a fact with its name.
    fact: (String, String),
    /// Whether the visitor has just decided.
    is_done: bool,
}

/// `GET /moderate/{token}/`: shows what waits and the buttons, or the decision if there is one.
pub(super) async fn moderation_page(context: Arc<Context>) -> PageResult {
    // Reading a message of megabytes must not block other requests.
    blocking(&context, |context| show(context, StatusCode::OK, FieldProblems::default())).await
}

fn show(context: &Context, status: StatusCode, problems: FieldProblems) -> PageResult {
    let tx = context.read()?;
    let ModerationGrant { case, list, .. } = find(context, &tx)?;
    if !is_waiting(&case) {
        let what = told_already(context, &tx, &case)?;
        return context.show(&decided_page(context, &case, what, false));
    }
    match (case, list) {
        (Case::Held(held), Some(list)) => show_held(context, &tx, (*held, &list), status, problems),
        (Case::Pending(pending), _) => approval::show(context, &tx, &pending, status, problems),
        (Case::Held(_), None) => Err(PageError::DeadLink),
    }
}

fn show_held(
    context: &Context,
    tx: &ReadTx,
    (held, list): (Held, &List),
    status: StatusCode,
    problems: FieldProblems,
) -> PageResult {
    let (locale, language) = (context.locale(), context.language);
    let (hint, next) = reason_words(language, list, &held);
    let page = ModeratePage {
        frame: Frame::of(context),
        problems,
        list: list.title().to_owned(),
        from: display(&held.from_phrase, &held.from),
        received: locale.moment(held.received),
        due: locale.moment(held.due()),
        size: locale::size(locale.language, held.size_bytes),
        preview: moderation::preview(tx, &held)?,
        subject: held.subject,
        held_because: held.reason.told(language),
        form: DecisionForm::of(context, [text!(language, "moderate-reason"), hint, next]),
    };
    context.html(status, &page)
}

/// `POST /moderate/{token}/`: decides. The second of two moderators is told who decided first.
pub(super) async fn moderate(context: Arc<Context>) -> PageResult {
    let token = token(&context)?;
    find(&context, &context.read()?)?;
    let Some(action) = HeldAction::from_word(context.form.get("action")) else {
        let problem = text!(context.language, "problem-no-button");
        let problems = FieldProblems::one("buttons", problem);
        return blocking(&context, |context| show(context, StatusCode::BAD_REQUEST, problems)).await;
    };
    let reason = context.form.get("reason").split_whitespace().collect::<Vec<_>>().join(" ");
    let (source, reason) = ((Via::Link, Some(context.site.client)), moderators::reason_of(&reason));
    match context.core.moderate(token, source, action, reason).await {
        Ok(case) => {
            let what = what_follows(context.language, &case);
            context.show(&decided_page(&context, &case, what, true))
        }
        Err(OpError::Conflict { .. }) => {
            let tx = context.read()?;
            let case = find(&context, &tx)?.case;
            let already = told_already(&context, &tx, &case)?;
            let what = text!(context.language, "moderated-unchanged", already = already);
            context.html(StatusCode::CONFLICT, &decided_page(&context, &case, what, false))
        }
        Err(OpError::Invalid { .. } | OpError::AddressBookFull { .. }) => {
            let problems = FieldProblems::one("buttons", text!(context.language, "approval-impossible"));
            blocking(&context, |context| show(context, StatusCode::BAD_REQUEST, problems)).await
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
    let grant = grant.ok_or(PageError::DeadLink)?;
    context.check_link(tx, grant.case.account())?;
    Ok(grant)
}

fn is_waiting(case: &Case) -> bool {
    match case {
        Case::Held(held) => held.state == HeldState::Held,
        Case::Pending(pending) => pending.state == PendingState::Pending,
    }
}

fn decided_page(context: &Context, case: &Case, what: String, is_done: bool) -> ModeratedPage {
    let language = context.language;
    let (title, fact) = match case {
        Case::Held(held) => {
            (title(language, held.state), (text!(language, "moderate-subject"), held.subject.clone()))
        }
        Case::Pending(pending) => (approval::title(language, pending), approval::fact(language, pending)),
    };
    ModeratedPage { frame: Frame::of(context), title, what, fact, is_done }
}

fn what_follows(language: Language, case: &Case) -> String {
    match case {
        Case::Held(held) => held_follows(language, held.state),
        Case::Pending(pending) => approval::what_follows(language, pending),
    }
}

fn held_follows(language: Language, state: HeldState) -> String {
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

fn told_already(context: &Context, tx: &ReadTx, case: &Case) -> Result<String, PageError> {
    match case {
        Case::Held(held) => held_already(context, tx, held),
        Case::Pending(pending) => approval::told_already(context, tx, pending),
    }
}

/// The decision on a held message that was made before, with its author and time.
pub(super) fn held_already(context: &Context, tx: &ReadTx, held: &Held) -> Result<String, PageError> {
    let language = context.language;
    let Some(DecisionFacts { by, time }) = moderation::decision(tx, language, held)? else {
        return Ok(held_follows(language, held.state));
    };
    let Some(by) = by else { return Ok(text!(language, "moderated-already-by-time")) };
    let time = context.locale().moment(time);
    Ok(match held.state {
        HeldState::Held => text!(language, "moderated-held-next"),
        HeldState::Approved => text!(language, "moderated-already-approved", by = by, time = time),
        HeldState::Rejected => text!(language, "moderated-already-rejected", by = by, time = time),
        HeldState::Discarded => text!(language, "moderated-already-discarded", by = by, time = time),
    })
}

/// Whether the author is told of a rejection, beside the field for the reason, and what follows from the buttons.
pub(super) fn reason_words(language: Language, list: &List, held: &Held) -> (String, String) {
    if list.send_reject_message && held.reverse_path.is_some() {
        (text!(language, "moderate-reason-told"), text!(language, "moderate-next-told"))
    } else {
        (text!(language, "moderate-reason-kept"), text!(language, "moderate-next-untold"))
    }
}
