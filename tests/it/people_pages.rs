//! The address book on administrators' pages: listing, search, filters, positions, files, one person, several at once.

use std::time::Duration;

use crier::model::{AccountId, Contact, Person};
use crier::store::{Read as _, StoreError};
use serde_json::{Value, json};

use crate::harness::http::Response;
use crate::harness::sink::Act;
use crate::harness::visitor::Visitor;
use crate::harness::{DOMAIN, TestApp};

const PEOPLE: &str = "/admin/people/";
const HELLO: &str = "From: member1@example.org\nSubject: Hello all\n\nhi\n";

/// Signs an administrator with these fields in.
pub(crate) async fn admin(app: &TestApp, address: &str, fields: Value) -> Visitor {
    let person = app.new_admin(AccountId(app.account_id()), address).await;
    app.admin.put_json(&format!("/api/2/admins/{address}/"), &fields).await.good();
    Visitor::signed_in(app, person).await
}

async fn manager(app: &TestApp) -> Visitor {
    admin(app, "eve@example.org", json!({"permissions": ["account_admin"]})).await
}

/// The id of the contact with an address.
async fn id_of(app: &TestApp, address: &str) -> String {
    let path = format!("/api/2/contacts/?email={}", address.replace('@', "%40"));
    app.admin.get(&path).await.good()["data"][0]["id"].to_string()
}

async fn contact(app: &TestApp, id: &str) -> Value {
    app.admin.get(&format!("/api/2/contacts/{id}/")).await.good()
}

#[track_caller]
fn has(response: &Response, status: u16, words: &str) {
    assert_eq!(response.status, status, "{}", response.body);
    assert!(response.body.contains(words), "{words:?} is not in {}", response.body);
}

/// The ids of the people on a page, in its order.
fn shown(page: &Response) -> Vec<u64> {
    let rows = page.body.split("name=\"id\" value=\"").skip(1);
    rows.map(|row| row.split('"').next().unwrap().parse().unwrap()).collect()
}

/// The address of a link with this relation.
pub(crate) fn link(page: &Response, rel: &str) -> Option<String> {
    let rest = page.body.split(&format!("<a rel=\"{rel}\" href=\"")).nth(1)?;
    Some(rest.split('"').next().unwrap().replace("&#38;", "&").replace("&amp;", "&"))
}

/// The newest entry of the audit log.
async fn noted(app: &TestApp) -> (String, String, String) {
    let entry = app.admin.get("/api/2/audit/?limit=1").await.good()["data"][0].clone();
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    (word(&entry["action"]), word(&entry["object"]["name"]), word(&entry["detail"]))
}

