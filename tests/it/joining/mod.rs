//! People join and leave lists by requests that they confirm.

mod forms;
mod limits;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use crier::model::contact::JoinWay;
use crier::model::{AccountId, EmailAddress, ListId, RequestedChange, Via};
use crier::ops::Caller;
use crier::ops::people::requests::{self, Asked, NewRequest};
use serde_json::json;

use crate::harness::TestApp;
use crate::harness::http::Response;
use crate::harness::sink::Mail;
use crate::harness::visitor::Visitor;

const ADA: &str = "ada@example.org";
const DAY: Duration = Duration::from_hours(24);
/// What is written as soon as there is time is written then.
const SOON: Duration = Duration::from_mins(1);
const CLIENT: &str = "192.0.2.7";

async fn list_id(app: &TestApp, name: &str) -> ListId {
    let list = app.admin.get(&format!("/api/2/lists/{name}/")).await.good();
    ListId(list["id"].as_u64().expect("a list has a number"))
}

async fn joins(app: &TestApp, name: &str) -> RequestedChange {
    RequestedChange::Join { list: list_id(app, name).await, digest: None }
}

async fn leaves(app: &TestApp, name: &str) -> RequestedChange {
    RequestedChange::Leave { list: list_id(app, name).await }
}

/// Takes a request as every way in does.
async fn ask(app: &TestApp, address: &str, name: &str, changes: Vec<RequestedChange>) -> Asked {
    let client: Option<IpAddr> = Some(CLIENT.parse().unwrap());
    let account = AccountId(app.account_id());
    let request = NewRequest {
        account,
        address: EmailAddress::parse(address).unwrap(),
        name: name.to_owned(),
        changes,
        agreed: "I want this.".to_owned(),
        way: JoinWay::Web,
        client,
    };
    let caller = Arc::new(Caller::anonymous(account, Via::Page, client));
    let asked = app.core().perform(&caller, move |tx, by| requests::ask(tx, by, request)).await.unwrap();
    app.settle().await;
    asked
}

/// The path of the link in a mail that asks to confirm.
#[track_caller]
fn link_of(mail: &Mail) -> String {
    let text = mail.text().replace("=\n", "");
    let start = text.find("https://lists.example.org/confirm/").unwrap_or_else(|| panic!("no link: {text}"));
    let link = text[start..].split_whitespace().next().unwrap();
    link.strip_prefix("https://lists.example.org").unwrap().to_owned()
}

/// The path of the link in the newest mail to an address.
#[track_caller]
fn newest_link(app: &TestApp, address: &str) -> String {
    let mails = app.sink.mails();
    let mail = mails
        .iter()
        .rev()
        .find(|mail| mail.to.iter().any(|to| to.eq_ignore_ascii_case(address)) && asks(mail));
    link_of(mail.unwrap_or_else(|| panic!("nothing was sent to {address}")))
}

/// Whether a mail asks to confirm something.
fn asks(mail: &Mail) -> bool {
    mail.header("Reply-To").is_some_and(|field| field.contains("confirm+"))
}

async fn press(app: &TestApp, path: &str) -> Response {
    let answer = app.anon.post(path, &[("action", "confirm")]).await;
    app.settle().await;
    answer
}

#[track_caller]
fn page(response: &Response, status: u16, words: &str) {
    assert_eq!(response.status, status, "{}", response.body);
    assert!(response.body.contains(words), "{words:?} is not in {}", response.body);
}

/// The value of a hidden field of a page.
#[track_caller]
fn hidden<'page>(page: &'page Response, name: &str) -> &'page str {
    let field = format!("type=\"hidden\" name=\"{name}\" value=\"");
    let start = page.body.find(&field).unwrap_or_else(|| panic!("no {name} in {}", page.body)) + field.len();
    page.body[start..].split('"').next().unwrap()
}

/// How many records a table has.
fn count(app: &TestApp, table: &str, record: &str) -> usize {
    app.dump(table).matches(&format!("{record} {{")).count()
}

