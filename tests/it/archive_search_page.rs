//! The search of an archive as people meet it: hits with the words marked, pages of them, and kind words for what cannot
//! be asked.

use crier::model::{ContactId, Person};

use crate::harness::http::{Response, encode};
use crate::harness::visitor::Visitor;
use crate::harness::{DOMAIN, TestApp};

const ADA: &str = "ada@example.org";

async fn post(app: &TestApp, list: &str, subject: &str, text: &str) {
    let mail = format!("From: Ada Lind <{ADA}>\nTo: {list}@{DOMAIN}\nSubject: {subject}\n\n{text}");
    let reply = app.send_mail(ADA, &format!("{list}@{DOMAIN}"), &mail).await;
    assert_eq!(reply.code, 250, "{reply:?}");
}

async fn search(visitor: &mut Visitor, list: &str, q: &str, more: &str) -> Response {
    visitor.get(&format!("/lists/{list}/search/?q={}{more}", encode(q))).await
}

/// The numbers of the messages on a page of hits.
fn hits(page: &Response) -> Vec<u64> {
    assert_eq!(page.status, 200, "{}", page.body);
    let found = page.body.split("<li id=\"m").skip(1);
    found.map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect()
}

/// The query of a link of the pager.
fn turn(page: &Response, rel: &str) -> Option<String> {
    let rest = page.body.split(&format!("rel=\"{rel}\" href=\"")).nth(1)?;
    Some(rest.split('"').next().unwrap().replace("&#38;", "&").replace("&amp;", "&"))
}

#[tokio::test]
async fn hits_are_shown_with_their_words_marked_newest_or_best_first() {
    let app = TestApp::start().await;
    app.list("tea").with("description", "Tea Circle").member(ADA).create().await;
    post(&app, "tea", "The <b>Café</b> opens", "We meet on Monday").await;
    post(&app, "tea", "Plans", "Coffee at the CAFE, <script>alert(1)</script> then home").await;
    post(&app, "tea", "Nothing", "here").await;
    app.settle().await;
    let mut visitor = Visitor::new(&app);
    let page = search(&mut visitor, "tea", "cafe", "").await;
    assert_eq!(hits(&page), [2, 1]);
    assert!(page.body.contains("&#60;b&#62;<mark>Café</mark>&#60;/b&#62;"), "{}", page.body);
    assert!(page.body.contains("the <mark>CAFE</mark>, &#60;script&#62;"), "{}", page.body);
    assert!(page.body.contains("2 messages, newest first"), "{}", page.body);
    assert!(page.body.contains("<meta name=\"robots\" content=\"noindex\">"), "{}", page.body);
    assert_eq!(page.header("x-robots-tag"), Some("noindex"));
    assert!(page.body.contains("value=\"cafe\""), "the words stay in the field");
    assert_eq!(hits(&search(&mut visitor, "tea", "cafe", "&order=best").await), [1, 2]);
    for (q, expected) in [
        ("\"on monday\"", vec![1]),
        ("cafe -coffee", vec![1]),
        ("from:lind", vec![3, 2, 1]),
        ("subject:plans", vec![2]),
        ("has:attachment", vec![]),
        ("thread:3", vec![3]),
        ("after:2020 caf*", vec![2, 1]),
        ("before:2020", vec![]),
    ] {
        assert_eq!(hits(&search(&mut visitor, "tea", q, "").await), expected, "{q}");
    }
    let none = search(&mut visitor, "tea", "zebra", "").await;
    assert!(!none.body.contains("Did you mean"), "{}", none.body);
    assert!(none.body.contains("No message has all of that."), "{}", none.body);
    let empty = visitor.get("/lists/tea/search/").await;
    assert!(hits(&empty).is_empty() && empty.body.contains("What you can type"), "{}", empty.body);
    let german = visitor.get("/lists/tea/search/?q=cafe&lang=de").await;
    assert!(german.body.contains("2 Nachrichten, die neuesten zuerst"), "{}", german.body);
}

