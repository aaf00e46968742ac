//! Webhooks of an account, and how far each has heard.
//!
//! `jobs` asks for what to send next ([`next`]) and reports what became of it ([`settle`], [`fail`]). Secrets are shown once,
//! where they are made.

use std::time::Duration;

use crate::clock::Timestamp;
use crate::locale::text;
use crate::model::webhook::{ATTEMPTS_MAX, LOG_ENTRIES_MAX};
use crate::model::{
    AlertKind, AlertLine, AuditAction, Concern, Event, EventId, EventType, Permission, Webhook,
    WebhookDelivery, WebhookId, WebhookLog, WebhookLogId, WebhookState,
};
use crate::ops::accounts::alerts;
use crate::ops::audit::{self, Note, changed_fields};
use crate::ops::context::MailContext;
use crate::ops::events::{self, Walk};
use crate::ops::{Caller, OpError, Page, PageRequest, Problems, Wrong, locales, records, window_ids};
use crate::schema::{WEBHOOK_BY_ACCOUNT, WEBHOOK_LOG_BY_HOOK};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Webhooks of an account at most.
pub const WEBHOOKS_MAX: usize = 100;
/// Ranges that wait to be sent once more at most.
const REPLAYS_MAX: usize = 20;
/// How long both secrets sign after a rotation.
const OLD_SECRET_FOR: Duration = Duration::from_hours(24);
/// The longest wait that a receiver can ask for.
const RETRY_AFTER_MAX: Duration = Duration::from_hours(24);
/// Failed attempts in a row after which administrators are told.
const TOLD_AFTER: u32 = 3;
/// Characters of a reply that are kept.
const REPLY_CHARS_MAX: usize = 200;

/// The fields of a call.
#[derive(Debug, Default)]
pub struct WebhookInput {
    /// The address.
    pub url: Option<String>,
    /// The types of events.
    pub types: Option<Vec<EventType>>,
    /// What it is for.
    pub description: Option<String>,
    /// Whether anything is sent.
    pub active: Option<bool>,
    /// The problems found in the call's values.
    pub problems: Problems,
}

fn require(caller: &Caller) -> Result<(), OpError> {
    caller.require(Permission::AccountAdmin)?;
    caller.require_all_lists("using webhooks")?;
    if caller.limits.hide_fields() {
        return Err(OpError::Limited { what: "using webhooks" });
    }
    Ok(())
}

/// A webhook of the caller's account.
///
/// # Errors
/// `NotFound`; `Forbidden` without `account_admin`.
pub fn get(tx: &impl Read, caller: &Caller, id: WebhookId) -> Result<Webhook, OpError> {
    require(caller)?;
    let hook = tx.get::<Webhook>(id.0)?.filter(|hook| hook.account == caller.account);
    hook.ok_or(OpError::NotFound { what: "webhook" })
}

/// The webhooks of the caller's account, oldest first.
///
/// # Errors
/// `Forbidden` without `account_admin`.
pub fn list(tx: &impl Read, caller: &Caller, window: PageRequest) -> Result<Page<Webhook>, OpError> {
    require(caller)?;
    let range = || IndexRange::prefix(Key::new().u64(caller.account.0));
    let count = tx.ids(&WEBHOOK_BY_ACCOUNT, &range(), WEBHOOKS_MAX)?.len() as u64;
    let ids = window_ids(tx, &WEBHOOK_BY_ACCOUNT, range(), window)?;
    Ok(Page { rows: records(tx, &ids)?, count })
}

/// Makes a webhook, which hears what happens from now on.
///
/// # Errors
/// `Invalid` values; `Forbidden` without `account_admin`.
pub fn create(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    input: WebhookInput,
    secret: Vec<u8>,
    now: Timestamp,
) -> Result<Webhook, OpError> {
    require(caller)?;
    let WebhookInput { url, types, description, active, mut problems } = input;
    if url.is_none() {
        problems.add("url", Wrong::Needed);
    }
    let range = IndexRange::prefix(Key::new().u64(caller.account.0));
    if tx.ids(&WEBHOOK_BY_ACCOUNT, &range, WEBHOOKS_MAX)?.len() == WEBHOOKS_MAX {
        problems.add("url", Wrong::TooManyWebhooks { max: WEBHOOKS_MAX });
    }
    problems.into_result()?;
    let id = WebhookId(tx.next_id::<Webhook>()?);
    let hook = Webhook {
        id,
        account: caller.account,
        url: url.unwrap_or_default(),
        types: sorted(types.unwrap_or_default()),
        description: description.unwrap_or_default(),
        active: active.unwrap_or(true),
        secret,
        old_secret: None,
        created: now,
    };
    tx.put(&hook)?;
    tx.put(&WebhookState::new(id, caller.account, events::newest(tx)?))?;
    audit::note(tx, caller, noted(AuditAction::WebhookCreated, &hook), now)?;
    Ok(hook)
}

