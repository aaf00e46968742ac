//! Feeds and sitemaps of archives: valid XML whatever people wrote, whole texts where everybody may read them, and
//! nothing of what a visitor may not read.

use crier::model::{ContactId, Person};

use crate::harness::http::{Client, Response};
use crate::harness::{DOMAIN, TestApp};

const ADA: &str = "ada@example.org";

fn anon(app: &TestApp) -> Client {
    app.anon.at_host(DOMAIN)
}

async fn get(app: &TestApp, path: &str) -> Response {
    anon(app).request("GET", path, &[], b"").await
}

async fn post(app: &TestApp, list: &str, mail: &str) {
    let reply = app.send_mail(ADA, &format!("{list}@{DOMAIN}"), mail).await;
    assert_eq!(reply.code, 250, "{reply:?}");
    app.settle().await;
}

async fn list(app: &TestApp, name: &str, fields: &[(&str, &str)]) {
    let mut list = app.list(name).member(ADA);
    for (field, value) in fields {
        list = list.with(field, value);
    }
    list.create().await;
}

/// The contents of the elements of a name, with their references resolved. The document must be well-formed: its
/// elements nest, its references are known, and it has no character that XML does not have.
#[track_caller]
fn elements(xml: &str, name: &str) -> Vec<String> {
    let is_known = |c: char| matches!(c, '\t' | '\n') || (' ' <= c && c != '\u{fffe}' && c != '\u{ffff}');
    assert!(xml.chars().all(is_known), "{xml:?}");
    let mut rest = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n").expect("a declaration");
    let mut open: Vec<(String, String)> = Vec::new();
    let mut found = Vec::new();
    while let Some(start) = rest.find('<') {
        let text = resolved(&rest[..start]);
        if let Some((_, content)) = open.last_mut() {
            content.push_str(&text);
        }
        let end = rest[start..].find('>').expect("a tag ends") + start;
        let tag = &rest[start + 1..end];
        assert!(!tag.contains('<'), "{tag}");
        rest = &rest[end + 1..];
        if let Some(tag) = tag.strip_prefix('/') {
            let (begun, content) = open.pop().expect("an element is open");
            assert_eq!(begun, tag);
            if tag == name {
                found.push(content);
            }
        } else if !tag.ends_with('/') {
            open.push((tag.split(' ').next().unwrap().to_owned(), String::new()));
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest:?}");
    found
}

#[track_caller]
fn resolved(text: &str) -> String {
    let mut out = String::new();
    let mut parts = text.split('&');
    out.push_str(parts.next().unwrap());
    for part in parts {
        let (name, behind) = part.split_once(';').unwrap_or_else(|| panic!("{part}"));
        out.push(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "#39" => '\'',
            "#13" => '\r',
            other => panic!("&{other};"),
        });
        out.push_str(behind);
    }
    out
}

#[tokio::test]
async fn a_feed_has_the_newest_messages_with_their_text() {
    let app = TestApp::start().await;
    list(&app, "tea", &[("description", "Tea & Cake")]).await;
    for n in 1..=35 {
        post(
            &app,
            "tea",
            &format!("From: Ada <{ADA}>\nTo: tea@{DOMAIN}\nSubject: Pot {n}\n\nHello <{n}> & bye"),
        )
        .await;
    }
    let feed = get(&app, "/lists/tea/feed.atom").await;
    assert_eq!(
        (feed.status, feed.header("content-type")),
        (200, Some("application/atom+xml; charset=utf-8"))
    );
    let titles = elements(&feed.body, "title");
    assert_eq!(titles[0], "Messages of Tea & Cake");
    assert_eq!(titles.len(), 31);
    assert_eq!((titles[1].as_str(), titles[30].as_str()), ("Pot 35", "Pot 6"));
    let ids: std::collections::BTreeSet<String> = elements(&feed.body, "id").into_iter().collect();
    assert_eq!(ids.len(), 31, "each has an identifier of its own");
    assert_eq!(elements(&feed.body, "name")[0], "Ada");
    let texts = elements(&feed.body, "content");
    assert!(texts[0].contains("Hello &lt;35&gt; &amp; bye"), "{}", texts[0]);
    assert!(feed.body.contains("/lists/tea/messages/35/\"/>"), "{}", feed.body);
    let updated = elements(&feed.body, "updated");
    assert!(updated.iter().all(|time| time.len() == "2026-11-20T15:04:05Z".len()), "{updated:?}");
    let etag = feed.header("etag").unwrap();
    let again = anon(&app).request("GET", "/lists/tea/feed.atom", &[("If-None-Match", etag)], b"").await;
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    let head = anon(&app).request("HEAD", "/lists/tea/feed.atom", &[], b"").await;
    assert_eq!((head.status, head.body.as_str()), (200, ""));
}

