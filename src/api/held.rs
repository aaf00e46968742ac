//! Messages held for moderation: `/held/`.
//!
//! `dispatch` calls it; `pending` reads decisions with its functions. Who may decide is checked in `ops`.

use std::sync::Arc;

use axum::body::Bytes;

use super::auth::Principal;
use super::batch::RowsBody;
use super::error::{self, ApiError};
use super::operation::{Operation, ResponseKind};
use super::request::{GetRequest, WriteRequest, is_deep};
use super::shape::{View as _, Word, view};
use super::view::{self, Answer, Rfc3339, Unpaged, wants};
use crate::model::{Held, HeldAction, HeldId, HeldState, List, Permission};
use crate::ops::lists;
use crate::ops::moderation as ops;
use crate::ops::moderation::moderators::REASON_CHARS_MAX;
use crate::ops::moderation::senders::{DECIDED_AT_ONCE_MAX, PageAction};
use crate::ops::moderation::waiting::{self, HeldFilter};
use crate::ops::people::contacts::parse_id;
use crate::ops::{OpError, Page, PageRequest, Wrong};
use crate::params::Params;
use crate::params::parse::{Parse as _, line, word};
use crate::store::{self, ReadTx, StoreError};

/// Fields that an object shows and a call cannot set. `reason` is both: why a message was held, and why it is
/// rejected.
const READ_ONLY: [&str; 8] = ["id", "list", "from", "subject", "received", "size", "content_plain", "state"];

/// `/held/`
pub(super) const ALL: &[Operation] = &[
    Operation::get("Lists messages that wait for a decision", ResponseKind::Listing(HeldView::object))
        .about(&[("state", "Only those in this state; without it, those that wait.")]),
    Operation::put(
        "Decides on several messages, each as if it came by itself",
        fields_of_many,
        ResponseKind::Rows(DecisionRow::object),
    )
    .required(&["action"])
    .about(&[
        ("ids", "Numbers of the messages, at most 1000."),
        ("list", "In place of ids: those that wait of the list with this name."),
        (
            "from",
            "In place of ids: those that wait of this sender, or of senders with this in their address.",
        ),
        ("search", "In place of ids: those that wait with these words in subject or sender."),
        ("action", "The decision: the messages are sent on, or go back to their senders, or are dropped."),
        ("reason", "What their senders are told where they go back."),
    ]),
];
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
pub(super) struct GetParams {
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

pub(super) fn get_params(object: Option<&str>, params: &mut Params) -> Result<GetParams, ApiError> {
    let what = if let Some(name) = object {
        What::One(parse_held_id(name)?)
    } else {
        let state = params.nullable("state", word::<HeldState>());
        let window = view::window(params, Unpaged::FirstPage);
        What::Page(state.flatten().unwrap_or(HeldState::Held), window)
    };
    let fields = view::fields(params);
    ApiError::check(params.take_problems())?;
    Ok(GetParams { what, fields })
}

/// A held message as it is shown, without its text.
pub(super) fn without_text(tx: &ReadTx, principal: &Principal, id: u64) -> Result<Answer, ApiError> {
    let fields = ["id", "list", "from", "subject", "received", "size", "reason", "state"].map(str::to_owned);
    let held = ops::get(tx, &principal.caller, HeldId(id))?;
    view::object(&HeldView::of(&detail(tx, held, Some(&fields))?), Some(&fields)).map(Answer::one)
}

impl GetRequest for GetParams {
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

    fn reads_mail(&self) -> bool {
        wants(self.fields.as_deref(), "content_plain")
    }

