//! The domains of accounts: what the DNS must say of them, and what it says.

pub mod dns;
pub mod sts;
