//! The decision, case by case: single facts first, then the whole table of `spec/mail.md` 3 and 11 and
//! `spec/api.md` 5, written down from there.

use super::*;
use crate::clock::Timestamp;
use crate::mail::parse;
use crate::mail::pattern::{Budget, PatternPair};
use crate::mail::taboo::TabooText;
use crate::model::{AccountId, ListId, ListName};

const PROVEN_MEMBER: SenderFacts = SenderFacts {
    is_member_of_restricted_lists: true,
    from_is_proven: true,
    is_duplicate: false,
    has_known_id: false,
    has_report_sender: false,
    replies_to_closed_thread: false,
};
const STRANGER: SenderFacts = SenderFacts { is_member_of_restricted_lists: false, ..PROVEN_MEMBER };

fn list(change: impl FnOnce(&mut List)) -> List {
    let name = ListName::parse("news").unwrap();
    let mut list = List::new(ListId(1), AccountId(1), name, Timestamp::from_ms(0));
    change(&mut list);
    list
}

#[track_caller]
fn check(change: impl FnOnce(&mut List), sender_facts: SenderFacts, headers: &str, expected: &str) {
    assert_eq!(decided(&list(change), sender_facts, headers), expected);
}

/// The decision on Ada's message with these headers.
fn decided(list: &List, sender_facts: SenderFacts, headers: &str) -> String {
    let raw = format!("From: ada@x.org\n{headers}\n\nhello Viagra\n").replace('\n', "\r\n");
    let message = parse(raw.into_bytes()).unwrap();
    let patterns = PatternPair::compile(&list.taboo_headers, &list.taboo_body);
    let taboo = TabooText::new(&message).find(&patterns, Budget::new(&|| false));
    let (list_id, size_bytes) = ("news.example.org", message.size_bytes() as u64);
    let taboo = taboo.as_ref();
    let posting =
        Posting { list, list_id, taboo, sender_facts: &sender_facts, message: &message, size_bytes };
    format!("{:?}", decide(&posting))
}

fn ada() -> Vec<EmailAddress> {
    vec![EmailAddress::parse("ADA@x.org").unwrap()]
}

fn bits(list: &mut List, bits: u8) {
    list.moderate = Moderate::from_bits(bits).unwrap();
}

#[test]
fn a_member_posts_and_a_stranger_is_held_on_a_new_list() {
    check(|_| {}, PROVEN_MEMBER, "Subject: a", "Post");
    check(|_| {}, STRANGER, "Subject: a", "Hold(SenderNotAllowed)");
}

#[test]
fn a_member_whose_from_is_not_proven_is_treated_as_the_restrictions_say() {
    let forged = SenderFacts { from_is_proven: false, ..PROVEN_MEMBER };
    check(|_| {}, forged, "Subject: a", "Hold(SenderNotProven)");
    check(
        |list| list.message_rejections = MessageRejections::Reject,
        forged,
        "A: b",
        "Reject(SenderNotProven)",
    );
    check(
        |list| list.message_rejections = MessageRejections::Discard,
        forged,
        "A: b",
        "Discard(SenderNotProven)",
    );
}

#[test]
fn message_rejections_decides_what_happens_to_a_stranger() {
    check(
        |list| list.message_rejections = MessageRejections::Reject,
        STRANGER,
        "A: b",
        "Reject(SenderNotAllowed)",
    );
    check(
        |list| list.message_rejections = MessageRejections::Discard,
        STRANGER,
        "A: b",
        "Discard(SenderNotAllowed)",
    );
}

#[test]
fn an_allowed_address_posts_whatever_its_case() {
    let allow = |list: &mut List| {
        bits(list, 10);
        list.restrict_post_allowed_emails = ada();
    };
    check(allow, STRANGER, "A: b", "Post");
    check(|list| bits(list, 10), PROVEN_MEMBER, "A: b", "Hold(SenderNotAllowed)");
}

