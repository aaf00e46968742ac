//! How often strangers can have mail sent to somebody.

use std::time::Duration;

use crier::model::Cidr;
use tokio::task::JoinSet;

use super::{CLIENT, DAY, hidden, page};
use crate::harness::http::{Client, Response, encode};
use crate::harness::{DOMAIN, TestApp};

/// The type of a form's body.
const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");

fn body(fields: &[(&str, &str)]) -> String {
    let pairs = fields.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    pairs.collect::<Vec<_>>().join("&")
}

/// A server that this machine is a proxy of.
async fn behind_a_proxy() -> TestApp {
    TestApp::builder()
        .config(|config| config.http.trusted_proxies = vec![Cidr::parse("127.0.0.0/8").unwrap()])
        .start()
        .await
}

/// Sends a form on behalf of a client.
async fn post_for(anon: &Client, client: &str, path: &str, fields: &[(&str, &str)]) -> Response {
    let headers = [FORM, ("X-Forwarded-For", client)];
    anon.request("POST", path, &headers, body(fields).as_bytes()).await
}

#[tokio::test]
async fn a_client_that_asks_too_often_is_stopped_for_an_hour_and_still_reads() {
    let mut app = behind_a_proxy().await;
    app.list("news").create().await;
    let ask = async |app: &TestApp, client: &str, number: usize| {
        let address = format!("somebody{number}@example.org");
        post_for(&app.anon, client, "/subscribe/", &[("email", &address), ("list", "news")]).await
    };
    let mut allowed = 0;
    while ask(&app, CLIENT, allowed).await.status == 200 {
        allowed += 1;
    }
    assert!((100..150).contains(&allowed), "{allowed}");
    app.restart().await;
    let stopped = ask(&app, CLIENT, 1000).await;
    page(&stopped, 429, "That was a lot in a short time");
    let wait: u64 = stopped.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=3600).contains(&wait), "{wait}");
    let read = app.anon.request("GET", "/join/", &[("X-Forwarded-For", CLIENT)], b"").await;
    assert_eq!(read.status, 200);
    assert_eq!(ask(&app, "192.0.2.8", 1001).await.status, 200, "another client");
    // What no proxy passes on comes from the proxy itself.
    let own = app.anon.post("/subscribe/", &[("email", "own@example.org"), ("list", "news")]).await;
    assert_eq!(own.status, 200);
    app.advance(Duration::from_hours(1)).await;
    assert_eq!(ask(&app, CLIENT, 1002).await.status, 200);
}

#[tokio::test]
async fn this_machine_may_ask_as_often_as_it_likes_unless_it_is_a_proxy() {
    for is_proxy in [false, true] {
        let app = if is_proxy { behind_a_proxy().await } else { TestApp::start().await };
        app.list("news").create().await;
        let mut stopped = false;
        for number in 0..160 {
            let address = format!("somebody{number}@example.org");
            let answer = app.anon.post("/subscribe/", &[("email", &address), ("list", "news")]).await;
            stopped |= answer.status == 429;
        }
        assert_eq!(stopped, is_proxy);
    }
}

/// One way to have mail sent to an address: with the number of the attempt, and the list.
type Way = &'static str;

/// Every way on the web to ask for an address; ways by mail have tests of their own, with the same limits.
const WAYS: [Way; 6] =
    ["/join/", "/lists/LIST/join/", "/subscribe/", "/subscribe.php", "/~test/subscribe/", "/~test/join/"];

/// How many mails that ask to confirm something an address got, and the most of them for one list and direction.
fn bombs(app: &TestApp, victim: &str, lists: &[&str]) -> (usize, usize) {
    let mails = app.sink.mails();
    let mails: Vec<String> = mails
        .iter()
        .filter(|mail| mail.to.iter().any(|to| to.eq_ignore_ascii_case(victim)))
        .map(|mail| mail.text().replace("=\n", ""))
        .collect();
    let words =
        lists.iter().flat_map(|list| [format!("Join the list {list}\n"), format!("Leave the list {list}\n")]);
    let most = words.map(|words| mails.iter().filter(|text| text.contains(&words)).count()).max();
    (mails.len(), most.unwrap_or_default())
}

#[tokio::test]
async fn nobody_bombs_an_address_by_all_ways_at_once_from_a_thousand_clients() {
    const LISTS: [&str; 6] = ["news", "talk", "jobs", "club", "choir", "board"];
    let victim = "victim@example.org";
    let mut app = behind_a_proxy().await;
    for list in LISTS {
        app.list(list).create().await;
    }
    let token = hidden(&app.anon.get("/join/").await, "token").to_owned();
    app.clock.advance(Duration::from_secs(3));
    for day in 1..=2 {
        let mut attempts = JoinSet::new();
        for number in 0..1000_usize {
            let (anon, token) = (app.anon.at_host(DOMAIN), token.clone());
            attempts.spawn(async move {
                let list = LISTS[number / 6 % 6];
                let path = WAYS[number % 6].replace("LIST", list);
                let client = format!("198.51.{}.{}", number / 250, number % 250 + 1);
                let action = if number / 36 % 2 == 0 { "subscribe" } else { "unsubscribe" };
                let email = if number % 5 == 0 { "VICTIM@Example.ORG" } else { victim };
                let mut fields =
                    vec![("email", email), ("list", list), ("action", action), ("token", token.as_str())];
                if number % 7 == 0 {
                    fields.push(("list", LISTS[(number + 1) % 6]));
                }
                assert_eq!(post_for(&anon, &client, &path, &fields).await.status, 200, "{path}");
            });
            // As many at once as a server of this size is asked by.
            if 50 <= attempts.len() {
                attempts.join_next().await.unwrap().unwrap();
            }
        }
        attempts.join_all().await;
        app.settle().await;
        let (mails, most) = bombs(&app, victim, &LISTS);
        // One mail may stand for two lists, by which requests come first.
        assert!((3..=5).contains(&mails), "day {day}: {mails}");
        assert_eq!(most, 1, "day {day}");
        app.sink.clear();
        app.restart().await;
        app.advance(DAY).await;
    }
}
