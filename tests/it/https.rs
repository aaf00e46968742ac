//! HTTPS, its certificates, what is left of plain HTTP beside it, and HTTP over a Unix socket.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crier::config::{Config, ListenAddr, Trust};
use crier::model::Cidr;
use crier::net::tls::{PemPair, opportunistic_client, verifying_client};
use rcgen::KeyPair;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpStream, UnixStream};
use tokio_rustls::TlsConnector;

use crate::harness::http::{Client, Response};
use crate::harness::smtp::Dialogue;
use crate::harness::tls::Authority;
use crate::harness::{DOMAIN, TestApp};

const PAGES: &str = "lists.example.org";
const MAIL: &str = "mx.example.org";
const HSTS: &str = "strict-transport-security";

/// Pairs of files with certificates of one authority.
struct Files {
    authority: Authority,
    folder: tempfile::TempDir,
}

impl Files {
    fn new() -> Files {
        Files { authority: Authority::new(), folder: tempfile::tempdir().unwrap() }
    }

    /// A new certificate for `name` in the files of `file`; returns it.
    fn write(&self, file: &str, name: &str) -> Vec<u8> {
        let key = KeyPair::generate().unwrap();
        let certificate = self.authority.certificate(name, &key);
        let PemPair { chain, key } = self.authority.pair(&certificate, &key);
        let (chain_file, key_file) = self.paths(file);
        std::fs::write(chain_file, chain).unwrap();
        std::fs::write(key_file, key).unwrap();
        certificate
    }

    fn paths(&self, file: &str) -> (PathBuf, PathBuf) {
        (self.folder.path().join(format!("{file}.pem")), self.folder.path().join(format!("{file}.key")))
    }

    fn connector(&self) -> TlsConnector {
        let authorities = vec![self.authority.der()];
        TlsConnector::from(verifying_client(&Trust { authorities, ..Trust::default() }))
    }
}

fn any_port() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 0))
}

fn https(config: &mut Config) {
    config.tls.https_listen = Some(any_port());
}

fn https_addr(app: &TestApp) -> SocketAddr {
    app.running().https_addr.expect("HTTPS is on")
}

async fn exchange(mut stream: impl AsyncRead + AsyncWrite + Unpin, request: &str) -> Response {
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    // A server that ends a connection without a word of TLS has still answered.
    let _ = stream.read_to_end(&mut answer).await;
    Response::parse(&answer)
}

fn get(path: &str, host: &str, fields: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{fields}\r\n")
}

/// Asks for a page by HTTPS as a client that believes the authority alone.
async fn secure_get(app: &TestApp, connector: &TlsConnector, host: &str, path: &str) -> Response {
    let name = ServerName::try_from(host.to_owned()).unwrap();
    let stream = TcpStream::connect(https_addr(app)).await.unwrap();
    let stream = connector.connect(name, stream).await.expect("the certificate is believed");
    exchange(stream, &get(path, host, "")).await
}

/// The certificate that a client gets who names this host.
async fn shown(addr: SocketAddr, host: &str) -> Vec<u8> {
    let name = ServerName::try_from(host.to_owned()).unwrap();
    let stream = TcpStream::connect(addr).await.unwrap();
    let stream = TlsConnector::from(opportunistic_client()).connect(name, stream).await.unwrap();
    stream.get_ref().1.peer_certificates().expect("a server shows one")[0].to_vec()
}

#[tokio::test]
async fn every_host_has_its_certificate_in_https_and_in_mail() {
    let files = Files::new();
    let (mail, pages) = (files.write("mail", MAIL), files.write("pages", PAGES));
    let wild = files.write("wild", "*.example.net");
    let pairs = ["mail", "pages", "wild"].map(|file| files.paths(file)).to_vec();
    let app = TestApp::builder()
        .config(|config| {
            https(config);
            config.submission_listen = Some(any_port());
            config.tls.files = pairs;
        })
        .start()
        .await;
    for addr in [https_addr(&app), app.submission_addr()] {
        assert_eq!(shown(addr, MAIL).await, mail);
        assert_eq!(shown(addr, "Lists.Example.ORG").await, pages);
        assert_eq!(shown(addr, "news.example.net").await, wild);
        assert_eq!(shown(addr, "deep.news.example.net").await, mail, "a star is one label");
        assert_eq!(shown(addr, "127.0.0.1").await, mail, "who names no host gets the first");
    }
    let mut dialogue = Dialogue::connect(app.smtp_addr()).await;
    dialogue.expect(220).await;
    dialogue.say("EHLO client.example.org", 250).await;
    dialogue.say("STARTTLS", 220).await;
    assert_eq!(dialogue.start_tls().await, mail);
    let health = secure_get(&app, &files.connector(), PAGES, "/healthz").await;
    assert_eq!((health.status, health.header(HSTS)), (200, Some("max-age=31536000")));

    let renewed = files.write("pages", PAGES);
    app.reload();
    assert_eq!(shown(https_addr(&app), PAGES).await, renewed);
    assert_eq!(shown(https_addr(&app), MAIL).await, mail, "the others stay");
    std::fs::write(files.paths("mail").1, "no key").unwrap();
    files.write("pages", PAGES);
    app.reload();
    assert_eq!(shown(https_addr(&app), PAGES).await, renewed, "one that is broken changes nothing");
}

