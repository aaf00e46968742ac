//! Notices about messages that were held or rejected, and the replies and links by which moderators decide.

use crate::harness::TestApp;
use crate::harness::sink::Mail;
use crate::harness::smtp::Reply;

const MAIL: &str =
    "From: Eve Evans <eve@example.net>\nSubject: Offer\nMessage-ID: <1@example.net>\n\nBuy this.\n";

/// Another message like Eve's.
fn another(number: usize) -> String {
    MAIL.replace("<1@", &format!("<1.{number}@"))
}

/// Sends Eve's message to `news`.
async fn send(app: &TestApp, message: &str) -> Reply {
    send_from(app, "eve@example.net", message).await
}

/// Sends a message to `news` from any envelope sender.
async fn send_from(app: &TestApp, from: &str, message: &str) -> Reply {
    let reply = app.send_mail(from, "news@lists.example.org", message).await;
    app.settle().await;
    reply
}

/// The header and text of a notice without what differs by signature, its text decoded.
fn shown(mail: &Mail) -> String {
    mail.plain()
}

#[tokio::test]
async fn a_sender_is_told_that_a_message_waits_if_the_list_says_so() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").with("description", "The News").with("send_hold_message", "1").members(1).create().await;
    assert_eq!(send(&app, MAIL).await.code, 250);
    insta::assert_snapshot!(shown(&app.sink.mail_to("eve@example.net")));
}

#[tokio::test]
async fn the_lists_own_texts_are_filled_in() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news")
        .with("send_hold_message", "1")
        .with("hold_subject", "$LIST: $SUBJECT")
        .with("hold_message", "Dear $NAME, we hold \"$SUBJECT\" of $SENDER, since $REASON. $$5, please.")
        .create()
        .await;
    send(&app, MAIL).await;
    let mail = app.sink.mail_to("eve@example.net");
    assert_eq!(mail.header("Subject").as_deref(), Some("news:"), "a stranger's words are in no subject");
    assert!(
        shown(&mail).ends_with(
            "\n\nDear Eve Evans, we hold \"Offer\" of Eve Evans <eve@example.net>, since your address may not write to \
             this list; if you are a member, write from the address at which you get its mail. $5, please.\n"
        ),
        "{mail}"
    );
}

#[tokio::test]
async fn a_notice_is_signed_and_can_be_told_from_people() {
    let app = TestApp::start().await;
    app.list("news").with("send_hold_message", "1").create().await;
    send(&app, MAIL).await;
    let mail = app.sink.mail_to("eve@example.net");
    assert_eq!(mail.from, "", "a notice to a sender is never answered by a report");
    assert_eq!(mail.header("Auto-Submitted").as_deref(), Some("auto-replied"));
    assert_eq!(mail.header("In-Reply-To").as_deref(), Some("<1@example.net>"));
    assert!(
        mail.header("DKIM-Signature").is_some_and(|field| field.contains("d=lists.example.org")),
        "{mail}"
    );
}

#[tokio::test]
async fn nobody_is_told_by_default_and_machines_never() {
    let app = TestApp::start().await;
    app.list("news").with("hold_automated", "1").create().await;
    send(&app, MAIL).await;
    app.admin
        .put("/api/2/lists/news/", &[("send_hold_message", "1"), ("send_reject_message", "1")])
        .await
        .good();
    let senders = ["", "mailer-daemon@example.net", "owner-list@example.net", "news-request@example.net"];
    for (number, sender) in senders.into_iter().enumerate() {
        assert_eq!(send_from(&app, sender, &another(number)).await.code, 250);
    }
    let signs = ["Auto-Submitted: auto-generated", "Auto-Submitted: auto-replied", "Precedence: bulk"];
    for (number, sign) in signs.into_iter().enumerate() {
        assert_eq!(send(&app, &format!("{sign}\n{}", another(4 + number))).await.code, 250);
    }
    assert_eq!(app.admin.get("/api/2/held/").await.good()["count"], 8);
    app.admin
        .put("/api/2/lists/news/", &[("hold_automated", "0"), ("message_rejections", "reject")])
        .await
        .good();
    let reply = send(&app, &format!("Precedence: bulk\n{}", another(7))).await;
    assert_eq!(reply.code, 550, "who cannot be told by mail is told by the refusal: {reply}");
    assert_eq!(app.sink.copies(), 0);
}

