//! Addresses that another server had: each leads to the page that it meant, at the old host and at the account's own.

use std::fmt::Write as _;
use std::path::Path;

use crier::model::{ContactId, Domain, Message, OldLink, OldTarget, Person};
use crier::schema::{OLD_LINK_BY_ADDRESS, old_address};
use crier::store::{Read as _, stored};
use data_encoding::BASE32_NOPAD;
use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::harness::http::{Client, Response, encode as encoded};
use crate::harness::program;
use crate::harness::visitor::Visitor;

const OWN: &str = "https://crier.example.net:8443";
const OLD: &str = "lists.old.example";
const OLD_LIST: &str = "https://lists.old.example/pipermail/choir/";
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// Messages of the archives by which whole trees of addresses are tried.
const MANY: usize = 1000;

async fn server() -> TestApp {
    let server = TestApp::builder().without_dkim();
    server.config(|config| config.base_url = Some(OWN.to_owned())).start().await
}

/// Runs a command on the server; answers its exit code, what it printed and what it told beside that.
async fn crier(app: &TestApp, words: &[&str]) -> (Option<i32>, String, String) {
    let mut command = program::crier();
    command.args(words).arg("--data").arg(app.folder());
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Runs a command that must succeed; answers its JSON.
async fn done(app: &TestApp, words: &[&str]) -> Value {
    let words: Vec<&str> = words.iter().copied().chain(["--json"]).collect();
    let (code, out, told) = crier(app, &words).await;
    assert_eq!(code, Some(0), "{words:?}: {out}{told}");
    serde_json::from_str(&out).unwrap_or_else(|_| panic!("{words:?}: {out}{told}"))
}

/// A message of an archive.
struct Mail {
    number: usize,
}

impl Mail {
    fn month(&self) -> usize {
        self.number % 12
    }

    fn id(&self) -> String {
        format!("{}+m%{}@mail.example", self.number * 31, self.number)
    }

    fn subject(&self) -> String {
        format!("Tea number {}", self.number)
    }

    /// The time by a clock two hours ahead of UTC.
    fn clock(&self) -> (usize, String) {
        let (day, minute) = (self.number / 12 % 28 + 1, self.number % 60);
        (day, format!("{:02}:{minute:02}:{:02}", self.number / 60 % 20 + 3, self.number % 59))
    }

    fn entry(&self) -> String {
        let (day, time) = self.clock();
        let month = &MONTHS[self.month()][..3];
        // Every tenth answers the one before.
        let parent = (self.number % 10 == 9).then(|| Mail { number: self.number - 1 }.id());
        let parent = parent.map(|parent| format!("In-Reply-To: <{parent}>\n")).unwrap_or_default();
        format!(
            "From ada@example.org Thu {month} {day:2} {time} 2015\nFrom: Ada Lovelace <ada@example.org>\n\
             Date: {day} {month} 2015 {time} +0200\nSubject: [choir] {}\nMessage-ID: <{}>\n{parent}\n\
             Message number {}.\n\n",
            self.subject(),
            self.id(),
            self.number
        )
    }

    fn volume(&self) -> String {
        format!("2015-{}", MONTHS[self.month()])
    }

    /// The number in the name of its page: some messages had been taken out before the archive was made anew.
    fn page(&self) -> String {
        format!("{:06}.html", self.number * 7 + 3)
    }

    fn pipermail(&self) -> String {
        format!("/pipermail/choir/{}/{}", self.volume(), self.page())
    }

    /// Its page as pipermail writes it; one in fifty does not say which message can be answered.
    fn html(&self) -> String {
        let id = if self.number % 50 == 7 { String::new() } else { encoded(&format!("<{}>", self.id())) };
        let (subject, (day, time)) = (format!("[choir] {}", self.subject()), self.clock());
        let month = &MONTHS[self.month()][..3];
        let href = format!(
            "mailto:choir%40lists.old.example?Subject={}&In-Reply-To={id}",
            encoded(&format!("Re: {subject}"))
        );
        format!(
            "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2//EN\">\n<HTML>\n <HEAD>\n   <TITLE> {subject}\n   </TITLE>\n   \
             <LINK REL=\"Index\" HREF=\"index.html\" >\n   <LINK REL=\"made\" HREF=\"{href}\">\n </HEAD>\n \
             <BODY BGCOLOR=\"#ffffff\">\n   <H1>{subject}</H1>\n    <B>Ada Lovelace</B> \n    <A HREF=\"{href}\"\n       \
             TITLE=\"{subject}\">ada at example.org\n       </A><BR>\n    <I>Thu {month} {day:2} {time} CEST 2015</I>\n    \
             <P><UL>\n        <LI>Next message: <A HREF=\"000001.html\">x</A></li>\n       </UL>\n    <HR>  \n\
             <!--beginarticle-->\n<PRE>Message number {}.\n</PRE>\n",
            self.number
        )
    }

    fn hash(&self) -> String {
        BASE32_NOPAD.encode(&crier::secret::sha1(self.id().as_bytes()))
    }
}

fn mails(count: usize) -> Vec<Mail> {
    (0..count).map(|number| Mail { number }).collect()
}

/// Imports messages into a list.
async fn import(app: &TestApp, list: &str, mails: &[Mail], flags: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("choir.mbox");
    std::fs::write(&path, mails.iter().map(Mail::entry).collect::<String>()).unwrap();
    let path = path.to_str().unwrap();
    let words: Vec<&str> =
        ["import", "mbox", path, "--list", list].into_iter().chain(flags.iter().copied()).collect();
    let numbers = done(app, &words).await;
    assert_eq!(numbers["created"].as_u64(), Some(mails.len() as u64), "{numbers}");
}

/// Writes the tree of an archive.
fn tree(folder: &Path, mails: &[Mail]) {
    for mail in mails {
        let volume = folder.join(mail.volume());
        std::fs::create_dir_all(&volume).unwrap();
        std::fs::write(volume.join(mail.page()), mail.html()).unwrap();
        std::fs::write(volume.join("thread.html"), "<html>Index").unwrap();
    }
    std::fs::write(folder.join("index.html"), "<html>Index").unwrap();
}

/// The number of a message here.
fn number_of(app: &TestApp, mail: &Mail) -> u64 {
    let (core, id) = (app.core(), mail.id());
    let all: Vec<Message> = core.store.read().unwrap().all(0, usize::MAX).unwrap();
    all.iter().find(|message| message.message_id == id).unwrap().id.0
}

fn numbers_of(app: &TestApp, mails: &[Mail]) -> Vec<u64> {
    let all: Vec<Message> = app.core().store.read().unwrap().all(0, usize::MAX).unwrap();
    let known: std::collections::HashMap<&str, u64> =
        all.iter().map(|message| (message.message_id.as_str(), message.id.0)).collect();
    mails.iter().map(|mail| known[mail.id().as_str()]).collect()
}

#[track_caller]
fn leads(response: &Response, to: &str, path: &str) {
    assert_eq!((response.status, response.header("location")), (301, Some(to)), "{path}: {}", response.body);
}

async fn check(client: &Client, path: &str, to: &str) {
    leads(&client.get(path).await, to, path);
}

#[tokio::test]
async fn a_thousand_addresses_of_a_tree_of_pipermail_lead_to_their_messages() {
    let app = server().await;
    app.list("singers").create().await;
    let mails = mails(MANY + 3);
    import(&app, "singers", &mails[..MANY], &["--old-url", OLD_LIST]).await;
    let folder = tempfile::tempdir().unwrap();
    tree(folder.path(), &mails);
    let path = folder.path().to_str().unwrap();
    let words = ["import", "pipermail-links", path, "--list", "singers"];
    let numbers = done(&app, &words).await;
    let expected = json!({"pages": 1003, "by_message_id": 980, "by_date_and_author": 20, "missing": 3});
    assert_eq!(numbers, expected);
    assert_eq!(done(&app, &words).await, expected, "again");

    let old = app.anon.at_host(OLD);
    let ids = numbers_of(&app, &mails[..MANY]);
    for (mail, id) in mails.iter().zip(&ids) {
        check(&old, &mail.pipermail(), &format!("{OWN}/lists/singers/messages/{id}/")).await;
    }
    for (mail, id) in mails.iter().zip(&ids).step_by(97) {
        let here = format!("/lists/singers/messages/{id}/");
        check(&app.anon, &mail.pipermail(), &here).await;
        check(&app.anon, &mail.pipermail().replace("/pipermail", "/mailman/private"), &here).await;
        assert_eq!(app.anon.get(&here).await.status, 200);
    }
    app.settle().await;
    assert_eq!(app.sink.copies(), 0, "nobody is mailed");
}

#[tokio::test]
async fn a_thousand_addresses_of_hyperkitty_lead_to_their_messages_by_a_seek() {
    let app = server().await;
    app.list("choir").create().await;
    let mails = mails(MANY);
    import(&app, "choir", &mails, &["--old-url", "https://lists.old.example/"]).await;
    let old = app.anon.at_host(OLD);
    for (mail, id) in mails.iter().zip(numbers_of(&app, &mails)) {
        let path = format!("/archives/list/choir@lists.old.example/message/{}/", mail.hash());
        check(&old, &path, &format!("{OWN}/lists/choir/messages/{id}/")).await;
    }
    // A thread is named by its first message.
    let first = number_of(&app, &mails[8]);
    for front in ["/hyperkitty", "/mailman3/hyperkitty", "/archives"] {
        let at = |rest: &str| format!("{front}/list/choir@lists.old.example/{rest}");
        let thread = format!("/lists/choir/threads/{first}/");
        check(&app.anon, &at(&format!("thread/{}/", mails[8].hash())), &thread).await;
        check(&app.anon, &at(&format!("thread/{}/", mails[9].hash())), &thread).await;
        check(&app.anon, &at("2015/4/"), "/lists/choir/months/2015-04/").await;
        check(&app.anon, &at("2014/4/"), "/lists/choir/").await;
        check(&app.anon, &at("latest"), "/lists/choir/").await;
    }
    // Each address is one key of a unique index: it is found by a seek. It takes little room.
    let tx = app.core().store.read().unwrap();
    let links: Vec<OldLink> = tx.all(0, usize::MAX).unwrap();
    assert_eq!(links.len(), MANY);
    for link in &links {
        let key = old_address(link.account, link.list, &link.address);
        let found = tx.find_id(&OLD_LINK_BY_ADDRESS, &key).unwrap();
        assert_eq!(found, Some(link.id.0));
        let bytes = stored(link).unwrap().len() + 2 * 8 + key.as_bytes().len();
        assert!(bytes < 150, "{bytes} bytes: {link:?}");
    }
}

#[tokio::test]
async fn pages_of_lists_lead_to_their_pages_and_an_old_host_does_nothing_else() {
    let app = server().await;
    app.list("choir").create().await;
    import(
        &app,
        "choir",
        &mails(24),
        &["--old-url", "https://lists.old.example/,https://www.old.example/x/"],
    )
    .await;
    let old = app.anon.at_host("LISTS.old.example:8080");
    for (path, to) in [
        ("/", "/"),
        ("/mailman/listinfo", "/"),
        ("/pipermail/choir/", "/lists/choir/"),
        ("/pipermail/choir/2015-April/thread.html", "/lists/choir/months/2015-04/"),
        ("/mailman/listinfo/choir", "/lists/choir/"),
        ("/mailman/listinfo/hidden", "/lists/hidden/"),
        ("/cgi-bin/mailman/subscribe/choir", "/lists/choir/join/"),
        ("/mailman/options/choir/ada--at--example.org", "/members/"),
        ("/postorius/lists/choir.lists.old.example/", "/lists/choir/"),
        ("/mailman3/lists/choir.lists.old.example/", "/lists/choir/"),
        ("/archives/list/choir@lists.old.example/", "/lists/choir/"),
        ("/sympa/info/choir", "/lists/choir/"),
        ("/wws/subscribe/choir", "/lists/choir/join/"),
        ("/sympa/arc/choir/2015-04/", "/lists/choir/months/2015-04/"),
        ("/nothing/here?a=b", "/nothing/here?a=b"),
        ("/assets/style.css", "/assets/style.css"),
        ("/healthz", "/healthz"),
    ] {
        check(&old, path, &format!("{OWN}{to}")).await;
        if path != to {
            check(&app.anon, path, to).await;
        }
    }
    check(&app.anon.at_host("www.old.example"), "/x/pipermail/choir/", &format!("{OWN}/lists/choir/")).await;
    let form = [("email", "ada@example.org")];
    leads(&old.post("/mailman/subscribe/choir", &form).await, &format!("{OWN}/lists/choir/join/"), "a form");
    // The description of the API knows no such answer.
    let call = format!(
        "POST /api/2/lists/ HTTP/1.1\r\nHost: {OLD}\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\n\r\nname=other",
        app.admin.key()
    );
    leads(&app.anon.raw(call.as_bytes()).await, &format!("{OWN}/api/2/lists/"), "a call");
    assert_eq!(app.admin.get("/api/2/lists/").await.good()["count"], 1);
    assert_eq!(app.anon.get("/nothing/here").await.status, 404);
    assert_eq!(app.anon.get("/lists/pipermail/choir/x").await.status, 404);

    // Another account has pages of its own, and no part in it.
    let other = app.other_account().await;
    other.post("/api/2/lists/", &[("name", "choir")]).await.good();
    check(&old, "/mailman/listinfo/choir", &format!("{OWN}/~test/lists/choir/")).await;
    let own = app.anon.at_host("crier.example.net");
    check(&own, "/~other/mailman/listinfo/choir", "/~other/lists/choir/").await;
    let (code, _, told) =
        crier(&app, &["link", "add", "https://lists.old.example/a", "choir", "--account", "other"]).await;
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("is taken on this server"), "{told}");
    // The host that is an account's own is none.
    done(&app, &["link", "add", &format!("{OWN}/a"), "choir", "--account", "test"]).await;
    assert_eq!(
        done(&app, &["link", "list", "--account", "test"]).await["hosts"],
        json!([OLD, "www.old.example"])
    );
}