#[tokio::test]
async fn a_query_that_cannot_be_asked_says_what_can() {
    let app = TestApp::start().await;
    app.list("tea").create().await;
    let mut visitor = Visitor::new(&app);
    for (q, words) in [
        ("after:yesterday", "“yesterday” is no day. Write after:2026-11-20"),
        ("to:ada", "to: cannot be asked here."),
        ("\"open", "A quotation mark is missing"),
        ("from:", "Nothing stands behind from:"),
        ("has:cake", "has:attachment"),
        ("thread:one", "thread:12"),
        ("--", "There is no word in it"),
    ] {
        let page = search(&mut visitor, "tea", q, "").await;
        assert_eq!(page.status, 400, "{q}");
        let (alert, behind) =
            page.body.split_once("role=\"alert\"").and_then(|(_, rest)| rest.split_once("</div>")).unwrap();
        assert!(alert.replace("&#34;", "\"").contains(words), "{q}: {alert}");
        assert!(alert.contains("href=\"#q\""), "{alert}");
        assert!(behind.contains("aria-invalid=\"true\"") && behind.contains("from:marta"), "{behind}");
    }
    assert_eq!(search(&mut visitor, "tea", "x", "&after=nonsense").await.status, 400);
}

#[tokio::test]
async fn many_hits_are_turned_forth_and_back_by_position() {
    let app = TestApp::start().await;
    app.list("tea").member(ADA).create().await;
    for n in 0..65 {
        post(&app, "tea", &format!("Pot {n}"), "Tea is ready").await;
    }
    app.settle().await;
    let mut visitor = Visitor::new(&app);
    for order in ["", "&order=best"] {
        let mut pages = vec![search(&mut visitor, "tea", "tea", order).await];
        assert_eq!(turn(&pages[0], "prev"), None);
        assert!(pages[0].body.contains("65 messages"), "{}", pages[0].body);
        while let Some(next) = turn(pages.last().unwrap(), "next") {
            // What comes in meanwhile moves nothing.
            if order.is_empty() {
                post(&app, "tea", "Another", "Nothing of it").await;
                app.settle().await;
            }
            pages.push(visitor.get(&format!("/lists/tea/search/{next}")).await);
        }
        let all: Vec<u64> = pages.iter().flat_map(hits).collect();
        assert_eq!(all.len(), 65, "{order}");
        let mut sorted = all.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), 65, "none comes twice");
        let mut back = pages.len() - 1;
        let mut page = pages[back].clone();
        while let Some(previous) = turn(&page, "prev") {
            page = visitor.get(&format!("/lists/tea/search/{previous}")).await;
            back -= 1;
            assert_eq!(hits(&page), hits(&pages[back]), "{order} {back}");
        }
        assert_eq!(back, 0);
    }
}

#[tokio::test]
async fn a_search_tells_nobody_what_it_may_not_read() {
    let app = TestApp::start().await;
    app.list("tea").member(ADA).create().await;
    app.list("circle")
        .with("archive_protected", "1")
        .with("archive_memberview", "1")
        .member(ADA)
        .create()
        .await;
    app.list("none").with("archive_enabled", "0").member(ADA).create().await;
    for list in ["tea", "circle", "none"] {
        post(&app, list, "Pot for bob@secret.example", &format!("Tea of {list} from bob@secret.example"))
            .await;
    }
    app.settle().await;
    let mut visitor = Visitor::new(&app);
    for list in ["circle", "none"] {
        let page = search(&mut visitor, list, "tea", "").await;
        assert_eq!(page.status, 404, "{list}");
        assert!(!page.body.contains("Pot"), "{}", page.body);
    }
    let page = search(&mut visitor, "tea", "tea", "").await;
    assert_eq!(hits(&page), [1], "of this list alone");
    assert!(page.body.contains("bob@…") && !page.body.contains("secret.example"), "{}", page.body);
    for q in ["secret.example", "from:ada@example.org", "from:example.org", "secret*"] {
        assert!(hits(&search(&mut visitor, "tea", q, "").await).is_empty(), "{q}");
    }
    let contact = app.email(ADA).await["contact"].as_u64().unwrap();
    let mut ada = Visitor::signed_in(&app, Person::Member(ContactId(contact))).await;
    assert_eq!(hits(&search(&mut ada, "circle", "tea", "").await), [2]);
    assert_eq!(search(&mut ada, "none", "tea", "").await.status, 404);
    let page = search(&mut ada, "tea", "from:ada@example.org", "").await;
    assert_eq!(hits(&page), [1]);
    assert!(page.body.contains("bob@secret.example"), "{}", page.body);
}

