//! What a member sees, keeps and ends of its own: pauses of lists, other members, the download, the erasure.

use std::collections::BTreeSet;

use crier::model::{ContactId, Person};
use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::harness::data::TestList;
use crate::harness::http::Response;
use crate::harness::sink::Act;
use crate::harness::visitor::Visitor;

const SECOND: &str = "member2@example.org";
const MINUTE: std::time::Duration = std::time::Duration::from_mins(1);

/// Pauses or resumes a member of a list.
async fn set_paused(app: &TestApp, list: &str, address: &str, paused: bool) {
    let query = format!("/api/2/membership/?list={list}&email={}", address.replace('@', "%40"));
    let id = app.admin.get(&query).await.good()["data"][0]["id"].to_string();
    app.admin.put_json(&format!("/api/2/membership/{id}/"), &json!({"paused": paused})).await.good();
}

const HELLO: &str = "Subject: hello\n\nhi";

async fn post(app: &TestApp, list: &TestList, from: &str, mail: &str) {
    let reply = app.send_mail(from, &list.address, mail).await;
    assert_eq!(reply.code, 250, "{reply}");
    app.settle().await;
}

/// A list of few members, whose posts are expanded at once, and one of more, whose posts a task expands.
const SIZES: [usize; 2] = [3, 20];

#[tokio::test]
async fn a_paused_member_gets_no_copies_and_stays_a_member() {
    for members in SIZES {
        let app = TestApp::start().await;
        let list = app.list("news").open().members(members).create().await;
        set_paused(&app, "news", SECOND, true).await;
        let call = json!({"message": "From: a@x.org\nSubject: a\n\nb"});
        let simulated = app.admin.post_json("/api/2/lists/news/simulate/", &call).await.good();
        assert_eq!((&simulated["recipients"], &simulated["paused"]), (&json!(members - 1), &json!(1)));
        post(&app, &list, SECOND, HELLO).await;
        assert_eq!(app.sink.to_members().len(), members - 1);
        assert!(!app.sink.to_members().iter().any(|to| to == SECOND), "{members}");
        assert_eq!(app.members("news").await.len(), members);
        set_paused(&app, "news", SECOND, false).await;
        post(&app, &list, SECOND, HELLO).await;
        assert_eq!(app.sink.to_members().len(), 2 * members - 1, "resumed");
    }
}

#[tokio::test]
async fn who_pauses_a_list_before_the_own_copy_began_gets_none_of_it() {
    let app = TestApp::start().await;
    let list = app.list("news").members(3).create().await;
    app.sink.script("member1@example.org", Act::AtData("451 4.3.0 Later"), 1);
    app.sink.script(SECOND, Act::AtData("451 4.3.0 Later"), 1);
    post(&app, &list, "member1@example.org", HELLO).await;
    set_paused(&app, "news", SECOND, true).await;
    app.advance(5 * MINUTE).await;
    assert!(!app.sink.to_members().iter().any(|to| to == SECOND));
    assert_eq!(app.trace(SECOND).await["state"], "skipped");
}

/// Signs the contact of an address in.
async fn sign_in(app: &TestApp, address: &str) -> Visitor {
    let contact = app.email(address).await["contact"].as_u64().unwrap();
    Visitor::signed_in(app, Person::Member(ContactId(contact))).await
}

/// Makes a contact with a name in some lists.
async fn person(app: &TestApp, (firstname, surname): (&str, &str), lists: &[&str]) -> String {
    let address = format!("{}.{}@example.org", firstname.to_lowercase(), surname.to_lowercase());
    let fields = json!({
        "firstname": firstname, "surname": surname, "emails": [address], "lists": lists,
        "notes": format!("secretnote{}", surname.to_lowercase()),
    });
    app.admin.post_json("/api/2/contacts/", &fields).await.good();
    address
}

async fn set_memberview(app: &TestApp, list: &str, view: &str) {
    app.admin.put(&format!("/api/2/lists/{list}/"), &[("memberview", view)]).await.good();
}

/// The lists `choir`, with ada and bob, and `tea`, with cy; dan is in none.
async fn people_of_two_lists(app: &TestApp) -> Visitor {
    for list in ["choir", "tea"] {
        app.list(list).create().await;
    }
    let ada = person(app, ("Ada", "Alder"), &["choir"]).await;
    person(app, ("Bob", "Birch"), &["choir"]).await;
    person(app, ("Cy", "Cedar"), &["tea"]).await;
    person(app, ("Dan", "Dogwood"), &[]).await;
    sign_in(app, &ada).await
}

const OF_ALL: &str = "/members/people/";
const OF_CHOIR: &str = "/members/lists/choir/people/";
const OF_TEA: &str = "/members/lists/tea/people/";