#[tokio::test]
async fn a_message_that_did_not_come_along_leads_to_the_search_with_what_is_known() {
    let app = server().await;
    app.list("choir").create().await;
    let mails = mails(40);
    import(&app, "choir", &mails[..36], &[]).await;
    let folder = tempfile::tempdir().unwrap();
    tree(folder.path(), &mails);
    let path = folder.path().to_str().unwrap();
    let flags = ["--list", "choir", "--old-url", OLD_LIST];
    let words: Vec<&str> = ["import", "pipermail-links", path].into_iter().chain(flags).collect();
    assert_eq!(done(&app, &words).await["missing"], 4);

    let missing = &mails[39];
    check(&app.anon.at_host(OLD), &missing.pipermail(), &format!("{OWN}{}", missing.pipermail())).await;
    let page = app.anon.get(&missing.pipermail()).await;
    assert_eq!(page.status, 404);
    for text in [
        "This message was not brought along",
        "Tea number 39",
        "action=\"/lists/choir/search/\"",
        "value=\"choir Tea number 39 after:2015-04 before:2015-05\"",
        "href=\"/lists/choir/months/2015-04/\"",
    ] {
        assert!(page.body.contains(text), "{text} is not on {}", page.body);
    }
    // Nothing but the month is known of a page that nobody has read.
    let unread = app.anon.get("/pipermail/choir/2015-April/999999.html").await;
    assert!(
        unread.status == 404 && unread.body.contains("value=\"after:2015-04 before:2015-05\""),
        "{}",
        unread.body
    );
    let unread = app.anon.get(&format!("/archives/list/choir@x.example/message/{}/", missing.hash())).await;
    assert!(unread.status == 404 && unread.body.contains("not brought along"), "{}", unread.body);
    // It comes later.
    import(&app, "choir", &mails[36..], &[]).await;
    let id = number_of(&app, missing);
    check(&app.anon, &missing.pipermail(), &format!("/lists/choir/messages/{id}/")).await;
}

