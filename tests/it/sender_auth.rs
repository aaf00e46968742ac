//! Authentication of a message's sender by the DNS: what is recorded, refused, held and deferred.

use std::net::IpAddr;

use crier::config::Config;
use crier::mail::envelope::{DsnOptions, Envelope, Origin, ReversePath};
use crier::mail::sign;
use crier::model::{Authentication, CheckResult, Cidr, DkimKeys, DmarcPolicy, EmailAddress};
use crier::net::verify::Verifier;
use mail_auth::common::crypto::Ed25519Key;
use mail_auth::common::headers::HeaderWriter as _;
use mail_auth::dkim::DkimSigner;
use tokio::net::UdpSocket;

use crate::harness::TestApp;
use crate::harness::data::{TestList, dkim_zone};
use crate::harness::dns::serve;

const ED25519: &[u8] = include_bytes!("../fixtures/dkim/ed25519.pk8");
/// The answer to what is taken.
const ACCEPTED: &str = "250 2.0.0 Message accepted";
/// Domains with every kind of policy; `ed._domainkey` of each has the key of [`signed`].
const DOMAINS: [(&str, &str); 5] = [
    ("strict.test", "v=DMARC1; p=reject"),
    ("careful.test", "v=DMARC1; p=quarantine"),
    ("lenient.test", "v=DMARC1; p=none"),
    ("parent.test", "v=DMARC1; p=none; sp=reject"),
    ("xn--exmple-cua.test", "v=DMARC1; p=reject"),
];

/// The records of [`DOMAINS`]. Each names 192.0.2.1 as its server.
pub(crate) fn zone() -> String {
    let keys = DkimKeys {
        selector: "any".to_owned(),
        rsa_pkcs8: include_bytes!("../fixtures/dkim/rsa.pk8").to_vec(),
        ed25519_pkcs8: ED25519.to_vec(),
    };
    let records = sign::dns_records(&keys).unwrap();
    let (_, key) = records.iter().find(|(_, record)| record.contains("ed25519")).unwrap();
    let of = |(domain, policy): (&str, &str)| {
        format!(
            "_dmarc.{domain} TXT {policy}\n{domain} TXT v=spf1 ip4:192.0.2.1 -all\ned._domainkey.{domain} TXT {key}\n"
        )
    };
    DOMAINS.map(of).concat()
}

/// A message with a DKIM signature of `domain`, made by another implementation than ours.
pub(crate) fn signed(domain: &str, message: &str) -> String {
    signed_over(&["From", "To", "Subject", "Reply-To", "Message-ID", "Date"], domain, message)
}

