//! The certificate that the server shows, and what its operator is told of it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crier::clock::{Clock, Timestamp};
use crier::net::tls::PemPair;
use rcgen::KeyPair;
use serde_json::Value;

use crate::harness::TestApp;
use crate::harness::http::Client;
use crate::harness::program::{Program, setup};
use crate::harness::sink::Sink;
use crate::harness::smtp::Dialogue;
use crate::harness::tls::Authority;

const HOST: &str = "mx.example.org";

/// Our certificate with its key, in files.
struct Files(PathBuf, PathBuf);

impl Files {
    fn below(folder: &Path) -> Files {
        Files(folder.join("chain.pem"), folder.join("key.pem"))
    }

    /// Puts a certificate for `name` there that is good until `until`.
    fn renew(&self, name: &str, until: Timestamp) {
        let (authority, key) = (Authority::new(), KeyPair::generate().unwrap());
        let PemPair { chain, key } = authority.pair(&authority.certificate_until(name, &key, until), &key);
        std::fs::write(&self.0, chain).unwrap();
        std::fs::write(&self.1, key).unwrap();
    }
}

/// What the log says of the certificate after a start: level and words.
fn said(data: &Path, sink: &Sink, files: &Files, flags: &[&str]) -> Vec<String> {
    let (chain, key) = (files.0.to_str().unwrap(), files.1.to_str().unwrap());
    let flags: Vec<&str> = [&["--tls-cert", chain, "--tls-key", key], flags].concat();
    let mut program = Program::start(data, sink.addr(), &flags);
    let log = program.log();
    program.kill();
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let lines = lines.map(|line| format!("{} {}", line["level"], line["message"]).replace('"', ""));
    lines.filter(|line| line.contains("certificate")).collect()
}

#[tokio::test]
async fn the_server_stops_although_a_thread_reads_a_file_that_never_ends() {
    let (folder, sink) = (tempfile::tempdir().unwrap(), Sink::start().await);
    setup(folder.path(), "news");
    let files = Files::below(folder.path());
    files.renew("mx.example.org", Timestamp::from_ms(4_000_000_000_000));
    let (chain, key) = (files.0.to_str().unwrap(), files.1.to_str().unwrap());
    let program = Program::start(folder.path(), sink.addr(), &["--tls-cert", chain, "--tls-key", key]);
    std::fs::remove_file(&files.0).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&files.0).status().unwrap();
    assert!(made.success());
    program.signal("-HUP");
    // It opens the pipe, and from then on waits for words that never come.
    let _open = std::fs::OpenOptions::new().write(true).open(&files.0).unwrap();
    let begun = Instant::now();
    program.stop();
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn the_log_says_when_our_certificate_is_over_or_will_be_soon() {
    let (folder, sink) = (tempfile::tempdir().unwrap(), Sink::start().await);
    setup(folder.path(), "news");
    let files = Files::below(folder.path());
    let until = Timestamp::from_ms((Clock::system().now() + Duration::from_hours(90 * 24)).secs() * 1000);
    files.renew(HOST, until);
    let said = |flags: &[&str]| said(folder.path(), &sink, &files, flags).join("|");
    let start = "The certificate of mail's TLS";
    let refused = "servers that verify it (MTA-STS, DANE) and mail programs refuse it";
    assert_eq!(said(&[]), "");
    assert_eq!(
        said(&["--clock-offset", "1850h"]),
        format!("WARN {start} expires at {until} and is not renewed yet")
    );
    assert_eq!(said(&["--clock-offset", "2161h"]), format!("ERROR {start} expired at {until}: {refused}"));
    files.renew("elsewhere.test", until);
    assert_eq!(said(&[]), format!("WARN {start} is for elsewhere.test, not for {HOST}: {refused}"));
}

#[tokio::test]
async fn an_expired_certificate_is_shown_all_the_same_and_its_end_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::below(folder.path());
    let past = Timestamp::parse_rfc3339("2020-03-01T00:00:00Z").unwrap();
    files.renew(HOST, past);
    let configured = (files.0.clone(), files.1.clone());
    let app = TestApp::builder().config(|config| {
        config.tls.files = vec![configured];
        config.metrics_listen = Some(([127, 0, 0, 1], 0).into());
    });
    let app = app.start().await;
    assert_eq!(expiry(&app).await, past.secs().to_string());
    let mut dialogue = Dialogue::connect(app.smtp_addr()).await;
    dialogue.expect(220).await;
    dialogue.say("EHLO client.example.org", 250).await;
    dialogue.say("STARTTLS", 220).await;
    dialogue.start_tls().await;

    let future = Timestamp::parse_rfc3339("2050-03-01T00:00:00Z").unwrap();
    files.renew(HOST, future);
    app.reload();
    assert_eq!(expiry(&app).await, future.secs().to_string());
}

#[tokio::test]
async fn the_end_of_our_own_certificate_is_measured_too() {
    let watched =
        |config: &mut crier::config::Config| config.metrics_listen = Some(([127, 0, 0, 1], 0).into());
    let app = TestApp::builder().config(watched).start().await;
    let end = Timestamp::from_ms(expiry(&app).await.parse::<i64>().unwrap() * 1000);
    assert_eq!(end.rfc3339(), "4096-01-01T00:00:00Z");
}

async fn expiry(app: &TestApp) -> String {
    let client = Client::new(app.metrics_addr());
    let answer = client.raw(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await;
    let line = answer
        .body
        .lines()
        .find_map(|line| line.strip_prefix("crier_tls_certificate_expiry_timestamp_seconds "));
    line.expect("there is a gauge").to_owned()
}
