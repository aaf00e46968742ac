//! Mails that the server writes are in the language of their account, and readable by every mail program.

use std::fmt::Write as _;
use std::time::Duration;

use crier::mail;

use crate::harness::TestApp;
use crate::harness::sink::Mail;

const EVE: &str = "eve@example.net";
const MODERATOR: &str = "mod@example.org";
const NEW_ADMIN: &str = "ada@example.org";
const NEW_MEMBER: &str = "bob@example.org";
const MESSAGE: &str = "From: Eve Evans <eve@example.net>\nSubject: =?utf-8?q?K=C3=A4sekuchen?=\n\
                       Message-ID: <1@example.net>\n\nWho brings it?\n";

/// The newest mail to somebody.
#[track_caller]
fn newest(app: &TestApp, to: &str) -> Mail {
    let mails = app.sink.mails();
    let mut to_them = mails.into_iter().filter(|mail| mail.to == [to]);
    to_them.next_back().unwrap_or_else(|| panic!("nothing came to {to}"))
}

/// A server whose account writes in a language.
async fn app_in(language: &str) -> TestApp {
    let app = TestApp::builder().without_dkim().start().await;
    let account = format!("/api/2/accounts/{}/", app.account_id());
    let fields =
        [("language", language), ("timezone", "Europe/Berlin"), ("send_welcome_message_contacts", "1")];
    app.admin.put(&account, &fields).await.good();
    app
}

/// The mails that a held and rejected message, a new administrator and a new member bring about.
async fn mails_in(language: &str) -> Vec<Mail> {
    let app = app_in(language).await;
    app.list("news")
        .with("send_hold_message", "1")
        .with("send_reject_message", "1")
        .with("description", "Harbour Choir")
        .with("moderator", MODERATOR)
        .members(1)
        .create()
        .await;
    app.advance(Duration::from_mins(1)).await;
    assert_eq!(app.send_mail(EVE, "news@lists.example.org", MESSAGE).await.code, 250);
    app.settle().await;
    let (hold, request) = (newest(&app, EVE), newest(&app, MODERATOR));
    let waiting = app.admin.get("/api/2/held/").await.good();
    assert_eq!(
        waiting["data"][0]["reason"], "the sender may not post to this list",
        "the API speaks English"
    );
    let path = format!("/api/2/held/{}/", waiting["data"][0]["id"]);
    // Nothing proves the sender, who gets one notice a day.
    app.advance(Duration::from_hours(25)).await;
    app.admin.put(&path, &[("action", "reject")]).await.good();
    app.admin
        .post("/api/2/admins/", &[("username", NEW_ADMIN), ("permissions", "send_messages")])
        .await
        .good();
    app.admin.post("/api/2/contacts/", &[("emails", NEW_MEMBER)]).await.good();
    app.advance(Duration::from_mins(1)).await;
    vec![hold, request, newest(&app, EVE), newest(&app, NEW_ADMIN), newest(&app, NEW_MEMBER)]
}

/// Asserts that a mail says how it is written, in a way that every server and program takes.
#[track_caller]
fn assert_is_encoded(mail: &Mail, language: &str) {
    assert!(mail.data.is_ascii(), "{mail}");
    // RFC 2045 6.7 (5); addresses with tokens cannot be folded in the header.
    let (_, body) = mail.data.split_at(mail.data.windows(4).position(|end| end == b"\r\n\r\n").unwrap() + 4);
    assert!(body.split(|octet| *octet == b'\n').all(|line| line.len() <= 77), "{mail}");
    let values = ["Content-Language", "MIME-Version"].map(|field| mail.header(field).unwrap_or_default());
    assert_eq!(values, [language, "1.0"]);
    let read = mail::parse(mail.data.clone()).unwrap();
    let text = mail.text();
    let types = ["multipart/alternative", "text/plain", "text/html"];
    assert!(types.iter().all(|kind| text.matches(&format!("Content-Type: {kind}")).count() == 1), "{text}");
    assert_eq!(text.matches("charset=\"utf-8\"").count(), 2, "{text}");
    assert_eq!(text.matches("Content-Transfer-Encoding: quoted-printable").count(), 2, "{text}");
    let html = read.content().html.unwrap();
    assert!(html.contains(&format!("<html lang=\"{language}\" dir=\"ltr\">")), "{html}");
    // Nothing is loaded from elsewhere, and nothing runs.
    assert!(!html.contains("src=") && !html.contains("<script") && !html.contains("url("), "{html}");
    assert!(mail.data.len() < 16 * 1024, "{}", mail.data.len());
}

/// The subject and the text of mails as people read them.
fn shown(mails: &[Mail]) -> String {
    let mut shown = String::new();
    for mail in mails {
        let read = mail::parse(mail.data.clone()).unwrap();
        let text = read.content().plain.unwrap_or_default().replace("\r\n", "\n");
        assert!(!text.contains(['\u{2068}', '\u{2069}', '\u{fffd}']), "{text:?}");
        write!(shown, "Subject: {}\n\n{text}\n", read.subject).unwrap();
    }
    shown
}

