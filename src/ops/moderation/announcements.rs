//! Writes the mails that tell administrators of events on lists: requests that wait for approval, and members who
//! joined or left.
//!
//! `ops::people` records the events. `Core::perform` calls this at the end of the same job, for the first few of them,
//! and the upkeep for the rest, so that a thousand new members delay nobody. Of one list at
//! most 20 single mails are written in an hour; the rest of the hour comes in one summary. An event is told to the
//! administrators who see the list and want that notification, but not to the one who brought it about. Nothing is told
//! of people and lists that are gone meanwhile.

use std::time::Duration;

use crate::clock::Timestamp;
use crate::locale::{Locale, text};
use crate::mail::Wording;
use crate::mail::notice::indented;
use crate::model::announcement::News;
use crate::model::{
    Admin, AdminId, Announcement, Contact, ContactId, Departure, EmailAddress, List, Pending, SystemMailKind,
};
use crate::ops::accounts::admins;
use crate::ops::allowances::{self, NEWS_OF_MEMBERS, Subject};
use crate::ops::authority::{is_limit, limits_of};
use crate::ops::context::MailContext;
use crate::ops::moderation::notices::display;
use crate::ops::moderation::requests;
use crate::ops::notices::system_mails::{NewNotice, owner_local, write};
use crate::ops::overdue::{overdue_rows, rows_after};
use crate::ops::people::announcements::notification_of;
use crate::ops::people::contacts;
use crate::ops::{domains, locales};
use crate::schema::{ANNOUNCEMENT_BY_DUE, ANNOUNCEMENT_PUT_OFF, DEPARTURE_BY_CONTACT};
use crate::store::{Key, Read, ReadTx, StoreError, WriteTx};

/// The longest time for which a summary is put off.
const PUT_OFF_MAX: Duration = Duration::from_hours(1);
/// Events that one summary takes; more of them make another summary.
const SUMMARY_EVENTS_MAX: usize = 5000;
/// Events of a kind that one summary shows.
const SHOWN_MAX: usize = 100;

/// Whether anything is to be told now.
pub(in crate::ops) fn is_due(tx: &ReadTx, now: Timestamp) -> Result<bool, StoreError> {
    Ok(!due(tx, now, 1)?.is_empty())
}

/// The events that are to be told now. One that is due later than anything is put off was recorded before the clock was
/// set back.
fn due(tx: &impl Read, now: Timestamp, limit: usize) -> Result<Vec<u64>, StoreError> {
    let due = overdue_rows(tx, &ANNOUNCEMENT_BY_DUE, now, limit)?;
    if due.is_empty() { tx.ids(&ANNOUNCEMENT_BY_DUE, &rows_after(now + PUT_OFF_MAX), limit) } else { Ok(due) }
}

/// Tells the first `limit` events that are due.
pub(crate) fn write_due(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    now: Timestamp,
    limit: usize,
) -> Result<(), StoreError> {
    for id in due(tx, now, limit)? {
        // A summary of this step may have told it.
        let Some(event) = tx.get::<Announcement>(id)? else { continue };
        let Some(list) = tx.get::<List>(event.list.0)? else {
            tx.delete::<Announcement>(id)?;
            continue;
        };
        // What cannot be told must not undo what happened.
        if let Err(error) = domains::main_domain(tx, list.account) {
            tracing::error!(error = %error, "Nobody can be told of an event on {}", list.name);
            tx.delete::<Announcement>(id)?;
            continue;
        }
        tell(tx, mail_context, &list, &event, now)?;
    }
    Ok(())
}