    fn find_mail(&mut self, _: &ReadTx, _: &Principal) -> Result<u64, ApiError> {
        // One message after the other is read, and of each the beginning.
        Ok(ops::PREVIEW_OF_BYTES)
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
    let held = core.decide_held(&principal.caller, id, page_action(action), reason).await?;
    let store = core.store.clone();
    let shown = tokio::task::spawn_blocking(move || -> Result<Bytes, ApiError> {
        view::object(&HeldView::of(&detail(&store.read()?, held, None)?), None)
    });
    shown.await.map_err(|_| ApiError::internal())?
}

fn page_action(action: HeldAction) -> PageAction {
    match action {
        HeldAction::Approve => PageAction::Approve,
        HeldAction::Reject => PageAction::Reject,
        HeldAction::Discard => PageAction::Discard,
    }
}

/// The messages that a decision on several is about.
enum Chosen {
    Ids(Vec<HeldId>),
    Filter { list: Option<String>, from: String, search: String },
}

/// `PUT /held/`: decides on several messages, each as if by a call of its own.
pub(super) async fn update_many(call: WriteRequest<'_>) -> Result<Bytes, ApiError> {
    let WriteRequest { core, principal, params, rate, repeatable: _ } = call;
    principal.caller.require(Permission::ApproveMessages)?;
    let chosen = chosen(params);
    let (action, reason) = decision(params)?;
    let ids = match chosen {
        Chosen::Ids(ids) => ids,
        Chosen::Filter { list, from, search } => {
            let (store, caller) = (core.store.clone(), Arc::clone(&principal.caller));
            let finding = tokio::task::spawn_blocking(move || -> Result<Vec<HeldId>, OpError> {
                let tx = store.read()?;
                let list = list.map(|name| lists::id_of(&tx, &caller, &name)).transpose()?;
                let found = waiting::found(
                    &tx,
                    &caller,
                    &HeldFilter { list, from, search, ..HeldFilter::default() },
                )?;
                Ok(found.into_iter().map(|held| held.id).take(DECIDED_AT_ONCE_MAX).collect())
            });
            finding.await.map_err(|_| ApiError::internal())??
        }
    };
    rate.settle(u64::try_from(ids.len()).unwrap_or(u64::MAX))?;
    let decided =
        core.decide_many(&principal.caller, &ids, (page_action(action), None), reason.as_deref()).await;
    let mut data = Vec::with_capacity(decided.len());
    for (id, held) in decided {
        let held = held.map_err(ApiError::from);
        let row = match &held {
            Ok(held) => DecisionRow { id: id.0, status: 200, state: Some(Word(held.state)), error: None },
            Err(error) => {
                let (status, error) = (error.status(), Some(error.body()));
                DecisionRow { id: id.0, status, state: None, error }
            }
        };
        data.push(view::value(&row)?);
    }
    view::object(&RowsBody { count: data.len(), data }, None)
}

/// Reads which messages a decision on several is about: `ids`, or at least one of the filters.
fn chosen(params: &mut Params) -> Chosen {
    let ids = params.names("ids");
    let list = params.text("list").filter(|name| !name.is_empty());
    let [from, search] = ["from", "search"].map(|name| params.text(name).unwrap_or_default());
    let is_filtered = list.is_some() || !from.trim().is_empty() || !search.trim().is_empty();
    let Some(ids) = ids.filter(|ids| !ids.is_empty()) else {
        if !is_filtered {
            params.problem("ids", Wrong::IdsOrFilter);
        }
        return Chosen::Filter { list, from, search };
    };
    if is_filtered {
        params.problem("ids", Wrong::IdsAlone);
    }
    if DECIDED_AT_ONCE_MAX < ids.len() {
        params.problem("ids", Wrong::TooManyIds { max: DECIDED_AT_ONCE_MAX });
    }
    let mut numbers: Vec<HeldId> = Vec::with_capacity(ids.len());
    for id in &ids {
        match parse_id(id).map(HeldId) {
            Some(id) if numbers.contains(&id) => {}
            Some(id) => numbers.push(id),
            None => {
                params.problem("ids", Wrong::IdsForm);
                break;
            }
        }
    }
    Chosen::Ids(numbers)
}

/// Reads the fields of a decision on several messages.
fn fields_of_many(params: &mut Params) {
    // Nothing is decided: only the recorded names are wanted.
    let _ = chosen(params);
    let _ = decision(params);
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
        reason: String,
        /// The beginning of its text; null where it has none.
        content_plain: Option<&'a str>,
        /// State of the message.
        state: Word<HeldState>,
    }
}

view! {
    /// The result of a decision on one of several messages.
    struct DecisionRow<'a> as "HeldDecision" {
        /// The number of the message.
        id: u64,
        /// The status that the decision would have got as a call of its own.
        status: u16,
        /// The state of the message, where it was decided.
        #[serde(skip_serializing_if = "Option::is_none")]
        state: Option<Word<HeldState>>,
        /// The error, where it was not.
        #[serde(flatten)]
        error: Option<error::ErrorBody<'a>>,
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
            reason: reason.to_string(),
            content_plain: content_plain.as_deref(),
            state: Word(*state),
        }
    }
}