#[tokio::test]
async fn nobody_finds_the_author_of_a_message_whose_list_hides_its_authors() {
    let app = TestApp::start().await;
    let list = app.list("tea").with("rewrite_sender", "true").with("original_sender_mode", "hide");
    list.member(ADA).create().await;
    post(&app, "tea", "Pots", "Ada has a new pot").await;
    post(&app, "tea", "Cups", "They are small").await;
    app.settle().await;
    let mut visitor = Visitor::new(&app);
    let shown = visitor.get("/lists/tea/messages/2/").await;
    assert!(!shown.body.contains("Lind"), "{}", shown.body);
    for (q, expected) in [
        ("small", vec![2]),
        ("ada", vec![1]),
        ("lind", vec![]),
        ("lin*", vec![]),
        ("\"ada lind\"", vec![]),
        ("from:ada", vec![]),
        ("from:ada@example.org", vec![]),
        ("small -lind", vec![2]),
        ("small -from:ada", vec![2]),
        ("small -from:ada@example.org", vec![2]),
        ("small -\"ada lind\"", vec![2]),
    ] {
        assert_eq!(hits(&search(&mut visitor, "tea", q, "").await), expected, "{q}");
    }
}

#[tokio::test]
async fn half_a_memory_finds_what_was_meant_and_the_page_says_how() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    post(&app, "choir", "Purcell on Sunday", "Hear my prayer, in eight parts").await;
    post(&app, "choir", "Rehearsals", "The hall is let on Thursday").await;
    app.settle().await;
    let mut visitor = Visitor::new(&app);
    for (q, expected, told) in [
        ("hear prayer", vec![1], ""),
        ("purcel", vec![1], "words that begin with “purcel”"),
        ("hear my pray", vec![1], "words that begin with “pray”"),
        ("hall is sold", vec![2], "These are without “sold”"),
        ("zebra", vec![], ""),
    ] {
        let page = search(&mut visitor, "choir", q, "").await;
        assert_eq!(hits(&page), expected, "{q}");
        let says = page.body.contains("No message has all of that. These");
        assert!(page.body.contains(told) && says != told.is_empty(), "{q}: {}", page.body);
        assert!(!page.body.contains("Did you mean"), "{q}: {}", page.body);
    }
    for (q, meant, path) in [
        ("pursell", "Did you mean Purcell?", "?q=Purcell"),
        ("Purcell rehersals", "Did you mean Purcell Rehearsals?", ""),
        ("-milk from:ada rehersals", "Did you mean -milk from:ada Rehearsals?", "?q=-milk"),
    ] {
        let page = search(&mut visitor, "choir", q, "").await;
        let plain = page.body.replace("<mark>", "").replace("</mark>", "");
        let is_told = plain.contains(meant);
        // Words that no message has together are not offered.
        assert_eq!(is_told, !path.is_empty(), "{q}: {}", page.body);
        assert!(page.body.contains(path), "{q}: {}", page.body);
    }
    let page = search(&mut visitor, "choir", "Purcell", "").await;
    assert_eq!(hits(&page), [1]);
    let german = visitor.get("/lists/choir/search/?q=pursell&lang=de").await;
    assert!(german.body.contains("Meinten Sie Pur<mark>c</mark>ell?"), "{}", german.body);
}

#[tokio::test]
async fn pages_of_a_query_that_is_asked_with_less_follow_one_another() {
    let app = TestApp::start().await;
    app.list("tea").member(ADA).create().await;
    for n in 0..45 {
        post(&app, "tea", &format!("Pot {n}"), "Teapots are ready").await;
    }
    app.settle().await;
    let mut visitor = Visitor::new(&app);
    for order in ["", "&order=best"] {
        let mut page = search(&mut visitor, "tea", "teap", order).await;
        let mut all = hits(&page);
        while let Some(next) = turn(&page, "next") {
            page = visitor.get(&format!("/lists/tea/search/{next}")).await;
            assert!(page.body.contains("words that begin with “teap”"), "{}", page.body);
            all.extend(hits(&page));
        }
        all.sort_unstable();
        assert_eq!(all, (1..=45).collect::<Vec<u64>>(), "{order}");
    }
}

