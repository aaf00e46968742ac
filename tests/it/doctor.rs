//! `crier doctor` is silent on a sound system, and finds each fault that is planted in one.

use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::time::Duration;

use crier::app::doctor::{self, Check, Subject};
use crier::clock::Clock;
use crier::config::backup::{BackupConfig, BackupPlace, Keep};
use crier::config::{AcmeConfig, Config, Relay};
use crier::migrate::FILE_NAME;
use crier::net::tls::PemPair;
use rcgen::KeyPair;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio_rustls::TlsAcceptor;

use crate::harness::data::dkim_zone;
use crate::harness::program::{self, crier};
use crate::harness::tls::Authority;
use crate::harness::{Builder, DOMAIN, TestApp, dead_addr, dns};

const ADDRESS: &str = "192.0.2.1";
const HOST: &str = "mx.example.org";
/// From 1900 to 1970, in seconds.
const ERA_S: i64 = 2_208_988_800;

/// Everything that the DNS must say of a server with its domain, without the lines that have these words.
fn zone(without: &str) -> String {
    let lines = format!(
        "{DOMAIN} MX 10 {HOST}\n{DOMAIN} TXT v=spf1 ip4:{ADDRESS} -all\n{DOMAIN} A {ADDRESS}\n{HOST} A {ADDRESS}\n\
         _dmarc.{DOMAIN} TXT v=DMARC1; p=none\n1.2.0.192.in-addr.arpa PTR {HOST}\n{}",
        dkim_zone()
    );
    let kept = lines.lines().filter(|line| without.is_empty() || !line.contains(without));
    kept.map(|line| format!("{line}\n")).collect::<Vec<_>>().concat()
}

/// A server for which everything is right but what the DNS does not say.
fn server(zone: &str) -> Builder {
    TestApp::builder().dns(zone).config(|config| {
        config.relays.clear();
        config.public_ips = vec![ADDRESS.parse().unwrap()];
    })
}

/// Puts a certificate for a name into a folder, and names it in the configuration.
fn with_certificate(builder: Builder, folder: &Path, name: &str, expired: bool) -> Builder {
    let (authority, key) = (Authority::new(), KeyPair::generate().unwrap());
    let certificate =
        if expired { authority.expired_certificate(name, &key) } else { authority.certificate(name, &key) };
    let PemPair { chain, key } = authority.pair(&certificate, &key);
    let files = ["chain.pem", "key.pem"].map(|name| folder.join(name));
    std::fs::write(&files[0], chain).unwrap();
    std::fs::write(&files[1], key).unwrap();
    std::fs::set_permissions(&files[1], std::fs::Permissions::from_mode(0o600)).unwrap();
    let [chain, key] = files;
    builder.config(move |config| config.tls.files = vec![(chain, key)])
}

/// What the doctor says of a folder: whether all is well, and the checks that found something.
fn found(folder: &Path, flags: &[&str], environment: &[(&str, String)]) -> (bool, Vec<(String, String)>) {
    let mut command = crier();
    command.args(["doctor", "--json", "--data"]).arg(folder).args(flags);
    command.envs(environment.iter().map(|(name, value)| (*name, value)));
    let output = command.output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    let told: Value = serde_json::from_str(&told)
        .unwrap_or_else(|_| panic!("{told}{}", String::from_utf8_lossy(&output.stderr)));
    let checks = told["checks"].as_array().unwrap();
    let names: Vec<&str> = checks.iter().map(|check| check["check"].as_str().unwrap()).collect();
    for name in
        ["ports", "dns", "tls", "relay", "clock", "disk", "permissions", "reverse_name", "backup", "acme"]
    {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    let text = |check: &Value, field: &str| check[field].as_str().unwrap().to_owned();
    let faults = checks.iter().filter(|check| check["ok"] == false);
    let faults: Vec<_> = faults.map(|check| (text(check, "check"), text(check, "message"))).collect();
    assert_eq!(output.status.code(), Some(i32::from(!faults.is_empty())), "{faults:?}");
    (output.status.success(), faults)
}

/// The doctor finds one fault, which the named check words so.
#[track_caller]
fn assert_one((_, faults): &(bool, Vec<(String, String)>), check: &str, words: &[&str]) {
    let [(found, told)] = faults.as_slice() else { panic!("{check} alone: {faults:?}") };
    assert_eq!(found, check, "{told}");
    for word in words {
        assert!(told.contains(word), "{word:?} in {told}");
    }
}

/// A time server whose clock is ahead by some seconds; it answers one question.
fn time_server(ahead_s: i64) -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut question = [0; 48];
        let (_, client) = socket.recv_from(&mut question).unwrap();
        let mut answer = [0; 48];
        (answer[0], answer[1]) = (4 << 3 | 4, 1);
        answer[24..32].copy_from_slice(&question[40..48]);
        let seconds = u32::try_from((Clock::system().now().secs() + ERA_S + ahead_s) % (1 << 32)).unwrap();
        answer[40..44].copy_from_slice(&seconds.to_be_bytes());
        socket.send_to(&answer, client).unwrap();
    });
    address
}

