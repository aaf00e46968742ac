//! Why mail cannot be handed to another server: no connection comes about, or it ends too early.

use std::io;

use rustls::CertificateError;

use super::remote_reply::RemoteReply;
use crate::clock::Timestamp;
use crate::net::certificate::timestamp;

/// The reason why there is no connection. Each may be repaired, so that a later attempt is worthwhile.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// There was no address to try.
    #[error("there is no address to connect to")]
    NoAddress,
    /// The network refused or failed.
    #[error("{0}")]
    Network(#[from] io::Error),
    /// There was no reply in time.
    #[error("no answer in time")]
    TimedOut,
    /// The server refuses this one: its reply to the connection or to EHLO.
    #[error("{0}")]
    Refused(RemoteReply),
    /// The server's certificate has expired, surely by mistake: it will be renewed.
    #[error("TLS failed: the server's certificate expired at {0}")]
    Expired(Timestamp),
    /// TLS was refused or failed.
    #[error("TLS failed: {0}")]
    Tls(String),
    /// The network broke while TLS was being negotiated.
    #[error("TLS could not be negotiated: {0}")]
    TlsBroken(String),
    /// TLS is demanded, and not offered.
    #[error("the server offers no STARTTLS, which is needed here")]
    TlsNotOffered,
    /// The server did not accept user name and password.
    #[error("the server did not accept user name and password: {0}")]
    Credentials(String),
    /// The other side does not speak SMTP.
    #[error("the server does not speak SMTP")]
    NotSmtp,
}

impl ConnectError {
    /// Whether the connection might have worked without TLS, or without verification.
    pub(super) fn is_about_tls(&self) -> bool {
        match self {
            ConnectError::Expired(_)
            | ConnectError::Tls(_)
            | ConnectError::TlsBroken(_)
            | ConnectError::TlsNotOffered => true,
            ConnectError::NoAddress
            | ConnectError::Network(_)
            | ConnectError::TimedOut
            | ConnectError::Refused(_)
            | ConnectError::Credentials(_)
            | ConnectError::NotSmtp => false,
        }
    }
}

impl From<mail_send::Error> for ConnectError {
    fn from(error: mail_send::Error) -> ConnectError {
        match error {
            mail_send::Error::Io(error) => ConnectError::Network(error),
            mail_send::Error::Tls(error) => match *error {
                rustls::Error::InvalidCertificate(CertificateError::ExpiredContext { not_after, .. }) => {
                    ConnectError::Expired(timestamp(not_after))
                }
                error => ConnectError::Tls(format!("TLS error: {error}")),
            },
            mail_send::Error::InvalidTLSName => {
                ConnectError::Tls("the host's name cannot be verified".to_owned())
            }
            mail_send::Error::UnexpectedReply(reply) => ConnectError::Refused(reply.into()),
            mail_send::Error::AuthenticationFailed(reply) => {
                ConnectError::Credentials(RemoteReply::from(reply).to_string())
            }
            mail_send::Error::Auth(_)
            | mail_send::Error::Base64(_)
            | mail_send::Error::MissingCredentials
            | mail_send::Error::UnsupportedAuthMechanism => ConnectError::Credentials(error.to_string()),
            mail_send::Error::Timeout => ConnectError::TimedOut,
            mail_send::Error::MissingStartTls => ConnectError::TlsNotOffered,
            mail_send::Error::UnparseableReply
            | mail_send::Error::MissingMailFrom
            | mail_send::Error::MissingRcptTo => ConnectError::NotSmtp,
        }
    }
}

/// The reason why a connection ended before all copies were answered.
#[derive(Debug, thiserror::Error)]
pub enum ConnectionLost {
    /// The network broke, or the other side closed.
    #[error("the connection broke: {0}")]
    Network(#[from] io::Error),
    /// There was no reply in time.
    #[error("no answer in time")]
    TimedOut,
    /// Every reply came in time, and all together took too long.
    #[error("the server takes too long")]
    Stalled,
    /// The server ended the session (421).
    #[error("{0}")]
    Refused(RemoteReply),
    /// The other side does not speak SMTP.
    #[error("the server does not speak SMTP")]
    NotSmtp,
}
