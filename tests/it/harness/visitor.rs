//! A visitor with a browser's habits: keeps cookies, and sends forms as a page has them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crier::model::{AccountId, Person};
use crier::ops::sessions::Stay;

use super::http::{Client, Response, encode};
use super::{DOMAIN, TestApp};

/// Somebody in front of a browser.
#[derive(Debug, Clone)]
pub(crate) struct Visitor {
    client: Client,
    /// The address that a proxy names for the visitor.
    forwarded_for: Option<String>,
    cookies: BTreeMap<String, String>,
}

impl Visitor {
    /// A visitor of the server's own host whose browser has no cookies yet.
    pub(crate) fn new(app: &TestApp) -> Visitor {
        Visitor { client: app.anon.at_host(DOMAIN), forwarded_for: None, cookies: BTreeMap::new() }
    }

    /// A visitor who is signed in as a person of the account `test`.
    pub(crate) async fn signed_in(app: &TestApp, person: Person) -> Visitor {
        Visitor::signed_in_to(app, AccountId(app.account_id()), person).await
    }

    /// A visitor who is signed in as a person of `account`, or of the server.
    pub(crate) async fn signed_in_to(app: &TestApp, account: AccountId, person: Person) -> Visitor {
        let cookie = match person {
            Person::Member(_) => "__Host-member",
            Person::Admin(_) => "__Host-admin",
        };
        let mut visitor = Visitor::new(app);
        visitor.set_cookie(cookie, &app.sign_in_to(account, person, Stay::Usual).await);
        visitor
    }

    /// The same visitor after a restart of the server.
    pub(crate) fn again(&self, app: &TestApp) -> Visitor {
        Visitor { cookies: self.cookies.clone(), ..Visitor::new(app) }
    }

    /// The same visitor at another host.
    pub(crate) fn at_host(self, host: &str) -> Visitor {
        Visitor { client: self.client.at_host(host), ..self }
    }

    /// The same visitor behind a proxy that names this address.
    pub(crate) fn behind(self, address: &str) -> Visitor {
        Visitor { forwarded_for: Some(address.to_owned()), ..self }
    }

    /// The value of a cookie.
    pub(crate) fn cookie(&self, name: &str) -> Option<&str> {
        self.cookies.get(name).map(String::as_str)
    }

    /// Has the browser keep a cookie.
    pub(crate) fn set_cookie(&mut self, name: &str, value: &str) {
        self.cookies.insert(name.to_owned(), value.to_owned());
    }

    /// Opens a page.
    pub(crate) async fn get(&mut self, path: &str) -> Response {
        self.send("GET", path, "").await
    }

    /// Sends a form with exactly these fields.
    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Response {
        let pairs = fields.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value)));
        self.send("POST", path, &pairs.collect::<Vec<_>>().join("&")).await
    }

    /// Sends a body of this type.
    pub(crate) async fn post_raw(&mut self, path: &str, kind: &str, body: &[u8]) -> Response {
        let cookies: Vec<String> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let cookies = cookies.join("; ");
        let headers = [("Cookie", cookies.as_str()), ("Content-Type", kind)];
        self.client.request("POST", path, &headers, body).await
    }

    /// Sends the first form of `page` that has all of `marks` in it, with its hidden fields and these.
    #[track_caller]
    pub(crate) fn form<'f>(page: &'f Response, path: &'f str, marks: &[&str]) -> Form<'f> {
        let forms = page.body.split("<form ").skip(1).filter_map(|rest| rest.split("</form>").next());
        let html = forms.into_iter().find(|html| marks.iter().all(|mark| html.contains(mark)));
        let html = html.unwrap_or_else(|| panic!("no form has {marks:?}: {}", page.body));
        let action = attribute(html.split('>').next().unwrap_or_default(), "action").unwrap_or(path);
        let hidden = html.split("<input ").skip(1).filter_map(|rest| rest.split('>').next());
        let hidden = hidden.filter(|tag| attribute(tag, "type") == Some("hidden"));
        let fields = hidden.filter_map(|tag| Some((attribute(tag, "name")?, attribute(tag, "value")?)));
        Form { action, fields: fields.collect() }
    }

    /// Sends a form of a page with more fields.
    pub(crate) async fn submit(&mut self, form: &Form<'_>, fields: &[(&str, &str)]) -> Response {
        let all: Vec<(&str, &str)> = form.fields.iter().chain(fields).copied().collect();
        self.post(form.action, &all).await
    }

    /// Sends a form with files, as a browser does: each with its field, its name and its media type.
    pub(crate) async fn post_files(
        &mut self,
        path: &str,
        fields: &[(&str, &str)],
        files: &[(&str, &str, &str, &[u8])],
    ) -> Response {
        let mut body = Vec::new();
        for (name, value) in fields {
            let head =
                format!("--boundary\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
            body.extend(head.into_bytes());
        }
        for (field, name, kind, bytes) in files {
            let head = format!(
                "--boundary\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\
                 Content-Type: {kind}\r\n\r\n"
            );
            body.extend(head.into_bytes());
            body.extend_from_slice(bytes);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(b"--boundary--\r\n");
        self.send_as("POST", path, "multipart/form-data; boundary=boundary", &body).await
    }

    async fn send(&mut self, method: &str, path: &str, body: &str) -> Response {
        self.send_as(method, path, "application/x-www-form-urlencoded", body.as_bytes()).await
    }

    async fn send_as(&mut self, method: &str, path: &str, kind: &str, body: &[u8]) -> Response {
        let mut cookies = String::new();
        for (name, value) in &self.cookies {
            let _ = write!(cookies, "{}{name}={value}", if cookies.is_empty() { "" } else { "; " });
        }
        let kind = ("Content-Type", kind);
        let mut headers = vec![("Cookie", cookies.as_str())];
        if method != "GET" {
            headers.push(kind);
        }
        headers.extend(self.forwarded_for.as_ref().map(|address| ("X-Forwarded-For", address.as_str())));
        let response = self.client.request(method, path, &headers, body).await;
        for (_, field) in response.headers.iter().filter(|(name, _)| name == "set-cookie") {
            let pair = field.split(';').next().unwrap_or_default();
            let (name, value) = pair.split_once('=').expect("a cookie has a name");
            if field.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.set_cookie(name, value);
            }
        }
        response
    }
}

/// A form of a page: where it is sent, and its hidden fields.
#[derive(Debug, Clone)]
pub(crate) struct Form<'f> {
    pub(crate) action: &'f str,
    pub(crate) fields: Vec<(&'f str, &'f str)>,
}

/// The value of an attribute in a tag.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let rest = tag.split(&format!("{name}=\"")).nth(1)?;
    rest.split('"').next()
}