#[tokio::test]
async fn whoever_asks_to_join_is_a_member_once_the_button_of_the_mailed_link_is_pressed() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").with("description", "Harbour News").create().await;
    let changes = vec![joins(&app, "news").await];
    assert_eq!(ask(&app, ADA, "Buy now at Evil Inc", changes).await, Asked::Mailed);
    let mail = app.sink.mail_to(ADA);
    let path = link_of(&mail);
    let token = path.trim_matches('/').rsplit('/').next().unwrap().to_owned();
    let reply_to = format!("confirm+{token}@lists.example.org");
    assert_eq!(mail.header("From").as_deref(), Some("\"Harbour News\" <news-owner@lists.example.org>"));
    assert!(mail.header("Reply-To").is_some_and(|field| field.contains(&reply_to)), "{mail}");
    assert_eq!(mail.header("Subject").as_deref(), Some("Please confirm: Harbour News"));
    assert_eq!(mail.header("Auto-Submitted").as_deref(), Some("auto-generated"));
    assert!(!mail.text().contains("List-"), "{mail}");
    for words in ["Evil", "Buy"] {
        assert!(!mail.text().contains(words), "the mail repeats words of the request: {mail}");
    }
    let shown = app.anon.get(&path).await;
    page(&shown, 200, "Do you want to join Harbour News?");
    page(&shown, 200, ADA);
    for method in ["HEAD", "OPTIONS"] {
        app.anon.request(method, &path, &[], b"").await;
    }
    assert!(app.members("news").await.is_empty(), "looking changes nothing");
    page(&press(&app, &path).await, 200, "You are a member of Harbour News");
    assert_eq!(app.members("news").await, [ADA]);
    assert_eq!(app.email(ADA).await["confirmed"], json!(true));
    page(&press(&app, &path).await, 200, "You have confirmed this already");
    page(&app.anon.get(&path).await, 200, "You have confirmed this already");
}

#[tokio::test]
async fn who_confirms_in_a_browser_is_signed_in_once_and_goes_on_to_the_list() {
    let app = TestApp::start().await;
    let list = app.list("news").with("description", "Harbour News").with("archive_protected", "1");
    list.with("archive_memberview", "1").create().await;
    ask(&app, ADA, "Ada", vec![joins(&app, "news").await]).await;
    let path = newest_link(&app, ADA);
    let mut visitor = Visitor::new(&app);
    let shown = visitor.get(&path).await;
    assert_eq!(visitor.cookie("__Host-member"), None, "looking signs nobody in");
    assert_eq!(count(&app, "session", "Session"), 0);
    let form = Visitor::form(&shown, &path, &["value=\"confirm\""]);
    let done = visitor.submit(&form, &[("action", "confirm")]).await;
    page(&done, 200, "You are a member of Harbour News");
    for link in
        ["href=\"/lists/news/\">Read Harbour News", "href=\"/lists/news/write/\"", "href=\"/members/\""]
    {
        page(&done, 200, link);
    }
    page(&done, 200, "value=\"signout\"");
    assert_eq!(count(&app, "session", "Session"), 1);
    page(&visitor.get("/members/").await, 200, "Hello, Ada");
    page(&visitor.get("/lists/news/").await, 200, "Nobody has written to this list yet.");
    let log = app.admin.get("/api/2/audit/?limit=1").await.good()["data"][0].clone();
    assert_eq!((&log["action"], &log["via"]), (&json!("session.started"), &json!("link")), "{log}");
    // The link is used up: it says so, and signs nobody in.
    let mut other = Visitor::new(&app);
    let used = other.get(&path).await;
    page(&used, 200, "You have confirmed this already");
    let csrf =
        Visitor::form(&other.get("/members/").await, "/members/", &["name=\"csrf\""]).fields[0].1.to_owned();
    page(&other.post(&path, &[("csrf", &csrf), ("action", "confirm")]).await, 200, "confirmed this already");
    assert_eq!(other.cookie("__Host-member"), None);
    assert_eq!(count(&app, "session", "Session"), 1);
}

