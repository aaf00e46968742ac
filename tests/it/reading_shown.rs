//! A message on its page is what members got, less what is personal: through the running server.

use std::collections::BTreeMap;

use crier::model::{List, Message};
use crier::ops::archive::shown::{self, Decoration};
use crier::store::Read as _;
use serde_json::Value;

use crate::harness::TestApp;
use crate::harness::http::Response;
use crate::harness::visitor::Visitor;

const ADA: &str = "ada@example.org";

/// The newest message of the archive.
async fn newest(app: &TestApp) -> u64 {
    let page: Value = app.admin.get("/api/2/messages/?limit=1").await.good();
    page["data"][0]["id"].as_u64().expect("there is a message")
}

/// Posts to `news`; the page of the message.
async fn posted(app: &TestApp, message: &str) -> Response {
    app.send_mail(ADA, "news@lists.example.org", message).await;
    let id = newest(app).await;
    Visitor::new(app).get(&format!("/lists/news/messages/{id}/")).await
}

/// The message as it is shown, as mail.
async fn shown_mail(app: &TestApp, decoration: Decoration) -> String {
    let id = newest(app).await;
    let core = app.core();
    let tx = core.store.read().unwrap();
    let message: Message = tx.get(id).unwrap().unwrap();
    let list: List = tx.get(message.list.0).unwrap().unwrap();
    let links = core.links.of(&tx, list.account).unwrap();
    let mail = shown::mail_with(&tx, &links, &list, &message, decoration).unwrap().unwrap();
    String::from_utf8_lossy(&mail.raw).into_owned()
}

#[tokio::test]
async fn personal_links_are_taken_out_of_what_an_archive_shows() {
    let app = TestApp::start().await;
    app.list("news").open().member(ADA).create().await;
    let token = "a".repeat(42);
    let page = posted(
        &app,
        &format!("Subject: Re: tea\n\nYes.\n\n> Leave: https://lists.example.org/unsubscribe/{token}/\n> or confirm+{token}@lists.example.org\n"),
    )
    .await;
    assert_eq!(page.status, 200);
    assert!(page.body.contains("Yes.") && page.body.contains("/unsubscribe/removed/"), "{}", page.body);
    assert!(!page.body.contains(&token), "{}", page.body);
}

#[tokio::test]
async fn an_archive_shows_what_a_list_cut_and_took_off() {
    let app = TestApp::start().await;
    let list = app.list("news").open().member(ADA).with("strip_attachments", "1").with("truncate", "300");
    list.create().await;
    let page = posted(
        &app,
        &format!(
            "Subject: long\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\n{}\nsecret end\n\
             --b\nContent-Type: application/pdf; name=report.pdf\n\nsecret file\n--b--\n",
            "a line of text\n".repeat(100)
        ),
    )
    .await;
    assert!(page.body.contains("Hello") && page.body.contains("report.pdf"), "{}", page.body);
    assert!(!page.body.contains("secret") && !page.body.contains("/parts/"), "{}", page.body);
}

#[tokio::test]
async fn merge_tags_are_filled_in_for_nobody() {
    let app = TestApp::start().await;
    let list = app.list("news").open().member(ADA).with("merge_tags_enabled", "1");
    list.with("merge_tags_default_name", "dear reader").create().await;
    let page = posted(&app, "Subject: x\n\nHello $NAME, <$EMAIL>!\n").await;
    assert!(page.body.contains("Hello dear reader"), "{}", page.body);
    assert!(!page.body.contains("$EMAIL") && !page.body.contains("$NAME"), "{}", page.body);
}

#[tokio::test]
async fn a_list_shows_the_first_words_of_a_large_message_as_members_got_them() {
    let app = TestApp::start().await;
    let list = app.list("news").open().member(ADA).with("merge_tags_enabled", "1");
    list.with("merge_tags_default_name", "dear reader").create().await;
    let file = format!("{}\n", "x".repeat(70)).repeat(5000);
    let head = "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nHello $NAME, look at this.\n--b\n\
        Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=a.bin\n\n";
    posted(&app, &format!("{head}{file}--b--\n")).await;
    let page = Visitor::new(&app).get("/lists/news/").await;
    assert!(page.body.contains("Hello dear reader, look at this."), "{}", page.body);
}

