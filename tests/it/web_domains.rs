//! What the links of an account begin with: its web domain, or the server's own host.

use std::sync::Arc;
use std::time::Duration;

use crier::model::Place;
use serde_json::json;

use crate::harness::TestApp;
use crate::harness::dns::{Line, Trouble};
use crate::harness::http::Client;
use crate::harness::sink::Mail;

const OWN: &str = "https://crier.example.net:8443";
const MINUTE: Duration = Duration::from_mins(1);
const ADA: &str = "ada@example.com";
const BOB: &str = "bob@example.com";
const EVE: &str = "eve@example.net";
/// The web domains of both accounts lead to this server.
const RIGHT: &str = "lists.example.org. A 192.0.2.1\nother.example.org. A 192.0.2.1";

/// A server with two accounts, whose own host is no domain of theirs.
async fn server(zone: &str, web_domain_tls: bool) -> (TestApp, Client) {
    let app = TestApp::builder()
        .without_dkim()
        .dns(zone)
        .config(move |config| {
            config.base_url = Some(OWN.to_owned());
            config.web_domain_tls = web_domain_tls;
            config.public_ips = vec!["192.0.2.1".parse().unwrap()];
        })
        .start()
        .await;
    let other = app.other_account().await;
    (app, other)
}

/// Makes the list `news` of an account with two members.
async fn news(admin: &Client) {
    let list = [("name", "news"), ("message_footer", "Leave: $UNSUBSCRIBE\nMine: $MANAGE")];
    admin.post("/api/2/lists/", &list).await.good();
    for address in [ADA, BOB] {
        admin.post_json("/api/2/contacts/", &json!({"emails": [address], "lists": ["news"]})).await.good();
    }
}

/// Ada posts to `news` of a domain; what bob gets.
async fn post(app: &TestApp, domain: &str) -> Mail {
    app.sink.clear();
    let message = format!("From: {ADA}\nSubject: hello\n\nhi");
    assert_eq!(app.send_mail(ADA, &format!("news@{domain}"), &message).await.code, 250);
    app.settle().await;
    app.sink.mail_to(BOB)
}

/// A mail as it is read.
fn text_of(mail: &Mail) -> String {
    mail.text().replace("=\n", "").replace("\n ", " ").replace("=3D", "=").replace("=20", " ")
}

/// The links of a mail, without what identifies its reader.
fn links_of(mail: &Mail) -> Vec<String> {
    let text = text_of(mail);
    let links = text.split(|c: char| c.is_whitespace() || "<>,".contains(c));
    let links = links.filter(|word| word.starts_with("http"));
    links
        .map(|link| link.trim_end_matches('/').rsplit_once('/').map_or(link, |(page, _)| page).to_owned())
        .collect()
}

/// The same of a mail of the server, whose HTML has the address below each button, too.
fn links_of_notice(mail: &Mail) -> Vec<String> {
    let mut links = links_of(mail);
    links.dedup();
    links
}

/// The links of a copy of `news` for an account whose links begin with `base`: to join, to the archive and to the
/// message in it, to leave in its header and its footer, and to the member's own pages.
fn links_at(base: &str) -> Vec<String> {
    let leave = format!("{base}/unsubscribe");
    let archive = [format!("{base}/lists"), format!("{base}/lists/news/messages")];
    [format!("{base}/lists/news")]
        .into_iter()
        .chain(archive)
        .chain([leave.clone(), leave, base.to_owned()])
        .collect()
}

/// Opens every link of a mail at the host that it names; they all answer.
async fn open_links(app: &TestApp, mail: &Mail) {
    let text = text_of(mail);
    let links: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || "<>,".contains(c))
        .filter_map(|word| word.strip_prefix("https://"))
        .collect();
    assert!(!links.is_empty(), "{text}");
    for link in links {
        let (host, path) = link.split_once('/').expect("a link has a path");
        assert_eq!(app.anon.at_host(host).get(&format!("/{path}")).await.status, 200, "{link}");
    }
}

