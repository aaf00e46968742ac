//! What is made of the bounces and complaints of different makers: `tests/fixtures/bounces`, written for this.

use crier::mail::bounce::{Bounced, Fate, Report, read};
use crier::mail::parse_leniently;

/// The forms, and what each says: fate, kind, code and recipients.
const FORMS: &[(&str, &str)] = &[
    ("arf-abuse", "complaint of abuse: ada@example.net about bounces+token@lists.example.org"),
    ("arf-dmarc-failure", "nothing"),
    ("arf-not-spam", "nothing"),
    ("arf-redacted", "complaint of abuse: 9f86d081884c7d65@redacted about bounces+token@lists.example.org"),
    ("cfbl", "complaint of abuse:  about bounces+token@lists.example.org"),
    ("dsn-blocklist-with-user-code", "failed, policy or reputation, 5.1.1: ada@example.net"),
    ("dsn-broken-empty-status", "failed, dead address, -: ada@example.net"),
    ("dsn-dmarc-refusal", "failed, policy or reputation, 5.7.26: ada@example.net"),
    ("dsn-exchange-restricted-group", "failed, policy or reputation, 5.7.1: board@example.net"),
    ("dsn-exim", "failed, dead address, 5.0.0: ada@example.net"),
    ("dsn-forwarded-on", "failed, dead address, 5.1.1: ada@example.net ada.new@example.com"),
    ("dsn-gmail-no-such-user", "failed, dead address, 5.1.1: ada@example.net"),
    ("dsn-gmail-rate", "delayed, full or temporary, 4.2.1: ada@example.net"),
    ("dsn-lmtp-over-quota", "failed, full or temporary, 5.0.0: ada@example.net"),
    ("dsn-message-too-large", "failed, policy or reputation, 5.3.4: ada@example.net"),
    ("dsn-office365-access-denied", "failed, dead address, 5.4.1: ada@example.net"),
    ("dsn-office365-recipient-not-found", "failed, dead address, 5.1.10: ada@example.net"),
    ("dsn-office365-sender-blocked", "failed, policy or reputation, 5.7.606: ada@example.net"),
    ("dsn-outlook-mailbox-full", "failed, full or temporary, 5.2.2: ada@example.net"),
    ("dsn-postfix-delayed", "delayed, full or temporary, 4.4.1: ada@example.net"),
    ("dsn-postfix-expired", "failed, full or temporary, 4.4.1: ada@example.net"),
    ("dsn-postfix-host-not-found", "failed, dead address, 5.4.4: ada@gone.example"),
    ("dsn-postfix-null-mx", "failed, dead address, 5.1.0: ada@nomail.example"),
    (
        "dsn-postfix-two-recipients",
        "failed, full or temporary, 5.2.2: ada@example.net + failed, dead address, 5.1.1: bob+lists@example.net bob@example.net",
    ),
    ("dsn-postfix-user-unknown", "failed, dead address, 5.1.1: ada@example.net"),
    ("dsn-put-into-another", "failed, dead address, 5.1.1: ada@example.net"),
    ("dsn-sendmail-user-unknown", "failed, dead address, 5.1.1: ada@example.net"),
    ("dsn-sendmail-warning", "delayed, full or temporary, 4.2.0: ada@example.net"),
    ("dsn-success", "nothing"),
    ("dsn-utf8-recipient", "failed, dead address, 5.1.1: jörg@example.net"),
    ("dsn-without-diagnostic", "failed, dead address, 5.1.1: ada@example.net"),
    ("dsn-yahoo-disabled", "failed, dead address, 5.0.0: ada@example.net"),
    ("exim-retry-timeout", "failed, full or temporary, -: ada@example.net"),
    ("exim-unrouteable", "failed, dead address, -: ada@example.net"),
    ("exim-warning", "delayed, full or temporary, -: ada@example.net"),
    ("gmail-permanently", "failed, policy or reputation, 5.7.1: ada@example.net"),
    ("groupwise", "failed, full or temporary, -: "),
    ("ironport-timeout", "failed, full or temporary, 4.1.0: ada@example.net"),
    ("jmrp-bare", "complaint of abuse: ada@example.net about bounces+token@lists.example.org"),
    ("mdaemon", "failed, dead address, -: ada@example.net"),
    ("notes-not-listed", "failed, dead address, -: ada@example.net"),
    ("outlook-classic-ndr", "failed, dead address, 5.1.1: ada@example.net"),
    ("outlook-html-ndr", "failed, dead address, 5.1.10: ada@example.net"),
    // At the sender of a copy, whatever its From is; elsewhere it is nothing.
    ("person-writes", "failed, dead address, 5.1.1: "),
    ("postfix-without-dsn", "failed, dead address, -: ada@example.net"),
    ("qmail-no-mailbox", "failed, dead address, 5.1.1: ada@example.net"),
    ("qmail-over-quota", "failed, full or temporary, 5.2.2: ada@example.net"),
    ("qmail-too-long-in-queue", "failed, full or temporary, 4.4.1: ada@example.net"),
    ("read-receipt", "nothing"),
    ("sendmail-old-size-limit", "failed, policy or reputation, 5.3.4: ada@example.net"),
    ("smarthost-french", "failed, full or temporary, -: ada@example.net"),
    ("smarthost-german", "failed, dead address, -: ada@example.net"),
    ("vacation-exchange", "nothing"),
    ("vacation-person", "nothing"),
    ("yahoo-no-account", "failed, dead address, -: ada@example.net"),
    ("yahoo-user-complaints", "failed, policy or reputation, 4.7.0: ada@example.net"),
];

