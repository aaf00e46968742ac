//! Alerts to administrators about deliveries, by mail and at a limited rate.
//!
//! The first event of a kind is reported at once; those that follow within an hour are reported together at its end. An
//! administrator is never told of anything outside of its limits.

use crate::clock::Timestamp;
use crate::locale::text;
use crate::mail::notice::indented;
use crate::mail::{Button, Wording};
use crate::model::Permission;
use crate::model::alert::{Alert, AlertKind, AlertLine, Concern};
use crate::model::{
    Account, AccountId, Admin, AlertId, Contact, ContactId, Language, Links, List, Membership,
    SystemMailKind, Via,
};
use crate::ops::accounts::admins;
use crate::ops::context::MailContext;
use crate::ops::notices::system_mails::{self, NewNotice};
use crate::ops::overdue::overdue_rows;
use crate::ops::{Caller, metric_labels};
use crate::schema::{ALERT_BY_ACCOUNT, ALERT_BY_DUE, MEMBERSHIP_BY_CONTACT, alert_kind};
use crate::store::{Key, Read, StoreError, WriteTx};

/// Lists of a person that an alert names, and memberships that are looked at for them.
const LISTS_MAX: usize = 3;
const MEMBERSHIPS_MAX: usize = 50;

/// Reports an event to the administrators of an account, at once or with those that follow.
pub(in crate::ops) fn tell(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    account: AccountId,
    kind: AlertKind,
    line: AlertLine,
    now: Timestamp,
) -> Result<(), StoreError> {
    let key = Key::new().u64(account.0).u64(alert_kind(kind));
    let known = tx.find(&ALERT_BY_ACCOUNT, &key)?;
    if let Some(mut alert) = known.clone().filter(|alert| !alert.is_fresh(now)) {
        alert.wait(line);
        return tx.put(&alert);
    }
    let id = known.map_or_else(|| tx.next_id::<Alert>().map(AlertId), |alert| Ok(alert.id))?;
    let mut alert = Alert { id, account, kind, told: now, waiting: vec![line], left_out: 0 };
    write(tx, mail_context, &alert, now)?;
    alert.waiting.clear();
    tx.put(&alert)
}

/// Reports the events whose hour is over.
pub(in crate::ops) fn tell_due(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    now: Timestamp,
    limit: usize,
) -> Result<(), StoreError> {
    for id in overdue_rows(tx, &ALERT_BY_DUE, now, limit)? {
        let Some(mut alert) = tx.get::<Alert>(id)? else { continue };
        if tx.get::<Account>(alert.account.0)?.is_some() {
            write(tx, mail_context, &alert, now)?;
        }
        alert.told = now;
        alert.waiting.clear();
        alert.left_out = 0;
        tx.put(&alert)?;
    }
    Ok(())
}

/// Writes to every administrator who wants this kind of alert, with the events that exist for it.
fn write(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    alert: &Alert,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(account) = tx.get::<Account>(alert.account.0)? else { return Ok(()) };
    let wanted = alert.kind.notification();
    let links = mail_context.links.of(tx, account.id)?;
    for admin in admins::of_account(tx, Some(account.id))? {
        let Some(address) = admin.username.as_ref().filter(|_| admin.notifications.contains(&wanted)) else {
            continue;
        };
        let events = visible(tx, &account, &links, (&admin, alert))?;
        if events.is_empty() {
            continue;
        }
        let buttons: Vec<Button> = events.iter().filter_map(|event| event.person.clone()).collect();
        mail_context.metrics.sending.alerts.count([metric_labels::alert(alert.kind)]);
        let notice = NewNotice {
            kind: SystemMailKind::Problem,
            from_phrase: &account.name,
            from_local: "postmaster",
            to: address,
            reply_to: None,
            subject: &subject(alert.kind, account.settings.language),
            text: &text(&events, alert, account.settings.language),
            buttons: &buttons,
            wording: Wording::BuiltIn,
            in_reply_to: None,
        };
        system_mails::write(tx, mail_context, account.id, &notice, now)?;
    }
    Ok(())
}

