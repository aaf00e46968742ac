//! Administrators are asked to approve that people join or leave, and that lists are made; and are told who joins and
//! leaves.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use crier::model::contact::JoinWay;
use crier::model::{AccountId, Admin, EmailAddress, ListId, ListName, Permission, RequestedChange, Via};
use crier::ops::Caller;
use crier::ops::accounts::admins;
use crier::ops::lists::{self, ListInput};
use crier::ops::people::requests::{self, NewRequest};
use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::harness::http::Response;
use crate::harness::sink::Mail;

const ADA: &str = "ada@example.org";
const BOSS: &str = "boss@example.org";
const VICE: &str = "vice@example.org";
const PENDING: &str = "/api/2/pending/";
const HOUR: Duration = Duration::from_hours(1);

/// An administrator with an address, these permissions and these notifications.
async fn admin(app: &TestApp, address: &str, permissions: &str, notifications: &str) {
    let fields = [
        ("username", address),
        ("permissions", permissions),
        ("notifications", notifications),
        ("welcome_email", "0"),
    ];
    app.admin.post("/api/2/admins/", &fields).await.good();
}

/// A server whose list `news` asks for approval of who joins and leaves, with two administrators who are asked.
async fn start() -> TestApp {
    let app = TestApp::builder().without_dkim().start().await;
    let list = app.list("news").with("description", "The News");
    list.with("subscriptions", "open+confirm").with("unsubscriptions", "open+confirm").create().await;
    for address in [BOSS, VICE] {
        admin(&app, address, "approve_messages", "pending_member").await;
    }
    app.settle().await;
    app.sink.clear();
    app
}

/// Asks to join a list and confirms that, as the form and the link do.
async fn ask_to_join(app: &TestApp, address: &str, name: &str, list: &str) {
    let list = app.admin.get(&format!("/api/2/lists/{list}/")).await.good()["id"].as_u64().unwrap();
    let client: Option<IpAddr> = Some("192.0.2.7".parse().unwrap());
    let account = AccountId(app.account_id());
    let request = NewRequest {
        account,
        address: EmailAddress::parse(address).unwrap(),
        name: name.to_owned(),
        changes: vec![RequestedChange::Join { list: ListId(list), digest: Some(true) }],
        agreed: "I want the <News>".to_owned(),
        way: JoinWay::Web,
        client,
    };
    let caller = Arc::new(Caller::anonymous(account, Via::Page, client));
    app.core().perform(&caller, move |tx, by| requests::ask(tx, by, request)).await.unwrap();
    app.settle().await;
    let path = link(&app.sink.mail_to(address), "confirm");
    app.sink.clear();
    let answer = app.anon.post(&path, &[("action", "confirm")]).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    app.settle().await;
}

/// Makes a member of `news` by the API; the path of its own link to leave.
async fn member(app: &TestApp, address: &str) -> String {
    app.join(address, "news").await;
    let post = [("list", "news"), ("subject", "hello"), ("content_plain", "hi")];
    app.admin.post("/api/2/messages/", &post).await.good();
    app.settle().await;
    let copy = app.sink.mail_to(address);
    let field = copy.header("List-Unsubscribe").expect("a copy has this field");
    app.sink.clear();
    field.split("https://lists.example.org").nth(1).unwrap().split('>').next().unwrap().to_owned()
}

/// The text of a mail as its reader sees it.
fn shown(mail: &Mail) -> String {
    mail.plain()
}

/// The path of the link to a page in a mail.
#[track_caller]
fn link(mail: &Mail, page: &str) -> String {
    let text = shown(mail);
    let start = text.find(&format!("https://lists.example.org/{page}/"));
    let start = start.unwrap_or_else(|| panic!("no link to {page}: {text}"));
    let link = text[start..].split_whitespace().next().unwrap();
    link.strip_prefix("https://lists.example.org").unwrap().to_owned()
}

fn reply_address(mail: &Mail) -> String {
    mail.header("Reply-To").expect("a request has a reply address").trim_matches(['<', '>']).to_owned()
}

async fn answer(app: &TestApp, from: &str, request: &Mail, text: &str) {
    let message = format!("From: {from}\nSubject: Re: Request\nMessage-ID: <a@example.org>\n\n{text}\n");
    assert_eq!(app.send_mail(from, &reply_address(request), &message).await.code, 250);
    app.settle().await;
}