fn signed_over(fields: &[&'static str], domain: &str, message: &str) -> String {
    let message = message.replace("\r\n", "\n").replace('\n', "\r\n");
    let signature = DkimSigner::from_key(Ed25519Key::from_pkcs8_maybe_unchecked_der(ED25519).unwrap())
        .domain(domain)
        .selector("ed")
        .headers(fields.iter().copied())
        .sign(message.as_bytes())
        .unwrap();
    format!("{}{message}", signature.to_header())
}

pub(crate) fn from(author: &str) -> String {
    format!("From: {author}\nTo: news@lists.example.org\nSubject: hello\n\nhi\n")
}

async fn app() -> TestApp {
    TestApp::builder().dns(&zone()).without_dkim().start().await
}

/// The code and the text of the answer to a member's post to a list of members.
async fn post(app: &TestApp, author: &str, message: &str) -> String {
    let list = app.list("news").member(author).create().await;
    let reply = app.send_mail(author, &list.address, message).await;
    app.settle().await;
    format!("{reply}")
}

#[tokio::test]
async fn authentication_results_stand_above_all_other_fields() {
    let app = app().await;
    assert_eq!(
        post(&app, "ada@strict.test", &signed("strict.test", &from("ada@strict.test"))).await,
        ACCEPTED
    );
    let copy = app.sink.mail_to("ada@strict.test").text();
    let expected = "Authentication-Results: mx.example.org;\r\n\tdkim=pass header.d=strict.test header.s=ed;\r\n\t\
                    dmarc=pass (p=reject) header.from=strict.test\r\nReceived: ";
    assert!(copy.replace("\r\n", "\n").starts_with(&expected.replace("\r\n", "\n")), "{copy}");
}

#[tokio::test]
async fn a_message_is_refused_where_the_authors_domain_asks_for_it() {
    let app = app().await;
    let list = app.list("news").open().member("m@x.org").create().await;
    let send = async |author: &str, signer: Option<&str>| {
        let message = from(author);
        let message = signer.map_or(message.clone(), |signer| signed(signer, &message));
        app.send_mail("m@x.org", &list.address, &message).await.code
    };
    assert_eq!(send("ada@strict.test", None).await, 550);
    assert_eq!(send("ada@strict.test", Some("lenient.test")).await, 550, "somebody else's signature");
    assert_eq!(send("ada@sub.parent.test", None).await, 550, "the policy for what is below a domain");
    assert_eq!(send("ada@exämple.test", None).await, 550);
    assert_eq!(send("ada@careful.test", None).await, 250);
    assert_eq!(send("ada@parent.test", None).await, 250);
    assert_eq!(send("ada@unknown.test", None).await, 250);
    assert_eq!(send("ada@strict.test", Some("strict.test")).await, 250);
    assert_eq!(send("ada@sub.parent.test", Some("parent.test")).await, 250);
    assert_eq!(
        send("ada@strict.test, bob@lenient.test", None).await,
        250,
        "RFC 9989 exempts several domains"
    );
    assert_eq!(send("ada@strict.test, bob@strict.test", None).await, 550);
    assert_eq!(send("Nobody:;", None).await, 250);
}

#[tokio::test]
async fn a_changed_message_has_no_valid_signature() {
    let app = app().await;
    let changed = signed("strict.test", &from("ada@strict.test")).replace("hi", "ho");
    assert!(post(&app, "ada@strict.test", &changed).await.starts_with("550 5.7.1 The author's domain asks"));
}

#[tokio::test]
async fn a_member_has_to_prove_itself_where_its_domain_has_a_policy() {
    let app = app().await;
    assert_eq!(post(&app, "ada@careful.test", &from("ada@careful.test")).await, ACCEPTED);
    let held = app.admin.get("/api/2/held/").await.good();
    assert_eq!(held["count"], 1);
    assert!(held["data"][0]["reason"].as_str().unwrap().contains("could not be verified"), "{held}");
    assert_eq!(app.sink.copies(), 0);
    let message = signed("careful.test", &from("ada@careful.test"));
    app.send_mail("ada@careful.test", "news@lists.example.org", &message).await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 1);
}

#[tokio::test]
async fn of_several_authors_each_has_to_prove_itself() {
    let app = app().await;
    let both = "ada@lenient.test, bob@careful.test";
    post(&app, "ada@lenient.test", &from(both)).await;
    assert_eq!(app.admin.get("/api/2/held/").await.good()["count"], 1, "the second is not proven");
    let message = signed("careful.test", &from(both));
    app.send_mail("ada@lenient.test", "news@lists.example.org", &message).await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 1);
}

#[tokio::test]
async fn without_dns_members_only_lists_defer_mail_from_relays() {
    let silent = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let address = silent.local_addr().unwrap();
    let mut app = TestApp::builder().config(move |config| config.dns_server = Some(address)).start().await;
    assert_eq!(post(&app, "ada@x.org", &from("ada@x.org")).await, ACCEPTED);
    assert_eq!(app.sink.copies(), 1);
    assert!(app.sink.mail_to("ada@x.org").text().contains("dmarc=temperror header.from=x.org"));
    app.restart_with(|config| config.trusted_relays = vec![Cidr::parse("127.0.0.0/8").unwrap()]).await;
    let again = from("ada@x.org").replace("hello", "again");
    let reply = app.send_mail("ada@x.org", "news@lists.example.org", &again).await;
    assert_eq!(reply.code, 451, "{reply}");
    assert_eq!(app.admin.get("/api/2/held/").await.good()["count"], 0);
    let open = app.list("open").open().create().await;
    assert_eq!(app.send_mail("ada@x.org", &open.address, &again).await.code, 250, "nothing depends on it");
}

/// What is found out about a message that a client at this address brings.
pub(crate) async fn verify(client: &str, sender: &str, message: &str, relay: Option<&str>) -> Authentication {
    let (_server, address, _zone) = serve(".", &format!("{}{}", zone(), dkim_zone())).await;
    let relays = relay.map(|relay| Cidr::parse(relay).unwrap());
    let config = Config {
        dns_server: Some(address),
        trusted_relays: relays.into_iter().collect(),
        ..Config::for_tests(std::path::PathBuf::new())
    };
    let client: IpAddr = client.parse().unwrap();
    let reverse_path = EmailAddress::parse(sender).map_or(ReversePath::Empty, ReversePath::Address);
    let envelope = Envelope {
        client,
        helo: "mail.strict.test".to_owned(),
        tls: false,
        reverse_path,
        recipients: Vec::new(),
        smtputf8: false,
        requires_tls: false,
        authentication: Authentication::unchecked(),
        dsn_options: DsnOptions::default(),
        origin: Origin::Client,
        proven_domains: Vec::new(),
        size_bytes: 0,
    };
    let message = message.replace("\r\n", "\n").replace('\n', "\r\n");
    let verifier = Verifier::new(&config).unwrap();
    let (found, _) = verifier.verify(&envelope, message.as_bytes(), false).await;
    found
}

