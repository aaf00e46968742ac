//! Plain records and their rules: no I/O, no storage, no time of its own.

pub mod address;

pub use address::{AddressError, Domain, EmailAddress};
