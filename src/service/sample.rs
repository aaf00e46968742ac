//! Mails a message that is not sent yet to the administrator who writes it.

use std::sync::Arc;

use crate::model::{AuditAction, EmailAddress, Permission};
use crate::ops::audit::{self, Note};
use crate::ops::notices::system_mails;
use crate::ops::{Caller, OpError};
use crate::service::Core;

impl Core {
    /// Sends a copy of a message that is not published to the administrator who writes it.
    ///
    /// # Errors
    /// `Forbidden` without `send_messages`.
    pub async fn send_test(
        &self,
        caller: &Arc<Caller>,
        (copy, subject): (Vec<u8>, String),
        to: EmailAddress,
    ) -> Result<(), OpError> {
        self.perform(caller, move |tx, by| {
            by.caller.require(Permission::SendMessages)?;
            let account = by.caller.account;
            system_mails::show_copy(tx, &by.mail_context, account, (&copy, &to), by.now)?;
            let noted = Note::new(AuditAction::MessageTested, 0).named(&subject);
            audit::note(tx, &by.caller, noted, by.now)?;
            Ok(())
        })
        .await
    }
}
