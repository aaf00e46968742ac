//! Welcome messages.

use std::time::Duration;

use crate::harness::TestApp;

/// A minute: what is written as soon as there is time is written then.
const SOON: Duration = Duration::from_mins(1);

#[tokio::test]
async fn a_new_member_gets_the_lists_welcome_message_once() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news")
        .with("description", "The News")
        .with("welcome_message", "Dear $NAME, welcome to $DESCRIPTION as $EMAIL.\nLeave: $UNSUBSCRIBE")
        .with("welcome_message_subject", "Hello from $LIST")
        .create()
        .await;
    let fields = [
        ("emails", "ada@example.org"),
        ("emails", "ada@example.net"),
        ("firstname", "Ada"),
        ("surname", "Lovelace"),
        ("lists", "news"),
    ];
    app.admin.post("/api/2/contacts/", &fields).await.good();
    app.advance(SOON).await;
    let mail = app.sink.mail_to("ada@example.org");
    assert_eq!(app.sink.copies(), 1);
    assert_eq!(mail.header("Subject").as_deref(), Some("Hello from news"));
    assert_eq!(mail.header("From").as_deref(), Some("\"The News\" <news-owner@lists.example.org>"));
    assert_eq!(mail.header("Auto-Submitted").as_deref(), Some("auto-generated"));
    assert!(mail.from.starts_with("bounces+"), "{mail}");
    let text = mail.text().replace("=\n", "");
    assert!(text.contains("Dear Ada Lovelace, welcome to The News as ada@example.org.\n"), "{text}");
    assert!(text.contains("Leave: https://lists.example.org/unsubscribe/"), "{text}");
    app.admin.put("/api/2/lists/news/", &[("description", "Other news")]).await.good();
    app.advance(Duration::from_hours(24)).await;
    assert_eq!(app.sink.copies(), 1);
}

#[tokio::test]
async fn every_way_into_a_list_is_welcomed_and_none_where_the_list_says_nothing() {
    let app = TestApp::start().await;
    app.list("news").with("welcome_message", "Hi").create().await;
    app.list("quiet").create().await;
    app.join("ada@example.org", "quiet").await;
    app.join("ada@example.org", "news").await;
    let batch = serde_json::json!([{"emails": ["bob@example.org"], "lists": ["news", "quiet"]}]);
    app.admin.post_json("/api/2/contacts/batch/", &batch).await.good();
    app.admin.post("/api/2/contacts/", &[("emails", "cy@example.org")]).await.good();
    app.pause("cy@example.org").await;
    app.join("cy@example.org", "news").await;
    app.advance(SOON).await;
    assert_eq!(app.sink.to_members(), ["ada@example.org", "bob@example.org"]);
}

#[tokio::test]
async fn an_account_welcomes_new_contacts_if_it_says_so() {
    let mut app = TestApp::start().await;
    app.list("news").create().await;
    app.join("before@example.org", "news").await;
    app.change_account(|account| {
        account.settings.send_welcome_message_contacts = true;
        account.description = "The Club".to_owned();
    })
    .await;
    app.join("ada@example.org", "news").await;
    app.restart().await;
    app.advance(SOON).await;
    let mail = app.sink.mail_to("ada@example.org");
    assert_eq!(app.sink.copies(), 1);
    assert_eq!(mail.header("Subject").as_deref(), Some("Welcome to The Club"));
    assert!(mail.text().contains("Your address ada@example.org was added"), "{mail}");
    app.change_account(|account| account.settings.welcome_message = Some("Hi $EMAIL".to_owned())).await;
    app.join("bob@example.org", "news").await;
    app.advance(SOON).await;
    assert!(app.sink.mail_to("bob@example.org").plain().ends_with("\n\nHi bob@example.org\n"));
}
