//! Digests of the messages and requests that wait for approval: daily ones, and those after an hour in which too many
//! came to announce each.
//!
//! The first message or request that waits on a list since its last digest sets the time of the next one. The job that
//! writes the digest removes that record, so each is sent once, whatever stops the server or moves its clock.

use jiff::tz::TimeZone;

use crate::clock::Timestamp;
use crate::locale::{Locale, text};
use crate::mail::envelope::{CaseId, ModerationToken};
use crate::mail::{Button, Wording};
use crate::model::account::NotifyApproval;
use crate::model::admin::Notification;
use crate::model::pending::PendingKind;
use crate::model::welcome::ModerationDigest;
use crate::model::{AccountId, Held, Language, List, Pending, SystemMailKind};
use crate::ops::context::MailContext;
use crate::ops::domains;
use crate::ops::locales;
use crate::ops::moderation::notices::{Moderator, asks, display, moderators_of};
use crate::ops::moderation::requests::{deciders, question};
use crate::ops::notices::system_mails::{NewNotice, owner_local, write};
use crate::ops::overdue::{overdue_rows, rows_after};
use crate::ops::queue::digest_posts::{MORNING_MAX, next_morning};
use crate::schema::{HELD_WAITING, HELD_WAITING_COUNT, MODERATION_DIGEST_BY_DUE, PENDING_BY_LIST};
use crate::store::{Key, Read, ReadTx, StoreError, WriteTx};

/// Messages that one digest shows, and requests.
const SHOWN_MAX: usize = 100;
/// Requests that a digest counts.
const REQUESTS_COUNTED_MAX: usize = 10_000;

/// Schedules the daily digest of a list on which a message waits.
pub(in crate::ops) fn note(tx: &mut WriteTx<'_>, list: &List, now: Timestamp) -> Result<(), StoreError> {
    if tx.get::<ModerationDigest>(list.id.0)?.is_some() {
        return Ok(());
    }
    let due = next_morning(now, &zone(tx, list.account)?);
    tx.put(&ModerationDigest { list: list.id, account: list.account, due })
}

/// Schedules a digest at `due` for a list whose moderators got all single requests of this hour.
pub(in crate::ops) fn note_by(tx: &mut WriteTx<'_>, list: &List, due: Timestamp) -> Result<(), StoreError> {
    let earliest = tx.get::<ModerationDigest>(list.id.0)?.map_or(due, |noted| noted.due.min(due));
    tx.put(&ModerationDigest { list: list.id, account: list.account, due: earliest })
}

fn zone(tx: &impl Read, account: AccountId) -> Result<TimeZone, StoreError> {
    Ok(locales::locale(tx, account)?.zone)
}

/// Whether a digest is due later than the next morning, which happens only after a clock was set back.
pub(in crate::ops) fn is_any_too_late(tx: &ReadTx, now: Timestamp) -> Result<bool, StoreError> {
    Ok(tx.first_row(&MODERATION_DIGEST_BY_DUE, &rows_after(now + MORNING_MAX))?.is_some())
}

/// Reschedules digests that are due too late to the next morning.
pub(in crate::ops) fn clamp_due(
    tx: &mut WriteTx<'_>,
    now: Timestamp,
    limit: usize,
) -> Result<(), StoreError> {
    for id in tx.ids(&MODERATION_DIGEST_BY_DUE, &rows_after(now + MORNING_MAX), limit)? {
        let Some(summary) = tx.get::<ModerationDigest>(id)? else { continue };
        let due = next_morning(now, &zone(tx, summary.account)?);
        tx.put(&ModerationDigest { due, ..summary })?;
    }
    Ok(())
}

/// Writes the digests that are due.
pub(in crate::ops) fn write_due(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    now: Timestamp,
    limit: usize,
) -> Result<(), StoreError> {
    for id in overdue_rows(tx, &MODERATION_DIGEST_BY_DUE, now, limit)? {
        if let Some(list) = tx.get::<List>(id)? {
            summarize(tx, mail_context, &list, now)?;
        }
        tx.delete::<ModerationDigest>(id)?;
    }
    Ok(())
}

fn summarize(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    list: &List,
    now: Timestamp,
) -> Result<(), StoreError> {
    if asks(tx, list)? == NotifyApproval::None {
        return Ok(());
    }
    let of_list = Key::new().u64(list.account.0).u64(list.id.0);
    let waiting = Waiting {
        held_count: tx.count(&HELD_WAITING_COUNT, &of_list)?,
        held: tx.page(&HELD_WAITING, &of_list.clone().into(), SHOWN_MAX)?,
        requests_count: tx.ids(&PENDING_BY_LIST, &of_list.clone().into(), REQUESTS_COUNTED_MAX)?.len(),
        requests: tx.page(&PENDING_BY_LIST, &of_list.into(), SHOWN_MAX)?,
    };
    let domain = domains::main_domain(tx, list.account)?;
    let locale = locales::locale(tx, list.account)?;
    let list_address = format!("{}@{}", list.name, domain.name);
    let links = mail_context.links.of(tx, list.account)?;
    for (moderator, parts) in readers(tx, list, &waiting)? {
        let link = |case| {
            let token = ModerationToken::of(case, &moderator).token(&mail_context.signer);
            links.moderate(&token)
        };
        let mut text = String::new();
        if parts.has_held {
            text += &waiting.held_part(&locale, &list_address, &link);
        }
        if parts.has_requests {
            text += &waiting.requests_part(&locale, &list_address, &link);
        }
        text.extend([&text!(locale.language, "summary-end"), "\n"]);
        let buttons = waiting.buttons(locale.language, parts, &link);
        let notice = NewNotice {
            kind: SystemMailKind::Moderation,
            from_phrase: list.title(),
            from_local: &owner_local(list),
            to: &moderator.address,
            reply_to: None,
            subject: &waiting.subject(&locale, list, parts),
            text: &text,
            buttons: &buttons,
            wording: Wording::BuiltIn,
            in_reply_to: None,
        };
        write(tx, mail_context, list.account, &notice, now)?;
    }
    Ok(())
}

