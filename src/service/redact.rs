//! Has a moderator change a message of the archive; see [`redaction`](crate::ops::archive::redaction).

use std::sync::Arc;

use crate::model::{List, MessageId};
use crate::ops::archive::redaction::{Asked, Change, Changed, carry_out, prepare};
use crate::ops::{Caller, OpError};
use crate::secret::SEAL_NONCE_BYTES;
use crate::service::Core;
use crate::store::StoreError;

impl Core {
    /// Changes a message of a list for a moderator; it is durable when this returns.
    ///
    /// # Errors
    /// `Forbidden` without `approve_messages`, and without `account_admin` for restoring; `NotFound` if the caller sees
    /// no such message, or there is nothing to restore; `Conflict` if somebody else changed it meanwhile.
    pub async fn change_message(
        &self,
        caller: &Arc<Caller>,
        list: &List,
        id: MessageId,
        change: Change,
    ) -> Result<Changed, OpError> {
        let mut nonce = [0; SEAL_NONCE_BYTES];
        self.secrets.fill(&mut nonce);
        let (store, signer, now) = (self.store.clone(), self.signer.clone(), self.now());
        let asked = Asked { caller: Arc::clone(caller), list: list.clone(), id, change, nonce };
        let preparing = tokio::task::spawn_blocking(move || prepare(&store.read()?, &signer, asked, now));
        let prepared = match preparing.await.map_err(|_| StoreError::Panicked)?? {
            Ok(prepared) => prepared,
            Err(changed) => return Ok(changed),
        };
        // What is taken out makes room, and nobody should have to wait for that.
        self.perform_reserved(caller, move |tx, by| carry_out(tx, by, prepared)).await?;
        Ok(Changed::Done)
    }
}
