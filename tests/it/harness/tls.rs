//! A certificate authority of the test's own, and a web server that has a policy.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use crier::clock::Timestamp;
use crier::net::tls::{Certificates, PemPair, server_config};
use data_encoding::BASE64;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, PublicKeyData as _,
    date_time_ymd,
};
use rustls::ServerConfig;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

/// Vouches for names; nobody believes it who was not told to.
pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub(crate) fn new() -> Authority {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "Test authority");
        let key = KeyPair::generate().expect("a key can be made");
        Authority(CertifiedIssuer::self_signed(params, key).expect("a certificate can be made"))
    }

    /// Its own certificate.
    pub(crate) fn der(&self) -> Vec<u8> {
        self.0.der().to_vec()
    }

    /// Its public key.
    pub(crate) fn spki(&self) -> Vec<u8> {
        self.0.key().subject_public_key_info()
    }

    /// TLS for a server of this name, whose chain has the authority too.
    pub(crate) fn server(&self, name: &str) -> Arc<ServerConfig> {
        let key = KeyPair::generate().expect("a key can be made");
        self.server_with(name, &key)
    }

    /// The same with the server's key.
    pub(crate) fn server_with(&self, name: &str, key: &KeyPair) -> Arc<ServerConfig> {
        self.server_of(&self.certificate(name, key), key)
    }

    /// A certificate, DER.
    pub(crate) fn certificate(&self, name: &str, key: &KeyPair) -> Vec<u8> {
        let params = CertificateParams::new(vec![name.to_owned()]).expect("it is a name");
        params.signed_by(key, &self.0).expect("a certificate can be signed").der().to_vec()
    }

    /// One that is good until `until`.
    pub(crate) fn certificate_until(&self, name: &str, key: &KeyPair, until: Timestamp) -> Vec<u8> {
        let mut params = CertificateParams::new(vec![name.to_owned()]).expect("it is a name");
        params.not_after = date_time_ymd(1970, 1, 1) + until.since(Timestamp::default());
        params.signed_by(key, &self.0).expect("a certificate can be signed").der().to_vec()
    }

    /// TLS for a server of this name whose certificate was good until 2020-03-01.
    pub(crate) fn expired_server(&self, name: &str) -> Arc<ServerConfig> {
        let key = KeyPair::generate().expect("a key can be made");
        self.server_of(&self.expired_certificate(name, &key), &key)
    }

    /// A certificate that was good until then.
    pub(crate) fn expired_certificate(&self, name: &str, key: &KeyPair) -> Vec<u8> {
        let until = Timestamp::parse_rfc3339("2020-03-01T00:00:00Z").expect("it is a time");
        self.certificate_until(name, key, until)
    }

    /// A certificate with its chain and key.
    pub(crate) fn pair(&self, certificate: &[u8], key: &KeyPair) -> PemPair {
        let chain = [certificate, &self.der()].map(|der| {
            let lines = BASE64.encode(der);
            format!("-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----\n")
        });
        PemPair { chain: chain.concat(), key: key.serialize_pem() }
    }

    /// TLS for the server that has this certificate.
    pub(crate) fn server_of(&self, certificate: &[u8], key: &KeyPair) -> Arc<ServerConfig> {
        let certificate = Certificates::new(&self.pair(certificate, key)).expect("the pair fits");
        server_config(Arc::new(certificate)).expect("the pair serves TLS")
    }
}

/// A web server that answers everything with the same; it ends when it is dropped.
pub(crate) struct PolicyServer {
    addr: SocketAddr,
    answer: Arc<Mutex<(String, Vec<String>)>>,
    _tasks: JoinSet<()>,
}

/// The answer that has `policy` as text.
pub(crate) fn policy_answer(policy: &str) -> String {
    answer("200 OK", "text/plain; charset=utf-8", policy)
}

/// An answer of HTTP.
pub(crate) fn answer(status: &str, media_type: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {}\r\n\
         Location: https://mta-sts.other.test/\r\n\r\n{body}",
        body.len()
    )
}

impl PolicyServer {
    /// Starts one that answers with `answer`.
    pub(crate) async fn start(tls: Arc<ServerConfig>, answer: String) -> PolicyServer {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let addr = listener.local_addr().expect("a bound listener has an address");
        let answer = Arc::new(Mutex::new((answer, Vec::new())));
        let mut tasks = JoinSet::new();
        tasks.spawn(serve(listener, TlsAcceptor::from(tls), Arc::clone(&answer)));
        PolicyServer { addr, answer, _tasks: tasks }
    }

    pub(crate) fn port(&self) -> u16 {
        self.addr.port()
    }

    /// Answers differently from now on.
    pub(crate) fn set(&self, answer: String) {
        self.answer.lock().expect("no holder panics").0 = answer;
    }

    /// The heads of all requests.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.answer.lock().expect("no holder panics").1.clone()
    }
}

async fn serve(listener: TcpListener, tls: TlsAcceptor, answer: Arc<Mutex<(String, Vec<String>)>>) {
    while let Ok((stream, _)) = listener.accept().await {
        // Whoever does not believe the certificate says nothing.
        let Ok(mut stream) = tls.accept(stream).await else { continue };
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") && stream.read_buf(&mut head).await.is_ok_and(|length| 0 < length)
        {
        }
        let text = {
            let mut answer = answer.lock().expect("no holder panics");
            answer.1.push(String::from_utf8_lossy(&head).into_owned());
            answer.0.clone()
        };
        let _ = stream.write_all(text.as_bytes()).await;
        let _ = stream.shutdown().await;
    }
}
