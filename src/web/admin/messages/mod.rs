//! The pages about messages: those of all lists, one with what became of its copies, and writing.

pub(in crate::web) mod compose;
pub(in crate::web) mod compose_draft;
pub(in crate::web) mod index;
pub(in crate::web) mod message;
mod sending;