#[tokio::test]
async fn pages_lead_to_one_another_in_both_directions_and_orders() {
    let app = TestApp::start().await;
    app.list("news").members(130).create().await;
    let mut eve = manager(&app).await;
    let all: Vec<u64> = app.admin.get("/api/2/contacts/?limit=1000&fields=id").await.good()["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["id"].as_u64().unwrap())
        .collect();
    for (query, expected) in [
        ("", all.clone()),
        ("?list=news", all.clone()),
        ("?search=member", all.clone()),
        ("?sort=-since", all.iter().rev().copied().collect()),
        ("?sort=-since&list=news", all.iter().rev().copied().collect()),
        ("?sort=-since&search=example", all.iter().rev().copied().collect()),
    ] {
        let mut page = eve.get(&format!("{PEOPLE}{query}")).await;
        has(&page, 200, "130 people");
        assert!(link(&page, "prev").is_none(), "{query}");
        let mut seen = shown(&page);
        let mut back = Vec::new();
        while let Some(next) = link(&page, "next") {
            page = eve.get(&format!("{PEOPLE}{next}")).await;
            assert_eq!(page.status, 200, "{next}");
            seen.extend(shown(&page));
            back.push(shown(&page));
        }
        assert_eq!(seen, expected, "{query}");
        assert_eq!(back.len(), 2, "pages of fifty: {query}");
        let previous = link(&page, "prev").expect("a page before the last");
        assert_eq!(shown(&eve.get(&format!("{PEOPLE}{previous}")).await), back[0], "{query}");
    }
    // By their number, too, from either end.
    for (page, rows) in [(1, 0..50), (2, 50..100), (3, 100..130)] {
        assert_eq!(shown(&eve.get(&format!("{PEOPLE}?page={page}")).await), all[rows], "{page}");
    }
    assert!(shown(&eve.get(&format!("{PEOPLE}?page=9")).await).is_empty());
    for wrong in ["?page=0", "?page=x", "?after=x"] {
        assert_eq!(eve.get(&format!("{PEOPLE}{wrong}")).await.status, 400, "{wrong}");
    }
    assert_eq!(eve.get(&format!("{PEOPLE}?list=nothing")).await.status, 404);
}

#[tokio::test]
async fn people_are_sorted_by_their_names_where_they_are_few() {
    let app = TestApp::start().await;
    for (name, address) in
        [("Zoe Adams", "a@x.org"), ("Ada Zuse", "b@x.org"), ("", "c@x.org"), ("Bo Adams", "d@x.org")]
    {
        let (first, sur) = name.split_once(' ').unwrap_or_default();
        app.admin
            .post_json("/api/2/contacts/", &json!({"firstname": first, "surname": sur, "emails": [address]}))
            .await
            .good();
    }
    let mut eve = manager(&app).await;
    let names = |page: &Response| -> Vec<&str> {
        ["Zoe Adams", "Ada Zuse", "(no name)", "Bo Adams"]
            .into_iter()
            .map(|name| {
                (
                    page.body.find(&format!(">{name}<")).unwrap_or_else(|| panic!("{name}: {}", page.body)),
                    name,
                )
            })
            .collect::<std::collections::BTreeMap<_, _>>()
            .into_values()
            .map(|name| Box::leak(name.to_owned().into_boxed_str()) as &str)
            .collect()
    };
    let up = eve.get(&format!("{PEOPLE}?sort=name")).await;
    assert_eq!(names(&up), ["Bo Adams", "Zoe Adams", "Ada Zuse", "(no name)"]);
    assert!(
        up.body.contains("aria-sort=\"ascending\"") && up.body.contains("?sort=-name")
            || up.body.contains("sort=%2Dname")
    );
    let down = eve.get(&format!("{PEOPLE}?sort=-name")).await;
    assert_eq!(names(&down), ["(no name)", "Ada Zuse", "Zoe Adams", "Bo Adams"]);
}

#[tokio::test]
async fn a_file_has_everybody_who_is_shown_and_no_formula() {
    let app = TestApp::start().await;
    app.list("news").members(3).create().await;
    app.admin
        .post_json(
            "/api/2/contacts/",
            &json!({"firstname": "=SUM(1)", "surname": "Zed, \"Z\"", "emails": ["zed@x.org"], "lists": ["news"]}),
        )
        .await
        .good();
    let mut eve = manager(&app).await;
    let page = eve.get(&format!("{PEOPLE}?search=zed&list=news")).await;
    has(&page, 200, "format=csv");
    let file = eve.get(&format!("{PEOPLE}?search=zed&list=news&format=csv")).await;
    assert_eq!(file.status, 200);
    assert_eq!(file.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(file.header("content-disposition"), Some("attachment; filename=\"people.csv\""));
    let lines: Vec<&str> = file.body.lines().collect();
    assert_eq!(lines[0], "\u{feff}id,ccid,firstname,surname,emails,lists,paused,created,notes");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[1].contains(",'=SUM(1),\"Zed, \"\"Z\"\"\",zed@x.org,news,,2026-11-20T12:00:00"),
        "{lines:?}"
    );
    let (action, object, detail) = noted(&app).await;
    assert_eq!(
        (action.as_str(), object.as_str(), detail.as_str()),
        ("export", "people", "search, list news")
    );
    assert_eq!(eve.get(&format!("{PEOPLE}?format=csv")).await.body.lines().count(), 5);
}

#[tokio::test]
async fn somebody_is_added_and_changed_by_the_fields_of_the_api() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let mut eve = manager(&app).await;
    let path = "/admin/people/new/";
    let form = eve.get(path).await;
    let form = Visitor::form(&form, path, &["name=\"firstname\""]);
    let wrong = [("firstname", "Ada"), ("emails", "ada.example.org"), ("notes", "one\r\ntwo")];
    let refused = eve.submit(&form, &wrong).await;
    has(&refused, 400, "role=\"alert\"");
    for part in ["href=\"#emails\"", "aria-invalid=\"true\"", "value=\"Ada\"", "ada.example.org</textarea>"] {
        assert!(refused.body.contains(part), "{part} is not in {}", refused.body);
    }
    let fields = [
        ("firstname", "Ada"),
        ("surname", "Lovelace"),
        ("emails", "ada@example.org\r\nada@example.net\r\n"),
        ("lists", "news"),
        ("notes", "one\r\ntwo"),
        ("action", "save"),
    ];
    let made = eve.submit(&form, &fields).await;
    assert_eq!(made.status, 303, "{}", made.body);
    let (page, _) = made.header("location").unwrap().split_once('?').unwrap();
    let (page, id) = (page.to_owned(), page.trim_end_matches('/').rsplit('/').next().unwrap().to_owned());
    let shown = eve.get(made.header("location").unwrap()).await;
    has(&shown, 200, "role=\"status\"");
    let ada = contact(&app, &id).await;
    assert_eq!((&ada["firstname"], &ada["notes"]), (&json!("Ada"), &json!("one\ntwo")));
    assert_eq!(ada["emails"].as_array().unwrap().len(), 2);
    assert_eq!(ada["lists"][0]["list"], "news");
    assert_eq!(noted(&app).await.0, "contact.created");

    let record = Visitor::form(&shown, &page, &["name=\"surname\""]);
    let other = app.new_member(AccountId(app.account_id()), "taken@example.org").await;
    let taken = eve
        .submit(&record, &[("firstname", "Adah"), ("surname", "L"), ("emails", "taken@example.org")])
        .await;
    has(&taken, 409, "role=\"alert\"");
    assert!(taken.body.contains("value=\"Adah\""), "what was typed stays: {}", taken.body);
    let saved = eve
        .submit(
            &record,
            &[("firstname", "Augusta"), ("surname", ""), ("emails", "ada@example.net"), ("action", "save")],
        )
        .await;
    assert_eq!(saved.status, 303, "{}", saved.body);
    let ada = contact(&app, &id).await;
    assert_eq!((&ada["firstname"], &ada["surname"]), (&json!("Augusta"), &json!("")));
    assert_eq!(ada["emails"][0]["email"], "ada@example.net");
    assert_eq!(ada["lists"][0]["list"], "news", "what the form does not have stays");
    assert_eq!(
        noted(&app).await,
        ("contact.updated".into(), "ada@example.net".into(), "firstname, surname, emails".into())
    );
    // The address of one person's page changes nothing of another's.
    let Person::Member(other) = other else { panic!("a member") };
    let email = ada["emails"][0]["id"].to_string();
    let forged = eve
        .post(
            &format!("{PEOPLE}{other}/"),
            &[record_csrf(&record), ("action", "email"), ("email", &email), ("paused", "1")],
        )
        .await;
    assert_eq!(forged.status, 400, "{}", forged.body);
    assert_eq!(contact(&app, &id).await["emails"][0]["paused"], json!(false));
}