#[tokio::test]
async fn a_sound_system_is_well() {
    let files = tempfile::tempdir().unwrap();
    let builder = with_certificate(server(&zone("")), files.path(), HOST, false);
    let app = builder
        .config(|config| config.submission_listen = Some("127.0.0.1:0".parse().unwrap()))
        .start()
        .await;
    let time = time_server(0).to_string();
    assert_eq!(found(app.folder(), &["--time-server", &time], &[]), (true, Vec::new()));
    let names =
        |clock| format!("ports, dns, tls, relay, {clock}, disk, permissions, backup, acme, reverse name");
    let time = time_server(0).to_string();
    for (flags, clock) in
        [(&["doctor", "--time-server", &time][..], "clock"), (&["doctor"], "clock (not compared)")]
    {
        let told = program::run(flags, app.folder());
        let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words, format!("All is well: {}", names(clock)), "and nothing else");
    }
}

#[tokio::test]
async fn a_missing_dkim_record_is_found() {
    let app = server(&zone("test._domainkey")).start().await;
    let words = ["TXT test._domainkey", "is missing: publish v=DKIM1", "p="];
    assert_one(&found(app.folder(), &[], &[]), "dns", &words);
    let (code, told) = program::fail(&["doctor"], app.folder());
    assert_eq!(code, 1);
    assert!(told.contains("dns: TXT") && told.contains("1 of 10 checks found something"), "{told}");
}

#[tokio::test]
async fn a_reverse_name_that_does_not_agree_is_found() {
    let zone = zone("PTR") + "1.2.0.192.in-addr.arpa PTR host1.isp.example\n";
    let app = server(&zone).start().await;
    let words = ["192.0.2.1 has the reverse name host1.isp.example", "to mx.example.org"];
    assert_one(&found(app.folder(), &[], &[]), "reverse_name", &words);
}

#[tokio::test]
async fn certificates_for_another_name_and_expired_ones_are_found() {
    for (name, expired, words) in [
        ("other.example.org", false, "is for other.example.org, not for mx.example.org"),
        (HOST, true, "expired at 2020-03-01T00:00:00Z"),
    ] {
        let files = tempfile::tempdir().unwrap();
        let app = with_certificate(server(&zone("")), files.path(), name, expired).start().await;
        assert_one(
            &found(app.folder(), &[], &[]),
            "tls",
            &[words, "put a new one in the place of --tls-cert"],
        );
    }
}

#[tokio::test]
async fn a_clock_that_is_off_is_found() {
    let app = server(&zone("")).start().await;
    for (ahead_s, words) in [(600, "s behind 127.0.0.1"), (-600, "s ahead of 127.0.0.1")] {
        let server = time_server(ahead_s).to_string();
        let found = found(app.folder(), &["--time-server", &server], &[]);
        assert_one(&found, "clock", &[words, "let systemd-timesyncd or chrony set it"]);
    }
}