async fn press(app: &TestApp, path: &str, fields: &[(&str, &str)]) -> Response {
    let answer = app.anon.post(path, fields).await;
    app.settle().await;
    answer
}

#[track_caller]
fn page(response: &Response, status: u16, words: &str) {
    assert_eq!(response.status, status, "{}", response.body);
    assert!(response.body.contains(words), "{words:?} is not in {}", response.body);
}

/// The only request there is, in any state.
async fn request(app: &TestApp) -> Value {
    for state in ["pending", "approved", "rejected", "discarded"] {
        let found = app.admin.get(&format!("{PENDING}?state={state}")).await.good();
        if found["count"] == 1 {
            return found["data"][0].clone();
        }
    }
    panic!("there is no request")
}

async fn state(app: &TestApp) -> String {
    request(app).await["state"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn who_asks_to_join_is_a_member_once_an_administrator_presses_approve() {
    let app = start().await;
    ask_to_join(&app, ADA, "Ada Lovelace", "news").await;
    assert!(app.members("news").await.is_empty());
    let shown_request = request(&app).await;
    let expected = json!({
        "id": shown_request["id"], "kind": "subscription", "list": "news", "email": ADA,
        "name": "Ada Lovelace", "requested": "2026-11-20T12:00:00Z", "state": "pending",
    });
    assert_eq!(shown_request, expected);
    assert_eq!(app.sink.to_members(), [BOSS, VICE]);
    let mail = app.sink.mail_to(BOSS);
    assert_eq!(mail.header("Subject").as_deref(), Some("The News: somebody would like to join"));
    assert!(shown(&mail).contains("Person:   Ada Lovelace <ada@example.org>"), "{mail}");
    let path = link(&mail, "moderate");
    let asked = app.anon.get(&path).await;
    // The evidence: how and from where the person asked, that the address was confirmed, and to what.
    for evidence in [", on a page, from 192.0.2.7</dd>", "Confirmed on", "I want the &#60;News&#62;"] {
        assert!(asked.body.contains(evidence), "{evidence}: {}", asked.body);
    }
    for words in ["Somebody would like to join news", "Ada Lovelace", ADA, "value=\"approve\""] {
        page(&asked, 200, words);
    }
    app.sink.clear();
    page(&press(&app, &path, &[("action", "approve")]).await, 200, "The request is approved");
    assert_eq!(app.members("news").await, [ADA]);
    let told = app.sink.mail_to(ADA);
    assert_eq!(told.header("Subject").as_deref(), Some("You are a member of The News"));
    assert_eq!(told.header("Auto-Submitted").as_deref(), Some("auto-generated"));
    assert_eq!(told.header("From").as_deref(), Some("\"The News\" <news-owner@lists.example.org>"));
    assert!(told.header("List-Id").is_none(), "{told}");
    let membership = app.admin.get("/api/2/membership/").await.good()["data"][0].clone();
    assert_eq!(membership["digest"], 1, "as the form said");
    let evidence = app.dump("membership");
    assert!(evidence.contains("Web"), "{evidence}");
}

#[tokio::test]
async fn who_asks_to_leave_has_left_once_a_request_is_approved_by_mail() {
    let app = start().await;
    let path = member(&app, ADA).await;
    press(&app, &path, &[("action", "leave")]).await;
    assert_eq!(app.members("news").await, [ADA]);
    let mail = app.sink.mail_to(VICE);
    assert_eq!(mail.header("Subject").as_deref(), Some("The News: somebody would like to leave"));
    app.sink.clear();
    answer(&app, VICE, &mail, "Approve\n\n> who cares").await;
    assert!(app.members("news").await.is_empty());
    let told = app.sink.mail_to(ADA);
    assert_eq!(told.header("Subject").as_deref(), Some("You have left The News"));
    page(&app.anon.get(&path).await, 200, "Undo");
}

#[tokio::test]
async fn the_person_is_told_of_a_rejection_with_its_reason_in_the_language_of_the_account() {
    for (kind, subject) in
        [("join", "Ihre Anfrage, The News beizutreten"), ("leave", "Ihre Anfrage, The News zu verlassen")]
    {
        let app = start().await;
        app.change_account(|account| account.settings.language = crier::model::Language::German).await;
        if kind == "join" {
            ask_to_join(&app, ADA, "", "news").await;
        } else {
            let path = member(&app, ADA).await;
            press(&app, &path, &[("action", "leave")]).await;
        }
        let members = app.members("news").await;
        let mail = app.sink.mail_to(BOSS);
        app.sink.clear();
        answer(&app, BOSS, &mail, "reject Only for parents").await;
        assert_eq!(state(&app).await, "rejected");
        assert_eq!(app.members("news").await, members);
        assert_eq!(app.sink.to_members(), [ADA]);
        let told = app.sink.mail_to(ADA);
        assert_eq!(told.header("Subject").as_deref(), Some(subject));
        assert!(shown(&told).contains("\n    Only for parents\n"), "{told}");
    }
}

#[tokio::test]
async fn nobody_is_told_of_a_discarded_request_and_its_evidence_goes() {
    let app = start().await;
    ask_to_join(&app, ADA, "Ada", "news").await;
    assert!(app.dump("consent").contains(ADA));
    let path = link(&app.sink.mail_to(BOSS), "moderate");
    app.sink.clear();
    page(&press(&app, &path, &[("action", "discard")]).await, 200, "The request is discarded");
    assert_eq!((app.sink.copies(), state(&app).await.as_str()), (0, "discarded"));
    assert!(!app.dump("consent").contains(ADA), "{}", app.dump("consent"));
    // Who was discarded may ask again, and is forgotten with the request otherwise.
    app.advance(24 * HOUR).await;
    ask_to_join(&app, ADA, "Ada", "news").await;
    assert_eq!(app.admin.get(PENDING).await.good()["count"], 1);
}

#[tokio::test]
async fn of_two_administrators_the_second_is_told_who_came_first() {
    let app = start().await;
    ask_to_join(&app, ADA, "Ada", "news").await;
    let (boss, vice) = (app.sink.mail_to(BOSS), app.sink.mail_to(VICE));
    app.sink.clear();
    press(&app, &link(&boss, "moderate"), &[("action", "reject"), ("reason", "not yet")]).await;
    app.sink.clear();
    let already = "It was rejected already, by boss@example.org on 20 November 2026, 12:00 UTC.";
    page(&press(&app, &link(&vice, "moderate"), &[("action", "approve")]).await, 409, already);
    page(&app.anon.get(&link(&vice, "moderate")).await, 200, already);
    answer(&app, VICE, &vice, "approve").await;
    let told = app.sink.mail_to(VICE);
    assert!(
        shown(&told).contains("Nothing was changed: the request was rejected already, by boss@example.org"),
        "{told}"
    );
    let path = format!("{PENDING}{}/", request(&app).await["id"]);
    app.admin.put(&path, &[("action", "approve")]).await.error(409, "rejected already, by boss@example.org");
    assert!(app.members("news").await.is_empty());
}

#[tokio::test]
async fn a_program_that_follows_the_links_of_these_mails_changes_nothing() {
    let app = start().await;
    ask_to_join(&app, ADA, "Ada", "news").await;
    let path = link(&app.sink.mail_to(BOSS), "moderate");
    for method in ["OPTIONS", "HEAD", "GET", "HEAD", "OPTIONS", "GET"] {
        app.anon.request(method, &path, &[], b"").await;
    }
    for fields in [&[][..], &[("reason", "spam")], &[("action", "")], &[("action", "nonsense")]] {
        page(&press(&app, &path, fields).await, 400, "Please press one of the buttons.");
    }
    assert_eq!(state(&app).await, "pending");
    let machine = "From: boss@example.org\nAuto-Submitted: auto-replied\n\napprove\n";
    let request = app.sink.mail_to(BOSS);
    assert_eq!(app.send_mail(BOSS, &reply_address(&request), machine).await.code, 250);
    assert_eq!(
        app.send_mail("", &reply_address(&request), "From: boss@example.org\n\napprove\n").await.code,
        250
    );
    app.settle().await;
    assert_eq!(state(&app).await, "pending");
    press(&app, &path, &[("action", "approve")]).await;
    for method in ["GET", "HEAD", "OPTIONS"] {
        app.anon.request(method, &path, &[], b"").await;
    }
    assert_eq!(app.members("news").await, [ADA]);
}

#[tokio::test]
async fn an_answer_that_is_no_decision_gets_instructions_once() {
    let app = start().await;
    ask_to_join(&app, ADA, "Ada", "news").await;
    let request = app.sink.mail_to(BOSS);
    app.sink.clear();
    for _ in 0..2 {
        answer(&app, BOSS, &request, "Who is this?").await;
    }
    let advice = app.sink.mail_to(BOSS);
    assert!(shown(&advice).contains("    reject and your reason\n"), "{advice}");
    app.sink.clear();
    answer(&app, BOSS, &advice, "approve").await;
    assert_eq!(app.members("news").await, [ADA]);
}

#[tokio::test]
async fn who_is_asked_depends_on_permissions_limits_notifications_and_the_lists_own_moderator() {
    let app = start().await;
    admin(&app, "silent@example.org", "approve_messages", "held_message").await;
    admin(&app, "sender@example.org", "send_messages", "pending_member").await;
    let limited = [
        ("username", "other@example.org"),
        ("permissions", "approve_messages"),
        ("permissions", "limit_lists"),
        ("limit_lists", "other"),
        ("notifications", "pending_member"),
        ("welcome_email", "0"),
    ];
    app.list("other").create().await;
    app.admin.post("/api/2/admins/", &limited).await.good();
    app.settle().await;
    ask_to_join(&app, ADA, "Ada", "news").await;
    assert_eq!(app.sink.to_members(), [BOSS, VICE]);
    let mail = app.sink.mail_to(BOSS);
    app.sink.clear();
    app.admin.put("/api/2/lists/news/", &[("moderator", "desk@example.org")]).await.good();
    ask_to_join(&app, "bea@example.org", "Bea", "news").await;
    assert_eq!(app.sink.to_members(), ["desk@example.org"]);
    let path = link(&app.sink.mail_to("desk@example.org"), "moderate");
    page(&press(&app, &path, &[("action", "approve")]).await, 200, "The request is approved");
    assert_eq!(app.members("news").await, ["bea@example.org"]);
    // A right that was lost is lost for links that were sent before.
    app.admin.put("/api/2/admins/boss@example.org/", &[("permissions", "send_messages")]).await.good();
    assert_eq!(press(&app, &link(&mail, "moderate"), &[("action", "approve")]).await.status, 404);
    app.sink.clear();
    app.admin.put("/api/2/lists/news/", &[("notify_approval", "none")]).await.good();
    ask_to_join(&app, "cleo@example.org", "Cleo", "news").await;
    assert_eq!(app.sink.copies(), 0);
}

#[tokio::test]
async fn a_new_list_is_approved_by_those_who_administer_the_account() {
    let app = TestApp::builder().without_dkim().start().await;
    app.change_account(|account| account.settings.require_list_approval = true).await;
    admin(&app, BOSS, "account_admin", "pending_list").await;
    admin(&app, VICE, "approve_messages", "pending_list").await;
    app.settle().await;
    app.sink.clear();
    let maker = app.key_with([Permission::ManageSettings]).await;
    maker.post("/api/2/lists/", &[("name", "tea"), ("description", "Tea & cake")]).await.good();
    maker.post("/api/2/lists/", &[("name", "milk")]).await.good();
    app.settle().await;
    assert_eq!(app.sink.to_members(), [BOSS, BOSS], "approve_messages is not enough for lists");
    let mails = app.sink.mails();
    let of = |name: &str| {
        let title = if name == "tea" { "Tea & cake" } else { name };
        let is_it = |mail: &&Mail| mail.header("Subject").is_some_and(|subject| subject.contains(title));
        link(mails.iter().find(is_it).unwrap(), "moderate")
    };
    page(&app.anon.get(&of("tea")).await, 200, "Tea &#38; cake");
    page(&press(&app, &of("tea"), &[("action", "approve")]).await, 200, "The list takes mail now.");
    assert_eq!(app.admin.get("/api/2/lists/tea/").await.good()["pending"], false);
    page(&press(&app, &of("milk"), &[("action", "reject")]).await, 200, "The list is removed");
    app.admin.get("/api/2/lists/milk/").await.error(404, "list");
    page(&press(&app, &of("milk"), &[("action", "approve")]).await, 409, "It was rejected already, by boss@");
}

#[tokio::test]
async fn requests_come_in_the_daily_digest_where_the_list_says_so() {
    let app = start().await;
    app.admin.put("/api/2/lists/news/", &[("notify_approval", "daily")]).await.good();
    ask_to_join(&app, ADA, "Ada", "news").await;
    ask_to_join(&app, "bea@example.org", "Bea", "news").await;
    assert_eq!(app.sink.copies(), 0);
    app.advance(18 * HOUR).await;
    let digest = app.sink.mail_to(BOSS);
    assert_eq!(digest.header("Subject").as_deref(), Some("The News: 2 requests wait for approval"));
    let text = shown(&digest);
    assert!(text.contains("Ada <ada@example.org>") && text.contains("Bea <bea@example.org>"), "{text}");
    press(&app, &link(&digest, "moderate"), &[("action", "approve")]).await;
    assert_eq!(app.members("news").await, [ADA]);
    app.sink.clear();
    app.advance(48 * HOUR).await;
    assert_eq!(app.sink.copies(), 0, "there is no news");
}

#[tokio::test]
async fn held_messages_and_requests_share_a_digest_in_which_each_reader_sees_its_own() {
    let app = start().await;
    app.admin.put("/api/2/lists/news/", &[("notify_approval", "daily")]).await.good();
    admin(&app, "both@example.org", "approve_messages", "held_message,pending_member").await;
    admin(&app, "held@example.org", "approve_messages", "held_message").await;
    app.settle().await;
    ask_to_join(&app, ADA, "Ada", "news").await;
    let offer = "From: eve@example.net\nSubject: Offer\n\nBuy.\n";
    app.send_mail("eve@example.net", "news@lists.example.org", offer).await;
    app.sink.clear();
    app.advance(18 * HOUR).await;
    let text = |address: &str| shown(&app.sink.mail_to(address));
    let both = text("both@example.org");
    assert!(both.contains("Offer") && both.contains("Ada <ada@"), "{both}");
    assert!(!text("held@example.org").contains("Ada <ada@") && text("held@example.org").contains("Offer"));
    assert!(text(BOSS).contains("Ada <ada@") && !text(BOSS).contains("Offer"));
}

#[tokio::test]
async fn beyond_twenty_requests_in_an_hour_the_rest_comes_in_one_digest() {
    let app = start().await;
    app.admin.put("/api/2/admins/vice@example.org/", &[("notifications", "")]).await.good();
    for number in 0..22 {
        ask_to_join(&app, &format!("person{number}@example.org"), "P", "news").await;
        let expected = usize::from(number < 20);
        assert_eq!(app.sink.copies(), expected, "{number}");
        app.sink.clear();
    }
    app.advance(HOUR).await;
    assert_eq!(app.sink.copies(), 1);
    let digest = app.sink.mail_to(BOSS);
    assert_eq!(digest.header("Subject").as_deref(), Some("The News: 22 requests wait for approval"));
}

#[tokio::test]
async fn a_request_that_the_address_book_cannot_take_stays_undecided() {
    let app = start().await;
    ask_to_join(&app, ADA, "Ada", "news").await;
    let mail = app.sink.mail_to(BOSS);
    let account = format!("/api/2/accounts/{}/", app.account_id());
    app.admin.put(&account, &[("restrict_contact", "@example\\.com$")]).await.good();
    app.sink.clear();
    page(
        &press(&app, &link(&mail, "moderate"), &[("action", "approve")]).await,
        400,
        "cannot become a member",
    );
    let path = format!("{PENDING}{}/", request(&app).await["id"]);
    app.admin.put(&path, &[("action", "approve")]).await.error(400, "restrict_contact");
    assert_eq!((state(&app).await.as_str(), app.sink.copies()), ("pending", 0));
    answer(&app, BOSS, &mail, "approve").await;
    let told = shown(&app.sink.mail_to(BOSS));
    assert!(
        told.contains("this account does not allow the address") && !told.contains("restrict_contact"),
        "{told}"
    );
    app.admin.put(&account, &[("restrict_contact", "")]).await.good();
    app.admin.put(&path, &[("action", "approve")]).await.good();
    assert_eq!(app.members("news").await, [ADA]);
}

#[tokio::test]
async fn a_request_goes_with_the_address_of_its_person() {
    let app = start().await;
    app.list("other").create().await;
    app.join(ADA, "other").await;
    ask_to_join(&app, ADA, "Ada", "news").await;
    let path = link(&app.sink.mail_to(BOSS), "moderate");
    let email = app.email(ADA).await["id"].to_string();
    app.admin.put(&format!("/api/2/emails/{email}/"), &[("email", "ada@example.com")]).await.good();
    assert!(!app.dump("pending").contains("ada@"), "{}", app.dump("pending"));
    assert_eq!(press(&app, &path, &[("action", "approve")]).await.status, 404);
}

/// A server with an open list `news` whose administrator is told who joins and leaves.
async fn start_with_news() -> TestApp {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").create().await;
    admin(&app, BOSS, "manage_members", "member_joined,member_left").await;
    app.settle().await;
    app.sink.clear();
    app
}

#[tokio::test]
async fn administrators_who_want_to_know_are_told_who_joins_and_leaves_and_why() {
    let app = start_with_news().await;
    ask_to_join(&app, ADA, "Ada Lovelace", "news").await;
    let joined = app.sink.mail_to(BOSS);
    assert_eq!(joined.header("Subject").as_deref(), Some("news: a new member"));
    let expected = "\n    Ada Lovelace <ada@example.org>, 20 November 2026, 12:00\n";
    assert!(shown(&joined).contains(expected), "{joined}");
    app.sink.clear();
    let path = member(&app, "bea@example.org").await;
    press(&app, &path, &[("List-Unsubscribe", "One-Click")]).await;
    let left = app.sink.mail_to(BOSS);
    assert_eq!(left.header("Subject").as_deref(), Some("news: a member has left"));
    assert!(shown(&left).contains("    bea@example.org, 20 November"), "{left}");
    app.sink.clear();
    press(&app, &path, &[("reason", "Too much mail.\nSorry!")]).await;
    let why = app.sink.mail_to(BOSS);
    assert_eq!(why.header("Subject").as_deref(), Some("news: why a member left"));
    assert!(shown(&why).contains("\n> Too much mail.\n> Sorry!\n"), "{why}");
    app.sink.clear();
    press(&app, &path, &[("action", "rejoin")]).await;
    assert_eq!(app.sink.mail_to(BOSS).header("Subject").as_deref(), Some("news: a new member"));
}

#[tokio::test]
async fn who_is_told_of_members_sees_the_list_and_did_not_act_and_imports_are_not_announced() {
    let app = start_with_news().await;
    admin(&app, "none@example.org", "", "member_joined").await;
    let limited = [
        ("username", "other@example.org"),
        ("permissions", "manage_members"),
        ("permissions", "limit_lists"),
        ("limit_lists", "other"),
        ("notifications", "member_joined"),
        ("welcome_email", "0"),
    ];
    app.list("other").create().await;
    app.admin.post("/api/2/admins/", &limited).await.good();
    app.settle().await;
    app.sink.clear();
    // A program's key: its administrators are told.
    app.join(ADA, "news").await;
    app.settle().await;
    assert_eq!(app.sink.to_members(), [BOSS]);
    app.sink.clear();
    let rows = json!([{"emails": ["bea@example.org"], "lists": ["news"]}]);
    app.admin.post_json("/api/2/contacts/batch/", &rows).await.good();
    app.settle().await;
    assert_eq!(app.sink.copies(), 0, "many contacts in one call are not announced");
    let contact = app.email(ADA).await["contact"].to_string();
    app.admin.put(&format!("/api/2/contacts/{contact}/"), &[("lists", "other")]).await.good();
    app.settle().await;
    assert_eq!(app.sink.to_members(), [BOSS, BOSS, "other@example.org"], "one list was left, another joined");
    app.sink.clear();
    app.admin.delete(&format!("/api/2/contacts/{contact}/")).await.good();
    app.settle().await;
    assert_eq!(app.sink.copies(), 0);
}

#[tokio::test]
async fn an_administrator_who_approves_a_request_is_not_told_of_the_new_member_and_others_are() {
    let app = start().await;
    for address in [BOSS, VICE] {
        let fields = [("notifications", "pending_member,member_joined")];
        app.admin.put(&format!("/api/2/admins/{address}/"), &fields).await.good();
    }
    ask_to_join(&app, ADA, "Ada", "news").await;
    let path = link(&app.sink.mail_to(BOSS), "moderate");
    app.sink.clear();
    press(&app, &path, &[("action", "approve")]).await;
    assert_eq!(app.sink.to_members(), [ADA, VICE]);
}

#[tokio::test]
async fn beyond_twenty_members_in_an_hour_the_rest_comes_in_one_summary() {
    let mut app = start_with_news().await;
    for number in 0..23 {
        app.join(&format!("person{number}@example.org"), "news").await;
    }
    let contact = app.email("person1@example.org").await["contact"].to_string();
    app.admin.put(&format!("/api/2/contacts/{contact}/"), &[("lists", "")]).await.good();
    app.settle().await;
    assert_eq!(app.sink.copies(), 20);
    app.sink.clear();
    app.admin
        .delete(&format!("/api/2/contacts/{}/", app.email("person22@example.org").await["contact"]))
        .await
        .good();
    app.restart().await;
    app.advance(HOUR).await;
    let summary = app.sink.mail_to(BOSS);
    assert_eq!(app.sink.copies(), 1);
    assert_eq!(summary.header("Subject").as_deref(), Some("news: who has joined and left"));
    let text = shown(&summary);
    assert!(text.contains("2 people have joined news@lists.example.org:"), "{text}");
    assert!(text.contains("1 person has left news@lists.example.org:"), "{text}");
    assert!(text.contains("person21@") && text.contains("    person1@"), "{text}");
    assert!(!text.contains("person22@"), "who is deleted is not named: {text}");
    assert_eq!(app.dump("announcement").matches("Announcement {").count(), 0);
    app.sink.clear();
    app.join("late@example.org", "news").await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 1, "the next hour has its own");
}

/// Makes a list as an administrator with an address does, and answers the path of the link to decide about it.
async fn made_by(app: &TestApp, maker: &str, name: &'static str) -> String {
    let account = AccountId(app.account_id());
    let core = app.core();
    let admins = admins::of_account(&core.store.read().unwrap(), Some(account)).unwrap();
    let is_maker = |admin: &&Admin| admin.username.as_ref().is_some_and(|own| own.as_str() == maker);
    let caller = Caller::admin(admins.iter().find(is_maker).unwrap(), account, Via::Page, None);
    let mut input = ListInput::default();
    input.changes.name = Some(ListName::parse(name).unwrap());
    app.sink.clear();
    let caller = Arc::new(caller);
    let making =
        core.perform(&caller, move |tx, by| lists::create(tx, &by.caller, input, by.now).map(|_| ()));
    making.await.unwrap();
    app.settle().await;
    let path = link(&app.sink.mail_to(BOSS), "moderate");
    app.sink.clear();
    path
}

#[tokio::test]
async fn an_administrator_is_told_whether_the_list_that_it_made_is_approved() {
    let app = TestApp::builder().without_dkim().start().await;
    app.change_account(|account| account.settings.require_list_approval = true).await;
    let maker = "maker@example.org";
    admin(&app, BOSS, "account_admin", "pending_list").await;
    admin(&app, maker, "manage_settings", "").await;
    app.settle().await;
    let path = made_by(&app, maker, "tea").await;
    press(&app, &path, &[("action", "approve")]).await;
    assert_eq!(app.sink.mail_to(maker).header("Subject").as_deref(), Some("Your list tea is approved"));
    let path = made_by(&app, maker, "milk").await;
    press(&app, &path, &[("action", "reject"), ("reason", "There is tea.")]).await;
    let told = app.sink.mail_to(maker);
    assert_eq!(told.header("Subject").as_deref(), Some("Your list milk is not approved"));
    assert!(shown(&told).contains("\n    There is tea.\n"), "{told}");
    let path = made_by(&app, maker, "water").await;
    press(&app, &path, &[("action", "discard")]).await;
    assert_eq!(app.sink.copies(), 0);
}
