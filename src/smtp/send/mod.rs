//! Hands mail to other servers.
//!
//! [`client`] sends over one connection, which `connect` makes to a `target`, [`hello`] reads what its server announces,
//! [`outgoing`] is one copy being sent, and [`pool`] keeps idle connections. [`relay`] parses the operator's relays, and
//! [`probe`] tries servers without sending mail.

pub mod client;
mod connect;
mod errors;
mod hello;
pub mod outgoing;
pub mod pool;
pub mod probe;
pub mod relay;
mod remote_reply;
mod replies;
mod target;
