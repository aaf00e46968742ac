//! The pages of an archive: the list, its months, threads and messages, as people read and caches keep them.

use std::collections::BTreeSet;
use std::time::Duration;

use crier::model::{AccountId, ContactId, Person};
use serde_json::json;

use crate::harness::http::Response;
use crate::harness::visitor::Visitor;
use crate::harness::{DOMAIN, TestApp};

const ADA: &str = "ada@example.org";
const BOB: &str = "bob@example.org";
const DAY: Duration = Duration::from_hours(24);

/// Publishes a message through the API; its number.
async fn post(app: &TestApp, from: (&str, &str), subject: &str, text: &str, parent: Option<u64>) -> u64 {
    let mut message = json!({
        "list": "tides", "subject": subject, "from_phrase": from.0, "from_address": from.1, "content_plain": text,
    });
    if let Some(parent) = parent {
        message["parent"] = json!(parent);
    }
    let made = app.admin.post_json("/api/2/messages/", &message).await.good();
    made["id"].as_u64().expect("a message has a number")
}

async fn app() -> TestApp {
    let app = TestApp::start().await;
    app.list("tides").open().with("description", "Tide gauges").member(ADA).create().await;
    app
}

/// The text between two marks, for each time the first one is there.
fn between<'p>(page: &'p str, from: &str, to: &str) -> Vec<&'p str> {
    page.split(from).skip(1).filter_map(|rest| rest.split(to).next()).collect()
}

/// The paths of the threads that a page lists, in its order.
fn threads(page: &Response) -> Vec<&str> {
    assert_eq!(page.status, 200, "{}", page.body);
    between(&page.body, "<h3 dir=\"auto\"><a href=\"", "\"")
}

/// The messages of a page with their depths, in its order.
fn places(page: &Response) -> Vec<(u64, usize)> {
    assert_eq!(page.status, 200, "{}", page.body);
    let marks = between(&page.body, " id=\"m", "\" aria-labelledby");
    let marks = marks.into_iter().filter_map(|mark| {
        let (id, depth) = mark.split_once("\" data-depth=\"")?;
        Some((id.parse().ok()?, depth.parse().ok()?))
    });
    marks.collect()
}

/// The link of a page with this relation.
fn related<'p>(page: &'p Response, relation: &str) -> Option<&'p str> {
    let tags = between(&page.body, "<a ", ">");
    let tag = tags.into_iter().find(|tag| tag.contains(&format!("rel=\"{relation}\"")))?;
    tag.split("href=\"").nth(1)?.split('"').next()
}

async fn get(app: &TestApp, path: &str) -> Response {
    Visitor::new(app).get(path).await
}

#[tokio::test]
async fn the_page_of_a_list_shows_its_newest_threads() {
    let app = app().await;
    let empty = get(&app, "/lists/tides/").await;
    assert!(empty.body.contains("Nobody has written to this list yet."), "{}", empty.body);
    assert!(!empty.body.contains("role=\"search\""), "there is nothing to search: {}", empty.body);
    let first = post(&app, ("Ada Quill", ADA), "Spikes <b>", "The gauge reports jumps of 40 cm.", None).await;
    app.advance(DAY).await;
    let second = post(&app, ("Bob", BOB), "Glue", "What holds?", None).await;
    app.advance(DAY).await;
    let reply = post(&app, ("Bob", BOB), "Re: Spikes <b>", "Me too.", Some(first)).await;
    post(&app, ("Ada", "ADA@example.org"), "Re: Spikes <b>", "Thanks.", Some(reply)).await;
    let page = get(&app, "/lists/tides/").await;
    let path = |id: u64| format!("/lists/tides/threads/{id}/");
    assert_eq!(threads(&page), [path(first), path(second)], "the newest activity first");
    for words in [
        "Spikes &#60;b&#62;",
        "Ada Quill and 1 other",
        "3 messages",
        "1 message<",
        "jumps of 40 cm",
        "What holds?",
    ] {
        assert!(page.body.contains(words), "{words} is not in {}", page.body);
    }
    let month = &app.core().now().rfc3339()[..7];
    assert!(page.body.contains(&format!("href=\"/lists/tides/months/{month}/\"")), "{}", page.body);
    let german = get(&app, "/lists/tides/?lang=de").await;
    assert!(
        german.body.contains("3 Nachrichten") && german.body.contains("Neueste Unterhaltungen"),
        "{}",
        german.body
    );
}

