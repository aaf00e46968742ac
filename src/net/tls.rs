//! TLS settings for both directions. The aws-lc-rs provider is always named: no process-wide default is read or set.
//!
//! The listener and the client use these settings; which connection needs which is decided in `connect`.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use rcgen::{CertificateParams, DistinguishedName, DnType, KeyPair};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, ServerConfig, SignatureScheme};

use crate::config::Trust;

/// Longest common name (RFC 5280 A.1); a longer hostname is the alternative name alone.
const COMMON_NAME_BYTES_MAX: usize = 64;

/// The protocol in which an authority proves by TLS whose name it is (RFC 8737).
const ACME_TLS: &[u8] = b"acme-tls/1";

pub(crate) static PROVIDER: LazyLock<Arc<CryptoProvider>> =
    LazyLock::new(|| Arc::new(aws_lc_rs::default_provider()));

/// The reason why a certificate or key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The certificate file cannot be read as PEM.
    #[error("the certificate chain is not PEM: {0}")]
    Certificate(rustls::pki_types::pem::Error),
    /// The certificate file has no certificate.
    #[error("the certificate file has no certificate")]
    NoCertificate,
    /// The key file cannot be read as PEM.
    #[error("the private key is not PEM: {0}")]
    Key(rustls::pki_types::pem::Error),
    /// They do not belong together, or have a kind that TLS does not use.
    #[error("the certificate and key cannot be used: {0}")]
    Pair(#[from] rustls::Error),
    /// No certificate could be made.
    #[error("no certificate could be made: {0}")]
    Make(#[from] rcgen::Error),
}

/// A certificate chain and its private key, both PEM.
#[derive(Clone, PartialEq, Eq)]
pub struct PemPair {
    /// The chain, the server's own certificate first.
    pub chain: String,
    /// The private key.
    pub key: String,
}

impl std::fmt::Debug for PemPair {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The key is never logged.
        out.write_str("PemPair")
    }
}

/// Makes a self-signed certificate for `hostname`: enough for STARTTLS between mail servers, which seldom verify (RFC
/// 7435). It is valid for longer than any server runs, so that it never has to be renewed, and clients that pin it, or
/// operators who name its key in the DNS (DANE), are never surprised.
pub fn self_signed(hostname: &str) -> Result<PemPair, TlsError> {
    let mut params = CertificateParams::new(vec![hostname.to_owned()])?;
    params.distinguished_name = DistinguishedName::new();
    if hostname.len() <= COMMON_NAME_BYTES_MAX {
        params.distinguished_name.push(DnType::CommonName, hostname);
    }
    let key = KeyPair::generate()?;
    Ok(PemPair { chain: params.self_signed(&key)?.pem(), key: key.serialize_pem() })
}

/// The certificates of this server, of which each client gets the one for the host that it names. They can be replaced
/// while connections come in.
#[derive(Debug)]
pub struct Certificates {
    chosen: RwLock<Arc<Chosen>>,
    /// Certificates that prove a name to an authority, by that name (RFC 8737).
    challenges: RwLock<HashMap<String, Arc<CertifiedKey>>>,
}

/// Certificates by the names that they are for.
#[derive(Debug)]
struct Chosen {
    /// The first one: for clients that name no host, or one of which there is none.
    default: Arc<CertifiedKey>,
    /// Names in lower case; `*.` stands for one label.
    by_name: HashMap<String, Arc<CertifiedKey>>,
}

impl Chosen {
    fn new(first: &PemPair, others: &[PemPair]) -> Result<Chosen, TlsError> {
        let default = certified_key(first)?;
        let mut by_name = HashMap::new();
        for key in std::iter::once(Ok(Arc::clone(&default))).chain(others.iter().map(certified_key)) {
            let key = key?;
            for name in key.cert.first().map(names_of).unwrap_or_default() {
                // The earlier one wins.
                by_name.entry(name).or_insert_with(|| Arc::clone(&key));
            }
        }
        Ok(Chosen { default, by_name })
    }

    fn of(&self, host: &str) -> &Arc<CertifiedKey> {
        let host = host.to_ascii_lowercase();
        let above = || host.split_once('.').map(|(_, above)| format!("*.{above}"));
        let exact = self.by_name.get(&host);
        exact.or_else(|| self.by_name.get(&above()?)).unwrap_or(&self.default)
    }
}

