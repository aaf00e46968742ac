//! Incoming mail: the meaning of its recipients, the decision about each of them, and carrying it out.

pub mod acceptance;
pub(in crate::ops) mod forward;
pub mod inbound;
pub mod reports;
pub(in crate::ops) mod seen_mail;
pub mod simulate;
pub mod writing;
