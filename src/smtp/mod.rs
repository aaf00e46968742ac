//! Receives and sends mail over the network.
//!
//! [`receive`] takes mail, of other servers by SMTP or LMTP and of people who submit it; [`send`] hands mail to other
//! servers. Names, certificates and TLS are [`net`](crate::net)'s.
//!
//! `ops` decides what a recipient means and what happens to a message; this layer stores nothing.

pub mod receive;
pub mod send;