/// The host names that a certificate is for, in lower case; none if it cannot be read.
#[must_use]
pub fn names_of(certificate: &CertificateDer<'_>) -> Vec<String> {
    let read = webpki::EndEntityCert::try_from(certificate);
    read.map(|read| read.valid_dns_names().map(str::to_ascii_lowercase).collect()).unwrap_or_default()
}

impl Certificates {
    /// One certificate for every client. Fails if `pair` cannot be used.
    pub fn new(pair: &PemPair) -> Result<Certificates, TlsError> {
        Certificates::of(pair, &[])
    }

    /// Several certificates. Fails if one of them cannot be used.
    pub fn of(first: &PemPair, others: &[PemPair]) -> Result<Certificates, TlsError> {
        let chosen = RwLock::new(Arc::new(Chosen::new(first, others)?));
        Ok(Certificates { chosen, challenges: RwLock::default() })
    }

    /// Uses these from the next connection on; if one of them cannot be used, the present ones stay.
    pub fn replace(&self, first: &PemPair, others: &[PemPair]) -> Result<(), TlsError> {
        let chosen = Arc::new(Chosen::new(first, others)?);
        *self.chosen.write().unwrap_or_else(PoisonError::into_inner) = chosen;
        Ok(())
    }

    /// The certificate that clients see that name this host.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "a chain without a certificate is refused")]
    pub fn shown_for(&self, host: &str) -> CertificateDer<'static> {
        let chosen = self.chosen.read().unwrap_or_else(PoisonError::into_inner);
        chosen.of(host).cert.first().expect("a chain without a certificate is refused").clone()
    }

    /// Proves a name to an authority with this certificate; `None` when it is done.
    pub fn set_challenge(&self, name: &str, pair: Option<&PemPair>) -> Result<(), TlsError> {
        let key = pair.map(challenge_key).transpose()?;
        let mut challenges = self.challenges.write().unwrap_or_else(PoisonError::into_inner);
        match key {
            Some(key) => drop(challenges.insert(name.to_owned(), key)),
            None => drop(challenges.remove(name)),
        }
        Ok(())
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, client: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        if client.alpn().is_some_and(|mut protocols| protocols.next() == Some(ACME_TLS)) {
            let challenges = self.challenges.read().unwrap_or_else(PoisonError::into_inner);
            return challenges.get(client.server_name()?).cloned();
        }
        let chosen = self.chosen.read().unwrap_or_else(PoisonError::into_inner);
        Some(client.server_name().map_or(&chosen.default, |host| chosen.of(host)).clone())
    }
}

/// A pair whose certificate has an extension that only authorities know (RFC 8737), so that it is not read again here.
fn challenge_key(pair: &PemPair) -> Result<Arc<CertifiedKey>, TlsError> {
    let chain = CertificateDer::pem_slice_iter(pair.chain.as_bytes())
        .collect::<Result<Vec<_>, _>>()
        .map_err(TlsError::Certificate)?;
    let key = PrivateKeyDer::from_pem_slice(pair.key.as_bytes()).map_err(TlsError::Key)?;
    Ok(Arc::new(CertifiedKey::new(chain, PROVIDER.key_provider.load_private_key(key)?)))
}

/// Whether a pair can be used.
pub fn check(pair: &PemPair) -> Result<CertificateDer<'static>, TlsError> {
    certified_key(pair)?.cert.first().cloned().ok_or(TlsError::NoCertificate)
}

fn certified_key(pair: &PemPair) -> Result<Arc<CertifiedKey>, TlsError> {
    let chain = CertificateDer::pem_slice_iter(pair.chain.as_bytes())
        .collect::<Result<Vec<_>, _>>()
        .map_err(TlsError::Certificate)?;
    if chain.is_empty() {
        return Err(TlsError::NoCertificate);
    }
    let key = PrivateKeyDer::from_pem_slice(pair.key.as_bytes()).map_err(TlsError::Key)?;
    Ok(Arc::new(CertifiedKey::from_der(chain, key, &PROVIDER)?))
}

/// The TLS settings of this server as a receiver of mail.
pub fn server_config(certificates: Arc<Certificates>) -> Result<Arc<ServerConfig>, TlsError> {
    Ok(Arc::new(server(certificates)?))
}

