//! What a sender wants to be told of a delivery (RFC 3461), and the reports that tell it.
//!
//! A list, and whoever an address of ours stands for, is where a message was sent to: what becomes of its copies
//! after that is not the sender's to be told (RFC 3461 5.2.7). So a report says that the list has it, or that it was
//! passed on, and is queued in the job that made it so.

use crate::clock::Timestamp;
use crate::mail::Inbound;
use crate::mail::report::{Action, Delivered, Report, compose_report};
use crate::model::{AccountId, EmailAddress};
use crate::ops::notices::backscatter::{self, Cause, SenderProof};
use crate::ops::notices::system_mails::{self, MailContext};
use crate::ops::posting::inbound::Envelope;
use crate::store::{StoreError, WriteTx};

/// Of what a sender wants to be told; of nothing, where all are false (`NEVER`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notify {
    /// That it arrived.
    pub success: bool,
    /// That it does not arrive.
    pub failure: bool,
    /// That it arrives later.
    pub delay: bool,
}

impl Notify {
    /// Where nothing is said (RFC 3461 4.1).
    pub const DEFAULT: Notify = Notify { success: false, failure: true, delay: true };

    /// Whether it wants to hear nothing at all.
    #[must_use]
    pub fn is_never(self) -> bool {
        !(self.success || self.failure || self.delay)
    }
}

/// What RCPT said of reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DsnRequest {
    /// Of what to tell.
    pub notify: Notify,
    /// The address that the sender began with and its type, printable ASCII.
    pub original: Option<String>,
}

/// What an envelope says of reports.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DsnOptions {
    /// The sender's own name for the transaction, printable ASCII.
    pub envelope_id: Option<String>,
    /// Of the recipients with whom something was said.
    pub recipients: Vec<(EmailAddress, DsnRequest)>,
}

impl DsnOptions {
    /// What to tell of a recipient.
    #[must_use]
    pub fn of(&self, recipient: &EmailAddress) -> Notify {
        self.wish(recipient).map_or(Notify::DEFAULT, |wish| wish.notify)
    }

    fn wish(&self, recipient: &EmailAddress) -> Option<&DsnRequest> {
        self.recipients.iter().find(|(address, _)| address == recipient).map(|(_, wish)| wish)
    }
}

/// A recipient who has the message.
#[derive(Debug)]
pub(in crate::ops) struct Taken<'a> {
    pub(in crate::ops) address: &'a EmailAddress,
    /// Whose address it is.
    pub(in crate::ops) account: AccountId,
    pub(in crate::ops) action: Action,
}

/// Tells the sender who has its message, where it asked for that and may be told.
pub(in crate::ops) fn tell_delivered(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    envelope: &Envelope,
    inbound: &Inbound,
    taken: &[Taken<'_>],
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(sender) = envelope.reverse_path.address() else { return Ok(()) };
    let told: Vec<&Taken<'_>> =
        taken.iter().filter(|taken| envelope.wishes.of(taken.address).success).collect();
    let Some(first) = told.first() else { return Ok(()) };
    let proof = SenderProof::of_arrival(envelope, inbound, sender);
    if !backscatter::take(tx, sender, proof, &Cause::Client(envelope.client), now)? {
        tracing::info!("{sender} gets no report on a message, since it may not come from there");
        return Ok(());
    }
    let delivered = |taken: &&Taken<'_>| Delivered {
        address: taken.address.clone(),
        original: envelope.wishes.wish(taken.address).and_then(|wish| wish.original.clone()),
        action: taken.action,
    };
    let recipients: Vec<Delivered> = told.iter().map(delivered).collect();
    system_mails::write_report(
        tx,
        mail_context,
        first.account,
        sender,
        envelope.requires_tls,
        now,
        |message_id, from| {
            compose_report(&Report {
                message_id,
                now,
                from,
                to: sender,
                reporting: &mail_context.hostname,
                envelope_id: envelope.wishes.envelope_id.as_deref(),
                recipients: &recipients,
                about: inbound,
            })
        },
    )
}
