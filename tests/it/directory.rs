//! The directory of an account, and the pages of its lists: what each visitor finds there, and what nobody does.

use std::fmt::Write as _;
use std::time::Instant;

use crier::model::account::Subscriptions;
use crier::model::{AccountId, List, ListId, ListName, Place};
use crier::ops::lists::directory::PAGE_LISTS;
use crier::store::StoreError;
use serde_json::json;

use crate::harness::http::Response;
use crate::harness::visitor::Visitor;
use crate::harness::{DOMAIN, TestApp};

const ADA: &str = "ada@example.org";
const BOB: &str = "bob@example.org";

/// The paths that a page links to.
fn links(page: &Response) -> Vec<&str> {
    page.body.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[track_caller]
fn leads_to(page: &Response, path: &str, leads: bool) {
    assert_eq!(page.status, 200, "{}", page.body);
    assert_eq!(links(page).contains(&path), leads, "{path}: {}", page.body);
}

/// The names of the lists that a directory shows, by their addresses.
fn shown(page: &Response) -> Vec<String> {
    assert_eq!(page.status, 200, "{}", page.body);
    let addresses = page.body.split("<span class=\"addr\">").skip(1);
    let addresses = addresses.map(|rest| rest.split("</span>").next().unwrap().replace("<wbr>", ""));
    addresses.map(|address| address.strip_suffix(&format!("@{DOMAIN}")).unwrap().to_owned()).collect()
}

async fn directory_of(visitor: &mut Visitor) -> Vec<String> {
    shown(&visitor.get("/").await)
}

#[tokio::test]
async fn the_directory_says_what_each_list_is_and_leads_to_joining_and_to_its_archive() {
    let app = TestApp::start().await;
    app.change_account(|account| account.description = "Alder Bay <Harbour>".to_owned()).await;
    let choir = app.list("Choir").with("description", "Harbour Choir").with("memberview", "all-noemail");
    choir.members(2).create().await;
    app.list("quiet")
        .with("archive_index_noshow", "1")
        .with("memberview", "noemail")
        .members(3)
        .create()
        .await;
    let page = app.anon.get("/").await;
    for words in [
        "Alder Bay &#60;Harbour&#62;",
        ">Harbour Choir</a></h3>",
        "Choir@<wbr>lists.<wbr>example.<wbr>org",
        "2 members · Open to everyone",
    ] {
        assert!(page.body.contains(words), "{words} is not in {}", page.body);
    }
    assert!(!page.body.contains("3 members"), "members may see one another, others not: {}", page.body);
    assert_eq!(shown(&page), ["Choir", "quiet"]);
    leads_to(&page, "/lists/Choir/", true);
    leads_to(&page, "/lists/quiet/", false);
    for list in ["Choir", "quiet"] {
        leads_to(&page, &format!("/lists/{list}/join/"), Place::Join.answers());
    }
    let german = app.anon.get("/?lang=de").await;
    assert!(german.body.contains("2 Mitglieder · Offen für alle"), "{}", german.body);
}

#[tokio::test]
async fn the_account_says_how_people_join_lists_that_do_not() {
    let app = TestApp::start().await;
    for (name, subscriptions) in [("own", "open"), ("asks", "open+confirm"), ("shut", "closed")] {
        app.list(name).with("subscriptions", subscriptions).with("archive_enabled", "0").create().await;
    }
    app.list("unset").with("archive_enabled", "0").create().await;
    let mut visitor = Visitor::new(&app);
    assert_eq!(directory_of(&mut visitor).await, ["asks", "own", "unset"]);
    let page = app.anon.get("/").await;
    assert!(page.body.contains("New members are approved"), "{}", page.body);
    app.change_account(|account| account.settings.subscriptions = Subscriptions::Closed).await;
    assert_eq!(directory_of(&mut visitor).await, ["asks", "own"]);
    assert_eq!(visitor.get("/lists/unset/").await.status, 404);
    app.change_account(|account| account.settings.subscriptions = Subscriptions::OpenConfirm).await;
    assert_eq!(directory_of(&mut visitor).await, ["asks", "own", "unset"]);
}

#[tokio::test]
async fn a_closed_list_is_shown_to_those_who_may_read_its_archive() {
    let app = TestApp::start().await;
    let closed = |name| app.list(name).with("subscriptions", "closed");
    closed("public").create().await;
    closed("unlisted").with("archive_index_noshow", "1").create().await;
    closed("without").with("archive_enabled", "0").member(ADA).create().await;
    closed("password").with("archive_protected", "1").with("archive_password", "pw").create().await;
    let protected = |name| closed(name).with("archive_protected", "1").with("archive_memberview", "1");
    protected("circle").member(ADA).create().await;
    protected("secret").with("archive_index_noshow", "1").member(ADA).create().await;
    let mut anyone = Visitor::new(&app);
    let ada = app.email(ADA).await["contact"].as_u64().unwrap();
    let ada = crier::model::Person::Member(crier::model::ContactId(ada));
    let mut ada = Visitor::signed_in(&app, ada).await;
    let bob = app.new_member(AccountId(app.account_id()), BOB).await;
    let mut bob = Visitor::signed_in(&app, bob).await;
    let admin = app.new_admin(AccountId(app.account_id()), "eve@example.org").await;
    let mut admin = Visitor::signed_in(&app, admin).await;
    assert_eq!(directory_of(&mut anyone).await, ["public"]);
    assert_eq!(directory_of(&mut bob).await, ["public"]);
    assert_eq!(directory_of(&mut ada).await, ["circle", "public"]);
    assert_eq!(directory_of(&mut admin).await, ["circle", "password", "public"]);
    let mut opens = Vec::new();
    for (name, visitor) in
        [("anyone", &mut anyone), ("ada", &mut ada), ("bob", &mut bob), ("admin", &mut admin)]
    {
        for list in ["public", "unlisted", "without", "password", "circle", "secret"] {
            let page = visitor.get(&format!("/lists/{list}/")).await;
            assert!([200, 404].contains(&page.status), "{}", page.body);
            assert!(!links(&page).iter().any(|link| link.ends_with("/join/")), "{}", page.body);
            if page.status == 200 {
                opens.push(format!("{name} {list}"));
            }
        }
    }
    let all = ["public", "unlisted", "without", "password", "circle", "secret"];
    let expected =
        ["anyone public", "anyone unlisted", "ada public", "ada unlisted", "ada without", "ada circle"];
    let expected =
        expected.into_iter().chain(["ada secret", "bob public", "bob unlisted"]).map(str::to_owned);
    let expected: Vec<String> = expected.chain(all.iter().map(|list| format!("admin {list}"))).collect();
    assert_eq!(opens, expected);
    // Where the account says that nobody can join, the same holds for lists that do not say.
    app.change_account(|account| account.settings.subscriptions = Subscriptions::Closed).await;
    for list in all {
        app.change_list(list, |list| list.subscriptions = None).await;
    }
    assert_eq!(directory_of(&mut anyone).await, ["public"]);
    assert_eq!(directory_of(&mut bob).await, ["public"]);
    assert_eq!(directory_of(&mut ada).await, ["circle", "public"]);
    assert_eq!(directory_of(&mut admin).await, ["circle", "password", "public"]);
}

#[tokio::test]
async fn an_administrator_of_some_lists_finds_those_alone() {
    let app = TestApp::start().await;
    for name in ["mine", "theirs"] {
        app.list(name).with("subscriptions", "closed").with("archive_protected", "1").create().await;
    }
    let admin = json!({
        "username": "eve@example.org", "welcome_email": false,
        "permissions": ["approve_messages", "limit_lists"], "limit_lists": ["mine"],
    });
    let admin = app.admin.post_json("/api/2/admins/", &admin).await.good()["id"].as_u64().unwrap();
    let admin = crier::model::Person::Admin(crier::model::AdminId(admin));
    let mut admin = Visitor::signed_in(&app, admin).await;
    assert_eq!(directory_of(&mut admin).await, ["mine"]);
    assert_eq!(admin.get("/lists/theirs/").await.status, 404);
}

#[tokio::test]
async fn a_list_that_waits_for_approval_and_one_of_others_have_no_page() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.change_list("news", |list| list.pending = true).await;
    let other = app.other_account().await;
    other.post("/api/2/lists/", &[("name", "theirs")]).await.good();
    let admin = app.new_admin(AccountId(app.account_id()), "eve@example.org").await;
    let mut admin = Visitor::signed_in(&app, admin).await;
    assert_eq!(directory_of(&mut admin).await, [""; 0]);
    let page = admin.get("/").await;
    assert!(page.body.contains("There is no list here that you can join."), "{}", page.body);
    for path in ["/lists/news/", "/lists/theirs/", "/lists/x/", "/lists/"] {
        assert_eq!(admin.get(path).await.status, 404, "{path}");
    }
    let host = app.anon.at_host("other.example.org");
    assert!(host.get("/").await.body.contains("theirs@"));
    assert_eq!(host.get("/lists/theirs/").await.status, 200);
}

