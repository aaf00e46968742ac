//! Reports to senders that a message was delivered, if they asked for them (RFC 3461).
//!
//! A list is the destination of a message, and so are the people behind this server's other addresses: the further
//! delivery of copies is not reported to the sender (RFC 3461 5.2.7). So a report says that the list has the message,
//! or that it was passed on, and is queued in the job that made it so.

use crate::clock::Timestamp;
use crate::mail::Inbound;
use crate::mail::envelope::Envelope;
use crate::mail::report::{Action, Delivered, Report, compose_report};
use crate::model::{AccountId, EmailAddress};
use crate::ops::context::MailContext;
use crate::ops::locales;
use crate::ops::notices::backscatter::{self, Cause, SenderProof};
use crate::ops::notices::system_mails;
use crate::store::{StoreError, WriteTx};

/// A recipient that has the message.
#[derive(Debug)]
pub(in crate::ops) struct Taken<'a> {
    pub(in crate::ops) address: &'a EmailAddress,
    /// The account of the address.
    pub(in crate::ops) account: AccountId,
    pub(in crate::ops) action: Action,
}

/// Reports the recipients that have the message to its sender, if the sender asked for that and may be told.
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
        taken.iter().filter(|taken| envelope.dsn_options.of(taken.address).success).collect();
    let Some(first) = told.first() else { return Ok(()) };
    let proof = SenderProof::of_arrival(envelope, inbound, sender);
    if !backscatter::take(tx, sender, proof, &Cause::Client(envelope.client), now)? {
        tracing::info!("{sender} gets no report on a message, since it may not come from there");
        return Ok(());
    }
    let delivered = |taken: &&Taken<'_>| Delivered {
        address: taken.address.clone(),
        original: envelope.dsn_options.request(taken.address).and_then(|request| request.original.clone()),
        action: taken.action,
    };
    let recipients: Vec<Delivered> = told.iter().map(delivered).collect();
    let language = locales::locale(tx, first.account)?.language;
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
                language,
                reporting: &mail_context.config.hostname,
                envelope_id: envelope.dsn_options.envelope_id.as_deref(),
                recipients: &recipients,
                about: inbound,
            })
        },
    )
}
