//! Webhooks, which are addresses to which events are sent: `/webhooks/`, and what was sent to each.
//!
//! `dispatch` calls it. It parses parameters, calls `ops::webhooks` and shows the result; `jobs` sends.

use axum::body::Bytes;

use super::auth::Principal;
use super::error::ApiError;
use super::operation::{Operation, ResponseKind};
use super::request::{GetRequest, Kind, WriteRequest};
use super::shape::{View as _, Word, view};
use super::view::{self, Answer, Rfc3339, Unpaged};
use crate::clock::Timestamp;
use crate::model::{EventType, Webhook, WebhookId, WebhookOutcome};
use crate::ops::people::contacts::parse_id;
use crate::ops::webhooks::{self as ops, Mark, ShownDelivery, WebhookInput};
use crate::ops::{OpError, PageRequest, Wrong, paging};
use crate::params::Params;
use crate::params::parse::As;
use crate::params::shape::Shaped as _;
use crate::params::webhooks::{Allowed, fields, input};
use crate::service::Core;
use crate::store::{ReadTx, StoreError};

/// Bytes of a secret.
const SECRET_BYTES: usize = 32;

/// `/webhooks/`
pub(super) const ALL: &[Operation] = &[
    Operation::get("Lists webhooks", ResponseKind::Listing(WebhookView::object)),
    Operation::post(
        "Makes a webhook; its secret is shown once",
        fields,
        ResponseKind::One(WebhookView::object),
    )
    .required(&["url"]),
];
/// `/webhooks/{id}/`
pub(super) const ONE: &[Operation] = &[
    Operation::get("Shows a webhook", ResponseKind::One(WebhookView::object)),
    Operation::put(
        "Changes a webhook; made active again, it hears what happens from then on",
        fields,
        ResponseKind::One(WebhookView::object),
    ),
    Operation::delete("Deletes a webhook"),
];
/// `/webhooks/{id}/deliveries/`
pub(super) const DELIVERIES: &[Operation] = &[Operation::get(
    "Lists what was sent to a webhook, newest first",
    ResponseKind::Listing(WebhookDeliveryView::object),
)];
/// `/webhooks/{id}/test/`
pub(super) const TEST: &[Operation] = &[Operation::post(
    "Sends a webhook a body of the type webhook.test, once",
    |_| (),
    ResponseKind::One(WebhookTestView::object),
)];
/// `/webhooks/{id}/rotate/`
pub(super) const ROTATE: &[Operation] = &[Operation::post(
    "Gives a webhook a new secret, which is shown once; for a day the old one signs as well",
    |_| (),
    ResponseKind::One(WebhookSecretView::object),
)];
/// `/webhooks/{id}/replay/`
pub(super) const REPLAY: &[Operation] = &[Operation::post(
    "Sends a webhook once more what was sent to it, or has failed",
    replay_fields,
    ResponseKind::One(WebhookReplayView::object),
)
.required(&["after"])
.about(&[
    ("after", "The number of an event, or a time (RFC 3339): what happened later is sent."),
    ("until", "The last event, or its time; without it, all that the webhook has heard."),
])];

fn parse_webhook_id(name: &str) -> Result<WebhookId, OpError> {
    parse_id(name).map(WebhookId).ok_or(OpError::NotFound { what: "webhook" })
}

fn allowed(core: &Core) -> Allowed {
    Allowed { plain: core.config.allow_plain_webhooks, private: core.config.allow_private_webhooks }
}

fn new_secret(core: &Core) -> Vec<u8> {
    let mut secret = vec![0; SECRET_BYTES];
    core.secrets.fill(&mut secret);
    secret
}

/// `GET /webhooks/` or `GET /webhooks/{id}/`
pub(super) struct GetParams {
    what: What,
    fields: Option<Vec<String>>,
}

enum What {
    One(WebhookId),
    Page(PageRequest),
    Deliveries(WebhookId, PageRequest),
}

pub(super) fn get_params(object: Option<&str>, params: &mut Params) -> Result<GetParams, ApiError> {
    let what = match object {
        Some(name) => What::One(parse_webhook_id(name)?),
        None => What::Page(view::window(params, Unpaged::FirstPage)),
    };
    let fields = view::fields(params);
    ApiError::check(params.take_problems())?;
    Ok(GetParams { what, fields })
}

/// `GET /webhooks/{id}/deliveries/`
pub(super) fn deliveries(object: Option<&str>, params: &mut Params) -> Result<GetParams, ApiError> {
    let id = parse_webhook_id(object.unwrap_or_default())?;
    let what = What::Deliveries(id, view::window(params, Unpaged::FirstPage));
    let fields = view::fields(params);
    ApiError::check(params.take_problems())?;
    Ok(GetParams { what, fields })
}

