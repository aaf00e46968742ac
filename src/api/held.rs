//! Messages held for moderation: `/held/`.
//!
//! `dispatch` calls it; `pending` reads decisions with its functions. Who may decide is checked in `ops`.

use std::sync::Arc;

use axum::body::Bytes;

use super::auth::Principal;
use super::error::ApiError;
use super::operation::{Operation, ResponseKind};
use super::request::{GetRequest, WriteRequest, is_deep};
use super::shape::{View as _, Word, view};
use super::view::{self, Answer, Rfc3339, Unpaged, wants};
use crate::model::{Held, HeldAction, HeldId, HeldState, List, Permission};
use crate::ops::moderation::moderators::REASON_CHARS_MAX;
use crate::ops::moderation::{self as ops, Choice, ModerationDecision};
use crate::ops::people::contacts::parse_id;
use crate::ops::{OpError, Page, PageRequest};
use crate::params::Params;
use crate::params::parse::{Parse as _, line, word};
use crate::store::{self, ReadTx, StoreError};

/// Fields that an object shows and a call cannot set. `reason` is both: why a message was held, and why it is
/// rejected.
const READ_ONLY: [&str; 8] = ["id", "list", "from", "subject", "received", "size", "content_plain", "state"];

/// `/held/`
pub(super) const ALL: &[Operation] =
    &[Operation::get("Lists messages that wait for a decision", ResponseKind::Listing(HeldView::object))
        .about(&[("state", "Only those in this state; without it, those that wait.")])];
/// `/held/{id}/`
pub(super) const ONE: &[Operation] = &[
    Operation::get("Shows a message that waits for a decision", ResponseKind::One(HeldView::object)),
    Operation::put("Decides on a message", fields, ResponseKind::One(HeldView::object))
        .required(&["action"])
        .about(&[
            ("action", "The decision: the message is sent on, or goes back to its sender, or is dropped."),
            ("reason", "What its sender is told where it goes back."),
        ]),
];

/// `GET /held/` or `GET /held/{id}/`
pub(super) struct Read {
    what: What,
    fields: Option<Vec<String>>,
}

enum What {
    One(HeldId),
    Page(HeldState, PageRequest),
}

/// A held message with everything that its object shows.
struct Detail {
    held: Held,
    list: String,
    content_plain: Option<String>,
}

pub(super) fn question(object: Option<&str>, params: &mut Params) -> Result<Read, ApiError> {
    let what = if let Some(name) = object {
        What::One(parse_held_id(name)?)
    } else {
        let state = params.nullable("state", word::<HeldState>());
        let window = view::window(params, Unpaged::FirstPage);
        What::Page(state.flatten().unwrap_or(HeldState::Held), window)
    };
    let fields = view::fields(params);
    ApiError::check(params.take_problems())?;
    Ok(Read { what, fields })
}

impl GetRequest for Read {
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError> {
        let fields = self.fields.as_deref();
        match self.what {
            What::One(id) => {
                let held = ops::get(tx, &principal.caller, id)?;
                view::object(&HeldView::of(&detail(tx, held, fields)?), fields).map(Answer::one)
            }
            What::Page(state, window) => {
                let Page { rows, count } = ops::list(tx, &principal.caller, state, window)?;
                let rows = rows.into_iter().map(|held| detail(tx, held, fields));
                let page = Page { rows: rows.collect::<Result<Vec<_>, _>>()?, count };
                view::listing(&page, window, fields, HeldView::of)
            }
        }
    }

    fn is_long(&self, _: &ReadTx, _: &Principal) -> Result<bool, StoreError> {
        // Texts are extracted from whole messages, which can be megabytes.
        let wants_text = wants(self.fields.as_deref(), "content_plain");
        Ok(wants_text || matches!(self.what, What::Page(_, window) if is_deep(window)))
    }
}

fn detail(tx: &ReadTx, held: Held, fields: Option<&[String]>) -> Result<Detail, StoreError> {
    let list = store::Read::get::<List>(tx, held.list.0)?;
    let list = list.map(|list| list.name.as_str().to_owned()).unwrap_or_default();
    let content_plain = if wants(fields, "content_plain") { ops::preview(tx, &held)? } else { None };
    Ok(Detail { held, list, content_plain })
}

