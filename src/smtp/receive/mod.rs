//! Takes mail that comes in.
//!
//! [`session`] is the protocol, SMTP or LMTP, without sockets; [`auth`] authenticates clients; [`content`]
//! reads the text of a message, within the memory of [`budget`] and at the rate of [`pace`]. [`listener`] adds sockets,
//! limits ([`gate`]) and TLS; `connection` is one of its connections, and `backend` what these ask of the rest of the
//! server.

pub mod auth;
mod backend;
pub mod budget;
mod connection;
pub mod content;
pub mod gate;
pub mod listener;
mod options;
pub mod pace;
mod parameters;
mod path;
pub mod reply;
pub mod session;
