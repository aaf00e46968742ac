//! Receives and sends mail over the network.
//!
//! Receiving: [`session`] is the protocol, SMTP or LMTP, without sockets; [`auth`] authenticates clients; [`content`]
//! reads the text of a message, within the memory of [`budget`] and at the rate of [`pace`]. [`listener`] adds sockets
//! ([`socket`]), limits ([`gate`]) and TLS ([`tls`]), whose [`certificate`] it checks; `connection` is one of its
//! connections, and `backend` what these ask of the rest of the server. [`verify`] checks senders by
//! SPF, DKIM and DMARC.
//!
//! Sending: [`client`] sends over one connection, which `connect` makes to a `target`, [`hello`] reads what its server announces, [`outgoing`] is one copy
//! being sent, and [`pool`] keeps idle connections. [`dns`] finds the servers of a domain (at
//! public addresses), [`fetch`] files at such addresses, and [`sts`] and [`dane`] the TLS that it demands. [`domain_status`] checks the DNS records of this
//! server's own domains, [`desk`] answers DNS queries of the rest of the server, and [`relay`] parses the operator's
//! relays.
//!
//! `ops` decides what a recipient means and what happens to a message; this layer stores nothing.

pub mod auth;
mod backend;
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
mod errors;
pub mod fetch;
pub mod gate;
mod hello;
pub mod https;
pub mod listener;
mod options;
pub mod outgoing;
pub mod pace;
mod parameters;
mod path;
pub mod pool;
pub mod probe;
pub mod relay;
mod remote_reply;
mod replies;
pub mod reply;
pub mod session;
pub mod socket;
pub mod sts;
mod target;
pub mod tls;
pub mod verify;