fn record_csrf<'f>(form: &crate::harness::visitor::Form<'f>) -> (&'f str, &'f str) {
    *form.fields.iter().find(|(name, _)| *name == "csrf").expect("a form has a token")
}

#[tokio::test]
async fn the_page_of_a_person_says_why_an_address_is_paused_and_what_it_did_not_get() {
    let app = TestApp::start().await;
    let list = app.list("news").open().members(2).create().await;
    app.sink.script("member2@example.org", Act::AtRcpt("550 5.1.1 No such user here"), 1);
    assert_eq!(app.send_mail("member1@example.org", &list.address, HELLO).await.code, 250);
    app.settle().await;
    let mut eve = manager(&app).await;
    let path = format!("{PEOPLE}{}/", id_of(&app, "member2@example.org").await);
    let page = eve.get(&path).await;
    has(&page, 200, "Paused since 20 November 2026, because its server said:");
    for part in [
        "No such user here",
        "Next probe on 23 November 2026.",
        "Hello all",
        ">Refused<",
        "added by an administrator",
    ] {
        assert!(page.body.contains(part), "{part} is not in {}", page.body);
    }
    let well = eve.get(&format!("{PEOPLE}{}/", id_of(&app, "member1@example.org").await)).await;
    has(&well, 200, ">Delivered<");
    // The listing tells it too, and finds it.
    let bouncing = eve.get(&format!("{PEOPLE}?state=bouncing")).await;
    has(&bouncing, 200, "No such mailbox");
    assert_eq!(shown(&bouncing).len(), 1);
    assert_eq!(shown(&eve.get(&format!("{PEOPLE}?state=bouncing&list=news&search=member2")).await).len(), 1);
    assert!(shown(&eve.get(&format!("{PEOPLE}?state=bouncing&search=member1")).await).is_empty());
    assert!(shown(&eve.get(&format!("{PEOPLE}?state=paused")).await).is_empty());

    assert_eq!(
        app.send_mail(
            "member1@example.org",
            &list.address,
            "From: member1@example.org\nSubject: Second\n\nhi\n"
        )
        .await
        .code,
        250
    );
    app.settle().await;
    let page = eve.get(&path).await;
    has(&page, 200, "Not sent: paused");
    let asked = page.body.split("?message=").nth(1).unwrap().split('#').next().unwrap().to_owned();
    has(&eve.get(&format!("{path}?message={asked}")).await, 200, "role=\"status\"");
    let form = Visitor::form(&page, &path, &["value=\"resume\""]);
    let resumed = eve.submit(&form, &[("action", "resume")]).await;
    assert_eq!(resumed.status, 303, "{}", resumed.body);
    has(&eve.get(&path).await, 200, "Mail from the lists goes to this address.");
    has(&eve.get(&path).await, 200, "Yes, mail from every list goes out.");
    assert!(shown(&eve.get(&format!("{PEOPLE}?state=bouncing")).await).is_empty());
}

