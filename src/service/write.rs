//! Takes a message that a member writes on the pages; see [`writing`](crate::ops::posting::writing).

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use crate::mail::envelope::{DsnOptions, DsnRequest, Envelope, Notify, Origin, ReversePath, Route};
use crate::mail::{DiscardReason, HoldReason, RejectReason};
use crate::model::{Authentication, EmailAddress, MessageId};
use crate::ops::archive::messages::find_by_message_id;
use crate::ops::posting::acceptance::{self, Acceptance};
use crate::ops::posting::inbound::Refusal;
use crate::ops::posting::inbound::settled::Settled;
use crate::ops::posting::writing::{Composed, NewWriting, compose};
use crate::ops::{Caller, OpError};
use crate::service::Core;

/// The events of which a writer is told by mail: not of a refusal, which the page shows.
const TOLD: Notify = Notify { success: false, failure: false, delay: true };

/// The decision of the list about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// It is in the archive and goes to the members.
    Published(MessageId),
    /// It waits for approval; the reason is unset if the server itself could not decide, or if it was sent before.
    Held(Option<HoldReason>),
    /// It was refused.
    Refused(Refusal),
}

impl Core {
    /// Has the list decide about what a member wrote; it is durable when this returns.
    ///
    /// # Errors
    /// `NotFound` if the list or the message that is answered does not exist for the member, or if `from` is no address
    /// under which the member may write.
    pub async fn write_to_list(&self, caller: &Arc<Caller>, writing: NewWriting) -> Result<Written, OpError> {
        if let Some(refusal) = acceptance::refusal_of_disk(&self.store.condition()) {
            return Ok(Written::Refused(refusal));
        }
        let now = self.now();
        let Composed { list, address, raw, message_id } =
            compose(&self.store.read()?, caller, &writing, now)?;
        let size_bytes = raw.len() as u64;
        let route = match acceptance::route_to(&list, Some(size_bytes)) {
            Ok(route) => route,
            Err(refusal) => return Ok(Written::Refused(refusal)),
        };
        let envelope = envelope(caller, writing.from, (address, route), size_bytes);
        let settled = match self.receive_from(caller, envelope, raw).await {
            Ok(settled) => settled,
            Err(refusal) => return Ok(Written::Refused(refusal)),
        };
        let Some(Settled { acceptance, message, .. }) = settled.into_iter().find(|it| it.list == list.id)
        else {
            return Ok(Written::Held(None));
        };
        Ok(match (acceptance, message) {
            (Acceptance::Posted, Some(id)) => Written::Published(id),
            (Acceptance::Discarded(DiscardReason::Duplicate), _) => {
                match find_by_message_id(&self.store.read()?, &list, &message_id)? {
                    Some(message) => Written::Published(message.id),
                    None => Written::Held(None),
                }
            }
            (Acceptance::Discarded(reason), _) => Written::Refused(refusal_of(&reason)),
            (Acceptance::Held(reason), _) => Written::Held(Some(reason)),
            (Acceptance::Returned(reason), _) => Written::Refused(Refusal::Rejected(reason)),
            (Acceptance::Refused(refusal), _) => Written::Refused(refusal),
            (Acceptance::Posted, None) => Written::Held(None),
        })
    }
}

/// The refusal of a message that the list would drop silently: a member who waits for an answer on a page gets one.
fn refusal_of(reason: &DiscardReason) -> Refusal {
    match reason {
        DiscardReason::Banned => Refusal::Rejected(RejectReason::Banned),
        DiscardReason::SenderNotAllowed => Refusal::Rejected(RejectReason::SenderNotAllowed),
        DiscardReason::SenderNotProven => Refusal::Rejected(RejectReason::SenderNotProven),
        // No message that was just written is one of these.
        DiscardReason::Loop
        | DiscardReason::TooManyHops
        | DiscardReason::Duplicate
        | DiscardReason::AutomaticReply => Refusal::Internal,
    }
}

fn envelope(
    caller: &Caller,
    from: EmailAddress,
    (address, route): (EmailAddress, Route),
    size_bytes: u64,
) -> Envelope {
    let told = DsnRequest { notify: TOLD, original: None };
    Envelope {
        client: caller.actor().client.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        helo: String::new(),
        tls: true,
        reverse_path: ReversePath::Address(from),
        smtputf8: !address.as_str().is_ascii(),
        dsn_options: DsnOptions { envelope_id: None, recipients: vec![(address.clone(), told)] },
        recipients: vec![(address, route)],
        requires_tls: false,
        authentication: Authentication::submitted(),
        origin: Origin::Trusted,
        proven_domains: Vec::new(),
        size_bytes,
    }
}
