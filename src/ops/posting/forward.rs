//! Passes mail on as it came: to those who look after a list or an account, and to what an alias stands for.
//!
//! Nothing of it is changed but two fields in front: our `Received`, and a `Delivered-To` that names the address
//! of ours it was sent to. Mail that comes back with that field has gone in a circle, wherever it was meanwhile.

use crate::clock::Timestamp;
use crate::mail::{Inbound, policy};
use crate::model::{AccountId, DedupScope, EmailAddress};
use crate::ops::envelope::{Envelope, ReversePath};
use crate::ops::notices::system_mails::{self, MailContext, PassedOn};
use crate::ops::posting::seen_mail;
use crate::store::{StoreError, WriteTx};

/// A mail that arrived at an address of ours that stands for others.
#[derive(Clone, Copy)]
pub(in crate::ops) struct Arrived<'a> {
    pub(in crate::ops) envelope: &'a Envelope,
    pub(in crate::ops) inbound: &'a Inbound,
    /// The address of ours.
    pub(in crate::ops) at: &'a EmailAddress,
    /// What that stands for.
    pub(in crate::ops) taker: DedupScope,
}

impl Arrived<'_> {
    /// Whether it has been here before, or at too many servers.
    pub(in crate::ops) fn goes_in_circles(&self) -> bool {
        self.inbound.was_delivered_to(self.at) || policy::RECEIVED_MAX < self.inbound.received_count
    }

    /// Passes it on to others, unless it goes in circles or was passed on before; whether it went to anybody.
    pub(in crate::ops) fn pass_on(
        &self,
        tx: &mut WriteTx<'_>,
        mail_context: &MailContext,
        account: AccountId,
        to: Vec<EmailAddress>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let at = self.at;
        if self.goes_in_circles() {
            tracing::warn!("A message to {at} goes in circles and is dropped");
            return Ok(false);
        }
        if to.is_empty() {
            tracing::warn!("Nobody is there to read a message to {at}: it is dropped");
            return Ok(false);
        }
        if !seen_mail::is_new(tx, account, self.taker, self.inbound, now)? {
            tracing::info!("A message to {at} came again, and was passed on already");
            return Ok(false);
        }
        let mut raw = format!("Delivered-To: {at}\r\n").into_bytes();
        raw.extend_from_slice(&self.inbound.raw);
        let has_empty_sender = self.envelope.reverse_path == ReversePath::Empty;
        let requires_tls = self.envelope.requires_tls;
        let mail = PassedOn { raw: &raw, has_empty_sender, requires_tls, to };
        system_mails::pass_on(tx, mail_context, account, mail, now)?;
        Ok(true)
    }
}
