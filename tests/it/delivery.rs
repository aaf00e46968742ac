//! Delivery to servers that are not ready, refuse copies, or break connections off.

use std::net::SocketAddr;
use std::time::Duration;

use crier::config::{Config, Relay};
use serde_json::json;

use crate::harness::sink::Act;
use crate::harness::{TestApp, dns};

const POST: &str = "Subject: hello\n\nhi";
const MINUTE: Duration = Duration::from_mins(1);

fn members(numbers: impl IntoIterator<Item = usize>) -> Vec<String> {
    let mut members: Vec<String> =
        numbers.into_iter().map(|number| format!("member{number}@example.org")).collect();
    members.sort();
    members
}

#[tokio::test]
async fn a_deferred_copy_is_tried_again_after_5_15_and_30_minutes() {
    let app = TestApp::start().await;
    let list = app.list("news").members(3).create().await;
    app.sink.defer("member2@example.org", 3);

    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;
    assert_eq!(app.sink.to_members(), members([1, 3]));

    for minutes in [5, 15] {
        app.advance(minutes * MINUTE).await;
        assert_eq!(app.sink.copies(), 2);
    }
    app.advance(Duration::from_secs(30 * 60 - 1)).await;
    assert_eq!(app.sink.copies(), 2);
    app.advance(Duration::from_secs(1)).await;
    assert_eq!(app.sink.to_members(), members([1, 2, 3]));

    app.advance(Duration::from_hours(24)).await;
    assert_eq!(app.sink.copies(), 3);
}

#[tokio::test]
async fn a_copy_that_stays_deferred_is_given_up_after_five_days() {
    let app = TestApp::start().await;
    let list = app.list("news").members(2).create().await;
    app.sink.defer("member2@example.org", u32::MAX);

    app.send_mail("member1@example.org", &list.address, POST).await;
    for _ in 0..=5 * 6 {
        app.advance(Duration::from_hours(4)).await;
    }

    app.sink.defer("member2@example.org", 0);
    app.advance(Duration::from_hours(24)).await;
    assert_eq!(app.sink.to_members(), members([1]));
}

#[tokio::test]
async fn a_refused_recipient_fails_alone_and_for_good() {
    let app = TestApp::start().await;
    let list = app.list("news").members(3).create().await;
    app.sink.refuse("member2@example.org");

    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;
    app.advance(Duration::from_hours(24)).await;

    assert_eq!(app.sink.to_members(), members([1, 3]));
}

#[tokio::test]
async fn a_refusal_after_data_fails_only_that_recipient() {
    let app = TestApp::start().await;
    let list = app.list("news").members(3).create().await;
    app.sink.script("member2@example.org", Act::AtData("554 5.7.1 No thanks"), u32::MAX);
    app.sink.script("member3@example.org", Act::AtData("452 4.2.2 Full"), 1);

    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;
    assert_eq!(app.sink.to_members(), members([1]));

    app.advance(5 * MINUTE).await;
    assert_eq!(app.sink.to_members(), members([1, 3]));
}

#[tokio::test]
async fn a_connection_that_breaks_repeats_only_what_was_not_answered() {
    for act in [Act::DropAfterData, Act::DropInData] {
        let app = TestApp::start().await;
        let list = app.list("news").members(20).create().await;
        app.sink.script("member7@example.org", act, 1);

        app.send_mail("member1@example.org", &list.address, POST).await;
        app.settle().await;
        app.advance(5 * MINUTE).await;

        assert_eq!(app.sink.to_members(), members(1..=20));
    }
}

#[tokio::test]
async fn a_relay_that_turns_connections_away_is_tried_again() {
    let app = TestApp::start().await;
    let list = app.list("news").members(2).create().await;
    app.sink.refuse_connections(1);

    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;
    app.advance(5 * MINUTE).await;

    assert_eq!(app.sink.to_members(), members([1, 2]));
}

#[tokio::test]
async fn a_server_without_pipelining_gets_one_command_at_a_time() {
    let app = TestApp::start().await;
    let list = app.list("news").members(5).create().await;
    app.sink.without_pipelining();

    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;

    assert_eq!(app.sink.to_members(), members(1..=5));
}

