//! Undo for administrators: what a button did to members, people and aliases is taken back once within a day, and
//! overwrites nothing that happened since.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::harness::http::Response;
use crate::harness::visitor::Visitor;
use crate::people_pages::admin;

pub(crate) const PEOPLE: &str = "/admin/people/";
pub(crate) const MEMBERS: &str = "/admin/lists/news/members/";
pub(crate) const ADA: &str = "ada@example.org";

#[track_caller]
pub(crate) fn has(response: &Response, status: u16, words: &str) {
    assert_eq!(response.status, status, "{}", response.body);
    assert!(response.body.contains(words), "{words:?} is not in {}", response.body);
}

pub(crate) async fn manager(app: &TestApp) -> Visitor {
    admin(app, "eve@example.org", json!({"permissions": ["account_admin"]})).await
}

pub(crate) async fn contact(app: &TestApp, address: &str) -> Value {
    let path = format!("/api/2/contacts/?email={}", address.replace('@', "%40"));
    app.admin.get(&path).await.good()["data"][0].clone()
}

/// Presses a button of a page for the rows with these values, and goes where it leads.
pub(crate) async fn press(
    visitor: &mut Visitor,
    path: &str,
    ids: &[&str],
    fields: &[(&str, &str)],
) -> Response {
    let shown = visitor.get(path).await;
    let form = Visitor::form(&shown, path, &["name=\"id\""]);
    let ids: Vec<(&str, &str)> = ids.iter().map(|id| ("id", *id)).collect();
    let answer = visitor.submit(&form, &[&ids[..], fields].concat()).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    visitor.get(answer.header("location").unwrap()).await
}

/// Presses the button that undoes what a page tells of.
pub(crate) async fn undo(visitor: &mut Visitor, told: &Response) -> Response {
    let form = Visitor::form(told, "", &["value=\"undo\""]);
    visitor.submit(&form, &[("action", "undo")]).await
}

/// The membership of an address in a list, as the API shows it.
async fn membership(app: &TestApp, address: &str, list: &str) -> Value {
    let address = crate::harness::http::encode(address);
    let found = app.admin.get(&format!("/api/2/membership/?email={address}&list={list}")).await.good();
    found["data"][0].clone()
}

/// A list with ada, who takes digests, and bob; ada has a name.
pub(crate) async fn start() -> TestApp {
    let app = TestApp::start().await;
    app.list("news").open().create().await;
    let ada = json!({"emails": [ADA], "firstname": "Ada", "surname": "Byron", "lists": ["news"]});
    app.admin.post_json("/api/2/contacts/", &ada).await.good();
    app.join("bob@example.org", "news").await;
    let id = membership(&app, ADA, "news").await["id"].to_string();
    app.admin.put(&format!("/api/2/membership/{id}/"), &[("digest", "1")]).await.good();
    app
}

#[tokio::test]
async fn members_who_were_removed_are_named_and_put_back_once_as_they_were() {
    let app = start().await;
    let mut eve = manager(&app).await;
    let before = membership(&app, ADA, "news").await;
    let told = press(&mut eve, MEMBERS, &[&before["id"].to_string()], &[("action", "remove")]).await;
    has(&told, 200, "Removed from news: Ada Byron.");
    has(&told, 200, "Possible until tomorrow");
    assert_eq!(app.members("news").await, ["bob@example.org"]);
    let done = undo(&mut eve, &told).await;
    has(&done, 200, "As before: Ada Byron.");
    assert_eq!(app.members("news").await, [ADA, "bob@example.org"]);
    let after = membership(&app, ADA, "news").await;
    assert_eq!((&after["digest"], &after["created"]), (&before["digest"], &before["created"]));
    let log = app.admin.get("/api/2/audit/?limit=1").await.good()["data"][0].clone();
    assert_eq!((&log["action"], &log["detail"]), (&json!("membership.created"), &json!("news, undone")));
    assert_eq!(log["actor"]["name"], json!("eve@example.org"));
    has(&undo(&mut eve, &told).await, 410, "This was undone already");
    assert_eq!(app.members("news").await.len(), 2);
}

