//! Lists on the pages of administrators: their kinds, members, previews, trials, approval and deletion.

use crier::model::Language;
use serde_json::json;

use super::controls::Fields;
use super::{admin, done, head, page, send};
use crate::harness::{DOMAIN, TestApp};

const MAIL: &str =
    "From: Ada Lovelace <ada@example.org>\nSubject: The plan\nMessage-ID: <1@example.org>\n\nLet us meet.\n";

#[tokio::test]
async fn each_kind_of_list_has_fields_that_make_it_one() {
    let app = TestApp::start().await;
    let mut visitor = head(&app).await;
    let path = "/admin/lists/new/";
    let members = json!({"archive_protected": true, "archive_memberview": true, "send_hold_message": true,
        "send_reject_message": true, "archive_enabled": true});
    let expected = [
        (
            "announcements",
            json!({"moderate": 10, "restrict_post_allowed_emails": ["head@example.org"],
            "hold_replies": true, "reply_to": null, "subscriptions": "open+confirm"}),
        ),
        (
            "discussion",
            json!({"moderate": 6, "restrict_post_lists": ["discussion"],
            "reply_to": format!("discussion@{DOMAIN}"), "hold_replies": false, "subscriptions": "open+confirm"}),
        ),
        ("moderated", json!({"moderate": 7, "subscriptions": "open+confirm"})),
        (
            "private",
            json!({"moderate": 6, "subscriptions": "closed", "memberview": "withemail",
            "archive_index_noshow": true}),
        ),
    ];
    for (kind, fields) in &expected {
        let changes: [(&str, &[&str]); 3] =
            [("kind", &[kind]), ("name", &[kind]), ("description", &["For all"])];
        let answer = send(&mut visitor, path, &["name=\"kind\""], &changes).await;
        done(&mut visitor, &answer).await;
        let list = app.admin.get(&format!("/api/2/lists/{kind}/")).await.good();
        assert_eq!(list["description"], "For all");
        for (name, value) in fields.as_object().unwrap().iter().chain(members.as_object().unwrap()) {
            assert_eq!(&list[name], value, "{kind}: {name}");
        }
        let footer = list["message_footer"].as_str().unwrap();
        assert!(footer.starts_with("-- \nYou get this as a member of $LIST."), "{footer}");
        assert!(footer.contains("$UNSUBSCRIBE") && footer.contains("$ARCHIVE"), "{footer}");
    }
    let answer =
        send(&mut visitor, path, &["name=\"kind\""], &[("kind", &["private"]), ("name", &["private"])]).await;
    page(&answer, 409, "<a href=\"#name\">");
    let answer =
        send(&mut visitor, path, &["name=\"kind\""], &[("kind", &["private"]), ("name", &["a b"])]).await;
    page(&answer, 400, "<a href=\"#name\">");
    assert!(Fields::of(&answer, &["name=\"kind\""]).all("name") == ["a b"]);
    let shown = visitor.get("/admin/lists/?search=ann").await;
    page(&shown, 200, "/admin/lists/announcements/");
    assert!(!shown.body.contains("/admin/lists/private/"), "{}", shown.body);
    let file = visitor.get("/admin/lists/?format=csv").await;
    assert!(file.body.starts_with("\u{feff}name,description,members,moderate,pending\r\n"), "{}", file.body);
    assert_eq!(file.body.lines().count(), 5);
}

#[tokio::test]
async fn a_new_list_has_the_text_below_its_messages_in_the_language_of_the_account() {
    let app = TestApp::start().await;
    app.change_account(|account| account.settings.language = Language::French).await;
    let mut visitor = head(&app).await;
    let changes: [(&str, &[&str]); 2] = [("kind", &["discussion"]), ("name", &["choeur"])];
    let answer = send(&mut visitor, "/admin/lists/new/", &["name=\"kind\""], &changes).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let list = app.admin.get("/api/2/lists/choeur/").await.good();
    let footer = list["message_footer"].as_str().unwrap();
    assert!(footer.starts_with("-- \nVous recevez ce message comme membre de $LIST."), "{footer}");
    // A call of the API keeps its own defaults.
    let plain = app.admin.post("/api/2/lists/", &[("name", "plain")]).await.good();
    assert_eq!((&plain["message_footer"], &plain["send_hold_message"]), (&json!(""), &json!(false)));
    assert_eq!((&plain["archive_protected"], &plain["subscriptions"]), (&json!(false), &json!(null)));
}