#[tokio::test]
async fn nobody_is_signed_in_from_elsewhere_or_in_the_place_of_somebody_else() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let account = AccountId(app.account_id());
    let bob = app.new_member(account, "bob@example.org").await;
    let admin = app.new_admin(account, "eve@example.org").await;
    for (number, person) in [None, Some(bob), Some(admin)].into_iter().enumerate() {
        let address = format!("ada{number}@example.org");
        ask(&app, &address, "", vec![joins(&app, "news").await]).await;
        let path = newest_link(&app, &address);
        let mut visitor = match person {
            Some(person) => Visitor::signed_in(&app, person).await,
            None => Visitor::new(&app),
        };
        let before = (visitor.cookie("__Host-member").map(str::to_owned), count(&app, "session", "Session"));
        let done = if person.is_some() {
            let shown = visitor.get(&path).await;
            let form = Visitor::form(&shown, &path, &["value=\"confirm\""]);
            visitor.submit(&form, &[("action", "confirm")]).await
        } else {
            // A form of another site has no token of this browser.
            visitor.post(&path, &[("csrf", "x"), ("action", "confirm")]).await
        };
        page(&done, 200, "You are a member of news");
        let after = (visitor.cookie("__Host-member").map(str::to_owned), count(&app, "session", "Session"));
        assert_eq!(after, before, "{person:?}");
    }
    assert_eq!(app.members("news").await.len(), 3);
}

#[tokio::test]
async fn a_member_has_the_evidence_of_its_request_and_its_confirmation() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    ask(&app, ADA, "Ada Lovelace", vec![joins(&app, "news").await]).await;
    app.advance(Duration::from_hours(3)).await;
    press(&app, &newest_link(&app, ADA)).await;
    let evidence = app.dump("consent");
    for words in ["1795176000000", "1795186800000", CLIENT, "127.0.0.1", "I want this.", "Web"] {
        assert!(evidence.contains(words), "{words} is not in {evidence}");
    }
    let membership = app.dump("membership");
    assert!(membership.contains("1795186800000") && membership.contains("Web"), "{membership}");
    let contact =
        app.admin.get(&format!("/api/2/contacts/{}/", app.email(ADA).await["contact"])).await.good();
    assert_eq!((&contact["firstname"], &contact["surname"]), (&json!("Ada"), &json!("Lovelace")));
}

#[tokio::test]
async fn a_known_contact_keeps_its_name_and_joins_with_its_address_in_any_case() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let fields = [("emails", ADA), ("firstname", "Augusta")];
    app.admin.post("/api/2/contacts/", &fields).await.good();
    ask(&app, "ADA@Example.org", "Somebody Else", vec![joins(&app, "news").await]).await;
    press(&app, &newest_link(&app, "ADA@example.org")).await;
    assert_eq!(app.members("news").await, [ADA]);
    let contact =
        app.admin.get(&format!("/api/2/contacts/{}/", app.email(ADA).await["contact"])).await.good();
    assert_eq!((&contact["firstname"], &contact["surname"]), (&json!("Augusta"), &json!("")));
    assert_eq!(app.email(ADA).await["confirmed"], json!(true));
}

#[tokio::test]
async fn one_mail_confirms_all_changes_of_a_request_and_says_what_became_of_each() {
    let app = TestApp::start().await;
    for name in ["news", "talk", "old"] {
        app.list(name).create().await;
    }
    app.join(ADA, "old").await;
    let changes = vec![joins(&app, "news").await, joins(&app, "talk").await, leaves(&app, "old").await];
    ask(&app, ADA, "", changes).await;
    assert_eq!(app.sink.copies(), 1);
    let path = newest_link(&app, ADA);
    for words in ["Join the list news", "Join the list talk", "Leave the list old"] {
        page(&app.anon.get(&path).await, 200, words);
        assert!(app.sink.mail_to(ADA).text().contains(words));
    }
    app.admin.put("/api/2/lists/talk/", &[("subscriptions", "closed")]).await.good();
    let done = press(&app, &path).await;
    page(&done, 200, "You are a member of news");
    page(&done, 200, "The list does not take such requests at present");
    page(&done, 200, "You have left old");
    assert_eq!(app.members("news").await, [ADA]);
    assert!(app.members("talk").await.is_empty() && app.members("old").await.is_empty());
}