#[tokio::test]
async fn threads_come_fifty_a_page_each_once_and_back() {
    let app = app().await;
    let mut expected = Vec::new();
    for number in 0..120 {
        let id = post(&app, ("Ada", ADA), &format!("Thread {number}"), "Text.", None).await;
        expected.insert(0, format!("/lists/tides/threads/{id}/"));
        // Some come within the same millisecond.
        if number % 3 == 0 {
            app.advance(Duration::from_secs(1)).await;
        }
    }
    let (mut path, mut found, mut sizes) = ("/lists/tides/".to_owned(), Vec::new(), Vec::new());
    let mut pages = Vec::new();
    loop {
        let page = get(&app, &path).await;
        sizes.push(threads(&page).len());
        found.extend(threads(&page).into_iter().map(str::to_owned));
        pages.push(threads(&page).into_iter().map(str::to_owned).collect::<Vec<_>>());
        let Some(next) = related(&page, "next") else { break };
        path = next.to_owned();
    }
    assert_eq!(sizes, [50, 50, 20]);
    assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), 120, "each once");
    let mut times = found.clone();
    times.sort_by_key(|path| expected.iter().position(|other| other == path));
    // Within a millisecond the order is by number, newest first.
    assert_eq!(found, times);
    for earlier in pages.iter().rev().skip(1) {
        let page = get(&app, &path).await;
        path = related(&page, "prev").expect("there is a page before").to_owned();
        assert_eq!(&threads(&get(&app, &path).await), earlier);
    }
    assert_eq!(related(&get(&app, &path).await, "prev"), None, "the first page");
    for wrong in ["?after=x", "?before=1", "?after=-1-2", "?after=99999999999999999999-1"] {
        assert_eq!(get(&app, &format!("/lists/tides/{wrong}")).await.status, 404, "{wrong}");
    }
}

#[tokio::test]
async fn months_have_their_messages_and_a_bar() {
    let app = app().await;
    let mut months = Vec::new();
    for number in 0..3 {
        months.push(app.core().now().rfc3339()[..7].to_owned());
        for message in 0..=(number * 60) {
            post(&app, ("Ada", ADA), &format!("Message {number}.{message}"), "Text.", None).await;
        }
        // Whatever the day is, the month after next is another one.
        app.advance(62 * DAY).await;
    }
    let page = get(&app, &format!("/lists/tides/months/{}/", months[2])).await;
    assert!(page.body.contains("121 messages"), "{}", page.body);
    assert_eq!(threads(&page).len(), 100);
    assert!(page.body.contains("Message 2.0<"), "the oldest first");
    let rest = get(&app, related(&page, "next").unwrap()).await;
    assert_eq!(threads(&rest).len(), 21);
    let back = get(&app, related(&rest, "prev").unwrap()).await;
    assert_eq!(threads(&back), threads(&page));
    let list = get(&app, "/lists/tides/").await;
    for month in &months {
        let path = format!("/lists/tides/months/{month}/");
        assert!(list.body.contains(&path), "{path} is not in {}", list.body);
        assert_eq!(get(&app, &path).await.status, 200);
    }
    let first = get(&app, &format!("/lists/tides/months/{}/", months[0])).await;
    assert_eq!(related(&first, "next"), Some(format!("/lists/tides/months/{}/", months[1]).as_str()));
    for none in ["2001-01", "2026-13", "2026-00", "2026-1", "x", "9999-12", "0000-01"] {
        assert_eq!(get(&app, &format!("/lists/tides/months/{none}/")).await.status, 404, "{none}");
    }
}