#[test]
fn a_banned_sender_is_rejected_even_when_everything_is_held() {
    let ban = |list: &mut List| {
        bits(list, 16 + 1 + 10);
        list.restrict_post_banned_emails = ada();
        list.restrict_post_allowed_emails = ada();
        list.hold_replies = true;
    };
    check(ban, PROVEN_MEMBER, "In-Reply-To: <1@x>", "Reject(Banned)");
    check(
        |list| {
            ban(list);
            list.message_rejections = MessageRejections::Discard;
        },
        PROVEN_MEMBER,
        "A: b",
        "Discard(Banned)",
    );
}

#[test]
fn loops_and_duplicates_are_discarded_before_anything_else() {
    check(|_| {}, STRANGER, "List-Id: News <NEWS.example.org>", "Discard(Loop)");
    check(|_| {}, STRANGER, "Received: x\n".repeat(51 + 1).trim_end(), "Discard(TooManyHops)");
    check(|_| {}, PROVEN_MEMBER, "Received: x\n".repeat(50 + 1).trim_end(), "Post");
    check(|_| {}, SenderFacts { is_duplicate: true, ..STRANGER }, "A: b", "Discard(Duplicate)");
}

#[test]
fn automatic_answers_are_discarded_and_generated_mail_passes() {
    check(|_| {}, PROVEN_MEMBER, "Auto-Submitted: auto-replied", "Discard(AutomaticReply)");
    check(
        |_| {},
        SenderFacts { has_report_sender: true, ..PROVEN_MEMBER },
        "A: b",
        "Discard(AutomaticReply)",
    );
    check(|_| {}, PROVEN_MEMBER, "Auto-Submitted: auto-generated", "Post");
    check(|_| {}, PROVEN_MEMBER, "Precedence: bulk", "Post");
}

#[test]
fn hold_automated_holds_all_of_it() {
    let hold = |list: &mut List| list.hold_automated = true;
    for headers in ["Auto-Submitted: auto-replied", "Auto-Submitted: auto-generated", "Precedence: bulk"] {
        check(hold, PROVEN_MEMBER, headers, "Hold(Automated)");
    }
    check(hold, SenderFacts { has_report_sender: true, ..PROVEN_MEMBER }, "A: b", "Hold(Automated)");
    check(hold, PROVEN_MEMBER, "A: b", "Post");
}

#[test]
fn replies_and_taboo_matches_are_held() {
    check(|list| list.hold_replies = true, PROVEN_MEMBER, "References: <1@x>", "Hold(Reply)");
    check(|list| bits(list, 7), PROVEN_MEMBER, "A: b", "Hold(EveryMessage)");
    let taboo = |list: &mut List| {
        list.taboo_headers = vec!["^subject: .*grüße$".into()];
        list.taboo_body = vec!["viagra|(".into(), "VIAGRA".into()];
    };
    check(
        taboo,
        PROVEN_MEMBER,
        "Subject: =?utf-8?q?Liebe_Gr=C3=BC=C3=9Fe?=",
        "Hold(TabooHeader(\"^subject: .*grüße$\"))",
    );
    check(taboo, PROVEN_MEMBER, "Subject: a", "Hold(TabooBody(\"VIAGRA\"))");
}

#[test]
fn a_message_over_maxlength_is_rejected() {
    let small = |list: &mut List| list.maxlength = 1;
    check(small, PROVEN_MEMBER, &format!("A: {}", "x\n ".repeat(500)), "Reject(TooLarge { limit_kb: 1 })");
}

/// The kinds of senders of [`TABLE`], in the order of its columns.
#[derive(Debug, Clone, Copy)]
enum Sender {
    Stranger,
    /// A member of the list itself.
    Member,
    /// A member of another list in `restrict_post_lists`.
    MemberElsewhere,
    /// An address in `restrict_post_allowed_emails`.
    Allowed,
    /// An address in `restrict_post_banned_emails`.
    Banned,
    /// An address in both.
    BannedAndAllowed,
    /// A member, and in `restrict_post_banned_emails`.
    BannedMember,
    /// A member whose From is not trusted.
    UnprovenMember,
    /// An allowed address whose From is not trusted.
    UnprovenAllowed,
}

