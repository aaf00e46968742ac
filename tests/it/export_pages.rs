//! The buttons by which an administrator takes an account or a list along as a zip file.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};

use crier::model::AccountId;
use serde_json::json;
use zip::ZipArchive;

use crate::harness::TestApp;
use crate::harness::http::Response;
use crate::harness::visitor::Visitor;

async fn admin(app: &TestApp, address: &str, permissions: &[&str]) -> Visitor {
    let person = app.new_admin(AccountId(app.account_id()), address).await;
    let fields = json!({"permissions": permissions});
    app.admin.put_json(&format!("/api/2/admins/{address}/"), &fields).await.good();
    Visitor::signed_in(app, person).await
}

/// The files of a zip file.
fn unpacked(response: &Response) -> BTreeMap<String, String> {
    assert_eq!(response.status, 200, "{}", response.body);
    assert_eq!(response.header("content-type"), Some("application/zip"));
    let mut zip = ZipArchive::new(Cursor::new(&response.bytes)).unwrap();
    let mut files = BTreeMap::new();
    for place in 0..zip.len() {
        let mut file = zip.by_index(place).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        files.insert(file.name().to_owned(), text);
    }
    files
}

#[tokio::test]
async fn an_account_and_a_list_are_taken_along_as_zip_files() {
    let app = TestApp::start().await;
    app.admin.post_json("/api/2/lists/", &json!({"name": "choir"})).await.good();
    app.admin.post_json("/api/2/lists/", &json!({"name": "news"})).await.good();
    let ada = json!({"emails": ["ada@example.org"], "firstname": "Ada", "lists": ["choir", "news"]});
    app.admin.post_json("/api/2/contacts/", &ada).await.good();
    let bob = json!({"emails": ["bob@example.org"], "lists": ["news"]});
    app.admin.post_json("/api/2/contacts/", &bob).await.good();
    let mut boss = admin(&app, "boss@example.org", &["account_admin"]).await;

    let settings = boss.get("/admin/settings/").await;
    let (path, mark) = ("/admin/settings/", "value=\"export\"");
    let file = boss.submit(&Visitor::form(&settings, path, &[mark]), &[("action", "export")]).await;
    assert_eq!(file.header("content-disposition"), Some("attachment; filename=\"account.zip\""));
    let files = unpacked(&file);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    for name in [
        "README.txt",
        "account.json",
        "administrators.json",
        "aliases.json",
        "archives/choir.mbox",
        "lists.json",
    ] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    let people = &files["contacts.csv"];
    assert!(people.contains("ada@example.org") && people.contains("bob@example.org"), "{people}");
    assert!(files["administrators.json"].contains("boss@example.org"));

    let advanced = boss.get("/admin/lists/choir/advanced/").await;
    let (path, mark) = ("/admin/lists/choir/advanced/", "value=\"export\"");
    let file = boss.submit(&Visitor::form(&advanced, path, &[mark]), &[("action", "export")]).await;
    let files = unpacked(&file);
    let people = &files["contacts.csv"];
    assert!(people.contains("ada@example.org") && !people.contains("bob@example.org"), "{people}");
    assert!(!files.contains_key("administrators.json"));

    let log = boss.get("/admin/audit/?action=export").await;
    let rows = log.body.split("<tbody>").nth(1).unwrap();
    assert!(rows.contains("choir") && rows.contains("account"), "{rows}");
}

#[tokio::test]
async fn whoever_has_no_fresh_proof_or_no_right_takes_nothing_along() {
    let app = TestApp::start().await;
    app.admin.post_json("/api/2/lists/", &json!({"name": "choir"})).await.good();
    let mut boss = admin(&app, "boss@example.org", &["account_admin"]).await;
    let advanced = boss.get("/admin/lists/choir/advanced/").await;
    app.advance(std::time::Duration::from_mins(16)).await;
    let (path, mark) = ("/admin/lists/choir/advanced/", "value=\"export\"");
    let asked = boss.submit(&Visitor::form(&advanced, path, &[mark]), &[("action", "export")]).await;
    assert_eq!(asked.status, 303, "{}", asked.body);
    assert!(asked.header("location").unwrap().contains("/login/again/?next="), "{:?}", asked.headers);

    let mut keeper = admin(&app, "keeper@example.org", &["manage_settings", "manage_members"]).await;
    let shown = keeper.get("/admin/lists/choir/advanced/").await;
    assert!(shown.status == 200 && !shown.body.contains(mark), "{}", shown.body);
    // Neither by a form of their own.
    let form = Visitor::form(&shown, path, &["name=\"csrf\"", "advanced/"]);
    assert_eq!(keeper.submit(&form, &[("action", "export")]).await.status, 403);
}

#[tokio::test]
async fn whoever_does_not_see_all_fields_of_people_takes_nothing_along() {
    let app = TestApp::start().await;
    app.admin.post_json("/api/2/lists/", &json!({"name": "choir"})).await.good();
    let mut half =
        admin(&app, "half@example.org", &["account_admin", "manage_settings", "limit_metadata"]).await;
    for path in ["/admin/settings/", "/admin/lists/choir/advanced/"] {
        let shown = half.get(path).await;
        assert!(shown.status == 200 && !shown.body.contains("value=\"export\""), "{path}: {}", shown.body);
        let form = Visitor::form(&shown, path, &["name=\"csrf\"", path]);
        assert_eq!(half.submit(&form, &[("action", "export")]).await.status, 403, "{path}");
    }
}