#[tokio::test]
async fn one_block_of_a_persons_page_says_whether_mail_arrives_and_why_not() {
    let app = TestApp::start().await;
    app.list("news").member("ada@example.org").create().await;
    app.list("talk").member("ada@example.org").create().await;
    app.list("other").create().await;
    let mut eve = manager(&app).await;
    let id = id_of(&app, "ada@example.org").await;
    let path = format!("{PEOPLE}{id}/");
    let shown = eve.get(&path).await;
    let block = |shown: &Response| {
        let rest = shown.body.split("aria-labelledby=\"mail\"").nth(1).expect("the block");
        rest.split("</section>").next().unwrap().to_owned()
    };
    let says = |shown: &Response, words: &str| {
        assert!(block(shown).contains(words), "{words:?} is not in {}", block(shown));
    };
    says(&shown, "Yes, mail from every list goes out.");
    says(&shown, "news: each message goes to ada@example.org.");
    says(&shown, "Mail from the lists goes to this address.");
    let membership = Visitor::form(&shown, &path, &["value=\"membership\""]);
    eve.submit(&membership, &[("action", "membership"), ("digest", "1")]).await;
    let shown = eve.get(&path).await;
    says(&shown, "one digest a day goes to ada@example.org.");
    eve.submit(&membership, &[("action", "membership"), ("paused", "1")]).await;
    let shown = eve.get(&path).await;
    says(&shown, "Partly: mail from 1 of 2 lists goes out.");
    says(&shown, "reads this list on the web and gets no mail from it.");
    let address = Visitor::form(&shown, &path, &["value=\"email\""]);
    eve.submit(&address, &[("action", "email"), ("paused", "1")]).await;
    let shown = eve.get(&path).await;
    says(&shown, "No, no mail goes out at the moment.");
    says(&shown, "nothing goes out, because mail to every address is paused.");
    says(&shown, "Paused indefinitely by somebody.");
    let rest = shown.body.split("id=\"addresses\"").nth(1).unwrap();
    assert!(!rest.contains("Paused indefinitely"), "it is said once: {rest}");
}