#[tokio::test]
async fn an_aligned_envelope_sender_proves_the_author_by_its_address() {
    let message = from("ada@strict.test");
    let found = verify("192.0.2.1", "ada@strict.test", &message, None).await;
    assert_eq!((found.spf, found.dmarc), (CheckResult::Pass, CheckResult::Pass));
    assert_eq!(
        found.results,
        "spf=pass smtp.mailfrom=strict.test; dmarc=pass (p=reject) header.from=strict.test"
    );
    assert!(!found.is_signed_by_author && found.proves_from());
    let elsewhere = verify("192.0.2.9", "ada@strict.test", &message, None).await;
    assert_eq!((elsewhere.spf, elsewhere.dmarc), (CheckResult::Fail, CheckResult::Fail));
    assert!(elsewhere.is_refused());
    let misaligned = verify("192.0.2.1", "ada@lenient.test", &message, None).await;
    assert_eq!((misaligned.spf, misaligned.dmarc), (CheckResult::Pass, CheckResult::Fail));
}

#[tokio::test]
async fn spf_is_not_checked_for_relays_and_this_machine() {
    let message = signed("strict.test", &from("ada@strict.test"));
    let relayed = verify("192.0.2.9", "ada@strict.test", &message, Some("192.0.2.0/28")).await;
    assert_eq!(
        (relayed.spf, relayed.dkim, relayed.dmarc),
        (CheckResult::None, CheckResult::Pass, CheckResult::Pass)
    );
    assert_eq!(relayed.policy, DmarcPolicy::Reject);
    let local = verify("127.0.0.1", "ada@strict.test", &from("ada@strict.test"), None).await;
    assert_eq!((local.spf, local.dmarc), (CheckResult::None, CheckResult::Fail));
}

#[tokio::test]
async fn a_signature_that_does_not_cover_from_proves_nothing() {
    let message = signed_over(&["To", "Subject"], "strict.test", &from("ada@strict.test"));
    let found = verify("127.0.0.1", "ada@strict.test", &message, None).await;
    assert_eq!((found.dkim, found.dmarc), (CheckResult::None, CheckResult::Fail));
}

#[tokio::test]
async fn a_body_that_was_changed_behind_its_signature_is_a_failure() {
    let message = signed("strict.test", &from("ada@strict.test")).replace("\r\n", "\n");
    let changed = message.replace("\n\nhi\n", "\n\nho\n");
    assert_ne!(changed, message);
    let found = verify("127.0.0.1", "ada@strict.test", &changed, None).await;
    assert_eq!(found.dkim, CheckResult::Fail);
    assert!(found.results.starts_with("dkim=fail"), "{}", found.results);
}

/// The header of the copy that the list's member gets of a post by `author`.
async fn copy_header(app: &TestApp, list: &TestList, author: &str, message: &str) -> String {
    app.sink.clear();
    let reply = app.send_mail(author, &list.address, message).await;
    assert_eq!(reply.code, 250, "{reply}");
    app.settle().await;
    app.sink.mail_to("reader@x.org").text().replace("\r\n", "\n")
}

#[tokio::test]
async fn an_authors_valid_signature_keeps_the_author_in_from() {
    let app = app().await;
    let list = app.list("news").open().member("reader@x.org").create().await;
    // Complete: a Message-ID or a date that the list has to add would break the signature.
    let complete = "Message-ID: <1@strict.test>\nDate: Fri, 20 Nov 2026 12:00:00 +0000\n";
    let message = signed("strict.test", &format!("{complete}{}", from("Ada <ada@strict.test>")));
    let copy = copy_header(&app, &list, "ada@strict.test", &message).await;
    assert!(copy.contains("\nFrom: Ada <ada@strict.test>\n") && copy.contains("DKIM-Signature: "), "{copy}");
    let (head, body) = copy.split_once("\n\n").unwrap();
    let received = format!("{}\n\n{body}", head[head.find("DKIM-Signature").unwrap()..].trim_end());
    let found = verify("127.0.0.1", "bounces@lists.example.org", &received, None).await;
    assert_eq!((found.dkim, found.dmarc), (CheckResult::Pass, CheckResult::Pass), "{received}");
}