impl GetRequest for GetParams {
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError> {
        let (caller, fields) = (&principal.caller, self.fields.as_deref());
        match self.what {
            What::One(id) => {
                view::object(&WebhookView::of(&ops::get(tx, caller, id)?), fields).map(Answer::one)
            }
            What::Page(window) => {
                let page = ops::list(tx, caller, window)?;
                view::listing(&page, window, fields, WebhookView::of)
            }
            What::Deliveries(id, window) => {
                let part = match window {
                    PageRequest::All => (0, usize::MAX, None),
                    PageRequest::Page { page, limit } => (paging::skipped(page, limit), limit, None),
                    PageRequest::After { after, limit } => (0, limit, Some(after)),
                };
                let page = ops::deliveries(tx, caller, id, part)?;
                view::listing(&page, window, fields, WebhookDeliveryView::of)
            }
        }
    }

    fn is_long(&self, _: &ReadTx, _: &Principal) -> Result<bool, StoreError> {
        Ok(matches!(self.what, What::Deliveries(..)))
    }

    fn kind(&self) -> Kind {
        Kind::Fresh
    }
}

/// `POST /webhooks/`
pub(super) async fn create(call: WriteRequest<'_>) -> Result<Bytes, ApiError> {
    let input: WebhookInput = input(call.params, allowed(call.core));
    let secret = new_secret(call.core);
    // A repeated call gets the saved answer, and with it the secret, for a day.
    let show = |hook: &Webhook| view::object(&WebhookView::with_secret(hook), None);
    let made = call.once(move |tx, by| ops::create(tx, &by.caller, input, secret, by.now), show).await;
    call.core.hooks_changed.notify_waiters();
    made
}

/// `PUT /webhooks/{id}/`
pub(super) async fn update(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let id = parse_webhook_id(name)?;
    let input = input(call.params, allowed(call.core));
    let hook = call.perform(move |tx, by| ops::update(tx, &by.caller, id, input, by.now)).await?;
    call.core.hooks_changed.notify_waiters();
    view::object(&WebhookView::of(&hook), None)
}

/// `DELETE /webhooks/{id}/`
pub(super) async fn delete(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let id = parse_webhook_id(name)?;
    call.perform_reserved(move |tx, by| ops::delete(tx, &by.caller, id, by.now)).await?;
    call.core.hooks_changed.notify_waiters();
    Ok(view::deleted())
}

/// `POST /webhooks/{id}/rotate/`
pub(super) async fn rotate(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let id = parse_webhook_id(name)?;
    let secret = new_secret(call.core);
    let hook = call.perform(move |tx, by| ops::rotate(tx, &by.caller, id, secret, by.now)).await?;
    call.core.hooks_changed.notify_waiters();
    view::object(&WebhookSecretView { id: hook.id.0, secret: secret_text(&hook) }, None)
}

/// `POST /webhooks/{id}/test/`
pub(super) async fn test(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let id = parse_webhook_id(name)?;
    let core = call.core;
    let hook = ops::get(&core.store.read()?, &call.principal.caller, id)?;
    let body = core.event_bodies.test(id, core.now());
    let message = format!("msg_test_{}", core.secrets.token(16));
    let sent = core.send_to_hook(&mut None, &hook, &message, &body).await;
    let (state, status, reply) = match sent {
        Ok(status) => (WebhookOutcome::Delivered, Some(status), String::new()),
        Err(failure) => (WebhookOutcome::Failed, failure.status, failure.reply),
    };
    view::object(&WebhookTestView { state: Word(state), status, reply: &reply }, None)
}

fn replay_fields(params: &mut Params) {
    replay_input(params);
}

fn replay_input(params: &mut Params) -> (Option<Mark>, Option<Mark>) {
    let mark = || As(String::shape, parse_mark);
    (params.parsed("after", mark()), params.parsed("until", mark()))
}

fn parse_mark(text: &str) -> Result<Mark, Wrong> {
    let text = text.trim();
    if let Ok(id) = text.parse() {
        return Ok(Mark::Id(id));
    }
    Timestamp::parse_rfc3339(text).map(Mark::Time).ok_or(Wrong::Time)
}