#[tokio::test]
async fn bars_of_months_have_one_scale_and_none_is_to_come() {
    let app = app().await;
    // It is November; a month of the year before has most.
    let heights = |page: &Response| -> Vec<(String, String)> {
        let bars = between(&page.body, "<a href=\"/lists/tides/months/", "</a>").into_iter();
        let bar = |rest: &str| {
            let height = rest.split("height=\"").nth(1)?.split('"').next()?.to_owned();
            Some((rest.split('/').next()?.to_owned(), height))
        };
        bars.filter_map(bar).collect()
    };
    for _ in 0..8 {
        post(&app, ("Ada", ADA), "Much", "Text.", None).await;
    }
    app.advance(62 * DAY).await;
    post(&app, ("Ada", ADA), "Little", "Text.", None).await;
    let page = get(&app, "/lists/tides/").await;
    let expected = [("2027-01", "5.0"), ("2026-11", "40.0")];
    let expected: Vec<(String, String)> =
        expected.into_iter().map(|(month, height)| (month.to_owned(), height.to_owned())).collect();
    assert_eq!(heights(&page), expected);
    let abbreviations = between(&page.body, "<abbr title=\"", "\"");
    assert!(abbreviations.contains(&"December 2026"), "{abbreviations:?}");
    assert!(!abbreviations.contains(&"February 2027"), "{abbreviations:?}");
    let month = get(&app, "/lists/tides/months/2027-01/").await;
    assert_eq!(heights(&month), expected[..1]);
}

#[tokio::test]
async fn each_author_has_a_small_picture_which_is_the_same_everywhere() {
    let app = app().await;
    let first = post(&app, ("Ada Quill", ADA), "Pots", "One", None).await;
    let second = post(&app, ("Bob", BOB), "Re: Pots", "Two", Some(first)).await;
    post(&app, ("A. Q.", "ADA@example.org"), "Re: Pots", "Three", Some(second)).await;
    let thread = get(&app, &format!("/lists/tides/threads/{first}/")).await;
    let faces = between(&thread.body, "<span class=\"face ", "</span>");
    let told: Vec<(&str, &str)> =
        faces.iter().map(|face| face.split_once("\" aria-hidden=\"true\">").unwrap()).collect();
    assert_eq!(told.iter().map(|(_, letters)| *letters).collect::<Vec<_>>(), ["AQ", "B", "AQ"]);
    assert_eq!(told[0].0, told[2].0, "one author has one colour under each name");
    for path in ["/lists/tides/".to_owned(), format!("/lists/tides/messages/{first}/")] {
        let page = get(&app, &path).await;
        assert!(
            page.body.contains(&format!("class=\"face {}\" aria-hidden=\"true\">AQ<", told[0].0)),
            "{path}"
        );
    }
    assert!(!thread.body.contains("style="), "{}", thread.body);
}

#[tokio::test]
async fn one_button_writes_to_the_list_as_the_visitor_may() {
    let app = TestApp::start().await;
    app.list("open").open().member(ADA).create().await;
    for (name, rejections) in [("waits", "hold"), ("members", "reject")] {
        app.list(name).with("message_rejections", rejections).member(ADA).create().await;
    }
    let some = app.list("some").with("moderate", "10").with("restrict_post_allowed_emails", BOB);
    some.with("message_rejections", "discard").member(ADA).create().await;
    let contact = app.email(ADA).await["contact"].as_u64().unwrap();
    let mut ada = Visitor::signed_in(&app, Person::Member(ContactId(contact))).await;
    let account = AccountId(app.account_id());
    let cy = app.new_member(account, "cy@example.org").await;
    let (mut cy, mut stranger) = (Visitor::signed_in(&app, cy).await, Visitor::new(&app));
    for (visitor, name, expected) in [
        ("ada", "open", "/lists/open/write/"),
        ("ada", "waits", "/lists/waits/write/"),
        ("ada", "members", "/lists/members/write/"),
        ("ada", "some", "Only some people can write to this list."),
        ("cy", "members", "Only members can write to this list."),
        ("cy", "waits", "/lists/waits/write/"),
        ("stranger", "open", "mailto:open@"),
        ("stranger", "waits", "mailto:waits@"),
        ("stranger", "members", "Only members can write to this list. <a href=\"/members/?next="),
        ("stranger", "some", "Only some people can write to this list. <a href=\"/members/?next="),
    ] {
        let of = match visitor {
            "ada" => &mut ada,
            "cy" => &mut cy,
            _ => &mut stranger,
        };
        let page = of.get(&format!("/lists/{name}/")).await;
        let buttons = between(&page.body, "<a class=\"button", "</a>");
        let buttons: Vec<&&str> = buttons.iter().filter(|tag| tag.ends_with(">Write to the list")).collect();
        if expected.starts_with("Only") {
            assert!(buttons.is_empty() && page.body.contains(expected), "{visitor} {name}: {}", page.body);
        } else {
            assert!(buttons.len() == 1 && buttons[0].contains(expected), "{visitor} {name}: {buttons:?}");
        }
    }
    let page = stranger.get("/lists/open/").await;
    let (about, threads) = (page.body.find("<details class=\"about\">"), page.body.find("id=\"newest\""));
    assert!(
        about.is_some() && about < threads,
        "what is said of the list stands first, folded: {}",
        page.body
    );
}

