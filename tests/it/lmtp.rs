//! Mail from a server in front of this one, by LMTP (RFC 2033), and the certificate of mail's TLS.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crier::config::ListenAddr;
use crier::net::tls::{PemPair, self_signed};

use crate::harness::TestApp;
use crate::harness::smtp::Dialogue;

/// Says the envelope and a message; the answers to the message are still to be read.
async fn send(dialogue: &mut Dialogue, from: &str, to: &[&str]) {
    dialogue.expect(220).await;
    dialogue.say("LHLO front.example.org", 250).await;
    dialogue.say(&format!("MAIL FROM:<{from}>"), 250).await;
    for to in to {
        dialogue.say(&format!("RCPT TO:<{to}>"), 250).await;
    }
    dialogue.say("DATA", 354).await;
    let message = format!("From: {from}\r\nSubject: hello\r\n\r\nhi\r\n.\r\n");
    dialogue.send(message.as_bytes()).await;
}

async fn with_lmtp() -> TestApp {
    let any = ListenAddr::Tcp(SocketAddr::from(([127, 0, 0, 1], 0)));
    TestApp::builder().config(|config| config.lmtp_listen = Some(any)).start().await
}

#[tokio::test]
async fn each_recipient_of_a_post_by_lmtp_has_an_answer_of_its_own() {
    let app = with_lmtp().await;
    let open = app.list("open").open().members(2).create().await;
    let closed = app.list("closed").with("message_rejections", "reject").members(2).create().await;

    let mut dialogue = Dialogue::connect(app.lmtp_addr()).await;
    send(&mut dialogue, "stranger@example.net", &[&closed.address, &open.address]).await;
    dialogue.expect(550).await;
    dialogue.expect(250).await;
    app.settle().await;

    assert_eq!(app.sink.to_members().len(), 2, "the members of the open list have it");
    let copy = app.sink.mails().remove(0).text();
    assert!(copy.contains("with LMTP id "), "{copy}");
}

#[tokio::test]
async fn lmtp_comes_by_a_socket_of_the_machine_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lmtp");
    let listen = ListenAddr::Unix(path.clone());
    let mut app = TestApp::builder().config(|config| config.lmtp_listen = Some(listen)).start().await;
    let list = app.list("open").open().members(1).create().await;
    // The socket that the first server left is in nobody's way.
    app.restart().await;

    let mut dialogue = Dialogue::connect_unix(&path).await;
    send(&mut dialogue, "stranger@example.net", &[&list.address]).await;
    dialogue.expect(250).await;
    app.settle().await;
    assert_eq!(app.sink.to_members().len(), 1);
}

#[tokio::test]
async fn the_sockets_of_a_server_have_their_modes_and_leave_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lmtp");
    let listen = ListenAddr::Unix(path.clone());
    let app = TestApp::builder().config(|config| config.lmtp_listen = Some(listen)).start().await;
    let mode = |path: &Path| path.symlink_metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o666, "every program of the machine may hand mail over");
    assert_eq!(mode(&app.folder().join("crier.sock")), 0o600, "commands are the owner's alone");
    let names = |folder: &Path| {
        let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name());
        entries.map(|name| name.into_string().unwrap()).filter(|name| name.starts_with('.')).count()
    };
    assert_eq!((names(folder.path()), names(app.folder())), (0, 0));
}

#[tokio::test]
async fn a_renewed_certificate_is_shown_without_a_restart_and_a_broken_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let files = (folder.path().join("chain.pem"), folder.path().join("key.pem"));
    let write = |PemPair { chain, key }: PemPair| {
        std::fs::write(&files.0, chain).unwrap();
        std::fs::write(&files.1, key).unwrap();
    };
    write(self_signed("mx.example.org").unwrap());
    let configured = files.clone();
    let app = TestApp::builder().config(|config| config.tls.files = vec![configured]).start().await;

    let first = shown(&app).await;
    write(self_signed("mx.example.org").unwrap());
    app.reload();
    let second = shown(&app).await;
    assert_ne!(first, second);
    std::fs::write(&files.1, "no key").unwrap();
    app.reload();
    assert_eq!(shown(&app).await, second, "the last certificate that works stays");
}

/// The certificate that STARTTLS shows.
async fn shown(app: &TestApp) -> Vec<u8> {
    let mut dialogue = Dialogue::connect(app.smtp_addr()).await;
    dialogue.expect(220).await;
    dialogue.say("EHLO client.example.org", 250).await;
    dialogue.say("STARTTLS", 220).await;
    dialogue.start_tls().await
}
