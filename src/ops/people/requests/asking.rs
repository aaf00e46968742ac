//! The mail that asks the owner of an address to confirm a request.
//!
//! Its text is the list's own if the request is about one list that has one, else the account's, else a built-in one,
//! which repeats no word of the request: a stranger must not write to others through it.

use super::{Outcome, Recorded, Refusal, unsubscriptions};
use crate::locale::{Locale, text};
use crate::mail::Wording;
use crate::mail::notice::{Values, indented};
use crate::model::account::Subscriptions;
use crate::model::{Account, Language, List, RequestedChange, SystemMailKind};
use crate::ops::locales::locale_of;
use crate::ops::notices::system_mails::{NewNotice, owner_local, write as write_notice};
use crate::ops::notices::template_values::{ListFacts, Person};
use crate::ops::{OpContext, OpError, domains};
use crate::store::{Read, StoreError, WriteTx};

/// The facts about the lists of a request that templates name: of one list, or of several, separated by commas.
struct Facts {
    /// The list, if the request is about one.
    only: Option<List>,
    /// Names of the lists for people.
    title: String,
    names: String,
    addresses: String,
    descriptions: String,
    archive: String,
    manage: String,
    date: String,
}

/// Writes the mail and queues it.
pub(super) fn write(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    account: &Account,
    recorded: &Recorded,
) -> Result<(), OpError> {
    let Recorded { confirmation, link, reply_to } = recorded;
    let lists = lists_of(tx, &confirmation.changes)?;
    let facts = facts_of(tx, by, account, &lists)?;
    let person = Person::find(tx, account.id, &confirmation.address, &confirmation.name)?;
    let custom = person.custom();
    let values = Values {
        first_name: &person.first_name,
        surname: &person.surname,
        default_name: facts.only.as_ref().map_or("", |list| &list.merge_tags_default_name),
        email: confirmation.address.as_str(),
        list: &facts.names,
        list_address: &facts.addresses,
        description: &facts.descriptions,
        manage: &facts.manage,
        archive: &facts.archive,
        confirm: link,
        date: &facts.date,
        custom: &custom,
        ..Values::default()
    };
    let [subject, message] = templates(account, facts.only.as_ref());
    let locale = locale_of(account);
    let subject = match subject {
        Some(template) => values.fill_header(template),
        None => text!(locale.language, "confirm-mail-subject", list = &facts.title),
    };
    let (text, wording) = match message {
        Some(template) => (with_link(values.fill_text(template), link), Wording::Own),
        None => (built_in(&locale, account, &lists, recorded), Wording::BuiltIn),
    };
    let from_local = facts.only.as_ref().map_or_else(|| "postmaster".to_owned(), owner_local);
    let notice = NewNotice {
        kind: SystemMailKind::Confirmation,
        from_phrase: &facts.title,
        from_local: &from_local,
        to: &confirmation.address,
        reply_to: Some(reply_to),
        subject: &subject,
        text: &text,
        buttons: &values.buttons(locale.language),
        wording,
        in_reply_to: None,
    };
    Ok(write_notice(tx, &by.mail_context, account.id, &notice, by.now)?)
}

/// The lists of the changes, each once.
fn lists_of(tx: &impl Read, changes: &[RequestedChange]) -> Result<Vec<List>, StoreError> {
    let mut lists: Vec<List> = Vec::new();
    for id in changes.iter().filter_map(RequestedChange::list) {
        if !lists.iter().any(|list| list.id == id) {
            lists.extend(tx.get::<List>(id.0)?);
        }
    }
    Ok(lists)
}