#[tokio::test]
async fn the_servers_own_host_names_no_account_of_several() {
    let app = TestApp::builder()
        .config(|config| config.base_url = Some("https://crier.example.net".to_owned()))
        .start()
        .await;
    app.list("tenors").create().await;
    let own = app.anon.at_host("crier.example.net");
    assert_eq!(shown(&own.get("/").await), ["tenors"]);
    app.other_account().await;
    let page = own.get("/").await;
    assert_eq!(page.status, 200);
    for word in ["tenors", "~test", "~other"] {
        assert!(!page.body.contains(word), "{word} in {}", page.body);
    }
    assert!(!links(&page).contains(&"/members/"), "{}", page.body);
    assert_eq!(own.get("/lists/tenors/").await.status, 404);
    let page = own.get("/~test/").await;
    assert_eq!(shown(&page), ["tenors"]);
    leads_to(&page, "/~test/lists/tenors/", true);
    assert_eq!(own.get("/~test/lists/tenors/").await.status, 200);
    assert_eq!(app.anon.at_host("unknown.example").get("/").await.status, 404);
}

#[tokio::test]
async fn a_list_says_how_to_write_to_it_and_how_to_leave() {
    let app = TestApp::start().await;
    let choir = app.list("choir").with("description", "Harbour Choir").with("memberview", "all-withemail");
    choir.member(ADA).create().await;
    let page = app.anon.get("/lists/choir/").await;
    for words in [
        "<h1 dir=\"auto\">Harbour Choir</h1>",
        "1 member · Open to everyone",
        "href=\"mailto:choir@lists.example.org\"",
        "href=\"mailto:choir-owner@lists.example.org\"",
        "Members write to this address, and their mail goes to everyone on the list.",
        "Mail from others waits until somebody has read it.",
    ] {
        assert!(page.body.contains(words), "{words} is not in {}", page.body);
    }
    leads_to(&page, "/lists/choir/join/", Place::Join.answers());
    leads_to(&page, "/lists/choir/join/?action=unsubscribe", Place::Join.answers());
    let check = async |fields: &[(&str, &str)], words: &[&str]| {
        app.admin.put("/api/2/lists/choir/", fields).await.good();
        let page = app.anon.get("/lists/choir/").await.body;
        for word in words {
            assert!(page.contains(word), "{word} is not in {page}");
        }
    };
    check(&[("moderate", "0")], &["Everybody can write"]).await;
    check(&[("moderate", "1")], &["Everybody can write", "Somebody reads each mail before"]).await;
    check(&[("moderate", "10"), ("message_rejections", "reject")], &["Only some people", "is not taken"])
        .await;
    check(&[("unsubscriptions", "closed")], &["decide who is on it"]).await;
    let ada = crate::members::signed_in(&app, ADA).await.get("/lists/choir/").await;
    assert!(ada.body.contains("You are a member"), "{}", ada.body);
    leads_to(&ada, "/lists/choir/join/", false);
}

