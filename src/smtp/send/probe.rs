//! Tries servers without sending mail: the operator's relays, and the TLS that this server itself presents.
//!
//! `app::doctor` calls it. Nothing is sent but what a connection begins with.

use std::net::SocketAddr;
use std::time::Duration;

use mail_send::SmtpClient;
use rustls::pki_types::CertificateDer;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::client::{ClientConfig, Target, connect};
use super::hello::hello;
use crate::config::{Config, Relay};
use crate::net::dns::{DnsOptions, Resolver};
use crate::net::tls::opportunistic_client;

/// How long each step may take: a person waits for the answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Connects to a relay as mail would, with TLS and password; returns the reason if that fails.
pub async fn try_relay(relay: &Relay, config: &Config) -> Result<(), String> {
    let resolver = Resolver::new(&DnsOptions::new(config)).map_err(|error| error.to_string())?;
    let addresses = resolver.relay_addresses(&relay.host).await.map_err(|error| error.to_string())?;
    let client = ClientConfig {
        connect_timeout: PATIENCE,
        command_timeout: PATIENCE,
        data_timeout: PATIENCE,
        ..ClientConfig::of(config)
    };
    let connection = Box::pin(connect(&Target::relay(relay, &addresses), &client)).await;
    connection.map_err(|error| error.to_string())?.quit().await;
    Ok(())
}

/// Returns the certificate that the mail server at an address presents after STARTTLS, whatever it is.
pub async fn presented(address: SocketAddr, hostname: &str) -> Result<CertificateDer<'static>, String> {
    let words = |error: mail_send::Error| error.to_string();
    let mut client = SmtpClient::connect(address, PATIENCE).await.map_err(words)?;
    client.timeout = PATIENCE;
    let greeting = timeout(PATIENCE, client.read()).await.map_err(|_| "it does not greet".to_owned())?;
    greeting.map_err(words)?;
    hello(&mut client, hostname).await.map_err(|error| error.to_string())?;
    let client =
        client.start_tls(&TlsConnector::from(opportunistic_client()), hostname).await.map_err(words)?;
    let (_, tls) = client.stream.get_ref();
    let chain = tls.peer_certificates().unwrap_or_default();
    chain.first().map(|certificate| certificate.clone().into_owned()).ok_or_else(|| "it has none".to_owned())
}