fn facts_of(tx: &impl Read, by: &OpContext, account: &Account, lists: &[List]) -> Result<Facts, StoreError> {
    let links = by.mail_context.links.of(tx, account.id)?;
    let manage = links.members().unwrap_or_default();
    let date = by.now.rfc3339().chars().take(10).collect();
    if let [list] = lists {
        let facts = ListFacts::of(tx, &by.mail_context, list, by.now)?;
        let values = facts.values(list);
        return Ok(Facts {
            only: Some(list.clone()),
            title: list.title().to_owned(),
            names: values.list.to_owned(),
            addresses: values.list_address.to_owned(),
            descriptions: values.description.to_owned(),
            archive: values.archive.to_owned(),
            manage,
            date,
        });
    }
    let domain = domains::main_domain(tx, account.id)?;
    let joined = |part: &dyn Fn(&List) -> String| lists.iter().map(part).collect::<Vec<_>>().join(", ");
    Ok(Facts {
        only: None,
        title: account.title().to_owned(),
        names: joined(&|list| list.name.to_string()),
        addresses: joined(&|list| format!("{}@{}", list.name, domain.name)),
        descriptions: joined(&|list| list.title().to_owned()),
        archive: String::new(),
        manage,
        date,
    })
}

/// The templates of subject and text: the list's, else the account's.
fn templates<'a>(account: &'a Account, only: Option<&'a List>) -> [Option<&'a str>; 2] {
    let subject = only.and_then(|list| list.confirmation_subject.as_ref());
    let message = only.and_then(|list| list.confirmation_message.as_ref());
    let settings = &account.settings;
    [
        subject.or(settings.confirmation_subject.as_ref()).map(String::as_str),
        message.or(settings.confirmation_message.as_ref()).map(String::as_str),
    ]
}

/// A text that names the link: at its end, if it does not do so itself.
fn with_link(mut text: String, link: &str) -> String {
    if !text.contains(link) {
        text.truncate(text.trim_end().len());
        text.extend(["\n\n", &indented(link), "\n"]);
    }
    text
}

fn built_in(locale: &Locale, account: &Account, lists: &[List], recorded: &Recorded) -> String {
    let Recorded { confirmation, link, .. } = recorded;
    let language = locale.language;
    let words: Vec<String> = confirmation
        .changes
        .iter()
        .filter_map(|change| {
            let list = change.list().map(|id| lists.iter().find(|list| list.id == id));
            match list {
                Some(list) => list.map(|list| change_in_words(language, change, list.title())),
                None => Some(change_in_words(language, change, account.title())),
            }
        })
        .map(|words| indented(&format!("- {words}")))
        .collect();
    let mut text = text!(
        language,
        "confirm-mail-text",
        changes = words.join("\n"),
        address = confirmation.address.as_str(),
        link = indented(link),
        until = locale.day(confirmation.ends()),
    );
    let is_approved = |change: &RequestedChange| match change {
        RequestedChange::Join { list, .. } => {
            let list = lists.iter().find(|known| known.id == *list);
            list.is_some_and(|list| super::subscriptions(account, list) == Subscriptions::OpenConfirm)
        }
        RequestedChange::Leave { list } => {
            let list = lists.iter().find(|known| known.id == *list);
            list.is_some_and(|list| unsubscriptions(account, list) == Subscriptions::OpenConfirm)
        }
        RequestedChange::Digest { .. }
        | RequestedChange::Pause
        | RequestedChange::Resume
        | RequestedChange::AddAddress { .. }
        | RequestedChange::ReplaceAddress { .. } => false,
    };
    if confirmation.changes.iter().any(is_approved) {
        text.extend(["\n\n", &text!(language, "confirm-mail-approval")]);
    }
    text.push('\n');
    text
}

