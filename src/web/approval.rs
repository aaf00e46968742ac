//! The part of the moderators' page that shows a request that waits for approval: to join a list, to leave one, or to
//! create one. `moderation` finds the request and takes the decision.

use askama::Template;
use axum::http::StatusCode;

use super::context::Context;
use super::decision_form::DecisionForm;
use super::error::{PageError, PageResult};
use super::form::FieldProblems;
use super::frame::Frame;
use crate::locale::text;
use crate::model::contact::JoinWay;
use crate::model::pending::{PendingKind, PendingState};
use crate::model::{Consent, Joined, Language, Pending};
use crate::ops::decisions::DecisionFacts;
use crate::ops::lists::pending as ops;
use crate::store::ReadTx;

#[derive(Template)]
#[template(path = "approve.html", config = "src/web/askama.toml")]
struct ApprovePage {
    frame: Frame,
    problems: FieldProblems,
    title: String,
    list: String,
    name: String,
    /// The address of the person; `None` for a new list.
    address: Option<String>,
    requested: String,
    /// The evidence that the owner of the address wanted to join; `None` for other requests.
    evidence: Option<Evidence>,
    form: DecisionForm,
}

/// The evidence that the owner of an address wanted to join a list.
struct Evidence {
    /// When, how and from where the person asked.
    asked: String,
    /// When, how and from where the owner of the address confirmed.
    confirmed: String,
    /// The words that the person agreed to; blank if none were shown.
    agreed: String,
}

impl Evidence {
    fn of(context: &Context, consent: Consent) -> Evidence {
        let Consent { requested, confirmed, agreed, .. } = consent;
        Evidence { asked: told(context, &requested), confirmed: told(context, &confirmed), agreed }
    }
}

/// When, how and from where somebody did something.
fn told(context: &Context, done: &Joined) -> String {
    let language = context.language;
    let way = match done.way {
        JoinWay::Api | JoinWay::Command => text!(language, "me-way-administrator"),
        JoinWay::Web => text!(language, "me-way-web"),
        JoinWay::Mail => text!(language, "me-way-mail"),
    };
    let time = context.locale().moment(done.when);
    match done.from {
        Some(client) => {
            text!(language, "approval-done-from", time = time, way = way, client = client.to_string())
        }
        None => text!(language, "approval-done", time = time, way = way),
    }
}

/// The evidence of a request to join, as facts with their names; none for other requests.
pub(super) fn evidence_facts(
    context: &Context,
    tx: &ReadTx,
    pending: &Pending,
) -> Result<Vec<(String, String)>, PageError> {
    let Some(Evidence { asked, confirmed, agreed }) = evidence(context, tx, pending)? else {
        return Ok(Vec::new());
    };
    let language = context.language;
    let mut facts = vec![
        (text!(language, "approval-requested"), asked),
        (text!(language, "approval-confirmed"), confirmed),
    ];
    if !agreed.is_empty() {
        facts.push((text!(language, "approval-agreed"), agreed));
    }
    Ok(facts)
}

/// Shows a request that waits, with the form to decide about it.
pub(super) fn show(
    context: &Context,
    tx: &ReadTx,
    pending: &Pending,
    status: StatusCode,
    problems: FieldProblems,
) -> PageResult {
    let language = context.language;
    let list = ops::list_name(tx, pending)?;
    let (title, hint, next) = match pending.kind {
        PendingKind::Subscription => (
            text!(language, "approval-join-title", list = &list),
            text!(language, "approval-reason-told"),
            text!(language, "approval-join-next"),
        ),
        PendingKind::Unsubscription => (
            text!(language, "approval-leave-title", list = &list),
            text!(language, "approval-reason-told"),
            text!(language, "approval-leave-next"),
        ),
        PendingKind::List => (
            text!(language, "approval-list-title", list = &list),
            text!(language, "approval-reason-kept"),
            text!(language, "approval-list-next"),
        ),
    };
    let page = ApprovePage {
        frame: Frame::of(context),
        problems,
        title,
        list,
        name: pending.name.clone(),
        address: pending.email.as_ref().map(|address| address.as_str().to_owned()),
        requested: context.locale().moment(pending.requested),
        evidence: evidence(context, tx, pending)?,
        form: DecisionForm::of(context, [text!(language, "approval-reason-label"), hint, next]),
    };
    context.html(status, &page)
}

/// The evidence of a request to join.
fn evidence(context: &Context, tx: &ReadTx, pending: &Pending) -> Result<Option<Evidence>, PageError> {
    let consent = ops::evidence(tx, pending)?;
    Ok(consent.map(|consent| Evidence::of(context, consent)))
}

/// The heading of the page of a decided request.
pub(super) fn title(language: Language, pending: &Pending) -> String {
    match pending.state {
        PendingState::Pending => text!(language, "approval-waits"),
        PendingState::Approved => text!(language, "approval-approved"),
        PendingState::Rejected => text!(language, "approval-rejected"),
        PendingState::Discarded => text!(language, "approval-discarded"),
    }
}

/// The request that was decided, as a fact with its name.
pub(super) fn fact(language: Language, pending: &Pending) -> (String, String) {
    let list = &pending.list_name;
    match (pending.kind, &pending.email) {
        (PendingKind::Subscription, Some(address)) => {
            (text!(language, "approval-join-fact", list = list), address.as_str().to_owned())
        }
        (PendingKind::Unsubscription, Some(address)) => {
            (text!(language, "approval-leave-fact", list = list), address.as_str().to_owned())
        }
        _ => (text!(language, "approval-list-fact"), list.clone()),
    }
}

/// The consequence of the decision that was just made.
pub(super) fn what_follows(language: Language, pending: &Pending) -> String {
    match (pending.kind, pending.state) {
        (_, PendingState::Pending) => text!(language, "approval-waits-next"),
        (PendingKind::Subscription, PendingState::Approved) => text!(language, "approval-joined-next"),
        (PendingKind::Unsubscription, PendingState::Approved) => text!(language, "approval-left-next"),
        (PendingKind::List, PendingState::Approved) => text!(language, "approval-opened-next"),
        (PendingKind::List, PendingState::Rejected | PendingState::Discarded) => {
            text!(language, "approval-removed-next")
        }
        (_, PendingState::Rejected) => text!(language, "approval-rejected-next"),
        (_, PendingState::Discarded) => text!(language, "approval-discarded-next"),
    }
}

/// The decision that was made before, with its author and time.
pub(super) fn told_already(context: &Context, tx: &ReadTx, pending: &Pending) -> Result<String, PageError> {
    let language = context.language;
    let Some(DecisionFacts { by: Some(by), time }) = ops::decision(tx, language, pending)? else {
        return Ok(what_follows(language, pending));
    };
    let time = context.locale().moment(time);
    Ok(match pending.state {
        PendingState::Pending => text!(language, "approval-waits-next"),
        PendingState::Approved => text!(language, "approval-already-approved", by = by, time = time),
        PendingState::Rejected => text!(language, "approval-already-rejected", by = by, time = time),
        PendingState::Discarded => text!(language, "approval-already-discarded", by = by, time = time),
    })
}