#[tokio::test]
async fn a_thread_is_one_page_in_the_order_of_the_conversation() {
    let app = app().await;
    let first = post(&app, ("Ada Quill", ADA), "Spikes & swell", "One", None).await;
    app.advance(DAY).await;
    let second = post(&app, ("Bob", BOB), "Re: Spikes & swell", "Two", Some(first)).await;
    let third = post(&app, ("Cy", "cy@example.org"), "Re: Spikes & swell", "Three", Some(first)).await;
    let fourth = post(&app, ("Dora", "dora@example.org"), "Seaweed", "Four", Some(second)).await;
    let other = post(&app, ("Dora", "dora@example.org"), "Something else", "Five", None).await;
    let page = get(&app, &format!("/lists/tides/threads/{first}/")).await;
    assert_eq!(places(&page), [(first, 0), (second, 1), (fourth, 2), (third, 1)]);
    for words in ["<h1 dir=\"auto\">Spikes &#38; swell</h1>", "4 messages", "by 4 people", "Seaweed"] {
        assert!(page.body.contains(words), "{words} is not in {}", page.body);
    }
    assert!(page.body.contains(&format!("href=\"#m{second}\"")), "it answers that one: {}", page.body);
    assert!(page.body.contains(&format!("href=\"/lists/tides/messages/{fourth}/\"")), "the permalink");
    let mail = between(&page.body, &format!("href=\"mailto:tides@{DOMAIN}?subject="), "\"");
    assert!(
        mail.contains(&"Re%3A%20Spikes%20%26%20swell")
            || mail.iter().any(|mail| {
                mail.starts_with("Re%3A%20Spikes%20%26%20swell&#38;In-Reply-To=%3C") && mail.ends_with("%3E")
            }),
        "{mail:?}"
    );
    assert_eq!(related(&page, "next"), Some(format!("/lists/tides/threads/{other}/").as_str()));
    let newer = get(&app, &format!("/lists/tides/threads/{other}/")).await;
    assert_eq!(related(&newer, "prev"), Some(format!("/lists/tides/threads/{first}/").as_str()));
    // The number of a reply leads to its thread, as that of a thread that became a part of another one.
    let led = get(&app, &format!("/lists/tides/threads/{second}/")).await;
    let to = format!("/lists/tides/threads/{first}/");
    assert_eq!((led.status, led.header("location")), (301, Some(to.as_str())));
    for none in [999, 0] {
        let page = get(&app, &format!("/lists/tides/threads/{none}/")).await;
        assert_eq!(page.status, 404, "{none} begins no thread");
    }
}