/// A change in words, as a command: "Join the list Harbour Choir". `name` is the title of its list, or of the account
/// for a change of no list.
#[must_use]
pub fn change_in_words(language: Language, change: &RequestedChange, name: &str) -> String {
    match change {
        RequestedChange::Join { .. } => text!(language, "confirm-change-join", list = name),
        RequestedChange::Leave { .. } => text!(language, "confirm-change-leave", list = name),
        RequestedChange::Digest { digest: Some(true), .. } => {
            text!(language, "confirm-change-digest", list = name)
        }
        RequestedChange::Digest { digest: Some(false), .. } => {
            text!(language, "confirm-change-singly", list = name)
        }
        RequestedChange::Digest { digest: None, .. } => {
            text!(language, "confirm-change-as-address", list = name)
        }
        RequestedChange::Pause => text!(language, "confirm-change-pause"),
        RequestedChange::Resume => text!(language, "confirm-change-resume"),
        RequestedChange::AddAddress { .. } => text!(language, "confirm-change-add", site = name),
        RequestedChange::ReplaceAddress { .. } => text!(language, "confirm-change-replace", site = name),
    }
}

/// The result of a change, and what follows from it, each as one sentence; the first has no full stop. `name` is as
/// for [`change_in_words`], and `address` that of the request.
#[must_use]
pub fn outcome_in_words(
    language: Language,
    change: &RequestedChange,
    name: &str,
    address: &str,
    outcome: Outcome,
) -> (String, String) {
    let words = || change_in_words(language, change, name);
    match outcome {
        Outcome::Joined => (
            text!(language, "confirm-done-joined", list = name),
            text!(language, "confirm-done-joined-next", address = address),
        ),
        Outcome::WaitsForApproval => (
            text!(language, "confirm-done-waiting", list = name),
            text!(language, "confirm-done-waiting-next"),
        ),
        Outcome::AlreadyMember => (
            text!(language, "confirm-done-already", list = name),
            text!(language, "confirm-done-already-next"),
        ),
        Outcome::Left => {
            (text!(language, "confirm-done-left", list = name), text!(language, "confirm-done-left-next"))
        }
        Outcome::WasNoMember => (
            text!(language, "confirm-done-no-member", list = name),
            text!(language, "confirm-done-no-member-next"),
        ),
        Outcome::Changed => changed_in_words(language, change, name, address),
        Outcome::Refused(refusal) => {
            let why = match refusal {
                Refusal::Closed => text!(language, "confirm-refused-closed"),
                Refusal::Gone => text!(language, "confirm-refused-gone"),
                Refusal::Address => text!(language, "confirm-refused-address", address = address),
                Refusal::Taken => text!(language, "confirm-refused-taken", address = address),
                Refusal::Unknown => text!(language, "confirm-refused-unknown", address = address),
                Refusal::Full => text!(language, "confirm-refused-full"),
            };
            (text!(language, "confirm-refused", change = words()), why)
        }
    }
}

/// The same of a change that is in effect now.
fn changed_in_words(
    language: Language,
    change: &RequestedChange,
    name: &str,
    address: &str,
) -> (String, String) {
    match change {
        RequestedChange::Digest { digest, .. } => (
            text!(language, "confirm-done-how", list = name),
            match digest {
                Some(true) => text!(language, "confirm-done-digest-next"),
                Some(false) => text!(language, "confirm-done-singly-next"),
                None => text!(language, "confirm-done-changed-next"),
            },
        ),
        RequestedChange::Pause => (
            text!(language, "confirm-done-paused", address = address),
            text!(language, "confirm-done-paused-next"),
        ),
        RequestedChange::Resume => (
            text!(language, "confirm-done-resumed", address = address),
            text!(language, "confirm-done-resumed-next"),
        ),
        RequestedChange::AddAddress { .. } => (
            text!(language, "confirm-done-added", address = address),
            text!(language, "confirm-done-added-next"),
        ),
        RequestedChange::ReplaceAddress { .. } => (
            text!(language, "confirm-done-replaced", address = address),
            text!(language, "confirm-done-replaced-next"),
        ),
        RequestedChange::Join { .. } | RequestedChange::Leave { .. } => (
            text!(language, "confirm-done-changed", change = change_in_words(language, change, name)),
            text!(language, "confirm-done-changed-next"),
        ),
    }
}