const SENDERS: [Sender; 9] = [
    Sender::Stranger,
    Sender::Member,
    Sender::MemberElsewhere,
    Sender::Allowed,
    Sender::Banned,
    Sender::BannedAndAllowed,
    Sender::BannedMember,
    Sender::UnprovenMember,
    Sender::UnprovenAllowed,
];

/// The verdicts on a plain message, for every valid `moderate` and every kind of sender:
///
/// - `p` posted, `h` held because every message is (bit 1, for what the others allow);
/// - `f` forbidden, `u` forbidden because From is not trusted: as `message_rejections` says;
/// - `b` banned: rejected, or discarded if `message_rejections` is `discard`, and never held.
///
/// The bits: 1 everything is held, 2 only specific senders (4 members of lists, 8 allowed addresses), 16 banned
/// addresses are refused.
const TABLE: [(u8, &str); 16] = [
    // str mem els all ban b&a bme unm una
    (0, "p p p p p p p p p"),
    (1, "h h h h h h h h h"),
    (2 + 4, "f p p f f f p u f"),
    (2 + 4 + 1, "f h h f f f h u f"),
    (2 + 8, "f f f p f p f f u"),
    (2 + 8 + 1, "f f f h f h f f u"),
    (2 + 4 + 8, "f p p p f p p u u"),
    (2 + 4 + 8 + 1, "f h h h f h h u u"),
    (16, "p p p p b b b p p"),
    (16 + 1, "h h h h b b b h h"),
    (16 + 2 + 4, "f p p f b b b u f"),
    (16 + 2 + 4 + 1, "f h h f b b b u f"),
    (16 + 2 + 8, "f f f p b b b f u"),
    (16 + 2 + 8 + 1, "f f f h b b b f u"),
    (16 + 2 + 4 + 8, "f p p p b b b u u"),
    (16 + 2 + 4 + 8 + 1, "f h h h b b b u u"),
];

/// The verdict that a letter of [`TABLE`] stands for.
fn verdict_of(system_mail: &str, rejections: MessageRejections) -> &'static str {
    match (system_mail, rejections) {
        ("p", _) => "Post",
        ("h", _) => "Hold(EveryMessage)",
        ("f", MessageRejections::Hold) => "Hold(SenderNotAllowed)",
        ("f", MessageRejections::Reject) => "Reject(SenderNotAllowed)",
        ("f", MessageRejections::Discard) => "Discard(SenderNotAllowed)",
        ("u", MessageRejections::Hold) => "Hold(SenderNotProven)",
        ("u", MessageRejections::Reject) => "Reject(SenderNotProven)",
        ("u", MessageRejections::Discard) => "Discard(SenderNotProven)",
        ("b", MessageRejections::Discard) => "Discard(Banned)",
        ("b", MessageRejections::Hold | MessageRejections::Reject) => "Reject(Banned)",
        (other, _) => panic!("{other} is no letter of the table"),
    }
}

impl Sender {
    fn sender_facts(self) -> SenderFacts {
        let is_member = matches!(
            self,
            Sender::Member | Sender::MemberElsewhere | Sender::BannedMember | Sender::UnprovenMember
        );
        let is_unproven = matches!(self, Sender::UnprovenMember | Sender::UnprovenAllowed);
        SenderFacts {
            is_member_of_restricted_lists: is_member,
            from_is_proven: !is_unproven,
            is_duplicate: false,
            has_known_id: false,
            has_report_sender: false,
            replies_to_closed_thread: false,
        }
    }

    fn name_in(self, list: &mut List) {
        if matches!(self, Sender::Allowed | Sender::BannedAndAllowed | Sender::UnprovenAllowed) {
            list.restrict_post_allowed_emails = ada();
        }
        if matches!(self, Sender::Banned | Sender::BannedAndAllowed | Sender::BannedMember) {
            list.restrict_post_banned_emails = ada();
        }
    }
}