#[tokio::test]
async fn a_long_thread_has_pages_that_lead_to_one_another() {
    let app = app().await;
    let first = post(&app, ("Ada", ADA), "Long", "Text", None).await;
    let mut ids = vec![first];
    for number in 1..500 {
        // A deep chain, and many answers to the first.
        let parent = if number % 2 == 0 { first } else { ids[ids.len() - 1] };
        ids.push(post(&app, ("Bob", BOB), "Re: Long", "Text", Some(parent)).await);
    }
    let (mut path, mut found, mut sizes) = (format!("/lists/tides/threads/{first}/"), Vec::new(), Vec::new());
    loop {
        let page = get(&app, &path).await;
        sizes.push(places(&page).len());
        found.extend(places(&page));
        let Some(next) = related(&page, "next") else { break };
        path = next.to_owned();
    }
    assert_eq!(sizes, [200, 200, 100]);
    let all: BTreeSet<u64> = found.iter().map(|(id, _)| *id).collect();
    assert_eq!(all, ids.iter().copied().collect::<BTreeSet<_>>());
    let last = found.last().unwrap().0;
    let message = get(&app, &format!("/lists/tides/messages/{last}/")).await;
    let in_thread = format!("/lists/tides/threads/{first}/?at={last}#m{last}");
    assert!(message.body.contains(&in_thread), "{}", message.body);
    let page = get(&app, &format!("/lists/tides/threads/{first}/?at={last}")).await;
    assert_eq!(places(&page).last().map(|(id, _)| *id), Some(last));
    for wrong in ["?page=0", "?page=4", "?page=x", "?page=99999999999999999999"] {
        assert_eq!(get(&app, &format!("/lists/tides/threads/{first}/{wrong}")).await.status, 404, "{wrong}");
    }
}

#[tokio::test]
async fn a_thread_keeps_its_shape_when_messages_go() {
    let app = app().await;
    let first = post(&app, ("Ada", ADA), "Shape", "One", None).await;
    let second = post(&app, ("Bob", BOB), "Re: Shape", "The words that go", Some(first)).await;
    let third = post(&app, ("Cy", "cy@example.org"), "Re: Shape", "Three", Some(second)).await;
    app.admin.delete(&format!("/api/2/messages/{second}/")).await.good();
    let page = get(&app, &format!("/lists/tides/threads/{first}/")).await;
    assert_eq!(places(&page), [(first, 0), (third, 2)]);
    assert!(page.body.contains("A message that is no longer in the archive"), "{}", page.body);
    assert!(!page.body.contains("words that go") && !page.body.contains("Bob"), "{}", page.body);
    assert_eq!(get(&app, &format!("/lists/tides/messages/{second}/")).await.status, 404);
    app.admin.delete(&format!("/api/2/messages/{first}/")).await.good();
    let page = get(&app, &format!("/lists/tides/threads/{first}/")).await;
    assert_eq!(places(&page), [(third, 2)], "the thread keeps its address");
    assert_eq!(threads(&get(&app, "/lists/tides/").await).len(), 1);
    app.admin.delete(&format!("/api/2/messages/{third}/")).await.good();
    assert_eq!(get(&app, &format!("/lists/tides/threads/{first}/")).await.status, 404);
    assert_eq!(threads(&get(&app, "/lists/tides/").await).len(), 0);
}

