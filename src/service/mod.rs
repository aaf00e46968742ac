//! The service as its edges reach it: what all of them share, and the procedures that wait.
//!
//! [`Core`] holds the shared state and carries operations out; it is the only way to write. What takes more than one
//! transaction, a look-up in the DNS, a hash or a place in a queue is a procedure here: it waits outside of the writer,
//! and what it decides about the data is an operation of [`ops`](crate::ops), in one job. No job waits for a network.

mod addresses;
mod claims;
mod commands;
mod confirm;
mod core;
mod deletions;
pub mod events;
pub mod exports;
pub mod inspect;
mod judge;
pub mod kept_months;
pub mod memory;
mod moderate;
pub mod moving;
pub mod part_notes;
pub mod passwords;
pub mod patterns;
mod receive;
mod redact;
mod route;
pub mod rows;
mod sample;
pub mod submit;
pub mod submitters;
mod web_domains;
pub mod webhooks;
pub mod write;

pub use self::core::{Core, Shared};