#[tokio::test]
async fn addresses_and_memberships_are_set_by_their_forms() {
    let app = TestApp::start().await;
    app.list("news").member("ada@example.org").create().await;
    app.list("talk").create().await;
    let mut eve = manager(&app).await;
    let id = id_of(&app, "ada@example.org").await;
    let path = format!("{PEOPLE}{id}/");
    let page = eve.get(&path).await;
    let address = Visitor::form(&page, &path, &["value=\"email\""]);
    assert_eq!(
        eve.submit(&address, &[("action", "email"), ("digest", "1"), ("paused", "1")]).await.status,
        303
    );
    let ada = contact(&app, &id).await;
    assert_eq!((&ada["emails"][0]["digest"], &ada["emails"][0]["paused"]), (&json!(true), &json!(true)));
    has(&eve.get(&format!("{PEOPLE}?state=paused")).await, 200, "ada@");
    let membership = Visitor::form(&page, &path, &["value=\"membership\""]);
    assert_eq!(
        eve.submit(&membership, &[("action", "membership"), ("digest", "1"), ("paused", "1")]).await.status,
        303
    );
    let on = &contact(&app, &id).await["lists"][0];
    assert_eq!((&on["digest"], &on["paused"]), (&json!(1), &json!(true)));
    let join = Visitor::form(&page, &path, &["value=\"join\""]);
    assert_eq!(eve.submit(&join, &[("action", "join"), ("list", "talk")]).await.status, 303);
    assert_eq!(eve.submit(&join, &[("action", "join"), ("list", "talk")]).await.status, 409);
    assert_eq!(app.members("talk").await.len(), 1);
    assert_eq!(eve.submit(&membership, &[("action", "leave")]).await.status, 303);
    assert!(app.members("news").await.is_empty());
    has(&eve.submit(&membership, &[]).await, 400, "Please press one of the buttons.");
}

#[tokio::test]
async fn several_people_are_put_into_lists_and_deleted_at_once() {
    let app = TestApp::start().await;
    app.list("news").members(3).create().await;
    app.list("talk").create().await;
    let mut eve = manager(&app).await;
    let page = eve.get(PEOPLE).await;
    let ids: Vec<String> = shown(&page).iter().map(u64::to_string).collect();
    let form = Visitor::form(&page, PEOPLE, &["value=\"delete\""]);
    has(&eve.submit(&form, &[("action", "delete")]).await, 400, "Please select at least one person.");
    has(&eve.submit(&form, &[("action", "add"), ("id", &ids[0])]).await, 400, "Please choose a list.");
    let two = [("id", ids[0].as_str()), ("id", ids[1].as_str())];
    let added = eve.submit(&form, &[&two[..], &[("action", "add"), ("list", "talk")]].concat()).await;
    has(&eve.get(added.header("location").unwrap()).await, 200, "Added to talk: ");
    assert_eq!(app.members("talk").await.len(), 2);
    let again = eve.submit(&form, &[&two[..], &[("action", "add"), ("list", "talk")]].concat()).await;
    assert_eq!(again.header("location"), Some("/admin/people/?done=add&count=0"), "{}", again.body);
    let removed = eve.submit(&form, &[("id", &ids[0]), ("action", "remove"), ("list", "talk")]).await;
    assert_eq!(removed.status, 303, "{}", removed.body);
    assert_eq!(app.members("talk").await.len(), 1);
    let deleted = eve.submit(&form, &[&two[..], &[("action", "delete")]].concat()).await;
    has(&eve.get(deleted.header("location").unwrap()).await, 200, "Deleted: ");
    assert_eq!(app.members("news").await.len(), 1);
    // Somebody who is gone already spoils nothing else: all of it is refused.
    let half = eve.submit(&form, &[("id", &ids[0]), ("id", &ids[2]), ("action", "delete")]).await;
    assert_eq!(half.status, 404, "{}", half.body);
    assert_eq!(app.members("news").await.len(), 1);
}

