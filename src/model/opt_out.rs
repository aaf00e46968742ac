//! Records of people who do not want mail of a list, or of an account: no administrator, program or import adds them
//! again by mistake.
//!
//! `ops::people::opt_outs` writes one when somebody leaves without an administrator, complains, or comes from another
//! system as unsubscribed. It is kept when the contact is deleted, so it names addresses by salted hashes alone.

use serde::{Deserialize, Serialize};

use super::{AccountId, ContactId, ListId, OptOutId, words};
use crate::clock::Timestamp;

words! {
    /// The way in which somebody opted out.
    OptOutWay {
        /// By the link in a copy: its page, or the button of a mail program.
        Link = "link",
        /// By a mail.
        Mail = "mail",
        /// On the pages for members.
        Page = "page",
        /// By a request that somebody approved.
        Request = "request",
        /// By telling a provider that the mail is unwanted.
        Complaint = "complaint",
        /// In another system, from which an import brought it along.
        Import = "import",
        /// By asking to be forgotten.
        Erasure = "erasure",
    }
}

/// Somebody who does not want mail of a list, or of any list of an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptOut {
    /// Service identifier.
    pub id: OptOutId,
    /// The account.
    pub account: AccountId,
    /// The list; `None` for every list of the account.
    pub list: Option<ListId>,
    /// The contact, as long as it exists.
    pub contact: Option<ContactId>,
    /// Salted hashes of the addresses that the person had.
    pub addresses: Vec<[u8; 32]>,
    /// The way.
    pub way: OptOutWay,
    /// When.
    pub time: Timestamp,
}
