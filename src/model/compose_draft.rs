//! Drafts of administrators: messages to a list that were not sent yet, with their files.
//!
//! `ops::archive::compose_drafts` writes these records, and deletes each in the job that sends its message.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, AdminId, BlobId, ComposeDraftId};
use crate::clock::Timestamp;

/// How long a draft is kept.
const KEPT_FOR: Duration = Duration::from_hours(24);

/// A message that an administrator writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComposeDraft {
    /// Service identifier.
    pub id: ComposeDraftId,
    /// The account.
    pub account: AccountId,
    /// The administrator who writes it.
    pub admin: AdminId,
    /// The number of its form.
    pub form: u64,
    /// The fields of its form, with their values.
    pub fields: Vec<(String, String)>,
    /// Its files.
    pub files: Vec<DraftFile>,
    /// Whether it was kept because the session had ended, and not looked at since.
    pub is_lost: bool,
    /// When it was kept.
    pub kept: Timestamp,
}

/// A file of a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftFile {
    /// A hash of its name and its content.
    pub hash: String,
    /// Its name.
    pub name: String,
    /// Its media type.
    pub media_type: String,
    /// The number of its bytes.
    pub size_bytes: u64,
    /// Its bytes.
    pub blob: BlobId,
}

impl ComposeDraft {
    /// When it is deleted.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.kept + KEPT_FOR
    }
}