#[tokio::test]
async fn many_members_are_added_by_their_lines_and_several_removed() {
    let app = TestApp::start().await;
    app.list("news").member("bob@example.org").create().await;
    let known = app.admin.post("/api/2/contacts/", &[("emails", "cy@example.org")]).await.good();
    let mut visitor = head(&app).await;
    let path = "/admin/lists/news/members/";
    let lines = "Ada King Lovelace <ada@example.org>\r\n\r\nbob@example.org\r\n  cy@example.org  \r\n\"Dee\" <dee@example.org>,";
    let answer =
        send(&mut visitor, path, &["name=\"emails\""], &[("emails", &[lines]), ("digest", &["1"])]).await;
    let shown = done(&mut visitor, &answer).await;
    assert_eq!(
        app.members("news").await,
        ["ada@example.org", "bob@example.org", "cy@example.org", "dee@example.org"]
    );
    let ada = app.admin.get("/api/2/contacts/?email=ada@example.org").await.good()["data"][0].clone();
    assert_eq!((&ada["firstname"], &ada["surname"]), (&json!("Ada King"), &json!("Lovelace")));
    assert_eq!(ada["lists"][0]["digest"], 1);
    let cy = app.admin.get(&format!("/api/2/contacts/{}/", known["id"])).await.good();
    assert_eq!(cy["lists"].as_array().unwrap().len(), 1, "no second contact");
    page(&shown, 200, "4 members");

    for wrong in ["ada@example.org\r\nnobody", ""] {
        let answer = send(&mut visitor, path, &["name=\"emails\""], &[("emails", &[wrong])]).await;
        page(&answer, 400, "<a href=\"#emails\">");
        assert_eq!(Fields::of(&answer, &["name=\"emails\""]).all("emails"), [wrong.replace("\r\n", "\n")]);
    }
    let memberships = app.admin.get("/api/2/membership/?list=news").await.good();
    let ids: Vec<String> =
        memberships["data"].as_array().unwrap().iter().map(|row| row["id"].to_string()).collect();
    let chosen = [&*ids[1], &*ids[2]];
    let answer = send(
        &mut visitor,
        path,
        &["value=\"remove\""],
        &[("id", &chosen), ("digest", &["0"]), ("action", &["digest"])],
    )
    .await;
    done(&mut visitor, &answer).await;
    let changed = app.admin.get(&format!("/api/2/membership/{}/", ids[1])).await.good();
    assert_eq!(changed["digest"], 0);
    let answer =
        send(&mut visitor, path, &["value=\"remove\""], &[("id", &chosen), ("action", &["remove"])]).await;
    done(&mut visitor, &answer).await;
    assert_eq!(app.members("news").await.len(), 2);
    let answer = send(&mut visitor, path, &["value=\"remove\""], &[("action", &["remove"])]).await;
    page(&answer, 400, "role=\"alert\"");
    let file = visitor.get(&format!("{path}?format=csv")).await;
    assert!(file.body.starts_with("\u{feff}email,firstname,surname,digest,paused\r\n"), "{}", file.body);
    assert_eq!(file.body.lines().count(), 3);
    let found = visitor.get(&format!("{path}?search=nobodyhere")).await;
    page(&found, 200, "No member has these words.");
}

#[tokio::test]
async fn an_address_that_the_account_does_not_take_is_refused_and_the_others_are_added() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.change_account(|account| account.settings.restrict_contact = vec!["@example\\.org$".to_owned()])
        .await;
    let mut visitor = head(&app).await;
    let lines = "ada@example.org\r\neve@elsewhere.example";
    let path = "/admin/lists/news/members/";
    let answer = send(&mut visitor, path, &["name=\"emails\""], &[("emails", &[lines])]).await;
    page(&answer, 400, "eve@elsewhere.example");
    assert_eq!(Fields::of(&answer, &["name=\"emails\""]).all("emails"), ["eve@elsewhere.example"]);
    assert_eq!(app.members("news").await, ["ada@example.org"]);
}

