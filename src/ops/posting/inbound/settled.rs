//! The decisions of lists about a message, for a sender who waits for them, and their note in the audit log.

use crate::clock::Timestamp;
use crate::mail::{DiscardReason, Inbound};
use crate::model::{AuditAction, List, ListId, MessageId};
use crate::ops::allowances::{self, Subject};
use crate::ops::audit::{self, Note};
use crate::ops::posting::acceptance::Acceptance;
use crate::ops::{Caller, OpContext};
use crate::store::{StoreError, WriteTx};

/// The decision of one list about a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settled {
    /// The list.
    pub(crate) list: ListId,
    /// The name of the list.
    pub(crate) name: String,
    /// The decision.
    pub(crate) acceptance: Acceptance,
    /// The message in the archive, if it was published.
    pub(crate) message: Option<MessageId>,
}

impl Settled {
    pub(super) fn new(list: &List, acceptance: Acceptance, message: Option<MessageId>) -> Settled {
        Settled { list: list.id, name: list.name.to_string(), acceptance, message }
    }
}

/// Notes mail that a list discarded, so that its administrators can see where it went: the first ones of a day. The same
/// mail that came again is not noted, since it is there already.
pub(super) fn note_discarded(
    tx: &mut WriteTx<'_>,
    list: &List,
    inbound: &Inbound,
    reason: &DiscardReason,
    now: Timestamp,
) -> Result<(), StoreError> {
    if *reason == DiscardReason::Duplicate {
        return Ok(());
    }
    if allowances::take(tx, allowances::DISCARD_NOTES, &Subject::list(list.id), now)?.is_ok() {
        let detail = format!("{}: {reason}", list.name);
        let discarded = Note::new(AuditAction::MessageDiscarded, 0).named(&inbound.subject).detail(&detail);
        audit::note(tx, &Caller::server(list.account), discarded, now)?;
    }
    Ok(())
}

/// Notes what a person wrote whose identity was proven. Mail whose sender is known by its envelope alone is not noted.
pub(crate) fn note(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    inbound: &Inbound,
    settled: &[Settled],
) -> Result<(), StoreError> {
    if !by.caller.is_person() {
        return Ok(());
    }
    for Settled { list: _, name, acceptance, message } in settled {
        let detail = match acceptance {
            Acceptance::Posted => name.clone(),
            Acceptance::Held(_) => format!("{name}: held"),
            Acceptance::Discarded(_) | Acceptance::Returned(_) | Acceptance::Refused(_) => continue,
        };
        let id = message.map_or(0, |message| message.0);
        let written = Note::new(AuditAction::MessageWritten, id).named(&inbound.subject).detail(&detail);
        audit::note(tx, &by.caller, written, by.now)?;
    }
    Ok(())
}
