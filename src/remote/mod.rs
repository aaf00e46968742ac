//! Reads other servers by HTTP, for those who move in: servers of this program's API, and Mailman 3.
//!
//! [`client`] sends the requests: credentials go to the server that the operator named and to no other, no redirect is
//! followed, every answer is bounded, and a server that asks to wait is waited for. [`listing`] reads listings page by
//! page, and [`person`] and [`mail`] make people and mails of what the API shows. `cli::import` calls them. Nothing here knows the store.

pub mod client;
pub mod listing;
pub mod mail;
pub mod mailman3;
pub mod person;