#[tokio::test]
async fn a_request_is_answered_for_seven_days_and_then_says_that_it_is_too_old() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    ask(&app, ADA, "", vec![joins(&app, "news").await]).await;
    let path = newest_link(&app, ADA);
    app.advance(6 * DAY + Duration::from_secs(86_399)).await;
    page(&app.anon.get(&path).await, 200, "Do you want to join news?");
    app.advance(Duration::from_secs(1)).await;
    let ended = app.anon.get(&path).await;
    page(&ended, 410, "This link no longer works");
    page(&ended, 410, "/join/\">Ask again</a>");
    page(&ended, 410, ended.header("x-request-id").unwrap());
    page(&press(&app, &path).await, 410, "This link no longer works");
    assert!(app.members("news").await.is_empty());
    app.advance(30 * DAY).await;
    assert_eq!(app.anon.get(&path).await.status, 404);
    assert_eq!(count(&app, "confirmation", "Confirmation"), 0, "it is forgotten");
    for path in ["/confirm/x/", "/confirm/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"] {
        assert_eq!(app.anon.get(path).await.status, 404);
        assert_eq!(press(&app, path).await.status, 404);
    }
}

#[tokio::test]
async fn an_address_gets_one_mail_a_day_for_each_list_and_direction_and_five_in_all() {
    let mut app = TestApp::start().await;
    for name in ["a", "b", "c", "d", "e", "f"] {
        app.list(name).create().await;
    }
    assert_eq!(ask(&app, ADA, "", vec![joins(&app, "a").await]).await, Asked::Mailed);
    assert_eq!(ask(&app, "ADA@example.org", "", vec![joins(&app, "a").await]).await, Asked::Withheld);
    assert_eq!(ask(&app, ADA, "", vec![leaves(&app, "a").await]).await, Asked::Withheld, "she is not in it");
    app.join(ADA, "f").await;
    assert_eq!(ask(&app, ADA, "", vec![leaves(&app, "f").await]).await, Asked::Mailed);
    app.restart().await;
    assert_eq!(ask(&app, ADA, "", vec![joins(&app, "a").await]).await, Asked::Withheld);
    // What was asked today already is left out.
    assert_eq!(ask(&app, ADA, "", vec![joins(&app, "a").await, joins(&app, "b").await]).await, Asked::Mailed);
    assert!(!app.sink.mails().last().unwrap().text().contains("list a"));
    assert_eq!(ask(&app, ADA, "", vec![joins(&app, "c").await]).await, Asked::Mailed);
    assert_eq!(ask(&app, ADA, "", vec![joins(&app, "d").await]).await, Asked::Mailed);
    assert_eq!(ask(&app, ADA, "", vec![joins(&app, "e").await]).await, Asked::Withheld);
    assert_eq!(ask(&app, ADA, "", vec![RequestedChange::Pause]).await, Asked::Withheld);
    assert_eq!(ask(&app, "bob@example.org", "", vec![joins(&app, "a").await]).await, Asked::Mailed);
    app.advance(DAY).await;
    assert_eq!(ask(&app, ADA, "", vec![joins(&app, "a").await]).await, Asked::Mailed);
    assert_eq!(app.sink.copies(), 7);
}

#[tokio::test]
async fn a_confirmed_request_waits_for_approval_where_the_list_says_so() {
    let app = TestApp::start().await;
    app.list("news").with("subscriptions", "open+confirm").create().await;
    for _ in 0..2 {
        ask(&app, ADA, "Ada", vec![joins(&app, "news").await]).await;
        let path = newest_link(&app, ADA);
        page(&app.anon.get(&path).await, 200, "The people who look after the list decide");
        page(&press(&app, &path).await, 200, "waits for approval");
        app.advance(DAY).await;
    }
    assert!(app.members("news").await.is_empty());
    let pending = app.admin.get("/api/2/pending/?state=pending").await.good();
    assert_eq!(pending["count"], 1, "{pending}");
    assert_eq!(pending["data"][0]["kind"], "subscription");
    assert_eq!(count(&app, "consent", "Consent"), 1);
}

