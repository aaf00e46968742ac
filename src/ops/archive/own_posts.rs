//! A member's own posts in the archive, one after the other, as a mailbox file.
//!
//! Each is read in a snapshot of its own, so that a slow reader holds none.

use crate::model::{AccountId, EmailAddress, Message};
use crate::ops::archive::messages;
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
                return Ok(Some(entry(&message, &messages::raw(tx, &message)?)));
            }
        }
        Ok(None)
    }
}

/// A message in the form of a mailbox file (RFC 4155, with lines quoted so that they can be restored).
fn entry(message: &Message, raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len() + raw.len() / 64 + 100);
    out.extend_from_slice(format!("From {} {}\n", message.from_address, message.time.asctime()).as_bytes());
    for line in raw.split_inclusive(|byte| *byte == b'\n') {
        let text = line.strip_suffix(b"\n").map_or(line, |line| line.strip_suffix(b"\r").unwrap_or(line));
        let quotes = text.iter().take_while(|byte| **byte == b'>').count();
        if text[quotes..].starts_with(b"From ") {
            out.push(b'>');
        }
        out.extend_from_slice(text);
        out.push(b'\n');
    }
    out.push(b'\n');
    out
}