#[tokio::test]
async fn a_rejected_message_is_refused_or_answered_as_the_list_says() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").with("message_rejections", "reject").members(1).create().await;
    let other = app.list("other").open().create().await;
    let refused = send(&app, MAIL).await;
    assert_eq!(refused.to_string(), "550 5.7.1 The sender may not post to this list");
    let both = ["news@lists.example.org", other.address.as_str()];
    assert_eq!(app.send_mail_to("eve@example.net", &both, MAIL).await.code, 250);
    app.settle().await;
    assert_eq!(app.sink.copies(), 0);
    app.admin.put("/api/2/lists/news/", &[("send_reject_message", "1")]).await.good();
    assert_eq!(send(&app, MAIL).await.code, 250);
    insta::assert_snapshot!(shown(&app.sink.mail_to("eve@example.net")));
}

#[tokio::test]
async fn a_system_mail_is_retried_and_deleted_in_time() {
    let app = TestApp::start().await;
    app.list("news").with("send_hold_message", "1").create().await;
    app.sink.defer("eve@example.net", 1);
    send(&app, MAIL).await;
    assert_eq!(app.sink.copies(), 0);
    app.advance(std::time::Duration::from_mins(5)).await;
    assert_eq!(app.sink.copies(), 1);
    assert!(app.dump("system_mail").contains("Hold"), "{}", app.dump("system_mail"));
    app.advance(std::time::Duration::from_hours(30 * 24)).await;
    assert!(!app.dump("system_mail").contains("Hold"), "{}", app.dump("system_mail"));
    assert!(!app.dump("batch").contains("eve@example.net"), "{}", app.dump("batch"));
}

/// An administrator with an address, who is told of held messages.
async fn moderator(app: &TestApp, address: &str, more: &[(&str, &str)]) {
    let mut fields = vec![
        ("username", address),
        ("permissions", "approve_messages"),
        ("notifications", "held_message"),
        ("welcome_email", "0"),
    ];
    fields.extend(more);
    app.admin.post("/api/2/admins/", &fields).await.good();
}

/// A server whose list `news` has two members, with the moderators Ada and Bob, and a held message of Eve.
async fn start_with_held() -> TestApp {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").with("description", "The News").members(2).create().await;
    for address in ["ada@example.org", "bob@example.org"] {
        moderator(&app, address, &[]).await;
    }
    send(&app, MAIL).await;
    app
}

/// The path of the link in a request to decide.
fn link(mail: &Mail) -> String {
    let text = shown(mail);
    let start = text.find("https://lists.example.org/moderate/").expect("a request has a link");
    let link = text[start..].lines().next().expect("a text has a first line");
    link.strip_prefix("https://lists.example.org").expect("it was found by this").trim().to_owned()
}

/// Where a request to decide is answered.
fn reply_address(mail: &Mail) -> String {
    let field = mail.header("Reply-To").expect("a request has a reply address");
    field.trim_matches(['<', '>']).to_owned()
}

/// Answers a request to decide.
async fn answer(app: &TestApp, from: &str, request: &Mail, text: &str) -> Reply {
    let message = format!("From: {from}\nSubject: Re: Held\nMessage-ID: <a@example.org>\n\n{text}\n");
    let reply = app.send_mail(from, &reply_address(request), &message).await;
    app.settle().await;
    reply
}

/// The state of the only held message.
async fn state(app: &TestApp) -> String {
    for state in ["held", "approved", "rejected", "discarded"] {
        let found = app.admin.get(&format!("/api/2/held/?state={state}")).await.good();
        if found["count"] == 1 {
            return state.to_owned();
        }
    }
    panic!("there is no held message")
}