#[tokio::test]
async fn pages_by_https_set_cookies_that_no_plain_connection_has() {
    let files = Files::new();
    files.write("pages", PAGES);
    let pair = files.paths("pages");
    let app = TestApp::builder()
        .config(|config| {
            https(config);
            config.tls.files = vec![pair];
        })
        .start()
        .await;
    let page = secure_get(&app, &files.connector(), PAGES, "/login/").await;
    let cookies: Vec<&String> =
        page.headers.iter().filter(|(name, _)| name == "set-cookie").map(|(_, value)| value).collect();
    assert!(!cookies.is_empty() && page.status == 200, "{page:?}");
    assert!(
        cookies.iter().all(|cookie| cookie.starts_with("__Host-") && cookie.ends_with("; Secure")),
        "{cookies:?}"
    );
}

#[tokio::test]
async fn plain_http_leads_to_https_at_hosts_of_this_server_alone() {
    let app = TestApp::builder().config(https).start().await;
    app.other_account().await;
    let redirect = async |client: &Client, method: &str, path: &str, status: u16| {
        let answer = client.request(method, path, &[], b"").await;
        assert_eq!((answer.status, answer.header(HSTS)), (status, None), "{answer:?}");
        answer.header("location").unwrap().to_owned()
    };
    let target = async |client: &Client, method: &str, path: &str| redirect(client, method, path, 308).await;
    let pages = app.anon.at_host("Lists.Example.org:80");
    assert_eq!(target(&pages, "GET", "/lists/?q=a%20b").await, "https://lists.example.org/lists/?q=a%20b");
    assert_eq!(target(&pages, "HEAD", "/").await, "https://lists.example.org/");
    assert_eq!(target(&pages, "POST", "/login/").await, "https://lists.example.org/login/");
    assert_eq!(target(&app.anon.at_host(MAIL), "GET", "/").await, "https://mx.example.org/");
    assert_eq!(
        target(&app.anon.at_host("other.example.org"), "GET", "/").await,
        "https://other.example.org/"
    );
    for stranger in
        ["evil.example.com", "evil.example.com:443", "a b", "127.0.0.1", "lists.example.org@evil.com"]
    {
        // Browsers keep a permanent redirect, and this host may be one of this server's tomorrow.
        let answer = redirect(&app.anon.at_host(stranger), "GET", "//evil.example.com/x", 307).await;
        assert_eq!(answer, "https://lists.example.org//evil.example.com/x", "{stranger}");
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(app.anon.get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn without_a_base_url_links_and_redirects_lead_to_the_port_of_https() {
    let app = TestApp::builder()
        .config(|config| {
            https(config);
            config.base_url = None;
        })
        .start()
        .await;
    let addr = https_addr(&app);
    assert_eq!(app.core().links.base_url(), format!("https://{addr}"));
    for (host, expected) in
        [("127.0.0.1:8080", "127.0.0.1"), ("localhost", "localhost"), ("evil.example.com", "127.0.0.1")]
    {
        let answer = app.anon.at_host(host).get("/login/").await;
        let expected = format!("https://{expected}:{}/login/", addr.port());
        assert_eq!(answer.header("location"), Some(expected.as_str()), "{host}");
    }
}

#[tokio::test]
async fn a_proxy_that_spoke_https_is_not_sent_back() {
    let app = TestApp::builder()
        .config(|config| {
            https(config);
            config.http.trusted_proxies = vec![Cidr::parse("127.0.0.2").unwrap()];
        })
        .start()
        .await;
    let ask = async |source: &str, field: (&str, &str)| {
        app.anon.at_host(DOMAIN).at_source(source).request("GET", "/login/", &[field], b"").await.status
    };
    assert_eq!(ask("127.0.0.2", ("X-Forwarded-Proto", "https")).await, 200);
    assert_eq!(ask("127.0.0.2", ("X-Forwarded-Proto", "http")).await, 308);
    assert_eq!(ask("127.0.0.3", ("X-Forwarded-Proto", "https")).await, 308, "nobody else is believed");
}

#[tokio::test]
async fn links_lead_to_a_web_domain_whose_certificate_is_here() {
    let files = Files::new();
    let (first, second) = (files.paths("pages"), files.paths("mail"));
    files.write("pages", PAGES);
    files.write("mail", MAIL);
    let app = TestApp::builder()
        .dns("lists.example.org. A 192.0.2.1\nother.example.org. A 192.0.2.1")
        .config(|config| {
            https(config);
            config.base_url = Some("https://crier.example.net".to_owned());
            config.public_ips = vec!["192.0.2.1".parse().unwrap()];
            config.tls.files = vec![second, first];
        })
        .start()
        .await;
    app.other_account().await;
    app.advance(Duration::from_mins(1)).await;
    let core = app.core();
    let base = |name: &str| {
        let tx = core.store.read().unwrap();
        let domain = crier::ops::domains::find(&tx, &crier::model::Domain::parse(name).unwrap()).unwrap();
        core.links.of(&tx, domain.unwrap().account).unwrap().base().to_owned()
    };
    assert_eq!(base(PAGES), "https://lists.example.org");
    assert_eq!(base("other.example.org"), "https://crier.example.net/~other", "there is none for it");
}

/// Waits until the server closes a connection; false if it says something instead.
async fn is_closed(stream: &mut TcpStream) -> bool {
    matches!(stream.read(&mut [0]).await, Ok(0) | Err(_))
}

#[tokio::test]
async fn clients_that_never_begin_tls_make_room_for_others() {
    let app = TestApp::builder()
        .config(|config| {
            https(config);
            config.http.connections_max = 8;
            config.http.limits_loopback = true;
            config.http.connections_per_client_max = 2;
        })
        .start()
        .await;
    let mut silent = Vec::new();
    for _ in 0..6 {
        silent.push(TcpStream::connect(https_addr(&app)).await.unwrap());
    }
    // The oldest make room. When four of them are closed, all six were taken: none of them can come later than the
    // request that follows, and close its connection.
    for stream in &mut silent[..4] {
        assert!(is_closed(stream).await);
    }
    // The limit holds for plain HTTP and HTTPS together.
    assert_eq!(app.anon.get("/healthz").await.status, 200);
    assert!(is_closed(&mut silent[4]).await);
    assert!(!shown(https_addr(&app), MAIL).await.is_empty());
}

async fn unix_get(path: &Path, fields: &str) -> Response {
    exchange(UnixStream::connect(path).await.unwrap(), &get("/api/2/lists/", "x", fields)).await
}

#[tokio::test]
async fn a_proxy_on_the_unix_socket_names_the_client_if_it_is_trusted() {
    for is_trusted in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("http");
        let listen = ListenAddr::Unix(path.clone());
        let mut app = TestApp::builder()
            .config(move |config| {
                config.http_listen = listen;
                config.http.trusts_unix_socket = is_trusted;
            })
            .start()
            .await;
        // The socket that the first server left is in nobody's way.
        app.restart().await;
        let wrong = "Authorization: Bearer aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n";
        let by = |client: &str| format!("{wrong}X-Forwarded-For: {client}\r\n");
        for _ in 0..20 {
            assert_eq!(unix_get(&path, &by("198.51.100.7")).await.status, 401);
        }
        assert_eq!(unix_get(&path, &by("198.51.100.7")).await.status, 429);
        // Failures count for the client that the proxy names, or for whoever is at the socket.
        let other = unix_get(&path, &by("198.51.100.8")).await.status;
        assert_eq!(other, if is_trusted { 401 } else { 429 });
        let right = format!("Authorization: Bearer {}\r\nX-Forwarded-For: 198.51.100.9\r\n", app.admin.key());
        assert_eq!(unix_get(&path, &right).await.status, 200);
    }
}