#[tokio::test]
async fn from_is_rewritten_where_the_authors_domain_guards_it_and_the_list_breaks_the_proof() {
    let app = app().await;
    let list = app.list("news").open().with("subject_prefix", "[News]").member("reader@x.org").create().await;
    let rewritten = "\nFrom: \"Ada (via news list)\" <news@lists.example.org>\n";
    for (author, signer) in [
        ("ada@strict.test", "strict.test"),
        ("ada@careful.test", "careful.test"),
        ("ada@sub.parent.test", "parent.test"),
        ("ada@exämple.test", "xn--exmple-cua.test"),
    ] {
        let message = signed(signer, &from(&format!("Ada <{author}>")));
        let copy = copy_header(&app, &list, "m@x.org", &message).await;
        assert!(copy.contains(rewritten) && !copy.contains("DKIM-Signature"), "{copy}");
        assert!(copy.contains("\nReply-To: Ada <ada@"), "{copy}");
    }
    for author in ["ada@lenient.test", "ada@parent.test", "ada@unknown.test", "ada@lists.example.org"] {
        let copy = copy_header(&app, &list, "m@x.org", &from(&format!("Ada <{author}>"))).await;
        assert!(copy.contains(&format!("\nFrom: Ada <{author}>\n")), "{copy}");
    }
    let copy = copy_header(&app, &list, "m@x.org", &from("Ada <ada@gmail.com>")).await;
    assert!(copy.contains(rewritten), "a provider that refuses whatever it publishes: {copy}");
}

#[tokio::test]
async fn an_author_who_only_the_address_proved_is_rewritten_in_an_unchanged_message_too() {
    let app = app().await;
    let list = app.list("news").open().member("reader@x.org").create().await;
    let copy = copy_header(&app, &list, "m@x.org", &from("Ada <ada@careful.test>")).await;
    assert!(copy.contains("\nFrom: \"Ada (via news list)\" <news@lists.example.org>\n"), "{copy}");
}

#[tokio::test]
async fn a_post_by_the_api_under_a_guarded_name_is_rewritten() {
    let app = app().await;
    app.list("news").open().member("reader@x.org").create().await;
    for (author, is_rewritten) in [("ada@strict.test", true), ("ada@lenient.test", false)] {
        app.sink.clear();
        let fields =
            [("list", "news"), ("content_plain", "hi"), ("from_address", author), ("from_phrase", "Ada")];
        app.admin.post("/api/2/messages/", &fields).await.good();
        app.settle().await;
        let copy = app.sink.mail_to("reader@x.org").text();
        let rewritten = "From: \"Ada (via news list)\" <news@lists.example.org>";
        assert_eq!(copy.contains(rewritten), is_rewritten, "{copy}");
        assert_eq!(copy.contains(&format!("<{author}>\nTo:")), !is_rewritten, "{copy}");
    }
}

#[tokio::test]
async fn a_rewritten_copy_is_signed_by_the_domain_that_stands_in_from() {
    let app = TestApp::builder().dns(&zone()).start().await;
    let list = app.list("news").open().member("reader@x.org").create().await;
    let copy = copy_header(&app, &list, "m@x.org", &from("Ada <ada@careful.test>")).await;
    let signatures = copy.matches("d=lists.example.org;").count();
    assert!(copy.contains("<news@lists.example.org>\n") && signatures == 2, "RSA and Ed25519: {copy}");
}

#[tokio::test]
async fn the_simulator_says_what_signatures_prove_and_what_becomes_of_from() {
    let app = app().await;
    app.list("news").with("subject_prefix", "[News]").member("ada@strict.test").create().await;
    let simulate = async |message: &str| {
        let fields = [("message", message)];
        let told = app.admin.post("/api/2/lists/news/simulate/", &fields).await.good();
        let headers = told["headers"].as_array().unwrap();
        let from = headers.iter().find(|field| field["name"] == "From").unwrap()["value"].to_string();
        let words =
            ["verdict", "dkim", "dmarc", "dmarc_policy"].map(|name| told[name].as_str().unwrap().to_owned());
        (words.join(" "), from.contains("via news list"))
    };
    let plain = from("Ada <ada@strict.test>");
    assert_eq!(simulate(&signed("strict.test", &plain)).await, ("post pass pass reject".to_owned(), true));
    assert_eq!(simulate(&plain).await, ("reject none fail reject".to_owned(), true));
    let lenient = from("Bob <bob@lenient.test>");
    assert_eq!(simulate(&lenient).await, ("hold none fail none".to_owned(), false), "no member");
}