#[test]
fn every_combination_of_restrictions_senders_and_rejections_is_decided_as_the_table_says() {
    let valid: Vec<u8> = (0..=u8::MAX).filter(|bits| Moderate::from_bits(*bits).is_ok()).collect();
    let mut rows: Vec<u8> = TABLE.iter().map(|(bits, _)| *bits).collect();
    rows.sort_unstable();
    assert_eq!(rows, valid, "the table has a row for every valid combination");
    for (moderate, row) in TABLE {
        let system_mails: Vec<&str> = row.split(' ').collect();
        assert_eq!(system_mails.len(), SENDERS.len());
        for (sender, system_mail) in SENDERS.iter().zip(system_mails) {
            for rejections in MessageRejections::ALL {
                let list = list(|list| {
                    bits(list, moderate);
                    list.message_rejections = *rejections;
                    sender.name_in(list);
                });
                let expected = verdict_of(system_mail, *rejections);
                let decided = decided(&list, sender.sender_facts(), "Subject: a");
                assert_eq!(decided, expected, "moderate {moderate}, {sender:?}, {rejections:?}");
            }
        }
    }
}

/// The rules' names and verdicts in the order of the document, for a list and a message to which every rule applies.
const ORDER: [(&str, &str); 13] = [
    ("loop", "Discard(Loop)"),
    ("hops", "Discard(TooManyHops)"),
    ("duplicate", "Discard(Duplicate)"),
    ("automated", "Hold(Automated)"),
    ("banned", "Reject(Banned)"),
    ("restrictions", "Hold(SenderNotAllowed)"),
    ("hold_all", "Hold(EveryMessage)"),
    ("hold_replies", "Hold(Reply)"),
    ("closed_thread", "Hold(ClosedThread)"),
    ("known_id", "Hold(KnownId)"),
    ("taboo_headers", "Hold(TabooHeader(\"offer\"))"),
    ("taboo_body", "Hold(TabooBody(\"viagra\"))"),
    ("size", "Reject(TooLarge { limit_kb: 1 })"),
];

/// The decision if only the rules of [`ORDER`] from `first` on apply.
fn decided_from(first: usize) -> String {
    let says = |name: &str| first <= ORDER.iter().position(|(known, _)| *known == name).unwrap();
    let list = list(|list| {
        let restricts = if says("restrictions") { 2 + 8 } else { 0 };
        let holds = u8::from(says("hold_all"));
        bits(list, restricts + holds + if says("banned") { 16 } else { 0 });
        list.hold_automated = says("automated");
        list.restrict_post_banned_emails = ada();
        list.hold_replies = says("hold_replies");
        list.taboo_headers = if says("taboo_headers") { vec!["offer".into()] } else { Vec::new() };
        list.taboo_body = if says("taboo_body") { vec!["viagra".into()] } else { Vec::new() };
        list.maxlength = if says("size") { 1 } else { 100 };
    });
    let sender_facts = SenderFacts {
        is_duplicate: says("duplicate"),
        has_known_id: says("known_id"),
        replies_to_closed_thread: says("closed_thread"),
        ..STRANGER
    };
    let mut headers = format!("Subject: Re: Offer\nIn-Reply-To: <1@x>\nX-Long: {}x", "x\n ".repeat(600));
    if says("loop") {
        headers.push_str("\nList-Id: <news.example.org>");
    }
    if says("hops") {
        headers.push_str(&"\nReceived: x".repeat(52));
    }
    if says("automated") {
        headers.push_str("\nAuto-Submitted: auto-replied");
    }
    decided(&list, sender_facts, &headers)
}

#[test]
fn of_rules_that_all_have_an_opinion_the_first_of_the_document_decides() {
    for (first, (name, expected)) in ORDER.iter().enumerate() {
        assert_eq!(decided_from(first), *expected, "from {name} on");
    }
    assert_eq!(decided_from(ORDER.len()), "Post");
}

#[test]
fn every_rule_has_its_place_in_the_list_of_rules() {
    let names: Vec<&str> = RULES.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        names,
        [
            "loop",
            "duplicate",
            "automated",
            "banned",
            "restrictions",
            "hold_all",
            "hold_replies",
            "closed_thread",
            "known_id",
            "taboo",
            "size"
        ]
    );
}
