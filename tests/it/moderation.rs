//! Who is told of a message that was held or rejected, and what they can do about it.

use crate::harness::TestApp;
use crate::harness::sink::Mail;
use crate::harness::smtp::Reply;

const MAIL: &str =
    "From: Eve Evans <eve@example.net>\nSubject: Offer\nMessage-ID: <1@example.net>\n\nBuy this.\n";

/// Sends Eve's message to `news`.
async fn send(app: &TestApp, message: &str) -> Reply {
    send_from(app, "eve@example.net", message).await
}

/// Sends a message to `news` from any envelope sender.
async fn send_from(app: &TestApp, from: &str, message: &str) -> Reply {
    let reply = app.send_mail(from, "news@lists.example.org", message).await;
    app.settle().await;
    reply
}

/// The header and text of a notice without what differs by signature, its text decoded.
fn shown(mail: &Mail) -> String {
    mail.to_string().replace("=\n", "").replace("=3D", "=")
}

#[tokio::test]
async fn a_sender_is_told_that_a_message_waits_if_the_list_says_so() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").with("description", "The News").with("send_hold_message", "1").members(1).create().await;
    assert_eq!(send(&app, MAIL).await.code, 250);
    insta::assert_snapshot!(shown(&app.sink.mail_to("eve@example.net")));
}

#[tokio::test]
async fn the_lists_own_texts_are_filled_in() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news")
        .with("send_hold_message", "1")
        .with("hold_subject", "$LIST: $SUBJECT")
        .with("hold_message", "Dear $NAME, we hold \"$SUBJECT\" of $SENDER, since $REASON. $$5, please.")
        .create()
        .await;
    send(&app, MAIL).await;
    let mail = app.sink.mail_to("eve@example.net");
    assert_eq!(mail.header("Subject").as_deref(), Some("news: Offer"));
    assert!(
        shown(&mail).ends_with(
            "\n\nDear Eve Evans, we hold \"Offer\" of Eve Evans <eve@example.net>, since the sender may not post to \
             this list. $5, please.\n"
        ),
        "{mail}"
    );
}

#[tokio::test]
async fn a_notice_is_signed_and_can_be_told_from_people() {
    let app = TestApp::start().await;
    app.list("news").with("send_hold_message", "1").create().await;
    send(&app, MAIL).await;
    let mail = app.sink.mail_to("eve@example.net");
    assert_eq!(mail.from, "", "a notice to a sender is never answered by a report");
    assert_eq!(mail.header("Auto-Submitted").as_deref(), Some("auto-replied"));
    assert_eq!(mail.header("In-Reply-To").as_deref(), Some("<1@example.net>"));
    assert!(
        mail.header("DKIM-Signature").is_some_and(|field| field.contains("d=lists.example.org")),
        "{mail}"
    );
}

#[tokio::test]
async fn nobody_is_told_by_default_and_machines_never() {
    let app = TestApp::start().await;
    app.list("news").with("hold_automated", "1").create().await;
    send(&app, MAIL).await;
    app.admin
        .put("/api/2/lists/news/", &[("send_hold_message", "1"), ("send_reject_message", "1")])
        .await
        .good();
    for sender in ["", "mailer-daemon@example.net", "owner-list@example.net", "news-request@example.net"] {
        assert_eq!(send_from(&app, sender, MAIL).await.code, 250);
    }
    for sign in ["Auto-Submitted: auto-generated", "Auto-Submitted: auto-replied", "Precedence: bulk"] {
        assert_eq!(send(&app, &format!("{sign}\n{MAIL}")).await.code, 250);
    }
    app.admin
        .put("/api/2/lists/news/", &[("hold_automated", "0"), ("message_rejections", "reject")])
        .await
        .good();
    let reply = send(&app, &format!("Precedence: bulk\n{MAIL}")).await;
    assert_eq!(reply.code, 550, "who cannot be told by mail is told by the refusal: {reply}");
    assert_eq!(app.sink.copies(), 0);
}

#[tokio::test]
async fn a_rejected_message_is_refused_or_answered_as_the_list_says() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").with("message_rejections", "reject").members(1).create().await;
    let other = app.list("other").open().create().await;
    let refused = send(&app, MAIL).await;
    assert_eq!(refused.to_string(), "550 5.7.1 The sender may not post to this list");
    let both = ["news@lists.example.org", other.address.as_str()];
    assert_eq!(app.send_mail_to("eve@example.net", &both, MAIL).await.code, 250);
    app.settle().await;
    assert_eq!(app.sink.copies(), 0);
    app.admin.put("/api/2/lists/news/", &[("send_reject_message", "1")]).await.good();
    assert_eq!(send(&app, MAIL).await.code, 250);
    insta::assert_snapshot!(shown(&app.sink.mail_to("eve@example.net")));
}

#[tokio::test]
async fn a_letter_is_tried_again_and_forgotten_in_time() {
    let app = TestApp::start().await;
    app.list("news").with("send_hold_message", "1").create().await;
    app.sink.defer("eve@example.net", 1);
    send(&app, MAIL).await;
    assert_eq!(app.sink.copies(), 0);
    app.advance(std::time::Duration::from_mins(5)).await;
    assert_eq!(app.sink.copies(), 1);
    assert!(app.dump("letter").contains("Hold"), "{}", app.dump("letter"));
    app.advance(std::time::Duration::from_hours(30 * 24)).await;
    assert!(!app.dump("letter").contains("Hold"), "{}", app.dump("letter"));
    assert!(!app.dump("batch").contains("eve@example.net"), "{}", app.dump("batch"));
}
