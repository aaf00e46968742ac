//! The erasure of a person who asked to be forgotten: what is left to do once the person is out.
//!
//! `ops::people::erasure` writes one and `ops::server::erasure` works it off. It is the last record that names the
//! person, and is deleted when nothing else does.

use serde::{Deserialize, Serialize};

use super::{AccountId, ContactId, EmailAddress, ErasureId, words};
use crate::clock::Timestamp;

words! {
    /// The choice of what happens to the posts of a person who is erased.
    OwnPosts {
        /// They stay in the archive, under "former member".
        Keep = "keep",
        /// They are taken out of the archive.
        Remove = "remove",
    }
}

/// The kinds of records that an erasure goes through, in this order. Stored by its position: new kinds are added at the
/// end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ErasurePhase {
    /// The person's posts.
    Posts,
    /// Messages that wait for a decision, or that were decided.
    Held,
    /// Mail of the server itself to the person, or about the person.
    SystemMail,
    /// The traces of copies to the person.
    Traces,
}

/// The erasure of a person that is under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Erasure {
    /// Service identifier.
    pub id: ErasureId,
    /// The account it belongs to.
    pub account: AccountId,
    /// The number that the contact had.
    pub contact: ContactId,
    /// The addresses that the contact had.
    pub addresses: Vec<EmailAddress>,
    /// First name.
    pub firstname: String,
    /// Surname.
    pub surname: String,
    /// The person's choice of what happens to the posts.
    pub posts: OwnPosts,
    /// The kind of records that the erasure is at.
    pub phase: ErasurePhase,
    /// The last record of that kind that was looked at.
    pub cursor: u64,
    /// Whether something that is under way has to be looked at once more.
    pub again: bool,
    /// When the next step is due.
    pub next: Timestamp,
}
