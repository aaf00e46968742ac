//! A member who asks to be forgotten, and what is left of it: nothing.

use std::time::Duration;

use crier::model::{AccountId, ContactId, Person};
use crier::ops::sessions::Stay;
use crier::schema::ENTITIES;
use crier::store::Read as _;
use crier::web::csrf_token;
use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::harness::data::{TestList, dump};
use crate::harness::http::Response;
use crate::harness::sink::Act;

const ADDRESS: &str = "Zebulonia.Q@wyrm.example";
const SECOND: &str = "second-zebulonia@wyrm.example";
const MEMBER: &str = "member1@example.org";
/// What names her, in any case; no other word of a test has these in it.
const WORDS: [&str; 4] = ["zebulonia", "quillfeather", "wyrm.example", "zq-nick"];
const HOUR: Duration = Duration::from_hours(1);
const MINUTE: Duration = Duration::from_mins(1);

/// Her cookie, and who she is.
struct Her {
    token: String,
    contact: u64,
}

/// Makes the list `news` with two members and her, who is known in every way, and the list `tea`.
async fn begin(app: &TestApp) -> (TestList, Her) {
    let list = app.list("news").open().members(2).create().await;
    app.list("tea").with("moderate", "1").create().await;
    let fields = json!({
        "firstname": "Zebulonia", "surname": "Quillfeather", "notes": "zq-nick owes us a cake",
        "emails": [ADDRESS, {"email": SECOND, "ceid": "zq-nick"}], "lists": ["news", "tea"],
    });
    let made = app.admin.post_json("/api/2/contacts/", &fields).await.good();
    let contact = made["id"].as_u64().unwrap();
    let token =
        app.sign_in_to(AccountId(app.account_id()), Person::Member(ContactId(contact)), Stay::Long).await;
    (list, Her { token, contact })
}