#[tokio::test]
async fn administrators_who_approve_for_a_list_are_asked_to_decide() {
    let app = start_with_held().await;
    assert_eq!(app.sink.to_members(), ["ada@example.org", "bob@example.org"]);
    let mail = app.sink.mail_to("ada@example.org");
    let shown = shown(&mail).replace(link(&mail).as_str(), "/moderate/TOKEN/");
    let shown = shown.replace(reply_address(&mail).as_str(), "confirm+TOKEN@lists.example.org");
    insta::assert_snapshot!(shown.replace(mail.from.as_str(), "bounces+TOKEN@lists.example.org"));
}

#[tokio::test]
async fn who_is_asked_depends_on_permissions_limits_notifications_and_the_lists_own_moderator() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.list("other").create().await;
    moderator(&app, "all@example.org", &[]).await;
    let limited = |list: &'static str| [("permissions", "limit_lists"), ("limit_lists", list)];
    moderator(&app, "news@example.org", &limited("news")).await;
    moderator(&app, "other@example.org", &limited("other")).await;
    let silent = [("username", "silent@example.org"), ("permissions", "approve_messages")];
    app.admin.post("/api/2/admins/", &silent).await.good();
    let sender = [
        ("username", "sender@example.org"),
        ("permissions", "send_messages"),
        ("notifications", "held_message"),
    ];
    app.admin.post("/api/2/admins/", &sender).await.good();
    // Those who are new are welcomed first.
    app.settle().await;
    app.sink.clear();
    send(&app, MAIL).await;
    assert_eq!(app.sink.to_members(), ["all@example.org", "news@example.org"]);
    app.sink.clear();
    app.admin.put("/api/2/lists/news/", &[("moderator", "desk@example.org")]).await.good();
    send(&app, &another(1)).await;
    assert_eq!(app.sink.to_members(), ["desk@example.org"]);
    app.sink.clear();
    app.admin.put("/api/2/lists/news/", &[("notify_approval", "none")]).await.good();
    send(&app, &another(2)).await;
    assert_eq!(app.sink.copies(), 0);
}

#[tokio::test]
async fn the_page_of_a_link_shows_the_message_and_changes_nothing_until_a_button_is_pressed() {
    let app = start_with_held().await;
    let path = link(&app.sink.mail_to("ada@example.org"));
    let page = app.anon.get(&path).await;
    assert_eq!(page.status, 200);
    for part in ["The News", "Eve Evans &#60;eve@example.net&#62;", "Offer", "Buy this.", "value=\"approve\""]
    {
        assert!(page.body.contains(part), "{part} is missing in {}", page.body);
    }
    app.anon.get(&path).await;
    app.anon.post(&path, &[("action", "nonsense")]).await;
    assert_eq!(state(&app).await, "held");

    app.sink.clear();
    let page = app.anon.post(&path, &[("action", "approve")]).await;
    assert!(page.status == 200 && page.body.contains("The message is approved"), "{}", page.body);
    app.settle().await;
    assert_eq!(app.sink.to_members(), ["member1@example.org", "member2@example.org"]);
}

#[tokio::test]
async fn of_two_moderators_the_second_is_told_who_came_first() {
    let app = start_with_held().await;
    let (ada, bob) = (app.sink.mail_to("ada@example.org"), app.sink.mail_to("bob@example.org"));
    app.sink.clear();
    app.anon.post(&link(&ada), &[("action", "discard")]).await;
    let page = app.anon.post(&link(&bob), &[("action", "approve")]).await;
    assert_eq!(page.status, 409);
    assert!(
        page.body.contains("discarded already, by ada@example.org on 20 November 2026, 12:00 UTC"),
        "{}",
        page.body
    );
    let page = app.anon.get(&link(&bob)).await;
    assert!(page.status == 200 && page.body.contains("by ada@example.org"), "{}", page.body);
    assert_eq!(answer(&app, "bob@example.org", &bob, "approve").await.code, 250);
    let told = app.sink.mail_to("bob@example.org");
    assert!(
        shown(&told).contains("Nothing was changed: the message was discarded already, by ada@example.org")
    );
    assert_eq!(told.from, "");
    let held = app.admin.get("/api/2/held/?state=discarded").await.good();
    let path = format!("/api/2/held/{}/", held["data"][0]["id"]);
    app.admin.put(&path, &[("action", "approve")]).await.error(409, "by ada@example.org");
    assert_eq!(state(&app).await, "discarded");
}