/// Which of the people a page names, by their first letters, and which of their addresses it shows.
fn seen(page: &Response) -> (String, String) {
    assert!([200, 404].contains(&page.status), "{}", page.body);
    assert!(!page.body.contains("secretnotealder"), "{}", page.body);
    let of = |words: [&str; 4]| -> String {
        words
            .iter()
            .filter(|word| page.body.contains(**word))
            .map(|word| word.chars().next().unwrap())
            .collect()
    };
    let names = of(["Ada Alder", "Bob Birch", "Cy Cedar", "Dan Dogwood"]);
    let addresses = of(["ada.alder@", "bob.birch@", "cy.cedar@", "dan.dogwood@"]);
    assert!(page.status == 200 || names.is_empty() && addresses.is_empty(), "{}", page.body);
    (names, addresses)
}

#[tokio::test]
async fn members_see_one_another_as_memberview_says() {
    let app = TestApp::start().await;
    let mut ada = people_of_two_lists(&app).await;
    // What is set for `choir`; who is seen among all, in `choir` and in `tea`; whose addresses.
    let rows = [
        ("", ["", "", ""], ["", "", ""]),
        ("noemail", ["", "AB", ""], ["", "", ""]),
        ("withemail", ["", "AB", ""], ["", "ab", ""]),
        ("all-noemail", ["ABC", "AB", ""], ["", "", ""]),
        ("all-withemail", ["ABC", "AB", ""], ["abc", "ab", ""]),
    ];
    for (view, names, addresses) in rows {
        set_memberview(&app, "choir", view).await;
        for (place, path) in [OF_ALL, OF_CHOIR, OF_TEA].into_iter().enumerate() {
            let page = ada.get(path).await;
            let expected = (names[place].to_owned(), addresses[place].to_owned());
            assert_eq!(seen(&page), expected, "{view} {path}");
            assert_eq!(page.status, if names[place].is_empty() { 404 } else { 200 }, "{view} {path}");
        }
    }
    assert_eq!(ada.get("/members/lists/CHOIR/people/").await.status, 200);
    // A view of all members is there for every member, and for nobody else.
    let mut cy = sign_in(&app, "cy.cedar@example.org").await;
    assert_eq!(seen(&cy.get(OF_ALL).await).0, "ABC");
    assert_eq!(cy.get(OF_CHOIR).await.status, 404);
    let mut dan = sign_in(&app, "dan.dogwood@example.org").await;
    assert_eq!(dan.get(OF_ALL).await.status, 404);
    assert_eq!(ada.get("/members/lists/nothing/people/").await.status, 404);
}

#[tokio::test]
async fn a_search_finds_what_members_see_and_nothing_else() {
    let app = TestApp::start().await;
    let mut ada = people_of_two_lists(&app).await;
    let found = |view: &'static str, path: &'static str, search: &'static str| {
        let (app, mut ada) = (&app, ada.clone());
        async move {
            set_memberview(app, "choir", view).await;
            seen(&ada.get(&format!("{path}?search={search}")).await).0
        }
    };
    for (view, path, search, expected) in [
        ("all-noemail", OF_ALL, "b", "B"),
        ("all-noemail", OF_ALL, "BIR+bo", "B"),
        ("all-noemail", OF_ALL, "bob+alder", ""),
        ("all-noemail", OF_ALL, "d", ""),
        ("all-noemail", OF_ALL, "secretnotebirch", ""),
        ("all-noemail", OF_ALL, "example", ""),
        ("all-noemail", OF_ALL, "+--+", ""),
        ("all-withemail", OF_ALL, "example", "ABC"),
        ("all-withemail", OF_ALL, "bob.birch@example.org", "B"),
        ("withemail", OF_CHOIR, "example", "AB"),
        ("withemail", OF_CHOIR, "cy", ""),
        ("noemail", OF_CHOIR, "alder", "A"),
        ("noemail", OF_CHOIR, "example", ""),
    ] {
        assert_eq!(found(view, path, search).await, expected, "{view} {search}");
    }
    let page = ada.get(&format!("{OF_CHOIR}?search=%22%3Eeve")).await;
    assert!(page.body.contains("&#34;&#62;eve") && !page.body.contains("\">eve"), "{}", page.body);
    assert_eq!(ada.get(&format!("{OF_CHOIR}?search=a&page=x")).await.status, 400);
}

/// The query behind a link of a page to its neighbour.
fn neighbour(page: &Response, rel: &str) -> Option<String> {
    let link = page.body.split(&format!("rel=\"{rel}\" href=\"")).nth(1)?;
    Some(link.split('"').next().unwrap().replace("&#38;", "&").replace("&amp;", "&"))
}

