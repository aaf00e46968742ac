//! What a page of a list's settings has set now, in a few sentences.

use super::list_table::Part;
use super::questions::{Answers, Asked, Readers};
use crate::locale::text;
use crate::model::account::Subscriptions;
use crate::model::list::{MessageRejections, WhoWrites};
use crate::model::{Account, EmailAddress, Language, List};

/// The sentences about a page.
pub(super) fn of(language: Language, part: Part, asked: &Asked<'_>, account: &Account) -> String {
    let list = asked.list;
    let sentences = match part {
        Part::Basics => vec![
            who_writes(language, list),
            joining(language, list, account),
            answers(language, asked),
            readers(language, asked),
        ],
        Part::Writing => vec![others(language, list), told(language, list)],
        Part::Texts => vec![around(language, list), mails(language, list)],
        Part::Archive => vec![readers(language, asked), addresses(language, list)],
        Part::Advanced => vec![
            text!(language, "set-now-size", size = list.maxlength),
            text!(language, "set-now-patterns", count = list.taboo_headers.len() + list.taboo_body.len()),
        ],
    };
    sentences.into_iter().filter(|sentence| !sentence.is_empty()).collect::<Vec<_>>().join(" ")
}

fn who_writes(language: Language, list: &List) -> String {
    let named = list.restrict_post_allowed_emails.len();
    match list.who_writes() {
        Some(WhoWrites::Everybody) => text!(language, "set-now-write-everybody"),
        Some(WhoWrites::Members) => text!(language, "set-now-write-members"),
        Some(WhoWrites::ApprovedMembers) => text!(language, "set-now-write-approved"),
        Some(WhoWrites::Addresses) => text!(language, "set-now-write-addresses"),
        Some(WhoWrites::Moderators) => text!(language, "set-now-write-moderators"),
        Some(WhoWrites::MembersAndAddresses) => {
            text!(language, "set-now-write-members-addresses", count = named)
        }
        Some(WhoWrites::ApprovedMembersAndAddresses) => {
            text!(language, "set-now-write-members-addresses-approved", count = named)
        }
        None => text!(language, "set-now-write-single"),
    }
}

fn joining(language: Language, list: &List, account: &Account) -> String {
    match list.subscriptions.unwrap_or(account.settings.subscriptions) {
        Subscriptions::Open => text!(language, "set-now-join-open"),
        Subscriptions::OpenConfirm => text!(language, "set-now-join-asking"),
        Subscriptions::Closed => text!(language, "set-now-join-closed"),
    }
}

fn answers(language: Language, asked: &Asked<'_>) -> String {
    match asked.answers() {
        Answers::List => text!(language, "set-now-answers-list"),
        Answers::Author => text!(language, "set-now-answers-author"),
        Answers::Other => {
            let address = asked.list.reply_to.as_ref().map(EmailAddress::to_string).unwrap_or_default();
            text!(language, "set-now-answers-other", address = address)
        }
    }
}

fn readers(language: Language, asked: &Asked<'_>) -> String {
    match asked.readers() {
        Some(Readers::Everybody) => text!(language, "set-now-archive-everybody"),
        Some(Readers::Members) => text!(language, "set-now-archive-members"),
        Some(Readers::Nobody) => text!(language, "set-now-archive-none"),
        None if asked.list.archive_password_hash.is_some() => text!(language, "set-now-archive-password"),
        None => text!(language, "set-now-archive-closed"),
    }
}

fn others(language: Language, list: &List) -> String {
    match list.message_rejections {
        MessageRejections::Hold => text!(language, "set-now-others-hold"),
        MessageRejections::Reject => text!(language, "set-now-others-reject"),
        MessageRejections::Discard => text!(language, "set-now-others-discard"),
    }
}

fn told(language: Language, list: &List) -> String {
    match (list.send_hold_message, list.send_reject_message) {
        (true, true) => text!(language, "set-now-told"),
        (true, false) => text!(language, "set-now-told-held"),
        (false, true) => text!(language, "set-now-told-rejected"),
        (false, false) => text!(language, "set-now-told-nothing"),
    }
}

fn around(language: Language, list: &List) -> String {
    let has = |texts: [&String; 2]| texts.iter().any(|text| !text.trim().is_empty());
    let above = has([&list.message_fronter, &list.message_fronter_html]);
    let below = has([&list.message_footer, &list.message_footer_html]);
    match (above, below) {
        (true, true) => text!(language, "set-now-around-both"),
        (true, false) => text!(language, "set-now-around-above"),
        (false, true) => text!(language, "set-now-around-below"),
        (false, false) => text!(language, "set-now-around-nothing"),
    }
}

fn mails(language: Language, list: &List) -> String {
    let mails = [
        [&list.welcome_message_subject, &list.welcome_message],
        [&list.confirmation_subject, &list.confirmation_message],
        [&list.hold_subject, &list.hold_message],
        [&list.reject_subject, &list.reject_message],
    ];
    let own = mails.iter().filter(|texts| texts.iter().any(|text| text.is_some())).count();
    text!(language, "set-now-mails", count = own)
}

fn addresses(language: Language, list: &List) -> String {
    match (list.archive_enabled, list.archive_spammode) {
        (false, _) => String::new(),
        (true, true) => text!(language, "set-now-addresses-hidden"),
        (true, false) => text!(language, "set-now-addresses-shown"),
    }
}
