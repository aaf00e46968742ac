//! `/messages/{id}/deliveries/`

use serde::Serialize;

use super::auth::Principal;
use super::error::ApiError;
use super::messages::parse_message_id;
use super::params::Params;
use super::view::{self, Answer, Unpaged, When};
use super::{Kind, Question};
use crate::model::MessageId;
use crate::ops::Window;
use crate::ops::contacts::ContactName;
use crate::ops::deliveries::{self as ops, Delivery};
use crate::store::{ReadTx, StoreError};

/// `GET /messages/{id}/deliveries/`
pub(super) struct Read {
    message: MessageId,
    window: Window,
    fields: Option<Vec<String>>,
}

pub(super) fn question(object: Option<&str>, params: &mut Params) -> Result<Read, ApiError> {
    let message = parse_message_id(object.unwrap_or_default())?;
    let window = view::window(params, Unpaged::FirstPage);
    let fields = view::fields(params);
    ApiError::check(params.take_problems())?;
    Ok(Read { message, window, fields })
}

impl Question for Read {
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError> {
        let page = ops::list(tx, &principal.caller, self.message, self.window)?;
        view::listing(&page, self.window, self.fields.as_deref(), DeliveryView::of)
    }

    fn is_long(&self, _: &ReadTx, _: &Principal) -> Result<bool, StoreError> {
        // A message to many members has many batches.
        Ok(true)
    }

    fn kind(&self) -> Kind {
        Kind::Fresh
    }
}

/// A delivery as JSON.
#[derive(Serialize)]
struct DeliveryView<'a> {
    email: &'a str,
    contact: &'a ContactName,
    state: &'static str,
    attempts: u32,
    time: When,
    next_attempt: Option<When>,
    remote: Option<&'a str>,
    reply: Option<&'a str>,
}

impl<'a> DeliveryView<'a> {
    fn of(delivery: &'a Delivery) -> DeliveryView<'a> {
        // No `..`: a new field is shown or left out on purpose.
        let Delivery { email, contact, state, attempts, time, next_attempt, remote, reply } = delivery;
        DeliveryView {
            email: email.as_str(),
            contact,
            state: state.word(),
            attempts: *attempts,
            time: When(*time),
            next_attempt: next_attempt.map(When),
            remote: remote.as_deref(),
            reply: reply.as_deref(),
        }
    }
}
