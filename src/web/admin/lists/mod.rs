//! The pages about lists: all of them, one with its settings, members, trials and helpers; and aliases.

pub(in crate::web) mod aliases;
pub(in crate::web) mod delegation;
pub(in crate::web) mod deletion;
pub(in crate::web::admin) mod head;
pub(in crate::web) mod helpers;
pub(in crate::web) mod index;
pub(in crate::web) mod list;
pub(in crate::web) mod list_forms;
pub(in crate::web) mod list_members;
pub(in crate::web) mod list_table;
mod loading;
mod paths;
mod preview;
mod questions;
pub(in crate::web) mod settings_search;
mod simulation;
mod summary;
pub(in crate::web) mod trial;
