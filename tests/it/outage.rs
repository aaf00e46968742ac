//! The DNS is down: it fails, is silent, or is not there. Mail waits, nobody is blamed, and nothing is believed that was
//! not proven.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crier::config::{Config, Patience};
use crier::model::Cidr;

use crate::harness::dns::{Line, Trouble};
use crate::harness::{Builder, TestApp};
use crate::sender_auth::{from, signed, zone};

const POST: &str = "Subject: hello\n\nhi";
/// How long every client waits for the answer to a message; RFC 5321 4.5.3.2.6 has it wait for ten minutes.
const CLIENTS_WAIT: Duration = Duration::from_mins(1);
const MINUTE: Duration = Duration::from_mins(1);
const MEMBERS: [&str; 3] = ["a@one.test", "b@one.test", "c@two.test"];
/// Every domain of this zone is served by the sink.
const SERVERS: &str = "
    one.test MX 10 mx.one.test
    mx.one.test A 127.0.0.1
    two.test A 127.0.0.1
";

/// A server whose DNS the line leads to, and which waits for an answer no longer than it must.
fn on(line: &Arc<Line>) -> Builder {
    let line = Arc::clone(line);
    TestApp::builder().dns(&zone()).dns(SERVERS).without_dkim().config(move |config| {
        config.dns_server = config.dns_server.map(|server| line.to(server));
        config.patience = Patience { question: Duration::from_millis(100), ..Patience::default() };
    })
}

/// Straight to the mail servers of each domain.
fn without_relays(config: &mut Config) {
    config.mx_port = config.relays.pop().expect("the sink is the relay at first").port;
}

/// Mail comes through a server in front, so that nothing of it is believed for coming from this machine.
fn fronted(config: &mut Config) {
    config.trusted_relays = vec![Cidr::parse("127.0.0.0/8").unwrap()];
}

#[tokio::test]
async fn without_dns_mail_to_the_servers_of_domains_waits_and_harms_no_member() {
    let check = async |trouble| {
        let line = Arc::new(Line::new());
        let app = on(&line).config(without_relays).start().await;
        let mut list = app.list("news");
        for member in MEMBERS {
            list = list.member(member);
        }
        let list = list.create().await;
        let alerts = app.dump("alert");
        line.disturb(trouble).await;
        app.send_mail("a@one.test", &list.address, POST).await;
        app.settle().await;
        // Each question takes its time where nobody answers.
        let tries = if trouble == Trouble::Fails { 5 } else { 1 };
        for minutes in [5, 15, 30, 60, 120].into_iter().take(tries) {
            let copy = app.trace("c@two.test").await;
            let reply = copy["reply"].as_str().unwrap();
            assert!(reply.starts_with("The DNS gave no answer: "), "{trouble:?}: {reply}");
            assert_eq!(copy["state"], "deferred", "{trouble:?}");
            let before = copy["attempts"].as_u64().unwrap();
            app.advance(minutes * MINUTE).await;
            let after = app.trace("c@two.test").await["attempts"].as_u64().unwrap();
            assert_eq!(after, before + 1, "{trouble:?}: {minutes} minutes later");
        }
        assert_eq!(app.sink.copies(), 0);

        line.mend().await;
        app.advance(240 * MINUTE).await;
        assert_eq!(app.sink.to_members(), MEMBERS, "{trouble:?}");
        for member in MEMBERS {
            assert_eq!(app.email(member).await["paused"], false, "{trouble:?}");
        }
        assert_eq!(app.dump("alert"), alerts, "{trouble:?}");
    };
    tokio::join!(check(Trouble::Fails), check(Trouble::IsSilent), check(Trouble::IsGone));
}

#[tokio::test]
async fn without_dns_mail_is_accepted_in_time_and_no_policy_is_assumed() {
    let check = async |trouble| {
        let line = Arc::new(Line::new());
        let app = on(&line).config(fronted).start().await;
        let list = app.list("news").open().member("reader@x.org").create().await;
        line.disturb(trouble).await;
        let begun = Instant::now();
        let forged = from("ada@strict.test");
        assert_eq!(app.send_mail("eve@x.org", &list.address, &forged).await.code, 250, "{trouble:?}");
        assert!(begun.elapsed() < CLIENTS_WAIT, "{trouble:?}: {:?}", begun.elapsed());
        app.settle().await;
        let copy = app.sink.mail_to("reader@x.org");
        let results = copy.header("Authentication-Results").unwrap();
        assert_eq!(results, "mx.example.org; dmarc=temperror header.from=strict.test", "{trouble:?}");
    };
    tokio::join!(check(Trouble::Fails), check(Trouble::IsSilent), check(Trouble::IsGone));
}

