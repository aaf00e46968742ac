//! The network without the protocol of mail: names, certificates, encrypted connections, sockets, and what is fetched
//! by HTTP.
//!
//! [`dns`] finds the servers of a domain (at public addresses), proven by `dnssec` where the domain is signed, and
//! [`sts`] and [`dane`] the TLS that it demands. [`verify`] checks by SPF, DKIM and DMARC, whose records the DNS has, who
//! sent a message; [`domain_status`] checks the records of this server's own domains. [`tls`] makes the settings of
//! TLS for both directions, [`certificate`] checks the server's own. [`https`] sends requests to servers that the
//! operator names, [`fetch`] fetches files from those that a tenant names. [`socket`] and [`unix_socket`] bind sockets.
//!
//! Who does not know the network asks through [`dns_checker`], which [`desk`] answers, and [`web_client`], which
//! [`https`] does. Nothing here stores anything, and nothing here is called in a write job.

pub mod certificate;
pub mod dane;
pub mod desk;
pub mod dns;
pub mod dns_checker;
mod dnssec;
pub mod domain_status;
pub mod fetch;
pub mod hooks;
pub mod https;
pub mod socket;
pub mod sts;
pub mod tls;
pub mod unix_socket;
pub mod verify;
pub mod web_client;