#[tokio::test]
async fn threads_survive_missing_and_broken_references_and_crossposts() {
    let app = app().await;
    let other = app.list("buoys").open().create().await;
    let mail = |id: &str, headers: &str| {
        format!("From: {ADA}\nTo: tides@{DOMAIN}\nMessage-ID: <{id}>\nSubject: s\n{headers}\n\ntext")
    };
    let both = [format!("tides@{DOMAIN}"), other.address.clone()];
    let both: Vec<&str> = both.iter().map(String::as_str).collect();
    for (id, headers) in [
        ("a@x.org", ""),
        ("b@x.org", "References: <gone@x.org> <a@x.org>\n"),
        ("c@x.org", "In-Reply-To: <gone@x.org>\nReferences: <a@x.org> <b@x.org> <gone@x.org>\n"),
        ("d@x.org", "In-Reply-To: your message of Monday\nReferences: <c@x.org\n"),
        ("e@x.org", "References: <e@x.org> <e@x.org>\n"),
        ("f@x.org", "References: \u{1}<> < > garbage\n"),
    ] {
        let reply = app.send_mail_to(ADA, &both, &mail(id, headers)).await;
        assert_eq!(reply.code, 250, "{id}: {reply}");
        app.settle().await;
    }
    for list in ["tides", "buoys"] {
        let page = get(&app, &format!("/lists/{list}/")).await;
        let listed = threads(&page);
        let whole = listed.last().expect("the oldest thread");
        let depths: Vec<usize> =
            places(&get(&app, whole).await).into_iter().map(|(_, depth)| depth).collect();
        assert_eq!(depths[..3], [0, 1, 2], "{list}");
        let mut messages = 0;
        for thread in listed {
            messages += places(&get(&app, thread).await).len();
        }
        assert_eq!(messages, 6, "each message of {list} is in one thread");
    }
    let found = get(&app, "/lists/buoys/messages/?id=b@x.org").await;
    let here = get(&app, "/lists/tides/messages/?id=b@x.org").await;
    assert!(found.header("location").unwrap().starts_with("/lists/buoys/messages/"));
    assert!(here.header("location").unwrap().starts_with("/lists/tides/messages/"));
}

#[tokio::test]
async fn a_message_has_a_permalink_and_is_found_by_its_message_id() {
    let app = app().await;
    let first = post(&app, ("Ada Quill", ADA), "One", "The first text", None).await;
    let second = post(&app, ("Bob", BOB), "Re: One", "The second text", Some(first)).await;
    let page = get(&app, &format!("/lists/tides/messages/{second}/")).await;
    assert_eq!(page.status, 200);
    for words in
        ["The second text", "<h1 dir=\"auto\">Re: One</h1>", "Ada Quill", &format!("id=\"m{second}\"")]
    {
        assert!(page.body.contains(words), "{words} is not in {}", page.body);
    }
    assert_eq!(related(&page, "prev"), Some(format!("/lists/tides/messages/{first}/").as_str()));
    assert!(
        page.body.contains(&format!("href=\"/lists/tides/threads/{first}/#m{second}\"")),
        "{}",
        page.body
    );
    let id = stored_message_id(&app, second);
    for asked in [id.clone(), format!("%3C{id}%3E"), format!("%20{id}")] {
        let found = get(&app, &format!("/lists/tides/messages/?id={asked}")).await;
        assert_eq!(found.status, 303, "{asked}");
        assert_eq!(found.header("location"), Some(format!("/lists/tides/messages/{second}/").as_str()));
    }
    for none in ["", "?id=", "?id=nothing@example.org"] {
        assert_eq!(get(&app, &format!("/lists/tides/messages/{none}")).await.status, 404, "{none}");
    }
}

fn stored_message_id(app: &TestApp, id: u64) -> String {
    use crier::store::Read as _;
    let tx = app.core().store.read().unwrap();
    tx.get::<crier::model::Message>(id).unwrap().unwrap().message_id
}

