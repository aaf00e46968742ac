//! Contacts, their addresses, and the lists to which they belong.

pub mod adding;
pub(in crate::ops) mod announcements;
pub(in crate::ops) mod approval;
pub mod browse;
mod contact_search;
pub mod contacts;
pub mod download;
pub mod drafts;
pub mod emails;
pub mod erasure;
mod first_email;
pub mod import_tasks;
pub mod imports;
pub mod memberships;
pub mod memberview;
pub mod opt_outs;
pub mod own;
pub mod person;
pub mod refusals;
pub mod requests;
pub mod sign_in;
pub mod subscribe;
pub mod synchronizing;
pub mod welcome;
pub mod whole;
