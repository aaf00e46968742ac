//! Domains, custom fields and aliases on the pages of administrators.

use std::time::Duration;

use serde_json::json;

use super::controls::{Fields, plain};
use super::{done, head, page, send};
use crate::harness::data::dkim_zone;
use crate::harness::{DOMAIN, TestApp};

/// The text of a page without its markup.
fn words(html: &str) -> String {
    let mut text = String::new();
    for part in html.split('<') {
        text.push_str(part.split_once('>').map_or(part, |(_, text)| text));
    }
    plain(&text)
}

#[tokio::test]
async fn a_domain_shows_the_records_to_paste_and_which_of_them_the_dns_has() {
    // The keys are published, and no policy for forgeries.
    let app = TestApp::builder().dns(&dkim_zone()).start().await;
    let mut visitor = head(&app).await;
    let path = "/admin/settings/domains/";
    let shown = visitor.get(path).await;
    page(&shown, 200, "class=\"badge");
    let text = words(&shown.body);
    for record in ["v=spf1", "v=DMARC1; p=none", &format!("_dmarc.{DOMAIN}"), "v=DKIM1", "10 "] {
        assert!(text.contains(record), "{record}: {text}");
    }
    let row = |text: &str| {
        let rows = shown.body.split("<tr>").filter(|row| words(row).contains(text));
        rows.map(words).collect::<Vec<_>>().join("\n")
    };
    assert!(row("v=DKIM1").contains("Right"), "{}", row("v=DKIM1"));
    assert!(row("v=DMARC1").contains("Not there"), "{}", row("v=DMARC1"));

    let answer = send(&mut visitor, path, &["id=\"name\""], &[("name", &["lists.club.example"])]).await;
    let shown = done(&mut visitor, &answer).await;
    let account = app.admin.get("/api/2/accounts/1/").await.good();
    let claim = &account["domains"][1];
    assert_eq!((&claim["name"], &claim["verified"]), (&json!("lists.club.example"), &json!(false)));
    assert!(words(&shown.body).contains(claim["verification"].as_str().unwrap()), "{}", shown.body);
    page(&shown, 200, "not proven yet");
    let answer = send(&mut visitor, path, &["id=\"name\""], &[("name", &["lists.club.example"])]).await;
    page(&answer, 409, "<a href=\"#name\">");
    let answer = send(&mut visitor, path, &["id=\"name\""], &[("name", &["no domain"])]).await;
    page(&answer, 400, "<a href=\"#name\">");

    // Once it is proven, lists may have their addresses there.
    let verification = claim["verification"].as_str().unwrap();
    app.dns.set(&format!("_crier.lists.club.example TXT {verification}\n")).await;
    // Until then it is known that the record is missing.
    app.advance(Duration::from_mins(2)).await;
    let answer = send(&mut visitor, path, &["value=\"check\""], &[("action", &["check"])]).await;
    let shown = done(&mut visitor, &answer).await;
    let account = app.admin.get("/api/2/accounts/1/").await.good();
    assert_eq!(account["domains"][1]["verified"], true, "{account}");
    assert!(!shown.body.contains("not proven yet"));
    for (verb, field) in [("main", "is_main"), ("web", "is_web")] {
        let marks = ["value=\"lists.club.example\"", &*format!("value=\"{verb}\"")];
        let answer = send(&mut visitor, path, &marks, &[("action", &[verb])]).await;
        done(&mut visitor, &answer).await;
        let account = app.admin.get("/api/2/accounts/1/").await.good();
        assert_eq!(
            (&account["domains"][0][field], &account["domains"][1][field]),
            (&json!(false), &json!(true))
        );
    }
}

#[tokio::test]
async fn custom_fields_are_added_changed_and_deleted_with_their_values() {
    let app = TestApp::start().await;
    let mut visitor = head(&app).await;
    let path = "/admin/settings/fields/";
    let changes: [(&str, &[&str]); 2] = [("name", &["Member number"]), ("id", &["number"])];
    let answer = send(&mut visitor, path, &["value=\"add\""], &changes).await;
    done(&mut visitor, &answer).await;
    app.admin.post("/api/2/contacts/", &[("emails", "ada@example.org"), ("number", "17")]).await.good();
    let answer = send(&mut visitor, path, &["value=\"add\""], &changes).await;
    page(&answer, 409, "<a href=\"#name\">");
    assert_eq!(Fields::of(&answer, &["value=\"add\""]).all("id"), ["number"]);
    let answer = send(&mut visitor, path, &["value=\"add\""], &[("name", &["Emails"])]).await;
    page(&answer, 400, "<a href=\"#name\">");

    let marks = ["value=\"number\"", "value=\"save\""];
    let changes: [(&str, &[&str]); 3] =
        [("name", &["Number of member"]), ("id", &["no"]), ("members_edit", &["1"])];
    let answer = send(&mut visitor, path, &marks, &changes).await;
    let shown = done(&mut visitor, &answer).await;
    let kept = Fields::of(&shown, &["value=\"no\"", "value=\"save\""]);
    assert_eq!((kept.all("name"), kept.all("members_edit")), (vec!["Number of member"], vec!["1"]));
    let contact = app.admin.get("/api/2/contacts/?email=ada@example.org").await.good()["data"][0].clone();
    assert_eq!(contact["no"], "17");
    let answer =
        send(&mut visitor, path, &["value=\"no\"", "value=\"save\""], &[("action", &["delete"])]).await;
    done(&mut visitor, &answer).await;
    let contact = app.admin.get("/api/2/contacts/?email=ada@example.org").await.good()["data"][0].clone();
    assert_eq!(contact.get("no"), None);
}

#[tokio::test]
async fn aliases_are_made_changed_and_deleted() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let mut visitor = head(&app).await;
    let path = "/admin/aliases/";
    let changes: [(&str, &[&str]); 2] =
        [("source", &["board"]), ("destination", &["ada@example.org\r\nbob@example.org"])];
    let answer = send(&mut visitor, path, &["name=\"source\""], &changes).await;
    done(&mut visitor, &answer).await;
    let alias = app.admin.get("/api/2/aliases/board/").await.good();
    assert_eq!(alias["destination"], json!(["ada@example.org", "bob@example.org"]));
    let answer = send(&mut visitor, path, &["name=\"source\""], &changes).await;
    page(&answer, 409, "role=\"alert\"");
    let wrong: [(&str, &[&str]); 2] = [("source", &["info"]), ("destination", &["nobody"])];
    let answer = send(&mut visitor, path, &["name=\"source\""], &wrong).await;
    page(&answer, 400, "<a href=\"#destination\">");
    assert_eq!(Fields::of(&answer, &["name=\"source\""]).all("destination"), ["nobody"]);

    let one = "/admin/aliases/board/";
    let changes: [(&str, &[&str]); 2] = [("source", &["office"]), ("destination", &["cy@example.org"])];
    let answer = send(&mut visitor, one, &["name=\"source\""], &changes).await;
    assert_eq!(answer.header("location"), Some("/admin/aliases/office/?done=saved"));
    done(&mut visitor, &answer).await;
    assert_eq!(visitor.get(one).await.status, 404);
    let answer =
        send(&mut visitor, "/admin/aliases/office/", &["name=\"source\""], &[("action", &["delete"])]).await;
    done(&mut visitor, &answer).await;
    assert_eq!(app.admin.get("/api/2/aliases/office/").await.status, 404);
}