/// A page without what differs from request to request.
fn steady(page: &Response, path: &str) -> String {
    let id = page.header("x-request-id").unwrap_or("none");
    let lines = page.body.lines().filter(|line| !line.contains("csrf") && !line.contains("hreflang"));
    let text = lines.collect::<Vec<_>>().join("\n").replace(id, "ID");
    text.replace(path, "PATH").replace(&encoded(path), "PATH")
}

#[tokio::test]
async fn an_archive_for_members_tells_strangers_nothing_whatever_the_address() {
    let app = server().await;
    app.list("choir").member("ada@example.org").create().await;
    let mails = mails(24);
    import(&app, "choir", &mails, &["--old-url", OLD_LIST]).await;
    let folder = tempfile::tempdir().unwrap();
    tree(folder.path(), &mails);
    done(&app, &["import", "pipermail-links", folder.path().to_str().unwrap(), "--list", "choir"]).await;
    app.change_list("choir", |list| (list.archive_protected, list.archive_memberview) = (true, true)).await;
    let hash = mails[3].hash();
    let there = [
        mails[3].pipermail(),
        format!("/archives/list/choir@lists.old.example/message/{hash}/"),
        format!("/archives/list/choir@lists.old.example/thread/{hash}/"),
        "/pipermail/choir/2015-April/thread.html".to_owned(),
        format!("/sympa/arcsearch_id/choir/2015-04/{}", encoded(&mails[3].id())),
    ];
    let not_there = [
        "/pipermail/choir/2015-April/999999.html".to_owned(),
        "/archives/list/choir@lists.old.example/message/XZ3DGG4V37BZTTLXNUX4NABB4DNQHTCP/".to_owned(),
        "/pipermail/choir/2011-April/thread.html".to_owned(),
    ];
    let old = app.anon.at_host(OLD);
    let first = steady(&app.anon.get(&there[0]).await, &there[0]);
    assert!(first.contains("This archive is for members"), "{first}");
    for path in there.iter().chain(&not_there) {
        check(&old, path, &format!("{OWN}{path}")).await;
        let page = app.anon.get(path).await;
        assert_eq!((page.status, steady(&page, path)), (404, first.clone()), "{path}");
    }
    // A list of which nobody may know is as one that does not exist.
    let hidden = mails[3].pipermail().replace("choir", "nothing");
    check(&old, &hidden, &format!("{OWN}{hidden}")).await;

    let contact = app.email("ada@example.org").await["contact"].as_u64().unwrap();
    let mut member = Visitor::signed_in(&app, Person::Member(ContactId(contact))).await;
    let id = number_of(&app, &mails[3]);
    leads(&member.get(&there[0]).await, &format!("/lists/choir/messages/{id}/"), "a member");
}