#[tokio::test]
async fn a_person_is_exported_and_erased_and_both_are_in_the_log() {
    let app = TestApp::start().await;
    let list = app.list("news").open().member("ada@example.org").create().await;
    let mail = "From: ada@example.org\nSubject: From Ada\nMessage-ID: <1@x>\n\nhi\n";
    assert_eq!(app.send_mail("ada@example.org", &list.address, mail).await.code, 250);
    app.settle().await;
    let mut eve = manager(&app).await;
    let path = format!("{PEOPLE}{}/", id_of(&app, "ada@example.org").await);
    let record = eve.get(&format!("{path}export/")).await;
    assert_eq!(record.header("content-type"), Some("application/json"));
    let kept: Value = serde_json::from_str(&record.body).unwrap();
    assert_eq!(kept["addresses"][0]["email"], "ada@example.org");
    assert_eq!(noted(&app).await, ("export".into(), "ada@example.org".into(), "record".into()));
    let posts = eve.get(&format!("{path}export/?format=mbox")).await;
    assert!(posts.body.contains("Subject: From Ada"), "{}", posts.body);
    assert_eq!(noted(&app).await.2, "posts");

    let page = eve.get(&path).await;
    let form = Visitor::form(&page, &path, &["value=\"erase\""]);
    has(&eve.submit(&form, &[("action", "erase")]).await, 400, "what happens to this person’s messages");
    let erased = eve.submit(&form, &[("action", "erase"), ("posts", "keep")]).await;
    assert_eq!(erased.header("location"), Some("/admin/people/?done=erase"), "{}", erased.body);
    assert_eq!(eve.get(&path).await.status, 404);
    assert!(app.members("news").await.is_empty());
    assert_eq!(noted(&app).await.0, "contact.deleted");
    app.advance(Duration::from_mins(10)).await;
    assert!(!app.dump("message").contains("ada@example.org"), "the posts are a former member's");
}

#[tokio::test]
async fn who_may_only_read_changes_nothing_and_who_is_limited_sees_the_own_members() {
    let app = TestApp::start().await;
    app.list("news").member("ada@example.org").create().await;
    app.list("talk").member("bob@example.org").member("ada@example.org").create().await;
    let (ada, bob) = (id_of(&app, "ada@example.org").await, id_of(&app, "bob@example.org").await);
    let mut reader = admin(&app, "rita@example.org", json!({"permissions": ["send_messages"]})).await;
    let page = reader.get(PEOPLE).await;
    has(&page, 200, "ada@");
    for part in ["name=\"id\"", "value=\"delete\"", "/admin/people/new/"] {
        assert!(!page.body.contains(part), "{part} is in {}", page.body);
    }
    let one = reader.get(&format!("{PEOPLE}{ada}/")).await;
    assert_eq!(one.status, 200);
    assert!(!one.body.contains("value=\"erase\"") && !one.body.contains("export/"), "{}", one.body);
    let csrf = one.body.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    for path in [PEOPLE.to_owned(), "/admin/people/new/".to_owned(), format!("{PEOPLE}{ada}/")] {
        let sent = reader.post(&path, &[("csrf", &csrf), ("action", "delete"), ("id", &ada)]).await;
        assert_eq!(sent.status, 403, "{path}");
    }
    for path in ["/admin/people/new/".to_owned(), format!("{PEOPLE}{ada}/export/")] {
        assert_eq!(reader.get(&path).await.status, 403, "{path}");
    }

    let limits = json!({"permissions": ["manage_members", "limit_lists"], "limit_lists": ["news"]});
    let mut lea = admin(&app, "lea@example.org", limits).await;
    let page = lea.get(PEOPLE).await;
    has(&page, 200, "ada@");
    assert!(!page.body.contains("bob@") && !page.body.contains("talk"), "{}", page.body);
    for path in [format!("{PEOPLE}{bob}/"), format!("{PEOPLE}?list=talk"), format!("{PEOPLE}{ada}/export/")] {
        assert_eq!(lea.get(&path).await.status, 404, "{path}");
    }
    assert!(shown(&lea.get(&format!("{PEOPLE}?search=bob")).await).is_empty());
    let own = lea.get(&format!("{PEOPLE}{ada}/")).await;
    has(&own, 200, "news");
    assert!(
        !own.body.contains("talk") && !own.body.contains("value=\"erase\""),
        "she is on another list too"
    );
    let csrf = own.body.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let path = format!("{PEOPLE}{ada}/");
    for fields in [vec![("action", "erase"), ("posts", "keep")], vec![("action", "delete")]] {
        let sent = lea.post(&path, &[vec![("csrf", csrf.as_str())], fields].concat()).await;
        assert_eq!(sent.status, 404, "{}", sent.body);
    }
    let file = lea.get(&format!("{PEOPLE}?format=csv")).await;
    assert!(
        file.body.contains("ada@example.org") && !file.body.contains("bob@") && !file.body.contains("talk"),
        "{}",
        file.body
    );
}

