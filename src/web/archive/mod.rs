//! The pages of a list's archive: its threads, its months, its messages.
//!
//! [`access::open`] alone says whether a visitor may read an archive; every page asks it first. What a page shows comes
//! from `ops::archive`; the text of a message comes cleaned from `web::reading`.

pub(super) mod access;
pub(super) mod closed;
mod download;
pub(super) mod face;
pub(super) mod feed;
pub(super) mod list;
pub(super) mod mbox;
pub(super) mod message;
pub(super) mod moderate;
pub(super) mod months;
pub(super) mod page;
pub(super) mod part;
pub(super) mod password;
pub(super) mod raw;
pub(super) mod search;
pub(super) mod show;
pub(super) mod sitemap;
pub(super) mod threads;
pub(super) mod write;

pub(super) use download::file_name;