#[tokio::test]
async fn a_thread_has_a_feed_of_its_own() {
    let app = TestApp::start().await;
    list(&app, "tea", &[]).await;
    let mail = |id: &str, more: &str| {
        format!("From: {ADA}\nTo: tea@{DOMAIN}\nSubject: {id}\nMessage-ID: <{id}@x.org>\n{more}\nHi")
    };
    post(&app, "tea", &mail("first", "")).await;
    post(&app, "tea", &mail("other", "")).await;
    post(&app, "tea", &mail("reply", "In-Reply-To: <first@x.org>\n")).await;
    let feed = get(&app, "/lists/tea/threads/1/feed.atom").await;
    assert_eq!(elements(&feed.body, "title"), ["first", "reply", "first"]);
    // The number of a reply leads to its thread.
    let led = get(&app, "/lists/tea/threads/3/feed.atom").await;
    assert_eq!((led.status, led.header("location")), (301, Some("/lists/tea/threads/1/feed.atom")));
    for path in ["threads/99/feed.atom", "threads/x/feed.atom", "threads/01/feed.atom"] {
        assert_eq!(get(&app, &format!("/lists/tea/{path}")).await.status, 404, "{path}");
    }
    app.admin.delete("/api/2/messages/1/").await.good();
    let feed = get(&app, "/lists/tea/threads/1/feed.atom").await;
    assert_eq!(elements(&feed.body, "title"), ["reply", "reply"]);
}

#[tokio::test]
async fn whatever_people_write_a_feed_is_well_formed() {
    let app = TestApp::start().await;
    list(&app, "tea", &[]).await;
    let subject = "=?utf-8?q?=00=01=0B=0C=1B=7F=C2=85=EF=BF=BE_]]>_<b>_=26amp;?=";
    let controls: String = ('\u{1}'..='\u{1f}').filter(|c| !matches!(c, '\r' | '\n')).collect();
    let html = format!("<p>]]&gt; {controls} <script>x</script><b>&amp;lt;\u{fffe}</p>");
    post(&app, "tea", &format!("From: \"<&>\u{7f}\" <{ADA}>\nTo: tea@{DOMAIN}\nSubject: {subject}\nContent-Type: text/html; charset=utf-8\n\n{html}")).await;
    post(&app, "tea", &format!("From: {ADA}\nTo: tea@{DOMAIN}\n\n{controls} <&>\"' ]]>")).await;
    let feed = get(&app, "/lists/tea/feed.atom").await;
    assert_eq!(elements(&feed.body, "entry").len(), 2);
    assert!(!elements(&feed.body, "content").iter().any(|html| html.contains("<script")), "{}", feed.body);
}

#[tokio::test]
async fn a_feed_hides_addresses_where_pages_do() {
    let app = TestApp::start().await;
    list(&app, "tea", &[]).await;
    let mail = format!(
        "From: {ADA}\nTo: tea@{DOMAIN}\nSubject: for bob@secret.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nwrite to bob@secret.example\n--b\nContent-Type: image/png; name=\"bob@secret.example.png\"\nContent-Disposition: attachment\n\nx\n--b--\n"
    );
    post(&app, "tea", &mail).await;
    for path in ["/lists/tea/feed.atom", "/lists/tea/threads/1/feed.atom"] {
        let feed = get(&app, path).await;
        assert_eq!(feed.status, 200);
        for secret in ["secret.example", "example.org"] {
            let told = feed.body.contains(secret) && !feed.body.replace(DOMAIN, "").is_empty();
            assert!(!told || !feed.body.replace(DOMAIN, "").contains(secret), "{secret}: {}", feed.body);
        }
        assert!(feed.body.contains("bob@…"), "{}", feed.body);
        assert!(feed.header("cache-control").unwrap().starts_with("public"));
    }
    let contact = app.email(ADA).await["contact"].as_u64().unwrap();
    let cookie = format!("__Host-member={}", app.sign_in(Person::Member(ContactId(contact))).await);
    let feed = anon(&app).request("GET", "/lists/tea/feed.atom", &[("Cookie", &cookie)], b"").await;
    assert!(feed.body.contains("bob@secret.example"), "{}", feed.body);
    assert!(
        feed.header("cache-control").unwrap().starts_with("private"),
        "what a member gets is for the member"
    );
}

