//! The sink itself: what it keeps, and what it notes.

use super::super::smtp::Dialogue;
use super::*;

async fn session(sink: &Sink) -> Dialogue {
    let mut client = Dialogue::connect(sink.addr()).await;
    client.expect(220).await;
    client.say("EHLO client.example.org", 250).await;
    client
}

#[tokio::test]
async fn it_keeps_envelope_and_message_of_what_it_took() {
    let sink = Sink::start().await;
    let mut client = session(&sink).await;
    client.send(b"MAIL FROM:<a@x.org> SIZE=9\r\nRCPT TO:<b@x.org>\r\nRCPT TO:<c@x.org>\r\nDATA\r\n").await;
    for code in [250, 250, 250, 354] {
        client.expect(code).await;
    }
    client.send(b"Subject: s\r\n\r\n..dot\r\n.\r\n").await;
    client.expect(250).await;
    sink.wait_for(2).await;
    assert_eq!(sink.to_members(), ["b@x.org", "c@x.org"]);
    let mail = sink.mail_to("c@x.org");
    assert_eq!((mail.from.as_str(), mail.text().as_str()), ("a@x.org", "Subject: s\n\n.dot\n"));
    assert_eq!(sink.violations(), [""; 0]);
}

#[tokio::test]
async fn it_obeys_its_script() {
    let sink = Sink::start().await;
    sink.refuse("gone@x.org");
    sink.defer("busy@x.org", 1);
    sink.script("full@x.org", Act::AtData("552 5.2.2 Full"), 1);
    let mut client = session(&sink).await;
    client.say("MAIL FROM:<>", 250).await;
    client.say("RCPT TO:<gone@x.org>", 550).await;
    client.say("RCPT TO:<busy@x.org>", 451).await;
    client.say("RCPT TO:<busy@x.org>", 250).await;
    client.say("RCPT TO:<full@x.org>", 250).await;
    client.say("DATA", 354).await;
    client.say(".", 552).await;
    sink.script("cut@x.org", Act::DropInData, 1);
    client.say("MAIL FROM:<>", 250).await;
    client.say("RCPT TO:<cut@x.org>", 250).await;
    client.say("DATA", 354).await;
    client.send(b"Subject: s\r\n").await;
    client.expect_close().await;
    sink.refuse_connections(1);
    Dialogue::connect(sink.addr()).await.expect(421).await;
    session(&sink).await.say("QUIT", 221).await;
    assert_eq!(sink.violations(), [""; 0]);
}

#[tokio::test]
async fn it_notes_what_a_client_does_wrong() {
    let sink = Sink::start().await;
    sink.without_pipelining();
    let mut client = session(&sink).await;
    client.send(b"NOOP\r\nNOOP\n").await;
    client.expect(250).await;
    client.expect(250).await;
    client.say("MAIL FROM:<a@x.org>", 250).await;
    client.say("RCPT TO:<\u{e9}@x.org>", 250).await;
    client.say("DATA", 354).await;
    client.send(format!("{}\r\n.a\r\n\u{e9}\r\n.\r\n", "x".repeat(999)).as_bytes()).await;
    client.expect(250).await;
    client.say("RCPT TO:<b@x.org>", 503).await;
    let notes = sink.violations().join("\n");
    for note in ["did not wait", "LF without CR", "without SMTPUTF8", "1000", "doubled", "8BITMIME", "503"] {
        assert!(notes.contains(note), "{note} is not in\n{notes}");
    }
}