#[tokio::test]
async fn the_listings_say_what_somebody_gets_in_effect() {
    let app = TestApp::start().await;
    let mut eve = manager(&app).await;
    app.list("news").create().await;
    for address in ["ada@example.org", "ben@example.org", "cy@example.org"] {
        let body = json!({"emails": [address], "lists": ["news"]});
        app.admin.post_json("/api/2/contacts/", &body).await.good();
    }
    let set = async |address: &str, fields: Value| {
        app.admin.put_json(&format!("/api/2/emails/{}/", address.replace('@', "%40")), &fields).await.good();
    };
    set("ada@example.org", json!({"digest": true})).await;
    set("ben@example.org", json!({"paused": true})).await;
    let row = |page: &Response, address: &str| {
        let body = page.body.replace("<wbr>", "");
        body.split("<tr>").find(|row| row.contains(address)).unwrap().to_owned()
    };
    let members = eve.get("/admin/lists/news/members/").await;
    for (address, words) in [
        ("ada@example.org", "One mail a day"),
        ("ben@example.org", "Paused"),
        ("cy@example.org", "Each message"),
    ] {
        assert!(row(&members, address).contains(words), "{words} is not in {}", row(&members, address));
    }
    let id = id_of(&app, "cy@example.org").await;
    let found = app.admin.get(&format!("/api/2/membership/?contact={id}")).await.good();
    let membership = found["data"][0]["id"].to_string();
    app.admin.put_json(&format!("/api/2/membership/{membership}/"), &json!({"paused": true})).await.good();
    let people = eve.get(PEOPLE).await;
    assert!(row(&people, "cy@example.org").contains("Not from news"), "{}", row(&people, "cy@example.org"));
    let members = eve.get("/admin/lists/news/members/").await;
    assert!(row(&members, "cy@example.org").contains("No mail, reads on the web"), "{}", members.body);
}

#[tokio::test]
async fn an_account_has_two_files_of_listings_at_a_time() {
    let app = TestApp::start().await;
    // More than the connections take before somebody reads from them.
    for part in 0..6 {
        let row = |number: u32| json!({"emails": [format!("person{number}@example.org")]});
        let rows: Value = (part * 200..(part + 1) * 200).map(row).collect();
        app.admin.post_json("/api/2/contacts/batch/", &rows).await.good();
    }
    let store = app.core().store.clone();
    let grow = store.write(|tx| -> Result<(), StoreError> {
        for contact in tx.records::<Contact>(&(1..=1200).collect::<Vec<u64>>())?.into_iter().flatten() {
            tx.put(&Contact { notes: "x".repeat(30_000), ..contact })?;
        }
        Ok(())
    });
    grow.await.unwrap();
    let mut eve = manager(&app).await;
    let cookie = eve.cookie("__Host-admin").expect("she is signed in");
    let fields = format!("Host: {DOMAIN}\r\nConnection: close\r\nCookie: __Host-admin={cookie}\r\n");
    let request = format!("GET {PEOPLE}?format=csv HTTP/1.1\r\n{fields}\r\n");
    let first = app.anon.open(request.as_bytes()).await;
    let _second = app.anon.open(request.as_bytes()).await;
    while app.admin.get("/api/2/audit/?action=export").await.good()["count"] != 2 {}
    let third = eve.get(&format!("{PEOPLE}?format=csv")).await;
    assert_eq!((third.status, third.header("retry-after")), (503, Some("5")), "{third:?}");
    has(&eve.get(PEOPLE).await, 200, "person1@example.org");
    drop(first);
    while eve.get(&format!("{PEOPLE}?search=person77&format=csv")).await.status != 200 {}
}