#[tokio::test]
async fn copies_share_connections() {
    let app = TestApp::start().await;
    let list = app.list("news").members(50).create().await;

    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;

    assert_eq!(app.sink.copies(), 50);
    assert!(app.sink.connections() <= 8, "{} connections", app.sink.connections());
}

#[tokio::test]
async fn a_paused_address_gets_nothing() {
    let app = TestApp::start().await;
    let list = app.list("news").members(3).create().await;
    app.pause("member2@example.org").await;

    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;

    assert_eq!(app.sink.to_members(), members([1, 3]));
}

#[tokio::test]
async fn members_who_pause_or_leave_before_their_copy_are_skipped() {
    let app = TestApp::start().await;
    let list = app.list("news").members(3).create().await;
    app.sink.defer("member2@example.org", 1);
    app.sink.defer("member3@example.org", 1);
    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;

    app.pause("member2@example.org").await;
    let contact = app.email("member3@example.org").await["contact"].to_string();
    app.admin.delete(&format!("/api/2/contacts/{contact}/")).await.good();
    app.advance(5 * MINUTE).await;

    assert_eq!(app.sink.to_members(), members([1]));
}

#[tokio::test]
async fn members_who_pause_or_leave_during_the_delivery_are_skipped() {
    let app = TestApp::start().await;
    let list = app.list("news").members(6).create().await;
    app.sink.script("member1@example.org", Act::LateAtData, 1);
    app.send_mail("member1@example.org", &list.address, POST).await;
    app.sink.wait_for_stalled(1).await;

    app.pause("member5@example.org").await;
    let contact = app.email("member6@example.org").await["contact"].to_string();
    app.admin.delete(&format!("/api/2/contacts/{contact}/")).await.good();
    app.sink.release();
    app.settle().await;

    assert_eq!(app.sink.to_members(), members(1..=4));
}

#[tokio::test]
async fn members_who_join_after_a_post_do_not_get_it() {
    let app = TestApp::start().await;
    let list = app.list("news").members(2).create().await;

    app.send_mail("member1@example.org", &list.address, POST).await;
    app.join("late@example.org", &list.name).await;
    app.settle().await;
    assert_eq!(app.sink.to_members(), members([1, 2]));

    app.sink.clear();
    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 3);
}

#[tokio::test]
async fn a_restart_forgets_nothing_and_repeats_nothing() {
    let mut app = TestApp::start().await;
    let list = app.list("news").members(10).create().await;
    for number in [2, 4, 6] {
        app.sink.defer(&format!("member{number}@example.org"), 1);
    }
    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;
    app.restart().await;
    assert_eq!(app.sink.copies(), 7);

    app.send_mail("member1@example.org", &list.address, "Subject: second\n\nhi").await;
    app.restart().await;
    app.advance(5 * MINUTE).await;

    let twice = (1..=10).flat_map(|number| [number, number]);
    assert_eq!(app.sink.to_members(), members(twice));
}

#[tokio::test]
async fn more_members_than_a_batch_holds_all_get_their_copy() {
    let app = TestApp::start().await;
    let list = app.list("news").members(150).create().await;

    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;

    assert_eq!(app.sink.to_members(), members(1..=150));
}

/// Every domain of this zone is served by the sink, but for one that takes no mail.
const ZONE: &str = "
    one.test MX 10 mx.one.test
    mx.one.test A 127.0.0.1
    two.test A 127.0.0.1
    null.test MX 0 .
";

/// Straight to the mail servers of each domain, all of which are the sink.
fn without_relays(config: &mut Config, dns_server: SocketAddr) {
    config.mx_port = config.relays.pop().expect("the sink is the relay at first").port;
    config.dns_server = Some(dns_server);
    config.allow_private_mx = true;
}

