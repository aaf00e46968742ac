//! Makes connections for sending: tries addresses in turn, uses TLS as demanded, says EHLO, authenticates.
//!
//! mail-send does the protocol work; this module decides in which order it is tried, and what happens when a step
//! fails. The scheduler's delivery worker calls it.

use std::net::SocketAddr;

use mail_send::{Credentials, SmtpClient};
use rustls::pki_types::ServerName;
use smtp_proto::EXT_START_TLS;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::client::{Connection, Stream};
use super::errors::ConnectError;
use super::hello::hello;
use super::outgoing::Protection;
use super::target::{ClientConfig, Security, Target};
use crate::net::dane;
use crate::net::tls::opportunistic_client;

/// Connects to the first address that answers, and says EHLO.
///
/// # Panics
/// If the target has a password and would send it without encryption.
pub async fn connect(target: &Target, config: &ClientConfig) -> Result<Connection, ConnectError> {
    assert!(
        target.credentials.is_none() || target.security != Security::Opportunistic,
        "a password must not leave in clear"
    );
    let mut last = ConnectError::NoAddress;
    for address in &target.addresses {
        match Box::pin(connect_to(*address, target, config)).await {
            Ok(connection) => {
                tracing::debug!(smtp.host = target.host, smtp.address = %address,
                    "Connected to {address}: {}", connection.tls());
                return Ok(connection);
            }
            Err(error) => {
                tracing::debug!(smtp.host = target.host, smtp.address = %address, error = %error,
                    "No connection to {address}");
                last = error;
            }
        }
    }
    Err(last)
}

async fn connect_to(
    address: SocketAddr,
    target: &Target,
    config: &ClientConfig,
) -> Result<Connection, ConnectError> {
    match &target.security {
        Security::Implicit => {
            let client = open(address, config).await?;
            let connector = TlsConnector::from(config.verifying.clone());
            let mut client = client.into_tls(&connector, &target.host).await?;
            greeting(&mut client).await?;
            greeted_over_tls(client, target, config, Protection::Verified).await
        }
        Security::Encrypted | Security::Verified | Security::Dane { .. } => {
            connect_with_starttls(address, target, config).await
        }
        Security::Tested => match connect_with_starttls(address, target, config).await {
            Err(error) if error.is_about_tls() => {
                tracing::warn!(smtp.host = target.host, error = %error,
                    "{} would get no mail if its policy were enforced: {error}", target.host);
                connect_opportunistically(address, target, config).await
            }
            result => result,
        },
        Security::Opportunistic => connect_opportunistically(address, target, config).await,
    }
}

async fn connect_opportunistically(
    address: SocketAddr,
    target: &Target,
    config: &ClientConfig,
) -> Result<Connection, ConnectError> {
    let target = Target { security: Security::Opportunistic, ..target.clone() };
    match connect_with_starttls(address, &target, config).await {
        // STARTTLS was offered and does not work: the connection goes on without encryption.
        Err(error) if error.is_about_tls() => connect_in_clear(address, config).await,
        result => result,
    }
}

/// Opens the network connection, without SMTP.
async fn open(address: SocketAddr, config: &ClientConfig) -> Result<SmtpClient<TcpStream>, ConnectError> {
    let mut client = SmtpClient::connect(address, config.connect_timeout).await?;
    client.timeout = config.command_timeout;
    client.stream.set_nodelay(true)?;
    Ok(client)
}

async fn connect_in_clear(address: SocketAddr, config: &ClientConfig) -> Result<Connection, ConnectError> {
    let mut client = open(address, config).await?;
    greeting(&mut client).await?;
    let response = hello(&mut client, &config.hostname).await?;
    Ok(Connection::new(Stream::Plain(client.stream), Protection::Clear, &response, config))
}

async fn connect_with_starttls(
    address: SocketAddr,
    target: &Target,
    config: &ClientConfig,
) -> Result<Connection, ConnectError> {
    let mut client = open(address, config).await?;
    greeting(&mut client).await?;
    let response = hello(&mut client, &config.hostname).await?;
    let is_opportunistic = target.security == Security::Opportunistic;
    if !response.extensions.has_capability(EXT_START_TLS) {
        if is_opportunistic {
            return Ok(Connection::new(Stream::Plain(client.stream), Protection::Clear, &response, config));
        }
        return Err(ConnectError::TlsNotOffered);
    }
    // An unverified server may be addressed by IP address if its name is not valid for TLS.
    let by_address = address.ip().to_string();
    let is_name = ServerName::try_from(target.host.as_str()).is_ok();
    let (tls, protection) = match &target.security {
        Security::Opportunistic | Security::Encrypted => (opportunistic_client(), Protection::Encrypted),
        Security::Tested | Security::Verified | Security::Implicit => {
            (config.verifying.clone(), Protection::Verified)
        }
        Security::Dane { records, domain } => {
            (dane::client(records.clone(), &[&target.host, domain]), Protection::Dane)
        }
    };
    let name = if is_name || protection.is_authenticated() { &target.host } else { &by_address };
    let client = client.start_tls(&TlsConnector::from(tls), name).await.map_err(|error| match error {
        mail_send::Error::Io(_) | mail_send::Error::Timeout => ConnectError::TlsBroken(error.to_string()),
        error @ mail_send::Error::Tls(_) => error.into(),
        error => ConnectError::Tls(error.to_string()),
    })?;
    greeted_over_tls(client, target, config, protection).await
}

/// Says EHLO and authenticates, once TLS is established and the greeting was read.
async fn greeted_over_tls(
    mut client: SmtpClient<TlsStream<TcpStream>>,
    target: &Target,
    config: &ClientConfig,
    protection: Protection,
) -> Result<Connection, ConnectError> {
    let response = hello(&mut client, &config.hostname).await?;
    if let Some((user, password)) = &target.credentials {
        let credentials = Credentials::new(user.as_str(), password.as_str());
        client.authenticate(&credentials, &response.extensions).await?;
    }
    Ok(Connection::new(Stream::Tls(Box::new(client.stream)), protection, &response, config))
}

async fn greeting<S: AsyncRead + AsyncWrite + Unpin>(client: &mut SmtpClient<S>) -> Result<(), ConnectError> {
    let reply = timeout(client.timeout, client.read()).await.map_err(|_| ConnectError::TimedOut)??;
    if reply.code == 220 { Ok(()) } else { Err(ConnectError::Refused(reply.into())) }
}
