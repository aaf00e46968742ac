//! Crier, a mailing-list server in one executable.

pub mod app;
pub mod cli;
pub mod clock;
pub mod config;
pub mod control;
pub mod jobs;
pub mod mail;
pub mod migrate;
pub mod model;
pub mod ops;
pub mod schema;
pub mod secret;
pub mod smtp;
pub mod store;
pub mod web;
