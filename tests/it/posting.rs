//! A post goes in, and every member gets it.

use std::collections::BTreeSet;

use serde_json::json;

use crate::harness::TestApp;
use crate::harness::sink::Mail;
use crate::harness::smtp::Dialogue;

const POST: &str = "Subject: hello\nMessage-ID: <1@example.org>\nDate: Fri, 20 Nov 2026 12:00:00 +0000\n\nhi";

/// The path of the link that a copy has for leaving.
fn unsubscribe_path(mail: &Mail) -> String {
    let field = mail.header("List-Unsubscribe").expect("a copy has this field");
    let start = field.find("<https://lists.example.org/").expect("one of the ways is a link");
    let link = field[start + 1..].split('>').next().expect("a link has an end");
    link.strip_prefix("https://lists.example.org").expect("it was found by this").to_owned()
}

#[tokio::test]
async fn a_members_post_reaches_every_member_once_with_a_sender_and_a_link_of_its_own() {
    let app = TestApp::start().await;
    let list = app.list("news").members(3).create().await;

    let reply = app.send_mail("member1@example.org", &list.address, POST).await;
    assert_eq!(reply.code, 250, "{reply}");
    app.settle().await;

    assert_eq!(app.sink.to_members(), ["member1@example.org", "member2@example.org", "member3@example.org"]);
    let mails = app.sink.mails();
    let senders: BTreeSet<&str> = mails.iter().map(|mail| mail.from.as_str()).collect();
    assert_eq!(senders.len(), 3, "{senders:?}");
    for sender in senders {
        assert!(sender.starts_with("bounces+") && sender.ends_with("@lists.example.org"), "{sender}");
    }
    let links: BTreeSet<String> = mails.iter().map(unsubscribe_path).collect();
    assert_eq!(links.len(), 3, "{links:?}");
}

#[tokio::test]
async fn what_a_member_gets_has_prefix_footer_and_the_headers_of_a_list() {
    let app = TestApp::builder().without_dkim().start().await;
    let list = app
        .list("news")
        .with("description", "The News")
        .with("subject_prefix", "[News]")
        .with("message_fronter", "News of the day\n")
        .with("message_footer", "To leave: $UNSUBSCRIBE\n")
        .members(2)
        .create()
        .await;

    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;

    insta::assert_snapshot!(app.sink.mail_to("member2@example.org"));
}

#[tokio::test]
async fn html_gets_its_own_footer() {
    let app = TestApp::builder().without_dkim().start().await;
    let list = app
        .list("news")
        .with("message_footer", "To leave: $UNSUBSCRIBE\n")
        .with("message_footer_html", "<p><a href=\"$UNSUBSCRIBE\">Leave</a></p>")
        .members(1)
        .create()
        .await;

    let message = "Subject: both\nMessage-ID: <2@example.org>\nDate: Fri, 20 Nov 2026 12:00:00 +0000\n\
        MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n\
        --b\nContent-Type: text/plain; charset=utf-8\n\nhi\n\
        --b\nContent-Type: text/html; charset=utf-8\n\n<html><body><p>hi</p></body></html>\n--b--\n";
    app.send_mail("member1@example.org", &list.address, message).await;
    app.settle().await;

    insta::assert_snapshot!(app.sink.mail_to("member1@example.org"));
}

#[tokio::test]
async fn a_strangers_post_is_held() {
    let app = TestApp::start().await;
    let list = app.list("news").members(2).create().await;

    let reply = app.send_mail("stranger@example.net", &list.address, POST).await;
    assert_eq!(reply.code, 250, "{reply}");
    app.settle().await;

    assert_eq!(app.sink.to_members(), [""; 0]);
    assert!(app.dump("held").contains("stranger@example.net"), "{}", app.dump("held"));
}

#[tokio::test]
async fn a_post_without_an_author_is_refused_at_its_end() {
    let app = TestApp::start().await;
    let list = app.list("talk").open().members(2).create().await;

    let mut dialogue = Dialogue::connect(app.smtp_addr()).await;
    dialogue.expect(220).await;
    dialogue.say("EHLO client.example.org", 250).await;
    dialogue.say("MAIL FROM:<\"a b\"@example.org>", 250).await;
    dialogue.say(&format!("RCPT TO:<{}>", list.address), 250).await;
    dialogue.say("DATA", 354).await;
    dialogue.send(b"Subject: hello\r\n\r\nhi\r\n").await;
    let reply = dialogue.say(".", 554).await;
    assert!(reply.to_string().contains("5.6.0 The message must have a From field"), "{reply}");
}

#[tokio::test]
async fn a_bare_line_end_in_a_chunk_or_its_command_ends_the_connection() {
    let app = TestApp::start().await;
    let list = app.list("talk").open().members(2).create().await;
    let smuggled = format!("MAIL FROM:<evil@example.net>\r\nRCPT TO:<{}>\r\nDATA\r\n", list.address);
    let text = format!("From: a@example.org\r\n\r\nhi\n.\r\n{smuggled}");
    for (command, code) in [("LAST\r\n", 554), ("\r\n", 554), ("LAST\n", 500)] {
        let mut dialogue = Dialogue::connect(app.smtp_addr()).await;
        dialogue.expect(220).await;
        dialogue.say("EHLO client.example.org", 250).await;
        dialogue.say("MAIL FROM:<a@example.org>", 250).await;
        dialogue.say(&format!("RCPT TO:<{}>", list.address), 250).await;
        let chunk = format!("BDAT {} {command}{text}NOOP\r\n", text.len());
        dialogue.send(chunk.as_bytes()).await;
        dialogue.expect(code).await;
        assert_eq!(dialogue.reply().await, None, "nothing behind it is read as a command");
    }
    app.settle().await;
    assert_eq!(app.sink.to_members(), [""; 0]);
}

