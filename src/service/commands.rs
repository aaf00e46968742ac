//! Mail to the addresses of a list that take requests, and replies that confirm a request.
//!
//! Who wrote it is found here, and the account's patterns judge the address before the job that carries the mail out
//! ([`commands`](crate::ops::posting::inbound::commands)).

use std::sync::Arc;

use crate::mail::envelope::CommandAddress;
use crate::mail::envelope::{Envelope, Origin, ReversePath};
use crate::mail::{Inbound, policy};
use crate::model::{ConfirmationId, Domain, EmailAddress, List, ListId, Via};
use crate::ops::allowances::{NOTICES_FOR_CLIENT, Subject};
use crate::ops::notices::backscatter::Cause;
use crate::ops::notices::system_mails::is_a_person;
use crate::ops::people::requests::{self, Opened, Outcome, State};
use crate::ops::posting::inbound::Refusal;
use crate::ops::posting::inbound::commands::confirming::{tell, tell_expired};
use crate::ops::posting::inbound::commands::{CommandMail, NAME_CHARS_MAX, Proof, Requester, refusal_of};
use crate::ops::posting::inbound::roles::is_too_large;
use crate::ops::{Caller, OpContext, OpError, domains};
use crate::service::Core;
use crate::store::{Read, StoreError, WriteTx};

impl Core {
    /// Carries out what a mail to such an address asks for, as far as that needs no confirmation, and answers it.
    pub(super) async fn take_commands(
        &self,
        envelope: &Envelope,
        inbound: &Arc<Inbound>,
        (list, request): (ListId, CommandAddress),
    ) -> Result<(), Refusal> {
        let Some(requester) = self.requester(envelope, inbound)? else { return Ok(()) };
        let Some(account) = self.store.read()?.get::<List>(list.0)?.map(|list| list.account) else {
            return Ok(());
        };
        let permit = self.may_subscribe(account, &requester.address).await?;
        let caller = Arc::new(Caller::anonymous(account, Via::Mail, Some(envelope.client)));
        let mail = CommandMail { inbound: Arc::clone(inbound), requester, list, request, permit };
        self.perform(&caller, move |tx, by| mail.carry_out(tx, by)).await
    }

    /// The author of the mail; `None` if it may not be answered, which the log says.
    fn requester(&self, envelope: &Envelope, inbound: &Inbound) -> Result<Option<Requester>, Refusal> {
        let dropped = |why: &str| {
            tracing::info!(
                message.message_id = inbound.message_id.as_deref(),
                client.address = %envelope.client,
                "A mail with a request is dropped: {why}"
            );
        };
        if is_too_large(inbound) {
            dropped("it is too large");
            return Ok(None);
        }
        if self.is_from_machine(envelope, inbound)? {
            dropped("a machine wrote it");
            return Ok(None);
        }
        let Some(from) = &inbound.from else {
            dropped("it names no author");
            return Ok(None);
        };
        if envelope.authentication.is_undecided() {
            return Err(Refusal::Unverified);
        }
        let proof = Proof::of(envelope, &from.address).filter(|_| envelope.authentication.proves_from());
        let Some(proof) = proof else {
            dropped("its author is not proven");
            return Ok(None);
        };
        Ok(Some(Requester {
            address: from.address.clone(),
            name: from.name.chars().take(NAME_CHARS_MAX).collect(),
            proof,
            client: envelope.client,
            has_own_client: envelope.origin == Origin::Client,
            cause: match envelope.origin {
                Origin::Relay => {
                    let sender = Subject::sender_behind(envelope.client, envelope.reverse_path.as_str());
                    Cause::Limited(NOTICES_FOR_CLIENT, sender)
                }
                Origin::Client | Origin::Trusted => Cause::Client(envelope.client),
            },
        }))
    }

    /// Whether a mail comes from a machine, this server among them. It is neither answered, nor does it confirm
    /// anything.
    fn is_from_machine(&self, envelope: &Envelope, inbound: &Inbound) -> Result<bool, StoreError> {
        if envelope.reverse_path == ReversePath::Empty
            || inbound.looks_automatic()
            || policy::RECEIVED_MAX < inbound.received_count
        {
            return Ok(true);
        }
        let tx = self.store.read()?;
        let from = inbound.from.as_ref().map(|from| &from.address);
        for address in from.into_iter().chain(envelope.reverse_path.address()) {
            if !is_a_person(address) || self.is_own_address(&tx, address)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether mail to an address comes to this server.
    fn is_own_address(&self, tx: &impl Read, address: &EmailAddress) -> Result<bool, StoreError> {
        if address.domain().eq_ignore_ascii_case(&self.config.hostname) {
            return Ok(true);
        }
        match Domain::parse(address.domain()) {
            Ok(domain) => Ok(domains::find(tx, &domain)?.is_some()),
            Err(_) => Ok(false),
        }
    }

    /// Confirms a request by a reply to it.
    pub(super) async fn take_confirmation(
        &self,
        envelope: &Envelope,
        inbound: &Inbound,
        id: ConfirmationId,
    ) -> Result<(), Refusal> {
        if self.is_from_machine(envelope, inbound)? {
            tracing::info!(
                confirmation.id = id.0,
                client.address = %envelope.client,
                "An automatic answer to a request to confirm is dropped"
            );
            return Ok(());
        }
        let Opened { confirmation, state } = match requests::find(&self.store.read()?, id, self.now()) {
            Ok(found) => found,
            Err(OpError::NotFound { .. }) => return Ok(()),
            Err(error) => return Err(refusal_of(error)),
        };
        let caller = Arc::new(Caller::anonymous(confirmation.account, Via::Mail, Some(envelope.client)));
        let about = inbound.message_id.clone();
        match state {
            // The answer went out with the change.
            State::Used => Ok(()),
            State::Expired => {
                self.perform(&caller, move |tx, by| tell_expired(tx, by, &confirmation, about.as_deref()))
                    .await?;
                Ok(())
            }
            State::Waiting => {
                let told = move |tx: &mut WriteTx<'_>, by: &OpContext, outcomes: &[Outcome]| {
                    Ok(tell(tx, by, &confirmation, outcomes, about.as_deref())?)
                };
                match self.confirm_request_and(&caller, id, told).await {
                    // Somebody pressed the button at the same moment.
                    Ok(_) | Err(OpError::Conflict { .. } | OpError::NotFound { .. }) => Ok(()),
                    Err(error) => Err(refusal_of(error)),
                }
            }
        }
    }
}