#[tokio::test]
async fn nobody_is_put_back_who_left_since_and_nothing_is_overwritten() {
    let app = start().await;
    let mut eve = manager(&app).await;
    assert_eq!(app.send_mail(ADA, "news@lists.example.org", "Subject: hello\n\nhi").await.code, 250);
    app.settle().await;
    let ada = membership(&app, ADA, "news").await["id"].to_string();
    let bob = membership(&app, "bob@example.org", "news").await["id"].to_string();
    let told = press(&mut eve, MEMBERS, &[&ada, &bob], &[("action", "digest"), ("digest", "0")]).await;
    has(&told, 200, "How mail of news comes is set for");
    app.admin.put(&format!("/api/2/membership/{bob}/"), &[("digest", "1")]).await.good();
    let done = undo(&mut eve, &told).await;
    has(&done, 200, "As before: Ada Byron.");
    has(&done, 200, "bob@example.org: somebody has made a change since.");
    assert_eq!(membership(&app, ADA, "news").await["digest"], json!(1));
    assert_eq!(membership(&app, "bob@example.org", "news").await["digest"], json!(1));
    // Bob is removed, comes back by another administrator, and leaves by himself.
    let copy = app.sink.mail_to("bob@example.org").header("List-Unsubscribe").unwrap();
    let link = copy.split("<https://lists.example.org").nth(1).unwrap().split('>').next().unwrap().to_owned();
    let told = press(&mut eve, MEMBERS, &[&bob], &[("action", "remove")]).await;
    app.join("bob@example.org", "news").await;
    has(&undo(&mut eve, &told).await, 200, "bob@example.org: it is so already.");
    let left = app.anon.post(&link, &[("List-Unsubscribe", "One-Click")]).await;
    assert_eq!(left.status, 200, "{}", left.body);
    let done = undo(&mut eve, &told).await;
    has(&done, 200, "Nothing could be undone");
    has(&done, 200, "bob@example.org left or complained since.");
    assert_eq!(app.members("news").await, [ADA]);
}