#[tokio::test]
async fn forged_results_do_not_reach_the_members() {
    let app = TestApp::start().await;
    let list = app.list("talk").open().members(1).create().await;
    let results = |host: &str| format!("Authentication-Results: {host}; dkim=pass\n");
    let forged = results("mx.example.org");

    let message = format!("{forged}{}{POST}", results("mx.example.net"));
    app.send_mail("stranger@example.net", &list.address, &message).await;
    app.settle().await;

    let copy = app.sink.mail_to("member1@example.org").to_string();
    assert!(
        copy.contains("mx.example.net; dkim=pass") && !copy.contains(&results("mx.example.org")),
        "{copy}"
    );
}

#[tokio::test]
async fn everybody_may_post_to_an_open_list() {
    let app = TestApp::start().await;
    let list = app.list("talk").open().members(2).create().await;

    app.send_mail("stranger@example.net", &list.address, POST).await;
    app.settle().await;

    assert_eq!(app.sink.copies(), 2);
}

#[tokio::test]
async fn a_list_that_was_opened_takes_the_next_post_of_a_stranger() {
    let app = TestApp::start().await;
    let list = app.list("talk").members(2).create().await;
    app.admin.put("/api/2/lists/talk/", &[("moderate", "0")]).await.good();

    app.send_mail("stranger@example.net", &list.address, POST).await;
    app.settle().await;

    assert_eq!(app.sink.copies(), 2);
}

#[tokio::test]
async fn one_message_to_two_lists_is_decided_for_each() {
    let app = TestApp::start().await;
    let news = app.list("news").members(2).create().await;
    let talk = app.list("talk").member("member1@example.org").member("other@example.org").create().await;
    let closed = app.list("closed").member("third@example.org").create().await;

    let to = [news.address.as_str(), &talk.address, &closed.address];
    let reply = app.send_mail_to("member1@example.org", &to, POST).await;
    assert_eq!(reply.code, 250, "{reply}");
    app.settle().await;

    let twice = "member1@example.org";
    assert_eq!(app.sink.to_members(), [twice, twice, "member2@example.org", "other@example.org"]);
}

#[tokio::test]
async fn a_message_made_by_the_api_reaches_the_members() {
    let app = TestApp::start().await;
    let list = app.list("news").members(2).create().await;

    let fields = [("list", list.name.as_str()), ("subject", "From the API"), ("content_plain", "hello")];
    let message = app.admin.post("/api/2/messages/", &fields).await.good();
    app.settle().await;

    assert!(message["id"].is_u64(), "{message}");
    assert_eq!(app.sink.to_members(), ["member1@example.org", "member2@example.org"]);
    let copy = app.sink.mail_to("member1@example.org");
    assert_eq!(copy.header("Subject").as_deref(), Some("From the API"));
}

#[tokio::test]
async fn the_api_posts_to_lists_that_exist() {
    let app = TestApp::start().await;
    let message = json!({"list": "nowhere", "content_plain": "hello"});
    app.admin.post_json("/api/2/messages/", &message).await.error(404, "list");
    app.anon.post_json("/api/2/messages/", &message).await.error(401, "Authentication failed");
    let basic = app.anon.with_authorization("Basic bm9ib2R5Og==");
    basic.post_json("/api/2/messages/", &message).await.error(401, "Authentication failed");
}

#[tokio::test]
async fn nobodys_address_is_refused_at_rcpt() {
    let app = TestApp::start().await;
    let reply = app.send_mail("member1@example.org", "nobody@lists.example.org", POST).await;
    assert_eq!(reply.code, 550);
    assert!(reply.text.starts_with("5.1.1 "), "{reply}");
}

#[tokio::test]
async fn a_foreign_domain_is_never_relayed_to() {
    let app = TestApp::start().await;
    let reply = app.send_mail("member1@example.org", "somebody@example.com", POST).await;
    assert_eq!(reply.code, 550);
    assert!(reply.text.starts_with("5.7.1 "), "{reply}");
}

#[tokio::test]
async fn the_link_in_a_copy_unsubscribes_by_post_and_changes_nothing_by_get() {
    let app = TestApp::start().await;
    let list = app.list("news").members(2).create().await;
    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;
    let copy = app.sink.mail_to("member2@example.org");
    assert_eq!(copy.header("List-Unsubscribe-Post").as_deref(), Some("List-Unsubscribe=One-Click"));
    let path = unsubscribe_path(&copy);

    assert_eq!(app.anon.get(&path).await.status, 200);
    assert_eq!(app.members("news").await, ["member1@example.org", "member2@example.org"]);

    let one_click = app.anon.post(&path, &[("List-Unsubscribe", "One-Click")]).await;
    assert_eq!(one_click.status, 200, "{}", one_click.body);
    assert_eq!(app.members("news").await, ["member1@example.org"]);

    let again = app.anon.post_multipart(&path, &[("List-Unsubscribe", "One-Click")]).await;
    assert_eq!(again.status, 200, "{}", again.body);
    assert_eq!(app.anon.get("/unsubscribe/forged/").await.status, 404);
}

#[tokio::test]
async fn the_same_message_id_is_posted_once() {
    let app = TestApp::start().await;
    let list = app.list("news").members(2).create().await;
    for _ in 0..2 {
        let reply = app.send_mail("member1@example.org", &list.address, POST).await;
        assert_eq!(reply.code, 250, "{reply}");
    }
    app.settle().await;
    assert_eq!(app.sink.copies(), 2);
}
