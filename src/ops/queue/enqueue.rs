//! Puts recipients into batches that are due now, one or more for each destination.

use std::collections::HashMap;

use crate::clock::Timestamp;
use crate::config::Routing;
use crate::model::message::BATCH_RECIPIENTS_MAX;
use crate::model::{
    AccountId, Batch, BatchId, Destination, EmailAddress, FanOut, Order, Payload, Recipient, SystemMail,
};
use crate::store::{StoreError, WriteTx};

pub(in crate::ops) fn destination(address: &EmailAddress, routing: Routing) -> Destination {
    match routing {
        Routing::Relay => Destination::Relay,
        Routing::Mx => Destination::Domain(address.domain().to_owned()),
    }
}

/// Writes recipients as batches that are due now, by destination in the order of their first recipients.
pub(in crate::ops) fn put_recipients(
    tx: &mut WriteTx,
    origin: &BatchOrigin,
    recipients: Vec<(Destination, Recipient)>,
    now: Timestamp,
) -> Result<(), StoreError> {
    for (destination, mut rest) in by_destination(recipients) {
        while !rest.is_empty() {
            let tail = rest.split_off(rest.len().min(BATCH_RECIPIENTS_MAX));
            let recipients = std::mem::replace(&mut rest, tail);
            put_batch(tx, origin, destination.clone(), recipients, now)?;
        }
    }
    Ok(())
}

/// Sorts by destination, in the order of their first.
pub(in crate::ops) fn by_destination<T>(
    all: impl IntoIterator<Item = (Destination, T)>,
) -> Vec<(Destination, Vec<T>)> {
    let mut groups: Vec<(Destination, Vec<T>)> = Vec::new();
    let mut known: HashMap<Destination, usize> = HashMap::new();
    for (destination, item) in all {
        let group = *known.entry(destination).or_insert_with_key(|destination| {
            groups.push((destination.clone(), Vec::new()));
            groups.len() - 1
        });
        groups[group].1.push(item);
    }
    groups
}

/// The facts that all batches of one post or system mail share.
pub(in crate::ops) struct BatchOrigin {
    account: AccountId,
    payload: Payload,
    accepted: Timestamp,
    /// The operator's order for them.
    order: Option<Order>,
    /// Whether they are quarantined, so that a moderator decides about them.
    is_parked: bool,
    /// The answers that their recipients refer to.
    replies: Vec<String>,
}

impl BatchOrigin {
    pub(in crate::ops) fn of_fan_out(fan_out: &FanOut) -> BatchOrigin {
        let FanOut { account, message, list, accepted, .. } = *fan_out;
        BatchOrigin::new(account, Payload::Post { message, list }, accepted)
    }

    pub(in crate::ops) fn of(batch: &Batch) -> BatchOrigin {
        let Batch { account, payload, accepted, order, .. } = *batch;
        BatchOrigin {
            account,
            payload,
            accepted,
            order,
            is_parked: batch.is_parked(),
            replies: batch.replies.clone(),
        }
    }

    pub(in crate::ops) fn new(account: AccountId, payload: Payload, accepted: Timestamp) -> BatchOrigin {
        BatchOrigin { account, payload, accepted, order: None, is_parked: false, replies: Vec::new() }
    }
}

/// Queues system mail for its recipients, due at once.
pub(in crate::ops) fn enqueue_system_mail(
    tx: &mut WriteTx,
    system_mail: &SystemMail,
    recipients: Vec<Recipient>,
    routing: Routing,
) -> Result<(), StoreError> {
    let SystemMail { id, account, created: accepted, .. } = *system_mail;
    let origin = BatchOrigin::new(account, Payload::SystemMail(id), accepted);
    let recipients =
        recipients.into_iter().map(|recipient| (destination(&recipient.address, routing), recipient));
    put_recipients(tx, &origin, recipients.collect(), system_mail.created)
}

pub(in crate::ops) fn put_batch(
    tx: &mut WriteTx,
    origin: &BatchOrigin,
    destination: Destination,
    recipients: Vec<Recipient>,
    now: Timestamp,
) -> Result<BatchId, StoreError> {
    assert!(recipients.len() <= BATCH_RECIPIENTS_MAX, "a batch past its limit");
    let BatchOrigin { account, payload, accepted, order, is_parked, ref replies } = *origin;
    let id = BatchId(tx.next_id::<Batch>()?);
    // Regrouped recipients keep their number of attempts.
    let attempts = recipients.iter().map(|recipient| recipient.attempts).max().unwrap_or(0);
    tx.put(&Batch {
        id,
        account,
        payload,
        destination,
        due: (!is_parked).then_some(now),
        attempts,
        claimed: false,
        unreached: false,
        crashes: 0,
        failures: 0,
        accepted,
        queued: now,
        order,
        recipients,
        replies: replies.clone(),
    })?;
    Ok(id)
}