#[tokio::test]
async fn without_a_relay_mail_goes_to_the_servers_of_each_domain() {
    let (_dns, dns_server) = dns::start(ZONE).await;
    let app = TestApp::builder().config(move |config| without_relays(config, dns_server)).start().await;
    let list =
        app.list("news").member("a@one.test").member("b@two.test").member("c@null.test").create().await;

    app.send_mail("a@one.test", &list.address, POST).await;
    app.settle().await;

    assert_eq!(app.sink.to_members(), ["a@one.test", "b@two.test"]);
    app.advance(Duration::from_hours(24)).await;
    assert_eq!(app.sink.copies(), 2);
}

#[tokio::test]
async fn mail_queued_for_a_relay_goes_to_the_domains_once_there_is_no_relay() {
    let (_dns, dns_server) = dns::start(ZONE).await;
    let mut app = TestApp::start().await;
    let list = app.list("news").member("a@one.test").member("b@two.test").create().await;
    app.sink.defer("b@two.test", 1);
    app.send_mail("a@one.test", &list.address, POST).await;
    app.settle().await;
    assert_eq!(app.sink.to_members(), ["a@one.test"]);

    app.restart_with(|config| without_relays(config, dns_server)).await;
    app.settle().await;

    assert_eq!(app.sink.to_members(), ["a@one.test", "b@two.test"]);
    assert_eq!(app.sink.copies(), 2);
}

#[tokio::test]
async fn mail_queued_for_a_domain_goes_to_the_relay_once_there_is_one() {
    let (_dns, dns_server) = dns::start(ZONE).await;
    let mut app = TestApp::builder().config(move |config| without_relays(config, dns_server)).start().await;
    let list = app.list("news").member("a@one.test").member("b@two.test").create().await;
    app.sink.defer("b@two.test", 1);
    app.send_mail("a@one.test", &list.address, POST).await;
    app.settle().await;

    let relay = Relay {
        host: "127.0.0.1".to_owned(),
        port: app.sink.addr().port(),
        implicit_tls: false,
        credentials: None,
    };
    app.restart_with(|config| {
        config.relays = vec![relay];
        config.dns_server = None;
    })
    .await;
    app.advance(5 * MINUTE).await;

    assert_eq!(app.sink.to_members(), ["a@one.test", "b@two.test"]);
}

#[tokio::test]
async fn mail_that_would_loop_fails_but_mail_to_hosted_domains_does_not() {
    let app = TestApp::builder()
        .dns("back.test MX 10 mx.example.org\nlists.example.org MX 10 mx.example.org\nmx.example.org A 127.0.0.1")
        .config(|config| config.mx_port = config.relays.pop().expect("the sink is the relay at first").port)
        .start()
        .await;
    let list = app.list("news").member("a@back.test").member("other@lists.example.org").create().await;

    app.send_mail("a@back.test", &list.address, POST).await;
    app.settle().await;

    assert_eq!(app.sink.to_members(), ["other@lists.example.org"]);
    let rows = app.admin.get("/api/2/messages/1/deliveries/").await.good();
    let reply = "5.4.6 Mail for back.test would come back to this server, which takes none for it";
    assert_eq!((&rows["data"][0]["state"], &rows["data"][0]["reply"]), (&json!("failed"), &json!(reply)));
}

#[tokio::test]
async fn delivery_falls_back_to_the_next_address_and_the_next_server() {
    // Nobody listens at the second address of this machine.
    let zone = "
        one.test MX 10 mx.one.test
        mx.one.test A 127.0.0.2
        mx.one.test A 127.0.0.1
        two.test MX 10 dead.two.test
        dead.two.test A 127.0.0.2
        two.test MX 20 mx.two.test
        mx.two.test A 127.0.0.1
    ";
    let app = TestApp::builder()
        .dns(zone)
        .config(|config| config.mx_port = config.relays.pop().expect("the sink is the relay at first").port)
        .start()
        .await;
    let list = app.list("news").member("a@one.test").member("b@two.test").create().await;

    app.send_mail("a@one.test", &list.address, POST).await;
    app.settle().await;

    assert_eq!(app.sink.to_members(), ["a@one.test", "b@two.test"]);
}
