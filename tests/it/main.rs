//! Facts about the running server, one module a subject.

#![expect(clippy::unwrap_used, reason = "a test ends where something unexpected happens")]

mod store_crash;
mod store_model;