#[tokio::test]
async fn links_of_an_only_account_begin_with_the_base_url() {
    let app = TestApp::builder()
        .without_dkim()
        .config(|config| config.base_url = Some(OWN.to_owned()))
        .start()
        .await;
    news(&app.admin).await;
    let copy = post(&app, "lists.example.org").await;
    assert_eq!(links_of(&copy), links_at(OWN));
    open_links(&app, &copy).await;
    app.other_account().await;
    let copy = post(&app, "lists.example.org").await;
    assert_eq!(links_of(&copy), links_at(&format!("{OWN}/~test")));
    open_links(&app, &copy).await;
}

#[tokio::test]
async fn every_mail_of_one_of_several_accounts_has_links_of_that_account() {
    let (app, other) = server("", false).await;
    for (admin, domain, root) in
        [(&app.admin, "lists.example.org", "/~test"), (&other, "other.example.org", "/~other")]
    {
        news(admin).await;
        let copy = post(&app, domain).await;
        assert_eq!(links_of(&copy), links_at(&format!("{OWN}{root}")));
        open_links(&app, &copy).await;

        // The request to decide, and the link to choose a password.
        let moderator = format!("moderator@{domain}.test");
        let fields = [
            ("username", moderator.as_str()),
            ("permissions", "approve_messages"),
            ("notifications", "held_message"),
        ];
        admin.post("/api/2/admins/", &fields).await.good();
        app.settle().await;
        let invitation = app.sink.mail_to(&moderator);
        assert_eq!(links_of_notice(&invitation), [format!("{OWN}{root}/password")]);
        open_links(&app, &invitation).await;
        app.sink.clear();
        let message = format!("From: {EVE}\nSubject: offer\n\nhi");
        assert_eq!(app.send_mail(EVE, &format!("news@{domain}"), &message).await.code, 250);
        app.settle().await;
        let request = app.sink.mail_to(&moderator);
        assert_eq!(links_of_notice(&request), [format!("{OWN}{root}/moderate")]);
        open_links(&app, &request).await;

        // What a simulation shows.
        let body = json!({"message": format!("From: {ADA}\nSubject: x\n\nhi\n")});
        let simulated = admin.post_json("/api/2/lists/news/simulate/", &body).await.good();
        let shown = simulated["headers"].to_string();
        assert!(shown.contains(&format!("<{OWN}{root}/unsubscribe/TOKEN/>")), "{shown}");

        // The probe of an address that bounced.
        app.sink.refuse(BOB);
        assert_eq!(
            app.send_mail(ADA, &format!("news@{domain}"), &format!("From: {ADA}\n\nx")).await.code,
            250
        );
        app.settle().await;
        app.sink.clear();
        app.sink.defer(BOB, 0);
        app.advance(Duration::from_hours(72)).await;
        let mut probes = app.sink.mails().into_iter().filter(|mail| mail.to == [BOB]);
        let probe = probes.next_back().expect("a probe");
        assert_eq!(links_of_notice(&probe), [format!("{OWN}{root}/resume")]);
        open_links(&app, &probe).await;
        app.sink.clear();
    }
}

#[tokio::test]
async fn a_web_domain_has_the_links_once_its_address_is_right_and_it_has_a_certificate() {
    let (app, _) = server(RIGHT, true).await;
    news(&app.admin).await;
    app.advance(MINUTE).await;
    let copy = post(&app, "lists.example.org").await;
    assert_eq!(links_of(&copy), links_at("https://lists.example.org"));
    assert!(copy.header("List-Unsubscribe-Post").is_some());
    open_links(&app, &copy).await;

    // Its address becomes another's.
    app.dns.set("lists.example.org. A 192.0.2.99").await;
    app.advance(22 * MINUTE).await;
    let copy = post(&app, "lists.example.org").await;
    assert_eq!(links_of(&copy), links_at(&format!("{OWN}/~test")));
    app.dns.set("lists.example.org. A 192.0.2.1").await;
    app.advance(12 * MINUTE).await;
    assert_eq!(links_of(&post(&app, "lists.example.org").await), links_at("https://lists.example.org"));

    // No other domain than the one that is for the web.
    app.change_domains(|domain| domain.is_web = false).await;
    assert_eq!(links_of(&post(&app, "lists.example.org").await), links_at(&format!("{OWN}/~test")));
}

