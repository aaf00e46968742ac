//! The pages of administrators.
//!
//! Each room is a subject; what several of them share is in `parts`. Every page reads its form with the readers of
//! [`crate::params`] and calls the operation that the API calls for the same thing.

pub(super) mod account;
pub(super) mod approvals;
pub(super) mod lists;
pub(super) mod messages;
pub(super) mod parts;
pub(super) mod people;
pub(super) mod server;
