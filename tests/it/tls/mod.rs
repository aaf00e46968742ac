//! Sending over TLS that cannot be taken away: what the recipients' domains ask, and what the senders ask.

mod dane;
mod expiry;
mod requiretls;
mod sts;

use std::time::Duration;

use crier::config::Trust;

use crate::harness::smtp::{Dialogue, wire_form};
use crate::harness::tls::{Authority, PolicyServer, policy_answer};
use crate::harness::{Builder, TestApp};

const MINUTE: Duration = Duration::from_mins(1);
const POST: &str = "Subject: hello\n\nhi";
/// The policy is announced with a life of nothing, so that a change is seen at once.
const ZONE: &str = "
    one.test MX 10 mx.one.test
    mx.one.test A 127.0.0.1
    _mta-sts.one.test 0 TXT v=STSv1; id=1;
    mta-sts.one.test A 127.0.0.1
";

fn policy(mode: &str) -> String {
    policy_answer(&format!("version: STSv1\r\nmode: {mode}\r\nmx: mx.one.test\r\nmax_age: 604800\r\n"))
}

/// A server that delivers to `one.test`, whose policy it can fetch; and all that can be done about that.
struct Scene {
    app: TestApp,
    authority: Authority,
    policies: PolicyServer,
    list: String,
}

impl Scene {
    async fn new(answer: String) -> Scene {
        Scene::with(answer, ZONE, "mta-sts.one.test").await
    }

    async fn with(answer: String, zone: &str, policy_host: &str) -> Scene {
        Scene::build(answer, policy_host, |builder| builder.dns(zone)).await
    }

    /// The same with a DNS that is signed.
    async fn signed(answer: String, zone: &str) -> Scene {
        Scene::build(answer, "mta-sts.one.test", |builder| builder.dns(zone).signed()).await
    }

    async fn build(answer: String, policy_host: &str, change: impl FnOnce(Builder) -> Builder) -> Scene {
        let authority = Authority::new();
        let policies = PolicyServer::start(authority.server(policy_host), answer).await;
        let app = change(straight(&authority, policies.port())).start().await;
        let list = app.list("news").member("a@one.test").create().await;
        Scene { app, authority, policies, list: list.address }
    }

    fn offer_tls(&self, name: &str) {
        self.app.sink.offer_tls(self.authority.server(name));
    }

    async fn post(&self) {
        self.app.send_mail("a@one.test", &self.list, POST).await;
        self.app.settle().await;
    }

    async fn post_requiring_tls(&self, message: &str) {
        send_requiring_tls(&self.app, &self.list, message).await;
        self.app.settle().await;
    }

    /// State, server and words of the newest post's only copy.
    async fn trace(&self) -> String {
        let messages = self.app.admin.get("/api/2/messages/").await.good();
        let newest = messages["data"].as_array().unwrap().iter().map(|row| row["id"].as_u64().unwrap()).max();
        let path = format!("/api/2/messages/{}/deliveries/", newest.unwrap());
        let rows = self.app.admin.get(&path).await.good();
        let row = &rows["data"][0];
        format!("{} {} {}", row["state"], row["remote"], row["reply"]).replace('"', "")
    }

    /// For each copy that arrived, whether it came over TLS.
    fn arrived(&self) -> Vec<bool> {
        self.app.sink.mails().iter().map(|mail| mail.tls).collect()
    }
}

/// Straight to the mail servers of each domain, all of which are the sink, with the authority believed.
fn straight(authority: &Authority, https_port: u16) -> Builder {
    let authorities = vec![authority.der()];
    TestApp::builder().config(move |config| {
        config.mx_port = config.relays.pop().expect("the sink is the relay at first").port;
        config.trust = Trust { authorities, https_port, ..config.trust.clone() };
    })
}

/// Sends one message under REQUIRETLS.
async fn send_requiring_tls(app: &TestApp, to: &str, message: &str) {
    let mut dialogue = Dialogue::connect(app.smtp_addr()).await;
    dialogue.expect(220).await;
    dialogue.say("EHLO client.example.org", 250).await;
    dialogue.say("STARTTLS", 220).await;
    let (mut dialogue, _) = dialogue.encrypted().await;
    dialogue.say("EHLO client.example.org", 250).await;
    dialogue.say("MAIL FROM:<a@one.test> REQUIRETLS", 250).await;
    dialogue.say(&format!("RCPT TO:<{to}>"), 250).await;
    dialogue.say("DATA", 354).await;
    dialogue.send(&wire_form("a@one.test", message)).await;
    dialogue.expect(250).await;
}