#[tokio::test]
async fn addresses_that_are_given_by_hand_lead_where_they_are_told() {
    let app = server().await;
    app.list("choir").create().await;
    let add = async |old: &str, new: &str| done(&app, &["link", "add", old, new]).await;
    assert_eq!(
        add("https://lists.old.example/about us/", "choir").await,
        json!({"created": 1, "updated": 0})
    );
    assert_eq!(add("/news.php?id=5", "/lists/choir/months/2015-04/").await["created"], 1);
    assert_eq!(add("/news.php", "https://www.example.org/n\u{e4}ws/").await["created"], 1);
    assert_eq!(add("https://lists.old.example", &format!("{OWN}/join/")).await["created"], 1);
    let old = app.anon.at_host(OLD);
    check(&old, "/about%20us", &format!("{OWN}/lists/choir/")).await;
    check(&old, "/", &format!("{OWN}/join/")).await;
    check(&old, "/news.php?id=5", &format!("{OWN}/lists/choir/months/2015-04/")).await;
    check(&app.anon, "/news.php?id=5", "/lists/choir/months/2015-04/").await;
    check(&app.anon, "/news.php?id=6", "https://www.example.org/n%C3%A4ws/").await;
    assert_eq!(app.anon.get("/about%20us").await.status, 404, "it is an address of the old host");

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("addresses.csv");
    let mut text = "\u{feff}old;new\n/news.php;choir\nnonsense;choir\n".to_owned();
    (0..2500).for_each(|at| writeln!(text, "/page/{at};/lists/choir/?at={at}").unwrap());
    std::fs::write(&file, text).unwrap();
    let (code, out, told) = crier(&app, &["link", "import", file.to_str().unwrap()]).await;
    assert_eq!((code, out.trim()), (Some(1), "2500 created, 1 changed, 1 refused"), "{told}");
    assert!(told.contains("line 3: \"nonsense\" must be a URL, or a path"), "{told}");
    check(&app.anon, "/page/2499", "/lists/choir/?at=2499").await;
    check(&app.anon, "/news.php", "/lists/choir/").await;

    let listed = done(&app, &["link", "list"]).await;
    assert_eq!(listed["hosts"], json!([OLD]));
    assert_eq!(listed["links"].as_array().unwrap().len(), 2504);
    done(&app, &["link", "delete", "/news.php"]).await;
    check(&app.anon, "/news.php?id=5", "/lists/choir/months/2015-04/").await;
    assert_eq!(app.anon.get("/news.php").await.status, 404);
    done(&app, &["link", "delete", OLD]).await;
    assert_eq!(old.get("/lists/choir/").await.status, 200, "the only account is found at every host");
    let (code, _, told) = crier(&app, &["link", "delete", "/never"]).await;
    assert!(code == Some(1) && told.contains("no such old address"), "{told}");
}

