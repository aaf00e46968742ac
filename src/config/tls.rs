//! The settings of TLS: certificates of the operator, HTTPS, and certificates that the server orders itself.

use std::net::SocketAddr;
use std::path::PathBuf;

/// The directory of Let's Encrypt: the default of `--acme-directory`.
pub const ACME_DIRECTORY: &str = "https://acme-v02.api.letsencrypt.org/directory";

/// The settings of TLS; without any of them mail has a self-signed certificate.
#[derive(Debug, Clone, Default)]
pub struct TlsConfig {
    /// Certificate chains and their private keys, PEM. The first pair is for clients that name no host, or none of
    /// these.
    pub files: Vec<(PathBuf, PathBuf)>,
    /// The address of the HTTPS listener; port 0 means any free port.
    pub https_listen: Option<SocketAddr>,
    /// The authority of which certificates are ordered; none are if unset.
    pub acme: Option<AcmeConfig>,
}

impl TlsConfig {
    /// Whether there is a certificate that others trust, or will be.
    #[must_use]
    pub fn has_certificate(&self) -> bool {
        !self.files.is_empty() || self.acme.is_some()
    }
}

/// An authority that gives certificates by ACME (RFC 8555).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcmeConfig {
    /// The URL of its directory.
    pub directory: String,
    /// The addresses that it may write to, such as `admin@example.org`.
    pub contacts: Vec<String>,
    /// Certificates of authorities that its own server is trusted by, beside the public ones, DER.
    pub authorities: Vec<Vec<u8>>,
}
