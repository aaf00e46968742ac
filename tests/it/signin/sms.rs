//! Codes by text message, through the service of the operator.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crier::config::WebhookUrl;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::factors::press;
use super::*;

const NUMBER: &str = "+4915112345678";

/// A service that takes text messages, and keeps what it was asked for.
struct Service {
    url: String,
    asked: Arc<Mutex<Vec<(String, Value)>>>,
    status: Arc<Mutex<u16>>,
}

impl Service {
    async fn start() -> Service {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/send?key=hidden-key", listener.local_addr().unwrap());
        let (asked, status) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(204)));
        let (kept, answer) = (Arc::clone(&asked), Arc::clone(&status));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut bytes = Vec::new();
                let (head, body) = loop {
                    let mut chunk = [0; 4096];
                    let count = stream.read(&mut chunk).await.unwrap();
                    assert!(0 < count, "the request ends early");
                    bytes.extend_from_slice(&chunk[..count]);
                    let text = String::from_utf8(bytes.clone()).unwrap();
                    let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
                    let length = head.to_lowercase().lines().find_map(|line| {
                        line.strip_prefix("content-length: ").map(|length| length.parse::<usize>().unwrap())
                    });
                    if length == Some(body.len()) {
                        break (head.to_owned(), body.to_owned());
                    }
                };
                kept.lock().unwrap().push((head, serde_json::from_str(&body).unwrap()));
                let status = *answer.lock().unwrap();
                let reply = format!("HTTP/1.1 {status} X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                stream.write_all(reply.as_bytes()).await.unwrap();
            }
        });
        Service { url, asked, status }
    }

    fn answer(&self, status: u16) {
        *self.status.lock().unwrap() = status;
    }

    fn count(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    /// The six digits of the newest message.
    fn code(&self) -> String {
        let asked = self.asked.lock().unwrap();
        let text = asked.last().unwrap().1["text"].as_str().unwrap();
        let mut words = text.split(|letter: char| !letter.is_ascii_digit());
        words.find(|word| word.len() == 6).unwrap_or_else(|| panic!("no code: {text}")).to_owned()
    }
}

async fn start(service: &Service) -> TestApp {
    let url = WebhookUrl(service.url.clone());
    TestApp::builder().without_dkim().config(|config| config.sms_webhook = Some(url)).start().await
}

/// Sets the telephone up.
async fn set_up(app: &TestApp, service: &Service, person: Person) -> Visitor {
    let mut visitor = Visitor::signed_in(app, person).await;
    let asked = press(&mut visitor, "sms", &[("phone", "+49 (151) 123-45678")]).await;
    assert_eq!(asked.status, 303, "{}", asked.body);
    page(&visitor.get("/admin/me/").await, 200, NUMBER);
    let done = press(&mut visitor, "confirm", &[("code", &service.code())]).await;
    page(&done, 200, "role=\"status\"");
    visitor
}

async fn give(visitor: &mut Visitor, fields: &[(&str, &str)]) -> Response {
    let shown = visitor.get("/login/code/").await;
    let form = Visitor::form(&shown, "/login/code/", &["name=\"code\""]);
    visitor.submit(&form, fields).await
}