#[tokio::test]
async fn numbers_of_sympa_follow_the_order_of_its_folder() {
    let app = server().await;
    app.list("choir").create().await;
    let mails = mails(24);
    import(&app, "choir", &mails, &[]).await;
    let folder = tempfile::tempdir().unwrap();
    let arctxt = folder.path().join("2015-04/arctxt");
    std::fs::create_dir_all(&arctxt).unwrap();
    // The second file was taken out before; 10 comes behind 9.
    for (file, mail) in [("1", &mails[3]), ("3.eml", &mails[15]), ("10", &mails[4])] {
        let text = format!("Subject: x\nMessage-Id:\n <{}>\n\nMessage-ID: <other@mail.example>\n", mail.id());
        std::fs::write(arctxt.join(file), text).unwrap();
    }
    let words = ["import", "pipermail-links", folder.path().to_str().unwrap(), "--list", "choir"];
    assert_eq!(done(&app, &words).await["by_message_id"], 3);
    for (place, mail) in [&mails[3], &mails[15], &mails[4]].into_iter().enumerate() {
        let id = number_of(&app, mail);
        let path = format!("/sympa/arc/choir/2015-04/msg{place:05}.html");
        check(&app.anon, &path, &format!("/lists/choir/messages/{id}/")).await;
    }
}