#[tokio::test]
async fn a_preview_shows_the_newest_message_with_what_was_typed_and_stores_nothing() {
    let app = TestApp::start().await;
    let list = app.list("news").open().member("bob@example.org").create().await;
    let mut visitor = head(&app).await;
    let path = "/admin/lists/news/texts/";
    // What is stored is shown beside the form at once.
    page(&visitor.get(path).await, 200, "This is how a message of this list looks.");
    let changes: [(&str, &[&str]); 3] =
        [("action", &["preview"]), ("message_footer", &["Bye $NAME of $LIST"]), ("subject_prefix", &["[N]"])];
    let answer = send(&mut visitor, path, &["name=\"message_footer\""], &changes).await;
    page(&answer, 200, "This is how a message of this list looks.");
    page(&answer, 200, "Bye Ada Lovelace of news");
    assert_eq!(app.send_mail("ada@example.org", &list.address, MAIL).await.code, 250);
    app.settle().await;
    let answer = send(&mut visitor, path, &["name=\"message_footer\""], &changes).await;
    page(&answer, 200, "Let us meet.");
    page(&answer, 200, "[N] The plan");
    page(&answer, 200, "Bye Ada Lovelace of news");
    let kept = Fields::of(&answer, &["name=\"message_footer\""]);
    assert_eq!(kept.all("message_footer"), ["Bye $NAME of $LIST"]);
    assert_eq!(app.admin.get("/api/2/lists/news/").await.good()["message_footer"], "");
    let wrong: [(&str, &[&str]); 2] = [("action", &["preview"]), ("message_footer", &["$NOTHING"])];
    let answer = send(&mut visitor, path, &["name=\"message_footer\""], &wrong).await;
    page(&answer, 400, "<a href=\"#message_footer\">");
}

#[tokio::test]
async fn a_trial_says_in_words_what_would_happen_to_a_mail() {
    let app = TestApp::start().await;
    app.list("news").member("ada@example.org").member("bob@example.org").create().await;
    let mut visitor = head(&app).await;
    let path = "/admin/lists/news/try/";
    let marks = ["name=\"message\""];
    let mail = MAIL.replace('\n', "\r\n");
    let answer = send(&mut visitor, path, &marks, &[("message", &[&mail])]).await;
    page(&answer, 200, "role=\"status\"");
    page(&answer, 200, "It would be sent to the members");
    page(&answer, 200, "2 addresses would get it.");
    assert_eq!(Fields::of(&answer, &marks).all("message"), [MAIL]);
    let stranger = mail.replace("ada@example.org", "eve@example.org");
    let answer = send(&mut visitor, path, &marks, &[("message", &[&stranger])]).await;
    page(&answer, 200, "It would wait for approval: the sender may not post to this list");
    let answer = send(&mut visitor, path, &marks, &[("message", &[""])]).await;
    page(&answer, 400, "<a href=\"#message\">");
    app.settle().await;
    assert_eq!(app.sink.copies(), 0, "nothing is sent");
    let deciding = admin(&app, "mo@example.org", &json!({"permissions": ["approve_messages"]})).await;
    let mut deciding = deciding;
    let answer = send(&mut deciding, path, &marks, &[("message", &[&mail])]).await;
    page(&answer, 200, "It would be sent to the members");
}

#[tokio::test]
async fn a_list_that_waits_is_approved_or_rejected_on_the_page_of_lists() {
    let app = TestApp::start().await;
    app.change_account(|account| account.settings.require_list_approval = true).await;
    let mut maker = admin(&app, "maker@example.org", &json!({"permissions": ["manage_settings"]})).await;
    let mut visitor = head(&app).await;
    for name in ["first", "second"] {
        let changes: [(&str, &[&str]); 2] = [("kind", &["discussion"]), ("name", &[name])];
        let answer = send(&mut maker, "/admin/lists/new/", &["name=\"kind\""], &changes).await;
        done(&mut maker, &answer).await;
        assert_eq!(app.admin.get(&format!("/api/2/lists/{name}/")).await.good()["pending"], true);
    }
    let own = maker.get("/admin/lists/").await;
    assert!(!own.body.contains("value=\"approve\""), "nobody approves its own: {}", own.body);
    let path = "/admin/lists/";
    let answer = send(&mut visitor, path, &["value=\"approve\""], &[("action", &["approve"])]).await;
    done(&mut visitor, &answer).await;
    assert_eq!(app.admin.get("/api/2/lists/first/").await.good()["pending"], false);
    let changes: [(&str, &[&str]); 2] = [("action", &["reject"]), ("reason", &["There is one."])];
    let waiting = visitor.get(path).await;
    let again = Fields::of(&waiting, &["value=\"approve\""]).with("action", &["approve"]);
    let answer = send(&mut visitor, path, &["value=\"reject\""], &changes).await;
    done(&mut visitor, &answer).await;
    assert_eq!(app.admin.get("/api/2/lists/second/").await.status, 404);
    // Who decides second is told.
    let answer = visitor.post(path, &again.pairs()).await;
    assert!([404, 409].contains(&answer.status), "{}", answer.body);
}