/// The TLS settings of this server as one of HTTPS.
pub fn https_config(certificates: Arc<Certificates>) -> Result<Arc<ServerConfig>, TlsError> {
    let mut config = server(certificates)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec(), ACME_TLS.to_vec()];
    Ok(Arc::new(config))
}

fn server(certificates: Arc<Certificates>) -> Result<ServerConfig, TlsError> {
    let config = ServerConfig::builder_with_provider(PROVIDER.clone())
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_cert_resolver(certificates);
    Ok(config)
}

/// A client that trusts the public certificate authorities, and those of `trust`.
#[must_use]
pub fn verifying_client(trust: &Trust) -> Arc<ClientConfig> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    roots.add_parsable_certificates(trust.authorities.iter().map(|der| CertificateDer::from(der.as_slice())));
    Arc::new(client_builder().with_root_certificates(roots).with_no_client_auth())
}

/// A client that accepts any certificate: for opportunistic TLS, where the alternative is no TLS.
#[must_use]
pub fn opportunistic_client() -> Arc<ClientConfig> {
    static CONFIG: LazyLock<Arc<ClientConfig>> = LazyLock::new(|| client_with(Arc::new(AnyCertificate)));
    CONFIG.clone()
}

/// A client that verifies servers by `verifier`.
pub(super) fn client_with(verifier: Arc<dyn ServerCertVerifier>) -> Arc<ClientConfig> {
    let builder = client_builder().dangerous();
    Arc::new(builder.with_custom_certificate_verifier(verifier).with_no_client_auth())
}

/// Whether a peer of TLS 1.2 holds the key of its certificate.
pub(super) fn verify_tls12(
    message: &[u8],
    certificate: &CertificateDer<'_>,
    signature: &DigitallySignedStruct,
) -> Result<HandshakeSignatureValid, rustls::Error> {
    verify_tls12_signature(message, certificate, signature, &PROVIDER.signature_verification_algorithms)
}

/// Whether a peer of TLS 1.3 holds the key of its certificate.
pub(super) fn verify_tls13(
    message: &[u8],
    certificate: &CertificateDer<'_>,
    signature: &DigitallySignedStruct,
) -> Result<HandshakeSignatureValid, rustls::Error> {
    verify_tls13_signature(message, certificate, signature, &PROVIDER.signature_verification_algorithms)
}

fn client_builder() -> rustls::ConfigBuilder<ClientConfig, rustls::WantsVerifier> {
    ClientConfig::builder_with_provider(PROVIDER.clone())
        .with_safe_default_protocol_versions()
        .expect("the provider has the cipher suites of TLS 1.2 and 1.3")
}

/// Accepts any certificate, but only from a peer that holds its key.
#[derive(Debug)]
struct AnyCertificate;

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        PROVIDER.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_self_signed_pair_serves_tls() {
        let certificate = Certificates::new(&self_signed("mx.example.org").unwrap()).unwrap();
        server_config(Arc::new(certificate)).unwrap();
    }

    #[test]
    fn a_self_signed_certificate_bears_the_hostname() {
        let names = |hostname: &str| {
            let chain = self_signed(hostname).unwrap().chain;
            let certificate = CertificateDer::from_pem_slice(chain.as_bytes()).unwrap();
            certificate.windows(hostname.len()).filter(|window| *window == hostname.as_bytes()).count()
        };
        assert_eq!(names("mx.example.org"), 3, "the subject, the issuer, the alternative name");
        assert_eq!(names(&format!("{}.example.org", "x".repeat(60))), 1, "the alternative name");
    }

    #[test]
    fn a_wrong_file_is_named() {
        let PemPair { chain, key } = self_signed("mx.example.org").unwrap();
        let problem = |chain: &str, key: &str| {
            Certificates::new(&PemPair { chain: chain.to_owned(), key: key.to_owned() })
                .unwrap_err()
                .to_string()
        };
        assert_eq!(problem("", &key), "the certificate file has no certificate");
        assert!(problem(&chain, &chain).starts_with("the private key is not PEM"));
        let other = self_signed("mx.example.org").unwrap();
        assert!(problem(&chain, &other.key).starts_with("the certificate and key cannot be used"));
    }
}