#[tokio::test]
async fn messages_that_came_before_are_found_when_their_hashes_are_noted() {
    let app = server().await;
    app.list("choir").create().await;
    let mails = mails(700);
    import(&app, "choir", &mails, &[]).await;
    let links: Vec<OldLink> = app.core().store.read().unwrap().all(0, usize::MAX).unwrap();
    let core = app.core();
    let deleting = core
        .store
        .write(move |tx| links.iter().try_for_each(|link| tx.delete::<OldLink>(link.id.0).map(drop)));
    deleting.await.unwrap();
    let path = format!("/archives/list/choir@lists.old.example/message/{}/", mails[650].hash());
    assert_eq!(app.anon.get(&path).await.status, 404);
    assert_eq!(done(&app, &["link", "rebuild", "--list", "choir"]).await["created"], 700);
    assert_eq!(done(&app, &["link", "rebuild", "--list", "choir"]).await["created"], 0);
    check(&app.anon, &path, &format!("/lists/choir/messages/{}/", number_of(&app, &mails[650]))).await;
    // They go with their list.
    app.admin.delete("/api/2/lists/choir/").await.good();
    app.settle().await;
    let left: Vec<OldLink> = app.core().store.read().unwrap().all(0, usize::MAX).unwrap();
    assert!(left.iter().all(|link| matches!(link.target, OldTarget::Page(_))), "{left:?}");
}