#[tokio::test]
async fn a_request_in_html_has_a_button_and_a_strangers_words_are_words() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").with("description", "The News").members(2).create().await;
    moderator(&app, "bob@example.org", &[]).await;
    let message = "From: \"<b>Eve\" <eve@example.net>\nSubject: <a href=\"https://evil.example/\">Offer</a>\n\
                   Message-ID: <1@example.net>\n\nhttps://evil.example/\n\n<script>alert(1)</script>\n";
    send(&app, message).await;
    let request = app.sink.mail_to("bob@example.org");
    let html = crier::mail::parse(request.data.clone()).unwrap().content().html.unwrap();
    let token = link(&request);
    assert!(html.contains(&format!("href=\"https://lists.example.org{token}\"")), "{html}");
    assert_eq!(html.matches("href=\"").count(), 1, "{html}");
    assert!(!html.contains("<script") && !html.contains("<b>"), "{html}");
    insta::assert_snapshot!(html.replace(&token, "/moderate/TOKEN/"));
}

#[tokio::test]
async fn the_first_line_of_an_answer_decides() {
    for (text, expected) in [
        ("Approve\n\n> discard\n", "approved"),
        ("> approve\n\nreject No advertisements, please.\nReally.", "rejected"),
        ("\n  discard \nThanks", "discarded"),
        ("Am 26.11.26 um 21:18 schrieb news:\n> reject it, or:\n> discard\n\nfreigeben", "approved"),
        ("Hi,\n\n*Ablehnen* No advertisements, please.", "rejected"),
        ("Bonjour Bob,\nAPPROUVER !\n\nLe 26 nov. 2026, news a écrit :\n> reject\n", "approved"),
        ("El jue, 26 nov 2026, news escribió:\n> aprobar\n\nBuenos días:\n\nDescartar.", "discarded"),
        ("I have looked at it.\n> reject\n\n> discard\n\nEcarter", "discarded"),
    ] {
        let app = start_with_held().await;
        app.admin.put("/api/2/lists/news/", &[("send_reject_message", "1")]).await.good();
        let request = app.sink.mail_to("bob@example.org");
        app.sink.clear();
        assert_eq!(answer(&app, "bob@example.org", &request, text).await.code, 250);
        assert_eq!(state(&app).await, expected);
        match expected {
            "approved" => assert_eq!(app.sink.to_members(), ["member1@example.org", "member2@example.org"]),
            "rejected" => {
                assert_eq!(app.sink.to_members(), ["eve@example.net"]);
                let told = shown(&app.sink.mail_to("eve@example.net"));
                assert!(told.contains("Reason:  No advertisements, please.\n"), "{told}");
            }
            _ => assert_eq!(app.sink.copies(), 0),
        }
    }
}

#[tokio::test]
async fn an_answer_in_html_alone_decides_and_what_it_quotes_does_not() {
    let app = start_with_held().await;
    let request = app.sink.mail_to("bob@example.org");
    let html = |body: &str| {
        format!(
            "From: bob@example.org\nMessage-ID: <h@example.org>\nMIME-Version: 1.0\nContent-Type: text/html; \
             charset=utf-8\n\n{body}\n"
        )
    };
    let quoted = html("<div>Am 26.11.26 schrieb news:</div><blockquote><p>freigeben</p></blockquote>");
    assert_eq!(app.send_mail("bob@example.org", &reply_address(&request), &quoted).await.code, 250);
    app.settle().await;
    assert_eq!(state(&app).await, "held");
    let below = html("<blockquote><p>verwerfen</p></blockquote><p>Hallo,</p><p><b>Freigeben</b></p>");
    assert_eq!(app.send_mail("bob@example.org", &reply_address(&request), &below).await.code, 250);
    app.settle().await;
    assert_eq!(state(&app).await, "approved");
}

