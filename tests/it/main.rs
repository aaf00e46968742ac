//! Facts about the running server, one module a subject.

#![expect(clippy::unwrap_used, reason = "a test ends where something unexpected happens")]

mod dns;
mod mail;
mod mail_props;
mod smtp_props;
mod store_crash;
mod store_model;