/// Changes a webhook. Made active again, it hears what happens from then on.
///
/// # Errors
/// As [`create`]; `NotFound`.
pub fn update(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    id: WebhookId,
    input: WebhookInput,
    now: Timestamp,
) -> Result<Webhook, OpError> {
    let before = get(tx, caller, id)?;
    let WebhookInput { url, types, description, active, problems } = input;
    problems.into_result()?;
    let hook = Webhook {
        url: url.unwrap_or_else(|| before.url.clone()),
        types: types.map_or_else(|| before.types.clone(), sorted),
        description: description.unwrap_or_else(|| before.description.clone()),
        active: active.unwrap_or(before.active),
        ..before.clone()
    };
    let changed = changed_fields(&before, &hook);
    if changed.is_empty() {
        return Ok(hook);
    }
    tx.put(&hook)?;
    if hook.active && !before.active {
        let replays = tx.get::<WebhookState>(id.0)?.map(|state| state.replays).unwrap_or_default();
        tx.put(&WebhookState { replays, ..WebhookState::new(id, hook.account, events::newest(tx)?) })?;
    }
    audit::note(tx, caller, noted(AuditAction::WebhookUpdated, &hook).fields(&changed), now)?;
    Ok(hook)
}

fn sorted(mut types: Vec<EventType>) -> Vec<EventType> {
    types.sort_unstable();
    types.dedup();
    types
}

fn noted(action: AuditAction, hook: &Webhook) -> Note {
    // An address may hold a key of its receiver behind the host.
    let host = hook.url.split('/').nth(2).unwrap_or_default();
    Note::new(action, hook.id.0).named(host)
}

/// Deletes a webhook with what is known of its deliveries.
///
/// # Errors
/// `NotFound`; `Forbidden` without `account_admin`.
pub fn delete(tx: &mut WriteTx<'_>, caller: &Caller, id: WebhookId, now: Timestamp) -> Result<(), OpError> {
    let hook = get(tx, caller, id)?;
    tx.delete::<Webhook>(id.0)?;
    tx.delete::<WebhookState>(id.0)?;
    let range = IndexRange::prefix(Key::new().u64(hook.account.0).u64(id.0));
    // What is left of a very long record ends with its 30 days.
    tx.delete_range(&WEBHOOK_LOG_BY_HOOK, &range, 1000)?;
    audit::note(tx, caller, noted(AuditAction::WebhookDeleted, &hook), now)?;
    Ok(())
}

/// Gives a webhook a new secret; for a day the old one signs as well.
///
/// # Errors
/// `NotFound`; `Forbidden` without `account_admin`.
pub fn rotate(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    id: WebhookId,
    secret: Vec<u8>,
    now: Timestamp,
) -> Result<Webhook, OpError> {
    let mut hook = get(tx, caller, id)?;
    hook.old_secret = Some((std::mem::replace(&mut hook.secret, secret), now + OLD_SECRET_FOR));
    tx.put(&hook)?;
    audit::note(tx, caller, noted(AuditAction::WebhookUpdated, &hook).detail("secret"), now)?;
    Ok(hook)
}

/// An end of a range of events: a number, or a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// The event of this number.
    Id(u64),
    /// The events of this time.
    Time(Timestamp),
}

impl Mark {
    /// The number of the last event at or before it.
    fn resolve(self, tx: &impl Read) -> Result<u64, StoreError> {
        let time = match self {
            Mark::Id(id) => return Ok(id),
            Mark::Time(time) => time,
        };
        let (mut low, mut high) = (0, events::newest(tx)?.0);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            let first = tx.all::<Event>(middle - 1, 1)?.pop();
            if first.is_some_and(|event| event.time <= time && event.id.0 <= high) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        Ok(low)
    }
}

/// Has the events behind `after` up to `until` sent once more, as far as they were sent or have failed. Returns how many
/// events of the account lie there at most.
///
/// # Errors
/// `NotFound`; `Invalid` if too many ranges wait; `Forbidden` without `account_admin`.
pub fn replay(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    id: WebhookId,
    (after, until): (Mark, Option<Mark>),
    now: Timestamp,
) -> Result<(u64, u64), OpError> {
    let hook = get(tx, caller, id)?;
    let mut state = tx.get::<WebhookState>(id.0)?.ok_or(OpError::NotFound { what: "webhook" })?;
    let after = after.resolve(tx)?;
    let until = until.map_or(Ok(u64::MAX), |mark| mark.resolve(tx))?.min(state.position.0);
    if after < until {
        if state.replays.len() == REPLAYS_MAX {
            return Err(OpError::invalid("after", Wrong::TooManyReplays { max: REPLAYS_MAX }));
        }
        state.replays.push((EventId(after), EventId(until)));
        tx.put(&state)?;
    }
    audit::note(tx, caller, noted(AuditAction::WebhookUpdated, &hook).detail("replay"), now)?;
    Ok((after, until.max(after)))
}

