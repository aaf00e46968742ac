//! Replies to `confirm+TOKEN@D` that confirm a request. The token is the proof, as in the link; what the reply says
//! does not matter, unless a machine wrote it.
//!
//! The result is mailed once, to the address of the request.

use std::sync::Arc;

use super::{folded, refusal_of};
use crate::locale::text;
use crate::mail::Inbound;
use crate::model::{Account, Confirmation, ConfirmationId, List, RequestedChange, SystemMailKind, Via};
use crate::ops::allowances::{self, ANSWERS_TO_ADDRESS, Subject};
use crate::ops::locales::locale_of;
use crate::ops::notices::system_mails::{self, NewNotice, owner_local};
use crate::ops::people::requests::{self, Opened, Outcome, State};
use crate::ops::posting::inbound::{Envelope, Refusal};
use crate::ops::{Caller, OpContext, OpError};
use crate::service::Core;
use crate::store::{Read, StoreError, WriteTx};

impl Core {
    /// Confirms a request by a reply to it.
    pub(in crate::ops::posting::inbound) async fn take_confirmation(
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
                    tell(tx, by, &confirmation, outcomes, about.as_deref())
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

/// Tells the owner of the address what happened.
fn tell(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    request: &Confirmation,
    outcomes: &[Outcome],
    about: Option<&str>,
) -> Result<(), StoreError> {
    let Some(account) = tx.get::<Account>(request.account.0)? else { return Ok(()) };
    let language = account.settings.language;
    let mut told = Vec::new();
    for (change, outcome) in request.changes.iter().zip(outcomes) {
        let list = match change.list() {
            Some(id) => tx.get::<List>(id.0)?,
            None => None,
        };
        let title = list.as_ref().map_or_else(|| account.title(), List::title);
        let (what, next) =
            requests::outcome_in_words(language, change, title, request.address.as_str(), *outcome);
        told.push(folded(&format!("{what}. {next}"), ""));
    }
    mail(tx, by, &account, request, &told.join("\n\n"), about)
}

/// Tells the owner of the address that the request is too old.
fn tell_expired(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    request: &Confirmation,
    about: Option<&str>,
) -> Result<(), StoreError> {
    let Some(account) = tx.get::<Account>(request.account.0)? else { return Ok(()) };
    let day = locale_of(&account).day(request.requested);
    let text = text!(account.settings.language, "command-expired", day = day);
    mail(tx, by, &account, request, &text, about)
}

fn mail(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    account: &Account,
    request: &Confirmation,
    text: &str,
    about: Option<&str>,
) -> Result<(), StoreError> {
    if allowances::take(tx, ANSWERS_TO_ADDRESS, &Subject::mailbox(&request.address), by.now)?.is_err() {
        return Ok(());
    }
    let list = match request.changes.iter().find_map(RequestedChange::list) {
        Some(id) => tx.get::<List>(id.0)?,
        None => None,
    };
    let title = list.as_ref().map_or_else(|| account.title(), List::title);
    let notice = NewNotice {
        kind: SystemMailKind::Answer,
        from_phrase: title,
        from_local: &list.as_ref().map_or_else(|| "postmaster".to_owned(), owner_local),
        to: &request.address,
        reply_to: None,
        subject: &text!(account.settings.language, "command-subject", list = title),
        text: &format!("{text}\n"),
        in_reply_to: about,
    };
    system_mails::write(tx, &by.mail_context, account.id, &notice, by.now)
}