#[tokio::test]
async fn without_dns_a_post_that_only_a_member_may_send_is_put_off_until_it_can_be_proven() {
    let check = async |trouble| {
        let line = Arc::new(Line::new());
        let mut app = on(&line).config(fronted).start().await;
        let list = app.list("news").member("ada@careful.test").create().await;
        line.disturb(trouble).await;
        let proven = signed("careful.test", &from("ada@careful.test"));
        for message in [&proven, &from("ada@careful.test")] {
            let reply = app.send_mail("ada@careful.test", &list.address, message).await;
            assert_eq!(reply.code, 451, "{trouble:?}: {reply}");
        }
        // Who may post in any case is not asked for a proof, and who may not is not helped by its want.
        assert_eq!(
            app.send_mail("eve@x.org", &list.address, &from("eve@x.org")).await.code,
            250,
            "{trouble:?}"
        );
        assert_eq!(app.admin.get("/api/2/held/").await.good()["count"], 1, "{trouble:?}");

        line.mend().await;
        app.restart().await;
        let reply = app.send_mail("ada@careful.test", &list.address, &proven).await;
        assert_eq!(reply.code, 250, "{trouble:?}: {reply}");
        app.settle().await;
        assert_eq!(app.sink.to_members(), ["ada@careful.test"], "{trouble:?}");
    };
    tokio::join!(check(Trouble::Fails), check(Trouble::IsSilent), check(Trouble::IsGone));
}

/// The From field of the one copy, which says whether it was rewritten.
fn is_rewritten(app: &TestApp, author: &str) -> bool {
    let from = app.sink.mail_to("a@one.test").header("From").unwrap();
    app.sink.clear();
    match from.as_str() {
        "\"Ada (via news list)\" <news@lists.example.org>" => true,
        from => {
            assert_eq!(from, format!("Ada <{author}>"));
            false
        }
    }
}

#[tokio::test]
async fn from_is_rewritten_while_the_dns_is_down_unless_it_never_worked() {
    let check = async |trouble| {
        let line = Arc::new(Line::new());
        let mut app = on(&line).start().await;
        let list = app.list("news").open().member("a@one.test").create().await;
        let post = async |app: &TestApp, author: &str| {
            let message = from(&format!("Ada <{author}>"));
            assert_eq!(app.send_mail("x@x.org", &list.address, &message).await.code, 250);
            app.settle().await;
            is_rewritten(app, author)
        };
        assert!(!post(&app, "ada@lenient.test").await);
        line.disturb(trouble).await;
        assert!(post(&app, "ada@other.test").await, "{trouble:?}: it may be guarded");
        assert!(!post(&app, "ada@lists.example.org").await, "{trouble:?}: we sign for it");
        if trouble != Trouble::Fails {
            app.restart().await;
            assert!(!post(&app, "ada@other.test").await, "{trouble:?}: nobody has ever answered");
        }
    };
    tokio::join!(check(Trouble::Fails), check(Trouble::IsGone));
}

#[tokio::test]
async fn mail_that_waited_for_the_dns_gets_the_from_that_the_policy_then_allows() {
    for (author, expected) in [("ada@strict.test", true), ("ada@lenient.test", false)] {
        let line = Arc::new(Line::new());
        let app = on(&line).config(without_relays).start().await;
        let list = app.list("news").open().member("a@one.test").create().await;
        line.disturb(Trouble::Fails).await;
        app.send_mail("x@x.org", &list.address, &from(&format!("Ada <{author}>"))).await;
        app.settle().await;
        assert_eq!(app.sink.copies(), 0);
        line.mend().await;
        app.advance(5 * MINUTE).await;
        assert_eq!(is_rewritten(&app, author), expected, "{author}");
    }
}
