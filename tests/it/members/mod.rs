//! Members' pages: signing in by a mailed link, and what members see and change of their own.

mod addresses;
mod lists;
mod own;
mod sign_in;

use std::time::Duration;

use crate::harness::http::Response;
use crate::harness::visitor::Visitor;
use crate::harness::{DOMAIN, TestApp};

const ADA: &str = "ada@example.org";
const BOB: &str = "bob@example.org";
const MEMBERS: &str = "/members/";
const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

/// Asks for a link to sign in; answers the page that follows.
async fn ask_for_link(visitor: &mut Visitor, address: &str, more: &[(&str, &str)]) -> Response {
    let page = visitor.get(MEMBERS).await;
    let form = Visitor::form(&page, MEMBERS, &["name=\"email\"", "name=\"stay\""]);
    visitor.submit(&form, &[&[("email", address)], more].concat()).await
}

/// The path of the link in the last mail to an address.
pub(crate) fn link_to(app: &TestApp, address: &str) -> String {
    let text = app.sink.mail_to(address).text().replace("=\n", "");
    let base = format!("https://{DOMAIN}");
    let link = text.split_whitespace().find(|word| word.contains("/members/in/"));
    link.and_then(|link| link.strip_prefix(&base)).unwrap_or_else(|| panic!("no link in {text}")).to_owned()
}

/// Presses the button of a link's page.
pub(crate) async fn press(visitor: &mut Visitor, link: &str) -> Response {
    let page = visitor.get(link).await;
    assert_eq!(page.status, 200, "{}", page.body);
    let form = Visitor::form(&page, link, &["value=\"signin\""]);
    visitor.submit(&form, &[("action", "signin")]).await
}

/// A visitor who signs in with an address, by a link that is mailed there.
pub(crate) async fn signed_in(app: &TestApp, address: &str) -> Visitor {
    app.sink.clear();
    let mut visitor = Visitor::new(app);
    assert_eq!(ask_for_link(&mut visitor, address, &[]).await.status, 200);
    app.settle().await;
    let answer = press(&mut visitor, &link_to(app, address)).await;
    assert_eq!((answer.status, answer.header("location")), (303, Some(MEMBERS)));
    visitor
}

#[track_caller]
fn page(response: &Response, status: u16, words: &str) {
    assert_eq!(response.status, status, "{}", response.body);
    assert!(response.body.contains(words), "{words:?} is not in {}", response.body);
}

/// The number of an address.
async fn id_of(app: &TestApp, address: &str) -> String {
    app.email(address).await["id"].to_string()
}

/// Gives the contact of an address another one.
async fn add_address(app: &TestApp, known: &str, new: &str) {
    let contact = app.email(known).await["contact"].to_string();
    app.admin.post("/api/2/emails/", &[("contact", contact.as_str()), ("email", new)]).await.good();
}

/// Presses a button of the member's first page, in the form that is about `about`: `("address", "7")`.
async fn press_own(
    visitor: &mut Visitor,
    about: (&str, &str),
    verb: &str,
    fields: &[(&str, &str)],
) -> Response {
    let shown = visitor.get(MEMBERS).await;
    let subject = format!("name=\"{}\" value=\"{}\"", about.0, about.1);
    let form = Visitor::form(&shown, MEMBERS, &[&subject, &format!("value=\"{verb}\"")]);
    visitor.submit(&form, &[&[("action", verb)], fields].concat()).await
}

/// The addresses of a contact as the API lists them.
async fn addresses(app: &TestApp, address: &str) -> Vec<String> {
    let contact = app.email(address).await["contact"].clone();
    let one = app.admin.get(&format!("/api/2/contacts/{contact}/")).await.good();
    let page = app.admin.get("/api/2/contacts/").await.good();
    let is_it = |found: &&serde_json::Value| found["id"] == contact;
    let listed = page["data"].as_array().unwrap().iter().find(is_it).unwrap();
    assert_eq!(one["emails"], listed["emails"], "listings have the same order");
    let emails = one["emails"].as_array().unwrap().iter();
    emails.map(|email| email["email"].as_str().unwrap().to_owned()).collect()
}

/// What the newest entry of the audit log says was done, to what, and by which way.
async fn noted(app: &TestApp) -> (String, String, String) {
    let entry = app.admin.get("/api/2/audit/?limit=1").await.good()["data"][0].clone();
    assert_eq!((entry["actor"]["kind"].as_str(), entry["via"].as_str()), (Some("contact"), Some("page")));
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    (text(&entry["action"]), text(&entry["object"]["name"]), text(&entry["detail"]))
}