/// An event as an administrator is told it.
struct Event<'a> {
    text: &'a str,
    /// Who it is about: the name, and the lists that the administrator sees.
    about: Option<String>,
    /// The link to the page of the person.
    person: Option<Button>,
}

/// The events of an alert about what exists for an administrator.
fn visible<'a>(
    tx: &impl Read,
    account: &Account,
    links: &Links,
    (admin, alert): (&Admin, &'a Alert),
) -> Result<Vec<Event<'a>>, StoreError> {
    let language = account.settings.language;
    let caller = Caller::admin(admin, alert.account, Via::Server, None);
    let mut events = Vec::new();
    for AlertLine { text, concern } in &alert.waiting {
        match *concern {
            Concern::Contact(contact) if caller.sees_contact(tx, contact)? => {
                let words = text!(language, "mail-button-person");
                let person = Some(Button::new(links.person(contact), words));
                events.push(Event { text, about: about(tx, language, &caller, contact)?, person });
            }
            Concern::List(list) if caller.limits.sees_list(list) => {
                events.push(Event { text, about: None, person: None });
            }
            Concern::Account if caller.holds(Permission::AccountAdmin) => {
                events.push(Event { text, about: None, person: None });
            }
            Concern::Contact(_) | Concern::List(_) | Concern::Account => {}
        }
    }
    Ok(events)
}

/// Who somebody is: the name and the lists, as far as there are any that the caller sees.
fn about(
    tx: &impl Read,
    language: Language,
    caller: &Caller,
    contact: ContactId,
) -> Result<Option<String>, StoreError> {
    let Some(contact) = tx.get::<Contact>(contact.0)? else { return Ok(None) };
    let of_contact = Key::new().u64(contact.account.0).u64(contact.id.0);
    let mut titles = Vec::new();
    for membership in tx.page::<Membership>(&MEMBERSHIP_BY_CONTACT, &of_contact.into(), MEMBERSHIPS_MAX)? {
        if titles.len() == LISTS_MAX {
            break;
        }
        let list = tx.get::<List>(membership.list.0)?.filter(|list| caller.limits.sees_list(list.id));
        titles.extend(list.map(|list| list.title().to_owned()));
    }
    let (name, lists) = (contact.name(), titles.join(", "));
    Ok(match (name.is_empty(), titles.is_empty()) {
        (true, true) => None,
        (false, true) => Some(name),
        (true, false) => Some(text!(language, "alert-lists", lists = lists)),
        (false, false) => Some(text!(language, "alert-person", name = name, lists = lists)),
    })
}

fn subject(kind: AlertKind, language: Language) -> String {
    match kind {
        AlertKind::Bounce => text!(language, "alert-bounce-subject"),
        AlertKind::Complaint => text!(language, "alert-complaint-subject"),
        AlertKind::DeliveryProblem => text!(language, "alert-provider-subject"),
        AlertKind::UnprovenReport => text!(language, "alert-report-subject"),
        AlertKind::Webhook => text!(language, "alert-webhook-subject"),
    }
}

fn text(events: &[Event<'_>], alert: &Alert, language: Language) -> String {
    let mut text = match alert.kind {
        AlertKind::Bounce => text!(language, "alert-bounce-text"),
        AlertKind::Complaint => text!(language, "alert-complaint-text"),
        AlertKind::DeliveryProblem => text!(language, "alert-provider-text"),
        AlertKind::UnprovenReport => text!(language, "alert-report-text"),
        AlertKind::Webhook => text!(language, "alert-webhook-text"),
    };
    text.push('\n');
    for Event { text: line, about, person } in events {
        text.extend(["\n", &indented(line), "\n"]);
        let link = person.as_ref().map(|person| &person.link);
        for more in [about.as_ref(), link].into_iter().flatten() {
            text.extend([&indented(more), "\n"]);
        }
    }
    if 0 < alert.left_out {
        text.extend(["\n", &text!(language, "alert-more", count = alert.left_out), "\n"]);
    }
    text
}
