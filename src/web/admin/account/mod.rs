//! The pages about an account itself: its first page, settings, administrators and keys, domains, and the audit log.

pub(in crate::web::admin) mod administrator_table;
pub(in crate::web) mod administrators;
pub(in crate::web) mod audit;
mod changes;
pub(in crate::web) mod custom_fields;
pub(in crate::web) mod domains;
pub(in crate::web::admin) mod export;
mod lately;
pub(in crate::web) mod overview;
pub(in crate::web) mod settings;
pub(in crate::web) mod undo;
