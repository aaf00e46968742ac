//! The names that lists had before they were renamed.

use serde::{Deserialize, Serialize};

use super::{AccountId, EarlierNameId, ListId};
use crate::clock::Timestamp;

/// A name that a list had: pages under it lead to the list, as long as no other list takes the name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlierName {
    /// Service identifier.
    pub id: EarlierNameId,
    /// The account of the list.
    pub account: AccountId,
    /// The list.
    pub list: ListId,
    /// The name, with case folded.
    pub name: String,
    /// When the list got another one.
    pub until: Timestamp,
}
