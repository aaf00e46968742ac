//! What refusals and reports say in words decides: nobody is paused for what is not about the address, and dead
//! addresses are found however they are reported.

use std::time::Duration;

use crate::bounces::dsn;
use crate::harness::TestApp;
use crate::harness::sink::Act;

const DAY: Duration = Duration::from_hours(24);
/// A day and something, so that two reports count as two.
const NEXT_DAY: Duration = Duration::from_hours(25);

/// A list with a member for each of these replies, who is refused with it.
async fn start_refusing(replies: &[&'static str]) -> (TestApp, String, Vec<String>) {
    let app = TestApp::start().await;
    let members: Vec<String> = (0..replies.len()).map(|number| format!("m{number}@people.example")).collect();
    let mut list = app.list("news").member("member1@example.org");
    for (member, reply) in members.iter().zip(replies) {
        app.sink.script(member, Act::AtRcpt(reply), u32::MAX);
        list = list.member(member);
    }
    let list = list.create().await;
    (app, list.address, members)
}

/// Posts on each of some days to members who are refused with these replies: nobody is paused.
async fn check_never_paused(days: u32, replies: &[&'static str]) {
    let (app, list, members) = start_refusing(replies).await;
    for day in 0..days {
        app.post_and_settle(&list).await;
        for (member, reply) in members.iter().zip(replies) {
            assert!(!app.is_paused(member).await, "day {day}: {reply}");
        }
        app.advance(NEXT_DAY).await;
    }
}

#[tokio::test]
async fn rates_and_quotas_of_the_sender_pause_nobody_whatever_their_code() {
    check_never_paused(
        11,
        &[
            "550-5.2.1 The user you write to gets mail at a rate that\r\n550 5.2.1 keeps more from coming in",
            "550 5.1.1 <m@people.example> - 203.0.113.9 has sent to too many recipients this hour",
            "550 5.1.1 Too many messages from your address",
            "421 4.7.28 An unusual rate of mail from your address",
            "421 4.7.0 [TSS04] Messages from 203.0.113.9 are put off for now",
            "421 Too many connections, slow down. OFR004_104 [104]",
            "452 4.2.1 Rate limit exceeded",
        ],
    )
    .await;
}

#[tokio::test]
async fn refusals_about_the_sender_its_name_or_its_server_pause_nobody() {
    check_never_paused(
        3,
        &[
            "550 Unroutable sender address",
            "553 5.1.0 lists.example.org sender domain does not exist",
            "553 5.1.3 https://www.spamhaus.org/query/ip/203.0.113.9",
            "550 5.1.1 Your domain does not exist",
            "550 5.1.1 Relaying denied: unknown user",
            "550 5.1.1 Only members of the list may post",
            "550 5.1.1 Denied by local policy",
        ],
    )
    .await;
}

#[tokio::test]
async fn policy_without_a_code_for_it_and_refusals_that_say_nothing_pause_nobody() {
    check_never_paused(
        11,
        &[
            "550 5.2.0 Mail rejete. Mail rejected. ofr_506 [506]",
            "550 5.7.0 Please use the smtp server of your ISP.",
            "554 Bad DNS PTR resource record.",
            "554 Host network not allowed",
            "550 Access denied",
            "554 You have reached your daily relay quota - 203.0.113.9",
            "554 Transaction failed",
            "550 5.0.0 No",
        ],
    )
    .await;
}

#[tokio::test]
async fn a_dead_code_without_words_needs_a_second_refusal_a_day_later() {
    let (app, list, members) = start_refusing(&["550 5.1.1 No", "550 5.1.1 No such user"]).await;
    app.post_and_settle(&list).await;
    assert!(!app.is_paused(&members[0]).await, "the words do not agree");
    assert!(app.is_paused(&members[1]).await);
    app.advance(NEXT_DAY).await;
    app.post_and_settle(&list).await;
    assert!(app.is_paused(&members[0]).await);
}

const SECOND: &str = "member2@example.org";

async fn start() -> (TestApp, String) {
    let app = TestApp::start().await;
    let list = app.list("news").members(3).create().await;
    (app, list.address)
}

/// Whether a report pauses its member when it comes on two days, one after the other.
async fn pauses(report: &str) -> bool {
    let (app, list) = start().await;
    for _ in 0..2 {
        app.post_and_settle(&list).await;
        app.bounce(SECOND, report).await;
        app.advance(NEXT_DAY).await;
    }
    app.is_paused(SECOND).await
}

#[tokio::test]
async fn the_subject_of_a_post_decides_nothing_about_a_report_on_it() {
    let report = |subject: &str, text: &str| {
        format!("From: MAILER-DAEMON@relay.example\nSubject: Undeliverable: {subject}\n\n{text}\n")
    };
    assert!(
        !pauses(&report("The old wiki does not exist any more", "The system answered: 554 Failed")).await
    );
    assert!(pauses(&report("How do you fight spam?", "550 User unknown")).await);
    let repeated = "Your message\n  Subject: The old wiki does not exist\ndid not arrive.";
    assert!(!pauses(&report("x", repeated)).await, "a line of the text repeats it");
}

#[tokio::test]
async fn reports_with_long_lines_or_nul_octets_are_taken() {
    let gone = dsn(SECOND, "failed", "5.1.1", "550 5.1.1 User unknown");
    let long = gone.replace("Your message could", &format!("{} Your message could", "x".repeat(1100)));
    assert!(pauses(&long).await);
    assert!(pauses(&gone.replace("could not", "could\0not")).await);
}

#[tokio::test]
async fn posts_with_long_lines_are_still_refused() {
    let (app, list) = start().await;
    let reply =
        app.send_mail("member1@example.org", &list, &format!("Subject: x\n\n{}", "x".repeat(1100))).await;
    assert_eq!(reply.to_string(), "554 5.6.0 The message has a line of more than 998 octets");
}

#[tokio::test]
async fn at_the_sender_of_a_copy_a_known_phrase_is_enough() {
    let report = "From: post_office@mobile.example\nSubject: Re:hello\nIn-Reply-To: <1@x.org>\n\n\
                  Error: Invalid user address\n550 - no such user here\nRCPT TO: member2@example.org\n";
    assert!(pauses(report).await);
    for answer in [
        "From: member2@example.org\nSubject: Automatic reply: hello\n\nI am away. My old address does not exist.\n",
        "From: member2@example.org\nSubject: hello\nAuto-Submitted: auto-replied\n\nNo such user any more.\n",
        "From: member2@example.org\nSubject: Re: hello\n\nThanks, see you at 500 Main Street.\n",
    ] {
        assert!(!pauses(answer).await, "{answer}");
    }
}

#[tokio::test]
async fn a_reject_in_the_form_of_a_receipt_counts_and_a_receipt_does_not() {
    let mail = |submitted: &str, disposition: &str| {
        format!(
            "From: Mail Delivery Subsystem <admin@example.org>\nSubject: Automatically rejected mail\n\
             Auto-Submitted: {submitted}\nMIME-Version: 1.0\n\
             Content-Type: multipart/report; report-type=disposition-notification; boundary=b\n\n\
             --b\nContent-Type: text/plain\n\nYour message to <{SECOND}> was rejected: user unknown\n\
             --b\nContent-Type: message/disposition-notification\n\n\
             Final-Recipient: rfc822; {SECOND}\nDisposition: {disposition}\n--b--\n"
        )
    };
    assert!(
        pauses(&mail("auto-replied (rejected)", "automatic-action/MDN-sent-automatically; deleted")).await
    );
    assert!(!pauses(&mail("auto-replied", "manual-action/MDN-sent-manually; displayed")).await);
}

#[tokio::test]
async fn a_full_mailbox_is_still_paused_after_eight_days() {
    let (app, list, members) = start_refusing(&["552 5.2.2 Mailbox full"]).await;
    for _ in 0..9 {
        assert!(!app.is_paused(&members[0]).await);
        app.post_and_settle(&list).await;
        app.advance(DAY).await;
    }
    assert!(app.is_paused(&members[0]).await);
}