#[tokio::test]
async fn the_rest_of_a_quoted_line_that_a_program_broke_decides_nothing() {
    let app = start_with_held().await;
    let request = app.sink.mail_to("bob@example.org");
    let quoted = format!(
        "On Thu, 26 Nov 2026, news <news@lists.example.org> wrote:\n> > {}\napprove\n> > rest",
        "a".repeat(66)
    );
    for text in [format!("I'll look tonight.\n\n{quoted}"), format!("{quoted}\n\nI'll look tonight.")] {
        assert_eq!(answer(&app, "bob@example.org", &request, &text).await.code, 250);
        assert_eq!(state(&app).await, "held", "{text}");
    }
    let text = format!("reject No advertisements, please.\n\n{quoted}");
    assert_eq!(answer(&app, "bob@example.org", &request, &text).await.code, 250);
    assert_eq!(state(&app).await, "rejected");
}

#[tokio::test]
async fn an_answer_that_names_two_decisions_does_nothing_and_is_told_so() {
    let app = start_with_held().await;
    let request = app.sink.mail_to("bob@example.org");
    app.sink.clear();
    answer(&app, "bob@example.org", &request, "discard\n\n> reject\n\napprove").await;
    assert_eq!(state(&app).await, "held");
    let advice = app.sink.mail_to("bob@example.org");
    assert!(shown(&advice).contains("names two different decisions, so nothing was changed"), "{advice}");
    answer(&app, "bob@example.org", &advice, "discard\ndiscard").await;
    assert_eq!(state(&app).await, "discarded");
}

#[tokio::test]
async fn a_request_names_the_words_of_its_language_and_each_of_them_decides() {
    for (language, words) in [
        ("en", ["approve", "reject", "discard"]),
        ("de", ["freigeben", "ablehnen", "verwerfen"]),
        ("fr", ["approuver", "refuser", "supprimer"]),
        ("es", ["aprobar", "rechazar", "descartar"]),
    ] {
        for (word, expected) in words.into_iter().zip(["approved", "rejected", "discarded"]) {
            let app = TestApp::builder().without_dkim().start().await;
            let account = format!("/api/2/accounts/{}/", app.account_id());
            app.admin.put(&account, &[("language", language)]).await.good();
            app.list("news").members(2).create().await;
            moderator(&app, "bob@example.org", &[]).await;
            send(&app, MAIL).await;
            let request = app.sink.mail_to("bob@example.org");
            assert!(shown(&request).contains(&format!("\n    {word} ")), "{language} {word}: {request}");
            answer(&app, "bob@example.org", &request, word).await;
            assert_eq!(state(&app).await, expected, "{language} {word}");
        }
    }
}

#[tokio::test]
async fn an_answer_that_is_no_decision_is_answered_once_and_a_machines_never() {
    let app = start_with_held().await;
    let request = app.sink.mail_to("bob@example.org");
    app.sink.clear();
    let vacation = "Auto-Submitted: auto-replied\nFrom: bob@example.org\n\napprove\n";
    for sender in ["bob@example.org", ""] {
        app.send_mail(sender, &reply_address(&request), vacation).await;
        app.settle().await;
    }
    assert_eq!((app.sink.copies(), state(&app).await.as_str()), (0, "held"));
    for _ in 0..2 {
        answer(&app, "bob@example.org", &request, "Yes, please publish it").await;
    }
    let advice = app.sink.mail_to("bob@example.org");
    assert!(shown(&advice).contains("    reject and your reason\n"), "{advice}");
    assert_eq!(state(&app).await, "held");
    app.sink.clear();
    answer(&app, "bob@example.org", &advice, "approve").await;
    assert_eq!(state(&app).await, "approved");
}

