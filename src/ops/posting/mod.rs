//! Mail that comes in: what is asked of it at each command, and what becomes of it.

pub mod acceptance;
pub(in crate::ops) mod forward;
pub mod inbound;
pub mod reports;
pub(in crate::ops) mod seen_mail;
pub mod simulate;
pub mod submission;
pub mod submitters;
