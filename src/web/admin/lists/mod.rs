//! The pages about lists: all of them, one with its settings, members and helpers; and aliases.

pub(in crate::web) mod aliases;
mod delegation;
mod helpers;
pub(in crate::web) mod index;
pub(in crate::web) mod list;
pub(in crate::web) mod list_forms;
pub(in crate::web) mod list_members;
mod list_table;
mod preview;
mod simulation;