async fn page(app: &TestApp, her: &Her, method: &str, path: &str, form: &str) -> Response {
    let cookie = format!("__Host-member={}", her.token);
    let body =
        if form.is_empty() { String::new() } else { format!("csrf={}&{form}", csrf_token(&her.token)) };
    let headers = [("Cookie", cookie.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
    app.anon.at_host("lists.example.org").request(method, path, &headers, body.as_bytes()).await
}

async fn erase(app: &TestApp, her: &Her, posts: &str) {
    let answer = page(app, her, "POST", "/members/erase/", &format!("action=erase&posts={posts}")).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    assert_eq!(answer.header("location"), Some(format!("/members/erased/?posts={posts}").as_str()));
    assert!(
        answer.header("set-cookie").unwrap().contains("__Host-member=;"),
        "{:?}",
        answer.header("set-cookie")
    );
}

/// Posts, and waits until it is sent.
async fn post(app: &TestApp, from: &str, to: &TestList, mail: &str) {
    let reply = app.send_mail(from, &to.address, mail).await;
    assert_eq!(reply.code, 250, "{reply}");
    app.settle().await;
}

const FIRST: &str = "From: Zebulonia Quillfeather <zebulonia.q@wyrm.example>\r\nSubject: Cake by Zebulonia Quillfeather\r\n\
    Message-ID: <1.zebulonia@wyrm.example>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n\
    --b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n";
const SECOND_POST: &str = "From: second-zebulonia@wyrm.example\r\nSubject: More cake\r\nMessage-ID: <2@elsewhere.example>\r\n\
    In-Reply-To: <3@bob.example>\r\nReferences: <1.zebulonia@wyrm.example> <3@bob.example>\r\n\r\nSecond helpings.\r\n";
const ANSWER: &str = "From: member1@example.org\r\nSubject: Re: Cake\r\nMessage-ID: <3@bob.example>\r\n\
    In-Reply-To: <1.zebulonia@wyrm.example>\r\n\r\nWonderful cake.\r\n";

/// Her two posts with an answer between them.
async fn write_thread(app: &TestApp, list: &TestList) {
    let text = "The cake is ready at five.\r\n\r\nZebulonia\r\n-- \r\nZebulonia Quillfeather, zebulonia.q@wyrm.example\r\n";
    let text = data_encoding::BASE64.encode(text.as_bytes());
    let card = "--b\r\nContent-Type: text/vcard; name=zebulonia.vcf\r\n\r\nTEL:zq-nick\r\n--b--\r\n";
    post(app, ADDRESS, list, &format!("{FIRST}{text}\r\n{card}")).await;
    post(app, MEMBER, list, ANSWER).await;
    post(app, SECOND, list, SECOND_POST).await;
}

async fn messages(app: &TestApp, query: &str) -> Vec<Value> {
    app.admin.get(&format!("/api/2/messages/{query}")).await.good()["data"].as_array().unwrap().clone()
}

/// Every place of the data file that names her: records, indexes and counts of every table, and every blob.
fn places(app: &TestApp) -> Vec<String> {
    let tx = app.running().core.store.read().unwrap();
    let mut found = Vec::new();
    let mut look = |place: &str, text: &str| {
        // An answer of somebody else names the Message-ID that it answers.
        let text =
            text.to_lowercase().replace("in-reply-to: <1.zebulonia@wyrm.example>\r\n\r\nwonderful", "");
        for word in WORDS {
            if let Some(at) = text.find(word) {
                let around = text[text.floor_char_boundary(at.saturating_sub(200))..].chars().take(300);
                found.push(format!("{place}: {word}: {}", around.collect::<String>()));
            }
        }
    };
    for entity in ENTITIES {
        look(entity.name, &dump(&tx, entity.name));
    }
    for (number, bytes) in blobs(&tx) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        look(&format!("blob {number}"), &text);
        let inbound = crier::mail::parse(bytes);
        let content = inbound.map(|inbound| inbound.content()).unwrap_or_default();
        look(&format!("text of blob {number}"), &format!("{content:?}"));
    }
    found
}

/// All blobs that may be there, by their numbers.
fn blobs(tx: &crier::store::ReadTx) -> Vec<(u64, Vec<u8>)> {
    (1..500).filter_map(|number| Some((number, tx.blob(crier::store::BlobId(number)).ok()?))).collect()
}

#[tokio::test]
async fn nothing_in_the_file_names_a_person_who_was_erased() {
    for posts in ["keep", "remove"] {
        let app = TestApp::start().await;
        let (list, her) = begin(&app).await;
        write_thread(&app, &list).await;
        // A message that waits, a copy that was refused with her address in the reply, and one that waits for its retry.
        let held =
            "From: zebulonia.q@wyrm.example\r\nSubject: Held by Zebulonia Quillfeather\r\n\r\nZebulonia\r\n";
        assert_eq!(app.send_mail(ADDRESS, "tea@lists.example.org", held).await.code, 250);
        app.sink.script(ADDRESS, Act::AtData("451 4.2.0 <zebulonia.q@wyrm.example> is asleep"), 1);
        post(&app, MEMBER, &list, "From: member1@example.org\r\nSubject: later\r\n\r\nx").await;
        app.settle().await;
        assert!(20 < places(&app).len(), "she is everywhere: {:#?}", places(&app));

        erase(&app, &her, posts).await;
        assert_eq!(app.members("news").await.len(), 2, "she is out at once");
        app.settle().await;
        for _ in 0..26 {
            app.advance(HOUR).await;
        }
        let found = places(&app);
        assert!(found.is_empty(), "{posts}: {found:#?}");
        assert_eq!(app.dump("erasure").matches("Erasure {").count(), 0);
        let audit =
            app.admin.get(&format!("/api/2/audit/?object=contact&object_id={}", her.contact)).await.good();
        assert_eq!(audit["data"][0]["action"], "contact.deleted");
    }
}

#[tokio::test]
async fn kept_posts_are_by_a_former_member_and_threads_keep_their_shape() {
    let app = TestApp::start().await;
    let (list, her) = begin(&app).await;
    write_thread(&app, &list).await;
    let before = messages(&app, "").await;
    erase(&app, &her, "keep").await;
    app.advance(MINUTE).await;
    let after = messages(&app, "").await;
    let shape = |rows: &[Value]| {
        rows.iter()
            .map(|row| (row["id"].clone(), row["thread"].clone(), row["parent"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(shape(&after), shape(&before));
    assert_eq!(after[2]["from_phrase"], "former member");
    assert_eq!(after[2]["subject"], "Cake by former member");
    let first = app.admin.get(&format!("/api/2/messages/{}/", after[2]["id"])).await.good();
    let text = first["content_plain"].as_str().unwrap();
    assert_eq!(text, "The cake is ready at five.\n\nformer member\n-- \nformer member, former member\n");
    assert_eq!(after[0]["from_phrase"], "former member");
    assert_eq!(after[1]["from_address"], MEMBER, "what others wrote stays");
    // The words of the search are those of what is left.
    assert_eq!(messages(&app, "?search=cake").await.len(), 3);
    assert_eq!(messages(&app, "?search=former").await.len(), 2);
    assert_eq!(messages(&app, "?search=zebulonia").await.len(), 0);
    // An answer to what is left finds its thread.
    post(&app, MEMBER, &list, "From: member1@example.org\r\nIn-Reply-To: <2@elsewhere.example>\r\n\r\nx")
        .await;
    assert_eq!(messages(&app, "").await[0]["parent"], after[0]["id"]);
}

#[tokio::test]
async fn removed_posts_are_gone_and_their_waiting_copies_with_them() {
    let app = TestApp::start().await;
    let (list, her) = begin(&app).await;
    write_thread(&app, &list).await;
    app.sink.script(MEMBER, Act::AtData("451 4.3.0 Later"), 1);
    post(&app, ADDRESS, &list, "From: zebulonia.q@wyrm.example\r\nSubject: last\r\n\r\nlast words").await;
    erase(&app, &her, "remove").await;
    app.sink.clear();
    app.advance(MINUTE).await;
    app.advance(HOUR).await;
    assert!(
        app.sink.mails().iter().all(|mail| !mail.text().contains("last words")),
        "it is not sent any more"
    );
    let left = messages(&app, "").await;
    assert_eq!(left.len(), 1, "{left:#?}");
    assert_eq!(left[0]["from_address"], MEMBER);
    assert_eq!(messages(&app, "?search=cake").await.len(), 1);
}

#[tokio::test]
async fn nobody_is_erased_who_did_not_choose() {
    let app = TestApp::start().await;
    let (_, her) = begin(&app).await;
    let form = page(&app, &her, "GET", "/members/erase/", "").await;
    assert_eq!(form.status, 200);
    assert!(form.body.contains("You leave 2 lists"), "{}", form.body);
    for wrong in [
        "action=erase",
        "action=erase&posts=",
        "action=erase&posts=all",
        "posts=keep",
        "action=leave&posts=keep",
    ] {
        let refused = page(&app, &her, "POST", "/members/erase/", wrong).await;
        assert_eq!(refused.status, 400, "{wrong}");
        assert!(refused.body.contains("role=\"alert\""), "{}", refused.body);
    }
    assert_eq!(app.members("tea").await.len(), 2);
    erase(&app, &her, "keep").await;
    assert!(app.session(&her.token).is_none());
    let again = page(&app, &her, "GET", "/members/erase/", "").await;
    assert_eq!(again.status, 303, "{}", again.body);
    let told = page(&app, &her, "GET", "/members/erased/?posts=keep", "").await;
    assert!(told.body.contains("former member"), "{}", told.body);
}

#[tokio::test]
async fn an_erasure_goes_on_after_a_stop() {
    let mut app = TestApp::start().await;
    let (list, her) = begin(&app).await;
    write_thread(&app, &list).await;
    erase(&app, &her, "keep").await;
    app.restart().await;
    app.settle().await;
    app.advance(HOUR).await;
    assert_eq!(messages(&app, "?search=zebulonia").await.len(), 0);
    assert_eq!(app.dump("erasure").matches("Erasure {").count(), 0);
}