#[tokio::test]
async fn members_are_listed_fifty_a_page_forwards_and_backwards() {
    let app = TestApp::start().await;
    app.list("choir").members(120).create().await;
    set_memberview(&app, "choir", "all-withemail").await;
    let mut visitor = sign_in(&app, "member1@example.org").await;
    for start in [OF_CHOIR, OF_ALL, "/members/people/?search=example"] {
        let path = start.split('?').next().unwrap();
        let mut pages = vec![visitor.get(start).await];
        while let Some(query) = neighbour(pages.last().unwrap(), "next") {
            pages.push(visitor.get(&format!("{path}{query}")).await);
        }
        let on = |page: &Response| -> Vec<String> {
            let parts = page.body.split("<span class=\"addr\" dir=\"auto\">").skip(1);
            parts.map(|part| part.split('<').next().unwrap().to_owned()).collect()
        };
        assert_eq!(pages.iter().map(|page| on(page).len()).collect::<Vec<_>>(), [50, 50, 20], "{start}");
        let all: BTreeSet<String> = pages.iter().flat_map(on).collect();
        assert_eq!(all.len(), 120, "each once");
        let back = neighbour(&pages[2], "prev").unwrap();
        assert_eq!(on(&visitor.get(&format!("{path}{back}")).await), on(&pages[1]), "{start}");
        let first = visitor.get(&format!("{path}{}", neighbour(&pages[1], "prev").unwrap())).await;
        assert_eq!((on(&first), neighbour(&first, "prev")), (on(&pages[0]), None), "{start}");
    }
}

/// The files that a member downloads: what is kept, and the own posts.
async fn downloads(visitor: &mut Visitor) -> (Value, String) {
    let record = visitor.get("/members/download/").await;
    assert_eq!((record.status, record.header("content-type")), (200, Some("application/json")));
    assert_eq!(record.header("cache-control"), Some("no-store"));
    assert!(record.header("content-disposition").unwrap().starts_with("attachment"));
    let posts = visitor.get("/members/download/?format=mbox").await;
    assert_eq!((posts.status, posts.header("content-type")), (200, Some("application/mbox")));
    (serde_json::from_str(&record.body).unwrap(), posts.body)
}

#[tokio::test]
async fn a_member_downloads_what_is_kept_about_it_and_nothing_of_others() {
    let app = TestApp::start().await;
    people_of_two_lists(&app).await;
    let list = app.list("open").open().create().await;
    for address in ["ada.alder@example.org", "bob.birch@example.org"] {
        app.join(address, "open").await;
    }
    let long = "x".repeat(60_000);
    for (from, subject) in [("ada.alder", "first"), ("bob.birch", "other"), ("Ada.Alder", "second")] {
        let mail = format!(
            "From: <{from}@example.org>\r\nSubject: {subject}\r\n\r\nFrom here\r\n>From there\r\n{long}"
        );
        let lines = mail.replace("xxxxxxxx", "xxxxxxxx\r\n");
        post(&app, &list, &format!("{from}@example.org"), &lines).await;
    }
    let held = "From: <ada.alder@example.org>\r\nSubject: waits\r\n\r\nx";
    app.list("slow").with("moderate", "1").create().await;
    assert_eq!(app.send_mail("ada.alder@example.org", "slow@lists.example.org", held).await.code, 250);
    set_paused(&app, "open", "ada.alder@example.org", true).await;
    let mut ada = sign_in(&app, "ada.alder@example.org").await;
    let (record, posts) = downloads(&mut ada).await;
    assert_eq!(record["contact"]["firstname"], "Ada");
    assert_eq!(record["contact"]["notes"], "secretnotealder");
    assert_eq!(record["addresses"][0]["email"], "ada.alder@example.org");
    let lists: Vec<&str> =
        record["memberships"].as_array().unwrap().iter().map(|row| row["list"].as_str().unwrap()).collect();
    assert_eq!(lists, ["choir", "open"]);
    assert_eq!(
        (&record["memberships"][1]["paused"], &record["memberships"][1]["joined"]["way"]),
        (&json!(true), &json!("api"))
    );
    assert_eq!(record["sessions"].as_array().unwrap().len(), 2, "on two devices");
    assert_eq!(record["log"].as_array().unwrap().last().unwrap()["action"], "contact.created");
    assert_eq!(record["log"][0]["by"], "somebody else");
    let text = record.to_string();
    for other in ["bob", "birch", "cedar", "owner", "admin"] {
        assert!(!text.to_lowercase().contains(other), "{other} is in {record:#}");
    }
    let separators: Vec<&str> = posts.lines().filter(|line| line.starts_with("From ")).collect();
    assert_eq!(separators.len(), 2, "{separators:?}");
    assert!(separators[0].starts_with("From ada.alder@example.org Fri Nov 20 "), "{separators:?}");
    assert!(posts.contains("Subject: first\n") && posts.contains("Subject: second\n"));
    assert!(posts.contains("\n>From here\n>>From there\n") && !posts.contains("Subject: other"));
    assert!(!posts.contains('\r'));
    assert_eq!(ada.get("/members/download/?format=pdf").await.status, 400);
}
