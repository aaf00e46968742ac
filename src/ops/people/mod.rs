//! Contacts, their addresses, and the lists to which they belong.

pub mod contacts;
pub mod emails;
pub mod imports;
pub mod memberships;
pub mod subscribe;
pub(in crate::ops) mod welcome;