fn show(report: &Report) -> String {
    match report {
        Report::Deliveries(bounced) => bounced.iter().map(show_one).collect::<Vec<_>>().join(" + "),
        Report::Complaint(complaint) => {
            let (recipients, senders) = (addresses(&complaint.recipients), addresses(&complaint.senders));
            format!("complaint of {}: {recipients} about {senders}", complaint.kind)
        }
        Report::Nothing => "nothing".to_owned(),
    }
}

fn show_one(bounced: &Bounced) -> String {
    let Bounced { recipients, fate, diagnosis, remote: _, words: _ } = bounced;
    let fate = match fate {
        Fate::Failed => "failed",
        Fate::Delayed => "delayed",
    };
    let status = diagnosis.status.map_or_else(|| "-".to_owned(), |status| status.to_string());
    format!("{fate}, {}, {status}: {}", diagnosis.kind.word(), addresses(recipients))
}

fn addresses(addresses: &[crier::model::EmailAddress]) -> String {
    addresses.iter().map(crier::model::EmailAddress::as_str).collect::<Vec<_>>().join(" ")
}

fn form(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/fixtures/bounces/{name}.eml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn every_form_is_read_for_what_it_is() {
    let mut wrong = Vec::new();
    for (name, expected) in FORMS {
        let found = show(&read(&parse_leniently(form(name)), true));
        if found != *expected {
            wrong.push(format!("    (\"{name}\", \"{found}\"),"));
        }
    }
    assert!(wrong.is_empty(), "these differ:\n{}", wrong.join("\n"));
}

#[test]
fn elsewhere_than_at_the_sender_of_a_copy_only_a_mail_system_reports() {
    let at = |name| show(&read(&parse_leniently(form(name)), false));
    assert_eq!(at("person-writes"), "nothing");
    assert_eq!(at("qmail-no-mailbox"), "failed, dead address, 5.1.1: ada@example.net");
}

#[test]
fn every_form_of_the_folder_is_in_the_table() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/bounces");
    let mut found: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    found.sort();
    let mut named: Vec<&str> = FORMS.iter().map(|(name, _)| *name).collect();
    named.sort_unstable();
    assert_eq!(found, named);
    assert!(40 <= named.len(), "{}", named.len());
}

#[test]
fn the_words_that_are_kept_are_those_that_say_what_happened() {
    let words = |name| match read(&parse_leniently(form(name)), true) {
        Report::Deliveries(bounced) => (bounced[0].remote.clone(), bounced[0].words.clone()),
        other => panic!("{name}: {other:?}"),
    };
    let check = |name, remote: Option<&str>, expected: &str| {
        assert_eq!(words(name), (remote.map(str::to_owned), expected.to_owned()));
    };
    check(
        "dsn-sendmail-user-unknown",
        Some("mail.example.net"),
        "550 5.1.1 <ada@example.net>... User unknown",
    );
    check("dsn-without-diagnostic", Some("mail.example.net"), "5.1.1");
    check("qmail-no-mailbox", None, "Sorry, no mailbox here by that name. (#5.1.1)");
    check("groupwise", None, "ada (mailbox is full)");
}
