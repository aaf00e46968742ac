//! That no destination slows another, that none is hammered, and that nothing which waits is lost or forgotten.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use crier::config::{BATCHES_IN_FLIGHT_MAX, BATCHES_ON_TRIAL_MAX, Config, Patience, Rate, Relay};

use crate::harness::sink::Act;
use crate::harness::{Builder, TestApp, dead_addr};

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

fn post(number: usize) -> String {
    format!("Subject: {number}\n\nhi")
}

/// Straight to the mail servers of each domain, all of which are the sink.
fn to_domains(domains: &[String]) -> Builder {
    let zone: Vec<String> = domains.iter().map(|domain| format!("{domain} A 127.0.0.1")).collect();
    TestApp::builder().dns(&zone.join("\n")).config(|config| {
        config.mx_port = config.relays.pop().expect("the sink is the relay at first").port;
        config.allow_private_mx = true;
    })
}

fn domains(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("d{number:03}.test")).collect()
}

fn relay(addr: SocketAddr, credentials: Option<(String, String)>) -> Relay {
    Relay { host: addr.ip().to_string(), port: addr.port(), implicit_tls: false, credentials }
}

/// The numbers of the posts that were taken, in order.
fn taken(app: &TestApp) -> Vec<usize> {
    let subjects = app.sink.mails().into_iter().filter_map(|mail| mail.header("Subject"));
    subjects
        .map(|subject| subject.rsplit(' ').next().unwrap_or_default().parse().expect("a number"))
        .collect()
}

/// The states of the copies of a post.
async fn states(app: &TestApp, message: usize) -> BTreeSet<String> {
    let deliveries = app.admin.get(&format!("/api/2/messages/{message}/deliveries/")).await.good();
    let rows = deliveries["data"].as_array().expect("a listing has data").iter();
    rows.map(|row| row["state"].as_str().expect("a delivery has a state").to_owned()).collect()
}

#[tokio::test]
async fn one_destination_of_twenty_that_stalls_slows_no_other() {
    let domains = domains(20);
    let app = to_domains(&domains).start().await;
    let mut list = app.list("news").open();
    for domain in &domains {
        for reader in ["a", "b", "c"] {
            list = list.member(&format!("{reader}@{domain}"));
        }
    }
    let list = list.create().await;
    app.sink.script("a@d007.test", Act::Stall, 1);

    for number in 1..=3 {
        app.send_mail("x@x.org", &list.address, &post(number)).await;
        // The first attempt stalls, and the domain may have one more on trial.
        app.sink
            .wait_until(|mails| {
                19 * 3 * number <= mails.iter().filter(|mail| !mail.to[0].contains("d007")).count()
            })
            .await;
    }
    app.sink.wait_for_stalled(1).await;

    app.sink.release();
    app.settle().await;
    app.advance(5 * MINUTE).await;
    assert_eq!(app.sink.copies(), 3 * 3 * 20);
}

#[tokio::test]
async fn many_dead_destinations_do_not_starve_a_reachable_one() {
    let mut domains = domains(BATCHES_IN_FLIGHT_MAX + 20);
    domains.push("living.test".to_owned());
    let app = to_domains(&domains).start().await;
    let mut list = app.list("news").open();
    for domain in &domains {
        app.sink.script(&format!("dead@{domain}"), Act::Stall, 1);
        let name = if domain.starts_with('d') { "dead" } else { "a" };
        list = list.member(&format!("{name}@{domain}"));
    }
    let list = list.create().await;

    app.send_mail("x@x.org", &list.address, &post(1)).await;
    app.sink.wait_for_stalled(domains.len() - 1).await;
    app.sink.wait_for(1).await;
    assert_eq!(app.sink.to_members(), ["a@living.test"]);

    app.sink.release();
    app.settle().await;
    app.advance(5 * MINUTE).await;
    assert_eq!(app.sink.copies(), domains.len());
}