/// The messages and requests that wait on a list: the first of each, and how many there are in all.
struct Waiting {
    held: Vec<Held>,
    held_count: u64,
    requests: Vec<Pending>,
    requests_count: usize,
}

/// The parts of a digest for one reader.
#[derive(Clone, Copy, Default)]
struct Parts {
    has_held: bool,
    has_requests: bool,
}

/// The recipients of digests, each with the parts that are for them.
fn readers(tx: &impl Read, list: &List, waiting: &Waiting) -> Result<Vec<(Moderator, Parts)>, StoreError> {
    let mut readers: Vec<(Moderator, Parts)> = Vec::new();
    let mut add = |moderators: Vec<Moderator>, part: fn(&mut Parts)| {
        for moderator in moderators {
            let place = readers.iter().position(|(known, _)| *known == moderator);
            let place = place.unwrap_or_else(|| {
                readers.push((moderator, Parts::default()));
                readers.len() - 1
            });
            part(&mut readers[place].1);
        }
    };
    if !waiting.held.is_empty() {
        add(moderators_of(tx, list, Some(Notification::HeldMessage))?, |parts| parts.has_held = true);
    }
    for kind in PendingKind::ALL {
        if waiting.requests.iter().any(|request| request.kind == *kind) {
            add(deciders(tx, list, *kind)?, |parts| parts.has_requests = true);
        }
    }
    Ok(readers)
}

impl Waiting {
    fn subject(&self, locale: &Locale, list: &List, parts: Parts) -> String {
        let (language, name) = (locale.language, list.title());
        match (parts.has_held, parts.has_requests) {
            (true, true) => text!(language, "approval-summary-both-subject", list = name),
            (_, false) => text!(language, "summary-subject", list = name, count = self.held_count),
            (false, true) => {
                text!(language, "approval-summary-subject", list = name, count = self.requests_count)
            }
        }
    }

    /// The links of these parts, with their words.
    fn buttons(&self, language: Language, parts: Parts, link: &impl Fn(CaseId) -> String) -> Vec<Button> {
        let held = self.held.iter().filter(|_| parts.has_held).map(|held| CaseId::Held(held.id));
        let requests = self.requests.iter().filter(|_| parts.has_requests);
        let held = held.map(|case| Button::new(link(case), text!(language, "mail-button-decide")));
        let requests = requests.map(|request| {
            let words = text!(language, "mail-button-decide-request");
            Button::new(link(CaseId::Pending(request.id)), words)
        });
        held.chain(requests).collect()
    }

    fn held_part(&self, locale: &Locale, list_address: &str, link: &impl Fn(CaseId) -> String) -> String {
        let language = locale.language;
        let mut text =
            text!(language, "summary-begin", count = self.held_count, list_address = list_address) + "\n";
        for held in &self.held {
            let message = text!(
                language,
                "summary-message",
                sender = display(&held.from_phrase, &held.from),
                subject = &held.subject,
                received = locale.local_moment(held.received),
                reason = held.reason.told(language),
                link = link(CaseId::Held(held.id)),
            );
            add_indented(&mut text, &message);
        }
        let more = self.held_count.saturating_sub(self.held.len() as u64);
        if 0 < more {
            text.extend(["\n", &text!(language, "summary-more", count = more), "\n"]);
        }
        text.push('\n');
        text
    }

    fn requests_part(&self, locale: &Locale, list_address: &str, link: &impl Fn(CaseId) -> String) -> String {
        let (language, count) = (locale.language, self.requests_count);
        let mut text =
            text!(language, "approval-summary-begin", count = count, list_address = list_address) + "\n";
        for request in &self.requests {
            let question = question(locale, request, list_address);
            add_indented(&mut text, &format!("{question}\n{}", link(CaseId::Pending(request.id))));
        }
        let more = count.saturating_sub(self.requests.len());
        if 0 < more {
            text.extend(["\n", &text!(language, "summary-more", count = more), "\n"]);
        }
        text.push('\n');
        text
    }
}

/// Adds the lines of a paragraph, set off from the text around it.
fn add_indented(text: &mut String, paragraph: &str) {
    text.push('\n');
    for line in paragraph.lines().filter(|line| !line.trim().is_empty()) {
        text.extend(["    ", line, "\n"]);
    }
}