/// Tells one event, or all of its list that were put off.
fn tell(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    list: &List,
    event: &Announcement,
    now: Timestamp,
) -> Result<(), StoreError> {
    if let News::Asked(pending) = event.news {
        tx.delete::<Announcement>(event.id.0)?;
        return match tx.get::<Pending>(pending.0)? {
            Some(pending) => requests::ask(tx, mail_context, list, &pending, now),
            None => Ok(()),
        };
    }
    if event.is_put_off {
        return summarize(tx, mail_context, list, now);
    }
    let readers = readers(tx, list, std::slice::from_ref(event))?;
    if !readers.is_empty()
        && let Err(until) = allowances::take(tx, NEWS_OF_MEMBERS, &Subject::list(list.id), now)?
    {
        return tx.put(&Announcement { due: until, is_put_off: true, ..event.clone() });
    }
    tx.delete::<Announcement>(event.id.0)?;
    let locale = locales::locale(tx, list.account)?;
    let Some((subject, text)) = single(tx, &locale, list, event)? else { return Ok(()) };
    for Reader { address, id: _ } in readers {
        send(tx, mail_context, list, (&address, &subject, &text), now)?;
    }
    Ok(())
}

/// An administrator who wants to be told.
struct Reader {
    id: AdminId,
    address: EmailAddress,
}

/// The administrators who see a list and want to be told of at least one of these events.
fn readers(tx: &impl Read, list: &List, events: &[Announcement]) -> Result<Vec<Reader>, StoreError> {
    let sees = |admin: &Admin| {
        admin.permissions.iter().any(|permission| !is_limit(*permission))
            && limits_of(admin).sees_list(list.id)
            && events.iter().any(|event| wants(admin, event))
    };
    let admins = admins::of_account(tx, Some(list.account))?.into_iter().filter(sees);
    Ok(admins.filter_map(|admin| Some(Reader { address: admin.username?, id: admin.id })).collect())
}

fn wants(admin: &Admin, event: &Announcement) -> bool {
    event.by != Some(admin.id) && admin.notifications.contains(&notification_of(event.news))
}

/// The subject and the text of a mail about one event; `None` if its person is gone.
fn single(
    tx: &impl Read,
    locale: &Locale,
    list: &List,
    event: &Announcement,
) -> Result<Option<(String, String)>, StoreError> {
    let (language, name) = (locale.language, list.title());
    let domain = domains::main_domain(tx, list.account)?;
    let list_address = format!("{}@{}", list.name, domain.name);
    let (contact, subject, mut text) = match event.news {
        News::Asked(_) => return Ok(None),
        News::Joined(contact) => (
            contact,
            text!(language, "news-joined-subject", list = name),
            text!(language, "news-joined-text", list_address = &list_address),
        ),
        News::Left(contact) => (
            contact,
            text!(language, "news-left-subject", list = name),
            text!(language, "news-left-text", list_address = &list_address),
        ),
        News::SaidWhy(contact) => (
            contact,
            text!(language, "news-why-subject", list = name),
            text!(language, "news-why-text", list_address = &list_address),
        ),
    };
    let Some(line) = line(tx, locale, contact, event.time)? else { return Ok(None) };
    text.extend(["\n\n", &indented(&line), "\n"]);
    if !matches!(event.news, News::Joined(_))
        && let Some(reason) = reason(tx, list, contact)?
    {
        text.extend(["\n", &text!(language, "news-reason"), "\n\n"]);
        for line in reason.lines() {
            text.extend([if line.is_empty() { ">" } else { "> " }, line, "\n"]);
        }
    }
    Ok(Some((subject, text)))
}

/// A person, and when it happened, on one line; `None` if the person is gone.
fn line(
    tx: &impl Read,
    locale: &Locale,
    contact: ContactId,
    time: Timestamp,
) -> Result<Option<String>, StoreError> {
    let Some(contact) = tx.get::<Contact>(contact.0)? else { return Ok(None) };
    let emails = contacts::emails_of(tx, &contact)?;
    let address = emails.first().map_or("", |email| email.address.as_str());
    let person = display(&contact.name(), address);
    Ok(Some(text!(locale.language, "news-line", person = person, time = locale.local_moment(time))))
}

/// The words in which a person said why, if the leave is not undone or forgotten.
fn reason(tx: &impl Read, list: &List, contact: ContactId) -> Result<Option<String>, StoreError> {
    let key = Key::new().u64(list.account.0).u64(contact.0).u64(list.id.0);
    let departure: Option<Departure> = tx.find(&DEPARTURE_BY_CONTACT, &key)?;
    Ok(departure.and_then(|departure| departure.reason))
}

