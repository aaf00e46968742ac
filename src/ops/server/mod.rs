//! The server as a whole: work that is due by time, limits of what callers use, and calls that are repeated.

pub mod auth_failures;
pub mod backups;
pub mod erasure;
pub mod figures;
mod kept_numbers;
pub mod key_uses;
pub mod overview;
pub mod saved_answers;
pub mod typed_forms;
pub mod upkeep;
pub mod usage;