#[tokio::test]
async fn a_destination_that_takes_mail_keeps_its_places_whatever_others_do() {
    let mut domains = domains(BATCHES_ON_TRIAL_MAX + BATCHES_IN_FLIGHT_MAX);
    domains.push("living.test".to_owned());
    let app = to_domains(&domains).start().await;
    let known = app.list("known").open().member("a@living.test").create().await;
    app.send_mail("x@x.org", &known.address, &post(1)).await;
    app.settle().await;
    let mut list = app.list("news").open();
    for domain in domains.iter().filter(|domain| domain.starts_with('d')) {
        app.sink.script(&format!("dead@{domain}"), Act::Stall, 1);
        list = list.member(&format!("dead@{domain}"));
    }
    let list = list.create().await;

    app.send_mail("x@x.org", &list.address, &post(2)).await;
    app.sink.wait_for_stalled(BATCHES_ON_TRIAL_MAX).await;
    app.send_mail("x@x.org", &known.address, &post(3)).await;
    app.sink.wait_for(2).await;
    assert_eq!(taken(&app), [1, 3]);

    // Those behind them have their turn when there is room, and none is left out.
    for domain in &domains {
        app.sink.script(&format!("dead@{domain}"), Act::Stall, 0);
    }
    app.sink.release();
    app.settle().await;
    app.advance(5 * MINUTE).await;
    assert_eq!(app.sink.copies(), 2 + BATCHES_ON_TRIAL_MAX + BATCHES_IN_FLIGHT_MAX);
}

#[tokio::test]
async fn a_relay_that_stalls_is_given_up_in_its_time_and_everything_waits() {
    let patience = Patience { data: Duration::from_millis(300), ..Patience::default() };
    let app = TestApp::builder().config(move |config| config.patience = patience).start().await;
    let list = app.list("news").members(40).create().await;
    for number in 1..=40 {
        app.sink.script(&format!("member{number}@example.org"), Act::Stall, 1);
    }

    app.send_mail("member1@example.org", &list.address, &post(1)).await;
    app.settle().await;
    assert_eq!((app.sink.copies(), app.sink.connections()), (0, 1), "it would stall again");
    assert_eq!(states(&app, 1).await, BTreeSet::from(["deferred".to_owned()]));

    for number in 1..=40 {
        app.sink.script(&format!("member{number}@example.org"), Act::Stall, 0);
    }
    app.advance(5 * MINUTE).await;
    assert_eq!(app.sink.copies(), 40);
    app.sink.release();
}

#[tokio::test]
async fn a_relay_that_is_dead_or_lets_nobody_in_leaves_the_work_to_the_next() {
    let somebody = Some(("user".to_owned(), "password".to_owned()));
    for credentials in [None, somebody] {
        let change = move |config: &mut Config| {
            // The sink offers no TLS, without which no password leaves.
            let other = credentials
                .as_ref()
                .map_or_else(dead_addr, |_| SocketAddr::new([127, 0, 0, 1].into(), config.relays[0].port));
            config.relays.insert(0, relay(other, credentials));
        };
        let app = TestApp::builder().config(change).start().await;
        let list = app.list("news").members(3).create().await;
        app.send_mail("member1@example.org", &list.address, &post(1)).await;
        app.settle().await;
        assert_eq!(app.sink.copies(), 3);
    }
}

#[tokio::test]
async fn a_dead_relay_is_asked_once_in_a_while_however_much_waits_for_it() {
    let app = TestApp::builder().config(|config| config.connections_to_relay = 1).start().await;
    let list = app.list("news").members(1).create().await;
    app.sink.refuse_connections(u32::MAX);
    for number in 1..=60 {
        app.send_mail("member1@example.org", &list.address, &post(number)).await;
    }
    app.settle().await;
    assert_eq!(app.sink.connections(), 1);
    let mut asked = Vec::new();
    for _ in 0..11 {
        app.advance(MINUTE).await;
        asked.push(app.sink.connections());
    }
    // After 1, 2 and then every 5 minutes.
    assert_eq!(asked, [2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4]);
    assert_eq!(states(&app, 60).await, BTreeSet::from(["queued".to_owned()]));

    app.sink.refuse_connections(0);
    app.advance(MINUTE).await;
    app.send_mail("member1@example.org", &list.address, &post(61)).await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 0, "the relay has a minute left");
    app.advance(MINUTE).await;
    // What was asked about in vain goes behind the others.
    let taken = taken(&app);
    let untried: Vec<usize> = taken.iter().copied().filter(|number| (5..=60).contains(number)).collect();
    assert_eq!(untried.len(), 56);
    // Two at a time are ready for the one connection.
    assert!((5..).zip(&untried).all(|(place, number)| number.abs_diff(place) <= 1), "{untried:?}");
    assert_eq!((taken.iter().collect::<BTreeSet<_>>().len(), taken.len()), (61, 61));
}