#[tokio::test]
async fn a_web_domain_without_a_certificate_has_no_links() {
    let (app, _) = server(RIGHT, false).await;
    news(&app.admin).await;
    app.advance(MINUTE).await;
    let copy = post(&app, "lists.example.org").await;
    assert_eq!(links_of(&copy), links_at(&format!("{OWN}/~test")));
}

#[tokio::test]
async fn the_base_url_says_that_there_is_a_certificate_for_its_own_host() {
    let app = TestApp::builder()
        .without_dkim()
        .dns(RIGHT)
        .config(|config| {
            config.base_url = Some("https://lists.example.org:8443".to_owned());
            config.public_ips = vec!["192.0.2.1".parse().unwrap()];
        })
        .start()
        .await;
    app.other_account().await;
    news(&app.admin).await;
    app.advance(MINUTE).await;
    let copy = post(&app, "lists.example.org").await;
    assert_eq!(links_of(&copy), links_at("https://lists.example.org:8443"));
    open_links(&app, &copy).await;
}

#[tokio::test]
async fn a_web_domain_keeps_its_links_while_the_dns_is_silent_and_over_a_restart() {
    let line = Arc::new(Line::new());
    let to_dns = Arc::clone(&line);
    let mut app = TestApp::builder()
        .without_dkim()
        .dns(RIGHT)
        .config(move |config| {
            config.base_url = Some(OWN.to_owned());
            config.web_domain_tls = true;
            config.verify_senders = false;
            config.public_ips = vec!["192.0.2.1".parse().unwrap()];
            config.dns_server = config.dns_server.map(|server| to_dns.to(server));
        })
        .start()
        .await;
    news(&app.admin).await;
    app.advance(MINUTE).await;
    let web = links_at("https://lists.example.org");
    assert_eq!(links_of(&post(&app, "lists.example.org").await), web);
    line.disturb(Trouble::Fails).await;
    app.advance(22 * MINUTE).await;
    assert_eq!(links_of(&post(&app, "lists.example.org").await), web);
    app.restart().await;
    app.sink.clear();
    assert_eq!(links_of(&post(&app, "lists.example.org").await), web);
    app.restart_with(|config| config.web_domain_tls = false).await;
    assert_eq!(links_of(&post(&app, "lists.example.org").await), links_at(OWN));
}

#[tokio::test]
async fn a_quoted_link_of_any_root_works_for_nobody_else() {
    let (app, _) = server("", false).await;
    news(&app.admin).await;
    app.sink.clear();
    let token = "abcdefghijklmnopqrstuvwxyz234567abcdefghij";
    let bases = [
        OWN.to_owned(),
        format!("{OWN}/~test"),
        "https://lists.example.org".to_owned(),
        format!("{OWN}/~other"),
    ];
    let quoted: Vec<String> = bases.iter().map(|base| format!("> {base}/unsubscribe/{token}/\n")).collect();
    let quoted = quoted.concat();
    let message = format!("From: {ADA}\nSubject: Re: hello\n\nyes\n\n{quoted}");
    assert_eq!(app.send_mail(ADA, "news@lists.example.org", &message).await.code, 250);
    app.settle().await;
    let copy = text_of(&app.sink.mail_to(BOB));
    for base in &bases[..3] {
        assert!(copy.contains(&format!("> {base}/unsubscribe/removed/")), "{copy}");
    }
    assert!(copy.contains(&format!("> {OWN}/~other/unsubscribe/{token}/")), "another account's are not ours");
}

/// A path of such a page, or the local part of the address.
fn sample(place: Place) -> Result<&'static str, &'static str> {
    match place {
        Place::List => Ok("/lists/news/"),
        Place::Join => Ok("/lists/news/join/"),
        Place::Thread => Ok("/lists/news/threads/1/"),
        Place::Message => Ok("/lists/news/messages/1/"),
        Place::Members => Ok("/members/"),
        Place::Confirm => Ok("/confirm/x/"),
        Place::HelpAddress => Err("news-help"),
        Place::SubscribeAddress => Err("news-subscribe"),
        Place::UnsubscribeAddress => Err("news-unsubscribe"),
    }
}

