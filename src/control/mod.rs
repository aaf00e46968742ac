//! The operator's commands: the same on a running server, through its socket, and on the store of a stopped one.
//!
//! A [`Request`] holds texts as they were typed. [`Request::parse`] makes a [`Command`] of it or returns everything
//! that is wrong; [`execute`](execute::execute) carries it out. The command line parses before it contacts a server,
//! so that a wrong value never touches a file, and a server parses again what comes through its socket.
//!
//! Everything that the API can do is one request, a [call of the API](calls); the others do what the API cannot.

pub mod admin_link;
pub mod backup;
pub mod calls;
pub mod carrier;
pub mod client;
mod error;
pub mod execute;
pub mod export;
pub mod fields;
pub mod host;
pub mod import;
pub mod inject;
pub mod moving;
pub mod oauth_clients;
pub mod old_links;
mod protocol;
pub mod publish;
pub mod queue;
pub mod scope;
pub mod settings;
pub mod setup;
pub mod socket;
pub mod standing;
pub mod status;
pub mod values;
pub mod verify;

pub use protocol::{Command, Reply, Request, VerifyReply};