#[tokio::test]
async fn deferred_mail_is_due_at_once_when_the_relay_is_back() {
    let app = TestApp::start().await;
    let list = app.list("news").members(2).create().await;
    app.sink.refuse_connections(u32::MAX);
    app.send_mail("member1@example.org", &list.address, &post(1)).await;
    app.settle().await;
    for minutes in [5, 15, 30, 60] {
        app.advance(minutes * MINUTE).await;
    }
    assert_eq!(app.sink.connections(), 5, "its next attempt is in two hours");

    app.sink.refuse_connections(0);
    app.send_mail("member1@example.org", &list.address, &post(2)).await;
    app.advance(5 * MINUTE).await;
    assert_eq!(taken(&app), [2, 2, 1, 1]);
}

#[tokio::test]
async fn copies_leave_no_faster_than_the_operator_allows() {
    let rate = Rate { copies: NonZeroU32::new(10).expect("not zero"), per: Duration::from_secs(1) };
    let app = TestApp::builder().config(move |config| config.rate_to_relay = Some(rate)).start().await;
    let list = app.list("news").members(25).create().await;
    app.sink.defer("member1@example.org", 1);

    app.send_mail("member2@example.org", &list.address, &post(1)).await;
    app.settle().await;
    // One of ten was put off, and is not tried again before its time.
    assert_eq!(app.sink.copies(), 9);
    app.advance(Duration::from_millis(999)).await;
    assert_eq!(app.sink.copies(), 9);
    app.advance(Duration::from_millis(1)).await;
    assert_eq!(app.sink.copies(), 19);
    app.advance(Duration::from_secs(1)).await;
    assert_eq!(app.sink.copies(), 24);
    app.advance(5 * MINUTE).await;
    assert_eq!(app.sink.copies(), 25);
}

#[tokio::test]
async fn mail_for_a_dead_relay_expires_after_five_days_even_if_never_attempted() {
    let app = TestApp::start().await;
    let list = app.list("news").members(1).create().await;
    app.sink.refuse_connections(u32::MAX);
    for number in 1..=30 {
        app.send_mail("member1@example.org", &list.address, &post(number)).await;
    }
    app.settle().await;
    // Fewer tries than there are posts.
    for _ in 0..5 {
        app.advance(23 * HOUR).await;
        app.advance(HOUR).await;
    }
    assert_eq!(
        states(&app, 30).await,
        BTreeSet::from(["queued".to_owned()]),
        "{} tries may be one outage",
        app.sink.connections()
    );
    for _ in 0..4 {
        app.advance(HOUR).await;
    }
    for number in [1, 15, 30] {
        assert_eq!(states(&app, number).await, BTreeSet::from(["failed".to_owned()]), "{number}");
    }
}

#[tokio::test]
async fn a_clock_that_is_set_forward_gives_nothing_up() {
    let app = TestApp::start().await;
    let list = app.list("news").members(1).create().await;
    app.sink.refuse_connections(u32::MAX);
    for number in 1..=20 {
        app.send_mail("member1@example.org", &list.address, &post(number)).await;
    }
    app.settle().await;

    app.clock.set(app.clock.now() + Duration::from_hours(24 * 30));
    for _ in 0..15 {
        app.advance(HOUR).await;
    }
    app.sink.refuse_connections(0);
    app.advance(HOUR).await;
    assert_eq!(taken(&app).into_iter().collect::<BTreeSet<_>>(), (1..=20).collect::<BTreeSet<_>>());
}

#[tokio::test]
async fn a_clock_that_is_set_back_keeps_nothing_waiting() {
    let app = TestApp::start().await;
    let list = app.list("news").members(3).create().await;
    app.sink.defer("member2@example.org", 1);
    app.send_mail("member1@example.org", &list.address, &post(1)).await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 2);

    app.clock.set(app.clock.now().before(Duration::from_hours(24 * 30)));
    app.advance(MINUTE).await;
    app.advance(5 * MINUTE).await;
    assert_eq!(app.sink.copies(), 3);
}

#[tokio::test]
async fn stalled_connections_are_cut_at_shutdown_without_counting_as_a_crash() {
    let mut app = TestApp::builder().config(|config| config.drain = Duration::from_millis(200)).start().await;
    let list = app.list("news").members(3).create().await;
    app.sink.script("member2@example.org", Act::Stall, 4);
    app.send_mail("member1@example.org", &list.address, &post(1)).await;
    // What was in flight in three crashes would wait its retry time.
    for stalled in 1..=4 {
        app.sink.wait_for_stalled(stalled).await;
        app.restart().await;
    }
    app.sink.release();
    app.settle().await;
    let taken: BTreeSet<String> = app.sink.to_members().into_iter().collect();
    assert_eq!(taken.len(), 3);
    assert_eq!(app.sink.mails().iter().filter(|mail| mail.to == ["member2@example.org"]).count(), 1);
}