#[tokio::test]
async fn mail_names_the_places_that_answer_and_no_others() {
    let app = TestApp::builder().without_dkim().start().await;
    news(&app.admin).await;
    app.admin.put("/api/2/lists/news/", &[("archive_enabled", "1"), ("moderator", BOB)]).await.good();
    let copy = text_of(&post(&app, "lists.example.org").await);
    for place in Place::ALL {
        let (answers, named) = match sample(place) {
            Ok(path) => {
                // No page is changed by PUT, and where there is none, nothing refuses it.
                let refused = app.anon.request("PUT", path, &[], b"").await;
                (refused.status != 404, format!("https://lists.example.org{path}"))
            }
            Err(local) => {
                let address = format!("{local}@lists.example.org");
                (
                    app.send_mail(ADA, &address, &format!("From: {ADA}\nSubject: x\n\nx")).await.code == 250,
                    format!("mailto:{address}"),
                )
            }
        };
        assert_eq!(place.answers(), answers, "{place:?}");
        let is_named = copy.split(|c: char| c.is_whitespace() || "<>,".contains(c)).any(|word| word == named);
        assert!(place.answers() || !is_named, "{named} in {copy}");
    }
    for field in ["List-Id: <news.lists.example.org>", "List-Post: <mailto:news@lists.example.org>"] {
        assert!(copy.contains(field), "{field} in {copy}");
    }
    let mail = format!("From: {ADA}\nSubject: x\n\nx");
    assert_eq!(app.send_mail(ADA, "news-owner@lists.example.org", &mail).await.code, 250);
}

#[tokio::test]
async fn whoever_gets_a_shared_copy_leaves_by_the_page_of_the_list_or_a_mail_that_somebody_reads() {
    let app = TestApp::builder()
        .without_dkim()
        .config(|config| config.delivery = crier::config::Delivery::Batched)
        .start()
        .await;
    let footer = "Leave: $UNSUBSCRIBE\nMine: $MANAGE\nOld: $ARCHIVE\nThis: $MESSAGE_URL.";
    let list =
        app.list("news").with("message_footer", footer).with("moderator", "owner@example.com").members(3);
    let list = list.create().await;
    app.send_mail("member1@example.org", &list.address, "From: member1@example.org\nSubject: x\n\nhi").await;
    app.settle().await;
    let copy = app.sink.mails().remove(0);
    let mailto = "mailto:news-unsubscribe@lists.example.org";
    let page = "https://lists.example.org/lists/news/join/?action=unsubscribe";
    assert_eq!(copy.header("List-Unsubscribe"), Some(format!("<{page}>, <{mailto}>")));
    let text = text_of(&copy);
    let archive = "https://lists.example.org/lists/news/";
    let places = format!("Leave: {page}\nMine: {page}\nOld: {archive}\nThis: {archive}messages/");
    assert!(text.contains(&places), "{text}");
    let shown = app.anon.at_host("lists.example.org").get("/lists/news/join/?action=unsubscribe").await;
    assert_eq!(shown.status, 200);
    app.sink.clear();
    let leaving = "From: member2@example.org\nSubject: unsubscribe\n\n";
    let unsubscribe = "news-unsubscribe@lists.example.org";
    assert_eq!(app.send_mail("member2@example.org", unsubscribe, leaving).await.code, 250);
    app.settle().await;
    let asked = app.sink.mail_to("member2@example.org");
    assert!(asked.header("Reply-To").is_some_and(|field| field.contains("confirm+")), "{asked}");
    // Where nobody leaves on their own, people read it.
    app.admin
        .put("/api/2/lists/news/", &[("unsubscriptions", "closed"), ("subscriptions", "closed")])
        .await
        .good();
    app.sink.clear();
    app.send_mail("member1@example.org", &list.address, "From: member1@example.org\nSubject: y\n\nhi").await;
    app.settle().await;
    let copy = app.sink.mails().remove(0);
    let mailto = "mailto:news-owner@lists.example.org?subject=unsubscribe";
    assert_eq!(copy.header("List-Unsubscribe"), Some(format!("<{mailto}>")));
    assert_eq!(copy.header("List-Subscribe"), None);
    app.sink.clear();
    assert_eq!(app.send_mail("member2@example.org", "news-owner@lists.example.org", leaving).await.code, 250);
    app.settle().await;
    assert_eq!(app.sink.mail_to("owner@example.com").header("Subject").as_deref(), Some("unsubscribe"));
}