#[tokio::test]
async fn a_forged_or_withdrawn_token_does_nothing() {
    let app = start_with_held().await;
    let request = app.sink.mail_to("bob@example.org");
    let path = link(&request);
    let forged = path.replace("/moderate/a", "/moderate/b");
    assert_ne!(forged, path);
    assert_eq!(app.anon.get(&forged).await.status, 404);
    assert_eq!(app.anon.post(&forged, &[("action", "approve")]).await.status, 404);
    let address = reply_address(&request).replace("confirm+a", "confirm+b");
    assert_eq!(app.send_mail("bob@example.org", &address, "Subject: x\n\napprove\n").await.code, 550);
    app.admin.put("/api/2/admins/bob@example.org/", &[("permissions", "send_messages")]).await.good();
    app.sink.clear();
    assert_eq!(app.anon.post(&path, &[("action", "approve")]).await.status, 404);
    answer(&app, "bob@example.org", &request, "approve").await;
    assert_eq!((app.sink.copies(), state(&app).await.as_str()), (0, "held"));
}

#[tokio::test]
async fn a_sender_is_told_when_nobody_decided_in_time() {
    let app = start_with_held().await;
    app.admin.put("/api/2/lists/news/", &[("send_reject_message", "1")]).await.good();
    app.sink.clear();
    app.advance(std::time::Duration::from_hours(30 * 24)).await;
    assert_eq!(state(&app).await, "discarded");
    let told = shown(&app.sink.mail_to("eve@example.net"));
    assert!(told.contains("Reason:  nobody approved it within 30 days\n"), "{told}");
}

#[tokio::test]
async fn daily_moderation_digests_come_in_the_accounts_morning() {
    let mut app = TestApp::builder().without_dkim().start().await;
    app.change_account(|account| account.settings.timezone = "Europe/Berlin".to_owned()).await;
    app.list("news").with("notify_approval", "daily").members(1).create().await;
    moderator(&app, "ada@example.org", &[]).await;
    send(&app, MAIL).await;
    send(&app, "From: bo@example.net\nSubject: Second\n\nhi\n").await;
    // It is noon in UTC: the next six o'clock in Berlin is seventeen hours away.
    app.advance(std::time::Duration::from_mins(17 * 60 - 1)).await;
    assert_eq!(app.sink.copies(), 0);
    app.restart().await;
    app.advance(std::time::Duration::from_mins(1)).await;
    let summary = app.sink.mail_to("ada@example.org");
    let text = shown(&summary);
    assert_eq!(summary.header("Subject").as_deref(), Some("news: 2 messages wait for approval"));
    assert!(text.contains("Subject:  Offer\n") && text.contains("Subject:  Second\n"), "{text}");

    app.sink.clear();
    app.restart().await;
    app.advance(std::time::Duration::from_hours(48)).await;
    assert_eq!(app.sink.copies(), 0, "there is no news, and no summary is sent twice");
    app.anon.post(&link(&summary), &[("action", "discard")]).await;
    send(&app, "From: cy@example.net\nSubject: Third\n\nhi\n").await;
    app.advance(std::time::Duration::from_hours(24)).await;
    let text = shown(&app.sink.mail_to("ada@example.org"));
    assert!(!text.contains("Offer") && text.contains("Second") && text.contains("Third"), "{text}");
}

#[tokio::test]
async fn lists_that_moderate_each_other_do_not_ask_for_ever() {
    let app = TestApp::start().await;
    app.list("news").with("moderator", "team@lists.example.org").create().await;
    app.list("team").with("moderator", "news@lists.example.org").create().await;
    send(&app, MAIL).await;
    let request = app.sink.mail_to("team@lists.example.org");
    app.sink.clear();
    assert_eq!(app.send_mail(&request.from, "team@lists.example.org", &request.text()).await.code, 250);
    app.settle().await;
    assert_eq!(app.sink.copies(), 0);
    assert_eq!(app.admin.get("/api/2/held/").await.good()["count"], 2, "the request waits as any other mail");
}
