//! The pages of administrators.
//!
//! What several of them share is in `fields`, `listing` and `csv`. Every page reads its form with the readers of
//! [`crate::params`] and calls the operation that the API calls for the same thing.

pub(super) mod accounts;
mod administrator_table;
pub(super) mod administrators;
pub(super) mod aliases;
pub(super) mod approvals;
pub(super) mod audit;
mod audit_words;
mod chart;
pub(super) mod compose;
pub(super) mod compose_draft;
pub(super) mod csv;
pub(super) mod custom_fields;
mod decided;
mod delegation;
pub(super) mod domains;
pub(super) mod fields;
pub(super) mod held;
mod import_run;
mod import_sheet;
pub(super) mod imports;
pub(super) mod list;
pub(super) mod list_members;
mod list_table;
pub(super) mod listing;
pub(super) mod lists;
pub(super) mod message;
pub(super) mod messages;
pub(super) mod overview;
pub(super) mod people;
pub(super) mod person;
mod person_mail;
mod preview;
pub(super) mod queue;
pub(super) mod server;
pub(super) mod server_keys;
pub(super) mod settings;
mod simulation;
pub(super) mod trace;
mod words;

pub use import_run::resume as resume_imports;
