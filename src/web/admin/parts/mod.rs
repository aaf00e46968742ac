//! What the pages of administrators share: forms of settings, listings and their files, charts, and words.

pub(in crate::web::admin) mod audit_words;
pub(in crate::web::admin) mod chart;
pub(in crate::web) mod csv;
mod field_views;
pub(in crate::web) mod fields;
pub(in crate::web::admin) mod health;
pub(in crate::web) mod listing;
pub(in crate::web) mod trace;
pub(in crate::web::admin) mod undo;
pub(in crate::web::admin) mod words;
