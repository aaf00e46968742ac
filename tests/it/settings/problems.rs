//! What is wrong with a form, in the language of its page: the API's English and its names of fields stay there.

use serde_json::json;

use super::{admin, head, page, send};
use crate::harness::TestApp;

const LIST: &str = "/admin/lists/news/";
const ADVANCED: &str = "/admin/lists/news/advanced/";

#[tokio::test]
async fn a_problem_is_said_in_the_language_of_the_page() {
    let app = TestApp::start().await;
    for name in ["board", "news"] {
        app.list(name).create().await;
    }
    app.admin.put_json("/api/2/lists/board/", &json!({"clid": "B1"})).await.good();
    let mut visitor = head(&app).await;
    let expected = [
        (
            "de",
            "Nummer in einem anderen System: eine andere Liste hat sie schon",
            "Schalter dafür, wer schreiben darf: „Nur diese Absender“ braucht „Mitglieder der unten angekreuzten \
             Listen“ oder „die Adressen unter Grundlegendes“, und jedes davon braucht „Nur diese Absender“",
        ),
        (
            "fr",
            "une autre liste l’a déjà",
            "«\u{a0}Seulement ces expéditeurs\u{a0}» demande «\u{a0}les membres des listes cochées plus bas\u{a0}»",
        ),
        (
            "es",
            "Número en otro sistema: ya lo tiene otra lista",
            "«Solo estos remitentes» necesita «miembros de las listas marcadas abajo»",
        ),
    ];
    for (language, taken, moderate) in expected {
        let path = format!("{ADVANCED}?lang={language}");
        let answer = send(&mut visitor, &path, &["name=\"clid\""], &[("clid", &["B1"])]).await;
        page(&answer, 409, taken);
        assert!(!answer.body.contains("another list has it"), "{}", answer.body);
        let answer = send(&mut visitor, &path, &["name=\"clid\""], &[("moderate", &["2"])]).await;
        page(&answer, 400, moderate);
        assert!(!answer.body.contains("only specific senders"), "{}", answer.body);
    }
    let taken = app.admin.put_json("/api/2/lists/news/", &json!({"clid": "B1"})).await;
    taken.error(409, "clid: another list has it");
    let wrong = app.admin.put_json("/api/2/lists/news/", &json!({"moderate": 2})).await;
    wrong.error(
        400,
        "moderate: 2 (only specific senders) needs 4 (members of lists) or 8 (allowed addresses)",
    );
}

#[tokio::test]
async fn all_problems_of_a_form_are_said_at_once() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let mut visitor = head(&app).await;
    let changes: [(&str, &[&str]); 3] =
        [("maxlength", &["90000"]), ("taboo_body", &["(\r\nfine"]), ("moderate", &["8"])];
    let answer = send(&mut visitor, &format!("{ADVANCED}?lang=de"), &["name=\"clid\""], &changes).await;
    for words in [
        "muss eine ganze Zahl von 1 bis ",
        "(: ist kein Muster, das sich lesen lässt",
        "Schalter dafür, wer schreiben darf: „Nur diese Absender“ braucht",
    ] {
        page(&answer, 400, words);
    }
    for english in ["must be", "needs 4", "has a domain that is not valid", "unclosed group:"] {
        assert!(!answer.body.contains(english), "{english}: {}", answer.body);
    }
}

#[tokio::test]
async fn pages_name_things_by_their_labels_and_not_as_the_api_does() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let account = format!("/api/2/accounts/{}/", app.account_id());
    app.admin.put_json(&account, &json!({"restrict_contact": ["@example\\.org$"]})).await.good();
    let mut visitor = head(&app).await;
    for (language, words) in [
        ("en", "ada@example.net: this account does not allow the address ada@example.net"),
        ("de", "ada@example.net: das Konto erlaubt die Adresse ada@example.net nicht"),
        ("fr", "le compte n’accepte pas l’adresse ada@example.net"),
        ("es", "ada@example.net: la cuenta no permite la dirección ada@example.net"),
    ] {
        let path = format!("{LIST}members/?lang={language}");
        let added =
            send(&mut visitor, &path, &["name=\"emails\""], &[("emails", &["ada@example.net"])]).await;
        page(&added, 400, words);
        assert!(!added.body.contains("restrict_contact"), "{}", added.body);
    }
    let refused = app.admin.post("/api/2/contacts/", &[("emails", "ada@example.net")]).await;
    refused.error(400, "ada@example.net matches none of the patterns of restrict_contact");
    // The last one who administers the account stays so.
    let mut other = admin(&app, "vice@example.org", &json!({"permissions": ["account_admin"]})).await;
    let admins = app.admin.get("/api/2/admins/").await.good();
    let id = |name: &str| {
        let rows = admins["data"].as_array().unwrap();
        rows.iter().find(|row| row["username"] == name).unwrap()["id"].to_string()
    };
    let path = format!("/admin/administrators/{}/?lang=de", id("vice@example.org"));
    let own = send(&mut other, &path, &["name=\"username\""], &[("username", &["head@example.org"])]).await;
    page(&own, 409, "jemand anderes in der Verwaltung hat diese Adresse schon");
    assert!(!own.body.contains("another administrator"), "{}", own.body);
}
