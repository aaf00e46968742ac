//! Records which personal data the content of a message posted over the API may show.
//!
//! `ops::archive` writes the record with the post, and deliveries read it when they fill in the message.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{AccountId, CustomFieldId, MessageId};

/// Permits a message that was posted over the API to show its readers their links and custom fields; decided when it
/// was posted. Other messages have no such record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiContent {
    /// The message.
    pub message: MessageId,
    /// Its account.
    pub account: AccountId,
    /// The custom fields that the key could see; `None` for all.
    pub fields: Option<BTreeSet<CustomFieldId>>,
}

impl ApiContent {
    /// Whether the content may show a custom field.
    #[must_use]
    pub fn shows(&self, field: CustomFieldId) -> bool {
        self.fields.as_ref().is_none_or(|fields| fields.contains(&field))
    }
}