#[tokio::test]
async fn an_address_that_the_account_does_not_take_is_refused_and_a_known_one_is_not() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.admin.post("/api/2/contacts/", &[("emails", "old@example.net")]).await.good();
    app.change_account(|account| {
        account.settings.restrict_contact = vec![r"@example\.org$".to_owned()];
    })
    .await;
    for (address, words) in [
        (ADA, "You are a member of news"),
        ("bob@example.net", "Addresses like bob@example.net cannot be members here"),
        ("old@example.net", "You are a member of news"),
    ] {
        assert_eq!(ask(&app, address, "", vec![joins(&app, "news").await]).await, Asked::Mailed);
        page(&press(&app, &newest_link(&app, address)).await, 200, words);
    }
    assert_eq!(app.members("news").await, [ADA, "old@example.net"]);
}

#[tokio::test]
async fn the_words_of_the_list_or_the_account_ask_to_confirm_and_always_have_the_link() {
    let app = TestApp::start().await;
    app.list("plain").create().await;
    app.list("news")
        .with("description", "The News")
        .with("confirmation_subject", "$LIST asks $NAME")
        .with("confirmation_message", "Dear $NAME ($EMAIL), join $LISTADDRESS: $CONFIRM Bye")
        .create()
        .await;
    app.change_account(|account| {
        account.settings.confirmation_subject = Some("Confirm $LIST".to_owned());
        account.settings.confirmation_message = Some("About $LIST.\n".to_owned());
    })
    .await;
    ask(&app, ADA, "Ada Lovelace", vec![joins(&app, "news").await]).await;
    let mail = app.sink.mail_to(ADA);
    assert_eq!(mail.header("Subject").as_deref(), Some("news asks Ada Lovelace"));
    let text = mail.plain();
    assert!(
        text.contains("Dear Ada Lovelace (ada@example.org), join news@lists.example.org: https://"),
        "{text}"
    );
    assert!(text.trim_end().ends_with("/ Bye"), "{text}");
    for (address, lists, about) in [
        ("bob@example.org", vec!["plain"], "plain"),
        ("cy@example.org", vec!["news", "plain"], "news, plain"),
    ] {
        let mut changes = Vec::new();
        for list in lists {
            changes.push(joins(&app, list).await);
        }
        ask(&app, address, "", changes).await;
        let mail = app.sink.mail_to(address);
        assert_eq!(mail.header("Subject"), Some(format!("Confirm {about}")));
        let text = mail.text().replace("=\n", "");
        assert!(
            text.contains(&format!("About {about}.\n\n    https://lists.example.org/confirm/")),
            "{text}"
        );
    }
}

#[tokio::test]
async fn everything_about_a_request_goes_with_the_contact_the_address_and_the_list() {
    let app = TestApp::start().await;
    for name in ["news", "talk", "slow"] {
        app.list(name).create().await;
    }
    app.admin.put("/api/2/lists/slow/", &[("subscriptions", "open+confirm")]).await.good();
    ask(&app, ADA, "", vec![joins(&app, "news").await, joins(&app, "slow").await]).await;
    press(&app, &newest_link(&app, ADA)).await;
    ask(&app, ADA, "", vec![joins(&app, "talk").await]).await;
    assert_eq!(count(&app, "consent", "Consent"), 2);
    assert_eq!(count(&app, "confirmation", "Confirmation"), 2);
    assert_eq!(count(&app, "pending", "Pending"), 1);
    app.admin.delete("/api/2/lists/talk/").await.good();
    assert_eq!(count(&app, "confirmation", "Confirmation"), 1);
    app.admin.delete(&format!("/api/2/contacts/{}/", app.email(ADA).await["contact"])).await.good();
    for (table, record) in [("consent", "Consent"), ("confirmation", "Confirmation"), ("pending", "Pending")]
    {
        assert_eq!(count(&app, table, record), 0, "{table}");
    }
    app.advance(DAY).await;
    ask(&app, ADA, "", vec![joins(&app, "news").await]).await;
    press(&app, &newest_link(&app, ADA)).await;
    let id = app.email(ADA).await["id"].to_string();
    app.admin.put_json(&format!("/api/2/emails/{id}/"), &json!({"email": "new@example.org"})).await.good();
    assert_eq!(count(&app, "consent", "Consent"), 0, "another address proves nothing");
    app.advance(DAY).await;
    ask(&app, "bob@example.org", "", vec![joins(&app, "news").await]).await;
    press(&app, &newest_link(&app, "bob@example.org")).await;
    assert_eq!(count(&app, "consent", "Consent"), 1);
    app.admin.delete("/api/2/lists/news/").await.good();
    assert_eq!(count(&app, "consent", "Consent"), 0);
    assert!(!app.dump("confirmation").contains("bob@example.org"));
}

