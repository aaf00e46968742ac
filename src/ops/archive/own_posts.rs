//! A member's own posts in the archive, one after the other, as a mailbox file.
//!
//! Each is read in a snapshot of its own, so that a slow reader holds none.

use crate::model::{AccountId, EmailAddress, Message};
use crate::ops::archive::{mbox, messages};
use crate::schema::{MESSAGE_BY_AUTHOR, message_author};
use crate::store::{IndexRange, Read, StoreError};

/// How far the reading of somebody's posts has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnPosts {
    account: AccountId,
    /// Addresses whose posts are still to be read, the last first.
    addresses: Vec<EmailAddress>,
    /// The last post that was read.
    after: u64,
}

impl OwnPosts {
    /// The posts of these addresses.
    #[must_use]
    pub fn new(account: AccountId, addresses: Vec<EmailAddress>) -> OwnPosts {
        OwnPosts { account, addresses, after: 0 }
    }

    /// The next post, as it stands in a mailbox file; `None` behind the last.
    pub fn next(&mut self, tx: &impl Read) -> Result<Option<Vec<u8>>, StoreError> {
        while let Some(address) = self.addresses.last() {
            let range =
                IndexRange::prefix(message_author(self.account, &address.folded())).after_id(self.after);
            let Some(id) = tx.ids(&MESSAGE_BY_AUTHOR, &range, 1)?.pop() else {
                self.addresses.pop();
                self.after = 0;
                continue;
            };
            self.after = id;
            let message = tx.get::<Message>(id)?.filter(|message| !message.deleted);
            if let Some(message) = message {
                return Ok(Some(mbox::entry(&message, &messages::raw(tx, &message)?)));
            }
        }
        Ok(None)
    }
}