/// `POST /webhooks/{id}/replay/`
pub(super) async fn replay(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let id = parse_webhook_id(name)?;
    // A missing hook, or a missing permission, is reported before wrong values.
    ops::get(&call.core.store.read()?, &call.principal.caller, id)?;
    let (after, until) = replay_input(call.params);
    if after.is_none() {
        call.params.problem("after", Wrong::Needed);
    }
    ApiError::check(call.params.take_problems())?;
    let after = after.unwrap_or(Mark::Id(0));
    let (after, until) =
        call.perform(move |tx, by| ops::replay(tx, &by.caller, id, (after, until), by.now)).await?;
    call.core.hooks_changed.notify_waiters();
    view::object(&WebhookReplayView { after, until }, None)
}

/// The secret in the form of Standard Webhooks.
fn secret_text(hook: &Webhook) -> String {
    format!("whsec_{}", data_encoding::BASE64.encode(&hook.secret))
}

view! {
    /// An address to which events are sent.
    struct WebhookView<'a> as "Webhook" {
        /// Service identifier.
        id: u64,
        /// The address, of HTTPS.
        url: &'a str,
        /// The types of events that it hears; none are all.
        types: Vec<Word<EventType>>,
        /// What it is for.
        description: &'a str,
        /// Whether anything is sent to it. A webhook that takes nothing is paused.
        active: bool,
        /// The key that signs, in the answer that made it alone.
        #[serde(skip_serializing_if = "Option::is_none")]
        secret: Option<String>,
        /// When it was made. Read-only.
        created: Rfc3339,
    }
}

impl<'a> WebhookView<'a> {
    fn of(hook: &'a Webhook) -> WebhookView<'a> {
        // No `..`: a new field is shown or left out on purpose.
        let Webhook { id, account: _, url, types, description, active, secret: _, old_secret: _, created } =
            hook;
        WebhookView {
            id: id.0,
            url,
            types: types.iter().copied().map(Word).collect(),
            description,
            active: *active,
            secret: None,
            created: Rfc3339(*created),
        }
    }

    fn with_secret(hook: &'a Webhook) -> WebhookView<'a> {
        WebhookView { secret: Some(secret_text(hook)), ..WebhookView::of(hook) }
    }
}

view! {
    /// The new secret of a webhook.
    struct WebhookSecretView as "WebhookSecret" {
        /// Service identifier of the webhook.
        id: u64,
        /// The key that signs.
        secret: String,
    }
}

view! {
    /// The result of trying a webhook out.
    struct WebhookTestView<'a> as "WebhookTest" {
        /// Whether it took the body.
        state: Word<WebhookOutcome>,
        /// The status of its answer; null where there was none.
        status: Option<u16>,
        /// Its words, or why there was no answer.
        reply: &'a str,
    }
}

view! {
    /// The events that are sent once more.
    struct WebhookReplayView as "WebhookReplay" {
        /// They lie behind the event of this number.
        after: u64,
        /// The last event that may be among them.
        until: u64,
    }
}

view! {
    /// An event that a webhook was sent, or is to be sent next.
    struct WebhookDeliveryView<'a> as "WebhookDelivery" {
        /// Service identifier, higher for later ones; null while it has not ended.
        id: Option<u64>,
        /// The number of the event.
        event: u64,
        /// Its type.
        r#type: Word<EventType>,
        /// When the last attempt ended; of one that was not tried, when it happened.
        time: Rfc3339,
        /// What became of it.
        state: Word<WebhookOutcome>,
        /// Attempts that were made.
        attempts: u32,
        /// The status of the last answer; null where there was none.
        status: Option<u16>,
        /// When it is tried next; null where nothing is planned.
        next_attempt: Option<Rfc3339>,
        /// Why the last attempt failed; blank where it did not.
        reply: &'a str,
    }
}

impl<'a> WebhookDeliveryView<'a> {
    fn of(shown: &'a ShownDelivery) -> WebhookDeliveryView<'a> {
        let ShownDelivery { number, delivery, next_attempt } = shown;
        let state = match (number, delivery.is_delivered, delivery.attempts) {
            (_, true, _) => WebhookOutcome::Delivered,
            (Some(_), false, _) => WebhookOutcome::Failed,
            (None, false, 0) => WebhookOutcome::Pending,
            (None, false, _) => WebhookOutcome::Retrying,
        };
        WebhookDeliveryView {
            id: *number,
            event: delivery.event.0,
            r#type: Word(delivery.kind),
            time: Rfc3339(delivery.time),
            state: Word(state),
            attempts: delivery.attempts,
            status: delivery.status,
            next_attempt: next_attempt.map(Rfc3339),
            reply: &delivery.reply,
        }
    }
}