/// Sets what the account says to new members.
async fn welcomes(app: &TestApp, at_confirmation: bool, at_adding: bool) {
    app.change_account(move |account| {
        account.settings.welcome_message = Some("Welcome, $FIRSTNAME!\nAs $EMAIL.\n\nBye.".to_owned());
        account.settings.send_welcome_message_confirmation = at_confirmation;
        account.settings.send_welcome_message_contacts = at_adding;
    })
    .await;
}

/// How many welcome messages of the account an address got.
fn welcomed(app: &TestApp, address: &str) -> usize {
    let is_welcome = |mail: &&Mail| {
        mail.to.iter().any(|to| to == address) && mail.text().contains(&format!("As {address}."))
    };
    app.sink.mails().iter().filter(is_welcome).count()
}

#[tokio::test]
async fn the_account_welcomes_on_the_page_and_by_mail_as_its_switches_say_once_a_person() {
    for (at_confirmation, at_adding) in [(false, false), (false, true), (true, false), (true, true)] {
        let app = TestApp::start().await;
        app.list("news").create().await;
        app.list("talk").create().await;
        welcomes(&app, at_confirmation, at_adding).await;
        app.join("added@example.org", "talk").await;
        app.advance(SOON).await;
        assert_eq!(welcomed(&app, "added@example.org"), usize::from(at_adding), "when added");
        for (address, list) in [(ADA, "news"), (ADA, "talk"), ("added@example.org", "news")] {
            ask(&app, address, "Ada Lovelace", vec![joins(&app, list).await]).await;
            let done = press(&app, &newest_link(&app, address)).await;
            page(&done, 200, "<p>Welcome, Ada!<br>As ");
            page(&done, 200, "<p>Bye.</p>");
            app.advance(SOON).await;
        }
        let expected = usize::from(at_confirmation || at_adding);
        let told = format!("confirmation {at_confirmation}, adding {at_adding}");
        assert_eq!(welcomed(&app, ADA), expected, "{told}");
        assert_eq!(welcomed(&app, "added@example.org"), expected, "{told}");
    }
}

#[tokio::test]
async fn a_list_welcomes_whoever_comes_to_belong_to_it_once_they_do() {
    let app = TestApp::start().await;
    app.list("news").with("welcome_message", "Hello to news").create().await;
    app.list("slow")
        .with("welcome_message", "Hello to slow")
        .with("subscriptions", "open+confirm")
        .create()
        .await;
    ask(&app, ADA, "", vec![joins(&app, "news").await, joins(&app, "slow").await]).await;
    app.advance(SOON).await;
    let greeted = |words: &str| app.sink.mails().iter().filter(|mail| mail.text().contains(words)).count();
    assert_eq!(greeted("Hello to"), 0, "nobody is welcomed who has not confirmed");
    press(&app, &newest_link(&app, ADA)).await;
    app.advance(SOON).await;
    assert_eq!((greeted("Hello to news"), greeted("Hello to slow")), (1, 0));
    app.advance(DAY).await;
    ask(&app, ADA, "", vec![joins(&app, "news").await]).await;
    page(&press(&app, &newest_link(&app, ADA)).await, 200, "You were already a member of news");
    app.advance(SOON).await;
    assert_eq!(greeted("Hello to news"), 1, "a member is welcomed once");
}