#[tokio::test]
async fn pages_of_public_archives_are_cached_and_known_to_search_engines() {
    let app = app().await;
    let id = post(&app, ("Ada", ADA), "One", "Text", None).await;
    let month = app.core().now().rfc3339()[..7].to_owned();
    let paths =
        [String::new(), format!("threads/{id}/"), format!("messages/{id}/"), format!("months/{month}/")];
    let member = app.email(ADA).await["contact"].as_u64().unwrap();
    let mut member = Visitor::signed_in(&app, Person::Member(ContactId(member))).await;
    let client = app.anon.at_host(DOMAIN);
    for path in &paths {
        let path = format!("/lists/tides/{path}");
        let page = client.get(&path).await;
        let etag = page.header("etag").unwrap_or_else(|| panic!("{path} has no ETag")).to_owned();
        let cache = page.header("cache-control").unwrap();
        assert!(cache.contains("public") && !cache.contains("no-store"), "{cache}");
        let canonical = format!("<link rel=\"canonical\" href=\"https://{DOMAIN}{path}\">");
        assert!(page.body.contains(&canonical), "{canonical} is not in {}", page.body);
        assert!(!page.body.contains("noindex"), "{}", page.body);
        let again = client.request("GET", &path, &[("If-None-Match", &etag)], b"").await;
        assert_eq!((again.status, again.body.as_str()), (304, ""), "{path}");
        let other = client.request("GET", &path, &[("If-None-Match", "\"other\"")], b"").await;
        assert_eq!(other.status, 200, "{path}");
        let own = member.get(&path).await;
        assert_eq!(own.header("cache-control"), Some("no-store"), "what a member gets is kept nowhere");
        assert_eq!(own.header("etag"), None);
        let german = client.get(&format!("{path}?lang=de")).await;
        assert_eq!(german.header("cache-control"), Some("no-store"), "it sets a cookie");
    }
    let before = client.get("/lists/tides/").await;
    post(&app, ("Ada", ADA), "Two", "Text", None).await;
    let etag = before.header("etag").unwrap();
    let after = client.request("GET", "/lists/tides/", &[("If-None-Match", etag)], b"").await;
    assert_eq!(after.status, 200, "there is something new");
    app.change_list("tides", |list| {
        list.archive_protected = true;
        list.archive_memberview = true;
    })
    .await;
    for path in &paths {
        let page = member.get(&format!("/lists/tides/{path}")).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(page.body.contains("<meta name=\"robots\" content=\"noindex\">"), "{path}: {}", page.body);
        assert!(!page.body.contains("rel=\"canonical\""), "{path}");
    }
}

#[tokio::test]
async fn addresses_are_shortened_for_visitors_who_are_no_members() {
    let app = app().await;
    let text = "Write to cy@example.org or mailto:cy@example.org";
    let id = post(&app, ("ada@example.org", ADA), "Ask cy@example.org", text, None).await;
    post(&app, ("Bob", BOB), "Re: Ask cy@example.org", "> cy@example.org wrote", Some(id)).await;
    let month = app.core().now().rfc3339()[..7].to_owned();
    let member = app.email(ADA).await["contact"].as_u64().unwrap();
    let member = Visitor::signed_in(&app, Person::Member(ContactId(member))).await;
    let account = AccountId(app.account_id());
    let admin = app.new_admin(account, "eve@example.org").await;
    let admin = Visitor::signed_in(&app, admin).await;
    let elsewhere = app.new_member(account, "dora@example.org").await;
    let elsewhere = Visitor::signed_in(&app, elsewhere).await;
    for (name, mut visitor, sees) in [
        ("a stranger", Visitor::new(&app), false),
        ("a member of no list", elsewhere, false),
        ("a member", member, true),
        ("an administrator", admin, true),
    ] {
        for path in
            [String::new(), format!("threads/{id}/"), format!("messages/{id}/"), format!("months/{month}/")]
        {
            let page = visitor.get(&format!("/lists/tides/{path}")).await;
            assert_eq!(page.status, 200);
            // Addresses in links may be percent-encoded, and break behind the `@`.
            let plain = page.body.replace("<wbr>", "").replace("%40", "@");
            for address in ["cy@example.org", BOB, ADA] {
                let is_there = plain.contains(address);
                assert!(sees || !is_there, "{name} sees {address} at {path}: {}", page.body);
            }
            assert_eq!(plain.contains("cy@example.org"), sees, "{name} at {path}: {}", page.body);
            assert_eq!(plain.contains("cy@…"), !sees, "{name} at {path}: {}", page.body);
        }
    }
    let page = get(&app, &format!("/lists/tides/threads/{id}/")).await;
    assert!(page.body.contains("/members/?next="), "it says how members see them: {}", page.body);
    app.change_list("tides", |list| list.archive_spammode = false).await;
    assert!(get(&app, &format!("/lists/tides/threads/{id}/")).await.body.contains("cy@example.org"));
}

