//! Shows the mail that the sink received, as pages: a list that reloads automatically, and each mail.

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;

use super::sink::{Mailbox, SinkMail};
use crate::locale::{self, Preferences, text};
use crate::mail::{self, Inbound, parse_leniently};
use crate::model::Language;
use crate::web;

/// Most mails that the list shows.
const ROWS_MAX: usize = 200;
/// Most bytes of a mail's source that its page shows.
const SOURCE_BYTES_MAX: usize = 100_000;

/// The policy for browsers: nothing from other hosts, nothing inline, no script, no frames.
const SECURITY_HEADERS: [(HeaderName, HeaderValue); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; style-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
        ),
    ),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

#[derive(Template)]
#[template(path = "letters.html", config = "src/cli/demo/askama.toml")]
struct MailsPage {
    language: Language,
    arrived: u64,
    shown: u64,
    rows: Vec<Row>,
}

struct Row {
    number: u64,
    time: String,
    to: String,
    from: String,
    subject: String,
}

#[derive(Template)]
#[template(path = "no_letter.html", config = "src/cli/demo/askama.toml")]
struct NoMailPage {
    language: Language,
}

#[derive(Template)]
#[template(path = "letter.html", config = "src/cli/demo/askama.toml")]
struct MailPage {
    language: Language,
    time: String,
    from: String,
    to: String,
    subject: String,
    unsubscribe: Option<String>,
    text: String,
    source: String,
    is_cut: bool,
}

/// The routes of the pages over a mailbox.
pub(super) fn router(mailbox: Mailbox) -> Router {
    Router::new()
        .route("/", get(mails))
        .route("/letter/{number}/", get(mail))
        .route("/style.css", get(style))
        .with_state(mailbox)
}

async fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css")], web::STYLE).into_response()
}

async fn mails(State(mailbox): State<Mailbox>, headers: HeaderMap) -> Response {
    let language = language_of(&headers);
    let rows: Vec<Row> = mailbox.newest(ROWS_MAX).iter().map(|mail| row_of(mail, language)).collect();
    let shown = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    show(StatusCode::OK, &MailsPage { language, arrived: mailbox.arrived(), shown, rows })
}

async fn mail(State(mailbox): State<Mailbox>, headers: HeaderMap, Path(number): Path<u64>) -> Response {
    let language = language_of(&headers);
    match mailbox.find(number) {
        Some(mail) => show(StatusCode::OK, &page_of(&mail, language)),
        None => show(StatusCode::NOT_FOUND, &NoMailPage { language }),
    }
}

/// The language that the browser prefers.
fn language_of(headers: &HeaderMap) -> Language {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|field| field.to_str().ok());
    locale::negotiate(Preferences { accepted, ..Preferences::default() }, Language::default())
}

fn show(status: StatusCode, page: &impl Template) -> Response {
    match page.render() {
        Ok(html) => (status, SECURITY_HEADERS, Html(html)).into_response(),
        Err(error) => {
            tracing::error!(error = %error, "A page could not be rendered");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// Reads a mail's row in the list from its headers only, since the list does not show bodies.
fn row_of(mail: &SinkMail, language: Language) -> Row {
    let (head, _) = mail::split(&mail.raw);
    let message = parse_leniently(head);
    Row {
        number: mail.number,
        time: mail.time.rfc3339(),
        to: mail.to.clone(),
        from: from_of(&message),
        subject: subject_of(&message, language),
    }
}

fn page_of(mail: &SinkMail, language: Language) -> MailPage {
    let message = parse_leniently(mail.raw.as_slice());
    let source = &mail.raw[..mail.raw.len().min(SOURCE_BYTES_MAX)];
    MailPage {
        language,
        time: mail.time.rfc3339(),
        from: mail.from.clone(),
        to: mail.to.clone(),
        subject: subject_of(&message, language),
        unsubscribe: unsubscribe_of(&message),
        text: message.content().text().into_owned(),
        source: String::from_utf8_lossy(source).into_owned(),
        is_cut: source.len() < mail.raw.len(),
    }
}

fn subject_of(message: &Inbound, language: Language) -> String {
    let subject = message.subject.trim();
    if subject.is_empty() { text!(language, "demo-no-subject") } else { subject.to_owned() }
}

fn from_of(message: &Inbound) -> String {
    message.from.as_ref().map_or_else(String::new, |from| {
        if from.name.is_empty() {
            from.address.to_string()
        } else {
            format!("{} <{}>", from.name, from.address)
        }
    })
}

/// Returns the first web link of the `List-Unsubscribe` header.
fn unsubscribe_of(message: &Inbound) -> Option<String> {
    let (head, _) = mail::split(&message.raw);
    let mut fields = mail::header_fields(head).into_iter();
    let (_, field) = fields.find(|(name, _)| name.eq_ignore_ascii_case("List-Unsubscribe"))?;
    let links = field.split('<').skip(1).filter_map(|rest| rest.split_once('>'));
    let is_page = |link: &&str| link.starts_with("http://") || link.starts_with("https://");
    links.map(|(link, _)| link.trim()).find(is_page).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;
    use std::sync::Arc;

    fn mail(raw: &str) -> SinkMail {
        let raw = Arc::new(raw.as_bytes().to_vec());
        SinkMail { number: 7, time: Timestamp::from_ms(0), from: String::new(), to: "b@x.org".into(), raw }
    }

    #[test]
    fn a_mail_is_shown_escaped_with_its_link() {
        let page = page_of(
            &mail(
                "From: \"<b>A</b>\" <a@x.org>\r\nSubject: <script>alert(1)</script>\r\n\
             List-Unsubscribe: <mailto:a@x.org>, <https://x.org/unsubscribe/t/>\r\n\r\n<img src=x>\r\n",
            ),
            Language::English,
        );
        let html = page.render().unwrap();
        assert!(html.contains("href=\"https://x.org/unsubscribe/t/\""), "{html}");
        for tag in ["<script", "<b>", "<img"] {
            assert!(!html.contains(tag), "{tag} in {html}");
        }
    }

    #[test]
    fn bytes_that_are_no_mail_have_a_page_too() {
        for raw in ["", "\r\n", "no mail at all", "Subject:\r\n\r\n"] {
            assert_eq!(page_of(&mail(raw), Language::English).subject, "(no subject)");
            assert_eq!(row_of(&mail(raw), Language::English).subject, "(no subject)");
        }
    }
}