/// A delivery with its number and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownDelivery {
    /// Its number; `None` for one that has not ended.
    pub number: Option<u64>,
    /// The delivery.
    pub delivery: WebhookDelivery,
    /// When it is tried next.
    pub next_attempt: Option<Timestamp>,
}

/// The deliveries of a webhook, newest first: at first the one under way, if it was tried.
///
/// # Errors
/// `NotFound`; `Forbidden` without `account_admin`.
pub fn deliveries(
    tx: &impl Read,
    caller: &Caller,
    id: WebhookId,
    (mut skipped, limit, before): (u64, usize, Option<u64>),
) -> Result<Page<ShownDelivery>, OpError> {
    let hook = get(tx, caller, id)?;
    let state = tx.get::<WebhookState>(id.0)?;
    let (mut rows, mut count) = (Vec::new(), 0);
    let mut take = |shown: ShownDelivery| {
        count += 1;
        if before.is_some_and(|before| shown.number.is_none_or(|number| before <= number)) {
            return;
        }
        if 0 < skipped {
            skipped -= 1;
        } else if rows.len() < limit {
            rows.push(shown);
        }
    };
    if let Some(state) = state.filter(|_| hook.active)
        && let Some(event) = Walk::new(hook.account, types_of(&hook), state.position.0).next(tx)?
    {
        let delivery = WebhookDelivery {
            event: event.id,
            kind: event.kind,
            time: event.time,
            attempts: state.attempts,
            status: state.status,
            reply: state.reply,
            is_delivered: false,
        };
        take(ShownDelivery { number: None, delivery, next_attempt: state.next_attempt });
    }
    let prefix = Key::new().u64(hook.account.0).u64(id.0);
    let ids = tx.ids(&WEBHOOK_LOG_BY_HOOK, &IndexRange::prefix(prefix).backward(), usize::MAX)?;
    for log in ids {
        let Some(log) = tx.get::<WebhookLog>(log)? else { continue };
        for (place, delivery) in log.entries.iter().enumerate().rev() {
            let number = Some(log.number(place));
            take(ShownDelivery { number, delivery: delivery.clone(), next_attempt: None });
        }
    }
    Ok(Page { rows, count })
}

/// The types that a webhook hears.
#[must_use]
pub fn types_of(hook: &Webhook) -> &[EventType] {
    if hook.types.is_empty() { EventType::ALL } else { &hook.types }
}

/// The active webhooks of all accounts.
///
/// # Errors
/// If the store fails.
pub fn active(tx: &impl Read) -> Result<Vec<WebhookId>, StoreError> {
    let hooks: Vec<Webhook> = tx.all(0, usize::MAX)?;
    Ok(hooks.into_iter().filter(|hook| hook.active).map(|hook| hook.id).collect())
}

/// The events that a webhook gets next, in their order, from a position on: at most `limit`. Those that are sent once more
/// come first, with the end of their range.
///
/// # Errors
/// If the store fails.
pub fn next(
    tx: &impl Read,
    hook: &Webhook,
    state: &WebhookState,
    limit: usize,
) -> Result<(Vec<Event>, Option<EventId>), StoreError> {
    let read = |after: EventId, until: EventId| {
        let mut walk = Walk::new(hook.account, types_of(hook), after.0);
        let mut found = Vec::new();
        while found.len() < limit
            && let Some(event) = walk.next(tx)?.filter(|event| event.id <= until)
        {
            found.push(event);
        }
        Ok::<_, StoreError>(found)
    };
    if let Some((after, until)) = state.replays.first() {
        return Ok((read(*after, *until)?, Some(*until)));
    }
    Ok((read(state.position, EventId(u64::MAX))?, None))
}

/// How far a webhook has heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// Up to this event of those that it hears for the first time.
    UpTo(EventId),
    /// Up to `at` of the range of events that ends with `until` and is sent once more.
    Again {
        /// The last event that was sent.
        at: EventId,
        /// The end of the range.
        until: EventId,
    },
}