/// Asserts the subjects of the mails of a language; the texts are in a snapshot.
async fn check(language: &str, subjects: [&str; 5]) {
    let mails = mails_in(language).await;
    for (mail, subject) in mails.iter().zip(subjects) {
        assert_is_encoded(mail, language);
        assert_eq!(mail::parse(mail.data.clone()).unwrap().subject, subject);
        let is_encoded = mail.header("Subject").is_some_and(|field| field.contains("=?utf-8?"));
        assert_eq!(is_encoded, !subject.is_ascii(), "{mail}");
    }
    insta::assert_snapshot!(format!("mails_in_{language}"), shown(&mails));
}

#[tokio::test]
async fn mails_of_an_english_account_are_in_english() {
    let subjects = [
        "Your message to Harbour Choir waits for approval",
        "Held for Harbour Choir: Käsekuchen",
        "Your message to Harbour Choir was not sent",
        "Choose your password for the mailing lists of lists.example.org",
        "Welcome to test",
    ];
    check("en", subjects).await;
}

#[tokio::test]
async fn mails_of_a_german_account_are_in_german() {
    let subjects = [
        "Ihre Nachricht an Harbour Choir wartet auf Freigabe",
        "Zur Freigabe bei Harbour Choir: Käsekuchen",
        "Ihre Nachricht an Harbour Choir wurde nicht verschickt",
        "Wählen Sie Ihr Passwort für die Mailinglisten von lists.example.org",
        "Willkommen bei test",
    ];
    check("de", subjects).await;
}

#[tokio::test]
async fn mails_of_a_french_account_are_in_french() {
    let subjects = [
        "Votre message à Harbour Choir attend d’être approuvé",
        "En attente pour Harbour Choir\u{a0}: Käsekuchen",
        "Votre message à Harbour Choir n’a pas été envoyé",
        "Choisissez votre mot de passe pour les listes de lists.example.org",
        "Bienvenue dans test",
    ];
    check("fr", subjects).await;
}

#[tokio::test]
async fn mails_of_a_spanish_account_are_in_spanish() {
    let subjects = [
        "Su mensaje a Harbour Choir está pendiente de aprobación",
        "Pendiente en Harbour Choir: Käsekuchen",
        "Su mensaje a Harbour Choir no se ha enviado",
        "Elija su contraseña para las listas de correo de lists.example.org",
        "Le damos la bienvenida a test",
    ];
    check("es", subjects).await;
}

#[tokio::test]
async fn a_moderator_decides_in_the_accounts_language_and_is_told_in_it_what_was_not_understood() {
    let app = app_in("de").await;
    app.list("news").with("moderator", MODERATOR).members(1).create().await;
    app.send_mail(EVE, "news@lists.example.org", MESSAGE).await;
    app.settle().await;
    let reply_to = newest(&app, MODERATOR).header("Reply-To").unwrap();
    let reply_to = reply_to.trim_matches(['<', '>']);
    let answer = |id: u8, word: &str| {
        format!("From: {MODERATOR}\nSubject: Re\nMessage-ID: <a{id}@example.org>\n\n{word}\n")
    };
    app.send_mail(MODERATOR, reply_to, &answer(1, "vielleicht")).await;
    app.settle().await;
    let told = shown(&[newest(&app, MODERATOR)]);
    assert!(
        told.contains("Ihre Antwort wurde nicht verstanden") && told.contains("\n    freigeben\n"),
        "{told}"
    );
    app.send_mail(MODERATOR, reply_to, &answer(2, "freigeben")).await;
    app.settle().await;
    assert_eq!(app.admin.get("/api/2/held/").await.good()["count"], 0, "the order was obeyed");
    app.send_mail(MODERATOR, reply_to, &answer(3, "discard")).await;
    app.settle().await;
    let told = shown(&[newest(&app, MODERATOR)]);
    let expected = format!("die Nachricht wurde schon freigegeben ({MODERATOR}, ");
    assert!(told.contains(&expected), "{told}");
}

#[tokio::test]
async fn the_part_for_people_of_a_report_and_an_alert_are_in_the_accounts_language() {
    let app = app_in("fr").await;
    let news = app.list("news").with("description", "Le chœur").open().members(2).create().await;
    app.change_account(|account| account.settings.send_welcome_message_contacts = false).await;
    let fields = [("username", NEW_ADMIN), ("permissions", "account_admin"), ("notifications", "bounce")];
    app.admin.post("/api/2/admins/", &fields).await.good();
    app.sink.refuse("member2@example.org");
    app.send_mail("ann@example.net", &news.address, "Subject: x\nMessage-ID: <2@example.net>\n\nhi\n").await;
    app.advance(Duration::from_mins(1)).await;
    let alert = newest(&app, NEW_ADMIN);
    assert_is_encoded(&alert, "fr");
    let told = shown(&[alert]);
    assert!(told.starts_with("Subject: Une adresse ne reçoit plus de messages pour le moment\n"), "{told}");
    assert!(told.contains("    member2@example.org\u{a0}: l’adresse n’existe pas (550 "), "{told}");
    assert!(told.contains("\n    Membre de Le chœur\n    https://lists.example.org/admin/people/"), "{told}");
}
