//! A member's own posts in the archive, one after the other, as a mailbox file.
//!
//! Each piece is read in a snapshot of its own, so that a slow reader holds neither a snapshot nor a message.

use crate::model::{AccountId, EmailAddress, Message};
use crate::ops::archive::mbox::Entry;
use crate::schema::{MESSAGE_BY_AUTHOR, message_author};
use crate::store::{IndexRange, Read, StoreError};

/// How far the reading of somebody's posts has come.
#[derive(Debug, Clone)]
pub struct OwnPosts {
    account: AccountId,
    /// Addresses whose posts are still to be read, the last first.
    addresses: Vec<EmailAddress>,
    /// The last post that was read.
    after: u64,
    /// The post that is being read.
    current: Option<Entry>,
}

impl OwnPosts {
    /// The posts of these addresses.
    #[must_use]
    pub fn new(account: AccountId, addresses: Vec<EmailAddress>) -> OwnPosts {
        OwnPosts { account, addresses, after: 0, current: None }
    }

    /// The next bytes of the mailbox file; `None` behind the last.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn next(&mut self, tx: &impl Read) -> Result<Option<Vec<u8>>, StoreError> {
        if self.current.is_none() {
            self.current = self.next_post(tx)?.map(|post| Entry::new(tx, &post)).transpose()?;
        }
        let Some(entry) = &mut self.current else { return Ok(None) };
        let (bytes, is_last) = entry.next(tx)?;
        if is_last {
            self.current = None;
        }
        Ok(Some(bytes))
    }

    fn next_post(&mut self, tx: &impl Read) -> Result<Option<Message>, StoreError> {
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
            if message.is_some() {
                return Ok(message);
            }
        }
        Ok(None)
    }
}
