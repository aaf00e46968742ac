//! Renders the copies of a system mail: its stored bytes, signed if the server itself wrote them.
//!
//! `copies` calls it for each recipient. It never changes a text: forwarded mail is sent as it came in.

use super::signing::{Signing, bounces_to, fill_converted};
use super::tls_requirement::TlsRequirement;
use super::unsendable::Unsendable;
use crate::mail;
use crate::model::{Account, Batch, ReturnPath, SystemMail, SystemMailId, SystemMailKind};
use crate::ops::OpError;
use crate::ops::domains::main_domain;
use crate::service::Core;
use crate::smtp::send::outgoing::CopyBuffer;
use crate::store::{BlobId, Read};

/// The part that all copies of a system mail share.
pub(super) struct SystemMailForm {
    raw: Vec<u8>,
    body_start: usize,
    return_path: ReturnPath,
    signer: Option<Signing>,
    /// Main domain of the account.
    domain: String,
    pub(super) tls: TlsRequirement,
}

impl SystemMailForm {
    pub(super) fn make(core: &Core, id: SystemMailId) -> Result<SystemMailForm, Unsendable> {
        let tx = core.store.read()?;
        let system_mail: SystemMail = tx.get(id.0)?.ok_or(Unsendable::ListGone)?;
        tx.get::<Account>(system_mail.account.0)?.ok_or(Unsendable::ListGone)?;
        let domain = main_domain(&tx, system_mail.account)?;
        let raw = tx.blob(BlobId(system_mail.blob.0))?;
        let (head, body) = mail::split(&raw);
        let body_start = head.len();
        let signer = match system_mail.kind {
            // Forwarded unchanged: its author's signatures stand, and one of this server would prove nothing.
            SystemMailKind::Forward => None,
            SystemMailKind::Hold
            | SystemMailKind::Reject
            | SystemMailKind::Moderation
            | SystemMailKind::Answer
            | SystemMailKind::Welcome
            | SystemMailKind::Invitation
            | SystemMailKind::Problem
            | SystemMailKind::Probe
            | SystemMailKind::SignIn
            | SystemMailKind::Confirmation
            | SystemMailKind::Decision
            | SystemMailKind::News
            | SystemMailKind::Test => Signing::of(core, &domain, mail::body_hash(body))?,
        };
        let domain = domain.name.as_str().to_owned();
        let tls = TlsRequirement::of(system_mail.requires_tls, &raw);
        Ok(SystemMailForm { body_start, return_path: system_mail.return_path, signer, domain, tls, raw })
    }

    /// Fills `buffer` with the copy of a recipient.
    pub(super) fn render(
        &self,
        core: &Core,
        place: usize,
        batch: &Batch,
        buffer: &mut CopyBuffer,
    ) -> Result<(), OpError> {
        let sender = match self.return_path {
            ReturnPath::Null => None,
            ReturnPath::Bounces => Some(bounces_to(core, batch, place, &self.domain)?),
        };
        buffer.set_envelope(sender.as_ref(), &batch.recipients[place].address);
        match &self.signer {
            signer if buffer.is_for_ascii() && !self.raw.is_ascii() => {
                fill_converted(&self.raw, signer.as_ref(), core.now(), buffer);
            }
            Some(signer) => signer.sign(&self.raw, self.body_start, core.now(), buffer.data_mut()),
            None => buffer.data_mut().extend_from_slice(&self.raw),
        }
        Ok(())
    }
}
