//! Verifies servers' certificates against the records that their domains publish (DANE, RFC 6698 and RFC 7672).
//!
//! The records have been validated by DNSSEC (`dnssec`), so public certificate authorities do not matter.

use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, SHA512, digest};
use hickory_resolver::proto::rr::rdata::TLSA;
use hickory_resolver::proto::rr::rdata::tlsa::{CertUsage, Matching, Selector};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, SignatureScheme};
use webpki::{EndEntityCert, KeyUsage, anchor_from_trusted_cert};

use super::tls::{self, PROVIDER};

/// Records of one server that are used; further ones are ignored.
const RECORDS_MAX: usize = 32;

/// The DANE records of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dane {
    /// There are none, or none that DNSSEC proves.
    Absent,
    /// TLS is required, with a certificate that matches one of these.
    Records(Arc<[Association]>),
    /// TLS is required, with any certificate: there are records, but none usable for mail (RFC 7672 2.2).
    Unusable,
    /// The zone is signed and the answer cannot be validated: the server's identity is unknown.
    Broken,
}

impl Dane {
    /// The meaning of a server's TLSA records.
    pub(super) fn of<'a>(records: impl Iterator<Item = &'a TLSA>) -> Dane {
        let mut records = records.take(RECORDS_MAX).peekable();
        if records.peek().is_none() {
            return Dane::Absent;
        }
        let usable: Vec<Association> = records.filter_map(Association::of).collect();
        if usable.is_empty() { Dane::Unusable } else { Dane::Records(usable.into()) }
    }
}

/// One record usable for mail: with usage 2 or 3 (RFC 7672 3.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Association {
    /// Whether it names an authority that signed the server's certificate, and not the certificate itself.
    is_anchor: bool,
    /// Whether it names the public key, and not the whole certificate.
    is_key: bool,
    matching: Digest,
    data: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Digest {
    Whole,
    Sha256,
    Sha512,
}

impl Association {
    fn of(record: &TLSA) -> Option<Association> {
        let is_anchor = match record.cert_usage {
            CertUsage::DaneTa => true,
            CertUsage::DaneEe => false,
            // Public authorities do not count here (RFC 7672 3.1.3).
            CertUsage::PkixTa | CertUsage::PkixEe | CertUsage::Unassigned(_) | CertUsage::Private => {
                return None;
            }
        };
        let is_key = match record.selector {
            Selector::Full => false,
            Selector::Spki => true,
            Selector::Unassigned(_) | Selector::Private => return None,
        };
        let (matching, length) = match record.matching {
            Matching::Raw => (Digest::Whole, None),
            Matching::Sha256 => (Digest::Sha256, Some(32)),
            Matching::Sha512 => (Digest::Sha512, Some(64)),
            Matching::Unassigned(_) | Matching::Private => return None,
        };
        let data = record.cert_data.clone();
        let is_complete = length.map_or(!data.is_empty(), |length: usize| data.len() == length);
        is_complete.then_some(Association { is_anchor, is_key, matching, data })
    }

    /// Whether it matches this certificate.
    fn fits(&self, certificate: &CertificateDer<'_>) -> bool {
        let key;
        let selected = if self.is_key {
            let Ok(parsed) = EndEntityCert::try_from(certificate) else { return false };
            key = parsed.subject_public_key_info();
            key.as_ref()
        } else {
            certificate.as_ref()
        };
        match self.matching {
            Digest::Whole => selected == self.data,
            Digest::Sha256 => digest(&SHA256, selected).as_ref() == self.data,
            Digest::Sha512 => digest(&SHA512, selected).as_ref() == self.data,
        }
    }

    /// The certificate of the authority that the record itself contains.
    fn anchor(&self) -> Option<CertificateDer<'_>> {
        let is_whole = self.is_anchor && !self.is_key && self.matching == Digest::Whole;
        is_whole.then(|| CertificateDer::from(self.data.as_slice()))
    }
}

/// TLS settings for a server with these records. Under an authority of the records, a certificate must bear one of
/// `names`: the server's, or that of the domain whose mail it receives (RFC 7672 3.2.2).
pub(crate) fn client(records: Arc<[Association]>, names: &[&str]) -> Arc<ClientConfig> {
    let names = names.iter().filter_map(|name| ServerName::try_from((*name).to_owned()).ok()).collect();
    tls::client_with(Arc::new(DaneVerifier { records, names }))
}

#[derive(Debug)]
struct DaneVerifier {
    records: Arc<[Association]>,
    names: Vec<ServerName<'static>>,
}

impl DaneVerifier {
    /// Succeeds if an authority that the records name signed the certificate, for one of the names and the present
    /// time.
    fn check_under_anchor(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<(), CertificateError> {
        let refused = CertificateError::ApplicationVerificationFailure;
        let Ok(certificate) = EndEntityCert::try_from(end_entity) else { return Err(refused) };
        let anchors = self.records.iter().filter(|record| record.is_anchor);
        let is_named = |shown: &&CertificateDer<'_>| anchors.clone().any(|record| record.fits(shown));
        let own: Vec<CertificateDer<'_>> = self.records.iter().filter_map(Association::anchor).collect();
        let named = intermediates.iter().filter(is_named).chain(&own);
        let anchors: Vec<_> = named.filter_map(|named| anchor_from_trusted_cert(named).ok()).collect();
        let algorithms = PROVIDER.signature_verification_algorithms.all;
        let usage = KeyUsage::server_auth();
        let is_for = |name| certificate.verify_is_valid_for_subject_name(name).is_ok();
        match certificate.verify_for_usage(algorithms, &anchors, intermediates, now, usage, None, None) {
            Ok(_) if self.names.iter().any(is_for) => Ok(()),
            // The dates are checked first: if the authority is missing, the error must not blame them.
            Err(webpki::Error::CertExpired { time, not_after }) if !anchors.is_empty() => {
                Err(CertificateError::ExpiredContext { time, not_after })
            }
            Ok(_) | Err(_) => Err(refused),
        }
    }
}

impl ServerCertVerifier for DaneVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        // The server's own key counts, not the names or dates beside it (RFC 7672 3.1.1).
        let is_itself = self.records.iter().any(|record| !record.is_anchor && record.fits(end_entity));
        if !is_itself {
            self.check_under_anchor(end_entity, intermediates, now)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        tls::verify_tls12(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        tls::verify_tls13(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        PROVIDER.signature_verification_algorithms.supported_schemes()
    }
}