#[tokio::test]
async fn a_code_comes_to_the_telephone_and_signs_in_once() {
    let service = Service::start().await;
    let app = start(&service).await;
    let person = boss(&app).await;
    let mut own = set_up(&app, &service, person).await;
    let (head, body) = service.asked.lock().unwrap()[0].clone();
    assert!(head.starts_with("POST /send?key=hidden-key HTTP/1.1"), "{head}");
    assert!(head.to_lowercase().contains("content-type: application/json"), "{head}");
    assert_eq!((body["to"].as_str(), body.as_object().unwrap().len()), (Some(NUMBER), 2));
    assert_eq!(app.admin.get(&format!("/api/2/admins/{BOSS}/")).await.good()["mfa_type"], "sms");
    page(&own.get("/admin/me/").await, 200, "ends in 678");
    let setup_code = service.code();
    let mut visitor = Visitor::new(&app);
    assert_eq!(log_in(&mut visitor, BOSS, "wrong").await.status, 400);
    assert_eq!(service.count(), 1, "a wrong password sends nothing");
    assert_eq!(log_in(&mut visitor, BOSS, PASSWORD).await.header("location"), Some("/login/code/"));
    assert_eq!(service.count(), 2);
    page(&give(&mut visitor, &[("code", &setup_code)]).await, 400, "role=\"alert\"");
    let code = service.code();
    assert!(!app.dump("second_factor").contains(&code), "only a hash is kept");
    assert_eq!(give(&mut visitor, &[("code", &code)]).await.status, 303);
    let mut other = Visitor::new(&app);
    log_in(&mut other, BOSS, PASSWORD).await;
    page(&give(&mut other, &[("code", &code)]).await, 400, "role=\"alert\"");
    assert_eq!(
        give(&mut other, &[("action", "again")]).await.header("location"),
        Some("/login/code/?done=again")
    );
    app.advance(Duration::from_mins(9)).await;
    assert_eq!(give(&mut other, &[("code", &service.code())]).await.status, 303);
}

#[tokio::test]
async fn ten_codes_an_hour_are_sent_and_what_the_service_refuses_is_told() {
    let service = Service::start().await;
    let app = start(&service).await;
    let person = boss(&app).await;
    set_up(&app, &service, person).await;
    let mut visitor = Visitor::new(&app);
    service.answer(503);
    let asked = log_in(&mut visitor, BOSS, PASSWORD).await;
    let shown = visitor.get(asked.header("location").unwrap()).await;
    page(&shown, 200, "role=\"alert\"");
    let refused = give(&mut visitor, &[("action", "again")]).await;
    page(&refused, 400, "could not be sent");
    assert!(!refused.body.contains("hidden-key"), "{}", refused.body);
    service.answer(200);
    for _ in 0..7 {
        assert_eq!(give(&mut visitor, &[("action", "again")]).await.status, 303);
    }
    assert_eq!(service.count(), 10);
    page(&give(&mut visitor, &[("action", "again")]).await, 400, "ten codes an hour");
    assert_eq!(service.count(), 10);
    assert_eq!(
        give(&mut visitor, &[("code", &service.code())]).await.status,
        303,
        "the last one still works"
    );
}

#[tokio::test]
async fn a_number_is_proven_before_it_counts() {
    let service = Service::start().await;
    let app = start(&service).await;
    let person = boss(&app).await;
    let mut visitor = Visitor::signed_in(&app, person).await;
    for wrong in ["", "0151 12345678", "+49"] {
        page(&press(&mut visitor, "sms", &[("phone", wrong)]).await, 400, "href=\"#phone\"");
    }
    assert_eq!(service.count(), 0);
    press(&mut visitor, "sms", &[("phone", NUMBER)]).await;
    let code = service.code();
    let wrong = if code == "000000" { "000001" } else { "000000" };
    page(&press(&mut visitor, "confirm", &[("code", wrong)]).await, 400, "href=\"#code\"");
    page(&press(&mut visitor, "confirm", &[("code", &code)]).await, 400, "href=\"#code\"");
    assert_ne!(
        log_in(&mut Visitor::new(&app), BOSS, PASSWORD).await.header("location"),
        Some("/login/code/")
    );
    press(&mut visitor, "cancel", &[]).await;
    press(&mut visitor, "sms", &[("phone", NUMBER)]).await;
    app.advance(Duration::from_mins(10)).await;
    page(&press(&mut visitor, "confirm", &[("code", &service.code())]).await, 400, "href=\"#code\"");
}

#[tokio::test]
async fn without_a_service_no_page_offers_text_messages() {
    let app = TestApp::start().await;
    let person = boss(&app).await;
    let mut visitor = Visitor::signed_in(&app, person).await;
    let shown = visitor.get("/admin/me/").await;
    assert!(!shown.body.contains("value=\"sms\""), "{}", shown.body);
    let form = Visitor::form(&shown, "/admin/me/", &["value=\"otp\""]);
    assert_eq!(visitor.submit(&form, &[("action", "sms"), ("phone", NUMBER)]).await.status, 400);
}
