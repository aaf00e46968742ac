//! Delivery reports that senders request, and those that they decline (RFC 3461).

use std::net::SocketAddr;

use crier::config::ListenAddr;

use crate::harness::TestApp;
use crate::harness::smtp::Dialogue;
use crate::sender_auth;

const SENDER: &str = "ada@example.net";
const MESSAGE: &str =
    "From: ada@example.net\r\nSubject: hello\r\nMessage-ID: <1@example.net>\r\n\r\nhi\r\n.\r\n";

/// Sends a message whose MAIL and RCPT say this; answers the code of its answer.
async fn send(app: &TestApp, mail: &str, recipients: &[String]) -> u16 {
    let mut dialogue = Dialogue::connect(app.smtp_addr()).await;
    dialogue.expect(220).await;
    assert!(dialogue.say("EHLO client.example.net", 250).await.text.contains("DSN"));
    dialogue.say(&format!("MAIL FROM:{mail}"), 250).await;
    for recipient in recipients {
        dialogue.say(&format!("RCPT TO:{recipient}"), 250).await;
    }
    dialogue.say("DATA", 354).await;
    dialogue.send(MESSAGE.as_bytes()).await;
    let code = dialogue.reply().await.unwrap().code;
    app.settle().await;
    code
}

fn of(address: &str, wish: &str) -> String {
    format!("<{address}> {wish}")
}

#[tokio::test]
async fn notify_success_gets_a_report_that_the_list_accepted_the_mail() {
    let app = TestApp::start().await;
    let list = app.list("news").open().create().await;
    let recipients = [of(&list.address, "NOTIFY=SUCCESS ORCPT=rfc822;News+2BX@example.net")];
    assert_eq!(send(&app, &of(SENDER, "ENVID=QQ314 RET=FULL"), &recipients).await, 250);

    let report = app.sink.mail_to(SENDER);
    assert_eq!(report.from, "", "a report is never reported on");
    assert_eq!(report.header("Auto-Submitted").as_deref(), Some("auto-replied"));
    assert_eq!(report.header("In-Reply-To").as_deref(), Some("<1@example.net>"));
    let text = report.text();
    for words in [
        "report-type=\"delivery-status\"",
        "Reporting-MTA: dns; mx.example.org\nOriginal-Envelope-Id: QQ314\n",
        "Original-Recipient: rfc822; News+X@example.net\nFinal-Recipient: rfc822; news@lists.example.org\n",
        "Action: delivered\nStatus: 2.1.5\n",
        "Subject: hello\n",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
}

#[tokio::test]
async fn one_report_tells_of_all_who_were_asked_about_and_what_is_passed_on_was_relayed() {
    let app = TestApp::start().await;
    let list = app.list("news").open().create().await;
    let quiet = app.list("quiet").open().create().await;
    let fields = [("source", "board"), ("destination", "chair@example.com")];
    app.admin.post("/api/2/aliases/", &fields).await.good();
    let recipients = [
        of(&list.address, "ORCPT=utf-8;gr\\x{FC}n@example.net NOTIFY=SUCCESS,FAILURE"),
        of(&quiet.address, "NOTIFY=FAILURE"),
        of("board@lists.example.org", "NOTIFY=SUCCESS"),
    ];
    assert_eq!(send(&app, &of(SENDER, ""), &recipients).await, 250);
    assert_eq!(app.sink.to_members(), [SENDER, "chair@example.com"]);
    let text = app.sink.mail_to(SENDER).text();
    let original = "Original-Recipient: utf-8; gr\\x{FC}n@example.net";
    assert!(
        text.contains(&format!("{original}\nFinal-Recipient: rfc822; news@lists.example.org\n")),
        "{text}"
    );
    assert!(text.contains("rfc822; board@lists.example.org\nAction: relayed\n"), "{text}");
    assert!(!text.contains("quiet@"), "{text}");
}

#[tokio::test]
async fn no_report_is_sent_without_a_request_or_a_return_path() {
    let app = TestApp::start().await;
    let list = app.list("news").open().create().await;
    for (mail, wish) in [(SENDER, ""), (SENDER, "NOTIFY=FAILURE,DELAY"), ("", "NOTIFY=SUCCESS")] {
        send(&app, &of(mail, ""), &[of(&list.address, wish)]).await;
    }
    assert_eq!(app.sink.copies(), 0);
}

#[tokio::test]
async fn notify_never_suppresses_reports_and_notices() {
    let app = TestApp::start().await;
    let held = app.list("held").with("moderate", "1").with("send_hold_message", "true").create().await;
    let closed = app.list("closed").with("message_rejections", "reject").with("send_reject_message", "true");
    let closed = closed.create().await;
    assert_eq!(send(&app, &of(SENDER, ""), &[of(&held.address, "NOTIFY=NEVER")]).await, 250);
    assert_eq!(send(&app, &of(SENDER, ""), &[of(&closed.address, "NOTIFY=NEVER")]).await, 550);
    assert_eq!(app.sink.copies(), 0);
    assert_eq!(app.admin.get("/api/2/held/").await.good()["count"], 1);
    assert_eq!(send(&app, &of(SENDER, ""), &[of(&closed.address, "")]).await, 250);
    assert_eq!(app.sink.to_members(), [SENDER], "the notice of the list, as usual");
}

#[tokio::test]
async fn by_lmtp_each_recipient_is_reported_by_itself() {
    let any = ListenAddr::Tcp(SocketAddr::from(([127, 0, 0, 1], 0)));
    let app = TestApp::builder().dns(&sender_auth::zone()).config(|config| config.lmtp_listen = Some(any));
    let app = app.start().await;
    // Behind a front server, a signature proves the sender.
    let sender = "ada@lenient.test";
    let message = MESSAGE.strip_suffix(".\r\n").unwrap().replace(SENDER, sender);
    let message = format!("{}.\r\n", sender_auth::signed("lenient.test", &message));
    let mut dialogue = Dialogue::connect(app.lmtp_addr()).await;
    dialogue.expect(220).await;
    dialogue.say("LHLO front.example.org", 250).await;
    dialogue.say(&format!("MAIL FROM:<{sender}>"), 250).await;
    for name in ["one", "two"] {
        let list = app.list(name).open().create().await;
        dialogue.say(&format!("RCPT TO:<{}> NOTIFY=SUCCESS", list.address), 250).await;
    }
    dialogue.say("DATA", 354).await;
    dialogue.send(message.as_bytes()).await;
    dialogue.expect(250).await;
    dialogue.expect(250).await;
    app.settle().await;
    assert_eq!(app.sink.to_members(), [sender, sender]);
}