/// Writes what a webhook has taken, and how far it has heard.
///
/// # Errors
/// If the store fails.
pub fn settle(
    tx: &mut WriteTx<'_>,
    id: WebhookId,
    heard: Heard,
    entries: &[WebhookDelivery],
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(state) = tx.get::<WebhookState>(id.0)? else { return Ok(()) };
    keep(tx, &state, entries, now)?;
    // Only what was heard changes: meanwhile somebody may have asked for more to be sent again, or have made the hook
    // active from now on.
    let WebhookState { hook, account, mut position, mut replays, .. } = state;
    match heard {
        Heard::UpTo(event) => position = position.max(event),
        Heard::Again { at, until } => {
            if let Some(range) = replays.iter_mut().find(|(_, end)| *end == until) {
                range.0 = range.0.max(at);
            }
            replays.retain(|(after, until)| after < until);
        }
    }
    tx.put(&WebhookState { replays, ..WebhookState::new(hook, account, position) })
}

fn keep(
    tx: &mut WriteTx<'_>,
    state: &WebhookState,
    entries: &[WebhookDelivery],
    now: Timestamp,
) -> Result<(), StoreError> {
    for entries in entries.chunks(LOG_ENTRIES_MAX) {
        let id = WebhookLogId(tx.next_id::<WebhookLog>()?);
        let (account, hook) = (state.account, state.hook);
        tx.put(&WebhookLog { id, account, hook, time: now, entries: entries.to_vec() })?;
    }
    Ok(())
}

/// The failure of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The status of the answer, if there was one.
    pub status: Option<u16>,
    /// The words of the answer, or why there was none.
    pub reply: String,
    /// How long the receiver asks to wait.
    pub retry_after: Option<Duration>,
}

/// The wait behind the attempt of this number, before jitter; `None` behind the last.
#[must_use]
pub fn wait_after(attempts: u32) -> Option<Duration> {
    let minutes = |minutes: u64| Some(Duration::from_mins(minutes));
    match attempts {
        0 | 1 => Some(Duration::from_secs(5)),
        2 => minutes(5),
        3 => minutes(30),
        4 => minutes(2 * 60),
        5 => minutes(5 * 60),
        6 => minutes(10 * 60),
        7 => minutes(14 * 60),
        8 => minutes(20 * 60),
        9 => minutes(24 * 60),
        _ => None,
    }
}

/// Writes that an attempt at an event failed. The hook is paused behind the last attempt, and where the receiver says that
/// it is gone (410). `jitter` is from 0 to 255.
///
/// # Errors
/// If the store fails.
pub fn fail(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    (id, event): (WebhookId, &Event),
    failure: Failure,
    jitter: u8,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (Some(mut hook), Some(mut state)) = (tx.get::<Webhook>(id.0)?, tx.get::<WebhookState>(id.0)?) else {
        return Ok(());
    };
    let Failure { status, reply, retry_after } = failure;
    let reply: String = reply.chars().filter(|c| !c.is_control()).take(REPLY_CHARS_MAX).collect();
    state.attempts += 1;
    (state.status, state.reply) = (status, reply.clone());
    let is_gone = status == Some(410);
    if let Some(wait) = wait_after(state.attempts).filter(|_| !is_gone) {
        // From 90 to 110 hundredths.
        let wait = wait * (900 + u32::from(jitter) * 200 / 255) / 1000;
        let asked = retry_after.unwrap_or_default().min(RETRY_AFTER_MAX);
        state.next_attempt = Some(now + wait.max(asked));
        if state.attempts == TOLD_AFTER {
            tell(tx, mail_context, &hook, &reply, false, now)?;
        }
        return tx.put(&state);
    }
    let entry = WebhookDelivery {
        event: event.id,
        kind: event.kind,
        time: now,
        attempts: state.attempts.min(ATTEMPTS_MAX),
        status,
        reply: reply.clone(),
        is_delivered: false,
    };
    keep(tx, &state, &[entry], now)?;
    let replays = std::mem::take(&mut state.replays);
    tx.put(&WebhookState { replays, ..WebhookState::new(id, hook.account, state.position.max(event.id)) })?;
    hook.active = false;
    tx.put(&hook)?;
    tell(tx, mail_context, &hook, &reply, true, now)
}

/// Tells administrators that a webhook fails, or was paused.
fn tell(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    hook: &Webhook,
    words: &str,
    is_paused: bool,
    now: Timestamp,
) -> Result<(), StoreError> {
    let language = locales::locale(tx, hook.account)?.language;
    let host = hook.url.split('/').nth(2).unwrap_or_default();
    let text = if is_paused {
        text!(language, "alert-line-webhook-paused", host = host, words = words)
    } else {
        text!(language, "alert-line-webhook-fails", host = host, words = words)
    };
    let line = AlertLine { text, concern: Concern::Account };
    alerts::tell(tx, mail_context, hook.account, AlertKind::Webhook, line, now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_tried_ten_times() {
        let waits = (1..).map_while(wait_after).count();
        assert_eq!(waits + 1, ATTEMPTS_MAX as usize);
    }
}