#[tokio::test]
async fn no_spelling_tells_who_wrote_where_a_list_hides_that_or_what_an_address_hides() {
    let app = TestApp::start().await;
    let list = app.list("tea").with("rewrite_sender", "true").with("original_sender_mode", "hide");
    list.member(ADA).create().await;
    post(&app, "tea", "Pots", "Write to bob@hiddenplace.example").await;
    app.settle().await;
    let mut visitor = Visitor::new(&app);
    for q in ["linb", "lindd", "hiddenplaze", "hiddenplac"] {
        let page = search(&mut visitor, "tea", q, "").await;
        let body = page.body.to_lowercase();
        assert!(hits(&page).is_empty() && !body.contains("did you mean"), "{q}: {}", page.body);
    }
}

#[tokio::test]
async fn a_member_searches_all_its_lists_at_once_and_no_others() {
    let app = TestApp::start().await;
    for (name, hides) in [("tea", "false"), ("circle", "true")] {
        let list = app.list(name).with("rewrite_sender", hides).with("archive_protected", "1");
        let list = list.with("archive_memberview", "1");
        let list = if hides == "true" { list.with("original_sender_mode", "hide") } else { list };
        list.open().member(ADA).create().await;
    }
    app.list("closed").with("archive_protected", "1").with("archive_memberview", "1").open().create().await;
    app.list("none").with("archive_enabled", "0").member(ADA).create().await;
    for list in ["tea", "circle", "closed", "none"] {
        post(&app, list, &format!("Pot of {list}"), "Tea is ready, says bob@secret.example").await;
    }
    app.settle().await;
    let contact = app.email(ADA).await["contact"].as_u64().unwrap();
    let mut ada = Visitor::signed_in(&app, Person::Member(ContactId(contact))).await;
    let search =
        async |visitor: &mut Visitor, q: &str| visitor.get(&format!("/search/?q={}", encode(q))).await;
    let page = search(&mut ada, "ready").await;
    assert_eq!(hits(&page), [2, 1]);
    for part in
        ["The archives of 2 lists", "<bdi>tea</bdi>", "<bdi>circle</bdi>", "/lists/circle/messages/2/"]
    {
        assert!(page.body.contains(part), "{part}: {}", page.body);
    }
    assert_eq!(page.header("x-robots-tag"), Some("noindex"));
    for (q, expected) in [
        ("from:lind", vec![1]),
        ("from:ada@example.org", vec![1]),
        ("secret.example", vec![2, 1]),
        ("subject:closed", vec![]),
    ] {
        assert_eq!(hits(&search(&mut ada, q).await), expected, "{q}");
    }
    let page = search(&mut ada, "reddy").await;
    let plain = page.body.replace("<mark>", "").replace("</mark>", "");
    assert!(plain.contains("Did you mean ready?"), "{}", page.body);
    assert_eq!(search(&mut ada, "after:yesterday").await.status, 400);
    // It is found from the first page, and from a search that finds nothing.
    assert!(ada.get("/members/").await.body.contains("action=\"/search/\""));
    let none = ada.get("/lists/tea/search/?q=zebra").await;
    assert!(none.body.contains("href=\"/search/?q=zebra\""), "{}", none.body);
    let stranger = Visitor::new(&app).get("/search/?q=ready").await;
    assert_eq!(stranger.header("location"), Some("/members/?next=%2Fsearch%2F%3Fq%3Dready"));
    let somebody = app.new_member(crier::model::AccountId(app.account_id()), "bob@example.org").await;
    let mut bob = Visitor::signed_in(&app, somebody).await;
    let page = search(&mut bob, "ready").await;
    assert!(hits(&page).is_empty() && page.body.contains("You are on no list"), "{}", page.body);
}