#[tokio::test]
async fn the_old_pages_of_a_renamed_list_lead_to_its_new_ones_until_another_list_takes_the_name() {
    let app = app().await;
    let id = post(&app, ("Ada", ADA), "One", "Text", None).await;
    let rename = async |from: &str, to: &str| {
        app.admin.put(&format!("/api/2/lists/{from}/"), &[("name", to)]).await.good();
    };
    rename("tides", "Gauges").await;
    let leads_to = async |path: &str, expected: &str| {
        let moved = app.anon.at_host(DOMAIN).get(path).await;
        assert_eq!((moved.status, moved.header("location")), (301, Some(expected)), "{path}");
    };
    for rest in ["", "?after=1-1", "join/", &format!("threads/{id}/?page=1"), &format!("messages/{id}/")] {
        leads_to(&format!("/lists/tides/{rest}"), &format!("/lists/Gauges/{rest}")).await;
        leads_to(&format!("/~test/lists/Tides/{rest}"), &format!("/~test/lists/Gauges/{rest}")).await;
    }
    leads_to(&format!("/lists/gauges/threads/{id}/"), &format!("/lists/Gauges/threads/{id}/")).await;
    rename("gauges", "harbour").await;
    leads_to("/lists/tides/", "/lists/harbour/").await;
    leads_to("/lists/gauges/", "/lists/harbour/").await;
    // A name that only changes its case is none that was left.
    rename("harbour", "Harbour").await;
    assert_eq!(get(&app, "/lists/Harbour/").await.status, 200);
    // Visitors who may not read the archive learn nothing of its names.
    app.change_list("harbour", |list| {
        list.archive_protected = true;
        list.subscriptions = Some(crier::model::account::Subscriptions::Closed);
    })
    .await;
    for path in ["/lists/tides/".to_owned(), format!("/lists/tides/threads/{id}/")] {
        assert_eq!(get(&app, &path).await.status, 404, "{path}");
    }
    app.change_list("harbour", |list| list.archive_protected = false).await;
    app.list("Tides").create().await;
    assert_eq!(get(&app, "/lists/Tides/").await.status, 200, "another list has the name");
    assert_eq!(get(&app, &format!("/lists/Tides/threads/{id}/")).await.status, 404);
    app.admin.delete("/api/2/lists/Tides/").await.good();
    assert_eq!(get(&app, "/lists/tides/").await.status, 404, "the name was taken, and stays so");
    leads_to("/lists/gauges/", "/lists/Harbour/").await;
    // It takes its own old name back.
    rename("harbour", "gauges").await;
    assert_eq!(get(&app, "/lists/gauges/").await.status, 200);
    leads_to("/lists/harbour/", "/lists/gauges/").await;
    app.admin.delete("/api/2/lists/gauges/").await.good();
    for name in ["harbour", "gauges"] {
        assert_eq!(get(&app, &format!("/lists/{name}/")).await.status, 404);
    }
    assert_eq!(app.dump("earlier_name").lines().count(), 1, "no row is left below the name of the table");
}

#[tokio::test]
async fn a_list_that_hides_its_authors_hides_them_in_its_archive() {
    let app = TestApp::start().await;
    let list = app.list("tides").open().with("description", "Tide gauges").member("m@example.com");
    let list = list.with("rewrite_sender", "1").with("original_sender_mode", "hide");
    let list = list.with("archive_spammode", "0").create().await;
    let mail =
        "From: Zebulon Pike <zeb@elsewhere.example>\nSubject: Hidden\nMessage-ID: <z@x.org>\n\nWho am I?";
    assert_eq!(app.send_mail("zeb@elsewhere.example", &list.address, mail).await.code, 250);
    app.settle().await;
    let messages = app.admin.get("/api/2/messages/?list=tides").await.good();
    let id = messages["data"][0]["id"].as_u64().unwrap();
    let month = app.core().now().rfc3339()[..7].to_owned();
    for path in
        [String::new(), format!("threads/{id}/"), format!("messages/{id}/"), format!("months/{month}/")]
    {
        let page = get(&app, &format!("/lists/tides/{path}")).await;
        assert!(page.body.contains("Hidden"), "{path}: {}", page.body);
        for word in ["Zebulon", "zeb@"] {
            assert!(!page.body.contains(word), "{word} is at {path}: {}", page.body);
        }
    }
}