#[tokio::test]
async fn a_protected_archive_has_a_feed_of_first_words_for_those_who_may_read_it() {
    let app = TestApp::start().await;
    list(&app, "circle", &[("archive_protected", "1"), ("archive_memberview", "1")]).await;
    list(&app, "none", &[("archive_enabled", "0")]).await;
    for name in ["circle", "none"] {
        post(&app, name, &format!("From: {ADA}\nTo: {name}@{DOMAIN}\nSubject: Hush\n\nThe secret tea")).await;
    }
    for path in ["/lists/circle/feed.atom", "/lists/circle/threads/1/feed.atom", "/lists/none/feed.atom"] {
        let page = get(&app, path).await;
        assert_eq!(page.status, 404);
        assert!(!page.body.contains("Hush") && !page.body.contains("secret"), "{}", page.body);
    }
    let contact = app.email(ADA).await["contact"].as_u64().unwrap();
    let cookie = format!("__Host-member={}", app.sign_in(Person::Member(ContactId(contact))).await);
    let feed = anon(&app).request("GET", "/lists/circle/feed.atom", &[("Cookie", &cookie)], b"").await;
    assert_eq!(
        (elements(&feed.body, "content").len(), elements(&feed.body, "summary")),
        (0, vec!["The secret tea".to_owned()])
    );
}

#[tokio::test]
async fn search_engines_are_told_of_public_archives_alone() {
    let app = TestApp::start().await;
    assert_eq!(get(&app, "/sitemap.xml").await.status, 404, "there is nothing to tell of");
    assert!(!get(&app, "/robots.txt").await.body.contains("Sitemap:"));
    list(&app, "tea", &[]).await;
    list(&app, "circle", &[("archive_protected", "1"), ("archive_memberview", "1")]).await;
    list(&app, "quiet", &[("archive_index_noshow", "1")]).await;
    list(&app, "none", &[("archive_enabled", "0")]).await;
    for name in ["tea", "circle", "quiet", "none"] {
        post(
            &app,
            name,
            &format!("From: {ADA}\nTo: {name}@{DOMAIN}\nSubject: Pot\nMessage-ID: <{name}@x.org>\n\nHi"),
        )
        .await;
    }
    post(
        &app,
        "tea",
        &format!("From: {ADA}\nTo: tea@{DOMAIN}\nSubject: Re: Pot\nIn-Reply-To: <tea@x.org>\n\nHi"),
    )
    .await;
    let robots = get(&app, "/robots.txt").await;
    assert_eq!((robots.status, robots.header("content-type")), (200, Some("text/plain; charset=utf-8")));
    let address = robots.body.lines().find_map(|line| line.strip_prefix("Sitemap: ")).unwrap();
    assert!(address.starts_with("http") && address.ends_with("/sitemap.xml"), "{address}");
    let index = get(&app, "/sitemap.xml").await;
    assert_eq!(index.header("content-type"), Some("application/xml; charset=utf-8"));
    let base = address.strip_suffix("/sitemap.xml").unwrap();
    let mut pages = Vec::new();
    for file in elements(&index.body, "loc") {
        let path = file.strip_prefix(base).unwrap_or_else(|| panic!("{file} is not below {base}"));
        pages.extend(elements(&get(&app, path).await.body, "loc"));
    }
    let paths: Vec<&str> = pages.iter().map(|page| page.strip_prefix(base).unwrap()).collect();
    assert_eq!(paths, ["/lists/tea/", "/lists/tea/months/2026-11/", "/lists/tea/threads/1/"]);
    for path in paths {
        assert_eq!(get(&app, path).await.status, 200, "{path}");
    }
    let of_list = |id: u64| format!("/sitemap/{id}-2026-11-0.xml");
    assert_eq!(get(&app, &of_list(1)).await.status, 200);
    for path in [
        of_list(2),
        of_list(3),
        of_list(4),
        of_list(99),
        "/sitemap/x.xml".to_owned(),
        "/sitemap/1-2026-13-0.xml".to_owned(),
    ] {
        assert_eq!(get(&app, &path).await.status, 404, "{path}");
    }
}
