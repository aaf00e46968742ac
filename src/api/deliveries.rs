//! Delivery of a message to each recipient, as far as it is known: `/messages/{id}/deliveries/`.
//!
//! `dispatch` calls it. It only reads; retries are commands of the operator.

use std::sync::Arc;

use super::auth::Principal;
use super::error::ApiError;
use super::messages::parse_message_id;
use super::operation::{Operation, ResponseKind};
use super::request::{GetRequest, Kind};
use super::shape::{View as _, Word, view};
use super::view::{self, Answer, Rfc3339, Unpaged};
use crate::clock::Timestamp;
use crate::model::{EmailAddress, MessageId, RecipientState};
use crate::ops::archive::messages;
use crate::ops::delivery::deliveries::{self as ops, Answered, Delivery};
use crate::ops::moderation::Published;
use crate::ops::people::contacts::ContactName;
use crate::ops::queue::pauses::Pauses;
use crate::ops::{PageRequest, Problems};
use crate::params::Params;
use crate::service::Core;
use crate::store::{ReadTx, StoreError};

/// `/messages/{id}/deliveries/`
pub(super) const PART: &[Operation] = &[Operation::get(
    "Lists what became of each recipient's copy",
    ResponseKind::Listing(DeliveryView::object),
)];

/// `GET /messages/{id}/deliveries/`
pub(super) struct GetParams {
    message: MessageId,
    window: PageRequest,
    fields: Option<Vec<String>>,
    /// Problems of the parameters, reported only if the message exists.
    problems: Problems,
    /// Destinations to which the server sends nothing for the moment.
    pauses: Arc<Pauses>,
    now: Timestamp,
}

pub(super) fn get_params(object: Option<&str>, params: &mut Params) -> Result<GetParams, ApiError> {
    let message = parse_message_id(object.unwrap_or_default())?;
    let window = view::window(params, Unpaged::FirstPage);
    let fields = view::fields(params);
    let (problems, pauses) = (params.take_problems(), Arc::default());
    Ok(GetParams { message, window, fields, problems, pauses, now: Timestamp::default() })
}

impl GetRequest for GetParams {
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError> {
        messages::get(tx, &principal.caller, self.message)?;
        ApiError::check(self.problems.clone())?;
        let page = ops::list(tx, &principal.caller, self.message, self.window, (&self.pauses, self.now))?;
        view::listing(&page, self.window, self.fields.as_deref(), DeliveryView::of)
    }

    fn is_long(&self, _: &ReadTx, _: &Principal) -> Result<bool, StoreError> {
        // A message to many members has many batches.
        Ok(true)
    }

    fn set_runtime(&mut self, core: &Core) {
        (self.pauses, self.now) = (Arc::clone(&core.pauses), core.now());
    }

    fn kind(&self) -> Kind {
        Kind::Fresh
    }
}

view! {
    /// One recipient's copy of a message, and its delivery.
    struct DeliveryView<'a> as "Delivery" {
        /// Address of the recipient.
        email: &'a EmailAddress,
        /// Identifier of the contact.
        contact: &'a ContactName,
        /// State of the copy.
        state: Word<RecipientState>,
        /// Number of attempts.
        attempts: u32,
        /// When the state was reached.
        time: Rfc3339,
        /// When the message was accepted.
        accepted: Rfc3339,
        /// The decision to publish the message.
        decided: DecidedView<'a>,
        /// When the copy was put into the queue.
        queued: Rfc3339,
        /// The day of the digest that has the message for this recipient, such as 2026-11-22; null for a copy of its own.
        digest: Option<String>,
        /// When the next attempt is due; null where none is.
        next_attempt: Option<Rfc3339>,
        /// The host that answered last; null where none has.
        remote: Option<&'a str>,
        /// Its answer; null where there was none.
        reply: Option<&'a str>,
        /// Every answer, in the order in which they came; of many different ones, the first and the latest.
        trace: Vec<AnsweredView<'a>>,
    }
}

view! {
    /// The decision to publish a message.
    pub(super) struct DecidedView<'a> as "Decided" {
        /// The time of the decision.
        time: Rfc3339,
        /// The moderator who approved it, kept for 30 days; null where the list's rules accepted it, or this API sent
        /// it.
        by: Option<&'a str>,
        /// Why it had to be approved; null where no approval was needed.
        reason: Option<String>,
    }
}

impl<'a> DecidedView<'a> {
    fn of(published: &'a Published) -> DecidedView<'a> {
        let Published { accepted: _, decided, by, reason } = published;
        let reason = reason.as_ref().map(ToString::to_string);
        DecidedView { time: Rfc3339(*decided), by: by.as_deref(), reason }
    }
}

view! {
    /// An answer to attempts for a copy, perhaps given several times in a row.
    pub(super) struct AnsweredView<'a> as "Answered" {
        /// When it was last given.
        time: Rfc3339,
        /// State of the copy after it.
        state: Word<RecipientState>,
        /// How often it was given.
        times: u16,
        /// The host that gave it; null where none was reached.
        remote: Option<&'a str>,
        /// Its words, or those of this server where none was reached.
        reply: Option<&'a str>,
    }
}

impl<'a> AnsweredView<'a> {
    fn of(answered: &'a Answered) -> AnsweredView<'a> {
        let Answered { time, state, times, remote, reply } = answered;
        AnsweredView {
            time: Rfc3339(*time),
            state: Word(*state),
            times: *times,
            remote: remote.as_deref(),
            reply: reply.as_deref(),
        }
    }
}

impl<'a> DeliveryView<'a> {
    fn of(delivery: &'a Delivery) -> DeliveryView<'a> {
        // No `..`: a new field is shown or left out on purpose.
        let Delivery {
            email,
            contact,
            state,
            attempts,
            time,
            published,
            queued,
            digest,
            next_attempt,
            remote,
            reply,
            trace,
        } = delivery;
        DeliveryView {
            email,
            contact,
            state: Word(*state),
            attempts: *attempts,
            time: Rfc3339(*time),
            accepted: Rfc3339(published.accepted),
            decided: DecidedView::of(published),
            queued: Rfc3339(*queued),
            digest: digest.map(|day| day.to_string()),
            next_attempt: next_attempt.map(Rfc3339),
            remote: remote.as_deref(),
            reply: reply.as_deref(),
            trace: trace.iter().map(AnsweredView::of).collect(),
        }
    }
}