#[tokio::test]
async fn what_is_done_to_all_is_done_to_everybody_whom_the_filter_finds() {
    let app = TestApp::start().await;
    app.list("talk").create().await;
    let host = |number: usize| if number.is_multiple_of(3) { "odd" } else { "even" };
    let row = |number| json!({"emails": [format!("p{number}@{}.example", host(number))]});
    let rows = (0..60).map(row).collect::<Value>();
    app.admin.post_json("/api/2/contacts/batch/", &rows).await.good();
    let mut eve = manager(&app).await;
    let path = format!("{PEOPLE}?search=even");
    let page = eve.get(&path).await;
    assert!(!page.body.contains("name=\"all\""), "one page has them all: {}", page.body);
    let page = eve.get(PEOPLE).await;
    has(&page, 200, "All 60 people, not only those of this page");
    let form = Visitor::form(&page, PEOPLE, &["name=\"all\""]);
    // Who comes later was not seen.
    app.admin.post("/api/2/contacts/", &[("emails", "late@late.example")]).await.good();
    let told = eve.submit(&form, &[("all", "1"), ("action", "add"), ("list", "talk")]).await;
    has(&eve.get(told.header("location").unwrap()).await, 200, "and 57 more.");
    assert_eq!(app.members("talk").await.len(), 60);
    // Of the members, those whom the filter of the address finds.
    let path = "/admin/lists/talk/members/?search=odd";
    let page = eve.get("/admin/lists/talk/members/").await;
    has(&page, 200, "All 60 people");
    let form = Visitor::form(&page, path, &["name=\"all\""]);
    let csrf = form.fields[0];
    assert_eq!(eve.post(path, &[csrf, ("all", "1"), ("action", "remove")]).await.status, 400);
    app.join("late@odd.example", "talk").await;
    let newest =
        *form.fields.iter().find(|(name, _)| *name == "newest").expect("the page says what it shows");
    assert_eq!(eve.post(path, &[csrf, newest, ("all", "1"), ("action", "remove")]).await.status, 303);
    assert_eq!(app.members("talk").await.len(), 41);
    assert!(app.members("talk").await.contains(&"late@odd.example".to_owned()));
}

#[tokio::test]
async fn members_of_a_list_are_sorted_filtered_and_say_their_state() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    for (address, surname) in [("zoe@example.org", "Abel"), ("ada@example.org", "Zell")] {
        let person = json!({"emails": [address], "surname": surname, "lists": ["news"]});
        app.admin.post_json("/api/2/contacts/", &person).await.good();
    }
    app.pause("ada@example.org").await;
    let mut eve = manager(&app).await;
    let path = "/admin/lists/news/members/";
    let order = |page: &Response| page.body.find(">Abel<") < page.body.find(">Zell<");
    let page = eve.get(path).await;
    assert!(order(&page), "{}", page.body);
    has(&page, 200, "<span class=\"badge warn\">Paused</span>");
    has(&page, 200, "<span class=\"badge good\">Gets mail</span>");
    assert!(!order(&eve.get(&format!("{path}?sort=-name")).await));
    let paused = eve.get(&format!("{path}?state=paused")).await;
    assert!(paused.body.contains(">Zell<") && !paused.body.contains(">Abel<"), "{}", paused.body);
    let file = eve.get(&format!("{path}?state=paused&format=csv")).await;
    assert!(file.body.contains("ada@example.org") && !file.body.contains("zoe@"), "{}", file.body);
}