#[tokio::test]
async fn people_who_were_deleted_come_back_with_what_they_had() {
    let app = start().await;
    app.list("talk").create().await;
    app.join(ADA, "talk").await;
    app.pause(ADA).await;
    let before = contact(&app, ADA).await;
    let id = before["id"].to_string();
    app.admin.put(&format!("/api/2/contacts/{id}/"), &[("notes", "Alto")]).await.good();
    let before = app.admin.get(&format!("/api/2/contacts/{id}/")).await.good();
    let mut eve = manager(&app).await;
    let told = press(&mut eve, PEOPLE, &[&id], &[("action", "delete")]).await;
    has(&told, 200, "Deleted: Ada Byron.");
    assert_eq!(app.admin.get(&format!("/api/2/contacts/{id}/")).await.status, 404);
    // The address book keeps nothing else of her, and nobody else may undo it.
    let mut other = admin(&app, "other@example.org", json!({"permissions": ["send_messages"]})).await;
    let form = Visitor::form(&told, "", &["value=\"undo\""]);
    assert_eq!(other.get(form.action).await.status, 410);
    has(&eve.get(form.action).await, 200, "Deleted: Ada Byron.");
    has(&undo(&mut eve, &told).await, 200, "As before: Ada Byron.");
    let after = app.admin.get(&format!("/api/2/contacts/{id}/")).await.good();
    for field in ["firstname", "surname", "notes", "emails"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(app.members("talk").await, [ADA]);
    assert!(app.members("news").await.contains(&ADA.to_owned()));
    // An address that somebody else has by now stays with them.
    let told = press(&mut eve, PEOPLE, &[&id], &[("action", "delete")]).await;
    app.join(ADA, "talk").await;
    has(
        &undo(&mut eve, &told).await,
        200,
        "Ada Byron: the address or the name belongs to somebody else now.",
    );
    assert_eq!(app.admin.get(&format!("/api/2/contacts/{id}/")).await.status, 404);
}

#[tokio::test]
async fn bulk_actions_and_aliases_are_undone_within_a_day() {
    let app = start().await;
    app.list("talk").create().await;
    let mut eve = manager(&app).await;
    let ada = contact(&app, ADA).await["id"].to_string();
    let bob = contact(&app, "bob@example.org").await["id"].to_string();
    let (ada, bob) = (ada.as_str(), bob.as_str());
    let told = press(&mut eve, PEOPLE, &[ada, bob], &[("action", "add"), ("list", "talk")]).await;
    has(&told, 200, "Added to talk: ");
    assert_eq!(app.members("talk").await.len(), 2);
    has(&undo(&mut eve, &told).await, 200, "As before: ");
    assert_eq!(app.members("talk").await.len(), 0);
    app.pause("bob@example.org").await;
    let told = press(&mut eve, PEOPLE, &[ada, bob], &[("action", "resume")]).await;
    has(&told, 200, "Mail goes out again to bob@example.org.");
    has(&undo(&mut eve, &told).await, 200, "As before: bob@example.org.");
    assert_eq!(app.email("bob@example.org").await["paused"], json!(true));
    app.admin.post("/api/2/aliases/", &[("source", "office"), ("destination", ADA)]).await.good();
    let path = "/admin/aliases/office/";
    let shown = eve.get(path).await;
    let form = Visitor::form(&shown, path, &["value=\"delete\""]);
    let answer = eve.submit(&form, &[("action", "delete")]).await;
    let told = eve.get(answer.header("location").unwrap()).await;
    has(&told, 200, "Alias deleted: office.");
    has(&undo(&mut eve, &told).await, 200, "As before: office.");
    assert_eq!(app.admin.get("/api/2/aliases/office/").await.good()["destination"], json!([ADA]));
    // A person's page takes somebody off a list; after a day that stands.
    let path = format!("{PEOPLE}{ada}/");
    let shown = eve.get(&path).await;
    let form = Visitor::form(&shown, &path, &["value=\"leave\""]);
    let answer = eve.submit(&form, &[("action", "leave")]).await;
    let told = eve.get(answer.header("location").unwrap()).await;
    has(&told, 200, "Removed from news: Ada Byron.");
    app.advance(Duration::from_hours(25)).await;
    // The session of eve is over as well.
    let mut later = admin(&app, "later@example.org", json!({"permissions": ["account_admin"]})).await;
    let form = Visitor::form(&told, "", &["value=\"undo\""]);
    has(&later.get(form.action).await, 410, "its day is over");
    assert!(!app.dump("undo").contains("Undo {"), "{}", app.dump("undo"));
}

#[tokio::test]
async fn who_sees_other_lists_alone_undoes_nothing_of_this_one() {
    let app = start().await;
    app.list("talk").create().await;
    let mut eve = manager(&app).await;
    let id = membership(&app, ADA, "news").await["id"].to_string();
    let told = press(&mut eve, MEMBERS, &[&id], &[("action", "remove")]).await;
    let rights =
        |list: &str| json!({"permissions": ["manage_members", "limit_lists"], "limit_lists": [list]});
    let mut of_talk = admin(&app, "talk@example.org", rights("talk")).await;
    let mut of_news = admin(&app, "news@example.org", rights("news")).await;
    let form = Visitor::form(&told, "", &["value=\"undo\""]);
    let shown = of_talk.get(form.action).await;
    has(&shown, 410, "This was undone already");
    assert!(!shown.body.contains("Ada"), "{}", shown.body);
    let shown = of_news.get(form.action).await;
    has(&undo(&mut of_news, &shown).await, 200, "As before: Ada Byron.");
    assert_eq!(app.members("news").await.len(), 2);
}

/// The path of the link for leaving in the copy that an address got.
fn link_to_leave(app: &TestApp, address: &str) -> String {
    let copy = app.sink.mail_to(address).header("List-Unsubscribe").unwrap();
    copy.split("<https://lists.example.org").nth(1).unwrap().split('>').next().unwrap().to_owned()
}

#[tokio::test]
async fn who_asks_to_leave_after_being_removed_is_not_put_back() {
    let app = start().await;
    let mut eve = manager(&app).await;
    assert_eq!(app.send_mail(ADA, "news@lists.example.org", "Subject: hello\n\nhi").await.code, 250);
    app.settle().await;
    let link = link_to_leave(&app, "bob@example.org");
    let id = membership(&app, "bob@example.org", "news").await["id"].to_string();
    let told = press(&mut eve, MEMBERS, &[&id], &[("action", "remove")]).await;
    // A program may send its form twice.
    for _ in 0..2 {
        let left = app.anon.post(&link, &[("List-Unsubscribe", "One-Click")]).await;
        assert_eq!(left.status, 200, "{}", left.body);
    }
    let log = app.admin.get("/api/2/audit/?limit=2").await.good()["data"].clone();
    assert_eq!(log[0]["detail"], json!("news: opted out"));
    assert_eq!(log[1]["action"], json!("membership.deleted"), "it is noted once");
    has(&undo(&mut eve, &told).await, 200, "bob@example.org left or complained since.");
    assert_eq!(app.members("news").await, [ADA]);
}

#[tokio::test]
async fn who_is_removed_and_leaves_by_the_button_of_an_open_page_is_not_put_back() {
    let app = start().await;
    let mut eve = manager(&app).await;
    assert_eq!(app.send_mail(ADA, "news@lists.example.org", "Subject: hello\n\nhi").await.code, 250);
    app.settle().await;
    let link = link_to_leave(&app, "bob@example.org");
    let id = membership(&app, "bob@example.org", "news").await["id"].to_string();
    let told = press(&mut eve, MEMBERS, &[&id], &[("action", "remove")]).await;
    let left = app.anon.post(&link, &[("action", "leave"), ("confirm", "1")]).await;
    assert_eq!(left.status, 200, "{}", left.body);
    has(&undo(&mut eve, &told).await, 200, "bob@example.org left or complained since.");
    assert_eq!(app.members("news").await, [ADA]);
}

#[tokio::test]
async fn custom_fields_that_the_administrator_does_not_see_come_back_with_a_person() {
    let app = start().await;
    app.add_field("team", None).await;
    app.add_field("salary", None).await;
    let id = contact(&app, ADA).await["id"].to_string();
    let path = format!("/api/2/contacts/{id}/");
    app.admin.put(&path, &[("team", "red"), ("salary", "7")]).await.good();
    let rights = json!({"permissions": ["manage_members", "limit_metadata"], "limit_metadata": ["team"]});
    let mut of_teams = admin(&app, "teams@example.org", rights).await;
    let told = press(&mut of_teams, PEOPLE, &[&id], &[("action", "delete")]).await;
    has(&undo(&mut of_teams, &told).await, 200, "As before: Ada Byron.");
    let after = app.admin.get(&path).await.good();
    assert_eq!((&after["team"], &after["salary"]), (&json!("red"), &json!("7")));
}

#[tokio::test]
async fn people_on_no_list_are_restored_by_those_alone_who_see_all_lists() {
    let app = start().await;
    let hidden = json!({"emails": ["hidden@example.org"], "firstname": "Hidden"});
    app.admin.post_json("/api/2/contacts/", &hidden).await.good();
    let id = contact(&app, "hidden@example.org").await["id"].to_string();
    let mut eve = manager(&app).await;
    let told = press(&mut eve, PEOPLE, &[&id], &[("action", "delete")]).await;
    let rights = json!({"permissions": ["manage_members", "limit_lists"], "limit_lists": ["news"]});
    let mut of_news = admin(&app, "news@example.org", rights).await;
    let form = Visitor::form(&told, "", &["value=\"undo\""]);
    let shown = of_news.get(form.action).await;
    has(&shown, 410, "This was undone already");
    assert!(!shown.body.contains("Hidden"), "{}", shown.body);
    has(&undo(&mut eve, &told).await, 200, "As before: Hidden.");
}

#[tokio::test]
async fn a_person_who_opted_out_of_everything_stays_deleted() {
    let app = start().await;
    let id = contact(&app, ADA).await["id"].to_string();
    let mut eve = manager(&app).await;
    let told = press(&mut eve, PEOPLE, &[&id], &[("action", "delete")]).await;
    let page = eve.get("/admin/people/import/").await;
    let form = Visitor::form(&page, "/admin/people/import/", &["name=\"csv\""]);
    let rows = "email,status\nada@example.org,unsubscribed\n";
    let preview = eve.submit(&form, &[("csv", rows), ("action", "preview")]).await;
    let form = Visitor::form(&preview, "/admin/people/import/", &["value=\"import\""]);
    let begun = eve.submit(&form, &[("action", "import")]).await;
    let task = begun.header("location").unwrap().to_owned();
    for _ in 0..20_000 {
        if eve.get(&task).await.body.contains("The import is done.") {
            break;
        }
    }
    assert!(app.dump("opt_out").contains("OptOut {"));
    let done = undo(&mut eve, &told).await;
    has(&done, 200, "Nothing could be undone");
    has(&done, 200, "Ada Byron left or complained since.");
    assert_eq!(app.admin.get(&format!("/api/2/contacts/{id}/")).await.status, 404);
}

#[tokio::test]
async fn what_was_kept_of_a_deleted_person_goes_when_the_person_is_erased() {
    let app = start().await;
    let id = contact(&app, ADA).await["id"].to_string();
    let mut eve = manager(&app).await;
    let told = press(&mut eve, PEOPLE, &[&id], &[("action", "delete")]).await;
    assert!(app.dump("undo").contains("Ada Byron"), "{}", app.dump("undo"));
    app.join(ADA, "news").await;
    let again = contact(&app, ADA).await["id"].to_string();
    let path = format!("{PEOPLE}{again}/");
    let shown = eve.get(&path).await;
    let form = Visitor::form(&shown, &path, &["value=\"erase\""]);
    let erased = eve.submit(&form, &[("action", "erase"), ("posts", "keep")]).await;
    assert_eq!(erased.status, 303, "{}", erased.body);
    assert!(!app.dump("undo").contains("Undo {"), "{}", app.dump("undo"));
    has(&undo(&mut eve, &told).await, 410, "This was undone already");
    assert_eq!(app.members("news").await, ["bob@example.org"]);
}

#[tokio::test]
async fn a_person_who_comes_back_without_a_list_is_told_of() {
    let app = start().await;
    app.list("talk").create().await;
    app.join(ADA, "talk").await;
    let id = contact(&app, ADA).await["id"].to_string();
    let mut eve = manager(&app).await;
    let told = press(&mut eve, PEOPLE, &[&id], &[("action", "delete")]).await;
    app.admin.delete("/api/2/lists/talk/").await.good();
    let done = undo(&mut eve, &told).await;
    has(&done, 200, "As before: Ada Byron.");
    has(&done, 200, "Ada Byron: ");
    assert!(app.members("news").await.contains(&ADA.to_owned()));
}

#[tokio::test]
async fn each_of_many_changes_of_a_membership_can_be_undone_from_the_overview() {
    let app = start().await;
    let mut eve = manager(&app).await;
    let id = membership(&app, ADA, "news").await["id"].to_string();
    for digest in ["0", "1", "0", "1", "0"] {
        app.advance(Duration::from_mins(2)).await;
        press(&mut eve, MEMBERS, &[&id], &[("action", "digest"), ("digest", digest)]).await;
    }
    let shown = eve.get("/admin/").await;
    assert_eq!(shown.body.matches("/admin/undo/").count(), 5, "{}", shown.body);
}

#[tokio::test]
async fn resuming_more_addresses_than_can_be_undone_keeps_nothing() {
    let app = start().await;
    let person = |n: usize| {
        let email = |m: usize| json!({"email": format!("p{n}.{m}@example.org"), "paused": true});
        json!({"emails": [email(0), email(1), email(2)]})
    };
    for part in (0..334).collect::<Vec<usize>>().chunks(50) {
        let rows: Value = part.iter().map(|n| person(*n)).collect();
        app.admin.post_json("/api/2/contacts/batch/", &rows).await.good();
    }
    let mut eve = manager(&app).await;
    let found = format!("{PEOPLE}?state=paused");
    let shown = eve.get(&found).await;
    let form = Visitor::form(&shown, &found, &["name=\"id\""]);
    let answer = eve.submit(&form, &[("action", "resume"), ("all", "1")]).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let told = answer.header("location").unwrap();
    assert!(told.contains("done=resume&count=334") && !told.contains("undo"), "{told}");
    assert!(!app.dump("undo").contains("Undo {"));
}

#[tokio::test]
async fn who_sees_some_lists_undoes_what_it_did_to_their_members() {
    let app = start().await;
    app.pause(ADA).await;
    let id = contact(&app, ADA).await["id"].to_string();
    let rights = json!({"permissions": ["manage_members", "limit_lists"], "limit_lists": ["news"]});
    let mut of_news = admin(&app, "news@example.org", rights).await;
    let told = press(&mut of_news, PEOPLE, &[&id], &[("action", "resume")]).await;
    has(&undo(&mut of_news, &told).await, 200, "As before: Ada Byron.");
    assert_eq!(app.email(ADA).await["paused"], json!(true));
}