#[tokio::test]
async fn a_page_asks_before_a_list_is_deleted_and_the_password_of_its_archive_is_taken_away() {
    let app = TestApp::start().await;
    app.list("news").member("ada@example.org").create().await;
    let mut visitor = head(&app).await;
    let path = "/admin/lists/news/archive/";
    let marks = ["name=\"archive_password\""];
    let answer = send(&mut visitor, path, &marks, &[("archive_password", &["open sesame"])]).await;
    let shown = done(&mut visitor, &answer).await;
    assert!(app.list_record("news").archive_password_hash.is_some());
    assert!(!shown.body.contains("sesame"));
    let answer = send(&mut visitor, path, &marks, &[("archive_spammode", &[])]).await;
    done(&mut visitor, &answer).await;
    assert!(app.list_record("news").archive_password_hash.is_some(), "a blank field leaves it");
    let answer = send(&mut visitor, path, &marks, &[("no_archive_password", &["1"])]).await;
    done(&mut visitor, &answer).await;
    assert!(app.list_record("news").archive_password_hash.is_none());

    let path = "/admin/lists/news/advanced/";
    let shown = visitor.get(path).await;
    page(&shown, 200, "href=\"/admin/lists/news/delete/\"");
    let asks = "/admin/lists/news/delete/";
    let shown = visitor.get(asks).await;
    for words in [
        "1 person is taken off the list, and stays in the address book.",
        "Its archive is empty.",
        "cannot be brought back",
    ] {
        page(&shown, 200, words);
    }
    assert!(!shown.body.contains("type=\"text\""), "nothing is typed: {}", shown.body);
    let marks = ["value=\"delete\""];
    let answer = send(&mut visitor, asks, &marks, &[("action", &["other"])]).await;
    page(&answer, 400, "role=\"alert\"");
    let mut reader = admin(&app, "reader@example.org", &json!({"permissions": ["manage_members"]})).await;
    assert_eq!(reader.get(asks).await.status, 403);
    let answer = send(&mut visitor, asks, &marks, &[("action", &["delete"])]).await;
    done(&mut visitor, &answer).await;
    assert_eq!(app.admin.get("/api/2/contacts/?email=ada%40example.org").await.good()["count"], json!(1));
    assert_eq!(app.admin.get("/api/2/lists/news/").await.status, 404);
    assert_eq!(visitor.get(path).await.status, 404);
}

#[tokio::test]
async fn the_tabs_of_a_list_stand_on_its_approvals_and_messages_too() {
    let app = TestApp::start().await;
    app.list("news").with("subscriptions", "open+confirm").member("ada@example.org").create().await;
    app.list("club").with("subscriptions", "open+confirm").create().await;
    let mut visitor = head(&app).await;
    for path in ["/admin/approvals/?list=news", "/admin/messages/?list=news"] {
        let shown = visitor.get(path).await;
        page(&shown, 200, "href=\"/admin/lists/news/members/\"");
        page(&shown, 200, "aria-current=\"page\"");
        assert_eq!(shown.body.matches("<h1").count(), 1, "{}", shown.body);
        let whole = path.split('?').next().unwrap();
        for path in [whole.to_owned(), format!("{whole}?list=none")] {
            let shown = visitor.get(&path).await;
            assert!(!shown.body.contains("/admin/lists/news/members/"), "{path}: {}", shown.body);
        }
    }
    let shown = visitor.get("/admin/approvals/?kind=people&list=news").await;
    page(&shown, 200, "href=\"/admin/approvals/?list=news\"");
}