#[tokio::test]
async fn what_a_list_adds_to_each_post_is_left_out_unless_it_is_asked_for() {
    let app = TestApp::start().await;
    let list = app.list("news").open().member(ADA).with("subject_prefix", "[news]");
    list.with("message_footer", "Leave: $UNSUBSCRIBE").with("message_fronter", "Read this").create().await;
    let page = posted(&app, "Subject: tea\n\nAt five.\n").await;
    assert!(page.body.contains("At five."), "{}", page.body);
    assert!(!page.body.contains("Leave:") && !page.body.contains("Read this"), "{}", page.body);
    let bare = shown_mail(&app, Decoration::Bare).await;
    assert!(!bare.contains("[news]") && !bare.contains("Leave:"), "{bare}");
    let whole = shown_mail(&app, Decoration::Whole).await;
    assert!(whole.contains("Subject: [news] tea") && whole.contains("Read this"), "{whole}");
    assert!(whole.contains("Leave: https://lists.example.org/lists/news/join/"), "{whole}");
    for field in ["CFBL-Address", "Feedback-ID", "List-Unsubscribe", "Precedence"] {
        assert!(!whole.contains(field), "{field} is in {whole}");
    }
}

#[tokio::test]
async fn an_author_whom_a_list_hides_stands_nowhere_in_what_is_shown() {
    let app = TestApp::start().await;
    let list = app.list("news").open().member(ADA).with("rewrite_sender", "1");
    list.with("original_sender_mode", "hide").create().await;
    let page = posted(&app, "From: Ada Quill <ada@example.org>\nSubject: tea\n\nAt five.\n").await;
    assert!(page.body.contains("At five.") && !page.body.contains("ada@"), "{}", page.body);
    let mail = shown_mail(&app, Decoration::Bare).await;
    assert!(!mail.contains(ADA), "{mail}");
}

#[tokio::test]
async fn images_of_other_servers_are_allowed_for_the_answer_that_shows_them() {
    let app = TestApp::start().await;
    app.list("news").open().member(ADA).create().await;
    let page = posted(
        &app,
        "Subject: pics\nContent-Type: text/html\n\n<p>Look: <img src=\"https://pics.example/a.png\" alt=\"the pier\"></p>\n",
    )
    .await;
    let policy =
        |page: &Response| page.header("content-security-policy").map(str::to_owned).unwrap_or_default();
    assert!(policy(&page).contains("img-src 'self';"), "{}", policy(&page));
    assert!(page.body.contains("the pier") && !page.body.contains("pics.example"), "{}", page.body);
    assert!(page.body.contains("?images=1"), "{}", page.body);
    let id = newest(&app).await;
    let with_images = Visitor::new(&app).get(&format!("/lists/news/messages/{id}/?images=1")).await;
    assert!(with_images.body.contains("src=\"https://pics.example/a.png\""), "{}", with_images.body);
    let widened = policy(&with_images);
    assert_eq!(widened.replace("img-src 'self' https: http:;", "img-src 'self';"), policy(&page));
}

#[tokio::test]
async fn mails_of_the_corpus_break_no_page() {
    let app = TestApp::start().await;
    app.list("news").open().member(ADA).create().await;
    let mut pages = BTreeMap::new();
    for (name, bytes) in crate::reading::corpus().into_iter().step_by(7) {
        let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
        let reply = app.send_mail(ADA, "news@lists.example.org", &text).await;
        if reply.code == 250 {
            let id = newest(&app).await;
            pages.insert(name, Visitor::new(&app).get(&format!("/lists/news/messages/{id}/")).await);
        }
    }
    assert!(20 < pages.len(), "{} pages", pages.len());
    for (name, page) in pages {
        assert_eq!(page.status, 200, "{name}");
        assert!(
            page.body.ends_with("</body>\n</html>") || page.body.ends_with("</html>\n"),
            "{name}: {}",
            page.body
        );
        for mark in ["<h1", "<main", "<footer"] {
            assert_eq!(page.body.matches(mark).count(), 1, "{name}: {mark}: {}", page.body);
        }
        assert!(!page.body.to_lowercase().contains("<script"), "{name}: {}", page.body);
    }
}
