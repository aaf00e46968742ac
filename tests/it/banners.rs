//! The images that accounts show on their pages: fetched once, made harmless, served from here.

use std::collections::VecDeque;
use std::io::Cursor;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crier::model::AccountId;
use crier::ops::accounts::banners;
use image::{DynamicImage, ImageFormat};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::harness::TestApp;
use crate::harness::visitor::Visitor;

const MINUTE: Duration = Duration::from_mins(1);

/// A server of somebody else, which answers what a test tells it to, and nothing after that.
struct Elsewhere {
    base: String,
    answers: Arc<Mutex<VecDeque<Vec<u8>>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Elsewhere {
    async fn start() -> Elsewhere {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let answers: Arc<Mutex<VecDeque<Vec<u8>>>> = Arc::default();
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let (next, log) = (Arc::clone(&answers), Arc::clone(&asked));
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    head.push(stream.read_u8().await.unwrap());
                }
                let head = String::from_utf8(head).unwrap();
                log.lock().unwrap().push(head.split(' ').nth(1).unwrap().to_owned());
                let answer = next.lock().unwrap().pop_front().unwrap_or_else(|| status("404 Not Found", b""));
                // The other side may have read enough.
                let _ = stream.write_all(&answer).await;
            }
        });
        Elsewhere { base, answers, asked }
    }

    fn url(&self) -> String {
        format!("{}/images/banner.png?v=1", self.base)
    }

    fn answer(&self, answers: impl IntoIterator<Item = Vec<u8>>) {
        self.answers.lock().unwrap().extend(answers);
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

fn status(status: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

fn file(body: &[u8]) -> Vec<u8> {
    status("200 OK", body)
}

fn leads_to(location: &str) -> Vec<u8> {
    status(&format!("302 Found\r\nLocation: {location}"), b"")
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::new_rgba8(width, height).write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

async fn set_image(app: &TestApp, url: &str) {
    let path = format!("/api/2/accounts/{}/", app.account_id());
    app.admin.put_json(&path, &json!({"custom_image": url})).await.good();
    app.settle().await;
}

/// The tag of the banner on the first page, if there is one.
async fn shown(app: &TestApp) -> Option<String> {
    let page = app.anon.get("/").await;
    assert_eq!(page.status, 200);
    let tag = page.body.split("<img ").nth(1)?;
    Some(tag.split('>').next().unwrap().to_owned())
}

fn source(tag: &str) -> &str {
    tag.split("src=\"").nth(1).unwrap().split('"').next().unwrap()
}

/// The file that is served.
fn stored(app: &TestApp) -> Vec<u8> {
    let tx = app.core().store.read().unwrap();
    let banner = banners::find(&tx, AccountId(app.account_id())).unwrap().unwrap();
    banners::file(&tx, &banner.image.unwrap()).unwrap()
}

/// The first page as an administrator sees it.
async fn page_of_administrator(app: &TestApp) -> String {
    let admin = app.new_admin(AccountId(app.account_id()), "eve@example.org").await;
    Visitor::signed_in(app, admin).await.get("/").await.body
}

#[tokio::test]
async fn an_image_that_would_not_be_fetched_is_refused_when_it_is_set() {
    let app = TestApp::builder().config(|config| config.allow_private_mx = false).start().await;
    let path = format!("/api/2/accounts/{}/", app.account_id());
    for url in [
        "http://127.0.0.1/a.png",
        "https://[::1]/a.png",
        "http://169.254.169.254/",
        "http://x@10.0.0.1:8080/",
        "http://LOCALHOST./a",
        "http://[::ffff:192.168.0.1]/",
    ] {
        let answer = app.admin.put_json(&path, &json!({"custom_image": url})).await;
        assert_eq!(answer.status, 400, "{url}: {}", answer.body);
        assert!(answer.body.contains("private network"), "{}", answer.body);
    }
    app.admin.put_json(&path, &json!({"custom_image": "https://example.org/a.png"})).await.good();
}

#[tokio::test]
async fn an_image_is_fetched_once_scaled_and_served_from_here() {
    let mut app = TestApp::start().await;
    let elsewhere = Elsewhere::start().await;
    let mut with_script = png(2400, 300);
    with_script.extend_from_slice(b"<script>alert(1)</script>");
    elsewhere.answer([file(&with_script)]);
    app.change_account(|account| account.description = "Alder Bay".to_owned()).await;
    app.list("news").create().await;
    assert_eq!(shown(&app).await, None);
    set_image(&app, &elsewhere.url()).await;
    let tag = shown(&app).await.expect("the banner is shown");
    for part in ["alt=\"Banner of Alder Bay\"", "width=\"1200\"", "height=\"150\""] {
        assert!(tag.contains(part), "{tag}");
    }
    let path = source(&tag).to_owned();
    assert!(path.starts_with("/banner/") && path.rsplit('.').next() == Some("png"), "{path}");
    for other in ["/lists/news/", "/members/", "/nothing/"] {
        assert!(app.anon.get(other).await.body.contains(&tag), "{other}");
    }
    let served = app.anon.request("HEAD", &path, &[], b"").await;
    assert_eq!((served.status, served.header("content-type")), (200, Some("image/png")));
    assert_eq!(served.header("cache-control"), Some("public, max-age=31536000, immutable"));
    assert_eq!(served.header("x-content-type-options"), Some("nosniff"));
    let kept = stored(&app);
    let image = image::load_from_memory_with_format(&kept, ImageFormat::Png).unwrap();
    assert_eq!((image.width(), image.height()), (1200, 150));
    assert!(!kept.windows(6).any(|window| window == b"script"), "nothing but the pixels remains");
    for wrong in ["/banner/x.png", "/banner/.png", path.strip_suffix(".png").unwrap()] {
        assert_eq!(app.anon.get(wrong).await.status, 404, "{wrong}");
    }
    assert_eq!(elsewhere.asked(), ["/images/banner.png?v=1"]);
    app.admin
        .put_json(&format!("/api/2/accounts/{}/", app.account_id()), &json!({"welcome_message": "Hello"}))
        .await
        .good();
    app.restart().await;
    app.advance(10 * MINUTE).await;
    app.settle().await;
    assert_eq!(shown(&app).await.as_deref(), Some(&*tag));
    assert_eq!(elsewhere.asked(), [""; 0]);
    set_image(&app, "").await;
    assert_eq!(shown(&app).await, None);
    assert_eq!(app.anon.get(&path).await.status, 404);
}

#[tokio::test]
async fn another_address_brings_another_image() {
    let app = TestApp::start().await;
    let elsewhere = Elsewhere::start().await;
    elsewhere.answer([file(&png(10, 10)), file(&png(20, 10))]);
    set_image(&app, &format!("{}/1", elsewhere.base)).await;
    let first = shown(&app).await.unwrap();
    set_image(&app, &format!("{}/2", elsewhere.base)).await;
    let second = shown(&app).await.unwrap();
    assert_ne!(source(&first), source(&second));
    assert!(second.contains("width=\"20\""), "{second}");
    assert_eq!(app.anon.get(source(&first)).await.status, 404);
}

#[tokio::test]
async fn what_failed_is_tried_again_and_told_to_administrators() {
    let app = TestApp::start().await;
    let elsewhere = Elsewhere::start().await;
    elsewhere.answer([status("503 Service Unavailable", b""), file(b"<svg/>"), file(&png(30, 30))]);
    set_image(&app, &elsewhere.url()).await;
    assert_eq!(shown(&app).await, None);
    let page = page_of_administrator(&app).await;
    assert!(page.contains("could not be fetched: the server does not have it. We try again on"), "{page}");
    assert!(!app.anon.get("/").await.body.contains("could not be fetched"), "nobody else is told");
    app.settle().await;
    assert_eq!(elsewhere.asked().len(), 1, "not before its time");
    app.advance(MINUTE).await;
    app.settle().await;
    assert_eq!(elsewhere.asked().len(), 1);
    app.advance(4 * MINUTE).await;
    app.settle().await;
    assert!(shown(&app).await.is_some());
    assert_eq!(elsewhere.asked().len(), 1);
}

#[tokio::test]
async fn an_image_that_never_comes_is_given_up() {
    let app = TestApp::start().await;
    let elsewhere = Elsewhere::start().await;
    set_image(&app, &elsewhere.url()).await;
    for _ in 0..20 {
        app.advance(24 * 60 * MINUTE).await;
        app.settle().await;
    }
    assert_eq!(elsewhere.asked().len(), 8);
    let page = page_of_administrator(&app).await;
    assert!(page.contains("We do not try again, unless another address is set."), "{page}");
}

#[tokio::test]
async fn redirects_are_followed_but_not_for_ever() {
    let app = TestApp::start().await;
    let elsewhere = Elsewhere::start().await;
    elsewhere.answer([leads_to("/a/b"), leads_to("c.png#x"), file(&png(3, 3))]);
    set_image(&app, &elsewhere.url()).await;
    assert!(shown(&app).await.is_some());
    assert_eq!(elsewhere.asked(), ["/images/banner.png?v=1", "/a/b", "/a/c.png"]);
    elsewhere.answer((0..20).map(|_| leads_to("/on")));
    set_image(&app, &format!("{}/again", elsewhere.base)).await;
    assert_eq!(shown(&app).await, None);
    assert_eq!(elsewhere.asked().len(), 6);
}

#[tokio::test]
async fn no_image_and_too_large_a_one_are_refused() {
    let app = TestApp::start().await;
    let elsewhere = Elsewhere::start().await;
    let huge = vec![0; 5 * 1024 * 1024 + 1];
    let bomb = {
        let mut bytes = Cursor::new(Vec::new());
        DynamicImage::new_luma8(6000, 6000).write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner()
    };
    let cases = [
        (file(b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>"), "is not a PNG, JPEG, GIF or WebP image"),
        (file(&png(20, 20)[..30]), "is not a PNG, JPEG, GIF or WebP image"),
        (file(&huge), "larger than five megabytes"),
        (file(&bomb), "too many pixels"),
        (b"SSH-2.0-x\r\n".to_vec(), "no server answers"),
    ];
    let admin = app.new_admin(AccountId(app.account_id()), "eve@example.org").await;
    let mut visitor = Visitor::signed_in(&app, admin).await;
    for (number, (answer, words)) in cases.into_iter().enumerate() {
        elsewhere.answer([answer]);
        set_image(&app, &format!("{}/{number}", elsewhere.base)).await;
        assert_eq!(shown(&app).await, None, "{words}");
        let page = visitor.get("/").await.body;
        assert!(page.contains(words), "{words}: {page}");
    }
}

#[tokio::test]
async fn this_machines_own_network_is_not_asked() {
    let app = TestApp::builder().config(|config| config.allow_private_mx = false).start().await;
    let elsewhere = Elsewhere::start().await;
    elsewhere.answer((0..9).map(|_| file(&png(3, 3))));
    let port = elsewhere.base.rsplit(':').next().unwrap();
    let path = format!("/api/2/accounts/{}/", app.account_id());
    for host in ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "localhost", "127.1", "2130706433", "0x7f.1"] {
        // A plain address is refused when it is set; a name or another spelling when the image is fetched.
        let answer =
            app.admin.put_json(&path, &json!({"custom_image": format!("http://{host}:{port}/")})).await;
        assert!(matches!(answer.status, 200 | 400), "{host}: {}", answer.body);
        app.settle().await;
        assert_eq!(shown(&app).await, None, "{host}");
    }
    assert_eq!(elsewhere.asked(), [""; 0]);
}
