//! Passes mail on unchanged: to the moderators of a list, the administrators of an account, and the targets of an
//! alias.
//!
//! Two header fields are added: this server's `Received`, and a `Delivered-To` with the address that the mail was sent
//! to. Mail that returns with that field has gone in a circle, wherever it was meanwhile, and is not passed on again.

use crate::clock::Timestamp;
use crate::mail::envelope::{Envelope, ReversePath};
use crate::mail::{Inbound, policy};
use crate::model::{AccountId, DedupScope, EmailAddress};
use crate::ops::context::MailContext;
use crate::ops::notices::system_mails::{self, PassedOn};
use crate::ops::posting::seen_mail;
use crate::store::{StoreError, WriteTx};

/// A mail that arrived at one of this server's addresses that is passed on.
#[derive(Clone, Copy)]
pub(in crate::ops) struct ForwardedMail<'a> {
    pub(in crate::ops) envelope: &'a Envelope,
    pub(in crate::ops) inbound: &'a Inbound,
    /// The address.
    pub(in crate::ops) at: &'a EmailAddress,
    /// The scope in which a repeated mail is recognised.
    pub(in crate::ops) scope: DedupScope,
}

impl ForwardedMail<'_> {
    /// Whether it was at this address before, or has passed too many servers.
    pub(in crate::ops) fn goes_in_circles(&self) -> bool {
        self.inbound.was_delivered_to(self.at) || policy::RECEIVED_MAX < self.inbound.received_count
    }

    /// Passes it on to others, unless it goes in a circle or was passed on before; returns whether anybody gets it.
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
        if !seen_mail::is_new(tx, account, self.scope, self.inbound, now)? {
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
