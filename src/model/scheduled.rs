//! Messages that administrators wrote, and that are sent at a time they chose.
//!
//! `ops::archive` writes them, and deletes each in the job that publishes it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{AccountId, AdminId, BlobId, CustomFieldId, DraftFile, ListId, ScheduledMessageId};
use crate::clock::Timestamp;

/// A message that is sent later. Its bytes are ready.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledMessage {
    /// Service identifier.
    pub id: ScheduledMessageId,
    /// The account of the list.
    pub account: AccountId,
    /// The list that it is sent to.
    pub list: ListId,
    /// The administrator who wrote it, and who must be allowed to send it when it is due.
    pub admin: AdminId,
    /// The name of the administrator, for people.
    pub admin_name: String,
    /// Decoded subject.
    pub subject: String,
    /// Name in the From header.
    pub from_phrase: String,
    /// Address in the From header.
    pub from_address: String,
    /// Message-ID without angle brackets.
    pub message_id: String,
    /// Message-IDs that it replies to, the nearest first.
    pub references: Vec<String>,
    /// The custom fields that its merge tags may show; `None` for all. Left out for a message without merge tags.
    pub merge_tags: Option<Option<BTreeSet<CustomFieldId>>>,
    /// Its bytes.
    pub blob: BlobId,
    /// The number of its bytes.
    pub size_bytes: u64,
    /// When it was written.
    pub made: Timestamp,
    /// When it is sent.
    pub due: Timestamp,
    /// Whether it was due and not sent, since its author may not send it any more.
    pub is_stopped: bool,
    /// The fields of the form in which it was written, with their values; none for a message of an earlier version.
    pub fields: Vec<(String, String)>,
    /// The files of the form.
    pub files: Vec<DraftFile>,
    /// How often it was changed.
    pub changes: u64,
}