fn parse_held_id(name: &str) -> Result<HeldId, OpError> {
    parse_id(name).map(HeldId).ok_or(OpError::NotFound { what: "held message" })
}

/// `PUT /held/{id}/`
pub(super) async fn update(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let WriteRequest { core, principal, params, rate: _, repeatable: _ } = call;
    principal.caller.require(Permission::ApproveMessages)?;
    let id = parse_held_id(name)?;
    // A missing message is reported before wrong values.
    ops::get(&core.store.read()?, &principal.caller, id)?;
    params.read_only(&READ_ONLY);
    let (action, reason) = decision(params)?;
    let (store, caller) = (core.store.clone(), Arc::clone(&principal.caller));
    let choice = match action {
        HeldAction::Reject => Choice::Reject,
        HeldAction::Discard => Choice::Discard,
        // A message is parsed outside of the write job, for which others wait, and in the blocking pool.
        HeldAction::Approve => {
            let parsing = tokio::task::spawn_blocking(move || ops::approval(&store.read()?, &caller, id));
            parsing.await.map_err(|_| ApiError::internal())??
        }
    };
    let decision_made = ModerationDecision { choice, reason };
    let deciding = core.perform_reserved(&principal.caller, move |tx, by| {
        ops::decide(tx, &by.caller, id, decision_made, &by.mail_context, by.now)
    });
    let held = deciding.await?;
    let store = core.store.clone();
    let shown = tokio::task::spawn_blocking(move || -> Result<Bytes, ApiError> {
        view::object(&HeldView::of(&detail(&store.read()?, held, None)?), None)
    });
    shown.await.map_err(|_| ApiError::internal())?
}

/// Reads the decision on a held message or a pending request, and its reason.
pub(super) fn decision(params: &mut Params) -> Result<(HeldAction, Option<String>), ApiError> {
    let action = params.parsed("action", word::<HeldAction>());
    let reason = params.nullable("reason", line(REASON_CHARS_MAX)).flatten();
    let mut problems = params.take_problems();
    // A blank word is none of the three actions, so a missing one gets the same error.
    if action.is_none()
        && !problems.names("action")
        && let Err(problem) = word::<HeldAction>().parse("")
    {
        problems.add("action", problem);
    }
    ApiError::check(problems)?;
    // Without a problem there is an action.
    action.map(|action| (action, reason)).ok_or_else(ApiError::internal)
}

/// Reads the fields of a decision.
pub(super) fn fields(params: &mut Params) {
    // Nothing is decided: only the recorded names are wanted.
    let _ = decision(params);
}

view! {
    /// A message that waits for a decision.
    struct HeldView<'a> as "Held" {
        /// Service identifier.
        id: u64,
        /// Name of the list.
        list: &'a str,
        /// Address of the sender.
        from: &'a str,
        /// Subject.
        subject: &'a str,
        /// When it arrived.
        received: Rfc3339,
        /// Its size in bytes.
        size: u64,
        /// Why it is held; in a decision, the reason that its sender is told.
        reason: &'a str,
        /// The beginning of its text; null where it has none.
        content_plain: Option<&'a str>,
        /// State of the message.
        state: Word<HeldState>,
    }
}

impl<'a> HeldView<'a> {
    fn of(detail: &'a Detail) -> HeldView<'a> {
        let Detail { held, list: list_name, content_plain } = detail;
        // No `..`: a new field is shown or left out on purpose.
        let Held {
            id,
            account: _,
            list: _,
            from,
            from_phrase: _,
            message_id: _,
            reverse_path: _,
            subject,
            received,
            blob: _,
            size_bytes,
            reason,
            state,
            decision: _,
            advised: _,
            quarantined: _,
            authentication: _,
            requires_tls: _,
        } = held;
        HeldView {
            id: id.0,
            list: list_name,
            from,
            subject,
            received: Rfc3339(*received),
            size: *size_bytes,
            reason,
            content_plain: content_plain.as_deref(),
            state: Word(*state),
        }
    }
}
