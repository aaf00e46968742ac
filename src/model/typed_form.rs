//! Forms that people sent from pages when their session had ended. They come back after signing in.
//!
//! `ops::server::typed_forms` writes these records.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, Person, TypedFormId};
use crate::clock::Timestamp;

/// How long a form is kept.
const KEPT_FOR: Duration = Duration::from_hours(24);

/// A form that was not carried out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedForm {
    /// Service identifier.
    pub id: TypedFormId,
    /// The account of the page; [`AccountId::SERVER`] for a page of the server.
    pub account: AccountId,
    /// The person to whom the form was shown.
    pub person: Person,
    /// The path of the page with its query, to which the form was sent.
    pub path: String,
    /// Its fields, encrypted for this server.
    pub sealed: Vec<u8>,
    /// When it was kept.
    pub kept: Timestamp,
}

impl TypedForm {
    /// When it is deleted.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.kept + KEPT_FOR
    }
}
