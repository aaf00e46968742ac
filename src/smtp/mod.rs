//! Mail in and out over the network.
//!
//! Receiving: [`session`] is the protocol, SMTP or LMTP, without sockets, [`auth`] how
//! a client proves who it is, [`content`] the text of a message on the
//! wire, [`budget`] what the texts of all sessions may take together, [`pace`] how fast they must come, [`listener`] gives them sockets
//! ([`socket`]), limits ([`gate`]) and TLS ([`tls`]), whose [`certificate`] it reads, [`verify`] finds out whether senders
//! are who they say.
//!
//! Sending: [`client`] is one connection, [`hello`] what its server says of itself, [`outgoing`] one copy on its way, [`pool`] keeps idle connections,
//! [`dns`] finds the servers of a domain (at public addresses: `ranges`), [`sts`] and [`dane`] what it asks
//! of TLS, [`domain_status`] says how our own ones stand, [`desk`] answers what the
//! rest of the server asks, [`relay`] reads where the operator wants mail to go.
//!
//! What a recipient means and what becomes of a message is decided in `ops`; this layer stores nothing.

pub mod auth;
pub mod budget;
pub mod certificate;
pub mod client;
mod connect;
mod connection;
pub mod content;
pub mod dane;
pub mod desk;
pub mod dns;
mod dnssec;
pub mod domain_status;
pub mod gate;
mod hello;
pub mod listener;
pub mod outgoing;
pub mod pace;
mod parameters;
mod path;
pub mod pool;
mod ranges;
pub mod relay;
mod replies;
pub mod reply;
pub mod session;
pub mod socket;
pub mod sts;
pub mod tls;
pub mod verify;