#[tokio::test]
async fn an_old_host_gets_a_certificate_once_its_address_leads_here() {
    let mut app = TestApp::builder()
        .without_dkim()
        .dns("lists.old.example. A 192.0.2.1\nelsewhere.example. A 192.0.2.9")
        .config(|config| {
            config.base_url = Some("https://crier.example.net".to_owned());
            config.public_ips = vec!["192.0.2.1".parse().unwrap()];
            config.tls.acme = Some(crier::config::AcmeConfig {
                directory: "https://127.0.0.1:1/directory".to_owned(),
                contacts: Vec::new(),
                authorities: Vec::new(),
            });
        })
        .start()
        .await;
    app.list("choir").create().await;
    for host in [OLD, "elsewhere.example"] {
        done(&app, &["link", "add", &format!("https://{host}/a"), "choir"]).await;
    }
    app.advance(std::time::Duration::from_mins(2)).await;
    let answering = app.core().links.answering();
    assert_eq!(answering.iter().map(Domain::as_str).collect::<Vec<_>>(), [OLD]);
    app.restart().await;
    let wanted = async {
        loop {
            let tx = app.core().store.read().unwrap();
            let names = crier::ops::domains::certificates::names(&tx).unwrap();
            if names.iter().any(|(name, is_wanted)| name == OLD && *is_wanted) {
                return names;
            }
            drop(tx);
            tokio::task::yield_now().await;
        }
    };
    let names = tokio::time::timeout(std::time::Duration::from_mins(1), wanted).await.unwrap();
    assert!(names.iter().all(|(name, _)| name != "elsewhere.example"), "{names:?}");
}

#[tokio::test]
async fn mail_to_the_addresses_of_an_old_list_is_answered_or_read_without_harm() {
    let app = server().await;
    app.list("singers").open().member("ada@example.org").create().await;
    app.admin
        .post("/api/2/aliases/", &[("source", "choir"), ("destination", "singers@lists.example.org")])
        .await
        .good();
    app.admin.put("/api/2/lists/singers/", &[("moderator", "desk@example.org")]).await.good();
    let send = async |to: &str, from: &str, text: &str| {
        let mail = format!("From: {from}\nTo: {to}\nSubject: {text}\nMessage-ID: <{text}.{to}>\n\n{text}\n");
        app.send_mail(from, &format!("{to}@lists.example.org"), &mail).await.code
    };
    for to in
        ["choir-request", "choir-join", "choir-leave", "choir-subscribe", "choir-unsubscribe", "choir-owner"]
    {
        assert_eq!(send(to, "eve@example.org", "help").await, 250, "{to}");
    }
    for to in ["choir-confirm+0123456789abcdef", "singers-confirm"] {
        assert_eq!(send(to, "bob@example.org", "confirm").await, 250, "{to}");
    }
    app.settle().await;
    let answered = app.sink.to_members();
    for to in ["eve@example.org", "bob@example.org"] {
        assert!(answered.iter().any(|address| address == to), "{to} is answered: {answered:?}");
    }
    app.sink.clear();
    let report = "From: MAILER-DAEMON@example.org\nTo: choir-bounces@lists.example.org\nSubject: Undelivered\n\
        MIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n\
        --b\nContent-Type: text/plain\n\nNo such user.\n--b\nContent-Type: message/delivery-status\n\n\
        Reporting-MTA: dns; example.org\n\nFinal-Recipient: rfc822; ada@example.org\nAction: failed\n\
        Status: 5.1.1\n\n--b--\n";
    for to in ["choir-bounces+ada=example.org", "choir-bounces", "singers-bounces+ada=example.org"] {
        let reply = app.send_mail("", &format!("{to}@lists.example.org"), report).await;
        assert_eq!(reply.code, 250, "{to}: {}", reply.text);
    }
    app.settle().await;
    assert_eq!(app.sink.copies(), 0);
    assert_eq!(app.email("ada@example.org").await["paused"], false);
    for to in ["nothing-bounces+ada=example.org", "nothing-request", "choir-other+x", "nothing-confirm+x"] {
        assert_eq!(send(to, "eve@example.org", "help").await, 550, "{to}");
    }
}
