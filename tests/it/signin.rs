//! Signing in as an administrator: passwords, who is held off, what is told, and what is never told.

pub(crate) mod factors;
mod lockout;
mod own;
mod password;
mod sms;
mod told;

use crier::clock::Timestamp;
use crier::model::{AccountId, Admin, AdminId, Person};
use crier::ops::accounts::admins::invite;
use crier::store::Read as _;

use crate::harness::TestApp;
use crate::harness::http::Response;
use crate::harness::visitor::Visitor;

pub(crate) const BOSS: &str = "boss@example.org";
pub(crate) const PASSWORD: &str = "a horse, of course";

/// Makes an administrator of the account `test` who has chosen a password.
pub(crate) async fn boss(app: &TestApp) -> Person {
    person_with(app, BOSS, PASSWORD).await
}

/// Makes an administrator of the account `test` with a password.
pub(crate) async fn person_with(app: &TestApp, address: &str, password: &str) -> Person {
    let person = app.new_admin(AccountId(app.account_id()), address).await;
    choose(app, person, password).await;
    person
}

/// Has an administrator choose a password by a link.
pub(crate) async fn choose(app: &TestApp, person: Person, password: &str) {
    let path = link_of(app, person, app.clock.now() + invite::LINK_WORKS_FOR);
    let chosen = Visitor::new(app).post(&path, &[("password", password)]).await;
    assert_eq!(chosen.status, 200, "{}", chosen.body);
}

/// The path of a link by which an administrator chooses a password.
pub(crate) fn link_of(app: &TestApp, person: Person, expiry: Timestamp) -> String {
    let core = app.core();
    let tx = core.store.read().unwrap();
    let admin = record(app, person);
    let link = invite::link(&tx, &core.signer, &core.links, &admin, expiry).unwrap().unwrap();
    let (_, path) = link.url.split_once("://").unwrap();
    path[path.find('/').unwrap()..].to_owned()
}

/// The record of an administrator.
pub(crate) fn record(app: &TestApp, person: Person) -> Admin {
    let Person::Admin(AdminId(id)) = person else { panic!("{person:?} is no administrator") };
    app.core().store.read().unwrap().get(id).unwrap().expect("the administrator is there")
}

/// Sends the form of `/login/`.
pub(crate) async fn log_in(visitor: &mut Visitor, username: &str, password: &str) -> Response {
    log_in_at(visitor, "/login/", username, password).await
}

/// Sends the form of a page for signing in.
pub(crate) async fn log_in_at(visitor: &mut Visitor, path: &str, username: &str, password: &str) -> Response {
    let shown = visitor.get(path).await;
    let form = Visitor::form(&shown, path, &["name=\"password\""]);
    visitor.submit(&form, &[("username", username), ("password", password)]).await
}

#[track_caller]
pub(crate) fn page(response: &Response, status: u16, words: &str) {
    assert_eq!(response.status, status, "{}", response.body);
    assert!(response.body.contains(words), "{words:?} is not in {}", response.body);
}

/// What a page shows between its frame, without what is drawn for each answer.
pub(crate) fn main_of(response: &Response) -> String {
    let main = response.body.split("<main").nth(1).unwrap().split("</main>").next().unwrap();
    let parts = main.split("name=\"csrf\" value=\"").enumerate();
    parts.map(|(place, part)| if place == 0 { part } else { part.split_once('"').unwrap().1 }).collect()
}

/// The entries of the audit log of these actions, each with its object, oldest first.
pub(crate) async fn log(app: &TestApp, actions: &[&str]) -> Vec<(String, String)> {
    let shown =
        app.global().await.get(&format!("/api/2/audit/?account_id={}&limit=100", app.account_id())).await;
    let mut found = Vec::new();
    for entry in shown.good()["data"].as_array().unwrap().iter().rev() {
        let action = entry["action"].as_str().unwrap_or_default();
        if actions.contains(&action) {
            found.push((action.to_owned(), entry.to_string()));
        }
    }
    found
}

/// The path of the newest link in a mail that has `part` in it.
pub(crate) fn link_in(mail: &str, part: &str) -> String {
    // Soft line breaks of quoted-printable.
    let mail = mail.replace("=\n", "");
    let mut links = mail.lines().filter_map(|line| line.trim().strip_prefix("https://lists.example.org"));
    let link = links.rfind(|path| path.contains(part));
    link.unwrap_or_else(|| panic!("no link: {mail}")).to_owned()
}