#[tokio::test]
async fn a_data_file_that_others_can_read_is_found() {
    let app = server(&zone("")).start().await;
    let file = app.folder().join(FILE_NAME);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert_one(&found(app.folder(), &[], &[]), "permissions", &["(mode 644): chmod 600", FILE_NAME]);
}

/// A check of the named kind among the results.
fn check<'a>(checks: &'a [Check], name: &str) -> &'a Check {
    checks.iter().find(|check| check.check == name).unwrap()
}

#[tokio::test]
async fn a_file_of_somebody_else_is_found() {
    let app = server(&zone("")).start().await;
    let owner = std::fs::metadata(app.folder().join(FILE_NAME)).unwrap().uid();
    let subject =
        |user| Subject { user, ..Subject::stopped(Config::for_tests(app.folder().to_owned()), None) };
    let of = async |user| doctor::examine(&subject(user), Ok(Vec::new()), &Clock::system()).await;
    assert!(check(&of(Some(owner)).await, "permissions").ok);
    let checks = of(Some(owner + 1)).await;
    let told = check(&checks, "permissions");
    assert!(!told.ok);
    for words in [format!("belongs to user #{owner}"), format!("works as user #{0}: chown {0}", owner + 1)] {
        assert!(told.message.contains(&words), "{}", told.message);
    }
}

/// A relay that begins with TLS and takes one password; answers its port.
async fn relay(authority: &Authority, name: &str, password: &'static str) -> u16 {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (port, tls) = (listener.local_addr().unwrap().port(), TlsAcceptor::from(authority.server(name)));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let mut stream = BufReader::new(tls.accept(stream).await.unwrap());
            stream.write_all(b"220 relay.example.org ESMTP\r\n").await.unwrap();
            let mut line = String::new();
            while stream.read_line(&mut line).await.is_ok_and(|octets| octets != 0) {
                let right = data_encoding::BASE64.encode(format!("\0ada\0{password}").as_bytes());
                let reply = match line.trim_end() {
                    line if line.starts_with("EHLO") => "250-relay.example.org\r\n250 AUTH PLAIN\r\n",
                    line if line.starts_with("AUTH PLAIN") && line.ends_with(&right) => "235 2.7.0 Ok\r\n",
                    line if line.starts_with("AUTH") => "535 5.7.8 Bad user name or password\r\n",
                    _ => "221 2.0.0 Bye\r\n",
                };
                stream.write_all(reply.as_bytes()).await.unwrap();
                line.clear();
            }
        }
    });
    port
}