/// Tells in one mail of every event of a list that was put off.
fn summarize(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    list: &List,
    now: Timestamp,
) -> Result<(), StoreError> {
    let of_list = Key::new().u64(list.account.0).u64(list.id.0);
    let events: Vec<Announcement> = tx.page(&ANNOUNCEMENT_PUT_OFF, &of_list.into(), SUMMARY_EVENTS_MAX)?;
    for event in &events {
        tx.delete::<Announcement>(event.id.0)?;
    }
    let locale = locales::locale(tx, list.account)?;
    let admins = admins::of_account(tx, Some(list.account))?;
    let subject = text!(locale.language, "news-summary-subject", list = list.title());
    for Reader { id, address } in readers(tx, list, &events)? {
        let Some(admin) = admins.iter().find(|admin| admin.id == id) else { continue };
        let wanted: Vec<&Announcement> = events.iter().filter(|event| wants(admin, event)).collect();
        let text = summary(tx, &locale, list, &wanted)?;
        send(tx, mail_context, list, (&address, &subject, &text), now)?;
    }
    Ok(())
}

/// The text of a summary of these events.
fn summary(
    tx: &impl Read,
    locale: &Locale,
    list: &List,
    events: &[&Announcement],
) -> Result<String, StoreError> {
    let language = locale.language;
    let domain = domains::main_domain(tx, list.account)?;
    let list_address = format!("{}@{}", list.name, domain.name);
    let people = |of: fn(News) -> Option<ContactId>| -> Vec<(ContactId, Timestamp)> {
        events.iter().filter_map(|event| of(event.news).map(|contact| (contact, event.time))).collect()
    };
    let joined = people(|news| if let News::Joined(contact) = news { Some(contact) } else { None });
    let left = people(|news| if let News::Left(contact) = news { Some(contact) } else { None });
    let said = people(|news| if let News::SaidWhy(contact) = news { Some(contact) } else { None });
    let joined_heading =
        |count| text!(language, "news-summary-joined", count = count, list_address = &list_address);
    let left_heading =
        |count| text!(language, "news-summary-left", count = count, list_address = &list_address);
    let said_heading =
        |count| text!(language, "news-summary-why", count = count, list_address = &list_address);
    let mut text = part(tx, locale, None, &joined, joined_heading)?;
    text += &part(tx, locale, None, &left, left_heading)?;
    text += &part(tx, locale, Some(list), &said, said_heading)?;
    Ok(text)
}

/// The part of a summary with these people, with their reasons if `reasons_on` is their list; blank if there are none.
fn part(
    tx: &impl Read,
    locale: &Locale,
    reasons_on: Option<&List>,
    people: &[(ContactId, Timestamp)],
    heading: impl Fn(usize) -> String,
) -> Result<String, StoreError> {
    if people.is_empty() {
        return Ok(String::new());
    }
    let mut text = heading(people.len()) + "\n\n";
    let mut shown = 0;
    for (contact, time) in people.iter().take(SHOWN_MAX) {
        let Some(line) = line(tx, locale, *contact, *time)? else { continue };
        text.extend([&indented(&line), "\n"]);
        shown += 1;
        if let Some(list) = reasons_on
            && let Some(reason) = reason(tx, list, *contact)?
        {
            for line in reason.lines() {
                text.extend(["    > ", line, "\n"]);
            }
        }
    }
    let more = people.len() - shown;
    if 0 < more {
        text.extend(["\n", &text!(locale.language, "summary-more", count = more), "\n"]);
    }
    text.push('\n');
    Ok(text)
}

fn send(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    list: &List,
    (to, subject, text): (&EmailAddress, &str, &str),
    now: Timestamp,
) -> Result<(), StoreError> {
    let notice = NewNotice {
        kind: SystemMailKind::News,
        from_phrase: list.title(),
        from_local: &owner_local(list),
        to,
        reply_to: None,
        subject,
        text,
        buttons: &[],
        wording: Wording::BuiltIn,
        in_reply_to: None,
    };
    write(tx, mail_context, list.account, &notice, now)
}