#[tokio::test]
async fn the_name_of_a_list_has_one_form_in_its_address() {
    let app = TestApp::start().await;
    app.list("News").create().await;
    let moved = app.anon.get("/lists/nEWS/?lang=de&a=%20b").await;
    assert_eq!((moved.status, moved.header("location")), (301, Some("/lists/News/?lang=de&a=%20b")));
    let moved = app.anon.at_host(DOMAIN).request("HEAD", "/~test/lists/news/", &[], b"").await;
    assert_eq!((moved.status, moved.header("location")), (301, Some("/~test/lists/News/")));
    assert_eq!(app.anon.get("/lists/News/").await.status, 200);
    for path in ["/lists/%ff/", "/lists/a%2Fb/", &format!("/lists/{}/", "x".repeat(5000))] {
        assert_eq!(app.anon.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn mail_names_the_archive_of_a_list_that_has_one() {
    let app = TestApp::builder().without_dkim().start().await;
    let list = app.list("news").with("message_footer", "Archive: $ARCHIVE.").open().members(1).create().await;
    let post = async || {
        app.send_mail(ADA, &list.address, &format!("From: {ADA}\nSubject: x\n\nhi")).await;
        app.settle().await;
        app.sink.mails().pop().expect("a copy was sent")
    };
    let copy = post().await;
    let archive = format!("https://{DOMAIN}/lists/news/");
    assert_eq!(copy.header("List-Archive"), Some(format!("<{archive}>")));
    assert!(copy.text().contains(&format!("Archive: {archive}.")), "{}", copy.text());
    let permalink = copy.header("Archived-At").expect("a copy has its permalink");
    let path = permalink.strip_prefix(&format!("<https://{DOMAIN}")).and_then(|path| path.strip_suffix('>'));
    assert_eq!(app.anon.get(path.expect("a link of this server")).await.status, 200);
    app.admin.put("/api/2/lists/news/", &[("archive_enabled", "0")]).await.good();
    let copy = post().await;
    assert_eq!((copy.header("List-Archive"), copy.header("Archived-At")), (None, None));
    assert!(copy.text().contains("Archive: ."), "{}", copy.text());
}

/// Makes `count` lists at once, `l00000` and so on, each of a kind of its own.
async fn make_lists(app: &TestApp, count: u64) {
    let (core, account, now) = (app.core(), AccountId(app.account_id()), app.clock.now());
    for first in (0..count).step_by(1000) {
        let made = core.store.write(move |tx| -> Result<(), StoreError> {
            for number in first..(first + 1000).min(count) {
                let id = ListId(tx.next_id::<List>()?);
                let name = ListName::parse(&format!("l{number:05}")).unwrap();
                let mut list = List::new(id, account, name, now);
                match number % 5 {
                    0 => list.subscriptions = Some(Subscriptions::Open),
                    1 => list.archive_enabled = false,
                    2 => list.archive_protected = true,
                    3 => (list.subscriptions, list.archive_protected) = (Some(Subscriptions::Closed), true),
                    _ => list.pending = number % 2 == 0,
                }
                tx.put(&list)?;
            }
            Ok(())
        });
        made.await.unwrap();
    }
}

/// The path behind a link with this relation.
fn neighbour(page: &Response, relation: &str) -> Option<String> {
    let (before, _) = page.body.split_once(&format!("\" rel=\"{relation}\""))?;
    Some(before.rsplit("href=\"").next().unwrap().to_owned())
}

#[tokio::test]
async fn the_pages_of_a_directory_hold_each_list_once_in_both_directions() {
    let app = TestApp::start().await;
    let (count, page_lists) = (430, PAGE_LISTS);
    make_lists(&app, count).await;
    let is_shown = |number: &u64| match number % 5 {
        3 => false,
        4 => !number.is_multiple_of(2),
        _ => true,
    };
    let expected: Vec<String> = (0..count).filter(is_shown).map(|number| format!("l{number:05}")).collect();
    let (mut forwards, mut path) = (Vec::new(), "/".to_owned());
    let last = loop {
        let page = app.anon.get(&path).await;
        assert_eq!(neighbour(&page, "prev").is_some(), path != "/");
        forwards.push(shown(&page));
        match neighbour(&page, "next") {
            Some(next) => path = next,
            None => break path,
        }
    };
    assert_eq!(forwards.concat(), expected);
    assert!(forwards[..forwards.len() - 1].iter().all(|page| page.len() == page_lists));
    let (mut backwards, mut path) = (Vec::new(), last);
    loop {
        let page = app.anon.get(&path).await;
        backwards.insert(0, shown(&page));
        match neighbour(&page, "prev") {
            Some(previous) => path = previous,
            None => break,
        }
    }
    assert_eq!(backwards.concat(), expected);
    let mut strange = String::new();
    for query in ["after=zzz", "before=a", "after=L00001", "after=%00%ff", "before=l00001&after=l00002"] {
        let page = app.anon.get(&format!("/?{query}")).await;
        let _ = write!(strange, "{query}: {} ", shown(&page).len());
    }
    assert_eq!(
        strange,
        "after=zzz: 0 before=a: 0 after=L00001: 100 after=%00%ff: 100 before=l00001&after=l00002: 100 "
    );
}

#[tokio::test]
async fn a_page_of_the_directory_costs_the_same_among_ten_thousand_lists() {
    let time_of = async |count: u64| {
        let app = TestApp::start().await;
        make_lists(&app, count).await;
        let path = format!("/?after=l{:05}", count / 2);
        assert_eq!(shown(&app.anon.get(&path).await).len(), PAGE_LISTS);
        let mut fastest = std::time::Duration::MAX;
        for _ in 0..20 {
            let begun = Instant::now();
            app.anon.get(&path).await;
            fastest = fastest.min(begun.elapsed());
        }
        fastest
    };
    let (few, many) = (time_of(400).await, time_of(10_000).await);
    assert!(many < few * 8, "{few:?} among 400 lists, {many:?} among 10,000");
}