#[tokio::test]
async fn a_relay_that_refuses_the_password_is_found() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let (_server, dns, _zone) = dns::serve(".", "relay.example.org A 127.0.0.1").await;
    let port = relay(&authority, "relay.example.org", "right").await;
    let of = async |password: &str| {
        let mut config = Config::for_tests(folder.path().to_owned());
        config.dns_server = Some(dns);
        config.trust.authorities = vec![authority.der()];
        let credentials = Some(("ada".to_owned(), password.to_owned()));
        config.relays =
            vec![Relay { host: "relay.example.org".to_owned(), port, implicit_tls: true, credentials }];
        doctor::examine(&Subject::stopped(config, None), Ok(Vec::new()), &Clock::system()).await
    };
    let sound = of("right").await;
    assert!(check(&sound, "relay").ok, "{sound:?}");
    let checks = of("hunter2").await;
    let told = check(&checks, "relay");
    assert!(!told.ok && told.message.contains("takes no mail from here"), "{told:?}");
    assert!(
        told.message.contains("user name and password in --relay") && told.message.contains("535"),
        "{told:?}"
    );
    assert!(!told.message.contains("hunter2"), "{told:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_taken_port_and_a_full_disk_are_found_while_the_server_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    program::setup(folder.path(), "news");
    let (_server, dns, zone) = dns::serve(".", "").await;
    let records = program::run(&["dns", "--json"], folder.path());
    let records: Value = serde_json::from_str(&records).unwrap();
    let first = format!("{HOST} A {ADDRESS}\n1.2.0.192.in-addr.arpa PTR {HOST}\n{DOMAIN} MX 10 {HOST}\n");
    let mut lines = vec![first];
    for record in records["domains"][0]["records"].as_array().unwrap() {
        let [kind, name, value] = ["type", "name", "value"].map(|field| record[field].as_str().unwrap());
        match kind {
            "TXT" if value.starts_with("v=spf1") => {
                lines.push(format!("{name} TXT v=spf1 ip4:{ADDRESS} -all\n"));
            }
            "TXT" => lines.push(format!("{name} TXT {value}\n")),
            "A" => lines.push(format!("{name} A {ADDRESS}\n")),
            _ => {}
        }
    }
    zone.set(&lines.concat()).await;
    let holder = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = holder.local_addr().unwrap().to_string();
    let free = "127.0.0.1:0".to_owned();
    let settings = |smtp: &String| {
        [
            ("CRIER_HOSTNAME", HOST.to_owned()),
            ("CRIER_PUBLIC_IP", ADDRESS.to_owned()),
            ("CRIER_HTTP_LISTEN", free.clone()),
            ("CRIER_SMTP_LISTEN", smtp.clone()),
            ("CRIER_DNS_SERVER", dns.to_string()),
        ]
    };
    assert_eq!(found(folder.path(), &[], &settings(&free)), (true, Vec::new()));
    let found_port = found(folder.path(), &[], &settings(&taken));
    let words = ["--smtp-listen", "another program listens there", "ss -ltnp"];
    assert_one(&found_port, "ports", &words);
    drop(holder);

    let mut wrong = settings(&free).to_vec();
    wrong.push(("CRIER_DISK_RESERVE", "1000000G".to_owned()));
    let words = ["MiB free; --disk-reserve keeps", "new mail and changes are refused"];
    assert_one(&found(folder.path(), &[], &wrong), "disk", &words);
    let (_, faults) = found(folder.path(), &[], &[("CRIER_MX_PORT", "x".to_owned())]);
    let (check, told) = &faults[0];
    assert!(check == "settings" && told.contains("--mx-port"), "{faults:?}");
}

#[tokio::test]
async fn backups_that_fail_and_certificates_that_are_refused_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let in_the_way = folder.path().join("file");
    std::fs::write(&in_the_way, "").unwrap();
    let place = |path: &Path| {
        let place = BackupPlace::Local(format!("{}/", path.display()));
        Some(BackupConfig { place, every: Duration::from_hours(1), keep: Keep::default(), key_file: None })
    };
    let backup = place(&in_the_way.join("below"));
    let mut app = server(&zone("")).config(move |config| config.backup = backup).start().await;
    app.running().backups.settle().await;
    let words = ["there is no backup in ", "and the last try failed: "];
    assert_one(&found(app.folder(), &[], &[]), "backup", &words);
    let told = program::run(&["status"], app.folder());
    assert!(told.contains("Fault:    there is no backup in "), "{told}");

    let sound = place(&folder.path().join("backups"));
    app.restart_with(move |config| config.backup = sound).await;
    app.running().backups.settle().await;
    assert_eq!(found(app.folder(), &[], &[]).1, []);
    let told = program::run(&["status"], app.folder());
    assert!(told.contains("Backup:   the newest is of 20"), "{told}");

    let directory = format!("https://{}/directory", dead_addr());
    let acme = AcmeConfig { directory, contacts: Vec::new(), authorities: Vec::new() };
    app.restart_with(move |config| config.tls.acme = Some(acme)).await;
    let refused = async {
        loop {
            let told = found(app.folder(), &[], &[]);
            if told.1.iter().any(|(check, _)| check == "acme") {
                return told;
            }
        }
    };
    let words =
        ["there is no certificate for mx.example.org", "the next attempt is made at 20", "port 80 or 443"];
    assert_one(&refused.await, "acme", &words);
}
